/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The skeleton of PC (Spirtes, Glymour, Scheines 2000, section 5.4.2) and of PC-stable (Colombo, Maathuis 2014,
 * Algorithm 4.1). For set sizes 0, 1, 2, ...: an edge goes as soon as a set of that size, of neighbours of one of its
 * ends, makes its ends independent. A pair that is not adjacent has the set that separated it in `sets`, unless it is
 * the empty one.
 */
#include "core/base/array.h"
#include "learners/constraint/pc_skeleton_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static status search_init(pc_search *s, error_info *err) {
    size_t n = s->n_variables;
    CHECK_ALLOC(s->adjacent = calloc(n + 1, sizeof *s->adjacent));
    CHECK_ALLOC(s->frozen = calloc(n + 1, sizeof *s->frozen));
    CHECK_ALLOC(s->gone = calloc(n + 1, sizeof *s->gone));
    CHECK(pc_search_init_rooms(s, err));
    return separating_sets_create(&s->sets, err);
}

static void search_clear(pc_search *s) {
    for (size_t x = 0; x < s->n_variables; x++) {
        if (s->adjacent)
            index_list_clear(&s->adjacent[x]);
        if (s->frozen)
            index_list_clear(&s->frozen[x]);
        if (s->gone)
            index_list_clear(&s->gone[x]);
    }
    free(s->gone);
    free(s->adjacent);
    free(s->frozen);
    free(s->bits);
    pc_search_clear_rooms(s);
    separating_sets_destroy(s->sets);
    pc_team_destroy(s->team);
}

/* --- without condition --- */

static status append(index_list *list, size_t node, error_info *err) {
    CHECK(ARRAY_ROOM(list->items, list->count, list->capacity, err));
    list->items[list->count++] = node;
    return STATUS_OK;
}

static status test_in_turn(pc_search *s, const size_t *columns, error_info *err) {
    for (size_t y = 0; y < s->n_variables && !association_probe_is_expired(&s->probe); y++)
        CHECK(pc_search_test_below(s, y, columns, err));
    return STATUS_OK;
}

/* Lower ends get to know their upper ends, too. */
static status mirror(pc_search *s, error_info *err) {
    for (size_t y = 0; y < s->n_variables; y++) {
        for (size_t i = 0, n = s->adjacent[y].count; i < n; i++)
            CHECK(append(&s->adjacent[s->adjacent[y].items[i]], y, err));
    }
    return STATUS_OK;
}

/* Every pair; the edges that stay are put in, as the complete graph would be too large to take them out of. */
static status test_all_pairs(pc_search *s, error_info *err) {
    enum { MANY = 1000 }; /* variables, whose pairs are worth several threads */
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
    return mirror(s, err);
}

/* --- given sets of one size --- */

static void drop(index_list *list, size_t node) {
    bool found;
    size_t place = index_list_find(list, node, &found);
    if (found)
        index_list_remove(list, place);
}

/* PC-stable: the end that is visited takes what is left at last, the other one when it is its turn. */
static status remove_edge(pc_search *s, size_t x, size_t y, size_t n_z, error_info *err) {
    if (s->rules->is_stable) {
        CHECK(append(&s->gone[y], x, err)); /* ends are visited in ascending order */
    } else {
        drop(&s->adjacent[x], y);
        drop(&s->adjacent[y], x);
    }
    return separating_sets_put(s->sets, x, y, s->z, n_z, err);
}

/* Brings the neighbours of an end up to date. */
static void let_go(pc_search *s, size_t x) {
    index_list *adjacent = &s->adjacent[x], *gone = &s->gone[x];
    size_t n_kept = 0, at = 0;
    if (gone->count == 0)
        return;
    for (size_t i = 0; i < adjacent->count; i++) {
        while (at < gone->count && gone->items[at] < adjacent->items[i])
            at++;
        if (at == gone->count || gone->items[at] != adjacent->items[i])
            adjacent->items[n_kept++] = adjacent->items[i];
    }
    adjacent->count = n_kept;
    gone->count = 0;
}

/* The fewest states of an open end. */
static double fewest_states(const pc_search *s) {
    double fewest = INFINITY;
    for (size_t i = 0; i < s->n_open; i++)
        fewest = fmin(fewest, table_limit_states(s->rules->limit, s->open[i]));
    return fewest;
}

typedef struct {
    const pc_search *search;
    size_t visited;
} visit;

static bool holds(const index_list *list, size_t node) {
    bool is_found;
    index_list_find(list, node, &is_found);
    return is_found;
}

/* Of the tests of an end that was visited, its neighbours to come ask those that they have sets for. */
static bool may_be_asked_again(void *self, size_t x, size_t y, const uint32_t *z, size_t n_z) {
    const visit *v = self;
    const pc_search *s = v->search;
    const index_list *pool = s->rules->is_stable ? &s->frozen[y] : &s->adjacent[y];
    if (x != v->visited || !holds(&s->adjacent[y], x))
        return false;
    for (size_t i = 0; i < n_z; i++) {
        if (!holds(pool, z[i]))
            return false;
    }
    return true;
}

