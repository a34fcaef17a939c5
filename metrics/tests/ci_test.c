/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The evaluator in front of every test: the cache, the counters, the level. Tests on tables are computed here, all
 * parts of them in one walk over the table; sums for G2 are made of whole numbers (whole_terms), so that they do not
 * depend on the order of the cells.
 */
#include "metrics/tests/ci_test_internal.h"
#include "metrics/tests/table_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ci_test_destroy(ci_test *t) {
    if (!t)
        return;
    if (t->evaluator)
        t->evaluator->close(t->state);
    counts_destroy(t->counts);
    if (!t->borrows_terms)
        whole_terms_clear(&t->terms);
    answer_cache_clear(&t->answers);
    set_lattice_clear(&t->hub.own);
    if (!t->borrows_survey)
        pair_survey_clear(&t->survey);
    survey_rows_clear(&t->surveyed);
    ci_bounds_destroy(t->bounds);
    distinct_rows_destroy(t->rows);
    single_tests_destroy(t->singles);
    free(t->kinds);
    free(t->key);
    free(t->x_margin);
    free(t->y_margin);
    strata_clear(&t->strata);
    for (size_t i = 0; i < sizeof t->critical / sizeof *t->critical; i++)
        free(t->critical[i]);
    free(t->limits);
    free(t->n_states);
    free(t);
}

static status check_kind_of_data(const ci_test_kind *kind, const dataset *data, error_info *err) {
    int found = dataset_kind(data);
    if (kind->accepts & found)
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "%s takes data that are %s; these are %s; %s takes them", kind->name,
                     data_kinds_name(kind->accepts), data_kinds_name(found),
                     ci_test_kind_at(ci_test_usual_place(found))->name);
}

static status make_terms(ci_test *t, const ci_test *like, error_info *err) {
    if (!like)
        return whole_terms_init(&t->terms, dataset_row_count(t->data), err);
    t->terms = like->terms;
    t->borrows_terms = true;
    return STATUS_OK;
}

/* `like`: a test whose terms there are; NULL: none. */
static status open_tables(ci_test *t, const table_test_options *options, const ci_test *like, error_info *err) {
    t->min_rows = options->min_rows;
    CHECK_ALLOC(t->n_states = calloc(dataset_column_count(t->data) + 1, sizeof *t->n_states));
    for (size_t c = 0; c < dataset_column_count(t->data); c++)
        t->n_states[c] = (double)dataset_state_count(t->data, c);
    t->most_states = (double)dataset_most_states(t->data);
    t->df = options->df;
    t->is_g2 = t->kind->of_tables->is_g2;
    CHECK(like ? counts_create_twin(like->counts, &t->counts, err) : counts_create(t->data, &t->counts, err));
    CHECK(make_terms(t, like, err));
    CHECK_ALLOC(t->x_margin = calloc(dataset_most_states(t->data), sizeof *t->x_margin));
    CHECK_ALLOC(t->y_margin = calloc(dataset_most_states(t->data), sizeof *t->y_margin));
    return STATUS_OK;
}

bool ci_test_kind_has_twins(const ci_test_kind *kind) {
    return !kind->evaluator || kind->evaluator->twin;
}

static status open_evaluator(ci_test *t, const void *options, const run_context *ctx, const ci_test *like,
                             error_info *err) {
    return like ? t->evaluator->twin(like->state, &t->state, err)
                : t->evaluator->open(options, t->data, ctx, &t->state, err);
}

/* `like`: as ci_test_create_beside has it; NULL: none. */
static status create(const ci_test_kind *kind, const void *options, const dataset *data, const run_context *ctx,
                     const ci_test *like, statistics_count *tally, ci_test **out, error_info *err) {
    AUTO_PTR(ci_test_destroy) ci_test *t = NULL;
    double alpha = *(const double *)options; /* every test's options begin with it */
    if (!(alpha > 0 && alpha < 1))
        return error_set(err, STATUS_INVALID, "alpha is %g; it must lie in (0, 1)", alpha);
    CHECK(check_kind_of_data(kind, data, err));
    CHECK_ALLOC(t = calloc(1, sizeof *t));
    t->kind = kind;
    t->evaluator = kind->evaluator;
    t->alpha = alpha;
    t->data = data;
    t->tally = tally ? tally : &t->own_tally;
    CHECK(t->evaluator ? open_evaluator(t, options, ctx, like, err) : open_tables(t, options, like, err));
    t->focus = dataset_column_count(data);
    t->keeps_answers = !like;
    if (t->keeps_answers)
        CHECK(answer_cache_init(&t->answers, err));
    CHECK_ALLOC(t->key = calloc(dataset_column_count(data) + 2, sizeof *t->key));
    *out = TAKE(t);
    return STATUS_OK;
}

