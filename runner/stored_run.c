/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last run of a store: how many cells of its plan have a result, the records of these cells, by which reports read
 * the store, and why the other cells have none.
 */
#include "runner/runner.h"

#include "core/base/file.h"
#include "runner/plan/cells_internal.h"
#include "runner/plan/keys_json_internal.h"
#include "runner/plan/plan_internal.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last run of a store, and every record. The plan is there for the labels of its cells; no network is read. */
typedef struct {
    experiment e;
    plan *plan;
    char (*keys)[PLAN_KEY_SIZE];
    size_t n_keys;
    record_index records;
} last_run;

static void last_run_clear(last_run *r) {
    plan_destroy(r->plan);
    experiment_clear(&r->e);
    free(r->keys);
    record_index_clear(&r->records);
}

static status read_last_run(store *s, bool with_graphs, last_run *r, error_info *err) {
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

/* ---- counts ---- */

static bool is_alive(const char *marker) {
    FILE *f = fopen(marker, "re");
    char line[32] = "";
    int64_t id = 0;
    bool alive = f && fgets(line, sizeof line, f);
    line[strcspn(line, "\n")] = '\0';
    alive = alive && text_to_int(line, &id) && id > 0 && id <= INT_MAX && (kill((pid_t)id, 0) == 0 || errno == EPERM);
    if (f)
        (void)fclose(f);
    return alive;
}

static size_t count_running(const char *store_folder) {
    char *spool = path_join(store_folder, "jobs");
    DIR *folder = spool ? opendir(spool) : NULL;
    const struct dirent *entry;
    size_t n = 0;
    while (folder && (entry = readdir(folder))) {
        char *path;
        if (!path_ends_with(entry->d_name, ".running"))
            continue;
        path = path_join(spool, entry->d_name);
        n += path && is_alive(path);
        free(path);
    }
    if (folder)
        (void)closedir(folder);
    free(spool);
    return n;
}

/* The seconds that a job takes beside learning, for data, metrics and the store; an order of magnitude will do. */
#define OVERHEAD_S 0.03

/* The seconds that the cells without a result take one after the other, by the mean of each learner's results; negative
 * where a learner has none. */
static double work_left(const last_run *r) {
    double *means = calloc(r->e.n_variants, sizeof *means), sum = 0;
    for (size_t i = 0; means && i < r->e.n_variants; i++)
        means[i] = cell_mean_seconds(&r->records, r->e.variants[i].id);
    for (size_t i = 0; means && i < r->n_keys && sum >= 0; i++) {
        double mean = means[plan_cell_at(r->plan, i).variant];
        if (!record_index_find(&r->records, r->keys[i]))
            sum = mean < 0 ? -1 : sum + mean + OVERHEAD_S;
    }
    sum = means ? sum : -1;
    free(means);
    return sum;
}

status runner_status(store *s, run_counts *counts, error_info *err) {
    last_run r = {0};
    run_counts c = {0};
    double work;
    status st = STATUS_OK;
    TRY(read_last_run(s, false, &r, err));
    for (size_t i = 0; i < r.n_keys; i++)
        cell_count(record_index_find(&r.records, r.keys[i]), &c);
    work = work_left(&r);
    c.running = count_running(store_folder(s));
    if (c.running > c.left)
        c.running = c.left;
    c.left -= c.running;
    c.seconds_left = work < 0 ? -1 : work / (double)(c.running ? c.running : 1);
    *counts = c;
cleanup:
    last_run_clear(&r);
    return st;
}

/* ---- the records of the plan, by which reports read a store ---- */

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
    TRY(read_last_run(s, with_graphs, &r, err));
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

/* ---- why ---- */

/* The last line of a program's standard error that says something. */
static void append_last_line(const char *errors, text_buffer *out) {
    size_t end = strlen(errors), start;
    while (end > 0 && isspace((unsigned char)errors[end - 1]))
        end--;
    for (start = end; start > 0 && errors[start - 1] != '\n'; start--)
        ;
    if (end > start) {
        text_append(out, "; it said: ");
        text_append_bytes(out, errors + start, end - start > 300 ? 300 : end - start);
    }
}

/* The order in which store_read_all gives the records. */
static int compare_places(const void *a, const void *b) {
    const job_record *x = a, *y = b;
    int c = strcmp(x->network, y->network);
    if (c == 0)
        c = (x->n_samples > y->n_samples) - (x->n_samples < y->n_samples);
    if (c == 0)
        c = (x->sigma > y->sigma) - (x->sigma < y->sigma);
    if (c == 0)
        c = (x->replicate > y->replicate) - (x->replicate < y->replicate);
    return c ? c : strcmp(x->learner, y->learner);
}

/* An earlier result of the same learner on a data set of the same name; NULL where there is none. */
static const job_record *find_relative(const last_run *r, const plan_cell *cell) {
    job_record wanted = {.network = r->e.outputs.networks[cell->network],
                         .n_samples = plan_rows(r->plan, cell),
                         .sigma = plan_sigma(r->plan, cell),
                         .replicate = cell->replicate,
                         .learner = r->e.variants[cell->variant].id};
    if (r->records.n == 0)
        return NULL;
    return bsearch(&wanted, r->records.records, r->records.n, sizeof wanted, compare_places);
}

static status explain_absent(const last_run *r, size_t i, text_buffer *out, error_info *err) {
    plan_cell cell = plan_cell_at(r->plan, i);
    const job_record *relative = find_relative(r, &cell);
    char *options = NULL;
    status st = STATUS_OK;
    if (!relative) {
        text_append(out, "never ran to its end");
        return STATUS_OK;
    }
    TRY(plan_options_json(r->plan, cell.variant, 0, &options, err));
    if (relative->options && !r->e.variants[cell.variant].budget.is_relative && strcmp(relative->options, options) != 0)
        text_append_format(out, "has not run with %s; there is a result for %s", options, relative->options);
    else
        text_append(out, "has not run as it is declared now; there is a result for another seed, network file, data "
                         "declaration, thread count or version of the learner");
cleanup:
    free(options);
    return st;
}

static void explain_record(const job_record *record, const experiment *e, text_buffer *out) {
    bool is_due = cell_is_due(record, e, false);
    text_append_format(out, "%s: %s", job_state_name(record->state),
                       record->message ? record->message : "no reason given");
    if (record->state == JOB_FAILED && record->stderr_tail)
        append_last_line(record->stderr_tail, out);
    if (is_due)
        text_append(out, "; the limit is higher now: it runs again");
    else if (record->state == JOB_TIMEOUT && record->time_limit_s > 0)
        text_append(out, "; a higher limits.time runs it again");
    else if (record->state == JOB_MEMORY && record->memory_limit_bytes > 0)
        text_append(out, "; a higher limits.memory runs it again");
}

status runner_explain(store *s, text_buffer *out, error_info *err) {
    last_run r = {0};
    char label[512];
    status st = STATUS_OK;
    TRY(read_last_run(s, true, &r, err));
    for (size_t i = 0; i < r.n_keys; i++) {
        const job_record *record = record_index_find(&r.records, r.keys[i]);
        if (record && record->state == JOB_DONE)
            continue;
        text_append_format(out, "%s: ", plan_cell_label(r.plan, i, label, sizeof label));
        if (record)
            explain_record(record, &r.e, out);
        else
            TRY(explain_absent(&r, i, out, err));
        text_append(out, "\n");
    }
    TRY(text_buffer_check(out, err));
cleanup:
    last_run_clear(&r);
    return st;
}
