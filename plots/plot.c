/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/plot.h"

#include "metrics/metric.h"
#include "plots/plot_internal.h"
#include "results/aggregate.h"
#include "results/display.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char samples_name[] = "samples";
static const double log_spread = 4; /* sample sizes that differ more than so stand on a logarithmic axis */

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
    for (size_t i = 0; i < p->n_notes; i++)
        free(p->notes[i]);
    free(p->notes);
    *p = (plot){0};
}

/* What plot_compute works on. */
typedef struct {
    const experiment_outputs *outputs;
    const plot_spec *spec;
    size_t baseline;
    result_grid grid;
    metric_values x, y;
    const metric_values *both[2]; /* y, and x unless it is "samples" */
    size_t n_both;
    bool *takes_part;     /* n_learners */
    double *xs, *ys;      /* the data sets of one point */
    size_t n_zero;        /* data sets left out since their baseline is 0 */
    size_t n_no_baseline; /* sizes at which the baseline has no value */
} plot_work;

static bool is_samples(const char *name) {
    return strcmp(name, samples_name) == 0;
}

status plot_take_note(plot *p, text_buffer *b, error_info *err) {
    char **grown;
    status st = STATUS_OK;
    TRY(text_buffer_check(b, err));
    if (b->length == 0)
        goto cleanup;
    grown = reallocarray(p->notes, p->n_notes + 1, sizeof *grown);
    TRY_ALLOC(grown);
    p->notes = grown;
    p->notes[p->n_notes++] = b->data;
    *b = (text_buffer){0};
cleanup:
    text_buffer_clear(b);
    return st;
}

static size_t find_learner(const experiment_outputs *o, const char *id) {
    for (size_t i = 0; i < o->n_learners; i++) {
        if (strcmp(o->learners[i], id) == 0)
            return i;
    }
    return NO_BASELINE;
}

static status check_spec(plot_work *w, error_info *err) {
    const plot_spec *spec = w->spec;
    if (is_samples(spec->y))
        return error_set(err, STATUS_INVALID, "the y axis is 'samples'; it must be a metric");
    w->baseline = spec->normalise_by ? find_learner(w->outputs, spec->normalise_by) : NO_BASELINE;
    if (spec->normalise_by && w->baseline == NO_BASELINE)
        return error_set(err, STATUS_INVALID, "it is to be normalised by '%s', which is no learner of the experiment",
                         spec->normalise_by);
    return STATUS_OK;
}

static status prepare(plot_work *w, const job_record *records, size_t n_records, error_info *err) {
    size_t n_data_sets;
    status st = STATUS_OK;
    TRY(check_spec(w, err));
    TRY(result_grid_create(w->outputs, records, n_records, &w->grid, err));
    TRY(metric_values_create(&w->grid, w->spec->y, FAILURES_DROP_DATASET, &w->y, err));
    w->both[w->n_both++] = &w->y;
    if (!is_samples(w->spec->x)) {
        TRY(metric_values_create(&w->grid, w->spec->x, FAILURES_DROP_DATASET, &w->x, err));
        w->both[w->n_both++] = &w->x;
    }
    n_data_sets = w->grid.n_networks * w->grid.n_replicates;
    w->takes_part = calloc(w->grid.n_learners + 1, sizeof *w->takes_part);
    w->xs = calloc(n_data_sets + 1, sizeof *w->xs);
    w->ys = calloc(n_data_sets + 1, sizeof *w->ys);
    TRY_ALLOC(w->takes_part);
    TRY_ALLOC(w->xs);
    TRY_ALLOC(w->ys);
cleanup:
    return st;
}

static void clear_work(plot_work *w) {
    result_grid_clear(&w->grid);
    metric_values_clear(&w->x);
    metric_values_clear(&w->y);
    free(w->takes_part);
    free(w->xs);
    free(w->ys);
}

static bool has_zero_baseline(const plot_work *w, size_t first) {
    for (size_t m = 0; w->baseline != NO_BASELINE && m < w->n_both; m++) {
        if (w->both[m]->values[first + w->baseline] == 0)
            return true;
    }
    return false;
}

/* Of a data set whose first learner stands at `first`. */
static double relative_value(const plot_work *w, const metric_values *m, size_t first, size_t learner) {
    double value = m->values[first + learner];
    return w->baseline == NO_BASELINE ? value : value / m->values[first + w->baseline];
}

static plot_spread spread_of(double *values, size_t n) {
    return (plot_spread){.middle = sorted_quantile(values, n, 0.5),
                         .low = sorted_quantile(values, n, 0.25),
                         .high = sorted_quantile(values, n, 0.75)};
}