status ci_test_create(const ci_test_kind *kind, const void *options, const dataset *data, statistics_count *tally,
                      ci_test **out, error_info *err) {
    return create(kind, options, data, NULL, NULL, tally, out, err);
}

status ci_test_create_within(const ci_test_kind *kind, const void *options, const dataset *data, const run_context *ctx,
                             statistics_count *tally, ci_test **out, error_info *err) {
    return create(kind, options, data, ctx, NULL, tally, out, err);
}

status ci_test_create_beside(const ci_test *like, statistics_count *tally, ci_test **out, error_info *err) {
    table_test_options options = {like->alpha, like->min_rows, like->df};
    return create(like->kind, &options, like->data, NULL, like, tally, out, err);
}

/* What table_sums of a dense table are made of. */
typedef struct {
    double statistic;
    int64_t cells, with_x, with_y, alone;
    size_t rows, columns, crossings, observed_strata, positive; /* crossings: of rows and columns that have rows */
} dense_sums;

/* Margins of columns of so few states stay in registers. */
enum { FEW_STATES = 8 };

/*
 * One stratum (x is the extra column, y the first): margins, positive counts, and the statistic in one pass. Inlined
 * for each small r_y, so that the inner loops vanish.
 */
static inline __attribute__((always_inline)) void add_stratum_of(ci_test *t, const uint32_t *restrict cells, size_t r_x,
                                                                 size_t r_y, bool exact, dense_sums *restrict sum) {
    const int64_t *restrict term = t->terms.at;
    uint32_t few[FEW_STATES], n = 0;
    uint32_t *restrict x_margin = t->x_margin, *restrict y_margin = r_y <= FEW_STATES ? few : t->y_margin;
    size_t positive = 0, rows = 0, columns = 0;
    int64_t cell_terms = 0, x_terms = 0, y_terms = 0;
    for (size_t y = 0; y < r_y; y++)
        y_margin[y] = 0;
    for (size_t x = 0; x < r_x; x++) {
        uint32_t margin = 0;
        for (size_t y = 0; y < r_y; y++) {
            uint32_t count = cells[x * r_y + y];
            margin += count;
            y_margin[y] += count;
            positive += count > 0;
            cell_terms += term[count];
        }
        if (exact)
            x_margin[x] = margin;
        n += margin;
        rows += margin > 0;
        x_terms += term[margin];
    }
    if (n == 0)
        return;
    for (size_t y = 0; y < r_y; y++) {
        columns += y_margin[y] > 0;
        y_terms += term[y_margin[y]];
    }
    sum->observed_strata++;
    sum->positive += positive;
    sum->rows += rows;
    sum->columns += columns;
    sum->crossings += rows * columns;
    sum->cells += cell_terms;
    sum->with_x += x_terms;
    sum->with_y += y_terms;
    sum->alone += term[n];
    if (exact && rows > 1 && columns > 1)
        sum->statistic += t->kind->of_tables->exact(cells, x_margin, y_margin, r_x, r_y, n);
}

static inline __attribute__((always_inline)) dense_sums
add_strata_of(ci_test *t, const uint32_t *cells, size_t n_strata, size_t r_x, size_t r_y, bool exact) {
    dense_sums sum = {0};
    for (size_t s = 0; s < n_strata; s++)
        add_stratum_of(t, cells + s * r_x * r_y, r_x, r_y, exact, &sum);
    return sum;
}

