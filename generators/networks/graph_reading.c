/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/networks/graph_reading.h"

#include "core/base/array.h"
#include "core/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text ---- */

status graph_complain(const graph_cursor *c, error_info *err, const char *format, ...) {
    char message[512];
    size_t column = 1;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    for (const char *s = c->line_start; s < c->at; s++)
        column += !utf8_is_inner(*s);
    return error_set(err, STATUS_PARSE, "%zu:%zu: %s", c->line, column, message);
}

void graph_step(graph_cursor *c) {
    if (*c->at++ == '\n') {
        c->line++;
        c->line_start = c->at;
    }
}

bool graph_is_at(const graph_cursor *c, const char *word) {
    size_t n = strlen(word);
    return (size_t)(c->end - c->at) >= n && memcmp(c->at, word, n) == 0;
}

void graph_skip_blanks(graph_cursor *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
        c->at++;
}

void graph_skip_space(graph_cursor *c) {
    while (c->at < c->end && strchr(" \t\r\n", *c->at))
        graph_step(c);
}

status graph_cursor_init(graph_cursor *c, const char *text, size_t length, error_info *err) {
    graph_cursor start;
    if (length == 0)
        text = "";
    *c = (graph_cursor){.at = text, .end = text + length, .line_start = text, .line = 1};
    if (graph_is_at(c, "\xEF\xBB\xBF"))
        c->line_start = c->at += 3;
    start = *c;
    while (c->at < c->end) {
        size_t n = utf8_read(c->at, (size_t)(c->end - c->at), NULL);
        if (n == 0)
            return graph_complain(c, err, "expected UTF-8 text, found the byte 0x%02X", (unsigned char)*c->at);
        if (*c->at == '\0')
            return graph_complain(c, err, "expected text, found a NUL byte");
        while (n-- > 0)
            graph_step(c);
    }
    *c = start;
    return STATUS_OK;
}

/* ---- nodes ---- */

void graph_builder_clear(graph_builder *b) {
    name_index_destroy(b->index);
    name_index_destroy(b->ids);
    texts_destroy(b->names, b->n_names);
    free(b->edges);
    *b = (graph_builder){0};
}

static status add(graph_builder *b, const char *name, size_t length, size_t *node, bool *is_new, error_info *err) {
    AUTO_FREE char *copy = NULL;
    *node = name_index_find_n(b->index, name, length);
    *is_new = *node == NAME_NONE;
    if (!*is_new)
        return STATUS_OK;
    CHECK_ALLOC(copy = text_copy_n(name, length));
    CHECK(ARRAY_ROOM(b->names, b->n_names, b->names_capacity, err));
    CHECK(name_index_add(b->index, copy, b->n_names, NULL, err));
    *node = b->n_names;
    b->names[b->n_names++] = TAKE(copy);
    return STATUS_OK;
}

status graph_builder_start(graph_builder *b, const char *const *names, size_t n_names, error_info *err) {
    CHECK(name_index_create(names ? n_names : 64, &b->index, err));
    for (size_t i = 0; names && i < n_names; i++) {
        size_t node;
        bool is_new;
        CHECK(add(b, names[i], strlen(names[i]), &node, &is_new, err));
        if (!is_new)
            return error_set(err, STATUS_INVALID, "the name '%s' stands twice among the nodes", names[i]);
    }
    b->are_given = names != NULL;
    return STATUS_OK;
}

status graph_builder_node(graph_builder *b, const char *name, size_t length, size_t *node, bool *is_new,
                          error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    if (length == 0)
        return error_set(err, STATUS_INVALID, "expected the name of a node, found nothing");
    if (!b->are_given)
        return add(b, name, length, node, is_new, err);
    *is_new = false;
    *node = name_index_find_n(b->index, name, length);
    if (*node != NAME_NONE)
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "expected one of the %zu nodes, found '%s'", b->n_names,
                     text_show(name, length, shown));
}

status graph_builder_number(graph_builder *b, size_t n, error_info *err) {
    if (b->are_given && n != b->n_names)
        return error_set(err, STATUS_INVALID, "expected the %zu nodes that are named, found %zu", b->n_names, n);
    if (n > GRAPH_MOST_UNNAMED)
        return error_set(err, STATUS_INVALID, "expected at most %d nodes, found %zu", GRAPH_MOST_UNNAMED, n);
    b->is_unnamed = !b->are_given;
    for (size_t i = b->n_names; i < n; i++) {
        char name[32];
        size_t node;
        bool is_new;
        (void)snprintf(name, sizeof name, "X%zu", i + 1);
        CHECK(add(b, name, strlen(name), &node, &is_new, err));
    }
    return STATUS_OK;
}

/* ---- edges ---- */

status graph_builder_edge(graph_builder *b, size_t from, size_t to, edge_kind kind, size_t line, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    graph_edge edge = {.pair = {from, to, kind}, .line = line, .number = b->n_edges};
    if (from == to)
        return error_set(err, STATUS_INVALID, "expected an edge between two nodes, found one from '%s' to itself",
                         text_show(b->names[from], strlen(b->names[from]), shown));
    return ARRAY_PUSH(b->edges, b->n_edges, b->edges_capacity, err, edge);
}

/* ---- nodes with ids ---- */

status graph_builder_id(graph_builder *b, const char *id, const char *name, size_t length, error_info *err) {
    size_t node, earlier;
    bool is_new;
    char shown[TEXT_SHOWN_SIZE];
    if (!b->ids)
        CHECK(name_index_create(64, &b->ids, err));
    CHECK(graph_builder_node(b, name, length, &node, &is_new, err));
    CHECK(name_index_add(b->ids, id, node, &earlier, err));
    if (earlier == NAME_NONE && (is_new || b->are_given))
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "the node '%s' is there twice",
                     text_show(b->names[node], strlen(b->names[node]), shown));
}

