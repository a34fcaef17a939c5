/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ten searches of sgs1 on 370 variables ask for 804,212 families, of which 800,583 are distinct. A cache of families
 * would take more time and memory than the scores, to find next to nothing; a node has some hundred rows.
 */
#include "learners/sgs/known_families_internal.h"

#include "core/base/array.h"
#include "core/base/bits.h"
#include "learners/sgs/candidate_positions_internal.h"

#include <math.h>
#include <stdlib.h>

/* `mask`: a bit for each parent, by its number modulo 64. */
typedef struct {
    uint64_t mask;
    family_row *row;
    size_t n_parents;
} known_row;

typedef struct {
    known_row *rows;
    size_t n, capacity;
} row_list;

struct known_families {
    const sgs_plan *plan;
    size_t n_nodes;
    row_list *lists; /* by node */
};

void known_families_destroy(known_families *k) {
    if (!k)
        return;
    for (size_t x = 0; k->lists && x < k->n_nodes; x++)
        free(k->lists[x].rows);
    free(k->lists);
    free(k);
}

status known_families_create(const sgs_plan *plan, size_t n_nodes, known_families **out, error_info *err) {
    AUTO_PTR(known_families_destroy) known_families *k = NULL;
    CHECK_ALLOC(k = calloc(1, sizeof *k));
    k->plan = plan;
    k->n_nodes = n_nodes;
    CHECK_ALLOC(k->lists = calloc(n_nodes + 1, sizeof *k->lists));
    *out = TAKE(k);
    return STATUS_OK;
}

static uint64_t mask_of(const size_t *parents, size_t n) {
    uint64_t mask = 0;
    for (size_t i = 0; i < n; i++)
        mask |= bit_of(parents[i]);
    return mask;
}

status known_families_add_row(known_families *k, family_row *row, error_info *err) {
    row_list *l = &k->lists[row->x];
    return ARRAY_PUSH(l->rows, l->n, l->capacity, err,
                      (known_row){mask_of(row->parents, row->n_parents), row, row->n_parents});
}

family_row *known_families_row(const known_families *k, size_t x, size_t i) {
    return k->lists[x].rows[i].row;
}

size_t known_families_row_count(const known_families *k, size_t x) {
    return k->lists[x].n;
}

/* The elements that one of two sets, ascending, has alone: at most one each, else false. SIZE_MAX: none. */
static bool differ_by_one(const size_t *a, size_t n_a, const size_t *b, size_t n_b, size_t *only_a, size_t *only_b) {
    size_t i = 0, j = 0, n_only_a = 0, n_only_b = 0;
    *only_a = *only_b = SIZE_MAX;
    while ((i < n_a || j < n_b) && n_only_a < 2 && n_only_b < 2) {
        if (i < n_a && j < n_b && a[i] == b[j]) {
            i++;
            j++;
        } else if (j == n_b || (i < n_a && a[i] < b[j])) {
            *only_a = a[i++];
            n_only_a++;
        } else {
            *only_b = b[j++];
            n_only_b++;
        }
    }
    return n_only_a < 2 && n_only_b < 2;
}

/* Different bits of the masks of sets that differ by one element each are at most two. */
static bool may_differ_by_one(uint64_t a, uint64_t b) {
    uint64_t rest = a ^ b;
    rest &= rest - 1;
    return (rest & (rest - 1)) == 0;
}

static double cell_of(const known_families *k, const family_row *row, size_t y) {
    size_t at = candidate_position(k->plan, k->n_nodes, row->x, y);
    return at < candidate_count(k->plan, k->n_nodes, row->x) ? row->values[at] : (double)NAN;
}

double known_families_base(const known_families *k, size_t x, const size_t *parents, size_t n) {
    const row_list *l = &k->lists[x];
    uint64_t mask = mask_of(parents, n);
    double value = (double)NAN;
    for (size_t i = 0; i < l->n && isnan(value); i++) {
        const known_row *other = &l->rows[i];
        size_t missing, none;
        if (other->n_parents + 1 == n && may_differ_by_one(mask, other->mask) &&
            differ_by_one(parents, n, other->row->parents, n - 1, &missing, &none) && none == SIZE_MAX)
            value = cell_of(k, other->row, missing);
    }
    return value;
}

/* The family that both rows know: that of the first with `*extra`. NAN where there is none, or it is not known. */
static double shared_cell(const known_families *k, const family_row *row, const family_row *other, size_t *extra) {
    size_t own;
    if (!differ_by_one(row->parents, row->n_parents, other->parents, other->n_parents, &own, extra) ||
        *extra == SIZE_MAX)
        return (double)NAN;
    return own == SIZE_MAX ? other->base : cell_of(k, other, own);
}

void known_families_cells(const known_families *k, const family_row *row, const size_t *extras, size_t n_extras,
                          double *values) {
    const row_list *l = &k->lists[row->x];
    uint64_t mask = mask_of(row->parents, row->n_parents);
    for (size_t i = 0; i < l->n; i++) {
        const known_row *other = &l->rows[i];
        size_t extra, at;
        double value;
        if (other->n_parents - row->n_parents > 1 || !may_differ_by_one(mask, other->mask))
            continue;
        value = shared_cell(k, row, other->row, &extra);
        if (isnan(value))
            continue;
        at = array_count_below(extras, n_extras, extra);
        if (at < n_extras && extras[at] == extra)
            values[at] = value;
    }
}
