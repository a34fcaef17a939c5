/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The skeleton of PC (Spirtes, Glymour, Scheines 2000, section 5.4.2) and of PC-stable (Colombo, Maathuis 2014,
 * Algorithm 4.1). For set sizes 0, 1, 2, ...: an edge goes as soon as a set of that size, of neighbours of one of its
 * ends, makes its ends independent. A pair that is not adjacent has the set that separated it in `sets`, if that can
 * still tell something of a common neighbour.
 */
#include "learners/constraint/pc_search_internal.h"

#include "core/base/bits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static status search_init(pc_search *s, neighbour_rows *edges, error_info *err) {
    s->edges = edges;
    CHECK(neighbour_rows_init(edges, s->n_variables, s->rules->n_helpers + 1, err));
    CHECK(pc_search_init_rooms(s, err));
    return separating_sets_create(&s->sets, err);
}

static void search_clear(pc_search *s) {
    free(s->bits);
    pc_search_clear_rooms(s);
    separating_sets_destroy(s->sets);
    pc_team_destroy(s->team);
    pc_order_destroy(s->order);
    pc_visits_destroy(s->visits);
}

/* --- without condition --- */

static status test_in_turn(pc_search *s, const size_t *columns, error_info *err) {
    for (size_t y = 0; y < s->n_variables && !association_probe_is_expired(&s->probe); y++)
        CHECK(pc_search_test_below(s, y, columns, err));
    return STATUS_OK;
}

/* Every pair; the edges that stay are put in, as the complete graph would be too large to take them out of. */
static status test_all_pairs(pc_search *s, error_info *err) {
    enum { MANY = 100 }; /* variables, whose pairs are worth several threads */
    AUTO_FREE size_t *columns = calloc(s->n_variables + 1, sizeof *columns);
    CHECK_ALLOC(columns);
    for (size_t i = 0; i < s->n_variables; i++)
        columns[i] = i;
    if (s->n_variables >= MANY && pc_team_is_wanted(s)) {
        CHECK(pc_team_create(s, err));
        CHECK(pc_team_test_pairs(s, columns, err));
    } else {
        CHECK(test_in_turn(s, columns, err));
    }
    return neighbour_rows_join(s->edges, err);
}

/* --- given sets of one size --- */

/* The fewest states of an open end. */
static double fewest_states(const pc_search *s) {
    double fewest = INFINITY;
    for (size_t i = 0; i < s->n_open; i++)
        fewest = fmin(fewest, table_limit_states(s->rules->limit, s->open[i]));
    return fewest;
}

/* All neighbours but those that the lower end of their edge has lost. */
static void choose_open(pc_search *s, size_t x) {
    const unsigned char *fates = neighbour_rows_marks_below(s->edges, x);
    size_t n_below = neighbour_rows_count_below(s->edges, x);
    s->n_open = 0;
    for (size_t i = 0; i < s->n_pool; i++) {
        if (i >= n_below || fates[i] == FATE_OPEN)
            s->open[s->n_open++] = s->pool[i];
    }
}

/* PC-stable: the pool is the same for all ends, so a set takes them in turn. */
static status visit_stable(pc_search *s, size_t x, size_t size, error_info *err) {
    double fewest;
    if (s->edges->counts[x] <= size)
        return STATUS_OK;
    pc_search_turn_to(s, x);
    choose_open(s, x);
    if (s->n_open == 0)
        return STATUS_OK;
    fewest = fewest_states(s);
    CHECK(pc_search_announce(s, x, size, err));
    CHECK(pc_search_separate_open(s, x, fewest, size, err));
    return s->n_open > 0 ? pc_search_separate(s, x, fewest, size, err) : STATUS_OK;
}

/* Without memory it goes without. */
static void lay_bits(pc_search *s) {
    enum { MOST = 1 << 14 }; /* nodes: 32 MiB */
    if (!s->bits && s->n_variables <= MOST)
        s->bits = calloc(s->n_variables, pc_search_words(s) * sizeof *s->bits);
    else if (s->bits)
        memset(s->bits, 0, s->n_variables * pc_search_words(s) * sizeof *s->bits);
    for (size_t x = 0; s->bits && x < s->n_variables; x++) {
        neighbour_row row = neighbour_rows_get(s->edges, x);
        for (size_t i = 0; i < row.count; i++)
            bits_add(s->bits + x * pc_search_words(s), row.items[i]);
    }
}

