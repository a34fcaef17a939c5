/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/registry.h"
#include "tests/support/oracles.h"

#include "core/graph/equivalence.h"
#include "learners/base/learner.h"
#include "learners/constraint/orientation.h"
#include "learners/constraint/pc_skeleton.h"

#include <stdio.h>

static const pc_rules original = {.is_stable = false, .max_k = -1};
static const pc_rules stable = {.is_stable = true, .max_k = -1};

static pdag *find_skeleton(association_source source, size_t p, pc_rules rules, separating_sets **sets) {
    run_context ctx;
    error_info err = {0};
    pdag *g = NULL;
    bool cut_short = true;
    run_context_init(&ctx, 1);
    assert_ok(pc_skeleton(&source, p, &rules, &ctx, &g, sets, &cut_short, &err), &err);
    assert_false(cut_short);
    assert_undirected(g);
    return g;
}

static pdag *learn(association_source source, size_t p, pc_rules rules, conflict_rule conflicts) {
    separating_sets *sets = NULL;
    error_info err = {0};
    pdag *g = find_skeleton(source, p, rules, &sets);
    assert_ok(orient_skeleton(g, sets, conflicts, &err), &err);
    separating_sets_destroy(sets);
    return g;
}

/* Asked from either end, each test once; ascending. */
static void make_distinct(recorder *r) {
    size_t n = 0;
    for (size_t i = 0; i < r->n_asked; i++) {
        question *q = &r->asked[i];
        if (q->x > q->y) {
            size_t x = q->x;
            q->x = q->y;
            q->y = x;
        }
    }
    if (r->n_asked)
        qsort(r->asked, r->n_asked, sizeof *r->asked, compare_questions);
    for (size_t i = 0; i < r->n_asked; i++) {
        if (n == 0 || compare_questions(&r->asked[n - 1], &r->asked[i]) != 0)
            r->asked[n++] = r->asked[i];
    }
    r->n_asked = n;
}

/* --- d-separation --- */

static void assert_learns_from(const dag *g, pc_rules rules, size_t n_tests) {
    separation_oracle oracle = {g, 0};
    recorder log = {0};
    association_source source = record(&log, (association_source){&oracle, measure_separation});
    pdag *found = learn(source, dag_node_count(g), rules, CONFLICTS_FIRST), *truth = NULL;
    error_info err = {0};
    assert_ok(cpdag_from_dag(g, &truth, &err), &err);
    assert_true(pdag_is_equal(found, truth));
    make_distinct(&log);
    assert_int_equal(log.n_asked, n_tests);
    free(log.asked);
    pdag_destroy(found);
    pdag_destroy(truth);
}

static void a_chain_takes_six_tests_and_a_collider_five(void **state) {
    dag *chain = NULL, *collider = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(dag_from_arcs(3, (const size_t[]){0, 1}, (const size_t[]){1, 2}, 2, &chain, &err), &err);
    assert_ok(dag_from_arcs(3, (const size_t[]){0, 2}, (const size_t[]){1, 1}, 2, &collider, &err), &err);
    assert_learns_from(chain, original, 6);
    assert_learns_from(chain, stable, 6);
    assert_learns_from(collider, original, 5);
    assert_learns_from(collider, stable, 5);
    dag_destroy(chain);
    dag_destroy(collider);
}

static void an_oracle_gives_the_true_class_whatever_the_rules(void **state) {
    random_stream random;
    size_t n_directed = 0;
    (void)state;
    random_stream_init(&random, random_key_of(30));
    for (int i = 0; i < 300; i++) {
        size_t p = 5 + (size_t)random_below(&random, 6);
        dag *g = make_random_dag(&random, p, 0.15 + 0.35 * random_uniform(&random));
        separation_oracle oracle = {g, 0};
        association_source source = {&oracle, measure_separation};
        pdag *truth = NULL;
        error_info err = {0};
        assert_ok(cpdag_from_dag(g, &truth, &err), &err);
        for (int rule = CONFLICTS_FIRST; rule <= CONFLICTS_BIDIRECTED; rule++) {
            pdag *one = learn(source, p, original, (conflict_rule)rule);
            pdag *other = learn(source, p, stable, (conflict_rule)rule);
            if (!pdag_is_equal(one, truth) || !pdag_is_equal(other, truth))
                fail_msg("DAG %d, conflict rule %d", i, rule);
            pdag_destroy(one);
            pdag_destroy(other);
        }
        n_directed += pdag_directed_count(truth);
        pdag_destroy(truth);
        dag_destroy(g);
    }
    assert_true(n_directed > 300);
}

/* --- against the algorithm as it is printed --- */

enum { MOST = 9 };

