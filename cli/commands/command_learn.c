/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench learn: one learner on one file of data. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"
#include "cli/base/thresholds.h"

#include "core/base/file.h"
#include "core/run/trace_json.h"
#include "discretizers/base/discretizer.h"
#include "discretizers/registry.h"
#include "learners/base/learner.h"
#include "learners/registry.h"
#include "metrics/distances/graph_distance.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const arg_option options[] = {
    {"network", 0, "TRUTH", "the network (name or file) that gives the state spaces,\nand the truth to compare with"},
    {"option", 'O', "K=V", "an option of the learner, as 'bnbench info LEARNER' lists\nthem; may be repeated"},
    {"discretize", 0, "METHOD",
     "make continuous columns discrete first, or together with the\ngraph where METHOD does that"},
    {"discretize-option", 0, "K=V", "an option of that method; may be repeated"},
    {"threads", 0, "N", "threads that reading, --discretize and the learner may use (1)"},
    {"seed", 0, "S", "of the learner's random numbers (1)"},
    {"time", 0, "LIMIT", "elapsed time at which the learner must stop: 30s, 5min, 1h"},
    {"checkpoint", 0, "FILE",
     "keep there what is found, and go on from what is there: a run\nthat is killed loses little (mmbn, mmpc)"},
    {"output", 'o', "GRAPH", "write the graph there, as CSV"},
    {0},
};

/* A run: what it is given, what it gives. */
typedef struct {
    const learner *kind;
    void *options;
    run_context ctx;
    int64_t seed;
    any_network truth; /* empty where none was named */
    dataset *data;
    const discretizer *method; /* NULL: the data are taken as they are */
    void *method_options;
    cut_policy policy; /* without columns where nothing was discretized */
    dataset *discrete; /* the data under the policy, where it was found before the graph */
    double method_cpu_s;
    const char **names; /* of the columns; borrowed from the data */
    learner_result result;
    trace trace; /* what the learner tells of */
    double cpu_s, wall_s;
    struct {
        double began_s, said_s, first; /* on run_clock_s; the part that was done at first */
        bool has_begun, is_shown;
    } progress;
    bool is_compared; /* the truth has the nodes of the data */
    graph_distance distance;
} learning;

static void clear(learning *l) {
    free(l->options);
    any_network_clear(&l->truth);
    dataset_destroy(l->data);
    free(l->method_options);
    policy_clear(&l->policy);
    dataset_destroy(l->discrete);
    free(l->names);
    learner_result_clear(&l->result);
    trace_clear(&l->trace);
}

static status read_method(cli *c, learning *l, error_info *err) {
    const char *name = args_value(c->args, "discretize");
    if (!name && args_has(c->args, "discretize-option"))
        return error_set(err, STATUS_INVALID, "--discretize-option needs --discretize METHOD");
    if (!name)
        return STATUS_OK;
    CHECK(discretizer_find(name, &l->method, err));
    CHECK_ALLOC(l->method_options = discretizer_options_create(l->method));
    return input_options(c, "discretize-option", l->method->options, l->method_options, err);
}

/* A line that is written over, once a second: the part that is done, and by the pace since the start the time left. */
static void say_progress(void *listener, double part) {
    learning *l = listener;
    double now = run_clock_s(), left;
    if (!l->progress.has_begun) {
        l->progress.has_begun = true;
        l->progress.began_s = now;
        l->progress.first = part;
    }
    if (now < l->progress.said_s + 1)
        return;
    l->progress.said_s = now;
    l->progress.is_shown = true;
    fprintf(stderr, "\r\033[K%s: %.1f%%", l->kind->name, 100 * part);
    if (part > l->progress.first) {
        left = (now - l->progress.began_s) / (part - l->progress.first) * (1 - part);
        fprintf(stderr, left < 100 ? ", about %.0f s left" : ", about %.0f min left", left < 100 ? left : left / 60);
    }
}

static void end_progress(const learning *l) {
    if (l->progress.is_shown)
        fprintf(stderr, "\r\033[K");
}

