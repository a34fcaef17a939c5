/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The format: Witten, Frank and Hall 2011, Data Mining, section 2.4, and Weka's ArffLoader. Rows are lines, so the file
 * is read line by line: once for the header and the number of rows, and again for the rows.
 */
#include "core/data/dataset_arff.h"

#include "core/base/array.h"
#include "core/base/decimal.h"
#include "core/base/text_set.h"
#include "core/data/csv_columns_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct {
    const char *next, *end;    /* of the text: behind the line */
    const char *at, *line_end; /* within the line */
    size_t line, column;       /* column 0: in the header */
    text_buffer word;          /* the one read last */
    bool is_quoted;
    variable *variables;
    size_t n_columns, capacity;
    name_index *index;
    text_set *states; /* those of each column, to be found by their texts */
    dataset *data;    /* to be filled; NULL: rows are looked at only */
} arff_reader;

static void arff_reader_clear(arff_reader *r) {
    text_buffer_clear(&r->word);
    for (size_t c = 0; r->states && c < r->n_columns; c++)
        text_set_clear(&r->states[c]);
    free(r->states);
    variables_destroy(r->variables, r->n_columns);
    name_index_destroy(r->index);
    dataset_destroy(r->data);
}

static status complain(const arff_reader *r, error_info *err, const char *format, ...) BNB_PRINTF(3, 4);

static status complain(const arff_reader *r, error_info *err, const char *format, ...) {
    char message[900];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (r->column == 0)
        return error_set(err, STATUS_PARSE, "line %zu: %s", r->line, message);
    return error_set(err, STATUS_PARSE, "line %zu, column %zu: %s", r->line, r->column, message);
}

static const char *show(const char *text, char shown[TEXT_SHOWN_SIZE]) {
    return text_show(text, strlen(text), shown);
}

/* ---- lines and words ---- */

static void arff_start(arff_reader *r, const char *text, size_t length) {
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        length -= 3;
    }
    r->next = text;
    r->end = text + length;
}

