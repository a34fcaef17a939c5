#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian packages of these sources, built in a folder of their own and then tried by deb.sh: build_deb.sh SOURCE
set -eu
command -v dpkg-shlibdeps >/dev/null || { echo "skipped: no dpkg-shlibdeps (Debian: dpkg-dev)"; exit 77; }
command -v file >/dev/null || { echo "skipped: no file (Debian: file)"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cmake -S "$1" --preset package -B "$scratch/build" >"$scratch/log" 2>&1 && cmake --build "$scratch/build" --target package \
    >"$scratch/log" 2>&1 || { tail -n 20 "$scratch/log"; exit 1; }
mkdir "$scratch/packages"
mv "$scratch"/build/*.deb "$scratch/packages/"
sh "$(dirname -- "$0")/deb.sh" "$scratch/packages" "$1"
