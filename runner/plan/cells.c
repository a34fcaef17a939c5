/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/plan/cells_internal.h"

#include <stdlib.h>
#include <string.h>

static int compare_keys(const void *a, const void *b) {
    const job_record *const *x = a, *const *y = b;
    return strcmp((*x)->key, (*y)->key);
}

static status sort_by_key(record_index *index, error_info *err) {
    CHECK_ALLOC(index->by_key = calloc(index->n + 1, sizeof *index->by_key));
    for (size_t i = 0; i < index->n; i++)
        index->by_key[i] = &index->records[i];
    qsort(index->by_key, index->n, sizeof *index->by_key, compare_keys);
    return STATUS_OK;
}

status record_index_create(store *s, const job_keys *of, bool with_graphs, record_index *out, error_info *err) {
    AUTO(record_index_clear) record_index index = {0};
    CHECK(store_read_of(s, of, with_graphs, &index.records, &index.n, err));
    CHECK(sort_by_key(&index, err));
    *out = TAKE(index);
    return STATUS_OK;
}

status record_index_create_alone(store *s, const job_keys *of, bool with_graphs, record_index *out, error_info *err) {
    AUTO(record_index_clear) record_index index = {0};
    CHECK(store_read_keys(s, of, with_graphs, &index.records, &index.n, err));
    CHECK(sort_by_key(&index, err));
    *out = TAKE(index);
    return STATUS_OK;
}

void record_index_clear(record_index *index) {
    job_records_destroy(index->records, index->n);
    free(index->by_key);
    *index = (record_index){0};
}

const job_record *record_index_find(const record_index *index, const char *key) {
    job_record wanted = {0};
    const job_record *place = &wanted, **found;
    char copy[80];
    size_t n = strlen(key);
    if (n >= sizeof copy || index->n == 0)
        return NULL;
    memcpy(copy, key, n + 1);
    wanted.key = copy;
    found = bsearch(&place, index->by_key, index->n, sizeof *index->by_key, compare_keys);
    return found ? *found : NULL;
}

static bool is_higher(double now, double then) {
    return then > 0 && (now <= 0 || now > then);
}

bool cell_is_due(const job_record *record, const experiment *e, bool retry_failed) {
    if (!record)
        return true;
    if (record->state == JOB_TIMEOUT || record->is_cut_short)
        return is_higher(e->time_limit_s, record->time_limit_s);
    if (record->state == JOB_MEMORY)
        return is_higher((double)e->memory_limit_bytes, (double)record->memory_limit_bytes);
    return record->state == JOB_FAILED && retry_failed;
}

void cell_count(const job_record *record, run_counts *counts) {
    counts->total++;
    if (!record)
        counts->left++;
    else if (record->state == JOB_DONE)
        counts->done++;
    else if (record->state == JOB_FAILED)
        counts->failed++;
    else if (record->state == JOB_TIMEOUT)
        counts->timeout++;
    else
        counts->memory++;
}
