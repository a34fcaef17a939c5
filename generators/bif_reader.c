/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The statements of a BIF file, in one pass over the text. */
#include "generators/bif.h"

#include "core/decimal.h"
#include "core/file.h"
#include "generators/bif_reader_internal.h"

#include <stdlib.h>
#include <string.h>

#define FILE_MOST ((size_t)1 << 30)
#define FREE_CELLS ((uint64_t)1 << 24)

enum { CELLS_A_BYTE = 64 };

static const char *shown_name(const bif_node *node, char shown[BIF_SHOWN_SIZE]) {
    return bif_show(node->name, strlen(node->name), shown);
}

/* ---- network NAME { ... } ---- */

static status read_properties(bif_cursor *c, const char *of, error_info *err) {
    status st = STATUS_OK;
    while (bif_peek(c) != '}') {
        bif_word word;
        TRY(bif_read_word(c, of, &word, err));
        if (!bif_word_is(&word, "property")) {
            st = bif_expected(c, word.at, of, err);
            goto cleanup;
        }
        TRY(bif_skip_property(c, err));
    }
    c->at++;
cleanup:
    return st;
}

static status read_network(bif_reader *reader, error_info *err) {
    bif_cursor *c = &reader->cursor;
    bif_word word;
    status st = STATUS_OK;
    TRY(bif_read_word(c, "'network' at the top", &word, err));
    if (!bif_word_is(&word, "network")) {
        st = bif_expected(c, word.at, "'network' at the top", err);
        goto cleanup;
    }
    if (bif_peek(c) != '{')
        TRY(bif_read_word(c, "the name of the network", &reader->network, err));
    TRY(bif_expect(c, '{', "the name of the network", err));
    TRY(read_properties(c, "'property' or '}'", err));
cleanup:
    return st;
}

/* ---- variable NAME { type discrete [ n ] { state, ... }; } ---- */

static status add_state(const bif_cursor *c, bif_node *node, const bif_word *state, error_info *err) {
    char shown[BIF_SHOWN_SIZE], shown_state[BIF_SHOWN_SIZE];
    if (node->states.n == VARIABLE_MAX_STATES)
        return bif_error(c, state->at, err, "variable '%s' has more than %u states", shown_name(node, shown),
                         VARIABLE_MAX_STATES);
    if (text_set_find(&node->states, state->text, state->length) != NAME_NONE)
        return bif_error(c, state->at, err, "variable '%s' has the state '%s' twice", shown_name(node, shown),
                         bif_show(state->text, state->length, shown_state));
    return text_set_add(&node->states, state->text, state->length, err);
}

static status read_states(bif_cursor *c, bif_node *node, error_info *err) {
    status st = STATUS_OK;
    TRY(bif_expect(c, '{', "the number of states", err));
    for (;;) {
        bif_word state;
        TRY(bif_read_state(c, &state, err));
        TRY(add_state(c, node, &state, err));
        if (bif_peek(c) == '}')
            break;
        TRY(bif_expect(c, ',', "a state", err));
    }
    c->at++;
cleanup:
    return st;
}

static bool is_whole_number(const bif_word *word) {
    for (size_t i = 0; i < word->length; i++) {
        if (word->text[i] < '0' || word->text[i] > '9')
            return false;
    }
    return true;
}

/* The declared number of states; STATUS_PARSE unless it is a whole number from 1 up. */
static status read_state_count(bif_cursor *c, const char **at, double *declared, error_info *err) {
    char shown[BIF_SHOWN_SIZE];
    bif_word word;
    status st = STATUS_OK;
    TRY(bif_expect(c, '[', "'type discrete'", err));
    TRY(bif_read_word(c, "the number of states", &word, err));
    if (!is_whole_number(&word) || !decimal_is_number(word.text, word.text + word.length, declared) || *declared < 1) {
        st = bif_error(c, word.at, err, "expected the number of states, found '%s'",
                       bif_show(word.text, word.length, shown));
        goto cleanup;
    }
    *at = word.at;
    TRY(bif_expect(c, ']', "the number of states", err));
cleanup:
    return st;
}

