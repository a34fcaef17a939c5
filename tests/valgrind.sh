#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every command once under valgrind, the processes that it starts too: no invalid access, no use of what was never set, no
# leak. valgrind.sh PROGRAM. Skipped without valgrind.
set -u
tests=$(cd -- "$(dirname -- "$0")" && pwd) suppressions=$tests/valgrind.supp
command -v valgrind >/dev/null 2>&1 || { echo 'skipped: there is no valgrind (Debian: valgrind)'; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
export TMPDIR="$scratch"
. "$tests/support/every_command.sh"

check() { # expected status, command...
    expected=$1
    shift
    valgrind -q --trace-children=no --error-exitcode=99 --suppressions="$suppressions" --leak-check=full \
        --show-leak-kinds=definite --errors-for-leak-kinds=definite "$program" "$@" >"$scratch/answer" 2>"$scratch/errors"
    status=$?
    if [ $status -ne "$expected" ] || grep -q '^==[0-9]*== \(Invalid\|Conditional\|Use of\|Syscall param\)' "$scratch/errors"; then
        printf 'bnbench %s: status %s, expected %s\n' "$*" "$status" "$expected"
        grep '^==' "$scratch/errors" | head -n 30
        [ $status -eq 99 ] || tail -n 3 "$scratch/errors"
        failed=1
    fi
}

every_command "$1" "$scratch/folder"
[ $failed -eq 0 ] && printf 'valgrind: %s calls, clean:%s\n' "$n_calls" "$called"
exit $failed
