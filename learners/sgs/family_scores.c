/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scores of families, kept from one search to the next: ten searches of sgs2 on alarm (5,000 rows) compute 8,380 scores
 * where one computes 4,293. A greedy search (greedy_rows.c, delta_table.c) knows the scores around its present graph
 * alone. Here a move also reads the rows of a node's parents less one, and finds those of former graphs again, so rows
 * are found by family (learners/base/family_index.h), as those of GES are. A value that is known never changes, and
 * -INFINITY stands where nothing may be added.
 *
 * Searches side by side share the pool by a lock, under which a row is made and what is asked for is counted. Each has
 * an index of its own of the rows that it has met, so that it comes to the lock once a row.
 */
#include "learners/sgs/family_scores_internal.h"

#include "core/base/array.h"
#include "core/base/cache_line.h"
#include "core/run/spin.h"
#include "learners/base/family_index.h"
#include "learners/sgs/candidate_positions_internal.h"
#include "learners/sgs/known_families_internal.h"
#include "learners/sgs/row_order_internal.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_OPEN, ROW_IN_WORK, ROW_FULL };

struct family_pool {
    const family_source *source;
    const sgs_plan *plan;
    size_t n;
    bool has_lock;
    pthread_mutex_t lock; /* of what follows, and of the source but for its rows */
    family_index *index;
    size_t n_bytes;
    size_t n_trims;
    known_families *known; /* of what was asked for; NULL: the source knows */
    size_t n_asked;        /* distinct families */
    size_t *extras;        /* scratch, where `known` */
};

struct family_scores {
    family_pool *pool;
    size_t worker;
    family_index *index; /* of rows that the pool owns */
    size_t n_trims;      /* of the pool, when the index was begun */
    /* scratch, in lines of their own */
    row_place *places; /* 2 n */
    double *values;    /* 2 n */
};

static void destroy_row(void *self) {
    family_row *row = self;
    if (row)
        free(row->order);
    free(row);
}

/* Those of a pool stay with it. */
static void leave_row(void *self) {
    (void)self;
}

void family_pool_destroy(family_pool *pool) {
    if (!pool)
        return;
    family_index_destroy(pool->index);
    known_families_destroy(pool->known);
    free(pool->extras);
    if (pool->has_lock)
        pthread_mutex_destroy(&pool->lock);
    free(pool);
}

status family_pool_create(const family_source *source, const sgs_plan *plan, family_pool **out, error_info *err) {
    AUTO_PTR(family_pool_destroy) family_pool *pool = NULL;
    CHECK_ALLOC(pool = calloc(1, sizeof *pool));
    pool->source = source;
    pool->plan = plan;
    pool->n = source->n_variables;
    if (pthread_mutex_init(&pool->lock, NULL) != 0)
        return error_out_of_memory(err);
    pool->has_lock = true;
    CHECK(family_index_create(pool->n, destroy_row, &pool->index, err));
    if (source->fresh && plan->neighbourhood != SGS_STARS) {
        CHECK(known_families_create(plan, pool->n, &pool->known, err));
        CHECK_ALLOC(pool->extras = calloc(pool->n + 1, sizeof *pool->extras));
    }
    *out = TAKE(pool);
    return STATUS_OK;
}

void family_scores_destroy(family_scores *scores) {
    if (!scores)
        return;
    family_index_destroy(scores->index);
    free(scores->places);
    free(scores->values);
    free(scores);
}

status family_scores_create(family_pool *pool, size_t worker, family_scores **out, error_info *err) {
    AUTO_PTR(family_scores_destroy) family_scores *scores = NULL;
    CHECK_ALLOC(scores = calloc(1, sizeof *scores));
    scores->pool = pool;
    scores->worker = worker;
    scores->n_trims = pool->n_trims;
    CHECK_ALLOC(scores->places = cache_lines_create(2 * (pool->n + 1) * sizeof *scores->places));
    CHECK_ALLOC(scores->values = cache_lines_create(2 * (pool->n + 1) * sizeof *scores->values));
    CHECK(family_index_create(pool->n, leave_row, &scores->index, err));
    *out = TAKE(scores);
    return STATUS_OK;
}

static size_t width_of(const family_pool *pool, size_t x) {
    return candidate_count(pool->plan, pool->n, x);
}

