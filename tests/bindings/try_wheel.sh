#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a user of the wheel does first: try_wheel.sh VIRTUAL_ENVIRONMENT FOLDER
set -eu
mkdir -p "$2"
cd "$2"
"$1/bin/python" -c '
import ssl, sqlite3, zlib  # libraries of the same names
import bnbench
result = bnbench.learn("hc", bnbench.Network("asia").sample(500))
assert result.graph.kind == "dag" and result.computed > 0
store = bnbench.run("quickstart", profile="quick", jobs=2, store="store")
assert len(store) > 0 and store.tables
print(bnbench.__version__, result.graph, store)
'
"$1/bin/bnbench" --version
"$1/bin/bnbench" report store >report
[ -s report ]
