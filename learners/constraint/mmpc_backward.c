/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The backward phase: members leave that some set of the others makes independent. */
#include "learners/constraint/mmpc_state_internal.h"

static status check_member(mmpc_search *s, size_t *member, error_info *err) {
    bool separable = false;
    CHECK(mmpc_is_separable(s, *member, &separable, err));
    if (separable)
        mmpc_remove_member(s, *member);
    else
        ++*member;
    return STATUS_OK;
}

status mmpc_backward(mmpc_search *s, error_info *err) {
    size_t member = 0;
    mmpc_attend(s);
    CHECK(mmpc_begin_record(s, err));
    CHECK(mmpc_expect_members(s, err));
    while (member < s->n_members && !s->probe.is_expired) {
        double n_tests = (double)(s->n_members - member) * set_walk_count(s->n_members, 2);
        CHECK(member + 1 < s->n_members && mmpc_is_worth_sharing(s, n_tests) ? mmpc_check_together(s, &member, err)
                                                                             : check_member(s, &member, err));
    }
    return STATUS_OK;
}
