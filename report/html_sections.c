/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the HTML page says in words: the summary, the learners, the failures, where it all comes from. */
#include "report/report_internal.h"

#include "learners/base/learner.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAILURES = 200, N_STATES = 4 };

/* ---- summary ---- */

static void say_seconds(document *d, double s) {
    if (s < 100)
        document_say(d, SPAN_TEXT, "%.3g s", s);
    else if (s < 6000)
        document_say(d, SPAN_TEXT, "%.0f min", s / 60);
    else
        document_say(d, SPAN_TEXT, "%.1f h", s / 3600);
}

static void add_figures(const report *r, document *d) {
    static const char *const names[N_STATES] = {"done", "failed", "at the time limit", "at the memory limit"};
    size_t counts[N_STATES] = {0};
    double cpu_s = 0;
    for (size_t i = 0; i < r->in.n_records; i++) {
        counts[r->in.records[i].state]++;
        cpu_s += r->in.records[i].cpu_seconds;
    }
    document_begin_figure(d, "jobs with a result");
    document_say(d, SPAN_TEXT, "%zu of %zu", r->in.n_records, r->options->html->n_planned);
    for (size_t i = 0; i < N_STATES; i++) {
        if (i != JOB_FAILED && counts[i] == 0)
            continue;
        document_begin_figure(d, names[i]);
        document_say(d, i > 0 && counts[i] > 0 ? SPAN_BAD : SPAN_TEXT, "%zu", counts[i]);
    }
    document_begin_figure(d, "CPU time of learning");
    say_seconds(d, cpu_s);
    document_begin_figure(d, "networks");
    document_say(d, SPAN_TEXT, "%zu", r->in.outputs->n_networks);
    document_begin_figure(d, "data sets a network and size");
    document_say(d, SPAN_TEXT, "%zu", r->in.outputs->n_replicates);
}

static void add_names(document *d, const char *name, char *const *names, const bool *is_hidden, size_t n) {
    AUTO(text_buffer_clear) text_buffer list = {0};
    for (size_t i = 0; i < n; i++) {
        if (!is_hidden || !is_hidden[i])
            text_append_format(&list, "%s%s", list.length ? ", " : "", names[i]);
    }
    d->failed |= list.failed;
    document_add_fact(d, name, list.data);
}

static void add_sizes(document *d, const experiment_outputs *o) {
    AUTO(text_buffer_clear) text_buffer list = {0};
    char digits[32];
    for (size_t i = 0; i < o->n_sizes; i++) {
        text_append(&list, i ? ", " : "");
        outputs_append_size(o->sizes[i], &list);
    }
    document_add_fact(d, "sample sizes", list.data);
    list.length = 0;
    for (size_t i = 0; i < o->n_sigmas; i++)
        text_append_format(&list, "%s%s", i ? ", " : "", text_from_double(o->sigmas[i], digits));
    d->failed |= list.failed;
    document_add_fact(d, "noise levels (sigma)", list.length ? list.data : NULL);
}

static void add_machine(document *d, const store_run_facts *run) {
    document_add_fact(d, "processor", run->processor);
    document_add_fact(d, "system", run->system);
    document_add_fact(d, "bnbench", run->version);
}

void html_add_summary(const report *r, document *d) {
    const experiment_outputs *o = r->in.outputs;
    add_figures(r, d);
    add_names(d, "networks", o->networks, NULL, o->n_networks);
    add_sizes(d, o);
    add_names(d, "learners", o->learners, o->is_hidden, o->n_learners);
    if (r->options->html->run)
        add_machine(d, r->options->html->run);
}

/* ---- learners ---- */

static void add_option(document_grid *g, size_t row, const option_walk *w, const void *options, const void *usual) {
    AUTO(text_buffer_clear) text_buffer value = {0}, initial = {0}, help = {0};
    options_append_value(&w->spec, options, &value);
    options_append_value(&w->spec, usual, &initial);
    option_walk_append_help(w, &help);
    if (text_buffer_check(&value, NULL) != STATUS_OK || text_buffer_check(&initial, NULL) != STATUS_OK ||
        text_buffer_check(&help, NULL) != STATUS_OK) {
        g->failed = true;
    } else {
        grid_say(g, row, 0, SPAN_TEXT, "%s", w->name);
        grid_say(g, row, 1, strcmp(value.data, initial.data) != 0 ? SPAN_STRONG : SPAN_TEXT, "%s", value.data);
        grid_say(g, row, 2, SPAN_TEXT, "%s", help.data);
    }
}

static void add_options(document *d, const learner_variant *v) {
    AUTO_FREE void *usual = learner_options_create(v->kind);
    option_walk w = options_walk(v->kind->options, v->options);
    size_t n = 0;
    document_grid *g = NULL;
    while (options_next(&w))
        n++;
    d->failed |= !usual;
    if (n > 0 && usual) {
        document_add_folded(d, 3, "Options");
        g = document_add_grid(d, NULL, n + 1, 3, true);
        grid_set_head(g, (const char *const[]){"option", "value", "what it does"}, 3);
    }
    w = options_walk(v->kind->options, v->options);
    for (size_t row = 1; g && options_next(&w); row++)
        add_option(g, row, &w, v->options, usual);
}

static void add_built_in(document *d, const learner_variant *v) {
    document_begin_fact(d, "learner");
    document_say(d, SPAN_TEXT, "%s, version %d", v->kind->name, v->kind->version);
    document_add_fact(d, "what it is", v->kind->summary);
    document_add_fact(d, "citation", v->kind->citation);
    document_add_fact(d, "takes", data_kinds_name(v->kind->accepts));
    document_add_fact(d, "returns", graph_kind_name(v->kind->returns));
    add_options(d, v);
}

