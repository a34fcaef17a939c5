/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adjacency matrices as CSV, a header of names in front:
 *   adjacency  Benchpress' (Rios et al., J. Open Source Softw.): 1 in row a, column b is a -> b, in both places a - b
 *   gadjid     gadjid's (Henckel, Würtzen, Weichwald 2024): 1 in row a, column b is a -> b, 2 is a - b
 *   pcalg      pcalg's amat.cpdag: 1 in row a, column b is an arrowhead at a: b -> a; in both places a - b
 */
#include "core/data/csv.h"
#include "generators/networks/graph_reading.h"
#include "generators/networks/network_format.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    bool is_from_column; /* 1 in row a, column b is b -> a */
    bool has_two;        /* 2 is an undirected edge */
} matrix_form;

static const matrix_form benchpress = {0}, gadjid = {.has_two = true}, pcalg = {.is_from_column = true};

/* ---- reading ---- */

/* What the text has around its numbers. */
typedef struct {
    size_t n_rows, first_width, last_width; /* lines, fields of the first and the last */
    bool first_is_number;                   /* the very first field */
    bool has_header, has_row_names;
    bool has_corner; /* the header has a field above the names of the rows */
    size_t n;        /* nodes */
} layout;

/* 0, 1 or 2, as whole numbers or as pandas writes reals; -1 for all else. */
static int entry_of(const csv_field *f) {
    bool is_real = f->length == 3 && f->text[1] == '.' && f->text[2] == '0';
    if ((f->length != 1 && !is_real) || f->text[0] < '0' || f->text[0] > '2')
        return -1;
    return f->text[0] - '0';
}

static status count_fields(const char *text, size_t length, layout *l, error_info *err) {
    AUTO(csv_clear) csv_reader reader = {0};
    csv_init(&reader, text, length);
    while (!reader.is_done) {
        csv_field field;
        CHECK(csv_read_field(&reader, &field, err));
        if (l->n_rows == 0 && reader.column == 1)
            l->first_is_number = entry_of(&field) >= 0;
        if (!reader.row_ended)
            continue;
        if (l->n_rows++ == 0)
            l->first_width = reader.column;
        l->last_width = reader.column;
    }
    return STATUS_OK;
}

static status find_layout(const char *text, size_t length, layout *l, error_info *err) {
    CHECK(count_fields(text, length, l, err));
    if (l->n_rows == 0)
        return error_set(err, STATUS_PARSE, "expected the names of the nodes and a row for each, found nothing");
    l->has_header = !(l->n_rows == l->last_width && l->first_width == l->last_width && l->first_is_number);
    l->n = l->n_rows - l->has_header;
    l->has_row_names = l->n > 0 && l->last_width == l->n + 1;
    l->has_corner = l->has_row_names && l->first_width == l->n + 1;
    if (l->n == 0)
        l->n = l->first_width;
    if (l->n_rows == 1 && l->has_header)
        return error_set(err, STATUS_PARSE, "expected a row for each of the %zu nodes behind the header, found none",
                         l->n);
    if (l->last_width != l->n + l->has_row_names || l->first_width != l->n + l->has_corner)
        return error_set(err, STATUS_PARSE,
                         "expected as many rows as columns behind a header of names, found %zu rows of %zu fields (the "
                         "first has %zu)",
                         l->n_rows, l->last_width, l->first_width);
    return STATUS_OK;
}

/* `nodes[i]`: the node of column i. */
static status read_names(csv_reader *reader, const layout *l, graph_builder *b, size_t *nodes, unsigned char *is_taken,
                         error_info *err) {
    csv_field field;
    bool is_new;
    for (size_t i = 0; i < l->n + l->has_corner; i++) {
        CHECK(csv_read_cell(reader, i, l->n + l->has_corner, &field, err));
        if (l->has_corner && i == 0)
            continue;
        size_t *node = &nodes[i - l->has_corner];
        status st = graph_builder_node(b, field.text, field.length, node, &is_new, err);
        if (st == STATUS_INVALID)
            return csv_error(reader, err, "%s", err ? err->message : "");
        CHECK(st);
        if (is_taken[*node])
            return csv_error(reader, err, "the node '%.60s' is listed twice", b->names[*node]);
        is_taken[*node] = 1;
    }
    return STATUS_OK;
}

static status check_row_name(const csv_reader *reader, const csv_field *field, const char *name, error_info *err) {
    if (csv_field_is(field, name))
        return STATUS_OK;
    return csv_error(reader, err, "expected '%.60s', for rows stand in the order of the columns, found '%.*s'", name,
                     (int)(field->length < 60 ? field->length : 60), field->text);
}

static status read_entry(csv_reader *reader, const csv_field *field, const matrix_form *form, graph_builder *b,
                         size_t row, size_t column, error_info *err) {
    int entry = entry_of(field);
    if (entry < 0 || (entry == 2 && !form->has_two))
        return csv_error(reader, err, "expected 0%s, found '%.*s'%s", form->has_two ? ", 1 or 2" : " or 1",
                         (int)(field->length < 60 ? field->length : 60), field->text,
                         entry == 2 ? " (the form with 2 is called gadjid)" : "");
    if (entry == 0)
        return STATUS_OK;
    if (row == column)
        return csv_error(reader, err, "expected 0 on the diagonal, found %d", entry);
    return graph_builder_edge(b, form->is_from_column ? column : row, form->is_from_column ? row : column,
                              entry == 1 ? EDGE_OUT : EDGE_UNDIRECTED, reader->line, err);
}

