#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do the pages of docs/adding/ say all that is needed? Follows a page in a scratch copy of the sources: writes each block that
# stands behind "File `PATH`:", adds each that stands behind "Line in `PATH`:", builds, and runs the commands behind "Seen:".
#
#     tests/adding_steps.sh SOURCES PAGE...
set -eu

sources=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
copy=$scratch/copy
mkdir "$copy"
(cd -- "$sources" && tar cf - --exclude=./build --exclude=./.git --exclude=./stores --exclude=node_modules .) | tar xf - -C "$copy"

# A block of a page goes to the file that the line before it names.
follow() { # page
    awk -v root="$copy" -v seen="$scratch/seen.sh" '
        /^File `.*`:$/    { split($0, part, "`"); target = root "/" part[2]; printf "" > target; n++; next }
        /^Line in `.*`:$/ { split($0, part, "`"); target = root "/" part[2]; n++; next }
        /^Seen:$/         { target = seen; n++; next }
        /^```/ && target != "" { if (inside) { close(target); target = "" } inside = !inside; next }
        inside            { print >> target }
        END               { exit n < 3 }
    ' "$1"
}

printf 'set -eu\n' >"$scratch/seen.sh"
for page in "$@"; do
    follow "$copy/$page" || { echo "$page has no steps that this test can follow"; exit 1; }
done
cmake -S "$copy" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
cmake --build "$scratch/build" --target bnbench >"$scratch/log" 2>&1 || { grep -E 'error|warning' "$scratch/log"; exit 1; }
cd -- "$scratch"
PATH=$scratch/build:$PATH BNBENCH_SHARE=$copy sh -ex "$scratch/seen.sh" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
cat "$scratch/log"
