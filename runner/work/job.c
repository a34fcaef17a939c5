/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/work/job_internal.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/dataset_numbers.h"
#include "core/run/calibration.h"
#include "core/run/run_context.h"
#include "generators/sampling/continuize.h"
#include "runner/plan/data_cache_internal.h"
#include "runner/work/record_file_internal.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const learner_variant *job_variant(const job *j) {
    return &plan_experiment(j->plan)->variants[plan_cell_at(j->plan, j->cell).variant];
}

status job_init(plan *p, size_t cell, job *out, error_info *err) {
    job j = {.plan = p, .cell = cell};
    CHECK(plan_world(p, plan_cell_at(p, cell).network, &j.world, err));
    CHECK(plan_key(p, cell, j.key, err));
    *out = j;
    return STATUS_OK;
}

status job_begin_record(const job *j, job_record *out, error_info *err) {
    const experiment *e = plan_experiment(j->plan);
    plan_cell cell = plan_cell_at(j->plan, j->cell);
    job_record r = {.state = JOB_FAILED,
                    .n_samples = plan_rows(j->plan, &cell),
                    .sigma = plan_sigma(j->plan, &cell),
                    .replicate = cell.replicate,
                    .seed = plan_learner_seed(j->plan, &cell),
                    .time_limit_s = e->time_limit_s,
                    .memory_limit_bytes = e->memory_limit_bytes};
    status st = STATUS_OK;
    TRY_ALLOC(r.key = text_copy(j->key));
    TRY_ALLOC(r.network = text_copy(e->outputs.networks[cell.network]));
    TRY_ALLOC(r.learner = text_copy(e->variants[cell.variant].id));
    TRY(plan_options_json(j->plan, cell.variant, j->budget_s, &r.options, err));
    *out = r;
    r = (job_record){0};
cleanup:
    job_record_clear(&r);
    return st;
}

/* What a job takes at least: a time of 0 would mean no budget at all. */
#define LEAST_BUDGET_S 0.001

static const char refusal_start[] = "no budget: ";

void job_set_budget(job *j, const job_record *base) {
    const learner_budget *budget = &job_variant(j)->budget;
    if (base->state == JOB_DONE)
        j->budget_s = fmax(LEAST_BUDGET_S, budget->times * base->cpu_seconds);
    else
        (void)snprintf(j->refusal, sizeof j->refusal, "%sit is %g times the time of %.60s, which ended as %s here",
                       refusal_start, budget->times, base->learner, job_state_name(base->state));
}

bool job_was_refused(const job_record *record) {
    return record->state == JOB_FAILED && record->message &&
           strncmp(record->message, refusal_start, strlen(refusal_start)) == 0;
}

static void choose_order(const job *j, const plan_cell *cell, size_t *order, size_t n) {
    random_stream random;
    column_order wish = plan_experiment(j->plan)->order;
    for (size_t i = 0; i < n; i++)
        order[i] = wish == ORDER_REVERSE ? n - 1 - i : i;
    if (wish == ORDER_SHUFFLED) {
        random_stream_init(&random, plan_order_key(j->plan, cell));
        random_permutation(&random, order, n);
    }
}

static status apply_policy(const cut_policy *p, dataset **data, error_info *err) {
    dataset *discrete = NULL;
    status st = *data ? policy_apply(p, *data, &discrete, err) : STATUS_OK;
    if (st == STATUS_OK && discrete) {
        dataset_destroy(*data);
        *data = discrete;
    }
    return st;
}

/* The thresholds are those of the training rows, for the test rows too. */
status job_apply_policy(job_data *d, const cut_policy *policy, error_info *err) {
    CHECK(job_policy_text(policy, d->train, &d->policy, err));
    CHECK(apply_policy(policy, &d->train, err));
    for (size_t i = 0; i < d->n_tests; i++)
        CHECK(apply_policy(policy, &d->tests[i], err));
    d->is_discretized = true;
    return STATUS_OK;
}

static status discretize_data(const job *j, const plan_cell *cell, job_data *d, error_info *err) {
    const discretize_declaration *declared = &job_variant(j)->discretize;
    run_context ctx;
    cut_policy found = {0};
    status st = STATUS_OK;
    if (!declared->kind || job_is_integrated(j) || dataset_is_discrete(d->train))
        return STATUS_OK;
    run_context_init(&ctx, plan_discretize_seed(j->plan, cell));
    d->discretize_s = -run_cpu_s();
    TRY(discretizer_fit(declared->kind, d->train, declared->options, &ctx, &found, err));
    d->discretize_s += run_cpu_s();
    TRY(job_apply_policy(d, &found, err));
cleanup:
    policy_clear(&found);
    return st;
}