static status visit_all(pc_search *s, size_t size, error_info *err) {
    for (size_t x = 0; x < s->n_variables && !s->probe.is_expired; x++) {
        CHECK(visit_stable(s, x, size, err));
        pc_search_release_visited(s, x);
    }
    return STATUS_OK;
}

static status visit_original(pc_search *s, size_t size, error_info *err) {
    if (!s->visits)
        CHECK(pc_visits_create(s->edges, &s->visits, err));
    if (!s->order)
        CHECK(pc_order_create(s->n_variables, s->rules->n_helpers + 1, &s->order, err));
    return pc_order_test_size(s, size, err);
}

static status visit_ends(pc_search *s, size_t size, error_info *err) {
    lay_bits(s);
    CHECK(neighbour_rows_unmark(s->edges, err));
    mark_cursor_restart(&s->fates, s->edges);
    if (pc_team_is_wanted(s) && !s->team)
        CHECK(pc_team_create(s, err));
    if (!s->rules->is_stable)
        CHECK(visit_original(s, size, err));
    else
        CHECK(s->team ? pc_team_test_size(s, size, err) : visit_all(s, size, err));
    return neighbour_rows_keep(s->edges, FATE_GONE_BY_LOWER, err);
}

/* Of a pair with this set a v-structure may still ask if a common neighbour is in it. */
static bool has_common_neighbour(void *self, size_t a, size_t b, const uint32_t *z, size_t n_z) {
    const neighbour_rows *edges = self;
    for (size_t i = 0; i < n_z; i++) {
        if (neighbour_rows_has(edges, a, z[i]) && neighbour_rows_has(edges, b, z[i]))
            return true;
    }
    return false;
}

static status test_size(pc_search *s, size_t size, error_info *err) {
    const set_filter wanted = {s->edges, has_common_neighbour};
    s->any_set = s->any_performed = false;
    CHECK(visit_ends(s, size, err));
    if (s->team)
        CHECK(pc_team_move_sets(s, &wanted, err));
    separating_sets_keep(s->sets, &wanted);
    return STATUS_OK;
}

/* --- all of it --- */

/* Could a larger set have an effect? */
static bool is_worth_going_on(const pc_search *s) {
    return !s->probe.is_expired && s->any_set &&
           (s->any_performed || s->rules->unreliable == PC_UNRELIABLE_INDEPENDENT);
}

static status test_all(pc_search *s, error_info *err) {
    size_t largest = s->rules->max_k < 0 ? s->n_variables : (size_t)s->rules->max_k;
    s->any_set = true;
    CHECK(test_all_pairs(s, err));
    for (size_t size = 1; size <= largest && is_worth_going_on(s); size++)
        CHECK(test_size(s, size, err));
    return STATUS_OK;
}

static status make_graph(const pc_search *s, pdag **out, error_info *err) {
    AUTO_FREE pdag_pair *pairs = NULL;
    size_t n_ends = 0, n_pairs = 0;

    for (size_t x = 0; x < s->n_variables; x++)
        n_ends += s->edges->counts[x];
    CHECK_ALLOC(pairs = calloc(n_ends / 2 + 1, sizeof *pairs));
    for (size_t x = 0; x < s->n_variables; x++) {
        neighbour_row row = neighbour_rows_get(s->edges, x);
        for (size_t i = neighbour_rows_find(s->edges, x, x); i < row.count; i++)
            pairs[n_pairs++] = (pdag_pair){x, row.items[i], EDGE_UNDIRECTED};
    }
    return pdag_from_pairs(s->n_variables, pairs, n_pairs, out, err);
}

status pc_skeleton(const association_source *source, size_t n_variables, const pc_rules *rules, const run_context *ctx,
                   pdag **out, separating_sets **sets, bool *is_cut_short, error_info *err) {
    AUTO(neighbour_rows_clear) neighbour_rows edges = {0};
    AUTO(search_clear)
    pc_search s = {
        .probe = {.source = *source, .quick = rules->quick, .ctx = ctx}, .rules = rules, .n_variables = n_variables};

    CHECK(search_init(&s, &edges, err));
    CHECK(test_all(&s, err));
    CHECK(separating_sets_sort(s.sets, err));
    CHECK(make_graph(&s, out, err));
    *sets = TAKE(s.sets);
    *is_cut_short = s.probe.is_expired;
    return STATUS_OK;
}
