/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records by cell, and one metric of them after the failure policy. */
#include "core/base/name_index.h"
#include "metrics/distances/metric.h"
#include "parts/figures/aggregate.h"
#include "parts/figures/best_of.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t result_grid_index(const result_grid *grid, size_t place, size_t size, size_t replicate, size_t learner) {
    return ((place * grid->n_sizes + size) * grid->n_replicates + replicate) * grid->n_learners + learner;
}

void result_grid_clear(result_grid *grid) {
    free(grid->records);
    *grid = (result_grid){0};
}

static status index_names(char *const *names, size_t n, name_index **out, error_info *err) {
    name_index *index = NULL;
    status st = STATUS_OK;
    TRY(name_index_create(n, &index, err));
    for (size_t i = 0; i < n; i++)
        TRY(name_index_add(index, names[i], i, NULL, err));
    *out = index;
    index = NULL;
cleanup:
    name_index_destroy(index);
    return st;
}

static size_t find_size(const experiment_outputs *o, uint64_t n_samples) {
    for (size_t i = 0; i < o->n_sizes; i++) {
        if (outputs_is_size(o->sizes[i], n_samples))
            return i;
    }
    return NAME_NONE;
}

/* Without noise levels only data that were not made continuous are meant. */
static size_t find_sigma(const experiment_outputs *o, double sigma) {
    if (o->n_sigmas == 0)
        return sigma == 0 ? 0 : NAME_NONE;
    for (size_t i = 0; i < o->n_sigmas; i++) {
        if (o->sigmas[i] == sigma)
            return i;
    }
    return NAME_NONE;
}

static status count_cells(const result_grid *g, size_t *out, error_info *err) {
    const size_t factors[] = {g->n_places, g->n_sizes, g->n_replicates, g->n_learners};
    *out = 1;
    for (size_t i = 0; i < 4; i++) {
        if (__builtin_mul_overflow(*out, factors[i], out))
            return error_set(err, STATUS_MEMORY, "more cells than fit into memory");
    }
    return STATUS_OK;
}

status result_grid_create(const experiment_outputs *outputs, const job_record *records, size_t n, result_grid *out,
                          error_info *err) {
    result_grid g = {.n_places = outputs_place_count(outputs),
                     .n_sizes = outputs->n_sizes,
                     .n_replicates = outputs->n_replicates,
                     .n_learners = outputs->n_learners};
    name_index *networks = NULL, *learners = NULL;
    size_t n_cells;
    status st = STATUS_OK;
    TRY(count_cells(&g, &n_cells, err));
    g.records = calloc(n_cells + 1, sizeof(job_record *));
    TRY_ALLOC(g.records);
    TRY(index_names(outputs->networks, outputs->n_networks, &networks, err));
    TRY(index_names(outputs->learners, outputs->n_learners, &learners, err));
    for (size_t i = 0; i < n; i++) {
        size_t network = name_index_find(networks, records[i].network), size = find_size(outputs, records[i].n_samples);
        size_t learner = name_index_find(learners, records[i].learner), sigma = find_sigma(outputs, records[i].sigma);
        size_t at;
        if (network == NAME_NONE || size == NAME_NONE || learner == NAME_NONE || sigma == NAME_NONE ||
            records[i].replicate >= g.n_replicates)
            continue;
        at = result_grid_index(&g, network * outputs_sigma_count(outputs) + sigma, size, (size_t)records[i].replicate,
                               learner);
        g.n_doubled += g.records[at] != NULL;
        g.records[at] = &records[i];
    }
    TRY(best_of_fill_grid(outputs, records, n, &g, err));
    *out = g;
    g.records = NULL;
cleanup:
    result_grid_clear(&g);
    name_index_destroy(networks);
    name_index_destroy(learners);
    return st;
}

