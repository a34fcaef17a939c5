#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pyAgrum and pgmpy read what bnbench writes, and it reads what they write; skipped (77) where neither is there.
#     network_peers.sh PROGRAM SOURCE; BNB_PEERS_PYTHON names a Python that has them (python3)
set -eu
program=$1 source=$2 python=${BNB_PEERS_PYTHON:-python3}
command -v "$python" >/dev/null 2>&1 || { echo "skipped: there is no $python"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
PYTHONDONTWRITEBYTECODE=1 "$python" -W ignore "$source/tests/generators/network_peers.py" "$program" "$source/networks" "$scratch"
