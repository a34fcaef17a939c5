/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/plan/reuse_internal.h"

#include "store/job_order.h"

#include <stdlib.h>
#include <string.h>

void reuse_clear(reuse *r) {
    free(r->learners);
    free(r->is_unknown);
    *r = (reuse){0};
}

static int compare_places(const void *a, const void *b) {
    return job_compare_stored(a, b);
}

const job_record *reuse_find_relative(const plan *p, size_t i, const record_index *records) {
    plan_cell cell = plan_cell_at(p, i);
    const experiment *e = plan_experiment(p);
    job_record wanted = {.network = e->outputs.networks[cell.network],
                         .n_samples = plan_rows(p, &cell),
                         .sigma = plan_sigma(p, &cell),
                         .replicate = cell.replicate,
                         .learner = e->variants[cell.variant].id};
    return records->n ? bsearch(&wanted, records->records, records->n, sizeof wanted, compare_places) : NULL;
}

/* ---- why a cell runs ---- */

static void count_known(reuse *r, const job_record *record) {
    if (record->is_cut_short || record->state == JOB_TIMEOUT || record->state == JOB_MEMORY)
        r->n_cut++;
    else if (record->state == JOB_FAILED)
        r->n_failed++;
    else
        r->n_budget++;
}

/* There is no result of the key: perhaps there is one that this program, or this declaration, does not take. */
static status count_unknown(reuse *r, plan *p, size_t i, const record_index *records, error_info *err) {
    const job_record *relative = reuse_find_relative(p, i, records);
    reuse_learner *l = &r->learners[plan_cell_at(p, i).variant];
    int version = -1;
    if (!relative) {
        r->n_new++;
        return STATUS_OK;
    }
    CHECK(plan_stored_version(p, i, relative->key, &version, err));
    if (version < 0) {
        r->n_otherwise++;
        return STATUS_OK;
    }
    r->n_older++;
    l->n_older++;
    l->older = version;
    return STATUS_OK;
}

status reuse_begin(const plan *p, reuse *out, error_info *err) {
    AUTO(reuse_clear)
    reuse r = {.n_cells = plan_cell_count(p), .n_learners = plan_experiment(p)->n_variants};
    CHECK_ALLOC(r.learners = calloc(r.n_learners + 1, sizeof *r.learners));
    CHECK_ALLOC(r.is_unknown = calloc(r.n_cells + 1, sizeof *r.is_unknown));
    *out = TAKE(r);
    return STATUS_OK;
}

void reuse_add(reuse *r, const plan *p, size_t i, const job_record *record, bool is_due) {
    reuse_learner *l = &r->learners[plan_cell_at(p, i).variant];
    l->n_cells++;
    l->n_taken += !is_due;
    r->n_taken += !is_due;
    r->n_found += record != NULL;
    r->is_unknown[i] = is_due && !record;
    if (is_due && record)
        count_known(r, record);
}

/* Only a store with more results than those found has others; they are read for it. */
status reuse_look_for_relatives(reuse *r, plan *p, store *s, error_info *err) {
    AUTO(record_index_clear) record_index others = {0};
    job_keys mine = plan_job_keys(p);
    size_t n_stored = 0;
    if (s)
        CHECK(store_count(s, &n_stored, err));
    if (n_stored > r->n_found)
        CHECK(record_index_create(s, &mine, false, &others, err));
    for (size_t i = 0; i < r->n_cells; i++) {
        if (r->is_unknown[i])
            CHECK(count_unknown(r, p, i, &others, err));
    }
    return STATUS_OK;
}

size_t reuse_again(const reuse *r) {
    return r->n_older + r->n_otherwise + r->n_failed + r->n_cut + r->n_budget;
}

/* ---- in words ---- */

static void append_reason(text_buffer *out, size_t *n_said, size_t n, const char *what) {
    if (n > 0)
        text_append_format(out, "%s%zu: %s", (*n_said)++ ? "; " : " (", n, what);
}

/* "6: hc has version 4 now, 3 in the store": as many learners as a line takes. */
static void append_versions(const reuse *r, const plan *p, text_buffer *out, size_t *n_said) {
    enum { MOST_NAMED = 4 };
    size_t n_named = 0;
    if (r->n_older == 0)
        return;
    append_reason(out, n_said, r->n_older, "their learners have a newer version, ");
    for (size_t i = 0; i < r->n_learners; i++) {
        const learner_variant *v = &plan_experiment(p)->variants[i];
        if (r->learners[i].n_older == 0 || n_named++ > MOST_NAMED)
            continue;
        if (n_named > MOST_NAMED)
            text_append(out, ", ...");
        else
            text_append_format(out, "%s%s %d after %d", n_named > 1 ? ", " : "", v->id, v->kind ? v->kind->version : 0,
                               r->learners[i].older);
    }
}

void reuse_append_sentence(const reuse *r, const plan *p, text_buffer *out) {
    size_t again = reuse_again(r), n_said = 0;
    if (r->n_taken == 0 && again == 0)
        return;
    text_append_format(out, "%zu of %zu results are taken over from the store", r->n_taken, r->n_cells);
    if (r->n_new > 0)
        text_append_format(out, "; %zu %s new", r->n_new, r->n_new == 1 ? "is" : "are");
    if (again > 0)
        text_append_format(out, "; %zu run%s again", again, again == 1 ? "s" : "");
    append_versions(r, p, out, &n_said);
    append_reason(out, &n_said, r->n_otherwise, "the declaration, the data or a program is another one");
    append_reason(out, &n_said, r->n_failed, "failed before");
    append_reason(out, &n_said, r->n_cut, "the limit is higher now");
    append_reason(out, &n_said, r->n_budget, "the learner whose time is the budget runs");
    text_append(out, n_said > 0 ? ").\n" : ".\n");
}
