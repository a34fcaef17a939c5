/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/information.h"

#include "core/counting/strata.h"
#include "core/counting/tuple_cache.h"
#include "metrics/numerics/set_terms_internal.h"
#include "metrics/numerics/whole_terms_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct information {
    const dataset *data;
    statistics_count *tally, own_tally;
    counts *counts;
    whole_terms terms;
    set_terms *sets;
    tuple_cache *cache;        /* NULL: nothing is kept */
    const pair_tables *tables; /* of pairs without condition, with room for one; NULL: counted like others */
    uint32_t *cells;
    uint32_t *key;        /* a pair in order, then the set ascending */
    uint32_t *y_margin;   /* of one stratum of a dense table */
    strata_reader strata; /* of a sparse one */
};

enum { CACHE_MAX = 1 << 22 }; /* as for tests: entries of some 60 bytes */

void information_destroy(information *info) {
    if (!info)
        return;
    counts_destroy(info->counts);
    set_terms_destroy(info->sets);
    whole_terms_clear(&info->terms);
    tuple_cache_destroy(info->cache);
    free(info->cells);
    free(info->key);
    free(info->y_margin);
    strata_clear(&info->strata);
    free(info);
}

status information_create(const dataset *data, statistics_count *tally, information **out, error_info *err) {
    AUTO_PTR(information_destroy) information *info = NULL;
    CHECK_ALLOC(info = calloc(1, sizeof *info));
    info->data = data;
    info->tally = tally ? tally : &info->own_tally;
    CHECK(counts_create(data, &info->counts, err));
    CHECK(whole_terms_init(&info->terms, dataset_row_count(data), err));
    CHECK(set_terms_create(data, &info->terms, &info->sets, err));
    CHECK(tuple_cache_create(CACHE_MAX, &info->cache, err));
    CHECK_ALLOC(info->key = calloc(dataset_column_count(data) + 2, sizeof *info->key));
    CHECK_ALLOC(info->y_margin = calloc(dataset_most_states(data), sizeof *info->y_margin));
    *out = TAKE(info);
    return STATUS_OK;
}

status information_use_tables(information *info, const pair_tables *tables, error_info *err) {
    size_t most = dataset_most_states(info->data), n_cells;
    enum { MOST_CELLS = 1 << 16 };
    tuple_cache_destroy(TAKE(info->cache));
    if (__builtin_mul_overflow(most, most, &n_cells) || n_cells > MOST_CELLS)
        return STATUS_OK;
    CHECK_ALLOC(info->cells = calloc(n_cells, sizeof *info->cells));
    info->tables = tables;
    return STATUS_OK;
}

/* n times the stratum's share: of n log n, the cells and the whole less the margins. */
static int64_t stratum_terms(information *info, const uint32_t *cells, size_t r_x, size_t r_y) {
    const int64_t *term = info->terms.at;
    uint32_t *y_margin = info->y_margin, n = 0;
    int64_t sum = 0;
    memset(y_margin, 0, r_y * sizeof *y_margin);
    for (size_t x = 0; x < r_x; x++) {
        uint32_t margin = 0;
        for (size_t y = 0; y < r_y; y++) {
            uint32_t count = cells[x * r_y + y];
            margin += count;
            y_margin[y] += count;
            sum += term[count];
        }
        n += margin;
        sum -= term[margin];
    }
    for (size_t y = 0; y < r_y; y++)
        sum -= term[y_margin[y]];
    return sum + term[n];
}

static int64_t dense_terms(information *info, const counts_table *t) {
    int64_t sum = 0;
    for (size_t s = 0; s < t->n_strata; s++)
        sum += stratum_terms(info, t->cells + s * t->r_first * t->r_extra, t->r_extra, t->r_first);
    return sum;
}

static int64_t sum_terms(const information *info, const uint32_t *tallies, size_t n) {
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += info->terms.at[tallies[i]];
    return sum;
}

static status sparse_terms(information *info, const counts_table *t, int64_t *out, error_info *err) {
    strata_reader *s = &info->strata;
    *out = 0;
    CHECK(strata_start(s, t, err));
    while (strata_next(s))
        *out += sum_terms(info, s->tallies, s->n_cells) - sum_terms(info, s->extra_margin, s->n_extra) -
                sum_terms(info, s->first_margin, s->n_first) + info->terms.at[s->n_rows];
    return STATUS_OK;
}

