/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list against all structures of a random walk, each with all its arcs. */
#include "tests/support/support.h"

#include "learners/greedy/tabu_list_internal.h"

enum { N_NODES = 4, N_STEPS = 400 };

/* A structure: bit N_NODES * from + to of its arcs. */
static unsigned bit_of_arc(size_t from, size_t to) {
    return 1u << (N_NODES * from + to);
}

static unsigned after(unsigned arcs, const arc_move *m) {
    arcs ^= bit_of_arc(m->from, m->to);
    return m->kind == ARC_REVERSE ? arcs ^ bit_of_arc(m->to, m->from) : arcs;
}

/* False where there is no such move. */
static bool is_move(unsigned arcs, const arc_move *m) {
    bool has = arcs & bit_of_arc(m->from, m->to), has_other = arcs & bit_of_arc(m->to, m->from);
    return m->from != m->to && !has_other && has == (m->kind != ARC_ADD);
}

static bool is_among_last(const unsigned *walk, size_t n, size_t length, unsigned arcs) {
    for (size_t i = n > length ? n - length : 0; i < n; i++) {
        if (walk[i] == arcs)
            return true;
    }
    return false;
}

/* All moves, and one of them at random. */
static arc_move check_moves(const tabu_list *t, const unsigned *walk, size_t n, size_t length, random_stream *random,
                            size_t *n_found) {
    arc_move chosen = {0};
    size_t n_moves = 0;
    for (size_t i = 0; i < 3 * N_NODES * N_NODES; i++) {
        arc_move m = {(arc_move_kind)(i % 3), i / 3 / N_NODES, i / 3 % N_NODES, 0};
        if (!is_move(walk[n - 1], &m))
            continue;
        assert_int_equal(tabu_list_has(t, &m), is_among_last(walk, n, length, after(walk[n - 1], &m)));
        *n_found += tabu_list_has(t, &m);
        if (random_below(random, ++n_moves) == 0)
            chosen = m;
    }
    return chosen;
}

static void a_list_has_the_last_structures_of_a_walk(void **state) {
    static const size_t lengths[] = {1, 2, 3, 7, 100, 1000};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(71));
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        unsigned walk[N_STEPS + 1] = {0};
        size_t n_found = 0;
        tabu_list *t = NULL;
        error_info err = {0};
        assert_ok(tabu_list_create(lengths[i], &t, &err), &err);
        for (size_t n = 1; n <= N_STEPS; n++) {
            arc_move m = check_moves(t, walk, n, lengths[i], &random, &n_found);
            walk[n] = after(walk[n - 1], &m);
            tabu_list_push(t, &m);
        }
        assert_true(lengths[i] == 1 || n_found > N_STEPS / 2);
        tabu_list_destroy(t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_list_has_the_last_structures_of_a_walk)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
