/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UAI, the format of the competitions in inference: a preamble BAYES, the numbers of states, for every variable the
   list of its parents and itself, and the tables in the same order. Variables and states have no names. */
#include "generators/networks/format_tables_internal.h"
#include "generators/networks/name_escape.h"
#include "generators/networks/network_draft.h"
#include "generators/networks/network_format.h"
#include "generators/networks/token_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

typedef struct {
    token_reader tokens;
    network_draft draft;
    size_t *nodes;  /* by function: the variable whose table it is */
    unsigned order; /* of the numbers in a table */
} uai_reader;

static void uai_reader_clear(uai_reader *r) {
    network_draft_clear(&r->draft);
    free(r->nodes);
}

static text_place here(uai_reader *r) {
    return token_place(&r->tokens, &r->tokens.next);
}

static status read_variables(uai_reader *r, error_info *err) {
    size_t n, n_states;
    CHECK(token_expect(&r->tokens, "BAYES", "'BAYES' (MARKOV networks are not read)", err));
    CHECK(token_take_count(&r->tokens, "the number of variables", SIZE_MAX / 2, &n, err));
    for (size_t i = 0; i < n; i++) {
        text_place place = here(r);
        char name[24];
        (void)snprintf(name, sizeof name, "X%zu", i);
        CHECK(token_take_count(&r->tokens, "a number of states", VARIABLE_MAX_STATES, &n_states, err));
        CHECK(draft_add_node(&r->draft, place, name, strlen(name), err));
        CHECK(draft_number_states(&r->draft, i, place, n_states, err));
    }
    return STATUS_OK;
}

/* "3 0 1 2": X2 given X0 and X1 */
static status read_family(uai_reader *r, size_t function, error_info *err) {
    text_place place = here(r);
    size_t n;
    AUTO_FREE size_t *members = NULL;
    CHECK(token_take_count(&r->tokens, "the number of variables of a table", r->draft.n, &n, err));
    if (n == 0)
        return text_place_error(place, err, "expected at least one variable of this table, found none");
    CHECK_ALLOC(members = calloc(n, sizeof *members));
    for (size_t i = 0; i < n; i++)
        CHECK(token_take_count(&r->tokens, "the number of a variable", r->draft.n - 1, &members[i], err));
    r->nodes[function] = members[n - 1];
    return draft_set_parents(&r->draft, members[n - 1], place, members, n - 1, err);
}

static status read_families(uai_reader *r, error_info *err) {
    text_place place = here(r);
    size_t n;
    CHECK(token_take_count(&r->tokens, "the number of tables", SIZE_MAX / 2, &n, err));
    if (n != r->draft.n)
        return text_place_error(place, err, "expected %zu tables, one for each variable, found %zu", r->draft.n, n);
    CHECK_ALLOC(r->nodes = calloc(n + 1, sizeof *r->nodes));
    for (size_t i = 0; i < n; i++)
        CHECK(read_family(r, i, err));
    return STATUS_OK;
}

static status read_table(uai_reader *r, size_t node, error_info *err) {
    const draft_node *v = &r->draft.nodes[node];
    text_place place = here(r);
    size_t n;
    AUTO_FREE double *values = NULL;
    CHECK(token_take_count(&r->tokens, "the number of values of a table", SIZE_MAX / 2, &n, err));
    if (n != v->q * v->states.n)
        return text_place_error(place, err, "expected %zu values in the table of '%s', found %zu", v->q * v->states.n,
                                v->name, n);
    CHECK_ALLOC(values = calloc(n, sizeof *values));
    for (size_t i = 0; i < n; i++)
        CHECK(token_take_number(&r->tokens, &values[i], err));
    return draft_set_table(&r->draft, node, place, values, n, r->order, err);
}