typedef struct {
    association_source source;
    size_t p;
    pc_rules rules;
    bool adjacent[MOST][MOST], frozen[MOST][MOST];
    size_t z[MOST], n_z;
} plain;

static bool plain_is_independent(plain *s, size_t x, size_t y) {
    error_info err = {0};
    bool reliable = false;
    association a = {0};
    assert_ok(s->source.measure(s->source.self, x, y, s->z, s->n_z, &reliable, &a, &err), &err);
    return reliable ? a.is_zero : s->rules.unreliable == PC_UNRELIABLE_INDEPENDENT;
}

/* Completes the set z with members from `from` on to that size, lexicographically, until one separates. */
static bool plain_separates(plain *s, size_t x, size_t y, size_t size, size_t from) {
    if (s->n_z == size)
        return plain_is_independent(s, x, y);
    for (size_t v = from; v < s->p; v++) {
        if (v == y || !(s->rules.is_stable ? s->frozen : s->adjacent)[x][v])
            continue;
        s->z[s->n_z++] = v;
        if (plain_separates(s, x, y, size, v + 1))
            return true;
        s->n_z--;
    }
    return false;
}

static void plain_run(plain *s, separating_sets *sets) {
    error_info err = {0};
    for (size_t x = 0; x < s->p; x++) {
        for (size_t y = 0; y < s->p; y++)
            s->adjacent[x][y] = x != y;
    }
    for (size_t size = 0; size + 2 <= s->p && (s->rules.max_k < 0 || size <= (size_t)s->rules.max_k); size++) {
        memcpy(s->frozen, s->adjacent, sizeof s->frozen);
        for (size_t x = 0; x < s->p; x++) {
            for (size_t y = 0; y < s->p; y++) {
                s->n_z = 0;
                if (!s->adjacent[x][y] || !plain_separates(s, x, y, size, 0))
                    continue;
                s->adjacent[x][y] = s->adjacent[y][x] = false;
                assert_ok(separating_sets_put(sets, x, y, s->z, s->n_z, &err), &err);
            }
        }
    }
}

/* Is a member of the set a neighbour of both in the end? */
static bool is_wanted(const plain *s, size_t x, size_t y, const uint32_t *z, size_t n_z) {
    for (size_t i = 0; i < n_z; i++) {
        if (s->adjacent[x][z[i]] && s->adjacent[y][z[i]])
            return true;
    }
    return false;
}

static void assert_same_sets(const separating_sets *found, const separating_sets *expected, const plain *s) {
    for (size_t x = 0; x < s->p; x++) {
        for (size_t y = 0; y < x; y++) {
            size_t n_found, n_expected;
            const uint32_t *z = separating_sets_get(found, x, y, &n_found);
            const uint32_t *w = separating_sets_get(expected, x, y, &n_expected);
            assert_int_equal(n_found, is_wanted(s, x, y, w, n_expected) ? n_expected : 0);
            if (n_found)
                assert_memory_equal(z, w, n_found * sizeof *z);
        }
    }
}

static void assert_as_printed(hash_oracle oracle, size_t p, pc_rules rules) {
    recorder mine = {0}, theirs = {0};
    association_source source = record(&mine, (association_source){&oracle, measure_hash});
    plain s = {.source = record(&theirs, (association_source){&oracle, measure_hash}), .p = p, .rules = rules};
    separating_sets *sets = NULL, *expected = NULL;
    error_info err = {0};
    pdag *g = find_skeleton(source, p, rules, &sets);
    assert_ok(separating_sets_create(&expected, &err), &err);
    plain_run(&s, expected);
    for (size_t x = 0; x < p; x++) {
        for (size_t y = 0; y < p; y++)
            assert_int_equal(x != y && pdag_edge_between(g, x, y) != EDGE_NONE, s.adjacent[x][y]);
    }
    assert_same_sets(sets, expected, &s);
    make_distinct(&mine);
    make_distinct(&theirs);
    assert_same_questions(&mine, &theirs);
    free(mine.asked);
    free(theirs.asked);
    separating_sets_destroy(sets);
    separating_sets_destroy(expected);
    pdag_destroy(g);
}

static void tests_edges_and_sets_are_those_of_the_printed_algorithm(void **state) {
    size_t n_states[MOST];
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(31));
    for (size_t v = 0; v < MOST; v++)
        n_states[v] = hash_oracle_states(v);
    for (uint64_t i = 0; i < 600; i++) {
        hash_oracle oracle = {i, 0.05 + 0.25 * random_uniform(&random), i % 4 ? 10 << random_below(&random, 8) : 1e9,
                              50};
        table_limit limit = {n_states, oracle.most, 1};
        pc_rules rules = {.is_stable = i % 2,
                          .max_k = i % 5 ? -1 : 2,
                          .unreliable = (int)(i % 3),
                          .limit = i % 7 < 4 ? &limit : NULL};
        assert_as_printed(oracle, 3 + (size_t)random_below(&random, MOST - 2), rules);
    }
}

