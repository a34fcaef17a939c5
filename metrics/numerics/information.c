/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/information.h"

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
    tuple_cache *cache;
    uint32_t *key;      /* a pair in order, then the set ascending */
    uint32_t *y_margin; /* of one stratum */
    size_t *base;       /* y, then the set */
};

enum { CACHE_MAX = 1 << 22 }; /* as for tests: entries of some 60 bytes */

void information_destroy(information *info) {
    if (!info)
        return;
    counts_destroy(info->counts);
    set_terms_destroy(info->sets);
    whole_terms_clear(&info->terms);
    tuple_cache_destroy(info->cache);
    free(info->key);
    free(info->y_margin);
    free(info->base);
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
    CHECK_ALLOC(info->base = calloc(dataset_column_count(data) + 1, sizeof *info->base));
    *out = TAKE(info);
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

/* Cells of a stratum up to which a sparse table is laid out one stratum after the other; larger
 * ones are mostly empty. */
enum { SMALL = 64 };

static int64_t strata_terms(information *info, const counts_table *t) {
    int64_t sum = 0;
    uint32_t block[SMALL];
    for (size_t s = 0; t->cells && s < t->n_strata; s++)
        sum += stratum_terms(info, t->cells + s * t->r_first * t->r_extra, t->r_extra, t->r_first);
    for (size_t at = 0; !t->cells && counts_next_stratum(t, &at, block);)
        sum += stratum_terms(info, block, t->r_extra, t->r_first);
    return sum;
}

/* The margins known for themselves: of a pair without condition, or where most cells are empty. */
static status cell_terms(information *info, size_t x, size_t y, const size_t *z, size_t n_z, const counts_table *t,
                         int64_t *out, error_info *err) {
    const uint32_t *tallies = t->cells ? t->cells : t->tallies;
    set_term set, with_x = {0}, with_y = {0};
    int64_t sum = 0;
    for (size_t i = 0; i < t->n_cells; i++)
        sum += info->terms.at[tallies[i]];
    CHECK(set_terms_get(info->sets, z, n_z, COUNTS_NO_EXTRA, &set, err));
    if (n_z == 0) {
        CHECK(set_terms_single(info->sets, x, &with_x.sum, err));
        CHECK(set_terms_single(info->sets, y, &with_y.sum, err));
    } else {
        info->base[0] = y;
        memcpy(info->base + 1, z, n_z * sizeof *z);
        CHECK(set_terms_get(info->sets, info->base, n_z + 1, COUNTS_NO_EXTRA, &with_y, err));
        CHECK(set_terms_get(info->sets, z, n_z, x, &with_x, err));
    }
    *out = sum - with_x.sum - with_y.sum + set.sum;
    return STATUS_OK;
}

/* In whole terms, so that a stratum in which a variable does not vary gives exactly 0. */
static status compute(information *info, size_t x, size_t y, const size_t *z, size_t n_z, double *out,
                      error_info *err) {
    counts_table table;
    int64_t sum = 0;
    CHECK(counts_get(info->counts, y, z, n_z, x, &table, err));
    if (n_z > 0 && (table.cells || table.r_first * table.r_extra <= SMALL))
        sum = strata_terms(info, &table);
    else
        CHECK(cell_terms(info, x, y, z, n_z, &table, &sum, err));
    *out = fmax(whole_terms_value(&info->terms, sum), 0) / (double)dataset_row_count(info->data);
    return STATUS_OK;
}

status information_measure(information *info, size_t x, size_t y, const size_t *z, size_t n_z, double *out,
                           error_info *err) {
    size_t n = tuple_key_pair(info->key, x, y, z, n_z);
    const tuple_value *known = tuple_cache_find(info->cache, info->key, n);
    double value;
    info->tally->requests++;
    if (known) {
        *out = known->a;
        return STATUS_OK;
    }
    CHECK(compute(info, x, y, z, n_z, &value, err));
    info->tally->computed++;
    tuple_cache_add(info->cache, info->key, n, (tuple_value){.a = value});
    *out = value;
    return STATUS_OK;
}

static status measure(void *self, size_t x, size_t y, const size_t *z, size_t n_z, double *out, error_info *err) {
    return information_measure(self, x, y, z, n_z, out, err);
}

information_source information_as_source(information *info) {
    return (information_source){info, measure};
}
