/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lists of arcs, which may form cycles: networks of genes, and graphs that are known of real data. */
#ifndef BNB_CORE_GRAPH_ARCS_H
#define BNB_CORE_GRAPH_ARCS_H

#include "core/base/status.h"

typedef struct {
    size_t from, to;
} graph_arc;

/**
 * Reads arcs from CSV (plain or gzip) with a header that has the columns `from` and `to`; others are not looked at.
 * @param names  the nodes
 * @return STATUS_PARSE: no such header, a node that is none of the names. Arcs from a node to itself and arcs that
 * stand there twice are left out.
 */
BNB_MUST_CHECK status arcs_read_csv(const char *path, const char *const *names, size_t n_names, graph_arc **arcs,
                                    size_t *n_arcs, error_info *err);

#endif
