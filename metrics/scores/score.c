/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A score of discrete data is a sum over the cells of a table; others have an evaluator of their own, and share the
 * cache and the counting. One loop walks the table of a family; a kind says which functions of a count and which
 * penalty. States that do not occur have no rows, so a table is counted over those that do, and a parent with one such
 * state is not counted at all.
 */
#include "metrics/scores/score.h"

#include "core/base/bits.h"
#include "core/base/text.h"
#include "core/counting/pair_tables.h"
#include "core/data/dataset_seen.h"
#include "metrics/scores/score_bounds_internal.h"
#include "metrics/scores/score_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void score_destroy(score *s) {
    if (!s)
        return;
    score_bounds_destroy(s->bounds);
    if (s->kind->evaluator)
        s->kind->evaluator->close(s->evaluator_state);
    counts_destroy(s->counts);
    term_tables_destroy(s->terms.tables);
    tuple_cache_destroy(s->cache);
    free(s->options);
    free(s->key);
    asked_families_destroy(s->asked);
    sparse_bits_clear(&s->extras);
    free(s->largest);
    free(s->cached);
    free(s->base.parents);
    free(s->base.live);
    dataset_destroy(s->own_seen);
    free(s);
}

/* Tells what can be done with data that have a column of a kind that the score does not take. */
static const char *advice_on(const dataset *data, variable_kind found) {
    bool is_mixed = dataset_kind(data) == DATA_MIXED;
    if (found == VARIABLE_CONTINUOUS)
        return is_mixed ? "discretize it, or use score=kgv" : "discretize it, or use score=bic-g";
    return is_mixed ? "declare it continuous in a .schema.csv, or use score=kgv"
                    : "declare it continuous in a .schema.csv, or use score=bdeu";
}

static status refuse_data(const score_kind *kind, const dataset *data, error_info *err) {
    variable_kind wanted = kind->accepts & DATA_DISCRETE ? VARIABLE_DISCRETE : VARIABLE_CONTINUOUS;
    char name[TEXT_SHOWN_SIZE];
    size_t c = 0;
    while (c + 1 < dataset_column_count(data) && dataset_variable(data, c)->kind == wanted)
        c++;
    (void)text_show(dataset_variable(data, c)->name, strlen(dataset_variable(data, c)->name), name);
    return error_set(err, STATUS_INVALID, "score %s takes data that are %s, and column %s is %s: %s", kind->name,
                     data_kinds_name(kind->accepts), name, wanted == VARIABLE_DISCRETE ? "continuous" : "discrete",
                     advice_on(data, dataset_variable(data, c)->kind));
}

static status find_seen(score *s, error_info *err) {
    CHECK(dataset_keep_seen_states(s->data, &s->own_seen, err));
    s->seen = s->own_seen ? s->own_seen : s->data;
    return STATUS_OK;
}

/* What a sum over the cells of tables needs; the states that occur may have been found before. */
static status open_tables(score *s, const score *twin, error_info *err) {
    s->base.q = 1;
    s->terms.n_rows = dataset_row_count(s->data);
    CHECK(s->kind->of_tables->check ? s->kind->of_tables->check(s->options, err) : STATUS_OK);
    if (!s->seen)
        CHECK(find_seen(s, err));
    CHECK(twin ? counts_create_twin(twin->counts, &s->counts, err) : counts_create(s->seen, &s->counts, err));
    CHECK(term_tables_create(s->terms.n_rows, twin ? twin->terms.tables : NULL, &s->terms.tables, err));
    return term_tables_n_log_n(s->terms.tables, &s->terms.n_log_n, err);
}

static status keep_options(score *s, const void *options, error_info *err) {
    CHECK_ALLOC(s->options = options_create(s->kind->options, s->kind->options_size));
    if (options)
        memcpy(s->options, options, s->kind->options_size);
    return s->kind->arc_penalty ? s->kind->arc_penalty(s->options, dataset_column_count(s->data), &s->arc_penalty, err)
                                : STATUS_OK;
}

