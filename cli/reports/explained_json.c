/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An explanation as JSON. */
#include "cli/reports/explained.h"

#include "metrics/distances/metric.h"

static json_t *buffer_of(void (*append)(const explained_figure *f, text_buffer *out), const explained_figure *f) {
    AUTO(text_buffer_clear) text_buffer b = {0};
    append(f, &b);
    return json_of_buffer(&b);
}

static void append_shown(const explained_figure *f, text_buffer *out) {
    table_append_figure(f->t, f->cell, out);
}

static void append_rule(const explained_figure *f, text_buffer *out) {
    explained_append_rule(f->within, out);
}

static const char *kind_name(cell_kind k) {
    static const char *const names[] = {"figure", "not applicable", "failed", "not run", "empty"};
    return names[k];
}

static json_t *within_of(const explained_figure *f) {
    return f->tolerance == TOLERANCE_NONE ? json_null() : json_boolean(f->tolerance == TOLERANCE_WITHIN);
}

static json_t *metric_of(const explained_figure *f) {
    const metric_info *info = f->spec ? metric_find(f->spec->metric) : NULL;
    if (!f->spec)
        return json_null();
    return json_object_of({"name", json_of_text(f->spec->metric)},
                          {"summary", json_of_text(info ? info->summary : NULL)},
                          {"unit", json_of_text(info ? info->unit : NULL)},
                          {"less_is_better", info ? json_boolean(info->less_is_better) : json_null()});
}

static status put_making(const explained_figure *f, json_t *object, error_info *err) {
    static const char *const aggregates[] = {"median", "mean", "mean_rank"};
    static const char *const policies[] = {"drop-dataset", "worst", "limit"};
    const metric_table_spec *s = f->spec;
    if (!s)
        return json_put(object, "made", json_null(), err);
    return json_put(object, "made",
                    json_object_of({"words", buffer_of(explained_append_making, f)},
                                   {"normalise_by", json_of_text(s->normalise_by)},
                                   {"ratio", json_of_text(!s->normalise_by             ? NULL
                                                          : s->ratio == MEAN_OF_RATIOS ? "mean-of-ratios"
                                                                                       : "ratio-of-means")},
                                   {"aggregate", json_of_text(aggregates[s->aggregate])},
                                   {"failures", json_of_text(policies[s->failures])}),
                    err);
}

static status put_values(const explained_figure *f, const double *values, const char *key, json_t *job,
                         error_info *err) {
    json_t *all = json_object();
    CHECK(json_put(job, key, all, err));
    for (size_t m = 0; m < f->n_metrics; m++)
        CHECK(json_put(all, f->metrics[m], json_of_double(values[m]), err));
    return STATUS_OK;
}

static status put_job(const explained_figure *f, const explained_job *j, const char *folder, json_t *jobs,
                      error_info *err) {
    AUTO(text_buffer_clear) text_buffer again = {0};
    json_t *o = json_object();
    explained_append_repeat(folder, j->name, &again);
    CHECK(json_add(jobs, o, err));
    CHECK(json_put_all(o, err, {"job", json_of_text(j->name)}, {"state", json_of_text(value_state_name(j->state))},
                       {"used", json_boolean(j->is_used)}, {"imputed", json_boolean(j->is_imputed)},
                       {"fingerprint", json_of_text(j->record ? j->record->fingerprint : NULL)},
                       {"command", json_of_buffer(&again)}, {"baseline", json_of_text(j->baseline)}));
    CHECK(put_values(f, j->values, "values", o, err));
    return j->baseline ? put_values(f, j->baseline_values, "baseline_values", o, err) : STATUS_OK;
}

static status put_jobs(const explained_figure *f, const char *folder, json_t *object, error_info *err) {
    json_t *jobs = json_array();
    CHECK(json_put(object, "jobs", jobs, err));
    for (size_t i = 0; i < f->n_jobs; i++)
        CHECK(put_job(f, &f->jobs[i], folder, jobs, err));
    return STATUS_OK;
}

static status put_readings(const explained_figure *f, json_t *object, error_info *err) {
    json_t *all = json_array();
    CHECK(json_put(object, "readings", all, err));
    for (size_t i = 0; i < f->n_readings; i++) {
        const explained_reading *r = &f->readings[i];
        CHECK(json_add(all,
                       json_object_of({"id", json_of_text(r->reading->id)}, {"text", json_of_text(r->reading->text)},
                                      {"run", json_boolean(r->is_run)}, {"figure", json_of_text(r->shown)}),
                       err));
    }
    return json_put(object, "reason",
                    f->reason
                        ? json_object_of({"id", json_of_text(f->reason->id)}, {"text", json_of_text(f->reason->text)},
                                         {"shown", json_boolean(f->is_shown)})
                        : json_null(),
                    err);
}

static json_t *run_of(const store_run_facts *r) {
    return json_object_of({"version", json_of_text(r->version)}, {"commit", json_of_text(r->commit)},
                          {"processor", json_of_text(r->processor)}, {"system", json_of_text(r->system)},
                          {"started", json_of_text(r->started)}, {"ended", json_of_text(r->ended)});
}

status explained_put(const explained_figure *f, const report_input *in, const char *folder, json_t *object,
                     error_info *err) {
    const table_cell *cell = f->cell;
    json_t *options = NULL;
    CHECK(json_put_all(object, err, {"table", json_of_text(f->table_id)}, {"title", json_of_text(f->t->title)},
                       {"row", json_of_text(f->row)}, {"column", json_of_text(f->column)},
                       {"figure", buffer_of(append_shown, f)}, {"state", json_of_text(kind_name(cell->kind))},
                       {"value", cell->kind == CELL_FIGURE ? json_of_double(cell->value) : json_null()},
                       {"n", json_of_size(cell->n)}, {"of", json_of_size(cell->of)},
                       {"imputed", json_of_size(cell->n_imputed)}, {"published", json_of_text(cell->published)},
                       {"within", within_of(f)}, {"rule", buffer_of(append_rule, f)}, {"metric", metric_of(f)},
                       {"notes", json_of_texts((const char *const *)f->t->notes, f->t->n_notes)},
                       {"run", run_of(&in->facts)}));
    CHECK(put_making(f, object, err));
    CHECK(put_jobs(f, folder, object, err));
    CHECK(explained_changed_options(f, in->e, &options, err));
    CHECK(json_put(object, "options", options, err));
    return put_readings(f, object, err);
}