static size_t node_of(const family_pool *pool, size_t x, size_t position) {
    return pool->plan->candidates ? pool->plan->candidates[x][position] : position;
}

static void hand_row_over(const family_pool *pool, const family_row *row) {
    const family_source *source = pool->source;
    source->keep(source->self, row->x, row->parents, row->n_parents, FAMILY_NO_EXTRA, row->base);
    for (size_t i = 0; i < width_of(pool, row->x); i++) {
        size_t y = node_of(pool, row->x, i);
        if (y != row->x && !isnan(row->values[i]) && !array_has_size(row->parents, row->n_parents, y))
            source->keep(source->self, row->x, row->parents, row->n_parents, y, row->values[i]);
    }
}

/* From here on the source knows what was asked for. */
static void hand_over(family_pool *pool) {
    for (size_t x = 0; x < pool->n; x++) {
        for (size_t i = 0; i < known_families_row_count(pool->known, x); i++)
            hand_row_over(pool, known_families_row(pool->known, x, i));
    }
    known_families_destroy(TAKE(pool->known));
}

status family_pool_trim(family_pool *pool, size_t max_bytes, error_info *err) {
    if (pool->n_bytes <= max_bytes)
        return STATUS_OK;
    if (pool->known)
        hand_over(pool);
    pool->n_bytes = 0;
    pool->n_trims++;
    return family_index_forget(pool->index, err);
}

status family_scores_begin(family_scores *scores, error_info *err) {
    if (scores->n_trims == scores->pool->n_trims)
        return STATUS_OK;
    scores->n_trims = scores->pool->n_trims;
    return family_index_forget(scores->index, err);
}

size_t family_scores_width(const family_scores *scores, size_t x) {
    return width_of(scores->pool, x);
}

size_t family_scores_node(const family_scores *scores, size_t x, size_t position) {
    return node_of(scores->pool, x, position);
}

size_t family_scores_position(const family_scores *scores, size_t x, size_t y) {
    return candidate_position(scores->pool->plan, scores->pool->n, x, y);
}

static void rule_out(const family_pool *pool, family_row *row, size_t y) {
    size_t at = candidate_position(pool->plan, pool->n, row->x, y);
    if (at == width_of(pool, row->x))
        return;
    row->values[at] = -INFINITY;
    row->n_unknown--;
}

/* So many families more may be known by rows. */
static bool is_known_by_rows(family_pool *pool, size_t n_more) {
    if (pool->known && pool->source->most_kept - pool->n_asked < n_more)
        hand_over(pool);
    return pool->known;
}

static void count_asked(family_pool *pool, size_t n_requests, size_t n_new) {
    pool->n_asked += n_new;
    pool->source->count(pool->source->self, n_requests, n_new);
}

static status ask_base(family_pool *pool, family_row *row, error_info *err) {
    const family_source *source = pool->source;
    const size_t no_extra = FAMILY_NO_EXTRA;
    bool is_new;
    if (!is_known_by_rows(pool, 1))
        return source->family(source->self, row->x, row->parents, row->n_parents, FAMILY_NO_EXTRA, &row->base, err);
    row->base = known_families_base(pool->known, row->x, row->parents, row->n_parents);
    is_new = isnan(row->base);
    while (isnan(row->base)) /* a node needs its score, whatever the time */
        CHECK(source->fresh(source->self, row->x, row->parents, row->n_parents, &no_extra, 1, &row->base, err));
    count_asked(pool, 1, is_new);
    return known_families_add_row(pool->known, row, err);
}

/* A row that the index does not have yet. */
static status add_row(family_pool *pool, size_t x, const size_t *parents, size_t n, family_row **out, error_info *err) {
    size_t width = width_of(pool, x), n_bytes = sizeof(family_row) + width * sizeof(double);
    size_t *own_parents;
    AUTO_FREE family_row *row = malloc(n_bytes + n * sizeof *own_parents);
    CHECK_ALLOC(row);
    own_parents = (size_t *)(void *)(row->values + width);
    for (size_t i = 0; i < n; i++)
        own_parents[i] = parents[i];
    *row = (family_row){.x = x, .n_parents = n, .parents = own_parents, .top = -INFINITY, .n_unknown = width};
    atomic_init(&row->stage, ROW_OPEN);
    for (size_t i = 0; i < width; i++)
        row->values[i] = (double)NAN;
    rule_out(pool, row, x);
    for (size_t i = 0; i < n; i++)
        rule_out(pool, row, parents[i]);
    pool->n_bytes += n_bytes + n * sizeof *own_parents;
    CHECK(ask_base(pool, row, err));
    CHECK(family_index_add(pool->index, row, err));
    *out = TAKE(row);
    return STATUS_OK;
}

