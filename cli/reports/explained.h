/* SPDX-License-Identifier: GPL-3.0-or-later */
/** An explanation of a figure in words, and as JSON. */
#ifndef BNB_CLI_REPORTS_EXPLAINED_H
#define BNB_CLI_REPORTS_EXPLAINED_H

#include "cli/base/command.h"
#include "report/explanation/explanation.h"
#include "report/report_input.h"

/** Prints it; `folder` is the store as it was typed, for the commands that are shown. */
BNB_MUST_CHECK status explained_print(const explained_figure *f, const report_input *in, const char *folder, cli *c,
                                      error_info *err);

BNB_MUST_CHECK status explained_put(const explained_figure *f, const report_input *in, const char *folder,
                                    json_t *object, error_info *err);

/** "regenerated when ...": the rule of a tolerance in words. */
void explained_append_rule(const table_tolerance *within, text_buffer *out);

/** How the figure is made of the values of its jobs, in words. */
void explained_append_making(const explained_figure *f, text_buffer *out);

/** What runs the job of that name again. */
void explained_append_repeat(const char *folder, const char *job, text_buffer *out);

/** The options of the figure's learners that differ from their defaults, by learner; `*out` is the caller's. */
BNB_MUST_CHECK status explained_changed_options(const explained_figure *f, const experiment *e, json_t **out,
                                                error_info *err);

#endif
