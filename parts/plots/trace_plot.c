/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Series that learners tell of, the mean over data sets at each step; a learner without the series may stand as a
 * level, the mean of a metric, as in Vandel et al. 2012, Figure 5.
 */
#include "parts/plots/trace_plot.h"

#include "core/base/array.h"
#include "metrics/distances/metric.h"
#include "parts/figures/aggregate.h"
#include "parts/plots/plot_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The points of one learner so far. */
typedef struct {
    size_t n, capacity;
    plot_point *points;
} line;

static plot_point *point_at(line *l, uint64_t step) {
    for (size_t i = 0; i < l->n; i++) {
        if (l->points[i].samples == step)
            return &l->points[i];
    }
    return NULL;
}

static status add_value(line *l, uint64_t step, double value, error_info *err) {
    plot_point *p = point_at(l, step);
    if (!p) {
        CHECK(ARRAY_ROOM(l->points, l->n, l->capacity, err));
        p = &l->points[l->n++];
        *p = (plot_point){.samples = (size_t)step};
    }
    p->n++;
    p->y.middle += value; /* the sum, until the end */
    return STATUS_OK;
}

/* NULL where it is not done. */
static const job_record *done_record(const result_grid *g, size_t data_set, size_t learner) {
    size_t index = data_set * g->n_learners + learner;
    return result_grid_state(g, index) == VALUE_DONE ? g->records[index] : NULL;
}

/* Each done data set's series. */
static status collect_series(const result_grid *g, size_t learner, const char *name, line *out, error_info *err) {
    size_t n_cells = g->n_places * g->n_sizes * g->n_replicates;
    for (size_t i = 0; i < n_cells; i++) {
        const job_record *r = done_record(g, i, learner);
        const trace_series *s = r ? trace_find_series(&r->trace, name) : NULL;
        for (size_t k = 0; s && k < s->n; k++)
            CHECK(add_value(out, s->points[k].step, s->points[k].value, err));
    }
    return STATUS_OK;
}

/* The metric of each done data set, at one step. */
static status collect_level(const result_grid *g, size_t learner, const char *metric, uint64_t step, line *out,
                            error_info *err) {
    size_t n_cells = g->n_places * g->n_sizes * g->n_replicates;
    for (size_t i = 0; i < n_cells; i++) {
        const job_record *r = done_record(g, i, learner);
        const double *value = r ? job_record_metric(r, metric) : NULL;
        if (value)
            CHECK(add_value(out, step, *value, err));
    }
    return STATUS_OK;
}

static status take_line(plot *p, line *l, size_t learner, size_t of, error_info *err) {
    if (l->n == 0)
        return STATUS_OK;
    CHECK(array_resize(&p->points, p->n_points + l->n, sizeof *p->points, err));
    for (size_t i = 0; i < l->n; i++) {
        plot_point point = l->points[i];
        double mean = point.y.middle / (double)point.n, step = (double)point.samples;
        point.learner = learner;
        point.of = of;
        point.x = (plot_spread){step, step, step};
        point.y = (plot_spread){mean, mean, mean};
        p->points[p->n_points++] = point;
    }
    return STATUS_OK;
}

static status add_series(plot *p, const trace_spec *spec, const result_grid *g, bool *has_series, error_info *err) {
    status st = STATUS_OK;
    line l = {0};
    for (size_t i = 0; i < g->n_learners; i++) {
        l.n = 0;
        TRY(collect_series(g, i, spec->y, &l, err));
        has_series[i] = l.n > 0;
        TRY(take_line(p, &l, i, g->n_places * g->n_sizes * g->n_replicates, err));
    }
cleanup:
    free(l.points);
    return st;
}

static status add_levels(plot *p, const trace_spec *spec, const result_grid *g, const bool *has_series,
                         error_info *err) {
    status st = STATUS_OK;
    line l = {0};
    size_t least = SIZE_MAX, most = 0;
    for (size_t i = 0; i < p->n_points; i++) {
        least = p->points[i].samples < least ? p->points[i].samples : least;
        most = p->points[i].samples > most ? p->points[i].samples : most;
    }
    for (size_t i = 0; i < g->n_learners && spec->level && most > 0; i++) {
        l.n = 0;
        if (has_series[i])
            continue;
        TRY(collect_level(g, i, spec->level, least, &l, err));
        if (most > least)
            TRY(collect_level(g, i, spec->level, most, &l, err));
        TRY(take_line(p, &l, i, g->n_places * g->n_sizes * g->n_replicates, err));
    }
cleanup:
    free(l.points);
    return st;
}

