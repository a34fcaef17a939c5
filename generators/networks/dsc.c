/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DSC, the format of Microsoft's MSBN: rows are labelled by the numbers of the parents' states. */
#include "generators/networks/format_tables_internal.h"
#include "generators/networks/name_escape.h"
#include "generators/networks/network_draft.h"
#include "generators/networks/network_format.h"
#include "generators/networks/token_reader.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

typedef struct {
    token_reader tokens;
    network_draft draft;
} dsc_reader;

static void dsc_reader_clear(dsc_reader *r) {
    network_draft_clear(&r->draft);
}

static status read_states(dsc_reader *r, text_place place, size_t declared, error_info *err) {
    token_reader *t = &r->tokens;
    size_t node = r->draft.n - 1;
    bool goes_on = true;
    CHECK(token_expect(t, "{", "'{' in front of the states", err));
    while (goes_on && !token_is(&t->next, "}")) {
        token state;
        AUTO_FREE char *name = NULL;
        CHECK(token_take_name(t, "a state", &state, err));
        CHECK_ALLOC(name = token_text(&state));
        CHECK(draft_add_state(&r->draft, node, token_place(t, &state), name, strlen(name), err));
        CHECK(token_skip(t, ",", &goes_on, err));
    }
    CHECK(token_expect(t, "}", "',' or '}' behind a state", err));
    if (r->draft.nodes[node].states.n != declared)
        return text_place_error(place, err, "variable '%.60s' declares %zu states and lists %zu",
                                r->draft.nodes[node].name, declared, r->draft.nodes[node].states.n);
    return STATUS_OK;
}

/* type : discrete [ 2 ] { "yes", "no" }; with '=' in front of the brace in some files */
static status read_type(dsc_reader *r, error_info *err) {
    token_reader *t = &r->tokens;
    text_place place;
    size_t declared;
    bool ignored;
    CHECK(token_expect(t, "discrete", "'discrete', the only type that is read,", err));
    CHECK(token_expect(t, "[", "'[' behind 'discrete'", err));
    place = token_place(t, &t->next);
    CHECK(token_take_count(t, "the number of states", VARIABLE_MAX_STATES, &declared, err));
    CHECK(token_expect(t, "]", "']' behind the number of states", err));
    CHECK(token_skip(t, "=", &ignored, err));
    CHECK(read_states(r, place, declared, err));
    return token_skip(t, ";", &ignored, err);
}

static status read_node(dsc_reader *r, error_info *err) {
    token_reader *t = &r->tokens;
    token name;
    CHECK(token_take_name(t, "the name of a node", &name, err));
    CHECK(draft_add_node(&r->draft, token_place(t, &name), name.text, name.length, err));
    CHECK(token_expect(t, "{", "'{' behind the name of a node", err));
    while (!token_is(&t->next, "}")) {
        token attribute;
        bool has_colon;
        CHECK(token_take_name(t, "'type', another attribute or '}'", &attribute, err));
        CHECK(token_skip(t, ":", &has_colon, err));
        if (!has_colon)
            CHECK(token_expect(t, "=", "':' or '=' behind the name of an attribute", err));
        CHECK(token_is(&attribute, "type") ? read_type(r, err) : token_skip_to(t, ";", err));
    }
    return token_take(t, NULL, err);
}

static status read_family(dsc_reader *r, size_t *node, error_info *err) {
    token_reader *t = &r->tokens;
    token name;
    text_place place;
    bool goes_on;
    AUTO_FREE size_t *parents = NULL;
    size_t n = 0, capacity = 0, parent;
    CHECK(token_expect(t, "(", "'(' behind 'probability'", err));
    CHECK(token_take_name(t, "the name of a node", &name, err));
    place = token_place(t, &name);
    CHECK(draft_find_node(&r->draft, place, name.text, name.length, node, err));
    CHECK(token_skip(t, "|", &goes_on, err));
    while (goes_on) {
        CHECK(token_take_name(t, "the name of a parent", &name, err));
        CHECK(draft_find_node(&r->draft, token_place(t, &name), name.text, name.length, &parent, err));
        CHECK(ARRAY_PUSH(parents, n, capacity, err, parent));
        CHECK(token_skip(t, ",", &goes_on, err));
    }
    CHECK(token_expect(t, ")", "')' behind the names", err));
    return draft_set_parents(&r->draft, *node, place, parents, n, err);
}

