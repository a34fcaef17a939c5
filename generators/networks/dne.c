/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DNE, Netica's DNET-1: networks of discrete nature nodes, their tables by `probs` or `functable`. */
#include "generators/networks/format_tables_internal.h"
#include "generators/networks/name_escape.h"
#include "generators/networks/network_draft.h"
#include "generators/networks/network_format.h"
#include "generators/networks/token_reader.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

/* A node until all are declared: where its parents and its table stand. */
typedef struct {
    token parents, probs, functable, name; /* the token in front of which reading goes on; its text NULL without one */
} dne_node;

typedef struct {
    token_reader tokens;
    network_draft draft;
    dne_node *nodes;
    size_t n, capacity;
} dne_reader;

static void dne_reader_clear(dne_reader *r) {
    network_draft_clear(&r->draft);
    free(r->nodes);
}

/* Back to a token that was passed over. */
static status go_back(dne_reader *r, const token *to, error_info *err) {
    r->tokens.at = to->at;
    return token_take(&r->tokens, NULL, err);
}

/* (yes, no) */
static status read_states(dne_reader *r, error_info *err) {
    token_reader *t = &r->tokens;
    bool goes_on = true;
    CHECK(token_expect(t, "(", "'(' in front of the states", err));
    while (goes_on) {
        token state;
        CHECK(token_take_name(t, "a state", &state, err));
        CHECK(draft_add_state(&r->draft, r->draft.n - 1, token_place(t, &state), state.text, state.length, err));
        CHECK(token_skip(t, ",", &goes_on, err));
    }
    CHECK(token_expect(t, ")", "',' or ')' behind a state", err));
    return token_expect(t, ";", "';' behind the states", err);
}

static status check_kind(dne_reader *r, const token *attribute, error_info *err) {
    const token *value = &r->tokens.next;
    if (token_is(attribute, "kind") && !token_is(value, "NATURE"))
        return token_expected(&r->tokens, "'NATURE', the only kind of node that is read,", err);
    return token_skip_to(&r->tokens, ";", err);
}

static status read_attribute(dne_reader *r, size_t *numstates, error_info *err) {
    token_reader *t = &r->tokens;
    dne_node *node = &r->nodes[r->n - 1];
    token attribute;
    CHECK(token_take_name(t, "an attribute of a node or '}'", &attribute, err));
    if (token_is(&attribute, "visual")) {
        CHECK(token_take_name(t, "a name", NULL, err));
        CHECK(token_expect(t, "{", "'{'", err));
        CHECK(token_skip_to(t, "}", err));
        return token_expect(t, ";", "';'", err);
    }
    CHECK(token_expect(t, "=", "'=' behind the name of an attribute", err));
    if (token_is(&attribute, "states"))
        return read_states(r, err);
    if (token_is(&attribute, "numstates")) {
        CHECK(token_take_count(t, "the number of states", VARIABLE_MAX_STATES, numstates, err));
        return token_expect(t, ";", "';' behind the number of states", err);
    }
    if (token_is(&attribute, "parents"))
        node->parents = t->next;
    if (token_is(&attribute, "probs"))
        node->probs = t->next;
    if (token_is(&attribute, "functable"))
        node->functable = t->next;
    return check_kind(r, &attribute, err);
}

static status read_node(dne_reader *r, error_info *err) {
    token_reader *t = &r->tokens;
    token name;
    size_t numstates = 0;
    bool ignored;
    CHECK(token_take_name(t, "the name of a node", &name, err));
    CHECK(draft_add_node(&r->draft, token_place(t, &name), name.text, name.length, err));
    CHECK(ARRAY_PUSH(r->nodes, r->n, r->capacity, err, (dne_node){.name = name}));
    CHECK(token_expect(t, "{", "'{' behind the name of a node", err));
    while (!token_is(&t->next, "}"))
        CHECK(read_attribute(r, &numstates, err));
    if (r->draft.nodes[r->draft.n - 1].states.n == 0)
        CHECK(draft_number_states(&r->draft, r->draft.n - 1, token_place(t, &name), numstates, err));
    CHECK(token_take(t, NULL, err));
    return token_skip(t, ";", &ignored, err);
}

