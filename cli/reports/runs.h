/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What `run`, `report` and `status` share: counts of cells in words, and the report of a store. */
#ifndef BNB_CLI_REPORTS_RUNS_H
#define BNB_CLI_REPORTS_RUNS_H

#include "cli/base/command.h"
#include "report/report.h"
#include "report/report_input.h"
#include "runner/runner.h"

/** "14 of 16 cells done, 1 failed, 1 hit the time limit" and a line end. */
void runs_append_counts(text_buffer *out, const run_counts *counts);

/** The counts as JSON, the keys of `status`; NULL without memory. */
json_t *runs_counts_object(const run_counts *counts);

/** For the tables of options of commands that make reports. */
#define RUNS_VERBOSE_OPTION                                                                                            \
    { "verbose", 'v', NULL, "name every file that is written, and every cell of a dry run" }

/** The lines of a text as an array; NULL without memory. */
json_t *runs_lines(const text_buffer *text);

/** FOLDER/NAME or FOLDER/NAME-PROFILE, where the results of an experiment go; folder NULL: stores. */
BNB_MUST_CHECK status runs_name_store(const char *folder, const char *name, const char *profile, char **out,
                                      error_info *err);

/** Which files a report writes. */
typedef struct {
    const char *folder;          /* NULL: STORE/report, of a reading STORE/report-ID */
    const char *reading;         /* NULL: the experiment as it is declared */
    const document_format *form; /* NULL: none */
    bool csv, plots, html;
    bool without_text;  /* the tables are not printed */
    bool with_policies; /* a table of every discretization policy, where the experiment declares none */
} report_files;

/**
 * Makes the report of a store by what its last run declared, or the last run of a reading: the tables go to `c->out`,
 * the files' names and the notes to `c->out` as well, or all into `answer` (an object) where that is not NULL.
 */
BNB_MUST_CHECK status runs_report(cli *c, const char *store_folder, const report_files *files, json_t *answer,
                                  error_info *err);

/**
 * Which part each best_of of a run chose how often: a line each, and an array of objects for `status`. Takes the
 * records out of the run.
 */
BNB_MUST_CHECK status runs_read_choices(stored_run *run, text_buffer *lines, json_t **out, error_info *err);

/** Whether standard output is a terminal that shows bold letters, and nobody asked for none. */
bool runs_want_bold(void);

#endif