/* `twin`: one of the same kind, options and data; else NULL. */
static status create(const score_kind *kind, const void *options, const dataset *data, const score *twin,
                     const run_context *ctx, statistics_count *tally, score **out, error_info *err) {
    AUTO_PTR(score_destroy) score *s = NULL;
    size_t p = dataset_column_count(data);
    if (!(kind->accepts & dataset_kind(data)))
        return refuse_data(kind, data, err);
    CHECK_ALLOC(s = calloc(1, sizeof *s));
    s->kind = kind;
    s->data = data;
    s->seen = twin ? twin->seen : NULL;
    s->tally = tally ? tally : &s->own_tally;
    CHECK(keep_options(s, options, err));
    CHECK_ALLOC(s->key = calloc(p + 1, sizeof *s->key));
    CHECK_ALLOC(s->largest = calloc(p + 1, sizeof *s->largest));
    CHECK_ALLOC(s->cached = calloc(p + 1, sizeof *s->cached));
    CHECK_ALLOC(s->base.parents = calloc(p + 1, sizeof *s->base.parents));
    CHECK_ALLOC(s->base.live = calloc(p + 1, sizeof *s->base.live));
    if (kind->evaluator && twin)
        CHECK(kind->evaluator->twin(twin->evaluator_state, &s->evaluator_state, err));
    else if (kind->evaluator)
        CHECK(kind->evaluator->open(s->options, data, ctx, &s->evaluator_state, err));
    else
        CHECK(open_tables(s, twin, err));
    CHECK(tuple_cache_create(SCORE_MOST_KEPT, &s->cache, err));
    *out = TAKE(s);
    return STATUS_OK;
}

status score_create(const score_kind *kind, const void *options, const dataset *data, statistics_count *tally,
                    score **out, error_info *err) {
    return create(kind, options, data, NULL, NULL, tally, out, err);
}

status score_create_within(const score_kind *kind, const void *options, const dataset *data, run_context *ctx,
                           score **out, error_info *err) {
    return create(kind, options, data, NULL, ctx, &ctx->scores, out, err);
}

status score_create_twin(const score *s, score **out, error_info *err) {
    score *twin = NULL;
    if (score_has_twins(s))
        CHECK(create(s->kind, s->options, s->data, s, NULL, NULL, &twin, err));
    if (twin)
        score_penalise_arcs(twin, s->arc_penalty);
    *out = twin;
    return STATUS_OK;
}

size_t score_row_count(const score *s) {
    return dataset_row_count(s->data);
}

bool score_has_twins(const score *s) {
    return !s->kind->evaluator || s->kind->evaluator->twin;
}

void score_penalise_arcs(score *s, double nats) {
    s->arc_penalty = nats;
}

/* Rows of r cells, one a configuration. Inlined for each small r, so that the inner loops vanish. */
static inline __attribute__((always_inline)) double sum_rows(const uint32_t *cells, size_t n_rows, size_t r,
                                                             const family_terms *terms) {
    double sum = 0;
    for (size_t j = 0; j < n_rows; j++) {
        const uint32_t *row = cells + j * r;
        uint32_t n_ij = 0;
        for (size_t k = 0; k < r; k++)
            n_ij += row[k];
        if (n_ij == 0)
            continue;
        for (size_t k = 0; k < r; k++) {
            if (row[k] > 0)
                sum += term_table_at(terms->cell, row[k]);
        }
        sum -= term_table_at(terms->row, n_ij);
    }
    return sum;
}

double score_sum_cells(const uint32_t *cells, size_t n_rows, size_t r, const family_terms *terms) {
    switch (r) {
    case 1:
        return sum_rows(cells, n_rows, 1, terms);
    case 2:
        return sum_rows(cells, n_rows, 2, terms);
    case 3:
        return sum_rows(cells, n_rows, 3, terms);
    case 4:
        return sum_rows(cells, n_rows, 4, terms);
    default:
        return sum_rows(cells, n_rows, r, terms);
    }
}

static double sum_sparse(const counts_table *t, const family_terms *terms) {
    double sum = 0;
    for (size_t i = 0; i < t->n_cells;) {
        uint64_t j = t->codes[i] / t->r_first;
        uint32_t n_ij = 0;
        for (; i < t->n_cells && t->codes[i] / t->r_first == j; i++) {
            n_ij += t->tallies[i];
            sum += term_table_at(terms->cell, t->tallies[i]);
        }
        sum -= term_table_at(terms->row, n_ij);
    }
    return sum;
}

void score_set_base(score *s, const size_t *parents, size_t n_parents) {
    struct score_base *b = &s->base;
    if (b->n_parents == n_parents && (n_parents == 0 || memcmp(b->parents, parents, n_parents * sizeof *parents) == 0))
        return;
    b->n_parents = n_parents;
    b->n_live = 0;
    b->q = 1;
    for (size_t i = 0; i < n_parents; i++) {
        b->parents[i] = parents[i];
        b->q *= (double)dataset_state_count(s->data, parents[i]);
        if (dataset_state_count(s->seen, parents[i]) > 1)
            b->live[b->n_live++] = parents[i];
    }
}

