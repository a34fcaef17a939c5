/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A page of docs/, made of what `bench measure` found on a machine. */
#ifndef BNB_BENCH_SUITE_PAGE_H
#define BNB_BENCH_SUITE_PAGE_H

#include "bench/suite/sheet.h"
#include "core/base/json.h"

/** Of other pages that lie beside it, all those of which the names begin like this are named at the top of a page. */
#define PAGE_NAME "performance"

/**
 * Writes `folder`/`name`.md, and its plots into `folder`/img (those that there are stay where there is no
 * gnuplot, with a remark on standard error).
 * @param bounds  what bounds a row, and the profile that showed it: level,group,data,learner,bound,profile; an empty
 *                field is any
 * @param peers   what other programs took, and how many times as fast this one was asked to be; nothing else of it is
 *                read, as the figures are in `measured`
 */
BNB_MUST_CHECK status page_write(const json_t *measured, const sheet *bounds, const sheet *peers, const char *folder,
                                 const char *name, error_info *err);

#endif
