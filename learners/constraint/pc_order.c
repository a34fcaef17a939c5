/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PC whose sets come from the present neighbours (Spirtes, Glymour, Scheines 2000, section 5.4.2), so what a visit of
 * an end tests depends on the edges that the visits of lower ends have removed. It depends on nothing else: the pool of
 * an end is known as soon as each of its lower neighbours has tested their common edge. So threads visit any ends of
 * which that is true, and every visit asks the tests that it would ask if one end were visited after the other.
 *
 * Edges stay in their rows until all ends have been visited; those that are gone are marked. An end that has started
 * keeps the neighbours that it started with, and removes edges from these by itself: what a higher neighbour removes
 * meanwhile comes later in the order.
 *
 * A thread that no end is left for takes part in another's visit: it tests further edges as if the ones before them
 * stayed. Mostly they do; what was found and counted of edges after one that goes is forgotten.
 */
#include "core/base/array.h"
#include "core/run/atomic_least.h"
#include "core/run/shared_work.h"
#include "core/run/spin.h"
#include "learners/constraint/pc_search_internal.h"

#include <stdlib.h>
#include <string.h>

/* What the tests of an edge have counted. */
typedef struct {
    statistics_count tests;
    bool any_performed;
} edge_report;

/* Edges of one visit that threads take one by one. */
typedef struct {
    pc_search *owner;
    size_t x;
    atomic_size_t next; /* the first that nobody has taken, by place of its neighbour */
    atomic_size_t end;  /* the first that is known to be separated; all of them: none is */
    atomic_bool is_expired;
    edge_report *reports; /* by place */
    size_t *found_z;      /* by place: the set that separates the edge */
    size_t capacity, found_z_capacity;
} edge_pile;

struct pc_order {
    size_t size; /* of sets */

    /* for threads */
    bool is_shared;          /* else there is one */
    atomic_size_t *n_before; /* by end: lower neighbours that have not tested the edge to it */
    size_t *ends, n_ends;    /* that have sets, ascending */
    pthread_mutex_t lock;    /* of what follows */
    pthread_cond_t change;
    shared_work waiting; /* for ends that can be visited, or edges of them */
    bool *is_taken;      /* by end */
    size_t n_passed;     /* ends, the first ones, all of which are taken */
    size_t n_done;       /* ends */
    bool is_over;        /* the deadline has passed, or a thread has failed */
    edge_pile *piles;    /* by member of the team */
    size_t n_piles;
};

void pc_order_destroy(pc_order *o) {
    if (!o)
        return;
    free(o->n_before);
    free(o->ends);
    free(o->is_taken);
    for (size_t i = 0; o->piles && i < o->n_piles; i++) {
        free(o->piles[i].reports);
        free(o->piles[i].found_z);
    }
    free(o->piles);
    (void)pthread_cond_destroy(&o->change);
    (void)pthread_mutex_destroy(&o->lock);
    free(o);
}

status pc_order_create(size_t n, size_t n_members, pc_order **out, error_info *err) {
    AUTO_PTR(pc_order_destroy) pc_order *o = calloc(1, sizeof *o);
    CHECK_ALLOC(o);
    (void)pthread_mutex_init(&o->lock, NULL);
    (void)pthread_cond_init(&o->change, NULL);
    o->waiting = (shared_work){.lock = &o->lock, .change = &o->change};
    CHECK_ALLOC(o->n_before = calloc(n + 1, sizeof *o->n_before));
    CHECK_ALLOC(o->ends = calloc(n + 1, sizeof *o->ends));
    CHECK_ALLOC(o->is_taken = calloc(n + 1, sizeof *o->is_taken));
    CHECK_ALLOC(o->piles = calloc(n_members + 1, sizeof *o->piles));
    o->n_piles = n_members;
    *out = TAKE(o);
    return STATUS_OK;
}

/* --- one edge of a visit --- */

/* The end, and the neighbours that it started with. */
static void attend(pc_search *s, const pc_visit *v, size_t x) {
    s->attended[0] = x;
    s->n_pool = v->count;
    for (size_t i = 0; i < v->count; i++)
        s->attended[i + 1] = v->items[i];
    mark_cursor_seek(&s->fates, s->edges, x);
    pc_search_attend(s);
}

