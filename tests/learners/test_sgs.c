/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Worked numbers, on tables of family scores. */
#include "tests/support/support.h"

#include "learners/sgs/sgs_search.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <string.h>

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

/* --- rows at once */

enum { N_RANDOM = 9 };

typedef struct {
    uint64_t seed;
    size_t n_families, n_rows; /* asked for */
} random_families;

/* A number for each family, which more than three parents do not gain. */
static double random_score(uint64_t seed, size_t x, const size_t *parents, size_t n_parents, size_t extra) {
    uint64_t set = extra == FAMILY_NO_EXTRA ? 0 : UINT64_C(1) << extra;
    for (size_t i = 0; i < n_parents; i++)
        set |= UINT64_C(1) << parents[i];
    return (double)(random_key_number(random_key_of(seed + x), set).hash >> 40) / 16777216 -
           (__builtin_popcountll(set) > 3 ? 2 : 0);
}

static status random_family(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                            error_info *err) {
    random_families *f = self;
    (void)err;
    f->n_families++;
    *out = random_score(f->seed, x, parents, n_parents, extra);
    return STATUS_OK;
}

static status random_row(void *self, size_t worker, size_t x, const size_t *parents, size_t n_parents, double *values,
                         error_info *err) {
    random_families *f = self;
    (void)worker;
    for (size_t i = 0; i < N_RANDOM; i++)
        CHECK(random_family(self, x, parents, n_parents, i, &values[i], err));
    f->n_families -= N_RANDOM;
    f->n_rows++;
    return STATUS_OK;
}

static void assert_same_arcs(const dag *a, const dag *b) {
    assert_int_equal(dag_arc_count(a), dag_arc_count(b));
    for (size_t x = 0; x < dag_node_count(a); x++) {
        size_t n_parents;
        const size_t *parents = dag_parents(a, x, &n_parents);
        for (size_t i = 0; i < n_parents; i++)
            assert_true(dag_has_arc(b, parents[i], x));
    }
}

static void rows_at_once_lead_to_the_same_graph(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        random_families one_by_one = {.seed = 100 * seed}, at_once = {.seed = 100 * seed};
        family_source single = {.self = &one_by_one, .family = random_family, .n_variables = N_RANDOM};
        family_source rows = {.self = &at_once, .family = random_family, .row = random_row, .n_variables = N_RANDOM};
        sgs_result a = search_from(&single, NULL, SGS_STARS, SIZE_MAX);
        sgs_result b = search_from(&rows, NULL, SGS_STARS, SIZE_MAX);
        assert_true(dag_arc_count(a.graph) > 0);
        assert_same_arcs(a.graph, b.graph);
        assert_true(a.score == b.score);
        assert_memory_equal(a.uses, b.uses, sizeof a.uses);
        assert_true(at_once.n_rows >= N_RANDOM);
        assert_true(one_by_one.n_families > at_once.n_families);
        dag_destroy(a.graph);
        dag_destroy(b.graph);
    }
}

/* --- families that a cache knows, or the search */

/* As a score with its cache: the last digits of a family hang on which of its parents was the extra one when it was
 * first asked for. */
typedef struct {
    uint64_t seed;
    size_t most_kept, n_kept;
    double kept[N_RANDOM][1 << N_RANDOM]; /* by node and set of parents; 0: not known */
    uint64_t n_requests, n_computed, n_fresh;
} cached_families;

static double *place_of(cached_families *f, size_t x, const size_t *parents, size_t n_parents, size_t extra) {
    size_t set = extra == FAMILY_NO_EXTRA ? 0 : (size_t)1 << extra;
    for (size_t i = 0; i < n_parents; i++)
        set |= (size_t)1 << parents[i];
    return &f->kept[x][set];
}

static double score_anew(const cached_families *f, size_t x, const size_t *parents, size_t n_parents, size_t extra) {
    double last_digits = extra == FAMILY_NO_EXTRA ? 0 : 1e-12 * (double)(extra + 1);
    return random_score(f->seed, x, parents, n_parents, extra) + last_digits;
}

static void keep_family(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double value) {
    cached_families *f = self;
    double *place = place_of(f, x, parents, n_parents, extra);
    if (*place != 0 || f->n_kept == f->most_kept)
        return;
    *place = value;
    f->n_kept++;
}

