/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Records that are made up, and stores that hold them. */
#ifndef BNB_TESTS_STORE_STORE_SUPPORT_H
#define BNB_TESTS_STORE_STORE_SUPPORT_H

#include "tests/support/store_sql.h"

#include "core/base/text.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

static inline char *key_of(unsigned number) {
    char text[65];
    (void)snprintf(text, sizeof text, "%064x", number);
    return text_copy(text);
}

static inline job_record make_record(unsigned number, const char *network, uint64_t n_samples, const char *learner) {
    error_info err = {0};
    job_record r = {.key = key_of(number),
                    .network = text_copy(network),
                    .n_samples = n_samples,
                    .replicate = number % 3,
                    .learner = text_copy(learner),
                    .options = text_copy("{\"alpha\":0.05}"),
                    .seed = 0xFEDCBA9876543210u + number,
                    .fingerprint = text_copy("0011aabb"),
                    .graph_kind = text_copy("dag"),
                    .graph = text_copy("# nodes: a,b\nfrom,to,type\na,b,directed\n"),
                    .tests = {.requests = 10 + number, .computed = 7, .skipped = 1},
                    .scores = {.requests = 100, .computed = 40, .skipped = 0},
                    .cpu_seconds = 0.1 + number,
                    .wall_seconds = 1.0 / 3,
                    .peak_memory_bytes = 123456789,
                    .time_limit_s = 20,
                    .memory_limit_bytes = 1u << 30,
                    .confinement = text_copy("cgroup"),
                    .stderr_tail = text_copy("a warning")};
    assert_ok(job_record_set_metric(&r, "time", 0.1, &err), &err);
    assert_ok(job_record_set_metric(&r, "shd", 12, &err), &err);
    assert_ok(job_record_set_metric(&r, "bdeu_test", -54321.123456789012, &err), &err);
    return r;
}

static inline void assert_same_text(const char *a, const char *b) {
    if (!a || !b)
        assert_true(a == b);
    else
        assert_string_equal(a, b);
}

static inline bool same_bits(double a, double b) {
    uint64_t x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x == y;
}

static inline void assert_same_record(const job_record *a, const job_record *b) {
    assert_same_text(a->key, b->key);
    assert_same_text(a->network, b->network);
    assert_same_text(a->learner, b->learner);
    assert_same_text(a->message, b->message);
    assert_same_text(a->options, b->options);
    assert_same_text(a->fingerprint, b->fingerprint);
    assert_same_text(a->graph_kind, b->graph_kind);
    assert_same_text(a->graph, b->graph);
    assert_same_text(a->confinement, b->confinement);
    assert_same_text(a->stderr_tail, b->stderr_tail);
    assert_int_equal(a->n_samples, b->n_samples);
    assert_int_equal(a->replicate, b->replicate);
    assert_int_equal(a->state, b->state);
    assert_true(same_bits(a->sigma, b->sigma));
    assert_int_equal(a->seed, b->seed);
    assert_int_equal(a->is_cut_short, b->is_cut_short);
    assert_memory_equal(&a->tests, &b->tests, sizeof a->tests);
    assert_memory_equal(&a->scores, &b->scores, sizeof a->scores);
    assert_true(same_bits(a->cpu_seconds, b->cpu_seconds));
    assert_true(same_bits(a->wall_seconds, b->wall_seconds));
    assert_true(same_bits(a->time_limit_s, b->time_limit_s));
    assert_int_equal(a->memory_limit_bytes, b->memory_limit_bytes);
    assert_true(a->peak_memory_bytes == b->peak_memory_bytes);
    assert_int_equal(a->n_metrics, b->n_metrics);
    for (size_t i = 0; i < a->n_metrics; i++) {
        assert_string_equal(a->metrics[i].name, b->metrics[i].name);
        assert_true(same_bits(a->metrics[i].value, b->metrics[i].value));
    }
}

static inline store *open_store(const char *folder, bool create, bool exclusive) {
    error_info err = {0};
    store *s = NULL;
    assert_ok(store_open(folder, create, exclusive, &s, &err), &err);
    return s;
}

static inline bool add(store *s, const job_record *r) {
    error_info err = {0};
    bool added = false;
    assert_ok(store_add(s, r, &added, &err), &err);
    return added;
}

static inline void assert_stored(store *s, const job_record *r) {
    error_info err = {0};
    job_record back = {0};
    assert_ok(store_find(s, r->key, &back, &err), &err);
    assert_same_record(r, &back);
    job_record_clear(&back);
}

static inline void write_database(const char *folder, const char *bytes, size_t length) {
    char path[128];
    FILE *f;
    (void)snprintf(path, sizeof path, "%s/results.sqlite", folder);
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

#endif
