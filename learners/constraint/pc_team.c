/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PC-stable by several threads. Once the pools are frozen, edges have nothing to do with one another: an edge is tested
 * from its lower end, and if it stays, from its upper end. Threads take the ends in ascending order, if they can such
 * as have no neighbour whose turn should have come before: an upper end whose lower one is just being visited leaves
 * this edge for the next round, and what it had counted would be counted again. So every test is asked that one thread
 * would ask, and no other. A hub, and an end with much of a round's work, has work for all: it is left until the round
 * has no other end, and then its edges are shared. Ends that wait for it have the next round.
 */
#include "core/run/spin.h"
#include "learners/constraint/pc_search_internal.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* An end whose edges all threads share. */
typedef struct {
    size_t x;
    double fewest; /* states of an open end */
    size_t *open, n_open;
    size_t n_shares;
} pc_shared_end;

/* When an end of a round is tested. */
typedef enum {
    TURN_OPEN, /* as soon as a thread takes it */
    TURN_TAKEN,
    TURN_SHARED, /* after all others, its edges by all threads */
    TURN_LATER,  /* in the next round: it has edges that cannot be tested before the shared ends */
} end_turn;

struct pc_team {
    crew *threads; /* borrowed */
    size_t n_members, size;
    pc_search *members;
    atomic_bool *is_decided; /* by end: all edges to upper ends have been tested from here */
    bool *is_done;           /* by end: those to lower ends have been, too */
    size_t *ends, n_ends;    /* of this round, ascending */
    pthread_mutex_t lock;    /* of what follows, while ends are taken */
    end_turn *turns;         /* by end of this round */
    size_t n_passed;         /* ends, the first ones, none of which is open */
    const size_t *columns;   /* all, ascending: of the pairs without condition */
    atomic_size_t next;      /* the first of the columns or the shares of `shared` that nobody has taken */
    pc_shared_end shared;
    pc_joint *joint;     /* the end whose tests they share */
    atomic_bool is_over; /* the deadline has passed, or a thread has failed */
};

static void clear_member(pc_search *m) {
    pc_search_clear_rooms(m);
    separating_sets_destroy(m->sets);
}

void pc_team_destroy(pc_team *t) {
    if (!t)
        return;
    for (size_t i = 0; t->members && i <= t->n_members; i++) /* the last may be half made */
        clear_member(&t->members[i]);
    free(t->members);
    free(t->is_decided);
    free(t->is_done);
    free(t->turns);
    free(t->ends);
    free(t->shared.open);
    pc_joint_destroy(t->joint);
    (void)pthread_mutex_destroy(&t->lock);
    free(t);
}

static status init_member(pc_search *m, const pc_search *s, pc_team *t, const pc_helper *helper, error_info *err) {
    *m = (pc_search){.probe = s->probe,
                     .rules = s->rules,
                     .n_variables = s->n_variables,
                     .edges = s->edges,
                     .number = t->n_members,
                     .tally = s->rules->tally,
                     .team = t};
    if (helper) {
        m->probe = (association_probe){.source = helper->source, .quick = helper->quick, .ctx = s->probe.ctx};
        m->tally = helper->tally;
    }
    CHECK(separating_sets_create(&m->sets, err));
    return pc_search_init_rooms(m, err);
}

status pc_team_create(pc_search *s, error_info *err) {
    size_t n = s->n_variables;
    pc_team *t;
    CHECK_ALLOC(t = s->team = calloc(1, sizeof *t));
    (void)pthread_mutex_init(&t->lock, NULL);
    CHECK_ALLOC(t->members = cache_lines_create((s->rules->n_helpers + 2) * sizeof *t->members));
    CHECK_ALLOC(t->is_decided = calloc(n + 1, sizeof *t->is_decided));
    CHECK_ALLOC(t->is_done = calloc(n + 1, sizeof *t->is_done));
    CHECK_ALLOC(t->turns = calloc(n + 1, sizeof *t->turns));
    CHECK_ALLOC(t->ends = calloc(n + 1, sizeof *t->ends));
    CHECK_ALLOC(t->shared.open = calloc(n + 1, sizeof *t->shared.open));
    for (; t->n_members <= s->rules->n_helpers; t->n_members++) {
        size_t i = t->n_members;
        CHECK(init_member(&t->members[i], s, t, i > 0 ? &s->rules->helpers[i - 1] : NULL, err));
    }
    t->threads = s->rules->threads;
    return pc_joint_create(n, t->n_members, &t->joint, err);
}

