/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Half of G2 is the sum of N log N over the cells, less those over either margin, plus n log n: what margins and level
 * give is a limit for the cells' sum, one for each column of the block and each kind of column that it meets.
 */
#include "metrics/tests/pair_screen.h"

#include "metrics/tests/ci_test_internal.h"
#include "metrics/tests/table_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A grade is a statistic, STEPS to one, rounded up; logs of its tails are kept by degrees of freedom. */
enum { STEPS = 32, MOST_DF = (PAIR_MOST_STATES - 1) * (PAIR_MOST_STATES - 1) };

enum { L = PAIR_BLOCK_COLUMNS, KINDS = PAIR_MOST_STATES + 1, MOST_CELLS = 1 << 16 };

/* What the cells' sum has to reach with columns of so many states, of which so many have rows; and what half of the
 * statistic is less than the sum, at least. */
typedef struct {
    float may_be[L], are[L], least_less[L];
} limits;

struct pair_screen {
    ci_test *test;
    const pair_tables *tables;
    const ci_margin *margins;
    pair_block block;
    limits *limits; /* by states of x, and by those with rows */
    bool is_known[KINDS * KINDS];
    uint32_t *cells;
    double *tails[MOST_DF + 1]; /* by degrees of freedom, then by grade; NULL before first use */
    const pair_column *columns;
    uint16_t *kinds; /* by column */
    bool has_grades;
    size_t bounded;                      /* column whose pairs were asked for bounds last, and: */
    const double *bounds[KINDS * KINDS]; /* by kind of the other, then by grade; NULL before first use */
    size_t x;                            /* counted last, and: */
    const limits *of_x;
    float shift;
};

status pair_screen_margins(const ci_test *test, const pair_tables *tables, ci_margin **out, error_info *err) {
    const pair_column *columns = pair_tables_columns(tables);
    size_t p = dataset_column_count(test->data);
    ci_margin *margins = calloc(p, sizeof *margins);
    CHECK_ALLOC(margins);
    for (size_t i = 0; i < p; i++)
        margins[i] = ci_test_margin(test, columns[i].margin, columns[i].n_states);
    *out = margins;
    return STATUS_OK;
}

void pair_screen_destroy(pair_screen *s) {
    if (!s)
        return;
    pair_block_clear(&s->block);
    for (size_t i = 0; i <= MOST_DF; i++)
        free(s->tails[i]);
    free(s->kinds);
    free(s->limits);
    free(s->cells);
    free(s);
}

/* Columns of one kind have the same limits with others. */
static size_t kind_of(const pair_column *c, const ci_margin *m) {
    return c->n_states * KINDS + m->n_seen;
}

/* Columns of more states than a kind has room for are in no block. */
static status find_kinds(pair_screen *s, error_info *err) {
    size_t p = dataset_column_count(s->test->data);
    CHECK_ALLOC(s->kinds = calloc(p + 1, sizeof *s->kinds));
    for (size_t i = 0; i < p; i++) {
        if (s->columns[i].bits)
            s->kinds[i] = (uint16_t)kind_of(&s->columns[i], &s->margins[i]);
    }
    return STATUS_OK;
}

status pair_screen_create(ci_test *test, const pair_tables *tables, const ci_margin *margins, pair_screen **out,
                          error_info *err) {
    AUTO_PTR(pair_screen_destroy) pair_screen *s = calloc(1, sizeof *s);
    CHECK_ALLOC(s);
    s->test = test;
    s->tables = tables;
    s->margins = margins;
    s->columns = pair_tables_columns(tables);
    s->has_grades = test->is_g2 && test->df != CI_DF_STECK; /* degrees of freedom are known without the table */
    CHECK_ALLOC(s->limits = aligned_alloc(64, KINDS * KINDS * sizeof *s->limits));
    CHECK_ALLOC(s->cells = calloc(MOST_CELLS, sizeof *s->cells));
    s->bounded = SIZE_MAX;
    CHECK(find_kinds(s, err));
    *out = TAKE(s);
    return STATUS_OK;
}

status pair_screen_begin(pair_screen *s, const size_t *columns, size_t n_columns, error_info *err) {
    for (size_t i = 0; i < KINDS * KINDS; i++)
        s->is_known[i] = false;
    CHECK(pair_block_begin(&s->block, s->tables, columns, n_columns, err));
    pair_block_turn(&s->block);
    return STATUS_OK;
}

/* The fewest and the most degrees of freedom of such a pair. */
typedef struct {
    double least, most;
} df_range;

