# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiments, their stores and tables, and learners written in Python."""
from __future__ import annotations

import csv
import io
import sys
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional

from bnbench._data import Data
from bnbench._graph import Graph
from bnbench._native import Texts, Watch, check, encoded, ffi, lib, taken_text, text, text_or_none


class Table:
    """A table of a store: cells by row and column, the published figures beside the regenerated."""

    def __init__(self, id: str, content: str) -> None:
        self.id = id
        self.cells: List[Dict[str, Any]] = [
            {key: _number(value) if key in ('value', 'published', 'difference') else value
             for key, value in line.items()} for line in csv.DictReader(io.StringIO(content))]

    def _names(self, axis: str) -> List[str]:
        return list(dict.fromkeys(cell[axis] for cell in self.cells))

    @property
    def rows(self) -> List[str]:
        return self._names('row')

    @property
    def columns(self) -> List[str]:
        return self._names('column')

    def __getitem__(self, place: Any) -> Optional[float]:
        """The figure at (row, column); None where there is none."""
        row, column = map(str, place)
        for cell in self.cells:
            if (cell['row'], cell['column']) == (row, column):
                return cell['value']
        raise KeyError(place)

    def to_pandas(self, what: str = 'value') -> Any:
        """A DataFrame of the figures; with "published" those of the paper, with "difference" by how much they differ."""
        import pandas
        frame = pandas.DataFrame(self.cells).pivot(index='row', columns='column', values=what)
        return frame.reindex(index=self.rows, columns=self.columns).astype(float)

    def __repr__(self) -> str:
        return f'<bnbench.Table {self.id}: {len(self.rows)} rows, {len(self.columns)} columns>'


def _number(value: Optional[str]) -> Optional[float]:
    try:
        return float(value) if value else None
    except ValueError:
        return None


class Store:
    """The last run of a store, with its results."""

    def __init__(self, folder: Any) -> None:
        out = ffi.new('bnb_store **')
        check(lib.bnb_store_read, encoded(folder), out)
        self.folder = str(folder)
        self._handle = ffi.gc(out[0], lib.bnb_store_free)

    @property
    def tables(self) -> List[str]:
        found: List[str] = []
        while True:
            name = text_or_none(lib.bnb_store_table_id(self._handle, len(found)))
            if name is None:
                return found
            found.append(name)

    def table(self, id: str) -> Table:
        out = ffi.new('char **')
        check(lib.bnb_store_table_csv, self._handle, encoded(id), out)
        return Table(id, taken_text(out))

    def __len__(self) -> int:
        return int(lib.bnb_store_job_count(self._handle))

    def jobs(self) -> List[Dict[str, Any]]:
        """A mapping for each job: network, n_samples, sigma, replicate, learner, state, message, and its metrics."""
        return [self._job(i) for i in range(len(self))]

    def _job(self, i: int) -> Dict[str, Any]:
        job = lib.bnb_store_job(self._handle, i)
        told: Dict[str, Any] = {
            'network': text(job.network), 'n_samples': job.n_samples, 'sigma': job.sigma, 'replicate': job.replicate,
            'learner': text(job.learner), 'state': text(job.state), 'message': text_or_none(job.message)}
        value = ffi.new('double *')
        n = 0
        while True:
            name = text_or_none(lib.bnb_store_metric(self._handle, i, n, value))
            if name is None:
                return told
            told[name] = value[0]
            n += 1

    def graph_csv(self, i: int) -> Optional[str]:
        """The graph that the i-th job found, as CSV."""
        return text_or_none(lib.bnb_store_graph(self._handle, i))

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each job."""
        import pandas
        return pandas.DataFrame(self.jobs())

    def __repr__(self) -> str:
        return f'<bnbench.Store {self.folder}: {len(self)} jobs, tables {", ".join(self.tables)}>'


def run(experiment: Any, *, profile: Optional[str] = None, store: Any = None, jobs: int = 1,
        set: Optional[Mapping[str, Any]] = None, progress: Optional[Callable[[], Any]] = None) -> Store:
    """Runs an experiment file, or one that ships, and reads its store. What the store has is not run again.

    ``set`` overrides values: ``{"data.replicates": 2}``. Ctrl-C stops the run; the same call goes on.
    """
    watch = Watch('int(void *)', progress, lambda: ())
    overrides = Texts((f'{key}={value}' for key, value in (set or {}).items()), is_closed=True)
    kept = [ffi.new('char[]', encoded(word)) if word is not None else ffi.NULL for word in (profile, store)]
    options = ffi.new('bnb_experiment_options *', {'profile': kept[0], 'store': kept[1], 'n_jobs': jobs})
    options.set = ffi.cast('char **', overrides.array)
    options.proceed = ffi.cast('int(*)(void *)', watch.callback)
    folder = ffi.new('char **')
    watch.call(lib.bnb_experiment_run, encoded(experiment), options, ffi.NULL, folder)
    return Store(taken_text(folder))


def main(learner: Callable[..., Any], arguments: Optional[List[str]] = None) -> None:
    """Makes a script of a function a learner of an experiment.

    The function takes a pandas DataFrame (a Data where pandas is missing) and returns a Graph, or pairs (source, target)
    of directed edges. At the end of the script: ``bnbench.main(my_learner)``; in the experiment::

        learners:
          - {id: mine, command: [python3, mine.py, "{data}", "{graph}"]}
    """
    data_path, graph_path = arguments if arguments is not None else sys.argv[1:]
    data = Data.read(data_path)
    found = learner(_frame(data))
    graph = found if isinstance(found, Graph) else Graph(data.columns, _edges(found))
    with open(graph_path, 'w', encoding='utf-8') as file:
        file.write(graph.to_text('csv'))


def _frame(data: Data) -> Any:
    try:
        return data.to_pandas()
    except ImportError:
        return data


def _edges(found: Iterable[Any]) -> List[Any]:
    return list(found.edges()) if callable(getattr(found, 'edges', None)) else list(found)
