#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The steps of contrib/docker/Dockerfile, without Docker: its RUN lines in two fresh Debian 12, then the quickstart in the second.
# Skipped (77) where no such system can be set up, and outside a clone: docker.sh SOURCE
set -eu
skip() {
    echo "skipped: $1"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "only root can change into another root folder"
command -v mmdebstrap >/dev/null || skip "no mmdebstrap (Debian: mmdebstrap)"
git -C "$1" rev-parse HEAD >/dev/null 2>&1 || skip "$1 is no git clone"
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system -- "$scratch"' EXIT
for stage in build final; do
    timeout 900 mmdebstrap --quiet --mode=root --variant=minbase bookworm "$scratch/$stage" >"$scratch/log" 2>&1 ||
        { tail -n 5 "$scratch/log"; skip "mmdebstrap could not set up Debian 12"; }
    [ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$scratch/$stage/etc/resolv.conf"
done
inside() { # stage, commands
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
        ${http_proxy:+http_proxy="$http_proxy"} chroot "$scratch/$1" sh -eu -c "$2"
}
run() { # stage, number of the RUN line
    inside "$1" "$(sed -n 's/^RUN //p' "$scratch/clone/contrib/docker/Dockerfile" | sed -n "$2p")" >"$scratch/log" 2>&1 ||
        { tail -n 20 "$scratch/log"; exit 1; }
}
git clone -q "$1" "$scratch/clone"
mkdir "$scratch/build/src" "$scratch/final/packages"
cp "$scratch/clone/bootstrap" "$scratch/build/src/"
run build 1
cp -R "$scratch/clone/." "$scratch/build/src/"
run build 2
cp "$scratch"/build/build/*.deb "$scratch/final/packages/"
run final 3
inside final 'mkdir /work && cd /work && bnbench --version && bnbench run quickstart --profile quick --quiet --store store &&
    test -s store/report/plots/time-shd.svg && ! test -e /packages && bnbench doctor'
