/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A probability block: whose table it is, given which parents, and whether it can be held. */
#include "generators/networks/bif_reader_internal.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

/* The names in the parentheses: variables by number, NAME_NONE where one is not declared (yet). */
typedef struct {
    bif_word *words;
    size_t *nodes;
    size_t n, capacity;
    bool has_bar, all_known;
} family_names;

static void family_names_clear(family_names *f) {
    free(f->words);
    free(f->nodes);
}

static const char *shown_word(const bif_word *word, char shown[TEXT_SHOWN_SIZE]) {
    return text_show(word->text, word->length, shown);
}

static status add_name(const bif_reader *reader, family_names *f, const bif_word *word, error_info *err) {
    size_t capacity = f->capacity; /* the two arrays share it */
    CHECK(ARRAY_ROOM(f->words, f->n, capacity, err));
    CHECK(ARRAY_ROOM(f->nodes, f->n, f->capacity, err));
    f->nodes[f->n] = name_index_find_n(reader->index, word->text, word->length);
    f->words[f->n] = *word;
    f->all_known = f->all_known && f->nodes[f->n] != NAME_NONE;
    f->n++;
    return STATUS_OK;
}

/* ( child | parent, ... ), and in the older form ( child, parent, ... ) */
static status read_names(bif_reader *reader, family_names *f, error_info *err) {
    bif_cursor *c = &reader->cursor;
    f->all_known = true;
    CHECK(bif_expect(c, '(', "'probability'", err));
    for (;;) {
        bif_word word;
        char next;
        CHECK(bif_read_word(c, f->n ? "the name of a parent" : "the name of a variable", &word, err));
        CHECK(add_name(reader, f, &word, err));
        next = bif_peek(c);
        if (next == ')')
            break;
        if (next == '|' && f->n == 1)
            f->has_bar = true;
        else if (next != ',' || (f->n == 1 && f->has_bar))
            return bif_expected(c, c->at, f->n == 1 ? "'|' or ')'" : "',' or ')'", err);
        c->at++;
    }
    c->at++;
    return STATUS_OK;
}

/* To behind the closing brace, without looking at what lies between. */
static status skip_block(bif_cursor *c, error_info *err) {
    CHECK(bif_expect(c, '{', "the names of a probability block", err));
    while (bif_peek(c) != '}') {
        bif_word word;
        if (c->at == c->end)
            return bif_expected(c, c->at, "'}' at the end of a probability block", err);
        if (*c->at == '"')
            CHECK(bif_read_word(c, "a word", &word, err));
        else
            c->at++;
    }
    c->at++;
    return STATUS_OK;
}

static status defer(bif_reader *reader, const char *start, error_info *err) {
    CHECK(ARRAY_PUSH(reader->deferred, reader->n_deferred, reader->deferred_capacity, err, start));
    return skip_block(&reader->cursor, err);
}

static status check_names(bif_reader *reader, const family_names *f, error_info *err) {
    const bif_cursor *c = &reader->cursor;
    char shown[TEXT_SHOWN_SIZE], shown_child[TEXT_SHOWN_SIZE];
    size_t stamp = ++reader->n_blocks;
    for (size_t i = 0; i < f->n; i++) {
        const bif_word *word = &f->words[i];
        bif_node *node;
        if (f->nodes[i] == NAME_NONE)
            return bif_error(c, word->at, err, "expected a declared variable, found '%s'", shown_word(word, shown));
        node = &reader->nodes[f->nodes[i]];
        if (i == 0 && node->block_at)
            return bif_error(c, word->at, err, "variable '%s' has a second probability block", shown_word(word, shown));
        if (i > 0 && f->nodes[i] == f->nodes[0])
            return bif_error(c, word->at, err, "variable '%s' is its own parent", shown_word(word, shown));
        if (node->stamp == stamp)
            return bif_error(c, word->at, err, "'%s' is twice a parent of '%s'", shown_word(word, shown),
                             shown_word(&f->words[0], shown_child));
        node->stamp = stamp;
    }
    return STATUS_OK;
}

/* Checked before anything is allocated: a few bytes of text could ask for any amount of memory. */
static status count_cells(bif_reader *reader, const family_names *f, uint64_t *cells, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    *cells = 1;
    for (size_t i = 0; i < f->n; i++) {
        uint64_t r = reader->nodes[f->nodes[i]].states.n;
        if (*cells > BAYES_NET_MAX_CELLS / r)
            return bif_error(&reader->cursor, f->words[0].at, err,
                             "the table of '%s' with its %zu parents has more than %llu cells, the most that is held",
                             shown_word(&f->words[0], shown), f->n - 1, (unsigned long long)BAYES_NET_MAX_CELLS);
        *cells *= r;
    }
    if (*cells > reader->cells_left)
        return bif_error(&reader->cursor, f->words[0].at, err,
                         "the table of '%s' has %llu cells, far more than a file of this size could fill",
                         shown_word(&f->words[0], shown), (unsigned long long)*cells);
    reader->cells_left -= *cells;
    return STATUS_OK;
}

static status make_family(bif_reader *reader, const family_names *f, bif_node **out, error_info *err) {
    bif_node *node = &reader->nodes[f->nodes[0]];
    uint64_t cells;
    CHECK(count_cells(reader, f, &cells, err));
    node->block_at = f->words[0].at;
    node->n_parents = f->n - 1;
    node->q = (size_t)cells / node->states.n;
    CHECK_ALLOC(node->parents = calloc(f->n, sizeof *node->parents));
    for (size_t p = 0; p < node->n_parents; p++)
        node->parents[p] = f->nodes[p + 1];
    CHECK_ALLOC(node->table = calloc((size_t)cells, sizeof *node->table));
    *out = node;
    return STATUS_OK;
}

status bif_read_block(bif_reader *reader, const char *start, bool may_defer, error_info *err) {
    AUTO(family_names_clear) family_names f = {0};
    bif_node *node = NULL;
    CHECK(read_names(reader, &f, err));
    if (may_defer && !f.all_known)
        return defer(reader, start, err);
    CHECK(check_names(reader, &f, err));
    CHECK(make_family(reader, &f, &node, err));
    return bif_read_table(reader, node, err);
}
