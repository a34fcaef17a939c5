/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conditions on facts of networks and the sample size:
 *
 *     condition ("and" condition)*        condition: name relation number
 */
#include "runner/declare/declare_internal.h"

#include "core/base/array.h"
#include "runner/declare/fields_internal.h"

#include <ctype.h>
#include <string.h>

enum { MOST_WORD = 40 };

/* The text and how much of it is read. */
typedef struct {
    const yaml_node *node;
    const char *at;
    char word[MOST_WORD + 1]; /* the last that was taken; longer ones are cut, and then known to nobody */
} reader;

static bool is_relation_sign(char c) {
    return c && strchr("<>=!", c);
}

/* A run of signs of relations, or of anything else up to a blank or such a sign. Empty at the end. */
static const char *take_word(reader *r) {
    size_t n = 0, kept;
    bool has_signs;
    while (isspace((unsigned char)*r->at))
        r->at++;
    has_signs = is_relation_sign(*r->at);
    while (r->at[n] && !isspace((unsigned char)r->at[n]) && is_relation_sign(r->at[n]) == has_signs)
        n++;
    kept = n < MOST_WORD ? n : MOST_WORD;
    memcpy(r->word, r->at, kept);
    r->word[kept] = '\0';
    r->at += n;
    return r->word;
}

/* "if is 'nodes >> 3': expected ... after 'nodes', found '>>'"; what was read before ends where the word begins. */
static status wrong(const reader *r, const char *expected, error_info *err) {
    const char *text = r->node->text;
    size_t n = (size_t)(r->at - text) - strlen(r->word);
    char found[MOST_WORD + 16] = "nothing more";
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        n--;
    if (*r->word)
        (void)snprintf(found, sizeof found, "'%s'", r->word);
    return n ? yaml_fail(r->node, err, "if: expected %s after '%.*s', found %s", expected, (int)(n < 200 ? n : 200),
                         text, found)
             : yaml_fail(r->node, err, "if: expected %s, found %s", expected, found);
}

static status unknown_fact(const reader *r, error_info *err) {
    const char *names[2 * NETWORK_FACT_COUNT + 1] = {"samples"};
    size_t n = 1;
    char hint[400];
    for (size_t i = 0; i < NETWORK_FACT_COUNT; i++) {
        const network_fact *f = network_fact_at(i);
        if (f->plain)
            names[n++] = f->plain;
        names[n++] = f->name;
    }
    return yaml_fail(r->node, err, "if: '%s' is no fact of a network%s", r->word,
                     field_suggestion(r->word, names, n, hint, sizeof hint));
}

static status read_fact(reader *r, fact_condition *c, error_info *err) {
    const char *word = take_word(r);
    if (!isalpha((unsigned char)*word))
        return wrong(r, "a fact such as nodes, edges, states_max or samples", err);
    c->fact = network_fact_find(word);
    return c->fact || strcmp(word, "samples") == 0 ? STATUS_OK : unknown_fact(r, err);
}

static status read_relation(reader *r, fact_condition *c, error_info *err) {
    static const char *const signs[] = {
        [FACT_AT_LEAST] = ">=", [FACT_ABOVE] = ">", [FACT_AT_MOST] = "<=", [FACT_BELOW] = "<", [FACT_EQUAL] = "="};
    const char *word = take_word(r);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (strcmp(signs[i], word) == 0) {
            c->relation = (fact_relation)i;
            return STATUS_OK;
        }
    }
    return wrong(r, "one of >=, >, <=, < and =", err);
}

static status read_number(reader *r, fact_condition *c, error_info *err) {
    return text_to_double(take_word(r), &c->number) ? STATUS_OK : wrong(r, "a number", err);
}

status declare_read_conditions(const yaml_node *node, fact_condition **out, size_t *n, error_info *err) {
    reader r = {.node = node};
    const char *word;
    CHECK(field_text(node, "if", &r.at, err));
    do {
        fact_condition c = {0};
        if (*n == MOST_CONDITIONS)
            return yaml_fail(node, err, "if has more than %d conditions", MOST_CONDITIONS);
        CHECK(read_fact(&r, &c, err));
        CHECK(read_relation(&r, &c, err));
        CHECK(read_number(&r, &c, err));
        CHECK(ARRAY_APPEND(*out, *n, err, c));
        word = take_word(&r);
    } while (strcmp(word, "and") == 0);
    if (strcmp(word, "or") == 0)
        return yaml_fail(node, err, "if: there is no 'or'; write what holds of other cells as an entry of its own");
    return *word ? wrong(&r, "'and' or the end", err) : STATUS_OK;
}
