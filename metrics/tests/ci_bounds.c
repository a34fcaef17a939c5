/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/ci_bounds_internal.h"

#include "core/counting/counts.h"

#include <stdlib.h>

void ci_bounds_destroy(ci_bounds *b) {
    if (!b)
        return;
    set_terms_destroy(b->sets);
    free(b->focus.information);
    free(b->focus.found);
    free(b->others);
    free(b->recent.z);
    free(b);
}

/* Takes the sets. */
static status create(set_terms *sets, size_t p, distinct_rows *rows, ci_bounds **out, error_info *err) {
    AUTO_PTR(set_terms_destroy) set_terms *own = sets;
    AUTO_PTR(ci_bounds_destroy) ci_bounds *b = NULL;
    set_term none;
    CHECK_ALLOC(b = calloc(1, sizeof *b));
    b->sets = TAKE(own);
    CHECK_ALLOC(b->others = calloc(p + 1, sizeof *b->others));
    CHECK_ALLOC(b->focus.information = calloc(p + 1, sizeof *b->focus.information));
    CHECK_ALLOC(b->focus.found = calloc(p + 1, sizeof *b->focus.found));
    for (size_t i = 0; i < p; i++)
        b->focus.information[i] = -1;
    CHECK_ALLOC(b->recent.z = calloc(p + 1, sizeof *b->recent.z));
    CHECK(set_terms_get(b->sets, NULL, 0, COUNTS_NO_EXTRA, &none, err));
    b->none = none.sum;
    set_terms_count_by(b->sets, rows);
    *out = TAKE(b);
    return STATUS_OK;
}

status ci_bounds_create(const dataset *data, const whole_terms *terms, distinct_rows *rows, ci_bounds **out,
                        error_info *err) {
    set_terms *sets = NULL;
    CHECK(set_terms_create(data, terms, &sets, err));
    return create(sets, dataset_column_count(data), rows, out, err);
}

status ci_bounds_create_beside(const ci_bounds *with, const dataset *data, distinct_rows *rows, ci_bounds **out,
                               error_info *err) {
    set_terms *sets = NULL;
    CHECK(set_terms_create_beside(with->sets, &sets, err));
    return create(sets, dataset_column_count(data), rows, out, err);
}

static void turn_to(focus_terms *f, size_t column) {
    for (size_t i = 0; i < f->n_found; i++)
        f->information[f->found[i]] = -1;
    f->n_found = 0;
    f->column = column;
}

static status find_shared(ci_bounds *b, size_t x, size_t y, int64_t *out, error_info *err) {
    int64_t both, of_x, of_y;
    CHECK(set_terms_single(b->sets, x, &of_x, err));
    CHECK(set_terms_single(b->sets, y, &of_y, err));
    CHECK(set_terms_pair(b->sets, y, x, &both, err));
    *out = both - of_x - of_y + b->none;
    return STATUS_OK;
}

/* Rounded terms may come to less than nothing. */
static void keep(focus_terms *f, size_t x, int64_t information) {
    f->information[x] = information > 0 ? information : 0;
    f->found[f->n_found++] = x;
}

void ci_bounds_add_focus(ci_bounds *b, size_t x, size_t column, int64_t information) {
    focus_terms *f = &b->focus;
    if (f->column != column)
        turn_to(f, column);
    if (f->information[x] < 0)
        keep(f, x, information);
}

status ci_bounds_with_focus(ci_bounds *b, size_t x, size_t column, int64_t *out, error_info *err) {
    focus_terms *f = &b->focus;
    int64_t information;
    if (f->column != column)
        turn_to(f, column);
    if (f->information[x] < 0) {
        CHECK(find_shared(b, x, column, &information, err));
        keep(f, x, information);
    }
    *out = f->information[x];
    return STATUS_OK;
}
