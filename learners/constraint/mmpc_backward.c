/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/constraint/mmpc_search_internal.h"

#include "learners/constraint/combination_internal.h"

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

static status separate_by(mmpc_search *s, size_t size, size_t member, size_report *report, error_info *err) {
    size_t n_pool = s->n_members - 1;
    double cells = mmpc_states_of(s, s->target) * mmpc_states_of(s, s->members[member]);
    bool more = true;
    *report = (size_report){0};
    combination_first(s->chosen, size);
    while (more && !s->probe.is_expired && !report->is_separable) {
        size_t cut = mmpc_too_many(s, size, member, cells);
        if (cut > 0) {
            more = combination_skip(s->chosen, size, n_pool, cut);
            continue;
        }
        if (!is_known(s, member, size)) {
            bool reliable = false;
            verdict v = {0};
            for (size_t i = 0; i < size; i++)
                s->z[i] = s->members[s->chosen[i] + (s->chosen[i] >= member)];
            CHECK(association_probe_decide(&s->probe, s->members[member], s->target, s->z, size, &reliable, &v, err));
            report->any_tested = true;
            report->any_reliable = report->any_reliable || reliable;
            report->is_separable = reliable && v.is_exact && v.value.is_zero;
        }
        more = combination_next(s->chosen, size, n_pool);
    }
    return STATUS_OK;
}

/* Whether some set of other members, not tested yet, makes the member and the target independent. */
static status is_separable(mmpc_search *s, size_t member, bool *separable, error_info *err) {
    size_t largest = mmpc_largest_set(s, s->n_members - 1);
    *separable = false;
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

status mmpc_backward(mmpc_search *s, error_info *err) {
    size_t member = 0;
    mmpc_attend(s);
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