/* --- without condition --- */

/* The last have the most pairs. */
static status test_columns(void *self, size_t member, error_info *err) {
    pc_team *t = self;
    pc_search *s = &t->members[member];
    status st = STATUS_OK;
    while (!atomic_load(&t->is_over)) {
        size_t i = atomic_fetch_add(&t->next, 1);
        if (i >= s->n_variables)
            break;
        TRY(pc_search_test_below(s, s->n_variables - 1 - i, t->columns, err));
        if (association_probe_is_expired(&s->probe))
            break;
    }
cleanup:
    if (st != STATUS_OK || s->probe.is_expired)
        atomic_store(&t->is_over, true);
    return st;
}

static void take_news(pc_search *s, const pc_search *of) {
    s->any_set = s->any_set || of->any_set;
    s->any_performed = s->any_performed || of->any_performed;
    s->probe.is_expired = s->probe.is_expired || of->probe.is_expired;
}

static void take_all_news(pc_search *s) {
    for (size_t i = 0; i < s->team->n_members; i++)
        take_news(s, &s->team->members[i]);
}

status pc_team_test_pairs(pc_search *s, const size_t *columns, error_info *err) {
    pc_team *t = s->team;
    t->columns = columns;
    atomic_store(&t->next, 0);
    CHECK(crew_run(t->threads, test_columns, t, err));
    take_all_news(s);
    return STATUS_OK;
}

/* --- given sets of one size --- */

/* The ends that an end can be tested with now. */
typedef struct {
    double fewest;       /* states of an end that was open when its turn came, and: */
    double fewest_later; /* of one that may have been */
} prospect;

/* An edge whose lower end is not decided waits. Of an edge one thread writes the fate at a time: that of its lower end,
 * and that of its upper end once the lower one is decided. */
static prospect choose_open(pc_search *s, size_t x) {
    const pc_team *t = s->team;
    const unsigned char *fates = neighbour_rows_marks_below(s->edges, x);
    size_t n_below = neighbour_rows_count_below(s->edges, x);
    bool is_decided = atomic_load_explicit(&t->is_decided[x], memory_order_relaxed);
    prospect p = {INFINITY, INFINITY};
    s->n_open = 0;
    for (size_t i = 0; i < s->n_pool; i++) {
        size_t y = s->pool[i];
        double states = table_limit_states(s->rules->limit, y);
        if (i < n_below && !atomic_load_explicit(&t->is_decided[y], memory_order_acquire)) {
            p.fewest_later = fmin(p.fewest_later, states);
            continue;
        }
        if (i < n_below && fates[i] == FATE_GONE_BY_LOWER)
            continue;
        p.fewest = fmin(p.fewest, states);
        if (i < n_below ? fates[i] == FATE_OPEN : !is_decided)
            s->open[s->n_open++] = y;
    }
    return p;
}

/* Edges to lower ends that are open will have been tested. */
static void mark_tested(pc_search *s, size_t x) {
    unsigned char *fates = neighbour_rows_marks_below(s->edges, x);
    size_t n_below = neighbour_rows_count_below(s->edges, x), at = 0;
    for (size_t i = 0; i < n_below && at < s->n_open; i++) {
        if (s->pool[i] != s->open[at])
            continue;
        pc_fate_set(&fates[i], FATE_TESTED);
        at++;
    }
}

/* Turns to x and the edges that can be tested from there now. All of them wait where the table of one that has to might
 * be the smallest. */
static bool open_end(pc_search *s, size_t x, prospect *p) {
    pc_search_turn_to(s, x);
    *p = choose_open(s, x);
    if (p->fewest_later < p->fewest)
        return false;
    mark_tested(s, x);
    return true;
}

static void close_end(pc_team *t, size_t x, const prospect *p) {
    t->is_done[x] = isinf(p->fewest_later);
    atomic_store_explicit(&t->is_decided[x], true, memory_order_release);
}

