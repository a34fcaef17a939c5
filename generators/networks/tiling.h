/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Large networks from copies of a small one, each copy ("tile") distributed as before.
 * Source: Statnikov, Tsamardinos and Aliferis 2003, An algorithm for generation of large Bayesian networks,
 * Vanderbilt DSL TR-03-01, Fig. 1.
 */
#ifndef BNB_GENERATORS_NETWORKS_TILING_H
#define BNB_GENERATORS_NETWORKS_TILING_H

#include "core/base/random.h"
#include "core/models/bayes_net.h"

#include <stdbool.h>

typedef struct {
    bool single_source;      /* all new parents of a node lie in one tile */
    size_t max_joint_states; /* of the new parents of a node */
} tiling_options;

/** single_source, 200 joint states. */
tiling_options tiling_defaults(void);

/**
 * `copies` tiles of `base`, the variables of tile i (from 1) named T<i>_NAME, tile after tile in the order of `base`;
 * the network is named like the base with the number of copies behind it ("child3").
 *
 * Exactly n_tile_arcs arcs lead from tiles to later ones, all into variables without parents in `base`, their entries.
 * With s the number of entries of the tiles past the first and k = ceil(2 n_tile_arcs / s), each entry draws its number
 * of new parents uniformly from 0 .. k as in the report, and single ones are then added or taken away at random until
 * the sum is right; what is then more than an entry can have goes to others at random. The parents are drawn from one
 * earlier tile (single_source) or from all; again where they have too many joint states. Every tile that is not the
 * first counts as a level of its own.
 *
 * The table of an entry comes from tiling_scale_table, with its own prior and the joint distribution of its new
 * parents: that of the network built so far where variable elimination finds it cheaply (150 ancestors, 2^16 cells a
 * factor), so that the entry's marginal is its old prior; else that of the parents' own tile (exact where no two
 * entries of that tile became dependent); else, from several tiles, 1e5 samples. All other tables are those of `base`.
 * The joint distribution of a tile is that of `base` exactly where it has one entry, and else but for the dependence
 * that the new parents bring among its entries (the same holds for the report).
 *
 * @param options NULL for the defaults
 * @return STATUS_INVALID: fewer than two copies, more arcs than can be placed, or a network of some 4 GiB.
 * STATUS_MEMORY.
 */
BNB_MUST_CHECK status tile_network(const bayes_net *base, size_t copies, size_t n_tile_arcs,
                                   const tiling_options *options, random_stream *random, bayes_net **out,
                                   error_info *err);

/**
 * The conditional table P(T | p) = x0[p][t] r_t c_p with sum_p a_p P(t | p) = b_t and every row summing to one: matrix
 * scaling of a_p x0[p][t] by iterative proportional fitting (Deming and Stephan 1940), to residuals below 1e-12.
 * Rows of the result are indexed by p, t fastest. b_t = 0 gives zeros; a_p = 0 gives the row b.
 *
 * @param a   n_rows probabilities, their sum is one
 * @param b   n_states probabilities, their sum is one
 * @param x0  n_rows x n_states positive numbers
 * @param[out] table n_rows x n_states; may be x0
 * @return STATUS_INVALID where the fitting does not converge. STATUS_MEMORY.
 */
BNB_MUST_CHECK status tiling_scale_table(const double *a, size_t n_rows, const double *b, size_t n_states,
                                         const double *x0, double *table, error_info *err);

#endif
