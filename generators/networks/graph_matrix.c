/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matrices without names: NumPy's .npy and MatrixMarket's .mtx. Row a, column b: 1 is a -> b, 2 is a - b, and so is 1
 * in both places. Written with 2, as gadjid takes it.
 */
#include "generators/networks/graph_reading.h"
#include "generators/networks/network_format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static status take_entry(graph_builder *b, size_t row, size_t column, double value, size_t line, error_info *err) {
    if (value == 0)
        return STATUS_OK;
    if (value != 1 && value != 2)
        return error_set(err, STATUS_INVALID, "expected 0, 1 or 2 in row %zu, column %zu, found %g", row + 1,
                         column + 1, value);
    return graph_builder_edge(b, row, column, value == 1 ? EDGE_OUT : EDGE_UNDIRECTED, line, err);
}

/* ---- npy ---- */

/* What the header of an array says. */
typedef struct {
    char kind;    /* b i u f */
    size_t width; /* bytes of an entry */
    bool is_big, is_fortran;
    size_t n_rows, n_columns;
    const char *entries, *end;
} npy_array;

static status npy_error(error_info *err, const char *what) {
    return error_set(err, STATUS_PARSE, "expected %s", what);
}

/* Behind the colon of a key of the header. */
static const char *value_of(const char *header, const char *key) {
    const char *at = strstr(header, key);
    if (!at)
        return NULL;
    at += strlen(key);
    while (*at == ' ' || *at == ':')
        at++;
    return at;
}

static status read_type(const char *header, npy_array *a, error_info *err) {
    const char *type = value_of(header, "'descr'");
    if (!type || *type++ != '\'' || !strchr("|<>=", *type) || !*type || !strchr("biuf", type[1]) || !type[1] ||
        !strchr("1248", type[2]) || !type[2] || type[3] != '\'')
        return npy_error(err, "an array of whole numbers, reals or truth values");
    a->is_big = *type == '>';
    a->kind = type[1];
    a->width = (size_t)(type[2] - '0');
    if ((a->kind == 'b' && a->width != 1) || (a->kind == 'f' && a->width < 4))
        return npy_error(err, "an array of whole numbers, reals of 4 or 8 bytes, or truth values");
    return STATUS_OK;
}

static status read_shape(const char *header, npy_array *a, error_info *err) {
    const char *order = value_of(header, "'fortran_order'"), *shape = value_of(header, "'shape'");
    int used = 0;
    char n_rows[12], n_columns[12];
    if (!order || (strncmp(order, "True", 4) != 0 && strncmp(order, "False", 5) != 0))
        return npy_error(err, "'fortran_order' in the header of the array");
    a->is_fortran = *order == 'T';
    if (!shape || sscanf(shape, "(%11[0-9], %11[0-9])%n", n_rows, n_columns, &used) != 2 || used == 0)
        return npy_error(err, "an array of two dimensions");
    a->n_rows = strtoul(n_rows, NULL, 10);
    a->n_columns = strtoul(n_columns, NULL, 10);
    if (a->n_rows != a->n_columns)
        return error_set(err, STATUS_PARSE, "expected as many rows as columns, found %zu and %zu", a->n_rows,
                         a->n_columns);
    if (a->n_rows > GRAPH_MOST_UNNAMED)
        return error_set(err, STATUS_PARSE, "expected at most %d nodes, found %zu", GRAPH_MOST_UNNAMED, a->n_rows);
    if (a->n_rows * a->n_columns * a->width != (size_t)(a->end - a->entries))
        return error_set(err, STATUS_PARSE, "expected %zu bytes of entries, found %zu",
                         a->n_rows * a->n_columns * a->width, (size_t)(a->end - a->entries));
    return STATUS_OK;
}

static status read_header(const char *text, size_t length, npy_array *a, error_info *err) {
    const unsigned char *bytes = (const unsigned char *)text;
    AUTO_FREE char *header = NULL;
    size_t at, size;
    if (length < 12 || memcmp(text, "\x93NUMPY", 6) != 0)
        return npy_error(err, "the beginning of an .npy file");
    at = bytes[6] == 1 ? 10 : 12;
    size = bytes[8] | (size_t)bytes[9] << 8;
    if (bytes[6] != 1)
        size |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (size > length - at)
        return npy_error(err, "a whole header of the array");
    CHECK_ALLOC(header = text_copy_n(text + at, size));
    a->entries = text + at + size;
    a->end = text + length;
    CHECK(read_type(header, a, err));
    return read_shape(header, a, err);
}