/* A source that knows its variables by other numbers. */
typedef struct {
    association_source inner;
    size_t order[MOST];
} renamed;

static status measure_renamed(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable,
                              association *out, error_info *err) {
    renamed *r = self;
    size_t w[MOST];
    for (size_t i = 0; i < n_z; i++)
        w[i] = r->order[z[i]];
    return r->inner.measure(r->inner.self, r->order[x], r->order[y], w, n_z, reliable, out, err);
}

/* Edges that one order has and the other has not. */
static size_t count_differences(pc_rules rules, uint64_t seed, random_stream *random) {
    hash_oracle oracle = {seed, 0.2, 1e9, 50};
    renamed names = {.inner = {&oracle, measure_hash}};
    separating_sets *sets = NULL, *other_sets = NULL;
    pdag *g, *other;
    size_t n = 0;
    random_permutation(random, names.order, MOST);
    g = find_skeleton(names.inner, MOST, rules, &sets);
    other = find_skeleton((association_source){&names, measure_renamed}, MOST, rules, &other_sets);
    for (size_t x = 0; x < MOST; x++) {
        for (size_t y = 0; y < x; y++)
            n += pdag_edge_between(other, x, y) != pdag_edge_between(g, names.order[x], names.order[y]);
    }
    separating_sets_destroy(sets);
    separating_sets_destroy(other_sets);
    pdag_destroy(g);
    pdag_destroy(other);
    return n;
}

static void the_stable_skeleton_does_not_depend_on_the_order_and_the_original_does(void **state) {
    random_stream random;
    size_t of_original = 0;
    (void)state;
    random_stream_init(&random, random_key_of(32));
    for (uint64_t seed = 1; seed <= 100; seed++) {
        assert_int_equal(count_differences(stable, seed, &random), 0);
        of_original += count_differences(original, seed, &random);
    }
    assert_true(of_original > 0);
}

/* --- failure and deadline --- */

static void a_source_that_fails_makes_the_search_fail(void **state) {
    hash_oracle oracle = {3, 0.1, 1e9, 50};
    recorder log = {0};
    (void)state;
    for (size_t n = 1; n < 200; n += 7) {
        run_context ctx;
        error_info err = {0};
        association_source source = record(&log, (association_source){&oracle, measure_hash});
        pdag *g = NULL;
        separating_sets *sets = NULL;
        bool cut_short = false;
        log.fail_after = n;
        run_context_init(&ctx, 1);
        assert_int_equal(pc_skeleton(&source, 12, n % 2 ? &stable : &original, &ctx, &g, &sets, &cut_short, &err),
                         STATUS_MEMORY);
        assert_null(g);
        assert_null(sets);
    }
    free(log.asked);
}

static void at_the_deadline_the_edges_so_far_come_back(void **state) {
    hash_oracle oracle = {4, 0.1, 1e9, 50};
    recorder log = {0};
    size_t earlier_edges = 0;
    (void)state;
    for (size_t n = 20; n <= 400; n += 20) {
        run_context ctx;
        error_info err = {0};
        association_source source = record(&log, (association_source){&oracle, measure_hash});
        pdag *g = NULL;
        separating_sets *sets = NULL;
        bool cut_short = false;
        run_context_init(&ctx, 1);
        log.expires = &ctx;
        log.expire_after = n;
        assert_ok(pc_skeleton(&source, 20, &stable, &ctx, &g, &sets, &cut_short, &err), &err);
        assert_true(cut_short);
        assert_true(log.n_asked < n + 20); /* the clock is not read at every test */
        assert_true(pdag_edge_count(g) <= log.n_asked);
        if (n > 220) /* past the 190 pairs edges only go */
            assert_true(pdag_edge_count(g) <= earlier_edges);
        earlier_edges = pdag_edge_count(g);
        pdag_destroy(g);
        separating_sets_destroy(sets);
    }
    free(log.asked);
}

/* --- the learners --- */

/* The pairs are name, value, ..., NULL. */
static pdag *run_learner(const char *name, const dataset *data, const char *const *pairs, run_context *ctx) {
    const learner *l = NULL;
    learner_result result = {0};
    error_info err = {0};
    void *options;
    assert_ok(learner_find(name, &l, &err), &err);
    options = learner_options_create(l);
    assert_non_null(options);
    for (; *pairs; pairs += 2)
        assert_ok(options_set(l->options, options, pairs[0], pairs[1], &err), &err);
    assert_ok(learner_run(l, data, options, ctx, &result, &err), &err);
    free(options);
    return result.graph;
}

