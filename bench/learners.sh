#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How long does a learner take? CPU seconds of the learner alone, reading excluded, one thread: the median of several runs.
#
#     bench/learners.sh [-p PROGRAM] [-r RUNS] [-v 'OTHER PROGRAM'] NETWORK:ROWS LEARNER [LEARNER ...]
#
# The data are sampled by the program itself (seed 1). With -v the other program (another build, say) runs in turn with
# the first on the same file, and the ratio of the medians is printed: it holds when the machine's speed drifts.
set -eu

program=build/release/bnbench
other=
runs=11
while getopts p:r:v: option; do
    case $option in
    p) program=$OPTARG ;;
    r) runs=$OPTARG ;;
    v) other=$OPTARG ;;
    *) sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
network=${1%%:*}
rows=${1##*:}
shift

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$program" sample "$network" -n "$rows" --seed 1 -o "$scratch/data.csv" --quiet

seconds() { # PROGRAM LEARNER
    "$1" learn "$2" "$scratch/data.csv" --network "$network" -o "$scratch/graph.csv" --json |
        sed -n 's/.*"cpu_seconds": *\([0-9.e-]*\).*/\1/p'
}

median() { sort -g "$1" | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

for learner; do
    : >"$scratch/a"
    : >"$scratch/b"
    i=0
    while [ $i -lt "$runs" ]; do
        seconds "$program" "$learner" >>"$scratch/a"
        [ -z "$other" ] || seconds "$other" "$learner" >>"$scratch/b"
        i=$((i + 1))
    done
    a=$(median "$scratch/a")
    if [ -n "$other" ]; then
        b=$(median "$scratch/b")
        echo "$network $rows $learner $a $b" | awk '{printf "%s, %s rows, %s: %.2f ms against %.2f ms, ratio %.3f\n", $1, $2, $3, 1e3 * $4, 1e3 * $5, $4 / $5}'
    else
        echo "$network $rows $learner $a" | awk '{printf "%s, %s rows, %s: %.2f ms\n", $1, $2, $3, 1e3 * $4}'
    fi
done
