/* SPDX-License-Identifier: GPL-3.0-or-later */
/** BIF, the interchange format of Bayesian networks as the bnlearn repository writes it (Cozman 1998, version 0.15). */
#ifndef BNB_GENERATORS_NETWORKS_BIF_H
#define BNB_GENERATORS_NETWORKS_BIF_H

#include "core/base/text.h"
#include "core/models/bayes_net.h"

#include <stdbool.h>

/** `table` for a variable with parents: writers disagree on the order of the numbers, so it must be named. */
typedef enum {
    BIF_TABLE_REFUSED,
    BIF_TABLE_CHILD_FASTEST,      /* child, first parent, ...: the first index varies fastest */
    BIF_TABLE_LAST_PARENT_FASTEST /* the last index varies fastest, the child slowest */
} bif_table_order;

/** Zero-initialise for the defaults. */
typedef struct {
    bif_table_order table_order;
    bool last_row_wins; /* two rows for one configuration: the last one counts, instead of an error */
} bif_options;

/**
 * Reads a network (plain or gzip, "-" for standard input). Every construct of the format: comments, quoted names,
 * properties, `table`, rows by state names in any order, `default`, and `probability ( child, parent )` without '|'.
 * Rows within 1e-4 of one are scaled to one, those within 1e-10 are taken as they are (so that what was written reads
 * back unchanged); `*n_scaled` (may be NULL) counts those that were off by more than 1e-6.
 * The network's name is that of the file without folder and endings, or the one in `network NAME` when it is not
 * "unknown".
 * @return STATUS_PARSE: "line:column: what was expected, found ..." behind the path; so also tables past
 *         BAYES_NET_MAX_CELLS or, all together, past 2^24 + 64 cells a byte of the text, before they are allocated.
 *         STATUS_MISSING, STATUS_IO, STATUS_INVALID, STATUS_MEMORY as file_read.
 */
BNB_MUST_CHECK status bif_read(const char *path, bayes_net **out, size_t *n_scaled, error_info *err);
BNB_MUST_CHECK status bif_parse(const char *text, size_t length, const char *name, bayes_net **out, size_t *n_scaled,
                                error_info *err);
BNB_MUST_CHECK status bif_parse_with(const bif_options *options, const char *text, size_t length, const char *name,
                                     bayes_net **out, size_t *n_scaled, error_info *err);

/**
 * Appends the network as BIF; reading it gives the same network, number for number.
 * `comment` (may be NULL): lines for the top of the file, each written behind "// ".
 */
void bif_append(const bayes_net *net, const char *comment, text_buffer *out);

/** STATUS_INVALID where a name cannot be written (it needs quotes and holds one, or a line end). STATUS_IO. */
BNB_MUST_CHECK status bif_write(const bayes_net *net, const char *path, const char *comment, error_info *err);

#endif
