/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Worked numbers, on tables of family scores. */
#include "tests/support/support.h"

#include "learners/sgs/sgs_search.h"

/* --- families from a table */

typedef struct {
    size_t x;
    unsigned parents; /* bit v: v is one */
    double value;
} table_row;

typedef struct {
    const table_row *rows;
    size_t n_rows;
    double elsewhere;
} family_table;

static status look_up(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                      error_info *err) {
    const family_table *t = self;
    unsigned set = extra == FAMILY_NO_EXTRA ? 0 : 1u << extra;
    (void)err;
    for (size_t i = 0; i < n_parents; i++) {
        assert_true(i == 0 || parents[i - 1] < parents[i]);
        set |= 1u << parents[i];
    }
    assert_false(set >> x & 1);
    *out = t->elsewhere;
    for (size_t i = 0; i < t->n_rows; i++) {
        if (t->rows[i].x == x && t->rows[i].parents == set)
            *out = t->rows[i].value;
    }
    return STATUS_OK;
}

typedef struct {
    size_t from, to;
} arc;

static dag *dag_of(size_t n, const arc *arcs, size_t n_arcs) {
    dag *g = NULL;
    error_info err = {0};
    assert_ok(dag_create(n, &g, &err), &err);
    for (size_t i = 0; i < n_arcs; i++)
        assert_ok(dag_add_arc(g, arcs[i].from, arcs[i].to, &err), &err);
    return g;
}

static void assert_arcs(const dag *g, const arc *arcs, size_t n_arcs) {
    assert_int_equal(dag_arc_count(g), n_arcs);
    for (size_t i = 0; i < n_arcs; i++)
        assert_true(dag_has_arc(g, arcs[i].from, arcs[i].to));
}

static double score_of(const family_source *source, const dag *g) {
    double value = 0;
    error_info err = {0};
    assert_ok(family_score_dag(source, g, &value, &err), &err);
    return value;
}

static const sgs_plan one_search = {
    .n_restarts = 1, .max_parents = SIZE_MAX, .max_moves = SIZE_MAX, .neighbourhood = SGS_PLAIN};

static sgs_result search_from(const family_source *source, const dag *start, sgs_neighbourhood neighbourhood,
                              size_t max_moves) {
    sgs_plan plan = one_search;
    sgs_result result = {0};
    run_context ctx;
    error_info err = {0};
    plan.start = start;
    plan.neighbourhood = neighbourhood;
    plan.max_moves = max_moves;
    run_context_init(&ctx, 1);
    assert_ok(sgs_search(source, &plan, &ctx, &result, &err), &err);
    return result;
}

/* --- three variables, where an exchange alone leads on */

enum { ONE = 0, TWO = 1, THREE = 2, SET_1 = 1, SET_2 = 2, SET_3 = 4 };

static const table_row three_rows[] = {
    {ONE, 0, -2},     {ONE, SET_2, -2.4}, {ONE, SET_3, -2.3},   {TWO, 0, -2},       {TWO, SET_1, -2.5},
    {TWO, SET_3, -1}, {THREE, 0, -5},     {THREE, SET_1, -2.5}, {THREE, SET_2, -3}, {THREE, SET_1 | SET_2, -3.2},
};

static family_table three_table = {three_rows, sizeof three_rows / sizeof *three_rows, -9};
static const family_source three = {&three_table, look_up, 3};

static void the_neighbours_of_the_worked_graph_score_as_the_table_says(void **state) {
    static const struct {
        size_t n;
        arc arcs[2];
        double value;
    } cases[] = {{1, {{TWO, THREE}}, -7},
                 {2, {{TWO, THREE}, {ONE, THREE}}, -7.2},
                 {2, {{TWO, THREE}, {THREE, ONE}}, -7.3},
                 {2, {{TWO, THREE}, {TWO, ONE}}, -7.4},
                 {2, {{TWO, THREE}, {ONE, TWO}}, -7.5},
                 {0, {{0, 0}}, -9},
                 {1, {{THREE, TWO}}, -8},
                 {1, {{ONE, THREE}}, -6.5}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dag *g = dag_of(3, cases[i].arcs, cases[i].n);
        assert_close(score_of(&three, g), cases[i].value, 1e-12);
        dag_destroy(g);
    }
}

