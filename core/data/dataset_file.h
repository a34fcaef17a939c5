/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Data in a file: packed columns (core/data/dataset_packed.h) or CSV. */
#ifndef BNB_CORE_DATA_DATASET_FILE_H
#define BNB_CORE_DATA_DATASET_FILE_H

#include "core/data/dataset_csv.h"

/**
 * Reads a file, or standard input for "-"; gzip is unpacked. Packed columns are known by their first bytes, and have
 * their state spaces in the file; those that `how` gives must agree. Messages begin with the path.
 * @return as dataset_parse_csv_of and dataset_unpack; STATUS_MISSING, STATUS_IO
 */
BNB_MUST_CHECK status dataset_read(const char *path, const data_reading *how, dataset **out, schema_origin *origin,
                                   error_info *err);

/** True if a name ends in .bnd, or .bnd.gz: packed columns. */
bool dataset_path_is_packed(const char *path);

/** True if a name ends as those of data do: .csv, .bnd, or one of these and .gz. */
bool dataset_path_is_data(const char *path);

/** Packed columns where the name says so, else CSV, as dataset_write_csv. */
BNB_MUST_CHECK status dataset_write(const dataset *data, const char *path, error_info *err);

#endif
