#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The wheel: built, installed in a fresh virtual environment without anything else of ours, and tried there. Skipped (77) where
# pip cannot get what builds it.
#     wheel.sh SOURCE
set -eu
source=$1
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
python3 -m venv "$scratch/build" 2>"$scratch/log" || { cat "$scratch/log"; echo "skipped: no python3-venv"; exit 77; }
timeout 120 "$scratch/build/bin/pip" -q install scikit-build-core cffi >"$scratch/log" 2>&1 ||
    { tail -n 2 "$scratch/log"; echo "skipped: pip could not install scikit-build-core"; exit 77; }
"$scratch/build/bin/pip" wheel -q --no-build-isolation --no-deps -w "$scratch/wheels" \
    -C build-dir="$scratch/tree" "$source/bindings/python"
ls "$scratch"/wheels/bnbench-*-py3-none-linux_*.whl

python3 -m venv "$scratch/fresh"
timeout 120 "$scratch/fresh/bin/pip" -q install "$scratch"/wheels/bnbench-*.whl
mkdir "$scratch/home"
cd "$scratch/home"
unset BNB_PROGRAM BNBENCH_LIBRARY PYTHONPATH BNBENCH_SHARE BNBENCH_NETWORKS LD_LIBRARY_PATH
"$scratch/fresh/bin/python" -c '
import bnbench
result = bnbench.learn("hc", bnbench.Network("asia").sample(500))
assert result.graph.kind == "dag" and result.computed > 0
store = bnbench.run("quickstart", profile="quick", jobs=2, store="store")
assert len(store) > 0 and store.tables
print(bnbench.__version__, result.graph, store)
'
"$scratch/fresh/bin/bnbench" --version
"$scratch/fresh/bin/bnbench" report store >"$scratch/report"
[ -s "$scratch/report" ]
if [ -n "${BNB_WHEELS:-}" ]; then cp "$scratch"/wheels/*.whl "$BNB_WHEELS"; fi
