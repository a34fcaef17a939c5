/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Polynomial max-min parents and children of one target: Brown, Tsamardinos, Aliferis 2005 (AAAI), Algorithm 1. As
 * MMPC, but the least association of a candidate is sought greedily: its conditioning set grows by the member that
 * lowers the association most, while one does. Such a descent is kept for each candidate; it is always the one that
 * would be found from scratch among the present members.
 */
#include "learners/constraint/pmmpc_search.h"

#include "core/base/array.h"
#include "core/counting/tuple_cache.h"
#include "learners/constraint/association_probe_internal.h"
#include "learners/constraint/pmmpc_records_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A step of the greedy minimum: the element that joins the conditioning set, and the association that it leaves. */
typedef struct {
    size_t element;
    association value;
} step;

typedef struct {
    association start; /* given the empty set */
    step *steps;
    size_t n_steps, capacity;
} descent;

typedef struct {
    size_t variable;
    descent descent; /* given the present members */
} candidate;

struct pmmpc_search {
    association_probe probe;
    pmmpc_rules rules;
    tuple_cache *memo; /* of the present target: x, z...; log p, below 0 of a dependent pair, and the statistic */
    const pmmpc_records *records; /* of earlier targets; NULL: there are none */
    pmmpc_questions asked;        /* of the present target, for the records */
    uint32_t *key;                /* of the memo and the records, n_variables + 2 */
    size_t n_variables, target;
    candidate *open; /* candidates that have not reached zero, by index */
    size_t n_open;
    size_t *members; /* CPC in order of entry */
    size_t n_members;
    size_t *sorted;       /* CPC, or CPC without one member, ascending */
    descent scratch;      /* of the backward phase */
    size_t *path, *trial; /* a descent's conditioning set, and the same with one more; ascending */
};

static bool reserve(pmmpc_search *s, size_t n) {
    s->n_variables = n;
    s->key = calloc(n + 2, sizeof *s->key);
    s->open = calloc(n + 1, sizeof *s->open);
    s->members = calloc(n + 1, sizeof *s->members);
    s->sorted = calloc(n + 1, sizeof *s->sorted);
    s->path = calloc(n + 1, sizeof *s->path);
    s->trial = calloc(n + 1, sizeof *s->trial);
    return s->open && s->members && s->sorted && s->path && s->trial && s->key &&
           tuple_cache_create(SIZE_MAX, &s->memo, NULL) == STATUS_OK;
}

status pmmpc_search_create(const association_source *source, size_t n_variables, const pmmpc_rules *rules,
                           const run_context *ctx, pmmpc_search **out, error_info *err) {
    AUTO_PTR(pmmpc_search_destroy) pmmpc_search *s = calloc(1, sizeof *s);
    if (!s || !reserve(s, n_variables))
        return error_out_of_memory(err);
    s->probe = (association_probe){.source = *source, .quick = rules->quick, .ctx = ctx};
    s->rules = *rules;
    s->target = n_variables; /* none yet */
    *out = TAKE(s);
    return STATUS_OK;
}

void pmmpc_search_destroy(pmmpc_search *s) {
    if (!s)
        return;
    tuple_cache_destroy(s->memo);
    pmmpc_questions_clear(&s->asked);
    free(s->key);
    for (size_t i = 0; s->open && i < s->n_variables; i++)
        free(s->open[i].descent.steps);
    free(s->scratch.steps);
    free(s->open);
    free(s->members);
    free(s->sorted);
    free(s->path);
    free(s->trial);
    free(s);
}

bool pmmpc_search_is_cut_short(const pmmpc_search *s) {
    return s->probe.is_expired;
}

void pmmpc_search_use_records(pmmpc_search *s, const pmmpc_records *records) {
    s->records = records;
}

pmmpc_questions pmmpc_search_take_questions(pmmpc_search *s) {
    pmmpc_questions asked = s->asked;
    s->asked = (pmmpc_questions){0};
    return asked;
}

static void turn_to(pmmpc_search *s, size_t target) {
    tuple_cache_empty(s->memo);
    pmmpc_questions_clear(&s->asked);
    s->target = target;
}

/* --- the memo: what the search for the present target has been told --- */

