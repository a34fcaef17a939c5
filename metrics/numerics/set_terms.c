/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/set_terms_internal.h"

#include "core/counting/tuple_cache.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What is known, of one or several threads. */
typedef struct {
    tuple_cache *cache; /* key: the set, ascending; value: the bits of the sum, and the cells */
    size_t n_users;
} known_sets;

/* Which of them is in use. What has grown too large is replaced by an empty one, and goes when each thread has turned
 * to that: until then there may be threads that look in it. */
typedef struct {
    known_sets *_Atomic newest; /* has one user more: this */
    pthread_mutex_t lock;       /* of what follows, and of the users of what is known */
    size_t n_users;             /* threads */
    known_sets *spare;          /* that nobody looks in any more; NULL: there is none */
} shared_sets;

struct set_terms {
    const dataset *data;
    const whole_terms *terms;
    counts *counts;
    distinct_rows *rows; /* NULL: none */
    known_sets *known;
    shared_sets *shared;  /* NULL: what is known is this one's alone */
    tuple_writer *writer; /* of what is known together */
    uint32_t *key;
    int64_t *single; /* by column, -1 where not yet counted */
};

enum { CACHE_MAX = 1 << 22 }; /* entries of some 60 bytes */

/* --- what is known --- */

static status create_known(known_sets **out, error_info *err) {
    AUTO_FREE known_sets *k = calloc(1, sizeof *k);
    CHECK_ALLOC(k);
    CHECK(tuple_cache_create(CACHE_MAX, &k->cache, err));
    k->n_users = 1;
    *out = TAKE(k);
    return STATUS_OK;
}

static void destroy_known(known_sets *k) {
    if (!k)
        return;
    tuple_cache_destroy(k->cache);
    free(k);
}

/* One user less. */
static void leave(shared_sets *s, known_sets *k) {
    if (--k->n_users > 0)
        return;
    destroy_known(s->spare);
    s->spare = k;
}

static known_sets *newest(shared_sets *s) {
    return atomic_load_explicit(&s->newest, memory_order_relaxed);
}

static void turn_to_newest(set_terms *s) {
    known_sets *to = newest(s->shared);
    to->n_users++;
    if (s->known)
        leave(s->shared, s->known);
    s->known = to;
    s->writer = tuple_cache_create_writer(to->cache);
}

/* NULL without memory. */
static known_sets *take_spare(shared_sets *s) {
    known_sets *k = TAKE(s->spare);
    if (!k)
        return create_known(&k, NULL) == STATUS_OK ? k : NULL;
    tuple_cache_clear(k->cache);
    k->n_users = 1;
    return k;
}

/* Without memory all go on with what is there. */
static void begin_anew(shared_sets *s) {
    known_sets *empty = take_spare(s), *full = newest(s);
    if (!empty)
        return;
    atomic_store_explicit(&s->newest, empty, memory_order_relaxed);
    leave(s, full);
}

static void leave_shared(set_terms *s) {
    shared_sets *shared = s->shared;
    bool is_last;
    (void)pthread_mutex_lock(&shared->lock);
    if (s->known)
        leave(shared, s->known);
    is_last = --shared->n_users == 0;
    (void)pthread_mutex_unlock(&shared->lock);
    if (!is_last)
        return;
    destroy_known(newest(shared));
    destroy_known(shared->spare);
    (void)pthread_mutex_destroy(&shared->lock);
    free(shared);
}

void set_terms_destroy(set_terms *s) {
    if (!s)
        return;
    counts_destroy(s->counts);
    if (s->shared)
        leave_shared(s);
    else
        destroy_known(s->known);
    free(s->key);
    free(s->single);
    free(s);
}