status score_terms(score *s, size_t x, double q, size_t n_arcs, family_terms *out, error_info *err) {
    *out = (family_terms){0};
    CHECK(s->kind->of_tables->choose(&s->terms, s->options, (double)dataset_state_count(s->data, x), q, out, err));
    out->penalty += (double)n_arcs * s->arc_penalty;
    return STATUS_OK;
}

/* With so many declared configurations of the parents. */
static bool is_too_large(const score *s, size_t x, double q) {
    return q * (double)dataset_state_count(s->data, x) > SCORE_MAX_CELLS;
}

/* The score of x given the columns of the base and `extra`, which has r declared states. */
static status evaluate_table(score *s, size_t x, size_t n_arcs, size_t extra, double r, double *out, error_info *err) {
    counts_table table;
    family_terms terms;
    double q = s->base.q * r;
    if (is_too_large(s, x, q)) {
        *out = -INFINITY;
        return STATUS_OK;
    }
    CHECK(score_terms(s, x, q, n_arcs, &terms, err));
    CHECK(counts_get(s->counts, x, s->base.live, s->base.n_live, extra, &table, err));
    *out = (table.cells ? score_sum_cells(table.cells, table.n_strata * table.r_extra, table.r_first, &terms)
                        : sum_sparse(&table, &terms)) -
           terms.penalty;
    return STATUS_OK;
}

/* The key of the family: x, then the parents (and extra) ascending. */
static size_t make_key(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra) {
    size_t n = 1;
    s->key[0] = (uint32_t)x;
    for (size_t i = 0; i < n_parents; i++)
        n = tuple_key_insert(s->key, 1, n, parents[i]);
    if (extra != COUNTS_NO_EXTRA)
        n = tuple_key_insert(s->key, 1, n, extra);
    return n;
}

static status ask_evaluator(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                            error_info *err) {
    size_t n = make_key(s, x, parents, n_parents, extra) - 1;
    status st;
    for (size_t i = 0; i < n; i++)
        s->base.parents[i] = s->key[i + 1];
    st = s->kind->evaluator->node(s->evaluator_state, x, s->base.parents, n, out, err);
    if (st == STATUS_OK)
        *out -= (double)n * s->arc_penalty;
    return st;
}

void score_lend_tables(score *s, const pair_tables *tables) {
    if (s->counts)
        counts_lend_tables(s->counts, tables);
}

status score_make_tables(const score *s, size_t n_threads, crew *threads, pair_tables **out, error_info *err) {
    *out = NULL;
    if (s->kind->evaluator)
        return STATUS_OK;
    return pair_tables_create_by(s->seen, n_threads, threads, out, err);
}

bool score_is_constant(const score *s, size_t column) {
    return !s->kind->evaluator && dataset_state_count(s->seen, column) < 2;
}

static status evaluate(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                       error_info *err) {
    if (s->kind->evaluator)
        return ask_evaluator(s, x, parents, n_parents, extra, out, err);
    score_set_base(s, parents, n_parents);
    if (extra == COUNTS_NO_EXTRA)
        return evaluate_table(s, x, n_parents, extra, 1, out, err);
    return evaluate_table(s, x, n_parents + 1, score_is_constant(s, extra) ? COUNTS_NO_EXTRA : extra,
                          (double)dataset_state_count(s->data, extra), out, err);
}

status score_constant_with(score *s, size_t x, const size_t *parents, size_t n_parents, size_t r, double *out,
                           error_info *err) {
    score_set_base(s, parents, n_parents);
    return evaluate_table(s, x, n_parents + 1, COUNTS_NO_EXTRA, (double)r, out, err);
}

static void mask_parents(score_mask *mask, const uint32_t *parents, size_t n) {
    for (size_t i = 0; i < n; i++)
        bits_add(mask->words, parents[i] % SCORE_MASK_BITS);
}

/* The family of the scratch key. */
static void keep(score *s, size_t n, double value) {
    size_t x = s->key[0];
    tuple_cache_add(s->cache, s->key, n, (tuple_value){value, 0});
    s->largest[x] = s->largest[x] > n - 1 ? s->largest[x] : n - 1;
    mask_parents(&s->cached[x], s->key + 1, n - 1);
}

