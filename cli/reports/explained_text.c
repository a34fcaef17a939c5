/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An explanation in words. */
#include "cli/reports/explained.h"

#include "cli/base/terminal.h"
#include "core/base/text_fold.h"
#include "metrics/distances/metric.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { NAME_WIDTH = 12 };

static void begin(const char *name, text_buffer *out) {
    text_append_format(out, "%-*s ", NAME_WIDTH, name);
}

static void append_fact(const char *name, const char *value, text_buffer *out) {
    if (!value || !*value)
        return;
    begin(name, out);
    text_append_format(out, "%s\n", value);
}

static void append_figure(const explained_figure *f, text_buffer *out) {
    char digits[32];
    begin("figure", out);
    table_append_figure(f->t, f->cell, out);
    if (f->cell->kind == CELL_FIGURE)
        text_append_format(out, " (in full %s)", text_from_double(f->cell->value, digits));
    if (!f->t->has_no_n)
        text_append_format(out, ", from %zu of %zu data sets", f->cell->n, f->cell->of);
    if (f->cell->n_imputed)
        text_append_format(out, ", %zu of them with a value that the failure policy gave (*)", f->cell->n_imputed);
    text_append(out, "\n");
}

static void append_published(const explained_figure *f, text_buffer *out) {
    static const char *const answers[] = {
        "", "; the figure here is within the tolerance: ", "; the figure here is outside the tolerance: ",
        "; there is no figure here to compare: "};
    if (!f->cell->published)
        return;
    begin("published", out);
    text_append(out, f->cell->published);
    if (f->is_baseline)
        text_append(out, "; it is that of the baseline itself, 1 by definition");
    else if (f->cell->is_incomparable)
        text_append(out, "; over networks most of which are not here, so it is not compared");
    else {
        text_append(out, f->tolerance == TOLERANCE_NONE ? "; " : answers[f->tolerance]);
        explained_append_rule(f->within, out);
    }
    text_append(out, "\n");
}

static void append_metric(const explained_figure *f, text_buffer *out) {
    const metric_info *info = f->spec ? metric_find(f->spec->metric) : NULL;
    if (!f->spec)
        return;
    begin("metric", out);
    text_append(out, f->spec->metric);
    if (info)
        text_append_format(out, ": %s%s%s%s", info->summary, *info->unit ? " (" : "", info->unit,
                           *info->unit ? ")" : "");
    if (info && !info->has_no_best)
        text_append(out, info->less_is_better ? "; less is better" : "; more is better");
    text_append(out, "\n");
    begin("made", out);
    explained_append_making(f, out);
    text_append(out, "\n");
}

/* ---- jobs ---- */

static void append_values(const explained_figure *f, const double *values, text_buffer *out) {
    for (size_t m = 0; m < f->n_metrics; m++) {
        text_append_format(out, m ? ", %s " : " %s ", f->metrics[m]);
        if (isnan(values[m]))
            text_append(out, "none");
        else
            text_append_format(out, "%.10g", values[m]);
    }
}

static void append_job(const explained_figure *f, const explained_job *j, text_buffer *out) {
    text_append_format(out, "  %s:", j->name);
    append_values(f, j->values, out);
    if (j->baseline) {
        text_append_format(out, "; %s:", j->baseline);
        append_values(f, j->baseline_values, out);
    }
    if (j->state != VALUE_DONE)
        text_append_format(out, "; %s", value_state_name(j->state));
    if (j->is_imputed)
        text_append(out, ", its value is the failure policy's");
    if (!j->is_used)
        text_append(out, "; not used");
    text_append(out, "\n");
}

static void append_jobs(const explained_figure *f, const char *folder, text_buffer *out) {
    if (f->n_jobs == 0)
        return;
    text_append_format(out, "jobs behind it (NETWORK/ROWS/REPLICATE/LEARNER)\n");
    for (size_t i = 0; i < f->n_jobs; i++)
        append_job(f, &f->jobs[i], out);
    begin("to see one", out);
    explained_append_repeat(folder, f->jobs[0].name, out);
    text_append(out, " does it again; without --repeat it is shown\n");
}

/* ---- what it hangs on ---- */

static void append_changed(const json_t *changed, text_buffer *out) {
    const char *name;
    json_t *value;
    size_t n = 0;
    json_object_foreach((json_t *)changed, name, value) {
        AUTO_FREE char *text = json_to_text(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
        text_append_format(out, "%s%s=%s", n++ ? ", " : "", name, text ? text : "");
    }
    if (n == 0)
        text_append(out, "all defaults");
}

static status append_options(const explained_figure *f, const experiment *e, text_buffer *out, error_info *err) {
    AUTO_PTR(json_decref) json_t *all = NULL;
    const char *id;
    json_t *changed;
    CHECK(explained_changed_options(f, e, &all, err));
    json_object_foreach(all, id, changed) {
        begin("options", out);
        text_append_format(out, "%s: ", id);
        append_changed(changed, out);
        text_append(out, "\n");
    }
    return STATUS_OK;
}

static void append_run(const store_run_facts *r, text_buffer *out) {
    begin("made by", out);
    text_append_format(out, "bnbench %s", r->version ? r->version : "of an unknown version");
    if (r->commit && *r->commit)
        text_append_format(out, ", commit %s", r->commit);
    text_append(out, "\n");
    append_fact("machine", r->processor, out);
    append_fact("system", r->system, out);
    append_fact("date", r->started, out);
}

static void append_experiment(const explained_figure *f, text_buffer *out) {
    if (f->reason) {
        begin("reason", out);
        text_append_format(out, "%s (%s): %s\n", f->reason->id,
                           f->is_shown ? "a reading or a claim shows it" : "nothing shows it", f->reason->text);
    } else if (f->tolerance == TOLERANCE_OUTSIDE)
        append_fact("reason", "the experiment gives none for this miss", out);
    for (size_t i = 0; i < f->n_readings; i++) {
        const explained_reading *r = &f->readings[i];
        begin("reading", out);
        text_append_format(out, "%s: %s Under it the figure is %s.\n", r->reading->id,
                           r->reading->text ? r->reading->text : "",
                           r->shown    ? r->shown
                           : r->is_run ? "not there"
                                       : "not known: it has not been run");
    }
}

static void append_notes(const table *t, text_buffer *out) {
    for (size_t i = 0; i < t->n_notes; i++)
        append_fact("note", t->notes[i], out);
}

status explained_print(const explained_figure *f, const report_input *in, const char *folder, cli *c, error_info *err) {
    AUTO(text_buffer_clear) text_buffer text = {0};
    begin("table", &text);
    text_append_format(&text, "%s (%s), row %s, column %s\n", f->table_id, f->t->title, f->row, f->column);
    append_figure(f, &text);
    append_published(f, &text);
    append_metric(f, &text);
    append_jobs(f, folder, &text);
    CHECK(append_options(f, in->e, &text, err));
    append_run(&in->facts, &text);
    append_experiment(f, &text);
    append_notes(f->t, &text);
    CHECK(text_buffer_check(&text, err));
    text_fold(text.data, terminal_width(STDOUT_FILENO), &c->out);
    return text_buffer_check(&c->out, err);
}