/* The first worker is the run's own thread. */
static void unlock(family_scores *scores) {
    const family_source *source = scores->pool->source;
    if (scores->worker == 0 && source->publish)
        source->publish(source->self);
    pthread_mutex_unlock(&scores->pool->lock);
}

void family_scores_publish(family_scores *scores) {
    spin_lock(&scores->pool->lock);
    unlock(scores);
}

static status get_of_pool(family_scores *scores, size_t x, const size_t *parents, size_t n, family_row **out,
                          error_info *err) {
    family_pool *pool = scores->pool;
    status st = STATUS_OK;
    spin_lock(&pool->lock);
    *out = family_index_find(pool->index, x, parents, n);
    if (!*out)
        st = add_row(pool, x, parents, n, out, err);
    unlock(scores);
    return st;
}

status family_scores_get(family_scores *scores, size_t x, const size_t *parents, size_t n, family_row **out,
                         error_info *err) {
    *out = family_index_find(scores->index, x, parents, n);
    if (*out)
        return STATUS_OK;
    CHECK(get_of_pool(scores, x, parents, n, out, err));
    return family_index_add(scores->index, *out, err);
}

static void take_value(family_row *row, size_t position, double value) {
    row->values[position] = value;
    row->n_unknown--;
    if (value > row->top)
        row->top = value;
}

bool family_scores_ask_together(const family_scores *scores) {
    return scores->pool->known;
}

/* Those of the n families with extras[i] that no row knows, one after the other. */
static status ask_unknown(family_scores *scores, const family_row *row, size_t n, size_t *n_new, error_info *err) {
    family_pool *pool = scores->pool;
    const family_source *source = pool->source;
    double *values = scores->values, *fresh = scores->values + pool->n;
    size_t n_unknown = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i]))
            pool->extras[n_unknown++] = pool->extras[i];
    }
    CHECK(source->fresh(source->self, row->x, row->parents, row->n_parents, pool->extras, n_unknown, fresh, err));
    *n_new = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i])) {
            values[i] = fresh[at++];
            *n_new += isnan(values[i]) ? 0 : 1;
        }
    }
    return STATUS_OK;
}

static status ask_together(family_scores *scores, family_row *row, const size_t *positions, size_t n, error_info *err) {
    family_pool *pool = scores->pool;
    double *values = scores->values;
    size_t n_new, n_left = row->n_unknown;
    for (size_t i = 0; i < n; i++) {
        pool->extras[i] = node_of(pool, row->x, positions[i]);
        values[i] = (double)NAN;
    }
    known_families_cells(pool->known, row, pool->extras, n, values);
    CHECK(ask_unknown(scores, row, n, &n_new, err));
    for (size_t i = 0; i < n; i++) {
        if (!isnan(values[i]))
            take_value(row, positions[i], values[i]);
    }
    count_asked(pool, n_left - row->n_unknown, n_new);
    return STATUS_OK;
}

static status ask_source(const family_pool *pool, family_row *row, size_t position, error_info *err) {
    const family_source *source = pool->source;
    size_t y = node_of(pool, row->x, position);
    double value = 0;
    CHECK(source->family(source->self, row->x, row->parents, row->n_parents, y, &value, err));
    take_value(row, position, value);
    return STATUS_OK;
}

status family_row_ask_some(family_scores *scores, family_row *row, const size_t *positions, size_t n, error_info *err) {
    if (is_known_by_rows(scores->pool, n))
        return ask_together(scores, row, positions, n, err);
    for (size_t i = 0; i < n; i++)
        CHECK(ask_source(scores->pool, row, positions[i], err));
    return STATUS_OK;
}

status family_row_ask(family_scores *scores, family_row *row, size_t position, error_info *err) {
    return family_row_ask_some(scores, row, &position, 1, err);
}

