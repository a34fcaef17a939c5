/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A difference for people: regressions first, then what else changed. */
#include "report/difference/difference_internal.h"

#include "document/display.h"
#include "parts/figures/figure_style.h"
#include "report/html_frame.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_LISTED = 40 }; /* of a kind, for a terminal; the rest is counted */

/* ---- one change ---- */

static void append_number(const char *metric, double value, text_buffer *out) {
    char text[DISPLAY_NUMBER_SIZE];
    text_append(out, display_number(value, figure_style_of(metric), -1, text));
}

static void append_p(double p, text_buffer *out) {
    if (isfinite(p))
        text_append_format(out, p < 1e-4 ? ", p = %.1e" : ", p = %.4f", p);
}

void difference_append_change(const metric_change *c, text_buffer *out) {
    const char *unit = figure_unit_of(c->metric);
    text_append_format(out, "%s ", c->metric);
    append_number(c->metric, c->before, out);
    text_append(out, " -> ");
    append_number(c->metric, c->after, out);
    if (*unit)
        text_append_format(out, " %s", unit);
    text_append_format(out, c->is_time ? ", x %.3f" : ", %+.6g", c->change);
    if (isfinite(c->low))
        text_append_format(out, c->is_time ? " [%.3f, %.3f]" : " [%+.4g, %+.4g]", c->low, c->high);
    text_append_format(out, ", %zu of %zu data sets", c->n_changed, c->n_pairs);
    if (isfinite(c->effect) && !c->is_time)
        text_append_format(out, ", d = %.2f", c->effect);
    append_p(c->p_value, out);
}

/* "alarm, 500 rows, mmhc: " */
static void append_place(const cell_difference *cell, text_buffer *out) {
    text_append_format(out, "%s, ", cell->network);
    display_append_rows(out, cell->n_samples, cell->sigma);
    text_append_format(out, ", %s: ", cell->learner);
}

/* ---- lists ---- */

/* What changed in one way. */
typedef struct {
    document *out;
    const char *title;
    size_t n, most;
} change_list;

/* Takes what the line holds. */
static void add_line(change_list *l, text_buffer *line) {
    if (++l->n == 1)
        document_add_heading(l->out, 2, l->title);
    l->out->failed |= line->failed;
    if (l->n <= l->most)
        document_add_item(l->out, line->data);
    text_buffer_clear(line);
}

static void end_list(const change_list *l) {
    if (l->n <= l->most)
        return;
    document_begin(l->out, BLOCK_ITEM);
    document_say(l->out, SPAN_TEXT, "and %zu more", l->n - l->most);
}

static const char *options_note(const cell_difference *cell) {
    return cell->has_other_options ? " (its options changed)" : "";
}

/* Learners over all their cells, then cell by cell. */
static void add_changes(const difference *d, change_verdict verdict, change_list l) {
    for (size_t i = 0; i < d->n_learners; i++) {
        const learner_difference *learner = &d->learners[i];
        text_buffer line = {0};
        if (learner->time.verdict != verdict)
            continue;
        text_append_format(&line, "%s, its %zu cells together: ", learner->learner, learner->n_cells);
        difference_append_change(&learner->time, &line);
        add_line(&l, &line);
    }
    for (size_t i = 0; i < d->n_cells; i++) {
        const cell_difference *cell = &d->cells[i];
        for (size_t k = 0; k < cell->n_changes; k++) {
            text_buffer line = {0};
            if (cell->changes[k].verdict != verdict)
                continue;
            append_place(cell, &line);
            difference_append_change(&cell->changes[k], &line);
            text_append(&line, options_note(cell));
            add_line(&l, &line);
        }
    }
    end_list(&l);
}

/* "precision -0.01, recall -0.02": a line a cell, for one other edge changes a dozen metrics. */
static void add_others(const difference *d, change_list l) {
    for (size_t i = 0; i < d->n_cells; i++) {
        const cell_difference *cell = &d->cells[i];
        text_buffer line = {0};
        const char *between = "";
        append_place(cell, &line);
        for (size_t k = 0; k < cell->n_changes; k++) {
            const metric_change *m = &cell->changes[k];
            if (m->verdict != CHANGE_OTHER)
                continue;
            text_append_format(&line, "%s%s %+.3g", between, m->metric, m->change);
            between = ", ";
        }
        text_append(&line, options_note(cell));
        if (*between)
            add_line(&l, &line);
        text_buffer_clear(&line);
    }
    end_list(&l);
}

