/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests of one end of edges, given sets of its neighbours. */
#include "core/base/array.h"
#include "core/base/bits.h"
#include "learners/constraint/pc_search_internal.h"

#include <stdlib.h>
#include <string.h>

status pc_search_init_rooms(pc_search *s, error_info *err) {
    size_t n = s->n_variables;
    CHECK_ALLOC(s->open = calloc(n + 1, sizeof *s->open));
    CHECK_ALLOC(s->others = calloc(n + 1, sizeof *s->others));
    CHECK_ALLOC(s->attended = calloc(n + 1, sizeof *s->attended));
    CHECK_ALLOC(s->chosen = calloc(n + 1, sizeof *s->chosen));
    CHECK_ALLOC(s->z = calloc(n + 1, sizeof *s->z));
    CHECK_ALLOC(s->leaving = calloc(PC_MOST_LEAVING, sizeof *s->leaving));
    CHECK_ALLOC(s->spots = calloc(n + 1, sizeof *s->spots));
    return mark_cursor_init(&s->fates, s->edges, err);
}

void pc_search_clear_rooms(pc_search *s) {
    free(s->open);
    free(s->others);
    free(s->attended);
    free(s->chosen);
    free(s->z);
    free(s->leaving);
    free(s->leaving_z);
    free(s->spots);
    mark_cursor_clear(&s->fates);
}

/* --- one test --- */

/* At the deadline nothing is independent. */
static status test_pair(pc_search *s, size_t x, size_t y, size_t n_z, bool *independent, error_info *err) {
    bool reliable = false;
    verdict v = {0};
    status st = association_probe_decide(&s->probe, y, x, s->z, n_z, &reliable, &v, err);
    *independent = false;
    if (st != STATUS_OK || s->probe.is_expired)
        return st;
    s->any_performed = s->any_performed || reliable;
    *independent = reliable ? v.is_exact && v.value.is_zero : s->rules->unreliable == PC_UNRELIABLE_INDEPENDENT;
    return STATUS_OK;
}

static bool is_expired(void *probe) {
    return association_probe_is_expired(probe);
}

/* All tests of x and y given sets of a pool, where the source can do that; a set that is found is in z. */
static status separate_at_once(pc_search *s, separation_task *task, separation *out, error_info *err) {
    const decision_source *quick = s->probe.quick;
    out->is_answered = out->is_performed = false;
    if (!quick || !quick->separate)
        return STATUS_OK;
    task->is_expired = is_expired;
    task->clock = &s->probe;
    out->z = s->z;
    CHECK(quick->separate(quick->self, task, out, err));
    s->any_performed = s->any_performed || (out->is_answered && out->is_performed);
    return STATUS_OK;
}

static status test_without_condition(pc_search *s, size_t x, size_t y, bool *independent, error_info *err) {
    separation_task task = {.x = y, .y = x};
    separation found;
    if (association_probe_is_expired(&s->probe))
        return STATUS_OK;
    CHECK(separate_at_once(s, &task, &found, err));
    *independent = found.is_answered && found.is_found;
    return found.is_answered ? STATUS_OK : test_pair(s, x, y, 0, independent, err);
}

status pc_search_test_below(pc_search *s, size_t y, const size_t *columns, error_info *err) {
    size_t n = association_probe_screen(&s->probe, y, columns, y, s->open), n_dependent = 0;
    s->any_performed = s->any_performed || n < y;
    for (size_t i = 0; i < n; i++) {
        size_t x = s->open[i];
        bool independent = false;
        CHECK(test_without_condition(s, y, x, &independent, err));
        if (s->probe.is_expired)
            break;
        if (!independent)
            s->open[n_dependent++] = x;
    }
    return neighbour_rows_put_below(s->edges, s->number, y, s->open, n_dependent, err);
}

static bool were_adjacent(const pc_search *s, size_t x, size_t y) {
    return s->bits ? bits_have(s->bits + x * pc_search_words(s), y) : neighbour_rows_has(s->edges, x, y);
}

/* A v-structure asks if a common neighbour separates its ends; the set is of neighbours of x. Most sets are of none, or
 * of such as have lost an edge to one end by now: of pairs given one node they would be the most of the memory that a
 * size adds. Most have lost that to x, which is told by the marks of x alone; few nodes separate most ends of x, so
 * that their rows stay in the caches. */
