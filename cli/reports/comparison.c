/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports/comparison.h"

#include "cli/base/json.h"
#include "cli/reports/runs.h"

#include "core/base/file.h"
#include "metrics/distances/metric.h"

#include <stdlib.h>
#include <string.h>

void comparison_clear(comparison *s) {
    difference_clear(&s->d);
    experiment_clear(&s->before.e);
    experiment_clear(&s->after.e);
    job_records_destroy(s->before.records, s->before.n_records);
    job_records_destroy(s->after.records, s->after.n_records);
    free(s->names);
    free(s->words);
}

static status read_side(const char *folder, comparison_side *out, error_info *err) {
    store *s = NULL;
    status st = STATUS_OK;
    TRY(store_open(folder, false, false, &s, err));
    TRY(runs_read_planned(s, true, &out->e, &out->records, &out->n_records, err));
cleanup:
    store_close(s);
    return st;
}

static status read_number(const args *a, const char *name, double initial, double *out, error_info *err) {
    const char *typed = args_value(a, name);
    *out = initial;
    if (typed && !text_to_double(typed, out))
        return error_set(err, STATUS_INVALID, "--%s is '%s'; it must be a number", name, typed);
    return STATUS_OK;
}

static status check_metric(const char *name, error_info *err) {
    const char *near = metric_suggest(name);
    if (metric_find(name))
        return STATUS_OK;
    return near ? error_set(err, STATUS_INVALID, "there is no metric '%s'; did you mean '%s'?", name, near)
                : error_set(err, STATUS_INVALID, "there is no metric '%s'; 'bnbench list metrics' names them", name);
}

static status name_metrics(comparison *s, const char *typed, error_info *err) {
    if (!typed) {
        for (size_t i = 0; i < s->after.e.n_metrics; i++)
            s->names[s->options.n_metrics++] = s->after.e.metrics[i];
        return STATUS_OK;
    }
    CHECK_ALLOC(s->words = text_copy(typed));
    for (char *rest = s->words, *word; (word = strsep(&rest, ","));) {
        CHECK(check_metric(word, err));
        s->names[s->options.n_metrics++] = word;
    }
    return STATUS_OK;
}

/* A learner with a budget works against the clock: its graphs differ from run to run. */
static void name_timed_learners(comparison *s) {
    const experiment *e = &s->after.e;
    for (size_t i = 0; i < e->n_variants; i++) {
        const learner *kind = e->variants[i].kind;
        for (const option_spec *o = kind ? kind->options : NULL; o && o->name; o++)
            if (strcmp(o->name, "budget") == 0)
                s->names[s->options.n_metrics + s->options.n_timed++] = e->variants[i].id;
    }
}

static status read_options(const cli *c, comparison *s, error_info *err) {
    const char *typed = args_value(c->args, "metrics");
    size_t n_typed = typed ? strlen(typed) + 1 : 0;
    CHECK(read_number(c->args, "max-slowdown", 1.2, &s->options.max_slowdown, err));
    CHECK(read_number(c->args, "alpha", 0.01, &s->options.alpha, err));
    CHECK_ALLOC(s->names = calloc(s->after.e.n_metrics + n_typed + s->after.e.n_variants + 1, sizeof *s->names));
    CHECK(name_metrics(s, typed, err));
    name_timed_learners(s);
    s->options.metrics = s->names;
    s->options.timed = s->names + s->options.n_metrics;
    return STATUS_OK;
}

static json_t *json_of_change(const metric_change *m) {
    return json_pack("{s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "metric", json_of_text(m->metric),
                     "pairs", (json_int_t)m->n_pairs, "changed", (json_int_t)m->n_changed, "before",
                     json_of_double(m->before), "after", json_of_double(m->after), m->is_time ? "ratio" : "change",
                     json_of_double(m->change), "low", json_of_double(m->low), "high", json_of_double(m->high),
                     "effect", json_of_double(m->effect), "p_value", json_of_double(m->p_value), "verdict",
                     change_verdict_name(m->verdict));
}

