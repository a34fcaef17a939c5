# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks that pyAgrum and pgmpy write, read by bnbench, and those that bnbench writes, read by them.

network_peers.py PROGRAM NETWORKS FOLDER. What a format does not hold is known here: pyAgrum writes six digits in all but BIF and
NET. pyAgrum's XDSL and UAI and pgmpy's UAI have orders of their own, which are read as they mean them; they read ours as if it
were in theirs, so that is not tried."""
import itertools
import os
import re
import subprocess
import sys

program, networks, folder = sys.argv[1:4]
failures = 0


def check(what, holds):
    global failures
    print(("ok      " if holds else "FAILED  ") + what, flush=True)
    failures += not holds


def convert(source, target):
    subprocess.run([program, "convert", source, target, "--quiet"], check=True)


def read_bif(path):
    """{variable: (states, parents, {states of the parents: row})} of a BIF file as bnbench writes it."""
    text, net = open(path).read(), {}
    for name, states in re.findall(r"variable (\S+) \{\s*type discrete \[ \d+ \] \{ (.*?) \};", text):
        net[name] = [states.split(", "), [], {}]
    for head, body in re.findall(r"probability \( (.*?) \) \{(.*?)\n\}", text, re.S):
        child, _, parents = head.partition(" | ")
        net[child][1] = parents.split(", ") if parents else []
        for key, row in re.findall(r"(table|\(.*?\)) (.*?);", body):
            states = tuple(key[1:-1].split(", ")) if key != "table" else ()
            net[child][2][states] = [float(x) for x in row.split(", ")]
    return net


def difference(a, b):
    """The largest between two networks; infinite where states or arcs differ."""
    if a.keys() != b.keys():
        return float("inf")
    worst = 0.0
    for v, (states, parents, table) in a.items():
        others, other_parents, other = b[v]
        if states != others or sorted(parents) != sorted(other_parents):
            return float("inf")
        for key, row in table.items():
            by_name = dict(zip(parents, key))
            worst = max([worst] + [abs(x - y) for x, y in zip(row, other[tuple(by_name[p] for p in other_parents)])])
    return worst


def from_agrum(bn):
    net = {}
    for i in bn.nodes():
        v = bn.variable(i)
        parents = list(bn.cpt(i).names[1:])
        labels = [bn.variable(p).labels() for p in parents]
        table = {}
        for key in itertools.product(*labels):
            row = bn.cpt(i)[dict(zip(parents, key))] if parents else bn.cpt(i)[:]
            table[tuple(key)] = [float(x) for x in row]
        net[v.name()] = [list(v.labels()), parents, table]
    return net


def from_pgmpy(model):
    net = {}
    for cpd in model.get_cpds():
        v, parents = cpd.variables[0], list(cpd.variables[1:])
        table = {}
        for index in itertools.product(*[range(len(cpd.state_names[p])) for p in parents]):
            key = tuple(str(cpd.state_names[p][i]) for p, i in zip(parents, index))
            table[key] = [float(cpd.values[(k,) + index]) for k in range(len(cpd.state_names[v]))]
        net[v] = [[str(s) for s in cpd.state_names[v]], parents, table]
    return net


def read_as_bif(path):
    back = os.path.join(folder, "back.bif")
    convert(path, back)
    return read_bif(back)


def by_number(net, names):
    """As UAI knows it: `names` in the order of its variables; states by their numbers too."""
    number = {v: f"X{i}" for i, v in enumerate(names)}
    state = {v: {s: str(k) for k, s in enumerate(net[v][0])} for v in net}
    return {number[v]: ([str(k) for k in range(len(states))], [number[p] for p in parents],
                        {tuple(state[p][s] for p, s in zip(parents, key)): row for key, row in table.items()})
            for v, (states, parents, table) in net.items()}


def try_agrum(gum, name, bif, truth):
    bn = gum.loadBN(bif)
    written = from_agrum(bn)  # its reader of BIF rounds to 24 bits, so that rows are scaled
    for ending, exact in (("net", 1e-7), ("bifxml", 1e-5), ("xdsl", 1e-5)):
        path = os.path.join(folder, name + "_agrum." + ending)
        gum.saveBN(bn, path)
        check(f"{name}: {ending} by pyAgrum is read", difference(written, read_as_bif(path)) <= exact)
    path = os.path.join(folder, name + "_agrum.uai")
    gum.saveBN(bn, path)
    numbered = by_number(written, [bn.variable(i).name() for i in sorted(bn.nodes())])
    check(f"{name}: uai by pyAgrum is read", difference(numbered, read_as_bif(path)) <= 1e-5)
    for ending in ("net", "bifxml"):
        path = os.path.join(folder, name + "_ours." + ending)
        convert(bif, path)
        check(f"{name}: {ending} is read by pyAgrum", difference(truth, from_agrum(gum.loadBN(path))) <= 1e-7)


def try_pgmpy(rw, name, bif, truth):
    model = rw.BIFReader(bif).get_model()
    kinds = (("net", rw.NETReader, rw.NETWriter), ("xmlbif", rw.XMLBIFReader, rw.XMLBIFWriter),
             ("xdsl", rw.XDSLReader, rw.XDSLWriter))
    for ending, reader, writer in kinds:
        path = os.path.join(folder, name + "_pgmpy." + ending)
        writer(model).write(path)
        check(f"{name}: {ending} by pgmpy is read", difference(truth, read_as_bif(path)) <= 1e-15)
        path = os.path.join(folder, name + "_ours." + ending)
        convert(bif, path)
        check(f"{name}: {ending} is read by pgmpy", difference(truth, from_pgmpy(reader(path).get_model())) <= 1e-15)


def try_pgmpy_uai(rw, name, bif, truth):
    path = os.path.join(folder, name + "_pgmpy.uai")
    rw.UAIWriter(rw.BIFReader(bif).get_model()).write(path)
    # Which variable is which the file does not say: the writer numbers them by their numbers of states as text, then names.
    names = sorted(truth, key=lambda v: (str(len(truth[v][0])), v))
    check(f"{name}: uai by pgmpy is read", difference(by_number(truth, names), read_as_bif(path)) <= 1e-12)


def try_gaussian(LinearGaussian):
    first = os.path.join(folder, "first.json")
    with open(first, "w") as f:
        f.write('{"type": "linear-gaussian", "nodes": [{"name": "a", "parents": [], "intercept": 1.5, "coefficients": [],'
                '"sd": 2.1}, {"name": "b", "parents": ["a"], "intercept": 0, "coefficients": [0.5], "sd": 0.1}]}')
    ours, theirs = os.path.join(folder, "ours.pgmpy.json"), os.path.join(folder, "theirs.json")
    convert(first, ours)
    LinearGaussian.load(ours).save(theirs)
    again = os.path.join(folder, "again.pgmpy.json")
    convert(theirs, again)
    check("pgmpy's JSON goes there and back", open(ours).read() == open(again).read())


try:
    import pyagrum
except ImportError:
    pyagrum = None
try:
    import pgmpy.readwrite
    from pgmpy.models import LinearGaussianBayesianNetwork
except ImportError:
    pgmpy = None
if not pyagrum and not pgmpy:
    print("skipped: neither pyAgrum nor pgmpy is there (pip install pyagrum pgmpy)")
    sys.exit(77)
for name in ("asia", "survey", "alarm"):  # pyAgrum does not take the states of child
    bif = os.path.join(folder, name + ".bif")
    convert(os.path.join(networks, name + ".bif"), bif)
    truth = read_bif(bif)
    if pyagrum:
        try_agrum(pyagrum, name, bif, truth)
    if pgmpy:
        try_pgmpy(pgmpy.readwrite, name, bif, truth)
        try_pgmpy_uai(pgmpy.readwrite, name, bif, truth)
if pgmpy:
    try_gaussian(LinearGaussianBayesianNetwork)
for peer, module in (("pyAgrum", pyagrum), ("pgmpy", pgmpy)):
    if not module:
        print(f"left out: {peer} is not there")
sys.exit(failures > 0)
