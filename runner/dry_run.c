/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a run that has not begun. */
#include "runner/due_cell_internal.h"
#include "runner/plan/cells_internal.h"
#include "runner/plan/pace_internal.h"
#include "runner/plan/plan_internal.h"
#include "runner/plan/reuse_internal.h"
#include "runner/runner.h"

#include <stdlib.h>

typedef struct {
    const experiment *e;
    plan *plan;
    char (*keys)[PLAN_KEY_SIZE];
    record_index records;
    bool *is_due; /* by cell */
    pace *pace;
    reuse reuse;
} drafted_run;

static void drafted_run_clear(drafted_run *r) {
    reuse_clear(&r->reuse);
    pace_destroy(r->pace);
    free(r->is_due);
    record_index_clear(&r->records);
    free(r->keys);
    plan_destroy(r->plan);
}

void planned_run_clear(planned_run *r) {
    text_buffer_clear(&r->cells);
    text_buffer_clear(&r->summary);
}

static status read_store_if_there(const char *folder, const job_keys *of, record_index *records, error_info *err) {
    store *s = NULL;
    status st = folder ? store_open(folder, false, false, &s, err) : STATUS_MISSING;
    if (st == STATUS_MISSING)
        return STATUS_OK;
    if (st == STATUS_OK)
        st = record_index_create(s, of, false, records, err);
    store_close(s);
    return st;
}

static void describe_cell(const drafted_run *r, size_t i, const job_record *record, text_buffer *out) {
    char label[512];
    text_append_format(out, "%s: ", plan_cell_label(r->plan, i, label, sizeof label));
    if (!record)
        text_append(out, "to run");
    else if (!r->is_due[i])
        text_append_format(out, "%s%s", job_state_name(record->state), record->state == JOB_DONE ? "" : " (stays)");
    else if (record->state == JOB_FAILED)
        text_append(out, "to run again (failed)");
    else if (cell_is_due(record, r->e, false))
        text_append_format(out, "to run again (%s under a lower limit)", job_state_name(record->state));
    else
        text_append(out, "to run again (the learner whose time is its budget runs)");
    text_append(out, "\n");
}

void planned_keys_clear(planned_keys *k) {
    texts_destroy(k->keys, k->n);
    *k = (planned_keys){0};
}

static bool is_known(const planned_keys *earlier, size_t n, const char *key) {
    return n > 0 && bsearch(&key, earlier->keys, n, sizeof *earlier->keys, texts_compare) != NULL;
}

/* The cells that are due and that no earlier plan runs, which are then known. */
static status add_new(const drafted_run *r, planned_keys *earlier, size_t *n_new, error_info *err) {
    size_t n_known = earlier->n;
    for (size_t i = 0; i < plan_cell_count(r->plan); i++) {
        if (r->is_due[i] && !is_known(earlier, n_known, r->keys[i]))
            CHECK(texts_add(&earlier->keys, &earlier->n, r->keys[i], err));
    }
    *n_new = earlier->n - n_known;
    if (earlier->n > 0)
        qsort(earlier->keys, earlier->n, sizeof *earlier->keys, texts_compare);
    return STATUS_OK;
}

static status look_at_cells(drafted_run *r, bool retry_failed, planned_run *out, error_info *err) {
    size_t n = plan_cell_count(r->plan);
    CHECK_ALLOC(r->is_due = calloc(n + 1, sizeof *r->is_due));
    for (size_t i = 0; i < n; i++) {
        const job_record *record = record_index_find(&r->records, r->keys[i]);
        r->is_due[i] = due_cell(r->plan, i, record, retry_failed, r->is_due);
        if (out->wants_cells)
            describe_cell(r, i, record, &out->cells);
        cell_count(r->is_due[i] ? NULL : record, &out->counts);
        pace_tell(r->pace, r->plan, i, r->is_due[i] ? NULL : record);
    }
    return text_buffer_check(&out->cells, err);
}

static void append_number(text_buffer *out, size_t n, const char *noun) {
    text_append_format(out, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

static void append_factors(const drafted_run *r, text_buffer *out) {
    const experiment_outputs *o = &r->e->outputs;
    append_number(out, r->reuse.n_cells, "cell");
    text_append(out, " of ");
    append_number(out, o->n_networks, "network");
    text_append(out, ", ");
    append_number(out, o->n_sizes, "sample size");
    text_append(out, ", ");
    if (o->n_sigmas > 0) {
        append_number(out, o->n_sigmas, "noise level");
        text_append(out, ", ");
    }
    append_number(out, o->n_replicates, "replicate");
    text_append(out, ", ");
    append_number(out, r->e->n_variants, "learner");
    text_append_format(out, ": %zu from the store, %zu to run\n", r->reuse.n_taken,
                       r->reuse.n_cells - r->reuse.n_taken);
}

static void append_learners(const drafted_run *r, text_buffer *out) {
    int width = (int)text_width("learner");
    for (size_t i = 0; i < r->e->n_variants; i++) {
        int n = (int)text_width(r->e->variants[i].id);
        width = n > width ? n : width;
    }
    text_append_format(out, "%-*s  %8s  %14s  %8s\n", width, "learner", "cells", "from the store", "to run");
    for (size_t i = 0; i < r->e->n_variants; i++) {
        const reuse_learner *l = &r->reuse.learners[i];
        const char *id = r->e->variants[i].id;
        if (l->n_cells > 0)
            text_append_format(out, "%s%*s  %8zu  %14zu  %8zu\n", id, width - (int)text_width(id), "", l->n_cells,
                               l->n_taken, l->n_cells - l->n_taken);
    }
}

status runner_describe_plan(const experiment *e, const char *store_folder, bool retry_failed, size_t n_jobs,
                            planned_keys *earlier, planned_run *out, error_info *err) {
    AUTO(drafted_run_clear) drafted_run r = {.e = e};
    AUTO(planned_run_clear) planned_run planned = {.wants_cells = out->wants_cells};
    CHECK(plan_create(e, &r.plan, err));
    CHECK(plan_load_networks(r.plan, err));
    CHECK(plan_keys(r.plan, &r.keys, err));
    CHECK(read_store_if_there(store_folder, &(job_keys){r.keys, plan_cell_count(r.plan)}, &r.records, err));
    CHECK(pace_of_plan(r.plan, &r.pace, err));
    CHECK(look_at_cells(&r, retry_failed, &planned, err));
    if (earlier)
        CHECK(add_new(&r, earlier, &planned.n_new, err));
    CHECK(reuse_count(r.plan, (const char(*)[PLAN_KEY_SIZE])r.keys, &r.records, r.is_due, &r.reuse, err));
    append_factors(&r, &planned.summary);
    append_learners(&r, &planned.summary);
    if (reuse_again(&r.reuse) > 0)
        reuse_append_sentence(&r.reuse, r.plan, &planned.summary);
    CHECK(text_buffer_check(&planned.summary, err));
    planned.counts.seconds_left = pace_left(r.pace, NULL, 0, n_jobs, &planned.counts.is_guess);
    *out = TAKE(planned);
    return STATUS_OK;
}
