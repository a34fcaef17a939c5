/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A table of what the networks are. */
#ifndef BNB_PARTS_TABLES_NETWORKS_TABLE_H
#define BNB_PARTS_TABLES_NETWORKS_TABLE_H

#include "parts/tables/table.h"

/** Strings are owned; NULL where not declared. */
typedef struct {
    char *id, *title;
    char *published; /* a file of published figures */
    int decimals;    /* -1: by the values */
    table_tolerance within;
} networks_table_spec;

/** A row a network; the columns are facts of networks or of real data sets, and what else is published. STATUS_MEMORY.
 */
BNB_MUST_CHECK status networks_table_compute(const experiment_outputs *outputs, const networks_table_spec *spec,
                                             const published_table *published, table *out, error_info *err);

#endif
