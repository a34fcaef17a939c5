/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/dataset_given.h"

#include "core/base/name_index.h"
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

static const char *show(const char *name, char shown[TEXT_SHOWN_SIZE]) {
    return text_show(name, strlen(name), shown);
}

/* wanted[c] is the variable given for column c; borrows its strings. */
static status match(const dataset *data, const variable *given, size_t n, variable *wanted, error_info *err) {
    AUTO_PTR(name_index_destroy) name_index *index = NULL;
    char shown[TEXT_SHOWN_SIZE];
    CHECK(name_index_create(n, &index, err));
    for (size_t i = 0; i < n; i++)
        CHECK(name_index_add(index, given[i].name, i, NULL, err));
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        const variable *own = dataset_variable(data, c);
        size_t i = name_index_find(index, own->name);
        if (i == NAME_NONE)
            return error_set(err, STATUS_PARSE, "the column '%s' is not among the %zu variables given",
                             show(own->name, shown), n);
        if (given[i].kind != own->kind)
            return error_set(err, STATUS_PARSE, "the column '%s' is %s in the file, and %s among the variables given",
                             show(own->name, shown), own->n_states ? "discrete" : "continuous",
                             given[i].n_states ? "discrete" : "continuous");
        wanted[c] = given[i];
    }
    return STATUS_OK;
}

static bool has_all(const dataset *data, const variable *wanted) {
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        if (!variable_is_equal(dataset_variable(data, c), &wanted[c]))
            return false;
    }
    return true;
}

static status recode_states(const dataset *data, size_t c, dataset *made, error_info *err) {
    const variable *own = dataset_variable(data, c), *v = dataset_variable(made, c);
    char shown[TEXT_SHOWN_SIZE], shown_state[TEXT_SHOWN_SIZE];
    AUTO_FREE size_t *numbers = calloc(own->n_states, sizeof *numbers);
    CHECK_ALLOC(numbers);
    for (size_t k = 0; k < own->n_states; k++)
        numbers[k] = variable_find_state(v, own->states[k]);
    for (size_t row = 0; row < dataset_row_count(data); row++) {
        size_t k = dataset_state(data, row, c);
        if (numbers[k] == v->n_states)
            return error_set(err, STATUS_PARSE, "row %zu: '%s' is not a state of '%s' among the variables given",
                             row + 1, show(own->states[k], shown_state), show(own->name, shown));
        dataset_set_state(made, row, c, numbers[k]);
    }
    return STATUS_OK;
}

status dataset_use_given(const dataset *data, const variable *given, size_t n, dataset **out, error_info *err) {
    size_t p = dataset_column_count(data);
    AUTO_PTR(dataset_destroy) dataset *made = NULL;
    AUTO_FREE variable *wanted = calloc(p, sizeof *wanted); /* shallow */
    CHECK_ALLOC(wanted);
    CHECK(match(data, given, n, wanted, err));
    *out = NULL;
    if (has_all(data, wanted))
        return STATUS_OK;
    CHECK(dataset_create(wanted, p, dataset_row_count(data), &made, err));
    for (size_t c = 0; c < p; c++) {
        const double *reals = dataset_reals(data, c);
        if (reals)
            memcpy(dataset_build_reals(made, c), reals, dataset_row_count(data) * sizeof *reals);
        else
            CHECK(recode_states(data, c, made, err));
    }
    *out = TAKE(made);
    return STATUS_OK;
}