static status read_in_order(const char *text, size_t length, const char *name, unsigned order, any_network *out,
                            size_t *n_scaled, error_info *err) {
    AUTO(uai_reader_clear) uai_reader r = {.order = order};
    CHECK(network_draft_init(&r.draft, length, err));
    CHECK(token_reader_init(&r.tokens, text, length, "#", false, err));
    CHECK(read_variables(&r, err));
    CHECK(read_families(&r, err));
    for (size_t i = 0; i < r.draft.n; i++)
        CHECK(read_table(&r, r.nodes[i], err));
    if (r.tokens.next.kind != TOKEN_END)
        return token_expected(&r.tokens, "the end of the file behind the last table", err);
    CHECK(draft_build(&r.draft, name, &out->tables, err));
    if (n_scaled)
        *n_scaled = r.draft.n_scaled;
    return STATUS_OK;
}

/* aGrUM puts the names of variables behind their families, as remarks that the format does not have. */
static bool is_of_agrum(const char *text, size_t length) {
    static const char mark[] = "   # ";
    return memmem(text, length, mark, strlen(mark)) != NULL;
}

/*
 * In the order of the format the last variable of a family, the child, varies fastest, and the first slowest. aGrUM (to
 * 3.3 at least) lets the first parent vary faster than the last, and reads such files so itself. pgmpy (1.1) turns the
 * families around, or the tables: the first variable varies fastest. Its rows hardly ever sum to one in the order of
 * the format; a file whose rows do not is read in that one.
 */
static status parse(const char *text, size_t length, const char *name, any_network *out, size_t *n_scaled,
                    error_info *err) {
    unsigned order = is_of_agrum(text, length) ? DRAFT_FIRST_PARENT_FASTER : DRAFT_CHILD_FASTEST;
    unsigned turned = DRAFT_CHILD_SLOWEST | DRAFT_FIRST_PARENT_FASTER;
    status st = read_in_order(text, length, name, order, out, n_scaled, err);
    if (st == STATUS_PARSE && read_in_order(text, length, name, turned, out, n_scaled, NULL) == STATUS_OK)
        return STATUS_OK;
    return st;
}

static bool may_be(const char *text) {
    return strncmp(text + strspn(text, " \t\r\n"), "BAYES", 5) == 0;
}

/* ---- writing ---- */

static void append_family(const bayes_net *net, size_t node, text_buffer *out) {
    size_t n_parents;
    const size_t *parents = bayes_net_parents(net, node, &n_parents);
    text_append_format(out, "%zu", n_parents + 1);
    for (size_t p = 0; p < n_parents; p++)
        text_append_format(out, " %zu", parents[p]);
    text_append_format(out, " %zu\n", node);
}

static void append_table(const bayes_net *net, size_t node, text_buffer *out) {
    size_t q = bayes_net_configuration_count(net, node);
    text_append_format(out, "\n%zu\n", q * bayes_net_variable(net, node)->n_states);
    for (size_t j = 0; j < q; j++) {
        text_append(out, " ");
        table_append_row(net, node, j, " ", out);
        text_append(out, "\n");
    }
}

static void append(const any_network *any, text_buffer *out) {
    const bayes_net *net = any->tables;
    size_t n = bayes_net_node_count(net);
    text_append_format(out, "BAYES\n%zu\n", n);
    for (size_t i = 0; i < n; i++)
        text_append_format(out, i ? " %zu" : "%zu", bayes_net_variable(net, i)->n_states);
    text_append_format(out, "\n%zu\n", n);
    for (size_t i = 0; i < n; i++)
        append_family(net, i, out);
    for (size_t i = 0; i < n; i++)
        append_table(net, i, out);
}

static void append_loss(const any_network *any, text_buffer *out) {
    (void)any;
    text_append(out, "UAI knows variables and states by their numbers: all names are lost, also that of the network\n");
}

const network_format network_format_uai = {.name = "uai",
                                           .title = "UAI",
                                           .is_of_tables = true,
                                           .may_be = may_be,
                                           .parse = parse,
                                           .append = append,
                                           .append_loss = append_loss};
