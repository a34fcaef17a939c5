/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/models/bayes_net.h"

#include "core/base/name_index.h"
#include "core/base/text.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    size_t *parents; /* in the order of the table */
    size_t n_parents;
    size_t q;      /* parent configurations */
    double *table; /* q x r; NULL until the parents are set */
} family;

struct bayes_net {
    char *name;
    size_t n_nodes;
    variable *variables;
    family *families;
    name_index *index;
    dag *graph;
};

void bayes_net_destroy(bayes_net *net) {
    if (!net)
        return;
    for (size_t i = 0; net->families && i < net->n_nodes; i++) {
        free(net->families[i].parents);
        free(net->families[i].table);
    }
    free(net->families);
    variables_destroy(net->variables, net->n_nodes);
    name_index_destroy(net->index);
    dag_destroy(net->graph);
    free(net->name);
    free(net);
}

static status copy_variable(bayes_net *net, const variable *v, size_t i, error_info *err) {
    size_t earlier;
    status st;
    if (v->kind != VARIABLE_DISCRETE)
        return error_set(err, STATUS_INVALID, "variable '%.200s' is not discrete", v->name);
    st = variable_copy(v, &net->variables[i], err);
    if (st == STATUS_OK)
        st = name_index_add(net->index, v->name, i, &earlier, err);
    if (st == STATUS_OK && earlier != NAME_NONE)
        st = error_set(err, STATUS_INVALID, "two variables are named '%.200s'", v->name);
    return st;
}

static status fill(bayes_net *net, const char *name, const variable *variables, size_t n_nodes, error_info *err) {
    CHECK_ALLOC(net->name = text_copy(name));
    CHECK_ALLOC(net->variables = calloc(n_nodes, sizeof *net->variables));
    CHECK_ALLOC(net->families = calloc(n_nodes, sizeof *net->families));
    net->n_nodes = n_nodes;
    CHECK(name_index_create(n_nodes, &net->index, err));
    CHECK(dag_create(n_nodes, &net->graph, err));
    for (size_t i = 0; i < n_nodes; i++)
        CHECK(copy_variable(net, &variables[i], i, err));
    return STATUS_OK;
}

status bayes_net_create(const char *name, const variable *variables, size_t n_nodes, bayes_net **out, error_info *err) {
    bayes_net *net;
    status st;
    if (n_nodes == 0)
        return error_set(err, STATUS_INVALID, "a network needs at least one variable");
    net = calloc(1, sizeof *net);
    if (!net)
        return error_out_of_memory(err);
    st = fill(net, name, variables, n_nodes, err);
    if (st != STATUS_OK) {
        bayes_net_destroy(net);
        return st;
    }
    *out = net;
    return STATUS_OK;
}

const char *bayes_net_name(const bayes_net *net) {
    return net->name;
}

size_t bayes_net_node_count(const bayes_net *net) {
    return net->n_nodes;
}

const variable *bayes_net_variable(const bayes_net *net, size_t node) {
    return &net->variables[node];
}

const variable *bayes_net_variables(const bayes_net *net) {
    return net->variables;
}

size_t bayes_net_find_node(const bayes_net *net, const char *name) {
    return name_index_find(net->index, name);
}

const dag *bayes_net_dag(const bayes_net *net) {
    return net->graph;
}

