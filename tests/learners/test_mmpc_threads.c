/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MMPC by several threads: the same skeleton and the same counters as by one. */
#include "tests/learners/threads_support.h"

#include "learners/constraint/mmpc_state_internal.h"

#include <unistd.h>

/* More columns than a survey of all pairs needs, and work that is worth other threads. */
enum { N_COLUMNS = 150, N_ROWS = 2000 };

static atomic_bool is_every_second_slow;
static atomic_size_t n_only_counted; /* members that were checked before, as if an earlier one had stayed */

/* The linker calls this in the place of the library's, which is __real_; the names are its.
 * NOLINTBEGIN(cert-dcl51-cpp) */
status __real_mmpc_is_separable(mmpc_search *s, size_t member, bool *separable, error_info *err);
status __wrap_mmpc_is_separable(mmpc_search *s, size_t member, bool *separable, error_info *err);

status __wrap_mmpc_is_separable(mmpc_search *s, size_t member, bool *separable, error_info *err) {
    enum { WHILE_US = 300 }; /* in which others are done */
    if (atomic_load(&is_every_second_slow) && s->from && member % 2 == 0)
        (void)usleep(WHILE_US);
    atomic_fetch_add(&n_only_counted, s->only_counts);
    return __real_mmpc_is_separable(s, member, separable, err);
}
/* NOLINTEND(cert-dcl51-cpp) */

/* Some columns are copies of the last but one, with noise: a hub, whose members are tested by a lattice. The others
 * depend on nothing. */
static void draw_hub(random_stream *random, const void *how, int *row) {
    const size_t *n_members = how;
    int hub = (int)random_below(random, 3);
    for (size_t c = 0; c < N_COLUMNS; c++) {
        bool is_copy = c == N_COLUMNS - 2 || (c < *n_members && random_below(random, 5) < 2);
        row[c] = is_copy ? hub : (int)random_below(random, 3);
    }
}

static dataset *sample_hub(random_stream *random, size_t n_members) {
    size_t n_states[N_COLUMNS];
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = 3;
    return draw_dataset(random, N_ROWS, N_COLUMNS, n_states, draw_hub, &n_members);
}

static void compare_threads(const dataset *data, const char *const *pairs) {
    outcome one = assert_threads_agree("mmpc", data, pairs, 4);
    assert_true(pdag_edge_count(one.result.graph) > 0);
    pdag_destroy(one.result.graph);
}

static void threads_change_neither_skeleton_nor_counters(void **state) {
    static const char *const options[][5] = {
        {NULL}, {"min_rows", "0", "df", "full", NULL}, {"symmetry", "or", "maxk", "2", NULL}, {"opt4", "false", NULL}};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(61));
    for (size_t i = 0; i < 6; i++) {
        dataset *data = sample_random(&random, N_COLUMNS, 2 + (double)(i % 3), N_ROWS);
        compare_threads(data, options[i % 4]);
        dataset_destroy(data);
    }
}

static void threads_share_the_work_of_a_hub(void **state) {
    static const char *const none[] = {NULL};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(62));
    for (size_t i = 0; i < 3; i++) {
        dataset *data = sample_hub(&random, 14 + 4 * i);
        compare_threads(data, none);
        dataset_destroy(data);
    }
}

/* The first two columns depend on ten of the others each, which are independent: tests given many sets of few. */
static void draw_sums(random_stream *random, const void *how, int *row) {
    enum { PARENTS = 10 };
    int sums[2] = {0};
    (void)how;
    for (size_t c = 2; c < N_COLUMNS; c++) {
        row[c] = (int)random_below(random, 2);
        if (c < 2 + 2 * PARENTS)
            sums[c % 2] += row[c];
    }
    for (size_t c = 0; c < 2; c++)
        row[c] = sums[c] > PARENTS / 2;
}

static dataset *sample_sums(random_stream *random) {
    size_t n_states[N_COLUMNS];
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = 2;
    return draw_dataset(random, N_ROWS, N_COLUMNS, n_states, draw_sums, NULL);
}

static void threads_share_the_tests_of_a_target(void **state) {
    static const char *const options[][5] = {
        {NULL}, {"min_rows", "0", "df", "full", NULL}, {"maxk", "4", "df", "full", NULL}};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(64));
    for (size_t i = 0; i < 6; i++) {
        dataset *data = sample_sums(&random);
        compare_threads(data, options[i % 3]);
        dataset_destroy(data);
    }
}

/* Members that follow one that leaves are done before it leaves. Where other work has the processors a thread may come
 * too late for that, so further data are learned until it happens. */
static void what_is_known_of_a_member_is_counted_when_others_leave(void **state) {
    enum { LEAST = 3, MOST = 90 };
    static const char *const options[][5] = {{NULL}, {"min_rows", "0", "df", "full", NULL}, {"maxk", "3", NULL}};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(65));
    atomic_store(&is_every_second_slow, true);
    atomic_store(&n_only_counted, 0);
    for (size_t i = 0; i < LEAST || (i < MOST && atomic_load(&n_only_counted) == 0); i++) {
        dataset *data = sample_random(&random, N_COLUMNS, 4, N_ROWS);
        compare_threads(data, options[i % LEAST]);
        dataset_destroy(data);
    }
    atomic_store(&is_every_second_slow, false);
    assert_true(atomic_load(&n_only_counted) > 0);
}

static void past_the_deadline_every_thread_ends(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(63));
    for (size_t i = 0; i < 8; i++) {
        dataset *data = sample_random(&random, N_COLUMNS, 4, N_ROWS);
        assert_ends_at_deadline("mmpc", data, 4e-3 * (double)i);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_neither_skeleton_nor_counters),
        cmocka_unit_test(threads_share_the_work_of_a_hub),
        cmocka_unit_test(threads_share_the_tests_of_a_target),
        cmocka_unit_test(what_is_known_of_a_member_is_counted_when_others_leave),
        cmocka_unit_test(past_the_deadline_every_thread_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