static inline __attribute__((always_inline)) dense_sums
add_by_states(ci_test *t, const uint32_t *cells, size_t n_strata, size_t r_x, size_t r_y, bool exact) {
    switch (r_y) {
    case 2:
        return add_strata_of(t, cells, n_strata, r_x, 2, exact);
    case 3:
        return add_strata_of(t, cells, n_strata, r_x, 3, exact);
    case 4:
        return add_strata_of(t, cells, n_strata, r_x, 4, exact);
    case 5:
        return add_strata_of(t, cells, n_strata, r_x, 5, exact);
    case 6:
        return add_strata_of(t, cells, n_strata, r_x, 6, exact);
    case 7:
        return add_strata_of(t, cells, n_strata, r_x, 7, exact);
    default:
        return add_strata_of(t, cells, n_strata, r_x, r_y, exact);
    }
}

/* Where a variable does not vary in a stratum, the terms cancel. */
static void add_strata(ci_test *t, const uint32_t *cells, size_t n_strata, size_t r_x, size_t r_y, bool exact,
                       table_sums *out) {
    dense_sums sum = exact || !t->is_g2 ? add_by_states(t, cells, n_strata, r_x, r_y, true)
                                        : add_by_states(t, cells, n_strata, r_x, r_y, false);
    double rows = (double)sum.rows, columns = (double)sum.columns, observed = (double)sum.observed_strata;
    *out = (table_sums){.statistic = sum.statistic,
                        .information = sum.cells - sum.with_x - sum.with_y + sum.alone,
                        .cells = sum.cells,
                        .with_x = sum.with_x,
                        .with_y = sum.with_y,
                        .rows = rows,
                        .columns = columns,
                        .observed_strata = observed,
                        .zero_expected = (double)(r_x * r_y) * observed - (double)sum.crossings,
                        .adjusted = (double)sum.crossings - rows - columns + observed,
                        .positive = (double)sum.positive,
                        .steck = (double)sum.positive - rows - columns + observed};
}

static int64_t sum_terms(const ci_test *t, const uint32_t *tallies, size_t n) {
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += t->terms.at[tallies[i]];
    return sum;
}

/* One stratum of a sparse table, of r_x by r_y declared states. */
static void add_sparse_stratum(ci_test *t, const strata_reader *s, double r_x, double r_y, bool exact,
                               table_sums *sum) {
    double rows = (double)s->n_extra, columns = (double)s->n_first;
    int64_t cell_terms = sum_terms(t, s->tallies, s->n_cells), x_terms = sum_terms(t, s->extra_margin, s->n_extra);
    int64_t y_terms = sum_terms(t, s->first_margin, s->n_first);
    sum->observed_strata++;
    sum->zero_expected += r_x * r_y - rows * columns;
    sum->adjusted += (rows - 1) * (columns - 1);
    sum->steck += (double)s->n_cells - rows - columns + 1;
    sum->positive += (double)s->n_cells;
    sum->cells += cell_terms;
    sum->with_x += x_terms;
    sum->with_y += y_terms;
    sum->rows += rows;
    sum->columns += columns;
    sum->information += cell_terms - x_terms - y_terms + t->terms.at[s->n_rows];
    if ((exact || !t->is_g2) && rows > 1 && columns > 1)
        sum->statistic += t->kind->of_tables->exact_sparse(s);
}

static status walk_sparse(ci_test *t, const counts_table *table, bool exact, table_sums *sum, error_info *err) {
    CHECK(strata_start(&t->strata, table, err));
    while (strata_next(&t->strata))
        add_sparse_stratum(t, &t->strata, (double)table->r_extra, (double)table->r_first, exact, sum);
    return STATUS_OK;
}

/* The statistic of G2, but for an exact one, comes from the sums of terms. */
static void finish(const ci_test *t, bool exact, table_sums *sum) {
    if (!exact && t->is_g2)
        sum->statistic = 2 * whole_terms_value(&t->terms, sum->information);
    sum->statistic = fmax(sum->statistic, 0);
}

static status walk(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, bool exact, table_sums *out,
                   counts_table *table, error_info *err) {
    table_sums sum = {0};
    if (!t->rows || !distinct_rows_count(t->rows, y, z, n_z, x, table))
        CHECK(counts_get(t->counts, y, z, n_z, x, table, err));
    if (table->cells) {
        add_strata(t, table->cells, table->n_strata, table->r_extra, table->r_first, exact, &sum);
    } else {
        CHECK(walk_sparse(t, table, exact, &sum, err));
    }
    finish(t, exact, &sum);
    *out = sum;
    return STATUS_OK;
}

