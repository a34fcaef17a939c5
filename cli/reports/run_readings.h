/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The readings of an experiment that `run --readings` asks for. */
#ifndef BNB_CLI_REPORTS_RUN_READINGS_H
#define BNB_CLI_REPORTS_RUN_READINGS_H

#include "cli/base/command.h"
#include "runner/runner.h"

/** Zero-initialise; owns all. */
typedef struct {
    size_t n;
    experiment *experiments; /* the experiment with each reading applied */
    run_counts *counts;      /* of the cells of each, those included that it shares with others */
} chosen_readings;

void chosen_readings_clear(chosen_readings *r);

/** What `list` names: "all", or ids with commas. STATUS_INVALID: none, or one that the experiment does not declare. */
BNB_MUST_CHECK status chosen_readings_read(const experiment *e, const char *list, chosen_readings *out,
                                           error_info *err);

/** Runs them one after the other, in the store of the experiment; cells that have a result there do not run again. */
BNB_MUST_CHECK status chosen_readings_run(cli *c, chosen_readings *r, const run_options *options, bool *interrupted,
                                          error_info *err);

/** Appends a line a reading that has begun: how many of its cells are done. */
void chosen_readings_append(const chosen_readings *r, text_buffer *out);

/** The same as JSON, an array; NULL without memory. */
json_t *chosen_readings_array(const chosen_readings *r);

/** Whether every cell of every reading is done. */
bool chosen_readings_are_complete(const chosen_readings *r);

#endif
