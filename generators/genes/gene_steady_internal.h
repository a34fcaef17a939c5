/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The steady state of a gene network under the conditions of one line (individual). */
#ifndef BNB_GENERATORS_GENES_GENE_STEADY_INTERNAL_H
#define BNB_GENERATORS_GENES_GENE_STEADY_INTERNAL_H

#include "generators/genes/gene_network.h"

/**
 * The conditions of a line, an entry a gene: with them gene i changes by
 *     synthesis_i prod_j (1 + A_ji s_ji) - decay_i G_i,   s_ji = G_j^h_ji / (G_j^h_ji + threshold_j^h_ji),
 * the product over its regulators j.
 */
typedef struct {
    double *synthesis, *decay, *threshold;
} gene_conditions;

/** The change of every gene in the state `levels`. */
void gene_derivative(const gene_network *net, const gene_conditions *line, const double *levels, double *out);

typedef struct gene_solver gene_solver;

/** `net` is borrowed. */
BNB_MUST_CHECK status gene_solver_create(const gene_network *net, gene_solver **out, error_info *err);
void gene_solver_destroy(gene_solver *s); /* NULL is fine */
AUTO_PTR_OF(gene_solver, gene_solver_destroy)

/** The genes of the largest component in which each regulates each, 1 where there is no cycle. */
size_t gene_solver_largest_component(const gene_solver *s);

/**
 * The steady state into `levels`, component by component: a gene without feedback in closed form; a cycle integrated
 * (Runge-Kutta-Fehlberg, relative 1e-3, absolute 1e-6) from what `levels` holds, in stretches of 5 units of time until
 * none of its genes moves by 1e-4 over one, and then brought by Newton's steps to a change below 1e-10. The Jacobian at
 * the first state that a solver finds serves the others as far as it goes, so the wild type is best solved first.
 * @return false where some cycle does not come to rest within 100 stretches (it oscillates), or Newton's steps go
 *         astray: its genes keep their last state.
 */
bool gene_solver_solve(gene_solver *s, const gene_conditions *line, double *levels);

#endif
