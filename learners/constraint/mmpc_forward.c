/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forward phase: candidates become members, until every other one is independent given some set of them. */
#include "learners/constraint/mmpc_state_internal.h"

#include <math.h>

/* The fewest states that a candidate has of which larger sets can be tested. */
static double fewest_states(const mmpc_search *s) {
    double fewest = INFINITY;
    for (size_t i = 0; i < s->n_open; i++) {
        if (!s->open[i].is_closed)
            fewest = fmin(fewest, s->open[i].n_states);
    }
    return fewest;
}

/* Closes the candidates of which no set of the last size was reliable; true if another size is worth a look. */
static bool close_unreliable(mmpc_search *s) {
    bool any_left = false;
    for (size_t i = 0; i < s->n_open; i++) {
        candidate *c = &s->open[i];
        c->is_closed = c->is_closed || !c->is_reliable;
        c->is_reliable = false;
        any_left = any_left || !c->is_closed;
    }
    return any_left;
}

static void reopen(mmpc_search *s) {
    for (size_t i = 0; i < s->n_open; i++)
        s->open[i].is_closed = s->open[i].is_reliable = false;
}

/* All sets of k of the first n_pool members, joined with the member after them if `with_next`, on all candidates. */
static status tighten_by(mmpc_search *s, size_t k, size_t n_pool, bool with_next, error_info *err) {
    double cells =
        mmpc_states_of(s, s->target) * fewest_states(s) * (with_next ? mmpc_states_of(s, s->members[n_pool]) : 1);
    set_walk w = {s->rules.limit, cells, s->members, n_pool, k, s->chosen, s->z + with_next};
    double n_left = set_walk_count(n_pool, k);
    bool more;
    if (!with_next && n_pool == s->n_warm && mmpc_last_depends_always(s, k))
        return STATUS_OK;
    more = set_walk_first(&w);
    for (; more && s->n_open > 0 && !s->probe.is_expired; more = set_walk_next(&w)) {
        if (mmpc_is_worth_sharing(s, n_left-- * (double)s->n_open))
            return mmpc_tighten_together(s, &w, with_next, err);
        mmpc_lay_set(s, &w, with_next);
        CHECK(mmpc_lower_all(s, k + with_next, err));
    }
    return STATUS_OK;
}

/*
 * Brings the minima up to date over the subsets of the first n_pool members, joined with the member after them if
 * `with_next`: after F = that member has entered, only sets that hold it are new (optimisation 2).
 */
static status tighten(mmpc_search *s, size_t n_pool, bool with_next, error_info *err) {
    size_t largest = mmpc_largest_set(s, n_pool + with_next);
    reopen(s);
    for (size_t size = 1; size <= largest; size++) {
        CHECK(tighten_by(s, size - with_next, n_pool, with_next, err));
        if (s->probe.is_expired || !close_unreliable(s))
            break;
    }
    return STATUS_OK;
}

status mmpc_forward(mmpc_search *s, error_info *err) {
    CHECK(mmpc_expect_candidates(s, err));
    s->pending.count = s->pending.n_free = 0;
    for (size_t i = 0; i < s->n_open; i++)
        s->open[i].n_states = mmpc_states_of(s, s->open[i].variable);
    mmpc_attend(s);
    if (s->n_warm > 0)
        CHECK(tighten(s, s->n_warm, false, err));
    while (s->n_open > 0 && !s->probe.is_expired) {
        CHECK(mmpc_enter_best(s, err));
        mmpc_attend(s);
        CHECK(tighten(s, s->n_members - 1, true, err));
    }
    return STATUS_OK;
}