/* The open edges of x with every set of its pool. */
static status test_end(pc_search *s, size_t x, double fewest, error_info *err) {
    pc_team *t = s->team;
    if (s->n_open > 0)
        CHECK(pc_search_separate_open(s, x, fewest, t->size, err));
    if (s->n_open > 0)
        CHECK(pc_search_separate(s, x, fewest, t->size, err));
    if (s->probe.is_expired)
        atomic_store(&t->is_over, true);
    return STATUS_OK;
}

static status visit_by_member(pc_search *s, size_t x, error_info *err) {
    prospect p;
    if (!open_end(s, x, &p))
        return STATUS_OK;
    if (s->n_open > 0)
        CHECK(pc_search_announce(s, x, s->team->size, err));
    CHECK(test_end(s, x, p.fewest, err));
    if (!s->probe.is_expired)
        close_end(s->team, x, &p);
    return STATUS_OK;
}

/* Has x an edge that cannot be tested yet? */
static bool waits(const pc_search *s, size_t x) {
    neighbour_row row = neighbour_rows_get(s->edges, x);
    for (size_t i = 0; i < row.count && row.items[i] < x; i++) {
        if (!atomic_load_explicit(&s->team->is_decided[row.items[i]], memory_order_relaxed))
            return true;
    }
    return false;
}

/* The first open end that waits for nothing, or else the first one; false if there is none. */
static bool find_open_end(const pc_search *s, size_t *x) {
    enum { MOST = 16 }; /* that are looked at */
    const pc_team *t = s->team;
    size_t n_open = 0;
    for (size_t i = t->n_passed; i < t->n_ends && n_open < MOST; i++) {
        size_t end = t->ends[i];
        if (t->turns[end] != TURN_OPEN)
            continue;
        if (!waits(s, end)) {
            *x = end;
            return true;
        }
        if (n_open++ == 0)
            *x = end;
    }
    return n_open > 0;
}

static bool take_end(const pc_search *s, size_t *x) {
    pc_team *t = s->team;
    bool is_found;
    spin_lock(&t->lock);
    while (t->n_passed < t->n_ends && t->turns[t->ends[t->n_passed]] != TURN_OPEN)
        t->n_passed++;
    is_found = find_open_end(s, x);
    if (is_found)
        t->turns[*x] = TURN_TAKEN;
    (void)pthread_mutex_unlock(&t->lock);
    return is_found;
}

static status visit_ends(void *self, size_t member, error_info *err) {
    pc_team *t = self;
    pc_search *s = &t->members[member];
    status st = STATUS_OK;
    size_t x = 0;
    while (!atomic_load(&t->is_over) && take_end(s, &x)) {
        TRY(visit_by_member(s, x, err));
        pc_search_release(s);
    }
cleanup:
    if (st != STATUS_OK)
        atomic_store(&t->is_over, true);
    return st;
}

/* Takes every so manieth of the edges that are open at the shared end. */
static void take_share(pc_search *s, const pc_shared_end *shared, size_t share) {
    s->n_open = 0;
    for (size_t i = share; i < shared->n_open; i += shared->n_shares)
        s->open[s->n_open++] = shared->open[i];
}

static status test_shares(void *self, size_t member, error_info *err) {
    pc_team *t = self;
    pc_shared_end *shared = &t->shared;
    pc_search *s = &t->members[member];
    status st = STATUS_OK;
    while (!atomic_load(&t->is_over)) {
        size_t share = atomic_fetch_add(&t->next, 1);
        if (share >= shared->n_shares)
            break;
        pc_search_turn_to(s, shared->x);
        take_share(s, shared, share);
        pc_search_announce_as(s, &t->members[0]);
        TRY(test_end(s, shared->x, shared->fewest, err));
    }
    pc_search_release(s);
cleanup:
    if (st != STATUS_OK)
        atomic_store(&t->is_over, true);
    return st;
}

static status test_jointly(void *self, size_t member, error_info *err) {
    pc_team *t = self;
    pc_search *s = &t->members[member];
    status st = STATUS_OK;
    size_t share;
    while (!atomic_load(&t->is_over) && (share = atomic_fetch_add(&t->next, 1)) < t->n_members) {
        pc_search_turn_to(s, t->shared.x);
        pc_search_announce_as(s, &t->members[0]);
        TRY(pc_joint_test(t->joint, share, s, err));
        if (s->probe.is_expired)
            atomic_store(&t->is_over, true);
    }
    pc_search_release(s);
cleanup:
    if (st != STATUS_OK)
        atomic_store(&t->is_over, true);
    return st;
}

