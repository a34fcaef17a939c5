# SPDX-License-Identifier: GPL-3.0-or-later
"""Structure learning of Bayesian networks, and the experiments that compare it.

    >>> import bnbench
    >>> truth = bnbench.Network("asia")
    >>> result = bnbench.learn("hc", truth.sample(1000), ess=1)
    >>> result.graph.compare(truth.graph).shd <= 8
    True
"""
from bnbench._data import Data, discretize
from bnbench._experiments import Store, Table, main, run
from bnbench._graph import Distance, Edge, Graph
from bnbench._learning import Result, TestResult, describe, learn, names, score, test
from bnbench._native import Cancelled, Error, InvalidError, MissingError, OutOfMemoryError, StorageError, lib, text
from bnbench._network import Network, fit

__version__ = text(lib.bnb_version())

__all__ = ['Cancelled', 'Data', 'Distance', 'Edge', 'Error', 'Graph', 'InvalidError', 'MissingError', 'Network',
           'OutOfMemoryError', 'Result', 'StorageError', 'Store', 'Table', 'TestResult', 'describe', 'discretize', 'fit',
           'learn', 'main', 'names', 'run', 'score', 'test']
