#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The recipes of contrib/ ask for what CMake and bootstrap ask for, and bear one version; those that dist fills in are read by
# Python's YAML and by Ruby where these are there: recipes.sh SOURCE VERSION
set -eu
cd -- "$1"
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
same() { # what, file, file
    diff "$2" "$3" || { echo "$1"; exit 1; }
}
words() { # one a line, sorted
    tr ' ' '\n' | sed '/^$/d' | sort
}

# Libraries: CMakeLists.txt, bootstrap, conda, Homebrew.
sed -n 's/^pkg_check_modules([A-Z]* REQUIRED IMPORTED_TARGET \(.*\))$/\1/p' CMakeLists.txt | words >"$scratch/cmake"
[ "$(wc -l <"$scratch/cmake")" -ge 9 ]
sed -n "/^build_needs='$/,/^'$/p; /^run_needs='$/,/^'$/p" bootstrap | grep '|' >"$scratch/needs"
sed -nE 's/^[^|]*\|(library|serial) ([^|]*)\|.*/\2/p' "$scratch/needs" | words >"$scratch/bootstrap"
same "CMakeLists.txt (<) and bootstrap (>) ask for different libraries" "$scratch/cmake" "$scratch/bootstrap"
sed -n '/^  host:$/,/^  run:$/s/^    - [a-z0-9]* *# //p' contrib/conda/meta.yaml.in | words >"$scratch/conda"
same "CMakeLists.txt (<) and the conda recipe (>) ask for different libraries" "$scratch/cmake" "$scratch/conda"
sed -n 's/^  depends_on "[^"]*" # //p' contrib/homebrew/bnbench.rb.in | words >"$scratch/brew"
same "CMakeLists.txt (<) and the Homebrew formula (>) ask for different libraries" "$scratch/cmake" "$scratch/brew"

# Debian: what builds, but for what every Debian that builds packages has; what is wanted beside the program, everywhere alike.
sed -n '/^Build-Depends:/,/^$/p' contrib/debian/control | tr -d ',' | sed 's/^Build-Depends://; s/([^)]*)//g' | words |
    grep -v debhelper >"$scratch/control"
cut -d '|' -f 1 "$scratch/needs" | grep -vxE 'gcc|libc6-dev|ca-certificates|gnuplot-nox|graphviz' | words >"$scratch/debian"
same "bootstrap (<) and contrib/debian/control (>) ask for different packages" "$scratch/debian" "$scratch/control"
recommended='gnuplot-nox, graphviz, ca-certificates'
[ "$(grep -cE 'gnuplot-nox|graphviz|ca-certificates' "$scratch/needs")" -eq 3 ]
grep -qx "Recommends: $recommended" contrib/debian/control
grep -q "RECOMMENDS \"$recommended\"" cmake/package.cmake
# Libraries that are loaded by name, which no tool finds in a program: program and library depend on them.
late='libcurl4 | libcurl4t64, libxml2 | libxml2-16'
[ "$(grep -c "^Depends: .*, $late," contrib/debian/control)" -eq 2 ]
grep -q "^set(late \"$late\")" cmake/package.cmake
[ "$(grep -c 'PACKAGE_DEPENDS ".*, ${late}")$' cmake/package.cmake)" -eq 2 ]

# Docker's steps are Apptainer's.
sed -n 's/^RUN //p' contrib/docker/Dockerfile >"$scratch/docker"
[ "$(wc -l <"$scratch/docker")" -eq 3 ]
sed -n '/^%post$/,/^$/s/^    //p' contrib/apptainer/bnbench.def >"$scratch/apptainer"
same "the Dockerfile (<) and the Apptainer definition (>) take different steps" "$scratch/docker" "$scratch/apptainer"
grep -q "$(echo "$recommended" | tr -d ,)" "$scratch/docker"

# One version: that of the tag where the commit has one.
number=$(sed -n 's/^set(BNB_NUMBER \(.*\))$/\1/p' cmake/version.cmake)
[ "$number" = "$2" ] || { echo "the commit's tag is v$2; cmake/version.cmake says $number"; exit 1; }
grep -qx "version = \"$number\"" bindings/python/pyproject.toml
sed -n 1p contrib/debian/changelog | grep -qF "bnbench ($number-1)"

# As dist writes them.
git -C . rev-parse HEAD >/dev/null 2>&1 || { echo "recipes agree; not filled in: this is no git clone"; exit 0; }
sh cmake/dist.sh . "$scratch/dist" "$number" >/dev/null
sum=$(sha256sum "$scratch/dist/bnbench-$number.tar.gz" | cut -d ' ' -f 1)
grep -qx "  sha256: $sum" "$scratch/dist/meta.yaml"
grep -qx "  sha256 \"$sum\"" "$scratch/dist/bnbench.rb"
if grep -n '@[A-Z0-9]*@' "$scratch/dist/meta.yaml" "$scratch/dist/bnbench.rb"; then exit 1; fi
if /usr/bin/python3 -c 'import jinja2, yaml' 2>/dev/null; then
    /usr/bin/python3 -c '
import sys, jinja2, yaml
with open(sys.argv[1]) as file:
    recipe = yaml.safe_load(jinja2.Template(file.read()).render(compiler=str, stdlib=str))
assert recipe["package"] == {"name": "bnbench", "version": sys.argv[2]}, recipe["package"]
assert len(recipe["requirements"]["host"]) >= 9 and recipe["source"]["url"].endswith(f"bnbench-{sys.argv[2]}.tar.gz")
' "$scratch/dist/meta.yaml" "$number"
else
    echo "the conda recipe was not parsed: no python3-jinja2 or no python3-yaml"
fi
if command -v ruby >/dev/null; then
    ruby -wc "$scratch/dist/bnbench.rb"
else
    echo "the formula was not parsed: no ruby"
fi
