/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/models/gaussian_net.h"

#include "core/models/net_frame_internal.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    double intercept, sd, *coefficients; /* NULL until they are set */
} family;

struct gaussian_net {
    net_frame frame;
    family *families;
};

void gaussian_net_destroy(gaussian_net *net) {
    if (!net)
        return;
    for (size_t i = 0; net->families && i < net->frame.n_nodes; i++)
        free(net->families[i].coefficients);
    free(net->families);
    net_frame_clear(&net->frame);
    free(net);
}

status gaussian_net_create(const char *name, const char *const *names, size_t n_nodes, gaussian_net **out,
                           error_info *err) {
    AUTO_PTR(gaussian_net_destroy) gaussian_net *net = NULL;
    CHECK_ALLOC(net = calloc(1, sizeof *net));
    CHECK(net_frame_init(&net->frame, name, n_nodes, err));
    CHECK_ALLOC(net->families = calloc(n_nodes, sizeof *net->families));
    for (size_t i = 0; i < n_nodes; i++) {
        CHECK(variable_init_continuous(&net->frame.variables[i], names[i], err));
        CHECK(net_frame_index(&net->frame, i, err));
    }
    *out = TAKE(net);
    return STATUS_OK;
}

/* ---- a node ---- */

static status check_terms(const gaussian_net *net, size_t node, size_t n_parents, const gaussian_terms *terms,
                          error_info *err) {
    const char *name = net->frame.variables[node].name;
    if (net->families[node].coefficients)
        return error_set(err, STATUS_INVALID, "variable '%.200s' has its terms already", name);
    if (!isfinite(terms->intercept))
        return error_set(err, STATUS_INVALID, "the intercept of '%.200s' is %g; it must be finite", name,
                         terms->intercept);
    if (!isfinite(terms->sd) || terms->sd < 0)
        return error_set(err, STATUS_INVALID, "the sd of '%.200s' is %g; it must be finite and not below 0", name,
                         terms->sd);
    for (size_t i = 0; i < n_parents; i++) {
        if (!isfinite(terms->coefficients[i]))
            return error_set(err, STATUS_INVALID, "coefficient %zu of '%.200s' is %g; it must be finite", i + 1, name,
                             terms->coefficients[i]);
    }
    return STATUS_OK;
}

status gaussian_net_set_node(gaussian_net *net, size_t node, const size_t *parents, size_t n_parents,
                             const gaussian_terms *terms, error_info *err) {
    AUTO_FREE double *coefficients = NULL;
    if (node >= net->frame.n_nodes)
        return error_set(err, STATUS_INVALID, "node %zu; the network has %zu nodes", node, net->frame.n_nodes);
    CHECK(check_terms(net, node, n_parents, terms, err));
    CHECK(net_frame_check_parents(&net->frame, node, parents, n_parents, err));
    CHECK_ALLOC(coefficients = calloc(n_parents + 1, sizeof *coefficients));
    for (size_t i = 0; i < n_parents; i++)
        coefficients[i] = terms->coefficients[i];
    CHECK(net_frame_set_parents(&net->frame, node, parents, n_parents, err));
    net->families[node] = (family){terms->intercept, terms->sd, coefficients};
    coefficients = NULL;
    return STATUS_OK;
}

/* ---- questions ---- */

const char *gaussian_net_name(const gaussian_net *net) {
    return net->frame.name;
}

size_t gaussian_net_node_count(const gaussian_net *net) {
    return net->frame.n_nodes;
}

const variable *gaussian_net_variables(const gaussian_net *net) {
    return net->frame.variables;
}

size_t gaussian_net_find_node(const gaussian_net *net, const char *name) {
    return name_index_find(net->frame.index, name);
}

const dag *gaussian_net_dag(const gaussian_net *net) {
    return net->frame.graph;
}

const size_t *gaussian_net_parents(const gaussian_net *net, size_t node, size_t *count) {
    *count = net->frame.n_parents[node];
    return net->frame.parents[node];
}

gaussian_terms gaussian_net_terms(const gaussian_net *net, size_t node) {
    const family *f = &net->families[node];
    return (gaussian_terms){f->intercept, f->sd, f->coefficients};
}

size_t gaussian_net_parameter_count(const gaussian_net *net) {
    return 2 * net->frame.n_nodes + dag_arc_count(net->frame.graph);
}