static bool may_be_wanted(const pc_search *s, size_t x, size_t y, const size_t *z, size_t n_z) {
    for (size_t i = 0; i < n_z; i++) {
        if (!pc_fate_has_gone(s->edges, z[i], x) && were_adjacent(s, z[i], y) && !pc_fate_has_gone(s->edges, z[i], y))
            return true;
    }
    return false;
}

status pc_search_remove_edge(pc_search *s, size_t x, size_t y, const size_t *z, size_t n_z, error_info *err) {
    if (may_be_wanted(s, x, y, z, n_z))
        CHECK(separating_sets_put(s->sets, x, y, z, n_z, err));
    if (y < x)
        pc_fate_set(neighbour_rows_mark(s->edges, x, y), FATE_GONE_BY_UPPER);
    else
        pc_fate_set(mark_cursor_get(&s->fates, s->edges, y), FATE_GONE_BY_LOWER);
    return STATUS_OK;
}

static status remove_leaving(pc_search *s, size_t x, size_t n_z, error_info *err) {
    for (size_t i = 0; i < s->n_leaving; i++)
        CHECK(pc_search_remove_edge(s, x, s->leaving[i], s->leaving_z + i * n_z, n_z, err));
    s->n_leaving = 0;
    return STATUS_OK;
}

/* The edge of x and y, which z separates, is to be removed. Fates of several ends are far apart: the caches are asked
 * for them before one is written. */
static status put_leaving(pc_search *s, size_t x, size_t y, size_t n_z, error_info *err) {
    CHECK(ARRAY_RESERVE(s->leaving_z, s->leaving_z_capacity, (s->n_leaving + 1) * n_z, err));
    __builtin_prefetch(mark_cursor_get(&s->fates, s->edges, y), 1);
    memcpy(s->leaving_z + s->n_leaving * n_z, s->z, n_z * sizeof *s->z);
    s->leaving[s->n_leaving++] = y;
    return s->n_leaving == PC_MOST_LEAVING ? remove_leaving(s, x, n_z, err) : STATUS_OK;
}

/* What is asked of a pair from its second end has the answer of the first: the edge stayed. */
status pc_search_separate_open(pc_search *s, size_t x, double fewest, size_t size, error_info *err) {
    const table_limit *limit = s->rules->unreliable == PC_UNRELIABLE_INDEPENDENT ? NULL : s->rules->limit;
    size_t n_done = 0;
    s->any_set = true;
    for (; n_done < s->n_open && !s->probe.is_expired; n_done++) {
        size_t y = s->open[n_done];
        separation_task task = {.x = x, .y = y, .pool = s->pool, .n_pool = s->n_pool, .size = size};
        separation found;
        task.least_cells = limit ? fewest * table_limit_states(limit, x) : 0;
        if (y < x) {
            neighbour_row known = neighbour_rows_get(s->edges, y);
            task.known = known.items;
            task.n_known = known.count;
        }
        CHECK(separate_at_once(s, &task, &found, err));
        if (!found.is_answered)
            break;
        if (found.is_found)
            CHECK(put_leaving(s, x, y, size, err));
    }
    CHECK(remove_leaving(s, x, size, err));
    s->n_open -= n_done;
    memmove(s->open, s->open + n_done, s->n_open * sizeof *s->open);
    return STATUS_OK;
}

/* --- tests that were asked before --- */

static bool is_in_set(const pc_search *s, size_t node, size_t n_z) {
    for (size_t i = 0; i < n_z; i++) {
        if (s->z[i] == node)
            return true;
    }
    return false;
}

/*
 * True where the other end has been visited already and had the set among its neighbours too: as the edge is there, it
 * has asked for this test.
 */
static bool was_tested(const pc_search *s, size_t x, size_t y, size_t n_z) {
    if (y > x)
        return false;
    if (s->visits)
        return pc_visits_have_tested(s, x, y, n_z);
    for (size_t i = 0; i < n_z; i++) {
        if (!were_adjacent(s, s->z[i], y))
            return false;
    }
    return true;
}

