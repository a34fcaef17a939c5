/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GraphML (Brandes, Eiglsperger and Lerner, GraphML Primer) as networkx, igraph and yEd write it. What a node is
 * called: its attribute "name" (igraph), else its attribute "label", else the label that yEd draws, else its id
 * (networkx). Arrows that yEd draws at an edge's ends are its marks.
 */
#include "generators/networks/graph_reading.h"
#include "generators/networks/network_format.h"
#include "generators/networks/xml_tree.h"

#include <string.h>

typedef struct {
    xml_tree tree;
    size_t graph;                                /* the element */
    const char *name_key, *label_key, *kind_key; /* ids of the attributes; NULL where there are none */
    bool is_directed;                            /* an edge that does not say */
    graph_builder b;
} graphml_reader;

static void graphml_reader_clear(graphml_reader *r) {
    xml_tree_clear(&r->tree);
    graph_builder_clear(&r->b);
}

static status complain(const graphml_reader *r, size_t element, error_info *err, const char *message) {
    error_info why = {0};
    (void)error_set(&why, STATUS_PARSE, "%s", message); /* `message` may lie in err */
    return text_place_error(r->tree.elements[element].place, err, "%s", why.message);
}

static status at_place(const graphml_reader *r, size_t element, status st, error_info *err) {
    return st == STATUS_INVALID && err ? complain(r, element, err, err->message) : st;
}

/* ---- attributes ---- */

static bool is_word(const char *attribute, const char *word) {
    return attribute && strcmp(attribute, word) == 0;
}

/* The id of the first key of that name for nodes, or graphs. */
static const char *find_key(const graphml_reader *r, const char *name, const char *domain) {
    for (size_t k = xml_first(&r->tree, 0, "key"); k != XML_NONE; k = xml_next(&r->tree, k, "key")) {
        const char *used_for = xml_attribute(&r->tree, k, "for");
        if (is_word(xml_attribute(&r->tree, k, "attr.name"), name) &&
            (!used_for || is_word(used_for, domain) || is_word(used_for, "all")))
            return xml_attribute(&r->tree, k, "id");
    }
    return NULL;
}

/* The text of an element's attribute of that key as it stands; NULL where there is none, or an empty one. */
static const char *attribute_text(const graphml_reader *r, size_t element, const char *key) {
    for (size_t d = xml_first(&r->tree, element, "data"); key && d != XML_NONE; d = xml_next(&r->tree, d, "data")) {
        const text_buffer *text = &r->tree.elements[d].text;
        if (is_word(xml_attribute(&r->tree, d, "key"), key) && text->length > 0)
            return text->data;
    }
    return NULL;
}

/* The first element of that name that yEd put into an attribute's drawing; XML_NONE without one. */
static size_t find_drawn(const graphml_reader *r, size_t element, const char *name) {
    for (size_t d = xml_first(&r->tree, element, "data"); d != XML_NONE; d = xml_next(&r->tree, d, "data")) {
        for (size_t shape = xml_first(&r->tree, d, NULL); shape != XML_NONE; shape = xml_next(&r->tree, shape, NULL)) {
            size_t found = xml_first(&r->tree, shape, name);
            if (found != XML_NONE)
                return found;
        }
    }
    return XML_NONE;
}

/* ---- nodes ---- */

static const char *name_of_node(const graphml_reader *r, size_t element, const char *id, size_t *length) {
    const char *name = attribute_text(r, element, r->name_key);
    size_t drawn = name ? XML_NONE : find_drawn(r, element, "NodeLabel");
    if (!name)
        name = attribute_text(r, element, r->label_key);
    if (!name && drawn != XML_NONE) {
        name = xml_text(&r->tree, drawn, length);
        if (*length > 0)
            return name;
        name = NULL;
    }
    name = name ? name : id;
    *length = strlen(name);
    return name;
}

static status read_node(graphml_reader *r, size_t element, error_info *err) {
    const char *id = xml_attribute(&r->tree, element, "id"), *name;
    size_t length;
    if (!id || !*id)
        return complain(r, element, err, "expected the id of the node");
    if (xml_first(&r->tree, element, "graph") != XML_NONE)
        return complain(r, element, err, "a graph within a node; these are not read, ungroup it");
    name = name_of_node(r, element, id, &length);
    return at_place(r, element, graph_builder_id(&r->b, id, name, length, err), err);
}

/* ---- edges ---- */

static bool is_head(const char *arrow) {
    return arrow && strcmp(arrow, "none") != 0;
}

/* As yEd draws it. */
static status read_arrows(const graphml_reader *r, size_t element, bool *is_directed, bool *is_back, error_info *err) {
    const char *source = xml_attribute(&r->tree, element, "source"),
               *target = xml_attribute(&r->tree, element, "target");
    if ((source && strstr(source, "circle")) || (target && strstr(target, "circle")))
        return complain(r, element, err, "an edge with a circle at an end; graphs here have no latent variables");
    if (is_head(source) && is_head(target))
        return complain(r, element, err, "an edge with two heads; graphs here have no latent variables");
    *is_directed = is_head(source) || is_head(target);
    *is_back = is_head(source);
    return STATUS_OK;
}

