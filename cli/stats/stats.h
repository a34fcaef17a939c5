/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the kinds of `bnbench stats` share: the table, the columns meant, and options that are numbers. */
#ifndef BNB_CLI_STATS_STATS_H
#define BNB_CLI_STATS_STATS_H

#include "cli/base/command.h"
#include "metrics/statistics/rank_statistics.h"
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

/** The widest name of the columns meant, at least 6. */
int stats_name_width(const stats_call *s);

/** A row's name, or "row 3". */
void stats_append_row_name(const stats_call *s, size_t row, text_buffer *out);

/** The value of a choice option as its position in "a|b|c"; `initial` where it was not given. */
BNB_MUST_CHECK status stats_choice(cli *c, const char *name, const char *choices, int initial, int *out,
                                   error_info *err);

/** "p = 0.0123", in four significant digits, from its log where the number itself underflows. */
void stats_append_p(text_buffer *out, double p_value, double log_p);

/** Four significant digits, a number as such. */
void stats_append_number(text_buffer *out, double value);

/** Columns ranked in every row: what friedman, nemenyi and ranks start from. Arrays of k columns; zero-initialise but
 * for `s`. */
typedef struct {
    stats_call *s;
    size_t k, n_blocks;
    rank_rule rule;
    stats_values v;
    double *mean_ranks; /* k */
    size_t *order;      /* columns by mean rank, the best first */
    friedman_result test;
    int post_hoc;
    size_t control;
    double *z, *p, *adjusted; /* k; of the control 0, 1, 1 */
    double critical_difference;
    size_t n_groups;
    rank_group *groups;
} stats_ranking;

/** Ranks the columns as the options say, or takes the mean ranks of the only row with --blocks. */
BNB_MUST_CHECK status stats_rank_columns(stats_ranking *r, error_info *err);
void stats_ranking_clear(stats_ranking *r);

/** Puts `ranks` (by column) and `n`. */
BNB_MUST_CHECK status stats_put_ranks(json_t *answer, const stats_ranking *r, error_info *err);

/** A remark on missing values. */
void stats_say_missing(const stats_ranking *r);

/** One kind: its file is read, its columns chosen. */
typedef status (*stats_run)(stats_call *s, error_info *err);
status stats_wilcoxon(stats_call *s, error_info *err);
status stats_friedman(stats_call *s, error_info *err);
status stats_nemenyi(stats_call *s, error_info *err);
status stats_ranks(stats_call *s, error_info *err);
status stats_adjust(stats_call *s, error_info *err);
status stats_describe(stats_call *s, error_info *err);

#endif
