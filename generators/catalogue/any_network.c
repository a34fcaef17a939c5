/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/catalogue/any_network.h"

#include "generators/catalogue/catalogue.h"
#include "generators/sampling/gaussian_sampling.h"
#include "generators/sampling/sampling.h"

#include <stdlib.h>

const char *any_network_name(const any_network *net) {
    return net->tables ? bayes_net_name(net->tables) : gaussian_net_name(net->gaussian);
}

size_t any_network_node_count(const any_network *net) {
    return net->tables ? bayes_net_node_count(net->tables) : gaussian_net_node_count(net->gaussian);
}

const variable *any_network_variables(const any_network *net) {
    return net->tables ? bayes_net_variables(net->tables) : gaussian_net_variables(net->gaussian);
}

const dag *any_network_dag(const any_network *net) {
    return net->tables ? bayes_net_dag(net->tables) : gaussian_net_dag(net->gaussian);
}

status any_network_load(const char *name, any_network *out, error_info *err) {
    any_network found = {0};
    AUTO_FREE char *path = NULL;
    error_info quiet = {0};
    const network_format *format =
        catalogue_locate(name, &path, &quiet) == STATUS_OK ? network_format_of_network(path) : NULL;
    if (format && !format->is_of_tables)
        CHECK(any_network_read(path, &found, NULL, err));
    else
        CHECK(catalogue_load(name, &found.tables, err));
    *out = found;
    return STATUS_OK;
}

status any_network_sample(const any_network *net, size_t n_rows, random_stream *random, dataset **out,
                          error_info *err) {
    return net->tables ? sample_network(net->tables, n_rows, random, out, err)
                       : sample_gaussian_network(net->gaussian, n_rows, random, out, err);
}
