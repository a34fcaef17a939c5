/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Box plots and heat maps: the values of a metric at one sample size, one by one or their means. */
#include "parts/plots/values_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* NAN where there is none, or no baseline to divide by. */
double values_at(const values_work *w, size_t learner, size_t place, size_t replicate) {
    size_t first = result_grid_index(&w->grid, place, w->size, replicate, 0);
    double value = w->values.values[first + learner], base;
    if (w->baseline == NO_BASELINE)
        return value;
    base = w->values.values[first + w->baseline];
    return base == 0 ? (double)NAN : value / base;
}

static status collect(values_work *w, plot *p, error_info *err) {
    const experiment_outputs *o = w->outputs;
    CHECK_ALLOC(p->values = calloc(o->n_learners * w->grid.n_places * o->n_replicates + 1, sizeof *p->values));
    for (size_t l = 0; l < o->n_learners; l++)
        w->kind->add(w, l, p);
    return STATUS_OK;
}

static status name_plot(const values_work *w, plot *p, error_info *err) {
    const values_spec *spec = w->spec;
    AUTO(text_buffer_clear) text_buffer b = {0};
    char rows[PLOT_ROWS_SIZE];
    bool is_positive = true;
    CHECK(plot_name_axis(&p->y, spec->y, spec->normalise_by, err));
    for (size_t i = 0; i < p->n_values; i++)
        is_positive = is_positive && p->values[i].value > 0;
    p->y.is_log = spec->log_y && is_positive;
    if (spec->title)
        text_append(&b, spec->title);
    else
        text_append_format(&b, "%s at %s", spec->y, plot_rows(p->samples, rows));
    CHECK(text_buffer_take(&b, &p->title, err));
    text_append_format(&b, "At %s, %s", plot_rows(p->samples, rows), w->kind->note);
    return text_list_take(&p->notes, &p->n_notes, &b, err);
}

status values_compute(const experiment_outputs *outputs, const values_spec *spec, const values_kind *kind,
                      const job_record *records, size_t n_records, plot *out, error_info *err) {
    values_work w = {.outputs = outputs,
                     .spec = spec,
                     .kind = kind,
                     .size = plot_choose_size(outputs, spec->samples),
                     .baseline = NO_BASELINE};
    plot p = {.outputs = outputs, .method = &kind->method, .style = spec->style, .samples = outputs->sizes[w.size]};
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
    *out = TAKE(p);
cleanup:
    plot_clear(&p);
    metric_values_clear(&w.values);
    result_grid_clear(&w.grid);
    return st;
}
