/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The skeleton of PC (Spirtes, Glymour, Scheines 2000, section 5.4.2) and of PC-stable (Colombo, Maathuis 2014,
 * Algorithm 4.1). For set sizes 0, 1, 2, ...: an edge goes as soon as a set of that size, of neighbours of one of its
 * ends, makes its ends independent. A pair that is not adjacent has the set that separated it in `sets`, unless it is
 * the empty one.
 */
#include "learners/constraint/pc_skeleton.h"

#include "core/base/array.h"
#include "core/graph/index_list.h"
#include "core/run/crew.h"
#include "learners/base/set_walk.h"
#include "learners/constraint/association_probe_internal.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct team team;

/* An edge that a thread has taken away: its separating set is among the members of the list. */
typedef struct {
    size_t x, y, start, n_z;
} removal;

typedef struct {
    removal *items;
    size_t count, capacity;
    size_t *members;
    size_t n_members, members_capacity;
} removal_list;

typedef struct {
    association_probe probe;
    const pc_rules *rules;
    size_t n_variables;
    index_list *adjacent; /* by node, as it stands */
    index_list *frozen;   /* stable: as it stood when this size began, and: */
    uint64_t *bits;       /* the same, a row a node; NULL: too many */
    index_list *gone;     /* stable: what has to leave `adjacent` */
    separating_sets *sets;

    /* one end x with a pool of neighbours that sets are made of, and the other ends to be tested */
    const size_t *pool;
    size_t n_pool;
    size_t *open;
    size_t n_open;
    size_t *others; /* the pool where it is not a list as it stands */
    size_t *attended;
    size_t *chosen, *z; /* a set by position, and its variables */

    bool any_set, any_performed; /* of this size */

    team *team;            /* NULL: one thread does it all */
    removal_list removals; /* of a member of the team, whose graph is that of the search; `adjacent`, `gone` and `sets`
                              it leaves alone */
} search;

/* What every thread has of its own. */
static status init_rooms(search *s, error_info *err) {
    size_t n = s->n_variables;
    CHECK_ALLOC(s->open = calloc(n + 1, sizeof *s->open));
    CHECK_ALLOC(s->others = calloc(n + 1, sizeof *s->others));
    CHECK_ALLOC(s->attended = calloc(n + 1, sizeof *s->attended));
    CHECK_ALLOC(s->chosen = calloc(n + 1, sizeof *s->chosen));
    CHECK_ALLOC(s->z = calloc(n + 1, sizeof *s->z));
    return STATUS_OK;
}

static void clear_rooms(search *s) {
    free(s->open);
    free(s->others);
    free(s->attended);
    free(s->chosen);
    free(s->z);
    free(s->removals.items);
    free(s->removals.members);
}

static status search_init(search *s, error_info *err) {
    size_t n = s->n_variables;
    CHECK_ALLOC(s->adjacent = calloc(n + 1, sizeof *s->adjacent));
    CHECK_ALLOC(s->frozen = calloc(n + 1, sizeof *s->frozen));
    CHECK_ALLOC(s->gone = calloc(n + 1, sizeof *s->gone));
    CHECK(init_rooms(s, err));
    return separating_sets_create(&s->sets, err);
}

static void team_destroy(team *t);

static void search_clear(search *s) {
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
    clear_rooms(s);
    separating_sets_destroy(s->sets);
    team_destroy(s->team);
}

/* --- one test --- */

