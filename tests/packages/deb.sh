#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian packages in a fresh Debian 12: installed, the quickstart run, an example compiled, removed without a trace.
# Skipped (77) where no such system can be set up: that takes root, mmdebstrap and Debian's archive.
#     deb.sh FOLDER_OF_PACKAGES SOURCE
set -eu
packages=$(realpath -- "$1") source=$(realpath -- "$2")
ls -l "$packages"/*.deb
skip() {
    echo "skipped: $1"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "only root can change into another root folder"
command -v mmdebstrap >/dev/null || skip "no mmdebstrap (Debian: mmdebstrap)"
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system -- "$scratch"' EXIT
root=$scratch/root
timeout 900 mmdebstrap --quiet --mode=root --variant=minbase --skip=cleanup/apt/lists bookworm "$root" >"$scratch/log" 2>&1 ||
    { tail -n 5 "$scratch/log"; skip "mmdebstrap could not set up Debian 12"; }

[ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
mkdir "$root/packages"
cp "$packages"/*.deb "$source/library/examples/learn.c" "$root/packages/"
inside() { # commands
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
        ${http_proxy:+http_proxy="$http_proxy"} chroot "$root" sh -eu -c "$1"
}
everything='find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /var/log -o -path /var/lib/dpkg -o -path /var/cache \
    -o -path /packages -o -path /var/lib/apt \) -prune -o -print | sort'
inside 'apt-get -q install -y --no-install-recommends /packages/*.deb gcc libc6-dev pkg-config' >"$scratch/log" 2>&1 ||
    { tail -n 20 "$scratch/log"; exit 1; }

inside 'dpkg --verify bnbench bnbench-data libbnbench0 libbnbench-dev
    mkdir /packages/work && cd /packages/work
    bnbench --version
    bnbench run quickstart --profile quick --quiet --store store
    bnbench report store >report && test -s report
    cc ../learn.c -o learn $(pkg-config --cflags --libs bnbench) && ./learn
    test -s /usr/share/man/man1/bnbench.1.gz && test -s /usr/share/bash-completion/completions/bnbench
    rm -rf /packages/work /root/.cache/bnbench'

# A second time, when what they need stays: then nothing at all may remain.
remove='apt-get -q purge -y bnbench bnbench-data libbnbench0 libbnbench-dev'
{ inside "apt-mark manual \$(apt-mark showauto) && $remove" && inside "$everything" >"$scratch/before" &&
    inside 'dpkg -i /packages/*.deb' && inside "$remove" && inside "$everything" >"$scratch/after"; } >"$scratch/log" 2>&1 ||
    { tail -n 20 "$scratch/log"; exit 1; }
diff "$scratch/before" "$scratch/after"
if grep bnbench "$scratch/before"; then
    echo "these remained"
    exit 1
fi
