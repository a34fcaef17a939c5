/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports/report_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void report_page_clear(report_page *p) {
    document_clear(&p->learners);
    document_clear(&p->settings);
}

/* ---- learners ---- */

/* A value that is not the initial one is strong. */
static bool add_value(document_grid *g, size_t row, const option_spec *spec, const void *options, const void *initial) {
    text_buffer value = {0}, usual = {0};
    bool is_there;
    options_append_value(spec, options, &value);
    options_append_value(spec, initial, &usual);
    is_there = text_buffer_check(&value, NULL) == STATUS_OK && text_buffer_check(&usual, NULL) == STATUS_OK;
    if (is_there)
        grid_say(g, row, 1, strcmp(value.data, usual.data) != 0 ? SPAN_STRONG : SPAN_TEXT, "%s", value.data);
    text_buffer_clear(&value);
    text_buffer_clear(&usual);
    return is_there;
}

static void add_options(const learner_variant *v, document *d) {
    option_walk w = options_walk(v->kind->options, v->options);
    void *initial = learner_options_create(v->kind);
    document_grid *g;
    size_t n = 0;
    while (options_next(&w))
        n++;
    d->failed |= !initial;
    if (n > 0 && initial) {
        document_add_folded(d, 3, "Options");
        g = document_add_grid(d, NULL, n + 1, 3, true);
        grid_set_head(g, (const char *const[]){"option", "value", "what it does"}, 3);
        w = options_walk(v->kind->options, v->options);
        for (size_t row = 1; options_next(&w); row++) {
            text_buffer help = {0};
            option_walk_append_help(&w, &help);
            grid_say(g, row, 0, SPAN_TEXT, "%s", w.name);
            d->failed |=
                !add_value(g, row, &w.spec, v->options, initial) || text_buffer_check(&help, NULL) != STATUS_OK;
            grid_say(g, row, 2, SPAN_TEXT, "%s", help.data ? help.data : "");
            text_buffer_clear(&help);
        }
    }
    free(initial);
}

static void add_variant(const learner_variant *v, document *d) {
    document_add_heading(d, 2, v->id);
    if (!v->kind) {
        document_add_fact(d, "learner", "an external program");
        document_begin_fact(d, "command");
        for (size_t i = 0; v->command[i]; i++)
            document_say(d, SPAN_TEXT, "%s%s", i ? " " : "", v->command[i]);
        return;
    }
    document_begin_fact(d, "learner");
    document_say(d, SPAN_TEXT, "%s, version %d", v->kind->name, v->kind->version);
    document_add_fact(d, "what it is", v->kind->summary);
    document_add_fact(d, "citation", v->kind->citation);
    document_add_fact(d, "takes", data_kinds_name(v->kind->accepts));
    document_add_fact(d, "returns", graph_kind_name(v->kind->returns));
    add_options(v, d);
}

static void add_best_of(const best_of_spec *spec, document *d) {
    document_add_heading(d, 2, spec->id);
    document_add_fact(d, "learner", "on each data set the best of others");
    document_begin_fact(d, "what it is");
    for (size_t i = 0; i < spec->n_parts; i++)
        document_say(d, SPAN_TEXT, "%s%s", i ? ", " : "the best of ", spec->parts[i]);
    document_say(d, SPAN_TEXT, "; by %s", spec->by);
}

/* ---- settings ---- */

static void add_settings(const experiment *e, document *d) {
    static const char *const orders[] = {"shuffled for each data set", "as in the file", "the file's, reversed"};
    document_begin_fact(d, "seed of the experiment");
    document_say(d, SPAN_TEXT, "%" PRIu64, e->seed);
    document_begin_fact(d, "rows of test data");
    if (e->validation_sets > 1)
        document_say(d, SPAN_TEXT, "%zu sets of ", e->validation_sets);
    if (e->test_is_as_large)
        document_say(d, SPAN_TEXT, "as many rows as the training data have");
    else
        document_say(d, SPAN_TEXT, "%zu", e->test_samples);
    document_add_fact(d, "order of columns", orders[e->order]);
    document_begin_fact(d, "time limit of a job");
    document_say(d, SPAN_TEXT, e->time_limit_s > 0 ? "%g s" : "none", e->time_limit_s);
    document_begin_fact(d, "memory limit of a job");
    document_say(d, SPAN_TEXT, e->memory_limit_bytes > 0 ? "%.0f MiB" : "none",
                 (double)e->memory_limit_bytes / 1048576);
    document_begin_fact(d, "threads of a learner");
    document_say(d, SPAN_TEXT, "%zu", e->n_threads);
}

void report_page_create(const experiment *e, const store_run_facts *run, size_t n_planned, report_page *out) {
    for (size_t i = 0; i < e->n_variants; i++)
        add_variant(&e->variants[i], &out->learners);
    for (size_t i = 0; i < e->outputs.n_best_of; i++)
        add_best_of(&e->outputs.best_of[i], &out->learners);
    add_settings(e, &out->settings);
    out->facts = (html_facts){.run = run,
                              .n_planned = n_planned,
                              .declaration = e->declaration,
                              .learners = &out->learners,
                              .settings = &out->settings};
}
