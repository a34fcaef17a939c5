/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every node by itself, so that threads take one after another. Where a node has the parents of the choice before, its
 * candidates are the same, and nothing is asked.
 */
#include "learners/hybrid/sc_candidates_internal.h"

#include "core/base/array.h"
#include "core/base/cache_line.h"
#include "core/counting/tuple_cache.h"
#include "core/run/parallel.h"
#include "metrics/numerics/information.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* One thread's tools. */
typedef struct {
    _Alignas(CACHE_LINE) information *info; /* NULL before first use */
    statistics_count tally;                 /* the first thread's is the caller's */
    double *measures;                       /* of one node's possible candidates; -INFINITY where taken */
    size_t *row;
} worker;

struct sc_candidates {
    const dataset *data;
    run_context *ctx;
    size_t n, k;
    size_t *cells; /* n rows of k */
    const size_t **rows;
    size_t *n_rows;
    size_t *given, *n_given; /* the parents of the choice before, as the rows; SIZE_MAX of them: there was none */
    tuple_cache *asked;      /* a node and its parents, of all choices; n and parents: how many nodes had them */
    uint32_t *key;
    pair_tables *tables;
    worker *workers;

    /* the present choice */
    const dag *g;
    score *scorer;
    size_t *nodes, n_nodes; /* that have other parents than before */
    size_t n_passed_over;   /* tests of the rest, whose answers are those of before */
    atomic_size_t next;     /* the first of them that nobody has taken */
    atomic_bool is_over;    /* the deadline has passed, or a thread has failed */
    atomic_bool is_changed;
};

void sc_candidates_destroy(sc_candidates *c) {
    if (!c)
        return;
    for (size_t i = 0; c->workers && i < c->ctx->n_threads; i++) {
        information_destroy(c->workers[i].info);
        free(c->workers[i].measures);
        free(c->workers[i].row);
    }
    free(c->workers);
    pair_tables_destroy(c->tables);
    tuple_cache_destroy(c->asked);
    free(c->key);
    free(c->cells);
    free(c->rows);
    free(c->n_rows);
    free(c->given);
    free(c->n_given);
    free(c->nodes);
    free(c);
}

static status reserve(sc_candidates *c, error_info *err) {
    size_t cells;
    if (__builtin_mul_overflow(c->n, c->k, &cells))
        return error_out_of_memory(err);
    CHECK_ALLOC(c->cells = calloc(cells + 1, sizeof *c->cells));
    CHECK_ALLOC(c->given = calloc(cells + 1, sizeof *c->given));
    CHECK_ALLOC(c->rows = calloc(c->n, sizeof *c->rows));
    CHECK_ALLOC(c->n_rows = calloc(c->n, sizeof *c->n_rows));
    CHECK_ALLOC(c->n_given = calloc(c->n, sizeof *c->n_given));
    CHECK_ALLOC(c->nodes = calloc(c->n, sizeof *c->nodes));
    CHECK_ALLOC(c->key = calloc(c->n + 2, sizeof *c->key));
    CHECK_ALLOC(c->workers = cache_lines_create(c->ctx->n_threads * sizeof *c->workers));
    return tuple_cache_create(SIZE_MAX, &c->asked, err);
}

status sc_candidates_create(const dataset *data, size_t k, run_context *ctx, sc_candidates **out, error_info *err) {
    AUTO_PTR(sc_candidates_destroy) sc_candidates *c = NULL;
    size_t n = dataset_column_count(data);
    CHECK_ALLOC(c = calloc(1, sizeof *c));
    c->data = data;
    c->ctx = ctx;
    c->n = n;
    c->k = k < n ? k : n;
    CHECK(reserve(c, err));
    for (size_t x = 0; x < n; x++) {
        c->rows[x] = c->cells + x * c->k;
        c->n_given[x] = SIZE_MAX;
    }
    CHECK(pair_tables_create(data, ctx->n_threads, &c->tables, err));
    *out = TAKE(c);
    return STATUS_OK;
}

const size_t *const *sc_candidates_rows(const sc_candidates *c) {
    return c->rows;
}

const size_t *sc_candidates_counts(const sc_candidates *c) {
    return c->n_rows;
}

/* --- one node --- */

static status prepare(sc_candidates *c, worker *w, error_info *err) {
    statistics_count *tally = w == c->workers ? &c->ctx->tests : &w->tally;
    if (w->info)
        return STATUS_OK;
    CHECK(information_create(c->data, tally, &w->info, err));
    CHECK(information_use_tables(w->info, c->tables, err));
    CHECK_ALLOC(w->measures = calloc(c->n, sizeof *w->measures));
    CHECK_ALLOC(w->row = calloc(c->k + 1, sizeof *w->row));
    return STATUS_OK;
}

/* Each of the others as a further parent of x, given its parents. */
static status measure_others(sc_candidates *c, worker *w, size_t x, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(c->g, x, &n_parents);
    for (size_t y = 0; y < c->n && !atomic_load(&c->is_over); y++) {
        if (y == x || dag_has_arc(c->g, y, x))
            w->measures[y] = -INFINITY;
        else if (c->scorer)
            CHECK(score_node_with(c->scorer, x, parents, n_parents, y, &w->measures[y], err));
        else
            CHECK(information_measure(w->info, y, x, parents, n_parents, &w->measures[y], err));
        if (run_context_is_expired_at(c->ctx, y))
            atomic_store(&c->is_over, true);
    }
    return STATUS_OK;
}

/* The first within the tolerance of the largest; n where none is left. */
static size_t take_largest(const sc_candidates *c, double *measures) {
    double most = -INFINITY;
    for (size_t y = 0; y < c->n; y++)
        most = measures[y] > most ? measures[y] : most;
    for (size_t y = 0; y < c->n && most > -INFINITY; y++) {
        if (measures[y] >= most - SCORE_TOLERANCE) {
            measures[y] = -INFINITY;
            return y;
        }
    }
    return c->n;
}

