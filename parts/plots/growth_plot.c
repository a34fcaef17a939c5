/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a measure grows with the number of variables: at one sample size, a point a network, both axes logarithmic. */
#include "parts/plots/values.h"

#include "parts/plots/plot_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct {
    const experiment_outputs *outputs;
    result_grid grid;
    metric_values values;
    size_t size;
    double *found; /* of a network: the noise levels' data sets */
} growth_work;

static plot_point point_of(const growth_work *w, size_t learner, size_t network) {
    double variables = w->outputs->facts[network].n_variables;
    size_t n_sigmas = outputs_sigma_count(w->outputs);
    plot_point point = {.learner = learner,
                        .size = network,
                        .samples = (size_t)variables,
                        .of = n_sigmas * w->grid.n_replicates,
                        .x = {variables, variables, variables}};
    for (size_t i = 0; i < point.of; i++) {
        size_t place = network * n_sigmas + i / w->grid.n_replicates, r = i % w->grid.n_replicates;
        double value = w->values.values[result_grid_index(&w->grid, place, w->size, r, learner)];
        if (!isnan(value))
            w->found[point.n++] = value;
    }
    if (point.n > 0)
        point.y = plot_spread_of(w->found, point.n);
    if (point.n == 1)
        point.y.low = point.y.high = NAN;
    return point;
}

static bool is_known(const experiment_outputs *o, size_t network) {
    return o->facts && o->facts[network].is_known;
}

static status collect(growth_work *w, plot *p, error_info *err) {
    size_t n_unknown = 0;
    text_buffer note = {0};
    char rows[PLOT_ROWS_SIZE];
    CHECK_ALLOC(p->points = calloc(w->grid.n_learners * w->outputs->n_networks + 1, sizeof *p->points));
    for (size_t n = 0; n < w->outputs->n_networks; n++) {
        n_unknown += !is_known(w->outputs, n);
        for (size_t l = 0; is_known(w->outputs, n) && l < w->grid.n_learners; l++) {
            plot_point point = point_of(w, l, n);
            if (point.n > 0)
                p->points[p->n_points++] = point;
        }
    }
    qsort(p->points, p->n_points, sizeof *p->points, plot_compare_points);
    text_append_format(&note, "Each point is a network at %s: the median over its data sets, bars reach the quartiles.",
                       plot_rows(p->samples, rows));
    if (n_unknown)
        text_append_format(&note, " Left out, since how many variables they have is not known: %zu networks.",
                           n_unknown);
    return text_list_take(&p->notes, &p->n_notes, &note, err);
}

static status name_plot(const values_spec *spec, plot *p, error_info *err) {
    AUTO(text_buffer_clear) text_buffer title = {0};
    char rows[PLOT_ROWS_SIZE];
    bool is_positive = true;
    CHECK(plot_name_axis(&p->y, spec->y, NULL, err));
    CHECK_ALLOC(p->x.title = text_copy("variables"));
    CHECK_ALLOC(p->x.label = text_copy("variables of the network"));
    p->x.scale = 1;
    p->x.is_log = p->x.is_variables = true;
    for (size_t i = 0; i < p->n_points; i++)
        is_positive = is_positive && fmin(p->points[i].y.low, p->points[i].y.middle) > 0;
    p->y.is_log = is_positive;
    if (spec->title)
        text_append(&title, spec->title);
    else
        text_append_format(&title, "%s by the number of variables, %s", spec->y, plot_rows(p->samples, rows));
    return text_buffer_take(&title, &p->title, err);
}

static void append_csv(const plot *p, text_buffer *out) {
    text_append(out, "learner,network,variables,samples,n,of,y,y_q1,y_q3\n");
    for (size_t i = 0; i < p->n_points; i++) {
        const plot_point *point = &p->points[i];
        const double numbers[] = {point->y.middle, point->y.low, point->y.high};
        text_append_csv_label(out, p->outputs->learners[point->learner]);
        text_append(out, ",");
        text_append_csv_label(out, p->outputs->networks[point->size]);
        text_append_format(out, ",%zu,%zu,%zu,%zu", point->samples, p->samples, point->n, point->of);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            char text[32];
            text_append_format(out, ",%s", isnan(numbers[k]) ? "" : text_from_double(numbers[k], text));
        }
        text_append(out, "\n");
    }
}

static const plot_method method = {
    .manner = {.bars = BARS_ALWAYS, .marker = 1.1, .caption = "Median over data sets, bars to the quartiles"},
    .append_csv = append_csv,
    .append_script = points_append_script};

static status compute(const experiment_outputs *outputs, const void *declared, const job_record *records,
                      size_t n_records, plot *out, error_info *err) {
    const values_spec *spec = declared;
    growth_work w = {.outputs = outputs, .size = plot_choose_size(outputs, spec->samples)};
    plot p = {.outputs = outputs, .method = &method, .style = spec->style, .samples = outputs->sizes[w.size]};
    status st = STATUS_OK;
    TRY(result_grid_create(outputs, records, n_records, &w.grid, err));
    TRY(metric_values_create(&w.grid, spec->y, FAILURES_DROP_DATASET, &w.values, err));
    TRY_ALLOC(w.found = calloc(outputs_sigma_count(outputs) * outputs->n_replicates + 1, sizeof *w.found));
    TRY(collect(&w, &p, err));
    TRY(name_plot(spec, &p, err));
    *out = TAKE(p);
cleanup:
    plot_clear(&p);
    metric_values_clear(&w.values);
    result_grid_clear(&w.grid);
    free(w.found);
    return st;
}

static const option_spec options[] = {
    PART_HEAD_ROWS(values_spec, "the metric"),
    VALUES_ROWS,
    {0},
};

const part_kind part_growth_plot = {
    .group = PART_PLOT,
    .name = "growth",
    .summary = "a metric by the number of variables: a point a network, medians and quartiles, logarithmic axes",
    .options_size = sizeof(values_spec),
    .options = options,
    .make = plot_make,
    .plot = compute,
    .needs = PART_NEEDS_FACTS,
};
