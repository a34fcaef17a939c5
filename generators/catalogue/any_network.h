/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A network that is one of two kinds: of tables, or linear-Gaussian. */
#ifndef BNB_GENERATORS_CATALOGUE_ANY_NETWORK_H
#define BNB_GENERATORS_CATALOGUE_ANY_NETWORK_H

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "core/models/bayes_net.h"
#include "core/models/gaussian_net.h"

#include <stdbool.h>

/** One of the two is set. Zero-initialise; owns it. */
typedef struct {
    bayes_net *tables;
    gaussian_net *gaussian;
} any_network;

void any_network_clear(any_network *net);

const char *any_network_name(const any_network *net);
size_t any_network_node_count(const any_network *net);
const variable *any_network_variables(const any_network *net); /* node_count entries */
const dag *any_network_dag(const any_network *net);

/** True if the ending is that of a linear-Gaussian network: .json or .json.gz. */
bool any_network_is_json(const char *path);

/** JSON by its ending, else BIF; "-" is standard input, JSON where it begins with '{'. `n_scaled` as bif_read says. */
BNB_MUST_CHECK status any_network_read(const char *path, any_network *out, size_t *n_scaled, error_info *err);

/** As catalogue_load, of either kind. */
BNB_MUST_CHECK status any_network_load(const char *name, any_network *out, error_info *err);

/** As sample_network or sample_gaussian_network. */
BNB_MUST_CHECK status any_network_sample(const any_network *net, size_t n_rows, random_stream *random, dataset **out,
                                         error_info *err);

#endif
