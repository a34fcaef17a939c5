# SPDX-License-Identifier: GPL-3.0-or-later
"""Learners, scores and tests."""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Union

from bnbench._data import as_data
from bnbench._graph import Graph
from bnbench._native import Watch, check, encoded, ffi, lib, options as options_of, taken_text, text, text_or_none

_KINDS = {'learners': lib.BNB_LEARNERS, 'scores': lib.BNB_SCORES, 'tests': lib.BNB_TESTS,
          'discretizers': lib.BNB_DISCRETIZERS, 'metrics': lib.BNB_METRICS, 'networks': lib.BNB_NETWORKS}


def names(kind: str) -> List[str]:
    """What there is of "learners", "scores", "tests", "discretizers", "metrics" or "networks"."""
    found: List[str] = []
    while True:
        name = text_or_none(lib.bnb_name(_KINDS[kind], len(found)))
        if name is None:
            return found
        found.append(name)


def describe(kind: str, name: str) -> Dict[str, Any]:
    """Summary, citation and options of one of them: describe("learners", "ges")."""
    out = ffi.new('char **')
    check(lib.bnb_describe, _KINDS[kind], encoded(name), out)
    return json.loads(taken_text(out))


@dataclass(frozen=True)
class Result:
    """What a learner found, and what it took."""
    graph: Graph
    requests: int  # tests and scores that were asked for
    computed: int
    skipped: int  # for lack of rows
    cpu_seconds: float
    wall_seconds: float
    cut_short: bool
    remark: Optional[str]
    score_name: Optional[str]
    score: Optional[float]
    figures: Dict[str, float] = field(default_factory=dict)


def _figures(result: Any) -> Dict[str, float]:
    found: Dict[str, float] = {}
    value = ffi.new('double *')
    while True:
        name = text_or_none(lib.bnb_result_figure(result, len(found), value))
        if name is None:
            return found
        found[name] = value[0]


def _copy(graph: Any) -> Graph:
    """The graph of a result, which the result owns."""
    n, n_edges = lib.bnb_graph_node_count(graph), lib.bnb_graph_edge_count(graph)
    edges = ffi.new('bnb_edge[]', max(n_edges, 1))
    lib.bnb_graph_edges(graph, edges)
    nodes = ffi.new('char *[]', [ffi.cast('char *', lib.bnb_graph_node_name(graph, i)) for i in range(n)])
    out = ffi.new('bnb_graph **')
    check(lib.bnb_graph_create, nodes, n, edges, n_edges, lib.bnb_graph_kind_of(graph), out)
    return Graph._of(out[0])


def learn(learner: str, data: Any, *, seed: int = 1, threads: int = 1, time_limit: Optional[float] = None,
          most_scores: Optional[int] = None, progress: Optional[Callable[[float, int], Any]] = None,
          **options: Any) -> Result:
    """Learns a graph: the same, with the same counters, as ``bnbench learn``.

    ``data`` is a Data, or what Data takes. Options are those of ``bnbench info LEARNER``: ``learn("ges", df,
    score="bdeu", ess=10)``. ``progress(seconds, statistics)`` is called some twenty times a second; where it returns False
    the run ends with Cancelled. Ctrl-C ends it with KeyboardInterrupt.
    """
    watch = Watch('int(void *, bnb_progress *)', progress, lambda p: (p.seconds, p.statistics))
    run = ffi.new('bnb_run_options *', {'seed': seed, 'n_threads': threads, 'time_limit_s': time_limit or 0,
                                        'most_scores': most_scores or 0})
    run.proceed = ffi.cast('int(*)(void *, const bnb_progress *)', watch.callback)
    given = options_of(options)
    out = ffi.new('bnb_result **')
    watch.call(lib.bnb_learn, encoded(learner), given.array, as_data(data)._handle, run, out)
    result = ffi.gc(out[0], lib.bnb_result_free)
    facts = lib.bnb_result_facts(result)
    name = text_or_none(facts.score_name)
    return Result(_copy(lib.bnb_result_graph(result)), facts.requests, facts.computed, facts.skipped,
                  facts.cpu_seconds, facts.wall_seconds, bool(facts.is_cut_short), text_or_none(facts.remark), name,
                  facts.score if name else None, _figures(result))


def score(name: str, data: Any, graph: Graph, **options: Any) -> float:
    """The score of a graph on data; larger is better."""
    total = ffi.new('double *')
    given = options_of(options)
    check(lib.bnb_score, encoded(name), given.array, as_data(data)._handle, graph._handle, total, ffi.NULL)
    return total[0]


class TestResult(NamedTuple):
    statistic: float
    df: float
    p_value: float
    log_p_value: float
    reliable: bool
    independent: bool


TestResult.__test__ = False  # type: ignore[attr-defined]  # no test of pytest


def test(name: str, data: Any, x: Union[str, int], y: Union[str, int], given: Sequence[Union[str, int]] = (),
         **options: Any) -> TestResult:
    """One test of conditional independence."""
    of = as_data(data)
    chosen = options_of(options)
    out = ffi.new('bnb_test_result *')
    check(lib.bnb_test, encoded(name), chosen.array, of._handle, of.place(x), of.place(y),
          [of.place(z) for z in given], len(given), out)
    return TestResult(out.statistic, out.df, out.p_value, out.log_p_value, bool(out.is_reliable),
                      bool(out.is_independent))


test.__test__ = False  # type: ignore[attr-defined]