/* Rows of the world, with the noise of the cell where there is any. */
static status sample(const job *j, const plan_cell *cell, size_t n_rows, random_key key, dataset **out,
                     error_info *err) {
    double sigma = plan_sigma(j->plan, cell);
    dataset *states = NULL;
    status st = STATUS_OK;
    if (!(sigma > 0))
        return world_sample(j->world, n_rows, key, out, err);
    TRY(world_sample(j->world, n_rows, key, &states, err));
    TRY(continuize(states, sigma, continuize_key(key), out, err));
cleanup:
    dataset_destroy(states);
    return st;
}

status job_sample_rows(const job *j, dataset **out, error_info *err) {
    plan_cell cell = plan_cell_at(j->plan, j->cell);
    return sample(j, &cell, plan_rows(j->plan, &cell), plan_data_key(j->plan, &cell), out, err);
}

/* The first test set is the same however many there are. */
static status make_tests(const job *j, const plan_cell *cell, job_data *d, error_info *err) {
    const experiment *e = plan_experiment(j->plan);
    size_t n_rows = experiment_test_rows(e, cell->size);
    CHECK_ALLOC(d->tests = calloc(e->validation_sets, sizeof *d->tests));
    for (size_t i = 0; i < e->validation_sets; i++) {
        random_key key = plan_test_key(j->plan, cell);
        CHECK(sample(j, cell, n_rows, i ? random_key_number(key, i) : key, &d->tests[i], err));
        d->n_tests++;
    }
    return STATUS_OK;
}

static status make_data(const job *j, const plan_cell *cell, job_data *d, error_info *err) {
    const experiment *e = plan_experiment(j->plan);
    CHECK(sample(j, cell, plan_rows(j->plan, cell), plan_data_key(j->plan, cell), &d->train, err));
    if (e->test_samples > 0 && !j->world->data)
        CHECK(make_tests(j, cell, d, err));
    return discretize_data(j, cell, d, err);
}

/* Sampling a network is quick; simulating a thousand genes and fitting mixtures to each is not. */
static bool is_worth_keeping(const job *j, const plan_cell *cell) {
    const experiment *e = plan_experiment(j->plan);
    return j->cache && !j->world->net && e->test_samples == 0 && e->variants[cell->variant].discretize.kind &&
           !job_is_integrated(j);
}

/* The states of a column that was discrete before may have names; then the data are not kept. */
static bool all_are_numbered(const dataset *data) {
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        const variable *v = dataset_variable(data, c);
        for (size_t k = 0; k < v->n_states; k++) {
            int64_t number;
            if (!text_to_int(v->states[k], &number) || number != (int64_t)k)
                return false;
        }
    }
    return true;
}

static status cache_path(const job *j, const char *hex, const char *ending, char **out, error_info *err) {
    char name[PLAN_KEY_SIZE + 16];
    (void)snprintf(name, sizeof name, "%s%s", hex, ending);
    *out = path_join(j->cache, name);
    return *out ? STATUS_OK : error_out_of_memory(err);
}

static bool read_kept(const job *j, const char *data, const char *policy, size_t n_rows, job_data *d) {
    size_t length;
    error_info none;
    if (!file_exists(policy) ||
        !data_cache_read(data, j->world->names, j->world->n_nodes, n_rows, &d->train, &d->discretize_s))
        return false;
    if (file_read(policy, FILE_READ_MOST, &d->policy, &length, &none) == STATUS_OK)
        return true;
    dataset_destroy(d->train);
    *d = (job_data){0};
    return false;
}

/* The policy first: data without it are not taken. A cache that cannot be written is none. */
static status write_kept(const job_data *d, const char *data, const char *policy, error_info *err) {
    error_info quiet = {0};
    status st = file_write(policy, d->policy, strlen(d->policy), &quiet);
    if (st == STATUS_OK)
        st = data_cache_write(data, d->train, d->discretize_s, &quiet);
    return st == STATUS_MEMORY ? error_out_of_memory(err) : STATUS_OK;
}

/* As make_data, but for what another learner of the replicate has left. */
static status make_kept_data(const job *j, const plan_cell *cell, job_data *d, error_info *err) {
    size_t n_rows = plan_rows(j->plan, cell);
    char hex[PLAN_KEY_SIZE], *data = NULL, *policy = NULL;
    status st = STATUS_OK;
    TRY(plan_data_digest(j->plan, cell, hex, err));
    TRY(cache_path(j, hex, ".data", &data, err));
    TRY(cache_path(j, hex, ".policy", &policy, err));
    d->is_discretized = read_kept(j, data, policy, n_rows, d);
    if (!d->is_discretized) {
        TRY(make_data(j, cell, d, err));
        if (d->is_discretized && all_are_numbered(d->train))
            TRY(write_kept(d, data, policy, err));
    }
cleanup:
    free(data);
    free(policy);
    return st;
}

