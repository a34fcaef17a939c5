#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Few descriptors, few processes, little address space, and a store that may not be written: few_resources.sh PROGRAM
# SAME_STORES. A command ends well, or with a sentence and a status that says so; the same command ends well once there is
# enough, with the results of an undisturbed run. Status 77: neither processes nor mounts can be limited here.
set -u
program=$(realpath -- "$1") same_stores=$(realpath -- "$2")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch" || exit 5
unset BNBENCH_NETWORKS BNBENCH_DATASETS
failed=0 n_well=0 n_short=0 skipped=''

complain() {
    echo "$*"
    failed=1
}

cat >small.yaml <<'YAML'
name: small
networks: [asia]
data: {samples: [20, 40], replicates: 2, test_samples: 10}
learners: [hc, mmpc]
metrics: [shd, edges]
tables: [{id: t, metric: shd, rows: samples, columns: learner}]
YAML
cat >program.yaml <<'YAML'
name: program
networks: [asia]
data: {samples: [20, 40], replicates: 2, test_samples: 10}
learners: [hc, {id: program, command: [sh, -c, 'printf "from,to,type\n"', "{graph}"]}]
metrics: [shd, edges]
YAML
sed -i 's/n"/n" >"$0"/' program.yaml
"$program" run small.yaml --store whole_small --quiet >/dev/null || exit 5
"$program" run program.yaml --store whole_program --quiet >/dev/null || exit 5

# Judges how a command ended, and whether its message has one of the words.
judge() { # what, words, status
    if [ "$3" -eq 0 ]; then
        n_well=$((n_well + 1))
        return
    fi
    n_short=$((n_short + 1))
    case $3 in 3|5|127) ;; *) complain "$1: status $3: $(head -n 2 errors)" ;; esac
    grep -qE -e "$2" errors || complain "$1: no word of it: $(head -n 2 errors)"
}

goes_on() { # what, experiment
    [ ! -e store ] || "$program" status store --why >out 2>&1
    ! grep -q ': failed' out || complain "$1: a failure was stored: $(cat out)"
    "$program" run "$2.yaml" --store store --quiet >out 2>errors || complain "$1, with enough: status $?: $(head -n 2 errors)"
    "$same_stores" "whole_$2" store >out 2>&1 || complain "$1: other results: $(head -n 3 out)"
    rm -rf store
}

# prlimit and not ulimit: not every shell has the limit of processes.
for n in 4 5 6 7 8 9 10 12 14 20; do
    prlimit --nofile=$n "$program" run small.yaml --store store --quiet -j 3 >out 2>errors
    judge "run with $n descriptors" 'Too many open files|unable to open|cannot open' $?
    goes_on "run with $n descriptors" small
    prlimit --nofile=$n "$program" report whole_small --format html --out page --quiet >out 2>errors
    judge "report with $n descriptors" 'Too many open files|unable to open|cannot open' $?
    rm -rf page
done

# Room for the libraries, or not; a job has no room for what it learns from.
for mb in 20 40 60 64 66 68 70 80 100; do
    prlimit --as=$((mb * 1000000)) "$program" run small.yaml --store store --quiet >out 2>errors
    judge "run in $mb MB" 'memory|shared object' $?
    goes_on "run in $mb MB" small
done

# The limit counts all processes of a user, and none of root's: as a user that has no others.
if [ "$(id -u)" -ne 0 ]; then
    as_nobody() { unshare -r "$@"; }
else
    as_nobody() { setpriv --reuid=54321 --clear-groups "$@"; }
    chmod 777 .
fi
if as_nobody prlimit --nproc=1 sh -c 'true; (true) & wait' 2>&1 | grep -qi fork; then
    for n in 1 2 3 4 5; do
        for experiment in small program; do
            as_nobody prlimit --nproc=$n "$program" run $experiment.yaml --store store --quiet -j 2 >out 2>errors
            judge "run of $experiment with $n processes" 'no new process' $?
            goes_on "run of $experiment with $n processes" $experiment
        done
    done
else
    skipped="$skipped processes"
fi

# A store that lies on what may not be written: it is read, and nothing goes on in it.
files_of() { (cd "$1" && find . -type f -exec cksum {} + | sort); }
files_of whole_small >before
mkdir page
if unshare -rm sh -c 'mount --bind whole_small whole_small && mount -o remount,bind,ro whole_small &&
    program=$1 && {
        "$program" status whole_small; echo "status $?"
        "$program" report whole_small --format md --out page --quiet >/dev/null; echo "report $?"
        "$program" report whole_small --format md --quiet >/dev/null; echo "report into it $?"
        "$program" run small.yaml --store whole_small --quiet >/dev/null; echo "run $?"
    }' sh "$program" >out 2>errors; then
    for word in 'status 0' 'report 0' 'report into it 5' 'run 5' '8 of 8 cells done'; do
        grep -qx "$word" out || complain "of a store that may not be written, not '$word': $(cat out errors)"
    done
    grep -q 'Read-only file system' errors || complain "it is not said that a store may not be written: $(cat errors)"
    files_of whole_small | cmp -s - before || complain "a store that may not be written changed"
else
    skipped="$skipped read-only"
fi

echo "$n_short calls had too little and said so, $n_well had enough; skipped:${skipped:- nothing}"
[ $failed -ne 0 ] || [ "$skipped" != ' processes read-only' ] || exit 77
exit $failed
