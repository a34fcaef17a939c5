#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python package by the system's Python and the library of this build; skipped (77) where there is no cffi.
#     python.sh BUILD SOURCE [PYTHON]
set -eu
build=$1 source=$2 python=${3:-/usr/bin/python3}
"$python" -c 'import cffi' 2>/dev/null || { echo "skipped: $python has no cffi (Debian: python3-cffi)"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cp -R "$source/bindings/python/src/bnbench" "$scratch/bnbench"
"$python" "$source/bindings/python/make_api.py" "$source/library/bnbench.h" "$scratch/bnbench/_api.py"
mkdir -p "$scratch/bnbench/_files/lib"
ln -s "$build/libbnbench.so.0" "$scratch/bnbench/_files/lib/"
export PYTHONPATH="$scratch" BNB_PROGRAM="$build/bnbench" PYTHONDONTWRITEBYTECODE=1
cd "$scratch"
"$python" -W error::DeprecationWarning:bnbench -m unittest discover -v -s "$source/bindings/python/tests" 2>&1
