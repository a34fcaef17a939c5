/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/constraint/separating_sets.h"

#include "core/base/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Of a pair a < b. */
typedef struct {
    uint32_t a, b;
    size_t start; /* among the members: how many there are, and then they themselves */
} entry;

struct separating_sets {
    entry *entries; /* the first n_sorted ascending by pair, the others in the order in which they came */
    size_t n_sorted, n, capacity;
    uint32_t *members; /* of all sets, one after the other */
    size_t n_members, members_capacity;
};

status separating_sets_create(separating_sets **out, error_info *err) {
    CHECK_ALLOC(*out = calloc(1, sizeof **out));
    return STATUS_OK;
}

void separating_sets_destroy(separating_sets *sets) {
    if (!sets)
        return;
    free(sets->entries);
    free(sets->members);
    free(sets);
}

status separating_sets_put(separating_sets *sets, size_t a, size_t b, const size_t *z, size_t n_z, error_info *err) {
    CHECK(ARRAY_RESERVE(sets->members, sets->members_capacity, sets->n_members + n_z + 1, err));
    CHECK(ARRAY_ROOM(sets->entries, sets->n, sets->capacity, err));
    sets->entries[sets->n++] = (entry){(uint32_t)(a < b ? a : b), (uint32_t)(a < b ? b : a), sets->n_members};
    sets->members[sets->n_members++] = (uint32_t)n_z;
    for (size_t i = 0; i < n_z; i++)
        sets->members[sets->n_members++] = (uint32_t)z[i];
    return STATUS_OK;
}

void separating_sets_keep(separating_sets *sets, const set_filter *filter) {
    size_t n = 0, n_members = 0;
    assert(sets->n_sorted == 0); /* sets lie in the order of their entries */
    for (size_t i = 0; i < sets->n; i++) {
        entry e = sets->entries[i];
        const uint32_t *z = sets->members + e.start;
        if (!filter->keeps(filter->self, e.a, e.b, z + 1, *z))
            continue;
        memmove(sets->members + n_members, z, (*z + (size_t)1) * sizeof *z);
        e.start = n_members;
        n_members += sets->members[n_members] + (size_t)1;
        sets->entries[n++] = e;
    }
    sets->n = n;
    sets->n_members = n_members;
}

status separating_sets_move(separating_sets *from, separating_sets *to, error_info *err) {
    CHECK(ARRAY_RESERVE(to->members, to->members_capacity, to->n_members + from->n_members + 1, err));
    CHECK(ARRAY_RESERVE(to->entries, to->capacity, to->n + from->n + 1, err));
    for (size_t i = 0; i < from->n; i++) {
        to->entries[to->n] = from->entries[i];
        to->entries[to->n++].start += to->n_members;
    }
    if (from->n_members > 0)
        memcpy(to->members + to->n_members, from->members, from->n_members * sizeof *from->members);
    to->n_members += from->n_members;
    from->n = from->n_sorted = from->n_members = 0;
    return STATUS_OK;
}

/* --- finding --- */

static uint32_t key_of(const entry *e, bool by_b) {
    return by_b ? e->b : e->a;
}

/* A stable pass by one of the two nodes, all of which lie below `n_nodes`. */
static void sort_by(const entry *from, size_t n, bool by_b, size_t *starts, size_t n_nodes, entry *to) {
    size_t sum = 0;
    memset(starts, 0, n_nodes * sizeof *starts);
    for (size_t i = 0; i < n; i++)
        starts[key_of(&from[i], by_b)]++;
    for (size_t k = 0; k < n_nodes; k++) {
        size_t here = starts[k];
        starts[k] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++)
        to[starts[key_of(&from[i], by_b)]++] = from[i];
}

static bool are_of_one_pair(const entry *e, const entry *f) {
    return e->a == f->a && e->b == f->b;
}

status separating_sets_sort(separating_sets *sets, error_info *err) {
    AUTO_FREE entry *spare = NULL;
    AUTO_FREE size_t *starts = NULL;
    size_t n_nodes = 0, n_kept = 0;
    for (size_t i = 0; i < sets->n; i++)
        n_nodes = sets->entries[i].b >= n_nodes ? (size_t)sets->entries[i].b + 1 : n_nodes;
    CHECK_ALLOC(spare = calloc(sets->n + 1, sizeof *spare));
    CHECK_ALLOC(starts = calloc(n_nodes + 1, sizeof *starts));
    sort_by(sets->entries, sets->n, true, starts, n_nodes, spare);
    sort_by(spare, sets->n, false, starts, n_nodes, sets->entries);
    for (size_t i = 0; i < sets->n; i++) { /* the last of a pair */
        if (i + 1 == sets->n || !are_of_one_pair(&sets->entries[i], &sets->entries[i + 1]))
            sets->entries[n_kept++] = sets->entries[i];
    }
    sets->n = sets->n_sorted = n_kept;
    return STATUS_OK;
}

static bool is_before(const entry *e, uint32_t a, uint32_t b) {
    return e->a < a || (e->a == a && e->b < b);
}

static const entry *find(const separating_sets *sets, uint32_t a, uint32_t b) {
    size_t at;
    for (size_t i = sets->n; i > sets->n_sorted; i--) {
        if (sets->entries[i - 1].a == a && sets->entries[i - 1].b == b)
            return &sets->entries[i - 1];
    }
    ARRAY_FIND_PLACE(at, sets->n_sorted, is_before(&sets->entries[at], a, b));
    return at < sets->n_sorted && sets->entries[at].a == a && sets->entries[at].b == b ? &sets->entries[at] : NULL;
}

const uint32_t *separating_sets_get(const separating_sets *sets, size_t a, size_t b, size_t *n_z) {
    const entry *e = find(sets, (uint32_t)(a < b ? a : b), (uint32_t)(a < b ? b : a));
    *n_z = e ? sets->members[e->start] : 0;
    return e ? sets->members + e->start + 1 : NULL;
}

bool separating_sets_has(const separating_sets *sets, size_t a, size_t b, size_t node) {
    size_t n_z;
    const uint32_t *z = separating_sets_get(sets, a, b, &n_z);
    for (size_t i = 0; z && i < n_z; i++) {
        if (z[i] == node)
            return true;
    }
    return false;
}
