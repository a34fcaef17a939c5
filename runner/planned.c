/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the last run of a store planned, and the results of its cells: the door by which reports come into a store. */
#include "runner/planned_internal.h"

#include "runner/plan/keys_json_internal.h"
#include "runner/runner.h"

#include <stdlib.h>
#include <string.h>

void last_run_clear(last_run *r) {
    plan_destroy(r->plan);
    experiment_clear(&r->e);
    free(r->keys);
    record_index_clear(&r->records);
}

status last_run_read(store *s, bool with_graphs, last_run *r, error_info *err) {
    char *declaration = NULL, *keys = NULL;
    status st = STATUS_OK;
    TRY(store_last_run(s, &declaration, &keys, err));
    TRY(experiment_parse(declaration, strlen(declaration), "the stored declaration", &r->e, err));
    TRY(plan_create(&r->e, &r->plan, err));
    TRY(keys_from_json(keys, &r->keys, &r->n_keys, err));
    if (r->n_keys != plan_cell_count(r->plan)) {
        st = error_set(err, STATUS_INVALID, "the last run planned %zu cells, its declaration has %zu", r->n_keys,
                       plan_cell_count(r->plan));
        goto cleanup;
    }
    TRY(record_index_create(s, with_graphs, &r->records, err));
cleanup:
    free(declaration);
    free(keys);
    return st;
}

/* Moves a record out of the index, which can no longer be searched afterwards. */
static void move_record(record_index *from, const job_record *record, job_record *to) {
    job_record *place = &from->records[record - from->records];
    *to = *place;
    *place = (job_record){0};
}

status runner_read_planned(store *s, bool with_graphs, job_record **out, size_t *n, error_info *err) {
    last_run r = {0};
    const job_record **found = NULL;
    job_record *planned = NULL;
    size_t n_planned = 0;
    status st = STATUS_OK;
    TRY(last_run_read(s, with_graphs, &r, err));
    TRY_ALLOC(planned = calloc(r.n_keys + 1, sizeof *planned));
    TRY_ALLOC(found = calloc(r.n_keys + 1, sizeof *found));
    for (size_t i = 0; i < r.n_keys; i++)
        found[i] = record_index_find(&r.records, r.keys[i]);
    for (size_t i = 0; i < r.n_keys; i++) {
        if (found[i])
            move_record(&r.records, found[i], &planned[n_planned++]);
    }
    *out = planned;
    *n = n_planned;
    planned = NULL;
cleanup:
    free(planned);
    free(found);
    last_run_clear(&r);
    return st;
}
