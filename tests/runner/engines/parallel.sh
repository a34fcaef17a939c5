#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run --engine command with GNU parallel, whose jobs are the workers, by the line of contrib/engines/parallel. Status 77:
# there is no GNU parallel here.
#     BNB_PROGRAM=build/release/bnbench BNB_SAME_STORES=build/release/tests/same_stores tests/runner/engines/parallel.sh
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd -P)
parallel --version 2>/dev/null | grep -q 'GNU parallel' || { echo "Skipped: GNU parallel is missing (Debian: parallel)"; exit 77; }
D=$(mktemp -d)
trap 'rm -rf -- "$D"' EXIT
export TMPDIR="$D"
cd "$D" || exit 1
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    cat errors >&2
    exit 1
}
cat >small.yaml <<'END'
name: small
seed: 5
networks: [asia]
data: {samples: [100, 200], replicates: 5}
learners:
  - hc
  - {id: slow, command: [sh, -c, "sleep 0.3; printf 'from,to,type\n' > \"$1\"", sh, "{graph}"]}
metrics: [shd]
END
submit=$(grep -v '^#' "$root/contrib/engines/parallel")
"$BNB_PROGRAM" run small.yaml --store local --quiet >out 2>errors || fail "the local run: status $?"
"$BNB_PROGRAM" run small.yaml --store shared --engine command --submit "$submit" --tasks 3 --lease 5s --follow >out 2>errors &
follower=$!
# The process of a worker that is stopped while a job is in its hands, which has no result yet. The follower may work, too:
# it is spared.
hold_worker() {
    for claim in shared-jobs/claimed/*.*-*; do
        id=${claim##*.}
        id=${id%%-*}
        [ -e "$claim" ] && [ "$id" != "$follower" ] && kill -STOP "$id" 2>/dev/null || continue
        job=${claim##*/}
        [ -e "$claim" ] && ! ls shared-jobs/results/"${job%%.*}"* >/dev/null 2>&1 && echo "$id" && return
        kill -CONT "$id"
    done
}
worker=
while [ -z "$worker" ]; do
    kill -0 "$follower" 2>/dev/null || fail "there was no worker to kill"
    sleep 0.05
    worker=$(hold_worker)
done
kill -9 "$worker" || fail "the worker cannot be killed"
wait "$follower" || fail "status $?"
"$BNB_SAME_STORES" local shared || fail "other results than the local run's"
grep -q 'lost on' errors || fail "the worker that was killed is not told of"
cat errors
echo "Passed."
