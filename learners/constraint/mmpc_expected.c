/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the source is told of the tests to come, and what it knows of them before they are asked for. */
#include "learners/constraint/mmpc_state_internal.h"

#include "core/base/bits.h"

#include <string.h>

/* The sets of which a source is told that they come: the fewer, the less there is to gain. */
enum { EXPECTED_MEMBERS = 8, EXPECTED_MOST_MEMBERS = 64, EXPECTED_SIZE = 4, EXPECTED_OPEN = 4 };

void mmpc_attend(mmpc_search *s) {
    size_t n = 0;
    s->attended[n++] = s->target;
    for (size_t i = 0; i < s->n_members; i++)
        s->attended[n++] = s->members[i];
    for (size_t i = 0; i < s->n_open; i++)
        s->attended[n++] = s->open[i].variable;
    s->n_attended = n;
    association_probe_attend(&s->probe, s->attended, n);
    if (s->watch.left)
        s->watch.left(s->watch.self, s->attended, n);
}

/* Tells the source that the columns are to be tested given nearly all sets of those of a warm start among them. */
static status expect(mmpc_search *s, const size_t *columns, size_t n, error_info *err) {
    const decision_source *quick = s->rules.quick;
    s->expects = true;
    for (size_t i = 0; i < n; i++) {
        s->spots[columns[i]] = i;
    }
    return quick->expect(quick->self, s->target, columns, n, mmpc_largest_set(s, EXPECTED_SIZE), false, err);
}

static bool may_expect(const mmpc_search *s, size_t n) {
    const decision_source *quick = s->rules.quick;
    return quick && quick->expect && n >= EXPECTED_MEMBERS && n <= EXPECTED_MOST_MEMBERS;
}

status mmpc_expect_candidates(mmpc_search *s, error_info *err) {
    size_t n = s->n_warm;
    s->expects = false;
    if (!s->keeps_records || s->n_open > EXPECTED_OPEN || s->n_open * 4 > s->n_warm ||
        !may_expect(s, s->n_warm + s->n_open))
        return STATUS_OK;
    memcpy(s->attended, s->members, n * sizeof *s->attended);
    for (size_t i = 0; i < s->n_open; i++)
        s->attended[n++] = s->open[i].variable;
    return expect(s, s->attended, n, err);
}

status mmpc_expect_members(mmpc_search *s, error_info *err) {
    if (s->expects) /* since the forward phase */
        return STATUS_OK;
    if (s->n_warm < s->n_members / 2 || !may_expect(s, s->n_members))
        return STATUS_OK;
    return expect(s, s->members, s->n_members, err);
}

static uint64_t expected_others(const mmpc_search *s) {
    uint64_t set = 0;
    for (size_t i = 0; i + 1 < s->n_members; i++)
        set |= bit_of(s->spots[s->others[i]]);
    return set;
}

bool mmpc_last_depends_always(mmpc_search *s, size_t k) {
    const decision_source *quick = s->rules.quick;
    candidate *c = &s->open[0];
    uint64_t warm = bits_below(s->n_warm);
    if (!s->expects || s->n_open != 1 || c->is_closed || k == 0 || k > s->n_warm ||
        !quick->depends_always(quick->self, s->spots[c->variable], warm, k))
        return false;
    quick->tally(quick->self, (uint64_t)set_walk_count(s->n_warm, k), (uint64_t)set_walk_count(s->n_warm, k));
    c->is_reliable = true;
    return true;
}

bool mmpc_depends_always(const mmpc_search *s, size_t size, size_t member, bool has_record) {
    const decision_source *quick = s->rules.quick;
    double n = set_walk_count(s->n_members - 1, size);
    if (!s->expects || size == 0 || member >= s->n_warm || n < 1 ||
        !quick->depends_always(quick->self, s->spots[s->members[member]], expected_others(s), size))
        return false;
    quick->tally(quick->self, (uint64_t)n, (uint64_t)(n - (has_record ? mmpc_count_repeated(s, size) : 0)));
    return true;
}