static status read_words(cli *c, learning *l, error_info *err) {
    const char *limit = args_value(c->args, "time"), *output = args_value(c->args, "output");
    double limit_s = INFINITY;
    int64_t threads = 1;

    CHECK(learner_find(c->args->words[0], &l->kind, err));
    CHECK_ALLOC(l->options = learner_options_create(l->kind));
    CHECK(input_options(c, "option", l->kind->options, l->options, err));
    CHECK(read_method(c, l, err));
    CHECK(args_whole(c->args, "threads", 1, INPUT_MOST_THREADS, 1, &threads, err));
    CHECK(args_whole(c->args, "seed", 0, INT64_MAX, 1, &l->seed, err));
    if (limit && (!text_to_seconds(limit, &limit_s) || !(limit_s > 0)))
        return error_set(err, STATUS_INVALID, "--time is '%s'; it must be a duration above zero: 30s, 5min, 1h", limit);
    if (c->json && output && strcmp(output, "-") == 0)
        return error_set(err, STATUS_INVALID, "--json and -o - would both write to standard output; name a file");
    run_context_init(&l->ctx, (uint64_t)l->seed);
    l->ctx.n_threads = (size_t)threads;
    l->ctx.trace = &l->trace;
    l->ctx.deadline_s = limit_s; /* a duration until the run starts */
    l->ctx.checkpoint = args_value(c->args, "checkpoint");
    if (l->ctx.checkpoint && !l->kind->keeps_checkpoint)
        return error_set(err, STATUS_INVALID, "--checkpoint: %s keeps none; mmbn and mmpc do", l->kind->name);
    if (!c->quiet && isatty(STDERR_FILENO)) {
        l->ctx.tell = say_progress;
        l->ctx.listener = l;
    }
    return STATUS_OK;
}

/* Makes continuous columns discrete before learning; its time is not part of the learner's. */
static status discretize(learning *l, error_info *err) {
    run_context ctx;
    if (!l->method || l->method->integrate || dataset_is_discrete(l->data))
        return STATUS_OK;
    run_context_init(&ctx, (uint64_t)l->seed);
    ctx.n_threads = l->ctx.n_threads;
    l->method_cpu_s = -run_cpu_s();
    CHECK(discretizer_fit(l->method, l->data, l->method_options, &ctx, &l->policy, err));
    CHECK(policy_apply(&l->policy, l->data, &l->discrete, err));
    l->method_cpu_s += run_cpu_s();
    return STATUS_OK;
}

/* Lets the discretizer find graph and thresholds together. */
static status learn_integrated(learning *l, error_info *err) {
    learner_within within = {.kind = l->kind, .options = l->options, .ctx = &l->ctx};
    inner_learner inner = inner_learner_of(&within);
    double start_s = run_cpu_s();
    status st =
        discretizer_integrate(l->method, l->data, l->method_options, &inner, &l->ctx, &l->policy, &l->result, err);
    l->method_cpu_s = run_cpu_s() - start_s - within.cpu_s;
    return st;
}

static status learn(learning *l, error_info *err) {
    double start_s = run_clock_s(), start_cpu_s = run_cpu_s();
    status st;
    l->ctx.deadline_s += start_s;
    if (l->method && l->method->integrate && !dataset_is_discrete(l->data))
        st = learn_integrated(l, err);
    else
        st = learner_run(l->kind, l->discrete ? l->discrete : l->data, l->options, &l->ctx, &l->result, err);
    end_progress(l);
    l->cpu_s = run_cpu_s() - start_cpu_s;
    l->wall_s = run_clock_s() - start_s;
    return st;
}

static status name_columns(learning *l, error_info *err) {
    size_t p = dataset_column_count(l->data);
    CHECK_ALLOC(l->names = calloc(p, sizeof *l->names));
    for (size_t i = 0; i < p; i++)
        l->names[i] = dataset_variable(l->data, i)->name;
    return STATUS_OK;
}

/* The true graph on the columns of the data, which are all its nodes in some order. */
static status true_graph(const learning *l, pdag **out, error_info *err) {
    const dag *g = any_network_dag(&l->truth);
    AUTO_FREE pdag_pair *pairs = calloc(dag_arc_count(g) + 1, sizeof *pairs);
    size_t n_pairs = 0;
    CHECK_ALLOC(pairs);
    for (size_t i = 0; i < dag_node_count(g); i++) {
        size_t n_parents = 0, node = dataset_find_column(l->data, any_network_variables(&l->truth)[i].name);
        const size_t *parents = dag_parents(g, i, &n_parents);
        for (size_t k = 0; k < n_parents; k++)
            pairs[n_pairs++] = (pdag_pair){
                dataset_find_column(l->data, any_network_variables(&l->truth)[parents[k]].name), node, EDGE_OUT};
    }
    return pdag_from_pairs(dag_node_count(g), pairs, n_pairs, out, err);
}