static void add_graphs(const difference *d, change_list l) {
    for (size_t i = 0; i < d->n_cells; i++) {
        const cell_difference *cell = &d->cells[i];
        text_buffer line = {0};
        if (cell->n_graphs_differ == 0)
            continue;
        append_place(cell, &line);
        text_append_format(&line, "%zu of %zu%s", cell->n_graphs_differ, cell->n_pairs, options_note(cell));
        add_line(&l, &line);
    }
    end_list(&l);
}

static void append_reason(const job_record *r, text_buffer *out) {
    text_append_format(out, ": %s%s%s", job_state_name(r->state), r->message ? ", " : "", r->message ? r->message : "");
    if (r->stderr_tail)
        text_append_last_line(out, "; it said: ", r->stderr_tail);
}

static void add_jobs(const difference *d, job_change_kind kind, change_list l) {
    for (size_t i = 0; i < d->n_jobs; i++) {
        const job_change *j = &d->jobs[i];
        const job_record *r = j->after ? j->after : j->before;
        text_buffer line = {0};
        if (j->kind != kind)
            continue;
        text_append_format(&line, "%s, ", r->network);
        display_append_rows(&line, r->n_samples, r->sigma);
        text_append_format(&line, ", data set %" PRIu64 ", %s", r->replicate + 1, r->learner);
        if (kind == JOB_FAILS_NOW)
            append_reason(r, &line);
        add_line(&l, &line);
    }
    end_list(&l);
}

static change_list list(document *out, size_t most, const char *title) {
    return (change_list){.out = out, .title = title, .most = most};
}

static void add_lists(const difference *d, size_t most, document *out) {
    add_jobs(d, JOB_FAILS_NOW, list(out, most, "New failures:"));
    if (d->is_slower_throughout) {
        document_begin(out, BLOCK_PARAGRAPH);
        document_say(out, SPAN_TEXT, "Everything is slower: half of the cells by more than x %.3f.", d->drift);
    }
    add_changes(d, CHANGE_WORSE, list(out, most, "Regressions:"));
    add_changes(d, CHANGE_BETTER, list(out, most, "Better:"));
    add_graphs(d, list(out, most, "Other graphs:"));
    add_changes(d, CHANGE_SUSPICIOUS, list(out, most, "Suspicious, past the limit but not shown to be slower:"));
    add_others(d, list(out, most, "Changed otherwise, mean differences:"));
    add_jobs(d, JOB_FAILED_BEFORE, list(out, most, "Failed before, done now:"));
    add_jobs(d, JOB_OTHER_DATA, list(out, most, "Not comparable, other data:"));
    add_jobs(d, JOB_ONLY_BEFORE, list(out, most, "Measured before and not now:"));
    add_jobs(d, JOB_ONLY_AFTER, list(out, most, "Measured now and not before:"));
}

static void add_summary(const difference *d, const difference_options *options, document *out) {
    size_t n_same = 0;
    for (size_t i = 0; i < d->n_cells; i++)
        n_same += d->cells[i].verdict == CHANGE_NONE;
    if (d->n_cells > 0) {
        document_begin(out, BLOCK_PARAGRAPH);
        document_say(out, SPAN_TEXT,
                     "Times: median ratio over the cells x %.3f%s; slower is from x %g%s with p <= %g, all cells "
                     "together.",
                     d->drift, d->is_calibrated ? ", the processor's speed at the moment allowed for" : "",
                     options->max_slowdown, d->shared > 1 ? " of that" : "", options->alpha);
    }
    document_begin(out, BLOCK_PARAGRAPH);
    document_say(out, SPAN_TEXT, "%zu jobs compared in %zu cells, %zu cells the same; %zu %s, %zu better.",
                 d->n_compared, d->n_cells, n_same, d->n_regressions,
                 d->n_regressions == 1 ? "regression" : "regressions", d->n_better);
}

void difference_append_text(const difference *d, const difference_options *options, text_buffer *out) {
    AUTO(document_clear) document all = {0};
    add_lists(d, MOST_LISTED, &all);
    add_summary(d, options, &all);
    document_write_text(&all, 0, false, out);
}

status difference_append_html(const difference *d, const difference_options *options, const char *before,
                              const char *after, text_buffer *out, error_info *err) {
    AUTO(document_clear) document all = {0};
    document_add_heading(&all, 1, "What changed");
    document_add_paragraph(&all, "From ");
    document_say(&all, SPAN_CODE, "%s", before);
    document_say(&all, SPAN_TEXT, " to ");
    document_say(&all, SPAN_CODE, "%s", after);
    add_summary(d, options, &all);
    add_lists(d, (size_t)-1, &all);
    return html_append_page("What changed", &all, out, err);
}
