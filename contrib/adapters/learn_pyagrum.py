# SPDX-License-Identifier: GPL-3.0-or-later
"""pyAgrum as a learner: its use... methods, without "use", are the algorithms; the methods of its BNLearner the options.

    learn_pyagrum.py DATA GRAPH GreedyHillClimbing "useScoreBDeu=()" useSmoothingPrior=1 setMaxIndegree=3

An option is the name of a method, with its arguments behind "=" as Python writes them (a tuple for several; () for none).
"""

import inspect
import os
import sys

sys.dont_write_bytecode = True
import adapter  # noqa: E402
import pyagrum  # noqa: E402

ALGORITHMS = ("GreedyHillClimbing", "ExtendedGreedyHillClimbing", "LocalSearchWithTabuList", "GreedyThickThinning", "MIIC", "PC")


def template(data):
    """A network without arcs, which tells pyAgrum the states."""
    net = pyagrum.BayesNet()
    for name, states in zip(data.names, data.states):
        if states is None:
            adapter.refuse(f"'{name}' is continuous; pyAgrum learns from discrete columns")
        net.add(pyagrum.LabelizedVariable(name, name, states))
    return net


def prepare(name):
    def of(data, options):
        learner = pyagrum.BNLearner(os.path.abspath(sys.argv[1]), template(data))
        learner.setNumberOfThreads(int(os.environ.get("OMP_NUM_THREADS", "1")))
        getattr(learner, "use" + name)()
        for method, value in options.items():
            if method.startswith("_") or not inspect.ismethod(getattr(learner, method, None)):
                adapter.refuse(f"BNLearner has no method '{method}'")
            getattr(learner, method)(*(value if isinstance(value, tuple) else (value,)))
        is_pdag = name in ("MIIC", "PC")
        return lambda: graph(learner.learnPDAG() if is_pdag else learner.learnDAG(), data.names, is_pdag)

    return of


def graph(learned, names, is_pdag):
    arcs = [(names[a], names[b], True) for a, b in learned.arcs()]
    if not is_pdag:
        return "dag", arcs
    return "cpdag", arcs + [(names[a], names[b], False) for a, b in learned.edges()]


adapter.run("pyagrum", {name: prepare(name) for name in ALGORITHMS})
