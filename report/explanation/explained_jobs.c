/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The jobs behind a figure of a table of a metric. */
#include "report/explanation/explanation_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void explained_jobs_clear(explained_jobs *j) {
    for (size_t i = 0; j->jobs && i < j->n; i++) {
        free(j->jobs[i].name);
        free(j->jobs[i].values);
        free(j->jobs[i].baseline);
        free(j->jobs[i].baseline_values);
    }
    free(j->jobs);
    free(j->metrics);
    *j = (explained_jobs){0};
}

/* What the table is made of, laid out as the table lays it out. */
typedef struct {
    const metric_table_spec *spec;
    const table *t;
    experiment_outputs view;
    result_grid grid;
    size_t n_metrics;
    metric_values *values;
    bool *takes_part; /* of the group at hand */
    bool *is_zero;    /* by place and size: the baseline is 0 there, which has no ratio */
    size_t baseline;  /* NO_BASELINE */
} layout;

static void clear_layout(layout *l) {
    for (size_t m = 0; l->values && m < l->n_metrics; m++)
        metric_values_clear(&l->values[m]);
    free(l->values);
    result_grid_clear(&l->grid);
    free(l->takes_part);
    free(l->is_zero);
    free(l->view.learners);
}

/* The metric or the summands, then what is added to it. */
static status list_metrics(const metric_table_spec *spec, explained_jobs *out, error_info *err) {
    CHECK_ALLOC(out->metrics = calloc(spec->n_sum_of + 2, sizeof *out->metrics));
    for (size_t i = 0; i < spec->n_sum_of; i++)
        out->metrics[out->n_metrics++] = spec->sum_of[i];
    if (spec->n_sum_of == 0)
        out->metrics[out->n_metrics++] = spec->metric;
    if (spec->plus)
        out->metrics[out->n_metrics++] = spec->plus;
    return STATUS_OK;
}

static status lay_out(const part_context *c, const explained_jobs *of, layout *l, error_info *err) {
    CHECK(metric_table_view(c->outputs, l->spec, &l->view, err));
    CHECK(result_grid_create(&l->view, c->records, c->n_records, &l->grid, err));
    CHECK_ALLOC(l->values = calloc(of->n_metrics + 1, sizeof *l->values));
    CHECK_ALLOC(l->takes_part = calloc(l->grid.n_learners + 1, sizeof *l->takes_part));
    CHECK_ALLOC(l->is_zero = calloc(l->grid.n_places * l->grid.n_sizes + 1, sizeof *l->is_zero));
    for (; l->n_metrics < of->n_metrics; l->n_metrics++)
        CHECK(metric_values_create(&l->grid, of->metrics[l->n_metrics], l->spec->failures, &l->values[l->n_metrics],
                                   err));
    l->baseline = l->spec->normalise_by ? outputs_find_learner(&l->view, l->spec->normalise_by) : NO_BASELINE;
    return STATUS_OK;
}

/* The group of an element: what stands beside the learners in the table. */
static size_t group_of(const layout *l, grid_element at) {
    size_t n_sigmas = outputs_sigma_count(&l->view);
    if (l->t->group_axis == AXIS_SAMPLES)
        return at.size;
    return l->t->group_axis == AXIS_NETWORK ? at.place / n_sigmas : at.place % n_sigmas;
}

/* A learner by its id, or those that a pool takes together. */
static bool is_of_entry(const layout *l, size_t learner, size_t entry) {
    const char *id = l->view.learners[learner];
    long number = l->t->learners[entry];
    const char *name = l->t->learners_are_columns ? l->t->column_names[entry] : l->t->row_names[entry];
    const option_pool *pool;
    if (number >= 0)
        return strcmp(id, name) == 0;
    pool = &l->spec->pools[-1 - number];
    for (size_t i = 0; i < pool->n_parts; i++) {
        if (strcmp(pool->parts[i], id) == 0)
            return true;
    }
    return false;
}

/* As `bnbench job` takes it; of a learner that stands for the best of others the one that was taken. */
static status name_job(const layout *l, grid_element at, size_t replicate, size_t learner, char **out,
                       error_info *err) {
    const experiment_outputs *o = &l->view;
    size_t n_sigmas = outputs_sigma_count(o);
    const job_record *r = l->grid.records[result_grid_index(&l->grid, at.place, at.size, replicate, learner)];
    AUTO(text_buffer_clear) text_buffer name = {0};
    char digits[32];
    text_append_format(&name, "%s/", o->networks[at.place / n_sigmas]);
    outputs_append_size(o->sizes[at.size], &name);
    if (o->n_sigmas)
        text_append_format(&name, "/%s", text_from_double(o->sigmas[at.place % n_sigmas], digits));
    text_append_format(&name, "/%zu/%s", replicate + 1, r ? r->learner : o->learners[learner]);
    return text_buffer_take(&name, out, err);
}

