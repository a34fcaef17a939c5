/* SPDX-License-Identifier: GPL-3.0-or-later */
/** From the variables and tables of a BIF file to the network. */
#include "generators/networks/bif_reader_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *shown_name(const bif_node *node, char shown[TEXT_SHOWN_SIZE]) {
    return text_show(node->name, strlen(node->name), shown);
}

static status check_blocks(const bif_reader *reader, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    for (size_t i = 0; i < reader->n_nodes; i++) {
        const bif_node *node = &reader->nodes[i];
        if (!node->block_at)
            return bif_error(&reader->cursor, node->declared_at, err,
                             "expected a probability block for variable '%s', found none", shown_name(node, shown));
    }
    return STATUS_OK;
}

/* Walks up from a node that is left over, always to a parent that is left over: some node comes twice. */
static status report_cycle(const bif_reader *reader, const size_t *waits, error_info *err) {
    char shown[TEXT_SHOWN_SIZE], shown_parent[TEXT_SHOWN_SIZE];
    size_t at = 0;
    while (waits[at] == 0)
        at++;
    for (size_t step = 0; step <= reader->n_nodes; step++) {
        const bif_node *node = &reader->nodes[at];
        size_t p = 0;
        while (waits[node->parents[p]] == 0)
            p++;
        if (step == reader->n_nodes) /* on the cycle by now */
            return bif_error(&reader->cursor, node->block_at, err, "the arc '%s' -> '%s' closes a cycle",
                             shown_name(&reader->nodes[node->parents[p]], shown_parent), shown_name(node, shown));
        at = node->parents[p];
    }
    return STATUS_OK;
}

/* Children of every node, as offsets into one list. */
static status list_children(const bif_reader *reader, size_t *first, size_t **children, error_info *err) {
    size_t n_arcs = 0, *list;
    for (size_t i = 0; i < reader->n_nodes; i++) {
        for (size_t p = 0; p < reader->nodes[i].n_parents; p++)
            first[reader->nodes[i].parents[p] + 2]++;
        n_arcs += reader->nodes[i].n_parents;
    }
    for (size_t i = 2; i < reader->n_nodes + 2; i++)
        first[i] += first[i - 1];
    CHECK_ALLOC(list = calloc(n_arcs + 1, sizeof *list));
    for (size_t i = 0; i < reader->n_nodes; i++) {
        for (size_t p = 0; p < reader->nodes[i].n_parents; p++)
            list[first[reader->nodes[i].parents[p] + 1]++] = i;
    }
    *children = list;
    return STATUS_OK;
}

/* Parents before children (Kahn 1962): O(nodes + arcs), where arcs added one by one would each search for a cycle. */
static status order_nodes(const bif_reader *reader, size_t *order, error_info *err) {
    size_t n = reader->n_nodes, n_ordered = 0;
    AUTO_FREE size_t *waits = calloc(n, sizeof *waits);
    AUTO_FREE size_t *first = calloc(n + 2, sizeof *first), *children = NULL;
    status st = STATUS_OK;
    CHECK_ALLOC(waits);
    CHECK_ALLOC(first);
    CHECK(list_children(reader, first, &children, err));
    for (size_t i = 0; i < n; i++) {
        waits[i] = reader->nodes[i].n_parents;
        if (waits[i] == 0)
            order[n_ordered++] = i;
    }
    for (size_t next = 0; next < n_ordered; next++) {
        for (size_t c = first[order[next]]; c < first[order[next] + 1]; c++) {
            if (--waits[children[c]] == 0)
                order[n_ordered++] = children[c];
        }
    }
    if (n_ordered < n)
        st = report_cycle(reader, waits, err);
    return st;
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
    *out = net;
    net = NULL;
    return STATUS_OK;
}