const size_t *bayes_net_parents(const bayes_net *net, size_t node, size_t *count) {
    *count = net->families[node].n_parents;
    return net->families[node].parents;
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

static status check_family(const bayes_net *net, size_t node, const size_t *parents, size_t n_parents,
                           error_info *err) {
    const char *name = net->variables[node].name;
    if (net->families[node].table)
        return error_set(err, STATUS_INVALID, "variable '%.200s' has its parents already", name);
    for (size_t p = 0; p < n_parents; p++) {
        if (parents[p] >= net->n_nodes)
            return error_set(err, STATUS_INVALID, "node %zu as a parent of '%.200s'; the network has %zu nodes",
                             parents[p], name, net->n_nodes);
        if (parents[p] == node)
            return error_set(err, STATUS_INVALID, "variable '%.200s' is its own parent", name);
    }
    return STATUS_OK;
}

/* The number of cells, or 0 where it exceeds the limit. */
static uint64_t table_cells(const bayes_net *net, size_t node, const size_t *parents, size_t n_parents) {
    uint64_t cells = net->variables[node].n_states;
    for (size_t p = 0; p < n_parents && cells; p++) {
        uint64_t r = net->variables[parents[p]].n_states;
        cells = cells > BAYES_NET_MAX_CELLS / r ? 0 : cells * r;
    }
    return cells;
}

static void remove_arcs(bayes_net *net, size_t node, const size_t *parents, size_t n_parents) {
    for (size_t p = 0; p < n_parents; p++) {
        status st = dag_remove_arc(net->graph, parents[p], node, NULL);
        (void)st; /* it was added a moment ago */
    }
}

static status add_arcs(bayes_net *net, size_t node, const size_t *parents, size_t n_parents, error_info *err) {
    for (size_t p = 0; p < n_parents; p++) {
        const char *from = net->variables[parents[p]].name, *to = net->variables[node].name;
        status st = STATUS_OK;
        if (dag_has_arc(net->graph, parents[p], node))
            st = error_set(err, STATUS_INVALID, "'%.200s' is twice a parent of '%.200s'", from, to);
        else if (dag_reaches(net->graph, node, parents[p]))
            st = error_set(err, STATUS_INVALID, "the arc '%.200s' -> '%.200s' would close a cycle", from, to);
        else
            st = dag_add_arc(net->graph, parents[p], node, err);
        if (st != STATUS_OK) {
            remove_arcs(net, node, parents, p);
            return st;
        }
    }
    return STATUS_OK;
}

status bayes_net_set_parents(bayes_net *net, size_t node, const size_t *parents, size_t n_parents, error_info *err) {
    status st = STATUS_OK;
    family made = {.n_parents = n_parents};
    uint64_t cells;
    if (node >= net->n_nodes)
        return error_set(err, STATUS_INVALID, "node %zu; the network has %zu nodes", node, net->n_nodes);
    TRY(check_family(net, node, parents, n_parents, err));
    cells = table_cells(net, node, parents, n_parents);
    if (cells == 0) {
        st = error_set(err, STATUS_MEMORY, "the table of '%.200s' with its %zu parents has more than %llu cells",
                       net->variables[node].name, n_parents, (unsigned long long)BAYES_NET_MAX_CELLS);
        goto cleanup;
    }
    made.q = (size_t)(cells / net->variables[node].n_states);
    TRY_ALLOC(made.parents = calloc(n_parents + 1, sizeof *made.parents));
    TRY_ALLOC(made.table = calloc((size_t)cells, sizeof *made.table));
    for (size_t p = 0; p < n_parents; p++)
        made.parents[p] = parents[p];
    TRY(add_arcs(net, node, parents, n_parents, err));
    net->families[node] = made;
    made = (family){0};
cleanup:
    free(made.parents);
    free(made.table);
    return st;
}

uint64_t bayes_net_parameter_count(const bayes_net *net) {
    uint64_t count = 0;
    for (size_t i = 0; i < net->n_nodes; i++)
        count += (uint64_t)bayes_net_configuration_count(net, i) * (net->variables[i].n_states - 1);
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
    for (size_t i = 0; i < net->n_nodes; i++) {
        const family *f = &net->families[i];
        size_t r = net->variables[i].n_states;
        if (!f->table)
            return error_set(err, STATUS_INVALID, "variable '%.200s' has no table", net->variables[i].name);
        for (size_t j = 0; j < f->q; j++) {
            CHECK(check_row(net->variables[i].name, j, f->table + j * r, r, err));
        }
    }
    return STATUS_OK;
}
