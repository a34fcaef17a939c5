/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Data sets from the web into the user's cache. */
#ifndef BNB_GENERATORS_CATALOGUE_DATASET_FETCH_H
#define BNB_GENERATORS_CATALOGUE_DATASET_FETCH_H

#include "generators/catalogue/dataset_catalogue.h"
#include "generators/catalogue/transfer.h"

/**
 * Downloads a data set of the catalogue (generators/catalogue/transfer.h), makes it CSV
 * (generators/catalogue/dataset_convert.h) and puts NAME.csv.gz with NAME.schema.csv into the cache folder
 * (catalogue_cache_folder).
 *
 * The address is the catalogue's, or with the options' BASE/NAME/FILE, FILE being the last part of the catalogue's
 * address. What is checked before the files take their place: that the CSV is byte for byte the one of the catalogue,
 * unless the options allow another; and that it has the rows, columns, kinds and numbers of distinct values of the
 * catalogue. `*check` (may be NULL) says which of the two vouches for it.
 *
 * @param[out] path the data, on the heap; may be NULL
 * @return STATUS_INVALID: the address is http, and the options do not allow it. STATUS_MISSING: the name is not in the
 * catalogue, no public address is known, no server or no file there. STATUS_PARSE: what came is not that data set.
 * STATUS_IO, STATUS_MEMORY. On every error the cache is as it was.
 */
BNB_MUST_CHECK status dataset_fetch(const char *name, const fetch_options *o, char **path, fetch_check *check,
                                    error_info *err);

/** The same for any entry, address and folder. */
BNB_MUST_CHECK status dataset_download(const dataset_entry *entry, const char *url, const fetch_options *o,
                                       const char *folder, char **path, fetch_check *check, error_info *err);

#endif
