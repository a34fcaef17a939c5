/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the process of a job does: it makes the data, runs the learner, measures the graph and writes the result file.
 * It tells its supervisor when learning starts and ends; only that span counts against the time limit.
 */
#include "runner/job/job_internal.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/run/calibration.h"
#include "core/run/run_context.h"
#include "discretizers/base/discretizer.h"
#include "runner/job/record_file_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lets the kernel count the peak of memory from here on (Linux 4.0 and later). */
static void forget_peak_memory(void) {
    int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (write(fd, "5", 1) != 1) {
        /* the peak then includes what came before learning */
    }
    (void)close(fd);
}

static void learned_graph_clear(learned_graph *learned) {
    pdag_destroy(learned->graph);
    neighbour_lists_destroy(learned->found);
}

/* Puts a graph on the network's nodes in place of the one on the columns that the learner saw. */
static status to_network_order(pdag **graph, const size_t *order, error_info *err) {
    const pdag *g = *graph;
    AUTO_PTR(pdag_destroy) pdag *mapped = NULL;
    CHECK(pdag_create(pdag_node_count(g), &mapped, err));
    for (size_t a = 0; a < pdag_node_count(g); a++) {
        size_t n = 0;
        const pdag_edge *edges = pdag_edges(g, a, &n);
        for (size_t k = 0; k < n; k++) {
            if (edges[k].node > a)
                CHECK(pdag_set_edge(mapped, order[a], order[edges[k].node], edges[k].kind, err));
        }
    }
    pdag_destroy(*graph);
    *graph = TAKE(mapped);
    return STATUS_OK;
}

static status check_result(const learner *kind, const learner_result *result, const dataset *data, error_info *err) {
    if (!result->graph)
        return error_set(err, STATUS_BUG, "%s gave no graph%s", kind->name,
                         result->is_cut_short ? " before its time was over" : "");
    if (pdag_node_count(result->graph) != dataset_column_count(data))
        return error_set(err, STATUS_BUG, "%s gave a graph of %zu nodes for %zu columns", kind->name,
                         pdag_node_count(result->graph), dataset_column_count(data));
    return STATUS_OK;
}

void *job_options_create(const job *j) {
    const learner_variant *v = job_variant(j);
    const option_spec *spec;
    char *options = learner_options_create(v->kind);
    if (!options)
        return NULL;
    memcpy(options, v->options, v->kind->options_size);
    spec = options_find(v->kind->options, "budget");
    if (j->budget_s > 0 && spec)
        memcpy(options + spec->offset, &j->budget_s, sizeof j->budget_s);
    return options;
}

/* The single numbers of the learner's trace become metrics; one that is measured later replaces one
 * of the same name. */
static status take_figures(job_record *record, error_info *err) {
    const trace *t = &record->trace;
    for (size_t i = 0; i < t->n_figures; i++)
        CHECK(job_record_set_metric(record, t->figures[i].name, t->figures[i].value, err));
    return STATUS_OK;
}

/* The discretizer runs the learner within itself; its policy goes to data->integrated. */
static status learn_integrated(const job *j, const void *options, run_context *ctx, job_data *data,
                               learner_result *result, error_info *err) {
    const learner_variant *v = job_variant(j);
    learner_within within = {.kind = v->kind, .options = options, .ctx = ctx};
    inner_learner inner = inner_learner_of(&within);
    double start_s = run_cpu_s();
    status st;
    if (dataset_is_discrete(data->ordered))
        return learner_run(v->kind, data->ordered, options, ctx, result, err);
    policy_clear(&data->integrated);
    st = discretizer_integrate(v->discretize.kind, data->ordered, v->discretize.options, &inner, ctx, &data->integrated,
                               result, err);
    data->discretize_s = run_cpu_s() - start_s - within.cpu_s;
    return st;
}