static status read_parents(dne_reader *r, size_t node, error_info *err) {
    token_reader *t = &r->tokens;
    AUTO_FREE size_t *parents = NULL;
    size_t n = 0, capacity = 0, parent;
    text_place place = token_place(t, &r->nodes[node].name);
    if (!r->nodes[node].parents.text)
        return draft_set_parents(&r->draft, node, place, NULL, 0, err);
    CHECK(go_back(r, &r->nodes[node].parents, err));
    place = token_place(t, &t->next);
    CHECK(token_expect(t, "(", "'(' in front of the parents", err));
    while (!token_is(&t->next, ")")) {
        token name;
        if (n > 0)
            CHECK(token_expect(t, ",", "',' or ')' behind a parent", err));
        CHECK(token_take_name(t, "the name of a parent", &name, err));
        CHECK(draft_find_node(&r->draft, token_place(t, &name), name.text, name.length, &parent, err));
        CHECK(ARRAY_PUSH(parents, n, capacity, err, parent));
    }
    return draft_set_parents(&r->draft, node, place, parents, n, err);
}

/* Past parentheses and commas to the next value; the parentheses are there for the eye. */
static status skip_signs(token_reader *t, error_info *err) {
    while (token_is(&t->next, "(") || token_is(&t->next, ")") || token_is(&t->next, ","))
        CHECK(token_take(t, NULL, err));
    return STATUS_OK;
}

static status read_probs(dne_reader *r, size_t node, error_info *err) {
    token_reader *t = &r->tokens;
    AUTO_FREE double *numbers = NULL;
    size_t n = 0, capacity = 0;
    text_place place;
    CHECK(go_back(r, &r->nodes[node].probs, err));
    place = token_place(t, &t->next);
    CHECK(skip_signs(t, err));
    while (!token_is(&t->next, ";")) {
        double value;
        CHECK(token_take_number(t, &value, err));
        CHECK(ARRAY_PUSH(numbers, n, capacity, err, value));
        CHECK(skip_signs(t, err));
    }
    return draft_set_table(&r->draft, node, place, numbers, n, DRAFT_CHILD_FASTEST, err);
}

/* A state by its name or by #number. */
static status read_result(dne_reader *r, size_t node, size_t *state, error_info *err) {
    token word;
    size_t n_states = r->draft.nodes[node].states.n;
    CHECK(token_take_name(&r->tokens, "a state", &word, err));
    if (word.kind == TOKEN_WORD && *word.text == '#') {
        char *end;
        *state = strtoul(word.text + 1, &end, 10);
        if (end == word.text + word.length && word.length > 1 && *state < n_states)
            return STATUS_OK;
    }
    return draft_find_state(&r->draft, node, token_place(&r->tokens, &word), word.text, word.length, state, err);
}

static status read_functable(dne_reader *r, size_t node, error_info *err) {
    token_reader *t = &r->tokens;
    AUTO_FREE double *row = calloc(r->draft.nodes[node].states.n, sizeof *row);
    size_t j = 0, state, q = r->draft.nodes[node].q;
    text_place place;
    CHECK_ALLOC(row);
    CHECK(go_back(r, &r->nodes[node].functable, err));
    place = token_place(t, &t->next);
    CHECK(skip_signs(t, err));
    for (; !token_is(&t->next, ";"); j++) {
        CHECK(read_result(r, node, &state, err));
        row[state] = 1;
        if (j < q)
            CHECK(draft_set_row(&r->draft, node, place, j, row, err));
        row[state] = 0;
        CHECK(skip_signs(t, err));
    }
    return j == q ? STATUS_OK
                  : text_place_error(place, err, "expected %zu states for '%.60s', found %zu", q,
                                     r->draft.nodes[node].name, j);
}

static status read_table(dne_reader *r, size_t node, error_info *err) {
    const dne_node *n = &r->nodes[node];
    CHECK(read_parents(r, node, err));
    if (n->probs.text)
        return read_probs(r, node, err);
    if (n->functable.text)
        return read_functable(r, node, err);
    return text_place_error(token_place(&r->tokens, &n->name), err, "expected 'probs' of '%.60s', found none",
                            r->draft.nodes[node].name);
}

/* What stands between the braces of bnet NAME { ... } */
static status read_statement(dne_reader *r, error_info *err) {
    token_reader *t = &r->tokens;
    token word;
    bool has_brace;
    CHECK(token_take_name(t, "'node', an attribute of the network or '}'", &word, err));
    if (token_is(&word, "node"))
        return read_node(r, err);
    if (token_is(&t->next, "="))
        return token_skip_to(t, ";", err);
    CHECK(token_take_name(t, "a name or '='", NULL, err)); /* visual V1 { ... }; */
    CHECK(token_expect(t, "{", "'{'", err));
    CHECK(token_skip_to(t, "}", err));
    return token_skip(t, ";", &has_brace, err);
}