void score_keep(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double value) {
    size_t n = make_key(s, x, parents, n_parents, extra);
    if (!tuple_cache_find(s->cache, s->key, n))
        keep(s, n, value);
}

/* The family of the scratch key, whose score the cache did not know. */
static void keep_computed(score *s, size_t n, double value) {
    s->tally->computed += !(s->asked && asked_families_has(s->asked, s->key[0], s->key + 1, n - 1));
    keep(s, n, value);
}

/* Of the scratch key: NULL where the cache does not know it, and NAN where the score is to come. */
static bool is_score(const tuple_value *known) {
    return known && !isnan(known->a);
}

/* Where the score is to come, the family is counted already. */
static void keep_new(score *s, size_t n, const tuple_value *known, double value) {
    if (known)
        tuple_cache_set(s->cache, s->key, n, (tuple_value){value, 0});
    else
        keep_computed(s, n, value);
}

static status request(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                      error_info *err) {
    size_t n = make_key(s, x, parents, n_parents, extra);
    const tuple_value *known = tuple_cache_find(s->cache, s->key, n);
    double value = 0;
    s->tally->requests++;
    if (is_score(known)) {
        *out = known->a;
        return STATUS_OK;
    }
    CHECK(evaluate(s, x, parents, n_parents, extra, &value, err));
    keep_new(s, n, known, value);
    *out = value;
    return STATUS_OK;
}

void score_node_told(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *value) {
    size_t n = make_key(s, x, parents, n_parents, extra);
    const tuple_value *known = tuple_cache_find(s->cache, s->key, n);
    s->tally->requests++;
    if (is_score(known))
        *value = known->a;
    else
        keep_new(s, n, known, *value);
}

status score_node_begin(score *s, size_t x, const size_t *parents, size_t n_parents, double *out, error_info *err) {
    const tuple_value *known;
    size_t n;
    if (s->kind->evaluator)
        return score_node(s, x, parents, n_parents, out, err);
    n = make_key(s, x, parents, n_parents, COUNTS_NO_EXTRA);
    known = tuple_cache_find(s->cache, s->key, n);
    s->tally->requests++;
    if (known) {
        *out = known->a;
        return STATUS_OK;
    }
    score_set_base(s, parents, n_parents);
    *out = is_too_large(s, x, s->base.q) ? -INFINITY : (double)NAN;
    keep_computed(s, n, *out);
    return STATUS_OK;
}

void score_node_end(score *s, size_t x, const size_t *parents, size_t n_parents, double value) {
    size_t n = make_key(s, x, parents, n_parents, COUNTS_NO_EXTRA);
    const tuple_value *known = tuple_cache_find(s->cache, s->key, n);
    if (known && !is_score(known))
        keep_new(s, n, known, value);
}

status score_node(score *s, size_t x, const size_t *parents, size_t n_parents, double *out, error_info *err) {
    return request(s, x, parents, n_parents, COUNTS_NO_EXTRA, out, err);
}

status score_node_with(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                       error_info *err) {
    return request(s, x, parents, n_parents, extra, out, err);
}

void score_set_tally(score *s, statistics_count *tally) {
    s->tally = tally;
}

void score_count(score *s, uint64_t requests, uint64_t computed) {
    s->tally->requests += requests;
    s->tally->computed += computed;
}

status score_node_fresh(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                        error_info *err) {
    return evaluate(s, x, parents, n_parents, extra, out, err);
}

status score_node_beside(score *s, const score *known, size_t x, const size_t *parents, size_t n_parents, size_t extra,
                         double *out, bool *is_kept, error_info *err) {
    size_t n = make_key(s, x, parents, n_parents, extra);
    const tuple_value *value = tuple_cache_find(known->cache, s->key, n);
    *is_kept = value;
    if (!is_score(value))
        return evaluate(s, x, parents, n_parents, extra, out, err);
    *out = value->a;
    return STATUS_OK;
}

static bool is_cached(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra) {
    return tuple_cache_find(s->cache, s->key, make_key(s, x, parents, n_parents, extra)) != NULL;
}

/* Those of the columns with this remainder that are extras of the scratch set and make a family of the cache. */
static uint64_t count_cached(score *s, size_t x, const size_t *parents, size_t n_parents, size_t remainder) {
    uint64_t n = 0;
    for (size_t i = remainder; i < dataset_column_count(s->data); i += SCORE_MASK_BITS)
        n += sparse_bits_has(&s->extras, i) && is_cached(s, x, parents, n_parents, i);
    return n;
}

