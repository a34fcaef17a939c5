/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A deadline is kept within a few scores or tests, once the columns by themselves are scored. This program has a clock
 * of its own, whose seconds are the scores and tests that the learner has computed, so that nothing here hangs on the
 * speed of a machine. mmbn counts its tests by thread and adds them up at the end: this clock does not see them.
 */
#include "learners/registry.h"
#include "metrics/scores/score_rows.h"
#include "metrics/scores/scored_extras.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

enum { N_COLUMNS = 100 };

static const run_context *watched;
static uint64_t deadline, read_at; /* the first reading that is not before the deadline; 0: none was */

/* What is scored past the cache is counted later, a row at a time: the clock goes by the scoring. The linker puts these
 * in the place of the library's, which are __real_; the names are its. NOLINTBEGIN(cert-dcl51-cpp) */
static uint64_t n_fresh, n_counted_late;

status __real_score_node_fresh(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                               error_info *err);
status __wrap_score_node_fresh(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                               error_info *err);
status __real_score_count_additions(score *s, size_t x, const size_t *parents, size_t n_parents, const size_t *extras,
                                    size_t n_extras, error_info *err);
status __wrap_score_count_additions(score *s, size_t x, const size_t *parents, size_t n_parents, const size_t *extras,
                                    size_t n_extras, error_info *err);
status __real_score_count_additions_but(score *s, size_t x, const size_t *parents, size_t n_parents,
                                        const size_t *others, size_t n_others, error_info *err);
status __wrap_score_count_additions_but(score *s, size_t x, const size_t *parents, size_t n_parents,
                                        const size_t *others, size_t n_others, error_info *err);
void __real_score_count(score *s, uint64_t requests, uint64_t computed);
void __wrap_score_count(score *s, uint64_t requests, uint64_t computed);
void __real_score_count_recalled(score *s, size_t requests, size_t n_known);
void __wrap_score_count_recalled(score *s, size_t requests, size_t n_known);
status __real_score_rows_block(score_rows *r, size_t block, size_t x, const size_t *parents, size_t n_parents,
                               double *out, error_info *err);
status __wrap_score_rows_block(score_rows *r, size_t block, size_t x, const size_t *parents, size_t n_parents,
                               double *out, error_info *err);
status __real_scored_extras_set(scored_extras *e, size_t x, const size_t *parents, size_t n_parents,
                                const size_t *columns, size_t n, bool *is_done, error_info *err);
status __wrap_scored_extras_set(scored_extras *e, size_t x, const size_t *parents, size_t n_parents,
                                const size_t *columns, size_t n, bool *is_done, error_info *err);
/* NOLINTEND(cert-dcl51-cpp) */

status __wrap_score_node_fresh(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                               error_info *err) {
    n_fresh++;
    return __real_score_node_fresh(s, x, parents, n_parents, extra, out, err);
}

status __wrap_score_count_additions(score *s, size_t x, const size_t *parents, size_t n_parents, const size_t *extras,
                                    size_t n_extras, error_info *err) {
    uint64_t before = watched->scores.computed;
    status st = __real_score_count_additions(s, x, parents, n_parents, extras, n_extras, err);
    n_counted_late += watched->scores.computed - before;
    return st;
}

status __wrap_score_count_additions_but(score *s, size_t x, const size_t *parents, size_t n_parents,
                                        const size_t *others, size_t n_others, error_info *err) {
    uint64_t before = watched->scores.computed;
    status st = __real_score_count_additions_but(s, x, parents, n_parents, others, n_others, err);
    n_counted_late += watched->scores.computed - before;
    return st;
}

void __wrap_score_count(score *s, uint64_t requests, uint64_t computed) {
    __real_score_count(s, requests, computed);
    n_counted_late += computed;
}

void __wrap_score_count_recalled(score *s, size_t requests, size_t n_known) {
    __real_score_count_recalled(s, requests, n_known);
    n_counted_late += requests - n_known;
}

