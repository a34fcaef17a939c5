#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do pages work as they are written? Follows each in an empty folder: writes the block behind "File `PATH`:", adds the one
# behind "Line in `PATH`:", puts that behind "Line below `LINE` in `PATH`:" there, runs blocks of ```sh and indented lines of
# 'bnbench ...', line by line, and looks for each line of a block of ```text in what the commands before it printed; …
# stands there for what differs from run to run. Skipped (77) where a page imports bnbench into Python and Debian's
# python3-cffi or python3-pandas is missing.
#
#     follow.sh BUILD SOURCE PAGE...
#
# With CHECKOUT=yes the folder is SOURCE itself, as it was cloned, and './bootstrap run' is what builds it.
# With PICTURES=FOLDER the pictures that a page shows and its commands draw are copied there.
set -eu
build=$1 source=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

mkdir -p "$scratch/bin"
ln -s /usr/bin/python3 "$scratch/bin/python3"
ln -s "$build/bnbench" "$scratch/bin/bnbench"
if grep -q '^import bnbench$' "$@"; then
    /usr/bin/python3 -c 'import cffi, pandas' 2>/dev/null || { echo "skipped: no python3-cffi or no python3-pandas"; exit 77; }
    mkdir -p "$scratch/python/bnbench/_files/lib"
    cp -R "$source/bindings/python/src/bnbench" "$scratch/python/"
    ln -s "$build/libbnbench.so.0" "$scratch/python/bnbench/_files/lib/"
    /usr/bin/python3 "$source/bindings/python/make_api.py" "$source/library/bnbench.h" "$scratch/python/bnbench/_api.py" >/dev/null
fi
unset BNBENCH_NETWORKS BNBENCH_DATASETS XDG_CACHE_HOME COLUMNS
export BNBENCH_SHARE="$source" BNBENCH_CACHE="$scratch/cache" PATH="$scratch/bin:$PATH" PYTHONPATH="$scratch/python" PYTHONDONTWRITEBYTECODE=1
export BNB_PROGRAM="$build/bnbench" CPATH="$source/library" LIBRARY_PATH="$build" LD_LIBRARY_PATH="$build"

# A page as a script. What needs a server, a checkout or a build of its own is left out.
script_of() { # page
    awk -v checkout="${CHECKOUT:-}" '
        function run(line) {
            sub(/   +.*/, "", line)
            if (line == "./bootstrap run" && !checkout) line = "bnbench run quickstart" # what it does when all is built
            if (line ~ /^(\.\/bootstrap (test|build|tools)|(cmake|ctest|pip) )/ || line ~ /(networks|datasets) fetch/ || line == "") return
            print "run " quote(line)
            n++
        }
        function quote(text) { gsub(/\047/, "\047\\\047\047", text); return "\047" text "\047" }
        /^File `.*`:$/    { split($0, part, "`"); target = part[2]; print "mkdir -p \"$(dirname " quote(target) ")\"; : >" quote(target); next }
        /^Line in `.*`:$/ { split($0, part, "`"); target = part[2]; next }
        /^Line below `.*` in `.*`:$/ { split($0, part, "`"); target = part[4]; above = part[2]; next }
        /^```/ && !inside { inside = substr($0, 4); if (inside == "") inside = "plain"; if (inside == "text") print ": >\"$expected\""; next }
        /^```/            { if (inside == "text") print "look"; inside = ""; target = ""; next }
        inside && above != "" { print "insert " quote(target) " " quote(above) " " quote($0); above = target = ""; n++; next }
        inside && target != ""  { print "printf \"%s\\n\" " quote($0) " >>" quote(target); n++; next }
        inside == "sh"    { run($0); next }
        inside == "text"  { print "printf \"%s\\n\" " quote($0) " >>\"$expected\""; next }
        !inside && /^    (bnbench|\.\/bootstrap) / { run(substr($0, 5)) }
        END { exit n == 0 }
    ' "$1"
}

# 1 is an answer of two commands that compare times, and of one that lists what it could not take over.
run() { # command
    case $1 in 'export '*) eval "$1"; return ;; esac
    answer=0
    (eval "$1") >>"$printed" 2>"$errors" || answer=$?
    case $answer:$1 in
    0:* | 1:'bnbench diff '* | 1:'bnbench nightly '* | 1:'bnbench import '*) cat "$errors" >>"$printed" ;;
    *) echo "'$1' ends with status $answer:"; cat "$errors"; exit 1 ;;
    esac
}

insert() { # file, the line above, line
    awk -v above="$2" -v line="$3" '{ print } $0 == above { print line; n++ } END { exit n != 1 }' "$1" >"$1.new" ||
        { echo "$1 has no line '$2', or several"; exit 1; }
    mv "$1.new" "$1"
}

look() {
    awk '
        function pattern(line) { gsub(/[][\\.*+?(){}|^$]/, "\\\\&", line); gsub(/…/, ".*", line); gsub(/ +/, " +", line); return "^ *" line " *$" }
        NR == FNR { said[++n] = $0; next }
        $0 != "" && $0 != "…" {
            wanted = pattern($0)
            for (i = 1; i <= n && said[i] !~ wanted; i++) {}
            if (i > n) { print "not printed: " $0; missing = 1 }
        }
        END { exit missing }
    ' "$printed" "$expected" || { echo "but:"; cat "$printed"; exit 1; }
    : >"$printed"
}

for page in "$@"; do
    printed=$scratch/printed errors=$scratch/errors expected=$scratch/expected
    script_of "$page" >"$scratch/script" || { echo "$page has nothing to follow"; exit 1; }
    : >"$printed"
    folder=$scratch/$(basename "$page" .md)
    if [ "${CHECKOUT:-}" ]; then folder=$source; else mkdir "$folder" && ln -s "$source/experiments" "$folder/experiments"; fi
    (cd "$folder" && . "$scratch/script") || { echo "$page is not as it says"; exit 1; }
    if [ "${PICTURES:-}" ]; then
        grep -o '](img/[^)]*' "$page" | sed 's/.*\///' | while read -r name; do
            find "$folder" -name "${name#*gallery-}" -exec cp {} "$PICTURES/$name" \;
        done
    fi
    echo "$page: followed"
done
