/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TPDA by several threads: the same graph and counters as by one. */
#include "tests/learners/threads_support.h"

/* As many pairs as are worth other threads. */
enum { N_COLUMNS = 200, N_ROWS = 300 };

static void threads_change_neither_graph_nor_counters(void **state) {
    static const char *const options[][5] = {
        {NULL}, {"threshold", "0.03", "bits", "true", NULL}, {"threshold", "0.02", "superset", "true", NULL}};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(91));
    for (size_t i = 0; i < 3; i++) {
        dataset *data = sample_random(&random, N_COLUMNS, 1, N_ROWS);
        outcome one = assert_threads_agree("tpda", data, options[i], 3);
        assert_true(pdag_edge_count(one.result.graph) > 0);
        assert_true(one.ctx.tests.computed > (uint64_t)N_COLUMNS * (N_COLUMNS - 1) / 2);
        pdag_destroy(one.result.graph);
        dataset_destroy(data);
    }
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
        cmocka_unit_test(past_the_deadline_every_thread_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
