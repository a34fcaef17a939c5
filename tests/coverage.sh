#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How much of the library and of the commands the tests reach, after
#     cmake --preset coverage && cmake --build --preset coverage && ctest --preset coverage
# coverage.sh [LEAST]: a line for each file with less than 85% of its lines, then a line for each room and the whole, in
# lines and in branches. Status 1 where the library has less than LEAST percent of its lines (92).
set -eu
cd -- "$(dirname -- "$0")/.."
least=${1:-92}
command -v gcov >/dev/null 2>&1 || { echo 'skipped: there is no gcov (Debian: gcc)'; exit 77; }
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
find build/coverage/CMakeFiles/bnb.dir build/coverage/CMakeFiles/bnbench.dir -name '*.gcno' | sort >"$scratch/objects"
(cd -- "$scratch" && sed "s|^|$root/|" objects | xargs gcov -n -b) 2>/dev/null >"$scratch/said" || true
awk -v root="$root/" -v least="$least" '
    function percent(part, whole) { return whole ? 100 * part / whole : 100 }
    function count(text) { sub(/.* of /, "", text); return text + 0 }
    function share(text) { sub(/^[^:]*:/, "", text); sub(/%.*/, "", text); return text + 0 }
    function row(name, l) { return sprintf("%-44s %6.1f%% of %5d lines  %6.1f%% of %5d branches", name, percent(hit[l], lines[l]),
                                           lines[l], percent(taken[l], branches[l]), branches[l]) }
    /^File / { file = $0; sub(/^File ./, "", file); sub(/.$/, "", file); sub("^" root, "", file); used = file ~ /\.c$/ && !(file in seen) }
    /^Lines executed/ && used { n = count($0); lines[file] += n; hit[file] += share($0) * n / 100; seen[file] = 1 }
    /^Taken at least once/ && used { n = count($0); branches[file] += n; taken[file] += share($0) * n / 100; used = 0 }
    END {
        for (file in seen) {
            room = file
            sub(/\/.*/, "", room)
            for (i = 1; i <= 2; i++) {
                sum = i == 1 ? room : room == "cli" ? "commands" : "library"
                lines[sum] += lines[file]; hit[sum] += hit[file]; branches[sum] += branches[file]; taken[sum] += taken[file]
                sums[sum] = 1
            }
            if (percent(hit[file], lines[file]) < 85)
                print row(file, file) | "sort"
        }
        close("sort")
        for (sum in sums)
            if (sum != "library" && sum != "commands" && sum != "cli")
                print row(sum "/", sum) | "sort"
        close("sort")
        print row("commands (cli/)", "commands")
        print row("library", "library")
        exit !(percent(hit["library"], lines["library"]) >= least)
    }' "$scratch/said"