/* Without --network, or where the network has other nodes than the data, there is nothing to compare with. */
static status compare_with_truth(cli *c, learning *l, error_info *err) {
    size_t p = dataset_column_count(l->data);
    AUTO_PTR(pdag_destroy) pdag *truth = NULL;

    if (!args_has(c->args, "network"))
        return STATUS_OK;
    if (any_network_node_count(&l->truth) != p) {
        cli_say(c, "the network has %zu nodes and the data %zu columns: no comparison",
                any_network_node_count(&l->truth), p);
        return STATUS_OK;
    }
    CHECK(true_graph(l, &truth, err));
    l->is_compared = true;
    return graph_distance_measure(l->result.graph, l->kind->returns, truth, GRAPH_DAG, &l->distance, err);
}

/* To -o; without it, for people, to standard output; with --json alone it is not written. */
static status write_graph(cli *c, const learning *l, error_info *err) {
    const char *path = args_value(c->args, "output");
    AUTO(text_buffer_clear) text_buffer text = {0};

    if (c->json && !path)
        return STATUS_OK;
    graph_append_kind(l->kind->returns, &text);
    graph_append_csv(l->result.graph, l->names, &text);
    return cli_write(c, path, &text, err);
}

/* Of a skeleton only what asks for no directions. */
static void say_distance(const cli *c, const learning *l) {
    const char *truth = any_network_name(&l->truth);
    const graph_distance *d = &l->distance;
    if (l->kind->returns == GRAPH_SKELETON)
        cli_say(c, "against the skeleton of %s: SHD %zu (%zu missing, %zu extra of %zu true edges)", truth,
                d->shd_skeleton, d->fn, d->fp, d->true_edges);
    else
        cli_say(c, "against %s: SHD %zu (%zu missing, %zu extra, %zu misoriented of %zu true edges)", truth, d->shd,
                d->fn, d->fp, d->misoriented, d->true_edges);
}

static void say_summary(const cli *c, const learning *l) {
    statistics_count s = run_context_statistics(&l->ctx);
    bool is_late = run_clock_s() >= l->ctx.deadline_s;
    char score[32];
    if (l->policy.columns)
        thresholds_say(c, l->method->name, &l->policy, l->data, l->method_cpu_s);
    if (l->ctx.threshold_evaluations > 0)
        cli_say(c, "discretization: %" PRIu64 " thresholds and %" PRIu64 " policies scored, %g turns",
                l->ctx.threshold_evaluations, l->ctx.policy_scores, *trace_find_figure(&l->trace, "outer_iterations"));
    cli_say(c, "%s: %zu edges (%s) on %zu columns and %zu rows%s", l->kind->name, pdag_edge_count(l->result.graph),
            graph_kind_name(l->kind->returns), dataset_column_count(l->data), dataset_row_count(l->data),
            !l->result.is_cut_short ? ""
            : is_late               ? "; cut short by the time limit"
                                    : "; cut short by its budget");
    if (l->result.remark)
        cli_say(c, "%s", l->result.remark);
    cli_say(c, "cpu %.3f s, wall %.3f s, peak memory %.1f MiB", l->cpu_s, l->wall_s,
            (double)run_peak_memory_bytes() / 1048576);
    cli_say(c, "statistics: %" PRIu64 " requested, %" PRIu64 " computed, %" PRIu64 " skipped", s.requests, s.computed,
            s.skipped);
    if (l->result.score_name)
        cli_say(c, "%s %s", l->result.score_name, text_from_double(l->result.score, score));
    if (l->is_compared)
        say_distance(c, l);
}

static json_t *score_object(const learner_result *r) {
    return r->score_name ? json_object_of({"name", json_of_text(r->score_name)}, {"value", json_of_double(r->score)})
                         : json_null();
}

