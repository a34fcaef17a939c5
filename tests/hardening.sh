#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the build is to have put into the program: hardening.sh PROGRAM LIBRARY [fortified] [cet]. Skipped without readelf.
set -u
program=$1 library=$2
shift 2
command -v readelf >/dev/null 2>&1 || { echo 'skipped: there is no readelf (Debian: binutils)'; exit 77; }
failed=0
expect() { # what it means, pattern, readelf's words...
    meaning=$1 pattern=$2
    shift 2
    if readelf -W "$@" 2>/dev/null | grep -Eq "$pattern"; then
        printf 'ok: %s\n' "$meaning"
    else
        printf 'MISSING: %s (readelf %s has no %s)\n' "$meaning" "$*" "$pattern"
        failed=1
    fi
}
expect 'it is loaded at a random place' 'Type: +DYN \(Position-Independent' -h "$program"
expect 'tables of the linker are read-only' 'GNU_RELRO' -l "$program"
expect '... all of them, for every symbol is bound at the start' 'BIND_NOW|Flags: NOW' -d "$program"
expect 'no stack is executable' 'GNU_STACK.* RW +0x' -l "$program"
expect 'a broken stack frame ends it' '__stack_chk_fail' --dyn-syms "$program"
for part; do
    case $part in
    fortified) expect 'copies and prints know the size of where they write' '__(memcpy|snprintf|vsnprintf)_chk' --dyn-syms "$program" ;;
    cet)
        expect 'returns may be checked by a shadow stack' 'x86 feature:.*SHSTK' -n "$program"
        expect 'indirect calls of ours land where they may' 'x86 feature:.*IBT' -n "$library"
        n_all=$(readelf -h "$library" 2>/dev/null | grep -c '^File:')
        n_marked=$(readelf -n "$library" 2>/dev/null | grep -c 'x86 feature:.*IBT')
        [ "$n_all" -eq "$n_marked" ] || { printf 'MISSING: only %s of %s objects are so\n' "$n_marked" "$n_all"; failed=1; }
        ;;
    esac
done
exit $failed
