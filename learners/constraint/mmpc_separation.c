/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a member leaves in the backward phase: the sets of other members that have not been tested, by size. */
#include "learners/constraint/mmpc_state_internal.h"

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

/* True if the chosen set leaves the member dependent, as is known without a test; counted. */
static bool is_known_dependent(mmpc_search *s, size_t size, size_t member, bool has_record, bool *reliable) {
    const decision_source *quick = s->rules.quick;
    verdict ignored;
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

/* Has an earlier member been found separable meanwhile? This one is to be looked at again then. */
static bool is_vain(const mmpc_search *s, size_t member) {
    return s->from && atomic_load_explicit(&s->from->end, memory_order_relaxed) < member;
}

static status separate_by(mmpc_search *s, size_t size, size_t member, bool has_record, size_report *report,
                          error_info *err) {
    double cells = mmpc_states_of(s, s->target) * mmpc_states_of(s, s->members[member]);
    set_walk w = {s->rules.limit, cells, s->others, s->n_members - 1, size, s->chosen, s->z};
    bool more;
    *report = (size_report){0};
    if (mmpc_depends_always(s, size, member, has_record)) {
        report->any_tested = report->any_reliable = true;
        return STATUS_OK;
    }
    more = set_walk_first(&w);
    for (; more && !s->probe.is_expired && !report->is_separable && !is_vain(s, member); more = set_walk_next(&w)) {
        bool reliable = false;
        verdict v = {0};
        if (is_known(s, member, size))
            continue;
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
    for (size_t size = 0; size <= largest && !s->probe.is_expired && !*separable && !is_vain(s, member); size++) {
        size_report report;
        CHECK(separate_by(s, size, member, has_record, &report, err));
        *separable = report.is_separable;
        if ((size > 0 && !report.any_tested) || (report.any_tested && !report.any_reliable))
            break; /* nor would there be anything among larger ones */
    }
    return STATUS_OK;
}

void mmpc_remove_member(mmpc_search *s, size_t member) {
    mmpc_record_removal(s, member);
    s->n_members--;
    s->n_warm -= member < s->n_warm;
    memmove(&s->members[member], &s->members[member + 1], (s->n_members - member) * sizeof *s->members);
}
