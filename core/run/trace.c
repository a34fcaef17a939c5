/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/trace.h"

#include "core/base/array.h"
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

status trace_set_figure(trace *t, const char *name, double value, error_info *err) {
    char *copy;
    if (!t || !isfinite(value))
        return STATUS_OK;
    for (size_t i = 0; i < t->n_figures; i++) {
        if (strcmp(t->figures[i].name, name) == 0) {
            t->figures[i].value = value;
            return STATUS_OK;
        }
    }
    CHECK(array_resize(&t->figures, t->n_figures + 1, sizeof *t->figures, err));
    CHECK_ALLOC(copy = text_copy(name));
    t->figures[t->n_figures++] = (trace_figure){copy, value};
    return STATUS_OK;
}

static status append_series(trace *t, const char *name, error_info *err) {
    char *copy;
    CHECK(array_resize(&t->series, t->n_series + 1, sizeof *t->series, err));
    CHECK_ALLOC(copy = text_copy(name));
    t->series[t->n_series++] = (trace_series){.name = copy};
    return STATUS_OK;
}

status trace_add_point(trace *t, const char *series, uint64_t step, double value, error_info *err) {
    trace_series *s;
    size_t i = 0;
    if (!t || !isfinite(value))
        return STATUS_OK;
    while (i < t->n_series && strcmp(t->series[i].name, series) != 0)
        i++;
    if (i == t->n_series)
        CHECK(append_series(t, series, err));
    s = &t->series[i];
    return s->n < TRACE_MAX_POINTS ? ARRAY_PUSH(s->points, s->n, s->capacity, err, (trace_point){step, value})
                                   : STATUS_OK;
}