/* A block of scores that may be made at once, and not by score_node_fresh. */
status __wrap_score_rows_block(score_rows *r, size_t block, size_t x, const size_t *parents, size_t n_parents,
                               double *out, error_info *err) {
    uint64_t before = n_fresh;
    status st = __real_score_rows_block(r, block, x, parents, n_parents, out, err);
    n_fresh = before + COLUMN_BLOCK;
    return st;
}

/* The scores of several columns at once. */
status __wrap_scored_extras_set(scored_extras *e, size_t x, const size_t *parents, size_t n_parents,
                                const size_t *columns, size_t n, bool *is_done, error_info *err) {
    status st = __real_scored_extras_set(e, x, parents, n_parents, columns, n, is_done, err);
    n_fresh += *is_done ? n : 0;
    return st;
}

static uint64_t now(void) {
    return watched ? run_context_statistics(watched).computed + n_fresh - n_counted_late : 0;
}

/* In the place of the library's. */
int clock_gettime(clockid_t clock, struct timespec *out) {
    *out = (struct timespec){.tv_sec = clock == CLOCK_MONOTONIC ? (time_t)now() : 0};
    if (clock == CLOCK_MONOTONIC && read_at == 0 && now() >= deadline)
        read_at = now();
    return 0;
}

/* Whether the deadline came before the learner was done; how many scores and tests later it looked at the clock. */
static bool is_late(const char *name, const dataset *data, uint64_t limit, uint64_t *delay) {
    const learner *l = NULL;
    learner_result result = {0};
    run_context ctx;
    void *options;
    error_info err = {0};
    assert_ok(learner_find(name, &l, &err), &err);
    options = learner_options_create(l);
    assert_non_null(options);
    run_context_init(&ctx, 1);
    ctx.deadline_s = (double)limit;
    watched = &ctx;
    deadline = limit;
    read_at = n_fresh = n_counted_late = 0;
    assert_ok(learner_run(l, data, options, &ctx, &result, &err), &err);
    assert_true(result.is_cut_short == (read_at > 0));
    watched = NULL;
    learner_result_clear(&result);
    free(options);
    *delay = read_at > 0 ? read_at - limit : 0;
    return read_at > 0;
}

/* Scores and tests between two readings: a row of scores is filled (in two blocks of 64), or a set of TPDA made
 * smaller, in one go. The candidates of a head are scored together, 64 at most. */
static const struct {
    const char *name;
    uint64_t most;
} learners[] = {
    {"hc", 16},    {"gts", 16},       {"bach", 16},          {"chc", 64},   {"chc-star", 64},      {"fastchc", 64},
    {"2ichc", 64}, {"lagd", 64},      {"ges", COLUMN_BLOCK}, {"sc", 16},    {"sgs1", 16},          {"sgs2", 16},
    {"or", 16},    {"mmpc", 16},      {"mmhc", 16},          {"pmmpc", 16}, {"single-parent", 16}, {"pc", 16},
    {"tpda", 32},  {"pc-stable", 16}, {"sgs3", 128},
};

static void a_deadline_is_met_within_a_few_scores_or_tests(void **state) {
    random_stream random;
    dataset *data;
    size_t n_met = 0;
    (void)state;
    random_stream_init(&random, random_key_of(61));
    data = make_random_dataset(&random, 200, N_COLUMNS, 3);
    for (size_t i = 0; i < sizeof learners / sizeof *learners; i++) {
        for (uint64_t limit = N_COLUMNS + 20; limit < 5000; limit += learners[i].most == 64 ? 37 : limit / 2 + 7) {
            uint64_t delay = 0;
            n_met += is_late(learners[i].name, data, limit, &delay);
            if (delay > learners[i].most)
                fail_msg("%s looked at a deadline of %" PRIu64 " scores %" PRIu64 " too late", learners[i].name, limit,
                         delay);
        }
    }
    assert_true(n_met > 100);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deadline_is_met_within_a_few_scores_or_tests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
