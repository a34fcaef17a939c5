#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# graphs_of_networkx.sh PROGRAM: networkx, NumPy and SciPy read what convert writes, and convert what they write; igraph
# too, where it is there. Skipped (77) where python3 lacks one of the others; BNB_PYTHON names another python.
set -eu
program=$1
python=${BNB_PYTHON:-python3}
"$python" -c 'import networkx, numpy, pydot, scipy' 2>/dev/null || { echo 'networkx, NumPy, pydot or SciPy is missing'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
cd -- "$folder"
printf '# kind: cpdag\n# nodes: a,"b ""q"" & c",lonely\303\251,d\nfrom,to,type\na,d,undirected\n"b ""q"" & c",d,directed\n' >ours.csv
for format in gml graphml dot npy mtx; do
    "$program" convert --quiet ours.csv "ours.$format"
done
"$python" - <<'END'
import networkx as nx, numpy as np, scipy.io, scipy.sparse

wanted = [[0, 0, 0, 2], [0, 0, 0, 1], [0, 0, 0, 0], [2, 0, 0, 0]]
assert np.load("ours.npy").tolist() == wanted
assert scipy.io.mmread("ours.mtx").toarray().tolist() == wanted
g = nx.read_gml("ours.gml")
names = ["a", 'b "q" & c', "lonely\u00e9", "d"]
assert list(g) == names, list(g)
edges = sorted([("a", "d"), ("d", "a"), (names[1], "d")])
assert sorted(g.edges) == edges, g.edges
x = nx.read_graphml("ours.graphml")
assert list(x) == names and sorted(x.edges) == edges and x.graph["kind"] == "cpdag", x
assert len(nx.nx_pydot.read_dot("ours.dot").edges) == 2

nx.write_gml(g, "theirs.gml")
nx.write_graphml(g, "theirs.graphml")
try:
    import igraph
    i = igraph.Graph.Read_GraphML("ours.graphml")
    assert i.is_directed() and i.vs["name"] == names, i
    assert sorted((names[e.source], names[e.target]) for e in i.es) == edges, i
    del i.vs["id"]
    i.write_graphml("igraph.graphml")
except ModuleNotFoundError:
    nx.write_graphml(g, "igraph.graphml")
plain = nx.relabel_nodes(g, dict(zip(names, ["a", "b c", "lonely", "d"])))
nx.nx_pydot.write_dot(plain, "theirs.dot")
matrix = np.array(wanted)
np.save("theirs.npy", np.asfortranarray(matrix.astype(float)))
scipy.io.mmwrite("theirs.mtx", scipy.sparse.coo_matrix(matrix))
END
for format in gml graphml dot npy mtx; do
    "$program" convert "theirs.$format" "theirs-$format.csv"
    [ "$(grep -c ',directed$' "theirs-$format.csv")" = 1 ] && [ "$(grep -c ',undirected$' "theirs-$format.csv")" = 1 ] ||
        { echo "theirs.$format:"; cat "theirs-$format.csv"; exit 1; }
done
for theirs in theirs.gml theirs.graphml igraph.graphml; do
    "$program" compare "$theirs" ours.csv --metrics shd_raw --json 2>/dev/null | grep -q '"shd_raw": *0' ||
        { "$program" compare "$theirs" ours.csv --metrics shd_raw; exit 1; }
done