/* All but what is known. */
static status create(const dataset *data, const whole_terms *terms, set_terms **out, error_info *err) {
    AUTO_PTR(set_terms_destroy) set_terms *s = NULL;
    size_t p = dataset_column_count(data);
    CHECK_ALLOC(s = calloc(1, sizeof *s));
    s->data = data;
    s->terms = terms;
    CHECK(counts_create(data, &s->counts, err));
    CHECK_ALLOC(s->key = calloc(p + 1, sizeof *s->key));
    CHECK_ALLOC(s->single = calloc(p, sizeof *s->single));
    for (size_t c = 0; c < p; c++)
        s->single[c] = -1;
    *out = TAKE(s);
    return STATUS_OK;
}

status set_terms_create(const dataset *data, const whole_terms *terms, set_terms **out, error_info *err) {
    AUTO_PTR(set_terms_destroy) set_terms *s = NULL;
    CHECK(create(data, terms, &s, err));
    CHECK(create_known(&s->known, err));
    *out = TAKE(s);
    return STATUS_OK;
}

status set_terms_create_beside(const set_terms *with, set_terms **out, error_info *err) {
    shared_sets *shared = with->shared;
    CHECK(create(with->data, with->terms, out, err));
    (void)pthread_mutex_lock(&shared->lock);
    (*out)->shared = shared;
    turn_to_newest(*out);
    shared->n_users++;
    (void)pthread_mutex_unlock(&shared->lock);
    return STATUS_OK;
}

status set_terms_share(set_terms *s, error_info *err) {
    shared_sets *shared;
    CHECK_ALLOC(shared = calloc(1, sizeof *shared));
    (void)pthread_mutex_init(&shared->lock, NULL);
    atomic_store(&shared->newest, s->known);
    s->known->n_users++;
    shared->n_users = 1;
    s->shared = shared;
    s->writer = tuple_cache_create_writer(s->known->cache);
    return STATUS_OK;
}

static tuple_value pack(const set_term *term) {
    tuple_value value = {.b = term->n_cells};
    memcpy(&value.a, &term->sum, sizeof value.a);
    return value;
}

static set_term unpack(const tuple_value *value) {
    set_term term = {.n_cells = value->b};
    memcpy(&term.sum, &value->a, sizeof term.sum);
    return term;
}

static set_term sum_of(const whole_terms *terms, const uint32_t *tallies, size_t n) {
    int64_t sum = 0;
    size_t positive = 0;
    for (size_t i = 0; i < n; i++) {
        sum += terms->at[tallies[i]];
        positive += tallies[i] > 0;
    }
    return (set_term){sum, (double)positive};
}

void set_terms_count_by(set_terms *s, distinct_rows *rows) {
    s->rows = rows;
}

/* Tables of distinct rows share what consecutive sets have in common from the first column on. */
static bool count_distinct(set_terms *s, const size_t *z, size_t n_z, size_t extra, counts_table *out) {
    if (!s->rows)
        return false;
    if (extra != COUNTS_NO_EXTRA)
        return distinct_rows_count(s->rows, extra, z, n_z, COUNTS_NO_EXTRA, out);
    return n_z > 0 && distinct_rows_count(s->rows, z[n_z - 1], z, n_z - 1, COUNTS_NO_EXTRA, out);
}

static status get_table(set_terms *s, const size_t *z, size_t n_z, size_t extra, counts_table *out, error_info *err) {
    if (count_distinct(s, z, n_z, extra, out))
        return STATUS_OK;
    if (n_z == 0)
        return counts_get(s->counts, extra, NULL, 0, COUNTS_NO_EXTRA, out, err);
    return counts_get(s->counts, z[0], z + 1, n_z - 1, extra, out, err);
}

static status count(set_terms *s, const size_t *z, size_t n_z, size_t extra, set_term *out, error_info *err) {
    counts_table table;
    CHECK(get_table(s, z, n_z, extra, &table, err));
    *out = sum_of(s->terms, table.cells ? table.cells : table.tallies, table.n_cells);
    return STATUS_OK;
}

status set_terms_single(set_terms *s, size_t column, int64_t *out, error_info *err) {
    if (s->single[column] < 0) {
        set_term term;
        CHECK(count(s, NULL, 0, column, &term, err));
        s->single[column] = term.sum;
    }
    *out = s->single[column];
    return STATUS_OK;
}

