/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scores of a node with a family and one more parent, as rows: an operator changes the surroundings of a node, and most
 * families that its operators then ask for are those from before.
 */
#ifndef BNB_LEARNERS_GES_GES_ROWS_INTERNAL_H
#define BNB_LEARNERS_GES_GES_ROWS_INTERNAL_H

#include "core/base/status.h"

typedef struct ges_rows ges_rows;

BNB_MUST_CHECK status ges_rows_create(size_t n_nodes, ges_rows **out, error_info *err);
void ges_rows_destroy(ges_rows *rows); /* NULL is fine */

/**
 * The row of y and its family (n distinct nodes in any order): a value for each node, NaN where none was put yet. Valid
 * until the next call: rows are forgotten, all at once, where they would take more than GES_ROWS_MAX_BYTES.
 */
BNB_MUST_CHECK status ges_rows_get(ges_rows *rows, size_t y, const size_t *family, size_t n, double **out,
                                   error_info *err);

#define GES_ROWS_MAX_BYTES ((size_t)256 << 20)

#endif