static status learn_built_in(const job *j, job_data *data, learned_graph *out, job_record *record, error_info *err) {
    const learner_variant *v = job_variant(j);
    const experiment *e = plan_experiment(j->plan);
    run_context ctx;
    AUTO(learner_result_clear) learner_result result = {0};
    double cpu, wall;
    AUTO_FREE void *options = NULL;
    status st = STATUS_OK;
    CHECK_ALLOC(options = job_options_create(j));
    run_context_init(&ctx, record->seed);
    ctx.n_threads = e->n_threads;
    ctx.trace = &record->trace;
    forget_peak_memory();
    cpu = run_cpu_s();
    wall = run_clock_s();
    if (e->time_limit_s > 0)
        ctx.deadline_s = wall + e->time_limit_s;
    st = job_is_integrated(j) ? learn_integrated(j, options, &ctx, data, &result, err)
                              : learner_run(v->kind, data->ordered, options, &ctx, &result, err);
    record->cpu_seconds = run_cpu_s() - cpu;
    record->wall_seconds = run_clock_s() - wall;
    record->peak_memory_bytes = run_peak_memory_bytes();
    record->tests = ctx.tests;
    record->scores = ctx.scores;
    record->is_cut_short = result.is_cut_short;
    CHECK(st);
    CHECK(check_result(v->kind, &result, data->ordered, err));
    CHECK(take_figures(record, err));
    if (result.remark)
        CHECK_ALLOC(record->message = text_copy(result.remark));
    out->graph = result.graph;
    out->kind = v->kind->returns;
    out->found = result.found;
    result.graph = NULL;
    result.found = NULL;
    return st;
}

static status note_confinement(const job *j, bool is_in_group, job_record *record, error_info *err) {
    job held = *j;
    held.is_in_group = is_in_group;
    free(record->confinement);
    record->confinement = text_copy(job_confinement(&held));
    return record->confinement ? STATUS_OK : error_out_of_memory(err);
}

static void program_usage_clear(program_usage *usage) {
    program_facts_clear(&usage->facts);
}

static status take_facts(const program_facts *facts, job_record *record, error_info *err) {
    if (facts->has_learning_s)
        CHECK(job_record_set_metric(record, "learning_time", facts->learning_s, err));
    return facts->version ? job_record_remark(record, facts->version, err) : STATUS_OK;
}

static status learn_external(const job *j, const dataset *data, const char *scratch, int messages, learned_graph *out,
                             job_record *record, error_info *err) {
    AUTO(program_usage_clear) program_usage usage = {0};
    status st = external_learn(j, data, scratch, record->seed, messages, out, &usage, err);
    CHECK(note_confinement(j, usage.was_in_group, record, err));
    record->cpu_seconds = usage.cpu_seconds;
    record->wall_seconds = usage.wall_seconds;
    record->peak_memory_bytes = usage.peak_memory_bytes;
    CHECK(st);
    return take_facts(&usage.facts, record, err);
}

/* Its option `budget`, which an anytime learner alone has; 0 where it has none. */
static double budget_s(const job *j) {
    const learner_variant *v = job_variant(j);
    const option_spec *spec = options_find(v->kind->options, "budget");
    double seconds = 0;
    if (spec)
        memcpy(&seconds, (const char *)v->options + spec->offset, sizeof seconds);
    return j->budget_s > 0 ? j->budget_s : seconds;
}

/* Cut short, an anytime learner has a result; for any other learner the state is timeout. It was the limit where that
 * has passed, else a budget that the learner had used up before. */
static status judge_cut(const job *j, job_record *record, error_info *err) {
    char text[96];
    bool is_limit = record->time_limit_s > 0 && record->wall_seconds >= record->time_limit_s;
    if (!job_variant(j)->kind->is_anytime)
        (void)snprintf(text, sizeof text, "stopped at its limit of %g s", record->time_limit_s);
    else if (is_limit)
        (void)snprintf(text, sizeof text, "the best graph at the limit of %g s", record->time_limit_s);
    else
        (void)snprintf(text, sizeof text, "the best graph with its budget of %g s", budget_s(j));
    record->state = job_variant(j)->kind->is_anytime ? JOB_DONE : JOB_TIMEOUT;
    record->message = text_copy(text);
    return record->message ? STATUS_OK : error_out_of_memory(err);
}

