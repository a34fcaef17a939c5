/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of graph CSV. */
#include "core/base/array.h"
#include "core/base/name_index.h"
#include "core/graph/graph_file.h"
#include "core/graph/graph_scan_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_COMMENT = 65536, /* bytes, for all but the list of nodes */
    MOST_SUGGESTED = 20000   /* names; past that, looking for the nearest one would take longer than reading */
};

typedef struct {
    pdag_pair pair;
    scan_place where;
} edge_row;

typedef struct {
    scanner in;
    /* nodes */
    name_index *index;
    char **names;
    size_t n_names, names_capacity;
    unsigned char *listed; /* of given names: stands in the list of nodes */
    bool are_given, has_list;
    /* what the file says that the graph is */
    bool has_kind;
    graph_kind kind;
    scan_place kind_place;
    /* edges */
    edge_row *edges;
    size_t n_edges, edges_capacity;
} reader;

/* ---- nodes ---- */

/* `*number` is the node's, old or new. */
static status add_name(reader *r, const char *name, size_t *number, bool *is_new, error_info *err) {
    size_t earlier;

    CHECK(ARRAY_ROOM(r->names, r->n_names, r->names_capacity, err));
    CHECK(name_index_add(r->index, name, r->n_names, &earlier, err));
    *is_new = earlier == NAME_NONE;
    *number = earlier;
    if (*is_new) {
        CHECK_ALLOC(r->names[r->n_names] = text_copy(name));
        *number = r->n_names++;
    }
    return STATUS_OK;
}

static status expect_name(const reader *r, error_info *err) {
    if (r->in.field[0] != '\0')
        return STATUS_OK;
    return scan_complain(r->in.where, err, "expected the name of a node, found nothing");
}

static status complain_of_unknown(const reader *r, error_info *err) {
    const char *nearest = NULL;
    if (r->n_names <= MOST_SUGGESTED)
        nearest = text_nearest(r->in.field, (const char *const *)r->names, r->n_names);
    if (nearest)
        return scan_complain(r->in.where, err, "expected one of the %zu nodes, found '%s'; did you mean '%s'?",
                             r->n_names, scan_show(r->in.field).text, scan_show(nearest).text);
    return scan_complain(r->in.where, err, "expected one of the %zu nodes, found '%s'", r->n_names,
                         scan_show(r->in.field).text);
}

/* The node that the field names. Only where neither the caller nor the file lists the nodes may a new one appear. */
static status find_node(reader *r, size_t *number, error_info *err) {
    bool is_new;
    CHECK(expect_name(r, err));
    if (!r->are_given && !r->has_list)
        return add_name(r, r->in.field, number, &is_new, err);
    *number = name_index_find(r->index, r->in.field);
    if (*number == NAME_NONE)
        return complain_of_unknown(r, err);
    if (r->are_given && r->has_list && !r->listed[*number])
        return scan_complain(r->in.where, err, "expected one of the nodes listed on top, found '%s'",
                             scan_show(r->in.field).text);
    return STATUS_OK;
}

static status take_given_names(reader *r, const char *const *names, size_t n_names, error_info *err) {
    size_t number;
    bool is_new;

    r->are_given = names != NULL;
    if (!names)
        return STATUS_OK;
    CHECK_ALLOC(r->listed = calloc(n_names + 1, sizeof *r->listed));
    for (size_t i = 0; i < n_names; i++) {
        CHECK(add_name(r, names[i], &number, &is_new, err));
        if (!is_new)
            return error_set(err, STATUS_INVALID, "the name '%s' stands twice among the nodes", names[i]);
    }
    return STATUS_OK;
}

static status list_node(reader *r, error_info *err) {
    size_t number;
    bool is_new = true;
    CHECK(expect_name(r, err));
    if (r->are_given) {
        number = name_index_find(r->index, r->in.field);
        if (number == NAME_NONE)
            return complain_of_unknown(r, err);
        is_new = !r->listed[number];
        r->listed[number] = 1;
    } else {
        CHECK(add_name(r, r->in.field, &number, &is_new, err));
    }
    return is_new ? STATUS_OK
                  : scan_complain(r->in.where, err, "the node '%s' is listed twice", scan_show(r->in.field).text);
}

/* ---- lines ---- */

/* "# nodes:", however many blanks: a list that is taken for a remark would lose the nodes without edges. */
static bool is_at_remark(const scanner *in, const char *word) {
    size_t length = strlen(word);
    const char *at = in->at;
    if (*at++ != '#')
        return false;
    while (at < in->end && (*at == ' ' || *at == '\t'))
        at++;
    return (size_t)(in->end - at) >= length && memcmp(at, word, length) == 0;
}

/* To what stands behind the colon of a remark. */
static void enter_remark(reader *r) {
    while (*r->in.at != ':')
        scan_step(&r->in);
    scan_step(&r->in);
    scan_skip_blanks(&r->in);
}

