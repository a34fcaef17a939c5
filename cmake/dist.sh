#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The source archive of the commit that is checked out, and its checksum: dist.sh SOURCE FOLDER VERSION
set -eu
name=bnbench-$3
mkdir -p -- "$2"
git -C "$1" archive --format=tar --prefix="$name/" HEAD >"$2/$name.tar"
gzip -9nf "$2/$name.tar"
(cd -- "$2" && sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256")
