/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Box plots and heat maps: the values of a metric at one sample size, one by one or their means. */
#include "parts/plots/plot_internal.h"

#include "parts/figures/aggregate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const experiment_outputs *outputs;
    const plot_spec *spec;
    result_grid grid;
    metric_values values;
    size_t size, baseline;
} values_work;

/* NAN where there is none, or no baseline to divide by. */
static double value_at(const values_work *w, size_t learner, size_t place, size_t replicate) {
    size_t first = result_grid_index(&w->grid, place, w->size, replicate, 0);
    double value = w->values.values[first + learner], base;
    if (w->baseline == NO_BASELINE)
        return value;
    base = w->values.values[first + w->baseline];
    return base == 0 ? (double)NAN : value / base;
}

static void add_boxes(const values_work *w, size_t learner, plot *p) {
    size_t n_sigmas = outputs_sigma_count(w->outputs);
    for (size_t place = 0; place < w->grid.n_places; place++) {
        for (size_t r = 0; r < w->grid.n_replicates; r++) {
            double value = value_at(w, learner, place, r);
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

static void add_means(const values_work *w, size_t learner, plot *p) {
    size_t n_sigmas = outputs_sigma_count(w->outputs);
    for (size_t n = 0; n < w->outputs->n_networks; n++) {
        plot_value mean = {.learner = learner, .network = n, .of = n_sigmas * w->grid.n_replicates};
        for (size_t i = 0; i < mean.of; i++) {
            double value = value_at(w, learner, n * n_sigmas + i / w->grid.n_replicates, i % w->grid.n_replicates);
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

static status collect(values_work *w, plot *p, error_info *err) {
    const experiment_outputs *o = w->outputs;
    p->values = calloc(o->n_learners * w->grid.n_places * o->n_replicates + 1, sizeof *p->values);
    if (!p->values)
        return error_out_of_memory(err);
    for (size_t l = 0; l < o->n_learners; l++)
        p->kind == PLOT_BOX ? add_boxes(w, l, p) : add_means(w, l, p);
    return STATUS_OK;
}

static status name_plot(const values_work *w, plot *p, error_info *err) {
    const plot_spec *spec = w->spec;
    text_buffer b = {0};
    char rows[PLOT_ROWS_SIZE];
    status st = STATUS_OK;
    bool is_positive = true;
    TRY(plot_name_axis(&p->y, spec->y, spec->normalise_by, err));
    for (size_t i = 0; i < p->n_values; i++)
        is_positive = is_positive && p->values[i].value > 0;
    p->y.is_log = spec->log_y && is_positive;
    if (spec->title)
        text_append(&b, spec->title);
    else
        text_append_format(&b, "%s at %s", spec->y, plot_rows(p->samples, rows));
    TRY(text_buffer_check(&b, err));
    p->title = b.data;
    b = (text_buffer){0};
    text_append_format(&b,
                       p->kind == PLOT_BOX
                           ? "At %s, every network and replicate. Box: quartiles and median; whiskers: the last value "
                             "within 1.5 times the box's height; circles: values beyond."
                           : "At %s, means over the data sets that have a value.",
                       plot_rows(p->samples, rows));
    TRY(text_list_take(&p->notes, &p->n_notes, &b, err));
cleanup:
    text_buffer_clear(&b);
    return st;
}

status plot_compute_values(const experiment_outputs *outputs, const plot_spec *spec, const job_record *records,
                           size_t n_records, plot *out, error_info *err) {
    values_work w = {
        .outputs = outputs, .spec = spec, .size = plot_choose_size(outputs, spec), .baseline = NO_BASELINE};
    plot p = {.outputs = outputs, .kind = spec->kind, .style = spec->style, .samples = outputs->sizes[w.size]};
    status st = STATUS_OK;
    if (spec->normalise_by) {
        w.baseline = outputs_find_learner(outputs, spec->normalise_by);
        if (w.baseline == NO_BASELINE)
            TRY(error_set(err, STATUS_INVALID, "plot '%s': it is to be normalised by '%s', which it does not show",
                          spec->id, spec->normalise_by));
    }
    TRY(result_grid_create(outputs, records, n_records, &w.grid, err));
    TRY(metric_values_create(&w.grid, spec->y, FAILURES_DROP_DATASET, &w.values, err));
    TRY(collect(&w, &p, err));
    TRY(name_plot(&w, &p, err));
    *out = p;
    p = (plot){0};
cleanup:
    plot_clear(&p);
    metric_values_clear(&w.values);
    result_grid_clear(&w.grid);
    return st;
}

/* A box plot tells one noise level from another; a heat map takes them together. */
static void append_network(const plot *p, const plot_value *v, text_buffer *out) {
    text_buffer place = {0};
    if (p->kind == PLOT_BOX)
        outputs_append_place(p->outputs, v->place, &place);
    else
        text_append(&place, p->outputs->networks[v->network]);
    text_append_csv_label(out, place.data ? place.data : "");
    out->failed |= place.failed;
    text_buffer_clear(&place);
}

void plot_append_values_csv(const plot *p, text_buffer *out) {
    text_append(out, p->kind == PLOT_BOX ? "learner,network,samples,replicate,value\n"
                                         : "learner,network,samples,n,of,mean\n");
    for (size_t i = 0; i < p->n_values; i++) {
        const plot_value *v = &p->values[i];
        char text[32];
        text_append_csv_label(out, p->outputs->learners[v->learner]);
        text_append(out, ",");
        append_network(p, v, out);
        if (p->kind == PLOT_BOX)
            text_append_format(out, ",%zu,%zu", p->samples, v->replicate + 1);
        else
            text_append_format(out, ",%zu,%zu,%zu", p->samples, v->n, v->of);
        text_append_format(out, ",%s\n", text_from_double(v->value, text));
    }
}
