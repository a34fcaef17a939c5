#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do two builds of bnbench give the same? Every shipped experiment (quick profile; quickstart in full too) is run by OLD
# into a store. From that store both programs write the report as Markdown, CSV and LaTeX (tables, figures of plots, results
# of tests) and the reproduction report: every file must be the same, byte for byte. Then NEW runs the experiment into a
# store of its own: graphs, counters and metrics must be the same, bit for bit; what is measured in seconds or bytes of
# memory is left out.
#
#     tests/same_results.sh [-k FOLDER] OLD NEW [EXPERIMENT...]
#
# -k keeps the stores and reports in FOLDER, and uses again the stores of OLD that lie there. $BNBENCH_NETWORKS and
# $BNBENCH_DATASETS say where networks and data sets lie that do not ship. Needs python3. Status 1: a
# difference.
set -eu

usage() {
    sed -n '3,14s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

keep=
while getopts k: option; do
    case $option in
    k) keep=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || usage
old=$(realpath -- "$1") new=$(realpath -- "$2")
shift 2
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
if [ -n "$keep" ]; then
    mkdir -p -- "$keep"
    scratch=$(realpath -- "$keep")
else
    scratch=$(mktemp -d)
    trap 'rm -rf -- "$scratch"' EXIT
fi
[ $# -gt 0 ] || set -- quickstart:full $(cd -- "$root/experiments" && ls -- *.yaml | sed 's/\.yaml$//')
n_different=0

differ() {
    n_different=$((n_different + 1))
    printf 'DIFFERENT: %s\n' "$1"
}

# What must be the same of every job: all but seconds and bytes of memory, and what a budget of seconds decided.
dump_jobs() { # store
    python3 - "$1/results.sqlite" <<'END'
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
job = "j.network, j.n_samples, j.sigma, j.replicate, j.learner"
measured = ("time", "wall_time", "memory", "calibration", "discretize_time", "learning_time", "total_time", "time_calibrated")
for row in store.execute(f"select {job}, key, state, is_cut_short, options, seed, fingerprint, graph_kind, graph, policy, tests_requested, "
        "tests_computed, tests_skipped, scores_requested, scores_computed, scores_skipped from job j order by 1, 2, 3, 4, 5"):
    if "budget" not in (row[8] or ""): # seconds that it may take
        print(*map(repr, row))
for row in store.execute(f"select {job}, m.name, m.value, j.options from job j join metric m on m.job = j.id order by 1, 2, 3, 4, 5, 6"):
    if row[5] not in measured and "budget" not in (row[7] or ""):
        print(*map(repr, row[:7]))
END
}

write_reports() { # program, store, folder
    rm -rf -- "$3"
    mkdir -p -- "$3"
    for format in md csv latex; do
        "$1" report "$2" --format $format --out "$3/$format" --quiet >"$3/$format.txt" 2>"$3/$format.err" || echo "status $?" >>"$3/$format.txt"
    done
    "$1" report "$2" --reproduction "$3/reproduction.md" --quiet >/dev/null 2>"$3/reproduction.err" || echo "status $?" >>"$3/reproduction.md"
    "$1" report "$2" --format csv --json --out "$3/csv" >"$3/report.json" 2>/dev/null || echo "status $?" >>"$3/report.json"
    find "$3" \( -name '*.svg' -o -name '*.png' -o -name '*.pdf' \) -delete
    # The folder that was named stands in the lists of files; commit and version of the program in the reproduction report.
    find "$3" -type f -exec sed -i "s|$3|OUT|g" {} +
}

for experiment in "$@"; do
    name=${experiment%%:*} profile='--profile quick'
    case $experiment in *:full) profile= ;; esac
    store=$scratch/$name${profile:+-quick}
    if [ ! -f "$store/results.sqlite" ]; then
        # shellcheck disable=SC2086 # two words, or none
        "$old" run "$root/experiments/$name.yaml" $profile --store "$store" --quiet >/dev/null 2>"$scratch/run.err" || {
            differ "$experiment: the former program ended with status $?"
            cat "$scratch/run.err"
            continue
        }
    fi
    cp -r -- "$store" "$store.copy"
    write_reports "$old" "$store.copy" "$store.old"
    write_reports "$new" "$store.copy" "$store.new"
    rm -rf -- "$store.copy"
    diff -r "$store.old" "$store.new" >"$store.diff" || {
        cut -c 1-200 "$store.diff" | head -n 20
        differ "$experiment: the reports ($(diff -rq "$store.old" "$store.new" | wc -l) files)"
    }
    rm -rf -- "$store.again"
    # shellcheck disable=SC2086
    "$new" run "$root/experiments/$name.yaml" $profile --store "$store.again" --quiet >/dev/null 2>"$scratch/run.err" || {
        differ "$experiment: the new program ended with status $?"
        cat "$scratch/run.err"
    }
    dump_jobs "$store" >"$store.jobs-old"
    dump_jobs "$store.again" >"$store.jobs-new"
    cmp -s "$store.jobs-old" "$store.jobs-new" || {
        diff "$store.jobs-old" "$store.jobs-new" | cut -c 1-200 | head -n 20
        differ "$experiment: stored graphs, counters or metrics"
    }
    printf '%s: %s files of reports, %s lines of jobs and metrics\n' "$experiment" "$(find "$store.old" -type f | wc -l)" \
        "$(wc -l <"$store.jobs-old")"
done
printf '%s differences\n' "$n_different"
[ "$n_different" -eq 0 ]
