/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a run that has not begun. */
#include "core/base/array.h"
#include "runner/due_cell_internal.h"
#include "runner/jobs_at_once_internal.h"
#include "runner/plan/cells_internal.h"
#include "runner/plan/pace_internal.h"
#include "runner/plan/plan_internal.h"
#include "runner/plan/reuse_internal.h"
#include "runner/runner.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const experiment *e;
    plan *plan;
    store *store;     /* NULL: none */
    planned_run *out; /* borrowed */
    bool *is_due;     /* by cell */
    bool retry_failed;
    pace *pace;
    reuse reuse;
} drafted_run;

static void drafted_run_clear(drafted_run *r) {
    reuse_clear(&r->reuse);
    pace_destroy(r->pace);
    free(r->is_due);
    store_close(r->store);
    plan_destroy(r->plan);
}

void planned_run_clear(planned_run *r) {
    text_buffer_clear(&r->cells);
    text_buffer_clear(&r->summary);
}

static status open_if_there(const char *folder, store **out, error_info *err) {
    status st = folder ? store_open(folder, false, false, out, err) : STATUS_MISSING;
    return st == STATUS_MISSING ? STATUS_OK : st;
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

/* ---- what earlier plans run ---- */

void planned_keys_clear(planned_keys *k) {
    free(k->keys);
    *k = (planned_keys){0};
}

static int compare_planned(const void *a, const void *b) {
    const planned_key *x = a, *y = b;
    int by_high = (x->high > y->high) - (x->high < y->high);
    return by_high ? by_high : (x->low > y->low) - (x->low < y->low);
}

static uint64_t sixteen_digits(const char *hex) {
    char digits[17] = {0};
    memcpy(digits, hex, 16);
    return strtoull(digits, NULL, 16);
}

static status key_of(const drafted_run *r, size_t i, planned_key *out, error_info *err) {
    char key[PLAN_KEY_SIZE];
    CHECK(plan_key(r->plan, i, key, err));
    *out = (planned_key){sixteen_digits(key), sixteen_digits(key + 16)};
    return STATUS_OK;
}

/* The cells that are due and that no earlier plan runs, which are then known. */
static status add_new(const drafted_run *r, planned_keys *earlier, size_t *n_new, error_info *err) {
    size_t n_known = earlier->n;
    for (size_t i = 0; i < plan_cell_count(r->plan); i++) {
        planned_key key;
        if (!r->is_due[i])
            continue;
        CHECK(key_of(r, i, &key, err));
        if (n_known == 0 || !bsearch(&key, earlier->keys, n_known, sizeof key, compare_planned))
            CHECK(ARRAY_PUSH(earlier->keys, earlier->n, earlier->capacity, err, key));
    }
    *n_new = earlier->n - n_known;
    if (earlier->n > 0)
        qsort(earlier->keys, earlier->n, sizeof *earlier->keys, compare_planned);
    return STATUS_OK;
}

/* ---- the cells ---- */

static status see_cell(void *self, size_t i, const job_record *record, error_info *err) {
    drafted_run *r = self;
    bool is_due = r->is_due[i] = due_cell(r->plan, i, record, r->retry_failed, r->is_due);
    if (r->out->wants_cells)
        describe_cell(r, i, record, &r->out->cells);
    cell_count(is_due ? NULL : record, &r->out->counts);
    pace_tell(r->pace, r->plan, i, is_due ? NULL : record);
    reuse_add(&r->reuse, r->plan, i, record, is_due);
    return text_buffer_check(&r->out->cells, err);
}

static status look_at_cells(drafted_run *r, error_info *err) {
    job_keys mine = plan_job_keys(r->plan);
    CHECK_ALLOC(r->is_due = calloc(mine.n + 1, sizeof *r->is_due));
    CHECK(pace_of_plan(r->plan, &r->pace, err));
    CHECK(reuse_begin(r->plan, &r->reuse, err));
    if (r->store)
        return store_walk_keys(r->store, &mine, &(record_walk){r, see_cell}, err);
    for (size_t i = 0; i < mine.n; i++)
        CHECK(see_cell(r, i, NULL, err));
    return STATUS_OK;
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
    AUTO(planned_run_clear) planned_run planned = {.wants_cells = out->wants_cells};
    AUTO(drafted_run_clear) drafted_run r = {.e = e, .out = &planned, .retry_failed = retry_failed};
    CHECK(plan_create(e, &r.plan, err));
    CHECK(plan_load_networks(r.plan, err));
    CHECK(open_if_there(store_folder, &r.store, err));
    CHECK(look_at_cells(&r, err));
    if (earlier)
        CHECK(add_new(&r, earlier, &planned.n_new, err));
    CHECK(reuse_look_for_relatives(&r.reuse, r.plan, r.store, err));
    append_factors(&r, &planned.summary);
    append_learners(&r, &planned.summary);
    if (reuse_again(&r.reuse) > 0)
        reuse_append_sentence(&r.reuse, r.plan, &planned.summary);
    jobs_append_reasons(e, n_jobs, &planned.summary);
    CHECK(text_buffer_check(&planned.summary, err));
    planned.counts.seconds_left = pace_left(r.pace, NULL, 0, jobs_at_once(e, n_jobs), &planned.counts.is_guess);
    *out = TAKE(planned);
    return STATUS_OK;
}
