/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table as a part of a report, with the jobs that stand behind its figures for the script of the page. */
#include "parts/tables/table_internal.h"

#include <string.h>

/* Takes the value over. */
static void add(json_t *list, json_t *value, bool *failed) {
    *failed |= json_array_append_new(list, value) != 0;
}

static json_int_t learner_number(const experiment_outputs *o, const char *name) {
    return (json_int_t)outputs_find_learner(o, name);
}

static void add_learners(const experiment_outputs *o, char *const *names, size_t n, json_t *list, bool *failed) {
    for (size_t i = 0; i < n; i++)
        add(list, json_integer(learner_number(o, names[i])), failed);
}

static json_t *list_networks(const experiment_outputs *o, char *const *names, size_t n, bool *failed) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < o->n_networks && strcmp(o->networks[k], names[i]) != 0)
            k++;
        add(list, json_integer((json_int_t)k), failed);
    }
    return list;
}

static json_t *list_sizes(const size_t *sizes, size_t n, bool *failed) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        add(list, json_integer((json_int_t)sizes[i]), failed);
    return list;
}

static json_t *list_sigmas(const double *sigmas, size_t n, bool *failed) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        add(list, json_real(sigmas[i]), failed);
    return list;
}

/* Names and learners of figures that are the mean of several. */
static json_t *list_pools(const experiment_outputs *o, const metric_table_spec *spec, bool *failed) {
    json_t *list = json_array();
    for (size_t i = 0; i < spec->n_pools; i++) {
        json_t *pool = json_array();
        add(pool, part_json_text(spec->pools[i].id), failed);
        add_learners(o, spec->pools[i].parts, spec->pools[i].n_parts, pool, failed);
        add(list, pool, failed);
    }
    return list;
}

static json_t *list_table_metrics(const metric_table_spec *spec, bool *failed) {
    json_t *list = json_array();
    for (size_t i = 0; i < spec->n_sum_of; i++)
        add(list, part_json_text(spec->sum_of[i]), failed);
    if (spec->n_sum_of == 0 && spec->metric)
        add(list, part_json_text(spec->metric), failed);
    return list;
}

static json_t *list_groups(const experiment_outputs *o, const table *t, const metric_table_spec *spec, bool *failed) {
    if (t->group_axis == AXIS_SAMPLES)
        return list_sizes(spec->n_samples ? spec->samples : o->sizes, t->n_groups, failed);
    if (t->group_axis == AXIS_SIGMA)
        return list_sigmas(spec->n_sigmas ? spec->sigmas : o->sigmas, t->n_groups, failed);
    return list_networks(o, t->learners_are_columns ? t->row_names : t->column_names, t->n_groups, failed);
}

/* Which jobs stand behind a group's figures. */
static json_t *table_object(const experiment_outputs *o, const table *t, const metric_table_spec *spec, bool *failed) {
    static const char *const axis_names[] = {
        [AXIS_SAMPLES] = "samples", [AXIS_NETWORK] = "network", [AXIS_SIGMA] = "sigma"};
    return json_pack("{s:o, s:s, s:o, s:I, s:o, s:o, s:o, s:o, s:o}", "title", part_json_text(t->title), "axis",
                     axis_names[t->group_axis], "metrics", list_table_metrics(spec, failed), "base",
                     spec->normalise_by ? learner_number(o, spec->normalise_by) : -1, "groups",
                     list_groups(o, t, spec, failed), "networks",
                     spec->n_networks ? list_networks(o, spec->networks, spec->n_networks, failed) : json_null(),
                     "sizes", spec->n_samples ? list_sizes(spec->samples, spec->n_samples, failed) : json_null(),
                     "sigmas", spec->n_sigmas ? list_sigmas(spec->sigmas, spec->n_sigmas, failed) : json_null(),
                     "pools", list_pools(o, spec, failed));
}

/* `number` is that of the table on the page; -1 without one. */
static status add_jobs(const experiment_outputs *outputs, const table *t, const metric_table_spec *spec,
                       part_output *out, long *number, error_info *err) {
    bool failed = false;
    *number = -1;
    if (!out->with_page)
        return STATUS_OK;
    if (!out->tables)
        out->tables = json_array();
    *number = (long)json_array_size(out->tables);
    add(out->tables, spec ? table_object(outputs, t, spec, &failed) : json_null(), &failed);
    return failed ? error_out_of_memory(err) : STATUS_OK;
}

status table_make(const part_context *c, const declared_part *p, const metric_table_spec *jobs, part_output *out,
                  error_info *err) {
    error_info why = {0};
    AUTO(table_clear) table t = {0};
    long number = -1;
    status answer = p->kind->tabulate(c, p->options, out, &t, &why);
    if (answer != STATUS_OK)
        return part_judge(out, "", answer, &why, err);
    CHECK(add_jobs(c->outputs, &t, jobs, out, &number, err));
    return table_show(&t, number, out, err);
}
