/* SPDX-License-Identifier: GPL-3.0-or-later */
/* V-structures by all sets that separate a pair: conservative PC, and the rule of the majority. */
#include "tests/support/oracles.h"

#include "core/graph/equivalence.h"
#include "learners/constraint/orientation.h"
#include "learners/constraint/pc_skeleton.h"
#include "learners/constraint/triple_verdicts.h"

static const collider_rule both_rules[] = {COLLIDERS_CONSERVATIVE, COLLIDERS_MAJORITY};

static triple_verdicts *find(const association_source *source, const pdag *skeleton, const triple_rules *rules) {
    triple_verdicts *v = NULL;
    bool cut_short = true;
    run_context ctx;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(triple_verdicts_find(source, skeleton, rules, &ctx, &v, &cut_short, &err), &err);
    assert_false(cut_short);
    return v;
}

static pdag *skeleton_by_pc(const association_source *source, size_t p) {
    pc_rules rules = {.is_stable = true, .max_k = -1};
    separating_sets *sets = NULL;
    pdag *g = NULL;
    bool cut_short;
    run_context ctx;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(pc_skeleton(source, p, &rules, &ctx, &g, &sets, &cut_short, &err), &err);
    separating_sets_destroy(sets);
    return g;
}

/* --- the population limit --- */

static void both_rules_find_the_class_of_a_network(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(80));
    for (int i = 0; i < 500; i++) {
        dag *g = make_random_dag(&random, 5 + (size_t)random_below(&random, 6), 0.15 + 0.35 * random_uniform(&random));
        separation_oracle oracle = {g, 0};
        association_source source = {&oracle, measure_separation};
        pdag *truth = NULL;
        error_info err = {0};
        assert_ok(cpdag_from_dag(g, &truth, &err), &err);
        for (size_t k = 0; k < 2; k++) {
            triple_rules rules = {.rule = both_rules[k], .max_k = -1};
            pdag *found = skeleton_by_pc(&source, dag_node_count(g));
            triple_verdicts *v = find(&source, found, &rules);
            assert_ok(orient_by_verdicts(found, v, CONFLICTS_FIRST, &err), &err);
            assert_int_equal(triple_verdicts_unknown_count(v), 0);
            if (!pdag_is_equal(found, truth))
                fail_msg("DAG %d, rule %d", i, (int)both_rules[k]);
            triple_verdicts_destroy(v);
            pdag_destroy(found);
        }
        pdag_destroy(truth);
        dag_destroy(g);
    }
}

/* --- against a plain count --- */

enum { MOST_NODES = 9 };

static bool is_adjacent(const pdag *g, size_t a, size_t b) {
    return pdag_edge_between(g, a, b) != EDGE_NONE;
}

/* Is every member of the set a neighbour of the node? */
static bool is_among_neighbours(const pdag *g, size_t node, unsigned set) {
    for (size_t v = 0; v < pdag_node_count(g); v++) {
        if (set >> v & 1 && !is_adjacent(g, node, v))
            return false;
    }
    return true;
}

static triple_verdict judge_plainly(const association_source *source, const pdag *g, const triple_rules *rules,
                                    size_t x, size_t z, size_t y) {
    size_t n = pdag_node_count(g), n_sets = 0, n_with = 0;
    for (unsigned set = 0; set < 1u << n; set++) {
        size_t members[MOST_NODES], size = 0;
        bool reliable = false;
        association a = {0};
        error_info err = {0};
        if (!is_among_neighbours(g, x, set) && !is_among_neighbours(g, y, set))
            continue;
        for (size_t v = 0; v < n; v++) {
            if (set >> v & 1)
                members[size++] = v;
        }
        if (rules->max_k >= 0 && size > (size_t)rules->max_k)
            continue;
        assert_ok(source->measure(source->self, x, y, members, size, &reliable, &a, &err), &err);
        n_sets += reliable && a.is_zero;
        n_with += reliable && a.is_zero && (set >> z & 1);
    }
    if (n_sets == 0)
        return TRIPLE_UNKNOWN;
    if (rules->rule == COLLIDERS_CONSERVATIVE)
        return n_with == 0 ? TRIPLE_COLLIDER : n_with == n_sets ? TRIPLE_CHAIN : TRIPLE_UNKNOWN;
    return 2 * n_with < n_sets ? TRIPLE_COLLIDER : 2 * n_with > n_sets ? TRIPLE_CHAIN : TRIPLE_UNKNOWN;
}

