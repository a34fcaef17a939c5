/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kinds of plots share: axes, notes, the figures as CSV. */
#include "parts/figures/figure_style.h"
#include "parts/plots/plot_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void clear_axis(plot_axis *axis) {
    free(axis->title);
    free(axis->label);
}

void plot_clear(plot *p) {
    free(p->title);
    clear_axis(&p->x);
    clear_axis(&p->y);
    free(p->points);
    free(p->values);
    text_list_free(p->notes, p->n_notes);
    *p = (plot){0};
}

status plot_name_axis(plot_axis *axis, const char *metric, const char *normalise_by, error_info *err) {
    const char *unit = figure_unit_of(metric);
    text_buffer label = {0};
    status st = STATUS_OK;
    axis->is_samples = strcmp(metric, "samples") == 0;
    axis->is_sigma = strcmp(metric, "sigma") == 0;
    axis->is_ratio = normalise_by && !axis->is_samples && !axis->is_sigma;
    axis->scale = !axis->is_ratio && figure_style_of(metric) == NUMBER_BYTES ? 1.0 / 1048576 : 1;
    axis->title = text_copy(metric);
    TRY_ALLOC(axis->title);
    if (axis->is_ratio)
        text_append_format(&label, "%s relative to %s", metric, normalise_by);
    else if (axis->is_samples)
        text_append(&label, "sample size (rows)");
    else if (axis->is_sigma)
        text_append(&label, "noise level sigma (states lie 1 apart)");
    else
        text_append_format(&label, *unit ? "%s (%s)" : "%s", metric, unit);
    TRY(text_buffer_check(&label, err));
    axis->label = label.data;
    label = (text_buffer){0};
cleanup:
    text_buffer_clear(&label);
    return st;
}

void plot_append_csv(const plot *p, text_buffer *out) {
    if (p->kind == PLOT_TRACE) {
        plot_append_trace_csv(p, out);
        return;
    }
    if (p->kind == PLOT_BOX || p->kind == PLOT_HEATMAP) {
        plot_append_values_csv(p, out);
        return;
    }
    if (p->kind == PLOT_GROWTH) {
        plot_append_growth_csv(p, out);
        return;
    }
    text_append(out, p->x.is_sigma ? "learner,sigma,n,of,x," : "learner,samples,n,of,x,");
    text_append(out, p->has_means ? "x_low,x_high,y,y_low,y_high" : "x_q1,x_q3,y,y_q1,y_q3");
    text_append(out, p->has_front ? ",on_front\n" : "\n");
    for (size_t i = 0; i < p->n_points; i++) {
        const plot_point *point = &p->points[i];
        char digits[32];
        const double numbers[] = {point->x.middle, point->x.low, point->x.high,
                                  point->y.middle, point->y.low, point->y.high};
        text_append_csv_label(out, p->outputs->learners[point->learner]);
        if (p->x.is_sigma)
            text_append_format(out, ",%s,%zu,%zu", text_from_double(point->x.middle, digits), point->n, point->of);
        else
            text_append_format(out, ",%zu,%zu,%zu", point->samples, point->n, point->of);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            char text[32];
            text_append_format(out, ",%s", text_from_double(numbers[k], text));
        }
        text_append(out, !p->has_front ? "\n" : point->is_on_front ? ",1\n" : ",0\n");
    }
}

bool plot_has_data(const plot *p) {
    return p->n_points > 0 || p->n_values > 0;
}

const char *plot_rows(size_t samples, char buffer[PLOT_ROWS_SIZE]) {
    if (samples == OUTPUTS_ALL_ROWS)
        return "all rows";
    (void)snprintf(buffer, PLOT_ROWS_SIZE, "%zu rows", samples);
    return buffer;
}

size_t plot_choose_size(const experiment_outputs *outputs, const plot_spec *spec) {
    size_t best = 0;
    for (size_t i = 0; i < outputs->n_sizes; i++) {
        if (spec->samples && outputs->sizes[i] == spec->samples)
            return i;
        if (outputs->sizes[i] > outputs->sizes[best])
            best = i;
    }
    return best;
}