static void assert_runs(const char *name, const char *option, const char *value, const char *edges, size_t n_directed,
                        uint64_t computed) {
    dataset *data = make_forty_rows();
    const char *pairs[] = {option, value, NULL};
    run_context ctx;
    pdag *g;
    run_context_init(&ctx, 1);
    g = run_learner(name, data, pairs, &ctx);
    assert_string_equal(edges_text(g), edges);
    assert_int_equal(pdag_directed_count(g), n_directed);
    assert_int_equal(ctx.tests.computed, computed);
    pdag_destroy(g);
    dataset_destroy(data);
}

/* A and B are independent given C (p = .24), which at once takes A out of the sets for B - C in the original order. */
static void the_forty_rows_leave_the_edge_between_b_and_c(void **state) {
    (void)state;
    assert_runs("pc", "df", "full", "1-2", 0, 4);
    assert_runs("pc-stable", "df", "full", "1-2", 0, 5);
    assert_runs("pc-stable", "df", "adj", "1-2", 0, 5);
    assert_runs("pc-stable", "maxk", "0", "0-1 1-2", 2, 3);     /* A and C are separated by nothing: a collider */
    assert_runs("pc-stable", "min_rows", "6", "0-1 1-2", 2, 3); /* pairs have ten rows a cell, triples five */
}

static void too_few_rows_keep_the_edge_or_remove_it(void **state) {
    static const char *const names[] = {"pc", "pc-stable"};
    dataset *data = make_forty_rows();
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        static const struct {
            const char *value, *edges;
        } cases[] = {{"skip", "0-1 0-2 1-2"}, {"dep", "0-1 0-2 1-2"}, {"indep", ""}};
        for (size_t k = 0; k < 3; k++) {
            const char *pairs[] = {"unreliable", cases[k].value, "min_rows", "1000", NULL};
            run_context ctx;
            pdag *g;
            run_context_init(&ctx, 1);
            g = run_learner(names[i], data, pairs, &ctx);
            assert_string_equal(edges_text(g), cases[k].edges);
            assert_int_equal(ctx.tests.computed, 0);
            assert_int_equal(ctx.tests.skipped, 3);
            pdag_destroy(g);
        }
    }
    dataset_destroy(data);
}

static void a_constant_column_has_no_neighbours_however_few_the_rows(void **state) {
    static const size_t n_states[] = {2, 3, 2};
    const char *const pairs[] = {"min_rows", "1000", NULL}; /* which keeps the edges of the others */
    int cells[300];
    dataset *data;
    run_context ctx;
    pdag *g;
    (void)state;
    for (int i = 0; i < 100; i++) {
        cells[3 * i] = cells[3 * i + 2] = i % 2;
        cells[3 * i + 1] = 1;
    }
    data = make_dataset(100, 3, n_states, cells);
    run_context_init(&ctx, 1);
    g = run_learner("pc-stable", data, pairs, &ctx);
    assert_string_equal(edges_text(g), "0-2");
    assert_int_equal(ctx.tests.skipped, 1); /* and it takes no test */
    pdag_destroy(g);
    dataset_destroy(data);
}

static void a_run_that_is_cut_short_directs_nothing(void **state) {
    const char *const none[] = {NULL};
    random_stream random;
    dataset *data;
    run_context ctx;
    pdag *g;
    (void)state;
    random_stream_init(&random, random_key_of(33));
    data = make_random_dataset(&random, 500, 30, 3);
    run_context_init(&ctx, 1);
    ctx.deadline_s = run_clock_s() - 1;
    g = run_learner("pc-stable", data, none, &ctx);
    assert_int_equal(pdag_edge_count(g), 0); /* nothing is claimed of pairs that were not tested */
    pdag_destroy(g);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_takes_six_tests_and_a_collider_five),
        cmocka_unit_test(an_oracle_gives_the_true_class_whatever_the_rules),
        cmocka_unit_test(tests_edges_and_sets_are_those_of_the_printed_algorithm),
        cmocka_unit_test(the_stable_skeleton_does_not_depend_on_the_order_and_the_original_does),
        cmocka_unit_test(a_source_that_fails_makes_the_search_fail),
        cmocka_unit_test(at_the_deadline_the_edges_so_far_come_back),
        cmocka_unit_test(the_forty_rows_leave_the_edge_between_b_and_c),
        cmocka_unit_test(too_few_rows_keep_the_edge_or_remove_it),
        cmocka_unit_test(a_constant_column_has_no_neighbours_however_few_the_rows),
        cmocka_unit_test(a_run_that_is_cut_short_directs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
