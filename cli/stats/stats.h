/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the kinds of `bnbench stats` share: the table, the columns meant, and options that are numbers. */
#ifndef BNB_CLI_STATS_STATS_H
#define BNB_CLI_STATS_STATS_H

#include "cli/base/command.h"
#include "store/number_table.h"

typedef struct {
    cli *c;
    number_table table;
    size_t n_columns;
    size_t *columns; /* --columns in the order typed, else all */
    double alpha;
} stats_call;

/** The columns meant, row-major with n_columns a row, without rows that lack a value where `drop_missing`. */
typedef struct {
    size_t n_rows, n_dropped;
    double *values;
    size_t *rows; /* of the table */
} stats_values;

BNB_MUST_CHECK status stats_take_values(stats_call *s, bool drop_missing, stats_values *out, error_info *err);
void stats_values_clear(stats_values *v);

/** STATUS_PARSE where a value is missing: a sentence with the file, its place and what to do about it. */
BNB_MUST_CHECK status stats_refuse_missing(stats_call *s, const char *advice, error_info *err);

/** The name of column i of those meant. */
const char *stats_column_name(const stats_call *s, size_t i);

/** A row's name, or "row 3". */
void stats_append_row_name(const stats_call *s, size_t row, text_buffer *out);

/** The value of a choice option as its position in "a|b|c"; `initial` where it was not given. */
BNB_MUST_CHECK status stats_choice(cli *c, const char *name, const char *choices, int initial, int *out,
                                   error_info *err);

/** "p = 0.0123", in four significant digits, from its log where the number itself underflows. */
void stats_append_p(text_buffer *out, double p_value, double log_p);

/** Four significant digits, a number as such. */
void stats_append_number(text_buffer *out, double value);

/** One kind: its file is read, its columns chosen. */
typedef status (*stats_run)(stats_call *s, error_info *err);
status stats_wilcoxon(stats_call *s, error_info *err);
status stats_friedman(stats_call *s, error_info *err);
status stats_nemenyi(stats_call *s, error_info *err);
status stats_ranks(stats_call *s, error_info *err);
status stats_adjust(stats_call *s, error_info *err);
status stats_describe(stats_call *s, error_info *err);

#endif
