#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Threads that dawdle around their locks: slow_locks.sh PROGRAM PRELOAD [TIMES]. Every learner that shares its work among
# threads gives the graph and the counters that it gives in one thread, each time.
set -u
program=$1 preload=$2 times=${3:-10}
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch" || exit 5
cp -- "$preload" preload.so && preload=$scratch/preload.so || exit 5 # a blank in its path would end its name
failed=0 n=0

# The answer without times and memory, then the graph.
answer() { # threads, learner, data...
    threads=$1
    shift
    timeout 120 "$program" learn "$@" --threads "$threads" --json -o graph.csv >answer 2>errors ||
        echo "status $?: $(head -n 3 errors)"
    grep 'cannot be preloaded' errors
    grep -v -e '_seconds"' -e '"threads"' -e '_bytes"' answer
    cat graph.csv
    rm -f graph.csv
}

compare() { # learner, data, options...
    answer 1 "$@" >one
    for i in $(seq "$times"); do
        LD_PRELOAD=$preload answer $((i % 3 + 2)) "$@" >several
        n=$((n + 1))
        cmp -s one several || {
            echo "$*: $((i % 3 + 2)) threads, another answer:"
            diff one several | head -n 5
            failed=1
        }
    done
}

"$program" sample alarm -n 1000 --seed 7 -o small.csv -q &&
    "$program" tile alarm --copies 6 --arcs 30 --seed 7 -o tiles.bif -q &&
    "$program" sample tiles.bif -n 1000 --seed 7 -o tiles.csv -q || exit 5
for learner in mmpc mmhc mmbn pc-stable hc gts ges fastchc; do
    compare "$learner" tiles.csv
done
compare mmpc small.csv -O min_rows=0 -O df=full -O alpha=0.2
compare pc small.csv -O alpha=0.2
compare sgs3 small.csv
echo "$n answers compared"
exit $failed
