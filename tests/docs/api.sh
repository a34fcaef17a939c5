#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Doxygen makes the library's reference without a warning: it has every function of bnbench.h, in the header's
# sections; docs_site looks for dead links. Skipped (77) without doxygen: api.sh SOURCE
set -eu
command -v doxygen >/dev/null || { echo "skipped: no doxygen"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
header=$1/library/bnbench.h
sh "$1/cmake/make_api.sh" "$1" "$scratch/api" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
[ ! -s "$scratch/log" ] || { cat "$scratch/log"; exit 1; }
sed -n 's/^BNB_API .*[ *]\(bnb_[a-z_]*\)(.*/\1/p' "$header" >"$scratch/names"
[ "$(wc -l <"$scratch/names")" -eq "$(grep -c '^BNB_API ' "$header")" ]
while read -r name; do
    grep -q "$name()" "$scratch/api/bnbench_8h.html" || { echo "$name is missing"; exit 1; }
done <"$scratch/names"
sed -n 's|^/\* ---- \(.*\) ---- \*/$|\1|p' "$header" | while read -r title; do
    grep -q "$title" "$scratch/api/bnbench_8h.html" || { echo "the section '$title' is missing"; exit 1; }
done

# What the header says of a parameter that there is not is found.
mkdir -p "$scratch/source/library"
cp -R "$1/cmake" "$scratch/source/"
sed 's|^/\*\* Copies the columns\.|/** @param nothing at all. Copies the columns.|' "$header" >"$scratch/source/library/bnbench.h"
if sh "$1/cmake/make_api.sh" "$scratch/source" "$scratch/wrong" >"$scratch/log" 2>&1; then
    echo "a parameter that there is not is not found"
    exit 1
fi
