/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/plots/points.h"

#include "document/display.h"
#include "metrics/distances/metric.h"
#include "parts/figures/aggregate.h"
#include "parts/plots/plot_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char samples_name[] = "samples", sigma_name[] = "sigma";
static const double log_spread = 4; /* sample sizes that differ more than so stand on a logarithmic axis */

/* What plot_compute works on. A group is what a learner has one point for: a sample size, or a noise level. */
typedef struct {
    const experiment_outputs *outputs;
    const points_spec *spec;
    bool by_sigma;
    size_t n_groups, n_elements;
    grid_element *elements; /* of the group at hand */
    size_t baseline;
    result_grid grid;
    metric_values x, y;
    const metric_values *both[2]; /* y, and x unless it is "samples" or "sigma" */
    size_t n_both;
    bool *takes_part;     /* n_learners */
    double *xs, *ys;      /* the data sets of one point */
    bool *kept;           /* n_replicates, of the element at hand */
    size_t n_zero;        /* data sets left out since their baseline is 0 */
    size_t n_opposite;    /* values left out, their sign being another than their baseline's */
    size_t n_no_baseline; /* groups in which the baseline has no value */
} plot_work;

static const char *x_of(const points_spec *spec) {
    return spec->x ? spec->x : samples_name;
}

static bool is_samples(const char *name) {
    return strcmp(name, samples_name) == 0;
}

static bool is_sigma(const char *name) {
    return strcmp(name, sigma_name) == 0;
}

static status check_spec(plot_work *w, error_info *err) {
    const points_spec *spec = w->spec;
    if (is_samples(spec->y) || is_sigma(spec->y))
        return error_set(err, STATUS_INVALID, "the y axis is '%s'; it must be a metric", spec->y);
    w->baseline = spec->normalise_by ? outputs_find_learner(w->outputs, spec->normalise_by) : NO_BASELINE;
    if (spec->normalise_by && w->baseline == NO_BASELINE)
        return error_set(err, STATUS_INVALID, "it is to be normalised by '%s', which is no learner of the experiment",
                         spec->normalise_by);
    return STATUS_OK;
}

static status prepare(plot_work *w, const job_record *records, size_t n_records, error_info *err) {
    size_t n_data_sets, n_places = outputs_place_count(w->outputs), n_sizes = w->outputs->n_sizes;
    w->by_sigma = is_sigma(x_of(w->spec));
    w->n_groups = w->by_sigma ? outputs_sigma_count(w->outputs) : n_sizes;
    CHECK_ALLOC(w->elements = calloc(n_places * n_sizes + 1, sizeof *w->elements));
    CHECK(check_spec(w, err));
    CHECK(result_grid_create(w->outputs, records, n_records, &w->grid, err));
    CHECK(metric_values_create(&w->grid, w->spec->y, FAILURES_DROP_DATASET, &w->y, err));
    w->both[w->n_both++] = &w->y;
    if (!is_samples(x_of(w->spec)) && !w->by_sigma) {
        CHECK(metric_values_create(&w->grid, x_of(w->spec), FAILURES_DROP_DATASET, &w->x, err));
        w->both[w->n_both++] = &w->x;
    }
    n_data_sets = n_places * n_sizes * w->grid.n_replicates;
    w->takes_part = calloc(w->grid.n_learners + 1, sizeof *w->takes_part);
    w->xs = calloc(n_data_sets + 1, sizeof *w->xs);
    w->ys = calloc(n_data_sets + 1, sizeof *w->ys);
    CHECK_ALLOC(w->kept = calloc(w->grid.n_replicates + 1, sizeof *w->kept));
    CHECK_ALLOC(w->takes_part);
    CHECK_ALLOC(w->xs);
    CHECK_ALLOC(w->ys);
    return STATUS_OK;
}

static void clear_work(plot_work *w) {
    result_grid_clear(&w->grid);
    metric_values_clear(&w->x);
    metric_values_clear(&w->y);
    free(w->elements);
    free(w->kept);
    free(w->takes_part);
    free(w->xs);
    free(w->ys);
}

static bool is_size_wanted(const plot_work *w, size_t size) {
    return w->spec->samples == 0 || w->spec->samples == w->outputs->sizes[size];
}

/* The places and sizes that a group's points rest on. */
static void choose_elements(plot_work *w, size_t group) {
    size_t n_sigmas = outputs_sigma_count(w->outputs);
    w->n_elements = 0;
    for (size_t i = 0; i < w->grid.n_places * w->grid.n_sizes; i++) {
        grid_element at = {.place = i / w->grid.n_sizes, .size = i % w->grid.n_sizes};
        bool is_in_group = w->by_sigma ? at.place % n_sigmas == group : at.size == group;
        if (is_in_group && is_size_wanted(w, at.size))
            w->elements[w->n_elements++] = at;
    }
}