static status take_values(const layout *l, size_t cell, double **out, error_info *err) {
    CHECK_ALLOC(*out = calloc(l->n_metrics + 1, sizeof **out));
    for (size_t m = 0; m < l->n_metrics; m++)
        (*out)[m] = l->values[m].values[cell];
    return STATUS_OK;
}

static bool is_kept(const layout *l, grid_element at, size_t replicate, size_t learner) {
    const metric_values *metric = &l->values[0];
    size_t base = l->baseline < l->grid.n_learners
                      ? result_grid_index(&l->grid, at.place, at.size, replicate, l->baseline)
                      : NO_BASELINE;
    if (l->is_zero[at.place * l->grid.n_sizes + at.size])
        return false;
    if (base != NO_BASELINE && l->spec->ratio == MEAN_OF_RATIOS && metric->values[base] == 0)
        return false;
    return l->takes_part[learner] && data_set_is_kept(&metric, 1, l->takes_part, at, replicate);
}

static status take_job(const layout *l, grid_element at, size_t replicate, size_t learner, explained_job *j,
                       error_info *err) {
    size_t cell = result_grid_index(&l->grid, at.place, at.size, replicate, learner), base;
    j->record = l->grid.records[cell];
    j->state = l->values[0].states[cell];
    CHECK(name_job(l, at, replicate, learner, &j->name, err));
    CHECK(take_values(l, cell, &j->values, err));
    j->is_imputed = j->state != VALUE_DONE && !isnan(j->values[0]);
    j->is_used = l->spec->aggregate == AGGREGATE_MEAN_RANK ? !isnan(j->values[0]) : is_kept(l, at, replicate, learner);
    if (l->baseline >= l->grid.n_learners)
        return STATUS_OK;
    base = result_grid_index(&l->grid, at.place, at.size, replicate, l->baseline);
    CHECK(name_job(l, at, replicate, l->baseline, &j->baseline, err));
    return take_values(l, base, &j->baseline_values, err);
}

/* The elements whose baseline is 0. */
static status find_zeros(layout *l, const grid_element *elements, size_t n, error_info *err) {
    group_rule rule = {.baseline = l->baseline, .ratio = l->spec->ratio, .aggregate = l->spec->aggregate};
    AUTO_FREE group_figure *figures = calloc(l->grid.n_learners + 1, sizeof *figures);
    AUTO_FREE bool *is_zero = calloc(n + 1, sizeof *is_zero);
    group_summary summary = {0};
    CHECK_ALLOC(figures && is_zero);
    if (l->baseline >= l->grid.n_learners)
        return STATUS_OK;
    CHECK(group_compare(&l->values[0], elements, n, &rule, figures, is_zero, &summary, err));
    for (size_t i = 0; i < n; i++)
        l->is_zero[elements[i].place * l->grid.n_sizes + elements[i].size] = is_zero[i];
    return STATUS_OK;
}

/* Who takes part in the comparison of a group, and where. */
static status look_at_group(layout *l, size_t group, error_info *err) {
    size_t n_all = l->grid.n_places * l->grid.n_sizes, n = 0;
    AUTO_FREE grid_element *elements = calloc(n_all + 1, sizeof *elements);
    const metric_values *metric = &l->values[0];
    CHECK_ALLOC(elements);
    for (size_t i = 0; i < n_all; i++) {
        grid_element at = {i / l->grid.n_sizes, i % l->grid.n_sizes};
        if (group_of(l, at) == group)
            elements[n++] = at;
    }
    group_participants(&metric, 1, elements, n, l->takes_part);
    return find_zeros(l, elements, n, err);
}

static status take_group(layout *l, size_t group, size_t entry, explained_jobs *out, error_info *err) {
    const result_grid *g = &l->grid;
    CHECK(look_at_group(l, group, err));
    for (size_t i = 0; i < g->n_places * g->n_sizes * g->n_replicates * g->n_learners; i++) {
        size_t learner = i % g->n_learners, data_set = i / g->n_learners;
        grid_element at = {data_set / g->n_replicates / g->n_sizes, data_set / g->n_replicates % g->n_sizes};
        if (group_of(l, at) == group && is_of_entry(l, learner, entry))
            CHECK(take_job(l, at, data_set % g->n_replicates, learner, &out->jobs[out->n++], err));
    }
    return STATUS_OK;
}

status explained_jobs_find(const part_context *c, const metric_table_spec *spec, const table *t, size_t group,
                           size_t learner, explained_jobs *out, error_info *err) {
    AUTO(clear_layout) layout l = {.spec = spec, .t = t};
    bool is_average = group >= t->n_groups;
    CHECK(list_metrics(spec, out, err));
    CHECK(lay_out(c, out, &l, err));
    CHECK_ALLOC(out->jobs = calloc(l.grid.n_places * l.grid.n_sizes * l.grid.n_replicates * l.grid.n_learners + 1,
                                   sizeof *out->jobs));
    for (size_t g = is_average ? 0 : group; g < (is_average ? t->n_groups : group + 1); g++)
        CHECK(take_group(&l, g, learner, out, err));
    return STATUS_OK;
}
