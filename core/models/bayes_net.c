/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/models/bayes_net.h"

#include "core/models/net_frame_internal.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    size_t q;      /* parent configurations */
    double *table; /* q x r; NULL until the parents are set */
} family;

struct bayes_net {
    net_frame frame;
    family *families;
};

void bayes_net_destroy(bayes_net *net) {
    if (!net)
        return;
    for (size_t i = 0; net->families && i < net->frame.n_nodes; i++)
        free(net->families[i].table);
    free(net->families);
    net_frame_clear(&net->frame);
    free(net);
}

static status copy_variable(bayes_net *net, const variable *v, size_t i, error_info *err) {
    if (v->kind != VARIABLE_DISCRETE)
        return error_set(err, STATUS_INVALID, "variable '%.200s' is not discrete", v->name);
    CHECK(variable_copy(v, &net->frame.variables[i], err));
    return net_frame_index(&net->frame, i, err);
}

status bayes_net_create(const char *name, const variable *variables, size_t n_nodes, bayes_net **out, error_info *err) {
    AUTO_PTR(bayes_net_destroy) bayes_net *net = NULL;
    CHECK_ALLOC(net = calloc(1, sizeof *net));
    CHECK(net_frame_init(&net->frame, name, n_nodes, err));
    CHECK_ALLOC(net->families = calloc(n_nodes, sizeof *net->families));
    for (size_t i = 0; i < n_nodes; i++)
        CHECK(copy_variable(net, &variables[i], i, err));
    *out = TAKE(net);
    return STATUS_OK;
}

const char *bayes_net_name(const bayes_net *net) {
    return net->frame.name;
}

size_t bayes_net_node_count(const bayes_net *net) {
    return net->frame.n_nodes;
}

const variable *bayes_net_variable(const bayes_net *net, size_t node) {
    return &net->frame.variables[node];
}

const variable *bayes_net_variables(const bayes_net *net) {
    return net->frame.variables;
}

size_t bayes_net_find_node(const bayes_net *net, const char *name) {
    return name_index_find(net->frame.index, name);
}

const dag *bayes_net_dag(const bayes_net *net) {
    return net->frame.graph;
}

const size_t *bayes_net_parents(const bayes_net *net, size_t node, size_t *count) {
    *count = net->frame.n_parents[node];
    return net->frame.parents[node];
}

size_t bayes_net_configuration_count(const bayes_net *net, size_t node) {
    return net->families[node].table ? net->families[node].q : 1;
}

const double *bayes_net_table(const bayes_net *net, size_t node) {
    return net->families[node].table;
}

double *bayes_net_build_table(bayes_net *net, size_t node) {
    return net->families[node].table;
}

/* The number of cells, or 0 where it exceeds the limit. */
static uint64_t table_cells(const bayes_net *net, size_t node, const size_t *parents, size_t n_parents) {
    uint64_t cells = net->frame.variables[node].n_states;
    for (size_t p = 0; p < n_parents && cells; p++) {
        uint64_t r = net->frame.variables[parents[p]].n_states;
        cells = cells > BAYES_NET_MAX_CELLS / r ? 0 : cells * r;
    }
    return cells;
}

status bayes_net_set_parents(bayes_net *net, size_t node, const size_t *parents, size_t n_parents, error_info *err) {
    const variable *v;
    uint64_t cells;
    AUTO_FREE double *table = NULL;
    if (node >= net->frame.n_nodes)
        return error_set(err, STATUS_INVALID, "node %zu; the network has %zu nodes", node, net->frame.n_nodes);
    v = &net->frame.variables[node];
    if (net->families[node].table)
        return error_set(err, STATUS_INVALID, "variable '%.200s' has its parents already", v->name);
    CHECK(net_frame_check_parents(&net->frame, node, parents, n_parents, err));
    cells = table_cells(net, node, parents, n_parents);
    if (cells == 0)
        return error_set(err, STATUS_MEMORY, "the table of '%.200s' with its %zu parents has more than %llu cells",
                         v->name, n_parents, (unsigned long long)BAYES_NET_MAX_CELLS);
    CHECK_ALLOC(table = calloc((size_t)cells, sizeof *table));
    CHECK(net_frame_set_parents(&net->frame, node, parents, n_parents, err));
    net->families[node] = (family){(size_t)(cells / v->n_states), table};
    table = NULL;
    return STATUS_OK;
}

uint64_t bayes_net_parameter_count(const bayes_net *net) {
    uint64_t count = 0;
    for (size_t i = 0; i < net->frame.n_nodes; i++)
        count += (uint64_t)bayes_net_configuration_count(net, i) * (net->frame.variables[i].n_states - 1);
    return count;
}

static status check_row(const char *name, size_t configuration, const double *row, size_t r, error_info *err) {
    double sum = 0;
    for (size_t k = 0; k < r; k++) {
        if (!isfinite(row[k]) || row[k] < 0)
            return error_set(
                err, STATUS_INVALID,
                "'%.200s', parent configuration %zu, state %zu: a probability of %g; it must be finite and "
                "not negative",
                name, configuration, k, row[k]);
        sum += row[k];
    }
    if (fabs(sum - 1) > 1e-9)
        return error_set(err, STATUS_INVALID,
                         "'%.200s', parent configuration %zu: the probabilities sum to %.12g, not to one", name,
                         configuration, sum);
    return STATUS_OK;
}

status bayes_net_validate(const bayes_net *net, error_info *err) {
    for (size_t i = 0; i < net->frame.n_nodes; i++) {
        const family *f = &net->families[i];
        size_t r = net->frame.variables[i].n_states;
        if (!f->table)
            return error_set(err, STATUS_INVALID, "variable '%.200s' has no table", net->frame.variables[i].name);
        for (size_t j = 0; j < f->q; j++) {
            CHECK(check_row(net->frame.variables[i].name, j, f->table + j * r, r, err));
        }
    }
    return STATUS_OK;
}
