/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What can be asked of a network whatever its kind. */
#ifndef BNB_GENERATORS_CATALOGUE_ANY_NETWORK_H
#define BNB_GENERATORS_CATALOGUE_ANY_NETWORK_H

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "core/graph/graph_file.h"
#include "generators/networks/network_format.h"

const char *any_network_name(const any_network *net);
size_t any_network_node_count(const any_network *net);
const variable *any_network_variables(const any_network *net); /* node_count entries */
const dag *any_network_dag(const any_network *net);

/** As catalogue_load, of either kind. */
BNB_MUST_CHECK status any_network_load(const char *name, any_network *out, error_info *err);

/** As sample_network or sample_gaussian_network. */
BNB_MUST_CHECK status any_network_sample(const any_network *net, size_t n_rows, random_stream *random, dataset **out,
                                         error_info *err);

/**
 * The rows that `bnbench sample --seed SEED` gives: a longer sample begins with the shorter one. With sigma > 0 the
 * states become draws from normal distributions (continuize), the states being those of the same seed.
 */
BNB_MUST_CHECK status any_network_draw(const any_network *net, size_t n_rows, uint64_t seed, double sigma,
                                       dataset **out, error_info *err);

/** Its graph with the names of its nodes. Clear it, on error too. */
BNB_MUST_CHECK status any_network_graph(const any_network *net, named_graph *out, error_info *err);

#endif
