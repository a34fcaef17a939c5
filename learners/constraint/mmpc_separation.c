/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a member leaves in the backward phase: the sets of other members that have not been tested, by size. */
#include "learners/constraint/mmpc_state_internal.h"

#include "core/base/bits.h"

#include <string.h>

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

/* Counts the chosen set as it would be counted if it were tested; false if it could not be. */
static bool count_untested(mmpc_search *s, size_t size, size_t member, bool has_record) {
    const decision_source *quick = s->rules.quick;
    if (association_probe_is_expired(&s->probe))
        return false;
    if (!quick->repeat(quick->self, s->members[member], s->target, s->z, size))
        return false;
    quick->tally(quick->self, 0, !has_record || !mmpc_is_repeated(s, size));
    return true;
}

/* True if the chosen set leaves the member dependent, as is known without a test; counted. */
static bool is_known_dependent(mmpc_search *s, size_t size, size_t member, bool has_record, bool *reliable) {
    const decision_source *quick = s->rules.quick;
    verdict ignored;
    if (s->only_counts) {
        *reliable = count_untested(s, size, member, has_record);
        return true;
    }
    if (has_record && mmpc_is_repeated(s, size)) {
        *reliable = quick->repeat(quick->self, s->members[member], s->target, s->z, size);
        return true;
    }
    *reliable = mmpc_is_expected_dependent(s, s->members[member], size, &ignored);
    return *reliable;
}

static void add_report(size_report *report, bool reliable, const verdict *v) {
    report->any_tested = true;
    report->any_reliable = report->any_reliable || reliable;
    report->is_separable = reliable && v->is_exact && v->value.is_zero;
}

/* --- by all threads --- */

/* A batch about the member alone. */
static void begin_batch(mmpc_search *s, size_t member) {
    s->batch.columns[0] = s->members[member];
    s->batch.target = s->target;
    s->batch.pool = s->members;
    s->batch.limit = s->rules.limit;
    test_batch_begin(&s->batch, 1);
}

/* The chosen set by place of entry. */
static uint64_t chosen_set(const mmpc_search *s, size_t size, size_t member) {
    uint64_t set = 0;
    for (size_t i = 0; i < size; i++)
        set |= bit_of(s->chosen[i] + (s->chosen[i] >= member));
    return set;
}

/* The source is not asked for the last set of the batch. */
static void answer_repeated(mmpc_search *s, size_t size, size_t member) {
    const decision_source *quick = s->rules.quick;
    batch_answer *a = test_batch_answer(&s->batch, s->batch.n_sets - 1, 0);
    statistics_count *tally = s->rules.tally, before = *tally;
    (void)test_batch_lay(s->members, s->batch.sets[s->batch.n_sets - 1], s->z);
    a->is_reliable = quick->repeat(quick->self, s->members[member], s->target, s->z, size);
    a->is_there = true;
    a->count = statistics_count_since(tally, &before);
    *tally = before;
}

/* The sets of the walk from the present one on, up to so many; true if there are more. */
static bool put_sets(mmpc_search *s, set_walk *w, size_t most, size_t member, bool has_record) {
    bool more = true;
    for (; more && s->batch.n_sets < most; more = set_walk_next(w)) {
        if (is_known(s, member, w->k))
            continue;
        test_batch_add(&s->batch, chosen_set(s, w->k, member));
        if (has_record && mmpc_is_repeated(s, w->k))
            answer_repeated(s, w->k, member);
    }
    return more;
}

static void take_answers(mmpc_search *s, size_report *report) {
    const test_batch *b = &s->batch;
    for (size_t set = 0; set < b->n_sets && !report->is_separable; set++) {
        const batch_answer *a = test_batch_answer(b, set, 0);
        if (!a->is_there)
            continue;
        statistics_count_add(s->rules.tally, &a->count);
        add_report(report, a->is_reliable, &a->verdict);
    }
}

/* The sets of the walk from the present one on. Few at first: one of them may be the last that is asked. */
static status separate_together(mmpc_search *s, set_walk *w, size_t member, bool has_record, size_report *report,
                                error_info *err) {
    enum { FEW = 64, MANY = 256 };
    bool more = true;
    for (size_t n = FEW; more && !s->probe.is_expired && !report->is_separable && !mmpc_is_vain(s, member);
         n = n < MANY ? 2 * n : n) {
        begin_batch(s, member);
        more = put_sets(s, w, n, member, has_record);
        CHECK(mmpc_ask_together(s, err));
        if (!s->probe.is_expired)
            take_answers(s, report);
    }
    return STATUS_OK;
}

/* --- the sets of one size --- */

static status separate_by(mmpc_search *s, size_t size, size_t member, bool has_record, size_report *report,
                          error_info *err) {
    double cells = mmpc_states_of(s, s->target) * mmpc_states_of(s, s->members[member]);
    set_walk w = {s->rules.limit, cells, s->others, s->n_members - 1, size, s->chosen, s->z};
    double n_left = set_walk_count(s->n_members - 1, size);
    bool more;
    *report = (size_report){0};
    if (mmpc_depends_always(s, size, member, has_record)) {
        report->any_tested = report->any_reliable = true;
        return STATUS_OK;
    }
    more = set_walk_first(&w);
    for (; more && !s->probe.is_expired && !report->is_separable && !mmpc_is_vain(s, member);
         more = set_walk_next(&w)) {
        bool reliable = false;
        verdict v = {0};
        n_left--;
        if (is_known(s, member, size))
            continue;
        if (!s->only_counts && mmpc_is_worth_sharing_within(s, n_left))
            return separate_together(s, &w, member, has_record, report, err);
        if (!is_known_dependent(s, size, member, has_record, &reliable))
            CHECK(association_probe_decide(&s->probe, s->members[member], s->target, s->z, size, &reliable, &v, err));
        add_report(report, reliable, &v);
    }
    return STATUS_OK;
}

status mmpc_is_separable(mmpc_search *s, size_t member, bool *separable, error_info *err) {
    size_t n_others = s->n_members - 1, largest = mmpc_largest_set(s, n_others);
    bool has_record;
    *separable = false;
    memcpy(s->others, s->members, member * sizeof *s->others);
    memcpy(s->others + member, s->members + member + 1, (n_others - member) * sizeof *s->others);
    has_record = mmpc_read_record(s, member);
    for (size_t size = 0; size <= largest && !s->probe.is_expired && !*separable && !mmpc_is_vain(s, member); size++) {
        size_report report;
        CHECK(separate_by(s, size, member, has_record, &report, err));
        *separable = report.is_separable;
        if ((size > 0 && !report.any_tested) || (report.any_tested && !report.any_reliable))
            break; /* nor would there be anything among larger ones */
    }
    return STATUS_OK;
}

void mmpc_remove_member(mmpc_search *s, size_t member) {
    bool *depends = s->pile.depends;
    mmpc_record_removal(s, member);
    s->n_members--;
    s->n_warm -= member < s->n_warm;
    memmove(&s->members[member], &s->members[member + 1], (s->n_members - member) * sizeof *s->members);
    if (depends)
        memmove(&depends[member], &depends[member + 1], (s->n_members - member) * sizeof *depends);
}