static status count_jointly(void *self, size_t member, error_info *err) {
    pc_team *t = self;
    pc_search *s = &t->members[member];
    size_t share;
    (void)err;
    while ((share = atomic_fetch_add(&t->next, 1)) < t->n_members) {
        pc_search_turn_to(s, t->shared.x);
        pc_joint_count(t->joint, share, s);
    }
    return STATUS_OK;
}

static void remember_counts(pc_team *t) {
    for (size_t i = 0; i < t->n_members; i++) {
        pc_search *m = &t->members[i];
        m->tally_before = *m->tally;
        m->any_performed_before = m->any_performed;
    }
}

static void forget_counts(pc_team *t) {
    for (size_t i = 0; i < t->n_members; i++) {
        pc_search *m = &t->members[i];
        *m->tally = m->tally_before;
        m->any_performed = m->any_performed_before;
    }
}

static status run_by_crew(void *self, parallel_work work, void *arg, error_info *err) {
    return crew_run(self, work, arg, err);
}

/* What the first announces, it may have all threads count. */
static void share_with_crew(pc_team *t) {
    const decision_source *quick = t->members[0].probe.quick;
    if (quick->share)
        quick->share(quick->self, (work_sharing){t->threads, run_by_crew});
}

static void share_with_nobody(pc_team *t) {
    const decision_source *quick = t->members[0].probe.quick;
    if (quick->share)
        quick->share(quick->self, (work_sharing){0});
}

/* By the tests of each edge. */
static status share_tests(pc_team *t, double fewest, error_info *err) {
    pc_search *first = &t->members[0];
    CHECK(pc_joint_begin(t->joint, first, t->shared.x, fewest, t->size, err));
    remember_counts(t);
    atomic_store(&t->next, 0);
    CHECK(crew_run(t->threads, test_jointly, t, err));
    if (!pc_joint_has_found(t->joint))
        return STATUS_OK;
    CHECK(pc_joint_remove(t->joint, first, err));
    if (atomic_load(&t->is_over))
        return STATUS_OK;
    forget_counts(t);
    atomic_store(&t->next, 0);
    return crew_run(t->threads, count_jointly, t, err);
}

/* Edge by edge. */
static status share_edges(pc_team *t, double fewest, error_info *err) {
    pc_search *first = &t->members[0];
    t->shared.fewest = fewest;
    t->shared.n_shares = t->n_members;
    t->shared.n_open = first->n_open;
    memcpy(t->shared.open, first->open, first->n_open * sizeof *first->open);
    atomic_store(&t->next, 0);
    return crew_run(t->threads, test_shares, t, err);
}

/* The open edges of x, which the first member has turned to. What a source tells of all sets at once it tells of an
 * edge: given sets that it separates by, and where it was told what to expect. */
static status test_together(pc_team *t, size_t x, double fewest, error_info *err) {
    pc_search *first = &t->members[0];
    CHECK(pc_search_announce(first, x, t->size, err));
    t->shared.x = x;
    return t->size <= first->probe.quick->most_separated || first->expects ? share_edges(t, fewest, err)
                                                                           : share_tests(t, fewest, err);
}

static status visit_together(pc_team *t, size_t x, error_info *err) {
    pc_search *first = &t->members[0];
    prospect p;
    if (!open_end(first, x, &p))
        return STATUS_OK;
    if (first->n_open > 0)
        CHECK(test_together(t, x, p.fewest, err));
    if (!atomic_load(&t->is_over))
        close_end(t, x, &p);
    return STATUS_OK;
}

static status visit_shared(pc_team *t, error_info *err) {
    status st = STATUS_OK;
    share_with_crew(t);
    for (size_t i = 0; i < t->n_ends && !atomic_load(&t->is_over); i++) {
        if (t->turns[t->ends[i]] == TURN_SHARED)
            TRY(visit_together(t, t->ends[i], err));
    }
cleanup:
    share_with_nobody(t);
    return st;
}

static void begin_members(pc_search *s) {
    pc_team *t = s->team;
    for (size_t i = 0; i < t->n_members; i++) {
        t->members[i].bits = s->bits;
        t->members[i].visits = s->visits;
        t->members[i].order = s->order;
        t->members[i].any_set = t->members[i].any_performed = false;
        mark_cursor_restart(&t->members[i].fates, s->edges);
    }
}