const char *value_state_name(value_state state) {
    static const char *const names[VALUE_STATE_COUNT] = {"done",          "failed",    "timed out",
                                                         "out of memory", "undefined", "not run yet"};
    return (size_t)state < VALUE_STATE_COUNT ? names[state] : "unknown";
}

void metric_values_clear(metric_values *m) {
    free(m->values);
    free(m->states);
    free(m->applies);
    *m = (metric_values){0};
}

static value_state state_of(const job_record *r) {
    static const value_state states[] = {[JOB_DONE] = VALUE_DONE,
                                         [JOB_FAILED] = VALUE_FAILED,
                                         [JOB_TIMEOUT] = VALUE_TIMEOUT,
                                         [JOB_MEMORY] = VALUE_MEMORY};
    return r ? states[r->state] : VALUE_ABSENT;
}

static void read_values(metric_values *m, size_t n_cells, const char *metric) {
    for (size_t i = 0; i < n_cells; i++) {
        const job_record *r = m->grid->records[i];
        const double *value = r && r->state == JOB_DONE ? job_record_metric(r, metric) : NULL;
        m->values[i] = value ? *value : NAN;
        m->states[i] = state_of(r);
        if (m->states[i] == VALUE_DONE && !value)
            m->states[i] = VALUE_UNDEFINED;
    }
}

static void find_applicable(metric_values *m, size_t n_cells) {
    size_t n_learners = m->grid->n_learners;
    for (size_t l = 0; l < n_learners; l++) {
        size_t n_with = 0, n_without = 0;
        for (size_t i = l; i < n_cells; i += n_learners) {
            n_with += m->states[i] == VALUE_DONE;
            n_without += m->states[i] == VALUE_UNDEFINED;
        }
        m->applies[l] = n_with > 0 || n_without == 0;
    }
}

static bool has_failed(value_state state) {
    return state == VALUE_FAILED || state == VALUE_TIMEOUT || state == VALUE_MEMORY;
}

static void impute_limits(metric_values *m, size_t n_cells) {
    for (size_t i = 0; i < n_cells; i++) {
        const job_record *r = m->grid->records[i];
        if (has_failed(m->states[i]) && r->time_limit_s > 0)
            m->values[i] = r->time_limit_s;
    }
}

static void impute_worst(metric_values *m, size_t n_data_sets, bool less_is_better) {
    size_t n_learners = m->grid->n_learners;
    for (size_t d = 0; d < n_data_sets; d++) {
        double *values = m->values + d * n_learners, worst = NAN;
        for (size_t l = 0; l < n_learners; l++) {
            if (isnan(worst) || (less_is_better ? values[l] > worst : values[l] < worst))
                worst = values[l];
        }
        for (size_t l = 0; l < n_learners; l++) {
            if (m->applies[l] && has_failed(m->states[d * n_learners + l]))
                values[l] = worst;
        }
    }
}

status metric_values_create(const result_grid *grid, const char *metric, failure_policy policy, metric_values *out,
                            error_info *err) {
    const metric_info *info = metric_find(metric);
    metric_values m = {.grid = grid};
    size_t n_data_sets = grid->n_places * grid->n_sizes * grid->n_replicates, n_cells = n_data_sets * grid->n_learners;
    status st = STATUS_OK;
    m.values = calloc(n_cells + 1, sizeof *m.values);
    m.states = calloc(n_cells + 1, sizeof *m.states);
    m.applies = calloc(grid->n_learners + 1, sizeof *m.applies);
    TRY_ALLOC(m.values);
    TRY_ALLOC(m.states);
    TRY_ALLOC(m.applies);
    read_values(&m, n_cells, metric);
    find_applicable(&m, n_cells);
    if (policy == FAILURES_WORST)
        impute_worst(&m, n_data_sets, !info || info->less_is_better);
    else if (policy == FAILURES_LIMIT && info && strcmp(info->unit, "s") == 0)
        impute_limits(&m, n_cells);
    *out = m;
    m = (metric_values){0};
cleanup:
    metric_values_clear(&m);
    return st;
}