/* How many of the families with an extra of the scratch set the cache does not know. */
static uint64_t count_unknown(score *s, size_t x, const size_t *parents, size_t n_parents) {
    uint64_t unknown = sparse_bits_count(&s->extras, dataset_column_count(s->data));
    if (s->largest[x] <= n_parents)
        return unknown;
    for (size_t w = 0; w < SCORE_MASK_BITS / 64; w++) {
        for (uint64_t rest = s->cached[x].words[w]; rest; rest &= rest - 1)
            unknown -= count_cached(s, x, parents, n_parents, 64 * w + (size_t)__builtin_ctzll(rest));
    }
    return unknown;
}

/* Those of the scratch set that were not met before, which are noted. */
static status note_additions(score *s, size_t x, const size_t *parents, size_t n_parents, const left_out_source *source,
                             size_t row, uint64_t *unknown, error_info *err) {
    size_t n = make_key(s, x, parents, n_parents, COUNTS_NO_EXTRA);
    CHECK(asked_families_add(s->asked, x, s->key + 1, n - 1, &s->extras, source, row, err));
    *unknown = count_unknown(s, x, parents, n_parents);
    return STATUS_OK;
}

static status make_asked(score *s, error_info *err) {
    return s->asked ? STATUS_OK : asked_families_create(dataset_column_count(s->data), &s->asked, err);
}

/* Those of the scratch set. */
static status count_additions(score *s, size_t x, const size_t *parents, size_t n_parents, error_info *err) {
    uint64_t requests = sparse_bits_count(&s->extras, dataset_column_count(s->data)), unknown;
    if (requests == 0)
        return STATUS_OK;
    CHECK(make_asked(s, err));
    CHECK(note_additions(s, x, parents, n_parents, NULL, 0, &unknown, err));
    score_count(s, requests, unknown);
    return STATUS_OK;
}

status score_count_additions(score *s, size_t x, const size_t *parents, size_t n_parents, const size_t *extras,
                             size_t n_extras, error_info *err) {
    CHECK(sparse_bits_set_only(&s->extras, extras, n_extras, err));
    return count_additions(s, x, parents, n_parents, err);
}

status score_count_additions_but(score *s, size_t x, const size_t *parents, size_t n_parents, const size_t *others,
                                 size_t n_others, error_info *err) {
    CHECK(sparse_bits_set_all_but(&s->extras, dataset_column_count(s->data), others, n_others, err));
    return count_additions(s, x, parents, n_parents, err);
}

/* Makes the scratch set the row's. */
static status recall_extras(score *s, size_t x, const size_t *parents, size_t n_parents, const left_out_source *source,
                            size_t row, error_info *err) {
    CHECK(asked_families_recall(s->asked, source, row, &s->extras, err));
    CHECK(sparse_bits_remove(&s->extras, x, err));
    for (size_t i = 0; i < n_parents; i++)
        CHECK(sparse_bits_remove(&s->extras, parents[i], err));
    return STATUS_OK;
}

status score_count_additions_recalled(score *s, size_t x, const size_t *parents, size_t n_parents,
                                      const left_out_source *source, size_t row, size_t *n_known, error_info *err) {
    uint64_t all, unknown;
    size_t n = make_key(s, x, parents, n_parents, COUNTS_NO_EXTRA);
    *n_known = 0;
    CHECK(make_asked(s, err));
    if (s->largest[x] <= n_parents && !asked_families_has_near(s->asked, x, s->key + 1, n - 1))
        return asked_families_add(s->asked, x, s->key + 1, n - 1, NULL, source, row, err);
    CHECK(recall_extras(s, x, parents, n_parents, source, row, err));
    all = sparse_bits_count(&s->extras, dataset_column_count(s->data));
    CHECK(note_additions(s, x, parents, n_parents, source, row, &unknown, err));
    *n_known = (size_t)(all - unknown);
    return STATUS_OK;
}

void score_count_recalled(score *s, size_t requests, size_t n_known) {
    score_count(s, requests, requests - n_known);
}

status score_dag(score *s, const dag *g, double *total, double *by_node, error_info *err) {
    double sum = 0;
    for (size_t x = 0; x < dag_node_count(g); x++) {
        size_t n_parents;
        const size_t *parents = dag_parents(g, x, &n_parents);
        double value = 0;
        CHECK(score_node(s, x, parents, n_parents, &value, err));
        if (by_node)
            by_node[x] = value;
        sum += value;
    }
    *total = sum;
    return STATUS_OK;
}
