/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A box plot as a gnuplot script: Tukey's boxes, quartiles of type 7 (Hyndman and Fan 1996). */
#include "document/drawing/gnuplot.h"
#include "document/drawing/look.h"
#include "parts/plots/values_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum { MANY_LEARNERS = 7 };
static const double reach = 1.5; /* of a whisker, in heights of the box */

/* The values of one learner from `first` on. */
static size_t count_values(const plot *p, size_t first) {
    size_t n = 1;
    while (first + n < p->n_values && p->values[first + n].learner == p->values[first].learner)
        n++;
    return n;
}

static void append_box(const plot *p, size_t first, size_t n, size_t rank, double *values, text_buffer *boxes,
                       text_buffer *outliers) {
    plot_spread box;
    double low, high, step;
    for (size_t i = 0; i < n; i++)
        values[i] = p->values[first + i].value * p->y.scale;
    box = plot_spread_of(values, n);
    low = box.low;
    high = box.high;
    step = reach * (high - low);
    for (size_t i = 0; i < n; i++) {
        bool is_near = values[i] >= box.low - step && values[i] <= box.high + step;
        low = is_near ? fmin(low, values[i]) : low;
        high = is_near ? fmax(high, values[i]) : high;
        if (!is_near)
            text_append_format(outliers, "%zu %.10g\n", rank, values[i]);
    }
    text_append_format(boxes, "%zu %.10g %.10g %.10g %.10g %.10g 0x%s\n", rank, low, box.low, box.middle, box.high,
                       high, look_colour(p->values[first].learner) + 1);
}

static void append_names(const plot *p, size_t n_boxes, text_buffer *out) {
    size_t rank = 0;
    text_append(out, "set xtics (");
    for (size_t first = 0; first < p->n_values; first += count_values(p, first)) {
        text_append(out, rank ? ", " : "");
        gnuplot_append_text(out, p->outputs->learners[p->values[first].learner], LOOK_MOST_NAME);
        text_append_format(out, " %zu", ++rank);
    }
    text_append(out, n_boxes > MANY_LEARNERS ? ") rotate by -35 noenhanced\nset bmargin 10\nset rmargin 14\n"
                                             : ") noenhanced\n");
    text_append_format(out, "set xrange [0.4:%zu.6]\n", n_boxes);
}

static void append_range(const plot *p, text_buffer *out) {
    double low = INFINITY, high = -INFINITY, pad;
    for (size_t i = 0; i < p->n_values; i++) {
        low = fmin(low, p->values[i].value * p->y.scale);
        high = fmax(high, p->values[i].value * p->y.scale);
    }
    if (p->y.is_log) {
        pad = fmax(pow(high / low, 0.06), 1.1);
        text_append_format(out, "set logscale y 10\nset yrange [%.10g:%.10g]\n", low / pad, high * pad);
        plot_append_log_tics('y', low / pad, high * pad, out);
        return;
    }
    pad = high > low ? 0.05 * (high - low) : fmax(fabs(high), 1) * 0.05;
    text_append_format(out, "set yrange [%.10g:%.10g]\n", low >= 0 && low - pad < 0 ? 0 : low - pad, high + pad);
}

static size_t count_boxes(const plot *p) {
    size_t n = 0;
    for (size_t first = 0; first < p->n_values; first += count_values(p, first))
        n++;
    return n;
}

static void append_script(const plot *p, const char *file_name, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer boxes = {0}, outliers = {0}, draw = {0}, caption = {0};
    AUTO_FREE double *values = calloc(p->n_values + 1, sizeof *values);
    char rows[PLOT_ROWS_SIZE];
    size_t rank = 0;
    for (size_t first = 0; values && first < p->n_values; first += count_values(p, first))
        append_box(p, first, count_values(p, first), ++rank, values, &boxes, &outliers);
    text_append_format(out, "$boxes << END_OF_DATA\n%sEND_OF_DATA\n", boxes.data ? boxes.data : "");
    text_append_format(out, "$outliers << END_OF_DATA\n%sEND_OF_DATA\n", outliers.data ? outliers.data : "");
    text_append_format(&caption, "%s; box: quartiles and median, whiskers to the last value within 1.5 heights",
                       plot_rows(p->samples, rows));
    look_append_frame(p->title, caption.data ? caption.data : "", out);
    look_append_label('y', p->y.label, out);
    append_names(p, count_boxes(p), out);
    text_append(out, "unset key\nset boxwidth 0.5\nset style fill solid 0.35 border\n");
    append_range(p, out);
    text_append(&draw, "plot $boxes using 1:3:2:6:5:7 with candlesticks whiskerbars 0.5 lw 1.4 lc rgb variable, \\\n"
                       "     $boxes using 1:4:4:4:4 with candlesticks lw 2.4 lc rgb '#222222'");
    if (outliers.length > 0)
        text_append(&draw, ", \\\n     $outliers using 1:2 with points pt 6 ps 0.8 lc rgb '#444444'");
    text_append(&draw, "\n");
    look_append_pictures(file_name, &p->style, LOOK_LEAST_HEIGHT, draw.data ? draw.data : "", LOOK_REPLOT, out);
    out->failed |= boxes.failed || outliers.failed || draw.failed || caption.failed || !values;
}

static void add_boxes(const values_work *w, size_t learner, plot *p) {
    size_t n_sigmas = outputs_sigma_count(w->outputs);
    for (size_t place = 0; place < w->grid.n_places; place++) {
        for (size_t r = 0; r < w->grid.n_replicates; r++) {
            double value = values_at(w, learner, place, r);
            if (!isnan(value))
                p->values[p->n_values++] = (plot_value){.learner = learner,
                                                        .network = place / n_sigmas,
                                                        .place = place,
                                                        .replicate = r,
                                                        .n = 1,
                                                        .of = 1,
                                                        .value = value};
        }
    }
}

/* A network at a noise level. */
static void append_place(const plot *p, size_t at, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer place = {0};
    outputs_append_place(p->outputs, at, &place);
    text_append_csv_label(out, place.data ? place.data : "");
    out->failed |= place.failed;
}

static void append_csv(const plot *p, text_buffer *out) {
    text_append(out, "learner,network,samples,replicate,value\n");
    for (size_t i = 0; i < p->n_values; i++) {
        const plot_value *v = &p->values[i];
        char text[32];
        text_append_csv_label(out, p->outputs->learners[v->learner]);
        text_append(out, ",");
        append_place(p, v->place, out);
        text_append_format(out, ",%zu,%zu,%s\n", p->samples, v->replicate + 1, text_from_double(v->value, text));
    }
}

static const values_kind kind = {
    .method = {.append_csv = append_csv, .append_script = append_script},
    .add = add_boxes,
    .note = "every network and replicate. Box: quartiles and median; whiskers: the last value within 1.5 "
            "times the box's height; circles: values beyond."};

static status compute(const experiment_outputs *outputs, const void *declared, const job_record *records,
                      size_t n_records, plot *out, error_info *err) {
    return values_compute(outputs, declared, &kind, records, n_records, out, err);
}

static const option_spec options[] = {
    PART_HEAD_ROWS(values_spec, "the metric"),
    PLOT_BASELINE_ROW(values_spec),
    VALUES_ROWS,
    {0},
};

const part_kind part_box_plot = {
    .group = PART_PLOT,
    .name = "box",
    .summary = "a box a learner: every data set of a sample size",
    .options_size = sizeof(values_spec),
    .options = options,
    .make = plot_make,
    .plot = compute,
};
