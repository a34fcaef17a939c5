/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench stats: rank statistics of a table of numbers. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"
#include "cli/stats/stats.h"

#include "metrics/statistics/p_adjust.h"
#include "metrics/statistics/wilcoxon.h"

#include <stdlib.h>
#include <string.h>

static const arg_option options[] = {
    {"columns", 0, "A,B,...",
     "the columns meant, in this order; by default all that hold numbers;\na name with a comma stands in quotes"},
    {"alpha", 0, "A", "the level of significance (0.05)"},
    {"alternative", 0, "SIDE", "wilcoxon: " WILCOXON_SIDE_CHOICES "; greater: A tends to\nexceed B (two-sided)"},
    {"zeros", 0, "HOW", "wilcoxon, pairs without a difference: " WILCOXON_ZEROS_CHOICES " (drop)"},
    {"method", 0, "METHOD",
     "wilcoxon: " WILCOXON_METHOD_CHOICES "; auto is exact with at\nmost 50 differences, no ties, no zeros"},
    {"no-correction", 0, NULL, "wilcoxon, normal: no correction for continuity"},
    {"drop-missing", 0, NULL, "wilcoxon, describe: leave out rows without a value"},
    {"more-is-better", 0, NULL, "friedman, nemenyi, ranks: rank 1 is the largest value"},
    {"failures", 0, "HOW", "friedman, nemenyi, ranks, rows without a value:\nworst|drop-dataset (worst: ranked last)"},
    {"post-hoc", 0, "METHOD", "friedman: holm|bonferroni|bh|hochberg|by|nemenyi|none (holm)"},
    {"control", 0, "COLUMN", "friedman: compare with this column (the best)"},
    {"blocks", 0, "N", "friedman, nemenyi: the file holds one row, mean ranks over\nN data sets"},
    {"tests", 0, "N", "adjustments: the family has N tests, some of them not run"},
    {"quantiles", 0, "P,...", "describe: these quantiles (0.25,0.5,0.75)"},
    {"type", 0, "T", "describe: the type of quantile after Hyndman and Fan, 1 to 9 (7)"},
    {0},
};

static const struct {
    const char *name;
    stats_run run;
} kinds[] = {
    {"wilcoxon", stats_wilcoxon}, {"friedman", stats_friedman}, {"nemenyi", stats_nemenyi}, {"ranks", stats_ranks},
    {"holm", stats_adjust},       {"bonferroni", stats_adjust}, {"bh", stats_adjust},       {"hochberg", stats_adjust},
    {"by", stats_adjust},         {"describe", stats_describe},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

static status find_kind(const char *typed, stats_run *out, error_info *err) {
    const char *names[N_KINDS], *near;
    for (size_t i = 0; i < N_KINDS; i++) {
        names[i] = kinds[i].name;
        if (strcmp(names[i], typed) == 0) {
            *out = kinds[i].run;
            return STATUS_OK;
        }
    }
    near = text_nearest(typed, names, N_KINDS);
    return error_set(err, STATUS_INVALID, "unknown kind '%s'; %s%s%s", typed, near ? "did you mean '" : "it must be ",
                     near ? near : "wilcoxon, friedman, nemenyi, ranks, holm, bonferroni, bh, hochberg, by or describe",
                     near ? "'?" : "");
}

static status read_alpha(stats_call *s, error_info *err) {
    const char *typed = args_value(s->c->args, "alpha");
    s->alpha = 0.05;
    if (typed && (!text_to_double(typed, &s->alpha) || !(s->alpha > 0 && s->alpha < 1)))
        return error_set(err, STATUS_INVALID, "--alpha is '%s'; it must lie in (0, 1)", typed);
    return STATUS_OK;
}

static status unknown_column(const stats_call *s, const char *name, error_info *err) {
    const char *near = text_nearest(name, (const char *const *)s->table.columns, s->table.n_columns);
    return error_set(err, STATUS_INVALID, "there is no column '%s'%s%s%s", name, near ? "; did you mean '" : "",
                     near ? near : "", near ? "'?" : "");
}

static status add_column(void *self, const char *part, error_info *err) {
    stats_call *s = self;
    size_t column = number_table_column(&s->table, part);
    if (column == s->table.n_columns)
        return unknown_column(s, part, err);
    for (size_t i = 0; i < s->n_columns; i++) {
        if (s->columns[i] == column)
            return error_set(err, STATUS_INVALID, "--columns names '%s' twice", part);
    }
    s->columns[s->n_columns++] = column;
    return STATUS_OK;
}

static status choose_columns(stats_call *s, error_info *err) {
    const char *list = args_value(s->c->args, "columns");
    CHECK_ALLOC(s->columns = calloc(s->table.n_columns + 1, sizeof *s->columns));
    if (list)
        return cli_blame(s->c, BLAME_WORDS, input_list(list, add_column, s, err));
    for (size_t i = 0; i < s->table.n_columns; i++)
        s->columns[s->n_columns++] = i;
    return STATUS_OK;
}

static void clear(stats_call *s) {
    number_table_clear(&s->table);
    free(s->columns);
}

static status run(cli *c, error_info *err) {
    AUTO(clear) stats_call s = {.c = c};
    stats_run kind = NULL;
    CHECK(cli_blame(c, BLAME_WORDS, find_kind(c->args->words[0], &kind, err)));
    CHECK(cli_blame(c, BLAME_WORDS, read_alpha(&s, err)));
    CHECK(cli_blame(c, BLAME_INPUT, number_table_read(c->args->words[1], &s.table, err)));
    CHECK(choose_columns(&s, err));
    return kind(&s, err);
}

const command command_stats = {
    .run = run,
    .syntax =
        {.name = "stats",
         .words = "KIND FILE",
         .summary = "rank statistics of a table: wilcoxon, friedman, nemenyi, holm, ...",
         .details =
             "FILE is CSV with a header ('-' for standard input). The first column may hold names: it then has no "
             "number\n"
             "in it, or a header such as name, id or dataset.\n"
             "\n"
             "KIND  wilcoxon    signed-rank test of two paired columns, or of one column of differences\n"
             "      friedman    do the columns rank alike over the rows? With comparisons behind it\n"
             "      nemenyi     mean ranks, the critical difference, and who lies within it\n"
             "      ranks       the ranks of every row, and their means\n"
             "      holm, bonferroni, bh, hochberg, by\n"
             "                  adjusted p-values of the column p_value (or p, or the only one)\n"
             "      describe    n, mean, standard deviation, extremes and quantiles of every column\n"
             "\n"
             "An empty field, NA, NaN, n/a, -, failed, timeout and memory are no value. In ranks 1 is the best, by\n"
             "default the smallest; ties (1e-9 relative) share the mean of their ranks.",
         .examples = "  printf 'data,sgs3,ges,hc\\na,3,5,8\\nb,4,6,9\\nc,2,7,6\\nd,5,5,9\\ne,1,4,7\\n' > scores.csv\n"
                     "  bnbench stats wilcoxon scores.csv --columns sgs3,ges --alternative less\n"
                     "  bnbench stats friedman scores.csv --post-hoc holm --alpha 0.05 --json\n"
                     "  printf 'hc,chc,mmhc\\n2.6,1.3,2.1\\n' > ranks.csv\n"
                     "  bnbench stats friedman ranks.csv --blocks 16\n"
                     "  printf 'name,p_value\\na,0.01\\nb,0.04\\n' | bnbench stats holm -",
         .least_words = 2,
         .most_words = 2,
         .options = options},
};
