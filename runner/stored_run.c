/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/stored_run.h"

#include "core/base/file.h"
#include "runner/plan/keys_json_internal.h"
#include "runner/plan/pace_internal.h"
#include "runner/plan/reuse_internal.h"
#include "runner/stored_run_internal.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stored_run_destroy(stored_run *r) {
    if (!r)
        return;
    plan_destroy(r->plan);
    experiment_clear(&r->e);
    free(r->folder);
    free(r->keys);
    record_index_clear(&r->records);
    free(r);
}

static status read_run(store *s, const char *reading, unsigned wish, stored_run *r, error_info *err) {
    AUTO_FREE char *declaration = NULL, *keys = NULL;
    CHECK_ALLOC(r->folder = text_copy(store_folder(s)));
    CHECK(store_last_run(s, reading, &declaration, &keys, err));
    CHECK(experiment_parse(declaration, strlen(declaration), "the stored declaration", &r->e, err));
    CHECK(plan_create(&r->e, &r->plan, err));
    CHECK(keys_from_json(keys, &r->keys, &r->n_keys, err));
    if (r->n_keys != plan_cell_count(r->plan))
        return error_set(err, STATUS_INVALID, "the last run planned %zu cells, its declaration has %zu", r->n_keys,
                         plan_cell_count(r->plan));
    bool with_texts = (wish & STORED_RUN_TEXTS) || part_list_needs(&r->e.parts, PART_NEEDS_TEXTS);
    job_keys mine = {r->keys, r->n_keys};
    return (wish & STORED_RUN_OTHERS ? record_index_create : record_index_create_alone)(s, &mine, with_texts,
                                                                                        &r->records, err);
}

status stored_run_read(store *s, const char *reading, unsigned wish, stored_run **out, error_info *err) {
    AUTO_PTR(stored_run_destroy) stored_run *r = calloc(1, sizeof *r);
    CHECK_ALLOC(r);
    CHECK(read_run(s, reading, wish, r, err));
    *out = TAKE(r);
    return STATUS_OK;
}

experiment *stored_run_experiment(stored_run *r) {
    return &r->e;
}

/* ---- counts ---- */

static bool is_alive(const char *marker) {
    FILE *f = fopen(marker, "re");
    char line[32] = "";
    int64_t id = 0;
    bool has_line = f && fgets(line, sizeof line, f);
    line[strcspn(line, "\n")] = '\0';
    if (f)
        (void)fclose(f);
    return has_line && text_to_int(line, &id) && id > 0 && id <= INT_MAX && (kill((pid_t)id, 0) == 0 || errno == EPERM);
}

static size_t count_running(const char *store_folder) {
    AUTO_FREE char *spool = path_join(store_folder, "jobs");
    AUTO(folder_list_clear) folder_list markers = {0};
    error_info quiet = {0};
    size_t n = 0;
    if (!spool || folder_list_read(spool, ".running", &markers, &quiet) != STATUS_OK)
        return 0;
    for (size_t i = 0; i < markers.n; i++) {
        AUTO_FREE char *path = path_join(spool, markers.names[i]);
        n += path && is_alive(path);
    }
    return n;
}

/* Seconds until the cells without a result have one, `n_jobs` at once; negative where unknown. */
static double time_left(const stored_run *r, size_t n_jobs, bool *is_guess) {
    AUTO_PTR(pace_destroy) pace *p = NULL;
    error_info quiet = {0};
    if (pace_of_plan(r->plan, &p, &quiet) != STATUS_OK)
        return -1;
    for (size_t i = 0; i < r->n_keys; i++)
        pace_tell(p, r->plan, i, record_index_find(&r->records, r->keys[i]));
    return pace_left(p, NULL, 0, n_jobs, is_guess);
}

void stored_run_count(const stored_run *r, run_counts *counts) {
    run_counts c = {0};
    for (size_t i = 0; i < r->n_keys; i++)
        cell_count(record_index_find(&r->records, r->keys[i]), &c);
    c.running = count_running(r->folder);
    if (c.running > c.left)
        c.running = c.left;
    c.left -= c.running;
    c.seconds_left = time_left(r, c.running, &c.is_guess);
    *counts = c;
}

/* ---- the records of the plan ---- */

/* Moves the record out of the index, whose order by key is lost with it. */
static void move_record(record_index *from, const job_record *record, job_record *to) {
    job_record *place = &from->records[record - from->records];
    *to = *place;
    *place = (job_record){0};
}