static status count_pair(information *info, size_t x, size_t y, int64_t *out, error_info *err) {
    counts_table t;
    if (info->tables) {
        pair_tables_count(info->tables, x, y, info->cells);
        *out = sum_terms(info, info->cells, dataset_state_count(info->data, x) * dataset_state_count(info->data, y));
        return STATUS_OK;
    }
    CHECK(counts_get(info->counts, y, NULL, 0, x, &t, err));
    *out = sum_terms(info, t.cells ? t.cells : t.tallies, t.n_cells);
    return STATUS_OK;
}

/* Of a pair without condition: the margins are known from other pairs. */
static status pair_terms(information *info, size_t x, size_t y, int64_t *out, error_info *err) {
    int64_t of_x, of_y, cells;
    CHECK(count_pair(info, x, y, &cells, err));
    CHECK(set_terms_single(info->sets, x, &of_x, err));
    CHECK(set_terms_single(info->sets, y, &of_y, err));
    *out = cells - of_x - of_y + info->terms.at[dataset_row_count(info->data)];
    return STATUS_OK;
}

static status given_terms(information *info, size_t x, size_t y, const size_t *z, size_t n_z, int64_t *out,
                          error_info *err) {
    counts_table table;
    CHECK(counts_get(info->counts, y, z, n_z, x, &table, err));
    if (!table.cells)
        return sparse_terms(info, &table, out, err);
    *out = dense_terms(info, &table);
    return STATUS_OK;
}

/* In whole terms, so that a stratum in which a variable does not vary gives exactly 0. */
static status compute(information *info, size_t x, size_t y, const size_t *z, size_t n_z, double *out,
                      error_info *err) {
    int64_t sum = 0;
    CHECK(n_z == 0 ? pair_terms(info, x, y, &sum, err) : given_terms(info, x, y, z, n_z, &sum, err));
    *out = fmax(whole_terms_value(&info->terms, sum), 0) / (double)dataset_row_count(info->data);
    return STATUS_OK;
}

static status compute_unless_given(information *info, size_t x, size_t y, const size_t *z, size_t n_z,
                                   const double *given, double *out, error_info *err) {
    if (!given)
        return compute(info, x, y, z, n_z, out, err);
    *out = *given;
    return STATUS_OK;
}

/* By the cache, or computed and kept there. */
static status recall(information *info, size_t x, size_t y, const size_t *z, size_t n_z, const double *given,
                     double *out, error_info *err) {
    size_t n = tuple_key_pair(info->key, x, y, z, n_z);
    const tuple_value *known = tuple_cache_find(info->cache, info->key, n);
    if (known) {
        *out = known->a;
        return STATUS_OK;
    }
    CHECK(compute_unless_given(info, x, y, z, n_z, given, out, err));
    info->tally->computed++;
    tuple_cache_add(info->cache, info->key, n, (tuple_value){.a = *out});
    return STATUS_OK;
}

/* `given`: the value, as somebody has computed it; NULL: nobody has. */
static status answer(information *info, size_t x, size_t y, const size_t *z, size_t n_z, const double *given,
                     double *out, error_info *err) {
    info->tally->requests++;
    if (info->cache)
        return recall(info, x, y, z, n_z, given, out, err);
    info->tally->computed++;
    return compute_unless_given(info, x, y, z, n_z, given, out, err);
}

status information_measure(information *info, size_t x, size_t y, const size_t *z, size_t n_z, double *out,
                           error_info *err) {
    return answer(info, x, y, z, n_z, NULL, out, err);
}

static status measure(void *self, size_t x, size_t y, const size_t *z, size_t n_z, double *out, error_info *err) {
    return information_measure(self, x, y, z, n_z, out, err);
}

static status compute_alone(void *self, size_t x, size_t y, const size_t *z, size_t n_z, double *out, error_info *err) {
    return compute(self, x, y, z, n_z, out, err);
}

static status take(void *self, size_t x, size_t y, const size_t *z, size_t n_z, double value, double *out,
                   error_info *err) {
    return answer(self, x, y, z, n_z, &value, out, err);
}

information_source information_as_source(information *info) {
    return (information_source){info, measure, compute_alone, take};
}