/* The point of a learner at a size; n is 0 where there is none. */
static plot_point compute_point(plot_work *w, size_t learner, size_t size) {
    const result_grid *g = &w->grid;
    plot_point point = {
        .learner = learner, .size = size, .samples = w->outputs->sizes[size], .of = g->n_networks * g->n_replicates};
    for (size_t i = 0; i < point.of; i++) {
        grid_element at = {.network = i / g->n_replicates, .size = size};
        size_t replicate = i % g->n_replicates, first = result_grid_index(g, at.network, size, replicate, 0);
        if (!data_set_is_kept(w->both, w->n_both, w->takes_part, at, replicate) || has_zero_baseline(w, first))
            continue;
        w->ys[point.n] = relative_value(w, &w->y, first, learner);
        w->xs[point.n++] = w->n_both > 1 ? relative_value(w, &w->x, first, learner) : (double)w->outputs->sizes[size];
    }
    if (point.n == 0)
        return point;
    point.x = spread_of(w->xs, point.n);
    point.y = spread_of(w->ys, point.n);
    return point;
}

static void count_zeros(plot_work *w, size_t size) {
    const result_grid *g = &w->grid;
    for (size_t i = 0; i < g->n_networks * g->n_replicates; i++) {
        grid_element at = {.network = i / g->n_replicates, .size = size};
        size_t replicate = i % g->n_replicates;
        if (data_set_is_kept(w->both, w->n_both, w->takes_part, at, replicate))
            w->n_zero += has_zero_baseline(w, result_grid_index(g, at.network, size, replicate, 0));
    }
}

static status compute_size(plot_work *w, size_t size, plot *p, error_info *err) {
    grid_element *elements = calloc(w->grid.n_networks + 1, sizeof *elements);
    if (!elements)
        return error_out_of_memory(err);
    for (size_t i = 0; i < w->grid.n_networks; i++)
        elements[i] = (grid_element){.network = i, .size = size};
    group_participants(w->both, w->n_both, elements, w->grid.n_networks, w->takes_part);
    free(elements);
    if (w->baseline != NO_BASELINE && !w->takes_part[w->baseline]) {
        w->n_no_baseline++;
        return STATUS_OK;
    }
    count_zeros(w, size);
    for (size_t l = 0; l < w->grid.n_learners; l++) {
        plot_point point = w->takes_part[l] ? compute_point(w, l, size) : (plot_point){0};
        if (point.n > 0)
            p->points[p->n_points++] = point;
    }
    return STATUS_OK;
}

static int compare_points(const void *a, const void *b) {
    const plot_point *p = a, *q = b;
    if (p->learner != q->learner)
        return p->learner < q->learner ? -1 : 1;
    return (p->samples > q->samples) - (p->samples < q->samples);
}

static bool is_time(const char *metric) {
    const metric_info *info = metric_find(metric);
    return info && strcmp(info->unit, "s") == 0;
}

status plot_name_axis(plot_axis *axis, const char *metric, const char *normalise_by, error_info *err) {
    const char *unit = display_unit_of(metric);
    text_buffer label = {0};
    status st = STATUS_OK;
    axis->is_samples = is_samples(metric);
    axis->is_ratio = normalise_by && !axis->is_samples;
    axis->scale = !axis->is_ratio && display_style_of(metric) == NUMBER_BYTES ? 1.0 / 1048576 : 1;
    axis->title = text_copy(metric);
    TRY_ALLOC(axis->title);
    if (axis->is_ratio)
        text_append_format(&label, "%s relative to %s", metric, normalise_by);
    else if (axis->is_samples)
        text_append(&label, "sample size (rows)");
    else
        text_append_format(&label, *unit ? "%s (%s)" : "%s", metric, unit);
    TRY(text_buffer_check(&label, err));
    axis->label = label.data;
    label = (text_buffer){0};
cleanup:
    text_buffer_clear(&label);
    return st;
}

static bool sizes_lie_apart(const experiment_outputs *o) {
    size_t least = SIZE_MAX, most = 0;
    for (size_t i = 0; i < o->n_sizes; i++) {
        least = o->sizes[i] < least ? o->sizes[i] : least;
        most = o->sizes[i] > most ? o->sizes[i] : most;
    }
    return o->n_sizes > 1 && least > 0 && (double)most / (double)least > log_spread;
}

static bool is_all_positive(const plot *p, bool on_x) {
    for (size_t i = 0; i < p->n_points; i++) {
        if ((on_x ? p->points[i].x.low : p->points[i].y.low) <= 0)
            return false;
    }
    return true;
}

static status choose_scale(plot *p, bool on_x, const char *metric, bool asked, error_info *err) {
    plot_axis *axis = on_x ? &p->x : &p->y;
    text_buffer b = {0};
    bool is_wanted = asked || is_time(metric) || (axis->is_samples && sizes_lie_apart(p->outputs));
    axis->is_log = is_wanted && is_all_positive(p, on_x);
    if (asked && !axis->is_log)
        text_append_format(&b, "The axis of %s is linear: a value is not positive.", metric);
    return plot_take_note(p, &b, err);
}

static status name_plot(const plot_work *w, plot *p, error_info *err) {
    const plot_spec *spec = w->spec;
    text_buffer title = {0};
    status st = STATUS_OK;
    TRY(plot_name_axis(&p->x, spec->x, spec->normalise_by, err));
    TRY(plot_name_axis(&p->y, spec->y, spec->normalise_by, err));
    TRY(choose_scale(p, true, spec->x, spec->log_x, err));
    TRY(choose_scale(p, false, spec->y, spec->log_y, err));
    if (spec->title)
        text_append(&title, spec->title);
    else
        text_append_format(&title, "%s %s %s", spec->y, p->x.is_samples ? "by" : "against",
                           p->x.is_samples ? "sample size" : spec->x);
    TRY(text_buffer_check(&title, err));
    p->title = title.data;
    title = (text_buffer){0};
cleanup:
    text_buffer_clear(&title);
    return st;
}

