#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A full disk under the store, the plan folder, the temporary folder and what commands write: full_disk.sh PROGRAM SAME_STORES.
# Each command runs on file systems of several sizes. It ends well, or with status 5 and a sentence; no file is half written,
# none is left over; and the same command ends well once there is room. Status 77: no file system can be mounted here.
set -u
program=$(realpath -- "$1") same_stores=$(realpath -- "$2")
if [ "${3-}" != inside ]; then
    unshare -rm sh -c 'mount -t tmpfs none /mnt' 2>/dev/null || {
        echo "no file system can be mounted here: skipped"
        exit 77
    }
    exec unshare -rm sh "$0" "$program" "$same_stores" inside
fi
scratch=$(mktemp -d)
trap 'umount "$scratch/disk" 2>/dev/null; rm -rf -- "$scratch"' EXIT
cd -- "$scratch" || exit 5
unset BNBENCH_NETWORKS BNBENCH_DATASETS TMPDIR
mkdir disk
failed=0 n_full=0 n_well=0

complain() {
    echo "$*"
    failed=1
}

# The files below a folder that are no such file of another one, byte for byte; a PDF bears the time at which it was made.
differing() { # folder, other
    (cd "$1" && find . -type f) | while read -r file; do
        case $file in
        *.pdf) [ -f "$2/$file" ] && tail -n 1 "$1/$file" | grep -q '^%%EOF' || echo "$file" ;;
        *) cmp -s "$1/$file" "$2/$file" || echo "$file" ;;
        esac
    done
}

small_disk() { # KiB
    mount -t tmpfs -o "size=${1}k" none disk || exit 5
}

more_room() {
    mount -o remount,size=100M disk || exit 5
}

# Runs a command on a small disk, and judges how it ended.
call() { # what, command...
    call=$1
    shift
    "$@" >out 2>errors
    status=$?
    case $status in
    0) n_well=$((n_well + 1)) ;;
    5)
        n_full=$((n_full + 1))
        grep -q -e 'No space left' -e 'disk is full' errors || complain "$call: no word of the disk: $(head -n 2 errors)"
        ;;
    *) complain "$call: status $status: $(head -n 2 errors)" ;;
    esac
}

again() { # what, command...
    call=$1
    shift
    "$@" >out 2>errors || complain "$call, with more room: status $?: $(head -n 2 errors)"
}

nothing_left() { # what, folder
    left=$(find "$2" -name '.*.tmp' -o -name '.drawing-*' -o -name 'bnbench-*')
    [ -z "$left" ] || complain "$1: left over: $left"
}

# ---- what commands write ----

is_as_before() { # file that lay there, or "-"
    if [ "$1" = - ]; then [ -z "$(ls disk)" ]; else [ "$(ls disk)" = "$1" ] && [ "$(cat "disk/$1")" = before ]; fi
}

