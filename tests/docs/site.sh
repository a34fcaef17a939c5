#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The site builds without a warning, and no link of it is dead; skipped (77) without mkdocs: site.sh PROGRAM SOURCE
set -eu
command -v mkdocs >/dev/null || { echo "skipped: no mkdocs"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
unset BNBENCH_NETWORKS BNBENCH_DATASETS
/usr/bin/python3 "$2/cmake/make_site.py" "$1" "$2" "$scratch"
/usr/bin/python3 "$2/tests/docs/links.py" "$scratch/site"

# A link that leads nowhere is found.
echo '<a href="nowhere.html">x</a>' >>"$scratch/site/faq.html"
if /usr/bin/python3 "$2/tests/docs/links.py" "$scratch/site" >"$scratch/found"; then
    echo "a dead link is not found"
    exit 1
fi
grep -qx 'faq.html: nowhere.html' "$scratch/found"