static status make_numbers(dataset **data, error_info *err) {
    dataset *numbers = NULL;
    status st = dataset_as_numbers(*data, &numbers, err);
    if (st == STATUS_OK) {
        dataset_destroy(*data);
        *data = numbers;
    }
    return st;
}

status job_data_make(const job *j, job_data *out, error_info *err) {
    plan_cell cell = plan_cell_at(j->plan, j->cell);
    size_t n = j->world->n_nodes;
    job_data d = {0};
    status st = STATUS_OK;
    TRY(is_worth_keeping(j, &cell) ? make_kept_data(j, &cell, &d, err) : make_data(j, &cell, &d, err));
    TRY_ALLOC(d.order = calloc(n, sizeof *d.order));
    choose_order(j, &cell, d.order, n);
    TRY(dataset_reorder(d.train, d.order, &d.ordered, err)); /* NOLINT(clang-analyzer-unix.Malloc): it goes out below */
    if (job_variant(j)->takes_numbers)
        TRY(make_numbers(&d.ordered, err));
    *out = d;
    d = (job_data){0};
cleanup:
    job_data_clear(&d);
    return st;
}

void job_data_clear(job_data *d) {
    dataset_destroy(d->train);
    dataset_destroy(d->ordered);
    for (size_t i = 0; i < d->n_tests; i++)
        dataset_destroy(d->tests[i]);
    free(d->tests);
    free(d->order);
    free(d->policy);
    policy_clear(&d->integrated);
    *d = (job_data){0};
}

static void tell(int messages, job_event event, const char *fingerprint) {
    job_message m;
    memset(&m, 0, sizeof m);
    m.event = (int)event;
    m.cpu_seconds = run_cpu_s();
    (void)snprintf(m.fingerprint, sizeof m.fingerprint, "%s", fingerprint ? fingerprint : "");
    if (write(messages, &m, sizeof m) != sizeof m)
        return; /* nobody listens: the supervisor is gone, and takes this process with it */
}

/* The peak is counted from here on, where the kernel lets us (Linux 4.0). */
static void forget_peak_memory(void) {
    int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (write(fd, "5", 1) != 1) {
        /* then the peak holds what came before learning too */
    }
    (void)close(fd);
}

