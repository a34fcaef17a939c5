/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/models/gaussian_net.h"

#include "core/base/name_index.h"
#include "core/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    bool is_set;
    size_t n_parents, *parents;
    double intercept, sd, *coefficients;
} family;

struct gaussian_net {
    char *name;
    size_t n_nodes;
    variable *variables;
    family *families;
    name_index *index;
    dag *graph;
};

void gaussian_net_destroy(gaussian_net *net) {
    if (!net)
        return;
    for (size_t i = 0; net->families && i < net->n_nodes; i++) {
        free(net->families[i].parents);
        free(net->families[i].coefficients);
    }
    free(net->families);
    variables_destroy(net->variables, net->n_nodes);
    name_index_destroy(net->index);
    dag_destroy(net->graph);
    free(net->name);
    free(net);
}

static status add_variable(gaussian_net *net, const char *name, size_t i, error_info *err) {
    size_t earlier = NAME_NONE;
    status st = variable_init_continuous(&net->variables[i], name, err);
    if (st == STATUS_OK)
        st = name_index_add(net->index, name, i, &earlier, err);
    if (st == STATUS_OK && earlier != NAME_NONE)
        st = error_set(err, STATUS_INVALID, "two variables are named '%.200s'", name);
    return st;
}

status gaussian_net_create(const char *name, const char *const *names, size_t n_nodes, gaussian_net **out,
                           error_info *err) {
    status st = STATUS_OK;
    gaussian_net *net = NULL;
    if (n_nodes == 0)
        return error_set(err, STATUS_INVALID, "a network needs at least one variable");
    TRY_ALLOC(net = calloc(1, sizeof *net));
    TRY_ALLOC(net->name = text_copy(name));
    TRY_ALLOC(net->variables = calloc(n_nodes, sizeof *net->variables));
    TRY_ALLOC(net->families = calloc(n_nodes, sizeof *net->families));
    net->n_nodes = n_nodes;
    TRY(name_index_create(n_nodes, &net->index, err));
    TRY(dag_create(n_nodes, &net->graph, err));
    for (size_t i = 0; i < n_nodes; i++)
        TRY(add_variable(net, names[i], i, err));
    *out = net;
    net = NULL;
cleanup:
    gaussian_net_destroy(net);
    return st;
}

/* ---- a node ---- */

static status check_terms(const gaussian_net *net, size_t node, size_t n_parents, const gaussian_terms *terms,
                          error_info *err) {
    const char *name = net->variables[node].name;
    if (net->families[node].is_set)
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

static status check_parents(const gaussian_net *net, size_t node, const size_t *parents, size_t n_parents,
                            error_info *err) {
    const char *name = net->variables[node].name;
    for (size_t i = 0; i < n_parents; i++) {
        if (parents[i] >= net->n_nodes)
            return error_set(err, STATUS_INVALID, "node %zu as a parent of '%.200s'; the network has %zu nodes",
                             parents[i], name, net->n_nodes);
        if (parents[i] == node)
            return error_set(err, STATUS_INVALID, "variable '%.200s' is its own parent", name);
    }
    return STATUS_OK;
}

/* Takes back the first n arcs. */
static status drop_arcs(gaussian_net *net, size_t node, const size_t *parents, size_t n, error_info *err) {
    status st = STATUS_OK;
    for (size_t i = 0; i < n && st == STATUS_OK; i++)
        st = dag_remove_arc(net->graph, parents[i], node, err);
    return st;
}

/* All arcs, or none. */
static status add_arcs(gaussian_net *net, size_t node, const size_t *parents, size_t n_parents, error_info *err) {
    for (size_t i = 0; i < n_parents; i++) {
        error_info ignored = {0};
        const char *name = net->variables[node].name, *parent = net->variables[parents[i]].name;
        bool is_twice = dag_has_arc(net->graph, parents[i], node);
        status added = dag_add_arc(net->graph, parents[i], node, &ignored);
        if (added == STATUS_OK)
            continue;
        CHECK(drop_arcs(net, node, parents, i, err));
        if (added == STATUS_MEMORY)
            return error_out_of_memory(err);
        return is_twice
                   ? error_set(err, STATUS_INVALID, "variable '%.200s' has the parent '%.200s' twice", name, parent)
                   : error_set(err, STATUS_INVALID, "the parent '%.200s' of '%.200s' closes a cycle", parent, name);
    }
    return STATUS_OK;
}

status gaussian_net_set_node(gaussian_net *net, size_t node, const size_t *parents, size_t n_parents,
                             const gaussian_terms *terms, error_info *err) {
    status st = STATUS_OK;
    family f = {true, n_parents, NULL, terms->intercept, terms->sd, NULL};
    if (node >= net->n_nodes)
        return error_set(err, STATUS_INVALID, "node %zu; the network has %zu nodes", node, net->n_nodes);
    TRY(check_terms(net, node, n_parents, terms, err));
    TRY(check_parents(net, node, parents, n_parents, err));
    TRY_ALLOC(f.parents = calloc(n_parents + 1, sizeof *f.parents));
    TRY_ALLOC(f.coefficients = calloc(n_parents + 1, sizeof *f.coefficients));
    for (size_t i = 0; i < n_parents; i++) {
        f.parents[i] = parents[i];
        f.coefficients[i] = terms->coefficients[i];
    }
    TRY(add_arcs(net, node, parents, n_parents, err));
    net->families[node] = f;
    f = (family){0};
cleanup:
    free(f.parents);
    free(f.coefficients);
    return st;
}

/* ---- questions ---- */

const char *gaussian_net_name(const gaussian_net *net) {
    return net->name;
}

size_t gaussian_net_node_count(const gaussian_net *net) {
    return net->n_nodes;
}

const variable *gaussian_net_variables(const gaussian_net *net) {
    return net->variables;
}

size_t gaussian_net_find_node(const gaussian_net *net, const char *name) {
    return name_index_find(net->index, name);
}

const dag *gaussian_net_dag(const gaussian_net *net) {
    return net->graph;
}

const size_t *gaussian_net_parents(const gaussian_net *net, size_t node, size_t *count) {
    *count = net->families[node].n_parents;
    return net->families[node].parents;
}

gaussian_terms gaussian_net_terms(const gaussian_net *net, size_t node) {
    const family *f = &net->families[node];
    return (gaussian_terms){f->intercept, f->sd, f->coefficients};
}

size_t gaussian_net_parameter_count(const gaussian_net *net) {
    return 2 * net->n_nodes + dag_arc_count(net->graph);
}
