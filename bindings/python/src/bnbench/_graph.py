# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphs with named nodes: DAGs, CPDAGs, skeletons."""
from __future__ import annotations

from typing import Any, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from bnbench._native import InvalidError, Texts, check, encoded, ffi, lib, taken_text, text

_KINDS = {'dag': lib.BNB_DAG, 'cpdag': lib.BNB_CPDAG, 'skeleton': lib.BNB_SKELETON}


class Edge(NamedTuple):
    """From a node to another, or between them where it is not directed."""
    source: str
    target: str
    directed: bool


class Distance(NamedTuple):
    """Edge errors and structural Hamming distances."""
    true_edges: int
    tp: int
    fp: int
    fn: int
    misoriented: int
    shd: int
    shd_skeleton: int
    shd_fu: int
    shd_extended: int
    shd_raw: int


def _likely_kind(edges: Sequence[Edge]) -> str:
    if all(edge.directed for edge in edges):
        return 'dag'
    return 'cpdag' if any(edge.directed for edge in edges) else 'skeleton'


class Graph:
    """Nodes and edges; an edge is (source, target) for a directed one, or (source, target, directed)."""

    def __init__(self, nodes: Iterable[str], edges: Iterable[Sequence[Any]] = (), kind: Optional[str] = None) -> None:
        names = [str(node) for node in nodes]
        place = {name: i for i, name in enumerate(names)}
        listed = [Edge(str(edge[0]), str(edge[1]), bool(edge[2]) if len(edge) > 2 else True) for edge in edges]
        kind = kind or _likely_kind(listed)
        if kind not in _KINDS:
            raise InvalidError(f"'{kind}' is no kind of graph; dag, cpdag or skeleton is")
        array = ffi.new('bnb_edge[]', max(len(listed), 1))
        for i, edge in enumerate(listed):
            for name in edge[:2]:
                if name not in place:
                    raise InvalidError(f"an edge names '{name}', which is no node")
            array[i] = (place[edge.source], place[edge.target], edge.directed)
        given = Texts(names)
        out = ffi.new('bnb_graph **')
        check(lib.bnb_graph_create, given.array, len(names), array, len(listed), _KINDS[kind], out)
        self._own(out[0])

    def _own(self, handle: Any) -> None:
        self._handle = ffi.gc(handle, lib.bnb_graph_free)

    @classmethod
    def _of(cls, handle: Any) -> 'Graph':
        graph = cls.__new__(cls)
        graph._own(handle)
        return graph

    @classmethod
    def read(cls, path: Any) -> 'Graph':
        """A graph CSV, or the graph of a network by file or name."""
        out = ffi.new('bnb_graph **')
        check(lib.bnb_graph_read, encoded(path), out)
        return cls._of(out[0])

    @property
    def nodes(self) -> List[str]:
        return [text(lib.bnb_graph_node_name(self._handle, i)) for i in range(lib.bnb_graph_node_count(self._handle))]

    @property
    def kind(self) -> str:
        of = lib.bnb_graph_kind_of(self._handle)
        return next(name for name, kind in _KINDS.items() if kind == of)

    @property
    def edges(self) -> List[Edge]:
        n = lib.bnb_graph_edge_count(self._handle)
        out = ffi.new('bnb_edge[]', max(n, 1))
        lib.bnb_graph_edges(self._handle, out)
        names = self.nodes
        return [Edge(names[getattr(out[i], 'from')], names[out[i].to], bool(out[i].is_directed)) for i in range(n)]

    def cpdag(self) -> 'Graph':
        """Of a DAG its equivalence class; of another graph a copy."""
        out = ffi.new('bnb_graph **')
        check(lib.bnb_graph_cpdag, self._handle, out)
        return Graph._of(out[0])

    def compare(self, truth: 'Graph') -> Distance:
        """How far this graph is from the true one; nodes are matched by name."""
        out = ffi.new('bnb_distance *')
        check(lib.bnb_compare, self._handle, truth._handle, out)
        return Distance(*(int(getattr(out, name)) for name in Distance._fields))

    def to_text(self, format: str = 'csv') -> str:
        out = ffi.new('char **')
        check(lib.bnb_graph_text, self._handle, encoded(format), out)
        return taken_text(out)

    def write(self, path: Any) -> None:
        """To a file in the format of its ending."""
        check(lib.bnb_graph_write, self._handle, encoded(path))

    def to_networkx(self) -> Any:
        """A DiGraph; an edge that is not directed stands there in both directions."""
        import networkx
        graph = networkx.DiGraph()
        graph.add_nodes_from(self.nodes)
        for edge in self.edges:
            graph.add_edge(edge.source, edge.target)
            if not edge.directed:
                graph.add_edge(edge.target, edge.source)
        return graph

    @classmethod
    def from_networkx(cls, graph: Any) -> 'Graph':
        """Of a DiGraph, in which an edge in both directions is not directed; of a Graph its skeleton."""
        edges: List[Tuple[Any, Any, bool]] = []
        for source, target in graph.edges():
            both = not graph.is_directed() or graph.has_edge(target, source)
            if not (both and (target, source, False) in edges):
                edges.append((source, target, not both))
        return cls(graph.nodes(), edges)

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return self.kind == other.kind and self.nodes == other.nodes and self.edges == other.edges

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (f'<bnbench.Graph: {self.kind}, {lib.bnb_graph_node_count(self._handle)} nodes, '
                f'{lib.bnb_graph_edge_count(self._handle)} edges>')
