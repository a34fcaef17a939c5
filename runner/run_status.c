/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a run: how many cells of its plan have a result, and why the others have none. */
#include "runner/planned_internal.h"

#include "core/base/file.h"
#include "runner/runner.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    TRY(last_run_read(s, false, &r, err));
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
    TRY(last_run_read(s, true, &r, err));
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

/* ---- the plan of a run that has not begun ---- */

static void describe_cell(const job_record *record, const experiment *e, text_buffer *out) {
    bool is_due = cell_is_due(record, e, false);
    if (!record)
        text_append(out, "to run");
    else if (is_due)
        text_append_format(out, "to run again (%s under a lower limit)", job_state_name(record->state));
    else
        text_append(out, job_state_name(record->state));
    if (record && !is_due && record->state != JOB_DONE)
        text_append(out, " (stays)");
}

static status read_store_if_there(const char *folder, record_index *records, error_info *err) {
    store *s = NULL;
    status st = folder ? store_open(folder, false, false, &s, err) : STATUS_MISSING;
    if (st == STATUS_MISSING)
        return STATUS_OK;
    if (st == STATUS_OK)
        st = record_index_create(s, false, records, err);
    store_close(s);
    return st;
}

status runner_describe_plan(const experiment *e, const char *store_folder, text_buffer *out, run_counts *counts,
                            error_info *err) {
    plan *p = NULL;
    record_index records = {0};
    run_counts c = {.seconds_left = -1};
    char label[512], key[PLAN_KEY_SIZE];
    status st = STATUS_OK;
    TRY(plan_create(e, &p, err));
    TRY(plan_load_networks(p, err));
    TRY(read_store_if_there(store_folder, &records, err));
    for (size_t i = 0; i < plan_cell_count(p); i++) {
        const job_record *record;
        TRY(plan_key(p, i, key, err));
        record = record_index_find(&records, key);
        text_append_format(out, "%s: ", plan_cell_label(p, i, label, sizeof label));
        describe_cell(record, e, out);
        text_append(out, "\n");
        cell_count(cell_is_due(record, e, false) ? NULL : record, &c);
    }
    TRY(text_buffer_check(out, err));
    *counts = c;
cleanup:
    record_index_clear(&records);
    plan_destroy(p);
    return st;
}
