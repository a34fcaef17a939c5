/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A heat map as a gnuplot script: learners down, networks across, each figure in its cell. Networks differ more than
 * learners do, so a cell's shade says where it lies between the least and the largest of its network; a ratio's shade
 * says how far from 1 it is, blue below and orange above.
 */
#include "document/display.h"
#include "document/drawing/gnuplot.h"
#include "document/drawing/look.h"
#include "parts/figures/figure_style.h"
#include "parts/plots/values_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum { MANY_NETWORKS = 6, CELL_HEIGHT = 34, MARGINS = 190, MOST_NETWORK_NAME = 16 };
static const double widest_ratio = 2; /* log2 of the ratio whose shade is the fullest */

static void find_range(const plot *p, size_t network, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < p->n_values; i++) {
        if (p->values[i].network != network)
            continue;
        *low = fmin(*low, p->values[i].value);
        *high = fmax(*high, p->values[i].value);
    }
}

/* From 0 to 1; a ratio from -1 to 1. */
static double shade_of(const plot *p, const plot_value *v) {
    double low, high;
    if (p->y.is_ratio)
        return v->value > 0 ? fmax(-1, fmin(1, log2(v->value) / widest_ratio)) : -1;
    find_range(p, v->network, &low, &high);
    return high > low ? (v->value - low) / (high - low) : 0;
}

/* The learners and networks that have a cell get ranks from 1. */
static size_t rank_them(const plot *p, bool networks, size_t n, size_t *ranks) {
    size_t n_ranked = 0;
    for (size_t k = 0; k < n; k++) {
        bool is_there = false;
        for (size_t i = 0; i < p->n_values; i++)
            is_there = is_there || (networks ? p->values[i].network : p->values[i].learner) == k;
        ranks[k] = is_there ? ++n_ranked : 0;
    }
    return n_ranked;
}

static void append_cells(const plot *p, const size_t *learners, const size_t *networks, text_buffer *out) {
    number_style style = p->y.is_ratio ? NUMBER_RATIO : figure_style_of(p->y.title);
    text_append(out, "$cells << END_OF_DATA\n");
    for (size_t i = 0; i < p->n_values; i++) {
        const plot_value *v = &p->values[i];
        double shade = shade_of(p, v);
        char number[DISPLAY_NUMBER_SIZE];
        text_append_format(out, "%zu %zu %.4g %s %s\n", networks[v->network], learners[v->learner], shade,
                           display_number(v->value, style, -1, number),
                           !p->y.is_ratio && shade > 0.55 ? "0xFFFFFF" : "0x111111");
    }
    text_append(out, "END_OF_DATA\n");
}

static void append_tics(char axis, char *const *names, const size_t *ranks, size_t n, size_t most, const char *how,
                        text_buffer *out) {
    bool is_first = true;
    text_append_format(out, "set %ctics (", axis);
    for (size_t i = 0; i < n; i++) {
        if (ranks[i] == 0)
            continue;
        text_append(out, is_first ? "" : ", ");
        gnuplot_append_text(out, names[i], most);
        text_append_format(out, " %zu", ranks[i]);
        is_first = false;
    }
    text_append_format(out, ") %s noenhanced\n", how);
}

static void append_palette(const plot *p, text_buffer *out) {
    if (p->y.is_ratio)
        text_append(out, "set palette defined (-1 '#56B4E9', 0 '#FFFFFF', 1 '#E69F00')\nset cbrange [-1:1]\n"
                         "set cbtics ('1/4' -1, '1/2' -0.5, '1' 0, '2' 0.5, '4' 1)\n");
    else
        text_append(out, "set palette defined (0 '#F4F8FC', 1 '#00446E')\nset cbrange [0:1]\n"
                         "set cbtics ('least' 0, 'largest' 1)\n");
}

static void append_script(const plot *p, const char *file_name, text_buffer *out) {
    const experiment_outputs *o = p->outputs;
    AUTO_FREE size_t *learners = calloc(o->n_learners + 1, sizeof *learners);
    AUTO_FREE size_t *networks = calloc(o->n_networks + 1, sizeof *networks);
    size_t n_learners, n_networks;
    AUTO(text_buffer_clear) text_buffer caption = {0};
    char rows[PLOT_ROWS_SIZE];
    if (!learners || !networks) {
        out->failed = true;
        return;
    }
    n_learners = rank_them(p, false, o->n_learners, learners);
    n_networks = rank_them(p, true, o->n_networks, networks);
    append_cells(p, learners, networks, out);
    text_append_format(&caption, "%s; mean over data sets of %s; shade: %s", p->y.label, plot_rows(p->samples, rows),
                       p->y.is_ratio ? "how far from 1" : "from the least to the largest of each network");
    look_append_frame(p->title, caption.data ? caption.data : "", out);
    append_tics('x', o->networks, networks, o->n_networks, MOST_NETWORK_NAME,
                n_networks > MANY_NETWORKS ? "rotate by -35" : "", out);
    append_tics('y', o->learners, learners, o->n_learners, LOOK_MOST_NAME, "", out);
    append_palette(p, out);
    text_append_format(out,
                       "unset key\nunset grid\nset border 0\nset tics scale 0\nset xrange [0.5:%zu.5]\nset yrange "
                       "[%zu.5:0.5]\n%s",
                       n_networks, n_learners, n_networks > MANY_NETWORKS ? "set bmargin 10\n" : "");
    /* boxes rather than an image: a cell without a value stays white, and vector formats stay sharp */
    text_append(out, "set style fill solid 1 border rgb 'white'\n");
    look_append_pictures(file_name, &p->style, n_learners * CELL_HEIGHT + MARGINS,
                         "plot $cells using 1:2:(0.5):(0.5):3 with boxxyerror lc palette, \\\n"
                         "     $cells using 1:2:4:5 with labels font ',10' tc rgb variable noenhanced\n",
                         LOOK_REPLOT, out);
    out->failed |= caption.failed;
}

static void add_means(const values_work *w, size_t learner, plot *p) {
    size_t n_sigmas = outputs_sigma_count(w->outputs);
    for (size_t n = 0; n < w->outputs->n_networks; n++) {
        plot_value mean = {.learner = learner, .network = n, .of = n_sigmas * w->grid.n_replicates};
        for (size_t i = 0; i < mean.of; i++) {
            double value = values_at(w, learner, n * n_sigmas + i / w->grid.n_replicates, i % w->grid.n_replicates);
            if (isnan(value))
                continue;
            mean.value += value;
            mean.n++;
        }
        if (mean.n == 0)
            continue;
        mean.value /= (double)mean.n;
        p->values[p->n_values++] = mean;
    }
}

static void append_csv(const plot *p, text_buffer *out) {
    text_append(out, "learner,network,samples,n,of,mean\n");
    for (size_t i = 0; i < p->n_values; i++) {
        const plot_value *v = &p->values[i];
        char text[32];
        text_append_csv_label(out, p->outputs->learners[v->learner]);
        text_append(out, ",");
        text_append_csv_label(out, p->outputs->networks[v->network]);
        text_append_format(out, ",%zu,%zu,%zu,%s\n", p->samples, v->n, v->of, text_from_double(v->value, text));
    }
}

static const values_kind kind = {.method = {.append_csv = append_csv, .append_script = append_script},
                                 .add = add_means,
                                 .note = "means over the data sets that have a value."};

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

const part_kind part_heatmap_plot = {
    .group = PART_PLOT,
    .name = "heatmap",
    .summary = "learner by network: means over data sets; the shade compares within a network, or with the baseline",
    .options_size = sizeof(values_spec),
    .options = options,
    .make = plot_make,
    .plot = compute,
};
