#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every learner and every discretizer gives the same graphs, counters and metrics, bit for bit, with one job and two, one
# thread and two, at each level of the processor's counting (BNBENCH_SIMD), in two locales and two working folders, run here
# or by workers: determinism.sh [--write | --few] PROGRAM STORE_LINES GOLDEN. With --few, for slow builds, at one of the levels only.
#
# GOLDEN (tests/golden/results.txt) holds a checksum of each learner's results, against a drift between versions. What is meant
# to change is written anew by --write, and its digest, which is printed, gets a line in CHANGELOG.md ("Results that changed").
set -eu
write= levels='portable avx2 avx512bw avx512'
case $1 in
--write) write=1; shift ;;
--few) levels=portable; shift ;;
esac
program=$(realpath -- "$1") store_lines=$(realpath -- "$2") golden=$(realpath -- "$3")
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
unset BNBENCH_NETWORKS BNBENCH_DATASETS
failed=0

names() {
    "$program" list "$1" --json | sed -n 's/^ *"name": "\([^"]*\)".*/\1/p'
}

# Thresholds are chosen for one learner; those that are found together with a graph go with hill climbing alone.
write_grids() { # folder, threads
    mkdir -p "$1"
    cat >"$1/discrete.yaml" <<END
name: discrete
seed: 11
networks: [asia, alarm]
data: {samples: [150], test_samples: 100}
learners: [$(names learners | paste -s -d ,)]
threads: $2
END
    cat >"$1/real.yaml" <<END
name: real
seed: 12
networks: [asia]
data: {samples: [200], test_samples: 100, continuize: {sigma: 0.3}}
learners:
$(names discretizers | sed 's/.*/  - {id: hc-&, learner: hc, discretize: {method: &}}/')
$(for learner in hc ges gts; do echo "  - {id: real-$learner, learner: $learner, score: bge}"; done)
$(for learner in pc mmpc bach; do echo "  - {id: real-$learner, learner: $learner}"; done)
threads: $2
END
}

# What the two experiments store, as text.
one() { # what, folder, threads, command that runs an experiment file into a store...
    what=$1 place=$2 threads=$3
    shift 3
    write_grids "$place" "$threads"
    for grid in discrete real; do
        (cd "$place" && "$@" "$grid.yaml" "$grid-store") >"$scratch/out" 2>&1 || {
            echo "$what: status $?: $(tail -n 3 "$scratch/out")"
            failed=1
            return
        }
        "$store_lines" "$place/$grid-store" >"$scratch/$grid.lines"
        [ -f "$scratch/$grid.first" ] || cp "$scratch/$grid.lines" "$scratch/$grid.first"
        if ! cmp -s "$scratch/$grid.first" "$scratch/$grid.lines"; then
            echo "$what: other results than the first time:"
            diff "$scratch/$grid.first" "$scratch/$grid.lines" | cut -c 1-300 | head -n 6
            failed=1
        fi
    done
}

run() { # jobs, file, store
    "$program" run "$2" --store "$3" --quiet --jobs "$1"
}

work() { # file, store
    "$program" plan "$1" "$2-jobs" && "$program" work "$2-jobs" && "$program" collect "$2-jobs" "$2"
}

one 'one job, one thread' "$scratch/a" 1 run 1
other=$(locale -a 2>/dev/null | grep -i -m 1 '^de_DE\.utf-\?8$' || echo C.UTF-8)
LC_ALL=$other one "two jobs, two threads, locale $other" "$scratch/another folder" 2 run 2
LC_ALL=C one 'two threads, by a worker' "$scratch/b" 2 work
for level in $levels; do
    BNBENCH_SIMD=$level one "counting at the level $level" "$scratch/$level" 1 run 2
done

{ "$store_lines" --sums "$scratch/a/discrete-store" && "$store_lines" --sums "$scratch/a/real-store"; } >"$scratch/sums"
[ -z "$write" ] || cp "$scratch/sums" "$golden"
diff "$golden" "$scratch/sums" || {
    echo "Results are others than those of the last version ('<'). Where that is meant: $0 --write, and a line in CHANGELOG.md."
    failed=1
}
digest=$(sha256sum <"$golden" | cut -c 1-16)
grep -q "$digest" "$root/CHANGELOG.md" "$root/docs/reliability.md" || {
    echo "CHANGELOG.md has no line on the results whose digest is $digest."
    failed=1
}
echo "$(wc -l <"$golden") learners, $(cat "$scratch"/*.first | wc -l) results; digest $digest"
exit $failed
