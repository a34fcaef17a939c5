/* SPDX-License-Identifier: GPL-3.0-or-later */
/** BIF, the interchange format of Bayesian networks as the bnlearn repository writes it (Cozman 1998, version 0.15). */
#ifndef BNB_GENERATORS_BIF_H
#define BNB_GENERATORS_BIF_H

#include "core/bayes_net.h"
#include "core/text.h"

/**
 * Reads a network (plain or gzip, "-" for standard input). Every construct of the format (specs: generators, section 1).
 * Rows within 1e-4 of one are scaled to one; `*n_scaled` (may be NULL) counts those that were off by more than 1e-6.
 * The network's name is that of the file without folder and endings, or the one in `network NAME` when it is not "unknown".
 * @return STATUS_PARSE: "line:column: what was expected, found ..." behind the path. STATUS_MEMORY: a table too large.
 */
BNB_MUST_CHECK status bif_read(const char *path, bayes_net **out, size_t *n_scaled, error_info *err);
BNB_MUST_CHECK status bif_parse(const char *text, size_t length, const char *name, bayes_net **out, size_t *n_scaled,
                                error_info *err);

/**
 * Appends the network as BIF; reading it gives the same network, number for number.
 * `comment` (may be NULL): lines for the top of the file, each written behind "// ".
 */
void bif_append(const bayes_net *net, const char *comment, text_buffer *out);
BNB_MUST_CHECK status bif_write(const bayes_net *net, const char *path, const char *comment, error_info *err);

#endif
