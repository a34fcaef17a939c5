/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GML (Himsolt 1997) as networkx and igraph write it: ASCII, names as labels, entities for all else. */
#include "generators/networks/graph_reading.h"
#include "generators/networks/network_format.h"

#include "core/base/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef enum { GML_END, GML_OPEN, GML_CLOSE, GML_WORD, GML_TEXT } gml_token;

/* A node or an edge while its list is read. */
typedef struct {
    text_buffer id, label;
    text_buffer source, target;
} gml_item;

typedef struct {
    graph_cursor in;
    text_buffer word;
    graph_builder b;
    text_buffer kind;
    bool is_directed;
    bool takes_edges; /* the second time through, when all nodes are there */
} gml_reader;

static void gml_item_clear(gml_item *item) {
    text_buffer_clear(&item->id);
    text_buffer_clear(&item->label);
    text_buffer_clear(&item->source);
    text_buffer_clear(&item->target);
}

static void gml_reader_clear(gml_reader *r) {
    text_buffer_clear(&r->word);
    text_buffer_clear(&r->kind);
    graph_builder_clear(&r->b);
}

/* ---- words ---- */

static void append_code(uint32_t code, text_buffer *out) {
    char s[4];
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = n; i-- > 1; code >>= 6)
        s[i] = (char)(0x80 | (code & 0x3F));
    s[0] = (char)(lead[n] | code);
    text_append_bytes(out, s, n);
}

