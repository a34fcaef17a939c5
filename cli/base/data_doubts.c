/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/base/data_doubts.h"

#include "core/base/utf8.h"

#include <stdint.h>
#include <string.h>

enum { FEW_ROWS = 20, MOST_NAMED = 6 };

/* Commas, tabs and semicolons are known for what they are; bars are not. */
static void doubt_separator(const dataset *data, text_buffer *out) {
    const char *name = dataset_variable(data, 0)->name;
    char shown[TEXT_SHOWN_SIZE];
    if (dataset_column_count(data) == 1 && strchr(name, '|'))
        text_append_format(out, "its one column is '%s': fields are separated by commas here, not by bars\n",
                           text_show(name, strlen(name), shown));
}

/* "a, b" makes a column " b". */
static bool doubt_name(const variable *v, text_buffer *out) {
    size_t n = strlen(v->name);
    char shown[TEXT_SHOWN_SIZE];
    if (n == 0 || (v->name[0] != ' ' && v->name[n - 1] != ' '))
        return false;
    text_append_format(out, "the blanks of '%s' are part of the column's name, and so are those of values\n",
                       text_show(v->name, n, shown));
    return true;
}

static bool doubt_values(const dataset *data, size_t column, text_buffer *out) {
    const variable *v = dataset_variable(data, column);
    size_t n = dataset_row_count(data), n_states;
    char shown[TEXT_SHOWN_SIZE];
    if (v->kind != VARIABLE_DISCRETE)
        return false;
    n_states = dataset_state_count(data, column);
    if ((n < FEW_ROWS || n_states < n) && (n < 2 || n_states > 1))
        return false;
    text_append_format(out,
                       n_states == 1 ? "'%s' has one value alone: no learner finds an edge of it\n"
                                     : "'%s' has another value in each row: leave it out if it only names the rows\n",
                       text_show(v->name, strlen(v->name), shown));
    return true;
}

static bool is_utf8(const char *s) {
    while (*s) {
        size_t n = utf8_read(s, SIZE_MAX, NULL);
        if (n == 0)
            return false;
        s += n;
    }
    return true;
}

/* Bytes as another encoding has them are kept as they are, and shown as question marks. */
static bool doubt_encoding(const variable *v, text_buffer *out) {
    const char *odd = is_utf8(v->name) ? NULL : v->name;
    char shown[TEXT_SHOWN_SIZE];
    for (size_t k = 0; !odd && v->kind == VARIABLE_DISCRETE && k < v->n_states; k++)
        odd = is_utf8(v->states[k]) ? NULL : v->states[k];
    if (odd)
        text_append_format(out, "'%s' is not UTF-8; `iconv -f latin1 -t utf-8` turns a file of Windows or R into it\n",
                           text_show(odd, strlen(odd), shown));
    return odd;
}

/* Which columns are of the kind that fewer have. */
static void name_rarer_kind(const dataset *data, text_buffer *out) {
    size_t p = dataset_column_count(data), n_discrete = 0, n = 0, n_rarer;
    bool is_discrete;
    char shown[TEXT_SHOWN_SIZE];
    for (size_t i = 0; i < p; i++)
        n_discrete += dataset_variable(data, i)->kind == VARIABLE_DISCRETE;
    is_discrete = n_discrete < p - n_discrete;
    n_rarer = is_discrete ? n_discrete : p - n_discrete;
    for (size_t i = 0; i < p && n_rarer > 0; i++) {
        const variable *v = dataset_variable(data, i);
        if ((v->kind == VARIABLE_DISCRETE) == is_discrete && n++ < MOST_NAMED)
            text_append_format(out, "%s%s",
                               n > 1         ? ", "
                               : is_discrete ? "discrete: "
                                             : "continuous: ",
                               text_show(v->name, strlen(v->name), shown));
    }
    if (n_rarer > 0)
        text_append(out, n_rarer > MOST_NAMED ? ", ...\n" : "\n");
}

void data_doubts_append(const dataset *data, text_buffer *out) {
    size_t n = 0;
    bool is_odd = false;
    doubt_separator(data, out);
    for (size_t i = 0; i < dataset_column_count(data) && !is_odd; i++)
        is_odd = doubt_encoding(dataset_variable(data, i), out);
    for (size_t i = 0; i < dataset_column_count(data) && n < MOST_NAMED; i++) {
        n += doubt_name(dataset_variable(data, i), out);
        n += doubt_values(data, i, out);
    }
    name_rarer_kind(data, out);
}
