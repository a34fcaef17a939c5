#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A time of day that jumps for months with every look at it: jumping_clock.sh PROGRAM SAME_STORES PRELOAD. A run with limits,
# one by workers, and one that is continued end well with the results of an undisturbed run; nothing hangs.
set -u
program=$1 same_stores=$2 preload=$3
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch" || exit 5
cp -- "$preload" preload.so && preload=$scratch/preload.so || exit 5 # a blank in its path would end its name
cat >small.yaml <<'YAML'
name: small
networks: [asia]
data: {samples: [20, 40], replicates: 2, test_samples: 10}
learners: [hc, {id: program, command: [sh, -c, 'sleep 0.1; printf "from,to,type\n" > "$0"', "{graph}"]}]
metrics: [shd, edges]
limits: {time: 60s, memory: 1GiB}
YAML
failed=0
jumping() {
    LD_PRELOAD=$preload timeout 120 "$program" "$@" >out 2>errors || {
        echo "$*: status $?: $(head -n 3 errors)"
        failed=1
    }
}
same() {
    "$same_stores" whole "$1" >out 2>&1 || {
        echo "$1 differs: $(head -n 3 out)"
        failed=1
    }
}
"$program" run small.yaml --store whole --quiet >/dev/null || exit 5
[ "$(LD_PRELOAD=$preload date +%Y-%m-%d)" != "$(date +%Y-%m-%d)" ] || failed=1 # it does nothing here
jumping run small.yaml --store run --quiet
jumping run small.yaml --store run --quiet
same run
jumping plan small.yaml jobs --lease 5s
jumping work jobs
jumping collect jobs collected
same collected
jumping run small.yaml --store followed --engine command --submit '{script}' --tasks 2 --lease 5s --follow
same followed
jumping status run
jumping report run --format md --out page
exit $failed
