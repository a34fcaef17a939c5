/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The networks of the R package bnRep, as files that pgmpy keeps for others: known by name, nodes and arcs alone. */
#ifndef BNB_GENERATORS_CATALOGUE_BNREP_H
#define BNB_GENERATORS_CATALOGUE_BNREP_H

#include "core/base/status.h"

#include <stdbool.h>

#define BNREP_PREFIX "bnrep-" /* of names here: some networks are called like others of the catalogue */

/** Where they are: BNREP_ADDRESS/bnrep/asia.bif, .json for a linear-Gaussian one. */
#define BNREP_ADDRESS "https://huggingface.co/pgmpy/example_models/resolve/main"

#define BNREP_CITATION                                                                                                 \
    "one of bnRep (MIT licence): Leonelli 2025, bnRep: a repository of Bayesian networks from the academic "           \
    "literature, Neurocomputing 624, 129502"

typedef struct {
    const char *name; /* "bnrep-asia" */
    size_t nodes, arcs;
    bool is_gaussian; /* linear-Gaussian; else of tables */
} bnrep_entry;

size_t bnrep_count(void);
const bnrep_entry *bnrep_at(size_t i);
const bnrep_entry *bnrep_find(const char *name); /* NULL where there is none */

#endif
