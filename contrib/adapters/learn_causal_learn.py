# SPDX-License-Identifier: GPL-3.0-or-later
"""causal-learn as a learner: pc, ges, grasp, boss, with their arguments as options.

    learn_causal_learn.py DATA GRAPH ges score_func=local_score_BDeu
"""

import sys

sys.dont_write_bytecode = True
import adapter  # noqa: E402
from causallearn.search.ConstraintBased.PC import pc  # noqa: E402
from causallearn.search.PermutationBased.BOSS import boss  # noqa: E402
from causallearn.search.PermutationBased.GRaSP import grasp  # noqa: E402
from causallearn.search.ScoreBased.GES import ges  # noqa: E402

TAIL, ARROW = -1, 1


def edges_of(graph, names):
    """graph[j, i] is the end at j of the edge between i and j."""
    edges = []
    for i in range(len(names)):
        for j in range(i + 1, len(names)):
            at_i, at_j = graph[i, j], graph[j, i]
            if at_i == TAIL and at_j == ARROW:
                edges.append((names[i], names[j], True))
            elif at_i == ARROW and at_j == TAIL:
                edges.append((names[j], names[i], True))
            elif at_i or at_j:  # a line; or an arrow at both ends, where two v-structures contradict each other
                edges.append((names[i], names[j], False))
    return edges


def with_score(search, pick, quiet):
    def of(data, options):
        rows = data.array()
        if data.is_discrete():
            options.setdefault("score_func", "local_score_BDeu")
        if options.get("score_func") == "local_score_BDeu":
            numbers = {i: len(states) for i, states in enumerate(data.states)}
            own = {k: options.pop(k) for k in ("sample_prior", "structure_prior") if k in options}
            options["parameters"] = {"sample_prior": 1, "structure_prior": 1, "r_i_map": numbers} | own
        return lambda: lambda_of(pick(search(rows, node_names=data.names, **quiet, **options)), data.names)

    return of


def with_test(data, options):
    rows = data.array()
    options.setdefault("indep_test", "gsq" if data.is_discrete() else "fisherz")
    return lambda: lambda_of(pc(rows, node_names=data.names, show_progress=False, **options).G, data.names)


def lambda_of(graph, names):
    return lambda: ("cpdag", edges_of(graph.graph, [node.get_name() for node in graph.get_nodes()]))


adapter.run(
    "causal-learn",
    {
        "pc": with_test,
        "ges": with_score(ges, lambda record: record["G"], {}),
        "grasp": with_score(grasp, lambda graph: graph, {"verbose": False}),
        "boss": with_score(boss, lambda graph: graph, {"verbose": False}),
    },
)
