/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The statements of a BIF file, in one pass over the text. */
#include "generators/networks/bif.h"

#include "core/base/array.h"
#include "core/base/decimal.h"
#include "core/base/file.h"
#include "generators/networks/bif_reader_internal.h"
#include "generators/networks/network_format.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FREE_CELLS ((uint64_t)1 << 24)

enum { CELLS_A_BYTE = 64 };

/* ---- network NAME { ... } ---- */

static status read_properties(bif_cursor *c, const char *of, error_info *err) {
    while (bif_peek(c) != '}') {
        bif_word word;
        CHECK(bif_read_word(c, of, &word, err));
        if (!bif_word_is(&word, "property"))
            return bif_expected(c, word.at, of, err);
        CHECK(bif_skip_property(c, err));
    }
    c->at++;
    return STATUS_OK;
}

static status read_network(bif_reader *reader, error_info *err) {
    bif_cursor *c = &reader->cursor;
    bif_word word;
    CHECK(bif_read_word(c, "'network' at the top", &word, err));
    if (!bif_word_is(&word, "network"))
        return bif_expected(c, word.at, "'network' at the top", err);
    if (bif_peek(c) != '{')
        CHECK(bif_read_word(c, "the name of the network", &reader->network, err));
    CHECK(bif_expect(c, '{', "the name of the network", err));
    return read_properties(c, "'property' or '}'", err);
}

/* ---- variable NAME { type discrete [ n ] { state, ... }; } ---- */

static status add_state(const bif_cursor *c, bif_node *node, const bif_word *state, error_info *err) {
    char shown[TEXT_SHOWN_SIZE], shown_state[TEXT_SHOWN_SIZE];
    if (node->states.n == VARIABLE_MAX_STATES)
        return bif_error(c, state->at, err, "variable '%s' has more than %u states", bif_shown_name(node, shown),
                         VARIABLE_MAX_STATES);
    if (text_set_find(&node->states, state->text, state->length) != NAME_NONE)
        return bif_error(c, state->at, err, "variable '%s' has the state '%s' twice", bif_shown_name(node, shown),
                         text_show(state->text, state->length, shown_state));
    return text_set_add(&node->states, state->text, state->length, err);
}

static status read_states(bif_cursor *c, bif_node *node, error_info *err) {
    CHECK(bif_expect(c, '{', "the number of states", err));
    for (;;) {
        bif_word state;
        CHECK(bif_read_state(c, &state, err));
        CHECK(add_state(c, node, &state, err));
        if (bif_peek(c) == '}')
            break;
        CHECK(bif_expect(c, ',', "a state", err));
    }
    c->at++;
    return STATUS_OK;
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
    char shown[TEXT_SHOWN_SIZE];
    bif_word word;
    CHECK(bif_expect(c, '[', "'type discrete'", err));
    CHECK(bif_read_word(c, "the number of states", &word, err));
    if (!is_whole_number(&word) || !decimal_is_number(word.text, word.text + word.length, declared) || *declared < 1)
        return bif_error(c, word.at, err, "expected the number of states, found '%s'",
                         text_show(word.text, word.length, shown));
    *at = word.at;
    return bif_expect(c, ']', "the number of states", err);
}

static status read_type(bif_cursor *c, bif_node *node, const char *at, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    const char *count_at = NULL;
    double declared = 0;
    bif_word word;
    if (node->states.n > 0)
        return bif_error(c, at, err, "a second type of variable '%s'", bif_shown_name(node, shown));
    CHECK(bif_read_word(c, "'discrete'", &word, err));
    if (!bif_word_is(&word, "discrete"))
        return bif_expected(c, word.at, "'discrete', the only type that is read,", err);
    CHECK(read_state_count(c, &count_at, &declared, err));
    CHECK(read_states(c, node, err));
    if ((double)node->states.n != declared)
        return bif_error(c, count_at, err, "variable '%s' declares %.17g states and lists %zu",
                         bif_shown_name(node, shown), declared, node->states.n);
    return bif_expect(c, ';', "the states", err);
}

static status read_variable_body(bif_cursor *c, bif_node *node, error_info *err) {
    static const char expected[] = "'type', 'property' or '}'";
    char shown[TEXT_SHOWN_SIZE];
    assert(node);
    CHECK(bif_expect(c, '{', "the name of the variable", err));
    while (bif_peek(c) != '}') {
        bif_word word;
        CHECK(bif_read_word(c, expected, &word, err));
        if (bif_word_is(&word, "type"))
            CHECK(read_type(c, node, word.at, err));
        else if (bif_word_is(&word, "property"))
            CHECK(bif_skip_property(c, err));
        else
            CHECK(bif_expected(c, word.at, expected, err));
    }
    if (node->states.n == 0)
        return bif_error(c, c->at, err, "expected 'type' of variable '%s', found '}'", bif_shown_name(node, shown));
    c->at++;
    return STATUS_OK;
}