/* A statistic above 0 has at least one degree of freedom; without any, the statistic is 0. */
static double degrees_of_freedom(const ci_test *t, const table_sums *w, double statistic, double r_x, double r_y,
                                 double q) {
    double full = (r_x - 1) * (r_y - 1);
    double df = 0;
    switch ((enum ci_df)t->df) {
    case CI_DF_FULL:
        df = full * q;
        break;
    case CI_DF_OBSERVED:
        df = full * w->observed_strata;
        break;
    case CI_DF_ADJ:
        df = w->adjusted;
        break;
    case CI_DF_STECK:
        df = w->steck;
        break;
    case CI_DF_SGS:
        df = full * q - w->zero_expected;
        break;
    }
    return df < 1 ? (statistic > 0 ? 1 : 0) : df;
}

static double cells_of(const ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z) {
    double cells = t->n_states[x] * t->n_states[y];
    for (size_t i = 0; i < n_z; i++)
        cells *= t->n_states[z[i]];
    return cells;
}

bool ci_test_has_enough_rows(const ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z) {
    if (t->evaluator)
        return t->evaluator->has_enough_rows(t->state, n_z);
    return ci_test_has_rows_for(t, cells_of(t, x, y, z, n_z));
}

static status evaluate_table(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, ci_result *out,
                             error_info *err) {
    table_sums w;
    counts_table table;
    CHECK(walk(t, x, y, z, n_z, true, &w, &table, err));
    out->df =
        degrees_of_freedom(t, &w, w.statistic, (double)table.r_extra, (double)table.r_first, table.q_conditioning);
    out->statistic = out->df > 0 ? w.statistic : 0;
    out->log_p = chi_square_log_tail(out->statistic, out->df);
    out->p_value = exp(out->log_p);
    return STATUS_OK;
}

status ci_test_evaluate(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, ci_result *out, error_info *err) {
    ci_result result = {0};
    CHECK(t->evaluator ? t->evaluator->evaluate(t->state, x, y, z, n_z, &result, err)
                       : evaluate_table(t, x, y, z, n_z, &result, err));
    t->tally->requests++;
    t->tally->computed++;
    result.is_reliable = ci_test_has_enough_rows(t, x, y, z, n_z);
    *out = result;
    return STATUS_OK;
}

double ci_test_critical_value(ci_test *t, double df) {
    double **block, *critical;
    size_t i = (size_t)df;
    if (df >= CI_TEST_MOST_CRITICAL)
        return 0;
    block = &t->critical[i / CI_TEST_CRITICAL_BLOCK];
    if (!*block)
        *block = calloc(CI_TEST_CRITICAL_BLOCK, sizeof **block);
    if (!*block)
        return 0;
    critical = &(*block)[i % CI_TEST_CRITICAL_BLOCK];
    if (*critical == 0)
        *critical = chi_square_critical_value(log(t->alpha), df);
    return *critical;
}

/* Rounding to a float takes off less than what is added. */
static float limit_of(ci_test *t, size_t df) {
    double critical = ci_test_critical_value(t, df > 0 ? (double)df : 1);
    return critical > 0 ? (float)(critical / 2 * (1 + 1e-6)) : INFINITY;
}

/* The most degrees of freedom are those of all states. */
static const float *constant_limits(ci_test *t, size_t most) {
    float *limits = t->limits + CI_TEST_MOST_LIMIT + 1, limit = limit_of(t, most);
    for (size_t i = 0; i <= most; i++)
        limits[i] = limit;
    return limits;
}

static const float *adjusted_limits(ci_test *t, size_t most) {
    for (; t->n_limits <= most; t->n_limits++)
        t->limits[t->n_limits] = limit_of(t, t->n_limits);
    return t->limits;
}

