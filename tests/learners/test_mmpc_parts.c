/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MMPC of the targets part by part, and what goes on from a checkpoint: the skeleton and the counters of one piece. */
#include "tests/learners/threads_support.h"

#include "core/base/file.h"
#include "learners/constraint/mmpc.h"
#include "tests/learners/progress_listener.h"
#include "tests/support/gaussian_support.h"

#include <stdio.h>

/* More columns than a survey needs, and several blocks of a checkpoint. */
enum { N_COLUMNS = 200 };

typedef struct {
    size_t part_columns, n_threads;
    const char *checkpoint;
} course;

typedef struct {
    outcome found;
    size_t n_told;
} heard;

/* The learner's options begin with those of its skeleton. */
static heard learn(const dataset *data, const course *by) {
    const learner *l = NULL;
    listener ear = {0};
    heard h = {0};
    error_info err = {0};
    mmpc_options *options;
    assert_ok(learner_find("mmpc", &l, &err), &err);
    assert_non_null(options = learner_options_create(l));
    options->part_columns = by->part_columns;
    run_context_init(&h.found.ctx, 1);
    h.found.ctx.n_threads = by->n_threads;
    h.found.ctx.checkpoint = by->checkpoint;
    h.found.ctx.tell = hear;
    h.found.ctx.listener = &ear;
    assert_ok(learner_run(l, data, options, &h.found.ctx, &h.found.result, &err), &err);
    assert_true(ear.last == 1);
    h.n_told = ear.n_told;
    free(options);
    return h;
}

static void assert_same_by(const dataset *data, const course *by, const heard *expected) {
    heard h = learn(data, by);
    assert_same_outcome(&h.found, &expected->found);
    learner_result_clear(&h.found.result);
}

/* --- parts --- */

static void compare_parts(const dataset *data) {
    static const size_t sizes[] = {1, 64, 77, N_COLUMNS - 1, N_COLUMNS};
    heard whole = learn(data, &(course){.n_threads = 1});
    assert_true(pdag_edge_count(whole.found.result.graph) > 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t n_threads = 1; n_threads <= 3; n_threads++)
            assert_same_by(data, &(course){sizes[i], n_threads, NULL}, &whole);
    }
    learner_result_clear(&whole.found.result);
}

/* With few rows, some pairs have no test. */
static void parts_change_neither_skeleton_nor_counters(void **state) {
    static const size_t n_rows[] = {60, 300, 2000};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(71));
    for (size_t i = 0; i < sizeof n_rows / sizeof *n_rows; i++) {
        dataset *discrete = sample_random(&random, N_COLUMNS, 2, n_rows[i]);
        dataset *continuous = sample_reals(&random, N_COLUMNS, n_rows[i]);
        compare_parts(discrete);
        compare_parts(continuous);
        dataset_destroy(discrete);
        dataset_destroy(continuous);
    }
}

/* --- checkpoints --- */

/* What is made of such a file is what a run makes that nothing ended. */
static void assert_same_from(const dataset *data, const course *by, const char *text, size_t length,
                             const heard *expected) {
    error_info err = {0};
    assert_ok(file_write(by->checkpoint, text, length, &err), &err);
    assert_same_by(data, by, expected);
}

static void cut_and_damage(const char *name, const dataset *data, random_stream *random) {
    char path[512], *text = NULL;
    size_t length = 0, head;
    error_info err = {0};
    heard whole = learn(data, &(course){.n_threads = 1}), kept, again;
    (void)snprintf(path, sizeof path, "%s/%s", scratch_folder(), name);
    kept = learn(data, &(course){90, 2, path});
    assert_same_outcome(&kept.found, &whole.found);
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    head = (size_t)(strchr(text, '\n') + 1 - text);
    for (size_t n = 0; n <= length; n += n < head ? 16 : 1 + (size_t)random_below(random, length / 8)) {
        course by = {n % 2 ? 0 : 50, 1 + n % 3, path};
        assert_same_from(data, &by, text, n, &whole);
    }
    for (int i = 0; i < 8; i++) {
        size_t at = head + (size_t)random_below(random, length - head);
        text[at] ^= 1;
        assert_same_from(data, &(course){0, 1, path}, text, length, &whole);
        text[at] ^= 1;
    }
    again = learn(data, &(course){0, 1, path});
    assert_same_outcome(&again.found, &whole.found);
    assert_that(kept.n_told, >, 3);
    assert_int_equal(again.n_told, 1); /* nothing is searched once more */
    learner_result_clear(&again.found.result);
    learner_result_clear(&kept.found.result);
    learner_result_clear(&whole.found.result);
    free(text);
}

static void a_checkpoint_is_gone_on_with_wherever_it_was_cut_or_damaged(void **state) {
    random_stream random;
    dataset *discrete, *continuous;
    (void)state;
    random_stream_init(&random, random_key_of(72));
    discrete = sample_random(&random, N_COLUMNS, 2.5, 1500);
    continuous = sample_reals(&random, N_COLUMNS, 300);
    cut_and_damage("of-states", discrete, &random);
    cut_and_damage("of-numbers", continuous, &random);
    dataset_destroy(discrete);
    dataset_destroy(continuous);
}

/* What was counted is known from run to run with the two optimisations alone. */
static void a_checkpoint_is_refused_without_the_optimisations(void **state) {
    static const char *const names[] = {"opt4", "opt5"};
    char path[512];
    random_stream random;
    dataset *data;
    const learner *l = NULL;
    error_info err = {0};
    (void)state;
    (void)snprintf(path, sizeof path, "%s/refused", scratch_folder());
    random_stream_init(&random, random_key_of(73));
    data = sample_random(&random, 20, 2, 100);
    assert_ok(learner_find("mmpc", &l, &err), &err);
    for (size_t i = 0; i < 2; i++) {
        void *options = learner_options_create(l);
        learner_result result = {0};
        run_context ctx;
        assert_ok(options_set(l->options, options, names[i], "false", &err), &err);
        run_context_init(&ctx, 1);
        ctx.checkpoint = path;
        assert_int_equal(learner_run(l, data, options, &ctx, &result, &err), STATUS_INVALID);
        assert_message_has(&err, "opt4 and opt5");
        assert_false(file_exists(path));
        free(options);
    }
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_change_neither_skeleton_nor_counters),
        cmocka_unit_test(a_checkpoint_is_gone_on_with_wherever_it_was_cut_or_damaged),
        cmocka_unit_test(a_checkpoint_is_refused_without_the_optimisations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
