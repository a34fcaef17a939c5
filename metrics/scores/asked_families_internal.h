/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Which families were asked for a row at a time: a column x, its parents, and a set of columns of which each, added to
 * the parents, makes one family. What a greedy search asks for twice counts once. A row costs what its set takes
 * (core/base/sparse_bits.h): little where few columns are in it, or few are not; or nothing, where the asker tells it
 * again.
 */
#ifndef BNB_METRICS_SCORES_ASKED_FAMILIES_INTERNAL_H
#define BNB_METRICS_SCORES_ASKED_FAMILIES_INTERNAL_H

#include "core/base/sparse_bits.h"
#include "core/base/status.h"
#include "metrics/scores/score.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct asked_families asked_families;

BNB_MUST_CHECK status asked_families_create(size_t n_columns, asked_families **out, error_info *err);
void asked_families_destroy(asked_families *a); /* NULL is fine */
AUTO_PTR_OF(asked_families, asked_families_destroy)

/**
 * Remembers the families of x with `parents` (ascending) and each of `extras`, which become those that were not
 * remembered before. O(rows of x with as many parents, and what the sets take). With a source, which tells what row
 * number `row` left out, the set is not kept.
 */
BNB_MUST_CHECK status asked_families_add(asked_families *a, size_t x, const uint32_t *parents, size_t n_parents,
                                         sparse_bits *extras, const left_out_source *source, size_t row,
                                         error_info *err);

/** True if a row of x is remembered whose families may be those of a row with `parents` (ascending). Where there is
 * none, asked_families_add takes NULL for the extras of a row with a source. */
bool asked_families_has_near(const asked_families *a, size_t x, const uint32_t *parents, size_t n_parents);

/** All columns but those that the source's row left out. */
BNB_MUST_CHECK status asked_families_recall(const asked_families *a, const left_out_source *source, size_t row,
                                            sparse_bits *out, error_info *err);

/** True if the family of x with `parents` (ascending) is remembered. */
bool asked_families_has(const asked_families *a, size_t x, const uint32_t *parents, size_t n_parents);

#endif
