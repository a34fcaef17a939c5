/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/plots/points.h"

#include "document/display.h"
#include "parts/figures/aggregate.h"
#include "parts/figures/figure_style.h"
#include "parts/plots/plot_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char samples_name[] = "samples", sigma_name[] = "sigma";
static const double log_spread = 4; /* sample sizes that differ more than so stand on a logarithmic axis */

/* What points_compute works on. A group is what a learner has one point for: a sample size, or a noise level. */
typedef struct {
    const experiment_outputs *outputs;
    const points_spec *spec;
    bool by_sigma;
    size_t n_groups, n_elements;
    grid_element *elements; /* of the group at hand */
    bool *is_zero;          /* as many */
    group_rule rule;
    result_grid grid;
    metric_values x, y;        /* x: unless it is "samples" or "sigma" */
    group_figure *of_x, *of_y; /* n_learners, of the group at hand */
    size_t n_zero;             /* elements left out since their baseline is 0 */
    size_t n_opposite;         /* values left out, their sign being another than their baseline's */
    size_t n_no_baseline;      /* groups in which the baseline has no value */
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

static bool has_metric_on_x(const plot_work *w) {
    return !is_samples(x_of(w->spec)) && !is_sigma(x_of(w->spec));
}

static status check_spec(plot_work *w, error_info *err) {
    const points_spec *spec = w->spec;
    size_t baseline = spec->normalise_by ? outputs_find_learner(w->outputs, spec->normalise_by) : NO_BASELINE;
    if (is_samples(spec->y) || is_sigma(spec->y))
        return error_set(err, STATUS_INVALID, "the y axis is '%s'; it must be a metric", spec->y);
    if (spec->normalise_by && baseline == NO_BASELINE)
        return error_set(err, STATUS_INVALID, "it is to be normalised by '%s', which is no learner of the experiment",
                         spec->normalise_by);
    w->rule = (group_rule){.baseline = baseline, .aggregate = spec->aggregate};
    return STATUS_OK;
}

static bool is_size_wanted(const plot_work *w, size_t size) {
    return w->spec->samples == 0 || w->spec->samples == w->outputs->sizes[size];
}

/* The places and sizes that a group's points rest on. */
static void choose_elements(plot_work *w, size_t group) {
    size_t n_sigmas = outputs_sigma_count(w->outputs), n_sizes = w->outputs->n_sizes;
    w->n_elements = 0;
    for (size_t i = 0; i < outputs_place_count(w->outputs) * n_sizes; i++) {
        grid_element at = {.place = i / n_sizes, .size = i % n_sizes};
        bool is_in_group = w->by_sigma ? at.place % n_sigmas == group : at.size == group;
        if (is_in_group && is_size_wanted(w, at.size))
            w->elements[w->n_elements++] = at;
    }
}

/* One element has no median and no quartiles, but a mean with its error. */
static void settle_aggregate(plot_work *w) {
    size_t most = 0;
    for (size_t group = 0; group < w->n_groups; group++) {
        choose_elements(w, group);
        most = w->n_elements > most ? w->n_elements : most;
    }
    if (most == 1)
        w->rule.aggregate = AGGREGATE_MEAN;
}

static status prepare(plot_work *w, const job_record *records, size_t n_records, error_info *err) {
    size_t n_elements = outputs_place_count(w->outputs) * w->outputs->n_sizes;
    w->by_sigma = is_sigma(x_of(w->spec));
    w->n_groups = w->by_sigma ? outputs_sigma_count(w->outputs) : w->outputs->n_sizes;
    CHECK(check_spec(w, err));
    CHECK(result_grid_create(w->outputs, records, n_records, &w->grid, err));
    CHECK(metric_values_create(&w->grid, w->spec->y, FAILURES_DROP_DATASET, &w->y, err));
    if (has_metric_on_x(w))
        CHECK(metric_values_create(&w->grid, x_of(w->spec), FAILURES_DROP_DATASET, &w->x, err));
    CHECK_ALLOC(w->elements = calloc(n_elements + 1, sizeof *w->elements));
    CHECK_ALLOC(w->is_zero = calloc(n_elements + 1, sizeof *w->is_zero));
    CHECK_ALLOC(w->of_x = calloc(w->grid.n_learners + 1, sizeof *w->of_x));
    CHECK_ALLOC(w->of_y = calloc(w->grid.n_learners + 1, sizeof *w->of_y));
    settle_aggregate(w);
    return STATUS_OK;
}

static void clear_work(plot_work *w) {
    result_grid_clear(&w->grid);
    metric_values_clear(&w->x);
    metric_values_clear(&w->y);
    free(w->elements);
    free(w->is_zero);
    free(w->of_x);
    free(w->of_y);
}

static double place_on_x(const plot_work *w, size_t group) {
    if (!w->by_sigma)
        return (double)w->outputs->sizes[group];
    return w->outputs->n_sigmas ? w->outputs->sigmas[group] : 0;
}

static plot_spread spread_of(const group_figure *f) {
    return (plot_spread){.middle = f->value, .low = f->low, .high = f->high};
}

/* The point of a learner in a group; n is 0 where there is none. */
static plot_point point_of(const plot_work *w, size_t learner, size_t group) {
    const group_figure *x = &w->of_x[learner], *y = &w->of_y[learner];
    double place = place_on_x(w, group);
    plot_point point = {.learner = learner,
                        .size = group,
                        .samples = w->by_sigma ? w->spec->samples : w->outputs->sizes[group],
                        .n = y->n,
                        .of = w->n_elements * w->grid.n_replicates,
                        .x = {place, place, place},
                        .y = spread_of(y)};
    if (has_metric_on_x(w)) {
        point.x = spread_of(x);
        point.n = x->n < y->n ? x->n : y->n;
    }
    return point;
}

static status compare(plot_work *w, const metric_values *m, group_figure *figures, error_info *err) {
    group_summary summary;
    CHECK(group_compare(m, w->elements, w->n_elements, &w->rule, figures, w->is_zero, &summary, err));
    w->n_zero += summary.n_zero;
    for (size_t l = 0; l < w->grid.n_learners; l++)
        w->n_opposite += figures[l].n_opposite;
    return STATUS_OK;
}

static status compute_group(plot_work *w, size_t group, plot *p, error_info *err) {
    size_t baseline = w->rule.baseline;
    choose_elements(w, group);
    if (w->n_elements == 0)
        return STATUS_OK;
    CHECK(compare(w, &w->y, w->of_y, err));
    if (has_metric_on_x(w))
        CHECK(compare(w, &w->x, w->of_x, err));
    if (baseline != NO_BASELINE &&
        !(w->of_y[baseline].takes_part && (!has_metric_on_x(w) || w->of_x[baseline].takes_part))) {
        w->n_no_baseline++;
        return STATUS_OK;
    }
    for (size_t l = 0; l < w->grid.n_learners; l++) {
        plot_point point = point_of(w, l, group);
        if (point.n > 0)
            p->points[p->n_points++] = point;
    }
    return STATUS_OK;
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
        if ((on_x ? p->points[i].x.middle : p->points[i].y.middle) <= 0)
            return false;
    }
    return true;
}