status stored_run_take_records(stored_run *r, job_record **out, size_t *n, error_info *err) {
    AUTO_FREE const job_record **found = NULL;
    AUTO_FREE job_record *planned = NULL;
    CHECK_ALLOC(planned = calloc(r->n_keys + 1, sizeof *planned));
    CHECK_ALLOC(found = calloc(r->n_keys + 1, sizeof *found));
    for (size_t i = 0; i < r->n_keys; i++)
        found[i] = record_index_find(&r->records, r->keys[i]);
    *n = 0;
    for (size_t i = 0; i < r->n_keys; i++) {
        if (found[i])
            move_record(&r->records, found[i], &planned[(*n)++]);
    }
    *out = TAKE(planned);
    return STATUS_OK;
}

/* ---- why ---- */

static status explain_absent(const stored_run *r, size_t i, text_buffer *out, error_info *err) {
    plan_cell cell = plan_cell_at(r->plan, i);
    const job_record *relative = reuse_find_relative(r->plan, i, &r->records);
    AUTO_FREE char *options = NULL;
    if (!relative) {
        text_append(out, "never ran to its end");
        return STATUS_OK;
    }
    CHECK(plan_options_json(r->plan, cell.variant, 0, &options, err));
    if (relative->options && !r->e.variants[cell.variant].budget.is_relative && strcmp(relative->options, options) != 0)
        text_append_format(out, "has not run with %s; there is a result for %s", options, relative->options);
    else
        text_append(out, "has not run as it is declared now; there is a result for another seed, network file, data "
                         "declaration, thread count or version of the learner");
    return STATUS_OK;
}

static void explain_record(const job_record *record, const experiment *e, text_buffer *out) {
    bool is_due = cell_is_due(record, e, false);
    text_append_format(out, "%s: %s", job_state_name(record->state),
                       record->message ? record->message : "no reason given");
    if (record->state == JOB_FAILED && record->stderr_tail)
        text_append_last_line(out, "; it said: ", record->stderr_tail);
    if (is_due)
        text_append(out, "; the limit is higher now: it runs again");
    else if (record->state == JOB_TIMEOUT && record->time_limit_s > 0)
        text_append(out, "; a higher limits.time runs it again");
    else if (record->state == JOB_MEMORY && record->memory_limit_bytes > 0)
        text_append(out, "; a higher limits.memory runs it again");
}

/* ---- cells of earlier versions ---- */

/* How many cells of a learner have a result of that version. */
static size_t count_versions(const stored_run *r, const int *versions, size_t variant, int version) {
    size_t n = 0;
    for (size_t i = 0; i < r->n_keys; i++)
        n += versions[i] == version && plan_cell_at(r->plan, i).variant == variant &&
             record_index_find(&r->records, r->keys[i]);
    return n;
}

static void append_versions(const stored_run *r, const int *versions, size_t variant, text_buffer *out) {
    const learner_variant *v = &r->e.variants[variant];
    int now = v->kind ? v->kind->version : 0;
    for (int version = -1; version < now; version++) {
        size_t n = count_versions(r, versions, variant, version);
        const char *cells = n == 1 ? "cell runs" : "cells run";
        if (n > 0 && version >= 0)
            text_append_format(out,
                               "%s: version %d stored, version %d now: %zu %s again (CHANGELOG.md says what changed)\n",
                               v->id, version, now, n, cells);
        else if (n > 0)
            text_append_format(out,
                               "%s: %zu %s again: the network file, a program, or the version of data, discretizer "
                               "or metric is another one now\n",
                               v->id, n, cells);
    }
}

/* Results that this program would not take for the cells of the last run. Networks are read for it. */
static status explain_versions(const stored_run *r, text_buffer *out, error_info *err) {
    AUTO_FREE int *versions = calloc(r->n_keys + 1, sizeof *versions);
    error_info problem = {0};
    CHECK_ALLOC(versions);
    for (size_t i = 0; i < r->n_keys; i++) {
        if (plan_stored_version(r->plan, i, r->keys[i], &versions[i], &problem) != STATUS_OK) {
            text_append_format(out, "Versions were not compared: %s\n", problem.message);
            return STATUS_OK;
        }
    }
    for (size_t v = 0; v < r->e.n_variants; v++)
        append_versions(r, versions, v, out);
    return STATUS_OK;
}

status stored_run_explain(const stored_run *r, text_buffer *out, error_info *err) {
    char label[512];
    CHECK(explain_versions(r, out, err));
    for (size_t i = 0; i < r->n_keys; i++) {
        const job_record *record = record_index_find(&r->records, r->keys[i]);
        if (record && record->state == JOB_DONE)
            continue;
        text_append_format(out, "%s: ", plan_cell_label(r->plan, i, label, sizeof label));
        if (record)
            explain_record(record, &r->e, out);
        else
            CHECK(explain_absent(r, i, out, err));
        text_append(out, "\n");
    }
    return text_buffer_check(out, err);
}
