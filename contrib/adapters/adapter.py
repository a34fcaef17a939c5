# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Python adapters share: data with its declared states in, graph and facts out (docs/peers.md)."""

import ast
import csv
import json
import os
import sys
import time
from importlib import metadata


class Data:
    """The columns of a data file. Of a discrete column `codes` holds each row's place among its `states`, all those that
    the schema declares, seen or not; of a continuous one `numbers`, and `states` is None."""

    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.names = rows[0]
        self.columns = list(zip(*rows[1:])) if len(rows) > 1 else [() for _ in rows[0]]
        self.states = [self._states(column) for column in _read_schema(path, self.names)]

    @staticmethod
    def _states(column):
        return None if column["type"] == "continuous" else _split(column["states"])

    def codes(self, i):
        place = {state: code for code, state in enumerate(self.states[i])}
        return [place[value] for value in self.columns[i]]

    def numbers(self, i):
        return [float(value) for value in self.columns[i]]

    def is_discrete(self):
        return all(states is not None for states in self.states)

    def is_continuous(self):
        return all(states is None for states in self.states)

    def array(self):
        """Rows of numbers: a state is its code."""
        import numpy

        return numpy.column_stack(
            [self.numbers(i) if self.states[i] is None else self.codes(i) for i in range(len(self.names))]
        ).astype(float)

    def frame(self):
        """A pandas data frame, each discrete column a categorical of all its states."""
        import pandas

        return pandas.DataFrame(
            {
                name: self.numbers(i)
                if self.states[i] is None
                else pandas.Categorical(self.columns[i], categories=self.states[i])
                for i, name in enumerate(self.names)
            }
        )


def _read_schema(path, names):
    with open(path[: -len(".csv")] + ".schema.csv", newline="", encoding="utf-8") as file:
        rows = {row["column"]: row for row in csv.DictReader(file)}
    return [rows[name] for name in names]


def _split(states):
    """Parts between bars; a bar within a state is written \\|."""
    out, at = [""], 0
    while at < len(states):
        if states[at : at + 2] == "\\|":
            out[-1] += "|"
            at += 2
            continue
        if states[at] == "|":
            out.append("")
        else:
            out[-1] += states[at]
        at += 1
    return out


def refuse(sentence):
    """Ends the program; bnbench shows the sentence as the reason of the failed cell."""
    sys.exit(f"{os.path.basename(sys.argv[0])}: {sentence}")


def arguments(algorithms):
    """The data, the file for the graph, the algorithm's name and its options: NAME=VALUE, a value as Python writes it, any
    other word as text."""
    if len(sys.argv) < 4 or any("=" not in word for word in sys.argv[4:]):
        refuse("the words are DATA GRAPH ALGORITHM [NAME=VALUE ...]")
    if sys.argv[3] not in algorithms:
        refuse(f"there is no algorithm '{sys.argv[3]}'; there are {', '.join(sorted(algorithms))}")
    options = dict(word.split("=", 1) for word in sys.argv[4:])
    return Data(sys.argv[1]), sys.argv[2], algorithms[sys.argv[3]], {k: _value(v) for k, v in options.items()}


def _value(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def write_graph(path, kind, names, edges):
    """edges: (from, to, is_directed), by name."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        file.write(f"# kind: {kind}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["from", "to", "type"])
        for a, b, is_directed in edges:
            writer.writerow([a, b, "directed" if is_directed else "undirected"])


def run(package, algorithms, note=""):
    """Runs the algorithm that is asked for: a function from data and options to a function that learns, so that what comes
    before the learning is not timed, and which returns the graph's kind and edges."""
    data, path, prepare, options = arguments(algorithms)
    learn = prepare(data, options)
    start = time.process_time()
    learned = learn()
    seconds = time.process_time() - start
    kind, edges = learned() if callable(learned) else learned
    write_graph(path, kind, data.names, edges)
    if "BNBENCH_FACTS" in os.environ:
        with open(os.environ["BNBENCH_FACTS"], "w", encoding="utf-8") as file:
            json.dump({"learning_seconds": seconds, "version": f"{package} {metadata.version(package)}{note}"}, file)
