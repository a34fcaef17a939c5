/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The phases of TPDA: Cheng, Greiner, Kelly, Bell, Liu 2002: drafting, thickening, thinning twice, orientation. Pairs
 * are taken in the order of their information. From thickening on every pair that is not adjacent is below the
 * threshold or separated by its cut.
 */
#include "core/base/array.h"
#include "core/base/cache_line.h"
#include "learners/tpda/tpda_internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef status (*separate_function)(tpda_separator *s, tpda_pair *pair, error_info *err);

typedef struct {
    tpda_separator separator;
    pdag *g;
    tpda_pair *pairs;
    size_t n_pairs, capacity;
    size_t *joined; /* of the draft's forest: the way to each tree's root */
    bool is_expired;
} dependency_analysis;

static void analysis_clear(dependency_analysis *a) {
    for (size_t i = 0; i < a->n_pairs; i++)
        free(a->pairs[i].cut);
    free(a->pairs);
    free(a->joined);
    pdag_destroy(a->g);
    tpda_separator_clear(&a->separator);
}

static status analysis_init(dependency_analysis *a, error_info *err) {
    size_t n = a->separator.n;
    CHECK(pdag_create(n, &a->g, err));
    a->separator.g = a->g;
    CHECK_ALLOC(a->joined = calloc(n, sizeof *a->joined));
    for (size_t v = 0; v < n; v++)
        a->joined[v] = v;
    return tpda_separator_init(&a->separator, err);
}

/* --- the list of dependent pairs --- */

/* The pairs that one thread finds, which are put in order later. */
typedef struct {
    _Alignas(CACHE_LINE) information_source source;
    tpda_pair *pairs;
    size_t n_pairs, capacity;
} lister;

typedef struct {
    const dependency_analysis *analysis;
    lister *listers;
    atomic_size_t next;  /* of the columns that nobody has taken, the last has the most pairs */
    atomic_bool is_over; /* the deadline has passed, or a thread has failed */
} listing;

/* Of y and the columns before it. */
static status list_below(listing *l, lister *own, size_t y, error_info *err) {
    const tpda_separator *s = &l->analysis->separator;
    for (size_t x = 0; x < y && !atomic_load(&l->is_over); x++) {
        tpda_pair pair = {.x = x, .y = y};
        CHECK(own->source.measure(own->source.self, x, y, NULL, 0, &pair.information, err));
        if (pair.information > s->rules->threshold)
            CHECK(ARRAY_PUSH(own->pairs, own->n_pairs, own->capacity, err, pair));
        if (run_context_is_expired_at(s->ctx, x))
            atomic_store(&l->is_over, true);
    }
    return STATUS_OK;
}

static status list_columns(void *self, size_t index, error_info *err) {
    listing *l = self;
    status st = STATUS_OK;
    size_t n = l->analysis->separator.n, i;
    while (!atomic_load(&l->is_over) && (i = atomic_fetch_add(&l->next, 1)) < n)
        TRY(list_below(l, &l->listers[index], n - 1 - i, err));
cleanup:
    if (st != STATUS_OK)
        atomic_store(&l->is_over, true);
    return st;
}

static status take_pairs(dependency_analysis *a, const lister *of, error_info *err) {
    CHECK(ARRAY_RESERVE(a->pairs, a->capacity, a->n_pairs + of->n_pairs, err));
    if (of->n_pairs > 0)
        memcpy(a->pairs + a->n_pairs, of->pairs, of->n_pairs * sizeof *of->pairs);
    a->n_pairs += of->n_pairs;
    return STATUS_OK;
}

static status list_by(dependency_analysis *a, lister *listers, size_t n, error_info *err) {
    listing l = {.analysis = a, .listers = listers};
    CHECK(n > 1 ? crew_run(a->separator.rules->threads, list_columns, &l, err) : list_columns(&l, 0, err));
    a->is_expired = atomic_load(&l.is_over);
    for (size_t i = 0; i < n; i++)
        CHECK(take_pairs(a, &listers[i], err));
    return STATUS_OK;
}

static status list_pairs(dependency_analysis *a, error_info *err) {
    const tpda_rules *rules = a->separator.rules;
    size_t n = rules->n_of_threads > 0 ? rules->n_of_threads : 1;
    AUTO_FREE lister *listers = cache_lines_create(n * sizeof *listers);
    status st;
    CHECK_ALLOC(listers);
    for (size_t i = 0; i < n; i++)
        listers[i].source = rules->n_of_threads > 0 ? rules->of_threads[i] : *a->separator.source;
    st = list_by(a, listers, n, err);
    for (size_t i = 0; i < n; i++)
        free(listers[i].pairs);
    return st;
}

