#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Two builds of one commit in two folders of different names give the same bytes: program, library, Debian packages, source
# archive. The second is built from the source archive, without git. Skipped (77) outside a clone and without dpkg-dev.
#     bytes.sh SOURCE
set -eu
git -C "$1" rev-parse HEAD >/dev/null 2>&1 || { echo "skipped: $1 is no git clone"; exit 77; }
command -v dpkg-shlibdeps >/dev/null || { echo "skipped: no dpkg-shlibdeps (Debian: dpkg-dev)"; exit 77; }
command -v file >/dev/null || { echo "skipped: no file (Debian: file)"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
unset SOURCE_DATE_EPOCH
quietly() {
    "$@" >"$scratch/log" 2>&1 || { tail -n 20 "$scratch/log"; exit 1; }
}
build() { # sources, build folder; nothing is taken from a compiler's cache
    quietly env CCACHE_DISABLE=1 cmake -S "$1" --preset package -B "$2"
    quietly env CCACHE_DISABLE=1 cmake --build "$2" --target package
}
quietly git clone -q "$1" "$scratch/clone"
build "$scratch/clone" "$scratch/one"
quietly cmake --build "$scratch/one" --target dist
mkdir -p "$scratch/a longer folder"
tar -C "$scratch/a longer folder" -xzf "$scratch"/one/dist/bnbench-*.tar.gz
build "$scratch/a longer folder"/bnbench-* "$scratch/a longer folder/two"

quietly git clone -q "$scratch/clone" "$scratch/again"
quietly sh "$scratch/again/cmake/dist.sh" "$scratch/again" "$scratch/dist" \
    "$(basename "$scratch"/one/dist/*.tar.gz .tar.gz | sed 's/^bnbench-//')"
cmp "$scratch"/one/dist/*.tar.gz "$scratch"/dist/*.tar.gz
n=0
for file in "$scratch"/one/bnbench "$scratch"/one/libbnbench.so.?.* "$scratch"/one/*.deb; do
    cmp "$file" "$scratch/a longer folder/two/$(basename "$file")"
    n=$((n + 1))
done
[ "$n" -eq 6 ]
if grep -q -- "$scratch" "$scratch/one/bnbench" "$scratch"/one/libbnbench.so.?.*; then
    echo "the program or the library names the folder that it was built in"
    exit 1
fi
sha256sum "$scratch"/one/*.deb "$scratch"/one/dist/*.tar.gz | sed "s|$scratch/one/||"
