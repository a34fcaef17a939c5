/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/plots/trend.h"

#include "core/base/file.h"
#include "document/drawing/gnuplot.h"
#include "document/drawing/look.h"
#include "parts/figures/figure_style.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMEOUT_S = 60, MOST_NIGHT_LABELS = 24, NIGHT_LABEL_WIDTH = 24 };

/* Learners by nights; a learner's value is the mean over its cells that every night has. */
typedef struct {
    const history *h;
    const char *metric;
    size_t n_learners;
    const char **learners;
    double *means; /* [learner * n_nights + night] */
    size_t *n_cells;
} trend;

static bool is_of_cell(const night_value *a, const night_value *b) {
    return a->n_samples == b->n_samples && a->sigma == b->sigma && strcmp(a->learner, b->learner) == 0 &&
           strcmp(a->network, b->network) == 0 && strcmp(a->metric, b->metric) == 0;
}

static size_t learner_of(trend *t, const char *name) {
    for (size_t i = 0; i < t->n_learners; i++)
        if (strcmp(t->learners[i], name) == 0)
            return i;
    t->learners[t->n_learners] = name;
    return t->n_learners++;
}

/* The cell's value of each night into `row`; false unless every night has one. */
static bool gather(const history *h, const night_value *cell, double *row) {
    size_t n = 0;
    for (size_t i = 0; i < h->n_values; i++) {
        if (is_of_cell(cell, &h->values[i])) {
            row[h->values[i].night] = h->values[i].value;
            n++;
        }
    }
    return n == h->n_nights;
}

static void add_cell(trend *t, const night_value *cell, const double *row) {
    size_t learner = learner_of(t, cell->learner);
    t->n_cells[learner]++;
    for (size_t i = 0; i < t->h->n_nights; i++)
        t->means[learner * t->h->n_nights + i] += row[i];
}

static void divide(trend *t) {
    for (size_t l = 0; l < t->n_learners; l++)
        for (size_t i = 0; i < t->h->n_nights; i++)
            t->means[l * t->h->n_nights + i] /= (double)t->n_cells[l];
}

static size_t count_first(const history *h, const char *metric) {
    size_t n = 0;
    for (size_t i = 0; i < h->n_values; i++)
        n += h->values[i].night == 0 && strcmp(h->values[i].metric, metric) == 0;
    return n;
}

static status compute(const history *h, const char *metric, trend *t, error_info *err) {
    size_t n = count_first(h, metric);
    AUTO_FREE double *row = calloc(h->n_nights + 1, sizeof *row);
    *t = (trend){.h = h, .metric = metric};
    CHECK_ALLOC(row);
    CHECK_ALLOC(t->learners = calloc(n + 1, sizeof *t->learners));
    CHECK_ALLOC(t->n_cells = calloc(n + 1, sizeof *t->n_cells));
    CHECK_ALLOC(t->means = calloc((n + 1) * (h->n_nights + 1), sizeof *t->means));
    for (size_t i = 0; i < h->n_values && h->values[i].night == 0; i++)
        if (strcmp(h->values[i].metric, metric) == 0 && gather(h, &h->values[i], row))
            add_cell(t, &h->values[i], row);
    divide(t);
    return STATUS_OK;
}

static void clear(trend *t) {
    free(t->learners);
    free(t->n_cells);
    free(t->means);
}

static void append_csv(const trend *t, text_buffer *out) {
    char number[32];
    text_append(out, "night,outcome,learner,cells,value\n");
    for (size_t i = 0; i < t->h->n_nights; i++) {
        for (size_t l = 0; l < t->n_learners; l++) {
            text_append_csv_label(out, t->h->nights[i].name);
            text_append_format(out, ",%s,", night_outcome_name(t->h->nights[i].outcome));
            text_append_csv_label(out, t->learners[l]);
            text_append_format(out, ",%zu,%s\n", t->n_cells[l],
                               text_from_double(t->means[l * t->h->n_nights + i], number));
        }
    }
}

static bool is_time(const char *metric) {
    return strncmp(metric, "time", 4) == 0;
}

/* Times of learners lie decades apart: each is drawn against its own first night, so that half as long again shows. */
static void append_data(const trend *t, text_buffer *out) {
    for (size_t l = 0; l < t->n_learners; l++) {
        const double *means = &t->means[l * t->h->n_nights];
        double unit = is_time(t->metric) ? means[0] : 1;
        text_append_format(out, "$learner%zu << END_OF_DATA\n", l);
        for (size_t i = 0; i < t->h->n_nights; i++)
            text_append_format(out, "%zu %.10g\n", i + 1, means[i] / unit);
        text_append(out, "END_OF_DATA\n");
    }
}

