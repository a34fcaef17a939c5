/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/set_terms_internal.h"

#include "core/counting/tuple_cache.h"

#include <stdlib.h>
#include <string.h>

struct set_terms {
    const dataset *data;
    const whole_terms *terms;
    counts *counts;
    distinct_rows *rows;         /* NULL: none */
    tuple_cache *cache;          /* key: the set, ascending; value: the bits of the sum, and the cells */
    bool is_borrowed, is_shared; /* the cache is another's; other threads use it */
    uint32_t *key;
    int64_t *single; /* by column, -1 where not yet counted */
};

enum { CACHE_MAX = 1 << 22 }; /* entries of some 60 bytes */

void set_terms_destroy(set_terms *s) {
    if (!s)
        return;
    counts_destroy(s->counts);
    if (!s->is_borrowed)
        tuple_cache_destroy(s->cache);
    free(s->key);
    free(s->single);
    free(s);
}

/* All but the cache. */
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
    CHECK(tuple_cache_create(CACHE_MAX, &s->cache, err));
    *out = TAKE(s);
    return STATUS_OK;
}

status set_terms_create_beside(const set_terms *with, set_terms **out, error_info *err) {
    CHECK(create(with->data, with->terms, out, err));
    (*out)->cache = with->cache;
    (*out)->is_borrowed = (*out)->is_shared = true;
    return STATUS_OK;
}

void set_terms_share(set_terms *s) {
    s->is_shared = true;
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

static status get_table(set_terms *s, size_t first, const size_t *z, size_t n_z, size_t extra, counts_table *out,
                        error_info *err) {
    if (s->rows && distinct_rows_count(s->rows, first, z, n_z, extra, out))
        return STATUS_OK;
    return counts_get(s->counts, first, z, n_z, extra, out, err);
}

static status count(set_terms *s, const size_t *z, size_t n_z, size_t extra, set_term *out, error_info *err) {
    counts_table table;
    CHECK(n_z > 0 ? get_table(s, z[0], z + 1, n_z - 1, extra, &table, err)
                  : get_table(s, extra, NULL, 0, COUNTS_NO_EXTRA, &table, err));
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

static size_t make_key_of_pair(set_terms *s, const size_t *z, size_t n_z, size_t x, size_t y) {
    size_t n = tuple_key_insert(s->key, 0, make_key(s, z, n_z), x);
    return tuple_key_insert(s->key, 0, n, y);
}

/* The set whose key was made. */
static bool find(set_terms *s, size_t n, set_term *out) {
    const tuple_value *known;
    tuple_value copy;
    if (s->is_shared)
        known = tuple_cache_read(s->cache, s->key, n, &copy) ? &copy : NULL;
    else
        known = tuple_cache_find(s->cache, s->key, n);
    if (known)
        *out = unpack(known);
    return known;
}

bool set_terms_find(set_terms *s, const size_t *z, size_t n_z, size_t x, size_t y, set_term *out) {
    return find(s, make_key_of_pair(s, z, n_z, x, y), out);
}

void set_terms_add(set_terms *s, const size_t *z, size_t n_z, size_t x, size_t y, const set_term *term) {
    size_t n = make_key_of_pair(s, z, n_z, x, y);
    if (s->is_shared)
        tuple_cache_write(s->cache, s->key, n, pack(term));
    else
        tuple_cache_set(s->cache, s->key, n, pack(term));
}

void set_terms_shrink(set_terms *s) {
    enum { FEW = 1 << 18 }; /* some 16 MiB */
    if (tuple_cache_count(s->cache) > FEW)
        tuple_cache_empty(s->cache);
}

status set_terms_get(set_terms *s, const size_t *z, size_t n_z, size_t extra, set_term *out, error_info *err) {
    size_t n = make_key(s, z, n_z);
    if (extra != COUNTS_NO_EXTRA)
        n = tuple_key_insert(s->key, 0, n, extra);
    if (n == 0) {
        *out = (set_term){s->terms->at[dataset_row_count(s->data)], 1};
        return STATUS_OK;
    }
    if (find(s, n, out))
        return STATUS_OK;
    CHECK(count(s, z, n_z, extra, out, err));
    if (s->is_shared)
        tuple_cache_write(s->cache, s->key, n, pack(out));
    else
        tuple_cache_add(s->cache, s->key, n, pack(out));
    return STATUS_OK;
}
