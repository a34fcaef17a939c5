#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# SIGKILL at random moments of workers under a real Slurm and of their follower: the store is that of an undisturbed run.
# BNB_KILLS says how many (8). Status 77: there is no Slurm here.
#     BNB_PROGRAM=build/release/bnbench BNB_SAME_STORES=build/release/tests/same_stores tests/runner/engines/slurm_kills.sh
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
. "$here/slurm_cluster.sh"
cluster_prepare
cluster_start || { tail -n 5 "$D"/log/*.log; echo "Skipped: Slurm does not start here"; exit 77; }
cd "$D" || exit 1
cat >hunted.yaml <<'END'
name: hunted
seed: 17
networks: [asia]
data: {samples: [100, 200], replicates: 10}
learners:
  - hc
  - {id: slow, command: [sh, -c, "sleep 0.4 & wait; printf 'from,to,type\nasia,tub,directed\n' > \"$1\"", sh, "{graph}"]}
metrics: [shd, bdeu_test]
limits: {time: 30s, memory: 512MiB}
END
wanted=${BNB_KILLS:-8} n=0 n_followers=0 store=0

below() { echo $(($(od -An -N4 -tu4 /dev/urandom) % $1)); }
# A program of the learner may be ended with its worker: a failure runs again.
follow() {
    "$BNB_PROGRAM" run hunted.yaml --engine slurm --store "$D/s$store" --tasks 4 --lease 5s --retries 1000000 --retry-failed \
        --follow >"out.$store" 2>>"errors.$store" &
    follower=$!
}
any_worker() { # the id of one that lives, at random
    set --
    for place in "$D/s$store-jobs/spool"/n[12].*; do
        id=${place##*/n?.}
        [ -d "/proc/${id%%-*}" ] && set -- "$@" "${id%%-*}"
    done
    [ $# -gt 0 ] || return 1
    shift "$(below $#)"
    echo "$1"
}
check() {
    wait "$follower" || { echo "FAILED: status $?"; tail -n 30 "errors.$store"; exit 1; }
    "$BNB_SAME_STORES" "$D/local" "$D/s$store" || { echo "FAILED: other results"; exit 1; }
}

"$BNB_PROGRAM" run hunted.yaml --store "$D/local" --quiet >out.local 2>errors.local || { cat errors.local; exit 1; }
follow
while [ "$n" -lt "$wanted" ]; do
    sleep "0.$(below 10)"
    if ! kill -0 "$follower" 2>/dev/null; then
        check
        store=$((store + 1))
        follow
    elif [ "$(below 6)" = 0 ] && kill -9 "$follower"; then
        wait "$follower" 2>/dev/null
        n=$((n + 1)) n_followers=$((n_followers + 1))
        follow
    elif victim=$(any_worker) && kill -9 "$victim" 2>/dev/null; then
        n=$((n + 1))
    fi
done
check
echo "$n kills, $n_followers of them of followers, $((store + 1)) stores: all the same. Passed."