static status read_list(reader *r, error_info *err) {
    if (r->has_list)
        CHECK(scan_complain(r->in.here, err, "expected one list of nodes, found a second"));
    r->has_list = true;
    enter_remark(r);
    while (!scan_is_at_line_end(&r->in)) {
        CHECK(scan_field(&r->in, err));
        CHECK(list_node(r, err));
        if (scan_is_at_line_end(&r->in))
            break;
        scan_step(&r->in);
        if (scan_is_at_line_end(&r->in))
            CHECK(scan_complain(r->in.here, err,
                                "expected the name of a node after the comma, found the end of the line"));
    }
    scan_skip_line(&r->in);
    return STATUS_OK;
}

static status read_kind(reader *r, error_info *err) {
    if (r->has_kind)
        CHECK(scan_complain(r->in.here, err, "expected one kind of the graph, found a second"));
    r->has_kind = true;
    enter_remark(r);
    CHECK(scan_field(&r->in, err));
    r->kind_place = r->in.where;
    if (!graph_kind_find(r->in.field, &r->kind) || !scan_is_at_line_end(&r->in))
        return scan_complain(r->in.where, err, "expected dag, cpdag or skeleton behind '# kind:', found '%s'",
                             scan_show(r->in.field).text);
    scan_skip_line(&r->in);
    return STATUS_OK;
}

static status skip_comment(reader *r, error_info *err) {
    scan_place start = r->in.here;
    const char *from = r->in.at;
    while (!scan_is_at_line_end(&r->in)) {
        if (r->in.at - from >= LONGEST_COMMENT)
            return scan_complain(start, err, "expected a comment of at most %d bytes, found a longer one",
                                 LONGEST_COMMENT);
        scan_step(&r->in);
    }
    scan_skip_line(&r->in);
    return STATUS_OK;
}

/* A comment that says something of the graph may stand in front of the header row alone. */
static status read_comment(reader *r, bool is_in_front, error_info *err) {
    bool is_list = is_at_remark(&r->in, "nodes:"), is_kind = is_at_remark(&r->in, "kind:");
    if ((is_list || is_kind) && !is_in_front)
        return scan_complain(r->in.here, err, "expected the %s in front of the header row, found it behind",
                             is_list ? "list of nodes" : "kind of the graph");
    if (is_list)
        return read_list(r, err);
    return is_kind ? read_kind(r, err) : skip_comment(r, err);
}

/* Passes over empty lines and reads comments. */
static status skip_to_row(reader *r, bool is_in_front, error_info *err) {
    while (!scan_is_at_end(&r->in)) {
        if (*r->in.at == '#') {
            CHECK(read_comment(r, is_in_front, err));
        } else if (scan_is_at_blank_line(&r->in)) {
            scan_skip_line(&r->in);
        } else {
            break;
        }
    }
    return STATUS_OK;
}

static status read_header(reader *r, error_info *err) {
    static const char *const columns[] = {"from", "to", "type"};
    if (scan_is_at_end(&r->in))
        CHECK(scan_complain(r->in.here, err, "expected the header row from,to,type, found the end of the file"));
    for (size_t i = 0; i < 3; i++) {
        if (i > 0)
            CHECK(scan_comma(&r->in, columns[i], err));
        CHECK(scan_field(&r->in, err));
        if (strcmp(r->in.field, columns[i]) != 0)
            CHECK(scan_complain(r->in.where, err, "expected '%s' of the header row from,to,type, found '%s'",
                                columns[i], scan_show(r->in.field).text));
    }
    return scan_row_end(&r->in, err);
}

static status read_type(reader *r, edge_kind *kind, error_info *err) {
    CHECK(scan_field(&r->in, err));
    if (strcmp(r->in.field, "directed") == 0)
        *kind = EDGE_OUT;
    else if (strcmp(r->in.field, "undirected") == 0)
        *kind = EDGE_UNDIRECTED;
    else
        return scan_complain(r->in.where, err, "expected directed or undirected, found '%s'",
                             scan_show(r->in.field).text);
    return STATUS_OK;
}

static status read_edge(reader *r, error_info *err) {
    edge_row row = {.where = r->in.here};

    CHECK(scan_field(&r->in, err));
    CHECK(find_node(r, &row.pair.a, err));
    CHECK(scan_comma(&r->in, "the node that the edge leads to", err));
    CHECK(scan_field(&r->in, err));
    CHECK(find_node(r, &row.pair.b, err));
    if (row.pair.a == row.pair.b)
        CHECK(scan_complain(r->in.where, err, "expected another node than '%s', which the edge comes from",
                            scan_show(r->in.field).text));
    CHECK(scan_comma(&r->in, "directed or undirected", err));
    CHECK(read_type(r, &row.pair.kind, err));
    CHECK(scan_row_end(&r->in, err));
    return ARRAY_PUSH(r->edges, r->n_edges, r->edges_capacity, err, row);
}

/* ---- the graph ---- */

