/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The backward phase: members leave that some set of the others makes independent. Threads take members one by one, as
 * if none of them were removed. */
#include "core/run/atomic_least.h"
#include "learners/constraint/mmpc_state_internal.h"

#include <string.h>

/* A member that depends on the target given any set of the others does so when one of them has left; what is counted
 * then is what would be tested. */
static status check(mmpc_search *s, const mmpc_search *of, size_t member, bool *separable, error_info *err) {
    bool *depends = of->pile.depends;
    s->only_counts = depends && depends[member];
    CHECK(mmpc_is_separable(s, member, separable, err));
    if (depends)
        depends[member] = s->only_counts || (!*separable && !s->probe.is_expired && !mmpc_is_vain(s, member));
    return STATUS_OK;
}

/* --- by all threads --- */

static status check_members(void *self, size_t worker, error_info *err) {
    mmpc_search *of = self, *s = mmpc_stand_in(of, worker);
    member_pile *p = &of->pile;
    statistics_count *tally = s->rules.tally, before = *tally;
    status st = STATUS_OK;
    s->from = p;
    for (size_t member; st == STATUS_OK && !s->probe.is_expired &&
                        (member = atomic_fetch_add(&p->next, 1)) < s->n_members && member < atomic_load(&p->end);) {
        bool separable = false;
        st = check(s, of, member, &separable, err);
        p->counts[member] = statistics_count_since(tally, &before);
        *tally = before;
        if (separable)
            atomic_least_lower(&p->end, member); /* of those after it the others are fewer then */
    }
    if (st != STATUS_OK)
        atomic_least_lower(&p->end, 0); /* what the others find is of no use */
    s->from = NULL;
    mmpc_step_back(s, of);
    return st;
}

/* Members from this one on, up to the first that is removed. */
static status check_together(mmpc_search *s, size_t *member, error_info *err) {
    member_pile *p = &s->pile;
    atomic_store(&p->next, *member);
    atomic_store(&p->end, s->n_members);
    memset(p->counts + *member, 0, (s->n_members - *member) * sizeof *p->counts);
    CHECK(mmpc_share(s, check_members, err));
    for (; *member < s->n_members && *member < atomic_load(&p->end); ++*member)
        statistics_count_add(s->rules.tally, &p->counts[*member]);
    if (*member < s->n_members) {
        statistics_count_add(s->rules.tally, &p->counts[*member]);
        mmpc_remove_member(s, *member);
    }
    return STATUS_OK;
}

/* --- one by one --- */

static status check_member(mmpc_search *s, size_t *member, error_info *err) {
    bool separable = false;
    CHECK(check(s, s, *member, &separable, err));
    if (separable)
        mmpc_remove_member(s, *member);
    else
        ++*member;
    return STATUS_OK;
}

status mmpc_backward(mmpc_search *s, error_info *err) {
    size_t member = 0;
    mmpc_attend(s);
    if (s->pile.depends)
        memset(s->pile.depends, 0, s->n_members * sizeof *s->pile.depends);
    CHECK(mmpc_begin_record(s, err));
    CHECK(mmpc_expect_members(s, err));
    while (member < s->n_members && !s->probe.is_expired) {
        double n_tests = (double)(s->n_members - member) * set_walk_count(s->n_members, 2);
        CHECK(member + 1 < s->n_members && mmpc_is_worth_sharing(s, n_tests) ? check_together(s, &member, err)
                                                                             : check_member(s, &member, err));
    }
    return STATUS_OK;
}