/* "(1, 0):" in front of a row of a variable that has parents: its place where the last varies fastest */
static status read_label(dsc_reader *r, size_t node, size_t *row, error_info *err) {
    token_reader *t = &r->tokens;
    const draft_node *v = &r->draft.nodes[node];
    *row = 0;
    if (v->n_parents == 0)
        return STATUS_OK;
    CHECK(token_expect(t, "(", "'(' in front of the states of the parents", err));
    for (size_t p = 0; p < v->n_parents; p++) {
        size_t state, n_states = r->draft.nodes[v->parents[p]].states.n;
        if (p > 0)
            CHECK(token_expect(t, ",", "','", err));
        CHECK(token_take_count(t, "the number of a state of a parent", n_states - 1, &state, err));
        *row = *row * n_states + state;
    }
    CHECK(token_expect(t, ")", "')' behind the states of the parents", err));
    return token_expect(t, ":", "':' in front of a row", err);
}

static status read_row(dsc_reader *r, size_t node, unsigned char *seen, double *values, error_info *err) {
    token_reader *t = &r->tokens;
    text_place place = token_place(t, &t->next);
    size_t row = 0, n_states = r->draft.nodes[node].states.n;
    CHECK(read_label(r, node, &row, err));
    if (seen[row])
        return text_place_error(place, err, "a second row of '%.60s' for the same states of its parents",
                                r->draft.nodes[node].name);
    seen[row] = 1;
    for (size_t k = 0; k < n_states; k++) {
        bool ignored;
        if (k > 0)
            CHECK(token_skip(t, ",", &ignored, err));
        CHECK(token_take_number(t, &values[k], err));
    }
    CHECK(token_expect(t, ";", "';' behind a row", err));
    return draft_set_row(&r->draft, node, place, row, values, err);
}

static status read_probability(dsc_reader *r, error_info *err) {
    token_reader *t = &r->tokens;
    size_t node, n = 0;
    const draft_node *v;
    AUTO_FREE unsigned char *seen = NULL;
    AUTO_FREE double *values = NULL;
    CHECK(read_family(r, &node, err));
    v = &r->draft.nodes[node];
    CHECK_ALLOC(seen = calloc(v->q, sizeof *seen));
    CHECK_ALLOC(values = calloc(v->states.n, sizeof *values));
    CHECK(token_expect(t, "{", "'{' behind the names", err));
    for (; !token_is(&t->next, "}"); n++)
        CHECK(read_row(r, node, seen, values, err));
    if (n < v->q)
        return text_place_error(token_place(t, &t->next), err, "expected %zu rows of '%.60s', found %zu", v->q, v->name,
                                n);
    return token_take(t, NULL, err);
}

/* belief network "name" */
static status read_head(dsc_reader *r, error_info *err) {
    token name;
    AUTO_FREE char *text = NULL;
    CHECK(token_expect(&r->tokens, "belief", "'belief network'", err));
    CHECK(token_expect(&r->tokens, "network", "'network' behind 'belief'", err));
    if (r->tokens.next.kind != TOKEN_QUOTED)
        return STATUS_OK;
    CHECK(token_take(&r->tokens, &name, err));
    CHECK_ALLOC(text = token_text(&name));
    CHECK_ALLOC(r->draft.name = name_unescape(text, strlen(text)));
    return STATUS_OK;
}

static status read_statement(dsc_reader *r, error_info *err) {
    token word;
    if (r->tokens.next.kind != TOKEN_WORD)
        return token_expected(&r->tokens, "'node', 'probability' or 'properties'", err);
    word = r->tokens.next;
    if (!token_is(&word, "node") && !token_is(&word, "probability") && !token_is(&word, "properties"))
        return token_expected(&r->tokens, "'node', 'probability' or 'properties'", err);
    CHECK(token_take(&r->tokens, NULL, err));
    if (token_is(&word, "node"))
        return read_node(r, err);
    if (token_is(&word, "probability"))
        return read_probability(r, err);
    CHECK(token_expect(&r->tokens, "{", "'{' behind 'properties'", err));
    return token_skip_to(&r->tokens, "}", err);
}

