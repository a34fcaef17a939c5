# SPDX-License-Identifier: GPL-3.0-or-later
"""pgmpy as a learner: HillClimbSearch, GES, PC, MmhcEstimator, TreeSearch, with the arguments of their estimate() as options.

    learn_pgmpy.py DATA GRAPH HillClimbSearch scoring_method=bdeu
"""

import inspect
import logging
import sys
import warnings

sys.dont_write_bytecode = True
import adapter  # noqa: E402

warnings.simplefilter("ignore")
from pgmpy import estimators  # noqa: E402
from pgmpy.estimators import StructureScore  # noqa: E402,F401

logging.getLogger("pgmpy").setLevel(logging.ERROR)

SCORES = {"bdeu": "BDeu", "bds": "BDs"}


def prepare(name):
    def of(data, options):
        kind = getattr(estimators, name)
        states = {n: s for n, s in zip(data.names, data.states) if s is not None}
        frame = data.frame()
        ess = options.pop("equivalent_sample_size", None)
        estimator = kind(frame, state_names=states) if states and name != "TreeSearch" else kind(frame)
        known = inspect.signature(kind.estimate).parameters
        if ess is not None:
            score = SCORES.get(options.get("scoring_method"))
            if not score:
                adapter.refuse("equivalent_sample_size goes with scoring_method=bdeu or bds")
            options["scoring_method"] = getattr(estimators, score)(
                frame, state_names=states, equivalent_sample_size=ess
            )
        if "show_progress" in known:
            options.setdefault("show_progress", False)
        if "n_jobs" in known:
            options.setdefault("n_jobs", 1)
        return lambda: graph(estimator.estimate(**options))

    return of


def graph(learned):
    """A DAG, or a PDAG with its two kinds of edges."""
    if hasattr(learned, "undirected_edges"):
        edges = [(a, b, True) for a, b in learned.directed_edges]
        return "cpdag", edges + [(a, b, False) for a, b in learned.undirected_edges]
    return "dag", [(a, b, True) for a, b in learned.edges()]


adapter.run("pgmpy", {name: prepare(name) for name in ("HillClimbSearch", "GES", "PC", "MmhcEstimator", "TreeSearch")})