/* At an "&": the character that it stands for; false where it is an "&" and no more. */
static bool take_entity(graph_cursor *in, text_buffer *out) {
    static const struct {
        const char *name;
        char c;
    } entities[] = {{"&quot;", '"'}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&apos;", '\''}};
    uint32_t code = 0;
    const char *at = in->at + 2;
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        if (graph_is_at(in, entities[i].name)) {
            text_append_bytes(out, &entities[i].c, 1);
            in->at += strlen(entities[i].name);
            return true;
        }
    }
    if (!graph_is_at(in, "&#"))
        return false;
    while (at < in->end && *at >= '0' && *at <= '9' && code < 0x110000)
        code = code * 10 + (uint32_t)(*at++ - '0');
    if (at == in->end || *at != ';' || code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        return false;
    append_code(code, out);
    in->at = at + 1;
    return true;
}

static status read_text(gml_reader *r, error_info *err) {
    graph_step(&r->in);
    while (!graph_is_at_end(&r->in) && *r->in.at != '"') {
        if (*r->in.at == '&' && take_entity(&r->in, &r->word))
            continue;
        text_append_bytes(&r->word, r->in.at, 1);
        graph_step(&r->in);
    }
    if (graph_is_at_end(&r->in))
        return graph_complain(&r->in, err, "expected a closing quote, found the end");
    graph_step(&r->in);
    return STATUS_OK;
}

static status next(gml_reader *r, gml_token *token, error_info *err) {
    graph_skip_space(&r->in);
    while (graph_is_at(&r->in, "#")) {
        while (!graph_is_at_end(&r->in) && *r->in.at != '\n')
            graph_step(&r->in);
        graph_skip_space(&r->in);
    }
    r->word.length = 0;
    *token = graph_is_at_end(&r->in) ? GML_END
             : *r->in.at == '['      ? GML_OPEN
             : *r->in.at == ']'      ? GML_CLOSE
             : *r->in.at == '"'      ? GML_TEXT
                                     : GML_WORD;
    if (*token == GML_TEXT)
        CHECK(read_text(r, err));
    else if (*token == GML_OPEN || *token == GML_CLOSE)
        graph_step(&r->in);
    while (*token == GML_WORD && !graph_is_at_end(&r->in) && !strchr(" \t\r\n[]\"", *r->in.at))
        text_append_bytes(&r->word, r->in.at++, 1);
    return text_buffer_check(&r->word, err);
}

static bool word_is(const text_buffer *word, const char *other) {
    return word->length == strlen(other) && memcmp(word->data, other, word->length) == 0;
}

/* What is left of a list behind its "[". */
static status skip_list(gml_reader *r, error_info *err) {
    gml_token token;
    for (size_t depth = 1; depth > 0;) {
        CHECK(next(r, &token, err));
        if (token == GML_END)
            return graph_complain(&r->in, err, "expected ']', found the end");
        depth += token == GML_OPEN;
        depth -= token == GML_CLOSE;
    }
    return STATUS_OK;
}

/* A value goes to `out`, unless that is NULL; a list is passed over. */
static status read_value(gml_reader *r, text_buffer *out, error_info *err) {
    gml_token token;
    CHECK(next(r, &token, err));
    if (token == GML_OPEN)
        return skip_list(r, err);
    if (token != GML_WORD && token != GML_TEXT)
        return graph_complain(&r->in, err, "expected a value behind a key");
    if (!out)
        return STATUS_OK;
    out->length = 0;
    text_append_bytes(out, r->word.length ? r->word.data : "", r->word.length);
    return text_buffer_check(out, err);
}

/* ---- nodes and edges ---- */

static status read_item(gml_reader *r, gml_item *item, error_info *err) {
    gml_token token;
    CHECK(next(r, &token, err));
    if (token != GML_OPEN)
        return graph_complain(&r->in, err, "expected '['");
    for (;;) {
        CHECK(next(r, &token, err));
        if (token == GML_CLOSE)
            return STATUS_OK;
        if (token != GML_WORD)
            return graph_complain(&r->in, err, "expected a key or ']'");
        text_buffer *out = word_is(&r->word, "id")       ? &item->id
                           : word_is(&r->word, "label")  ? &item->label
                           : word_is(&r->word, "source") ? &item->source
                           : word_is(&r->word, "target") ? &item->target
                                                         : NULL;
        CHECK(read_value(r, out, err));
    }
}

/* What is wrong with a node or an edge gets its place. */
static status at_place(const gml_reader *r, status st, error_info *err) {
    error_info why;
    if (st != STATUS_INVALID || !err)
        return st;
    why = *err;
    return graph_complain(&r->in, err, "%s", why.message);
}

static status take_node(gml_reader *r, const gml_item *item, error_info *err) {
    const text_buffer *name = item->label.length ? &item->label : &item->id;
    if (item->id.length == 0)
        return graph_complain(&r->in, err, "expected the id of the node");
    return at_place(r, graph_builder_id(&r->b, item->id.data, name->data, name->length, err), err);
}

static status take_edge(gml_reader *r, const gml_item *item, error_info *err) {
    const char *source = item->source.length ? item->source.data : NULL;
    const char *target = item->target.length ? item->target.data : NULL;
    edge_kind kind = r->is_directed ? EDGE_OUT : EDGE_UNDIRECTED;
    return at_place(r, graph_builder_id_edge(&r->b, source, target, kind, r->in.line, err), err);
}

static status read_entry(gml_reader *r, error_info *err) {
    AUTO(gml_item_clear) gml_item item = {0};
    bool is_node = word_is(&r->word, "node"), is_edge = word_is(&r->word, "edge");
    if (is_node || is_edge) {
        CHECK(read_item(r, &item, err));
        if (is_node && !r->takes_edges)
            return take_node(r, &item, err);
        return is_edge && r->takes_edges ? take_edge(r, &item, err) : STATUS_OK;
    }
    if (word_is(&r->word, "kind"))
        return read_value(r, &r->kind, err);
    if (!word_is(&r->word, "directed"))
        return read_value(r, NULL, err);
    CHECK(read_value(r, &item.id, err));
    r->is_directed = word_is(&item.id, "1");
    return STATUS_OK;
}

static status read_graph(gml_reader *r, error_info *err) {
    gml_token token;
    for (;;) {
        CHECK(next(r, &token, err));
        if (token != GML_WORD)
            return graph_complain(&r->in, err, "expected 'graph ['");
        if (word_is(&r->word, "graph"))
            break;
        CHECK(read_value(r, NULL, err));
    }
    CHECK(next(r, &token, err));
    if (token != GML_OPEN)
        return graph_complain(&r->in, err, "expected '[' behind graph");
    for (;;) {
        CHECK(next(r, &token, err));
        if (token == GML_CLOSE)
            return STATUS_OK;
        if (token != GML_WORD)
            return graph_complain(&r->in, err, "expected a key or ']'");
        CHECK(read_entry(r, err));
    }
}

static status parse(const char *text, size_t length, const char *const *names, size_t n_names, named_graph *out,
                    error_info *err) {
    AUTO(gml_reader_clear) gml_reader r = {.b.merges_arcs = true};
    AUTO(named_graph_clear) named_graph g = {0};
    graph_cursor start;
    CHECK(graph_cursor_init(&start, text, length, err));
    CHECK(graph_builder_start(&r.b, names, n_names, err));
    for (int pass = 0; pass < 2; pass++) {
        r.in = start;
        r.takes_edges = pass == 1;
        CHECK(read_graph(&r, err));
    }
    CHECK(graph_builder_finish(&r.b, &g, err));
    if (r.kind.length)
        CHECK(graph_take_kind(&g, r.kind.data, err));
    *out = TAKE(g);
    return STATUS_OK;
}

/* ---- writing ---- */

static void append_text(const char *s, text_buffer *out) {
    while (*s) {
        uint32_t code = (unsigned char)*s;
        size_t n = utf8_read(s, SIZE_MAX, &code);
        if (code >= ' ' && code < 0x7F && code != '"' && code != '&')
            text_append_bytes(out, s, 1);
        else
            text_append_format(out, "&#%u;", (unsigned)code);
        s += n ? n : 1;
    }
}

static void append_arc(size_t from, size_t to, text_buffer *out) {
    text_append_format(out, "  edge [\n    source %zu\n    target %zu\n  ]\n", from, to);
}

static void append_edge(const named_graph *g, size_t from, size_t to, bool is_directed, text_buffer *out) {
    append_arc(from, to, out);
    if (!is_directed && pdag_directed_count(g->graph) > 0)
        append_arc(to, from, out);
}

/* An undirected edge stands both ways, unless there are no others: then the graph is an undirected one. */
static void append(const named_graph *g, text_buffer *out) {
    bool is_directed = pdag_directed_count(g->graph) > 0 || pdag_edge_count(g->graph) == 0;
    text_append_format(out, "graph [\n  directed %d\n", is_directed);
    if (g->has_kind)
        text_append_format(out, "  kind \"%s\"\n", graph_kind_name(g->kind));
    for (size_t i = 0; i < g->n_nodes; i++) {
        text_append_format(out, "  node [\n    id %zu\n    label \"", i);
        append_text(g->names[i], out);
        text_append(out, "\"\n  ]\n");
    }
    graph_append_edges(g, append_edge, out);
    text_append(out, "]\n");
}

const network_format network_format_gml = {.name = "gml", .title = "GML", .parse_graph = parse, .append_graph = append};
