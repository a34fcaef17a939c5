/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Data in a file: packed columns (core/data/dataset_packed.h), ARFF (core/data/dataset_arff.h) or CSV. */
#ifndef BNB_CORE_DATA_DATASET_FILE_H
#define BNB_CORE_DATA_DATASET_FILE_H

#include "core/data/data_form.h"
#include "core/data/dataset_csv.h"

/**
 * Reads a file, or standard input for "-"; gzip and zstd are unpacked. Packed columns are known by their first bytes,
 * and have their state spaces in the file; those that `how` gives must agree. ARFF is known by the ending .arff, or
 * where the ending says nothing by how it begins. Messages begin with the path.
 * @return as dataset_parse_csv_of, dataset_parse_arff and dataset_unpack; STATUS_MISSING, STATUS_IO
 */
BNB_MUST_CHECK status dataset_read(const char *path, const data_reading *how, dataset **out, schema_origin *origin,
                                   error_info *err);

/** In the form of its ending (core/data/data_form.h), else CSV: as dataset_write_csv. */
BNB_MUST_CHECK status dataset_write(const dataset *data, const char *path, error_info *err);

#endif
