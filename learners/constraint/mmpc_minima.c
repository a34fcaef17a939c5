/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The minima of the candidates: what a test says of one, and what is put off until it matters. Of a set that is pending
 * no more is known than that it leaves the candidate dependent.
 */
#include "core/base/array.h"
#include "learners/constraint/mmpc_state_internal.h"

/* A candidate with so many sets pending is as well brought up to date. */
enum { PENDING_MOST = 1 << 17 };

static void make_exact(candidate *c) {
    if (c->df > 0)
        c->minimum.log_p = chi_square_log_tail(c->minimum.statistic, c->df);
    c->df = 0;
}

static void take_if_less(candidate *c, const association *a) {
    if (a->is_zero) { /* nothing is less */
        c->df = 0;
        c->minimum.is_zero = true;
        return;
    }
    make_exact(c);
    if (association_compare(a, &c->minimum) < 0)
        c->minimum = *a;
}

/* The association given z, whatever is known of it. */
static status resolve(mmpc_search *s, candidate *c, size_t n_z, error_info *err) {
    association a = {0};
    CHECK(s->rules.quick->resolve(s->rules.quick->self, c->variable, s->target, s->z, n_z, &a, err));
    take_if_less(c, &a);
    return STATUS_OK;
}

static status postpone(mmpc_search *s, candidate *c, size_t n_z, const verdict *v, error_info *err) {
    pending_list *list = &s->pending[c->slot];
    if (s->n_members > PENDING_PLACES || list->count == PENDING_MOST)
        return resolve(s, c, n_z, err);
    return ARRAY_PUSH(list->items, list->count, list->capacity, err,
                      (pending_set){v->least_statistic, s->z_members, v->most_df, v->is_measured});
}

status mmpc_take_verdict(mmpc_search *s, candidate *c, size_t n_z, const verdict *v, error_info *err) {
    c->is_reliable = true;
    if (!v->is_exact)
        return postpone(s, c, n_z, v, err);
    take_if_less(c, &v->value);
    return STATUS_OK;
}

/* The set z on one candidate. */
static status lower(mmpc_search *s, candidate *c, size_t n_z, error_info *err) {
    status st = STATUS_OK;
    verdict v = {0};
    bool reliable = mmpc_is_expected_dependent(s, c->variable, n_z, &v);
    if (!reliable)
        st = association_probe_decide(&s->probe, c->variable, s->target, s->z, n_z, &reliable, &v, err);
    return st == STATUS_OK && reliable ? mmpc_take_verdict(s, c, n_z, &v, err) : st;
}

status mmpc_lower_all(mmpc_search *s, size_t n_z, error_info *err) {
    size_t n_kept = 0;
    double cells = mmpc_states_of(s, s->target);
    for (size_t i = 0; i < n_z; i++)
        cells *= mmpc_states_of(s, s->z[i]);
    for (size_t i = 0; i < s->n_open; i++) {
        candidate *c = &s->open[i];
        if (!c->is_closed && table_limit_allows(s->rules.limit, cells * c->n_states))
            CHECK(lower(s, c, n_z, err));
        if (c->minimum.is_zero)
            continue;
        if (n_kept < i)
            s->open[n_kept] = *c;
        n_kept++;
    }
    s->n_open = n_kept;
    return STATUS_OK;
}

static status settle_one(mmpc_search *s, candidate *c, const pending_set *p, error_info *err) {
    association least = {.log_p = chi_square_log_tail(p->least_statistic, p->most_df), .statistic = p->least_statistic};
    if (association_compare(&least, &c->minimum) > 0)
        return STATUS_OK; /* the bound alone says that it is more than the minimum */
    if (!p->is_measured)
        return resolve(s, c, test_batch_lay(s->members, p->members, s->z), err);
    take_if_less(c, &least);
    return STATUS_OK;
}

status mmpc_settle(mmpc_search *s, candidate *c, error_info *err) {
    pending_list *list = &s->pending[c->slot];
    make_exact(c);
    while (list->count > 0 && !association_probe_is_expired(&s->probe))
        CHECK(settle_one(s, c, &list->items[--list->count], err));
    return STATUS_OK;
}

bool mmpc_is_settled(const mmpc_search *s, const candidate *c) {
    return c->df <= 0 && s->pending[c->slot].count == 0;
}
