#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The names that libbnbench exports are those of bnbench.h: no more, no fewer.
#     exported.sh LIBRARY HEADER
set -eu
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
nm -D --defined-only -- "$1" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort >"$scratch/exported"
sed -n '/^BNB_API/s/^[^(]*[ *]\(bnb_[a-z0-9_]*\)(.*$/\1/p' "$2" | sort >"$scratch/declared"
n=$(wc -l <"$scratch/declared")
[ "$n" -gt 40 ] || { echo "only $n functions were found in the header"; exit 1; }
diff "$scratch/declared" "$scratch/exported" || { echo "declared (<) and exported (>) differ"; exit 1; }