/* Is the set that is to be tested on an edge known to leave its ends dependent? */
static bool is_repeated(pc_search *s, size_t x, size_t y, size_t n_z) {
    const decision_source *quick = s->probe.quick;
    if (!quick || !quick->repeat || !was_tested(s, x, y, n_z))
        return false;
    s->any_performed = quick->repeat(quick->self, y, x, s->z, n_z) || s->any_performed;
    return true;
}

status pc_search_test_edge(pc_search *s, size_t x, size_t y, size_t n_z, bool *independent, error_info *err) {
    *independent = false;
    return is_in_set(s, y, n_z) || is_repeated(s, x, y, n_z) ? STATUS_OK : test_pair(s, x, y, n_z, independent, err);
}

void pc_search_count_test(pc_search *s, size_t x, size_t y, size_t n_z) {
    const decision_source *quick = s->probe.quick;
    if (is_in_set(s, y, n_z) || is_repeated(s, x, y, n_z) || !quick->repeat(quick->self, y, x, s->z, n_z))
        return;
    quick->tally(quick->self, 0, 1);
    s->any_performed = true;
}

/* --- ends of many neighbours, whose tests the source can know at once --- */

/* The set that was chosen, a bit a position. */
static uint64_t given_by(const pc_search *s, size_t n_z) {
    uint64_t given = 0;
    for (size_t i = 0; i < n_z; i++)
        given |= bit_of(s->chosen[i]);
    return given;
}

static void lay_spots(pc_search *s) {
    for (size_t i = 0; s->expects && i < s->n_pool; i++)
        s->spots[s->pool[i]] = i;
}

bool pc_search_is_hub(const pc_search *s, size_t x, size_t size) {
    enum { LEAST_POOL = 32, MOST_POOL = 64, LEAST_SIZE = 3, MOST_SIZE = 4 };
    const decision_source *quick = s->probe.quick;
    size_t n_pool = s->edges->counts[x], pool[MOST_POOL];
    if (!quick || !quick->expect || !s->rules->is_stable || size < LEAST_SIZE || size > MOST_SIZE ||
        n_pool < LEAST_POOL || n_pool > MOST_POOL)
        return false;
    (void)neighbour_rows_copy(s->edges, x, pool);
    return quick->can_expect(quick->self, x, pool, n_pool, size);
}

/* Where most edges have stayed so far, nearly all tests will be asked. */
static status expect(pc_search *s, size_t x, size_t size, error_info *err) {
    const decision_source *quick = s->probe.quick;
    s->expects = pc_search_is_hub(s, x, size) && s->n_open * 2 >= s->n_pool;
    lay_spots(s);
    return s->expects ? quick->expect(quick->self, x, s->pool, s->n_pool, size, true, err) : STATUS_OK;
}

/* Does the set leave the edge, as the source knows without a test? Counted then. */
static bool is_known_dependent(pc_search *s, size_t y, uint64_t given) {
    const decision_source *quick = s->probe.quick;
    verdict v;
    if (!s->expects || association_probe_is_expired(&s->probe) || !quick->depends(quick->self, s->spots[y], given, &v))
        return false;
    quick->tally(quick->self, 1, 1);
    s->any_performed = true;
    return true;
}

/* Of the tests of x and y those that y has asked: their sets are of common neighbours. */
static double count_repeated(const pc_search *s, size_t x, size_t y, size_t size) {
    size_t n_common = 0;
    for (size_t i = 0; y < x && i < s->n_pool; i++)
        n_common += s->pool[i] != y && were_adjacent(s, s->pool[i], y);
    return set_walk_count(n_common, size);
}

/* Finds the open ends that no set separates, as the source knows without a test. Counted then. */
static void find_staying(pc_search *s, size_t x, size_t size) {
    const decision_source *quick = s->probe.quick;
    uint64_t all = bits_below(s->n_pool);
    double n = set_walk_count(s->n_pool - 1, size);
    s->staying = 0;
    for (size_t i = 0; s->expects && i < s->n_open && !association_probe_is_expired(&s->probe); i++) {
        size_t y = s->open[i];
        if (!quick->depends_always(quick->self, s->spots[y], all & ~bit_of(s->spots[y]), size))
            continue;
        quick->tally(quick->self, (uint64_t)n, (uint64_t)(n - count_repeated(s, x, y, size)));
        s->staying |= bit_of(s->spots[y]);
        s->any_performed = true;
    }
}

