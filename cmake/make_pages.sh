#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Manual pages and completion as the program tells them: make_pages.sh PROGRAM FOLDER
set -eu
mkdir -p "$2/man" "$2/completion"
"$1" --help | sed -n '/^Commands:/,/^Options:/s/^  \([a-z]*\) .*/\1/p' | while read -r name; do
    "$1" man "$name" >"$2/man/bnbench-$name.1"
done
"$1" completion bash >"$2/completion/bnbench"
"$1" completion zsh >"$2/completion/_bnbench"
"$1" completion fish >"$2/completion/bnbench.fish"
"$1" man >"$2/man/bnbench.1"