static status add_node(bif_reader *reader, const bif_word *word, bif_node **out, error_info *err) {
    size_t earlier;
    char shown[TEXT_SHOWN_SIZE];
    bif_node *node;
    CHECK(ARRAY_ROOM(reader->nodes, reader->n_nodes, reader->capacity, err));
    node = &reader->nodes[reader->n_nodes];
    *node = (bif_node){.name = text_copy_n(word->text, word->length), .declared_at = word->at};
    CHECK_ALLOC(node->name);
    CHECK(name_index_add(reader->index, node->name, reader->n_nodes++, &earlier, err));
    if (earlier != NAME_NONE)
        return bif_error(&reader->cursor, word->at, err, "a second variable named '%s'", bif_shown_name(node, shown));
    if (word->length == 0)
        return bif_error(&reader->cursor, word->at, err, "expected the name of a variable, found an empty one");
    *out = node;
    return STATUS_OK;
}

static status read_variable(bif_reader *reader, error_info *err) {
    bif_word word;
    bif_node *node = NULL;
    CHECK(bif_read_word(&reader->cursor, "the name of a variable", &word, err));
    CHECK(add_node(reader, &word, &node, err));
    return read_variable_body(&reader->cursor, node, err);
}

/* ---- the file ---- */

static status read_statement(bif_reader *reader, error_info *err) {
    static const char expected[] = "'variable' or 'probability'";
    bif_word word;
    CHECK(bif_read_word(&reader->cursor, expected, &word, err));
    if (bif_word_is(&word, "variable"))
        return read_variable(reader, err);
    if (bif_word_is(&word, "probability"))
        return bif_read_block(reader, reader->cursor.at, true, err);
    return bif_expected(&reader->cursor, word.at, expected, err);
}

static status read_deferred(bif_reader *reader, error_info *err) {
    for (size_t i = 0; i < reader->n_deferred; i++) {
        reader->cursor.at = reader->deferred[i];
        CHECK(bif_read_block(reader, reader->deferred[i], false, err));
    }
    return STATUS_OK;
}

static status read_file(bif_reader *reader, error_info *err) {
    bif_cursor *c = &reader->cursor;
    const char *nul = memchr(c->text, '\0', (size_t)(c->end - c->text));
    if (nul)
        return bif_error(c, nul, err, "expected text, found a NUL byte");
    CHECK(read_network(reader, err));
    while (bif_peek(c) || c->open_comment) {
        if (c->open_comment)
            CHECK(bif_error(c, c->open_comment, err, "expected '*/' behind this comment, found the end of the file"));
        CHECK(read_statement(reader, err));
    }
    if (reader->n_nodes == 0)
        CHECK(bif_expected(c, c->at, "a variable", err));
    return read_deferred(reader, err);
}

/* ---- the whole ---- */

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
    AUTO(reader_clear)
    bif_reader reader = {.cursor = {.text = text + mark, .at = text + mark, .end = text + length},
                         .options = *options,
                         .cells_left = FREE_CELLS + (uint64_t)length * CELLS_A_BYTE};
    AUTO_FREE char *own_name = NULL;
    CHECK(name_index_create(0, &reader.index, err));
    CHECK(read_file(&reader, err));
    CHECK_ALLOC(own_name = network_name(&reader, name));
    CHECK(bif_build(&reader, own_name, out, err));
    if (n_scaled)
        *n_scaled = reader.n_scaled;
    return STATUS_OK;
}

status bif_parse(const char *text, size_t length, const char *name, bayes_net **out, size_t *n_scaled,
                 error_info *err) {
    return bif_parse_with(&(bif_options){0}, text, length, name, out, n_scaled, err);
}

status bif_read(const char *path, bayes_net **out, size_t *n_scaled, error_info *err) {
    AUTO_FREE char *text = NULL, *name = path_name(path, ".bif");
    size_t length;
    status st = name ? file_read(path, FILE_READ_MOST, &text, &length, err) : error_out_of_memory(err);
    if (st == STATUS_OK)
        st = bif_parse(text, length, name, out, n_scaled, err);
    return error_at(st, err, path);
}

/* ---- as a format ---- */

static status parse_any(const char *text, size_t length, const char *name, any_network *out, size_t *n_scaled,
                        error_info *err) {
    return bif_parse(text, length, name, &out->tables, n_scaled, err);
}

static void append_any(const any_network *net, text_buffer *out) {
    bif_append(net->tables, NULL, out);
}

const network_format network_format_bif = {
    .name = "bif", .title = "BIF", .is_of_tables = true, .parse = parse_any, .append = append_any};