static void begin_size(pc_search *s, size_t size) {
    pc_team *t = s->team;
    begin_members(s);
    t->size = size;
    t->n_ends = 0;
    for (size_t x = 0; x < s->n_variables; x++) {
        bool has_sets = s->edges->counts[x] > size;
        atomic_store_explicit(&t->is_decided[x], !has_sets, memory_order_relaxed);
        t->is_done[x] = !has_sets;
        if (has_sets)
            t->ends[t->n_ends++] = x;
    }
}

static void keep_undone(pc_team *t) {
    size_t n_kept = 0;
    for (size_t i = 0; i < t->n_ends; i++) {
        if (!t->is_done[t->ends[i]])
            t->ends[n_kept++] = t->ends[i];
    }
    t->n_ends = n_kept;
}

status pc_team_move_sets(pc_search *s, const set_filter *wanted, error_info *err) {
    pc_team *t = s->team;
    for (size_t i = 0; i < t->n_members; i++) {
        separating_sets_keep(t->members[i].sets, wanted);
        CHECK(separating_sets_move(t->members[i].sets, s->sets, err));
    }
    return STATUS_OK;
}

/* At most. */
static double count_tests(const pc_search *s, size_t x, size_t size) {
    size_t n = s->edges->counts[x];
    return (double)n * set_walk_count(n - 1, size);
}

/* A hub, or an end that may take one thread longer than the others take for the rest of the round? */
static bool is_for_all(const pc_search *s, size_t x, double n_tests_of_round) {
    enum { MANY = 1000 }; /* tests: threads meet in less time */
    double n = count_tests(s, x, s->team->size);
    bool is_large = n >= MANY && n * 2 * (double)s->team->n_members > n_tests_of_round;
    return is_large || pc_search_is_hub(s, x, s->team->size);
}

/* Has x an edge to a lower end that is shared, or waits for one? */
static bool waits_for_shared(const pc_search *s, size_t x) {
    const pc_team *t = s->team;
    neighbour_row row = neighbour_rows_get(s->edges, x);
    for (size_t i = 0; i < row.count && row.items[i] < x; i++) {
        size_t y = row.items[i];
        if (!atomic_load_explicit(&t->is_decided[y], memory_order_relaxed) && t->turns[y] != TURN_OPEN)
            return true;
    }
    return false;
}

static void plan_round(pc_search *s) {
    pc_team *t = s->team;
    double n_tests = 0;
    for (size_t i = 0; i < t->n_ends; i++)
        n_tests += count_tests(s, t->ends[i], t->size);
    for (size_t i = 0; i < t->n_ends; i++) {
        size_t x = t->ends[i];
        t->turns[x] = waits_for_shared(s, x) ? TURN_LATER : is_for_all(s, x, n_tests) ? TURN_SHARED : TURN_OPEN;
    }
    t->n_passed = 0;
}

/* The first end of a round waits for nothing. */
status pc_team_test_size(pc_search *s, size_t size, error_info *err) {
    pc_team *t = s->team;
    begin_size(s, size);
    while (t->n_ends > 0 && !atomic_load(&t->is_over)) {
        plan_round(s);
        CHECK(crew_run(t->threads, visit_ends, t, err));
        CHECK(visit_shared(t, err));
        keep_undone(t);
    }
    take_all_news(s);
    return STATUS_OK;
}

/* --- by whatever rule --- */

typedef struct {
    pc_team *team;
    status (*work)(void *self, pc_search *member, error_info *err);
    void *self;
} team_work;

static status work_as_member(void *self, size_t member, error_info *err) {
    const team_work *w = self;
    return w->work(w->self, &w->team->members[member], err);
}

status pc_team_run(pc_search *s, status (*work)(void *self, pc_search *member, error_info *err), void *self,
                   error_info *err) {
    team_work w = {s->team, work, self};
    begin_members(s);
    CHECK(crew_run(s->team->threads, work_as_member, &w, err));
    take_all_news(s);
    return STATUS_OK;
}

pc_search *pc_team_member(const pc_team *t, size_t number) {
    return &t->members[number];
}

bool pc_team_is_wanted(const pc_search *s) {
    const decision_source *quick = s->rules->quick;
    return s->rules->n_helpers > 0 && quick && quick->repeat;
}
