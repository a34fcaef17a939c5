/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What stores of papers' experiments say of the papers: a report each, one reason of it, a page of verdicts. */
#ifndef BNB_CLI_REPORTS_REPRODUCTIONS_H
#define BNB_CLI_REPORTS_REPRODUCTIONS_H

#include "cli/base/command.h"

/** Writes the reproduction report of a store to `path`, "-" for `c->out`. */
BNB_MUST_CHECK status reproductions_write(cli *c, const char *store_folder, const char *path, error_info *err);

/**
 * The page of verdicts on the tables of several stores: HTML into a file that ends so, else Markdown; NULL for
 * `c->out`.
 * @param problems a line for each experiment that the page would hold and cannot
 */
BNB_MUST_CHECK status reproductions_write_verdicts(cli *c, const char *const *store_folders, size_t n,
                                                   const char *const *problems, size_t n_problems, const char *path,
                                                   error_info *err);

/** Prints what a reason of the experiment covers, beside the readings that show it. */
BNB_MUST_CHECK status reproductions_print_reason(cli *c, const char *store_folder, const char *reason, error_info *err);

#endif