const float *ci_test_limits(ci_test *t, size_t most) {
    const float *limits;
    if (most > CI_TEST_MOST_LIMIT || (t->df != CI_DF_ADJ && t->df != CI_DF_FULL))
        return NULL;
    if (!t->limits)
        t->limits = calloc(2 * (CI_TEST_MOST_LIMIT + 1), sizeof *t->limits);
    if (!t->limits)
        return NULL;
    limits = t->df == CI_DF_FULL ? constant_limits(t, most) : adjusted_limits(t, most);
    return isinf(limits[most]) ? NULL : limits;
}

/* Independent without the tail where the statistic lies clearly below the critical value. */
static bool is_clearly_independent(ci_test *t, double statistic, double df) {
    return df <= 0 || statistic < ci_test_critical_value(t, df) * (1 - 1e-9);
}

association ci_test_judge(ci_test *t, double statistic, double df) {
    association result = {.is_zero = true};
    if (!is_clearly_independent(t, statistic, df)) {
        double log_p = chi_square_log_tail(statistic, df);
        if (log_p <= log(t->alpha))
            result = (association){false, log_p, statistic};
    }
    return result;
}

bool ci_test_is_performed(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable) {
    *reliable = ci_test_has_enough_rows(t, x, y, z, n_z);
    t->tally->skipped += !*reliable;
    return *reliable;
}

static status compute_by_evaluator(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, association *out,
                                   error_info *err) {
    ci_result result = {0};
    CHECK(t->evaluator->evaluate(t->state, x, y, z, n_z, &result, err));
    *out = result.log_p <= log(t->alpha) ? (association){false, result.log_p, fabs(result.statistic)}
                                         : (association){.is_zero = true};
    return STATUS_OK;
}

status ci_test_measure_table(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, ci_measurement *out,
                             error_info *err) {
    table_sums w;
    counts_table table;
    CHECK(walk(t, x, y, z, n_z, false, &w, &table, err));
    out->statistic = w.statistic;
    out->df =
        degrees_of_freedom(t, &w, w.statistic, (double)table.r_extra, (double)table.r_first, table.q_conditioning);
    out->cells = (set_term){w.cells, w.positive};
    out->with_x = (set_term){w.with_x, w.rows};
    out->with_y = (set_term){w.with_y, w.columns};
    out->alone = (set_term){w.information - w.cells + w.with_x + w.with_y, w.observed_strata};
    if (n_z == 0 && t->bounds)
        ci_bounds_add_focus(t->bounds, x, y, w.information);
    return STATUS_OK;
}

static status compute(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, association *out,
                      ci_measurement *measured, error_info *err) {
    ci_measurement m;
    if (t->evaluator)
        return compute_by_evaluator(t, x, y, z, n_z, out, err);
    CHECK(ci_test_measure_table(t, x, y, z, n_z, &m, err));
    if (measured)
        *measured = m;
    *out = ci_test_judge(t, m.statistic, m.df);
    return STATUS_OK;
}

status ci_test_compute_and_keep(ci_test *t, size_t n_key, size_t x, size_t y, const size_t *z, size_t n_z,
                                association *out, ci_measurement *measured, error_info *err) {
    status st = compute(t, x, y, z, n_z, out, measured, err);
    if (st == STATUS_OK && ci_test_keeps(t, n_z))
        answer_cache_set(&t->answers, t->key, n_key, (tuple_value){out->log_p, out->is_zero ? -1 : out->statistic});
    return st;
}

status ci_test_associate(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable, association *out,
                         error_info *err) {
    const tuple_value *known;
    size_t n;
    if (!ci_test_is_performed(t, x, y, z, n_z, reliable))
        return STATUS_OK;
    if (ci_test_is_known_zero(t, x, y, n_z)) {
        ci_test_count(t, n_z, true);
        *out = (association){.is_zero = true};
        return STATUS_OK;
    }
    n = tuple_key_pair(t->key, x, y, z, n_z);
    known = ci_test_keeps(t, n_z) ? answer_cache_find(&t->answers, t->key, n) : NULL;
    ci_test_count(t, n_z, known);
    if (!known || ci_test_is_bound(known))
        return ci_test_compute_and_keep(t, n, x, y, z, n_z, out, NULL, err);
    *out = ci_test_unpack(known);
    return STATUS_OK;
}

void ci_test_forgo_cache(ci_test *t) {
    answer_cache_clear(&t->answers);
    t->keeps_answers = false;
}