static void lay_key(pmmpc_search *s, size_t x, const size_t *z, size_t n_z) {
    s->key[0] = (uint32_t)x;
    for (size_t i = 0; i < n_z; i++)
        s->key[i + 1] = (uint32_t)z[i];
}

/* True, and what was told into `out`, of x and the target given the ascending set z. */
static bool find_told(pmmpc_search *s, size_t x, const size_t *z, size_t n_z, association *out) {
    const tuple_value *value;
    lay_key(s, x, z, n_z);
    value = tuple_cache_find(s->memo, s->key, n_z + 1);
    if (value)
        *out = pmmpc_unpack(value);
    return value != NULL;
}

/* Running out of memory is no error: the association is then asked for again. */
static void tell(pmmpc_search *s, size_t x, const size_t *z, size_t n_z, const association *known) {
    lay_key(s, x, z, n_z);
    tuple_cache_add(s->memo, s->key, n_z + 1, pmmpc_pack(known));
}

static bool is_too_large(const pmmpc_search *s, size_t x, const size_t *z, size_t n_z) {
    const table_limit *limit = s->rules.limit;
    double cells = table_limit_states(limit, x) * table_limit_states(limit, s->target);
    for (size_t i = 0; limit && i < n_z; i++)
        cells *= table_limit_states(limit, z[i]);
    return !table_limit_allows(limit, cells);
}

/* What an earlier target asked counts as asked again. */
static bool find_recorded(pmmpc_search *s, size_t x, const size_t *z, size_t n_z, association *out) {
    bool is_there = x < s->target && pmmpc_records_find(s->records, s->key, x, s->target, z, n_z, out);
    s->rules.tally->requests += is_there;
    return is_there;
}

/* The association from the records, or by a test. Pairs without condition are known to the source. */
static status ask(pmmpc_search *s, size_t x, const size_t *z, size_t n_z, bool *reliable, association *out,
                  error_info *err) {
    bool keeps_record = s->records && n_z > 0;
    bool may_come_twice = keeps_record && pmmpc_records_may_ask(s->records, x, z, n_z);
    *reliable = may_come_twice && find_recorded(s, x, z, n_z, out);
    if (*reliable)
        return STATUS_OK;
    CHECK(association_probe_measure(&s->probe, x, s->target, z, n_z, reliable, out, err));
    if (may_come_twice && *reliable)
        CHECK(pmmpc_questions_add(&s->asked, x, z, n_z, out, err));
    s->asked.n_performed += keeps_record && *reliable;
    return STATUS_OK;
}

/* The association from the memo, or from elsewhere. Refusals are not kept: to ask again takes less time. */
static status recall(pmmpc_search *s, size_t x, const size_t *z, size_t n_z, bool *reliable, association *out,
                     error_info *err) {
    *reliable = false;
    if (is_too_large(s, x, z, n_z))
        return STATUS_OK;
    *reliable = find_told(s, x, z, n_z, out);
    if (*reliable)
        return STATUS_OK;
    CHECK(ask(s, x, z, n_z, reliable, out, err));
    if (*reliable)
        tell(s, x, z, n_z, out);
    return STATUS_OK;
}

/* `with` becomes the ascending set plus `extra`; false if it is there already. */
static bool insert(const size_t *set, size_t n, size_t extra, size_t *with) {
    size_t at = 0;
    while (at < n && set[at] < extra)
        at++;
    if (at < n && set[at] == extra)
        return false;
    memcpy(with, set, at * sizeof *set);
    with[at] = extra;
    memcpy(with + at + 1, set + at, (n - at) * sizeof *set);
    return true;
}

/* --- the greedy minimum --- */

/* The element of z that, joined to the path, gives the least association; false where no test was performed. */
static status find_least(pmmpc_search *s, size_t x, const size_t *z, size_t n_z, size_t n_path, bool *found,
                         size_t *element, association *least, error_info *err) {
    *found = false;
    for (size_t i = 0; i < n_z; i++) {
        association a = {0};
        bool reliable;
        if (!insert(s->path, n_path, z[i], s->trial))
            continue;
        CHECK(recall(s, x, s->trial, n_path + 1, &reliable, &a, err));
        if (!reliable || (*found && association_compare(&a, least) >= 0))
            continue;
        *found = true;
        *element = z[i];
        *least = a;
        if (least->is_zero)
            break;
    }
    return STATUS_OK;
}

