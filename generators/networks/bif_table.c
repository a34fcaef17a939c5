/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of a probability block. Rows are matched by their state names, not by their place. */
#include "generators/networks/bif_reader_internal.h"
#include "generators/networks/network_draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One block while it is read. */
typedef struct {
    bif_reader *reader;
    bif_cursor *cursor;
    bif_node *node;
    unsigned char *seen; /* by configuration */
    size_t n_seen;
    size_t *states;   /* of the parents in the last row */
    double *fallback; /* the default row; NULL without one */
} block;

static void block_clear(block *b) {
    free(b->seen);
    free(b->states);
    free(b->fallback);
}

/* ---- rows of numbers ---- */

/* n numbers with or without commas between them, and the semicolon. */
static status read_numbers(block *b, double *row, size_t n, error_info *err) {
    bif_cursor *c = b->cursor;
    char shown[TEXT_SHOWN_SIZE];
    for (size_t k = 0; k < n; k++) {
        if (k > 0 && bif_peek(c) == ',')
            c->at++;
        if (bif_peek(c) == ';')
            return bif_error(c, c->at, err, "expected %zu probabilities for '%s', found ';' after %zu", n,
                             bif_shown_name(b->node, shown), k);
        CHECK(bif_read_probability(c, &row[k], err));
    }
    if (bif_peek(c) != ';') {
        char what[TEXT_SHOWN_SIZE + 64];
        (void)snprintf(what, sizeof what, "';' after %zu probabilities for '%s'", n, bif_shown_name(b->node, shown));
        return bif_expected(c, c->at, what, err);
    }
    c->at++;
    return STATUS_OK;
}

static status scale_row(block *b, const char *at, double *row, error_info *err) {
    size_t r = b->node->states.n;
    char shown[TEXT_SHOWN_SIZE];
    double sum;
    if (!network_row_scale(row, r, &sum, &b->reader->n_scaled))
        return bif_error(b->cursor, at, err, "a row of '%s' sums to %.10g; expected one, within %g",
                         bif_shown_name(b->node, shown), sum, NETWORK_ROW_REFUSED_FROM);
    return STATUS_OK;
}

static status read_row(block *b, const char *at, double *row, error_info *err) {
    CHECK(read_numbers(b, row, b->node->states.n, err));
    return scale_row(b, at, row, err);
}

static status mark_seen(block *b, const char *at, size_t configuration, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    if (b->seen[configuration] && !b->reader->options.last_row_wins)
        return bif_error(b->cursor, at, err, "a second row of '%s' for the same states of its parents",
                         bif_shown_name(b->node, shown));
    b->n_seen += !b->seen[configuration];
    b->seen[configuration] = 1;
    return STATUS_OK;
}

/* ---- (state, ...) numbers ; ---- */

/* Where the rows go on as a counter whose first wheel turns fastest, the next states are known before they are read. */
static void predict_states(block *b) {
    for (size_t p = 0; p < b->node->n_parents; p++) {
        if (++b->states[p] < b->reader->nodes[b->node->parents[p]].states.n)
            return;
        b->states[p] = 0;
    }
}

static status find_parent_state(block *b, size_t p, const bif_word *word, error_info *err) {
    const bif_node *parent = &b->reader->nodes[b->node->parents[p]];
    char shown[TEXT_SHOWN_SIZE], shown_parent[TEXT_SHOWN_SIZE];
    size_t k = b->states[p];
    if (parent->states.lengths[k] == word->length && memcmp(parent->states.texts[k], word->text, word->length) == 0)
        return STATUS_OK;
    k = text_set_find(&parent->states, word->text, word->length);
    if (k == NAME_NONE)
        return bif_error(b->cursor, word->at, err, "'%s' is not a state of '%s'",
                         text_show(word->text, word->length, shown), bif_shown_name(parent, shown_parent));
    b->states[p] = k;
    return STATUS_OK;
}

static status read_states(block *b, error_info *err) {
    predict_states(b);
    for (size_t p = 0; p < b->node->n_parents; p++) {
        bif_word word;
        if (p > 0)
            CHECK(bif_expect(b->cursor, ',', "a state of a parent", err));
        CHECK(bif_read_state(b->cursor, &word, err));
        CHECK(find_parent_state(b, p, &word, err));
    }
    return bif_expect(b->cursor, ')', "the states of the parents", err);
}

static size_t configuration_of(const block *b) {
    size_t j = 0;
    for (size_t p = b->node->n_parents; p-- > 0;)
        j = j * b->reader->nodes[b->node->parents[p]].states.n + b->states[p];
    return j;
}

static status read_labelled_row(block *b, error_info *err) {
    const char *at = b->cursor->at++; /* behind the '(' */
    char shown[TEXT_SHOWN_SIZE];
    size_t configuration;
    if (b->node->n_parents == 0)
        return bif_error(b->cursor, at, err, "expected 'table': '%s' has no parents", bif_shown_name(b->node, shown));
    CHECK(read_states(b, err));
    configuration = configuration_of(b);
    CHECK(mark_seen(b, at, configuration, err));
    return read_row(b, at, b->node->table + configuration * b->node->states.n, err);
}