ci_margin ci_test_margin(const ci_test *t, const uint32_t *rows, size_t r) {
    ci_margin m = {0};
    for (size_t i = 0; i < r; i++) {
        m.n_seen += rows[i] > 0;
        m.information += t->terms.at[rows[i]];
    }
    return m;
}

/* As add_stratum of one table, the margins known; what a judgement reads of the sums. */
static void walk_pair(const ci_test *t, const uint32_t *cells, size_t r_x, size_t r_y, const ci_margin *x,
                      const ci_margin *y, table_sums *out) {
    int64_t information = t->terms.at[dataset_row_count(t->data)] - x->information - y->information;
    for (size_t i = 0; i < r_x * r_y; i++)
        information += t->terms.at[cells[i]];
    out->information = information;
    out->observed_strata = 1;
    out->zero_expected = (double)(r_x * r_y - x->n_seen * y->n_seen);
    out->adjusted = (double)((x->n_seen - 1) * (y->n_seen - 1));
    out->steck = 0;
    if (t->df == CI_DF_STECK) {
        for (size_t i = 0; i < r_x * r_y; i++)
            out->steck += cells[i] > 0;
        out->steck += 1 - (double)x->n_seen - (double)y->n_seen;
    }
}

void ci_test_judge_sums(ci_test *t, const table_sums *sums, double r_x, double r_y, double q, table_judgement *out) {
    double statistic = fmax(2 * whole_terms_value(&t->terms, sums->information), 0);
    double df = degrees_of_freedom(t, sums, statistic, r_x, r_y, q);
    double critical = df > 0 ? ci_test_critical_value(t, df) : 0;
    out->statistic = statistic;
    out->df = df;
    out->is_clearly_dependent = critical > 0 && statistic > critical * (1 + 1e-9);
}

void ci_test_begin_pair(ci_test *t, const uint32_t *cells, size_t r_x, size_t r_y, const ci_margin *x,
                        const ci_margin *y, table_judgement *out) {
    table_sums sums; /* what no judgement reads stays unset: to set it took half of the time */
    walk_pair(t, cells, r_x, r_y, x, y, &sums);
    ci_test_judge_sums(t, &sums, (double)r_x, (double)r_y, 1, out);
}

association ci_test_finish_judgement(ci_test *t, const table_judgement *j) {
    return ci_test_judge(t, j->statistic, j->df);
}

association ci_test_judge_pair(ci_test *t, const uint32_t *cells, size_t r_x, size_t r_y, const ci_margin *x,
                               const ci_margin *y) {
    table_sums w = {0};
    if (t->is_g2)
        walk_pair(t, cells, r_x, r_y, x, y, &w);
    else
        add_strata(t, cells, 1, r_x, r_y, false, &w);
    finish(t, false, &w);
    return ci_test_judge(t, w.statistic, degrees_of_freedom(t, &w, w.statistic, (double)r_x, (double)r_y, 1));
}

static status measure(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable, association *out,
                      error_info *err) {
    return ci_test_associate(self, x, y, z, n_z, reliable, out, err);
}

void ci_test_attend(ci_test *t, const size_t *columns, size_t n_columns) {
    if (t->evaluator || n_columns == 0)
        return;
    t->focus = columns[0];
    if (t->bounds)
        set_terms_follow(t->bounds->sets);
    if (t->singles)
        single_tests_attend(t->singles, columns[0], columns + 1, n_columns - 1);
    if (!t->rows && distinct_rows_create(t->data, &t->rows, NULL) != STATUS_OK)
        return; /* it goes without */
    distinct_rows_attend(t->rows, columns, n_columns);
    if (t->bounds)
        set_terms_count_by(t->bounds->sets, t->rows);
}

void ci_test_approach(const ci_test *t, size_t column) {
    if (t->counts)
        counts_approach(t->counts, column);
}

void ci_test_release(ci_test *t, const later_tests *later) {
    if (t->keeps_answers)
        answer_cache_release(&t->answers, later);
    if (t->bounds)
        set_terms_shrink(t->bounds->sets);
}

association_source ci_test_as_source(ci_test *t) {
    return (association_source){t, measure};
}