status graph_builder_id_edge(graph_builder *b, const char *source, const char *target, edge_kind kind, size_t line,
                             error_info *err) {
    size_t from = b->ids && source ? name_index_find(b->ids, source) : NAME_NONE;
    size_t to = b->ids && target ? name_index_find(b->ids, target) : NAME_NONE;
    if (from == NAME_NONE || to == NAME_NONE)
        return error_set(err, STATUS_INVALID, "expected ids of nodes as source and target of the edge");
    return graph_builder_edge(b, from, to, kind, line, err);
}

static size_t low_end(const graph_edge *e) {
    return e->pair.a < e->pair.b ? e->pair.a : e->pair.b;
}

static size_t high_end(const graph_edge *e) {
    return e->pair.a < e->pair.b ? e->pair.b : e->pair.a;
}

static int compare_edges(const void *a, const void *b) {
    const graph_edge *x = a, *y = b;
    if (low_end(x) != low_end(y))
        return low_end(x) < low_end(y) ? -1 : 1;
    if (high_end(x) != high_end(y))
        return high_end(x) < high_end(y) ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static bool is_same_pair(const graph_edge *x, const graph_edge *y) {
    return low_end(x) == low_end(y) && high_end(x) == high_end(y);
}

/* Of two edges of one pair, one if they say the same from either side. */
static bool can_merge(const graph_builder *b, const graph_edge *x, const graph_edge *y) {
    bool is_directed = x->pair.kind == EDGE_OUT;
    return x->pair.a == y->pair.b && x->pair.kind == y->pair.kind && (is_directed ? b->merges_arcs : b->merges_lines);
}

static status complain_of_second(const graph_builder *b, const graph_edge *e, error_info *err) {
    char from[TEXT_SHOWN_SIZE], to[TEXT_SHOWN_SIZE], place[32] = "";
    const char *a = b->names[e->pair.a], *c = b->names[e->pair.b];
    if (e->line)
        (void)snprintf(place, sizeof place, "line %zu: ", e->line);
    return error_set(err, STATUS_PARSE, "%sexpected one edge between '%s' and '%s', found a second", place,
                     text_show(a, strlen(a), from), text_show(c, strlen(c), to));
}

/* Sorts, and leaves one edge a pair. */
static status merge_edges(graph_builder *b, error_info *err) {
    size_t n = 0;
    bool has_merged = false;
    if (b->n_edges > 1)
        qsort(b->edges, b->n_edges, sizeof *b->edges, compare_edges);
    for (size_t i = 0; i < b->n_edges; i++) {
        graph_edge *last = n ? &b->edges[n - 1] : NULL;
        if (!last || !is_same_pair(last, &b->edges[i])) {
            b->edges[n++] = b->edges[i];
            has_merged = false;
        } else if (!has_merged && can_merge(b, last, &b->edges[i])) {
            last->pair.kind = EDGE_UNDIRECTED;
            has_merged = true;
        } else {
            return complain_of_second(b, &b->edges[i], err);
        }
    }
    b->n_edges = n;
    return STATUS_OK;
}

status graph_builder_finish(graph_builder *b, named_graph *out, error_info *err) {
    AUTO_FREE pdag_pair *pairs = NULL;
    AUTO_PTR(pdag_destroy) pdag *graph = NULL;
    CHECK(merge_edges(b, err));
    CHECK_ALLOC(pairs = calloc(b->n_edges + 1, sizeof *pairs));
    for (size_t i = 0; i < b->n_edges; i++)
        pairs[i] = b->edges[i].pair;
    CHECK(pdag_from_pairs(b->n_names, pairs, b->n_edges, &graph, err));
    if (!b->names)
        CHECK_ALLOC(b->names = calloc(1, sizeof *b->names));
    *out = (named_graph){.n_nodes = b->n_names,
                         .names = TAKE(b->names),
                         .graph = TAKE(graph),
                         .lists_nodes = true,
                         .is_unnamed = b->is_unnamed};
    b->n_names = 0;
    return STATUS_OK;
}

status graph_take_kind(named_graph *g, const char *kind, error_info *err) {
    AUTO_PTR(dag_destroy) dag *as_dag = NULL;
    error_info why = {0};
    status st;
    if (!graph_kind_find(kind, &g->kind))
        return error_set(err, STATUS_PARSE, "expected the kind dag, cpdag or skeleton, found '%.60s'", kind);
    g->has_kind = true;
    if (g->kind == GRAPH_SKELETON && pdag_directed_count(g->graph) > 0)
        return error_set(err, STATUS_PARSE,
                         "expected a kind that the graph is of, found 'skeleton': %zu of %zu edges are directed",
                         pdag_directed_count(g->graph), pdag_edge_count(g->graph));
    if (g->kind != GRAPH_DAG)
        return STATUS_OK;
    st = pdag_to_dag(g->graph, &as_dag, &why);
    if (st == STATUS_INVALID)
        return error_set(err, STATUS_PARSE, "expected a kind that the graph is of, found 'dag': %s", why.message);
    return st == STATUS_OK ? st : error_set(err, st, "%s", why.message);
}

/* ---- writing ---- */

void graph_append_edges(const named_graph *g, graph_edge_appender append, text_buffer *out) {
    for (size_t i = 0; i < g->n_nodes; i++) {
        size_t n = 0;
        const pdag_edge *edges = pdag_edges(g->graph, i, &n);
        for (size_t k = 0; k < n; k++) {
            size_t j = edges[k].node;
            bool is_back = edges[k].kind == EDGE_IN;
            if (j > i)
                append(g, is_back ? j : i, is_back ? i : j, edges[k].kind != EDGE_UNDIRECTED, out);
        }
    }
}