static status read_edge(graphml_reader *r, size_t element, error_info *err) {
    const char *from = xml_attribute(&r->tree, element, "source"), *to = xml_attribute(&r->tree, element, "target");
    const char *said = xml_attribute(&r->tree, element, "directed");
    size_t arrows = find_drawn(r, element, "Arrows");
    bool is_directed = said ? is_word(said, "true") || is_word(said, "1") : r->is_directed, is_back = false;
    if (arrows != XML_NONE)
        CHECK(read_arrows(r, arrows, &is_directed, &is_back, err));
    return at_place(r, element,
                    graph_builder_id_edge(&r->b, is_back ? to : from, is_back ? from : to,
                                          is_directed ? EDGE_OUT : EDGE_UNDIRECTED,
                                          r->tree.elements[element].place.line, err),
                    err);
}

/* ---- the file ---- */

static status find_graph(graphml_reader *r, error_info *err) {
    const char *edges;
    if (!is_word(r->tree.elements[0].name, "graphml"))
        return complain(r, 0, err, "expected the element 'graphml'");
    r->graph = xml_first(&r->tree, 0, "graph");
    if (r->graph == XML_NONE)
        return complain(r, 0, err, "expected a graph, found none");
    if (xml_next(&r->tree, r->graph, "graph") != XML_NONE)
        return complain(r, xml_next(&r->tree, r->graph, "graph"), err, "expected one graph, found a second");
    if (xml_first(&r->tree, r->graph, "hyperedge") != XML_NONE)
        return complain(r, xml_first(&r->tree, r->graph, "hyperedge"), err, "a hyperedge; edges join two nodes here");
    edges = xml_attribute(&r->tree, r->graph, "edgedefault");
    r->is_directed = is_word(edges, "directed");
    if (!r->is_directed && !is_word(edges, "undirected"))
        return complain(r, r->graph, err, "expected edgedefault=\"directed\" or \"undirected\" of the graph");
    return STATUS_OK;
}

static status parse(const char *text, size_t length, const char *const *names, size_t n_names, named_graph *out,
                    error_info *err) {
    AUTO(graphml_reader_clear) graphml_reader r = {.b.merges_arcs = true};
    AUTO(named_graph_clear) named_graph g = {0};
    const char *kind;
    CHECK(graph_builder_start(&r.b, names, n_names, err));
    CHECK(xml_tree_read(text, length, &r.tree, err));
    CHECK(find_graph(&r, err));
    r.name_key = find_key(&r, "name", "node");
    r.label_key = find_key(&r, "label", "node");
    r.kind_key = find_key(&r, "kind", "graph");
    for (size_t e = xml_first(&r.tree, r.graph, "node"); e != XML_NONE; e = xml_next(&r.tree, e, "node"))
        CHECK(read_node(&r, e, err));
    for (size_t e = xml_first(&r.tree, r.graph, "edge"); e != XML_NONE; e = xml_next(&r.tree, e, "edge"))
        CHECK(read_edge(&r, e, err));
    kind = attribute_text(&r, r.graph, r.kind_key);
    CHECK(graph_builder_finish(&r.b, &g, err));
    if (kind)
        CHECK(graph_take_kind(&g, kind, err));
    *out = TAKE(g);
    return STATUS_OK;
}

/* ---- writing ---- */

static void append_arc(const named_graph *g, size_t from, size_t to, text_buffer *out) {
    text_append(out, "    <edge source=\"");
    xml_append(g->names[from], out);
    text_append(out, "\" target=\"");
    xml_append(g->names[to], out);
    text_append(out, "\"/>\n");
}

static void append_edge(const named_graph *g, size_t from, size_t to, bool is_directed, text_buffer *out) {
    append_arc(g, from, to, out);
    if (!is_directed && pdag_directed_count(g->graph) > 0)
        append_arc(g, to, from, out);
}

/* Ids are the names, as networkx takes them; the attribute "name" says them again, as igraph does. An undirected edge
 * stands both ways, for neither reads graphs that mix the two, unless there are no others: then the graph is
 * undirected. */
static void append(const named_graph *g, text_buffer *out) {
    bool is_directed = pdag_directed_count(g->graph) > 0 || pdag_edge_count(g->graph) == 0;
    text_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
                     "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
                     "  <key id=\"kind\" for=\"graph\" attr.name=\"kind\" attr.type=\"string\"/>\n");
    text_append_format(out, "  <graph edgedefault=\"%s\">\n", is_directed ? "directed" : "undirected");
    if (g->has_kind)
        text_append_format(out, "    <data key=\"kind\">%s</data>\n", graph_kind_name(g->kind));
    for (size_t i = 0; i < g->n_nodes; i++) {
        text_append(out, "    <node id=\"");
        xml_append(g->names[i], out);
        text_append(out, "\"><data key=\"name\">");
        xml_append(g->names[i], out);
        text_append(out, "</data></node>\n");
    }
    graph_append_edges(g, append_edge, out);
    text_append(out, "  </graph>\n</graphml>\n");
}

const network_format network_format_graphml = {.name = "graphml",
                                               .title = "GraphML",
                                               .parse_graph = parse,
                                               .append_graph = append,
                                               .no_name_has = "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e"
                                                              "\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c"
                                                              "\x1d\x1e\x1f"};