static association minimum_of(const descent *d) {
    return d->n_steps > 0 ? d->steps[d->n_steps - 1].value : d->start;
}

/* The set of the first n steps into `path`. */
static void lay_path(pmmpc_search *s, const descent *d, size_t n) {
    for (size_t i = 0; i < n; i++) {
        (void)insert(s->path, i, d->steps[i].element, s->trial);
        memcpy(s->path, s->trial, (i + 1) * sizeof *s->path);
    }
}

/* The n-th step becomes this one; what came after it falls away. */
static status take_step(descent *d, size_t n, size_t element, association value, error_info *err) {
    d->n_steps = n;
    return ARRAY_PUSH(d->steps, d->n_steps, d->capacity, err, (step){element, value});
}

/* Goes on from where the descent is, as long as a single element of z lowers the association. */
static status descend(pmmpc_search *s, size_t x, descent *d, const size_t *z, size_t n_z, error_info *err) {
    lay_path(s, d, d->n_steps);
    while (!minimum_of(d).is_zero && d->n_steps < n_z) {
        association least = {0}, value = minimum_of(d);
        size_t element = 0;
        bool found;
        CHECK(find_least(s, x, z, n_z, d->n_steps, &found, &element, &least, err));
        if (!found || association_compare(&least, &value) >= 0)
            break;
        CHECK(take_step(d, d->n_steps, element, least, err));
        (void)insert(s->path, d->n_steps - 1, element, s->trial);
        memcpy(s->path, s->trial, d->n_steps * sizeof *s->path);
    }
    return STATUS_OK;
}

static status greedy_minimum(pmmpc_search *s, size_t x, const size_t *z, size_t n_z, association *out,
                             error_info *err) {
    association start = {0};
    bool reliable;
    CHECK(recall(s, x, NULL, 0, &reliable, &start, err));
    s->scratch.start = reliable ? start : (association){.is_zero = true};
    s->scratch.n_steps = 0;
    CHECK(descend(s, x, &s->scratch, z, n_z, err));
    *out = minimum_of(&s->scratch);
    return STATUS_OK;
}

status pmmpc_greedy_minimum(pmmpc_search *s, size_t x, size_t target, const size_t *z, size_t n_z, association *out,
                            error_info *err) {
    if (s->target != target)
        turn_to(s, target);
    return greedy_minimum(s, x, z, n_z, out, err);
}

/* Whether the newest member takes the place of the n-th step, or becomes one after the last. */
static bool is_better_step(const descent *d, size_t n, size_t newest, const association *value) {
    association last = minimum_of(d);
    int order;
    if (n == d->n_steps)
        return association_compare(value, &last) < 0;
    order = association_compare(value, &d->steps[n].value);
    return order < 0 || (order == 0 && newest < d->steps[n].element);
}

/*
 * The greedy minimum of a candidate after a member has entered. Each step was the best of the earlier members, so only
 * the newest is to be tried at it; where it wins, the descent goes on from there. The same steps as from scratch,
 * without looking through all members at every one.
 */
static status update_descent(pmmpc_search *s, size_t x, descent *d, error_info *err) {
    size_t newest = s->members[s->n_members - 1];
    for (size_t n = 0; n <= d->n_steps; n++) {
        association a = {0};
        bool reliable;
        status st;
        lay_path(s, d, n);
        (void)insert(s->path, n, newest, s->trial);
        st = recall(s, x, s->trial, n + 1, &reliable, &a, err);
        if (st != STATUS_OK || !reliable) /* nor would it be given more */
            return st;
        if (is_better_step(d, n, newest, &a)) {
            st = take_step(d, n, newest, a, err);
            return st == STATUS_OK ? descend(s, x, d, s->sorted, s->n_members, err) : st;
        }
    }
    return STATUS_OK;
}

/* --- forward --- */

