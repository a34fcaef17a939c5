#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The library as a user has it: installed under a prefix of its own, found by pkg-config and by CMake, its examples built and
# run against it.
#     installed.sh BUILD SOURCE
set -eu
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cmake --install "$1" --prefix "$scratch/usr" >/dev/null
lib=$(dirname "$(find "$scratch/usr" -name libbnbench.so)")

export PKG_CONFIG_PATH="$lib/pkgconfig" LD_LIBRARY_PATH="$lib"
[ "$(pkg-config --modversion bnbench)" = "$("$scratch/usr/bin/bnbench" --version | awk '{ print $2; exit }')" ]
for example in "$2"/library/examples/*.c; do
    name=$(basename "$example" .c)
    # shellcheck disable=SC2046 # several words
    "${CC:-cc}" -std=c11 -Wall -Wextra -Werror "$example" -o "$scratch/$name" \
        $(pkg-config --define-variable=prefix="$scratch/usr" --cflags --libs bnbench)
    "$scratch/$name" | tee "$scratch/$name.out"
    [ -s "$scratch/$name.out" ]
done
grep -q "structural Hamming distance" "$scratch/learn.out"
grep -q -- "rain -> wet" "$scratch/own_data.out"

# The library finds the networks that ship beside it, also where it lies one folder deeper, as in Debian.
mkdir -p "$scratch/deeper/lib/of-some-kind" "$scratch/deeper/share"
cp "$lib"/libbnbench.so.0 "$scratch/deeper/lib/of-some-kind/"
cp -R "$scratch/usr/share/bnbench" "$scratch/deeper/share/"
mv "$scratch/deeper/share/bnbench/networks/asia.bif" "$scratch/deeper/share/bnbench/networks/only_here.bif"
sed 's/"asia"/"only_here"/' "$2/library/examples/learn.c" >"$scratch/deeper.c"
# shellcheck disable=SC2046 # several words
"${CC:-cc}" "$scratch/deeper.c" -o "$scratch/runs-deeper" \
    $(pkg-config --define-variable=prefix="$scratch/usr" --cflags --libs bnbench)
(unset BNBENCH_SHARE BNBENCH_NETWORKS
    LD_LIBRARY_PATH=$scratch/deeper/lib/of-some-kind "$scratch/runs-deeper" | diff - "$scratch/learn.out")

mkdir "$scratch/project"
cat >"$scratch/project/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(example LANGUAGES C)
find_package(bnbench 0.1 REQUIRED)
add_executable(learn "$2/library/examples/learn.c")
target_link_libraries(learn PRIVATE bnbench::bnbench)
EOF
cmake -S "$scratch/project" -B "$scratch/project/build" -DCMAKE_PREFIX_PATH="$scratch/usr" >/dev/null
cmake --build "$scratch/project/build" >/dev/null
"$scratch/project/build/learn" | diff - "$scratch/learn.out"

# A C++ compiler takes the header.
if command -v "${CXX:-c++}" >/dev/null; then
    echo '#include <bnbench.h>' >"$scratch/header.cc"
    "${CXX:-c++}" -std=c++11 -Wall -Wextra -Werror -fsyntax-only -I "$scratch/usr/include" "$scratch/header.cc"
fi
