/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A discrete Bayesian network: variables, DAG, conditional probability tables. */
#ifndef BNB_CORE_MODELS_BAYES_NET_H
#define BNB_CORE_MODELS_BAYES_NET_H

#include "core/base/status.h"
#include "core/data/variable.h"
#include "core/graph/dag.h"

#include <stdint.h>

typedef struct bayes_net bayes_net;

/**
 * A network without arcs and tables. Copies the variables (all discrete, names distinct).
 * Then bayes_net_set_parents and fill bayes_net_build_table for every node, then bayes_net_validate.
 */
BNB_MUST_CHECK status bayes_net_create(const char *name, const variable *variables, size_t n_nodes, bayes_net **out,
                                       error_info *err);
void bayes_net_destroy(bayes_net *net); /* NULL is fine */
AUTO_PTR_OF(bayes_net, bayes_net_destroy)

const char *bayes_net_name(const bayes_net *net);
size_t bayes_net_node_count(const bayes_net *net);
const variable *bayes_net_variable(const bayes_net *net, size_t node);
const variable *bayes_net_variables(const bayes_net *net);          /* node_count entries */
size_t bayes_net_find_node(const bayes_net *net, const char *name); /* NAME_NONE where there is none */
const dag *bayes_net_dag(const bayes_net *net);

/** The parents in the order in which the table lists them (the file's order, not ascending). */
const size_t *bayes_net_parents(const bayes_net *net, size_t node, size_t *count);

/**
 * Gives a node its parents, once, and a table of zeros.
 * @return STATUS_INVALID: a cycle, a parent twice, the node itself. STATUS_MEMORY: a table past BAYES_NET_MAX_CELLS.
 */
BNB_MUST_CHECK status bayes_net_set_parents(bayes_net *net, size_t node, const size_t *parents, size_t n_parents,
                                            error_info *err);

#define BAYES_NET_MAX_CELLS ((uint64_t)1 << 28)

/** Parent configurations of a node, q; the first parent varies fastest. 1 without parents. */
size_t bayes_net_configuration_count(const bayes_net *net, size_t node);

/** The table: configuration j, state k at [j * n_states + k]. NULL before bayes_net_set_parents. */
const double *bayes_net_table(const bayes_net *net, size_t node);
double *bayes_net_build_table(bayes_net *net, size_t node);

/** Free parameters: sum of q_i (r_i - 1). */
uint64_t bayes_net_parameter_count(const bayes_net *net);

/** Every row sums to one within 1e-9 and holds no negative or non-finite entry; every table is there. */
BNB_MUST_CHECK status bayes_net_validate(const bayes_net *net, error_info *err);

#endif
