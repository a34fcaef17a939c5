/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Random directed graphs, which may hold cycles, for networks of genes. */
#ifndef BNB_GENERATORS_NETWORKS_RANDOM_TOPOLOGY_H
#define BNB_GENERATORS_NETWORKS_RANDOM_TOPOLOGY_H

#include "generators/genes/gene_network.h"

typedef struct {
    size_t n_genes;
    double arcs_per_gene; /* mean in-degree, above 0 */
    size_t modules;       /* 1: none; of equal size as far as that goes */
    double rewired;       /* share of arcs whose heads two modules exchange */
} topology_wish;

/**
 * In-degrees exponential, P(k) ~ exp(-(k + 1) / d), out-degrees by a power law, P(k) ~ (k + 1)^-gamma with the gamma
 * whose mean is d = arcs_per_gene, k = 0 .. n - 1; nodes with neither are drawn anew. Lists are drawn until the mean
 * out-degree is within 5% of d and not above the mean in-degree, then the sources, in the order of falling out-degree,
 * get distinct random targets that have arcs to take. Modules are drawn one by one, then arcs are rewired between them,
 * and the genes numbered at random. As SysGenSIM does (Pinna et al. 2011).
 * @param[out] arcs  on the heap; about n_genes arcs_per_gene of them, 5% more or less
 * @return STATUS_INVALID: a wish out of range, or no such lists (fewer arcs than genes can carry, or too small a
 *         module).
 */
BNB_MUST_CHECK status topology_scale_free(const topology_wish *wish, random_stream *random, graph_arc **arcs,
                                          size_t *n_arcs, error_info *err);

/** n_genes arcs_per_gene arcs, rounded, uniform among all ordered pairs; modules and rewiring play no role. */
BNB_MUST_CHECK status topology_random(const topology_wish *wish, random_stream *random, graph_arc **arcs,
                                      size_t *n_arcs, error_info *err);

/** The gamma of which the law P(k) ~ (k + 1)^-gamma on 0 .. n - 1 has this mean. */
double topology_power(size_t n, double mean);

#endif
