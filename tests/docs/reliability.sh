#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# docs/reliability.md names tests that there are, with figures that can be counted: reliability.sh PROGRAM BUILD SOURCE.
# Each row of its promises has a test and a figure; "N tests" is how many there are in the files that the row names; each
# target of the fuzzer has its row, and their sum is right; the calls of every command are as many as are made.
set -u
program=$1 build=$2
cd -- "$3" || exit 5
page=docs/reliability.md failed=0
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

complain() {
    echo "$page: $*"
    failed=1
}

section() { # title
    sed -n "/^## $1\$/,/^## /p" $page
}

ctest --test-dir "$build" -N | sed -n 's/^ *Test *#[0-9]*: *//p' >"$scratch/tests"
# Tests that take their time, or want what is not here, are known to CMake all the same.
grep -oE 'add_test\(NAME [a-z_]+' tests/CMakeLists.txt | sed 's/.* //' >>"$scratch/tests"
sed -n 's/.*"name": "\([a-z]*\)".*/\1/p' CMakePresets.json >>"$scratch/tests"

{ section Promises; section Security; } | grep '^| ' | grep -v -e '^| promise ' -e '^| --- ' >"$scratch/rows"
n_rows=$(wc -l <"$scratch/rows")
while read -r row; do
    promise=$(printf '%s\n' "$row" | cut -d '|' -f 2)
    tests=$(printf '%s\n' "$row" | cut -d '|' -f 3)
    figure=$(printf '%s\n' "$row" | cut -d '|' -f 4)
    names=$(printf '%s\n' "$tests" | grep -oE '`[^`]+`' | tr -d '`')
    [ -n "$names" ] || complain "no test:$promise"
    case $figure in *[!\ ]*) ;; *) complain "no figure:$promise" ;; esac
    n_cases=0
    for name in $names; do
        grep -qxF -- "$name" "$scratch/tests" || [ -e "$name" ] || complain "no test is called '$name':$promise"
        file=$(find tests -name "$name.c")
        [ -z "$file" ] || n_cases=$((n_cases + $(grep -cE '^static void [a-z_0-9]+\(void \*\*state\)' "$file")))
    done
    said=$(printf '%s\n' "$figure" | sed -nE 's/.*(^|[^0-9])([0-9]+) tests.*/\2/p')
    [ -z "$said" ] || [ "$said" -eq $n_cases ] || complain "$said tests, and there are $n_cases:$promise"
done <"$scratch/rows"
[ "$n_rows" -gt 20 ] || complain "only $n_rows promises were found"

ls tests/fuzz/corpus >"$scratch/targets"
section Fuzzing | sed -nE 's/^\| `([a-z_]+)` .*/\1/p' | sort >"$scratch/rows"
cmp -s "$scratch/targets" "$scratch/rows" || complain "the targets of the fuzzer are others: $(diff "$scratch/rows" "$scratch/targets")"
section Fuzzing | grep -E '^\| `' | grep -vE '^\| `[a-z_]+` \| [0-9,]+ \| [0-9,]+ \| [^|]+ \|$' && complain 'a target of the fuzzer has no figures'
sum=$(section Fuzzing | grep -E '^\| `' | cut -d '|' -f 3 | tr -d ', ' | awk '{ sum += $1 } END { printf "%d", sum }')
said=$(section Fuzzing | sed -nE 's/^\| all \| ([0-9,]+) .*/\1/p' | tr -d ,)
[ "$sum" = "$said" ] || complain "the inputs of the fuzzer are $sum, not $said"
[ "$(grep -o '[0-9,]* inputs, none' $page | tr -dc 0-9)" = "$sum" ] || complain "the promise of the readers has another number of inputs than $sum"

n_commands=$("$program" --help | sed -n '/^Commands:/,/^Options:/s/^  \([a-z]*\) .*/\1/p' | wc -l)
n_calls=$(grep -c '^    call ' tests/support/every_command.sh)
for row in valgrind traced; do
    grep -F "\`$row\`" $page | grep -q "$n_calls calls of all $n_commands commands" ||
        complain "\`$row\` makes $n_calls calls of all $n_commands commands; its row says otherwise"
done
grep -F '`failing_memory`' $page | grep -q "all $n_commands commands" || complain "failing_memory tries all $n_commands commands; its row says otherwise"
[ $failed -eq 0 ] && echo "$n_rows promises, each with tests that there are"
exit $failed