/* What the steps of a series count, and its unit; of a learner's own series neither is known. */
static const struct {
    const char *series, *steps, *label;
} known_series[] = {
    {"best_score", "searches done", "best_score (nats)"},
    {"search_score", "searches done", "search_score (nats)"},
    {"policy_score", "turns", "policy_score (nats)"},
    {"discretization_calls", "turns", "discretization_calls (calls)"},
    {"statistics", "turns", "statistics (calls)"},
};

static status name_it(plot *p, const trace_spec *spec, error_info *err) {
    const char *steps = "step", *label = spec->y;
    for (size_t i = 0; i < sizeof known_series / sizeof *known_series; i++) {
        if (strcmp(spec->y, known_series[i].series) == 0) {
            steps = known_series[i].steps;
            label = known_series[i].label;
        }
    }
    p->x.scale = p->y.scale = 1;
    p->x.is_log = spec->log_x;
    CHECK_ALLOC(p->x.title = text_copy("step"));
    CHECK_ALLOC(p->x.label = text_copy(steps));
    CHECK_ALLOC(p->y.title = text_copy(spec->y));
    CHECK_ALLOC(p->y.label = text_copy(label));
    CHECK_ALLOC(p->title = text_copy(spec->title ? spec->title : spec->y));
    return STATUS_OK;
}

static status add_note(plot *p, const trace_spec *spec, bool has_levels, error_info *err) {
    text_buffer b = {0};
    text_append(&b, "Each point is the mean over the data sets that came to that step.");
    if (has_levels)
        text_append_format(&b, " A learner without steps is a level: the mean of %s.", spec->level);
    return text_list_take(&p->notes, &p->n_notes, &b, err);
}

static void append_csv(const plot *p, text_buffer *out) {
    text_append(out, "learner,step,n,of,mean\n");
    for (size_t i = 0; i < p->n_points; i++) {
        char text[32];
        text_append_csv_label(out, p->outputs->learners[p->points[i].learner]);
        text_append_format(out, ",%zu,%zu,%zu,%s\n", p->points[i].samples, p->points[i].n, p->points[i].of,
                           text_from_double(p->points[i].y.middle, text));
    }
}

static const plot_method method = {
    .manner = {.bars = BARS_NEVER, .marker = 0.6, .caption = "Mean over data sets"},
    .append_csv = append_csv,
    .append_script = points_append_script,
};

static status compute(const experiment_outputs *outputs, const void *declared, const job_record *records,
                      size_t n_records, plot *out, error_info *err) {
    const trace_spec *spec = declared;
    AUTO(plot_clear) plot p = {.outputs = outputs, .method = &method, .style = spec->style};
    AUTO(result_grid_clear) result_grid g = {0};
    AUTO_FREE bool *has_series = NULL;
    size_t n_points;
    CHECK(result_grid_create(outputs, records, n_records, &g, err));
    CHECK_ALLOC(has_series = calloc(g.n_learners + 1, sizeof *has_series));
    CHECK(add_series(&p, spec, &g, has_series, err));
    n_points = p.n_points;
    CHECK(add_levels(&p, spec, &g, has_series, err));
    if (p.n_points)
        qsort(p.points, p.n_points, sizeof *p.points, plot_compare_points);
    CHECK(name_it(&p, spec, err));
    CHECK(add_note(&p, spec, p.n_points > n_points, err));
    CHECK(points_set_ranges(&p, &spec->x_range, &spec->y_range, err));
    *out = TAKE(p);
    return STATUS_OK;
}

static status complete(void *declared, const experiment_outputs *outputs, const char **key, error_info *err) {
    const trace_spec *spec = declared;
    (void)outputs;
    return plot_check_ranges(&spec->x_range, &spec->y_range, key, err);
}

static const option_spec options[] = {
    PART_HEAD_ROWS(trace_spec, "the series"),
    PART_ROW(
        OPT_NAME, "y", trace_spec, y, .is_required = true,
        .help =
            "a series such as best_score; best_score and search_score are those of sgs1, sgs2, sgs3 (step: searches "
            "done)"),
    PART_ROW(OPT_METRIC, "level", trace_spec, level,
             .help = "learners without the series stand as a level, the mean of this metric"),
    PLOT_LEARNERS_ROW(trace_spec),
    PLOT_LOG_ROW(trace_spec, log_x),
    PLOT_RANGE_ROW(trace_spec, x_range),
    PLOT_RANGE_ROW(trace_spec, y_range),
    PLOT_STYLE_ROW(trace_spec),
    {0},
};

const part_kind part_trace_plot = {
    .group = PART_PLOT,
    .name = "trace",
    .summary = "a series that learners tell of, the mean over data sets by step",
    .options_size = sizeof(trace_spec),
    .options = options,
    .make = plot_make,
    .plot = compute,
    .complete = complete,
};
