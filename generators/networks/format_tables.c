/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/networks/format_tables_internal.h"

#include "generators/networks/name_escape.h"
#include "generators/networks/network_draft.h"

void table_append_row(const bayes_net *net, size_t node, size_t place, const char *between, text_buffer *out) {
    size_t r = bayes_net_variable(net, node)->n_states;
    const double *row = bayes_net_table(net, node) + network_row_of_place(net, node, place) * r;
    char number[32];
    for (size_t k = 0; k < r; k++) {
        text_append(out, k ? between : "");
        text_append(out, text_from_double(row[k], number));
    }
}

void table_append_parentheses(const bayes_net *net, size_t node, size_t j, const char *sign, text_buffer *out) {
    size_t n_parents;
    const size_t *parents = bayes_net_parents(net, node, &n_parents);
    text_append(out, sign);
    for (size_t p = n_parents; p-- > 0;) {
        size_t r = bayes_net_variable(net, parents[p])->n_states;
        if (j % r != 0)
            return;
        text_append(out, sign);
        j /= r;
    }
}

static void text_append_quoted(text_buffer *out, const char *text) {
    text_append(out, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            text_append(out, "\\");
        text_append_bytes(out, text, 1);
    }
    text_append(out, "\"");
}

void name_append_quoted(const char *name, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer escaped = {0};
    name_escape(NAME_LINE, NULL, name, &escaped);
    out->failed = out->failed || escaped.failed;
    text_append_quoted(out, escaped.data ? escaped.data : "");
}

void json_append_text(const char *text, text_buffer *out) {
    text_append(out, "\"");
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            text_append_format(out, "\\%c", *c);
        else if (*c < ' ')
            text_append_format(out, "\\u%04x", *c);
        else
            text_append_bytes(out, (const char *)c, 1);
    }
    text_append(out, "\"");
}