/* The neighbours beside the one at that place that are left are the pool. */
static void lay_pool(pc_search *s, const pc_visit *v, size_t place) {
    s->n_pool = 0;
    for (size_t i = 0; i < v->count; i++) {
        if (i != place && !v->is_gone[i])
            s->others[s->n_pool++] = v->items[i];
    }
    s->pool = s->others;
}

/* Has an edge before this one been found separated meanwhile? This one is to be tested again then. */
static bool is_vain(const edge_pile *p, size_t place) {
    return p && atomic_load_explicit(&p->end, memory_order_relaxed) < place;
}

/* All sets of the pool on the edge to the neighbour at that place, up to one that separates it: it is in z then. */
static status test_edge(pc_search *s, size_t x, size_t place, const edge_pile *of, bool *is_separated,
                        error_info *err) {
    pc_visit v = pc_visits_get(s, x);
    size_t y = v.items[place], size = s->order->size;
    set_walk w;
    bool more;
    lay_pool(s, &v, place);
    w = pc_search_sets(s, x, table_limit_states(s->rules->limit, y), size);
    *is_separated = false;
    more = set_walk_first(&w);
    while (more && !s->probe.is_expired && !is_vain(of, place)) {
        CHECK(pc_search_test_edge(s, x, y, size, is_separated, err));
        more = !*is_separated && set_walk_next(&w);
    }
    return STATUS_OK;
}

/* --- edges that threads take --- */

static void turn_to(pc_search *s, const edge_pile *p) {
    pc_visit v = pc_visits_get(s, p->x);
    if (s != p->owner)
        attend(s, &v, p->x);
}

static status test_taken(pc_search *s, edge_pile *p, size_t place, error_info *err) {
    edge_report *report = &p->reports[place];
    statistics_count before = *s->tally;
    bool is_separated, any_before = s->any_performed;
    size_t size = s->order->size;
    s->any_performed = false;
    CHECK(test_edge(s, p->x, place, p, &is_separated, err));
    *report = (edge_report){statistics_count_since(s->tally, &before), s->any_performed};
    *s->tally = before;
    s->any_performed = any_before;
    if (is_separated) {
        memcpy(p->found_z + place * size, s->z, size * sizeof *s->z);
        atomic_least_lower(&p->end, place);
    }
    return STATUS_OK;
}

/* As a piece of shared work: numbers of members but the owner's count from 1. */
static status test_some(void *self, size_t number, error_info *err) {
    edge_pile *p = self;
    pc_search *s = number > 0 ? pc_team_member(p->owner->team, number - 1) : p->owner;
    size_t n = pc_visits_get(s, p->x).count;
    status st = STATUS_OK;
    turn_to(s, p);
    for (size_t place;
         st == STATUS_OK && !s->probe.is_expired && (place = atomic_fetch_add(&p->next, 1)) < n && !is_vain(p, place);)
        st = test_taken(s, p, place, err);
    if (st != STATUS_OK)
        atomic_least_lower(&p->end, 0); /* what the others find is of no use */
    if (s->probe.is_expired)
        atomic_store(&p->is_expired, true);
    return st;
}

static status begin_pile(edge_pile *p, pc_search *s, size_t x, size_t place, error_info *err) {
    size_t n = pc_visits_get(s, x).count;
    p->owner = s;
    p->x = x;
    CHECK(ARRAY_RESERVE(p->reports, p->capacity, n, err));
    CHECK(ARRAY_RESERVE(p->found_z, p->found_z_capacity, n * s->order->size, err));
    memset(p->reports + place, 0, (n - place) * sizeof *p->reports);
    atomic_store(&p->next, place);
    atomic_store(&p->end, n);
    atomic_store(&p->is_expired, false);
    return STATUS_OK;
}

/* --- a visit --- */

