/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Max-min parents and children of one target: Tsamardinos, Brown, Aliferis 2006, Algorithm 1 (MMPCbar). Forward, the
 * candidate whose least association with the target, over all sets of members, is the greatest becomes a member, until
 * every candidate is independent given some set. Backward, a member leaves that some set of the others makes
 * independent. After each entry only sets that hold the newest member are tested, so the minimum of a candidate is
 * always over all sets of members, but for those that are pending: of these it is known that the candidate is
 * dependent, and how much is asked only of the candidate that seems best.
 */
#include "learners/constraint/mmpc_search.h"

#include "core/base/array.h"
#include "learners/base/set_walk.h"
#include "learners/constraint/association_probe_internal.h"
#include "metrics/tests/ci_test.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t variable;
    association minimum; /* over the sets tested so far, but for those that are pending */
    double df;           /* as in mmpc_candidate */
    bool is_reliable;    /* some set of the present size was tested */
    bool is_closed;      /* no larger set can be */
} candidate;

/* A set of members, given which a candidate is known to be dependent and no more. */
typedef struct {
    uint64_t members; /* by place of entry */
    double least_statistic, most_df;
} pending_set;

typedef struct {
    pending_set *items;
    size_t count, capacity;
} pending_list;

struct mmpc_search {
    association_probe probe;
    mmpc_rules rules;
    size_t n_variables, target;
    candidate *open; /* candidates that have not reached zero, by index */
    size_t n_open;
    size_t *members; /* CPC in order of entry; the first n_warm stem from optimisation 5 */
    size_t n_members, n_warm;
    size_t *others;     /* the members less one, in the backward phase */
    size_t *chosen, *z; /* a subset by position, and its variables */
    size_t *attended;
    uint64_t z_members;    /* the same by place of entry */
    pending_list *pending; /* by variable */
};

static double states_of(const mmpc_search *s, size_t column) {
    return table_limit_states(s->rules.limit, column);
}

/* The largest set of so many members that is looked at. */
static size_t largest_set(const mmpc_search *s, size_t n_available) {
    size_t max_k = s->rules.max_k < 0 ? n_available : (size_t)s->rules.max_k;
    return n_available < max_k ? n_available : max_k;
}

static bool reserve(mmpc_search *s, size_t n) {
    s->open = calloc(n + 1, sizeof *s->open);
    s->members = calloc(n + 1, sizeof *s->members);
    s->others = calloc(n + 1, sizeof *s->others);
    s->chosen = calloc(n + 1, sizeof *s->chosen);
    s->z = calloc(n + 1, sizeof *s->z);
    s->attended = calloc(n + 1, sizeof *s->attended);
    s->pending = calloc(n + 1, sizeof *s->pending);
    return s->attended && s->others && s->open && s->members && s->chosen && s->z && s->pending;
}

status mmpc_search_create(const association_source *source, size_t n_variables, const mmpc_rules *rules,
                          const run_context *ctx, mmpc_search **out, error_info *err) {
    AUTO_PTR(mmpc_search_destroy) mmpc_search *s = calloc(1, sizeof *s);
    if (!s || !reserve(s, n_variables))
        return error_out_of_memory(err);
    s->n_variables = n_variables;
    s->probe = (association_probe){.source = *source, .quick = rules->quick, .ctx = ctx};
    s->rules = *rules;
    *out = TAKE(s);
    return STATUS_OK;
}

void mmpc_search_destroy(mmpc_search *s) {
    if (!s)
        return;
    for (size_t x = 0; s->pending && x < s->n_variables; x++)
        free(s->pending[x].items);
    free(s->pending);
    free(s->attended);
    free(s->open);
    free(s->members);
    free(s->others);
    free(s->chosen);
    free(s->z);
    free(s);
}

bool mmpc_search_is_cut_short(const mmpc_search *s) {
    return s->probe.is_expired;
}

/* Optimisations 4 and 5 sort the variables into members, candidates and those that are neither. */
static void sort_variables(mmpc_search *s, const neighbour_lists *earlier) {
    size_t n_done = earlier ? neighbour_lists_count(earlier) : 0;
    s->n_open = s->n_members = 0;
    for (size_t x = 0; x < s->n_variables; x++) {
        bool is_done = x < n_done, is_claimed = is_done && neighbour_lists_has(earlier, x, s->target);
        if (x == s->target || (is_done && !is_claimed && s->rules.use_refusals))
            continue;
        if (is_claimed && s->rules.use_claims)
            s->members[s->n_members++] = x;
        else
            s->open[s->n_open++] = (candidate){.variable = x};
    }
    s->n_warm = s->n_members;
}