static status test_pair(search *s, size_t x, size_t y, size_t n_z, bool *independent, error_info *err) {
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

/* --- without condition --- */

static status append(index_list *list, size_t node, error_info *err) {
    CHECK(index_list_reserve(list, list->count + 1, err));
    index_list_insert(list, list->count, node);
    return STATUS_OK;
}

static bool is_expired(void *probe) {
    return association_probe_is_expired(probe);
}

/* All tests of x and y given sets of a pool at once, where the source can do that; a set that is found is in z. */
static status separate_at_once(search *s, separation_task *task, separation *out, error_info *err) {
    const decision_source *quick = s->rules->quick;
    out->is_answered = false;
    if (!quick || !quick->separate)
        return STATUS_OK;
    task->is_expired = is_expired;
    task->clock = &s->probe;
    out->z = s->z;
    CHECK(quick->separate(quick->self, task, out, err));
    s->any_performed = s->any_performed || out->is_answered;
    return STATUS_OK;
}

static status test_without_condition(search *s, size_t x, size_t y, bool *independent, error_info *err) {
    separation_task task = {.x = y, .y = x};
    separation found;
    if (association_probe_is_expired(&s->probe))
        return STATUS_OK;
    CHECK(separate_at_once(s, &task, &found, err));
    *independent = found.is_answered && found.is_found;
    return found.is_answered ? STATUS_OK : test_pair(s, x, y, 0, independent, err);
}

/*
 * Every pair; the edges that stay are put in, as the complete graph would be too large to take them out of. `columns`:
 * all, ascending.
 */
static status test_all_pairs_of(search *s, const size_t *columns, error_info *err) {
    for (size_t y = 0; y < s->n_variables && !association_probe_is_expired(&s->probe); y++) {
        size_t n = association_probe_screen(&s->probe, y, columns, y, s->open);
        s->any_performed = s->any_performed || n < y;
        for (size_t i = 0; i < n; i++) {
            size_t x = s->open[i];
            bool independent = false;
            CHECK(test_without_condition(s, y, x, &independent, err));
            if (s->probe.is_expired)
                break;
            if (independent)
                continue;
            CHECK(append(&s->adjacent[x], y, err));
            CHECK(append(&s->adjacent[y], x, err));
        }
    }
    return STATUS_OK;
}

static status test_all_pairs(search *s, error_info *err) {
    AUTO_FREE size_t *columns = calloc(s->n_variables + 1, sizeof *columns);
    CHECK_ALLOC(columns);
    for (size_t i = 0; i < s->n_variables; i++)
        columns[i] = i;
    return test_all_pairs_of(s, columns, err);
}

/* --- given sets of one size --- */

static void drop(index_list *list, size_t node) {
    bool found;
    size_t place = index_list_find(list, node, &found);
    if (found)
        index_list_remove(list, place);
}

static status note_removal(search *s, size_t x, size_t y, size_t n_z, error_info *err);

/* PC-stable: the end that is visited takes what is left at last, the other one when it is its turn. */
static status remove_edge(search *s, size_t x, size_t y, size_t n_z, error_info *err) {
    if (s->team)
        return note_removal(s, x, y, n_z, err);
    if (s->rules->is_stable) {
        CHECK(append(&s->gone[y], x, err)); /* ends are visited in ascending order */
    } else {
        drop(&s->adjacent[x], y);
        drop(&s->adjacent[y], x);
    }
    return separating_sets_put(s->sets, x, y, s->z, n_z, err);
}

/* Brings the neighbours of an end up to date. */
static void let_go(search *s, size_t x) {
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

static bool is_in_set(const search *s, size_t node, size_t n_z) {
    for (size_t i = 0; i < n_z; i++) {
        if (s->z[i] == node)
            return true;
    }
    return false;
}

static size_t words_of(const search *s) {
    return (s->n_variables + 63) / 64;
}

static bool were_adjacent(const search *s, size_t x, size_t y) {
    return s->bits ? s->bits[x * words_of(s) + y / 64] >> y % 64 & 1 : index_list_has(&s->frozen[x], y);
}

/*
 * True of PC-stable where the other end has been visited already and has the set among its neighbours too: as the edge
 * is there, it has asked for this test.
 */
static bool was_tested(const search *s, size_t x, size_t y, size_t n_z) {
    if (!s->rules->is_stable || y > x)
        return false;
    for (size_t i = 0; i < n_z; i++) {
        if (!were_adjacent(s, s->z[i], y))
            return false;
    }
    return true;
}

/* Is the set that is to be tested on an edge known to leave its ends dependent? */
static bool is_repeated(search *s, size_t x, size_t y, size_t n_z) {
    const decision_source *quick = s->probe.quick;
    if (!quick || !quick->repeat || !was_tested(s, x, y, n_z))
        return false;
    s->any_performed = quick->repeat(quick->self, y, x, s->z, n_z) || s->any_performed;
    return true;
}

/* The set z on every open end but those in it; the ends that it separates from x are open no longer. */
static status test_open(search *s, size_t x, size_t n_z, error_info *err) {
    size_t n_kept = 0;
    for (size_t i = 0; i < s->n_open; i++) {
        size_t y = s->open[i];
        bool independent = false;
        if (!is_in_set(s, y, n_z) && !is_repeated(s, x, y, n_z))
            CHECK(test_pair(s, x, y, n_z, &independent, err));
        if (independent)
            CHECK(remove_edge(s, x, y, n_z, err));
        else
            s->open[n_kept++] = y;
    }
    s->n_open = n_kept;
    return STATUS_OK;
}

/* The fewest states of an open end. */
static double fewest_states(const search *s) {
    double fewest = INFINITY;
    for (size_t i = 0; i < s->n_open; i++)
        fewest = fmin(fewest, table_limit_states(s->rules->limit, s->open[i]));
    return fewest;
}

/* The tests of an end are about itself and its pool. */
static void attend(search *s, size_t x, const size_t *pool, size_t n_pool) {
    s->attended[0] = x;
    if (n_pool > 0)
        memcpy(s->attended + 1, pool, n_pool * sizeof *pool);
    association_probe_attend(&s->probe, s->attended, n_pool + 1);
}

/* Every set of that size from the pool, as long as there are open ends, of which one has so many states at least. A
 * refused test that says something is asked. */
static status separate_from(search *s, size_t x, double fewest, size_t size, error_info *err) {
    const table_limit *limit = s->rules->unreliable == PC_UNRELIABLE_INDEPENDENT ? NULL : s->rules->limit;
    double cells = fewest * table_limit_states(s->rules->limit, x);
    set_walk w = {limit, cells, s->pool, s->n_pool, size, s->chosen, s->z};
    bool more = set_walk_first(&w);
    s->any_set = true;
    for (; more && s->n_open > 0 && !s->probe.is_expired; more = set_walk_next(&w))
        CHECK(test_open(s, x, size, err));
    return STATUS_OK;
}

static status separate(search *s, size_t x, size_t size, error_info *err) {
    return separate_from(s, x, fewest_states(s), size, err);
}

typedef struct {
    const search *search;
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
    const search *s = v->search;
    const index_list *pool = s->rules->is_stable ? &s->frozen[y] : &s->adjacent[y];
    if (x != v->visited || !holds(&s->adjacent[y], x))
        return false;
    for (size_t i = 0; i < n_z; i++) {
        if (!holds(pool, z[i]))
            return false;
    }
    return true;
}

/*
 * The open ends one after the other, as far as the source answers; those that stay are the neighbours of x. What is
 * asked of a pair from its second end has the answer of the first: the edge stayed.
 */
static status separate_at_once_from(search *s, size_t x, size_t size, size_t *n_done, error_info *err) {
    index_list *adjacent = &s->adjacent[x];
    s->any_set = true;
    adjacent->count = 0;
    for (*n_done = 0; *n_done < s->n_open && !s->probe.is_expired; ++*n_done) {
        size_t y = s->open[*n_done];
        separation_task task = {.x = x, .y = y, .pool = s->pool, .n_pool = s->n_pool, .size = size};
        separation found;
        if (y < x) {
            task.known = s->frozen[y].items;
            task.n_known = s->frozen[y].count;
        }
        CHECK(separate_at_once(s, &task, &found, err));
        if (!found.is_answered)
            break;
        if (found.is_found)
            CHECK(remove_edge(s, x, y, size, err));
        else
            adjacent->items[adjacent->count++] = y;
    }
    s->n_open -= *n_done;
    memmove(s->open, s->open + *n_done, s->n_open * sizeof *s->open);
    return STATUS_OK;
}

/* PC-stable: the pool is the same for all ends, so a set takes them in turn. */
static status visit_stable(search *s, size_t x, size_t size, error_info *err) {
    index_list *adjacent = &s->adjacent[x];
    size_t n_done = 0;
    let_go(s, x);
    if (adjacent->count == 0 || s->frozen[x].count <= size)
        return STATUS_OK;
    s->pool = s->frozen[x].items;
    s->n_pool = s->frozen[x].count;
    memcpy(s->open, adjacent->items, adjacent->count * sizeof *s->open);
    s->n_open = adjacent->count;
    CHECK(separate_at_once_from(s, x, size, &n_done, err));
    if (s->n_open > 0) {
        attend(s, x, s->pool, s->n_pool);
        CHECK(separate(s, x, size, err));
    }
    memcpy(adjacent->items + adjacent->count, s->open, s->n_open * sizeof *s->open);
    adjacent->count += s->n_open;
    return STATUS_OK;
}

/* PC: an edge that goes leaves a smaller pool to the next end. */
static status visit_original(search *s, size_t x, size_t size, error_info *err) {
    const index_list *adjacent = &s->adjacent[x];
    size_t i = 0;
    attend(s, x, adjacent->items, adjacent->count);
    while (i < adjacent->count && adjacent->count > size && !s->probe.is_expired) {
        s->n_pool = adjacent->count - 1;
        memcpy(s->others, adjacent->items, i * sizeof *s->others);
        memcpy(s->others + i, adjacent->items + i + 1, (s->n_pool - i) * sizeof *s->others);
        s->pool = s->others;
        s->open[0] = adjacent->items[i];
        s->n_open = 1;
        CHECK(separate(s, x, size, err));
        i += s->n_open; /* the next one, which has moved up if the edge is gone */
    }
    return STATUS_OK;
}

/* Without memory it goes without. */
static void lay_bits(search *s) {
    enum { MOST = 1 << 15 }; /* nodes: 128 MiB */
    if (!s->bits && s->n_variables <= MOST)
        s->bits = calloc(s->n_variables, words_of(s) * sizeof *s->bits);
    else if (s->bits)
        memset(s->bits, 0, s->n_variables * words_of(s) * sizeof *s->bits);
    for (size_t x = 0; s->bits && x < s->n_variables; x++) {
        for (size_t i = 0; i < s->frozen[x].count; i++)
            s->bits[x * words_of(s) + s->frozen[x].items[i] / 64] |= UINT64_C(1) << s->frozen[x].items[i] % 64;
    }
}

static status freeze(search *s, error_info *err) {
    for (size_t x = 0; x < s->n_variables; x++) {
        index_list_clear(&s->frozen[x]);
        CHECK(index_list_copy(&s->adjacent[x], &s->frozen[x], err));
    }
    lay_bits(s);
    return STATUS_OK;
}

/* --- PC-stable by several threads --- */

/*
 * Once the pools are frozen, edges have nothing to do with one another: an edge is tested from its lower end, and if it
 * stays, from its upper end. Threads take the ends in ascending order; an upper end whose lower one is just being
 * visited leaves this edge for the next round. So every test is asked that one thread would ask, and no other.
 */
typedef enum {
    FATE_OPEN,
    FATE_TESTED, /* from both ends */
    FATE_GONE_BY_LOWER,
    FATE_GONE_BY_UPPER,
} fate;

struct team {
    crew *threads;
    size_t n_members, size;
    search *members;
    size_t *starts;       /* by end: where its neighbours begin in: */
    unsigned char *fates; /* by end and frozen neighbour; of an edge one thread writes at a time: that of its lower
                             end, and that of its upper end once the lower one is decided */
    size_t fates_capacity;
    atomic_bool *is_decided; /* by end: all edges to upper ends have been tested from here */
    bool *is_done;           /* by end: those to lower ends have been, too */
    size_t *ends, n_ends;    /* of this round, ascending */
    atomic_size_t next;      /* the first of them that nobody has taken */
    atomic_bool is_over;     /* the deadline has passed, or a thread has failed */
};

static void team_destroy(team *t) {
    if (!t)
        return;
    crew_destroy(t->threads);
    for (size_t i = 0; t->members && i < t->n_members; i++)
        clear_rooms(&t->members[i]);
    free(t->members);
    free(t->starts);
    free(t->fates);
    free(t->is_decided);
    free(t->is_done);
    free(t->ends);
    free(t);
}

static status init_member(search *m, const search *s, team *t, const pc_helper *helper, error_info *err) {
    *m = (search){.probe = s->probe, .rules = s->rules, .n_variables = s->n_variables, .frozen = s->frozen, .team = t};
    if (helper)
        m->probe = (association_probe){.source = helper->source, .quick = helper->quick, .ctx = s->probe.ctx};
    return init_rooms(m, err);
}

static status make_team(search *s, error_info *err) {
    size_t n = s->n_variables;
    team *t;
    CHECK_ALLOC(t = s->team = calloc(1, sizeof *t));
    CHECK_ALLOC(t->members = calloc(s->rules->n_helpers + 1, sizeof *t->members));
    CHECK_ALLOC(t->starts = calloc(n + 1, sizeof *t->starts));
    CHECK_ALLOC(t->is_decided = calloc(n + 1, sizeof *t->is_decided));
    CHECK_ALLOC(t->is_done = calloc(n + 1, sizeof *t->is_done));
    CHECK_ALLOC(t->ends = calloc(n + 1, sizeof *t->ends));
    for (; t->n_members <= s->rules->n_helpers; t->n_members++) {
        size_t i = t->n_members;
        CHECK(init_member(&t->members[i], s, t, i > 0 ? &s->rules->helpers[i - 1] : NULL, err));
    }
    return crew_create(t->n_members, &t->threads, err);
}

static unsigned char *fate_of(const search *s, size_t x, size_t y) {
    bool is_found;
    return &s->team->fates[s->team->starts[x] + index_list_find(&s->frozen[x], y, &is_found)];
}

static status note_removal(search *s, size_t x, size_t y, size_t n_z, error_info *err) {
    removal_list *r = &s->removals;
    *fate_of(s, x, y) = *fate_of(s, y, x) = x < y ? FATE_GONE_BY_LOWER : FATE_GONE_BY_UPPER;
    CHECK(ARRAY_RESERVE(r->members, r->members_capacity, r->n_members + n_z + 1, err));
    CHECK(ARRAY_PUSH(r->items, r->count, r->capacity, err, (removal){x, y, r->n_members, n_z}));
    memcpy(r->members + r->n_members, s->z, n_z * sizeof *s->z);
    r->n_members += n_z;
    return STATUS_OK;
}

/* The ends that an end can be tested with now. */
typedef struct {
    double fewest;       /* states of an end that was open when its turn came, and: */
    double fewest_later; /* of one that may have been */
} prospect;

static prospect choose_open(search *s, size_t x) {
    const team *t = s->team;
    const index_list *neighbours = &s->frozen[x];
    bool is_decided = atomic_load_explicit(&t->is_decided[x], memory_order_relaxed);
    prospect p = {INFINITY, INFINITY};
    s->n_open = 0;
    for (size_t i = 0; i < neighbours->count; i++) {
        size_t y = neighbours->items[i];
        double states = table_limit_states(s->rules->limit, y);
        if (y < x && !atomic_load_explicit(&t->is_decided[y], memory_order_acquire)) {
            p.fewest_later = fmin(p.fewest_later, states);
            continue;
        }
        if (y < x && t->fates[t->starts[x] + i] == FATE_GONE_BY_LOWER)
            continue;
        p.fewest = fmin(p.fewest, states);
        if (y < x ? t->fates[t->starts[x] + i] == FATE_OPEN : !is_decided)
            s->open[s->n_open++] = y;
    }
    return p;
}

/* As visit_stable. An edge whose lower end is not decided waits; all do where its table might be the smallest. */
static status visit_by_member(search *s, size_t x, error_info *err) {
    team *t = s->team;
    prospect p = choose_open(s, x);
    if (p.fewest_later < p.fewest)
        return STATUS_OK;
    for (size_t i = 0; i < s->n_open && s->open[i] < x; i++)
        *fate_of(s, x, s->open[i]) = FATE_TESTED;
    s->pool = s->frozen[x].items;
    s->n_pool = s->frozen[x].count;
    if (s->n_open > 0) {
        attend(s, x, s->pool, s->n_pool);
        CHECK(separate_from(s, x, p.fewest, t->size, err));
    }
    t->is_done[x] = isinf(p.fewest_later);
    if (s->probe.is_expired)
        atomic_store(&t->is_over, true);
    else
        atomic_store_explicit(&t->is_decided[x], true, memory_order_release);
    return STATUS_OK;
}

/* A source that offers `repeat` is asked nothing twice. */
static bool is_never_asked_again(void *self, size_t x, size_t y, const uint32_t *z, size_t n_z) {
    (void)self, (void)x, (void)y, (void)z, (void)n_z;
    return false;
}

static status visit_ends(void *self, size_t member, error_info *err) {
    team *t = self;
    search *s = &t->members[member];
    status st = STATUS_OK;
    while (!atomic_load(&t->is_over)) {
        size_t i = atomic_fetch_add(&t->next, 1);
        if (i >= t->n_ends)
            break;
        TRY(visit_by_member(s, t->ends[i], err));
        association_probe_release(&s->probe, &(later_tests){NULL, is_never_asked_again});
    }
cleanup:
    if (st != STATUS_OK)
        atomic_store(&t->is_over, true);
    return st;
}

static status begin_size(search *s, size_t size, error_info *err) {
    team *t = s->team;
    size_t n = 0;
    t->size = size;
    t->n_ends = 0;
    for (size_t x = 0; x < s->n_variables; x++) {
        bool has_sets = s->frozen[x].count > size;
        t->starts[x] = n;
        n += s->frozen[x].count;
        atomic_store_explicit(&t->is_decided[x], !has_sets, memory_order_relaxed);
        t->is_done[x] = !has_sets;
        if (has_sets)
            t->ends[t->n_ends++] = x;
    }
    CHECK(ARRAY_RESERVE(t->fates, t->fates_capacity, n + 1, err));
    memset(t->fates, FATE_OPEN, n);
    for (size_t i = 0; i < t->n_members; i++) {
        t->members[i].bits = s->bits;
        t->members[i].any_set = t->members[i].any_performed = false;
    }
    return STATUS_OK;
}

static void keep_undone(team *t) {
    size_t n_kept = 0;
    for (size_t i = 0; i < t->n_ends; i++) {
        if (!t->is_done[t->ends[i]])
            t->ends[n_kept++] = t->ends[i];
    }
    t->n_ends = n_kept;
}

static status gather_removals(search *s, removal_list *r, error_info *err) {
    for (size_t i = 0; i < r->count; i++) {
        const removal *e = &r->items[i];
        CHECK(separating_sets_put(s->sets, e->x, e->y, r->members + e->start, e->n_z, err));
    }
    r->count = r->n_members = 0;
    return STATUS_OK;
}

static void keep_edges(search *s, size_t x) {
    const unsigned char *fates = s->team->fates + s->team->starts[x];
    index_list *adjacent = &s->adjacent[x];
    size_t n_kept = 0;
    for (size_t i = 0; i < adjacent->count; i++) {
        if (fates[i] != FATE_GONE_BY_LOWER && fates[i] != FATE_GONE_BY_UPPER)
            adjacent->items[n_kept++] = adjacent->items[i];
    }
    adjacent->count = n_kept;
}

static status end_size(search *s, error_info *err) {
    team *t = s->team;
    for (size_t i = 0; i < t->n_members; i++) {
        search *m = &t->members[i];
        s->any_set = s->any_set || m->any_set;
        s->any_performed = s->any_performed || m->any_performed;
        s->probe.is_expired = s->probe.is_expired || m->probe.is_expired;
        CHECK(gather_removals(s, &m->removals, err));
    }
    for (size_t x = 0; x < s->n_variables; x++)
        keep_edges(s, x);
    return STATUS_OK;
}

/* The first end of a round can always be visited in full. */
static status test_size_by_team(search *s, size_t size, error_info *err) {
    team *t = s->team;
    CHECK(begin_size(s, size, err));
    while (t->n_ends > 0 && !atomic_load(&t->is_over)) {
        atomic_store(&t->next, 0);
        CHECK(crew_run(t->threads, visit_ends, t, err));
        keep_undone(t);
    }
    return end_size(s, err);
}

static bool wants_team(const search *s) {
    const decision_source *quick = s->rules->quick;
    return s->rules->is_stable && s->rules->n_helpers > 0 && quick && quick->repeat;
}

static status test_size(search *s, size_t size, error_info *err) {
    s->any_set = s->any_performed = false;
    if (s->rules->is_stable)
        CHECK(freeze(s, err));
    if (wants_team(s) && !s->team)
        CHECK(make_team(s, err));
    if (s->team)
        return test_size_by_team(s, size, err);
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
static bool is_worth_going_on(const search *s) {
    return !s->probe.is_expired && s->any_set &&
           (s->any_performed || s->rules->unreliable == PC_UNRELIABLE_INDEPENDENT);
}

static status test_all(search *s, error_info *err) {
    size_t largest = s->rules->max_k < 0 ? s->n_variables : (size_t)s->rules->max_k;
    s->any_set = true;
    CHECK(test_all_pairs(s, err));
    for (size_t size = 1; size <= largest && is_worth_going_on(s); size++)
        CHECK(test_size(s, size, err));
    return STATUS_OK;
}

static status make_graph(const search *s, pdag **out, error_info *err) {
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
    search s = {
        .probe = {.source = *source, .quick = rules->quick, .ctx = ctx}, .rules = rules, .n_variables = n_variables};

    CHECK(search_init(&s, err));
    CHECK(test_all(&s, err));
    CHECK(make_graph(&s, out, err));
    *sets = TAKE(s.sets);
    *is_cut_short = s.probe.is_expired;
    return STATUS_OK;
}
