/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sets that a candidate has pending, once it matters what they are worth: one by one, or by all threads. */
#include "learners/constraint/mmpc_state_internal.h"

static status settle_last(mmpc_search *s, candidate *c, error_info *err) {
    pending_set taken = mmpc_take_last(s, c);
    association value;
    bool may_lower;
    CHECK(mmpc_weigh(s, c, &taken, &value, &may_lower, err));
    if (may_lower)
        mmpc_take_if_less(c, &value);
    return STATUS_OK;
}

/* So many of the last sets. None that a lower minimum would have passed over is less than that. */
static status settle_together(mmpc_search *s, candidate *c, size_t n, error_info *err) {
    pending_pile *p = s->to_settle;
    for (p->n = 0; p->n < n && c->n_pending > 0; p->n++)
        p->sets[p->n] = mmpc_take_last(s, c);
    CHECK(mmpc_weigh_together(s, c, err));
    for (size_t i = 0; i < p->n; i++) {
        if (p->may_lower[i])
            mmpc_take_if_less(c, &p->values[i]);
    }
    return STATUS_OK;
}

/* Few at first: the lower the minimum, the more sets are passed over. */
status mmpc_settle(mmpc_search *s, candidate *c, error_info *err) {
    enum { FEW = 64 };
    size_t at_once = FEW;
    mmpc_make_exact(c);
    while (c->n_pending > 0 && !association_probe_is_expired(&s->probe)) {
        if (c->n_pending < FEW || !mmpc_is_worth_sharing(s, c->n_pending)) {
            CHECK(settle_last(s, c, err));
            continue;
        }
        CHECK(settle_together(s, c, at_once, err));
        at_once = at_once * 2 < PENDING_AT_ONCE ? at_once * 2 : PENDING_AT_ONCE;
    }
    return STATUS_OK;
}
