/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graphviz' DOT: nodes, edges and chains of edges with attributes; no subgraphs, ports or HTML. Names are the ids of
 * the nodes, or their labels where every id is a whole number and every node has a label (causal-learn).
 */
#include "core/base/array.h"
#include "generators/networks/graph_reading.h"
#include "generators/networks/network_format.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What the two ends of edges look like; -1: not said. */
typedef struct {
    int head, tail; /* has an arrow */
    char dir;       /* of "forward", "back", "both", "none"; 0: not said */
} edge_look;

typedef struct {
    graph_cursor in;
    graph_builder b;
    text_buffer id; /* the last that was read */
    bool is_quoted; /* it was */
    char **labels;  /* by node; NULL without one */
    size_t n_labels, labels_capacity;
    char *kind;     /* NULL without one */
    edge_look look; /* `edge [...]` */
    bool is_directed;
} dot_reader;

static void dot_reader_clear(dot_reader *r) {
    texts_destroy(r->labels, r->n_labels);
    text_buffer_clear(&r->id);
    free(r->kind);
    graph_builder_clear(&r->b);
}

/* ---- words ---- */

static void skip_to(dot_reader *r, const char *end) {
    while (!graph_is_at_end(&r->in) && !graph_is_at(&r->in, end))
        graph_step(&r->in);
}

/* White space, comments, and lines of a preprocessor. */
static void skip(dot_reader *r) {
    for (;;) {
        graph_skip_space(&r->in);
        if (graph_is_at(&r->in, "//") || (graph_is_at(&r->in, "#") && r->in.at == r->in.line_start)) {
            skip_to(r, "\n");
        } else if (graph_is_at(&r->in, "/*")) {
            skip_to(r, "*/");
            for (int i = 0; i < 2 && !graph_is_at_end(&r->in); i++)
                graph_step(&r->in);
        } else {
            return;
        }
    }
}

static bool take(dot_reader *r, const char *sign) {
    skip(r);
    if (!graph_is_at(&r->in, sign))
        return false;
    for (size_t i = strlen(sign); i > 0; i--)
        graph_step(&r->in);
    return true;
}

static status read_quoted(dot_reader *r, error_info *err) {
    graph_step(&r->in);
    while (!graph_is_at(&r->in, "\"")) {
        if (graph_is_at_end(&r->in))
            return graph_complain(&r->in, err, "expected a closing quote, found the end");
        if (graph_is_at(&r->in, "\\\"") || graph_is_at(&r->in, "\\\\"))
            graph_step(&r->in);
        text_append_bytes(&r->id, r->in.at, 1);
        graph_step(&r->in);
    }
    graph_step(&r->in);
    return STATUS_OK;
}

static bool is_plain(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.' || (unsigned char)c >= 0x80;
}

static status read_id(dot_reader *r, error_info *err) {
    skip(r);
    r->id.length = 0;
    r->is_quoted = graph_is_at(&r->in, "\"");
    if (r->is_quoted)
        CHECK(read_quoted(r, err));
    else if (graph_is_at(&r->in, "-") && !graph_is_at(&r->in, "--") && !graph_is_at(&r->in, "->"))
        text_append_bytes(&r->id, r->in.at++, 1);
    while (!r->is_quoted && !graph_is_at_end(&r->in) && is_plain(*r->in.at))
        text_append_bytes(&r->id, r->in.at++, 1);
    CHECK(text_buffer_check(&r->id, err));
    if (r->id.length == 0 && !r->is_quoted)
        return graph_complain(&r->in, err, "expected a node, an edge or '}' (no subgraphs, ports or HTML)");
    return STATUS_OK;
}

static bool is_word(const dot_reader *r, const char *word) {
    return !r->is_quoted && r->id.length == strlen(word) && strncasecmp(r->id.data, word, r->id.length) == 0;
}

static bool id_is(const dot_reader *r, const char *word) {
    return r->id.length == strlen(word) && memcmp(r->id.data, word, r->id.length) == 0;
}

static char *copy_id(const dot_reader *r) {
    return text_copy_n(r->id.length ? r->id.data : "", r->id.length);
}

/* ---- attributes ---- */

/* What the attributes of one statement say. */
typedef struct {
    edge_look look;
    char *label, *kind;
} attributes;

static void attributes_clear(attributes *a) {
    free(a->label);
    free(a->kind);
}