/* The associations without condition. Where the test is not performed, the candidate has none. */
static status open_candidates(mmpc_search *s, error_info *err) {
    size_t n = s->n_open;
    s->n_open = 0;
    for (size_t i = 0; i < n; i++) {
        candidate c = s->open[i];
        bool reliable = false;
        CHECK(association_probe_measure(&s->probe, c.variable, s->target, NULL, 0, &reliable, &c.minimum, err));
        if (reliable && !c.minimum.is_zero)
            s->open[s->n_open++] = c;
    }
    return STATUS_OK;
}

static void make_exact(candidate *c) {
    if (c->df > 0)
        c->minimum.log_p = chi_square_log_tail(c->minimum.statistic, c->df);
    c->df = 0;
}

static void take_if_less(candidate *c, const association *a) {
    if (a->is_zero)
        c->df = 0; /* nothing is less */
    else
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

/* Places of entry past this one have no bit; a candidate with so many sets pending is as well brought up to date. */
enum { PENDING_PLACES = 64, PENDING_MOST = 1 << 17 };

static status postpone(mmpc_search *s, candidate *c, size_t n_z, const verdict *v, error_info *err) {
    pending_list *list = &s->pending[c->variable];
    if (s->n_members > PENDING_PLACES || list->count == PENDING_MOST)
        return resolve(s, c, n_z, err);
    return ARRAY_PUSH(list->items, list->count, list->capacity, err,
                      (pending_set){s->z_members, v->least_statistic, v->most_df});
}

/* The set z on one candidate. */
static status lower(mmpc_search *s, candidate *c, size_t n_z, error_info *err) {
    bool reliable = false;
    verdict v = {0};
    status st = association_probe_decide(&s->probe, c->variable, s->target, s->z, n_z, &reliable, &v, err);
    if (st != STATUS_OK || !reliable)
        return st;
    c->is_reliable = true;
    if (!v.is_exact)
        return postpone(s, c, n_z, &v, err);
    take_if_less(c, &v.value);
    return STATUS_OK;
}

static size_t lay_members(mmpc_search *s, uint64_t members) {
    size_t n = 0;
    for (size_t i = 0; i < PENDING_PLACES; i++) {
        if (members >> i & 1)
            s->z[n++] = s->members[i];
    }
    return n;
}

/* False if the bound alone says that the association is more than the minimum. */
static bool may_be_less(const candidate *c, const pending_set *p) {
    association least = {.log_p = chi_square_log_tail(p->least_statistic, p->most_df), .statistic = p->least_statistic};
    return association_compare(&least, &c->minimum) <= 0;
}

/* Brings the minimum up to date. */
static status settle(mmpc_search *s, candidate *c, error_info *err) {
    pending_list *list = &s->pending[c->variable];
    make_exact(c);
    while (list->count > 0 && !association_probe_is_expired(&s->probe)) {
        const pending_set *p = &list->items[--list->count];
        if (may_be_less(c, p))
            CHECK(resolve(s, c, lay_members(s, p->members), err));
    }
    return STATUS_OK;
}

/* The set z on every open candidate; those that reach zero are dropped for good (optimisation 1). */
static status lower_all(mmpc_search *s, size_t n_z, error_info *err) {
    size_t n_kept = 0;
    double cells = states_of(s, s->target);
    for (size_t i = 0; i < n_z; i++)
        cells *= states_of(s, s->z[i]);
    for (size_t i = 0; i < s->n_open; i++) {
        candidate *c = &s->open[i];
        if (!c->is_closed && table_limit_allows(s->rules.limit, cells * states_of(s, c->variable))) {
            CHECK(lower(s, c, n_z, err));
        }
        if (!c->minimum.is_zero)
            s->open[n_kept++] = *c;
    }
    s->n_open = n_kept;
    return STATUS_OK;
}

/* The fewest states that a candidate has of which larger sets can be tested. */
static double fewest_states(const mmpc_search *s) {
    double fewest = INFINITY;
    for (size_t i = 0; i < s->n_open; i++) {
        if (!s->open[i].is_closed)
            fewest = fmin(fewest, states_of(s, s->open[i].variable));
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
    double cells = states_of(s, s->target) * fewest_states(s) * (with_next ? states_of(s, s->members[n_pool]) : 1);
    set_walk w = {s->rules.limit, cells, s->members, n_pool, k, s->chosen, s->z};
    bool more = set_walk_first(&w);
    for (; more && s->n_open > 0 && !s->probe.is_expired; more = set_walk_next(&w)) {
        if (with_next)
            s->z[k] = s->members[n_pool];
        s->z_members = with_next ? UINT64_C(1) << n_pool % PENDING_PLACES : 0;
        for (size_t i = 0; i < k; i++)
            s->z_members |= UINT64_C(1) << s->chosen[i] % PENDING_PLACES;
        CHECK(lower_all(s, k + with_next, err));
    }
    return STATUS_OK;
}

/*
 * Brings the minima up to date over the subsets of the first n_pool members, joined with the member after them if
 * `with_next`: after F = that member has entered, only sets that hold it are new (optimisation 2).
 */
static status tighten(mmpc_search *s, size_t n_pool, bool with_next, error_info *err) {
    size_t largest = largest_set(s, n_pool + with_next);
    reopen(s);
    for (size_t size = 1; size <= largest; size++) {
        CHECK(tighten_by(s, size - with_next, n_pool, with_next, err));
        if (s->probe.is_expired || !close_unreliable(s))
            break;
    }
    return STATUS_OK;
}

static bool is_settled(const mmpc_search *s, const candidate *c) {
    return c->df <= 0 && s->pending[c->variable].count == 0;
}

static size_t find_best(const mmpc_search *s) {
    size_t best = 0;
    for (size_t i = 1; i < s->n_open; i++) {
        if (association_compare(&s->open[i].minimum, &s->open[best].minimum) > 0)
            best = i;
    }
    return best;
}

/*
 * Moves the candidate with the largest minimum, the first among equals, to the members. What is pending or not exact
 * can only lower a minimum, so the best of all is found once the best as it seems has nothing pending; a single one
 * need not be known.
 */
static status enter_best(mmpc_search *s, error_info *err) {
    size_t best = find_best(s);
    while (s->n_open > 1 && !s->probe.is_expired && !is_settled(s, &s->open[best])) {
        CHECK(settle(s, &s->open[best], err));
        best = find_best(s);
    }
    s->members[s->n_members++] = s->open[best].variable;
    s->n_open--;
    memmove(&s->open[best], &s->open[best + 1], (s->n_open - best) * sizeof *s->open);
    return STATUS_OK;
}

/* Tells the source that the tests that follow are about the target, the members and the candidates. */
static void attend(mmpc_search *s) {
    size_t n = 0;
    s->attended[n++] = s->target;
    for (size_t i = 0; i < s->n_members; i++)
        s->attended[n++] = s->members[i];
    for (size_t i = 0; i < s->n_open; i++)
        s->attended[n++] = s->open[i].variable;
    association_probe_attend(&s->probe, s->attended, n);
}

static status forward(mmpc_search *s, error_info *err) {
    for (size_t i = 0; i < s->n_open; i++)
        s->pending[s->open[i].variable].count = 0;
    attend(s);
    if (s->n_warm > 0)
        CHECK(tighten(s, s->n_warm, false, err));
    while (s->n_open > 0 && !s->probe.is_expired) {
        CHECK(enter_best(s, err));
        attend(s);
        CHECK(tighten(s, s->n_members - 1, true, err));
    }
    return STATUS_OK;
}

/* --- backward --- */

/* True if the forward phase tested the chosen set on the member: all of the set had entered before it. */
static bool is_known(const mmpc_search *s, size_t member, size_t size) {
    if (member < s->n_warm)
        return false;
    return size == 0 || s->chosen[size - 1] < member;
}

/* What became of the sets of one size. */
typedef struct {
    bool any_tested, any_reliable, is_separable;
} size_report;

static status separate_by(mmpc_search *s, size_t size, size_t member, size_report *report, error_info *err) {
    double cells = states_of(s, s->target) * states_of(s, s->members[member]);
    set_walk w = {s->rules.limit, cells, s->others, s->n_members - 1, size, s->chosen, s->z};
    bool more = set_walk_first(&w);
    *report = (size_report){0};
    for (; more && !s->probe.is_expired && !report->is_separable; more = set_walk_next(&w)) {
        bool reliable = false;
        verdict v = {0};
        if (is_known(s, member, size))
            continue;
        CHECK(association_probe_decide(&s->probe, s->members[member], s->target, s->z, size, &reliable, &v, err));
        report->any_tested = true;
        report->any_reliable = report->any_reliable || reliable;
        report->is_separable = reliable && v.is_exact && v.value.is_zero;
    }
    return STATUS_OK;
}

/* Whether some set of other members, not tested yet, makes the member and the target independent. */
static status is_separable(mmpc_search *s, size_t member, bool *separable, error_info *err) {
    size_t n_others = s->n_members - 1, largest = largest_set(s, n_others);
    *separable = false;
    memcpy(s->others, s->members, member * sizeof *s->others);
    memcpy(s->others + member, s->members + member + 1, (n_others - member) * sizeof *s->others);
    for (size_t size = 0; size <= largest && !s->probe.is_expired && !*separable; size++) {
        size_report report;
        CHECK(separate_by(s, size, member, &report, err));
        *separable = report.is_separable;
        if ((size > 0 && !report.any_tested) || (report.any_tested && !report.any_reliable))
            break; /* nor would there be anything among larger ones */
    }
    return STATUS_OK;
}

static void remove_member(mmpc_search *s, size_t member) {
    s->n_members--;
    s->n_warm -= member < s->n_warm;
    memmove(&s->members[member], &s->members[member + 1], (s->n_members - member) * sizeof *s->members);
}

static status backward(mmpc_search *s, error_info *err) {
    size_t member = 0;
    attend(s);
    while (member < s->n_members && !s->probe.is_expired) {
        bool separable = false;
        CHECK(is_separable(s, member, &separable, err));
        if (separable)
            remove_member(s, member);
        else
            member++;
    }
    return STATUS_OK;
}

/* --- both --- */

status mmpc_search_target(mmpc_search *s, size_t target, const neighbour_lists *earlier, const size_t **members,
                          size_t *n_members, error_info *err) {
    s->target = target;
    sort_variables(s, earlier);
    CHECK(open_candidates(s, err));
    CHECK(forward(s, err));
    CHECK(backward(s, err));
    *members = s->members;
    *n_members = s->n_members;
    return STATUS_OK;
}

status mmpc_search_candidates(mmpc_search *s, size_t target, const mmpc_candidate *candidates, size_t n_candidates,
                              const size_t **members, size_t *n_members, error_info *err) {
    s->target = target;
    s->n_members = s->n_warm = 0;
    s->n_open = n_candidates;
    for (size_t i = 0; i < n_candidates; i++)
        s->open[i] =
            (candidate){.variable = candidates[i].variable, .minimum = candidates[i].value, .df = candidates[i].df};
    CHECK(forward(s, err));
    CHECK(backward(s, err));
    *members = s->members;
    *n_members = s->n_members;
    return STATUS_OK;
}

/* Is the pair the target and one of its members? */
static bool is_of_member(void *self, size_t x, size_t y, const uint32_t *z, size_t n_z) {
    const mmpc_search *s = self;
    size_t other = x == s->target ? y : x;
    (void)z, (void)n_z;
    for (size_t i = 0; i < s->n_members; i++) {
        if (s->members[i] == other)
            return true;
    }
    return false;
}

status mmpc_skeleton(const association_source *source, size_t n_variables, const mmpc_rules *rules,
                     const run_context *ctx, pdag **out, bool *is_cut_short, error_info *err) {
    AUTO_PTR(mmpc_search_destroy) mmpc_search *search = NULL;
    AUTO_PTR(neighbour_lists_destroy) neighbour_lists *found = NULL;

    CHECK(mmpc_search_create(source, n_variables, rules, ctx, &search, err));
    CHECK(neighbour_lists_create(n_variables, &found, err));
    for (size_t target = 0; target < n_variables; target++) {
        const size_t *members = NULL;
        size_t n_members = 0;
        CHECK(mmpc_search_target(search, target, found, &members, &n_members, err));
        if (mmpc_search_is_cut_short(search))
            break; /* half a list says nothing that could be trusted */
        CHECK(neighbour_lists_append(found, members, n_members, err));
        if (rules->use_refusals) /* only its members will ask about this variable again */
            association_probe_release(&search->probe, &(later_tests){search, is_of_member});
    }
    CHECK(neighbour_lists_skeleton(found, (symmetry_rule)rules->symmetry, out, err));
    *is_cut_short = mmpc_search_is_cut_short(search);
    return STATUS_OK;
}