static status read_type(bif_cursor *c, bif_node *node, const char *at, error_info *err) {
    char shown[BIF_SHOWN_SIZE];
    const char *count_at = NULL;
    double declared = 0;
    bif_word word;
    status st = STATUS_OK;
    if (node->states.n > 0)
        return bif_error(c, at, err, "a second type of variable '%s'", shown_name(node, shown));
    TRY(bif_read_word(c, "'discrete'", &word, err));
    if (!bif_word_is(&word, "discrete")) {
        st = bif_expected(c, word.at, "'discrete', the only type that is read,", err);
        goto cleanup;
    }
    TRY(read_state_count(c, &count_at, &declared, err));
    TRY(read_states(c, node, err));
    if ((double)node->states.n != declared)
        st = bif_error(c, count_at, err, "variable '%s' declares %.17g states and lists %zu", shown_name(node, shown),
                       declared, node->states.n);
    else
        st = bif_expect(c, ';', "the states", err);
cleanup:
    return st;
}

static status read_variable_body(bif_cursor *c, bif_node *node, error_info *err) {
    static const char expected[] = "'type', 'property' or '}'";
    char shown[BIF_SHOWN_SIZE];
    status st = STATUS_OK;
    TRY(bif_expect(c, '{', "the name of the variable", err));
    while (bif_peek(c) != '}') {
        bif_word word;
        TRY(bif_read_word(c, expected, &word, err));
        if (bif_word_is(&word, "type"))
            TRY(read_type(c, node, word.at, err));
        else if (bif_word_is(&word, "property"))
            TRY(bif_skip_property(c, err));
        else
            TRY(bif_expected(c, word.at, expected, err));
    }
    if (node->states.n == 0)
        st = bif_error(c, c->at, err, "expected 'type' of variable '%s', found '}'", shown_name(node, shown));
    else
        c->at++;
cleanup:
    return st;
}

static status add_node(bif_reader *reader, const bif_word *word, bif_node **out, error_info *err) {
    void *nodes = reader->nodes;
    size_t earlier;
    char shown[BIF_SHOWN_SIZE];
    bif_node *node;
    status st = bif_grow(&nodes, reader->n_nodes, &reader->capacity, sizeof *reader->nodes, err);
    reader->nodes = nodes;
    if (st != STATUS_OK)
        return st;
    node = &reader->nodes[reader->n_nodes];
    *node = (bif_node){.name = text_copy_n(word->text, word->length), .declared_at = word->at};
    if (!node->name)
        return error_out_of_memory(err);
    st = name_index_add(reader->index, node->name, reader->n_nodes++, &earlier, err);
    if (st == STATUS_OK && earlier != NAME_NONE)
        st = bif_error(&reader->cursor, word->at, err, "a second variable named '%s'", shown_name(node, shown));
    if (st == STATUS_OK && word->length == 0)
        st = bif_error(&reader->cursor, word->at, err, "expected the name of a variable, found an empty one");
    *out = node;
    return st;
}

static status read_variable(bif_reader *reader, error_info *err) {
    bif_word word;
    bif_node *node = NULL;
    status st = STATUS_OK;
    TRY(bif_read_word(&reader->cursor, "the name of a variable", &word, err));
    TRY(add_node(reader, &word, &node, err));
    TRY(read_variable_body(&reader->cursor, node, err));
cleanup:
    return st;
}

/* ---- the file ---- */

static status read_statement(bif_reader *reader, error_info *err) {
    static const char expected[] = "'variable' or 'probability'";
    bif_word word;
    status st = bif_read_word(&reader->cursor, expected, &word, err);
    if (st != STATUS_OK)
        return st;
    if (bif_word_is(&word, "variable"))
        return read_variable(reader, err);
    if (bif_word_is(&word, "probability"))
        return bif_read_block(reader, reader->cursor.at, true, err);
    return bif_expected(&reader->cursor, word.at, expected, err);
}

static status read_deferred(bif_reader *reader, error_info *err) {
    for (size_t i = 0; i < reader->n_deferred; i++) {
        status st;
        reader->cursor.at = reader->deferred[i];
        st = bif_read_block(reader, reader->deferred[i], false, err);
        if (st != STATUS_OK)
            return st;
    }
    return STATUS_OK;
}