/* All triples, and all other ends too. */
static void compare_with_plain(const association_source *source, const pdag *g, const triple_rules *rules,
                               size_t n_seen[3]) {
    triple_verdicts *v = find(source, g, rules);
    size_t n = pdag_node_count(g), n_triples = 0;
    for (size_t x = 0; x < n; x++) {
        for (size_t y = 0; y < n; y++) {
            for (size_t z = 0; z < n; z++) {
                bool is_triple = x != y && !is_adjacent(g, x, y) && is_adjacent(g, x, z) && is_adjacent(g, z, y);
                triple_verdict expected = is_triple ? judge_plainly(source, g, rules, x, z, y) : TRIPLE_UNKNOWN;
                assert_int_equal(triple_verdicts_get(v, x, z, y), expected);
                n_triples += is_triple;
                n_seen[expected] += is_triple;
            }
        }
    }
    assert_int_equal(2 * triple_verdicts_count(v), n_triples);
    triple_verdicts_destroy(v);
}

static pdag *random_skeleton(random_stream *random, size_t n) {
    dag *g = make_random_dag(random, n, 0.3 + 0.3 * random_uniform(random));
    pdag *out = skeleton_of_dag(g);
    dag_destroy(g);
    return out;
}

static void verdicts_are_those_of_a_plain_count_over_all_sets(void **state) {
    random_stream random;
    size_t n_seen[3] = {0};
    (void)state;
    random_stream_init(&random, random_key_of(81));
    for (int i = 0; i < 120; i++) {
        size_t n = 4 + (size_t)random_below(&random, MOST_NODES - 3), n_states[MOST_NODES];
        hash_oracle oracle = {(uint64_t)i + 1, 0.2 + 0.4 * random_uniform(&random), i % 3 ? 1e9 : 100, 5};
        association_source source = {&oracle, measure_hash};
        table_limit limit = {n_states, oracle.most, 1};
        pdag *g = random_skeleton(&random, n);
        for (size_t v = 0; v < n; v++)
            n_states[v] = hash_oracle_states(v);
        for (size_t k = 0; k < 2; k++) {
            triple_rules rules = {.rule = both_rules[k], .max_k = i % 4 ? -1 : 2};
            compare_with_plain(&source, g, &rules, n_seen);
            rules.limit = &limit;
            compare_with_plain(&source, g, &rules, n_seen);
        }
        pdag_destroy(g);
    }
    print_message("  unknown %zu, colliders %zu, chains %zu\n", n_seen[0], n_seen[1], n_seen[2]);
    assert_that(n_seen[TRIPLE_UNKNOWN], >, 100);
    assert_that(n_seen[TRIPLE_COLLIDER], >, 100);
    assert_that(n_seen[TRIPLE_CHAIN], >, 100);
}

/* Every question once. */
static void no_set_is_asked_for_twice(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(82));
    for (int i = 0; i < 20; i++) {
        hash_oracle oracle = {(uint64_t)i + 1, 0.3, 1e9, 5};
        recorder r = {0};
        association_source source = record(&r, (association_source){&oracle, measure_hash});
        pdag *g = random_skeleton(&random, 8);
        triple_verdicts *v = find(&source, g, &(triple_rules){.rule = COLLIDERS_MAJORITY, .max_k = -1});
        if (r.n_asked)
            qsort(r.asked, r.n_asked, sizeof *r.asked, compare_questions);
        for (size_t k = 1; k < r.n_asked; k++)
            assert_true(compare_questions(&r.asked[k - 1], &r.asked[k]) != 0);
        free(r.asked);
        triple_verdicts_destroy(v);
        pdag_destroy(g);
    }
}

/* --- what is not known stays undirected --- */

static bool doubts_one(const void *self, size_t x, size_t z, size_t y) {
    const size_t *doubted = self;
    return z == doubted[1] && ((x == doubted[0] && y == doubted[2]) || (x == doubted[2] && y == doubted[0]));
}

static pdag *graph_of(size_t n, const pdag_pair *pairs, size_t n_pairs) {
    pdag *g = NULL;
    error_info err = {0};
    assert_ok(pdag_from_pairs(n, pairs, n_pairs, &g, &err), &err);
    return g;
}

