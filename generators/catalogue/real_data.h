/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Real data sets by name, and graphs that are known of them: lists of arcs, which may form cycles. */
#ifndef BNB_GENERATORS_CATALOGUE_REAL_DATA_H
#define BNB_GENERATORS_CATALOGUE_REAL_DATA_H

#include "generators/genes/gene_network.h"

/**
 * The file of a data set ("NAME.csv", "NAME.csv.gz") or, with `ending` ".edges.csv", of its arcs; on the heap. `name`
 * is a path (it holds a '/' or ends in .csv or .csv.gz), which is taken as it is, or looked for in the folders of
 * $BNBENCH_DATASETS (':' between them), then in the user's cache.
 * @return STATUS_MISSING: what was searched, and what to do.
 */
BNB_MUST_CHECK status real_data_locate(const char *name, const char *ending, char **path, error_info *err);

/**
 * Reads arcs from CSV (plain or gzip) with a header that has the columns `from` and `to`; others are not looked at.
 * @param names  the nodes
 * @return STATUS_PARSE: no such header, a node that is none of the names. Arcs from a node to itself and arcs that
 * stand there twice are left out.
 */
BNB_MUST_CHECK status arcs_read_csv(const char *path, const char *const *names, size_t n_names, gene_arc **arcs,
                                    size_t *n_arcs, error_info *err);

#endif