status set_terms_pair(set_terms *s, size_t x, size_t y, int64_t *out, error_info *err) {
    counts_table table;
    CHECK(counts_get(s->counts, x, NULL, 0, y, &table, err));
    *out = sum_of(s->terms, table.cells ? table.cells : table.tallies, table.n_cells).sum;
    return STATUS_OK;
}

static size_t make_key(set_terms *s, const size_t *z, size_t n_z) {
    size_t n = 0;
    for (size_t i = 0; i < n_z; i++)
        n = tuple_key_insert(s->key, 0, n, z[i]);
    return n;
}

static size_t add_to_key(set_terms *s, size_t n, size_t column) {
    return column == COUNTS_NO_EXTRA ? n : tuple_key_insert(s->key, 0, n, column);
}

static size_t make_key_of_pair(set_terms *s, const size_t *z, size_t n_z, size_t x, size_t y) {
    return add_to_key(s, add_to_key(s, make_key(s, z, n_z), x), y);
}

/* The set whose key was made. */
static bool find(set_terms *s, size_t n, set_term *out) {
    tuple_value known;
    if (!tuple_cache_read(s->known->cache, s->key, n, &known))
        return false;
    *out = unpack(&known);
    return true;
}

void set_terms_expect(set_terms *s, const size_t *z, size_t n_z, size_t x, size_t y) {
    size_t n = make_key(s, z, n_z);
    tuple_cache_expect(s->known->cache, s->key, n);
    n = add_to_key(s, n, x);
    tuple_cache_expect(s->known->cache, s->key, n);
    n = add_to_key(s, n, y);
    tuple_cache_expect(s->known->cache, s->key, n);
    n = make_key_of_pair(s, z, n_z, y, COUNTS_NO_EXTRA);
    tuple_cache_expect(s->known->cache, s->key, n);
}

bool set_terms_find(set_terms *s, const size_t *z, size_t n_z, size_t x, size_t y, set_term *out) {
    return find(s, make_key_of_pair(s, z, n_z, x, y), out);
}

void set_terms_add(set_terms *s, const size_t *z, size_t n_z, size_t x, size_t y, const set_term *term) {
    size_t n = make_key_of_pair(s, z, n_z, x, y);
    if (s->shared)
        tuple_cache_write(s->known->cache, s->writer, s->key, n, pack(term));
    else
        tuple_cache_set(s->known->cache, s->key, n, pack(term));
}

void set_terms_follow(set_terms *s) {
    if (!s->shared || s->known == newest(s->shared))
        return;
    (void)pthread_mutex_lock(&s->shared->lock);
    turn_to_newest(s);
    (void)pthread_mutex_unlock(&s->shared->lock);
}

void set_terms_shrink(set_terms *s) {
    enum { FEW = 1 << 18 }; /* some 16 MiB */
    bool is_large = tuple_cache_count(s->known->cache) > FEW;
    if (is_large && !s->shared)
        tuple_cache_clear(s->known->cache);
    if (is_large && s->shared) {
        (void)pthread_mutex_lock(&s->shared->lock);
        if (s->known == newest(s->shared))
            begin_anew(s->shared);
        (void)pthread_mutex_unlock(&s->shared->lock);
    }
    set_terms_follow(s);
}

status set_terms_get(set_terms *s, const size_t *z, size_t n_z, size_t extra, set_term *out, error_info *err) {
    size_t n = add_to_key(s, make_key(s, z, n_z), extra);
    if (n == 0) {
        *out = (set_term){s->terms->at[dataset_row_count(s->data)], 1};
        return STATUS_OK;
    }
    if (find(s, n, out))
        return STATUS_OK;
    CHECK(count(s, z, n_z, extra, out, err));
    if (s->shared)
        tuple_cache_write(s->known->cache, s->writer, s->key, n, pack(out));
    else
        tuple_cache_add(s->known->cache, s->key, n, pack(out));
    return STATUS_OK;
}