/* null where the data have no noise */
static json_t *json_of_sigma(double sigma) {
    return sigma > 0 ? json_real(sigma) : json_null();
}

static status put_cells(json_t *answer, const difference *d, error_info *err) {
    json_t *cells = json_array();
    status st = json_put(answer, "cells", cells, err);
    for (size_t i = 0; st == STATUS_OK && i < d->n_cells; i++) {
        const cell_difference *cell = &d->cells[i];
        json_t *changes = json_array();
        CHECK(
            json_add(cells,
                     json_pack("{s:o, s:I, s:o, s:o, s:I, s:I, s:b, s:s, s:o}", "network", json_of_text(cell->network),
                               "samples", (json_int_t)cell->n_samples, "sigma", json_of_sigma(cell->sigma), "learner",
                               json_of_text(cell->learner), "pairs", (json_int_t)cell->n_pairs, "graphs_differ",
                               (json_int_t)cell->n_graphs_differ, "options_differ", (int)cell->has_other_options,
                               "verdict", change_verdict_name(cell->verdict), "changes", changes),
                     err));
        for (size_t k = 0; k < cell->n_changes; k++)
            CHECK(json_add(changes, json_of_change(&cell->changes[k]), err));
    }
    return st;
}

static status put_jobs(json_t *answer, const difference *d, error_info *err) {
    json_t *jobs = json_array();
    CHECK(json_put(answer, "jobs", jobs, err));
    for (size_t i = 0; i < d->n_jobs; i++) {
        const job_record *r = d->jobs[i].after ? d->jobs[i].after : d->jobs[i].before;
        CHECK(json_add(jobs,
                       json_pack("{s:o, s:I, s:o, s:I, s:o, s:s, s:o}", "network", json_of_text(r->network), "samples",
                                 (json_int_t)r->n_samples, "sigma", json_of_sigma(r->sigma), "replicate",
                                 (json_int_t)r->replicate, "learner", json_of_text(r->learner), "what",
                                 job_change_kind_name(d->jobs[i].kind), "message", json_of_text(r->message)),
                       err));
    }
    return STATUS_OK;
}

status comparison_answer(const comparison *s, json_t **out, error_info *err) {
    const difference *d = &s->d;
    CHECK_ALLOC(*out = json_pack("{s:I, s:I, s:I, s:b, s:o, s:b}", "compared", (json_int_t)d->n_compared, "regressions",
                                 (json_int_t)d->n_regressions, "better", (json_int_t)d->n_better, "shrunk",
                                 (int)d->has_shrunk, "drift", json_of_double(d->drift), "calibrated",
                                 (int)d->is_calibrated));
    CHECK(put_cells(*out, d, err));
    return put_jobs(*out, d, err);
}

status comparison_make(cli *c, const char *before, const char *after, comparison *s, error_info *err) {
    CHECK(cli_blame(c, BLAME_INPUT, read_side(before, &s->before, err)));
    CHECK(cli_blame(c, BLAME_INPUT, read_side(after, &s->after, err)));
    CHECK(cli_blame(c, BLAME_WORDS, read_options(c, s, err)));
    return cli_blame(c, BLAME_WORDS,
                     difference_measure(s->before.records, s->before.n_records, s->after.records, s->after.n_records,
                                        &s->options, &s->d, err));
}

status comparison_write_page(const comparison *s, const char *before, const char *after, const char *path,
                             error_info *err) {
    text_buffer page = {0};
    status st = STATUS_OK;
    TRY(difference_append_html(&s->d, &s->options, before, after, &page, err));
    TRY(file_write(path, page.data, page.length, err));
cleanup:
    text_buffer_clear(&page);
    return st;
}

int comparison_exit_status(const comparison *s) {
    if (s->d.n_regressions > 0)
        return LEAVE_NO;
    return s->d.n_compared == 0 || s->d.has_shrunk ? LEAVE_NOTHING : LEAVE_DONE;
}
