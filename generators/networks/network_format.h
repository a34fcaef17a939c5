/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The formats in which networks, and graphs alone, are read and written. Adding one is a file and a line in
 * formats.def. */
#ifndef BNB_GENERATORS_NETWORKS_NETWORK_FORMAT_H
#define BNB_GENERATORS_NETWORKS_NETWORK_FORMAT_H

#include "core/base/text.h"
#include "core/graph/graph_file.h"
#include "core/models/bayes_net.h"
#include "core/models/gaussian_net.h"

/** A network that is one of two kinds: one of the two is set. Zero-initialise; owns it. */
typedef struct {
    bayes_net *tables;
    gaussian_net *gaussian;
} any_network;

void any_network_clear(any_network *net);

/** What of a graph a format does not hold. */
typedef enum { GRAPH_LOSES_NAMES = 1, GRAPH_LOSES_KIND = 2, GRAPH_LOSES_UNDIRECTED = 4 } graph_loss;

/** Of networks, with their numbers: `parse` and `append`. Of graphs alone: `append_graph`. */
typedef struct {
    const char *name;           /* "bif"; files end in ".bif", or ".bif.gz" */
    const char *title;          /* as sentences call it: "BIF" */
    const char *const *endings; /* other endings than the name, NULL behind the last; may be NULL */
    bool is_of_tables;          /* else of linear-Gaussian networks; networks alone */
    /** True if a text without a file name may be one. */
    bool (*may_be)(const char *text);
    /** `name`: that of the network where the text gives none. `n_scaled` (may be NULL) as bif_read says. */
    status (*parse)(const char *text, size_t length, const char *name, any_network *out, size_t *n_scaled,
                    error_info *err);
    void (*append)(const any_network *net, text_buffer *out); /* one of the format's kind */
    /** Sentences, a line each, on what of the network `append` cannot write or writes otherwise; NULL: it writes all.
     */
    void (*append_loss)(const any_network *net, text_buffer *out);
    /** Of graphs: reads one; `names` as graph_parse_csv says; NULL: such graphs are written alone. */
    status (*parse_graph)(const char *text, size_t length, const char *const *names, size_t n_names, named_graph *out,
                          error_info *err);
    void (*append_graph)(const named_graph *g, text_buffer *out);
    unsigned graph_loses;    /* of graph_loss */
    const char *no_name_has; /* bytes that a name may not have, to be written by append_graph; NULL: none */
} network_format;

/** NULL past the last. */
const network_format *network_format_at(size_t i);

/** By its name, by the ending of a path, the longest that fits; NULL where there is none. */
const network_format *network_format_find(const char *name);
const network_format *network_format_of_path(const char *path);

/** The same, of those that hold a network. */
const network_format *network_format_of_network(const char *path);

/**
 * By its ending, else as the first format of formats.def; "-" is standard input, whose text must tell.
 * @return as the format's own reader, behind the path (bif_parse, gaussian_file_parse); STATUS_MISSING, STATUS_IO
 */
BNB_MUST_CHECK status any_network_read(const char *path, any_network *out, size_t *n_scaled, error_info *err);

/**
 * A graph from a file in the format of its ending, or in `format` if not NULL; without either, and for "-", CSV.
 * `names` may be NULL, as graph_parse_csv says.
 * @return as the format's reader, behind the path; STATUS_INVALID: a format that is not read
 */
BNB_MUST_CHECK status graph_file_read(const char *path, const network_format *format, const char *const *names,
                                      size_t n_names, named_graph *out, error_info *err);

/**
 * Appends the graph. `losses` (may be NULL) gets a sentence a line on what the format does not hold.
 * @return STATUS_INVALID: no format of graphs, or a name that the format has no way to write
 */
BNB_MUST_CHECK status graph_format_append(const network_format *format, const named_graph *g, text_buffer *out,
                                          text_buffer *losses, error_info *err);

#endif
