/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/difference/difference_internal.h"

#include "document/display.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_LISTED = 40 }; /* lines of a kind; the rest is counted */

static void append_number(const char *metric, double value, text_buffer *out) {
    char text[DISPLAY_NUMBER_SIZE];
    text_append(out, display_number(value, display_style_of(metric), -1, text));
}

static void append_p(double p, text_buffer *out) {
    if (isfinite(p))
        text_append_format(out, p < 1e-4 ? ", p = %.1e" : ", p = %.4f", p);
}

void difference_append_place(const cell_difference *cell, text_buffer *out) {
    display_append_plain(out, cell->network);
    text_append(out, ", ");
    display_append_rows(out, cell->n_samples, cell->sigma);
    text_append(out, ", ");
    display_append_plain(out, cell->learner);
}

void difference_append_change(const metric_change *c, text_buffer *out) {
    const char *unit = display_unit_of(c->metric);
    display_append_plain(out, c->metric);
    text_append(out, " ");
    append_number(c->metric, c->before, out);
    text_append(out, " -> ");
    append_number(c->metric, c->after, out);
    if (*unit)
        text_append_format(out, " %s", unit);
    if (c->is_time)
        text_append_format(out, ", x %.3f", c->change);
    else
        text_append_format(out, ", %+.6g", c->change);
    if (isfinite(c->low))
        text_append_format(out, c->is_time ? " [%.3f, %.3f]" : " [%+.4g, %+.4g]", c->low, c->high);
    text_append_format(out, ", %zu of %zu data sets", c->n_changed, c->n_pairs);
    if (isfinite(c->effect) && !c->is_time)
        text_append_format(out, ", d = %.2f", c->effect);
    append_p(c->p_value, out);
}

void difference_append_summary(const difference *d, text_buffer *out) {
    size_t n_same = 0;
    for (size_t i = 0; i < d->n_cells; i++)
        n_same += d->cells[i].verdict == CHANGE_NONE;
    text_append_format(out, "%zu jobs compared in %zu cells, %zu cells the same; %zu %s, %zu better", d->n_compared,
                       d->n_cells, n_same, d->n_regressions, d->n_regressions == 1 ? "regression" : "regressions",
                       d->n_better);
}

static void append_options_note(const cell_difference *cell, text_buffer *out) {
    if (cell->has_other_options)
        text_append(out, " (its options changed)");
}

static void append_changes(const difference *d, change_verdict verdict, const char *title, text_buffer *out) {
    size_t n = 0;
    for (size_t i = 0; i < d->n_cells; i++) {
        const cell_difference *cell = &d->cells[i];
        for (size_t k = 0; k < cell->n_changes; k++) {
            if (cell->changes[k].verdict != verdict || ++n > MOST_LISTED)
                continue;
            text_append(out, n == 1 ? title : "");
            text_append(out, "  ");
            difference_append_place(cell, out);
            text_append(out, ": ");
            difference_append_change(&cell->changes[k], out);
            append_options_note(cell, out);
            text_append(out, "\n");
        }
    }
    if (n > MOST_LISTED)
        text_append_format(out, "  and %zu more\n", n - MOST_LISTED);
}

static void append_graphs(const difference *d, text_buffer *out) {
    size_t n = 0;
    for (size_t i = 0; i < d->n_cells; i++) {
        const cell_difference *cell = &d->cells[i];
        if (cell->n_graphs_differ == 0 || ++n > MOST_LISTED)
            continue;
        text_append(out, n == 1 ? "Other graphs:\n" : "");
        text_append(out, "  ");
        difference_append_place(cell, out);
        text_append_format(out, ": %zu of %zu", cell->n_graphs_differ, cell->n_pairs);
        append_options_note(cell, out);
        text_append(out, "\n");
    }
    if (n > MOST_LISTED)
        text_append_format(out, "  and %zu more\n", n - MOST_LISTED);
}

static void append_job(const job_change *j, text_buffer *out) {
    const job_record *r = j->after ? j->after : j->before;
    text_append(out, "  ");
    display_append_plain(out, r->network);
    text_append(out, ", ");
    display_append_rows(out, r->n_samples, r->sigma);
    text_append_format(out, ", data set %" PRIu64 ", ", r->replicate + 1);
    display_append_plain(out, r->learner);
    if (j->kind == JOB_FAILS_NOW) {
        text_append_format(out, ": %s", job_state_name(r->state));
        if (r->message) {
            text_append(out, ", ");
            display_append_plain(out, r->message);
        }
    }
    text_append(out, "\n");
}

static void append_jobs(const difference *d, job_change_kind kind, const char *title, text_buffer *out) {
    size_t n = 0;
    for (size_t i = 0; i < d->n_jobs; i++) {
        if (d->jobs[i].kind != kind || ++n > MOST_LISTED)
            continue;
        text_append(out, n == 1 ? title : "");
        append_job(&d->jobs[i], out);
    }
    if (n > MOST_LISTED)
        text_append_format(out, "  and %zu more\n", n - MOST_LISTED);
}

static void append_times(const difference *d, const difference_options *options, text_buffer *out) {
    if (d->n_cells == 0)
        return;
    text_append_format(
        out, "Times: median ratio over the cells x %.3f%s; slower is from x %g%s with p <= %g, all cells together.\n",
        d->drift, d->is_calibrated ? ", the processor's speed at the moment allowed for" : "", options->max_slowdown,
        d->shared > 1 ? " of that" : "", options->alpha);
}

static void append_throughout(const difference *d, text_buffer *out) {
    if (d->is_slower_throughout)
        text_append_format(out, "Everything is slower: half of the cells by more than x %.3f.\n", d->drift);
}

void difference_append_text(const difference *d, const difference_options *options, text_buffer *out) {
    append_jobs(d, JOB_FAILS_NOW, "New failures:\n", out);
    append_throughout(d, out);
    append_changes(d, CHANGE_WORSE, "Regressions:\n", out);
    append_changes(d, CHANGE_BETTER, "Better:\n", out);
    append_graphs(d, out);
    append_changes(d, CHANGE_OTHER, "Changed otherwise:\n", out);
    append_jobs(d, JOB_FAILED_BEFORE, "Failed before, done now:\n", out);
    append_jobs(d, JOB_OTHER_DATA, "Not comparable, other data:\n", out);
    append_jobs(d, JOB_ONLY_BEFORE, "Measured before and not now:\n", out);
    append_jobs(d, JOB_ONLY_AFTER, "Measured now and not before:\n", out);
    append_times(d, options, out);
    difference_append_summary(d, out);
    text_append(out, ".\n");
}
