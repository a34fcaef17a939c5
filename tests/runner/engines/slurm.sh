#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run --engine slurm on a real Slurm that this test starts (slurm_cluster.sh). Status 77: there is none here.
#     BNB_PROGRAM=build/release/bnbench BNB_SAME_STORES=build/release/tests/same_stores tests/runner/engines/slurm.sh
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
. "$here/slurm_cluster.sh"
cluster_prepare

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    for log in "$D"/errors.* "$D"/log/slurmctld.log; do
        [ -f "$log" ] && printf -- '-- %s\n' "$log" >&2 && tail -n 30 "$log" >&2
    done
    exit 1
}
step() { printf '## %s\n' "$*"; }
wait_for() { # seconds command...
    tries=$(($1 * 10))
    shift
    while [ $tries -gt 0 ]; do
        "$@" && return 0
        sleep 0.1
        tries=$((tries - 1))
    done
    return 1
}
results() { find "$D/$1-jobs/results" -name '*.json' 2>/dev/null | wc -l; }
has_results() { [ "$(results "$1")" -ge "$2" ]; }
is_empty() { [ -z "$(squeue -h 2>&1)" ]; }

cluster_start || { tail -n 5 "$D"/log/*.log; echo "Skipped: Slurm does not start here"; exit 77; }
cd "$D" || exit 1

# 'slow' gives an edge list after a while; 'broken' fails, and says each time that it ran.
cat >slow.yaml <<'END'
name: slow
seed: 11
networks: [asia]
data: {samples: [100, 200], replicates: 6}
learners:
  - hc
  - {id: slow, command: [sh, -c, "sleep 1; printf 'from,to,type\\nasia,tub,directed\\n' > \"$1\"", sh, "{graph}"]}
  - {id: broken, command: [sh, -c, "echo ran >> ran; echo no such luck >&2; exit 3", sh, "{graph}"]}
metrics: [shd]
limits: {time: 30s, memory: 512MiB}
END

step 'a local run, undisturbed'
"$BNB_PROGRAM" run slow.yaml --store "$D/local" --quiet >out.local 2>errors.local
[ $? = 6 ] || fail "the local run does not end with 6, as one with failures"
[ "$(wc -l <ran)" = 12 ] || fail "the broken learner ran $(wc -l <ran) times, not 12"

step 'submitted, not followed: the command returns; collect takes the results in'
rm -f ran
"$BNB_PROGRAM" run slow.yaml --engine slurm --store "$D/apart" --tasks 4 >out.apart 2>errors.apart || fail "status $?"
grep -q 'Workers are submitted: [0-9]' out.apart || fail "it does not say what sbatch said: $(cat out.apart)"
"$BNB_PROGRAM" status "$D/apart" --json | grep -q '"total": *36' || fail "status does not know the cells"
wait_for 40 has_results apart 36 || fail "$(results apart) results of 36"
wait_for 10 is_empty || fail "tasks are left: $(squeue)"
"$BNB_PROGRAM" collect "$D/apart-jobs" "$D/apart" | grep -q '^3[0-9] results added' || fail "collect"
"$BNB_SAME_STORES" "$D/local" "$D/apart" || fail "other results than the local run's"
[ "$(wc -l <ran)" = 12 ] || fail "the broken learner ran $(wc -l <ran) times, not 12: a failure is no loss"

step 'followed; tasks are cancelled, one is killed, a node is lost, all tasks are cancelled'
"$BNB_PROGRAM" run slow.yaml --engine slurm --store "$D/followed" --tasks 6 --lease 5s --follow >out.followed \
    2>errors.followed &
follower=$!
wait_for 20 has_results followed 4 || fail "no results"
job=$(squeue -h -o %F | head -n 1)
scancel "${job}_1"
scancel "${job}_6" # it waits: four at once have room
scancel --signal=KILL --full "${job}_2"
wait_for 20 has_results followed 8 || fail "no more results"
n2=$(cluster_id "$D/slurmd-n2.pid" slurmd) && kill -9 "$n2"
# What runs on a node that loses its power ends too: the workers, and those who would report of them.
for worker in "$D"/followed-jobs/spool/n2.*; do
    id=${worker##*/n2.}
    id=${id%%-*}
    [ -d "/proc/$id" ] || continue
    kill -9 "$(ps -o ppid= -p "$id" | tr -d ' ')" "$id" 2>/dev/null
done
wait_for 20 has_results followed 12 || fail "no more results after the node was lost"
scancel --signal=KILL --full "${job}_3" "${job}_4" "${job}_5" 2>/dev/null
scancel "$job"
wait "$follower"
rc=$?
[ $rc = 6 ] || fail "status $rc, not 6"
"$BNB_SAME_STORES" "$D/local" "$D/followed" || fail "other results than the local run's"
grep -q 'lost on n2' errors.followed || fail "the node that was lost is not named"
grep -q 'are submitted' errors.followed || fail "no workers were submitted again"
"$BNB_PROGRAM" collect "$D/followed-jobs" "$D/followed" | grep -qx '0 results added' || fail "something was left"
grep 'lost on\|submitted' errors.followed
echo "Passed."
