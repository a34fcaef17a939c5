/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The same rows over the states that occur in them: what counting needs, where large declared spaces stand empty. */
#ifndef BNB_CORE_DATA_DATASET_SEEN_H
#define BNB_CORE_DATA_DATASET_SEEN_H

#include "core/data/dataset.h"

/**
 * A copy in which each discrete column has only the states that occur, in their order; a column keeps at least one.
 * Columns stay in their places. `*out` is NULL where every declared state occurs: then `data` is that copy.
 */
BNB_MUST_CHECK status dataset_keep_seen_states(const dataset *data, dataset **out, error_info *err);

#endif
