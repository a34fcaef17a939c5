/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports/report_page.h"

#include "core/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETTINGS = 8 };

void report_page_clear(report_page *p) {
    for (size_t i = 0; p->options && i < p->n_learners; i++)
        free(p->options[i]);
    for (size_t i = 0; i < p->n_texts; i++)
        free(p->texts[i]);
    free(p->options);
    free(p->learners);
    free(p->settings);
    free(p->texts);
    *p = (report_page){0};
}

/* Takes the text over, also when it fails; lends it out. */
static status keep(report_page *p, text_buffer *text, const char **out, error_info *err) {
    char **grown = NULL;
    status st = STATUS_OK;
    text_append(text, "");
    TRY(text_buffer_check(text, err));
    TRY_ALLOC(grown = reallocarray(p->texts, p->n_texts + 1, sizeof *grown));
    p->texts = grown;
    grown[p->n_texts++] = text->data;
    *out = text->data;
    *text = (text_buffer){0};
cleanup:
    text_buffer_clear(text);
    return st;
}

static status keep_option(report_page *p, const option_spec *spec, const void *options, const char **out,
                          error_info *err) {
    text_buffer text = {0};
    options_append_value(spec, options, &text);
    return keep(p, &text, out, err);
}

static status describe_options(report_page *p, const learner_variant *v, size_t place, error_info *err) {
    html_learner *l = &p->learners[place];
    size_t n = 0;
    option_walk w = options_walk(v->kind->options, v->options);
    void *initial = learner_options_create(v->kind);
    html_option *options = NULL;
    status st = STATUS_OK;
    while (options_next(&w))
        n++;
    TRY_ALLOC(initial);
    TRY_ALLOC(options = p->options[place] = calloc(n + 1, sizeof *options));
    w = options_walk(v->kind->options, v->options);
    for (size_t i = 0; options_next(&w); i++) {
        text_buffer name = {0}, help = {0};
        const char *usual = NULL;
        TRY(keep_option(p, &w.spec, v->options, &options[i].value, err));
        TRY(keep_option(p, &w.spec, initial, &usual, err));
        text_append(&name, w.name);
        TRY(keep(p, &name, &options[i].name, err));
        option_walk_append_help(&w, &help);
        TRY(keep(p, &help, &options[i].help, err));
        options[i].is_changed = strcmp(usual, options[i].value) != 0;
    }
    l->options = options;
    l->n_options = n;
cleanup:
    free(initial);
    return st;
}

static status describe_external(report_page *p, const learner_variant *v, html_learner *l, error_info *err) {
    text_buffer words = {0};
    l->kind = "an external program";
    for (size_t i = 0; v->command[i]; i++)
        text_append_format(&words, "%s%s", i ? " " : "", v->command[i]);
    return keep(p, &words, &l->command, err);
}

static status describe_variant(report_page *p, const learner_variant *v, size_t place, error_info *err) {
    html_learner *l = &p->learners[place];
    text_buffer name = {0};
    l->id = v->id;
    if (!v->kind)
        return describe_external(p, v, l, err);
    text_append_format(&name, "%s, version %d", v->kind->name, v->kind->version);
    CHECK(keep(p, &name, &l->kind, err));
    l->summary = v->kind->summary;
    l->citation = v->kind->citation;
    l->takes = data_kinds_name(v->kind->accepts);
    l->returns = graph_kind_name(v->kind->returns);
    return describe_options(p, v, place, err);
}

static status describe_best_of(report_page *p, const best_of_spec *spec, size_t place, error_info *err) {
    text_buffer parts = {0};
    p->learners[place].id = spec->id;
    p->learners[place].kind = "on each data set the best of others";
    for (size_t i = 0; i < spec->n_parts; i++)
        text_append_format(&parts, "%s%s", i ? ", " : "the best of ", spec->parts[i]);
    text_append_format(&parts, "; by %s", spec->by);
    return keep(p, &parts, &p->learners[place].summary, err);
}

static status add_setting(report_page *p, const char *name, text_buffer *value, error_info *err) {
    html_fact *fact = &p->settings[p->facts.n_settings];
    CHECK(keep(p, value, &fact->value, err));
    fact->name = name;
    p->facts.n_settings++;
    return STATUS_OK;
}

static void append_test_rows(const experiment *e, text_buffer *out) {
    if (e->validation_sets > 1)
        text_append_format(out, "%zu sets of ", e->validation_sets);
    if (e->test_is_as_large)
        text_append(out, "as many rows as the training data have");
    else
        text_append_format(out, "%zu", e->test_samples);
}

static status add_settings(report_page *p, const experiment *e, error_info *err) {
    static const char *const orders[] = {"shuffled for each data set", "as in the file", "the file's, reversed"};
    text_buffer b = {0};
    status st = STATUS_OK;
    text_append_format(&b, "%" PRIu64, e->seed);
    TRY(add_setting(p, "seed of the experiment", &b, err));
    append_test_rows(e, &b);
    TRY(add_setting(p, "rows of test data", &b, err));
    text_append(&b, orders[e->order]);
    TRY(add_setting(p, "order of columns", &b, err));
    text_append_format(&b, e->time_limit_s > 0 ? "%g s" : "none", e->time_limit_s);
    TRY(add_setting(p, "time limit of a job", &b, err));
    if (e->memory_limit_bytes > 0)
        text_append_format(&b, "%.0f MiB", (double)e->memory_limit_bytes / 1048576);
    else
        text_append(&b, "none");
    TRY(add_setting(p, "memory limit of a job", &b, err));
    text_append_format(&b, "%zu", e->n_threads);
    TRY(add_setting(p, "threads of a learner", &b, err));
cleanup:
    text_buffer_clear(&b);
    return st;
}

status report_page_create(const experiment *e, const store_run_facts *run, size_t n_planned, report_page *out,
                          error_info *err) {
    size_t n = e->n_variants + e->outputs.n_best_of;
    report_page p = {0};
    status st = STATUS_OK;
    TRY_ALLOC(p.learners = calloc(n + 1, sizeof *p.learners));
    TRY_ALLOC(p.options = calloc(n + 1, sizeof *p.options));
    TRY_ALLOC(p.settings = calloc(MOST_SETTINGS, sizeof *p.settings));
    p.n_learners = n;
    for (size_t i = 0; i < e->n_variants; i++)
        TRY(describe_variant(&p, &e->variants[i], i, err));
    for (size_t i = 0; i < e->outputs.n_best_of; i++)
        TRY(describe_best_of(&p, &e->outputs.best_of[i], e->n_variants + i, err));
    TRY(add_settings(&p, e, err));
    p.facts.run = run;
    p.facts.n_planned = n_planned;
    p.facts.declaration = e->declaration;
    p.facts.settings = p.settings;
    p.facts.learners = p.learners;
    p.facts.n_learners = n;
    *out = p;
    p = (report_page){0};
cleanup:
    report_page_clear(&p);
    return st;
}
