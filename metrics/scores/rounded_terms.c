/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/scores/rounded_terms_internal.h"

#include "core/base/array.h"
#include "core/base/hash.h"

#include <stdlib.h>

typedef struct {
    const term_table *cell, *row;
    bool fits;
    slab_values values;
} entry;

struct rounded_terms {
    uint32_t most;
    entry **entries;
    size_t n, capacity;
    hash_table places; /* by the two tables */
};

status rounded_terms_create(uint32_t most, rounded_terms **out, error_info *err) {
    CHECK_ALLOC(*out = calloc(1, sizeof **out));
    (*out)->most = most;
    return STATUS_OK;
}

void rounded_terms_destroy(rounded_terms *w) {
    if (!w)
        return;
    for (size_t i = 0; i < w->n; i++)
        free(w->entries[i]);
    free(w->entries);
    hash_table_clear(&w->places);
    free(w);
}

static uint64_t hash_of(const term_table *cell, const term_table *row) {
    return hash_number(hash_number((uintptr_t)cell) ^ (uintptr_t)row);
}

static status make(rounded_terms *w, term_table *cell, term_table *row, size_t *place, error_info *err) {
    const double *cell_values = term_table_first(cell, w->most), *row_values = term_table_first(row, w->most);
    entry *e;
    CHECK(ARRAY_ROOM(w->entries, w->n, w->capacity, err));
    CHECK(hash_table_reserve(&w->places, w->n + 1, err));
    CHECK_ALLOC(e = aligned_alloc(_Alignof(entry), sizeof *e));
    e->cell = cell;
    e->row = row;
    e->fits = cell_values && row_values && slab_values_set(&e->values, cell_values, row_values, w->most);
    *place = w->n;
    w->entries[w->n++] = e;
    return hash_table_add(&w->places, hash_of(cell, row), *place, err);
}

status rounded_terms_find(rounded_terms *w, term_table *cell, term_table *row, const slab_values **out,
                          error_info *err) {
    uint64_t hash = hash_of(cell, row);
    size_t at = (size_t)hash, place;
    while ((place = hash_next(&w->places, hash, &at)) != HASH_NONE &&
           (w->entries[place]->cell != cell || w->entries[place]->row != row))
        ;
    if (place == HASH_NONE)
        CHECK(make(w, cell, row, &place, err));
    *out = w->entries[place]->fits ? &w->entries[place]->values : NULL;
    return STATUS_OK;
}