static status read_file(bif_reader *reader, error_info *err) {
    bif_cursor *c = &reader->cursor;
    const char *nul = memchr(c->text, '\0', (size_t)(c->end - c->text));
    status st = STATUS_OK;
    if (nul)
        return bif_error(c, nul, err, "expected text, found a NUL byte");
    TRY(read_network(reader, err));
    while (bif_peek(c) || c->open_comment) {
        if (c->open_comment)
            TRY(bif_error(c, c->open_comment, err, "expected '*/' behind this comment, found the end of the file"));
        TRY(read_statement(reader, err));
    }
    if (reader->n_nodes == 0)
        TRY(bif_expected(c, c->at, "a variable", err));
    TRY(read_deferred(reader, err));
cleanup:
    return st;
}

/* ---- the network ---- */

static status check_blocks(const bif_reader *reader, error_info *err) {
    char shown[BIF_SHOWN_SIZE];
    for (size_t i = 0; i < reader->n_nodes; i++) {
        const bif_node *node = &reader->nodes[i];
        if (!node->block_at)
            return bif_error(&reader->cursor, node->declared_at, err,
                             "expected a probability block for variable '%s', found none", shown_name(node, shown));
    }
    return STATUS_OK;
}

/* Walks up from a node that is left over, always to a parent that is left over: some node comes twice. */
static status report_cycle(const bif_reader *reader, const size_t *waits, error_info *err) {
    char shown[BIF_SHOWN_SIZE], shown_parent[BIF_SHOWN_SIZE];
    size_t at = 0;
    while (waits[at] == 0)
        at++;
    for (size_t step = 0; step <= reader->n_nodes; step++) {
        const bif_node *node = &reader->nodes[at];
        size_t p = 0;
        while (waits[node->parents[p]] == 0)
            p++;
        if (step == reader->n_nodes) /* on the cycle by now */
            return bif_error(&reader->cursor, node->block_at, err, "the arc '%s' -> '%s' closes a cycle",
                             shown_name(&reader->nodes[node->parents[p]], shown_parent), shown_name(node, shown));
        at = node->parents[p];
    }
    return STATUS_OK;
}

/* Children of every node, as offsets into one list. */
static status list_children(const bif_reader *reader, size_t *first, size_t **children, error_info *err) {
    size_t n_arcs = 0, *list;
    for (size_t i = 0; i < reader->n_nodes; i++) {
        for (size_t p = 0; p < reader->nodes[i].n_parents; p++)
            first[reader->nodes[i].parents[p] + 2]++;
        n_arcs += reader->nodes[i].n_parents;
    }
    for (size_t i = 2; i < reader->n_nodes + 2; i++)
        first[i] += first[i - 1];
    list = calloc(n_arcs + 1, sizeof *list);
    if (!list)
        return error_out_of_memory(err);
    for (size_t i = 0; i < reader->n_nodes; i++) {
        for (size_t p = 0; p < reader->nodes[i].n_parents; p++)
            list[first[reader->nodes[i].parents[p] + 1]++] = i;
    }
    *children = list;
    return STATUS_OK;
}

/* Parents before children (Kahn 1962): O(nodes + arcs), where arcs added one by one would each search for a cycle. */
static status order_nodes(const bif_reader *reader, size_t *order, error_info *err) {
    size_t n = reader->n_nodes, n_ordered = 0;
    size_t *waits = calloc(n, sizeof *waits);
    size_t *first = calloc(n + 2, sizeof *first), *children = NULL;
    status st = STATUS_OK;
    TRY_ALLOC(waits);
    TRY_ALLOC(first);
    TRY(list_children(reader, first, &children, err));
    for (size_t i = 0; i < n; i++) {
        waits[i] = reader->nodes[i].n_parents;
        if (waits[i] == 0)
            order[n_ordered++] = i;
    }
    for (size_t next = 0; next < n_ordered; next++) {
        for (size_t c = first[order[next]]; c < first[order[next] + 1]; c++) {
            if (--waits[children[c]] == 0)
                order[n_ordered++] = children[c];
        }
    }
    if (n_ordered < n)
        st = report_cycle(reader, waits, err);
cleanup:
    free(waits);
    free(first);
    free(children);
    return st;
}