static status cached_family(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                            error_info *err) {
    cached_families *f = self;
    (void)err;
    *out = *place_of(f, x, parents, n_parents, extra);
    f->n_requests++;
    if (*out != 0)
        return STATUS_OK;
    f->n_computed++;
    *out = score_anew(f, x, parents, n_parents, extra);
    keep_family(f, x, parents, n_parents, extra, *out);
    return STATUS_OK;
}

static status fresh_families(void *self, size_t x, const size_t *parents, size_t n_parents, const size_t *extras,
                             size_t n_extras, double *values, error_info *err) {
    cached_families *f = self;
    (void)err;
    for (size_t i = 0; i < n_extras; i++)
        values[i] = score_anew(f, x, parents, n_parents, extras[i]);
    f->n_fresh += n_extras;
    return STATUS_OK;
}

static void count_families(void *self, uint64_t requests, uint64_t computed) {
    cached_families *f = self;
    f->n_requests += requests;
    f->n_computed += computed;
}

static sgs_result search_by_cache(cached_families *f, sgs_neighbourhood neighbourhood, bool knows_by_itself) {
    family_source source = {.self = f, .family = cached_family, .n_variables = N_RANDOM};
    sgs_plan plan = {.neighbourhood = neighbourhood,
                     .n_restarts = 4,
                     .max_parents = SIZE_MAX,
                     .max_moves = SIZE_MAX,
                     .breaks_ties_at_random = true,
                     .starts_at_random = true};
    sgs_result result = {0};
    run_context ctx;
    error_info err = {0};
    if (knows_by_itself) {
        source.fresh = fresh_families;
        source.count = count_families;
        source.keep = keep_family;
        source.most_kept = f->most_kept;
    }
    run_context_init(&ctx, f->seed);
    assert_ok(sgs_search(&source, &plan, &ctx, &result, &err), &err);
    return result;
}

static void a_search_knows_what_a_cache_would_know(void **state) {
    static const size_t sizes[] = {SIZE_MAX, 0, 40, 200};
    (void)state;
    for (uint64_t seed = 0; seed < 80; seed++) {
        size_t most_kept = sizes[seed / 2 % 4];
        sgs_neighbourhood neighbourhood = seed % 2 ? SGS_SWAPS : SGS_PLAIN;
        cached_families cache = {.seed = 100 * seed, .most_kept = most_kept};
        cached_families rows = {.seed = 100 * seed, .most_kept = most_kept};
        sgs_result a = search_by_cache(&cache, neighbourhood, false);
        sgs_result b = search_by_cache(&rows, neighbourhood, true);
        assert_true(dag_arc_count(a.graph) > 0);
        assert_same_arcs(a.graph, b.graph);
        assert_true(a.score == b.score);
        assert_memory_equal(a.uses, b.uses, sizeof a.uses);
        assert_int_equal(cache.n_requests, rows.n_requests);
        assert_int_equal(cache.n_computed, rows.n_computed);
        assert_true(cache.n_requests > cache.n_computed || most_kept == 0);
        if (most_kept == SIZE_MAX)
            assert_int_equal(rows.n_fresh, rows.n_computed);
        else
            assert_int_equal(cache.n_kept, rows.n_kept);
        dag_destroy(a.graph);
        dag_destroy(b.graph);
    }
}

/* --- searches side by side */

typedef struct {
    uint64_t seed;
    uint64_t asked;        /* a number for all that was asked, in any order */
    atomic_bool is_asking; /* one thread at a time does, but for rows */
    run_watch *watch;      /* NULL, or it stops the run when it has had so many rows: */
    atomic_size_t n_left;
    size_t n_until_failure; /* rows; 0: none fails */
    bool is_slow;           /* rows of all threads but the run's own, which waits for the first of them */
    atomic_size_t n_slow;
    uint64_t n_counted, n_published;
} shared_families;

static void note(shared_families *f, size_t x, const size_t *parents, size_t n_parents, size_t extra) {
    random_key asked = random_key_of(x);
    assert_false(atomic_exchange(&f->is_asking, true));
    for (size_t i = 0; i < n_parents; i++)
        asked = random_key_number(asked, parents[i]);
    f->asked += random_key_number(asked, extra).hash;
    f->n_counted++;
    atomic_store(&f->is_asking, false);
}

static status shared_family(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                            error_info *err) {
    shared_families *f = self;
    (void)err;
    note(f, x, parents, n_parents, extra);
    *out = random_score(f->seed, x, parents, n_parents, extra);
    return STATUS_OK;
}

