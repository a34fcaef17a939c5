/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Which families rows know. A family of x is the base of at most one row, and a cell of as many as it has parents:
 * {a, b} is the cell b of row {a} and the cell a of row {b}. Looked up among the rows of x, a whole row at a time.
 */
#ifndef BNB_LEARNERS_SGS_KNOWN_FAMILIES_INTERNAL_H
#define BNB_LEARNERS_SGS_KNOWN_FAMILIES_INTERNAL_H

#include "learners/sgs/family_scores_internal.h"

typedef struct known_families known_families;

/** Borrows the plan. */
BNB_MUST_CHECK status known_families_create(const sgs_plan *plan, size_t n_nodes, known_families **out,
                                            error_info *err);
void known_families_destroy(known_families *k); /* NULL is fine */
AUTO_PTR_OF(known_families, known_families_destroy)

/** Borrows the row. */
BNB_MUST_CHECK status known_families_add_row(known_families *k, family_row *row, error_info *err);

/** The rows of x. */
family_row *known_families_row(const known_families *k, size_t x, size_t i);
size_t known_families_row_count(const known_families *k, size_t x);

/** The score of x with n parents, ascending, that a row has as a cell; NAN where none has. */
double known_families_base(const known_families *k, size_t x, const size_t *parents, size_t n);

/** values[i]: the score of the row's family with extras[i], ascending, where another row has it; else it stays. */
void known_families_cells(const known_families *k, const family_row *row, const size_t *extras, size_t n_extras,
                          double *values);

#endif