static status take_head(const dot_reader *r, int *out, error_info *err) {
    static const char *const arrows[] = {"normal", "vee", "empty", "open", "onormal"};
    if (id_is(r, "none")) {
        *out = 0;
        return STATUS_OK;
    }
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++) {
        if (id_is(r, arrows[i])) {
            *out = 1;
            return STATUS_OK;
        }
    }
    return graph_complain(&r->in, err, "expected an arrow or none at the end of an edge (no latent variables)");
}

static status take_direction(const dot_reader *r, char *out, error_info *err) {
    if (!id_is(r, "forward") && !id_is(r, "back") && !id_is(r, "both") && !id_is(r, "none"))
        return graph_complain(&r->in, err, "expected forward, back, both or none as direction");
    *out = (char)(id_is(r, "back") ? '<' : r->id.data[0]);
    return STATUS_OK;
}

static status take_attribute(dot_reader *r, const char *key, attributes *a, error_info *err) {
    char **text = strcmp(key, "label") == 0 ? &a->label : strcmp(key, "kind") == 0 ? &a->kind : NULL;
    if (strcmp(key, "dir") == 0)
        return take_direction(r, &a->look.dir, err);
    if (strcmp(key, "arrowhead") == 0)
        return take_head(r, &a->look.head, err);
    if (strcmp(key, "arrowtail") == 0)
        return take_head(r, &a->look.tail, err);
    if (!text)
        return STATUS_OK;
    free(*text);
    CHECK_ALLOC(*text = copy_id(r));
    return STATUS_OK;
}

/* `[a=b, c=d]`, as often as it stands there. */
static status read_attributes(dot_reader *r, attributes *a, error_info *err) {
    while (take(r, "[")) {
        while (!take(r, "]")) {
            AUTO_FREE char *key = NULL;
            CHECK(read_id(r, err));
            CHECK_ALLOC(key = copy_id(r));
            if (take(r, "=")) {
                CHECK(read_id(r, err));
                CHECK(take_attribute(r, key, a, err));
            }
            if (!take(r, ","))
                (void)take(r, ";");
        }
    }
    return STATUS_OK;
}

/* ---- statements ---- */

static status find_node(dot_reader *r, size_t *node, error_info *err) {
    bool is_new;
    status st = graph_builder_node(&r->b, r->id.data, r->id.length, node, &is_new, err);
    if (st == STATUS_INVALID)
        return graph_complain(&r->in, err, "%s", err ? err->message : "");
    CHECK(st);
    while (r->n_labels < r->b.n_names)
        CHECK(ARRAY_PUSH(r->labels, r->n_labels, r->labels_capacity, err, NULL));
    return STATUS_OK;
}

/* The arrows that an edge has, by its direction and the shapes of its ends. */
static status connect(dot_reader *r, size_t from, size_t to, const edge_look *look, error_info *err) {
    char dir = (char)(look->dir ? look->dir : r->is_directed ? 'f' : 'n');
    bool has_head = (dir == 'f' || dir == 'b') && look->head != 0,
         has_tail = (dir == '<' || dir == 'b') && look->tail != 0;
    if (from == to)
        return graph_complain(&r->in, err, "expected an edge between two nodes, found one from a node to itself");
    if (has_head && has_tail)
        return graph_complain(&r->in, err, "expected an edge with an arrow at one end at most (no latent variables)");
    return graph_builder_edge(&r->b, has_tail ? to : from, has_tail ? from : to,
                              has_head || has_tail ? EDGE_OUT : EDGE_UNDIRECTED, r->in.line, err);
}

/* Behind the first node of a chain: the others, then what holds for each edge. */
static status read_chain(dot_reader *r, size_t first, error_info *err) {
    AUTO(attributes_clear) attributes a = {.look = r->look};
    AUTO_FREE size_t *nodes = NULL;
    size_t n = 0, capacity = 0;
    CHECK(ARRAY_PUSH(nodes, n, capacity, err, first));
    while (take(r, r->is_directed ? "->" : "--")) {
        size_t node;
        CHECK(read_id(r, err));
        CHECK(find_node(r, &node, err));
        CHECK(ARRAY_PUSH(nodes, n, capacity, err, node));
    }
    CHECK(read_attributes(r, &a, err));
    for (size_t i = 1; i < n; i++)
        CHECK(connect(r, nodes[i - 1], nodes[i], &a.look, err));
    if (n == 1 && a.label) {
        free(r->labels[first]);
        r->labels[first] = TAKE(a.label);
    }
    return STATUS_OK;
}