static void take_long(shared_families *f, size_t worker) {
    const struct timespec a_while = {.tv_nsec = 20000000};
    if (worker > 0)
        atomic_fetch_add(&f->n_slow, 1);
    for (size_t i = 0; i < 500 && (atomic_load(&f->n_slow) == 0 || (worker > 0 && i == 0)); i++)
        (void)nanosleep(&a_while, NULL);
}

static status shared_row(void *self, size_t worker, size_t x, const size_t *parents, size_t n_parents, double *values,
                         error_info *err) {
    shared_families *f = self;
    (void)err;
    for (size_t i = 0; i < N_RANDOM; i++)
        values[i] = random_score(f->seed, x, parents, n_parents, i);
    if (f->is_slow)
        take_long(f, worker);
    if (f->watch && !f->is_slow && atomic_fetch_sub(&f->n_left, 1) <= 1)
        atomic_store(&f->watch->is_stopped, true);
    if (f->n_until_failure > 0 && atomic_fetch_sub(&f->n_left, 1) <= 1)
        return error_set(err, STATUS_MEMORY, "no memory for row %zu", x);
    return STATUS_OK;
}

static status count_shared_row(void *self, size_t x, const size_t *parents, size_t n_parents, error_info *err) {
    (void)err;
    note(self, x, parents, n_parents, N_RANDOM);
    return STATUS_OK;
}

/* In the run's own thread, which reads what was counted whenever it likes. */
static void publish_shared(void *self) {
    shared_families *f = self;
    f->n_published += f->n_counted;
    f->n_counted = 0;
}

static family_source shared_source(shared_families *families, size_t n_threads) {
    return (family_source){.self = families,
                           .family = shared_family,
                           .n_variables = N_RANDOM,
                           .row = shared_row,
                           .count_row = count_shared_row,
                           .publish = publish_shared,
                           .n_workers = n_threads};
}

static const sgs_plan twenty_searches = {.neighbourhood = SGS_STARS,
                                         .n_restarts = 20, /* more than may be side by side */
                                         .max_parents = SIZE_MAX,
                                         .max_moves = SIZE_MAX,
                                         .breaks_ties_at_random = true,
                                         .starts_at_random = true,
                                         .looks_everywhere = true};

static status try_search_by(shared_families *families, const sgs_plan *plan, size_t n_threads, sgs_result *out,
                            error_info *err) {
    family_source source = shared_source(families, n_threads);
    run_context ctx;
    run_context_init(&ctx, 1);
    ctx.n_threads = n_threads;
    ctx.watch = families->watch;
    return sgs_search(&source, plan, &ctx, out, err);
}

static sgs_result search_by(shared_families *families, const sgs_plan *plan, size_t n_threads) {
    sgs_result result = {0};
    error_info err = {0};
    assert_ok(try_search_by(families, plan, n_threads, &result, &err), &err);
    return result;
}

static void searches_side_by_side_find_what_they_find_one_after_the_other(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        shared_families alone = {.seed = 100 * seed};
        sgs_plan plan = twenty_searches;
        sgs_result one;
        plan.max_moves = seed % 2 ? SIZE_MAX : 3;
        plan.max_row_bytes = seed % 4 < 2 ? 0 : 1;
        plan.starts_at_random = seed % 3; /* else all ask for the same rows at first */
        one = search_by(&alone, &plan, 1);
        assert_true(dag_arc_count(one.graph) > 0);
        for (size_t n_threads = 2; n_threads <= 4; n_threads++) {
            shared_families together = {.seed = 100 * seed};
            sgs_result many = search_by(&together, &plan, n_threads);
            assert_same_arcs(one.graph, many.graph);
            assert_true(one.score == many.score);
            assert_memory_equal(one.uses, many.uses, sizeof one.uses);
            assert_int_equal(many.n_searches, 20);
            assert_true(alone.asked == together.asked);
            assert_true(together.n_published > 0 && together.n_published == alone.n_published);
            dag_destroy(many.graph);
        }
        dag_destroy(one.graph);
    }
}

static bool let_go_on(void *self, const run_context *ctx) {
    (void)self;
    (void)ctx;
    return true;
}

