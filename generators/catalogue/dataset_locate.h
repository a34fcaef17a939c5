/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Where the files of real data sets lie. */
#ifndef BNB_GENERATORS_CATALOGUE_DATASET_LOCATE_H
#define BNB_GENERATORS_CATALOGUE_DATASET_LOCATE_H

#include "core/base/status.h"

/**
 * The file of a data set ("NAME.csv", "NAME.csv.gz", "NAME.bnd") or, with `ending` ".edges.csv", of its arcs; on the
 * heap. `name` is a path (it holds a '/' or ends as data do: .csv, .bnd, .gz), which is taken as it is, or looked for
 * in the folders of $BNBENCH_DATASETS (':' between them), then in the user's cache.
 * @return STATUS_MISSING: what was searched, and what to do.
 */
BNB_MUST_CHECK status dataset_locate(const char *name, const char *ending, char **path, error_info *err);

#endif