static status move_table(bif_node *node, bayes_net *net, size_t i, error_info *err) {
    status st = bayes_net_set_parents(net, i, node->parents, node->n_parents, err);
    if (st != STATUS_OK)
        return st;
    memcpy(bayes_net_build_table(net, i), node->table, node->q * node->states.n * sizeof *node->table);
    free(node->table);
    node->table = NULL;
    return STATUS_OK;
}

static status build_network(bif_reader *reader, const char *name, bayes_net **out, error_info *err) {
    size_t n = reader->n_nodes, *order = NULL;
    variable *variables = NULL; /* shallow */
    bayes_net *net = NULL;
    status st = STATUS_OK;
    TRY_ALLOC(order = calloc(n, sizeof *order));
    TRY_ALLOC(variables = calloc(n, sizeof *variables));
    TRY(order_nodes(reader, order, err));
    for (size_t i = 0; i < n; i++)
        variables[i] = (variable){reader->nodes[i].name, VARIABLE_DISCRETE, reader->nodes[i].states.n,
                                  reader->nodes[i].states.texts};
    TRY(bayes_net_create(name, variables, n, &net, err));
    for (size_t i = 0; i < n; i++)
        TRY(move_table(&reader->nodes[order[i]], net, order[i], err));
    TRY(bayes_net_validate(net, err));
    *out = net;
    net = NULL;
cleanup:
    bayes_net_destroy(net);
    free(variables);
    free(order);
    return st;
}

static void reader_clear(bif_reader *reader) {
    for (size_t i = 0; i < reader->n_nodes; i++) {
        free(reader->nodes[i].name);
        text_set_clear(&reader->nodes[i].states);
        free(reader->nodes[i].parents);
        free(reader->nodes[i].table);
    }
    free(reader->nodes);
    free(reader->deferred);
    name_index_destroy(reader->index);
}

static char *network_name(const bif_reader *reader, const char *name) {
    const bif_word *word = &reader->network;
    if (word->length == 0 || bif_word_is(word, "unknown"))
        return text_copy(name);
    return text_copy_n(word->text, word->length);
}

status bif_parse_with(const bif_options *options, const char *text, size_t length, const char *name, bayes_net **out,
                      size_t *n_scaled, error_info *err) {
    size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* a byte order mark */
    bif_reader reader = {.cursor = {.text = text + mark, .at = text + mark, .end = text + length},
                         .options = *options,
                         .cells_left = FREE_CELLS + (uint64_t)length * CELLS_A_BYTE};
    char *own_name = NULL;
    status st = STATUS_OK;
    TRY(name_index_create(0, &reader.index, err));
    TRY(read_file(&reader, err));
    TRY(check_blocks(&reader, err));
    TRY_ALLOC(own_name = network_name(&reader, name));
    TRY(build_network(&reader, own_name, out, err));
    if (n_scaled)
        *n_scaled = reader.n_scaled;
cleanup:
    free(own_name);
    reader_clear(&reader);
    return st;
}

status bif_parse(const char *text, size_t length, const char *name, bayes_net **out, size_t *n_scaled, error_info *err) {
    return bif_parse_with(&(bif_options){0}, text, length, name, out, n_scaled, err);
}

/* "asia" of "networks/asia.bif.gz". */
static char *name_of_file(const char *path) {
    const char *base = strcmp(path, "-") == 0 ? "stdin" : path_base(path);
    size_t length = strlen(base);
    if (path_ends_with(base, ".gz"))
        length -= 3;
    if (length > 4 && strncmp(base + length - 4, ".bif", 4) == 0)
        length -= 4;
    return text_copy_n(base, length);
}

status bif_read(const char *path, bayes_net **out, size_t *n_scaled, error_info *err) {
    char *text = NULL, *name = NULL;
    size_t length;
    status st = STATUS_OK;
    TRY(file_read(path, FILE_MOST, &text, &length, err));
    TRY_ALLOC(name = name_of_file(path));
    TRY(bif_parse(text, length, name, out, n_scaled, err));
cleanup:
    if (st != STATUS_OK)
        error_context(err, "%.300s", path);
    free(text);
    free(name);
    return st;
}