static void put_row(sc_candidates *c, size_t x, const size_t *row, size_t n) {
    size_t *kept = c->cells + x * c->k;
    if (c->n_rows[x] != n || memcmp(kept, row, n * sizeof *row) != 0)
        atomic_store(&c->is_changed, true);
    memcpy(kept, row, n * sizeof *row);
    c->n_rows[x] = n;
}

/* A node without parents has no list of them. */
static void copy_parents(const size_t *parents, size_t n, size_t *to) {
    if (n > 0)
        memcpy(to, parents, n * sizeof *parents);
}

/* The parents that x has, and the others of the largest measure up to k in all. */
static status choose_row(sc_candidates *c, worker *w, size_t x, error_info *err) {
    size_t n;
    const size_t *parents = dag_parents(c->g, x, &n);
    copy_parents(parents, n, w->row);
    CHECK(measure_others(c, w, x, err));
    while (n < c->k) {
        size_t y = take_largest(c, w->measures);
        if (y == c->n)
            break;
        w->row[n++] = y;
    }
    array_sort_sizes(w->row, n);
    if (!atomic_load(&c->is_over))
        put_row(c, x, w->row, n);
    return STATUS_OK;
}

/* --- what is counted --- */

static size_t lay_key(sc_candidates *c, size_t node, const size_t *parents, size_t n_parents) {
    size_t n = 1;
    c->key[0] = (uint32_t)node;
    for (size_t i = 0; i < n_parents; i++)
        n = tuple_key_insert(c->key, 1, n, parents[i]);
    return n;
}

/* Of the tests of x and the others given its parents, those that were asked before: all of them, or those of the nodes
 * that had the same parents. */
static size_t count_repeated(sc_candidates *c, size_t x, const size_t *parents, size_t n_parents) {
    size_t n = lay_key(c, x, parents, n_parents);
    const tuple_value *known = tuple_cache_find(c->asked, c->key, n);
    double before;
    if (known)
        return c->n - 1 - n_parents;
    tuple_cache_add(c->asked, c->key, n, (tuple_value){0});
    c->key[0] = (uint32_t)c->n;
    known = tuple_cache_find(c->asked, c->key, n);
    before = known ? known->a : 0;
    tuple_cache_set(c->asked, c->key, n, (tuple_value){.a = before + 1});
    return (size_t)before;
}

static bool has_parents_of_before(const sc_candidates *c, size_t x, const size_t *parents, size_t n_parents) {
    return c->n_given[x] == n_parents &&
           (n_parents == 0 || memcmp(c->given + x * c->k, parents, n_parents * sizeof *parents) == 0);
}

/* What other threads have counted goes to the caller's; and what was asked before was not to be computed. */
static void count_tests(sc_candidates *c) {
    statistics_count *tally = &c->ctx->tests;
    for (size_t i = 1; i < c->ctx->n_threads; i++) {
        statistics_count_add(tally, &c->workers[i].tally);
        c->workers[i].tally = (statistics_count){0};
    }
    for (size_t i = 0; i < c->n_nodes && !atomic_load(&c->is_over); i++) {
        size_t n_parents;
        const size_t *parents = dag_parents(c->g, c->nodes[i], &n_parents);
        tally->computed -= count_repeated(c, c->nodes[i], parents, n_parents);
    }
    tally->requests += c->n_passed_over;
}

/* Lists the nodes that have other parents than before, and keeps these. */
static void list_nodes(sc_candidates *c) {
    c->n_nodes = c->n_passed_over = 0;
    for (size_t x = 0; x < c->n; x++) {
        size_t n_parents;
        const size_t *parents = dag_parents(c->g, x, &n_parents);
        if (!c->scorer && has_parents_of_before(c, x, parents, n_parents)) {
            c->n_passed_over += c->n - 1 - n_parents;
            continue;
        }
        c->nodes[c->n_nodes++] = x;
        copy_parents(parents, n_parents, c->given + x * c->k);
        c->n_given[x] = n_parents;
    }
}

/* --- all nodes --- */

static status work(void *self, size_t index, error_info *err) {
    sc_candidates *c = self;
    status st = STATUS_OK;
    TRY(prepare(c, &c->workers[index], err));
    while (!atomic_load(&c->is_over)) {
        size_t i = atomic_fetch_add(&c->next, 1);
        if (i >= c->n_nodes)
            break;
        TRY(choose_row(c, &c->workers[index], c->nodes[i], err));
    }
cleanup:
    if (st != STATUS_OK)
        atomic_store(&c->is_over, true);
    return st;
}

/* Scores are of the caller's evaluator, which serves one thread. */
static size_t count_workers(const sc_candidates *c) {
    enum { MANY = 1 << 14 }; /* tests, of 0.1 microseconds or more: threads start in less time */
    size_t n = c->ctx->n_threads < c->n_nodes ? c->ctx->n_threads : c->n_nodes;
    return !c->scorer && c->n_nodes * c->n >= MANY ? n : 1;
}

status sc_candidates_choose(sc_candidates *c, const dag *g, score *scorer, bool *is_changed, bool *is_expired,
                            error_info *err) {
    c->g = g;
    c->scorer = scorer;
    list_nodes(c);
    atomic_store(&c->next, 0);
    atomic_store(&c->is_over, false);
    atomic_store(&c->is_changed, false);
    CHECK(parallel_run(count_workers(c), work, c, err));
    if (!scorer)
        count_tests(c);
    *is_changed = atomic_load(&c->is_changed);
    *is_expired = atomic_load(&c->is_over);
    return STATUS_OK;
}
