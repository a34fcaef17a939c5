/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The state of a search for PC's skeleton. pc_end.c tests the edges of one end, pc_joint.c has several threads do so
 * together, pc_team.c has them test all ends, pc_order.c tests them as PC does that is not stable,
 * pc_visits.c knows what that has tested, pc_skeleton.c is the
 * search. */
#ifndef BNB_LEARNERS_CONSTRAINT_PC_SEARCH_INTERNAL_H
#define BNB_LEARNERS_CONSTRAINT_PC_SEARCH_INTERNAL_H

#include "core/base/cache_line.h"
#include "learners/base/set_walk.h"
#include "learners/constraint/association_probe_internal.h"
#include "learners/constraint/neighbour_rows.h"
#include "learners/constraint/pc_skeleton.h"

#include <stdint.h>

typedef struct pc_team pc_team;
typedef struct pc_joint pc_joint;
typedef struct pc_visits pc_visits;
typedef struct pc_order pc_order;

/** What has become of an edge, marked during the tests of one size. */
typedef enum {
    FATE_OPEN,
    FATE_TESTED, /* from both ends; of a stable team alone */
    FATE_GONE_BY_LOWER,
    FATE_GONE_BY_UPPER,
} pc_fate;

/** Writes the fate of an edge that other threads may ask for. */
static inline void pc_fate_set(unsigned char *mark, pc_fate fate) {
    __atomic_store_n(mark, (unsigned char)fate, __ATOMIC_RELAXED);
}

/** Of an edge that there was when the size began. What has gone does not come back. */
static inline bool pc_fate_has_gone(const neighbour_rows *edges, size_t a, size_t b) {
    return __atomic_load_n(neighbour_rows_mark(edges, a, b), __ATOMIC_RELAXED) >= FATE_GONE_BY_LOWER;
}

typedef struct pc_search {
    _Alignas(CACHE_LINE) association_probe probe; /* threads' searches lie side by side */
    const pc_rules *rules;
    size_t n_variables;
    neighbour_rows *edges; /* as they stood when this size began, with their fates, and: */
    mark_cursor fates;     /* of the edges from the ends that are visited to higher ends */
    uint64_t *bits;        /* the same, a row a node; NULL: too many */
    separating_sets *sets;
    size_t number; /* of the threads */

    /* one end x with a pool of neighbours that sets are made of, and the other ends to be tested */
    const size_t *pool;
    size_t n_pool;
    size_t *open;
    size_t n_open;
    size_t *attended;   /* an end and its neighbours */
    size_t *others;     /* some of them */
    size_t *chosen, *z; /* a set by position, and its variables */
    size_t *leaving; /* other ends of edges that are to be removed, and one set after the other that separates them: */
    size_t *leaving_z;
    size_t n_leaving, leaving_z_capacity;

    /* where the source has been told that nearly all tests of x and its pool are to come: by node of the pool its
       position, and the positions of open ends that are known to stay, some of which are open */
    bool expects;
    size_t *spots;
    uint64_t staying;

    bool any_set, any_performed; /* of this size */

    statistics_count *tally; /* of the source's tests, of a member; before those that are counted anew: */
    statistics_count tally_before;
    bool any_performed_before;

    pc_visits *visits; /* NULL: stable, or sizes have not begun; and so is: */
    pc_order *order;
    pc_team *team; /* NULL: one thread does it all. A member's graph is that of the search; its sets are its own */
} pc_search;

enum { PC_MOST_LEAVING = 32 };

/** What every thread has of its own. */
BNB_MUST_CHECK status pc_search_init_rooms(pc_search *s, error_info *err);
void pc_search_clear_rooms(pc_search *s);

/** Words of a row of `bits`. */
static inline size_t pc_search_words(const pc_search *s) {
    return (s->n_variables + 63) / 64;
}

/** All pairs of y and a variable before it, without condition: those that are dependent are put below y. `columns`:
 * all, ascending. At the deadline the pairs that are left are not. */
BNB_MUST_CHECK status pc_search_test_below(pc_search *s, size_t y, const size_t *columns, error_info *err);

/**
 * The open ends one after the other, as far as the source answers about all sets of that size at once: those are open
 * no longer. An open end has `fewest` states at least.
 */
BNB_MUST_CHECK status pc_search_separate_open(pc_search *s, size_t x, double fewest, size_t size, error_info *err);

/** Turns to an end, whose pool is all its neighbours. */
void pc_search_turn_to(pc_search *s, size_t x);

/** The tests to come are about the end that was turned to, and its pool. */
void pc_search_attend(pc_search *s);

/** Has x so many neighbours that sets of that size are known in less time all at once? Any thread may ask. */
bool pc_search_is_hub(const pc_search *s, size_t x, size_t size);

/** The tests to come are of x, which was turned to, and the open ends, given sets of that size of the pool. */
BNB_MUST_CHECK status pc_search_announce(pc_search *s, size_t x, size_t size, error_info *err);

/** The same tests, of which another search has announced those of more open ends. */
void pc_search_announce_as(pc_search *s, const pc_search *other);

