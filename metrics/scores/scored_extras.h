/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The scores of a column with each of many further parents on data of many rows, which are read once for all. */
#ifndef BNB_METRICS_SCORES_SCORED_EXTRAS_H
#define BNB_METRICS_SCORES_SCORED_EXTRAS_H

#include "core/counting/base_tables.h"
#include "metrics/scores/score.h"

typedef struct scored_extras scored_extras;

/** Of `s`, of one thread; `tables` are those of score_make_tables and borrowed, as `s` is. */
BNB_MUST_CHECK status scored_extras_create(score *s, const pair_tables *tables, scored_extras **out, error_info *err);
void scored_extras_destroy(scored_extras *e); /* NULL is fine */
AUTO_PTR_OF(scored_extras, scored_extras_destroy)

/** As base_tables_share. */
void scored_extras_share(scored_extras *e, const pass_helpers *helpers);

/**
 * Scores x with these parents and each of n extras, which are neither x nor parents, nor constant. False into
 * `*is_done` where another way costs less. Not counted in the tally.
 */
BNB_MUST_CHECK status scored_extras_set(scored_extras *e, size_t x, const size_t *parents, size_t n_parents,
                                        const size_t *extras, size_t n, bool *is_done, error_info *err);

/** score_node_with of one of the extras, the same to the last bit. */
double scored_extras_with(const scored_extras *e, size_t extra);

#endif
