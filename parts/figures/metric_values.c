/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One metric of every cell, after the failure policy. */
#include "metrics/distances/metric.h"
#include "parts/figures/aggregate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void read_values(metric_values *m, size_t n_cells, const char *metric) {
    for (size_t i = 0; i < n_cells; i++) {
        const double *value;
        m->states[i] = result_grid_state(m->grid, i);
        value = m->states[i] == VALUE_DONE ? job_record_metric(m->grid->records[i], metric) : NULL;
        m->values[i] = value ? *value : NAN;
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
        if (has_failed(m->states[i]) && r && r->time_limit_s > 0)
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
    AUTO(metric_values_clear) metric_values m = {.grid = grid};
    size_t n_data_sets = grid->n_places * grid->n_sizes * grid->n_replicates, n_cells = n_data_sets * grid->n_learners;
    CHECK_ALLOC(m.values = calloc(n_cells + 1, sizeof *m.values));
    CHECK_ALLOC(m.states = calloc(n_cells + 1, sizeof *m.states));
    CHECK_ALLOC(m.applies = calloc(grid->n_learners + 1, sizeof *m.applies));
    read_values(&m, n_cells, metric);
    find_applicable(&m, n_cells);
    if (policy == FAILURES_WORST)
        impute_worst(&m, n_data_sets, !info || info->less_is_better);
    else if (policy == FAILURES_LIMIT && info && strcmp(info->unit, "s") == 0)
        impute_limits(&m, n_cells);
    *out = TAKE(m);
    return STATUS_OK;
}