static status choose_scale(plot *p, bool on_x, const char *metric, bool asked, error_info *err) {
    plot_axis *axis = on_x ? &p->x : &p->y;
    text_buffer b = {0};
    bool is_wanted = asked || figure_is_time(metric) || (axis->is_samples && sizes_lie_apart(p->outputs));
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
            text_append_format(b, "%s%s", n++ ? ", " : "Without a point, having no such values: ", o->learners[l]);
    }
    text_append(b, n ? "." : "");
}

static void append_n_of_n(const plot *p, text_buffer *b) {
    size_t n_short = 0;
    for (size_t i = 0; i < p->n_points; i++)
        n_short += p->points[i].n < p->points[i].of;
    text_append(b, p->has_means ? "Each point is the mean over networks of the means over their data sets, or of the "
                                  "ratios of these to the baseline's; bars where drawn are one standard error."
                                : "Each point is the median over networks of the means over their data sets, or of the "
                                  "ratios of these to the baseline's; bars where drawn reach the quartiles.");
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
    if ((figure_is_time(x_of(w->spec)) || figure_is_time(w->spec->y)) && outputs_append_programs(p->outputs, &b) > 0)
        text_append(&b, ": the time is that of the whole process, which starts, reads the data and learns.");
    CHECK(text_list_take(&p->notes, &p->n_notes, &b, err));
    append_without_points(p, &b);
    CHECK(text_list_take(&p->notes, &p->n_notes, &b, err));
    if (w->n_zero)
        text_append_format(&b, "Left out, %s having 0 there: %zu case%s of network, sample size and metric.",
                           w->spec->normalise_by, w->n_zero, w->n_zero == 1 ? "" : "s");
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
    plot p = {.outputs = outputs, .method = method, .style = spec->style};
    status st = STATUS_OK;
    TRY(prepare(&w, records, n_records, err));
    p.has_means = w.rule.aggregate == AGGREGATE_MEAN;
    TRY_ALLOC(p.points = calloc(outputs->n_learners * w.n_groups + 1, sizeof *p.points));
    for (size_t group = 0; group < w.n_groups; group++)
        TRY(compute_group(&w, group, &p, err));
    qsort(p.points, p.n_points, sizeof *p.points, plot_compare_points);
    TRY(name_plot(&w, &p, err));
    if (method->manner.has_front)
        points_mark_front(&p, spec, is_all_negative(&w.x), is_all_negative(&w.y));
    TRY(add_notes(&w, &p, err));
    TRY(points_set_ranges(&p, &spec->x_range, &spec->y_range, err));
    *out = TAKE(p);
cleanup:
    if (st != STATUS_OK)
        error_context(err, "plot '%s'", spec->id ? spec->id : spec->y);
    plot_clear(&p);
    clear_work(&w);
    return st;
}

/* NULL where it has no end that the axis can show. */
static const plot_range *usable(const plot_axis *axis, const plot_range *range) {
    bool has_from = !isnan(range->from) && !(axis->is_log && range->from <= 0);
    return has_from || !isnan(range->to) ? range : NULL;
}

status points_set_ranges(plot *p, const plot_range *x, const plot_range *y, error_info *err) {
    text_buffer b = {0};
    size_t n = 0;
    p->x.range = usable(&p->x, x);
    p->y.range = usable(&p->y, y);
    for (size_t i = 0; i < p->n_points; i++)
        n += !points_are_inside(p, i);
    if (n > 0)
        text_append_format(&b, "%zu of %zu points lie beyond the declared range of an axis and are not drawn.", n,
                           p->n_points);
    return text_list_take(&p->notes, &p->n_notes, &b, err);
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
            text_append_format(out, ",%s", isnan(numbers[k]) ? "" : text_from_double(numbers[k], text));
        }
        text_append(out, !p->has_front ? "\n" : point->is_on_front ? ",1\n" : ",0\n");
    }
}