static int compare_by_information(const void *p, const void *q) {
    const tpda_pair *a = p, *b = q;
    if (a->information != b->information)
        return a->information > b->information ? -1 : 1;
    return tpda_pair_compare(p, q);
}

/* The most informative first. Those that rounding alone tells apart tie, and go by their nodes. */
static void sort_pairs(dependency_analysis *a) {
    static const double tie = 1e-12;
    size_t from = 0;
    if (a->n_pairs == 0)
        return;
    qsort(a->pairs, a->n_pairs, sizeof *a->pairs, compare_by_information);
    for (size_t i = 1; i <= a->n_pairs; i++) {
        if (i < a->n_pairs && a->pairs[i - 1].information - a->pairs[i].information <= tie)
            continue;
        qsort(a->pairs + from, i - from, sizeof *a->pairs, tpda_pair_compare);
        from = i;
    }
}

/* --- the phases --- */

static size_t root_of(dependency_analysis *a, size_t v) {
    while (a->joined[v] != v) {
        a->joined[v] = a->joined[a->joined[v]];
        v = a->joined[v];
    }
    return v;
}

static status set_edge(dependency_analysis *a, tpda_pair *pair, bool is_edge, error_info *err) {
    pair->is_edge = is_edge;
    return pdag_set_edge(a->g, pair->x, pair->y, is_edge ? EDGE_UNDIRECTED : EDGE_NONE, err);
}

/* The forest of the most informative pairs. */
static status draft(dependency_analysis *a, error_info *err) {
    for (size_t i = 0; i < a->n_pairs; i++) {
        size_t x = root_of(a, a->pairs[i].x), y = root_of(a, a->pairs[i].y);
        if (x == y)
            continue;
        a->joined[x] = y;
        CHECK(set_edge(a, &a->pairs[i], true, err));
    }
    return STATUS_OK;
}

static status thicken(dependency_analysis *a, error_info *err) {
    for (size_t i = 0; i < a->n_pairs && !a->is_expired; i++) {
        tpda_pair *pair = &a->pairs[i];
        if (pair->is_edge)
            continue;
        CHECK(tpda_separate_heuristically(&a->separator, pair, err));
        a->is_expired = run_context_is_expired(a->separator.ctx);
        if (!pair->is_separated && !a->is_expired)
            CHECK(set_edge(a, pair, true, err));
    }
    return STATUS_OK;
}

/* An edge's own nodes are looked at as if it were not there, so it is taken away only when it goes for good. */
static status thin(dependency_analysis *a, separate_function separate, error_info *err) {
    for (size_t i = 0; i < a->n_pairs && !a->is_expired; i++) {
        tpda_pair *pair = &a->pairs[i];
        if (!pair->is_edge)
            continue;
        CHECK(separate(&a->separator, pair, err));
        if (pair->is_separated)
            CHECK(set_edge(a, pair, false, err));
        a->is_expired = run_context_is_expired(a->separator.ctx);
    }
    return STATUS_OK;
}

static status analyse(dependency_analysis *a, error_info *err) {
    CHECK(list_pairs(a, err));
    if (a->is_expired) /* a pair that was not listed is not independent */
        return STATUS_OK;
    sort_pairs(a);
    CHECK(draft(a, err));
    CHECK(thicken(a, err));
    CHECK(thin(a, tpda_separate_heuristically, err));
    CHECK(thin(a, a->separator.rules->is_monotone ? tpda_separate_monotonely : tpda_separate_exhaustively, err));
    if (a->n_pairs > 0)
        qsort(a->pairs, a->n_pairs, sizeof *a->pairs, tpda_pair_compare);
    return tpda_orient(a->g, a->pairs, a->n_pairs, err);
}

status tpda_search(const information_source *source, size_t n_nodes, const tpda_rules *rules, run_context *ctx,
                   pdag **out, bool *is_cut_short, error_info *err) {
    AUTO(analysis_clear)
    dependency_analysis a = {.separator = {.source = source, .rules = rules, .ctx = ctx, .n = n_nodes}};
    CHECK(analysis_init(&a, err));
    CHECK(analyse(&a, err));
    *out = TAKE(a.g);
    *is_cut_short = a.is_expired;
    return STATUS_OK;
}