/* In the first search, or in some that run side by side, or between them. */
static void a_search_that_is_stopped_among_rows_returns_a_graph_with_its_score(void **state) {
    (void)state;
    for (size_t n_rows = 1; n_rows <= 200; n_rows += 1 + n_rows / 16) {
        for (size_t n_threads = 1; n_threads <= 4; n_threads++) {
            run_watch watch = {.proceed = let_go_on, .asker = pthread_self()};
            shared_families families = {.seed = 7, .watch = &watch, .n_left = n_rows};
            family_source source = shared_source(&families, n_threads);
            sgs_result found = search_by(&families, &twenty_searches, n_threads);
            double score = 0;
            error_info err = {0};
            assert_true(found.is_cut_short);
            assert_ok(family_score_dag(&source, found.graph, &score, &err), &err);
            assert_close(found.score, score, 1e-9);
            dag_destroy(found.graph);
        }
    }
}

/* `self`: the families and the number of times that it was asked. */
typedef struct {
    const shared_families *families;
    size_t n_asked;
    uint64_t n_published;
} listener;

static bool hear(void *self, const run_context *ctx) {
    listener *l = self;
    (void)ctx;
    assert_true(l->families->n_published >= l->n_published);
    l->n_published = l->families->n_published;
    l->n_asked++;
    return true;
}

/* Some twenty times a second: the run's own thread is soon out of searches, the other one takes much longer. */
static void whoever_may_end_a_run_is_asked_until_its_end(void **state) {
    shared_families families = {.seed = 7, .is_slow = true};
    listener l = {.families = &families};
    run_watch watch = {.proceed = hear, .self = &l, .asker = pthread_self()};
    sgs_plan plan = twenty_searches;
    sgs_result found;
    (void)state;
    families.watch = &watch;
    plan.n_restarts = 2;
    found = search_by(&families, &plan, 2);
    assert_int_equal(found.n_searches, 2);
    assert_true(atomic_load(&families.n_slow) >= 10);
    assert_true(l.n_asked >= 4);
    dag_destroy(found.graph);
}

/* Others may wait for the row that fails, or go on for a while. */
static void a_row_that_fails_ends_all_searches(void **state) {
    (void)state;
    for (size_t n_rows = 1; n_rows <= 24; n_rows++) {
        for (size_t n_threads = 1; n_threads <= 4; n_threads++) {
            shared_families families = {.seed = 7, .n_until_failure = n_rows, .n_left = n_rows};
            sgs_plan plan = twenty_searches;
            sgs_result none = {0};
            error_info err = {0};
            plan.starts_at_random = n_rows % 2;
            assert_int_equal(try_search_by(&families, &plan, n_threads, &none, &err), STATUS_MEMORY);
            assert_non_null(strstr(err.message, "no memory for row"));
            assert_null(none.graph);
        }
    }
}

/* Nodes 0 and 1 are copies, so that one parent is as good as the other. */
static status copied_family(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                            error_info *err) {
    size_t others[N_RANDOM] = {0};
    for (size_t i = 0; i < n_parents; i++)
        others[i] = parents[i] == 1 ? 0 : parents[i];
    return random_family(self, x < 2 ? 0 : x, others, n_parents, extra == 1 ? 0 : extra, out, err);
}

/* What rounding does to rows of millions of rows of data: each move seems to gain. */
static status rounded_row(void *self, size_t worker, size_t x, const size_t *parents, size_t n_parents, double *values,
                          error_info *err) {
    (void)worker;
    for (size_t i = 0; i < N_RANDOM; i++) {
        CHECK(copied_family(self, x, parents, n_parents, i, &values[i], err));
        values[i] += 5e-9;
    }
    return STATUS_OK;
}

static void a_search_ends_where_rounding_alone_gains(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        random_families families = {.seed = 100 * seed};
        family_source source = {
            .self = &families, .family = copied_family, .row = rounded_row, .n_variables = N_RANDOM};
        sgs_result r = search_from(&source, NULL, SGS_STARS, SIZE_MAX);
        assert_true(dag_arc_count(r.graph) > 0);
        assert_close(r.score, score_of(&source, r.graph), 1e-12);
        dag_destroy(r.graph);
    }
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
        cmocka_unit_test(rows_at_once_lead_to_the_same_graph),
        cmocka_unit_test(a_search_knows_what_a_cache_would_know),
        cmocka_unit_test(searches_side_by_side_find_what_they_find_one_after_the_other),
        cmocka_unit_test(a_search_that_is_stopped_among_rows_returns_a_graph_with_its_score),
        cmocka_unit_test(whoever_may_end_a_run_is_asked_until_its_end),
        cmocka_unit_test(a_row_that_fails_ends_all_searches),
        cmocka_unit_test(a_search_ends_where_rounding_alone_gains),
        cmocka_unit_test(a_start_of_another_size_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
