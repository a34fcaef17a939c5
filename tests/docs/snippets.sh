#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the pages print is held against the program; skipped (77) without python3-jsonschema: snippets.sh PROGRAM SOURCE
set -eu
/usr/bin/python3 -c 'import jsonschema.validators, yaml; jsonschema.Draft202012Validator' 2>/dev/null ||
    { echo "skipped: no python3-jsonschema or no python3-yaml"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
/usr/bin/python3 "$2/cmake/make_site.py" "$1" "$2" --schema "$scratch/schema.json"
/usr/bin/python3 "$2/tests/docs/snippets.py" "$1" "$scratch/schema.json" "$2"