/* ---- table numbers ; ---- */

/* Cell (configuration, state) of a table in which the last parent varies fastest and the child slowest. */
static size_t cell_of_last_fastest(block *b, size_t place) {
    size_t q = b->node->q, rest = place % q;
    for (size_t p = b->node->n_parents; p-- > 0;) {
        size_t r = b->reader->nodes[b->node->parents[p]].states.n;
        b->states[p] = rest % r;
        rest /= r;
    }
    return configuration_of(b) * b->node->states.n + place / q;
}

static status reorder_last_fastest(block *b, error_info *err) {
    size_t cells = b->node->q * b->node->states.n;
    double *ordered = calloc(cells, sizeof *ordered);
    CHECK_ALLOC(ordered);
    for (size_t place = 0; place < cells; place++)
        ordered[cell_of_last_fastest(b, place)] = b->node->table[place];
    free(b->node->table);
    b->node->table = ordered;
    return STATUS_OK;
}

static status read_whole_table(block *b, const char *at, error_info *err) {
    bif_node *node = b->node;
    bif_table_order order = b->reader->options.table_order;
    char shown[TEXT_SHOWN_SIZE];
    if (node->q > 1 && order == BIF_TABLE_REFUSED)
        return bif_error(b->cursor, at, err,
                         "expected rows '(state, ...) numbers': '%s' has parents, and writers disagree on the order of "
                         "numbers in 'table'",
                         bif_shown_name(node, shown));
    CHECK(read_numbers(b, node->table, node->q * node->states.n, err));
    if (node->q > 1 && order == BIF_TABLE_LAST_PARENT_FASTEST)
        CHECK(reorder_last_fastest(b, err));
    for (size_t j = 0; j < node->q; j++) {
        CHECK(mark_seen(b, at, j, err));
        CHECK(scale_row(b, at, node->table + j * node->states.n, err));
    }
    return STATUS_OK;
}

/* ---- default numbers ; ---- */

static status read_default(block *b, const char *at, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    if (b->fallback)
        return bif_error(b->cursor, at, err, "a second 'default' of '%s'", bif_shown_name(b->node, shown));
    CHECK_ALLOC(b->fallback = calloc(b->node->states.n, sizeof *b->fallback));
    return read_row(b, at, b->fallback, err);
}

static void fill_from_default(block *b) {
    size_t r = b->node->states.n;
    for (size_t j = 0; j < b->node->q; j++) {
        if (!b->seen[j])
            memcpy(b->node->table + j * r, b->fallback, r * sizeof *b->fallback);
    }
}

/* Names the first configuration that has no row. */
static status missing_row(block *b, const char *at, error_info *err) {
    char shown[TEXT_SHOWN_SIZE], states[200] = "";
    size_t j = 0, length = 0, rest;
    while (b->seen[j])
        j++;
    rest = j;
    for (size_t p = 0; p < b->node->n_parents && length < sizeof states; p++) {
        const text_set *parent = &b->reader->nodes[b->node->parents[p]].states;
        size_t k = rest % parent->n;
        rest /= parent->n;
        length += (size_t)snprintf(states + length, sizeof states - length, "%s%s", p ? ", " : "",
                                   text_show(parent->texts[k], parent->lengths[k], shown));
    }
    return bif_error(b->cursor, at, err, "expected a row of '%s' for (%s), found none (%zu of %zu rows are missing)",
                     bif_shown_name(b->node, shown), states, b->node->q - b->n_seen, b->node->q);
}

/* ---- the block ---- */

static status read_entry(block *b, error_info *err) {
    bif_word word;
    if (bif_peek(b->cursor) == '(')
        return read_labelled_row(b, err);
    CHECK(bif_read_word(b->cursor, "'table', 'default', 'property', '(' or '}'", &word, err));
    if (bif_word_is(&word, "table"))
        return read_whole_table(b, word.at, err);
    if (bif_word_is(&word, "default"))
        return read_default(b, word.at, err);
    if (bif_word_is(&word, "property"))
        return bif_skip_property(b->cursor, err);
    return bif_expected(b->cursor, word.at, "'table', 'default', 'property', '(' or '}'", err);
}

static void point_before_first(block *b) {
    for (size_t p = 0; p < b->node->n_parents; p++)
        b->states[p] = b->reader->nodes[b->node->parents[p]].states.n - 1;
}

status bif_read_table(bif_reader *reader, bif_node *node, error_info *err) {
    AUTO(block_clear) block b = {.reader = reader, .cursor = &reader->cursor, .node = node};
    const char *close;
    CHECK_ALLOC(b.seen = calloc(node->q, sizeof *b.seen));
    CHECK_ALLOC(b.states = calloc(node->n_parents + 1, sizeof *b.states));
    point_before_first(&b);
    CHECK(bif_expect(b.cursor, '{', "the names of a probability block", err));
    while (bif_peek(b.cursor) != '}')
        CHECK(read_entry(&b, err));
    close = b.cursor->at++;
    if (b.fallback)
        fill_from_default(&b);
    else if (b.n_seen < node->q)
        return missing_row(&b, close, err);
    return STATUS_OK;
}
