/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/base/policy.h"

#include "core/base/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

status policy_init(cut_policy *p, size_t n_columns, error_info *err) {
    column_policy *columns = calloc(n_columns + 1, sizeof *columns);
    CHECK_ALLOC(columns);
    *p = (cut_policy){n_columns, columns};
    return STATUS_OK;
}

void policy_clear(cut_policy *p) {
    for (size_t c = 0; p->columns && c < p->n_columns; c++)
        free(p->columns[c].thresholds);
    free(p->columns);
    *p = (cut_policy){0};
}

status policy_set(cut_policy *p, size_t column, const double *thresholds, size_t n, error_info *err) {
    AUTO_FREE double *copy = calloc(n + 1, sizeof *copy);
    size_t kept = 0;
    CHECK_ALLOC(copy);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(thresholds[i]) || (i > 0 && thresholds[i] < thresholds[i - 1]))
            return error_set(err, STATUS_BUG, "the thresholds of column %zu do not rise", column + 1);
        if (kept == 0 || thresholds[i] > copy[kept - 1])
            copy[kept++] = thresholds[i];
    }
    free(p->columns[column].thresholds);
    p->columns[column] = (column_policy){kept, TAKE(copy)};
    return STATUS_OK;
}

status policy_copy(const cut_policy *from, cut_policy *to, error_info *err) {
    AUTO(policy_clear) cut_policy made = {0};
    CHECK(policy_init(&made, from->n_columns, err));
    for (size_t c = 0; c < from->n_columns; c++)
        CHECK(policy_set(&made, c, from->columns[c].thresholds, from->columns[c].n, err));
    *to = TAKE(made);
    return STATUS_OK;
}

size_t policy_state(const column_policy *c, double value) {
    size_t at;
    ARRAY_FIND_PLACE(at, c->n, c->thresholds[at] <= value);
    return at;
}

double policy_between(double a, double b) {
    double middle = isfinite(b - a) ? a + (b - a) / 2 : a / 2 + b / 2;
    return middle > a ? middle : b;
}

status policy_number_states(variable *v, const char *name, size_t n, error_info *err) {
    AUTO_FREE char(*texts)[24] = calloc(n, sizeof *texts);
    AUTO_FREE const char **states = calloc(n, sizeof *states);
    CHECK_ALLOC(texts);
    CHECK_ALLOC(states);
    for (size_t k = 0; k < n; k++) {
        (void)snprintf(texts[k], sizeof texts[k], "%zu", k);
        states[k] = texts[k];
    }
    return variable_init_discrete(v, name, states, n, err);
}

static void fill_column(const column_policy *c, const double *values, size_t column, dataset *out) {
    for (size_t row = 0; row < dataset_row_count(out); row++)
        dataset_set_state(out, row, column, policy_state(c, values[row]));
}

static void copy_column(const dataset *data, size_t column, dataset *out) {
    for (size_t row = 0; row < dataset_row_count(out); row++)
        dataset_set_state(out, row, column, dataset_state(data, row, column));
}

static status make_variables(const cut_policy *p, const dataset *data, variable *variables, error_info *err) {
    for (size_t c = 0; c < p->n_columns; c++) {
        const variable *v = dataset_variable(data, c);
        CHECK(v->kind == VARIABLE_CONTINUOUS ? policy_number_states(&variables[c], v->name, p->columns[c].n + 1, err)
                                             : variable_copy(v, &variables[c], err));
    }
    return STATUS_OK;
}

status policy_apply(const cut_policy *p, const dataset *data, dataset **out, error_info *err) {
    size_t n = dataset_column_count(data);
    variable *variables = NULL;
    dataset *made = NULL;
    status st = STATUS_OK;
    if (n != p->n_columns)
        return error_set(err, STATUS_INVALID, "the policy is for %zu columns; the data have %zu", p->n_columns, n);
    TRY_ALLOC(variables = calloc(n, sizeof *variables));
    TRY(make_variables(p, data, variables, err));
    TRY(dataset_create(variables, n, dataset_row_count(data), &made, err));
    for (size_t c = 0; c < n; c++) {
        const double *values = dataset_reals(data, c);
        if (values)
            fill_column(&p->columns[c], values, c, made);
        else
            copy_column(data, c, made);
    }
    *out = made;
cleanup:
    variables_destroy(variables, n);
    return st;
}

void policy_append_csv(const cut_policy *p, const dataset *data, text_buffer *out) {
    char number[32];
    text_append(out, "column,states,thresholds\n");
    for (size_t c = 0; c < p->n_columns; c++) {
        const column_policy *column = &p->columns[c];
        if (dataset_variable(data, c)->kind != VARIABLE_CONTINUOUS)
            continue;
        text_append_csv(out, dataset_variable(data, c)->name);
        text_append_format(out, ",%zu,", column->n + 1);
        for (size_t i = 0; i < column->n; i++)
            text_append_format(out, "%s%s", i ? "|" : "", text_from_double(column->thresholds[i], number));
        text_append(out, "\n");
    }
}