typedef struct {
    size_t x;
    pc_visit visit;
    size_t place;    /* of the neighbour whose edge is to be tested */
    size_t n_left;   /* neighbours */
    size_t released; /* place in the row of x: higher neighbours before it wait for x no longer */
} progress;

/* A neighbour waits for one end less. */
static void let_go_on(pc_order *o, size_t neighbour) {
    if (atomic_fetch_sub_explicit(&o->n_before[neighbour], 1, memory_order_acq_rel) > 1)
        return;
    spin_lock(&o->lock);
    shared_work_tell(&o->waiting);
    (void)pthread_mutex_unlock(&o->lock);
}

/* Higher neighbours up to the last one go on. */
static void let_go_on_up_to(pc_search *s, progress *at, size_t last) {
    neighbour_row row = neighbour_rows_get(s->edges, at->x);
    for (; s->order->is_shared && at->released < row.count && row.items[at->released] <= last; at->released++)
        let_go_on(s->order, row.items[at->released]);
}

/* The edge has been tested; z separates it, or it stays (NULL). */
static status pass_edge(pc_search *s, progress *at, const size_t *z, error_info *err) {
    size_t place = at->place++, y = at->visit.items[place];
    if (z) {
        CHECK(pc_search_remove_edge(s, at->x, y, z, s->order->size, err));
        at->visit.is_gone[place] = true;
        at->n_left--;
    }
    let_go_on_up_to(s, at, y);
    return STATUS_OK;
}

static status test_alone(pc_search *s, progress *at, error_info *err) {
    bool is_separated;
    CHECK(test_edge(s, at->x, at->place, NULL, &is_separated, err));
    return s->probe.is_expired ? STATUS_OK : pass_edge(s, at, is_separated ? s->z : NULL, err);
}

/* Edges up to the first that goes. */
static status test_together(pc_search *s, progress *at, error_info *err) {
    pc_order *o = s->order;
    edge_pile *p = &o->piles[s->number];
    size_t end;
    CHECK(begin_pile(p, s, at->x, at->place, err));
    CHECK(shared_work_run(&o->waiting, s->number + 1, test_some, p, err));
    s->probe.is_expired = s->probe.is_expired || atomic_load(&p->is_expired);
    end = atomic_load(&p->end);
    while (at->place < at->visit.count && at->place <= end && !s->probe.is_expired) {
        const edge_report *report = &p->reports[at->place];
        statistics_count_add(s->tally, &report->tests);
        s->any_performed = s->any_performed || report->any_performed;
        CHECK(pass_edge(s, at, at->place == end ? p->found_z + end * o->size : NULL, err));
    }
    return STATUS_OK;
}

/* Is a thread without work, and are there tests enough to begin together? */
static bool is_worth_sharing(const pc_search *s, const progress *at) {
    enum { MANY = 64 };
    pc_order *o = s->order;
    double n_edges = (double)(at->visit.count - at->place);
    return o->is_shared && n_edges > 1 && atomic_load(&o->waiting.n_free) > 0 &&
           n_edges * set_walk_count(at->n_left - 1, o->size) >= MANY;
}

static status test_edges(pc_search *s, progress *at, error_info *err) {
    size_t size = s->order->size;
    attend(s, &at->visit, at->x);
    s->any_set = s->any_set || at->n_left > size;
    while (at->place < at->visit.count && at->n_left > size && !s->probe.is_expired)
        CHECK(is_worth_sharing(s, at) ? test_together(s, at, err) : test_alone(s, at, err));
    let_go_on_up_to(s, at, s->n_variables);
    return STATUS_OK;
}

static status visit_end(pc_search *s, size_t x, error_info *err) {
    progress at = {.x = x, .visit = pc_visits_start(s, x), .released = neighbour_rows_count_below(s->edges, x)};
    at.n_left = at.visit.count;
    return test_edges(s, &at, err);
}

/* --- all visits, by threads --- */

