/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sets that a candidate has pending, once it matters what they are worth: one by one, or by all threads. */
#include "learners/constraint/mmpc_state_internal.h"

static status settle_last(mmpc_search *s, candidate *c, error_info *err) {
    pending_set taken = mmpc_take_last(s, c);
    association value;
    bool may_lower;
    CHECK(mmpc_weigh(s, c, &taken, &value, &may_lower, err));
    return may_lower ? mmpc_take_if_less(s, c, &value, err) : STATUS_OK;
}

/* Takes the last sets, but for those that are clearly more. */
static void put_pending(mmpc_search *s, candidate *c) {
    pending_pile *p = s->to_settle;
    for (p->n = 0; p->n < PENDING_AT_ONCE && c->n_pending > 0;) {
        p->sets[p->n] = mmpc_take_last(s, c);
        p->n += !mmpc_is_clearly_more(c, &p->sets[p->n]);
    }
}

/* None of the last sets that a lower minimum would have passed over is less than that. */
static status settle_together(mmpc_search *s, candidate *c, error_info *err) {
    pending_pile *p = s->to_settle;
    put_pending(s, c);
    CHECK(mmpc_weigh_together(s, c, err));
    for (size_t i = 0; i < p->n; i++) {
        if (p->may_lower[i])
            CHECK(mmpc_take_if_less(s, c, &p->values[i], err));
    }
    return STATUS_OK;
}

status mmpc_settle(mmpc_search *s, candidate *c, error_info *err) {
    enum { AS_TESTS = 4 }; /* of a pending set a table is counted, of one in several tests */
    CHECK(mmpc_make_exact(s, c, err));
    while (c->n_pending > 0 && !association_probe_is_expired(&s->probe)) {
        CHECK(mmpc_is_worth_sharing(s, AS_TESTS * (double)c->n_pending) ? settle_together(s, c, err)
                                                                        : settle_last(s, c, err));
    }
    return STATUS_OK;
}