static size_t low_end(const edge_row *row) {
    return row->pair.a < row->pair.b ? row->pair.a : row->pair.b;
}

static size_t high_end(const edge_row *row) {
    return row->pair.a < row->pair.b ? row->pair.b : row->pair.a;
}

/* By pair, and edges of one pair by line. */
static int compare_rows(const void *a, const void *b) {
    const edge_row *x = a, *y = b;
    if (low_end(x) != low_end(y))
        return low_end(x) < low_end(y) ? -1 : 1;
    if (high_end(x) != high_end(y))
        return high_end(x) < high_end(y) ? -1 : 1;
    return (x->where.line > y->where.line) - (x->where.line < y->where.line);
}

/* Sorts the rows. Of all second edges of a pair the message names the first in the file. */
static status check_pairs(reader *r, error_info *err) {
    const edge_row *repeat = NULL;
    if (r->n_edges > 1)
        qsort(r->edges, r->n_edges, sizeof *r->edges, compare_rows);
    for (size_t k = 1; k < r->n_edges; k++) {
        const edge_row *row = &r->edges[k];
        if (low_end(row) == low_end(row - 1) && high_end(row) == high_end(row - 1) &&
            (!repeat || row->where.line < repeat->where.line))
            repeat = row;
    }
    if (!repeat)
        return STATUS_OK;
    return scan_complain(repeat->where, err,
                         "expected one edge between '%s' and '%s', directed or undirected, found a second "
                         "(the one before is on line %zu)",
                         scan_show(r->names[repeat->pair.a]).text, scan_show(r->names[repeat->pair.b]).text,
                         repeat[-1].where.line);
}

static status build(reader *r, pdag **out, error_info *err) {
    AUTO_FREE pdag_pair *pairs = calloc(r->n_edges + 1, sizeof *pairs);
    CHECK_ALLOC(pairs);
    CHECK(check_pairs(r, err));
    for (size_t k = 0; k < r->n_edges; k++)
        pairs[k] = r->edges[k].pair;
    return pdag_from_pairs(r->n_names, pairs, r->n_edges, out, err);
}

/* The graph must be of the kind that the file says. */
static status check_kind(const reader *r, const pdag *g, error_info *err) {
    AUTO_PTR(dag_destroy) dag *as_dag = NULL;
    error_info why = {0};
    status st;
    if (r->has_kind && r->kind == GRAPH_SKELETON && pdag_directed_count(g) > 0)
        return scan_complain(r->kind_place, err,
                             "expected a kind that the graph is of, found 'skeleton': %zu of %zu "
                             "edges are directed",
                             pdag_directed_count(g), pdag_edge_count(g));
    if (!r->has_kind || r->kind != GRAPH_DAG)
        return STATUS_OK;
    st = pdag_to_dag(g, &as_dag, &why);
    if (st == STATUS_INVALID)
        return scan_complain(r->kind_place, err, "expected a kind that the graph is of, found 'dag': %s", why.message);
    return st == STATUS_OK ? st : error_set(err, st, "%s", why.message);
}

static void reader_destroy(reader *r) {
    if (!r)
        return;
    texts_destroy(r->names, r->n_names);
    free(r->listed);
    free(r->edges);
    name_index_destroy(r->index);
    free(r);
}
AUTO_PTR_OF(reader, reader_destroy)

static status read_all(reader *r, error_info *err) {
    CHECK(scan_check_characters(r->in.at, (size_t)(r->in.end - r->in.at), err));
    if (scan_is_at_word(&r->in, "\xEF\xBB\xBF"))
        r->in.at += 3;
    CHECK(skip_to_row(r, true, err));
    CHECK(read_header(r, err));
    CHECK(skip_to_row(r, false, err));
    while (!scan_is_at_end(&r->in)) {
        CHECK(read_edge(r, err));
        CHECK(skip_to_row(r, false, err));
    }
    return STATUS_OK;
}

status graph_parse_csv(const char *text, size_t length, const char *const *names, size_t n_names, named_graph *out,
                       error_info *err) {
    AUTO_PTR(reader_destroy) reader *r = calloc(1, sizeof *r);
    AUTO_PTR(pdag_destroy) pdag *graph = NULL;

    CHECK_ALLOC(r);
    r->in.at = length > 0 ? text : "";
    r->in.end = r->in.at + length;
    r->in.here = (scan_place){1, 1};
    CHECK(name_index_create(names ? n_names : 64, &r->index, err));
    CHECK(take_given_names(r, names, n_names, err));
    CHECK(read_all(r, err));
    CHECK(build(r, &graph, err));
    CHECK(check_kind(r, graph, err));
    *out = (named_graph){.n_nodes = r->n_names,
                         .names = TAKE(r->names),
                         .graph = TAKE(graph),
                         .lists_nodes = r->has_list,
                         .has_kind = r->has_kind,
                         .kind = r->kind};
    return STATUS_OK;
}
