/* SPDX-License-Identifier: GPL-3.0-or-later */
/* XMLBIF 0.3 (Cozman 1998), as JavaBayes, Weka, pgmpy, pyAgrum and others write it. */
#include "generators/networks/format_tables_internal.h"
#include "generators/networks/name_escape.h"
#include "generators/networks/network_draft.h"
#include "generators/networks/network_format.h"
#include "generators/networks/xml_tree.h"

#include "core/base/array.h"

#include <string.h>

/* ---- reading ---- */

static status read_variable(const xml_tree *t, size_t element, network_draft *d, error_info *err) {
    size_t length;
    const char *name = xml_child_text(t, element, "NAME", &length), *type = xml_attribute(t, element, "TYPE");
    text_place place = t->elements[element].place;
    char shown[TEXT_SHOWN_SIZE];
    if (!name)
        return text_place_error(place, err, "expected NAME in this VARIABLE, found none");
    if (type && strcmp(type, "nature") != 0)
        return text_place_error(place, err, "'%s' is of the type '%.40s'; only 'nature' is read",
                                text_show(name, length, shown), type);
    CHECK(draft_add_node(d, place, name, length, err));
    for (size_t o = xml_first(t, element, "OUTCOME"); o != XML_NONE; o = xml_next(t, o, "OUTCOME")) {
        const char *state = xml_text(t, o, &length);
        CHECK(draft_add_state(d, d->n - 1, t->elements[o].place, state, length, err));
    }
    return STATUS_OK;
}

static status read_parents(const xml_tree *t, size_t element, const network_draft *d, size_t **parents, size_t *n,
                           error_info *err) {
    size_t capacity = 0;
    for (size_t g = xml_first(t, element, "GIVEN"); g != XML_NONE; g = xml_next(t, g, "GIVEN")) {
        size_t length, parent;
        const char *name = xml_text(t, g, &length);
        CHECK(draft_find_node(d, t->elements[g].place, name, length, &parent, err));
        CHECK(ARRAY_PUSH(*parents, *n, capacity, err, parent));
    }
    return STATUS_OK;
}

static status read_definition(const xml_tree *t, size_t element, network_draft *d, draft_order order, error_info *err) {
    size_t child = xml_first(t, element, "FOR"), table = xml_first(t, element, "TABLE");
    text_place place = t->elements[element].place;
    size_t node, length, n_parents = 0, n = 0;
    AUTO_FREE size_t *parents = NULL;
    AUTO_FREE double *numbers = NULL;
    const char *name;
    if (child == XML_NONE || xml_next(t, child, "FOR") != XML_NONE)
        return text_place_error(place, err, "expected one FOR in this DEFINITION, found %s",
                                child == XML_NONE ? "none" : "more");
    if (table == XML_NONE)
        return text_place_error(place, err, "expected TABLE in this DEFINITION, found none");
    name = xml_text(t, child, &length);
    CHECK(draft_find_node(d, t->elements[child].place, name, length, &node, err));
    CHECK(read_parents(t, element, d, &parents, &n_parents, err));
    CHECK(draft_set_parents(d, node, place, parents, n_parents, err));
    CHECK(xml_numbers(t, table, &numbers, &n, err));
    return draft_set_table(d, node, t->elements[table].place, numbers, n, order, err);
}

static status read_network(const xml_tree *t, size_t network, network_draft *d, draft_order order, error_info *err) {
    size_t length;
    const char *name = xml_child_text(t, network, "NAME", &length);
    if (name)
        CHECK_ALLOC(d->name = name_unescape(name, length));
    for (size_t v = xml_first(t, network, "VARIABLE"); v != XML_NONE; v = xml_next(t, v, "VARIABLE"))
        CHECK(read_variable(t, v, d, err));
    for (size_t f = xml_first(t, network, "DEFINITION"); f != XML_NONE; f = xml_next(t, f, "DEFINITION"))
        CHECK(read_definition(t, f, d, order, err));
    return STATUS_OK;
}

