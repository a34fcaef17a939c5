/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the tests of the runner share: an experiment from text, a run, a store's records side by side. */
#ifndef BNB_TESTS_SUPPORT_RUN_SUPPORT_H
#define BNB_TESTS_SUPPORT_RUN_SUPPORT_H

#include "tests/support/support.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "runner/runner.h"
#include "runner/stored_run.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline experiment declare(const char *text) {
    experiment e = {0};
    error_info err = {0};
    assert_ok(experiment_parse(text, strlen(text), "x.yaml", &e, &err), &err);
    return e;
}

/** The experiment as if its file lay in that folder. */
static inline experiment declare_in(const char *folder, const char *text) {
    experiment e = declare(text);
    free(e.folder);
    e.folder = text_copy(folder);
    return e;
}

static inline run_counts run_in(const experiment *e, const char *folder, size_t n_jobs) {
    run_options options = {.store_folder = folder, .n_jobs = n_jobs, .quiet = true};
    run_counts counts = {0};
    bool interrupted = true;
    error_info err = {0};
    assert_ok(runner_run(e, &options, &counts, &interrupted, &err), &err);
    assert_false(interrupted);
    assert_int_equal(counts.total, counts.done + counts.failed + counts.timeout + counts.memory + counts.left);
    return counts;
}

/** Records of a store. */
typedef struct {
    job_record *items;
    size_t n;
} record_list;

static inline record_list read_records(const char *folder) {
    record_list list = {0};
    store *s = NULL;
    error_info err = {0};
    assert_ok(store_open(folder, false, false, &s, &err), &err);
    assert_ok(store_read_all(s, true, &list.items, &list.n, &err), &err);
    store_close(s);
    return list;
}

static inline void assert_same_text(const char *a, const char *b, const char *what) {
    if ((a == NULL) != (b == NULL) || (a && strcmp(a, b) != 0))
        fail_msg("%s: '%s' is not '%s'", what, a ? a : "(none)", b ? b : "(none)");
}

static inline bool is_measured(const char *metric) {
    return strcmp(metric, "time") == 0 || strcmp(metric, "wall_time") == 0 || strcmp(metric, "memory") == 0 ||
           strcmp(metric, "learning_time") == 0 || strcmp(metric, "total_time") == 0 ||
           strcmp(metric, "discretize_time") == 0 || strcmp(metric, "calibration") == 0;
}

/** Everything but what is measured with a clock or a scale, bit for bit. */
static inline void assert_same_record(const job_record *a, const job_record *b) {
    assert_same_text(a->key, b->key, "key");
    assert_same_text(a->network, b->network, "network");
    assert_int_equal(a->n_samples, b->n_samples);
    assert_int_equal(a->replicate, b->replicate);
    assert_same_text(a->learner, b->learner, "learner");
    assert_int_equal(a->state, b->state);
    assert_same_text(a->message, b->message, "message");
    assert_int_equal(a->is_cut_short, b->is_cut_short);
    assert_same_text(a->options, b->options, "options");
    assert_int_equal(a->seed, b->seed);
    assert_same_text(a->fingerprint, b->fingerprint, "fingerprint");
    assert_same_text(a->graph_kind, b->graph_kind, "graph_kind");
    assert_same_text(a->graph, b->graph, "graph");
    assert_memory_equal(&a->tests, &b->tests, sizeof a->tests);
    assert_memory_equal(&a->scores, &b->scores, sizeof a->scores);
    assert_int_equal(a->n_metrics, b->n_metrics);
    for (size_t i = 0; i < a->n_metrics; i++) {
        assert_same_text(a->metrics[i].name, b->metrics[i].name, "metric");
        if (!is_measured(a->metrics[i].name) && memcmp(&a->metrics[i].value, &b->metrics[i].value, sizeof(double)) != 0)
            fail_msg("%s of %s: %.17g is not %.17g", a->metrics[i].name, a->learner, a->metrics[i].value,
                     b->metrics[i].value);
    }
}

static inline void assert_same_results(const char *store_a, const char *store_b) {
    record_list a = read_records(store_a), b = read_records(store_b);
    assert_int_equal(a.n, b.n);
    for (size_t i = 0; i < a.n; i++)
        assert_same_record(&a.items[i], &b.items[i]);
    job_records_destroy(a.items, a.n);
    job_records_destroy(b.items, b.n);
}

/** The one record of a store. */
static inline job_record only_record(const char *folder) {
    record_list list = read_records(folder);
    job_record r;
    assert_int_equal(list.n, 1);
    r = list.items[0];
    free(list.items);
    return r;
}

/** Entries of a folder other than "." and "..". */
static inline size_t count_entries(const char *folder) {
    DIR *handle = opendir(folder);
    const struct dirent *entry;
    size_t n = 0;
    while (handle && (entry = readdir(handle)))
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (handle)
        (void)closedir(handle);
    return n;
}

/** A place for a store that is not there yet. The last eight stay valid. */
static inline const char *new_store(void) {
    static char paths[8][128];
    static int turn;
    char *path = paths[turn++ % 8];
    (void)snprintf(path, sizeof paths[0], "%s/store", scratch_folder());
    return path;
}

static inline void put_file(const char *folder, const char *name, const char *text) {
    char *path = path_join(folder, name);
    error_info err = {0};
    assert_ok(file_write(path, text, strlen(text), &err), &err);
    free(path);
}

/** How far the last run of a store has come; why cells have no result. */
static inline run_counts count_stored(store *s) {
    stored_run *run = NULL;
    run_counts counts = {0};
    error_info err = {0};
    assert_ok(stored_run_read(s, NULL, 0, &run, &err), &err);
    stored_run_count(run, &counts);
    stored_run_destroy(run);
    return counts;
}

static inline void explain_stored(store *s, text_buffer *out) {
    stored_run *run = NULL;
    error_info err = {0};
    assert_ok(stored_run_read(s, NULL, STORED_RUN_TEXTS | STORED_RUN_OTHERS, &run, &err), &err);
    assert_ok(stored_run_explain(run, out, &err), &err);
    stored_run_destroy(run);
}

#endif