static void append_without_points(const plot *p, text_buffer *b) {
    const experiment_outputs *o = p->outputs;
    size_t n = 0;
    for (size_t l = 0; l < o->n_learners; l++) {
        bool is_there = false;
        for (size_t i = 0; i < p->n_points; i++)
            is_there |= p->points[i].learner == l;
        if (!is_there)
            text_append_format(
                b, "%s%s", n++ ? ", " : "Without a point, having no such values on common data sets: ", o->learners[l]);
    }
    text_append(b, n ? "." : "");
}

static void append_n_of_n(const plot *p, text_buffer *b) {
    size_t n_short = 0;
    for (size_t i = 0; i < p->n_points; i++)
        n_short += p->points[i].n < p->points[i].of;
    text_append(b, "Each point is the median over data sets, bars where drawn reach the quartiles.");
    if (n_short)
        text_append_format(
            b,
            " %zu of %zu points rest on fewer data sets than declared (n and of in the CSV file): one on which a "
            "learner has no value, or the baseline 0, is left out for all.",
            n_short, p->n_points);
}

static bool is_all_negative(const metric_values *m) {
    size_t n = m->grid ? m->grid->n_networks * m->grid->n_sizes * m->grid->n_replicates * m->grid->n_learners : 0;
    for (size_t i = 0; i < n; i++) {
        if (m->values[i] >= 0)
            return false;
    }
    return n > 0;
}

static status add_notes(const plot_work *w, plot *p, error_info *err) {
    text_buffer b = {0};
    status st = STATUS_OK;
    append_n_of_n(p, &b);
    TRY(plot_take_note(p, &b, err));
    append_without_points(p, &b);
    TRY(plot_take_note(p, &b, err));
    if (w->n_zero)
        text_append_format(&b, "%zu data set%s left out, %s having 0 there.", w->n_zero, w->n_zero == 1 ? "" : "s",
                           w->spec->normalise_by);
    TRY(plot_take_note(p, &b, err));
    if (w->n_no_baseline)
        text_append_format(&b, "%s, by which to normalise, has no value at %zu of %zu sample sizes: no points there.",
                           w->spec->normalise_by, w->n_no_baseline, w->grid.n_sizes);
    TRY(plot_take_note(p, &b, err));
cleanup:
    return st;
}

status plot_compute(const experiment_outputs *outputs, const plot_spec *spec, const job_record *records,
                    size_t n_records, plot *out, error_info *err) {
    plot_work w = {.outputs = outputs, .spec = spec};
    plot p = {.outputs = outputs, .kind = spec->kind, .style = spec->style};
    status st = STATUS_OK;
    if (spec->kind == PLOT_TRACE)
        return plot_compute_trace(outputs, spec, records, n_records, out, err);
    if (spec->kind == PLOT_BOX || spec->kind == PLOT_HEATMAP)
        return plot_compute_values(outputs, spec, records, n_records, out, err);
    if (spec->kind == PLOT_GROWTH)
        return plot_compute_growth(outputs, spec, records, n_records, out, err);
    TRY(prepare(&w, records, n_records, err));
    p.points = calloc(outputs->n_learners * outputs->n_sizes + 1, sizeof *p.points);
    TRY_ALLOC(p.points);
    for (size_t size = 0; size < outputs->n_sizes; size++)
        TRY(compute_size(&w, size, &p, err));
    qsort(p.points, p.n_points, sizeof *p.points, compare_points);
    TRY(name_plot(&w, &p, err));
    if (spec->kind == PLOT_SCATTER)
        plot_mark_front(&p, spec, is_all_negative(&w.x), is_all_negative(&w.y));
    TRY(add_notes(&w, &p, err));
    *out = p;
    p = (plot){0};
cleanup:
    if (st != STATUS_OK)
        error_context(err, "plot '%s'", spec->id ? spec->id : spec->y);
    plot_clear(&p);
    clear_work(&w);
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
    text_append(out, "learner,samples,n,of,x,x_q1,x_q3,y,y_q1,y_q3");
    text_append(out, p->has_front ? ",on_front\n" : "\n");
    for (size_t i = 0; i < p->n_points; i++) {
        const plot_point *point = &p->points[i];
        const double numbers[] = {point->x.middle, point->x.low, point->x.high,
                                  point->y.middle, point->y.low, point->y.high};
        text_append_csv(out, p->outputs->learners[point->learner]);
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

size_t plot_choose_size(const experiment_outputs *outputs, const plot_spec *spec) {
    size_t best = 0;
    for (size_t i = 0; i < outputs->n_sizes; i++) {
        if (outputs->sizes[i] == spec->samples)
            return i;
        if (outputs->sizes[i] > outputs->sizes[best])
            best = i;
    }
    return best;
}
