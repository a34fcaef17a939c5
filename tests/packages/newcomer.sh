#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The first steps of the README in a fresh Debian 12, as they stand there: a clone, its first command, which builds it and
# regenerates a table, ten lines of Python, their column in the same table, and the page in a browser.
# Skipped (77) where no such system can be set up: that takes root, mmdebstrap and Debian's archive.
#     newcomer.sh SOURCE
set -eu
source=$(realpath -- "$1")
skip() {
    echo "skipped: $1"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "only root can change into another root folder"
command -v mmdebstrap >/dev/null || skip "no mmdebstrap (Debian: mmdebstrap)"
git -C "$source" rev-parse HEAD >/dev/null 2>&1 || skip "no git, or no checkout"
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system -- "$scratch"' EXIT
root=$scratch/root
timeout 900 mmdebstrap --quiet --mode=root --variant=minbase --skip=cleanup/apt/lists --include=python3 \
    bookworm "$root" >"$scratch/log" 2>&1 || { tail -n 5 "$scratch/log"; skip "mmdebstrap could not set up Debian 12"; }
[ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
mkdir "$root/root/bnbench"
git -C "$source" archive HEAD | tar -x -C "$root/root/bnbench"
sed '/^## What else/,$d' "$source/README.md" >"$root/root/first-steps.md"
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 CHECKOUT=yes ${http_proxy:+http_proxy="$http_proxy"} \
    chroot "$root" sh -eu /root/bnbench/tests/docs/follow.sh /root/bnbench/build/release /root/bnbench /root/first-steps.md

page=$root/root/bnbench/mine-page/index.html
grep -q 'mine' "$page"
browser=$(command -v "${BNB_CHROMIUM:-chromium}") || { echo "there is no chromium: the page was not opened"; exit 0; }
"$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/browser" --dump-dom "file://$page" \
    >"$scratch/dom" 2>"$scratch/log" || { tail -n 5 "$scratch/log"; exit 1; }
grep -q 'mine' "$scratch/dom"
echo "the page was opened"