static void a_local_optimum_of_single_arcs_is_left_by_an_exchange(void **state) {
    const arc before = {TWO, THREE}, after = {ONE, THREE};
    dag *start = dag_of(3, &before, 1);
    sgs_result stays = search_from(&three, start, SGS_PLAIN, SIZE_MAX);
    sgs_result leaves = search_from(&three, start, SGS_SWAPS, 1);
    (void)state;
    assert_arcs(stays.graph, &before, 1);
    assert_close(stays.score, -7, 1e-12);
    assert_arcs(leaves.graph, &after, 1);
    assert_close(leaves.score, -6.5, 1e-12);
    assert_int_equal(leaves.uses[SGS_USE_SWAP], 1);
    assert_false(leaves.is_cut_short);
    dag_destroy(stays.graph);
    dag_destroy(leaves.graph);
    dag_destroy(start);
}

/* ADD(3->2) gains 1; deleting 2->3 would cost 2, exchanging its tail for 1 gains 0.5. */
static void a_repair_may_gain_and_its_move_is_then_the_best(void **state) {
    static const arc before = {TWO, THREE}, after[] = {{THREE, TWO}, {ONE, THREE}};
    dag *start = dag_of(3, &before, 1);
    sgs_result r = search_from(&three, start, SGS_STARS, 1);
    (void)state;
    assert_arcs(r.graph, after, 2);
    assert_close(r.score, -5.5, 1e-12);
    assert_int_equal(r.uses[SGS_USE_ADD_PLUS], 1);
    dag_destroy(r.graph);
    dag_destroy(start);
}

/* --- four variables, where an exchange closes a cycle */

enum { X, Y, Z, W, SET_X = 1, SET_Y = 2, SET_Z = 4, SET_W = 8 };

static const arc chain[] = {{Z, W}, {W, Y}, {X, Z}};

/* SWAP(x|y->z) gains 5; the arcs of the cycle are worth as much as is said; the parent x of w loses `exchange`. */
static sgs_result repair(double z_w, double w_y, double exchange) {
    const table_row rows[] = {{X, 0, 0},    {Z, SET_X, 0}, {Z, SET_Y, 5}, {W, SET_Z, 0},
                              {W, 0, -z_w}, {Y, SET_W, 0}, {Y, 0, -w_y},  {W, SET_X, exchange}};
    family_table table = {rows, sizeof rows / sizeof *rows, -1000};
    family_source source = {&table, look_up, 4};
    dag *start = dag_of(4, chain, 3);
    sgs_result r = search_from(&source, start, SGS_STARS, SIZE_MAX);
    assert_close(score_of(&source, r.graph), r.score, 1e-12);
    dag_destroy(start);
    return r;
}

static void a_cycle_is_broken_where_it_costs_least(void **state) {
    static const arc expected[] = {{W, Y}, {Y, Z}};
    sgs_result r = repair(4, 6, -1000);
    (void)state;
    assert_close(r.score, 1, 1e-12);
    assert_arcs(r.graph, expected, 2);
    assert_int_equal(r.n_repair_deletions, 1);
    assert_int_equal(r.n_repair_swaps, 0);
    assert_int_equal(r.longest_move, 2);
    assert_int_equal(r.uses[SGS_USE_SWAP_PLUS], 1);
    assert_int_equal(r.uses[SGS_USE_SWAP], 0);
    dag_destroy(r.graph);
}

static void a_cycle_that_no_deletion_may_break_is_broken_by_an_exchange(void **state) {
    static const arc expected[] = {{W, Y}, {Y, Z}, {X, W}};
    sgs_result r = repair(7, 7, -3);
    (void)state;
    assert_close(r.score, 2, 1e-12);
    assert_arcs(r.graph, expected, 3);
    assert_int_equal(r.n_repair_deletions, 0);
    assert_int_equal(r.n_repair_swaps, 1);
    assert_int_equal(r.longest_move, 2);
    dag_destroy(r.graph);
}

static void a_move_whose_repairs_cost_all_it_gained_is_dropped(void **state) {
    sgs_result r = repair(7, 7, -6);
    (void)state;
    assert_close(r.score, 0, 1e-12);
    assert_arcs(r.graph, chain, 3);
    assert_int_equal(r.longest_move, 0);
    dag_destroy(r.graph);
}

static void without_repairs_the_exchange_that_closes_a_cycle_is_not_made(void **state) {
    const table_row rows[] = {{X, 0, 0},  {Z, SET_X, 0}, {Z, SET_Y, 5}, {W, SET_Z, 0},
                              {W, 0, -4}, {Y, SET_W, 0}, {Y, 0, -6}};
    family_table table = {rows, sizeof rows / sizeof *rows, -1000};
    family_source source = {&table, look_up, 4};
    dag *start = dag_of(4, chain, 3);
    sgs_result r = search_from(&source, start, SGS_SWAPS, SIZE_MAX);
    (void)state;
    assert_arcs(r.graph, chain, 3);
    dag_destroy(r.graph);
    dag_destroy(start);
}