static void add_external(document *d, const learner_variant *v) {
    document_add_fact(d, "learner", "an external program");
    document_begin_fact(d, "command");
    for (size_t i = 0; v->command[i]; i++)
        document_say(d, SPAN_TEXT, "%s%s", i ? " " : "", v->command[i]);
}

static void add_best_of(document *d, const best_of_spec *best) {
    document_add_heading(d, 2, best->id);
    document_add_fact(d, "learner", "on each data set the best of others");
    document_begin_fact(d, "what it is");
    for (size_t i = 0; i < best->n_parts; i++)
        document_say(d, SPAN_TEXT, "%s%s", i ? ", " : "the best of ", best->parts[i]);
    document_say(d, SPAN_TEXT, "; by %s", best->by);
}

void html_add_learners(const report *r, document *d) {
    const experiment *e = r->options->html->e;
    for (size_t i = 0; i < e->n_variants; i++) {
        document_add_heading(d, 2, e->variants[i].id);
        if (e->variants[i].kind)
            add_built_in(d, &e->variants[i]);
        else
            add_external(d, &e->variants[i]);
    }
    for (size_t i = 0; i < e->outputs.n_best_of; i++)
        add_best_of(d, &e->outputs.best_of[i]);
}

/* ---- failures ---- */

static void add_failure(document_grid *g, size_t row, const job_record *job) {
    char digits[32];
    grid_say(g, row, 0, SPAN_TEXT, "%s", job->learner);
    grid_say(g, row, 1, SPAN_TEXT, "%s", job->network);
    grid_say(g, row, 2, SPAN_TEXT, "%" PRIu64 "%s%s", job->n_samples, job->sigma > 0 ? ", sigma " : "",
             job->sigma > 0 ? text_from_double(job->sigma, digits) : "");
    grid_say(g, row, 3, SPAN_TEXT, "%" PRIu64, job->replicate + 1);
    grid_say(g, row, 4, SPAN_BAD, "%s", job_state_name(job->state));
    grid_say(g, row, 5, SPAN_TEXT, "%s ", job->message ? job->message : "");
    if (job->stderr_tail && *job->stderr_tail)
        grid_say(g, row, 5, SPAN_CODE, "%s", job->stderr_tail);
}

void html_add_failures(const report *r, document *d) {
    static const char *const head[] = {"learner", "network", "rows", "data set", "state", "message"};
    enum { N_HEAD = sizeof head / sizeof *head };
    size_t n = 0, n_shown, row = 1;
    document_grid *g;
    for (size_t i = 0; i < r->in.n_records; i++)
        n += r->in.records[i].state != JOB_DONE;
    if (n == 0) {
        document_add_paragraph(d, "No job failed.");
        return;
    }
    n_shown = n < MOST_FAILURES ? n : MOST_FAILURES;
    g = document_add_grid(d, "Failures", n_shown + 1, N_HEAD, true);
    grid_set_head(g, head, N_HEAD);
    for (size_t i = 0; i < r->in.n_records && row <= n_shown; i++) {
        if (r->in.records[i].state != JOB_DONE)
            add_failure(g, row++, &r->in.records[i]);
    }
    if (n > n_shown) {
        document_begin(d, BLOCK_PARAGRAPH);
        document_say(d, SPAN_TEXT, "%zu more: they are among all jobs, below.", n - n_shown);
    }
}

/* ---- provenance ---- */

static void add_run(document *d, const store_run_facts *run) {
    add_machine(d, run);
    document_add_fact(d, "commit", run->commit);
    document_add_fact(d, "compiler", run->compiler);
    document_add_fact(d, "build", run->build);
    document_add_fact(d, "sanitizers", run->sanitizers);
    document_add_fact(d, "profile", run->profile);
    document_add_fact(d, "first run began", run->first_started);
    document_add_fact(d, "last run began", run->started);
    document_add_fact(d, "last run ended", run->ended ? run->ended : "it was stopped before its end");
    document_add_fact(d, "outcome", run->outcome);
}

static void add_settings(document *d, const experiment *e) {
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
    document_add_fact(d, "states that learners are told of",
                      e->states == STATES_OBSERVED ? "those that occur in their rows" : "all that are declared");
    document_begin_fact(d, "time limit of a job");
    document_say(d, SPAN_TEXT, e->time_limit_s > 0 ? "%g s" : "none", e->time_limit_s);
    document_begin_fact(d, "memory limit of a job");
    if (e->memory_limit_bytes > 0)
        document_say(d, SPAN_TEXT, "%.0f MiB", (double)e->memory_limit_bytes / 1048576);
    else
        document_say(d, SPAN_TEXT, "none");
    document_begin_fact(d, "threads of a learner");
    document_say(d, SPAN_TEXT, "%zu", e->n_threads);
}

void html_add_provenance(const report *r, document *d) {
    const html_facts *facts = r->options->html;
    document_add_fact(d, "experiment", r->in.outputs->name);
    document_add_fact(d, "reading", r->in.outputs->reading);
    if (facts->run)
        add_run(d, facts->run);
    add_settings(d, facts->e);
    document_add_paragraph(d, "Each job has the seed of its learner and the fingerprint of its data under All jobs. "
                              "Numbers are shown rounded; the store and the CSV files hold them in full.");
}
