/* SPDX-License-Identifier: GPL-3.0-or-later */
/** docs/performance.md, made of what `bench measure` found. */
#ifndef BNB_BENCH_SUITE_PAGE_H
#define BNB_BENCH_SUITE_PAGE_H

#include "bench/suite/sheet.h"
#include "core/base/json.h"

/**
 * Writes `folder`/performance.md, and its plots into `folder`/img (those that there are stay where there is no
 * gnuplot, with a remark on standard error).
 * @param bounds  what bounds a row, and the profile that showed it: group,data,learner,bound,profile; an empty field
 *                is any
 */
BNB_MUST_CHECK status page_write(const json_t *measured, const sheet *bounds, const char *folder, error_info *err);

#endif
