/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A network of genes that regulate each other: a directed graph, which may hold cycles, with the constants of its
 * kinetics. As SysGenSIM has it: Pinna, Soranzo, Hoeschele, de la Fuente 2011, Bioinformatics 27, 2459-2462.
 */
#ifndef BNB_GENERATORS_GENES_GENE_NETWORK_H
#define BNB_GENERATORS_GENES_GENE_NETWORK_H

#include "core/base/random.h"
#include "core/base/status.h"
#include "core/graph/arcs.h"

#include <stdbool.h>

/** One regulation of a gene. */
typedef struct {
    size_t source;
    int sign;    /* 1: it activates; -1: it represses */
    double hill; /* its cooperativity, above 0 */
} gene_regulator;

/**
 * Gene i has the regulators first[i] .. first[i + 1]. Of its two alleles, `alleles[2 i]` and `alleles[2 i + 1]` say how
 * strong they are (1 where neutral), on its own transcription if it is cis, on all that it regulates if not.
 */
typedef struct {
    size_t n_genes, n_arcs;
    char **names;
    size_t *first;
    gene_regulator *regulators;
    bool *is_cis;
    double *alleles;
} gene_network;

/** What the constants are drawn from; the defaults of a public configuration of SysGenSIM. */
typedef struct {
    double hill_shape, hill_scale; /* hill = 1 + Gamma(shape, scale) */
    double activating;             /* the probability that a gene activates all that it regulates; else it represses */
    double cis;                    /* the probability that a gene's variant is cis */
    double allele_least, allele_most; /* one of two alleles is neutral, the other uniform between these */
} gene_constants;

extern const gene_constants gene_constants_usual; /* 1, 1.67; 0.5; 0.25; 0.5, 0.8 */

/**
 * The graph: an arc goes from a regulator to the gene that it regulates. Every arc activates with a cooperativity of 1,
 * and alleles are neutral. Arcs in any order.
 * @param names  n_genes of them, or NULL for G1, G2, ...
 * @return STATUS_INVALID: no gene, an arc from a gene to itself, out of range, or given twice.
 */
BNB_MUST_CHECK status gene_network_create(size_t n_genes, const char *const *names, const graph_arc *arcs,
                                          size_t n_arcs, gene_network **out, error_info *err);
void gene_network_destroy(gene_network *net); /* NULL is fine */
AUTO_PTR_OF(gene_network, gene_network_destroy)

/** Draws signs (one for all arcs of a source), cooperativities and alleles. */
BNB_MUST_CHECK status gene_network_draw(gene_network *net, const gene_constants *constants, random_stream *random,
                                        error_info *err);

/**
 * Strongly connected components, those that regulate first. `order` (n_genes entries) lists the genes component by
 * component, `ends` (n_genes entries) where each ends in it.
 */
BNB_MUST_CHECK status gene_network_components(const gene_network *net, size_t *order, size_t *ends, size_t *n,
                                              error_info *err);

#endif