/* From the columns that the learner saw to the network's nodes. */
static status to_network_order(const pdag *g, const size_t *order, pdag **out, error_info *err) {
    pdag *mapped = NULL;
    status st = STATUS_OK;
    TRY(pdag_create(pdag_node_count(g), &mapped, err));
    for (size_t a = 0; a < pdag_node_count(g); a++) {
        size_t n = 0;
        const pdag_edge *edges = pdag_edges(g, a, &n);
        for (size_t k = 0; k < n; k++) {
            if (edges[k].node > a)
                TRY(pdag_set_edge(mapped, order[a], order[edges[k].node], edges[k].kind, err));
        }
    }
    *out = mapped;
    mapped = NULL;
cleanup:
    pdag_destroy(mapped);
    return st;
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

/* The variant's options, with the job's own budget where it has one; NULL without memory. */
static void *copy_options(const job *j) {
    const learner_variant *v = job_variant(j);
    char *options = learner_options_create(v->kind);
    if (!options)
        return NULL;
    memcpy(options, v->options, v->kind->options_size);
    for (size_t i = 0; j->budget_s > 0 && i < options_count(v->kind->options); i++) {
        const option_spec *spec = &v->kind->options[i];
        if (strcmp(spec->name, "budget") == 0)
            memcpy(options + spec->offset, &j->budget_s, sizeof j->budget_s);
    }
    return options;
}

/* What the learner told of as single numbers; a metric that is measured later under the same name stands above it. */
static status take_figures(job_record *record, error_info *err) {
    const trace *t = &record->trace;
    status st = STATUS_OK;
    for (size_t i = 0; i < t->n_figures && st == STATUS_OK; i++)
        st = job_record_set_metric(record, t->figures[i].name, t->figures[i].value, err);
    return st;
}

static status learn_built_in(const job *j, job_data *data, learned_graph *out, job_record *record, error_info *err) {
    const learner_variant *v = job_variant(j);
    const experiment *e = plan_experiment(j->plan);
    run_context ctx;
    learner_result result = {0};
    double cpu, wall;
    void *options = NULL;
    status st = STATUS_OK;
    TRY_ALLOC(options = copy_options(j));
    run_context_init(&ctx, record->seed);
    ctx.n_threads = e->n_threads;
    ctx.trace = &record->trace;
    forget_peak_memory();
    cpu = run_cpu_s();
    wall = run_clock_s();
    if (e->time_limit_s > 0)
        ctx.deadline_s = wall + e->time_limit_s;
    st = job_is_integrated(j) ? job_learn_integrated(j, options, &ctx, data, &result, err)
                              : learner_run(v->kind, data->ordered, options, &ctx, &result, err);
    record->cpu_seconds = run_cpu_s() - cpu;
    record->wall_seconds = run_clock_s() - wall;
    record->peak_memory_bytes = run_peak_memory_bytes();
    record->tests = ctx.tests;
    record->scores = ctx.scores;
    record->is_cut_short = result.is_cut_short;
    TRY(st);
    TRY(check_result(v->kind, &result, data->ordered, err));
    TRY(take_figures(record, err));
    if (result.remark)
        TRY_ALLOC(record->message = text_copy(result.remark));
    out->graph = result.graph;
    out->kind = v->kind->returns;
    out->found = result.found;
    result.graph = NULL;
    result.found = NULL;
cleanup:
    free(options);
    learner_result_clear(&result);
    return st;
}

static status learn_external(const job *j, const dataset *data, const char *scratch, learned_graph *out,
                             job_record *record, error_info *err) {
    program_usage usage = {0};
    status st = external_learn(j, data, scratch, record->seed, out, &usage, err);
    record->cpu_seconds = usage.cpu_seconds;
    record->wall_seconds = usage.wall_seconds;
    record->peak_memory_bytes = usage.peak_memory_bytes;
    return st;
}

/* An anytime learner that was cut short has a result; what another one left unfinished is none. */
static status judge_cut(const job *j, job_record *record, error_info *err) {
    char text[96];
    bool is_result = job_variant(j)->kind->is_anytime;
    record->state = is_result ? JOB_DONE : JOB_TIMEOUT;
    (void)snprintf(text, sizeof text,
                   is_result ? "the best graph at the limit of %g s" : "stopped at its limit of %g s",
                   record->time_limit_s);
    record->message = text_copy(text);
    return record->message ? STATUS_OK : error_out_of_memory(err);
}

static status learn(const job *j, job_data *data, const char *scratch, int messages, learned_graph *out,
                    job_record *record, error_info *err) {
    status st;
    tell(messages, JOB_LEARNING_STARTS, record->fingerprint);
    st = job_variant(j)->kind ? learn_built_in(j, data, out, record, err)
                              : learn_external(j, data->ordered, scratch, out, record, err);
    tell(messages, JOB_LEARNING_ENDS, NULL);
    if (st == STATUS_OK)
        record->state = JOB_DONE;
    return st == STATUS_OK && record->is_cut_short ? judge_cut(j, record, err) : st;
}

static status do_job(const job *j, const char *scratch, int messages, job_record *record, error_info *err) {
    job_data data = {0};
    learned_graph seen = {0}, learned = {0};
    char fingerprint[DATASET_FINGERPRINT_SIZE];
    double speed;
    status st = STATUS_OK;
    TRY(job_data_make(j, &data, err));
    TRY(dataset_fingerprint(data.ordered, fingerprint, err));
    TRY_ALLOC(record->fingerprint = text_copy(fingerprint));
    speed = calibration_s();
    TRY(learn(j, &data, scratch, messages, &seen, record, err));
    if (record->state != JOB_DONE)
        goto cleanup;
    TRY(job_take_integrated(&data, err));
    TRY(job_record_set_metric(record, "calibration", (speed + calibration_s()) / 2, err));
    learned.kind = seen.kind;
    learned.found = seen.found; /* borrowed */
    TRY(to_network_order(seen.graph, data.order, &learned.graph, err));
    record->policy = data.policy;
    data.policy = NULL;
    TRY(job_measure(j, &data, &learned, record, err));
cleanup:
    pdag_destroy(seen.graph);
    neighbour_lists_destroy(seen.found);
    pdag_destroy(learned.graph);
    job_data_clear(&data);
    return st;
}

/* A failed job's record keeps no half of a result. */
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

int job_run(const job *j, const char *result_path, const char *scratch, int messages) {
    char *folder = text_copy_n(result_path, (size_t)(path_base(result_path) - result_path));
    job kept = *j;
    error_info err = {0};
    job_record record = {0};
    status st = STATUS_OK;
    kept.cache = folder && *folder ? folder : NULL;
    TRY(job_begin_record(j, &record, &err));
    st = j->refusal[0] ? error_set(&err, STATUS_INVALID, "%s", j->refusal)
                       : do_job(&kept, scratch, messages, &record, &err);
    if (st == STATUS_IO)
        goto cleanup;
    if (st != STATUS_OK)
        record_failure(&record, st, &err);
    TRY(record_write(&record, result_path, &err));
cleanup:
    if (st != STATUS_OK)
        (void)fprintf(stderr, "%s\n", err.message); /* a pipe to the supervisor */
    job_record_clear(&record);
    free(folder);
    return st == STATUS_OK ? JOB_EXIT_DONE : JOB_EXIT_IO;
}