static status read_in_order(const xml_tree *t, size_t length, const char *name, draft_order order, any_network *out,
                            size_t *n_scaled, error_info *err) {
    AUTO(network_draft_clear) network_draft d = {0};
    size_t network = xml_first(t, 0, "NETWORK");
    if (strcmp(t->elements[0].name, "BIF") != 0 || network == XML_NONE)
        return text_place_error(t->elements[0].place, err, "expected <BIF> with a <NETWORK> in it, found <%.40s>",
                                t->elements[0].name);
    CHECK(network_draft_init(&d, length, err));
    CHECK(read_network(t, network, &d, order, err));
    CHECK(draft_build(&d, name, &out->tables, err));
    if (n_scaled)
        *n_scaled = d.n_scaled;
    return STATUS_OK;
}

/* All programs that write it today let the child vary fastest; JavaBayes, and the page of the format, let it vary
   slowest. A file whose rows do not sum to one in the first order is read in the other. */
static status parse(const char *text, size_t length, const char *name, any_network *out, size_t *n_scaled,
                    error_info *err) {
    AUTO(xml_tree_clear) xml_tree tree = {0};
    status st;
    CHECK(xml_tree_read(text, length, &tree, err));
    st = read_in_order(&tree, length, name, DRAFT_CHILD_FASTEST, out, n_scaled, err);
    if (st == STATUS_PARSE && read_in_order(&tree, length, name, DRAFT_CHILD_SLOWEST, out, n_scaled, NULL) == STATUS_OK)
        return STATUS_OK;
    return st;
}

static bool may_be(const char *text) {
    return text[strspn(text, " \t\r\n")] == '<' && strstr(text, "<BIF");
}

/* ---- writing ---- */

static const name_rules rules = {.nodes = NAME_LINE, .states = NAME_LINE, .network = NAME_LINE};

static void append_name(const char *element, const char *name, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer escaped = {0};
    name_escape(NAME_LINE, NULL, name, &escaped);
    out->failed = out->failed || escaped.failed;
    text_append_format(out, "<%s>", element);
    xml_append(escaped.data ? escaped.data : "", out);
    text_append_format(out, "</%s>\n", element);
}

static void append_variable(const variable *v, text_buffer *out) {
    text_append(out, "<VARIABLE TYPE=\"nature\">\n  ");
    append_name("NAME", v->name, out);
    for (size_t k = 0; k < v->n_states; k++) {
        text_append(out, "  ");
        append_name("OUTCOME", v->states[k], out);
    }
    text_append(out, "</VARIABLE>\n");
}

static void append_definition(const bayes_net *net, size_t node, text_buffer *out) {
    size_t n_parents;
    const size_t *parents = bayes_net_parents(net, node, &n_parents);
    text_append(out, "<DEFINITION>\n  ");
    append_name("FOR", bayes_net_variable(net, node)->name, out);
    for (size_t p = 0; p < n_parents; p++) {
        text_append(out, "  ");
        append_name("GIVEN", bayes_net_variable(net, parents[p])->name, out);
    }
    text_append(out, "  <TABLE>\n");
    for (size_t j = 0; j < bayes_net_configuration_count(net, node); j++) {
        text_append(out, "    ");
        table_append_row(net, node, j, " ", out);
        text_append(out, "\n");
    }
    text_append(out, "  </TABLE>\n</DEFINITION>\n");
}

static void append(const any_network *any, text_buffer *out) {
    const bayes_net *net = any->tables;
    text_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<BIF VERSION=\"0.3\">\n<NETWORK>\n");
    append_name("NAME", bayes_net_name(net), out);
    for (size_t i = 0; i < bayes_net_node_count(net); i++)
        append_variable(bayes_net_variable(net, i), out);
    for (size_t i = 0; i < bayes_net_node_count(net); i++)
        append_definition(net, i, out);
    text_append(out, "</NETWORK>\n</BIF>\n");
}

static void append_loss(const any_network *net, text_buffer *out) {
    name_append_loss(&rules, "XMLBIF", net->tables, out);
}

static const char *const endings[] = {"bifxml", "xml", NULL};

const network_format network_format_xmlbif = {.name = "xmlbif",
                                              .title = "XMLBIF",
                                              .endings = endings,
                                              .is_of_tables = true,
                                              .may_be = may_be,
                                              .parse = parse,
                                              .append = append,
                                              .append_loss = append_loss};
