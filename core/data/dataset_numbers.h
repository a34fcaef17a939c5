/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Discrete columns as numbers, for what takes continuous data alone. */
#ifndef BNB_CORE_DATA_DATASET_NUMBERS_H
#define BNB_CORE_DATA_DATASET_NUMBERS_H

#include "core/data/dataset.h"

/**
 * A copy in which every column is continuous. A discrete one holds its states' names as numbers where all of them are
 * finite numbers, and else their places 0, 1, ...: an order that such names may not have.
 */
BNB_MUST_CHECK status dataset_as_numbers(const dataset *data, dataset **out, error_info *err);

#endif
