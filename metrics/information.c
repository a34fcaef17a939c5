/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/information.h"

#include "core/counts.h"
#include "core/tuple_cache.h"
#include "metrics/term_table_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct information {
    const dataset *data;
    statistics_count *tally, own_tally;
    counts *counts;
    term_tables *terms;
    term_table *n_log_n;
    tuple_cache *cache;
    uint32_t *key;      /* a pair in order, then the set ascending */
    uint32_t *y_margin; /* of one stratum */
    uint32_t *block;    /* one stratum of a sparse table, laid out densely */
    size_t block_size;
};

enum { CACHE_MAX = 1 << 22 }; /* as for tests: entries of some 60 bytes */

void information_destroy(information *info) {
    if (!info)
        return;
    counts_destroy(info->counts);
    term_tables_destroy(info->terms);
    tuple_cache_destroy(info->cache);
    free(info->key);
    free(info->y_margin);
    free(info->block);
    free(info);
}

status information_create(const dataset *data, statistics_count *tally, information **out, error_info *err) {
    status st = STATUS_OK;
    information *info = NULL;
    TRY_ALLOC(info = calloc(1, sizeof *info));
    info->data = data;
    info->tally = tally ? tally : &info->own_tally;
    TRY(counts_create(data, &info->counts, err));
    TRY(term_tables_create(dataset_row_count(data), &info->terms, err));
    TRY(term_tables_n_log_n(info->terms, &info->n_log_n, err));
    TRY(tuple_cache_create(CACHE_MAX, &info->cache, err));
    TRY_ALLOC(info->key = calloc(dataset_column_count(data) + 2, sizeof *info->key));
    TRY_ALLOC(info->y_margin = calloc(dataset_most_states(data), sizeof *info->y_margin));
    *out = info;
    info = NULL;
cleanup:
    information_destroy(info);
    return st;
}

/* n times the stratum's share: of n log n, the cells and the whole less the margins. A stratum in which a variable does
 * not vary gives exactly 0, which rounding would miss. */
static double stratum_term(information *info, const uint32_t *cells, size_t r_x, size_t r_y) {
    uint32_t *y_margin = info->y_margin, n = 0;
    size_t rows = 0, columns = 0;
    double sum = 0;
    memset(y_margin, 0, r_y * sizeof *y_margin);
    for (size_t x = 0; x < r_x; x++) {
        uint32_t margin = 0;
        for (size_t y = 0; y < r_y; y++) {
            uint32_t count = cells[x * r_y + y];
            if (count == 0)
                continue;
            margin += count;
            y_margin[y] += count;
            sum += term_table_at(info->n_log_n, count);
        }
        n += margin;
        rows += margin > 0;
        sum -= term_table_at(info->n_log_n, margin);
    }
    for (size_t y = 0; y < r_y; y++) {
        columns += y_margin[y] > 0;
        sum -= term_table_at(info->n_log_n, y_margin[y]);
    }
    return rows > 1 && columns > 1 ? sum + term_table_at(info->n_log_n, n) : 0;
}

static status sum_sparse(information *info, const counts_table *table, double *sum, error_info *err) {
    size_t size = table->r_first * table->r_extra;
    if (size > info->block_size) {
        free(info->block);
        info->block = calloc(size, sizeof *info->block);
        info->block_size = info->block ? size : 0;
        if (!info->block)
            return error_out_of_memory(err);
    }
    for (size_t at = 0; counts_next_stratum(table, &at, info->block);)
        *sum += stratum_term(info, info->block, table->r_extra, table->r_first);
    return STATUS_OK;
}

static status compute(information *info, size_t x, size_t y, const size_t *z, size_t n_z, double *out,
                      error_info *err) {
    status st = STATUS_OK;
    counts_table table;
    double sum = 0;
    TRY(counts_get(info->counts, y, z, n_z, x, &table, err));
    if (table.cells) {
        for (size_t s = 0; s < table.n_strata; s++)
            sum += stratum_term(info, table.cells + s * table.r_first * table.r_extra, table.r_extra, table.r_first);
    } else {
        TRY(sum_sparse(info, &table, &sum, err));
    }
    *out = fmax(sum, 0) / (double)dataset_row_count(info->data);
cleanup:
    return st;
}

status information_measure(information *info, size_t x, size_t y, const size_t *z, size_t n_z, double *out,
                           error_info *err) {
    status st = STATUS_OK;
    size_t n = tuple_key_pair(info->key, x, y, z, n_z);
    const tuple_value *known = tuple_cache_find(info->cache, info->key, n);
    double value;
    info->tally->requests++;
    if (known) {
        *out = known->a;
        return STATUS_OK;
    }
    TRY(compute(info, x, y, z, n_z, &value, err));
    info->tally->computed++;
    tuple_cache_add(info->cache, info->key, n, (tuple_value){.a = value});
    *out = value;
cleanup:
    return st;
}

static status measure(void *self, size_t x, size_t y, const size_t *z, size_t n_z, double *out, error_info *err) {
    return information_measure(self, x, y, z, n_z, out, err);
}

information_source information_as_source(information *info) {
    return (information_source){info, measure};
}
