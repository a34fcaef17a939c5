/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The search of MMPC for one target: its state, its phases, and what they share. */
#ifndef BNB_LEARNERS_CONSTRAINT_MMPC_STATE_INTERNAL_H
#define BNB_LEARNERS_CONSTRAINT_MMPC_STATE_INTERNAL_H

#include "core/base/bits.h"
#include "learners/base/set_walk.h"
#include "learners/constraint/association_probe_internal.h"
#include "learners/constraint/mmpc_search.h"
#include "learners/constraint/test_batch_internal.h"
#include "metrics/tests/ci_test.h"

#include <stdatomic.h>
#include <stdint.h>

typedef struct {
    size_t variable;
    association minimum; /* over the sets tested so far, but for those that are pending */
    double n_states;     /* of the variable, as far as the limit asks */
    bool is_bound;       /* as in mmpc_candidate */
    bool is_reliable;    /* some set of the present size was tested */
    bool is_closed;      /* no larger set can be */
    uint32_t n_pending;  /* sets, and: */
    uint32_t last;       /* of them, by place in the pool */
} candidate;

/* A set of members, given which a candidate is known to be dependent and no more. */
typedef struct {
    double least_statistic;
    uint64_t members; /* by place of entry */
    double most_df;
    uint32_t before;  /* place of the one before it, of the same candidate or of what is free */
    bool is_measured; /* statistic and degrees of freedom are the test's own */
} pending_set;

/* Those of all candidates of a target, in the order in which they came, so that memory is written in order. */
typedef struct {
    pending_set *items;
    size_t count, capacity;
    size_t n_free;
    uint32_t last_free;
} pending_pool;

/* Members that threads take one by one in the backward phase. */
typedef struct {
    atomic_size_t next;
    atomic_size_t end;        /* the first member that is known to be separable from the target */
    statistics_count *counts; /* by member: what its tests counted */
    bool *depends;            /* by member: given any set of the others that were there then; NULL: it is not kept */
} member_pile;

/* Pending sets of one candidate that threads look at side by side, by the minimum that it has before. */
enum { PENDING_AT_ONCE = 256 };
typedef struct {
    const candidate *of;
    pending_set sets[PENDING_AT_ONCE];
    association values[PENDING_AT_ONCE]; /* of those that: */
    bool may_lower[PENDING_AT_ONCE];
    size_t n;
    atomic_size_t next; /* the first that nobody has taken */
} pending_pile;

struct mmpc_search {
    association_probe probe;
    bool keeps_records;              /* so the source need not know which test is a repetition */
    mmpc_record *records;            /* by target; those of: */
    const struct mmpc_search *first; /* the search that they belong to, which may be this one */
    bool *was_before, *was_beside;   /* by place of entry of a member: the two kinds of the record of another member */
    mmpc_rules rules;
    size_t n_variables, target;
    candidate *open; /* candidates that have not reached zero, by index */
    size_t n_open;
    size_t *members; /* CPC in order of entry; the first n_warm stem from optimisation 5 */
    size_t n_members, n_warm;
    size_t *places;     /* of the members in the backward phase, in the record of the target */
    size_t *others;     /* the members less one, in the backward phase */
    bool expects;       /* the source was told of tests of some columns, and: */
    size_t *spots;      /* by column: the place among those that it was told of */
    size_t *chosen, *z; /* a subset by position, and its variables */
    size_t *attended, n_attended;
    size_t *asked;         /* candidates that are asked about at once, MMPC_AT_ONCE at most, and: */
    quick_answer *answers; /* NULL: the source tells nothing at once */
    uint64_t z_members;    /* the same by place of entry */
    pending_pool pending;
    mmpc_watch watch;
    mmpc_threads *threads; /* that tests are shared with; NULL: none, and then is none: */
    size_t number;         /* of this search's own among them */
    atomic_bool is_shared_expired;
    const member_pile *from;              /* that the present member was taken from; NULL: none */
    bool only_counts;                     /* the present member is known to depend: its tests are counted */
    size_t depth;                         /* parts of what is shared that it is at, one within the other */
    const struct mmpc_search *stands_for; /* in a part of another's; NULL: in none */
    test_batch batch;                     /* what is shared: tests of the candidates, */
    member_pile pile;                     /* members in the backward phase, */
    pending_pile *to_settle;              /* or pending sets; NULL: nothing is shared */
};