static status learn(const job *j, job_data *data, const char *scratch, int messages, learned_graph *out,
                    job_record *record, error_info *err) {
    status st;
    job_tell(messages, JOB_LEARNING_STARTS, record->fingerprint);
    st = job_variant(j)->kind ? learn_built_in(j, data, out, record, err)
                              : learn_external(j, data->ordered, scratch, messages, out, record, err);
    job_tell(messages, JOB_LEARNING_ENDS, NULL);
    if (st == STATUS_OK)
        record->state = JOB_DONE;
    return st == STATUS_OK && record->is_cut_short ? judge_cut(j, record, err) : st;
}

/* One for every so many values of the data: a learner that is done in less needs no exact measure.
 */
static size_t calibration_rounds(const dataset *data) {
    enum { VALUES_A_ROUND = 10000 };
    size_t n = dataset_row_count(data) * dataset_column_count(data) / VALUES_A_ROUND;
    return n < 1 ? 1 : n > CALIBRATION_ROUNDS ? CALIBRATION_ROUNDS : n;
}

static status do_job(const job *j, const char *scratch, int messages, job_record *record, error_info *err) {
    AUTO(job_data_clear) job_data data = {0};
    AUTO(learned_graph_clear) learned_graph learned = {0};
    char fingerprint[DATASET_FINGERPRINT_SIZE];
    double speed;
    size_t n_rounds;
    CHECK(job_data_make(j, &data, err));
    CHECK(dataset_fingerprint(data.ordered, fingerprint, err));
    CHECK_ALLOC(record->fingerprint = text_copy(fingerprint));
    n_rounds = calibration_rounds(data.ordered);
    speed = calibration_s(n_rounds);
    CHECK(learn(j, &data, scratch, messages, &learned, record, err));
    if (record->state != JOB_DONE)
        return STATUS_OK;
    CHECK(job_take_integrated(&data, err));
    CHECK(job_record_set_metric(record, "calibration", (speed + calibration_s(n_rounds)) / 2, err));
    CHECK(to_network_order(&learned.graph, data.order, err));
    record->policy = data.policy;
    data.policy = NULL;
    return job_measure(j, &data, &learned, record, err);
}

/* The record of a job that failed: metrics, graph and trace that were there already are removed,
 * and the error is kept. */
static void record_failure(job_record *r, status st, const error_info *err) {
    for (size_t i = 0; i < r->n_metrics; i++)
        free(r->metrics[i].name);
    free(r->metrics);
    free(r->graph);
    free(r->graph_kind);
    free(r->policy);
    free(r->message);
    trace_clear(&r->trace);
    r->metrics = NULL;
    r->n_metrics = 0;
    r->graph = r->graph_kind = r->policy = NULL;
    r->state = st == STATUS_MEMORY ? JOB_MEMORY : JOB_FAILED;
    r->message = text_copy(err->message);
}

static status make_result(const job *j, const char *result_path, const char *scratch, int messages, error_info *err) {
    AUTO_FREE char *folder = text_copy_n(result_path, (size_t)(path_base(result_path) - result_path));
    AUTO(job_record_clear) job_record record = {0};
    job kept = *j;
    status st;
    kept.cache = folder && *folder ? folder : NULL;
    CHECK(job_begin_record(j, &record, err));
    st = j->refusal[0] ? error_set(err, STATUS_INVALID, "%s", j->refusal)
                       : do_job(&kept, scratch, messages, &record, err);
    if (st == STATUS_IO)
        return st;
    if (st != STATUS_OK)
        record_failure(&record, st, err);
    return record_hand_over(&record, result_path, err);
}

int job_run(const job *j, const char *result_path, const char *scratch, int messages) {
    error_info err = {0};
    if (make_result(j, result_path, scratch, messages, &err) == STATUS_OK)
        return JOB_EXIT_DONE;
    (void)fprintf(stderr, "%s\n", err.message); /* a pipe to the supervisor */
    return JOB_EXIT_IO;
}