static void an_addition_that_deletes_the_arc_back_counts_as_a_reversal(void **state) {
    static const table_row rows[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 1}, {0, 2, 4}};
    static const arc before = {0, 1}, after = {1, 0};
    family_table table = {rows, 4, -1000};
    family_source source = {&table, look_up, 2};
    dag *start = dag_of(2, &before, 1);
    (void)state;
    for (int n = SGS_PLAIN; n <= SGS_STARS; n++) {
        sgs_result r = search_from(&source, start, (sgs_neighbourhood)n, SIZE_MAX);
        assert_arcs(r.graph, &after, 1);
        assert_close(r.score, 4, 1e-12);
        assert_int_equal(r.uses[SGS_USE_REVERSE], 1);
        assert_int_equal(r.longest_move, n == SGS_STARS ? 2 : 1);
        dag_destroy(r.graph);
    }
    dag_destroy(start);
}

/* --- covered v-structures */

/* x -> y, both -> z, as a search leaves them that took y -> z, z -> x the wrong way round at first. The v-structure
 * with its collider at `best` scores `value` alone, the others -20; the three connected -10. */
static dag *uncover(size_t best, double value, bool keep_if_better, size_t max_parents, size_t *n_changed) {
    const arc triangle[] = {{0, 1}, {0, 2}, {1, 2}};
    const table_row rows[] = {{0, 0, -2},
                              {1, 0, -2},
                              {2, 0, -2},
                              {1, 1, -3},
                              {2, 3, best == 2 ? value + 4 : -5}, /* connected: -2 - 3 - 5 where 2 is no collider */
                              {0, 6, best == 0 ? value + 4 : -16},
                              {1, 5, best == 1 ? value + 4 : -16}};
    family_table table = {rows, sizeof rows / sizeof *rows, -1000};
    family_source source = {&table, look_up, 3};
    sgs_plan plan = one_search;
    dag *g = dag_of(3, triangle, 3);
    error_info err = {0};
    plan.max_parents = max_parents;
    assert_ok(sgs_uncover_colliders(&source, &plan, keep_if_better, &g, n_changed, &err), &err);
    return g;
}

static void a_covered_collider_gives_way_to_the_best_uncovered_one(void **state) {
    static const arc expected[3][2] = {{{1, 0}, {2, 0}}, {{0, 1}, {2, 1}}, {{0, 2}, {1, 2}}};
    (void)state;
    for (size_t best = 0; best < 2; best++) {
        size_t n = 0;
        dag *g = uncover(best, -8, true, SIZE_MAX, &n);
        assert_int_equal(n, 1);
        assert_arcs(g, expected[best], 2);
        dag_destroy(g);
    }
}

static void a_triangle_that_scores_best_stays_unless_it_is_not_compared(void **state) {
    size_t n = 9;
    dag *g = uncover(0, -11, true, SIZE_MAX, &n); /* 2 as collider: -2 - 2 - 5 = -9 against -10 connected */
    static const arc collider_2[] = {{0, 2}, {1, 2}};
    (void)state;
    assert_int_equal(n, 1);
    assert_arcs(g, collider_2, 2);
    dag_destroy(g);
    g = uncover(2, -11, true, SIZE_MAX, &n); /* connected: -2 - 3 - 7 = -12, below -11 */
    assert_int_equal(n, 1);
    dag_destroy(g);
    g = uncover(0, -8, true, 1, &n); /* two parents are too many */
    assert_int_equal(n, 0);
    assert_int_equal(dag_arc_count(g), 3);
    dag_destroy(g);
}

static void without_comparison_every_triangle_is_opened(void **state) {
    const arc triangle[] = {{0, 1}, {0, 2}, {1, 2}};
    static const table_row rows[] = {{0, 0, -2}, {1, 0, -2}, {2, 0, -2}, {1, 1, -1},
                                     {2, 3, -3}, {0, 6, -9}, {1, 5, -8}};
    family_table table = {rows, sizeof rows / sizeof *rows, -1000};
    family_source source = {&table, look_up, 3};
    error_info err = {0};
    (void)state;
    for (int keep = 0; keep < 2; keep++) { /* connected -6, the best v-structure -7 */
        dag *g = dag_of(3, triangle, 3);
        size_t n = 0;
        assert_ok(sgs_uncover_colliders(&source, &one_search, keep, &g, &n, &err), &err);
        assert_int_equal(n, keep ? 0 : 1);
        assert_int_equal(dag_arc_count(g), keep ? 3 : 2);
        dag_destroy(g);
    }
}

