/* SPDX-License-Identifier: GPL-3.0-or-later */
/* XDSL, as GeNIe and SMILE write it: networks of `cpt` and `deterministic` nodes. */
#include "generators/networks/format_tables_internal.h"
#include "generators/networks/name_escape.h"
#include "generators/networks/network_draft.h"
#include "generators/networks/network_format.h"
#include "generators/networks/xml_tree.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static bool is_node(const xml_element *e) {
    return strcmp(e->name, "cpt") == 0 || strcmp(e->name, "deterministic") == 0;
}

static status read_node(const xml_tree *t, size_t element, network_draft *d, error_info *err) {
    const char *id = xml_attribute(t, element, "id");
    text_place place = t->elements[element].place;
    if (!is_node(&t->elements[element]))
        return text_place_error(place, err, "expected <cpt> or <deterministic>, the nodes that are read, found <%.40s>",
                                t->elements[element].name);
    if (!id)
        return text_place_error(place, err, "expected an attribute 'id' of this node, found none");
    CHECK(draft_add_node(d, place, id, strlen(id), err));
    for (size_t s = xml_first(t, element, "state"); s != XML_NONE; s = xml_next(t, s, "state")) {
        const char *state = xml_attribute(t, s, "id");
        if (!state)
            return text_place_error(t->elements[s].place, err, "expected an attribute 'id' of this state, found none");
        CHECK(draft_add_state(d, d->n - 1, t->elements[s].place, state, strlen(state), err));
    }
    return STATUS_OK;
}

static status read_parents(const xml_tree *t, size_t element, network_draft *d, size_t node, error_info *err) {
    AUTO_FREE size_t *parents = NULL;
    size_t n = 0, capacity = 0, list = xml_first(t, element, "parents"), length = 0, parent;
    const char *at = NULL;
    while (list != XML_NONE && xml_next_word(t, list, &at, &length)) {
        CHECK(draft_find_node(d, t->elements[list].place, at, length, &parent, err));
        CHECK(ARRAY_PUSH(parents, n, capacity, err, parent));
    }
    return draft_set_parents(d, node, t->elements[element].place, parents, n, err);
}

/* SMILE lets the last parent vary fastest (BayesFusion, Using SMILE, "Multidimensional arrays"). aGrUM writes its name
 * into what GeNIe calls the application, lets the first parent vary fastest, and reads such files so itself. */
static unsigned order_of(const xml_tree *t) {
    size_t extensions = xml_first(t, 0, "extensions");
    size_t genie = extensions == XML_NONE ? XML_NONE : xml_first(t, extensions, "genie");
    const char *app = genie == XML_NONE ? NULL : xml_attribute(t, genie, "app");
    return app && strncmp(app, "aGrUM", 5) == 0 ? DRAFT_FIRST_PARENT_FASTER : DRAFT_CHILD_FASTEST;
}

static status read_probabilities(const xml_tree *t, size_t element, network_draft *d, size_t node, error_info *err) {
    size_t list = xml_first(t, element, "probabilities"), n = 0;
    AUTO_FREE double *numbers = NULL;
    if (list == XML_NONE)
        return text_place_error(t->elements[element].place, err, "expected <probabilities> of '%.60s', found none",
                                d->nodes[node].name);
    CHECK(xml_numbers(t, list, &numbers, &n, err));
    return draft_set_table(d, node, t->elements[list].place, numbers, n, order_of(t), err);
}

/* The state that each configuration of the parents leads to. */
static status read_results(const xml_tree *t, size_t element, network_draft *d, size_t node, error_info *err) {
    size_t list = xml_first(t, element, "resultingstates"), length = 0, state, j = 0, q = d->nodes[node].q;
    text_place place = t->elements[element].place;
    const char *at = NULL;
    AUTO_FREE double *row = NULL;
    if (list == XML_NONE)
        return text_place_error(place, err, "expected <resultingstates> of '%.60s', found none", d->nodes[node].name);
    place = t->elements[list].place;
    CHECK_ALLOC(row = calloc(d->nodes[node].states.n, sizeof *row));
    for (; xml_next_word(t, list, &at, &length); j++) {
        CHECK(draft_find_state(d, node, place, at, length, &state, err));
        row[state] = 1;
        if (j < q)
            CHECK(draft_set_row(d, node, place, j, row, err));
        row[state] = 0;
    }
    return j == q
               ? STATUS_OK
               : text_place_error(place, err, "expected %zu states for '%.60s', found %zu", q, d->nodes[node].name, j);
}

static status read_table(const xml_tree *t, size_t element, network_draft *d, size_t node, error_info *err) {
    bool is_cpt = strcmp(t->elements[element].name, "cpt") == 0;
    CHECK(read_parents(t, element, d, node, err));
    return is_cpt ? read_probabilities(t, element, d, node, err) : read_results(t, element, d, node, err);
}

/* What GeNIe calls it, else the identifier. */
static status read_name(const xml_tree *t, network_draft *d, error_info *err) {
    size_t extensions = xml_first(t, 0, "extensions");
    size_t genie = extensions == XML_NONE ? XML_NONE : xml_first(t, extensions, "genie");
    const char *name = genie == XML_NONE ? NULL : xml_attribute(t, genie, "name");
    if (!name)
        name = xml_attribute(t, 0, "id");
    if (name)
        CHECK_ALLOC(d->name = name_unescape(name, strlen(name)));
    return STATUS_OK;
}

