/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/trace.h"

#include "core/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void trace_clear(trace *t) {
    for (size_t i = 0; i < t->n_figures; i++)
        free(t->figures[i].name);
    for (size_t i = 0; i < t->n_series; i++) {
        free(t->series[i].name);
        free(t->series[i].points);
    }
    free(t->figures);
    free(t->series);
    *t = (trace){0};
}

const double *trace_find_figure(const trace *t, const char *name) {
    for (size_t i = 0; i < t->n_figures; i++) {
        if (strcmp(t->figures[i].name, name) == 0)
            return &t->figures[i].value;
    }
    return NULL;
}

const trace_series *trace_find_series(const trace *t, const char *name) {
    for (size_t i = 0; i < t->n_series; i++) {
        if (strcmp(t->series[i].name, name) == 0)
            return &t->series[i];
    }
    return NULL;
}

static status append_figure(trace *t, const char *name, double value, error_info *err) {
    status st = STATUS_OK;
    char *copy = text_copy(name);
    trace_figure *grown;
    TRY_ALLOC(copy);
    TRY_ALLOC(grown = reallocarray(t->figures, t->n_figures + 1, sizeof *grown));
    t->figures = grown;
    t->figures[t->n_figures++] = (trace_figure){copy, value};
    copy = NULL;
cleanup:
    free(copy);
    return st;
}

status trace_set_figure(trace *t, const char *name, double value, error_info *err) {
    if (!t || !isfinite(value))
        return STATUS_OK;
    for (size_t i = 0; i < t->n_figures; i++) {
        if (strcmp(t->figures[i].name, name) == 0) {
            t->figures[i].value = value;
            return STATUS_OK;
        }
    }
    return append_figure(t, name, value, err);
}

static status append_series(trace *t, const char *name, error_info *err) {
    status st = STATUS_OK;
    char *copy = text_copy(name);
    trace_series *grown;
    TRY_ALLOC(copy);
    TRY_ALLOC(grown = reallocarray(t->series, t->n_series + 1, sizeof *grown));
    t->series = grown;
    t->series[t->n_series++] = (trace_series){.name = copy};
    copy = NULL;
cleanup:
    free(copy);
    return st;
}

static status append_point(trace_series *s, trace_point point, error_info *err) {
    if (s->n == s->capacity) {
        size_t wanted = s->capacity ? 2 * s->capacity : 16;
        trace_point *grown = reallocarray(s->points, wanted, sizeof *grown);
        if (!grown)
            return error_out_of_memory(err);
        s->points = grown;
        s->capacity = wanted;
    }
    s->points[s->n++] = point;
    return STATUS_OK;
}

status trace_add_point(trace *t, const char *series, uint64_t step, double value, error_info *err) {
    size_t i = 0;
    if (!t || !isfinite(value))
        return STATUS_OK;
    while (i < t->n_series && strcmp(t->series[i].name, series) != 0)
        i++;
    if (i == t->n_series)
        CHECK(append_series(t, series, err));
    if (t->series[i].n < TRACE_MAX_POINTS)
        CHECK(append_point(&t->series[i], (trace_point){step, value}, err));
    return STATUS_OK;
}
