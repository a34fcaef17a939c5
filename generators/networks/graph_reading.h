/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the readers of graphs have in common: a place in the text, and a graph that grows by names and edges. */
#ifndef BNB_GENERATORS_NETWORKS_GRAPH_READING_H
#define BNB_GENERATORS_NETWORKS_GRAPH_READING_H

#include "core/base/name_index.h"
#include "core/graph/graph_file.h"

enum { GRAPH_MOST_UNNAMED = 100000 }; /* nodes of a file that gives their number and no names */

/** Where a reader of text stands. */
typedef struct {
    const char *at, *end;
    const char *line_start;
    size_t line; /* from 1 */
} graph_cursor;

/** A byte order mark is skipped. STATUS_PARSE: a byte that is not UTF-8, a NUL. */
BNB_MUST_CHECK status graph_cursor_init(graph_cursor *c, const char *text, size_t length, error_info *err);

/** STATUS_PARSE with "line:column: " in front, both from 1, the column in characters. */
status graph_complain(const graph_cursor *c, error_info *err, const char *format, ...) BNB_PRINTF(3, 4);

void graph_step(graph_cursor *c); /* one byte; not at the end */
void graph_skip_space(graph_cursor *c);
void graph_skip_blanks(graph_cursor *c); /* within a line */
bool graph_is_at(const graph_cursor *c, const char *word);
static inline bool graph_is_at_end(const graph_cursor *c) {
    return c->at == c->end;
}

typedef struct {
    pdag_pair pair; /* EDGE_OUT or EDGE_UNDIRECTED */
    size_t line;    /* 0 where the source has no lines */
    size_t number;  /* of the edge, from 0 */
} graph_edge;

/** Zero-initialise, then graph_builder_start; owns all. */
typedef struct {
    name_index *index;
    name_index *ids; /* of nodes that graph_builder_id added */
    char **names;
    size_t n_names, names_capacity;
    graph_edge *edges;
    size_t n_edges, edges_capacity;
    bool are_given;    /* the caller says which nodes there are: others are an error */
    bool merges_arcs;  /* a -> b and b -> a are one undirected edge */
    bool merges_lines; /* a - b may stand again as b - a */
    bool is_unnamed;   /* the nodes are called X1 .. Xn */
} graph_builder;

void graph_builder_clear(graph_builder *b);

/** `names` may be NULL. STATUS_INVALID: names repeat. */
BNB_MUST_CHECK status graph_builder_start(graph_builder *b, const char *const *names, size_t n_names, error_info *err);

/** The node of that name, new or there already. STATUS_INVALID: it is not among the given ones; no name at all. */
BNB_MUST_CHECK status graph_builder_node(graph_builder *b, const char *name, size_t length, size_t *node, bool *is_new,
                                         error_info *err);

/** Nodes without names: the given ones, of which there must be n, else X1 .. Xn. STATUS_INVALID: too many. */
BNB_MUST_CHECK status graph_builder_number(graph_builder *b, size_t n, error_info *err);

/** STATUS_INVALID: from a node to itself. */
BNB_MUST_CHECK status graph_builder_edge(graph_builder *b, size_t from, size_t to, edge_kind kind, size_t line,
                                         error_info *err);

/** A node that the file calls by an id, besides its name. STATUS_INVALID also: its id or its name is there already. */
BNB_MUST_CHECK status graph_builder_id(graph_builder *b, const char *id, const char *name, size_t length,
                                       error_info *err);

/** An edge between nodes of those ids, which may be NULL. STATUS_INVALID: they are not there, or the same. */
BNB_MUST_CHECK status graph_builder_id_edge(graph_builder *b, const char *source, const char *target, edge_kind kind,
                                            size_t line, error_info *err);

/** Hands over the graph. STATUS_PARSE: a second edge of a pair that may not be one with the first. */
BNB_MUST_CHECK status graph_builder_finish(graph_builder *b, named_graph *out, error_info *err);

/** Says that the graph is of that kind. STATUS_PARSE: it is not; `g` is then to be cleared. */
BNB_MUST_CHECK status graph_take_kind(named_graph *g, const char *kind, error_info *err);

/** Calls `append` for each edge, `from` below `to` where it is not directed. */
typedef void (*graph_edge_appender)(const named_graph *g, size_t from, size_t to, bool is_directed, text_buffer *out);
void graph_append_edges(const named_graph *g, graph_edge_appender append, text_buffer *out);

#endif
