/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was reached, and when: against the paths of the graph at that time. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "core/graph/dag.h"
#include "learners/greedy/reach_history_internal.h"

enum { N_NODES = 24, N_CHANGES = 400 };

typedef struct {
    bool reaches[N_NODES][N_NODES]; /* [x][y] */
} paths;

static void find_paths(const dag *g, paths *out) {
    for (size_t x = 0; x < N_NODES; x++) {
        for (size_t y = 0; y < N_NODES; y++)
            out->reaches[x][y] = dag_reaches(g, x, y);
    }
}

static void lose_paths(reach_history *h, const paths *before, const paths *after) {
    error_info err = {0};
    for (size_t x = 0; x < N_NODES; x++) {
        for (size_t z = 0; z < N_NODES; z++) {
            if (before->reaches[x][z] && !after->reaches[x][z])
                assert_ok(reach_history_lose(h, x, z, &err), &err);
        }
    }
}

/* Toggles some arc that may be toggled. */
static void change(random_stream *random, dag *g, reach_history *h) {
    error_info err = {0};
    for (;;) {
        size_t x = random_below(random, N_NODES), y = random_below(random, N_NODES);
        if (dag_has_arc(g, x, y)) {
            assert_ok(dag_remove_arc(g, x, y, &err), &err);
            reach_history_remove_arc(h, x, y);
            return;
        }
        if (!dag_reaches(g, y, x)) {
            assert_ok(dag_add_arc(g, x, y, &err), &err);
            assert_ok(reach_history_add_arc(h, x, y, &err), &err);
            return;
        }
    }
}

static void assert_lists_are(reach_history *h, uint32_t when, const paths *expected) {
    size_t out[N_NODES];
    for (size_t x = 0; x < N_NODES; x++) {
        size_t n = reach_history_list(h, x, when, out), n_expected = 0;
        assert_int_equal(out[0], x);
        for (size_t i = 0; i < n; i++)
            assert_true(expected->reaches[x][out[i]]);
        for (size_t y = 0; y < N_NODES; y++) {
            n_expected += expected->reaches[x][y];
            assert_int_equal(reach_history_reaches(h, x, y, when), expected->reaches[x][y]);
        }
        assert_int_equal(n, n_expected);
    }
}

/* Questions of nodes and times at random, many at once, with an order that is not topological. */
static void assert_lists_together_are(random_stream *random, const reach_history *h, reach_sweep *sweep,
                                      const paths *at) {
    reach_question questions[REACH_TOGETHER];
    size_t n = 1 + random_below(random, REACH_TOGETHER), order[N_NODES];
    uint32_t when = 0;
    for (size_t i = 0; i < N_NODES; i++)
        order[i] = i;
    for (size_t i = 0; i < n; i++) {
        when += (uint32_t)random_below(random, 2 * (N_CHANGES - when) / REACH_TOGETHER + 1);
        questions[i] = (reach_question){random_below(random, N_NODES), when};
    }
    reach_history_list_together(h, questions, n, order, sweep);
    for (size_t v = 0; v < N_NODES; v++) {
        for (size_t i = 0; i < REACH_TOGETHER; i++)
            assert_int_equal(sweep->bits[v].words[i / 64] >> i % 64 & 1,
                             i < n && at[questions[i].when].reaches[questions[i].x][v]);
    }
}

/* How often x lost z in the changes after `after`. */
static size_t count_losses(const paths *at, uint32_t after, size_t x, size_t z) {
    size_t n = 0;
    for (uint32_t when = after + 1; when <= N_CHANGES; when++)
        n += at[when - 1].reaches[x][z] && !at[when].reaches[x][z];
    return n;
}

static void assert_losses_are(const reach_history *h, const paths *at, uint32_t after) {
    for (size_t x = 0; x < N_NODES; x++) {
        size_t n, counts[N_NODES] = {0};
        const reach_loss *losses = reach_history_losses(h, x, after, &n);
        for (size_t i = 0; i < n; i++) {
            assert_true(losses[i].when > after && (i == 0 || losses[i].when >= losses[i - 1].when));
            assert_true(!at[losses[i].when].reaches[x][losses[i].node]);
            counts[losses[i].node]++;
        }
        for (size_t z = 0; z < N_NODES; z++)
            assert_int_equal(counts[z], count_losses(at, after, x, z));
    }
}

static void what_was_reached_is_told_of_any_time(void **state) {
    static paths at[N_CHANGES + 1];
    dag *g = NULL;
    reach_history *h = NULL;
    reach_sweep sweep = {0};
    random_stream random;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(83));
    assert_ok(reach_sweep_init(&sweep, N_NODES, &err), &err);
    assert_ok(dag_create(N_NODES, &g, &err), &err);
    assert_ok(reach_history_create(N_NODES, &h, &err), &err);
    find_paths(g, &at[0]);
    for (size_t i = 1; i <= N_CHANGES; i++) {
        change(&random, g, h);
        assert_int_equal(reach_history_now(h), i);
        find_paths(g, &at[i]);
        lose_paths(h, &at[i - 1], &at[i]);
    }
    assert_true(dag_arc_count(g) > N_NODES);
    for (uint32_t when = 0; when <= N_CHANGES; when++) {
        assert_lists_are(h, when, &at[when]);
        assert_losses_are(h, at, when);
        assert_lists_together_are(&random, h, &sweep, at);
    }
    reach_sweep_clear(&sweep);
    reach_history_destroy(h);
    dag_destroy(g);
}

/* A path: node x reaches all that come after it. More nodes than the sums hold that are kept as planes of bits. */
static void descendants_are_counted(void **state) {
    enum { LONG_PATH = 3000 };
    static size_t order[LONG_PATH];
    reach_question questions[REACH_TOGETHER];
    size_t counts[REACH_TOGETHER];
    reach_history *h = NULL;
    reach_sweep sweep = {0};
    error_info err = {0};
    (void)state;
    assert_ok(reach_history_create(LONG_PATH, &h, &err), &err);
    assert_ok(reach_sweep_init(&sweep, LONG_PATH, &err), &err);
    for (size_t x = 0; x < LONG_PATH; x++) {
        order[x] = x;
        if (x > 0)
            assert_ok(reach_history_add_arc(h, x - 1, x, &err), &err);
    }
    for (size_t i = 0; i < REACH_TOGETHER; i++)
        questions[i] = (reach_question){7 * i % LONG_PATH, i == 0 ? 0 : LONG_PATH - 1 - (i < 100)};
    reach_history_list_together(h, questions, REACH_TOGETHER, order, &sweep);
    reach_sweep_count(&sweep, LONG_PATH, counts);
    for (size_t i = 0; i < REACH_TOGETHER; i++)
        assert_int_equal(counts[i], i == 0 ? 1 : LONG_PATH - 7 * i % LONG_PATH - (i < 100));
    reach_sweep_clear(&sweep);
    reach_history_destroy(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_reached_is_told_of_any_time),
        cmocka_unit_test(descendants_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