static status open_candidates(pmmpc_search *s, error_info *err) {
    s->n_open = s->n_members = 0;
    for (size_t x = 0; x < s->n_variables; x++) {
        association a = {0};
        bool reliable = false;
        if (x == s->target)
            continue;
        CHECK(association_probe_measure(&s->probe, x, s->target, NULL, 0, &reliable, &a, err));
        if (!reliable || a.is_zero)
            continue; /* never asked for again: not worth remembering */
        tell(s, x, NULL, 0, &a);
        s->open[s->n_open].variable = x;
        s->open[s->n_open].descent.start = a;
        s->open[s->n_open++].descent.n_steps = 0;
    }
    return STATUS_OK;
}

static size_t find_best(const pmmpc_search *s) {
    size_t best = 0;
    for (size_t i = 1; i < s->n_open; i++) {
        association a = minimum_of(&s->open[i].descent), b = minimum_of(&s->open[best].descent);
        if (association_compare(&a, &b) > 0)
            best = i;
    }
    return best;
}

/* Moves the candidate with the largest minimum, the first among equals, to the members. */
static void enter_best(pmmpc_search *s) {
    size_t best = find_best(s);
    candidate entering = s->open[best];
    s->n_open--;
    memmove(&s->open[best], &s->open[best + 1], (s->n_open - best) * sizeof *s->open);
    s->open[s->n_open] = entering; /* its memory is used again */
    (void)insert(s->sorted, s->n_members, entering.variable, s->trial);
    memcpy(s->sorted, s->trial, (s->n_members + 1) * sizeof *s->sorted);
    s->members[s->n_members++] = entering.variable;
}

/*
 * The newest member alone as the conditioning set. The greedy minimum of every candidate asks for it in any case; asked
 * for in one go, the tests share target and set, which makes them cheaper.
 */
static status test_newest(pmmpc_search *s, error_info *err) {
    const size_t *newest = &s->members[s->n_members - 1];
    for (size_t i = 0; i < s->n_open; i++) {
        association ignored;
        bool reliable;
        CHECK(recall(s, s->open[i].variable, newest, 1, &reliable, &ignored, err));
    }
    return STATUS_OK;
}

static status update_minima(pmmpc_search *s, error_info *err) {
    size_t n_kept = 0;
    for (size_t i = 0; i < s->n_open; i++) {
        candidate c;
        CHECK(update_descent(s, s->open[i].variable, &s->open[i].descent, err));
        c = s->open[i];
        if (!minimum_of(&c.descent).is_zero) {
            s->open[i] = s->open[n_kept]; /* a swap: every candidate keeps memory of its own */
            s->open[n_kept++] = c;
        }
    }
    s->n_open = n_kept;
    return STATUS_OK;
}

static status forward(pmmpc_search *s, error_info *err) {
    CHECK(open_candidates(s, err));
    while (s->n_open > 0 && !s->probe.is_expired) {
        enter_best(s);
        CHECK(test_newest(s, err));
        CHECK(update_minima(s, err));
    }
    return STATUS_OK;
}

/* --- backward --- */

/* Takes one variable out of an array, the order kept. */
static void take_out(size_t *set, size_t *n, size_t variable) {
    size_t n_kept = 0;
    for (size_t i = 0; i < *n; i++) {
        if (set[i] != variable)
            set[n_kept++] = set[i];
    }
    *n = n_kept;
}

static status backward(pmmpc_search *s, error_info *err) {
    size_t member = 0;
    while (member < s->n_members && !s->probe.is_expired) {
        size_t x = s->members[member], n_others = s->n_members;
        association minimum = {0};
        take_out(s->sorted, &n_others, x);
        CHECK(greedy_minimum(s, x, s->sorted, n_others, &minimum, err));
        if (minimum.is_zero) {
            take_out(s->members, &s->n_members, x);
        } else {
            (void)insert(s->sorted, n_others, x, s->trial);
            memcpy(s->sorted, s->trial, s->n_members * sizeof *s->sorted);
            member++;
        }
    }
    return STATUS_OK;
}

status pmmpc_search_target(pmmpc_search *s, size_t target, const size_t **members, size_t *n_members, error_info *err) {
    turn_to(s, target);
    CHECK(forward(s, err));
    CHECK(backward(s, err));
    *members = s->members;
    *n_members = s->n_members;
    return STATUS_OK;
}
