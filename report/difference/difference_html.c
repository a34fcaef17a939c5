/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/difference/difference_internal.h"

#include "document/display.h"

#include <inttypes.h>

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1b1b1b;--paper:#fff;--line:#c9c9c9;--worse:#a33b00;--better:#00527a}"
    "@media(prefers-color-scheme:dark){:root{--ink:#ececec;--paper:#16181b;--line:#4a4d52;--worse:#ffa36b;--better:#"
    "7cc7ff}}"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:75rem;margin:0 "
    "auto;padding:1rem}"
    "div.scroll{overflow-x:auto}table{border-collapse:collapse}th,td{border-bottom:1px solid "
    "var(--line);padding:.25rem .6rem;"
    "text-align:left;vertical-align:top}tr.worse td:first-child{border-left:4px solid var(--worse)}"
    "tr.better td:first-child{border-left:4px solid var(--better)}.worse strong{color:var(--worse)}"
    ".better strong{color:var(--better)}";

static void append_escaped(const text_buffer *text, text_buffer *out) {
    display_append_html(out, text->data ? text->data : "");
}

static void append_row(const cell_difference *cell, const metric_change *c, text_buffer *out) {
    const char *verdict = change_verdict_name(c->verdict);
    text_buffer place = {0}, change = {0};
    difference_append_place(cell, &place);
    difference_append_change(c, &change);
    text_append_format(out, "<tr class=\"%s\"><td><strong>%s</strong></td><td>", verdict, verdict);
    append_escaped(&place, out);
    text_append(out, "</td><td>");
    append_escaped(&change, out);
    text_append(out, cell->has_other_options ? " (its options changed)</td></tr>\n" : "</td></tr>\n");
    out->failed |= place.failed || change.failed;
    text_buffer_clear(&place);
    text_buffer_clear(&change);
}

static void append_changes(const difference *d, change_verdict verdict, text_buffer *out) {
    for (size_t i = 0; i < d->n_cells; i++) {
        const cell_difference *cell = &d->cells[i];
        for (size_t k = 0; k < cell->n_changes; k++)
            if (cell->changes[k].verdict == verdict)
                append_row(cell, &cell->changes[k], out);
    }
}

static void append_graphs(const difference *d, text_buffer *out) {
    for (size_t i = 0; i < d->n_cells; i++) {
        const cell_difference *cell = &d->cells[i];
        text_buffer place = {0};
        if (cell->n_graphs_differ == 0)
            continue;
        difference_append_place(cell, &place);
        text_append(out, "<tr><td><strong>changed</strong></td><td>");
        append_escaped(&place, out);
        text_append_format(out, "</td><td>%zu of %zu graphs differ</td></tr>\n", cell->n_graphs_differ, cell->n_pairs);
        out->failed |= place.failed;
        text_buffer_clear(&place);
    }
}

static void append_jobs(const difference *d, text_buffer *out) {
    for (size_t i = 0; i < d->n_jobs; i++) {
        const job_change *j = &d->jobs[i];
        const job_record *r = j->after ? j->after : j->before;
        text_append_format(out, "<tr class=\"%s\"><td><strong>%s</strong></td><td>",
                           j->kind == JOB_FAILS_NOW ? "worse" : "", job_change_kind_name(j->kind));
        display_append_html(out, r->network);
        text_append(out, ", ");
        display_append_rows(out, r->n_samples, r->sigma);
        text_append_format(out, ", data set %" PRIu64 ", ", r->replicate + 1);
        display_append_html(out, r->learner);
        text_append(out, "</td><td>");
        display_append_html(out, j->kind == JOB_FAILS_NOW && r->message ? r->message : "");
        text_append(out, "</td></tr>\n");
    }
}

void difference_append_html(const difference *d, const difference_options *options, const char *before,
                            const char *after, text_buffer *out) {
    text_buffer summary = {0};
    difference_append_summary(d, &summary);
    text_append_format(out,
                       "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                       "content=\"width=device-width\"><title>What changed</title><style>%s</style></head><body>\n",
                       style);
    text_append(out, "<h1>What changed</h1>\n<p>From <code>");
    display_append_html(out, before);
    text_append(out, "</code> to <code>");
    display_append_html(out, after);
    text_append(out, "</code>: ");
    append_escaped(&summary, out);
    text_append_format(
        out,
        ". Median ratio of the times %.3f%s; slower is from x %g with p &le; %g.</p>\n<div "
        "class=\"scroll\"><table><caption>Changes, the worst first</caption><thead><tr><th "
        "scope=\"col\">Verdict</th><th scope=\"col\">Where</th><th scope=\"col\">What</th></tr></thead><tbody>\n",
        d->drift, d->is_calibrated ? ", the processor's speed allowed for" : "", options->max_slowdown, options->alpha);
    append_jobs(d, out);
    if (d->is_slower_throughout)
        text_append_format(out,
                           "<tr class=\"worse\"><td><strong>worse</strong></td><td>everything</td><td>half of the "
                           "cells slower by more than x %.3f</td></tr>\n",
                           d->drift);
    append_changes(d, CHANGE_WORSE, out);
    append_changes(d, CHANGE_BETTER, out);
    append_graphs(d, out);
    append_changes(d, CHANGE_OTHER, out);
    text_append(out, "</tbody></table></div>\n</body></html>\n");
    out->failed |= summary.failed;
    text_buffer_clear(&summary);
}