/* True if an end can be visited that nobody has taken. */
static bool find_end(pc_order *o, size_t *x) {
    enum { MOST = 64 }; /* that are looked at */
    size_t n_open = 0;
    while (o->n_passed < o->n_ends && o->is_taken[o->ends[o->n_passed]])
        o->n_passed++;
    for (size_t i = o->n_passed; i < o->n_ends && n_open < MOST; i++) {
        *x = o->ends[i];
        if (o->is_taken[*x])
            continue;
        if (atomic_load_explicit(&o->n_before[*x], memory_order_acquire) == 0)
            return true;
        n_open++;
    }
    return false;
}

/* What a thread waits for. */
typedef struct {
    pc_order *of;
    size_t x;
    bool is_found;
} end_search;

static bool is_end_there(void *self) {
    end_search *e = self;
    pc_order *o = e->of;
    e->is_found = !o->is_over && find_end(o, &e->x);
    return e->is_found || o->is_over || o->n_done == o->n_ends;
}

/* Waits for one, and takes part in other visits meanwhile; false once all ends are done. */
static bool take_end(pc_order *o, size_t number, size_t *x) {
    end_search e = {.of = o};
    spin_lock(&o->lock);
    shared_work_take_part_until(&o->waiting, number, is_end_there, &e);
    if (e.is_found)
        o->is_taken[e.x] = true;
    (void)pthread_mutex_unlock(&o->lock);
    *x = e.x;
    return e.is_found;
}

static void end_visit(pc_order *o) {
    spin_lock(&o->lock);
    if (++o->n_done == o->n_ends)
        shared_work_tell(&o->waiting);
    (void)pthread_mutex_unlock(&o->lock);
}

static void end_all(pc_order *o) {
    spin_lock(&o->lock);
    o->is_over = true;
    shared_work_tell(&o->waiting);
    (void)pthread_mutex_unlock(&o->lock);
}

static status visit_some(void *self, pc_search *member, error_info *err) {
    pc_order *o = self;
    status st = STATUS_OK;
    size_t x;
    while (st == STATUS_OK && !member->probe.is_expired && take_end(o, member->number + 1, &x)) {
        st = visit_end(member, x, err);
        pc_search_release(member);
        end_visit(o);
    }
    if (st != STATUS_OK || member->probe.is_expired)
        end_all(o);
    return st;
}

/* Every end waits for its lower neighbours that have sets. */
static void plan(const pc_search *s) {
    pc_order *o = s->order;
    o->n_ends = o->n_passed = o->n_done = 0;
    for (size_t x = 0; x < s->n_variables; x++)
        atomic_store_explicit(&o->n_before[x], 0, memory_order_relaxed);
    for (size_t x = 0; x < s->n_variables; x++) {
        neighbour_row row = neighbour_rows_get(s->edges, x);
        o->is_taken[x] = false;
        if (row.count <= o->size)
            continue;
        o->ends[o->n_ends++] = x;
        for (size_t i = neighbour_rows_count_below(s->edges, x); i < row.count; i++)
            atomic_fetch_add_explicit(&o->n_before[row.items[i]], 1, memory_order_relaxed);
    }
}

/* --- all visits --- */

static status visit_in_turn(pc_search *s, error_info *err) {
    for (size_t x = 0; x < s->n_variables && !s->probe.is_expired; x++) {
        if (s->edges->counts[x] <= s->order->size)
            continue;
        CHECK(visit_end(s, x, err));
        pc_search_release_visited(s, x);
    }
    return STATUS_OK;
}

/* At most. */
static double count_tests(const pc_search *s) {
    double n_tests = 0;
    for (size_t x = 0; x < s->n_variables; x++) {
        size_t n = s->edges->counts[x];
        if (n > s->order->size)
            n_tests += (double)n * set_walk_count(n - 1, s->order->size);
    }
    return n_tests;
}

status pc_order_test_size(pc_search *s, size_t size, error_info *err) {
    enum { MANY = 500 }; /* tests, for which threads are worth meeting */
    pc_order *o = s->order;
    o->size = size;
    o->is_shared = s->team && count_tests(s) >= MANY;
    pc_visits_forget(s);
    if (!o->is_shared)
        return visit_in_turn(s, err);
    plan(s);
    return pc_team_run(s, visit_some, o, err);
}
