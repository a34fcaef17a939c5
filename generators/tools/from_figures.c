/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Writes a network from the conditional probability tables of its publication.
 *
 *     from_figures FIGURES.csv NAME OUT.bif
 *
 * FIGURES has the columns variable, states, parents, parent_states, probabilities, one row a parent configuration:
 * lists separated by '|', probabilities by a space in the order of the states, parents and their states in the same
 * order. Rows are matched by their states. The variables keep the order in which the file first names them. NAME is in
 * the catalogue, whose citation goes to the top of OUT.
 */
#include "core/base/array.h"
#include "core/base/decimal.h"
#include "core/base/file.h"
#include "core/base/text_set.h"
#include "core/data/csv.h"
#include "generators/catalogue/catalogue.h"
#include "generators/networks/bif.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLE, STATES, PARENTS, PARENT_STATES, PROBABILITIES, N_FIELDS, MOST_PARENTS = 16 };

typedef struct {
    char *fields[N_FIELDS];
} figure_row;

typedef struct {
    figure_row *rows; /* without the header */
    size_t n_rows, capacity;
    text_set names;
} figures;

static void figures_clear(figures *f) {
    for (size_t i = 0; i < f->n_rows; i++) {
        for (size_t k = 0; k < N_FIELDS; k++)
            free(f->rows[i].fields[k]);
    }
    free(f->rows);
    text_set_clear(&f->names);
}

/* ---- reading ---- */

static status read_row(figures *f, csv_reader *reader, error_info *err) {
    figure_row *row;
    CHECK(ARRAY_PUSH(f->rows, f->n_rows, f->capacity, err, (figure_row){{NULL}}));
    row = &f->rows[f->n_rows - 1];
    for (size_t k = 0; k < N_FIELDS; k++) {
        csv_field field;
        CHECK(csv_read_cell(reader, k, N_FIELDS, &field, err));
        CHECK_ALLOC(row->fields[k] = text_copy_n(field.text, field.length));
    }
    return STATUS_OK;
}

static status read_figures(const char *path, figures *f, error_info *err) {
    AUTO(csv_clear) csv_reader reader = {0};
    AUTO_FREE char *text = NULL;
    size_t length;
    figure_row header;
    CHECK(file_read(path, FILE_READ_MOST, &text, &length, err));
    csv_init(&reader, text, length);
    while (!reader.is_done)
        CHECK(read_row(f, &reader, err));
    if (f->n_rows < 2 || !f->rows[0].fields[VARIABLE] || strcmp(f->rows[0].fields[VARIABLE], "variable") != 0)
        return error_set(err, STATUS_PARSE, "expected a header that begins with 'variable', and rows below it");
    header = f->rows[0];
    for (size_t k = 0; k < N_FIELDS; k++)
        free(header.fields[k]);
    memmove(f->rows, f->rows + 1, --f->n_rows * sizeof *f->rows);
    return STATUS_OK;
}

/* Splits a list; an empty text is an empty list. */
static status split(const char *list, char separator, text_set *out, error_info *err) {
    while (*list) {
        const char *behind = strchr(list, separator);
        size_t length = behind ? (size_t)(behind - list) : strlen(list);
        CHECK(text_set_find(out, list, length) == NAME_NONE
                  ? text_set_add(out, list, length, err)
                  : error_set(err, STATUS_PARSE, "'%.*s' is twice in a list", (int)length, list));
        list += length + (behind != NULL);
    }
    return STATUS_OK;
}

/* ---- variables and arcs ---- */

static status list_variables(figures *f, variable **out, error_info *err) {
    variable *made = calloc(f->n_rows, sizeof *made);
    AUTO(text_set_clear) text_set states = {0};
    status st = STATUS_OK;
    TRY_ALLOC(made);
    for (size_t i = 0; i < f->n_rows; i++) {
        const char *name = f->rows[i].fields[VARIABLE];
        if (text_set_find(&f->names, name, strlen(name)) != NAME_NONE)
            continue;
        text_set_clear(&states);
        TRY(split(f->rows[i].fields[STATES], '|', &states, err));
        TRY(variable_init_discrete(&made[f->names.n], name, (const char *const *)states.texts, states.n, err));
        TRY(text_set_add(&f->names, name, strlen(name), err));
    }
    *out = TAKE(made);
cleanup:
    variables_destroy(made, f->names.n);
    return st;
}

/* From the first row of a variable. */
static status set_parents(const figures *f, const figure_row *row, size_t node, bayes_net *net, error_info *err) {
    AUTO(text_set_clear) text_set names = {0};
    size_t parents[MOST_PARENTS];
    CHECK(split(row->fields[PARENTS], '|', &names, err));
    if (names.n > MOST_PARENTS)
        return error_set(err, STATUS_PARSE, "'%s' has more than %d parents", row->fields[VARIABLE], MOST_PARENTS);
    for (size_t p = 0; p < names.n; p++) {
        parents[p] = text_set_find(&f->names, names.texts[p], names.lengths[p]);
        if (parents[p] == NAME_NONE)
            return error_set(err, STATUS_PARSE, "the parent '%s' of '%s' has no rows", names.texts[p],
                             row->fields[VARIABLE]);
    }
    return bayes_net_set_parents(net, node, parents, names.n, err);
}

