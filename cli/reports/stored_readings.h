/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The readings of an experiment that its store has results of, and what a reproduction is made of with them. */
#ifndef BNB_CLI_REPORTS_STORED_READINGS_H
#define BNB_CLI_REPORTS_STORED_READINGS_H

#include "report/report_input.h"
#include "report/reproduction/reproduction.h"

/** Zero-initialise. */
typedef struct {
    size_t n;
    report_input *inputs;
    reproduction_reading *readings;
} stored_readings;

BNB_MUST_CHECK status stored_readings_read(const char *store_folder, const experiment_outputs *o, stored_readings *out,
                                           error_info *err);
void stored_readings_clear(stored_readings *r);

/** Borrows all of them. */
reproduction_input stored_reading_input(const report_input *base, const stored_readings *readings,
                                        const char *published_folder);

#endif
