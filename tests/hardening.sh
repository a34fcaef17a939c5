#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the build is to have put into the program and the library: hardening.sh PROGRAM SHARED OBJECTS [fortified] [cet], of
# which OBJECTS is what both are made of. Skipped without readelf.
set -u
program=$1 shared=$2 library=$3
shift 3
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
for file in "$program" "$shared"; do
    expect 'tables of the linker are read-only' 'GNU_RELRO' -l "$file"
    expect '... all of them, for every symbol is bound at the start' 'BIND_NOW|Flags: NOW' -d "$file"
    expect 'no stack is executable' 'GNU_STACK.* RW +0x' -l "$file"
    expect 'a broken stack frame ends it' '__stack_chk_fail' --dyn-syms "$file"
done
for part; do
    case $part in
    fortified)
        for file in "$program" "$shared"; do
            expect 'copies and prints know the size of where they write' '__(memcpy|snprintf|vsnprintf)_chk' --dyn-syms "$file"
        done
        ;;
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
