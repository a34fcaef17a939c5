/* SPDX-License-Identifier: GPL-3.0-or-later */
/** From the variables and tables of a BIF file to the network. */
#include "generators/networks/bif_reader_internal.h"

#include "core/base/array.h"
#include "core/graph/components.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static status check_blocks(const bif_reader *reader, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    for (size_t i = 0; i < reader->n_nodes; i++) {
        const bif_node *node = &reader->nodes[i];
        if (!node->block_at)
            return bif_error(&reader->cursor, node->declared_at, err,
                             "expected a probability block for variable '%s', found none", bif_shown_name(node, shown));
    }
    return STATUS_OK;
}

static size_t next_parent(const void *self, size_t node, size_t *k) {
    const bif_node *n = &((const bif_reader *)self)->nodes[node];
    return *k < n->n_parents ? n->parents[(*k)++] : COMPONENTS_NO_EDGE;
}

/* The nodes lead to each other; one of the arcs among them is named. */
static status report_cycle(const bif_reader *reader, const size_t *nodes, size_t n, error_info *err) {
    char shown[TEXT_SHOWN_SIZE], shown_parent[TEXT_SHOWN_SIZE];
    const bif_node *node = &reader->nodes[nodes[0]];
    size_t p = 0;
    while (!array_has_size(nodes, n, node->parents[p]))
        p++;
    return bif_error(&reader->cursor, node->block_at, err, "the arc '%s' -> '%s' closes a cycle",
                     bif_shown_name(&reader->nodes[node->parents[p]], shown_parent), bif_shown_name(node, shown));
}

/* Parents before children, at once: arcs added one by one would each search for a cycle. */
static status order_nodes(const bif_reader *reader, size_t *order, error_info *err) {
    AUTO_FREE size_t *ends = calloc(reader->n_nodes, sizeof *ends);
    size_t n_components;
    CHECK_ALLOC(ends);
    CHECK(components_find(reader, reader->n_nodes, next_parent, order, ends, &n_components, err));
    for (size_t c = 0, from = 0; c < n_components; from = ends[c++]) {
        if (ends[c] - from > 1)
            return report_cycle(reader, order + from, ends[c] - from, err);
    }
    return STATUS_OK;
}

static status move_table(bif_node *node, bayes_net *net, size_t i, error_info *err) {
    CHECK(bayes_net_set_parents(net, i, node->parents, node->n_parents, err));
    assert(node->table); /* check_blocks saw to it */
    memcpy(bayes_net_build_table(net, i), node->table, node->q * node->states.n * sizeof *node->table);
    free(node->table);
    node->table = NULL;
    return STATUS_OK;
}

status bif_build(bif_reader *reader, const char *name, bayes_net **out, error_info *err) {
    size_t n = reader->n_nodes;
    AUTO_FREE size_t *order = NULL;
    AUTO_FREE variable *variables = NULL; /* shallow */
    AUTO_PTR(bayes_net_destroy) bayes_net *net = NULL;
    CHECK(check_blocks(reader, err));
    CHECK_ALLOC(order = calloc(n, sizeof *order));
    CHECK_ALLOC(variables = calloc(n, sizeof *variables));
    CHECK(order_nodes(reader, order, err));
    for (size_t i = 0; i < n; i++)
        variables[i] = (variable){reader->nodes[i].name, VARIABLE_DISCRETE, reader->nodes[i].states.n,
                                  reader->nodes[i].states.texts};
    CHECK(bayes_net_create(name, variables, n, &net, err));
    for (size_t i = 0; i < n; i++)
        CHECK(move_table(&reader->nodes[order[i]], net, order[i], err));
    CHECK(bayes_net_validate(net, err));
    *out = TAKE(net);
    return STATUS_OK;
}
