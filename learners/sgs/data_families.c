/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows have next to no family in common (10 searches of sgs3 on andes ask for 551,396, of which 545,642 are distinct),
 * so a whole row passes by the cache of the score: it is counted by blocks of columns.
 */
#include "learners/sgs/data_families_internal.h"

#include "core/base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void data_families_clear(data_families *d) {
    crew_destroy(d->threads);
    for (size_t i = 0; i < d->n_workers; i++)
        score_rows_clear(&d->rows[i]);
    for (size_t i = 0; d->twins && i < d->n_workers; i++)
        score_destroy(d->twins[i]);
    free(d->rows);
    free(d->twins);
    score_columns_destroy(d->columns);
    score_destroy(d->scorer);
    free(d->family);
    free(d->parts);
    *d = (data_families){0};
}

static status make_rows(data_families *d, error_info *err) {
    CHECK(score_columns_create(d->scorer, &d->columns, err));
    CHECK_ALLOC(d->rows = calloc(1, sizeof *d->rows));
    d->rows[0] = (score_rows){.scorer = d->scorer, .columns = d->columns};
    d->n_workers = 1;
    CHECK_ALLOC(d->family = calloc(d->n_variables + 1, sizeof *d->family));
    return STATUS_OK;
}

/* Scores that are no sum over a table cost more than their cache. */
status data_families_init(data_families *d, const dataset *data, const greedy_options *search, run_context *ctx,
                          error_info *err) {
    d->n_variables = dataset_column_count(data);
    d->ctx = ctx;
    CHECK(greedy_scorer_create(data, search, ctx, &d->scorer, err));
    return score_has_twins(d->scorer) ? make_rows(d, err) : STATUS_OK;
}

static status give_twin(data_families *d, size_t worker, error_info *err) {
    CHECK(score_create_twin(d->scorer, &d->twins[worker], err));
    d->rows[worker] = (score_rows){.scorer = d->twins[worker], .columns = d->columns};
    return STATUS_OK;
}

status data_families_share(data_families *d, size_t n_threads, error_info *err) {
    if (!d->columns || n_threads < 2)
        return STATUS_OK;
    CHECK_ALLOC(d->twins = calloc(n_threads, sizeof(score *)));
    CHECK(array_resize(&d->rows, n_threads, sizeof *d->rows, err));
    memset(d->rows + 1, 0, (n_threads - 1) * sizeof *d->rows);
    d->n_workers = n_threads;
    for (size_t worker = 0; worker < n_threads; worker++)
        CHECK(give_twin(d, worker, err));
    return STATUS_OK;
}

void data_families_count_apart(data_families *d) {
    score_set_tally(d->scorer, &d->counted);
}

void data_families_publish(data_families *d) {
    statistics_count_add(&d->ctx->scores, &d->counted);
    d->counted = (statistics_count){0};
}

static void publish(void *self) {
    data_families_publish(self);
}

static status ask(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                  error_info *err) {
    score *scorer = ((data_families *)self)->scorer;
    if (extra == FAMILY_NO_EXTRA)
        return score_node(scorer, x, parents, n_parents, out, err);
    return score_node_with(scorer, x, parents, n_parents, extra, out, err);
}

/* x among its parents, ascending. */
static void find_family(size_t x, const size_t *parents, size_t n_parents, size_t *out) {
    size_t at = array_count_below(parents, n_parents, x);
    if (n_parents > 0) {
        memcpy(out, parents, at * sizeof *out);
        memcpy(out + at + 1, parents + at, (n_parents - at) * sizeof *out);
    }
    out[at] = x;
}

static status ask_row(void *self, size_t worker, size_t x, const size_t *parents, size_t n_parents, double *values,
                      error_info *err) {
    data_families *d = self;
    for (size_t at = 0; at < d->n_variables; at += COLUMN_BLOCK) {
        double block[COLUMN_BLOCK];
        size_t left = d->n_variables - at;
        CHECK(score_rows_block(&d->rows[worker], at / COLUMN_BLOCK, x, parents, n_parents, block, err));
        memcpy(values + at, block, (left < COLUMN_BLOCK ? left : COLUMN_BLOCK) * sizeof *values);
    }
    return STATUS_OK;
}

static status count_row(void *self, size_t x, const size_t *parents, size_t n_parents, error_info *err) {
    data_families *d = self;
    find_family(x, parents, n_parents, d->family);
    return score_count_additions_but(d->scorer, x, parents, n_parents, d->family, n_parents + 1, err);
}

