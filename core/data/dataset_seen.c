/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/dataset_seen.h"

#include <stdlib.h>
#include <string.h>

/* is_seen[k] for each declared state k of a column; returns how many are. Ends early where all are. */
static size_t look_for_states(const dataset *data, size_t column, bool *is_seen) {
    size_t r = dataset_state_count(data, column), n_rows = dataset_row_count(data), n = 0;
    memset(is_seen, 0, r * sizeof *is_seen);
    for (size_t row = 0; row < n_rows && n < r; row++) {
        size_t k = dataset_state(data, row, column);
        n += !is_seen[k];
        is_seen[k] = true;
    }
    return n;
}

/* `v` with the first state, or those seen; borrows its strings. number[k] is the new number of state k. A continuous
 * column has no states. */
static void keep_states(const variable *v, const bool *is_seen, char **names, size_t *number, variable *out) {
    size_t n = 0;
    for (size_t k = 0; k < v->n_states; k++) {
        number[k] = n;
        if (is_seen[k])
            names[n++] = v->states[k];
    }
    if (n == 0 && v->n_states > 0)
        names[n++] = v->states[0];
    *out = *v;
    out->states = names;
    out->n_states = n;
}

/* What is made of every column: the variables of the copy and the new numbers, those of a column where it starts. */
typedef struct {
    bool *is_seen;
    variable *variables;
    char **names;
    size_t *numbers, *start;
} recoding;

static void recoding_clear(recoding *r) {
    free(r->is_seen);
    free(r->variables);
    free(r->names);
    free(r->numbers);
    free(r->start);
}

static status recoding_init(recoding *r, const dataset *data, error_info *err) {
    size_t p = dataset_column_count(data), n_states = 0;
    CHECK_ALLOC(r->start = calloc(p + 1, sizeof *r->start));
    for (size_t c = 0; c < p; c++) {
        r->start[c] = n_states;
        n_states += dataset_state_count(data, c);
    }
    CHECK_ALLOC(r->is_seen = calloc(n_states + 1, sizeof *r->is_seen));
    CHECK_ALLOC(r->variables = calloc(p + 1, sizeof *r->variables));
    CHECK_ALLOC(r->names = calloc(n_states + 1, sizeof *r->names));
    CHECK_ALLOC(r->numbers = calloc(n_states + 1, sizeof *r->numbers));
    return STATUS_OK;
}

static void recode(const dataset *data, const recoding *r, dataset *made) {
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        const size_t *number = r->numbers + r->start[c];
        const double *reals = dataset_reals(data, c);
        if (reals)
            memcpy(dataset_build_reals(made, c), reals, dataset_row_count(data) * sizeof *reals);
        for (size_t row = 0; !reals && row < dataset_row_count(data); row++)
            dataset_set_state(made, row, c, number[dataset_state(data, row, c)]);
    }
}

status dataset_keep_seen_states(const dataset *data, dataset **out, error_info *err) {
    AUTO(recoding_clear) recoding r = {0};
    size_t p = dataset_column_count(data);
    bool is_whole = true;
    CHECK(recoding_init(&r, data, err));
    for (size_t c = 0; c < p; c++) {
        size_t at = r.start[c];
        if (look_for_states(data, c, r.is_seen + at) < dataset_state_count(data, c))
            is_whole = false;
    }
    *out = NULL;
    if (is_whole)
        return STATUS_OK;
    for (size_t c = 0; c < p; c++) {
        size_t at = r.start[c];
        keep_states(dataset_variable(data, c), r.is_seen + at, r.names + at, r.numbers + at, &r.variables[c]);
    }
    CHECK(dataset_create(r.variables, p, dataset_row_count(data), out, err));
    recode(data, &r, *out);
    return STATUS_OK;
}
