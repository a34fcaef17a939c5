/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TPDA by several threads: the same graph and counters as by one. */
#include "tests/learners/threads_support.h"

#include "learners/tpda/tpda_search.h"

/* As many pairs as are worth other threads. */
enum { N_COLUMNS = 130, N_ROWS = 300 };

static void threads_change_neither_graph_nor_counters(void **state) {
    static const char *const options[][5] = {
        {NULL}, {"threshold", "0.03", "bits", "true", NULL}, {"threshold", "0.02", "superset", "true", NULL}};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(91));
    for (size_t i = 0; i < 3; i++) {
        dataset *data = sample_random(&random, N_COLUMNS, 1, N_ROWS);
        outcome one = assert_so_many_threads_agree("tpda", data, options[i], 3 - i % 2);
        assert_true(pdag_edge_count(one.result.graph) > 0);
        assert_true(one.ctx.tests.computed > (uint64_t)N_COLUMNS * (N_COLUMNS - 1) / 2);
        pdag_destroy(one.result.graph);
        dataset_destroy(data);
    }
}

/* --- values that other threads compute --- */

enum { N_THREADS = 3 };

/* A source that says how many values it was given. */
typedef struct {
    information_source inner;
    size_t n_taken;
} watched;

static status measure_watched(void *self, size_t x, size_t y, const size_t *z, size_t n_z, double *out,
                              error_info *err) {
    const watched *w = self;
    return w->inner.measure(w->inner.self, x, y, z, n_z, out, err);
}

static status compute_watched(void *self, size_t x, size_t y, const size_t *z, size_t n_z, double *out,
                              error_info *err) {
    const watched *w = self;
    return w->inner.compute(w->inner.self, x, y, z, n_z, out, err);
}

static status take_watched(void *self, size_t x, size_t y, const size_t *z, size_t n_z, double value, double *out,
                           error_info *err) {
    watched *w = self;
    double own = 0;
    assert_ok(w->inner.compute(w->inner.self, x, y, z, n_z, &own, err), err);
    assert_true(value == own);
    w->n_taken++;
    return w->inner.take(w->inner.self, x, y, z, n_z, value, out, err);
}

typedef struct {
    pdag *graph;
    statistics_count tally;
    size_t n_taken;
} finding;

static finding search_by(const dataset *data, size_t n_threads, bool is_monotone) {
    finding f = {0};
    information *infos[N_THREADS] = {NULL}, *info = NULL;
    information_source sources[N_THREADS];
    statistics_count tallies[N_THREADS] = {{0}};
    tpda_rules rules = {.threshold = 0.005, .is_monotone = is_monotone, .of_threads = sources};
    watched w = {.n_taken = 0};
    information_source source = {&w, measure_watched, compute_watched, take_watched};
    run_context ctx;
    bool is_cut_short = true;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(information_create(data, &f.tally, &info, &err), &err);
    w.inner = information_as_source(info);
    assert_ok(crew_create(n_threads, &rules.threads, &err), &err);
    rules.n_of_threads = n_threads;
    for (size_t i = 0; i < n_threads; i++) {
        assert_ok(information_create(data, &tallies[i], &infos[i], &err), &err);
        sources[i] = information_as_source(infos[i]);
    }
    assert_ok(tpda_search(&source, dataset_column_count(data), &rules, &ctx, &f.graph, &is_cut_short, &err), &err);
    assert_false(is_cut_short);
    f.n_taken = w.n_taken;
    for (size_t i = 0; i < n_threads; i++) {
        statistics_count_add(&f.tally, &tallies[i]);
        information_destroy(infos[i]);
    }
    crew_destroy(rules.threads);
    information_destroy(info);
    return f;
}

static void values_of_other_threads_are_counted_as_the_source_would(void **state) {
    random_stream random;
    size_t n_taken = 0;
    (void)state;
    random_stream_init(&random, random_key_of(93));
    for (size_t i = 0; i < 6; i++) {
        dataset *data = sample_random(&random, 20, 3, 2000);
        finding one = search_by(data, 1, i % 2);
        assert_int_equal(one.n_taken, 0);
        for (size_t n_threads = 2; n_threads <= N_THREADS; n_threads++) {
            finding other = search_by(data, n_threads, i % 2);
            assert_same_graph(other.graph, one.graph);
            assert_memory_equal(&other.tally, &one.tally, sizeof one.tally);
            n_taken += other.n_taken;
            pdag_destroy(other.graph);
        }
        pdag_destroy(one.graph);
        dataset_destroy(data);
    }
    assert_true(n_taken > 0);
}

static void past_the_deadline_every_thread_ends(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(92));
    for (size_t i = 0; i < 8; i++) {
        dataset *data = sample_random(&random, N_COLUMNS, 1, N_ROWS);
        assert_ends_at_deadline("tpda", data, 1e-3 * (double)i);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_neither_graph_nor_counters),
        cmocka_unit_test(values_of_other_threads_are_counted_as_the_source_would),
        cmocka_unit_test(past_the_deadline_every_thread_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
