/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Data in a file, whatever its form. */
#ifndef BNB_CORE_DATA_DATASET_FILE_H
#define BNB_CORE_DATA_DATASET_FILE_H

#include "core/data/dataset_csv.h"

/**
 * Reads a file, or standard input for "-"; gzip is unpacked. Messages begin with the path.
 * @return as dataset_parse_csv_of (core/data/dataset_csv.h); STATUS_MISSING, STATUS_IO
 */
BNB_MUST_CHECK status dataset_read(const char *path, const data_reading *how, dataset **out, schema_origin *origin,
                                   error_info *err);

#endif
