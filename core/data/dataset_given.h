/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The same data over state spaces that come from elsewhere. */
#ifndef BNB_CORE_DATA_DATASET_GIVEN_H
#define BNB_CORE_DATA_DATASET_GIVEN_H

#include "core/data/dataset.h"

/**
 * A copy in which each column has the variable of its name among the n given, its values matched by the names of the
 * states. `*out` is NULL where the data have these variables as they are.
 * @return STATUS_PARSE: a column is not among them or is of the other kind, or a value is none of its states
 */
BNB_MUST_CHECK status dataset_use_given(const dataset *data, const variable *given, size_t n, dataset **out,
                                        error_info *err);

#endif
