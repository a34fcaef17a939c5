/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Some rows of data. */
#ifndef BNB_CLI_RECOMMEND_ROWS_H
#define BNB_CLI_RECOMMEND_ROWS_H

#include "core/data/dataset.h"

/** The rows of these numbers, in that order, with all state spaces as they are. STATUS_MEMORY. */
BNB_MUST_CHECK status rows_take(const dataset *data, const size_t *rows, size_t n, dataset **out, error_info *err);

#endif