/* PC-stable: the pool is the same for all ends, so a set takes them in turn. */
static status visit_stable(pc_search *s, size_t x, size_t size, error_info *err) {
    index_list *adjacent = &s->adjacent[x];
    double fewest;
    let_go(s, x);
    if (adjacent->count == 0 || s->frozen[x].count <= size)
        return STATUS_OK;
    s->pool = s->frozen[x].items;
    s->n_pool = s->frozen[x].count;
    memcpy(s->open, adjacent->items, adjacent->count * sizeof *s->open);
    s->n_open = adjacent->count;
    adjacent->count = 0;
    fewest = fewest_states(s);
    CHECK(pc_search_announce(s, x, size, err));
    CHECK(pc_search_separate_open(s, x, fewest, size, adjacent, err));
    if (s->n_open > 0)
        CHECK(pc_search_separate(s, x, fewest, size, err));
    memcpy(adjacent->items + adjacent->count, s->open, s->n_open * sizeof *s->open);
    adjacent->count += s->n_open;
    return STATUS_OK;
}

/* PC: an edge that goes leaves a smaller pool to the next end. */
static status visit_original(pc_search *s, size_t x, size_t size, error_info *err) {
    const index_list *adjacent = &s->adjacent[x];
    size_t i = 0;
    pc_search_attend(s, x, adjacent->items, adjacent->count);
    while (i < adjacent->count && adjacent->count > size && !s->probe.is_expired) {
        s->n_pool = adjacent->count - 1;
        memcpy(s->others, adjacent->items, i * sizeof *s->others);
        memcpy(s->others + i, adjacent->items + i + 1, (s->n_pool - i) * sizeof *s->others);
        s->pool = s->others;
        s->open[0] = adjacent->items[i];
        s->n_open = 1;
        CHECK(pc_search_separate(s, x, fewest_states(s), size, err));
        i += s->n_open; /* the next one, which has moved up if the edge is gone */
    }
    return STATUS_OK;
}

/* Without memory it goes without. */
static void lay_bits(pc_search *s) {
    enum { MOST = 1 << 15 }; /* nodes: 128 MiB */
    if (!s->bits && s->n_variables <= MOST)
        s->bits = calloc(s->n_variables, pc_search_words(s) * sizeof *s->bits);
    else if (s->bits)
        memset(s->bits, 0, s->n_variables * pc_search_words(s) * sizeof *s->bits);
    for (size_t x = 0; s->bits && x < s->n_variables; x++) {
        for (size_t i = 0; i < s->frozen[x].count; i++)
            s->bits[x * pc_search_words(s) + s->frozen[x].items[i] / 64] |= UINT64_C(1) << s->frozen[x].items[i] % 64;
    }
}

static status freeze(pc_search *s, error_info *err) {
    for (size_t x = 0; x < s->n_variables; x++) {
        index_list_clear(&s->frozen[x]);
        CHECK(index_list_copy(&s->adjacent[x], &s->frozen[x], err));
    }
    lay_bits(s);
    return STATUS_OK;
}

static status test_size(pc_search *s, size_t size, error_info *err) {
    s->any_set = s->any_performed = false;
    if (s->rules->is_stable)
        CHECK(freeze(s, err));
    if (pc_team_is_wanted(s) && !s->team)
        CHECK(pc_team_create(s, err));
    if (s->team)
        return pc_team_test_size(s, size, err);
    for (size_t x = 0; x < s->n_variables && !s->probe.is_expired; x++) {
        if (s->rules->is_stable)
            CHECK(visit_stable(s, x, size, err));
        else
            CHECK(visit_original(s, x, size, err));
        association_probe_release(&s->probe, &(later_tests){&(visit){s, x}, may_be_asked_again});
    }
    for (size_t x = 0; x < s->n_variables; x++)
        let_go(s, x);
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
        n_ends += s->adjacent[x].count;
    CHECK_ALLOC(pairs = calloc(n_ends / 2 + 1, sizeof *pairs));
    for (size_t x = 0; x < s->n_variables; x++) {
        for (size_t i = 0; i < s->adjacent[x].count; i++) {
            if (s->adjacent[x].items[i] > x)
                pairs[n_pairs++] = (pdag_pair){x, s->adjacent[x].items[i], EDGE_UNDIRECTED};
        }
    }
    return pdag_from_pairs(s->n_variables, pairs, n_pairs, out, err);
}

status pc_skeleton(const association_source *source, size_t n_variables, const pc_rules *rules, const run_context *ctx,
                   pdag **out, separating_sets **sets, bool *is_cut_short, error_info *err) {
    AUTO(search_clear)
    pc_search s = {.probe = {.source = *source, .quick = rules->quick, .ctx = ctx},
                   .rules = rules,
                   .n_variables = n_variables,
                   .remove_edge = remove_edge};

    CHECK(search_init(&s, err));
    CHECK(test_all(&s, err));
    CHECK(separating_sets_sort(s.sets, err));
    CHECK(make_graph(&s, out, err));
    *sets = TAKE(s.sets);
    *is_cut_short = s.probe.is_expired;
    return STATUS_OK;
}