/* Families that differ in the extra parent, for several threads: a part for each, of which others take what is left. */
typedef struct {
    const data_families *of;
    size_t x, n_parents, n_extras;
    const size_t *parents, *extras;
    double *values;
} fresh_work;

enum { TAKEN_TOGETHER = 8 };

static size_t first_of_part(const fresh_work *w, size_t worker) {
    return worker * w->n_extras / w->of->n_workers;
}

/* The first one of all whatever the time. */
static status score_some(const fresh_work *w, score *scorer, size_t first, size_t end, error_info *err) {
    if (first > 0 && run_context_is_expired(w->of->ctx))
        return STATUS_OK;
    for (size_t i = first; i < end && i < first + TAKEN_TOGETHER; i++)
        CHECK(score_node_fresh(scorer, w->x, w->parents, w->n_parents, w->extras[i], &w->values[i], err));
    return STATUS_OK;
}

static status score_part(const fresh_work *w, score *scorer, size_t owner, error_info *err) {
    atomic_size_t *next = &w->of->parts[owner].next;
    size_t first, end = first_of_part(w, owner + 1);
    while (atomic_load(next) < end && (first = atomic_fetch_add(next, TAKEN_TOGETHER)) < end)
        CHECK(score_some(w, scorer, first, end, err));
    return STATUS_OK;
}

/* Its own part first: a number that all threads raised would go from one to the other all the time. */
static status score_until_done(void *self, size_t worker, error_info *err) {
    const fresh_work *w = self;
    const data_families *d = w->of;
    for (size_t k = 0; k < d->n_workers; k++)
        CHECK(score_part(w, d->rows[worker].scorer, (worker + k) % d->n_workers, err));
    return STATUS_OK;
}

static status score_alone(const fresh_work *w, error_info *err) {
    for (size_t first = 0; first < w->n_extras; first += TAKEN_TOGETHER)
        CHECK(score_some(w, w->of->scorer, first, w->n_extras, err));
    return STATUS_OK;
}

/* A table takes as long as a thousand rows before its first row. */
static bool are_worth_threads(const data_families *d, size_t n_extras) {
    enum { ROWS_A_TABLE = 1000, LEAST_WORK = 1 << 17 };
    return d->n_workers > 1 && n_extras * (score_row_count(d->scorer) + ROWS_A_TABLE) >= LEAST_WORK;
}

static status start_threads(data_families *d, error_info *err) {
    enum { PATIENCE = 4000 }; /* yields: a thread is awake when the next row comes */
    if (d->threads)
        return STATUS_OK;
    CHECK_ALLOC(d->parts = cache_lines_create(d->n_workers * sizeof *d->parts));
    CHECK(crew_create(d->n_workers, &d->threads, err));
    crew_set_patience(d->threads, PATIENCE);
    return STATUS_OK;
}

static status ask_fresh(void *self, size_t x, const size_t *parents, size_t n_parents, const size_t *extras,
                        size_t n_extras, double *values, error_info *err) {
    data_families *d = self;
    fresh_work w = {d, x, n_parents, n_extras, parents, extras, values};
    for (size_t i = 0; i < n_extras; i++)
        values[i] = (double)NAN;
    if (!are_worth_threads(d, n_extras))
        return score_alone(&w, err);
    CHECK(start_threads(d, err));
    for (size_t i = 0; i < d->n_workers; i++)
        atomic_store(&d->parts[i].next, first_of_part(&w, i));
    return crew_run(d->threads, score_until_done, &w, err);
}

static void count(void *self, uint64_t requests, uint64_t computed) {
    score_count(((data_families *)self)->scorer, requests, computed);
}

static void keep(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double value) {
    score_keep(((data_families *)self)->scorer, x, parents, n_parents, extra, value);
}

family_source data_families_source(data_families *d, bool is_first) {
    family_source source = {.self = d, .family = ask, .publish = publish, .n_variables = d->n_variables};
    if (d->columns) {
        source.row = ask_row;
        source.count_row = count_row;
        source.n_workers = d->n_workers;
    }
    if (d->columns && is_first) {
        source.fresh = ask_fresh;
        source.count = count;
        source.keep = keep;
        source.most_kept = SCORE_MOST_KEPT;
    }
    return source;
}