/** All tests that were announced, as long as there are open ends, of which one has `fewest` states at least. */
BNB_MUST_CHECK status pc_search_separate(pc_search *s, size_t x, double fewest, size_t size, error_info *err);

/** The sets of that size of the pool for tests of x and ends of at least `fewest` states; the present one is in z. */
set_walk pc_search_sets(pc_search *s, size_t x, double fewest, size_t size);

/** The test of x and y given z, unless y is in z or has asked for it; not independent then, and at the deadline. */
BNB_MUST_CHECK status pc_search_test_edge(pc_search *s, size_t x, size_t y, size_t n_z, bool *independent,
                                          error_info *err);

/** Counts what pc_search_test_edge would, of a team's member. */
void pc_search_count_test(pc_search *s, size_t x, size_t y, size_t n_z);

/** Removes the edge of x and y, which z separates. */
BNB_MUST_CHECK status pc_search_remove_edge(pc_search *s, size_t x, size_t y, const size_t *z, size_t n_z,
                                            error_info *err);

/** The tests of an end by so many threads at most. */
BNB_MUST_CHECK status pc_joint_create(size_t n_variables, size_t n_shares, pc_joint **out, error_info *err);
void pc_joint_destroy(pc_joint *j); /* NULL is fine */
AUTO_PTR_OF(pc_joint, pc_joint_destroy)

/** The tests are those of x, to which s was turned, and its open ends, of which one has `fewest` states at least. */
BNB_MUST_CHECK status pc_joint_begin(pc_joint *j, const pc_search *s, size_t x, double fewest, size_t size,
                                     error_info *err);

/** The tests of a share, each of which is made once; beside those of other shares. s was turned to x. */
BNB_MUST_CHECK status pc_joint_test(pc_joint *j, size_t share, pc_search *s, error_info *err);

/** Once all shares are done: does a set separate an end? Then what was counted may be too much. */
bool pc_joint_has_found(const pc_joint *j);

/** Removes the edges to those ends. s was turned to x. */
BNB_MUST_CHECK status pc_joint_remove(const pc_joint *j, pc_search *s, error_info *err);

/** Counts the tests that one thread would have made, those of a share of the ends. */
void pc_joint_count(const pc_joint *j, size_t share, pc_search *s);

/** All tests of x were asked. Of those since the last release its higher neighbours may ask some again; or nobody asks
 * any: of a source that offers `repeat`. */
void pc_search_release_visited(pc_search *s, size_t x);
void pc_search_release(pc_search *s);

/** The neighbours that an end started with when it was visited, ascending, and those of which the visit has removed the
 * edges so far. */
typedef struct {
    const uint32_t *items;
    bool *is_gone;
    size_t count;
} pc_visit;

/** All visits of a size, each of which tests an edge given sets of the neighbours that are left. */
BNB_MUST_CHECK status pc_visits_create(const neighbour_rows *edges, pc_visits **out, error_info *err);
void pc_visits_destroy(pc_visits *v); /* NULL is fine */
AUTO_PTR_OF(pc_visits, pc_visits_destroy)

/** Another size begins. */
void pc_visits_forget(pc_search *s);

pc_visit pc_visits_start(pc_search *s, size_t x);
pc_visit pc_visits_get(const pc_search *s, size_t x);

/** Has y < x, which was visited up to the edge to x at least, asked for the test of x and y given z? */
bool pc_visits_have_tested(const pc_search *s, size_t x, size_t y, size_t n_z);

/** What all visits of a size need; by a team of so many, or one thread. */
BNB_MUST_CHECK status pc_order_create(size_t n_variables, size_t n_members, pc_order **out, error_info *err);
void pc_order_destroy(pc_order *o); /* NULL is fine */
AUTO_PTR_OF(pc_order, pc_order_destroy)

/** All tests of that size, of sets that come from the neighbours that are left; by the team if there is one. */
BNB_MUST_CHECK status pc_order_test_size(pc_search *s, size_t size, error_info *err);

/** NULL is fine. */
void pc_team_destroy(pc_team *t);

/** Is there something that more than one thread can do, and is asked to? */
bool pc_team_is_wanted(const pc_search *s);

/** s->team: as many as rules->n_helpers, and the caller. */
BNB_MUST_CHECK status pc_team_create(pc_search *s, error_info *err);

/** As pc_search_test_below, of all y. */
BNB_MUST_CHECK status pc_team_test_pairs(pc_search *s, const size_t *columns, error_info *err);

/** All tests given sets of that size, of pools that are frozen. */
BNB_MUST_CHECK status pc_team_test_size(pc_search *s, size_t size, error_info *err);

/** Has every member do some of the tests of a size. */
BNB_MUST_CHECK status pc_team_run(pc_search *s, status (*work)(void *self, pc_search *member, error_info *err),
                                  void *self, error_info *err);

/** The member with that number. */
pc_search *pc_team_member(const pc_team *t, size_t number);

/** The sets that members have found go to the search, as far as they are wanted. */
BNB_MUST_CHECK status pc_team_move_sets(pc_search *s, const set_filter *wanted, error_info *err);

#endif
