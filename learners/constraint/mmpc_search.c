/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Max-min parents and children of one target: Tsamardinos, Brown, Aliferis 2006, Algorithm 1 (MMPCbar). Forward, the
 * candidate whose least association with the target, over all sets of members, is the greatest becomes a member, until
 * every candidate is independent given some set. Backward, a member leaves that some set of the others makes
 * independent. After each entry only sets that hold the newest member are tested, so the minimum of a candidate is
 * always over all sets of members, but for those that are pending: of these it is known that the candidate is
 * dependent, and how much is asked only of the candidate that seems best.
 */
#include "learners/constraint/mmpc_state_internal.h"

#include <stdlib.h>

static bool reserve(mmpc_search *s, size_t n) {
    s->open = calloc(n + 1, sizeof *s->open);
    s->members = calloc(n + 1, sizeof *s->members);
    s->others = calloc(n + 1, sizeof *s->others);
    s->places = calloc(n + 1, sizeof *s->places);
    s->was_before = calloc(n + 1, sizeof *s->was_before);
    s->was_beside = calloc(n + 1, sizeof *s->was_beside);
    s->chosen = calloc(n + 1, sizeof *s->chosen);
    s->z = calloc(n + 1, sizeof *s->z);
    s->attended = calloc(n + 1, sizeof *s->attended);
    s->spots = calloc(n + 1, sizeof *s->spots);
    return s->places && s->was_before && s->was_beside && s->attended && s->spots && s->others && s->open &&
           s->members && s->chosen && s->z;
}

/* A search without records. */
static status create(const association_source *source, size_t n_variables, const mmpc_rules *rules,
                     const run_context *ctx, mmpc_search **out, error_info *err) {
    AUTO_PTR(mmpc_search_destroy) mmpc_search *s = calloc(1, sizeof *s);
    if (!s || !reserve(s, n_variables))
        return error_out_of_memory(err);
    s->n_variables = n_variables;
    if (rules->quick && rules->quick->decide_many) {
        CHECK_ALLOC(s->asked = calloc(MMPC_AT_ONCE, sizeof *s->asked));
        CHECK_ALLOC(s->answers = calloc(MMPC_AT_ONCE, sizeof *s->answers));
    }
    s->probe = (association_probe){.source = *source, .quick = rules->quick, .ctx = ctx};
    s->rules = *rules;
    s->keeps_records = rules->use_refusals && rules->use_claims && rules->quick && rules->quick->repeat;
    *out = TAKE(s);
    return STATUS_OK;
}

status mmpc_search_create(const association_source *source, size_t n_variables, const mmpc_rules *rules,
                          const run_context *ctx, mmpc_search **out, error_info *err) {
    AUTO_PTR(mmpc_search_destroy) mmpc_search *s = NULL;
    CHECK(create(source, n_variables, rules, ctx, &s, err));
    s->first = s;
    CHECK_ALLOC(s->records = calloc(n_variables + 1, sizeof *s->records));
    *out = TAKE(s);
    return STATUS_OK;
}

status mmpc_search_create_beside(const mmpc_search *first, const association_source *source,
                                 const decision_source *quick, statistics_count *tally, mmpc_search **out,
                                 error_info *err) {
    mmpc_rules rules = first->rules;
    rules.quick = quick;
    rules.tally = tally;
    CHECK(create(source, first->n_variables, &rules, first->probe.ctx, out, err));
    (*out)->first = first->first;
    (*out)->records = first->records;
    return STATUS_OK;
}

void mmpc_search_set_watch(mmpc_search *s, mmpc_watch watch) {
    s->watch = watch;
}

void mmpc_search_destroy(mmpc_search *s) {
    if (!s)
        return;
    for (size_t x = 0; s->first == s && s->records && x < s->n_variables; x++)
        mmpc_record_clear(&s->records[x]);
    if (s->first == s)
        free(s->records);
    free(s->was_before);
    free(s->was_beside);
    free(s->places);
    free(s->pending.items);
    free(s->attended);
    free(s->asked);
    free(s->answers);
    free(s->spots);
    test_batch_clear(&s->batch);
    free(s->pile.counts);
    free(s->pile.depends);
    free(s->to_settle);
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

/* Of the first n that are attended, those that are not known to be independent without condition are candidates. */
static void screen_candidates(mmpc_search *s, size_t n) {
    s->n_open = association_probe_screen(&s->probe, s->target, s->attended, n, s->attended);
    for (size_t i = 0; i < s->n_open; i++)
        s->open[i] = (candidate){.variable = s->attended[i]};
}

/* Optimisations 4 and 5 sort the variables into members, candidates and those that are neither. */
static void sort_variables(mmpc_search *s, const mmpc_earlier *earlier) {
    size_t n_claims = 0, n = 0;
    s->n_members = 0;
    for (size_t x = 0; x < s->n_variables; x++) {
        bool is_done = x < earlier->n_done;
        bool is_claimed = n_claims < earlier->n_claims && earlier->claims[n_claims] == x;
        n_claims += is_claimed;
        if (x == s->target || (is_done && !is_claimed && s->rules.use_refusals))
            continue;
        if (is_claimed && s->rules.use_claims)
            s->members[s->n_members++] = x;
        else
            s->attended[n++] = x;
    }
    s->n_warm = s->n_members;
    screen_candidates(s, n);
}
/* The associations without condition. Where the test is not performed, the candidate has none. */
static status open_candidates(mmpc_search *s, error_info *err) {
    size_t n = s->n_open;
    s->n_open = 0;
    for (size_t i = 0; i < n; i++) {
        candidate c = s->open[i];
        bool reliable = false;
        mmpc_approach(s, i, n);
        CHECK(association_probe_measure(&s->probe, c.variable, s->target, NULL, 0, &reliable, &c.minimum, err));
        if (reliable && !c.minimum.is_zero)
            s->open[s->n_open++] = c;
    }
    return STATUS_OK;
}

status mmpc_search_target(mmpc_search *s, size_t target, const mmpc_earlier *earlier, const size_t **members,
                          size_t *n_members, error_info *err) {
    s->target = target;
    sort_variables(s, earlier ? earlier : &(mmpc_earlier){0});
    CHECK(open_candidates(s, err));
    CHECK(mmpc_forward(s, err));
    CHECK(mmpc_backward(s, err));
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
        s->open[i] = (candidate){candidates[i].variable, candidates[i].value, .is_bound = candidates[i].is_bound};
    CHECK(mmpc_forward(s, err));
    CHECK(mmpc_backward(s, err));
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

void mmpc_search_release(mmpc_search *s) {
    if (s->rules.use_refusals) /* only its members will ask about this variable again */
        association_probe_release(&s->probe, &(later_tests){s, is_of_member});
}