static json_t *distance_object(const learning *l) {
    const graph_distance *d = &l->distance;
    bool is_skeleton = l->kind->returns == GRAPH_SKELETON;
    if (!l->is_compared)
        return json_null();
    return json_object_of({"shd", is_skeleton ? json_null() : json_of_size(d->shd)},
                          {"shd_skeleton", json_of_size(d->shd_skeleton)}, {"missing", json_of_size(d->fn)},
                          {"extra", json_of_size(d->fp)},
                          {"misoriented", is_skeleton ? json_null() : json_of_size(d->misoriented)});
}

static status add_policy(json_t *o, const learning *l, error_info *err) {
    json_t *d;
    if (!l->policy.columns)
        return json_put(o, "discretize", json_null(), err);
    CHECK(json_put(o, "discretize", d = json_object(), err));
    CHECK(json_put_all(d, err, {"method", json_of_text(l->method->name)},
                       {"options", json_of_options(l->method->options, l->method_options)},
                       {"cpu_seconds", json_of_double(l->method_cpu_s)}, {"columns", json_array()}));
    return thresholds_put_json(&l->policy, l->data, json_object_get(d, "columns"), err);
}

static status answer(cli *c, const learning *l, error_info *err) {
    statistics_count s = run_context_statistics(&l->ctx);
    json_t *o = c->answer = json_object();

    CHECK(json_put_all(
        o, err, {"learner", json_of_text(l->kind->name)}, {"options", json_of_options(l->kind->options, l->options)},
        {"seed", json_integer(l->seed)}, {"threads", json_of_size(l->ctx.n_threads)},
        {"nodes", json_of_size(dataset_column_count(l->data))}, {"n", json_of_size(dataset_row_count(l->data))},
        {"edges", json_of_size(pdag_edge_count(l->result.graph))},
        {"graph", json_of_text(graph_kind_name(l->kind->returns))}, {"cut_short", json_boolean(l->result.is_cut_short)},
        {"remark", json_of_text(l->result.remark)},
        {"statistics", json_object_of({"requests", json_of_size(s.requests)}, {"computed", json_of_size(s.computed)},
                                      {"skipped", json_of_size(s.skipped)})},
        {"cpu_seconds", json_of_double(l->cpu_s)}, {"wall_seconds", json_of_double(l->wall_s)},
        {"peak_memory_bytes", json_of_size(run_peak_memory_bytes())}, {"score", score_object(&l->result)},
        {"distance", distance_object(l)}, {"figures", json_of_figures(&l->trace)}));
    return add_policy(o, l, err);
}

static status run(cli *c, error_info *err) {
    AUTO(clear) learning l = {0};

    CHECK(cli_blame(c, BLAME_WORDS, read_words(c, &l, err)));
    CHECK(input_states(c, &l.truth, err));
    CHECK(input_data(c, c->args->words[1], &l.truth, &l.data, err));
    CHECK(name_columns(&l, err));
    CHECK(cli_blame(c, BLAME_WORK, discretize(&l, err)));
    CHECK(cli_blame(c, BLAME_WORK, learn(&l, err)));
    CHECK(compare_with_truth(c, &l, err));
    CHECK(write_graph(c, &l, err));
    if (c->json)
        return answer(c, &l, err);
    say_summary(c, &l);
    return STATUS_OK;
}

const command command_learn = {
    .run = run,
    .syntax = {.name = "learn",
               .words = "LEARNER DATA",
               .summary = "learn a graph from a file of data",
               .details =
                   "DATA is a file (CSV, .tsv, .arff, .bnd; '-' for standard input). The graph goes to standard output "
                   "or to -o,\n"
                   "what it took to standard error; with --json that is the answer. The CPU time is that of the\n"
                   "learner alone; where --discretize finds thresholds and graph together (friedman, monti, steck),\n"
                   "that of both.",
               .examples = "  bnbench sample alarm -n 5000 -o alarm.csv\n"
                           "  bnbench learn hc alarm.csv --network alarm -o learned.csv\n"
                           "  bnbench learn mmpc alarm.csv -O alpha=0.01 --json\n"
                           "  bnbench sample asia -n 500 --continuize sigma=0.35 -o noisy.csv\n"
                           "  bnbench learn hc noisy.csv -O ess=1 --discretize steck --discretize-option k=2",
               .least_words = 2,
               .most_words = 2,
               .options = options},
};