/* The nights' names as far as they fit; nights that were no good one have a grey line. */
static void append_nights(const trend *t, text_buffer *out) {
    size_t n = t->h->n_nights, step = (n + MOST_NIGHT_LABELS - 1) / MOST_NIGHT_LABELS;
    text_append_format(out, "set xrange [0.5:%g]\nset xtics rotate by -40 noenhanced (", (double)n + 0.5);
    for (size_t i = 0; i < n; i += step) {
        text_append(out, i ? ", " : "");
        gnuplot_append_text(out, t->h->nights[i].name, NIGHT_LABEL_WIDTH);
        text_append_format(out, " %zu", i + 1);
    }
    text_append(out, ")\nset bmargin 7\n");
    for (size_t i = 0; i < n; i++)
        if (t->h->nights[i].outcome == NIGHT_REGRESSION)
            text_append_format(out, "set arrow from %zu, graph 0 to %zu, graph 1 nohead lc rgb '#D55E00' dt 3 back\n",
                               i + 1, i + 1);
}

static void append_draw(const trend *t, text_buffer *out) {
    for (size_t l = 0; l < t->n_learners; l++) {
        text_append_format(out, "%s$learner%zu using 1:2 with linespoints lw 1.8 pt %d ps 1.1 lc rgb '%s' title ",
                           l ? ", \\\n     " : "plot ", l, look_marker(l), look_colour(l));
        gnuplot_append_text(out, t->learners[l], LOOK_MOST_NAME);
        text_append(out, " noenhanced");
    }
    text_append(out, "\n");
}

static void append_script(const trend *t, const char *name, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer label = {0}, draw = {0};
    const char *unit = figure_unit_of(t->metric);
    if (strcmp(t->metric, "time_calibrated") == 0)
        text_append(&label, "CPU time against the fixed work beside it, the first night = 1");
    else
        text_append_format(&label, is_time(t->metric) ? "%s, the first night = 1" : "%s", t->metric);
    if (*unit && !is_time(t->metric))
        text_append_format(&label, " (%s)", unit);
    append_draw(t, &draw);
    append_data(t, out);
    look_append_frame(label.data ? label.data : "",
                      "Mean over the cells that every night has; a dashed line marks a night with a regression", out);
    look_append_label('y', label.data ? label.data : "", out);
    append_nights(t, out);
    look_append_pictures(name, &(plot_style){0}, look_height(t->n_learners), draw.data ? draw.data : "", LOOK_REPLOT,
                         out);
    out->failed |= label.failed || draw.failed;
}

static status write_beside(const char *folder, const char *name, const char *ending, const text_buffer *text,
                           error_info *err) {
    AUTO(text_buffer_clear) text_buffer path = {0};
    text_append_format(&path, "%s/%s%s", folder, name, ending);
    CHECK(text_buffer_check(&path, err));
    CHECK(text_buffer_check(text, err));
    return file_write(path.data, text->data, text->length, err);
}

static status write_files(const trend *t, const char *name, const char *folder, error_info *err) {
    AUTO(text_buffer_clear) text_buffer csv = {0}, script = {0}, file = {0};
    append_csv(t, &csv);
    append_script(t, name, &script);
    text_append_format(&file, "%s.gp", name);
    CHECK(text_buffer_check(&file, err));
    CHECK(write_beside(folder, name, ".csv", &csv, err));
    CHECK(write_beside(folder, name, ".gp", &script, err));
    return gnuplot_run(folder, file.data, TIMEOUT_S, err);
}

status trend_write(const history *h, const char *metric, const char *folder, bool *drawn, error_info *err) {
    char name[80];
    trend t = {0};
    status st = STATUS_OK;
    *drawn = false;
    TRY(compute(h, is_time(metric) ? "time_calibrated" : metric, &t, err));
    if (t.n_learners == 0 && is_time(metric)) {
        clear(&t);
        TRY(compute(h, metric, &t, err));
    }
    if (t.n_learners == 0 || h->n_nights < 2)
        goto cleanup;
    (void)snprintf(name, sizeof name, "trend-%.60s", metric);
    *drawn = true;
    st = write_files(&t, name, folder, err);
cleanup:
    clear(&t);
    return st;
}