/* ---- numbers ---- */

/* The row of the table for "young|M". */
static status find_configuration(const bayes_net *net, size_t node, const char *list, size_t *out, error_info *err) {
    size_t n_parents, stride = 1;
    const size_t *parents = bayes_net_parents(net, node, &n_parents);
    *out = 0;
    for (size_t p = 0; p < n_parents; p++) {
        const variable *v = bayes_net_variable(net, parents[p]);
        size_t length = strcspn(list, "|"), k;
        AUTO_FREE char *state = text_copy_n(list, length);
        CHECK_ALLOC(state);
        k = variable_find_state(v, state);
        if (k == v->n_states)
            return error_set(err, STATUS_PARSE, "'%s' is not a state of '%s'", state, v->name);
        *out += k * stride;
        stride *= v->n_states;
        list += length + (list[length] == '|');
    }
    return STATUS_OK;
}

static status read_numbers(const char *list, double *row, size_t r, error_info *err) {
    const char *end = list + strlen(list), *at = list;
    for (size_t k = 0; k < r; k++) {
        while (*at == ' ')
            at++;
        at = decimal_read(at, end, &row[k]);
        if (!at || (*at && *at != ' '))
            return error_set(err, STATUS_PARSE, "expected %zu numbers, found '%s'", r, list);
    }
    return *at ? error_set(err, STATUS_PARSE, "expected %zu numbers, found '%s'", r, list) : STATUS_OK;
}

static status fill_row(const figures *f, const figure_row *row, bayes_net *net, error_info *err) {
    size_t node = text_set_find(&f->names, row->fields[VARIABLE], strlen(row->fields[VARIABLE]));
    size_t r = bayes_net_variable(net, node)->n_states, configuration;
    status st = STATUS_OK;
    if (!bayes_net_table(net, node))
        TRY(set_parents(f, row, node, net, err));
    TRY(find_configuration(net, node, row->fields[PARENT_STATES], &configuration, err));
    TRY(read_numbers(row->fields[PROBABILITIES], bayes_net_build_table(net, node) + configuration * r, r, err));
cleanup:
    if (st != STATUS_OK)
        error_context(err, "variable '%s'", row->fields[VARIABLE]);
    return st;
}

/* As bif_read takes them: a published .3333333 three times stays as it is. A row that was missing is all zeros. */
static status check_sums(const bayes_net *net, error_info *err) {
    for (size_t i = 0; i < bayes_net_node_count(net); i++) {
        size_t r = bayes_net_variable(net, i)->n_states;
        for (size_t j = 0; j < bayes_net_configuration_count(net, i); j++) {
            double sum = 0;
            for (size_t k = 0; k < r; k++)
                sum += bayes_net_table(net, i)[j * r + k];
            if (fabs(sum - 1) > 1e-4)
                return error_set(err, STATUS_PARSE, "variable '%s': row %zu of the table is missing or sums to %g",
                                 bayes_net_variable(net, i)->name, j, sum);
        }
    }
    return STATUS_OK;
}

static status build(figures *f, const char *name, bayes_net **out, error_info *err) {
    variable *variables = NULL;
    bayes_net *net = NULL;
    status st = STATUS_OK;
    TRY(list_variables(f, &variables, err));
    TRY(bayes_net_create(name, variables, f->names.n, &net, err));
    for (size_t i = 0; i < f->n_rows; i++)
        TRY(fill_row(f, &f->rows[i], net, err));
    TRY(check_sums(net, err));
    *out = TAKE(net);
cleanup:
    variables_destroy(variables, f->names.n);
    bayes_net_destroy(net);
    return st;
}

static status convert(const char *from, const char *name, const char *to, error_info *err) {
    const catalogue_entry *entry = catalogue_find(name);
    AUTO(figures_clear) figures f = {0};
    AUTO_PTR(bayes_net_destroy) bayes_net *net = NULL;
    AUTO(text_buffer_clear) text_buffer comment = {0};
    if (!entry)
        return error_set(err, STATUS_MISSING, "there is no network '%s' in the catalogue", name);
    CHECK(error_at(read_figures(from, &f, err), err, from));
    CHECK(build(&f, name, &net, err));
    CHECK(catalogue_check(entry, net, err));
    text_append_format(&comment, "%s\n%s.\nFigures as published there; written by networks/from_figures.c.", name,
                       entry->citation);
    CHECK(text_buffer_check(&comment, err));
    return bif_write(net, to, comment.data, err);
}

int main(int argc, char **argv) {
    error_info err = {0};
    if (argc != 4) {
        (void)fprintf(stderr, "usage: from_figures FIGURES.csv NAME OUT.bif\n");
        return 2;
    }
    if (convert(argv[1], argv[2], argv[3], &err) != STATUS_OK) {
        (void)fprintf(stderr, "from_figures: %s\n", err.message);
        return 3;
    }
    return 0;
}