static df_range find_df(const ci_test *t, size_t r_x, size_t r_y, const ci_margin *x, const ci_margin *y) {
    double full = (double)(r_x - 1) * (double)(r_y - 1), seen = ((double)x->n_seen - 1) * ((double)y->n_seen - 1);
    double most = full, least;
    if (t->df == CI_DF_ADJ || t->df == CI_DF_STECK)
        most = seen;
    if (t->df == CI_DF_SGS)
        most = full - (double)(r_x * r_y - x->n_seen * y->n_seen);
    least = t->df == CI_DF_STECK ? 1 : most; /* fewer where cells have no rows */
    return (df_range){fmax(least, 1), fmax(most, 1)};
}

/* Limits lie as far from the critical value as rounding could carry the sums; what is between them is judged. */
static void find_limits(pair_screen *s, size_t x, limits *out) {
    ci_test *t = s->test;
    size_t r_x = s->columns[x].n_states, r_y = s->block.n_states;
    double error = pair_block_error(s->tables, r_x * r_y);
    double all = whole_terms_value(&t->terms, t->terms.at[dataset_row_count(t->data)]);
    for (size_t i = 0; i < L; i++)
        out->may_be[i] = out->are[i] = out->least_less[i] = INFINITY;
    for (size_t i = 0; i < s->block.n_columns; i++) {
        const ci_margin *y = &s->margins[s->block.columns[i]];
        df_range df = find_df(t, r_x, r_y, &s->margins[x], y);
        double least = ci_test_critical_value(t, df.least), most = ci_test_critical_value(t, df.most);
        double margin = whole_terms_value(&t->terms, y->information) - all;
        bool is_tabulated = t->is_g2 && least > 0 && most > 0;
        out->may_be[i] = is_tabulated ? (float)(least * (1 - 1e-9) / 2 - error + margin) : -INFINITY;
        out->are[i] = is_tabulated ? (float)(most * (1 + 1e-9) / 2 + error + margin) : INFINITY;
        out->least_less[i] = (float)(margin - error);
    }
}

screened pair_screen_count(pair_screen *s, size_t x) {
    const ci_margin *margin = &s->margins[x];
    size_t kind = s->kinds[x];
    limits *l = &s->limits[kind];
    float shift = (float)whole_terms_value(&s->test->terms, margin->information);
    screened result;
    if (!s->is_known[kind]) {
        find_limits(s, x, l);
        s->is_known[kind] = true;
    }
    s->x = x;
    s->of_x = l;
    s->shift = shift;
    pair_block_count(&s->block, x);
    pair_block_compare(&s->block, shift, l->may_be, &result.may_be, l->are, &result.are);
    return result;
}

static association judge(pair_screen *s, size_t x, size_t y) {
    return ci_test_judge_pair(s->test, s->cells, s->columns[x].n_states, s->columns[y].n_states, &s->margins[x],
                              &s->margins[y]);
}

association pair_screen_judge(pair_screen *s, size_t lane) {
    pair_block_lay(&s->block, lane, s->cells);
    return judge(s, s->x, s->block.columns[lane]);
}

unsigned pair_screen_grade(const pair_screen *s, size_t lane) {
    double half = (double)s->block.sums[lane] - (double)s->shift - (double)s->of_x->least_less[lane];
    double grade = s->has_grades ? 2 * half * STEPS + 1 : 0;
    return grade < PAIR_MOST_GRADE + 1 ? (unsigned)grade : 0;
}

/* NULL without memory. */
static const double *find_tails(pair_screen *s, size_t df) {
    double *tails = s->tails[df];
    if (tails || !(tails = calloc(PAIR_MOST_GRADE + 1, sizeof *tails)))
        return tails;
    for (size_t i = 0; i <= PAIR_MOST_GRADE; i++)
        tails[i] = chi_square_log_tail((double)i / STEPS, (double)df) * (1 + 1e-9);
    return s->tails[df] = tails;
}

static const double *find_bounds(pair_screen *s, size_t x, size_t y) {
    df_range df = find_df(s->test, s->columns[x].n_states, s->columns[y].n_states, &s->margins[x], &s->margins[y]);
    return find_tails(s, (size_t)df.most);
}

double pair_screen_bound(pair_screen *s, size_t x, size_t y, unsigned grade) {
    const double **bounds = &s->bounds[s->kinds[y]];
    if (s->bounded != x)
        memset(s->bounds, 0, sizeof s->bounds);
    s->bounded = x;
    if (!*bounds)
        *bounds = find_bounds(s, x, y);
    return *bounds ? (*bounds)[grade] : -INFINITY; /* it may depend as much as can be */
}

association pair_screen_judge_alone(pair_screen *s, size_t x, size_t y) {
    pair_tables_count(s->tables, x, y, s->cells);
    return judge(s, x, y);
}

bool pair_screen_is_symmetric(const ci_test *test) {
    return test->is_g2;
}

bool pair_screen_takes(const pair_screen *s, size_t x, size_t y) {
    return (size_t)s->columns[x].n_states * s->columns[y].n_states <= MOST_CELLS;
}
