/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Graphs as files: CSV `from,to,type` with `# kind: cpdag` and `# nodes: a,b,c` in front, and DOT. */
#ifndef BNB_CORE_GRAPH_GRAPH_FILE_H
#define BNB_CORE_GRAPH_GRAPH_FILE_H

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/graph/pdag.h"

/** A graph whose nodes have names; owns both. Zero-initialise. */
typedef struct {
    size_t n_nodes;
    char **names;
    pdag *graph;
    bool lists_nodes; /* its source says which nodes there are: a network, or a CSV with `# nodes:` */
    bool has_kind;    /* its source says what it is meant as: a CSV with `# kind:` */
    graph_kind kind;  /* where it does */
    bool is_unnamed;  /* its source has no names: nodes are called X1 .. Xn in their order */
} named_graph;

void named_graph_clear(named_graph *g);

/** What its source says that it is, else what it looks like (pdag_kind). */
BNB_MUST_CHECK status named_graph_kind(const named_graph *g, graph_kind *out, error_info *err);

/**
 * Reads the CSV form (plain or gzip, "-" for standard input): UTF-8, LF or CRLF, RFC 4180 quoting, blanks around a
 * field that is not quoted do not count; empty lines and comments (`#` in front) are passed over. Nodes are those of
 * the header comment, else of the edges in order of appearance. `names`, if not NULL, are the nodes of the result, in
 * that order, whether the file lists them or not; others are an error.
 * @return STATUS_PARSE with "line:column: what was expected, what was found" behind the path: no header row, an unknown
 *         type or node, a node listed twice, an edge from a node to itself, two edges of one pair, a kind that the
 * graph is not of, a field of more than 4096 bytes, a byte that is not UTF-8. STATUS_INVALID: `names` repeat. `out` is
 * untouched on error.
 */
BNB_MUST_CHECK status graph_read_csv(const char *path, const char *const *names, size_t n_names, named_graph *out,
                                     error_info *err);
BNB_MUST_CHECK status graph_parse_csv(const char *text, size_t length, const char *const *names, size_t n_names,
                                      named_graph *out, error_info *err);

/** Appends the line `# kind:` that may stand in front of the CSV form. */
void graph_append_kind(graph_kind kind, text_buffer *out);

/** Appends the CSV form: edges ordered by the lower node, then the other. */
void graph_append_csv(const pdag *g, const char *const *names, text_buffer *out);

/** Appends a DOT digraph; names are quoted so that Graphviz takes them as text. */
void graph_append_dot(const pdag *g, const char *const *names, text_buffer *out);

/** The same graph on other nodes by name: node i of `out` is names[i]. STATUS_INVALID if the node sets differ. */
BNB_MUST_CHECK status named_graph_align(const named_graph *g, const char *const *names, size_t n_names, pdag **out,
                                        error_info *err);

/** Gives an unnamed graph these names, in their order. STATUS_INVALID: it has another number of nodes. */
BNB_MUST_CHECK status named_graph_name(named_graph *g, const char *const *names, size_t n_names, error_info *err);

#endif