enum { MMPC_AT_ONCE = 4096 };

/** Places of entry past this one have no bit. */
enum { PENDING_PLACES = 64 };

static inline double mmpc_states_of(const mmpc_search *s, size_t column) {
    return table_limit_states(s->rules.limit, column);
}

/** The largest set of so many members that is looked at. */
static inline size_t mmpc_largest_set(const mmpc_search *s, size_t n_available) {
    size_t max_k = s->rules.max_k < 0 ? n_available : (size_t)s->rules.max_k;
    return n_available < max_k ? n_available : max_k;
}

/** Lays out the set that the walk is at, behind the member after the pool if `with_next`: what sets that follow each
 * other have in common comes first. */
static inline void mmpc_lay_set(mmpc_search *s, const set_walk *w, bool with_next) {
    if (with_next)
        s->z[0] = s->members[w->n_pool];
    s->z_members = with_next ? bit_of(w->n_pool % PENDING_PLACES) : 0;
    for (size_t i = 0; i < w->k; i++)
        s->z_members |= bit_of(s->chosen[i] % PENDING_PLACES);
}

/* --- the phases --- */

/** Moves open candidates to the members, until there are none. */
BNB_MUST_CHECK status mmpc_forward(mmpc_search *s, error_info *err);

/** Removes the members that some set of the others makes independent of the target. */
BNB_MUST_CHECK status mmpc_backward(mmpc_search *s, error_info *err);

/* --- separation --- */

/** Whether some set of other members, not tested yet, makes the member and the target independent; false also where
 * that is of no use any more. */
BNB_MUST_CHECK status mmpc_is_separable(mmpc_search *s, size_t member, bool *separable, error_info *err);
void mmpc_remove_member(mmpc_search *s, size_t member);

/** Has an earlier member been found separable meanwhile? This one is to be looked at again then. */
static inline bool mmpc_is_vain(const mmpc_search *s, size_t member) {
    return s->from && atomic_load_explicit(&s->from->end, memory_order_relaxed) < member;
}

/* --- minima --- */

/** The set z on every open candidate; those that reach zero are dropped for good (optimisation 1). */
BNB_MUST_CHECK status mmpc_lower_all(mmpc_search *s, size_t n_z, error_info *err);

/** Takes what a reliable test of the candidate given z has found; z_members holds the same set. */
BNB_MUST_CHECK status mmpc_take_verdict(mmpc_search *s, candidate *c, size_t n_z, const verdict *v, error_info *err);

/** Brings the minimum of a candidate up to date, by mmpc_settle.c; and is it so? */
BNB_MUST_CHECK status mmpc_settle(mmpc_search *s, candidate *c, error_info *err);
bool mmpc_is_settled(const candidate *c);

/** Finds the minimum where only a bound of it was given. */
BNB_MUST_CHECK status mmpc_make_exact(mmpc_search *s, candidate *c, error_info *err);
BNB_MUST_CHECK status mmpc_take_if_less(mmpc_search *s, candidate *c, const association *a, error_info *err);

/** The set that came last of those pending, which it is no longer. */
pending_set mmpc_take_last(mmpc_search *s, candidate *c);

/** Is what is given the set so much more than the minimum that the tail need not be known? */
bool mmpc_is_clearly_more(const candidate *c, const pending_set *p);

/** The association of a candidate given a pending set, and whether it may be less than the minimum: else it is not
 * looked for. */
BNB_MUST_CHECK status mmpc_weigh(mmpc_search *s, const candidate *c, const pending_set *p, association *out,
                                 bool *may_lower, error_info *err);

/**
 * Moves the candidate with the largest minimum, the first among equals, to the members. What is pending or not exact
 * can only lower a minimum, so the best of all is found once the best as it seems has nothing pending; a single one
 * need not be known.
 */
BNB_MUST_CHECK status mmpc_enter_best(mmpc_search *s, error_info *err);

/* --- what the source is told, and knows --- */

