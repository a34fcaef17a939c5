/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Rows of the plan measured: learners of bnbench in fresh processes, and other programs on the same files. */
#ifndef BNB_BENCH_SUITE_LEARNERS_H
#define BNB_BENCH_SUITE_LEARNERS_H

#include "bench/suite/sheet.h"
#include "core/base/json.h"

/** What every measurement needs. Borrows its texts. */
typedef struct {
    const char *profile, *program; /* of bnbench */
    const char *data, *scratch;    /* folders: data that stay, files that go */
    const char *source;            /* the folder of the sources, in which contrib/adapters lies */
    const char *tools;             /* the folder of the programs of bench/ */
    double most_peer_s;            /* elapsed seconds after which another program is ended */
} suite;

/** Appends the rows of the plan that the profile has, each an object; a note a row on standard error. */
BNB_MUST_CHECK status learners_measure(const suite *s, const sheet *plan, json_t *rows, error_info *err);

/**
 * Appends the peers' figures: measured now where the row has a command, and that program is installed and ends in time,
 * else those of the sheet with their date. Rows on data that the profile has no row of are left out.
 */
BNB_MUST_CHECK status peers_measure(const suite *s, const sheet *peers, const json_t *rows, json_t *out,
                                    error_info *err);

/** Whether the row of a plan is one of the profile's. */
bool suite_wants(const suite *s, const sheet *plan, size_t row);

#endif
