#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzzes: run.sh [-j N] [-k FOLDER] [-o FOLDER] SECONDS [TARGET...]. Each target (all of them, if none is named) gets that
# many seconds, N of them at a time (2). An input must not crash it, leak, take over 2 s or 512 MB; one that does is left
# in build/fuzz/found (-o). The inputs that reached something new are kept in FOLDER/TARGET (-k), for the next run to go on
# from. The last line of a target says how many inputs it had, and how many places of the program they reached.
set -eu
cd -- "$(dirname -- "$0")/../.."
n_at_once=2 kept='' found=build/fuzz/found
while getopts j:k:o: option; do
    case $option in
    j) n_at_once=$OPTARG ;;
    k) kept=$OPTARG ;;
    o) found=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
seconds=${1:?seconds a target}
shift
[ $# -gt 0 ] || set -- $(ls tests/fuzz/corpus)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
kept=${kept:-$scratch/kept}
mkdir -p -- "$found" "$kept"
# Freed memory is kept by AddressSanitizer to catch a late use: 16 MB of it, so that the limit is the program's own.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=16" seconds kept found scratch
printf '%s\n' "$@" | xargs -P "$n_at_once" -I TARGET sh -c '
    dictionary=tests/fuzz/dictionaries/$1.dict
    log=$scratch/$1.log
    mkdir -p -- "$kept/$1"
    "build/fuzz/tests/fuzz_$1" -max_total_time="$seconds" -timeout=2 -rss_limit_mb=512 -max_len=65535 -print_final_stats=1 \
        -dict="$dictionary" -artifact_prefix="$found/$1-" "$kept/$1" "tests/fuzz/corpus/$1" </dev/null >"$log" 2>&1 ||
        { tail -n 40 "$log"; printf "%s: FAILED\n" "$1"; exit 1; }
    printf "%s: %s inputs, %s places\n" "$1" "$(sed -n "s/^stat::number_of_executed_units: *//p" "$log")" \
        "$(sed -nE "s/.* cov: ([0-9]+) .*/\1/p" "$log" | tail -n 1)"' sh TARGET