/** Tells the source that the tests that follow are about the target, the members and the candidates. */
void mmpc_attend(mmpc_search *s);

/** Tells it, before the test of the candidate at a place, of one that comes a few tests later, below `end`. */
static inline void mmpc_approach(const mmpc_search *s, size_t place, size_t end) {
    enum { AHEAD = 4 };
    if (end - place > AHEAD)
        association_probe_approach(&s->probe, s->open[place + AHEAD].variable);
}

/** Tells the source, where it pays, that tests given nearly all sets of members follow: of candidates, where few of
 * them meet a warm start of many members; of the members, in the backward phase. */
BNB_MUST_CHECK status mmpc_expect_candidates(mmpc_search *s, error_info *err);
BNB_MUST_CHECK status mmpc_expect_members(mmpc_search *s, error_info *err);

/** True if the only candidate that is left is dependent given any k of the members of a warm start; counted. It will
 * enter, and how much it depends is never asked. */
bool mmpc_last_depends_always(mmpc_search *s, size_t k);

/** True if all sets of that size, none of them known, leave the member dependent; counted. */
bool mmpc_depends_always(const mmpc_search *s, size_t size, size_t member, bool has_record);

/** The members of z as the source was told of them. */
static inline uint64_t mmpc_expected_set(const mmpc_search *s, size_t n_z) {
    uint64_t set = 0;
    for (size_t i = 0; i < n_z; i++)
        set |= bit_of(s->spots[s->z[i]]);
    return set;
}

/** Does z leave an expected column dependent, as is known without a test? Counted then. */
static inline bool mmpc_is_expected_dependent(mmpc_search *s, size_t column, size_t n_z, verdict *out) {
    const decision_source *quick = s->rules.quick;
    if (!s->expects || n_z == 0 || !quick->depends(quick->self, s->spots[column], mmpc_expected_set(s, n_z), out))
        return false;
    quick->tally(quick->self, 1, 1);
    return true;
}

/* --- records --- */

/** Keeps the members as the forward phase leaves them, and which of them are removed. */
BNB_MUST_CHECK status mmpc_begin_record(mmpc_search *s, error_info *err);
void mmpc_record_removal(mmpc_search *s, size_t member);

/** True if the member is an earlier target; then which of the others it asked for, of the present target. */
bool mmpc_read_record(mmpc_search *s, size_t member);

/** Of all sets of that size those that are repeated. */
double mmpc_count_repeated(const mmpc_search *s, size_t size);

/** Has the member asked for the chosen set when it was the target? It has found dependence then, as it kept this one.
 */
static inline bool mmpc_is_repeated(const mmpc_search *s, size_t size) {
    bool before = true, beside = true;
    for (size_t i = 0; i < size; i++) {
        before = before && s->was_before[s->chosen[i]];
        beside = beside && s->was_beside[s->chosen[i]];
    }
    return before || beside;
}

/* --- sharing --- */

/** Is there a thread that can take part, and do so many tests pay for it? They are no part of what is shared already.
 */
bool mmpc_is_worth_sharing(const mmpc_search *s, double n_tests);

/** The same of tests of a member, which may itself be such a part. */
bool mmpc_is_worth_sharing_within(const mmpc_search *s, double n_tests);

/** Has all threads take part, each by part(s, its number). */
BNB_MUST_CHECK status mmpc_share(mmpc_search *s, parallel_work part, error_info *err);

/** In a part: the search of the thread, which now is where `of` is; and at its end. */
mmpc_search *mmpc_stand_in(mmpc_search *of, size_t worker);
void mmpc_step_back(mmpc_search *s, mmpc_search *of);

/** All sets of the walk from the present one on, joined with the member after its pool if `with_next`, on all
 * candidates, by all threads. */
BNB_MUST_CHECK status mmpc_tighten_together(mmpc_search *s, set_walk *w, bool with_next, error_info *err);

/** mmpc_weigh of the candidate and all sets in s->to_settle, by all threads. */
BNB_MUST_CHECK status mmpc_weigh_together(mmpc_search *s, const candidate *c, error_info *err);

/** What is in the batch, by all threads. */
BNB_MUST_CHECK status mmpc_ask_together(mmpc_search *s, error_info *err);

#endif
