/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The facts of networks by name, for tables that show them and conditions that name them. */
#ifndef BNB_PARTS_FIGURES_NETWORK_FACT_H
#define BNB_PARTS_FIGURES_NETWORK_FACT_H

#include "parts/figures/outputs.h"

typedef struct {
    const char *name;  /* as in results/published/ */
    const char *plain; /* another name that it goes by; NULL: none */
    const char *heading;
    size_t offset; /* in network_facts */
    bool is_whole;
    bool is_usual;   /* shown without a published figure too */
    bool is_of_data; /* of real data sets; else of networks */
} network_fact;

enum { NETWORK_FACT_COUNT = 17 };

/** In the order of a table's columns; i < NETWORK_FACT_COUNT. */
const network_fact *network_fact_at(size_t i);

/** By either name; NULL where there is none. */
const network_fact *network_fact_find(const char *name);

/** NAN where nobody knows it, or the network is of the other kind: of a data set that has variables alone. */
double network_fact_value(const network_fact *fact, const network_facts *of);

#endif
