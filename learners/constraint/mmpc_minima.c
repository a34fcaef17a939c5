/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The minima of the candidates: what a test says of one, and what is put off until it matters. Of a set that is pending
 * no more is known than that it leaves the candidate dependent.
 */
#include "core/base/array.h"
#include "learners/constraint/mmpc_state_internal.h"

/* A candidate with so many sets pending is as well brought up to date. */
enum { PENDING_MOST = 1 << 17 };

/* Of all candidates: no place is more than its number can say. */
static const size_t most_in_pool = UINT32_MAX;

/* Candidates that are worth to be asked about at once: fewer are as soon kept at hand by the source. */
enum { FEWEST_AT_ONCE = 512 };

/* The association given z, whatever is known of it. */
static status measure_given(mmpc_search *s, const candidate *c, size_t n_z, association *out, error_info *err) {
    const decision_source *quick = s->rules.quick;
    return quick->resolve(quick->self, c->variable, s->target, s->z, n_z, out, err);
}

status mmpc_make_exact(mmpc_search *s, candidate *c, error_info *err) {
    if (c->is_bound)
        CHECK(measure_given(s, c, 0, &c->minimum, err));
    c->is_bound = false;
    return STATUS_OK;
}

status mmpc_take_if_less(mmpc_search *s, candidate *c, const association *a, error_info *err) {
    if (a->is_zero) { /* nothing is less */
        c->is_bound = false;
        c->minimum.is_zero = true;
        return STATUS_OK;
    }
    CHECK(mmpc_make_exact(s, c, err));
    if (association_compare(a, &c->minimum) < 0)
        c->minimum = *a;
    return STATUS_OK;
}

static status resolve(mmpc_search *s, candidate *c, size_t n_z, error_info *err) {
    association a = {0};
    CHECK(measure_given(s, c, n_z, &a, err));
    return mmpc_take_if_less(s, c, &a, err);
}

/* A place for one set more. */
static status find_place(pending_pool *p, uint32_t *out, error_info *err) {
    if (p->n_free > 0) {
        *out = p->last_free;
        p->last_free = p->items[*out].before;
        p->n_free--;
        return STATUS_OK;
    }
    CHECK(ARRAY_ROOM(p->items, p->count, p->capacity, err));
    *out = (uint32_t)p->count++;
    return STATUS_OK;
}

static association least_association(double statistic, double df) {
    return (association){.log_p = chi_square_log_tail(statistic, df), .statistic = statistic};
}

static status postpone(mmpc_search *s, candidate *c, size_t n_z, const verdict *v, error_info *err) {
    uint32_t place = 0;
    if (s->n_members > PENDING_PLACES || c->n_pending == PENDING_MOST || s->pending.count == most_in_pool) {
        association measured;
        if (!v->is_measured)
            return resolve(s, c, n_z, err);
        measured = least_association(v->least_statistic, v->most_df);
        return mmpc_take_if_less(s, c, &measured, err);
    }
    CHECK(find_place(&s->pending, &place, err));
    s->pending.items[place] = (pending_set){v->least_statistic, s->z_members, v->most_df, c->last, v->is_measured};
    c->last = place;
    c->n_pending++;
    return STATUS_OK;
}

status mmpc_take_verdict(mmpc_search *s, candidate *c, size_t n_z, const verdict *v, error_info *err) {
    c->is_reliable = true;
    if (!v->is_exact)
        return postpone(s, c, n_z, v, err);
    return mmpc_take_if_less(s, c, &v->value, err);
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

/* Can a set of which the table has so many cells without the candidate be tested? */
static bool may_lower(const mmpc_search *s, const candidate *c, double cells) {
    return !c->is_closed && table_limit_allows(s->rules.limit, cells * c->n_states);
}

/* The set z on those of the candidates up to `end` that it can be tested on, all at once; false: one by one. */
static bool ask_at_once(mmpc_search *s, size_t first, size_t end, double cells, size_t n_z) {
    const decision_source *quick = s->rules.quick;
    size_t n = 0;
    if (!s->answers || s->expects || end - first < FEWEST_AT_ONCE || association_probe_looks_expired(&s->probe))
        return false;
    for (size_t i = first; i < end; i++) {
        s->asked[n] = s->open[i].variable;
        n += may_lower(s, &s->open[i], cells);
    }
    return n > 0 && quick->decide_many(quick->self, s->asked, n, s->target, s->z, n_z, s->answers);
}

static status take_answer(mmpc_search *s, candidate *c, size_t n_z, const quick_answer *a, error_info *err) {
    verdict v = {.is_exact = a->is_independent, .value = {.is_zero = true}};
    v.least_statistic = a->least_statistic;
    v.most_df = a->most_df;
    return a->is_independent || a->is_dependent ? mmpc_take_verdict(s, c, n_z, &v, err) : lower(s, c, n_z, err);
}

/* The same; those that stay move up to the `*n_kept` that have. */
static status lower_some(mmpc_search *s, size_t first, size_t end, double cells, size_t n_z, size_t *n_kept,
                         error_info *err) {
    bool is_answered = ask_at_once(s, first, end, cells, n_z);
    const quick_answer *answer = s->answers;
    for (size_t i = first; i < end; i++) {
        candidate *c = &s->open[i];
        if (!is_answered)
            mmpc_approach(s, i, end);
        if (may_lower(s, c, cells))
            CHECK(is_answered ? take_answer(s, c, n_z, answer++, err) : lower(s, c, n_z, err));
        if (c->minimum.is_zero)
            continue;
        if (*n_kept < i)
            s->open[*n_kept] = *c;
        ++*n_kept;
    }
    return STATUS_OK;
}

status mmpc_lower_all(mmpc_search *s, size_t n_z, error_info *err) {
    size_t n_kept = 0;
    double cells = mmpc_states_of(s, s->target);
    for (size_t i = 0; i < n_z; i++)
        cells *= mmpc_states_of(s, s->z[i]);
    for (size_t first = 0, end; first < s->n_open; first = end) {
        end = s->n_open - first < MMPC_AT_ONCE ? s->n_open : first + MMPC_AT_ONCE;
        CHECK(lower_some(s, first, end, cells, n_z, &n_kept, err));
    }
    s->n_open = n_kept;
    return STATUS_OK;
}

bool mmpc_is_clearly_more(const candidate *c, const pending_set *p) {
    return chi_square_log_tail_bound(p->least_statistic, p->most_df) < c->minimum.log_p * (1 + 1e-6);
}

status mmpc_weigh(mmpc_search *s, const candidate *c, const pending_set *p, association *out, bool *may_lower,
                  error_info *err) {
    *may_lower = false;
    if (mmpc_is_clearly_more(c, p))
        return STATUS_OK;
    *out = least_association(p->least_statistic, p->most_df);
    if (association_compare(out, &c->minimum) > 0)
        return STATUS_OK; /* what is known at least is more than the minimum */
    *may_lower = true;
    return p->is_measured ? STATUS_OK : measure_given(s, c, test_batch_lay(s->members, p->members, s->z), out, err);
}

pending_set mmpc_take_last(mmpc_search *s, candidate *c) {
    pending_pool *p = &s->pending;
    uint32_t place = c->last;
    pending_set taken = p->items[place];
    c->last = taken.before;
    c->n_pending--;
    p->items[place].before = p->last_free;
    p->last_free = place;
    p->n_free++;
    return taken;
}

bool mmpc_is_settled(const candidate *c) {
    return !c->is_bound && c->n_pending == 0;
}