static status read_network(const xml_tree *t, network_draft *d, error_info *err) {
    size_t nodes = xml_first(t, 0, "nodes"), node = 0;
    if (strcmp(t->elements[0].name, "smile") != 0 || nodes == XML_NONE)
        return text_place_error(t->elements[0].place, err, "expected <smile> with <nodes> in it, found <%.40s>",
                                t->elements[0].name);
    CHECK(read_name(t, d, err));
    for (size_t e = xml_first(t, nodes, NULL); e != XML_NONE; e = xml_next(t, e, NULL))
        CHECK(read_node(t, e, d, err));
    for (size_t e = xml_first(t, nodes, NULL); e != XML_NONE; e = xml_next(t, e, NULL))
        CHECK(read_table(t, e, d, node++, err));
    return STATUS_OK;
}

static status parse(const char *text, size_t length, const char *name, any_network *out, size_t *n_scaled,
                    error_info *err) {
    AUTO(xml_tree_clear) xml_tree tree = {0};
    AUTO(network_draft_clear) network_draft d = {0};
    CHECK(xml_tree_read(text, length, &tree, err));
    CHECK(network_draft_init(&d, length, err));
    CHECK(read_network(&tree, &d, err));
    CHECK(draft_build(&d, name, &out->tables, err));
    if (n_scaled)
        *n_scaled = d.n_scaled;
    return STATUS_OK;
}

static bool may_be(const char *text) {
    return text[strspn(text, " \t\r\n")] == '<' && strstr(text, "<smile");
}

/* ---- writing ---- */

static const name_rules rules = {.nodes = NAME_IDENTIFIER, .states = NAME_IDENTIFIER, .network = NAME_LINE};

/* Parents first, as SMILE reads them; out of memory, what is written is marked as failed. */
static size_t *order_nodes(const bayes_net *net, text_buffer *out) {
    size_t *order = calloc(bayes_net_node_count(net) + 1, sizeof *order);
    if (order && dag_topological_order(bayes_net_dag(net), order, NULL) == STATUS_OK)
        return order;
    out->failed = true;
    free(order);
    return NULL;
}

static void append_node(const bayes_net *net, size_t node, text_buffer *out) {
    const variable *v = bayes_net_variable(net, node);
    size_t n_parents;
    const size_t *parents = bayes_net_parents(net, node, &n_parents);
    text_append(out, "    <cpt id=\"");
    name_escape(NAME_IDENTIFIER, NULL, v->name, out);
    text_append(out, "\">\n");
    for (size_t k = 0; k < v->n_states; k++) {
        text_append(out, "      <state id=\"");
        name_escape(NAME_IDENTIFIER, NULL, v->states[k], out);
        text_append(out, "\" />\n");
    }
    text_append(out, n_parents ? "      <parents>" : "");
    for (size_t p = 0; p < n_parents; p++) {
        text_append(out, p ? " " : "");
        name_escape(NAME_IDENTIFIER, NULL, bayes_net_variable(net, parents[p])->name, out);
    }
    text_append(out, n_parents ? "</parents>\n" : "");
    text_append(out, "      <probabilities>");
    for (size_t j = 0; j < bayes_net_configuration_count(net, node); j++) {
        text_append(out, j ? " " : "");
        table_append_row(net, node, j, " ", out);
    }
    text_append(out, "</probabilities>\n    </cpt>\n");
}

static void append_attribute(const char *name, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer escaped = {0};
    name_escape(NAME_LINE, NULL, name, &escaped);
    out->failed = out->failed || escaped.failed;
    xml_append(escaped.data ? escaped.data : "", out);
}

static void append(const any_network *any, text_buffer *out) {
    const bayes_net *net = any->tables;
    AUTO_FREE size_t *order = order_nodes(net, out);
    text_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<smile version=\"1.0\" id=\"");
    name_escape(NAME_IDENTIFIER, NULL, bayes_net_name(net), out);
    text_append(out, "\">\n  <nodes>\n");
    for (size_t i = 0; order && i < bayes_net_node_count(net); i++)
        append_node(net, order[i], out);
    text_append(out, "  </nodes>\n  <extensions>\n    <genie version=\"1.0\" app=\"bnbench\" name=\"");
    append_attribute(bayes_net_name(net), out);
    text_append(out, "\">\n    </genie>\n  </extensions>\n</smile>\n");
}

static void append_loss(const any_network *net, text_buffer *out) {
    AUTO_FREE size_t *order = order_nodes(net->tables, out);
    name_append_loss(&rules, "XDSL", net->tables, out);
    for (size_t i = 0; order && i < bayes_net_node_count(net->tables); i++) {
        if (order[i] != i) {
            text_append(out, "XDSL has parents in front of their children: the variables are in another order\n");
            return;
        }
    }
}

const network_format network_format_xdsl = {.name = "xdsl",
                                            .title = "XDSL",
                                            .is_of_tables = true,
                                            .may_be = may_be,
                                            .parse = parse,
                                            .append = append,
                                            .append_loss = append_loss};
