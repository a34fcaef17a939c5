# SPDX-License-Identifier: GPL-3.0-or-later
"""FLOP (Wienöbst, Henckel and Weichwald 2025) as a learner, on continuous data, with the arguments of flop() as options.

    learn_flop.py DATA GRAPH flop lambda_bic=2.0 restarts=20
"""

import sys

sys.dont_write_bytecode = True
import adapter  # noqa: E402
import flopsearch  # noqa: E402


def prepare(data, options):
    if not data.is_continuous():
        adapter.refuse("FLOP takes continuous columns alone")
    rows = data.array()
    penalty = options.pop("lambda_bic", 2.0)
    if "timeout" not in options:
        options.setdefault("restarts", 20)
    return lambda: ("cpdag", edges_of(flopsearch.flop(rows, penalty, **options), data.names))


def edges_of(matrix, names):
    """1 at [i, j] is an arc from i to j, 2 at [i, j] and [j, i] a line."""
    pairs = [(i, j) for i in range(len(names)) for j in range(len(names))]
    arcs = [(names[i], names[j], True) for i, j in pairs if matrix[i][j] == 1]
    return arcs + [(names[i], names[j], False) for i, j in pairs if i < j and matrix[i][j] == 2]


adapter.run("flopsearch", {"flop": prepare})