static status read_network(dne_reader *r, error_info *err) {
    token_reader *t = &r->tokens;
    token name;
    CHECK(token_expect(t, "bnet", "'bnet'", err));
    CHECK(token_take_name(t, "the name of the network", &name, err));
    CHECK_ALLOC(r->draft.name = name_unescape(name.text, name.length));
    CHECK(token_expect(t, "{", "'{' behind the name of the network", err));
    while (!token_is(&t->next, "}"))
        CHECK(read_statement(r, err));
    for (size_t i = 0; i < r->n; i++)
        CHECK(read_table(r, i, err));
    return STATUS_OK;
}

static status parse(const char *text, size_t length, const char *name, any_network *out, size_t *n_scaled,
                    error_info *err) {
    AUTO(dne_reader_clear) dne_reader r = {0};
    CHECK(network_draft_init(&r.draft, length, err));
    CHECK(token_reader_init(&r.tokens, text, length, "//", true, err));
    CHECK(read_network(&r, err));
    CHECK(draft_build(&r.draft, name, &out->tables, err));
    if (n_scaled)
        *n_scaled = r.draft.n_scaled;
    return STATUS_OK;
}

static bool may_be(const char *text) {
    text += strspn(text, " \t\r\n");
    return strncmp(text, "// ~->[DNET", 11) == 0 || strncmp(text, "bnet ", 5) == 0;
}

/* ---- writing ---- */

static const char *const reserved[] = {"bnet",    "node",       "visual",      "states",      "numstates",
                                       "parents", "probs",      "functable",   "kind",        "title",
                                       "comment", "inputs",     "levels",      "chance",      "discrete",
                                       "define",  "autoupdate", "whenchanged", "eqncomplete", NULL};

static const name_rules rules = {.nodes = NAME_IDENTIFIER,
                                 .states = NAME_IDENTIFIER,
                                 .network = NAME_IDENTIFIER,
                                 .reserved = reserved,
                                 .longest = 30};

static void append_names(const bayes_net *net, const char *key, const size_t *nodes, size_t n, text_buffer *out) {
    text_append_format(out, "  %s = (", key);
    for (size_t i = 0; i < n; i++) {
        text_append(out, i ? ", " : "");
        name_escape(NAME_IDENTIFIER, reserved, bayes_net_variable(net, nodes[i])->name, out);
    }
    text_append(out, ");\n");
}

static void append_node(const bayes_net *net, size_t node, text_buffer *out) {
    const variable *v = bayes_net_variable(net, node);
    size_t n_parents, q = bayes_net_configuration_count(net, node);
    const size_t *parents = bayes_net_parents(net, node, &n_parents);
    text_append(out, "node ");
    name_escape(NAME_IDENTIFIER, reserved, v->name, out);
    text_append(out, " {\n  kind = NATURE;\n  discrete = TRUE;\n  chance = CHANCE;\n  states = (");
    for (size_t k = 0; k < v->n_states; k++) {
        text_append(out, k ? ", " : "");
        name_escape(NAME_IDENTIFIER, reserved, v->states[k], out);
    }
    text_append(out, ");\n");
    append_names(net, "parents", parents, n_parents, out);
    text_append(out, "  probs =\n");
    for (size_t j = 0; j < q; j++) {
        text_append(out, "    ");
        table_append_parentheses(net, node, j, "(", out);
        table_append_row(net, node, j, ", ", out);
        table_append_parentheses(net, node, j + 1, ")", out);
        text_append(out, j + 1 < q ? ",\n" : ";\n");
    }
    text_append(out, "};\n");
}

static void append(const any_network *any, text_buffer *out) {
    const bayes_net *net = any->tables;
    text_append(out, "// ~->[DNET-1]->~\n\nbnet ");
    name_escape(NAME_IDENTIFIER, NULL, *bayes_net_name(net) ? bayes_net_name(net) : "unknown", out);
    text_append(out, " {\n");
    for (size_t i = 0; i < bayes_net_node_count(net); i++)
        append_node(net, i, out);
    text_append(out, "};\n");
}

static void append_loss(const any_network *net, text_buffer *out) {
    name_append_loss(&rules, "DNE", net->tables, out);
}

const network_format network_format_dne = {.name = "dne",
                                           .title = "DNE",
                                           .is_of_tables = true,
                                           .may_be = may_be,
                                           .parse = parse,
                                           .append = append,
                                           .append_loss = append_loss};
