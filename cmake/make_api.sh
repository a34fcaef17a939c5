#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The reference of the library by Doxygen, in FOLDER/index.html: make_api.sh SOURCE FOLDER
set -eu
mkdir -p -- "$2"
folder=$(realpath -- "$2")
cd -- "$1"
{ cat cmake/Doxyfile; printf 'OUTPUT_DIRECTORY = "%s"\nHTML_OUTPUT = .\n' "$folder"; } | doxygen -
