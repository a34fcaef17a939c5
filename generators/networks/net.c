/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hugin's NET (Hugin API reference manual, chapter on the NET language), networks of discrete chance nodes. */
#include "generators/networks/format_tables_internal.h"
#include "generators/networks/name_escape.h"
#include "generators/networks/network_draft.h"
#include "generators/networks/network_format.h"
#include "generators/networks/token_reader.h"

#include "core/base/array.h"

#include <string.h>

/* ---- reading ---- */

typedef struct {
    token_reader tokens;
    network_draft draft;
} net_reader;

static void net_reader_clear(net_reader *r) {
    network_draft_clear(&r->draft);
}

static status add_state(net_reader *r, size_t node, error_info *err) {
    token t;
    text_place place = token_place(&r->tokens, &r->tokens.next);
    AUTO_FREE char *name = NULL;
    CHECK(token_take_name(&r->tokens, "a state or ')'", &t, err));
    CHECK_ALLOC(name = token_text(&t));
    return draft_add_state(&r->draft, node, place, name, strlen(name), err);
}

/* ("yes" "no"); also without quotes, as pyAgrum writes it */
static status read_states(net_reader *r, size_t node, error_info *err) {
    CHECK(token_expect(&r->tokens, "(", "'(' in front of the states", err));
    while (!token_is(&r->tokens.next, ")"))
        CHECK(add_state(r, node, err));
    CHECK(token_take(&r->tokens, NULL, err));
    return token_expect(&r->tokens, ";", "';' behind the states", err);
}

/* node NAME { states = (...); attribute = value; ... } */
static status read_node(net_reader *r, error_info *err) {
    token_reader *t = &r->tokens;
    token name;
    CHECK(token_take_name(t, "the name of a node", &name, err));
    CHECK(draft_add_node(&r->draft, token_place(t, &name), name.text, name.length, err));
    CHECK(token_expect(t, "{", "'{' behind the name of a node", err));
    while (!token_is(&t->next, "}")) {
        token attribute;
        CHECK(token_take_name(t, "an attribute of a node or '}'", &attribute, err));
        CHECK(token_expect(t, "=", "'=' behind the name of an attribute", err));
        CHECK(token_is(&attribute, "states") ? read_states(r, r->draft.n - 1, err) : token_skip_to(t, ";", err));
    }
    return token_take(t, NULL, err);
}

static status read_numbers(token_reader *t, double **numbers, size_t *n, error_info *err) {
    size_t capacity = 0, depth = 0;
    while (!token_is(&t->next, ";")) {
        double value;
        if (token_is(&t->next, "(") || (token_is(&t->next, ")") && depth > 0)) {
            depth = *t->next.text == '(' ? depth + 1 : depth - 1;
            CHECK(token_take(t, NULL, err));
            continue;
        }
        CHECK(token_take_number(t, &value, err));
        CHECK(ARRAY_PUSH(*numbers, *n, capacity, err, value));
    }
    if (depth > 0)
        return token_expected(t, "')'", err);
    return token_take(t, NULL, err);
}

static status read_data(net_reader *r, size_t node, text_place place, error_info *err) {
    AUTO_FREE double *numbers = NULL;
    size_t n = 0;
    CHECK(read_numbers(&r->tokens, &numbers, &n, err));
    return draft_set_table(&r->draft, node, place, numbers, n, DRAFT_CHILD_FASTEST, err);
}

/* (child | parent parent ...) */
static status read_family(net_reader *r, size_t *node, error_info *err) {
    token_reader *t = &r->tokens;
    token name;
    text_place place;
    bool has_bar;
    AUTO_FREE size_t *parents = NULL;
    size_t n = 0, capacity = 0, parent;
    CHECK(token_expect(t, "(", "'(' behind 'potential'", err));
    CHECK(token_take_name(t, "the name of a node", &name, err));
    place = token_place(t, &name);
    CHECK(draft_find_node(&r->draft, place, name.text, name.length, node, err));
    CHECK(token_skip(t, "|", &has_bar, err));
    while (has_bar && !token_is(&t->next, ")")) {
        CHECK(token_take_name(t, "the name of a parent or ')'", &name, err));
        CHECK(draft_find_node(&r->draft, token_place(t, &name), name.text, name.length, &parent, err));
        CHECK(ARRAY_PUSH(parents, n, capacity, err, parent));
    }
    CHECK(token_expect(t, ")", has_bar ? "')'" : "'|' or ')' (one child for each potential)", err));
    return draft_set_parents(&r->draft, *node, place, parents, n, err);
}

static status read_potential(net_reader *r, error_info *err) {
    token_reader *t = &r->tokens;
    size_t node;
    bool has_data = false;
    CHECK(read_family(r, &node, err));
    CHECK(token_expect(t, "{", "'{' behind the names of a potential", err));
    while (!token_is(&t->next, "}")) {
        token attribute;
        CHECK(token_take_name(t, "'data', another attribute or '}'", &attribute, err));
        CHECK(token_expect(t, "=", "'=' behind the name of an attribute", err));
        if (token_is(&attribute, "data") && has_data)
            return text_place_error(token_place(t, &attribute), err, "'data' stands twice in this potential");
        has_data = has_data || token_is(&attribute, "data");
        CHECK(token_is(&attribute, "data") ? read_data(r, node, token_place(t, &attribute), err)
                                           : token_skip_to(t, ";", err));
    }
    if (!has_data)
        return token_expected(t, "'data' in this potential", err);
    return token_take(t, NULL, err);
}