static double entry_at(const npy_array *a, size_t i) {
    unsigned char bytes[8] = {0};
    uint64_t bits = 0;
    for (size_t k = 0; k < a->width; k++)
        bytes[k] = (unsigned char)a->entries[i * a->width + (a->is_big ? a->width - 1 - k : k)];
    for (size_t k = 0; k < 8; k++)
        bits |= (uint64_t)bytes[k] << 8 * k;
    if (a->kind == 'f' && a->width == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (a->kind == 'f') {
        float value;
        uint32_t half = (uint32_t)bits;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    return (double)bits; /* a negative one is a large one, which is refused too */
}

static status parse_npy(const char *text, size_t length, const char *const *names, size_t n_names, named_graph *out,
                        error_info *err) {
    AUTO(graph_builder_clear) graph_builder b = {.merges_arcs = true, .merges_lines = true};
    npy_array a = {0};
    status st = STATUS_OK;
    CHECK(read_header(text, length, &a, err));
    CHECK(graph_builder_start(&b, names, n_names, err));
    CHECK(graph_builder_number(&b, a.n_rows, err));
    for (size_t i = 0; st == STATUS_OK && i < a.n_rows * a.n_rows; i++) {
        size_t row = i / a.n_rows, column = i % a.n_rows;
        st = take_entry(&b, a.is_fortran ? column : row, a.is_fortran ? row : column, entry_at(&a, i), 0, err);
    }
    if (st != STATUS_OK)
        return st == STATUS_INVALID ? error_set(err, STATUS_PARSE, "%s", err ? err->message : "") : st;
    return graph_builder_finish(&b, out, err);
}

static void append_npy_row(const named_graph *g, size_t row, text_buffer *out) {
    size_t n = 0, k = 0;
    const pdag_edge *edges = pdag_edges(g->graph, row, &n);
    for (size_t i = 0; i < g->n_nodes; i++) {
        char entry = 0;
        if (k < n && edges[k].node == i) {
            entry = (char)(edges[k].kind == EDGE_OUT ? 1 : edges[k].kind == EDGE_UNDIRECTED ? 2 : 0);
            k++;
        }
        text_append_bytes(out, &entry, 1);
    }
}

/* Entries begin at a multiple of 64 bytes. */
static void append_npy(const named_graph *g, text_buffer *out) {
    char header[118];
    int n = snprintf(header, sizeof header, "{'descr': '|i1', 'fortran_order': False, 'shape': (%zu, %zu), }",
                     g->n_nodes, g->n_nodes);
    text_append_bytes(out, "\x93NUMPY\x01\x00\x76\x00", 10);
    memset(header + n, ' ', sizeof header - (size_t)n);
    header[sizeof header - 1] = '\n';
    text_append_bytes(out, header, sizeof header);
    for (size_t i = 0; i < g->n_nodes; i++)
        append_npy_row(g, i, out);
}

const network_format network_format_npy = {.name = "npy",
                                           .title = "an .npy array",
                                           .parse_graph = parse_npy,
                                           .append_graph = append_npy,
                                           .graph_loses = GRAPH_LOSES_NAMES | GRAPH_LOSES_KIND};

/* ---- MatrixMarket ---- */

typedef struct {
    bool has_values, is_symmetric;
    size_t n, n_entries;
} mtx_head;

static void skip_line(graph_cursor *in) {
    while (!graph_is_at_end(in) && *in->at != '\n')
        graph_step(in);
    if (!graph_is_at_end(in))
        graph_step(in);
}

static bool take_word(graph_cursor *in, const char *word) {
    graph_skip_blanks(in);
    size_t n = strlen(word);
    for (size_t i = 0; i < n; i++) {
        if (in->at + i == in->end || tolower((unsigned char)in->at[i]) != word[i])
            return false;
    }
    in->at += n;
    return true;
}

/* A number of at most 9 digits, or a real of any. */
static status read_number(graph_cursor *in, bool is_whole, double *out, error_info *err) {
    char digits[32] = "";
    size_t n = 0;
    graph_skip_blanks(in);
    while (!graph_is_at_end(in) && !isspace((unsigned char)*in->at) && n + 1 < sizeof digits)
        digits[n++] = *in->at++;
    if (!text_to_double(digits, out) || (is_whole && (n > 9 || strspn(digits, "0123456789") != n)))
        return graph_complain(in, err, "expected a %s, found '%s'", is_whole ? "whole number" : "number", digits);
    return STATUS_OK;
}

static status expect_line_end(graph_cursor *in, error_info *err) {
    graph_skip_blanks(in);
    if (!graph_is_at_end(in) && *in->at != '\n' && *in->at != '\r')
        return graph_complain(in, err, "expected the end of the line");
    graph_skip_space(in);
    return STATUS_OK;
}

static status read_mtx_head(graph_cursor *in, mtx_head *h, error_info *err) {
    double n_rows, n_columns, n_entries;
    if (!take_word(in, "%%matrixmarket") || !take_word(in, "matrix") || !take_word(in, "coordinate"))
        return graph_complain(in, err, "expected '%%%%MatrixMarket matrix coordinate'");
    h->has_values = !take_word(in, "pattern");
    if (h->has_values && !take_word(in, "integer") && !take_word(in, "real") && !take_word(in, "unsigned-integer"))
        return graph_complain(in, err, "expected integer, real or pattern");
    h->is_symmetric = take_word(in, "symmetric");
    if (!h->is_symmetric && !take_word(in, "general"))
        return graph_complain(in, err, "expected general or symmetric");
    CHECK(expect_line_end(in, err));
    while (!graph_is_at_end(in) && *in->at == '%') {
        skip_line(in);
        graph_skip_space(in);
    }
    CHECK(read_number(in, true, &n_rows, err));
    CHECK(read_number(in, true, &n_columns, err));
    CHECK(read_number(in, true, &n_entries, err));
    if (n_rows != n_columns)
        return graph_complain(in, err, "expected as many rows as columns, found %.0f and %.0f", n_rows, n_columns);
    h->n = (size_t)n_rows;
    h->n_entries = (size_t)n_entries;
    return expect_line_end(in, err);
}

static status read_mtx_entry(graph_cursor *in, const mtx_head *h, graph_builder *b, error_info *err) {
    double row, column, value = 1;
    size_t line = in->line;
    status st;
    CHECK(read_number(in, true, &row, err));
    CHECK(read_number(in, true, &column, err));
    if (row < 1 || column < 1 || row > (double)h->n || column > (double)h->n)
        return graph_complain(in, err, "expected a row and a column of 1 to %zu", h->n);
    if (h->has_values)
        CHECK(read_number(in, false, &value, err));
    st = take_entry(b, (size_t)row - 1, (size_t)column - 1, h->is_symmetric && value == 1 ? 2 : value, line, err);
    if (st == STATUS_INVALID)
        return graph_complain(in, err, "%s", err ? err->message : "");
    CHECK(st);
    return expect_line_end(in, err);
}

static status parse_mtx(const char *text, size_t length, const char *const *names, size_t n_names, named_graph *out,
                        error_info *err) {
    AUTO(graph_builder_clear) graph_builder b = {.merges_arcs = true};
    graph_cursor in;
    mtx_head h = {0};
    status st;
    CHECK(graph_cursor_init(&in, text, length, err));
    CHECK(read_mtx_head(&in, &h, err));
    b.merges_lines = !h.is_symmetric;
    CHECK(graph_builder_start(&b, names, n_names, err));
    st = graph_builder_number(&b, h.n, err);
    if (st == STATUS_INVALID)
        return graph_complain(&in, err, "%s", err ? err->message : "");
    CHECK(st);
    for (size_t i = 0; i < h.n_entries; i++)
        CHECK(read_mtx_entry(&in, &h, &b, err));
    if (!graph_is_at_end(&in))
        return graph_complain(&in, err, "expected the end behind %zu entries", h.n_entries);
    return graph_builder_finish(&b, out, err);
}

static void append_mtx(const named_graph *g, text_buffer *out) {
    size_t n_edges = pdag_edge_count(g->graph), n_undirected = n_edges - pdag_directed_count(g->graph);
    text_append(out, "%%MatrixMarket matrix coordinate integer general\n");
    text_append_format(out, "%zu %zu %zu\n", g->n_nodes, g->n_nodes, n_edges + n_undirected);
    for (size_t i = 0; i < g->n_nodes; i++) {
        size_t n = 0;
        const pdag_edge *edges = pdag_edges(g->graph, i, &n);
        for (size_t k = 0; k < n; k++) {
            if (edges[k].kind != EDGE_IN)
                text_append_format(out, "%zu %zu %d\n", i + 1, edges[k].node + 1, edges[k].kind == EDGE_OUT ? 1 : 2);
        }
    }
}

const network_format network_format_mtx = {.name = "mtx",
                                           .title = "MatrixMarket",
                                           .parse_graph = parse_mtx,
                                           .append_graph = append_mtx,
                                           .graph_loses = GRAPH_LOSES_NAMES | GRAPH_LOSES_KIND};
