/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The data of a job: rows of its world, noise on them, thresholds, and the order of columns that the learner sees.
 * Where the rows are costly and made discrete, they are kept on disk for the other learners of the same replicate.
 */
#include "runner/job/job_internal.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/dataset_numbers.h"
#include "core/data/dataset_seen.h"
#include "core/run/run_context.h"
#include "generators/sampling/continuize.h"
#include "parts/figures/policy_text.h"
#include "runner/plan/data_cache_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The thresholds and the histograms of their columns, as parts/figures/policy_text.h reads them; on the heap. */
static status write_policy(const cut_policy *policy, const dataset *data, char **out, error_info *err) {
    AUTO(policy_table_clear) policy_table t = {0};
    AUTO(text_buffer_clear) text_buffer text = {0};
    for (size_t c = 0; c < policy->n_columns; c++) {
        const double *values = dataset_reals(data, c);
        if (values)
            CHECK(policy_table_add(&t, dataset_variable(data, c)->name, policy->columns[c].thresholds,
                                   policy->columns[c].n, values, dataset_row_count(data), err));
    }
    policy_table_append_csv(&t, &text);
    CHECK(text_buffer_check(&text, err));
    *out = text.data;
    text = (text_buffer){0};
    return STATUS_OK;
}

/* Makes training and test rows discrete by the thresholds, which were found on the training rows. */
static status discretize_by(job_data *d, const cut_policy *policy, error_info *err) {
    CHECK(write_policy(policy, d->train, &d->policy, err));
    CHECK(apply_policy(policy, &d->train, err));
    for (size_t i = 0; i < d->n_tests; i++)
        CHECK(apply_policy(policy, &d->tests[i], err));
    d->is_discretized = true;
    return STATUS_OK;
}

static status discretize_data(const job *j, const plan_cell *cell, job_data *d, error_info *err) {
    const discretize_declaration *declared = &job_variant(j)->discretize;
    run_context ctx;
    AUTO(policy_clear) cut_policy found = {0};
    if (!declared->kind || job_is_integrated(j) || dataset_is_discrete(d->train))
        return STATUS_OK;
    run_context_init(&ctx, plan_discretize_seed(j->plan, cell));
    ctx.n_threads = plan_experiment(j->plan)->n_threads;
    d->discretize_s = -run_cpu_s();
    CHECK(discretizer_fit(declared->kind, d->train, declared->options, &ctx, &found, err));
    d->discretize_s += run_cpu_s();
    return discretize_by(d, &found, err);
}

/* Rows of the world, with the noise of the cell where there is any. */
static status sample(const job *j, const plan_cell *cell, size_t n_rows, random_key key, dataset **out,
                     error_info *err) {
    double sigma = plan_sigma(j->plan, cell);
    AUTO_PTR(dataset_destroy) dataset *states = NULL;
    if (!(sigma > 0))
        return world_sample(j->world, n_rows, key, out, err);
    CHECK(world_sample(j->world, n_rows, key, &states, err));
    return continuize(states, sigma, continuize_key(key), out, err);
}

status job_sample_rows(const job *j, dataset **out, error_info *err) {
    plan_cell cell = plan_cell_at(j->plan, j->cell);
    return sample(j, &cell, plan_rows(j->plan, &cell), plan_data_key(j->plan, &cell), out, err);
}

/* The first test set does not depend on how many there are. */
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

/* Data are kept where finding their thresholds takes long, as for simulated genes; sampling a network of tables is
 * quick. */
static bool is_worth_keeping(const job *j, const plan_cell *cell) {
    const experiment *e = plan_experiment(j->plan);
    return j->cache && !j->world->net && e->test_samples == 0 && e->variants[cell->variant].discretize.kind &&
           !job_is_integrated(j);
}

/* Kept data have states 0, 1, ...; data with a discrete column whose states have other names are not kept. */
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

/* A cache that cannot be written is not used. */
static status write_kept(const job_data *d, const char *path, error_info *err) {
    error_info quiet = {0};
    status st = data_cache_write(path, d->train, d->policy, d->discretize_s, &quiet);
    return st == STATUS_MEMORY ? error_out_of_memory(err) : STATUS_OK;
}

/* Reads the data that another learner of the replicate has left, or makes them and leaves them for others. */
static status make_kept_data(const job *j, const plan_cell *cell, job_data *d, error_info *err) {
    char hex[PLAN_KEY_SIZE];
    AUTO_FREE char *path = NULL;
    CHECK(plan_data_digest(j->plan, cell, hex, err));
    CHECK_ALLOC(path = path_join_ending(j->cache, hex, ".data"));
    d->is_discretized = data_cache_read(path, j->world->names, j->world->n_nodes, plan_rows(j->plan, cell), &d->train,
                                        &d->policy, &d->discretize_s);
    if (!d->is_discretized) {
        CHECK(make_data(j, cell, d, err));
        if (d->is_discretized && all_are_numbered(d->train))
            CHECK(write_kept(d, path, err));
    }
    return STATUS_OK;
}

static void put_in_place(dataset *made, dataset **data) {
    dataset_destroy(*data);
    *data = made;
}

static status make_numbers(dataset **data, error_info *err) {
    dataset *numbers = NULL;
    CHECK(dataset_as_numbers(*data, &numbers, err));
    put_in_place(numbers, data);
    return STATUS_OK;
}

/* The learner is told of no others; metrics go on with all. */
static status keep_observed_states(dataset **data, error_info *err) {
    dataset *seen = NULL;
    CHECK(dataset_keep_seen_states(*data, &seen, err));
    if (seen)
        put_in_place(seen, data);
    return STATUS_OK;
}

status job_data_make(const job *j, job_data *out, error_info *err) {
    plan_cell cell = plan_cell_at(j->plan, j->cell);
    size_t n = j->world->n_nodes;
    AUTO(job_data_clear) job_data d = {0};
    CHECK(is_worth_keeping(j, &cell) ? make_kept_data(j, &cell, &d, err) : make_data(j, &cell, &d, err));
    CHECK_ALLOC(d.order = calloc(n, sizeof *d.order));
    choose_order(j, &cell, d.order, n);
    CHECK(
        dataset_reorder(d.train, d.order, &d.ordered, err)); /* NOLINT(clang-analyzer-unix.Malloc): it goes out below */
    if (job_variant(j)->takes_numbers)
        CHECK(make_numbers(&d.ordered, err));
    if (plan_experiment(j->plan)->states == STATES_OBSERVED)
        CHECK(keep_observed_states(&d.ordered, err));
    *out = TAKE(d);
    return STATUS_OK;
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

/* From the columns that the learner saw to the network's nodes. */
static status policy_to_network_order(const cut_policy *p, const size_t *order, cut_policy *out, error_info *err) {
    AUTO(policy_clear) cut_policy mapped = {0};
    CHECK(policy_init(&mapped, p->n_columns, err));
    for (size_t c = 0; c < p->n_columns; c++)
        CHECK(policy_set(&mapped, order[c], p->columns[c].thresholds, p->columns[c].n, err));
    *out = TAKE(mapped);
    return STATUS_OK;
}

status job_take_integrated(job_data *data, error_info *err) {
    AUTO(policy_clear) cut_policy found = {0};
    if (!data->integrated.columns)
        return STATUS_OK;
    CHECK(policy_to_network_order(&data->integrated, data->order, &found, err));
    return discretize_by(data, &found, err);
}
