#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The browser test, or 77 (which CTest shows as skipped) where what it needs is not installed.
# BNB_CHROMIUM names the browser, BNB_WEB_MODULES the folder in which `npm install` was run (this one by default),
# BNB_FILL_STORE the program fill_store of the build, BNB_WEB_STORE a store whose report is to be looked at besides.
here=$(dirname "$0")
skip() {
    echo "skipped: $1"
    exit 77
}
command -v node >/dev/null 2>&1 || skip "there is no node"
BNB_CHROMIUM=$(command -v "${BNB_CHROMIUM:-chromium}") || skip "there is no chromium (BNB_CHROMIUM names another)"
BNB_WEB_MODULES=${BNB_WEB_MODULES:-$here}
[ -d "$BNB_WEB_MODULES/node_modules/playwright-core" ] || skip "no playwright-core: npm install in tests/web"
export BNB_CHROMIUM BNB_WEB_MODULES
exec node "$here/report.mjs"
