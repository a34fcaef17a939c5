/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Genes that regulate each other in cycles: a strongly connected component of a gene network, and where it rests. */
#ifndef BNB_GENERATORS_GENES_GENE_CYCLE_INTERNAL_H
#define BNB_GENERATORS_GENES_GENE_CYCLE_INTERNAL_H

#include "generators/genes/gene_network.h"

/** A regulation from within; `source` counts in the component. */
typedef struct {
    size_t source;
    double sign, hill;
} gene_inner_arc;

typedef struct gene_cycle gene_cycle;

/**
 * @param genes  n > 1 genes of the network; borrowed
 * @param place  of every gene of the network its number in the component, n or more where it is not in it
 */
BNB_MUST_CHECK status gene_cycle_create(const gene_network *net, const size_t *genes, size_t n, const size_t *place,
                                        gene_cycle **out, error_info *err);
void gene_cycle_destroy(gene_cycle *c); /* NULL is fine */
AUTO_PTR_OF(gene_cycle, gene_cycle_destroy)

/** The conditions of gene k, what regulators from outside do to its synthesis included. */
void gene_cycle_set(gene_cycle *c, size_t k, double synthesis, double decay, double threshold);

/** From the state y (n levels) to where it rests; false where it does not: y is then the last state. */
bool gene_cycle_solve(gene_cycle *c, double *y);

#endif
