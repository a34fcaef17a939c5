/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learning a graph. */
#include "library/library_internal.h"

#include "learners/registry.h"

#include <math.h>
#include <stdlib.h>

struct bnb_result {
    bnb_graph *graph;
    trace trace;
    bnb_facts facts;
};

/* ---- the caller who watches ---- */

typedef struct {
    const bnb_run_options *options;
    double start_s;
} watcher;

static bool proceed(void *self, const run_context *ctx) {
    const watcher *w = self;
    bnb_progress p = {run_clock_s() - w->start_s, run_context_statistics(ctx).requests};
    return w->options->proceed(w->options->context, &p) != 0;
}

/* ---- the run ---- */

static void prepare(const bnb_run_options *o, run_context *ctx) {
    run_context_init(ctx, o && o->seed ? o->seed : 1);
    if (!o)
        return;
    ctx->n_threads = o->n_threads ? o->n_threads : 1;
    ctx->most_scores = o->most_scores;
    if (o->time_limit_s > 0)
        ctx->deadline_s = run_clock_s() + o->time_limit_s;
}

static status take_graph(const dataset *data, graph_kind kind, learner_result *from, bnb_graph **out, error_info *err) {
    AUTO(named_graph_clear) named_graph g = {0};
    size_t n = dataset_column_count(data);
    CHECK_ALLOC(g.names = calloc(n + 1, sizeof *g.names));
    for (; g.n_nodes < n; g.n_nodes++)
        CHECK_ALLOC(g.names[g.n_nodes] = text_copy(dataset_variable(data, g.n_nodes)->name));
    g.graph = TAKE(from->graph);
    return library_graph_take(&g, kind, out, err);
}

static void take_facts(const learner_result *from, const run_context *ctx, bnb_facts *to) {
    statistics_count n = run_context_statistics(ctx);
    to->requests = n.requests;
    to->computed = n.computed;
    to->skipped = n.skipped;
    to->is_cut_short = from->is_cut_short;
    to->remark = from->remark;
    to->score_name = from->score_name;
    to->score = from->score_name ? from->score : NAN;
}

static status run_learner(const learner *kind, const void *options, const bnb_data *data, run_context *ctx,
                          bnb_result *r, error_info *err) {
    AUTO(learner_result_clear) learner_result found = {0};
    double wall_s = run_clock_s(), cpu_s = run_cpu_s();
    CHECK(learner_run(kind, data->rows, options, ctx, &found, err));
    r->facts.wall_seconds = run_clock_s() - wall_s;
    r->facts.cpu_seconds = run_cpu_s() - cpu_s;
    take_facts(&found, ctx, &r->facts);
    return take_graph(data->rows, kind->returns, &found, &r->graph, err);
}

static status learn(const char *name, const char *const *pairs, const bnb_data *data, const bnb_run_options *o,
                    bool *is_cancelled, bnb_result **out, error_info *err) {
    const learner *kind;
    AUTO_FREE void *options = NULL;
    bnb_result *r;
    run_context ctx;
    watcher asked = {o, run_clock_s()};
    run_watch watch = {.proceed = proceed, .self = &asked, .asker = pthread_self()};
    status st = STATUS_OK;
    CHECK(learner_find(name, &kind, err));
    CHECK_ALLOC(options = learner_options_create(kind));
    CHECK(library_options(pairs, kind->options, options, err));
    CHECK_ALLOC(r = calloc(1, sizeof *r));
    prepare(o, &ctx);
    ctx.trace = &r->trace;
    ctx.watch = o && o->proceed ? &watch : NULL;
    TRY(run_learner(kind, options, data, &ctx, r, err));
    *is_cancelled = atomic_load(&watch.is_stopped);
    if (!*is_cancelled)
        *out = TAKE(r);
cleanup:
    bnb_result_free(r);
    return st;
}

bnb_status bnb_learn(const char *name, const char *const *options, const bnb_data *data,
                     const bnb_run_options *run_options, bnb_result **out, bnb_error *error) {
    error_info err = {0};
    bool is_cancelled = false;
    bnb_status answer = library_answer(learn(name, options, data, run_options, &is_cancelled, out, &err), &err, error);
    return is_cancelled ? library_cancelled(error) : answer;
}

/* ---- what it gave ---- */

void bnb_result_free(bnb_result *result) {
    if (!result)
        return;
    bnb_graph_free(result->graph);
    trace_clear(&result->trace);
    free(result);
}

const bnb_graph *bnb_result_graph(const bnb_result *result) {
    return result->graph;
}

bnb_facts bnb_result_facts(const bnb_result *result) {
    return result->facts;
}

const char *bnb_result_figure(const bnb_result *result, size_t i, double *value) {
    if (i >= result->trace.n_figures)
        return NULL;
    *value = result->trace.figures[i].value;
    return result->trace.figures[i].name;
}