# `whole` is what the command makes of an empty disk with room. A file that lies there before stays, or gives way to it.
writes() { # what, sizes in KiB, file that lies there before ("-": none; "": none, and files come one by one), command...
    what=$1 sizes=$2 before=$3
    shift 3
    small_disk 100000
    again "$what" "$@"
    rm -rf whole
    cp -r disk whole
    umount disk
    for size in $sizes; do
        small_disk "$size"
        case $before in
        ''|-) ;;
        *) echo before >"disk/$before" ;;
        esac
        call "$what in $size KiB" "$@"
        if [ -n "$before" ] && [ "$status" -ne 0 ]; then
            is_as_before "$before" || complain "$what in $size KiB: not as before: $(ls disk)"
            rm -f disk/*
        fi
        differ=$(differing disk whole)
        [ -z "$differ" ] || complain "$what in $size KiB: half written: $differ"
        nothing_left "$what in $size KiB" disk
        more_room
        again "$what after $size KiB" "$@"
        differ=$(differing whole disk)
        [ -z "$differ" ] || complain "$what after $size KiB: differs: $differ"
        umount disk
    done
}

cat >small.yaml <<'YAML'
name: small
networks: [asia]
data: {samples: [20, 40], replicates: 2, test_samples: 10}
learners: [hc, mmpc, {id: program, command: [sh, -c, 'printf "from,to,type\n" > "$0"', "{graph}"]}]
metrics: [shd, edges]
tables: [{id: t, metric: shd, rows: samples, columns: learner}]
plots: [{id: p, kind: line, x: samples, y: shd}]
YAML
"$program" run small.yaml --store whole_store --quiet >/dev/null || exit 5
"$program" sample alarm -n 500 --seed 1 -o data.csv --quiet || exit 5
awk "BEGIN { OFS = \",\"; print \"a,b\"; for (i = 0; i < 3000; i++) print sin(i), cos(3 * i) }" >real.csv

writes sample "4 8 12" o.csv "$program" sample asia -n 400 --seed 1 -o disk/o.csv --quiet
writes 'sample, packed' "4 8" o.csv.gz "$program" sample asia -n 2000 --seed 1 -o disk/o.csv.gz --quiet
writes 'sample, packed' "4" - "$program" sample asia -n 2000 --seed 1 -o disk/o.csv.gz --quiet
writes convert "4 12 16" o.bif "$program" convert alarm disk/o.bif
writes learn "4 8" o.csv "$program" learn hc data.csv -o disk/o.csv --quiet
writes fit "4 20" o.bif "$program" fit alarm data.csv -o disk/o.bif --quiet
writes tile "8" o.bif "$program" tile asia --copies 20 -o disk/o.bif
writes discretize "8 80" o.csv "$program" discretize eqwidth real.csv -o disk/o.csv --quiet
writes 'report, Markdown' "4 8 32 64" "" "$program" report whole_store --format md --out disk/o --quiet
writes 'report, HTML' "32 128 256" "" "$program" report whole_store --format html --out disk/o --quiet
writes 'report, LaTeX' "4" "" "$program" report whole_store --format latex --out disk/o --quiet
writes 'report, reproduction' "4" o.md "$program" report whole_store --reproduction disk/o.md --quiet

# ---- stores ----

stores_same() { # what, store
    "$same_stores" whole_store "$2" >out 2>&1 || complain "$1: other results: $(head -n 3 out)"
}

for size in 4 12 24 36 44 52 60 68 76 84 92 100; do
    small_disk "$size"
    call "run in $size KiB" "$program" run small.yaml --store disk/s --quiet
    more_room
    again "run after $size KiB" "$program" run small.yaml --store disk/s --quiet
    stores_same "run after $size KiB" disk/s
    nothing_left "run after $size KiB" disk/s
    umount disk
done

# The plan folder and what a worker and a collector write.
for size in 8 24 48 72; do
    small_disk "$size"
    call "plan in $size KiB" "$program" plan small.yaml disk/p --lease 5s --retries 99
    [ "$status" -ne 0 ] || call "work in $size KiB" "$program" work disk/p
    [ "$status" -ne 0 ] || call "collect in $size KiB" "$program" collect disk/p disk/s
    more_room
    again "plan after $size KiB" "$program" plan small.yaml disk/p --lease 5s --retries 99
    again "work after $size KiB" "$program" work disk/p
    again "collect after $size KiB" "$program" collect disk/p disk/s
    stores_same "collect after $size KiB" disk/s
    umount disk
done

# ---- the temporary folder ----

# The program's data and graph do not fit, for one job or for two at once: no result is a failure of the program.
for size in 4 8 80 140; do
    for jobs in 1 2; do
        small_disk "$size"
        rm -rf store
        call "run with a TMPDIR of $size KiB" env TMPDIR="$scratch/disk" "$program" run small.yaml --store store --quiet -j "$jobs"
        nothing_left "run with a TMPDIR of $size KiB" disk
        more_room
        again "run after a TMPDIR of $size KiB" env TMPDIR="$scratch/disk" "$program" run small.yaml --store store --quiet
        stores_same "run after a TMPDIR of $size KiB" store
        umount disk
    done
done
small_disk 4
again 'report with a TMPDIR of 4 KiB' env TMPDIR="$scratch/disk" "$program" report whole_store --format html --out page --quiet
umount disk

# A program that fills the disk failed; the jobs beside it and after it did not.
cat >filler.yaml <<'YAML'
name: filler
networks: [asia]
data: {samples: [20, 40], replicates: 2, test_samples: 10}
learners:
  - {id: filler, command: [sh, -c, 'cat /dev/zero >"$TMPDIR/x"', "{graph}"]}
  - {id: quiet, command: [sh, -c, 'cat /dev/zero >"$TMPDIR/x" 2>/dev/null; printf "from,to,type\n" >"$0"; exit 0', "{graph}"]}
  - {id: program, command: [sh, -c, 'sleep 0.02; printf "from,to,type\nasia,tub,directed\n" >"$0"', "{graph}"]}
metrics: [shd]
YAML
for jobs in 1 3; do
    rm -rf store
    small_disk 20000
    TMPDIR=$scratch/disk "$program" run filler.yaml --store store --quiet -j "$jobs" >out 2>errors
    status=$?
    [ $status -eq 6 ] || complain "a program that fills the disk, $jobs jobs: status $status: $(cat errors)"
    nothing_left "a program that fills the disk" disk
    umount disk
    "$program" status store --why >out 2>&1
    ! grep -q ', program:' out || complain "a program beside one that fills the disk, $jobs jobs: $(cat out)"
    [ "$(grep -c ', filler: failed' out)" -eq 4 ] || complain "a program that fills the disk, $jobs jobs: $(cat out)"
    [ "$jobs" -eq 1 ] || continue # the next one to end may make room before it is looked how full the disk is
    [ "$(grep -c 'the program filled the disk: it wrote [12][0-9] MiB' out)" -eq 8 ] || complain "it is not said of the programs that they filled the disk: $(cat out)"
done

# So it is where the disk has room again when the program ends that found it full.
cat >patient.yaml <<'YAML'
name: patient
networks: [asia]
data: {samples: 20, test_samples: 10}
learners:
  - {id: filler, command: [sh, -c, 'cat /dev/zero >"$TMPDIR/x"; sleep 0.3; exit 1', "{graph}"]}
  - id: patient
    command: [sh, -c, 'write() { head -c 65536 /dev/zero >>"$TMPDIR/y"; }; n=0; while [ $n -lt 30 ] && write; do sleep 0.01; n=$((n + 1)); done;
        if [ $n -lt 30 ]; then until write; do sleep 0.01; done; exit 1; fi; printf "from,to,type\n" >"$0"', "{graph}"]
metrics: [shd]
YAML
rm -rf store
small_disk 20000
TMPDIR=$scratch/disk "$program" run patient.yaml --store store --quiet -j 2 >out 2>errors
status=$?
[ $status -eq 6 ] || complain "a program that waits for room: status $status: $(cat errors)"
nothing_left "a program that waits for room" disk
umount disk
"$program" status store --why >out 2>&1
[ "$(grep -c ', filler: failed' out)" -eq 1 ] && ! grep -q ', patient:' out || complain "a program that waits for room: $(cat out)"

echo "$n_full calls met a full disk and said so, $n_well had room enough"
exit $failed