static double place_on_x(const plot_work *w, size_t group) {
    if (!w->by_sigma)
        return (double)w->outputs->sizes[group];
    return w->outputs->n_sigmas ? w->outputs->sigmas[group] : 0;
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

/* A ratio of values of different signs says nothing (parts/figures/aggregate.h). */
static bool is_opposite(const plot_work *w, size_t first, size_t learner) {
    for (size_t m = 0; w->baseline != NO_BASELINE && m < w->n_both; m++) {
        if (relative_value(w, w->both[m], first, learner) < 0)
            return true;
    }
    return false;
}

/* As compute_point, by means. */
static void add_means(plot_work *w, size_t group, plot_point *point) {
    const result_grid *g = &w->grid;
    points_mean x = {0}, y = {0};
    bool *kept = w->kept;
    for (size_t e = 0; e < w->n_elements; e++) {
        size_t n = 0;
        points_mean x_before = x;
        for (size_t r = 0; r < g->n_replicates; r++) {
            kept[r] = data_set_is_kept(w->both, w->n_both, w->takes_part, w->elements[e], r);
            n += kept[r];
        }
        if (w->n_both > 1 && !points_mean_add(&w->x, w->baseline, w->elements[e], kept, point->learner, &x))
            continue;
        if (points_mean_add(&w->y, w->baseline, w->elements[e], kept, point->learner, &y))
            point->n += n;
        else {
            x = x_before;
            w->n_opposite += n;
        }
    }
    if (y.n == 0)
        return;
    point->y = points_mean_spread(&y);
    point->x = w->n_both > 1 ? points_mean_spread(&x)
                             : (plot_spread){place_on_x(w, group), place_on_x(w, group), place_on_x(w, group)};
}

/* The point of a learner in a group; n is 0 where there is none. */
static plot_point compute_point(plot_work *w, size_t learner, size_t group) {
    const result_grid *g = &w->grid;
    plot_point point = {.learner = learner, .size = group, .of = w->n_elements * g->n_replicates};
    point.samples = w->by_sigma ? w->spec->samples : w->outputs->sizes[group];
    if (w->spec->aggregate == AGGREGATE_MEAN) {
        add_means(w, group, &point);
        return point;
    }
    for (size_t i = 0; i < point.of; i++) {
        grid_element at = w->elements[i / g->n_replicates];
        size_t replicate = i % g->n_replicates, first = result_grid_index(g, at.place, at.size, replicate, 0);
        if (!data_set_is_kept(w->both, w->n_both, w->takes_part, at, replicate) || has_zero_baseline(w, first))
            continue;
        if (is_opposite(w, first, learner)) {
            w->n_opposite++;
            continue;
        }
        w->ys[point.n] = relative_value(w, &w->y, first, learner);
        w->xs[point.n++] = w->n_both > 1 ? relative_value(w, &w->x, first, learner) : place_on_x(w, group);
    }
    if (point.n == 0)
        return point;
    point.x = plot_spread_of(w->xs, point.n);
    point.y = plot_spread_of(w->ys, point.n);
    return point;
}

static void count_zeros(plot_work *w) {
    const result_grid *g = &w->grid;
    for (size_t i = 0; i < w->n_elements * g->n_replicates; i++) {
        grid_element at = w->elements[i / g->n_replicates];
        size_t replicate = i % g->n_replicates;
        if (data_set_is_kept(w->both, w->n_both, w->takes_part, at, replicate))
            w->n_zero += has_zero_baseline(w, result_grid_index(g, at.place, at.size, replicate, 0));
    }
}

static void compute_group(plot_work *w, size_t group, plot *p) {
    choose_elements(w, group);
    if (w->n_elements == 0)
        return;
    group_participants(w->both, w->n_both, w->elements, w->n_elements, w->takes_part);
    if (w->baseline != NO_BASELINE && !w->takes_part[w->baseline]) {
        w->n_no_baseline++;
        return;
    }
    if (w->spec->aggregate != AGGREGATE_MEAN)
        count_zeros(w);
    for (size_t l = 0; l < w->grid.n_learners; l++) {
        plot_point point = w->takes_part[l] ? compute_point(w, l, group) : (plot_point){0};
        if (point.n > 0)
            p->points[p->n_points++] = point;
    }
}

static bool is_time(const char *metric) {
    const metric_info *info = metric_find(metric);
    return info && strcmp(info->unit, "s") == 0;
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
    return text_list_take(&p->notes, &p->n_notes, &b, err);
}

static status name_plot(const plot_work *w, plot *p, error_info *err) {
    const points_spec *spec = w->spec;
    AUTO(text_buffer_clear) text_buffer title = {0};
    CHECK(plot_name_axis(&p->x, x_of(spec), spec->normalise_by, err));
    CHECK(plot_name_axis(&p->y, spec->y, spec->normalise_by, err));
    CHECK(choose_scale(p, true, x_of(spec), spec->log_x, err));
    CHECK(choose_scale(p, false, spec->y, spec->log_y, err));
    if (spec->title)
        text_append(&title, spec->title);
    else
        text_append_format(&title, "%s %s %s", spec->y, p->x.is_samples || p->x.is_sigma ? "by" : "against",
                           p->x.is_samples ? "sample size"
                           : p->x.is_sigma ? "noise level"
                                           : x_of(spec));
    if (!spec->title && spec->samples)
        text_append_format(&title, ", %zu rows", spec->samples);
    return text_buffer_take(&title, &p->title, err);
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
    text_append(b, p->has_means ? "Each point is the mean over networks of the means over their data sets, or of the "
                                  "ratios of these to the baseline's; bars where drawn are one standard error."
                                : "Each point is the median over data sets, bars where drawn reach the quartiles.");
    if (n_short)
        text_append_format(
            b,
            " %zu of %zu points rest on fewer data sets than declared (n and of in the CSV file): one on which a "
            "learner has no value, or the baseline 0, is left out for all.",
            n_short, p->n_points);
}

static bool is_all_negative(const metric_values *m) {
    size_t n = m->grid ? m->grid->n_places * m->grid->n_sizes * m->grid->n_replicates * m->grid->n_learners : 0;
    for (size_t i = 0; i < n; i++) {
        if (m->values[i] >= 0)
            return false;
    }
    return n > 0;
}

static status add_notes(const plot_work *w, plot *p, error_info *err) {
    text_buffer b = {0};
    append_n_of_n(p, &b);
    CHECK(text_list_take(&p->notes, &p->n_notes, &b, err));
    append_without_points(p, &b);
    CHECK(text_list_take(&p->notes, &p->n_notes, &b, err));
    if (w->n_zero)
        text_append_format(&b, "%zu data set%s left out, %s having 0 there.", w->n_zero, w->n_zero == 1 ? "" : "s",
                           w->spec->normalise_by);
    CHECK(text_list_take(&p->notes, &p->n_notes, &b, err));
    if (w->n_opposite)
        text_append_format(&b, "%zu value%s left out, of another sign than that of %s on the same data.", w->n_opposite,
                           w->n_opposite == 1 ? "" : "s", w->spec->normalise_by);
    CHECK(text_list_take(&p->notes, &p->n_notes, &b, err));
    if (w->n_no_baseline)
        text_append_format(&b, "%s, by which to normalise, has no value at %zu of %zu %s: no points there.",
                           w->spec->normalise_by, w->n_no_baseline, w->n_groups,
                           w->by_sigma ? "noise levels" : "sample sizes");
    return text_list_take(&p->notes, &p->n_notes, &b, err);
}

status points_compute(const experiment_outputs *outputs, const points_spec *spec, const plot_method *method,
                      const job_record *records, size_t n_records, plot *out, error_info *err) {
    plot_work w = {.outputs = outputs, .spec = spec};
    plot p = {
        .outputs = outputs, .method = method, .style = spec->style, .has_means = spec->aggregate == AGGREGATE_MEAN};
    status st = STATUS_OK;
    TRY(prepare(&w, records, n_records, err));
    TRY_ALLOC(p.points = calloc(outputs->n_learners * w.n_groups + 1, sizeof *p.points));
    for (size_t group = 0; group < w.n_groups; group++)
        compute_group(&w, group, &p);
    qsort(p.points, p.n_points, sizeof *p.points, plot_compare_points);
    TRY(name_plot(&w, &p, err));
    if (method->manner.has_front)
        points_mark_front(&p, spec, is_all_negative(&w.x), is_all_negative(&w.y));
    TRY(add_notes(&w, &p, err));
    *out = TAKE(p);
cleanup:
    if (st != STATUS_OK)
        error_context(err, "plot '%s'", spec->id ? spec->id : spec->y);
    plot_clear(&p);
    clear_work(&w);
    return st;
}

void points_append_csv(const plot *p, text_buffer *out) {
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