static void skip_blanks(arff_reader *r) {
    while (r->at < r->line_end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
}

/* Nothing is left of the line, or a remark. */
static bool is_at_end(const arff_reader *r) {
    return r->at == r->line_end || *r->at == '%';
}

/* To the first word of the next line that has one; false at the end of the text. */
static bool next_line(arff_reader *r) {
    while (r->next < r->end) {
        const char *newline = memchr(r->next, '\n', (size_t)(r->end - r->next));
        r->at = r->next;
        r->line_end = newline ? newline : r->end;
        r->next = newline ? newline + 1 : r->end;
        r->line++;
        if (r->line_end > r->at && r->line_end[-1] == '\r')
            r->line_end--;
        skip_blanks(r);
        if (!is_at_end(r))
            return true;
    }
    return false;
}

/* A character behind a backslash. */
static char meant_by(char letter) {
    switch (letter) {
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return letter;
    }
}

static status read_quoted(arff_reader *r, error_info *err) {
    char quote = *r->at++;
    while (r->at < r->line_end && *r->at != quote) {
        char c = *r->at++;
        if (c == '\\' && r->at < r->line_end) {
            c = meant_by(*r->at++);
        }
        text_append_bytes(&r->word, &c, 1);
    }
    if (r->at == r->line_end)
        return complain(r, err, "expected a closing quote, found the end of the line");
    r->at++;
    return STATUS_OK;
}

/* The next word, which ends before a byte of `stops` or a remark; blanks around it are left out. */
static status read_word(arff_reader *r, const char *stops, error_info *err) {
    skip_blanks(r);
    r->word.length = 0;
    text_append(&r->word, "");
    r->is_quoted = r->at < r->line_end && (*r->at == '\'' || *r->at == '"');
    if (r->is_quoted) {
        CHECK(read_quoted(r, err));
    } else {
        const char *from = r->at, *to;
        while (!is_at_end(r) && !strchr(stops, *r->at))
            r->at++;
        for (to = r->at; to > from && (to[-1] == ' ' || to[-1] == '\t');)
            to--;
        text_append_bytes(&r->word, from, (size_t)(to - from));
    }
    skip_blanks(r);
    return text_buffer_check(&r->word, err);
}

static bool word_is(const arff_reader *r, const char *word) {
    return !r->is_quoted && strcasecmp(r->word.data, word) == 0;
}

bool arff_may_be(const char *text, size_t length) {
    static const char word[] = "@relation";
    arff_reader r = {0};
    arff_start(&r, text, length);
    return next_line(&r) && (size_t)(r.line_end - r.at) > strlen(word) && strncasecmp(r.at, word, strlen(word)) == 0 &&
           (r.at[strlen(word)] == ' ' || r.at[strlen(word)] == '\t');
}

/* ---- the header ---- */

/* "a, b}": the reader stands behind the '{'. */
static status read_nominal(arff_reader *r, const char *name, variable *v, error_info *err) {
    AUTO(text_set_clear) text_set states = {0};
    char shown[TEXT_SHOWN_SIZE], shown_name[TEXT_SHOWN_SIZE];
    do {
        CHECK(read_word(r, ",}", err));
        if (r->word.length == 0 && !r->is_quoted)
            return complain(r, err, "expected a value of '%s', found none", show(name, shown_name));
        if (text_set_find(&states, r->word.data, r->word.length) != NAME_NONE)
            return complain(r, err, "'%s' stands twice among the values of '%s'", show(r->word.data, shown),
                            show(name, shown_name));
        if (states.n == VARIABLE_MAX_STATES)
            return complain(r, err, "'%s' has more than %u values", show(name, shown_name), VARIABLE_MAX_STATES);
        CHECK(text_set_add(&states, r->word.data, r->word.length, err));
        if (is_at_end(r) || (*r->at != ',' && *r->at != '}'))
            return complain(r, err, "expected ',' or '}' among the values of '%s'", show(name, shown_name));
    } while (*r->at++ == ',');
    return variable_init_discrete(v, name, (const char *const *)states.texts, states.n, err);
}

static status read_type(arff_reader *r, const char *name, variable *v, error_info *err) {
    char shown[TEXT_SHOWN_SIZE], shown_name[TEXT_SHOWN_SIZE];
    if (!is_at_end(r) && *r->at == '{') {
        r->at++;
        CHECK(read_nominal(r, name, v, err));
    } else {
        CHECK(read_word(r, " \t", err));
        if (word_is(r, "string") || word_is(r, "date") || word_is(r, "relational"))
            return complain(r, err, "'%s' is of the type %s; nominal and numeric attributes are read",
                            show(name, shown_name), show(r->word.data, shown));
        if (!word_is(r, "numeric") && !word_is(r, "real") && !word_is(r, "integer"))
            return complain(r, err, "expected the type of '%s', {...} or numeric, found '%s'", show(name, shown_name),
                            show(r->word.data, shown));
        CHECK(variable_init_continuous(v, name, err));
    }
    skip_blanks(r);
    return is_at_end(r) ? STATUS_OK
                        : complain(r, err, "expected the end of the line behind '%s'", show(name, shown_name));
}

static status read_attribute(arff_reader *r, error_info *err) {
    AUTO_FREE char *name = NULL;
    size_t c = r->n_columns, earlier;
    char shown[TEXT_SHOWN_SIZE];
    CHECK(read_word(r, " \t{", err));
    if (r->word.length == 0)
        return complain(r, err, "expected the name of an attribute, found none");
    CHECK_ALLOC(name = text_copy(r->word.data));
    CHECK(ARRAY_PUSH(r->variables, r->n_columns, r->capacity, err, (variable){0}));
    CHECK(name_index_add(r->index, name, c, &earlier, err));
    if (earlier != NAME_NONE)
        return complain(r, err, "a second attribute named '%s'", show(name, shown));
    return read_type(r, name, &r->variables[c], err);
}

/* Up to @data, and that line. */
static status read_header(arff_reader *r, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    CHECK(name_index_create(0, &r->index, err));
    while (next_line(r)) {
        CHECK(read_word(r, " \t", err));
        if (word_is(r, "@attribute"))
            CHECK(read_attribute(r, err));
        else if (word_is(r, "@data"))
            return r->n_columns ? STATUS_OK : complain(r, err, "expected attributes above @data, found none");
        else if (!word_is(r, "@relation"))
            return complain(r, err, "expected @attribute or @data, found '%s'", show(r->word.data, shown));
    }
    return complain(r, err, "expected @data, found the end of the file");
}

/* ---- what the columns are ---- */

static status use_given(arff_reader *r, const data_reading *how, error_info *err) {
    AUTO_PTR(name_index_destroy) name_index *given = NULL;
    char shown[TEXT_SHOWN_SIZE];
    CHECK(name_index_create(how->n_given, &given, err));
    for (size_t i = 0; i < how->n_given; i++)
        CHECK(name_index_add(given, how->given[i].name, i, NULL, err));
    for (size_t c = 0; c < r->n_columns; c++) {
        size_t i = name_index_find(given, r->variables[c].name);
        if (i == NAME_NONE)
            return error_set(err, STATUS_PARSE, "the attribute '%s' is not among the %zu variables given",
                             show(r->variables[c].name, shown), how->n_given);
        variable_clear(&r->variables[c]);
        CHECK(variable_copy(&how->given[i], &r->variables[c], err));
    }
    return STATUS_OK;
}

static status index_states(arff_reader *r, error_info *err) {
    CHECK_ALLOC(r->states = calloc(r->n_columns, sizeof *r->states));
    for (size_t c = 0; c < r->n_columns; c++) {
        const variable *v = &r->variables[c];
        for (size_t k = 0; k < v->n_states; k++)
            CHECK(text_set_add(&r->states[c], v->states[k], strlen(v->states[k]), err));
    }
    return STATUS_OK;
}

/* ---- rows ---- */

static status missing(const arff_reader *r, const variable *v, error_info *err) {
    char shown[TEXT_SHOWN_SIZE], shown_name[TEXT_SHOWN_SIZE];
    if (r->word.length == 0)
        return complain(r, err, "a missing value of '%s'; every cell needs one", show(v->name, shown_name));
    return complain(r, err, "a missing value ('%s') of '%s'; every cell needs one", show(r->word.data, shown),
                    show(v->name, shown_name));
}

static status wrong_value(const arff_reader *r, const variable *v, error_info *err) {
    char shown[TEXT_SHOWN_SIZE], shown_name[TEXT_SHOWN_SIZE];
    if (!r->is_quoted && csv_is_missing(&(csv_field){r->word.data, r->word.length}))
        return missing(r, v, err);
    if (v->kind == VARIABLE_CONTINUOUS)
        return complain(r, err, "expected a number for '%s', found '%s'", show(v->name, shown_name),
                        show(r->word.data, shown));
    return complain(r, err, "'%s' is none of the %zu values of '%s'", show(r->word.data, shown), v->n_states,
                    show(v->name, shown_name));
}

/* The word that was read is the value of a cell. */
static status take_value(arff_reader *r, size_t row, size_t c, error_info *err) {
    const variable *v = &r->variables[c];
    double number;
    size_t k;
    if (!r->is_quoted && strcmp(r->word.data, "?") == 0)
        return missing(r, v, err);
    if (!r->data)
        return STATUS_OK;
    if (v->kind == VARIABLE_CONTINUOUS) {
        if (!decimal_is_number(r->word.data, r->word.data + r->word.length, &number))
            return wrong_value(r, v, err);
        dataset_build_reals(r->data, c)[row] = number;
        return STATUS_OK;
    }
    k = text_set_find(&r->states[c], r->word.data, r->word.length);
    if (k == NAME_NONE)
        return wrong_value(r, v, err);
    dataset_set_state(r->data, row, c, k);
    return STATUS_OK;
}

/* Behind a value: a comma, or the end of a row with all its fields. */
static status end_value(arff_reader *r, error_info *err) {
    size_t n = r->n_columns;
    if (is_at_end(r))
        return r->column == n
                   ? STATUS_OK
                   : complain(r, err, "expected %zu fields, one for each attribute, found %zu", n, r->column);
    if (*r->at != ',')
        return complain(r, err, "expected ',' or the end of the line behind a closing quote");
    r->at++;
    if (r->column < n)
        return STATUS_OK;
    skip_blanks(r);
    if (!is_at_end(r) && *r->at == '{')
        return complain(r, err, "the row has a weight; weights of rows are not read");
    return complain(r, err, "expected %zu fields, one for each attribute, found more", n);
}

static status read_row(arff_reader *r, size_t row, error_info *err) {
    r->column = 0;
    if (*r->at == '{')
        return complain(r, err,
                        "a sparse row ({index value, ...}); these are not read, Weka's filter SparseToNonSparse writes "
                        "all values");
    for (size_t c = 0; c < r->n_columns; c++) {
        r->column = c + 1;
        CHECK(read_word(r, ",", err));
        CHECK(take_value(r, row, c, err));
        CHECK(end_value(r, err));
    }
    return STATUS_OK;
}

/* The reader stands behind @data, and stays there. */
static status read_rows(const arff_reader *r, size_t *n_rows, error_info *err) {
    arff_reader rows = *r;
    status st = STATUS_OK;
    rows.word = (text_buffer){0};
    for (*n_rows = 0; st == STATUS_OK && next_line(&rows); ++*n_rows)
        st = read_row(&rows, *n_rows, err);
    text_buffer_clear(&rows.word);
    return st;
}

status dataset_parse_arff(const char *text, size_t length, const data_reading *how, dataset **out,
                          schema_origin *origin, error_info *err) {
    AUTO(arff_reader_clear) arff_reader r = {0};
    bool is_given = how && how->given;
    size_t n_rows;
    arff_start(&r, text, length);
    if (memchr(text, '\0', length))
        return error_set(err, STATUS_PARSE, "expected text, found a NUL byte");
    CHECK(read_header(&r, err));
    if (is_given)
        CHECK(use_given(&r, how, err));
    CHECK(index_states(&r, err));
    CHECK(read_rows(&r, &n_rows, err));
    if (n_rows == 0)
        return complain(&r, err, "expected rows below @data, found the end of the file");
    CHECK(dataset_create(r.variables, r.n_columns, n_rows, &r.data, err));
    CHECK(read_rows(&r, &n_rows, err));
    *out = TAKE(r.data);
    if (origin)
        *origin = is_given ? SCHEMA_GIVEN : SCHEMA_OWN;
    return STATUS_OK;
}

/* ---- writing ---- */

/* What stands for it behind a backslash. */
static char letter_for(char c) {
    switch (c) {
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return c;
    }
}

/* In quotes where it would else be read as something else. */
static void append_word(const char *word, text_buffer *out) {
    bool is_plain = *word && strcmp(word, "?") != 0;
    for (const char *at = word; is_plain && *at; at++)
        is_plain = (unsigned char)*at > ' ' && !strchr(",{}%'\"\\", *at);
    if (is_plain) {
        text_append(out, word);
        return;
    }
    text_append(out, "'");
    for (const char *at = word; *at; at++) {
        char letter = letter_for(*at);
        if (letter != *at || *at == '\'' || *at == '"' || *at == '\\' || *at == '%')
            text_append(out, "\\");
        text_append_bytes(out, &letter, 1);
    }
    text_append(out, "'");
}

static void append_attribute(const variable *v, text_buffer *out) {
    text_append(out, "@attribute ");
    append_word(v->name, out);
    text_append(out, v->kind == VARIABLE_CONTINUOUS ? " numeric" : " {");
    for (size_t k = 0; k < v->n_states; k++) {
        text_append(out, k ? "," : "");
        append_word(v->states[k], out);
    }
    text_append(out, v->kind == VARIABLE_CONTINUOUS ? "\n" : "}\n");
}

static void append_value(const dataset *data, size_t row, size_t c, text_buffer *out) {
    const double *reals = dataset_reals(data, c);
    char number[32];
    if (reals)
        text_append(out, text_from_double(reals[row], number));
    else
        append_word(dataset_variable(data, c)->states[dataset_state(data, row, c)], out);
}

void dataset_append_arff(const dataset *data, const char *relation, text_buffer *out) {
    size_t n = dataset_column_count(data);
    text_append(out, "@relation ");
    append_word(relation, out);
    text_append(out, "\n\n");
    for (size_t c = 0; c < n; c++)
        append_attribute(dataset_variable(data, c), out);
    text_append(out, "\n@data\n");
    for (size_t row = 0; row < dataset_row_count(data); row++) {
        for (size_t c = 0; c < n; c++) {
            append_value(data, row, c, out);
            text_append(out, c + 1 < n ? "," : "\n");
        }
    }
}