static status parse(const char *text, size_t length, const char *name, any_network *out, size_t *n_scaled,
                    error_info *err) {
    AUTO(dsc_reader_clear) dsc_reader r = {0};
    CHECK(network_draft_init(&r.draft, length, err));
    CHECK(token_reader_init(&r.tokens, text, length, "//", true, err));
    CHECK(read_head(&r, err));
    while (r.tokens.next.kind != TOKEN_END)
        CHECK(read_statement(&r, err));
    CHECK(draft_build(&r.draft, name, &out->tables, err));
    if (n_scaled)
        *n_scaled = r.draft.n_scaled;
    return STATUS_OK;
}

static bool may_be(const char *text) {
    return strncmp(text + strspn(text, " \t\r\n"), "belief network", strlen("belief network")) == 0;
}

/* ---- writing ---- */

static const char *const reserved[] = {"belief", "network", "node",  "probability", "properties", "name",
                                       "type",   "is",      "named", "position",    "discrete",   "continuous",
                                       "leak",   "parent",  "for",   "function",    "version",    "creator",
                                       "format", "default", NULL};

static const name_rules rules = {
    .nodes = NAME_IDENTIFIER, .states = NAME_LINE, .network = NAME_LINE, .reserved = reserved};

static void append_node(const variable *v, text_buffer *out) {
    text_append(out, "node ");
    name_escape(NAME_IDENTIFIER, reserved, v->name, out);
    text_append(out, "\n{\n  name: ");
    name_append_quoted(v->name, out);
    text_append_format(out, ";\n  type: discrete[%zu]\n  {\n", v->n_states);
    for (size_t k = 0; k < v->n_states; k++) {
        text_append(out, "    ");
        name_append_quoted(v->states[k], out);
        text_append(out, k + 1 < v->n_states ? ",\n" : "\n");
    }
    text_append(out, "  };\n}\n");
}

/* "(1, 0): " for the row at a place */
static void append_label(const bayes_net *net, size_t node, size_t place, text_buffer *out) {
    size_t n_parents, stride = bayes_net_configuration_count(net, node);
    const size_t *parents = bayes_net_parents(net, node, &n_parents);
    text_append(out, n_parents ? "(" : "");
    for (size_t p = 0; p < n_parents; p++) {
        stride /= bayes_net_variable(net, parents[p])->n_states;
        text_append_format(out, p ? ", %zu" : "%zu", place / stride);
        place %= stride;
    }
    text_append(out, n_parents ? "): " : "");
}

static void append_probability(const bayes_net *net, size_t node, text_buffer *out) {
    size_t n_parents;
    const size_t *parents = bayes_net_parents(net, node, &n_parents);
    text_append(out, "probability(");
    name_escape(NAME_IDENTIFIER, reserved, bayes_net_variable(net, node)->name, out);
    for (size_t p = 0; p < n_parents; p++) {
        text_append(out, p ? ", " : " | ");
        name_escape(NAME_IDENTIFIER, reserved, bayes_net_variable(net, parents[p])->name, out);
    }
    text_append(out, ")\n{\n");
    for (size_t j = 0; j < bayes_net_configuration_count(net, node); j++) {
        text_append(out, "  ");
        append_label(net, node, j, out);
        table_append_row(net, node, j, ", ", out);
        text_append(out, ";\n");
    }
    text_append(out, "}\n");
}

static void append(const any_network *any, text_buffer *out) {
    const bayes_net *net = any->tables;
    text_append(out, "belief network ");
    name_append_quoted(bayes_net_name(net), out);
    text_append(out, "\n");
    for (size_t i = 0; i < bayes_net_node_count(net); i++)
        append_node(bayes_net_variable(net, i), out);
    for (size_t i = 0; i < bayes_net_node_count(net); i++)
        append_probability(net, i, out);
}

static void append_loss(const any_network *net, text_buffer *out) {
    name_append_loss(&rules, "DSC", net->tables, out);
}

const network_format network_format_dsc = {.name = "dsc",
                                           .title = "DSC",
                                           .is_of_tables = true,
                                           .may_be = may_be,
                                           .parse = parse,
                                           .append = append,
                                           .append_loss = append_loss};
