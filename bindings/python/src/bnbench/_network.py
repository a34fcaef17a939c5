# SPDX-License-Identifier: GPL-3.0-or-later
"""Bayesian networks: by name, from files, from and to pgmpy."""
from __future__ import annotations

from typing import Any, List, Optional

from bnbench._data import Data, as_data
from bnbench._graph import Graph
from bnbench._native import InvalidError, check, encoded, ffi, lib, options as options_of, taken_text, text


class Network:
    """A network of tables, or a linear-Gaussian one: ``Network("alarm")`` by its name in the catalogue or its file."""

    def __init__(self, name: Any) -> None:
        out = ffi.new('bnb_network **')
        check(lib.bnb_network_load, encoded(name), out)
        self._own(out[0])

    def _own(self, handle: Any) -> None:
        self._handle = ffi.gc(handle, lib.bnb_network_free)

    @classmethod
    def _of(cls, handle: Any) -> 'Network':
        network = cls.__new__(cls)
        network._own(handle)
        return network

    @classmethod
    def from_text(cls, content: str, format: str = 'bif') -> 'Network':
        out = ffi.new('bnb_network **')
        given = content.encode('utf-8')
        check(lib.bnb_network_parse, given, len(given), encoded(format), out)
        return cls._of(out[0])

    def to_text(self, format: str = 'bif') -> str:
        out = ffi.new('char **')
        check(lib.bnb_network_text, self._handle, encoded(format), out)
        return taken_text(out)

    def write(self, path: Any) -> None:
        """To a file in the format of its ending."""
        check(lib.bnb_network_write, self._handle, encoded(path))

    @property
    def name(self) -> str:
        return text(lib.bnb_network_name(self._handle))

    @property
    def is_gaussian(self) -> bool:
        return bool(lib.bnb_network_is_gaussian(self._handle))

    @property
    def nodes(self) -> List[str]:
        return [text(lib.bnb_network_node_name(self._handle, i))
                for i in range(lib.bnb_network_node_count(self._handle))]

    def _place(self, node: str) -> int:
        try:
            return self.nodes.index(node)
        except ValueError:
            raise InvalidError(f"the network has no node '{node}'") from None

    def states(self, node: str) -> List[str]:
        i = self._place(node)
        return [text(lib.bnb_network_state_name(self._handle, i, k))
                for k in range(lib.bnb_network_state_count(self._handle, i))]

    def parents(self, node: str) -> List[str]:
        """In the order of the table."""
        n = ffi.new('size_t *')
        places = lib.bnb_network_parents(self._handle, self._place(node), n)
        names = self.nodes
        return [names[places[i]] for i in range(n[0])]

    def table(self, node: str) -> List[List[float]]:
        """A row for each configuration of the parents, the first of them varying fastest; a number for each state."""
        i = self._place(node)
        n = ffi.new('size_t *')
        entries = lib.bnb_network_table(self._handle, i, n)
        if entries == ffi.NULL:
            raise InvalidError('a linear-Gaussian network has no tables')
        width = lib.bnb_network_state_count(self._handle, i)
        return [[entries[k] for k in range(row, row + width)] for row in range(0, n[0], width)]

    @property
    def graph(self) -> Graph:
        out = ffi.new('bnb_graph **')
        check(lib.bnb_network_graph, self._handle, out)
        return Graph._of(out[0])

    def sample(self, n: int, *, seed: int = 1, sigma: float = 0) -> Data:
        """The rows of ``bnbench sample``; with sigma > 0 continuous, each state a draw around its number."""
        out = ffi.new('bnb_data **')
        check(lib.bnb_sample, self._handle, n, seed, sigma, out)
        return Data._of(out[0])

    def tile(self, copies: int, arcs: Optional[int] = None, *, seed: int = 1) -> 'Network':
        """Copies of the network with arcs between them, distributed as before."""
        out = ffi.new('bnb_network **')
        check(lib.bnb_network_tile, self._handle, copies, copies - 1 if arcs is None else arcs, seed, out)
        return Network._of(out[0])

    def to_pgmpy(self) -> Any:
        """The same network of pgmpy; of tables alone."""
        import numpy
        from pgmpy.factors.discrete import TabularCPD
        try:
            from pgmpy.models import DiscreteBayesianNetwork
        except ImportError:  # before pgmpy 1.0
            from pgmpy.models import BayesianNetwork as DiscreteBayesianNetwork
        model = DiscreteBayesianNetwork()
        model.add_nodes_from(self.nodes)
        model.add_edges_from((edge.source, edge.target) for edge in self.graph.edges)
        for node in self.nodes:
            parents = self.parents(node)
            # The last parent varies fastest there: the order of the parents is turned round.
            model.add_cpds(TabularCPD(node, len(self.states(node)), numpy.array(self.table(node)).T,
                                      evidence=parents[::-1] or None,
                                      evidence_card=[len(self.states(p)) for p in parents[::-1]] or None,
                                      state_names={n: self.states(n) for n in [node] + parents}))
        return model

    @classmethod
    def from_pgmpy(cls, model: Any) -> 'Network':
        """The network of a pgmpy model with tables."""
        lines = ['network unknown {\n}\n']
        for node in model.nodes():
            states = model.get_cpds(node).state_names[node]
            words = ', '.join(_quoted(state) for state in states)
            lines.append(f'variable {_quoted(node)} {{\n  type discrete [ {len(states)} ] {{ {words} }};\n}}\n')
        for node in model.nodes():
            lines.append(_block_of(model.get_cpds(node)))
        return cls.from_text(''.join(lines))

    def __repr__(self) -> str:
        return f'<bnbench.Network {self.name}: {lib.bnb_network_node_count(self._handle)} nodes>'


def _quoted(word: Any) -> str:
    return '"' + str(word) + '"'


def _block_of(cpd: Any) -> str:
    from itertools import product
    node, parents = cpd.variables[0], cpd.variables[1:]
    values = cpd.get_values()
    given = ' | ' + ', '.join(_quoted(p) for p in parents) if parents else ''
    lines = [f'probability ( {_quoted(node)}{given} ) {{\n']
    for i, states in enumerate(product(*(cpd.state_names[p] for p in parents))):
        lead = '(' + ', '.join(_quoted(s) for s in states) + ')' if parents else 'table'
        lines.append(f'  {lead} ' + ', '.join(repr(float(v)) for v in values[:, i]) + ';\n')
    return ''.join(lines) + '}\n'


def fit(graph: Graph, data: Any, *, name: str = 'fitted', **options: Any) -> Network:
    """The network of a graph with its parameters estimated from data."""
    out = ffi.new('bnb_network **')
    given = options_of(options)
    check(lib.bnb_fit, graph._handle, as_data(data)._handle, given.array, encoded(name), out)
    return Network._of(out[0])
