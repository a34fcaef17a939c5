#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The source archive of the commit that is checked out, its checksum, and recipes that name both: dist.sh SOURCE FOLDER VERSION
set -eu
name=bnbench-$3
mkdir -p -- "$2"
git -C "$1" archive --format=tar --prefix="$name/" HEAD >"$2/$name.tar"
gzip -9nf "$2/$name.tar"
(cd -- "$2" && sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256")
for recipe in conda/meta.yaml homebrew/bnbench.rb; do
    sed -e "s/@VERSION@/$3/g" -e "s/@SHA256@/$(cut -d ' ' -f 1 "$2/$name.tar.gz.sha256")/" "$1/contrib/$recipe.in" >"$2/${recipe#*/}"
done
