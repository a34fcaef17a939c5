#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each n-th allocation of a whole command fails, those of the libraries too: every_allocation.sh PROGRAM PRELOAD [STEP [MOST [COMMAND]]].
# The command answers as ever, or leaves with a sentence and status 3, 5 or 6; it never crashes, and never prints another
# result. n goes from 1 to MOST (2000) by STEP (1). Prints how the runs of each command, or of that one, ended.
set -u
program=$1 preload=$2 step=${3:-1} most=${4:-2000} only=${5-}
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch" || exit 5
cp -- "$preload" preload.so && preload=$scratch/preload.so || exit 5 # a blank in its path would end its name
unset BNBENCH_NETWORKS BNBENCH_DATASETS
"$program" sample asia -n 60 --seed 1 -o data.csv --quiet || exit 5
cat >small.yaml <<'YAML'
name: small
networks: [asia]
data: {samples: [20, 40], replicates: 1, test_samples: 10}
learners: [hc, empty]
metrics: [shd, edges]
tables: [{id: t, metric: shd, rows: samples, columns: learner}]
YAML
"$program" run small.yaml --store whole --quiet >/dev/null || exit 5
failed=0

# The parts of an answer that a clock or a scale does not change.
answer() { grep -v -e '_seconds"' -e '_bytes"' "$1"; }

one() { # what, command...
    what=$1
    shift
    [ -z "$only" ] || [ "$only" = "$what" ] || return
    rm -rf store
    "$program" "$@" >whole.out 2>/dev/null || { echo "$what: fails with all its memory"; failed=1; return; }
    answer whole.out >whole.answer
    n=1 same=0 said=0 bad=0
    while [ "$n" -le "$most" ]; do
        rm -rf store
        BNB_FAIL_AT=$n LD_PRELOAD=$preload "$program" "$@" >out 2>errors
        status=$?
        if [ $status -eq 0 ]; then
            if answer out | cmp -s - whole.answer; then same=$((same + 1)); else bad=$((bad + 1)); echo "$what $n: another answer"; fi
        elif { [ $status -eq 3 ] || [ $status -eq 5 ] || [ $status -eq 6 ]; } && [ -s errors -o $status -eq 6 ]; then
            said=$((said + 1))
        else
            bad=$((bad + 1))
            printf '%s %s: status %s: ' "$what" "$n" "$status"
            head -n 2 errors
            echo
        fi
        n=$((n + step))
    done
    printf '%s: %s answered as ever, %s said why not, %s otherwise\n' "$what" "$same" "$said" "$bad"
    [ "$bad" -eq 0 ] || failed=1
}

one learn learn hc data.csv
one 'learn --json' learn mmpc data.csv --network asia --json
one 'learn --threads' learn sgs3 data.csv --threads 3
one score score bdeu asia data.csv --by-node
one run run small.yaml --store store --quiet
one report report whole --out store --format html --quiet
exit $failed
