/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/file.h"
#include "generators/networks/bif.h"

#include <string.h>

static bool is_blank(char c) {
    return strchr(" \t\r\n\v\f", c) != NULL;
}

/* Quotes only where a name would else not read back, since some readers take them as part of the name. */
static bool needs_quotes(const char *name) {
    return !*name || *name == '"' || strncmp(name, "//", 2) == 0 || strncmp(name, "/*", 2) == 0 ||
           name[strcspn(name, " \t\r\n\v\f{}()[],;|")] != '\0';
}

static bool can_be_quoted(const char *name) {
    return !strpbrk(name, "\"\n");
}

/* A state goes on to the next delimiter: one with blanks and quotes in it reads back as it stands, `say "hi"`. */
static bool is_plain_state(const char *name) {
    size_t n = strlen(name);
    return !needs_quotes(name) || (!can_be_quoted(name) && *name != '"' && !strpbrk(name, "\n{}()[],;|") &&
                                   !is_blank(name[0]) && !is_blank(name[n - 1]));
}

static void append_quoted(const char *name, text_buffer *out) {
    text_append(out, "\"");
    text_append(out, name);
    text_append(out, "\"");
}

static void append_name(const char *name, text_buffer *out) {
    if (needs_quotes(name))
        append_quoted(name, out);
    else
        text_append(out, name);
}

static void append_state(const char *name, text_buffer *out) {
    if (is_plain_state(name))
        text_append(out, name);
    else
        append_quoted(name, out);
}

static void append_comment(const char *comment, text_buffer *out) {
    while (*comment) {
        size_t length = strcspn(comment, "\n");
        text_append(out, length ? "// " : "//");
        text_append_bytes(out, comment, length);
        text_append(out, "\n");
        comment += length + (comment[length] == '\n');
    }
}

static void append_variable(const variable *v, text_buffer *out) {
    text_append(out, "variable ");
    append_name(v->name, out);
    text_append_format(out, " {\n  type discrete [ %zu ] { ", v->n_states);
    for (size_t k = 0; k < v->n_states; k++) {
        text_append(out, k ? ", " : "");
        append_state(v->states[k], out);
    }
    text_append(out, " };\n}\n");
}

static void append_row(const double *row, size_t r, text_buffer *out) {
    char number[32];
    for (size_t k = 0; k < r; k++) {
        text_append(out, k ? ", " : "");
        text_append(out, text_from_double(row[k], number));
    }
    text_append(out, ";\n");
}

/* "  (a, b) " for configuration j; the first parent varies fastest. */
static void append_states(const bayes_net *net, const size_t *parents, size_t n_parents, size_t j, text_buffer *out) {
    text_append(out, "  (");
    for (size_t p = 0; p < n_parents; p++) {
        const variable *v = bayes_net_variable(net, parents[p]);
        text_append(out, p ? ", " : "");
        append_state(v->states[j % v->n_states], out);
        j /= v->n_states;
    }
    text_append(out, ") ");
}

static void append_block(const bayes_net *net, size_t node, text_buffer *out) {
    size_t n_parents, r = bayes_net_variable(net, node)->n_states;
    const size_t *parents = bayes_net_parents(net, node, &n_parents);
    const double *table = bayes_net_table(net, node);
    text_append(out, "probability ( ");
    append_name(bayes_net_variable(net, node)->name, out);
    for (size_t p = 0; p < n_parents; p++) {
        text_append(out, p ? ", " : " | ");
        append_name(bayes_net_variable(net, parents[p])->name, out);
    }
    text_append(out, " ) {\n");
    for (size_t j = 0; j < bayes_net_configuration_count(net, node); j++) {
        if (n_parents == 0)
            text_append(out, "  table ");
        else
            append_states(net, parents, n_parents, j, out);
        append_row(table + j * r, r, out);
    }
    text_append(out, "}\n");
}

void bif_append(const bayes_net *net, const char *comment, text_buffer *out) {
    size_t n = bayes_net_node_count(net);
    if (comment)
        append_comment(comment, out);
    text_append(out, "network ");
    append_name(*bayes_net_name(net) ? bayes_net_name(net) : "unknown", out);
    text_append(out, " {\n}\n");
    for (size_t i = 0; i < n; i++)
        append_variable(bayes_net_variable(net, i), out);
    for (size_t i = 0; i < n; i++)
        append_block(net, i, out);
}

static status check_name(const char *name, error_info *err) {
    if (!needs_quotes(name) || can_be_quoted(name))
        return STATUS_OK;
    return error_set(
        err, STATUS_INVALID,
        "the name '%.200s' cannot be written in BIF: it needs quotes around it, and holds a quote or a line "
        "end; rename it",
        name);
}

static status check_state(const variable *v, const char *name, error_info *err) {
    if (is_plain_state(name) || can_be_quoted(name))
        return STATUS_OK;
    return error_set(err, STATUS_INVALID,
                     "the state '%.200s' of '%.200s' cannot be written in BIF: it needs quotes around it, and holds a "
                     "quote or a line end; rename it in the data",
                     name, v->name);
}

static status check_names(const bayes_net *net, error_info *err) {
    CHECK(check_name(bayes_net_name(net), err));
    for (size_t i = 0; i < bayes_net_node_count(net); i++) {
        const variable *v = bayes_net_variable(net, i);
        CHECK(check_name(v->name, err));
        for (size_t k = 0; k < v->n_states; k++)
            CHECK(check_state(v, v->states[k], err));
    }
    return STATUS_OK;
}

status bif_write(const bayes_net *net, const char *path, const char *comment, error_info *err) {
    AUTO(text_buffer_clear) text_buffer text = {0};
    status st = check_names(net, err);
    bif_append(net, comment, &text);
    if (st == STATUS_OK)
        st = text_buffer_check(&text, err);
    if (st == STATUS_OK)
        st = file_write(path, text.data, text.length, err);
    return error_at(st, err, path);
}