static status read_rows(csv_reader *reader, const layout *l, const matrix_form *form, graph_builder *b,
                        const size_t *nodes, error_info *err) {
    csv_field field;
    size_t width = l->n + l->has_row_names;
    for (size_t row = 0; row < l->n; row++) {
        for (size_t i = 0; i < width; i++) {
            CHECK(csv_read_cell(reader, i, width, &field, err));
            if (l->has_row_names && i == 0)
                CHECK(check_row_name(reader, &field, b->names[nodes[row]], err));
            else
                CHECK(read_entry(reader, &field, form, b, nodes[row], nodes[i - l->has_row_names], err));
        }
    }
    return STATUS_OK;
}

static status parse(const char *text, size_t length, const char *const *names, size_t n_names, const matrix_form *form,
                    named_graph *out, error_info *err) {
    AUTO(graph_builder_clear) graph_builder b = {.merges_arcs = !form->has_two, .merges_lines = form->has_two};
    AUTO(csv_clear) csv_reader reader = {0};
    AUTO_FREE size_t *nodes = NULL;
    AUTO_FREE unsigned char *is_taken = NULL;
    graph_cursor checked;
    layout l = {0};

    CHECK(graph_cursor_init(&checked, text, length, err));
    CHECK(find_layout(text, length, &l, err));
    CHECK(graph_builder_start(&b, names, n_names, err));
    CHECK_ALLOC(nodes = calloc(l.n + 1, sizeof *nodes));
    CHECK_ALLOC(is_taken = calloc(l.n + n_names + 1, 1));
    csv_init(&reader, text, length);
    if (l.has_header) {
        CHECK(read_names(&reader, &l, &b, nodes, is_taken, err));
    } else {
        CHECK(graph_builder_number(&b, l.n, err));
        for (size_t i = 0; i < l.n; i++)
            nodes[i] = i;
    }
    CHECK(read_rows(&reader, &l, form, &b, nodes, err));
    return graph_builder_finish(&b, out, err);
}

static status parse_benchpress(const char *text, size_t length, const char *const *names, size_t n_names,
                               named_graph *out, error_info *err) {
    return parse(text, length, names, n_names, &benchpress, out, err);
}

static status parse_gadjid(const char *text, size_t length, const char *const *names, size_t n_names, named_graph *out,
                           error_info *err) {
    return parse(text, length, names, n_names, &gadjid, out, err);
}

static status parse_pcalg(const char *text, size_t length, const char *const *names, size_t n_names, named_graph *out,
                          error_info *err) {
    return parse(text, length, names, n_names, &pcalg, out, err);
}

/* ---- writing ---- */

static char entry_between(const matrix_form *form, edge_kind kind) {
    edge_kind one = form->is_from_column ? EDGE_IN : EDGE_OUT;
    if (kind == EDGE_UNDIRECTED)
        return form->has_two ? '2' : '1';
    return kind == one ? '1' : '0';
}

static void append_row(const named_graph *g, size_t row, const matrix_form *form, text_buffer *out) {
    size_t n = 0, k = 0;
    const pdag_edge *edges = pdag_edges(g->graph, row, &n);
    for (size_t i = 0; i < g->n_nodes; i++) {
        char entry[2] = {',', '0'};
        if (k < n && edges[k].node == i)
            entry[1] = entry_between(form, edges[k++].kind);
        text_append_bytes(out, entry + (i == 0), 2 - (size_t)(i == 0));
    }
    text_append(out, "\n");
}

static void append_names(const named_graph *g, text_buffer *out) {
    for (size_t i = 0; i < g->n_nodes; i++) {
        text_append(out, i ? "," : "");
        text_append_csv(out, g->names[i]);
    }
    text_append(out, "\n");
}

static void append_benchpress(const named_graph *g, text_buffer *out) {
    append_names(g, out);
    for (size_t i = 0; i < g->n_nodes; i++)
        append_row(g, i, &benchpress, out);
}

static void append_gadjid(const named_graph *g, text_buffer *out) {
    append_names(g, out);
    for (size_t i = 0; i < g->n_nodes; i++)
        append_row(g, i, &gadjid, out);
}

/* With the names of the rows, as R's write.csv. */
static void append_pcalg(const named_graph *g, text_buffer *out) {
    text_append(out, "\"\",");
    append_names(g, out);
    for (size_t i = 0; i < g->n_nodes; i++) {
        text_append_csv(out, g->names[i]);
        text_append(out, ",");
        append_row(g, i, &pcalg, out);
    }
}

const network_format network_format_adjacency = {.name = "adjacency",
                                                 .title = "an adjacency matrix",
                                                 .parse_graph = parse_benchpress,
                                                 .append_graph = append_benchpress,
                                                 .graph_loses = GRAPH_LOSES_KIND};

const network_format network_format_gadjid = {.name = "gadjid",
                                              .title = "gadjid's adjacency matrix",
                                              .parse_graph = parse_gadjid,
                                              .append_graph = append_gadjid,
                                              .graph_loses = GRAPH_LOSES_KIND};

const network_format network_format_pcalg = {.name = "pcalg",
                                             .title = "pcalg's adjacency matrix",
                                             .parse_graph = parse_pcalg,
                                             .append_graph = append_pcalg,
                                             .graph_loses = GRAPH_LOSES_KIND};