/* --- whole rows --- */

static status put_in_order(family_scores *scores, family_row *row, size_t width, error_info *err) {
    AUTO_FREE uint32_t *order = calloc(width + 1, sizeof *order);
    CHECK_ALLOC(order);
    row_order_find(row->values, width, scores->places, order);
    row->order = TAKE(order);
    return STATUS_OK;
}

static status ask_each(family_scores *scores, family_row *row, size_t width, error_info *err) {
    for (size_t i = 0; i < width; i++) {
        if (isnan(row->values[i]))
            CHECK(family_row_ask(scores, row, i, err));
    }
    return put_in_order(scores, row, width, err);
}

/* No value is known, and every node is a candidate. */
static bool can_be_found(const family_pool *pool, const family_row *row) {
    return pool->source->row && !pool->plan->candidates && row->n_unknown + row->n_parents + 1 == pool->n;
}

static status find_whole(family_scores *scores, family_row *row, error_info *err) {
    const family_source *source = scores->pool->source;
    size_t n = scores->pool->n;
    CHECK(source->row(source->self, scores->worker, row->x, row->parents, row->n_parents, scores->values, err));
    for (size_t i = 0; i < n; i++) {
        if (isnan(row->values[i]))
            row->values[i] = scores->values[i];
    }
    CHECK(put_in_order(scores, row, n, err));
    row->top = row->values[row->order[0]];
    row->n_unknown = 0;
    return STATUS_OK;
}

static status count_whole(family_pool *pool, const family_row *row, error_info *err) {
    const family_source *source = pool->source;
    pool->n_bytes += (width_of(pool, row->x) + 1) * sizeof *row->order;
    return can_be_found(pool, row) && source->count_row
               ? source->count_row(source->self, row->x, row->parents, row->n_parents, err)
               : STATUS_OK;
}

/* Makes the row the caller's to fill, unless it is another's, or full. */
static status claim(family_scores *scores, family_row *row, bool *is_ours, error_info *err) {
    family_pool *pool = scores->pool;
    status st = STATUS_OK;
    spin_lock(&pool->lock);
    *is_ours = atomic_load(&row->stage) == ROW_OPEN;
    if (*is_ours) {
        atomic_store(&row->stage, ROW_IN_WORK);
        st = count_whole(pool, row, err);
    }
    unlock(scores);
    return st;
}

static void wait_while_in_work(family_row *row) {
    for (spin s = {0}; atomic_load(&row->stage) == ROW_IN_WORK;)
        spin_wait(&s);
}

/* Where searches are side by side, every row can be found. */
static status fill_own(family_scores *scores, family_row *row, error_info *err) {
    return can_be_found(scores->pool, row) ? find_whole(scores, row, err)
                                           : ask_each(scores, row, family_scores_width(scores, row->x), err);
}

static status fill_open(family_scores *scores, family_row *row, error_info *err) {
    bool is_ours = false;
    status st = claim(scores, row, &is_ours, err);
    if (!is_ours)
        return st;
    if (st == STATUS_OK)
        st = fill_own(scores, row, err);
    atomic_store(&row->stage, st == STATUS_OK ? ROW_FULL : ROW_OPEN);
    return st;
}

bool family_row_is_full(const family_row *row) {
    return atomic_load(&row->stage) == ROW_FULL;
}

status family_row_fill_if_open(family_scores *scores, family_row *row, error_info *err) {
    return atomic_load(&row->stage) == ROW_OPEN ? fill_open(scores, row, err) : STATUS_OK;
}

status family_row_fill(family_scores *scores, family_row *row, error_info *err) {
    while (!family_row_is_full(row)) {
        wait_while_in_work(row);
        CHECK(fill_open(scores, row, err));
    }
    return STATUS_OK;
}

status family_score_dag(const family_source *source, const dag *g, double *out, error_info *err) {
    double sum = 0;
    for (size_t x = 0; x < source->n_variables; x++) {
        size_t n_parents;
        const size_t *parents = dag_parents(g, x, &n_parents);
        double value = 0;
        CHECK(source->family(source->self, x, parents, n_parents, FAMILY_NO_EXTRA, &value, err));
        sum += value;
    }
    *out = sum;
    return STATUS_OK;
}
