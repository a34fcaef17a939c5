/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/catalogue/any_network.h"

#include "generators/catalogue/catalogue.h"
#include "generators/sampling/continuize.h"
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

status any_network_draw(const any_network *net, size_t n_rows, uint64_t seed, double sigma, dataset **out,
                        error_info *err) {
    random_key key = random_key_text(random_key_of(seed), "sample");
    random_stream random;
    AUTO_PTR(dataset_destroy) dataset *states = NULL;

    random_stream_init(&random, key);
    if (!(sigma > 0))
        return any_network_sample(net, n_rows, &random, out, err);
    if (net->gaussian)
        return error_set(err, STATUS_INVALID, "the data of a linear-Gaussian network are continuous without noise");
    CHECK(any_network_sample(net, n_rows, &random, &states, err));
    return continuize(states, sigma, continuize_key(key), out, err);
}

status any_network_graph(const any_network *net, named_graph *out, error_info *err) {
    size_t n = any_network_node_count(net);
    CHECK_ALLOC(out->names = calloc(n + 1, sizeof *out->names));
    for (; out->n_nodes < n; out->n_nodes++)
        CHECK_ALLOC(out->names[out->n_nodes] = text_copy(any_network_variables(net)[out->n_nodes].name));
    out->lists_nodes = true;
    return pdag_from_dag(any_network_dag(net), &out->graph, err);
}
