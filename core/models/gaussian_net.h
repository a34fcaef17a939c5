/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A linear-Gaussian network: each variable a linear function of its parents, and normal noise. */
#ifndef BNB_CORE_MODELS_GAUSSIAN_NET_H
#define BNB_CORE_MODELS_GAUSSIAN_NET_H

#include "core/base/status.h"
#include "core/data/variable.h"
#include "core/graph/dag.h"

#include <stdbool.h>

typedef struct gaussian_net gaussian_net;

/** X = intercept + sum of coefficients[i] parents[i] + Normal(0, sd^2). */
typedef struct {
    double intercept, sd;       /* finite; sd >= 0 */
    const double *coefficients; /* as many as parents, finite, in their order */
} gaussian_terms;

/** A network without arcs, all terms zero. Copies the names, which are distinct. STATUS_INVALID: no
 * name, or two alike. */
BNB_MUST_CHECK status gaussian_net_create(const char *name, const char *const *names, size_t n_nodes,
                                          gaussian_net **out, error_info *err);
void gaussian_net_destroy(gaussian_net *net); /* NULL is fine */
AUTO_PTR_OF(gaussian_net, gaussian_net_destroy)

/**
 * Gives a node its parents and terms, once; copies both.
 * @return STATUS_INVALID: a cycle, a parent twice, the node itself, a number that is not finite, sd < 0, or the node
 *         has its terms already: unchanged.
 */
BNB_MUST_CHECK status gaussian_net_set_node(gaussian_net *net, size_t node, const size_t *parents, size_t n_parents,
                                            const gaussian_terms *terms, error_info *err);

const char *gaussian_net_name(const gaussian_net *net);
size_t gaussian_net_node_count(const gaussian_net *net);
const variable *gaussian_net_variables(const gaussian_net *net);          /* node_count entries, continuous */
size_t gaussian_net_find_node(const gaussian_net *net, const char *name); /* NAME_NONE where there is none */
const dag *gaussian_net_dag(const gaussian_net *net);

/** The parents in the order of the coefficients (the file's order, not ascending). */
const size_t *gaussian_net_parents(const gaussian_net *net, size_t node, size_t *count);
gaussian_terms gaussian_net_terms(const gaussian_net *net, size_t node);

/** An intercept and a standard deviation a node, a coefficient an arc. */
size_t gaussian_net_parameter_count(const gaussian_net *net);

#endif
