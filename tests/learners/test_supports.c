/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What supports know of paths, while arcs come and go: against searches. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "learners/greedy/ancestry_internal.h"
#include "learners/greedy/supports_internal.h"

enum { N_NODES = 300, N_CHANGES = 600, N_LOOKED_AT = 20 };

typedef struct {
    dag *g;
    ancestry *above; /* tells what is lost */
    supports *supports;
} followed;

static void follow(followed *f) {
    error_info err = {0};
    assert_ok(dag_create(N_NODES, &f->g, &err), &err);
    assert_ok(ancestry_create(f->g, 0, &f->above, &err), &err);
    assert_ok(supports_create(f->g, &f->supports, &err), &err);
}

static void unfollow(followed *f) {
    supports_destroy(f->supports);
    ancestry_destroy(f->above);
    dag_destroy(f->g);
}

static status lose(void *self, size_t x, size_t z, error_info *err) {
    (void)err;
    supports_lose(self, x, z);
    return STATUS_OK;
}

static void remove_arc(followed *f, size_t x, size_t y) {
    loss_listener listener = {f->supports, lose};
    error_info err = {0};
    assert_ok(dag_remove_arc(f->g, x, y, &err), &err);
    supports_arc_removed(f->supports);
    assert_int_equal(supports_ask(f->supports, x, y), PATH_UNKNOWN);
    assert_ok(ancestry_arc_removed_told(f->above, x, y, &listener, &err), &err);
    supports_go_on(f->supports);
}

/* A node draws arcs to the nodes near it in number, in either direction; then some arc into a node goes. */
static void change(followed *f, random_stream *random, bool removes) {
    size_t x = random_below(random, N_NODES), y = (x + 1 + random_below(random, 40)) % N_NODES, n_parents;
    const size_t *parents;
    error_info err = {0};
    if (!dag_has_arc(f->g, x, y) && !dag_reaches(f->g, y, x)) {
        assert_ok(dag_add_arc(f->g, x, y, &err), &err);
        supports_arc_added(f->supports, x, y);
    }
    y = random_below(random, N_NODES);
    parents = dag_parents(f->g, y, &n_parents);
    if (removes && n_parents > 0)
        remove_arc(f, parents[random_below(random, n_parents)], y);
}

/* How many of the pairs they answer, all of them rightly. */
static size_t count_answers(const followed *f) {
    size_t n = 0;
    for (size_t x = 0; x < N_NODES; x++) {
        for (size_t y = 0; y < N_NODES; y++) {
            path_answer answer = supports_ask(f->supports, x, y);
            if (answer != PATH_UNKNOWN)
                assert_int_equal(answer == PATH_EXISTS, dag_reaches(f->g, x, y));
            n += answer != PATH_UNKNOWN;
        }
    }
    return n;
}

static void what_supports_know_is_so(void **state) {
    followed f = {0};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(91));
    follow(&f);
    for (size_t i = 0; i < N_CHANGES; i++) {
        change(&f, &random, i > N_CHANGES / 3 && i % 2 == 0);
        if (i % (N_CHANGES / N_LOOKED_AT) == 0)
            (void)count_answers(&f);
    }
    assert_true(dag_arc_count(f.g) > N_NODES);
    assert_true(count_answers(&f) > (size_t)N_NODES * N_NODES * 9 / 10);
    unfollow(&f);
}

/* Of a chain, every pair: with as many nodes as supports or fewer, each is one. */
static void few_nodes_are_all_supports(void **state) {
    AUTO_PTR(dag_destroy) dag *g = NULL;
    AUTO_PTR(supports_destroy) supports *s = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(dag_create(5, &g, &err), &err);
    assert_ok(supports_create(g, &s, &err), &err);
    for (size_t x = 0; x < 3; x++) {
        assert_ok(dag_add_arc(g, x, x + 1, &err), &err);
        supports_arc_added(s, x, x + 1);
    }
    for (size_t x = 0; x < 5; x++) {
        for (size_t y = 0; y < 5; y++)
            assert_int_equal(supports_ask(s, x, y), dag_reaches(g, x, y) ? PATH_EXISTS : PATH_NONE);
    }
}

static void without_supports_nothing_is_known(void **state) {
    (void)state;
    assert_int_equal(supports_ask(NULL, 0, 1), PATH_UNKNOWN);
    assert_int_equal(supports_ask(NULL, 1, 1), PATH_EXISTS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_supports_know_is_so),
        cmocka_unit_test(few_nodes_are_all_supports),
        cmocka_unit_test(without_supports_nothing_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