/* net { name = "asia"; attribute = value; ... } */
static status read_net(net_reader *r, error_info *err) {
    token_reader *t = &r->tokens;
    CHECK(token_expect(t, "{", "'{' behind 'net'", err));
    while (!token_is(&t->next, "}")) {
        token attribute;
        CHECK(token_take_name(t, "an attribute of the net or '}'", &attribute, err));
        CHECK(token_expect(t, "=", "'=' behind the name of an attribute", err));
        if (token_is(&attribute, "name") && !r->draft.name && t->next.kind != TOKEN_SIGN) {
            AUTO_FREE char *name = token_text(&t->next);
            CHECK_ALLOC(name);
            CHECK_ALLOC(r->draft.name = name_unescape(name, strlen(name)));
        }
        CHECK(token_skip_to(t, ";", err));
    }
    return token_take(t, NULL, err);
}

static status read_statement(net_reader *r, error_info *err) {
    token_reader *t = &r->tokens;
    token word;
    bool is_discrete;
    if (token_is(&t->next, "net")) {
        CHECK(token_take(t, NULL, err));
        return read_net(r, err);
    }
    if (token_is(&t->next, "potential")) {
        CHECK(token_take(t, NULL, err));
        return read_potential(r, err);
    }
    CHECK(token_skip(t, "discrete", &is_discrete, err));
    if (!token_is(&t->next, "node"))
        return token_expected(
            t, is_discrete ? "'node' behind 'discrete'" : "'net', 'node', 'discrete node' or 'potential'", err);
    CHECK(token_take(t, &word, err));
    return read_node(r, err);
}

static status parse(const char *text, size_t length, const char *name, any_network *out, size_t *n_scaled,
                    error_info *err) {
    AUTO(net_reader_clear) net_reader r = {0};
    CHECK(network_draft_init(&r.draft, length, err));
    CHECK(token_reader_init(&r.tokens, text, length, "%", false, err));
    while (r.tokens.next.kind != TOKEN_END)
        CHECK(read_statement(&r, err));
    CHECK(draft_build(&r.draft, name, &out->tables, err));
    if (n_scaled)
        *n_scaled = r.draft.n_scaled;
    return STATUS_OK;
}

static bool may_be(const char *text) {
    text += strspn(text, " \t\r\n");
    return strncmp(text, "net", 3) == 0 && strchr(" \t\r\n{%", text[3]);
}

/* ---- writing ---- */

static const char *const reserved[] = {
    "net",      "node",     "class",    "potential", "discrete", "continuous",  "decision",   "utility",
    "function", "instance", "if",       "and",       "or",       "not",         "data",       "states",
    "label",    "position", "subtype",  "number",    "normal",   "boolean",     "interval",   "labeled",
    "inputs",   "outputs",  "infinity", "true",      "false",    "model_nodes", "model_data", NULL};

static const name_rules rules = {
    .nodes = NAME_IDENTIFIER, .states = NAME_LINE, .network = NAME_LINE, .reserved = reserved};

static void append_node(const variable *v, text_buffer *out) {
    text_append(out, "node ");
    name_escape(NAME_IDENTIFIER, reserved, v->name, out);
    text_append(out, "\n{\n  label = ");
    name_append_quoted(v->name, out);
    text_append(out, ";\n  states = (");
    for (size_t k = 0; k < v->n_states; k++) {
        text_append(out, k ? " " : "");
        name_append_quoted(v->states[k], out);
    }
    text_append(out, ");\n}\n");
}

static void append_potential(const bayes_net *net, size_t node, text_buffer *out) {
    size_t n_parents, q = bayes_net_configuration_count(net, node);
    const size_t *parents = bayes_net_parents(net, node, &n_parents);
    text_append(out, "potential (");
    name_escape(NAME_IDENTIFIER, reserved, bayes_net_variable(net, node)->name, out);
    text_append(out, n_parents ? " |" : "");
    for (size_t p = 0; p < n_parents; p++) {
        text_append(out, " ");
        name_escape(NAME_IDENTIFIER, reserved, bayes_net_variable(net, parents[p])->name, out);
    }
    text_append(out, ")\n{\n  data = ");
    for (size_t j = 0; j < q; j++) {
        text_append(out, j ? "\n    " : "");
        table_append_parentheses(net, node, j, "(", out);
        table_append_row(net, node, j, " ", out);
        table_append_parentheses(net, node, j + 1, ")", out);
    }
    text_append(out, ";\n}\n");
}

static void append(const any_network *any, text_buffer *out) {
    const bayes_net *net = any->tables;
    text_append(out, "net\n{\n  node_size = (80 40);\n  name = ");
    name_append_quoted(bayes_net_name(net), out);
    text_append(out, ";\n}\n");
    for (size_t i = 0; i < bayes_net_node_count(net); i++)
        append_node(bayes_net_variable(net, i), out);
    for (size_t i = 0; i < bayes_net_node_count(net); i++)
        append_potential(net, i, out);
}

static void append_loss(const any_network *net, text_buffer *out) {
    name_append_loss(&rules, "NET", net->tables, out);
}

const network_format network_format_net = {.name = "net",
                                           .title = "NET",
                                           .is_of_tables = true,
                                           .may_be = may_be,
                                           .parse = parse,
                                           .append = append,
                                           .append_loss = append_loss};