/* Rules 1, 3 and 4, each on its smallest graph and each with the triple that it rests on in doubt, and with another. */
static void meek_s_rules_draw_nothing_from_a_triple_in_doubt(void **state) {
    static const struct {
        size_t n, n_pairs;
        pdag_pair pairs[6];
        size_t from, to; /* what the rule makes */
        size_t doubted[3];
    } rows[] = {
        {3, 2, {{0, 1, EDGE_OUT}, {1, 2, EDGE_UNDIRECTED}}, 1, 2, {0, 1, 2}},
        {4,
         5,
         {{0, 1, EDGE_UNDIRECTED},
          {0, 2, EDGE_UNDIRECTED},
          {0, 3, EDGE_UNDIRECTED},
          {2, 1, EDGE_OUT},
          {3, 1, EDGE_OUT}},
         0,
         1,
         {2, 0, 3}},
        {4,
         5,
         {{0, 1, EDGE_UNDIRECTED},
          {0, 2, EDGE_UNDIRECTED},
          {0, 3, EDGE_UNDIRECTED},
          {3, 2, EDGE_OUT},
          {2, 1, EDGE_OUT}},
         0,
         1,
         {1, 0, 3}},
    };
    static const size_t other[3] = {0, 3, 1};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int in_doubt = 0; in_doubt < 2; in_doubt++) {
            pdag *g = graph_of(rows[i].n, rows[i].pairs, rows[i].n_pairs);
            pdag_doubts doubts = {in_doubt ? rows[i].doubted : other, doubts_one};
            error_info err = {0};
            assert_ok(pdag_close_meek_with_doubts(g, &doubts, &err), &err);
            assert_int_equal(pdag_edge_between(g, rows[i].from, rows[i].to), in_doubt ? EDGE_UNDIRECTED : EDGE_OUT);
            pdag_destroy(g);
        }
    }
}

/* 0 and 1 are independent alone and given 2, so that 2 is in half of the sets that separate them. */
static status measure_ambiguous(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable,
                                association *out, error_info *err) {
    bool is_pair = (x == 0 && y == 1) || (x == 1 && y == 0);
    (void)self;
    (void)z;
    (void)n_z;
    (void)err;
    *reliable = true;
    *out = strength(is_pair ? 0 : 1);
    return STATUS_OK;
}

static void a_triple_that_sets_disagree_on_stays_undirected(void **state) {
    static const pdag_pair pairs[] = {{0, 2, EDGE_UNDIRECTED}, {1, 2, EDGE_UNDIRECTED}};
    association_source source = {NULL, measure_ambiguous};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        pdag *g = graph_of(3, pairs, 2);
        triple_verdicts *v = find(&source, g, &(triple_rules){.rule = both_rules[k], .max_k = -1});
        error_info err = {0};
        assert_int_equal(triple_verdicts_unknown_count(v), 1);
        assert_ok(orient_by_verdicts(g, v, CONFLICTS_FIRST, &err), &err);
        assert_int_equal(pdag_directed_count(g), 0);
        triple_verdicts_destroy(v);
        pdag_destroy(g);
    }
}

static void past_the_deadline_there_is_a_mark(void **state) {
    random_stream random;
    dag *g;
    pdag *skeleton;
    triple_verdicts *v = NULL;
    bool cut_short = false;
    run_context ctx;
    error_info err = {0};
    separation_oracle oracle = {0};
    (void)state;
    random_stream_init(&random, random_key_of(83));
    g = make_random_dag(&random, 10, 0.4);
    oracle.g = g;
    skeleton = skeleton_of_dag(g);
    run_context_init(&ctx, 1);
    ctx.deadline_s = -1;
    assert_ok(triple_verdicts_find(&(association_source){&oracle, measure_separation}, skeleton,
                                   &(triple_rules){.rule = COLLIDERS_MAJORITY, .max_k = -1}, &ctx, &v, &cut_short,
                                   &err),
              &err);
    assert_true(cut_short);
    triple_verdicts_destroy(v);
    pdag_destroy(skeleton);
    dag_destroy(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_rules_find_the_class_of_a_network),
        cmocka_unit_test(verdicts_are_those_of_a_plain_count_over_all_sets),
        cmocka_unit_test(no_set_is_asked_for_twice),
        cmocka_unit_test(meek_s_rules_draw_nothing_from_a_triple_in_doubt),
        cmocka_unit_test(a_triple_that_sets_disagree_on_stays_undirected),
        cmocka_unit_test(past_the_deadline_there_is_a_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
