/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Many columns go by the configurations of one target and set, each once: 64 of equally many states at a time are laid
 * in lanes, summed, and left. Where most columns are not asked about again, as after the first sets of a search.
 */
#ifndef BNB_METRICS_TESTS_LANE_PASSAGE_INTERNAL_H
#define BNB_METRICS_TESTS_LANE_PASSAGE_INTERNAL_H

#include "metrics/tests/lane_tests.h"

typedef struct lane_passage lane_passage;

BNB_MUST_CHECK status lane_passage_create(const pair_tables *tables, lane_passage **out, error_info *err);
void lane_passage_destroy(lane_passage *p); /* NULL is fine */
AUTO_PTR_OF(lane_passage, lane_passage_destroy)

/** What the judge says of each column given at most PAIR_MOST_STRATA_CELLS cells: nothing, where it has no vectors.
 * False without memory. */
bool lane_passage_judge(lane_passage *p, const pair_strata *strata, const size_t *columns, size_t n_columns,
                        const lane_judge *judge, quick_answer *out);

#endif