/* `node`, `edge` or `graph` and what holds for all. */
static status read_defaults(dot_reader *r, bool is_edge, bool is_graph, error_info *err) {
    AUTO(attributes_clear) attributes a = {.look = r->look};
    CHECK(read_attributes(r, &a, err));
    if (is_edge)
        r->look = a.look;
    if (is_graph && a.kind) {
        free(r->kind);
        r->kind = TAKE(a.kind);
    }
    return STATUS_OK;
}

static status read_assigned(dot_reader *r, error_info *err) {
    bool is_kind = id_is(r, "kind");
    CHECK(read_id(r, err));
    if (!is_kind)
        return STATUS_OK;
    free(r->kind);
    CHECK_ALLOC(r->kind = copy_id(r));
    return STATUS_OK;
}

static status read_statement(dot_reader *r, error_info *err) {
    size_t node;
    CHECK(read_id(r, err));
    bool is_edge = is_word(r, "edge"), is_graph = is_word(r, "graph");
    if (is_edge || is_graph || is_word(r, "node"))
        return read_defaults(r, is_edge, is_graph, err);
    if (is_word(r, "subgraph"))
        return graph_complain(&r->in, err, "subgraphs are not read");
    if (take(r, "="))
        return read_assigned(r, err);
    CHECK(find_node(r, &node, err));
    return read_chain(r, node, err);
}

static status read_graph(dot_reader *r, error_info *err) {
    CHECK(read_id(r, err));
    if (is_word(r, "strict"))
        CHECK(read_id(r, err));
    r->is_directed = is_word(r, "digraph");
    if (!r->is_directed && !is_word(r, "graph"))
        return graph_complain(&r->in, err, "expected digraph or graph");
    if (!take(r, "{")) {
        CHECK(read_id(r, err));
        if (!take(r, "{"))
            return graph_complain(&r->in, err, "expected '{'");
    }
    while (!take(r, "}")) {
        CHECK(read_statement(r, err));
        (void)take(r, ";");
    }
    skip(r);
    return graph_is_at_end(&r->in) ? STATUS_OK : graph_complain(&r->in, err, "expected the end behind the graph");
}

/* ---- labels for names ---- */

static bool has_numbers_with_labels(const dot_reader *r) {
    if (!r->labels || r->b.are_given)
        return false;
    for (size_t i = 0; i < r->b.n_names; i++) {
        if (!r->labels[i] || !*r->labels[i] || r->b.names[i][strspn(r->b.names[i], "0123456789")])
            return false;
    }
    return r->b.n_names > 0;
}

/* Unless two are equal. */
static status name_by_labels(const dot_reader *r, named_graph *g, error_info *err) {
    AUTO_PTR(name_index_destroy) name_index *index = NULL;
    size_t earlier;
    CHECK(name_index_create(g->n_nodes, &index, err));
    for (size_t i = 0; i < g->n_nodes; i++) {
        CHECK(name_index_add(index, r->labels[i], i, &earlier, err));
        if (earlier != NAME_NONE)
            return STATUS_OK;
    }
    return named_graph_name(g, (const char *const *)r->labels, g->n_nodes, err);
}

static status parse(const char *text, size_t length, const char *const *names, size_t n_names, named_graph *out,
                    error_info *err) {
    AUTO(dot_reader_clear) dot_reader r = {.b.merges_arcs = true, .look = {.head = -1, .tail = -1}};
    AUTO(named_graph_clear) named_graph g = {0};
    bool is_by_label;
    CHECK(graph_cursor_init(&r.in, text, length, err));
    CHECK(graph_builder_start(&r.b, names, n_names, err));
    CHECK(read_graph(&r, err));
    is_by_label = has_numbers_with_labels(&r);
    CHECK(graph_builder_finish(&r.b, &g, err));
    if (is_by_label)
        CHECK(name_by_labels(&r, &g, err));
    if (r.kind)
        CHECK(graph_take_kind(&g, r.kind, err));
    *out = TAKE(g);
    return STATUS_OK;
}

/* The kind is an attribute of the graph, which Graphviz passes over. */
static void append(const named_graph *g, text_buffer *out) {
    graph_append_dot(g->graph, (const char *const *)g->names, out);
    if (!g->has_kind || out->failed)
        return;
    out->length -= strlen("}\n");
    text_append_format(out, "    kind=%s;\n}\n", graph_kind_name(g->kind));
}

const network_format network_format_dot = {.name = "dot", .title = "DOT", .parse_graph = parse, .append_graph = append};
