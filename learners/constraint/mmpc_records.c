/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What earlier targets asked about the present one, so that it is not asked again in the backward phase. */
#include "learners/constraint/mmpc_state_internal.h"

#include <stdlib.h>
#include <string.h>

void mmpc_record_clear(mmpc_record *r) {
    free(r->entered);
    free(r->is_removed);
    *r = (mmpc_record){0};
}

mmpc_record *mmpc_search_record(mmpc_search *s, size_t target) {
    return &s->records[target];
}

status mmpc_begin_record(mmpc_search *s, error_info *err) {
    mmpc_record *r = &s->records[s->target];
    if (!s->keeps_records)
        return STATUS_OK;
    mmpc_record_clear(r);
    r->n = s->n_members;
    CHECK_ALLOC(r->entered = calloc(r->n + 1, sizeof *r->entered));
    CHECK_ALLOC(r->is_removed = calloc(r->n + 1, sizeof *r->is_removed));
    memcpy(r->entered, s->members, r->n * sizeof *r->entered);
    for (size_t i = 0; i < r->n; i++)
        s->places[i] = i;
    return STATUS_OK;
}

void mmpc_record_removal(mmpc_search *s, size_t member) {
    if (!s->keeps_records)
        return;
    s->records[s->target].is_removed[s->places[member]] = true;
    memmove(&s->places[member], &s->places[member + 1], (s->n_members - 1 - member) * sizeof *s->places);
}

size_t mmpc_record_place(const mmpc_record *r, size_t column) {
    size_t place = 0;
    while (place < r->n && r->entered[place] != column)
        place++;
    return place;
}

bool mmpc_read_record(mmpc_search *s, size_t member) {
    const mmpc_record *r = &s->records[s->members[member]];
    size_t own;
    if (!s->keeps_records || s->members[member] > s->target)
        return false;
    own = mmpc_record_place(r, s->target);
    if (own == r->n || r->is_removed[own])
        return false;
    for (size_t i = 0; i + 1 < s->n_members; i++) {
        size_t place = mmpc_record_place(r, s->others[i]);
        s->was_before[i] = place < own;
        s->was_beside[i] = place < r->n && (place > own || !r->is_removed[place]);
    }
    return true;
}

double mmpc_count_repeated(const mmpc_search *s, size_t size) {
    size_t before = 0, beside = 0, both = 0;
    for (size_t i = 0; i + 1 < s->n_members; i++) {
        before += s->was_before[i];
        beside += s->was_beside[i];
        both += s->was_before[i] && s->was_beside[i];
    }
    return set_walk_count(before, size) + set_walk_count(beside, size) - set_walk_count(both, size);
}