static bool is_staying(const pc_search *s, size_t y) {
    return s->expects && (s->staying & bit_of(s->spots[y]));
}

static bool all_stay(const pc_search *s) {
    for (size_t i = 0; i < s->n_open; i++) {
        if (!is_staying(s, s->open[i]))
            return false;
    }
    return true;
}

/* --- an end and its sets --- */

/* The set z on every open end but those in it; the ends that it separates from x are open no longer. */
static status test_open(pc_search *s, size_t x, size_t n_z, error_info *err) {
    uint64_t given = s->expects ? given_by(s, n_z) : 0;
    size_t n_kept = 0;
    for (size_t i = 0; i < s->n_open; i++) {
        size_t y = s->open[i];
        bool independent = false;
        if (!is_staying(s, y) && !is_in_set(s, y, n_z) && !is_repeated(s, x, y, n_z) &&
            !is_known_dependent(s, y, given))
            CHECK(test_pair(s, x, y, n_z, &independent, err));
        if (independent)
            CHECK(pc_search_remove_edge(s, x, y, s->z, n_z, err));
        else
            s->open[n_kept++] = y;
    }
    s->n_open = n_kept;
    return STATUS_OK;
}

void pc_search_turn_to(pc_search *s, size_t x) {
    s->attended[0] = x;
    s->pool = s->attended + 1;
    s->n_pool = neighbour_rows_copy(s->edges, x, s->attended + 1);
    mark_cursor_seek(&s->fates, s->edges, x);
}

void pc_search_attend(pc_search *s) {
    association_probe_attend(&s->probe, s->attended, s->n_pool + 1);
}

typedef struct {
    const pc_search *search;
    size_t end;
} visited_end;

/* Neighbours to come ask the tests that they have sets for. */
static bool may_be_asked_again(void *self, size_t x, size_t y, const uint32_t *z, size_t n_z) {
    const visited_end *v = self;
    const neighbour_rows *edges = v->search->edges;
    if (x != v->end || !neighbour_rows_has(edges, y, x))
        return false;
    for (size_t i = 0; i < n_z; i++) {
        if (!neighbour_rows_has(edges, y, z[i]))
            return false;
    }
    return true;
}

void pc_search_release_visited(pc_search *s, size_t x) {
    association_probe_release(&s->probe, &(later_tests){&(visited_end){s, x}, may_be_asked_again});
}

static bool is_never_asked_again(void *self, size_t x, size_t y, const uint32_t *z, size_t n_z) {
    (void)self, (void)x, (void)y, (void)z, (void)n_z;
    return false;
}

void pc_search_release(pc_search *s) {
    association_probe_release(&s->probe, &(later_tests){NULL, is_never_asked_again});
}

status pc_search_announce(pc_search *s, size_t x, size_t size, error_info *err) {
    pc_search_attend(s);
    return expect(s, x, size, err);
}

void pc_search_announce_as(pc_search *s, const pc_search *other) {
    const decision_source *quick = s->probe.quick;
    if (s == other)
        return;
    pc_search_attend(s);
    s->expects = other->expects;
    lay_spots(s);
    if (s->expects)
        quick->expect_as(quick->self, other->probe.quick->self);
}

/* A refused test that says something is asked. */
set_walk pc_search_sets(pc_search *s, size_t x, double fewest, size_t size) {
    const table_limit *limit = s->rules->unreliable == PC_UNRELIABLE_INDEPENDENT ? NULL : s->rules->limit;
    double cells = fewest * table_limit_states(s->rules->limit, x);
    return (set_walk){limit, cells, s->pool, s->n_pool, size, s->chosen, s->z};
}

status pc_search_separate(pc_search *s, size_t x, double fewest, size_t size, error_info *err) {
    set_walk w = pc_search_sets(s, x, fewest, size);
    bool more = set_walk_first(&w);
    s->any_set = true;
    find_staying(s, x, size);
    for (; more && !all_stay(s) && !s->probe.is_expired; more = set_walk_next(&w))
        CHECK(test_open(s, x, size, err));
    return STATUS_OK;
}