static void an_opening_that_would_close_a_cycle_is_left_alone(void **state) {
    /* a collider at 0 needs 2 -> 0, but 0 -> 3 -> 2 leads there */
    const arc arcs[] = {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {3, 2}};
    static const table_row rows[] = {{0, 0, -2}, {1, 0, -2},  {2, 0, -2}, {1, 1, -3}, {2, 3, -9},
                                     {0, 6, -4}, {1, 5, -16}, {3, 0, -2}, {3, 1, -2}, {2, 9, -2}};
    family_table table = {rows, sizeof rows / sizeof *rows, -50};
    family_source source = {&table, look_up, 4};
    dag *g = dag_of(4, arcs, 5);
    size_t n = 0;
    error_info err = {0};
    (void)state;
    assert_ok(sgs_uncover_colliders(&source, &one_search, true, &g, &n, &err), &err);
    assert_int_equal(n, 0);
    assert_arcs(g, arcs, 5);
    dag_destroy(g);
}

/* --- moves that tie */

enum { A = 0, B = 1, C = 2, D = 3, SET_A = 1, SET_B = 2, SET_C = 4 };

/* From A -> B, turning the arc round (ADD* with a deletion) and adding C -> D both gain 1. */
static const table_row tied_rows[] = {
    {A, 0, -3}, {A, SET_B, 0}, {B, 0, -2}, {B, SET_A, 0}, {C, 0, 0}, {D, 0, -1}, {D, SET_C, 0},
};
static family_table tied_table = {tied_rows, sizeof tied_rows / sizeof *tied_rows, -9};
static const family_source tied = {&tied_table, look_up, 4};

/* How many of forty searches of one move add C -> D. */
static size_t count_short(bool at_random, bool prefers_short) {
    size_t n = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        dag *start = dag_of(4, (const arc[]){{A, B}}, 1);
        sgs_plan plan = one_search;
        sgs_result result = {0};
        run_context ctx;
        error_info err = {0};
        plan.start = start;
        plan.neighbourhood = SGS_STARS;
        plan.max_moves = 1;
        plan.breaks_ties_at_random = at_random;
        plan.prefers_short_moves = prefers_short;
        run_context_init(&ctx, seed);
        assert_ok(sgs_search(&tied, &plan, &ctx, &result, &err), &err);
        assert_close(result.score, -3, 1e-12);
        assert_int_equal(result.longest_move, dag_has_arc(result.graph, C, D) ? 1 : 2);
        n += dag_has_arc(result.graph, C, D);
        dag_destroy(result.graph);
        dag_destroy(start);
    }
    return n;
}

static void of_moves_that_tie_the_shortest_may_be_preferred(void **state) {
    (void)state;
    assert_int_equal(count_short(false, false), 0); /* B -> A comes first */
    assert_int_equal(count_short(false, true), 40);
    assert_int_equal(count_short(true, true), 40);
    assert_between((double)count_short(true, false), 10, 30);
}

static void a_start_of_another_size_is_refused(void **state) {
    dag *start = dag_of(2, NULL, 0);
    sgs_plan plan = one_search;
    sgs_result result = {0};
    run_context ctx;
    error_info err = {0};
    (void)state;
    plan.start = start;
    run_context_init(&ctx, 1);
    assert_int_equal(sgs_search(&three, &plan, &ctx, &result, &err), STATUS_INVALID);
    assert_message_has(&err, "the start has 2 nodes; there are 3 variables");
    dag_destroy(start);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_neighbours_of_the_worked_graph_score_as_the_table_says),
        cmocka_unit_test(a_local_optimum_of_single_arcs_is_left_by_an_exchange),
        cmocka_unit_test(a_repair_may_gain_and_its_move_is_then_the_best),
        cmocka_unit_test(a_cycle_is_broken_where_it_costs_least),
        cmocka_unit_test(a_cycle_that_no_deletion_may_break_is_broken_by_an_exchange),
        cmocka_unit_test(a_move_whose_repairs_cost_all_it_gained_is_dropped),
        cmocka_unit_test(without_repairs_the_exchange_that_closes_a_cycle_is_not_made),
        cmocka_unit_test(an_addition_that_deletes_the_arc_back_counts_as_a_reversal),
        cmocka_unit_test(a_covered_collider_gives_way_to_the_best_uncovered_one),
        cmocka_unit_test(a_triangle_that_scores_best_stays_unless_it_is_not_compared),
        cmocka_unit_test(without_comparison_every_triangle_is_opened),
        cmocka_unit_test(an_opening_that_would_close_a_cycle_is_left_alone),
        cmocka_unit_test(of_moves_that_tie_the_shortest_may_be_preferred),
        cmocka_unit_test(a_start_of_another_size_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
