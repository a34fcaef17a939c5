/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests of a separation_task, counted as if each were asked: how many sets come before the one that is found. */
#include "metrics/numerics/set_count.h"
#include "metrics/tests/ci_test_internal.h"

/* Which columns there are sets of. */
typedef struct {
    const separation_task *task;
    bool of_known; /* the known ones alone */
} members;

/* Walks the pool and the known columns side by side, both ascending. */
static bool is_member(const members *m, size_t column, size_t *at_known) {
    const separation_task *t = m->task;
    if (column == t->y)
        return false;
    while (m->of_known && *at_known < t->n_known && t->known[*at_known] < column)
        ++*at_known;
    return !m->of_known || (*at_known < t->n_known && t->known[*at_known] == column);
}

static size_t count_members(const members *m) {
    size_t n = 0, at_known = 0;
    for (size_t i = 0; i < m->task->n_pool; i++)
        n += is_member(m, m->task->pool[i], &at_known);
    return n;
}

/* Sets up to z in lexicographic order, z among them where it consists of members. */
static uint64_t count_up_to(const members *m, const size_t *z) {
    size_t n_left = count_members(m), n_more = m->task->size, at_known = 0;
    uint64_t n = 0;
    for (size_t i = 0; n_more > 0 && i < m->task->n_pool; i++) {
        size_t column = m->task->pool[i], wanted = z[m->task->size - n_more];
        bool is_in = is_member(m, column, &at_known);
        n_left -= is_in;
        if (is_in && column < wanted)
            n = set_count_add(n, set_count(n_left, n_more - 1));
        if (column != wanted)
            continue;
        if (!is_in)
            return n;
        n_more--;
    }
    return set_count_add(n, 1);
}

static uint64_t count(const separation_task *task, const separation *found, bool of_known) {
    members m = {task, of_known};
    return found->is_found ? count_up_to(&m, found->z) : set_count(count_members(&m), task->size);
}

size_t ci_test_most_separated(const ci_test *t) {
    return t->evaluator && t->evaluator->separate ? SIZE_MAX : 1;
}

status ci_test_separate(ci_test *t, const separation_task *task, separation *out, error_info *err) {
    uint64_t n_asked, n_known;
    out->is_answered = out->is_performed = false;
    if (t->singles && task->size == 1)
        return ci_singles_separate(t, task, out, err);
    if (!t->evaluator || !t->evaluator->separate || ci_test_has_surveyed(t, task->size) ||
        !t->evaluator->has_enough_rows(t->state, task->size))
        return STATUS_OK;
    CHECK(t->evaluator->separate(t->state, t->alpha, task, out, err));
    out->is_performed = out->is_answered;
    if (!out->is_answered || (!out->is_found && task->is_expired(task->clock)))
        return STATUS_OK;
    n_asked = count(task, out, false);
    n_known = task->n_known ? count(task, out, true) : 0;
    t->tally->requests = set_count_add(t->tally->requests, n_asked);
    t->tally->computed = set_count_add(t->tally->computed, n_asked - n_known);
    return STATUS_OK;
}
