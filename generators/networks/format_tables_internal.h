/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What writers share. */
#ifndef BNB_GENERATORS_NETWORKS_FORMAT_TABLES_INTERNAL_H
#define BNB_GENERATORS_NETWORKS_FORMAT_TABLES_INTERNAL_H

#include "core/base/text.h"
#include "core/models/bayes_net.h"

/** One row with `between` between its numbers: the one that has this place where the last parent varies fastest. */
void table_append_row(const bayes_net *net, size_t node, size_t place, const char *between, text_buffer *out);

/** As many of the sign, ( or ), as parents begin anew at the row `j`, and one more for the row itself. */
void table_append_parentheses(const bayes_net *net, size_t node, size_t j, const char *sign, text_buffer *out);

/** A name as NAME_LINE takes it, in quotes, with a backslash in front of quotes and backslashes. */
void name_append_quoted(const char *name, text_buffer *out);

/** A text as JSON, in quotes. */
void json_append_text(const char *text, text_buffer *out);

#endif
