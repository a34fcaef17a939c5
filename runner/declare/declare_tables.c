/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables that an experiment declares. */
#include "runner/declare/declare_internal.h"

#include "core/base/text.h"
#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

static const table_spec table_initial = {.rows = AXIS_SAMPLES,
                                         .columns = AXIS_LEARNER,
                                         .aggregate = AGGREGATE_MEDIAN,
                                         .ratio = RATIO_OF_MEANS,
                                         .failures = FAILURES_DROP_DATASET,
                                         .decimals = -1};

static status read_choice(const yaml_node *map, const char *key, const char *choices, int *out, error_info *err) {
    const yaml_node *node = yaml_get(map, key);
    return node ? field_choice(node, key, choices, out, err) : STATUS_OK;
}

static status read_table_choices(const yaml_node *node, table_spec *t, error_info *err) {
    int rows = (int)t->rows, columns = (int)t->columns, aggregate = (int)t->aggregate, ratio = (int)t->ratio,
        failures = (int)t->failures;
    status st = STATUS_OK;
    CHECK(read_choice(node, "rows", TABLE_AXIS_CHOICES, &rows, err));
    CHECK(read_choice(node, "columns", TABLE_AXIS_CHOICES, &columns, err));
    CHECK(read_choice(node, "aggregate", TABLE_AGGREGATE_CHOICES, &aggregate, err));
    CHECK(read_choice(node, "ratio", RATIO_ORDER_CHOICES, &ratio, err));
    CHECK(read_choice(node, "failures", FAILURE_POLICY_CHOICES, &failures, err));
    t->rows = (table_axis)rows;
    t->columns = (table_axis)columns;
    t->aggregate = (table_aggregate)aggregate;
    t->ratio = (ratio_order)ratio;
    t->failures = (failure_policy)failures;
    if (t->aggregate == AGGREGATE_MEAN_RANK && !yaml_get(node, "failures"))
        t->failures = FAILURES_WORST;
    if (t->aggregate == AGGREGATE_MEAN_RANK && yaml_get(node, "normalise_by"))
        return yaml_fail(yaml_get(node, "normalise_by"), err, "mean ranks are not normalised; leave normalise_by out");
    if (t->rows == t->columns)
        st = yaml_fail(node, err, "rows and columns of this table are both %s; they must differ",
                       t->rows == AXIS_SAMPLES   ? "samples"
                       : t->rows == AXIS_NETWORK ? "network"
                       : t->rows == AXIS_SIGMA   ? "sigma"
                                                 : "learner");
    else if (t->rows != AXIS_LEARNER && t->columns != AXIS_LEARNER)
        st = yaml_fail(node, err, "of rows and columns of a table one must be learner");
    return st;
}

static status read_table_texts(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    const yaml_node *title = yaml_get(node, "title"), *base = yaml_get(node, "normalise_by"),
                    *published = yaml_get(node, "published"), *as = yaml_get(node, "published_metric"),
                    *decimals = yaml_get(node, "decimals");
    uint64_t places = 0;
    if (title)
        CHECK(field_line(title, "title", &t->title, err));
    if (base)
        CHECK(declare_read_learner_id(base, "normalise_by", e, &t->normalise_by, err));
    if (published)
        CHECK(field_name(published, "published", &t->published, err));
    if (as)
        CHECK(field_line(as, "published_metric", &t->published_metric, err));
    if (decimals) {
        CHECK(field_whole(decimals, "decimals", 0, 10, &places, err));
        t->decimals = (int)places;
    }
    return STATUS_OK;
}

static status read_share(const yaml_node *node, const char *what, double *out, error_info *err) {
    double value = 0;
    if (node->kind != YAML_TEXT || node->is_quoted || !text_to_double(node->text, &value) || !(value >= 0))
        return yaml_fail(node, err, "%s must be a number from 0 on", what);
    *out = value;
    return STATUS_OK;
}

/* How near a figure must come to the published one. */
static status read_within(const yaml_node *node, table_spec *t, error_info *err) {
    static const char *const known[] = {"relative", "absolute", NULL};
    const yaml_node *relative = yaml_get(node, "relative"), *absolute = yaml_get(node, "absolute");
    CHECK(field_mapping(node, "within", known, err));
    if (!relative && !absolute)
        return yaml_fail(node, err, "within needs 'relative' (0.15 for 15%%), 'absolute' or both; either will do");
    if (relative)
        CHECK(read_share(relative, "relative", &t->within_relative, err));
    if (absolute)
        CHECK(read_share(absolute, "absolute", &t->within_absolute, err));
    t->has_within = true;
    return STATUS_OK;
}

/* Sizes that the experiment (in this profile) does not run are shown as not run. */
static status read_table_samples(const yaml_node *node, table_spec *t, error_info *err) {
    size_t n = 0;
    CHECK(field_items(node, "samples", MOST_OUTPUTS, &n, err));
    CHECK_ALLOC(t->samples = calloc(n, sizeof *t->samples));
    for (size_t i = 0; i < n; i++) {
        uint64_t size = 0;
        CHECK(field_whole(field_item(node, i), "samples", 1, UINT32_MAX, &size, err));
        t->samples[t->n_samples++] = (size_t)size;
    }
    return STATUS_OK;
}

/* Noise levels of the experiment, each once. */
static status read_table_sigmas(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    size_t n = 0;
    CHECK(field_items(node, "sigma", MOST_SIGMAS, &n, err));
    CHECK_ALLOC(t->sigmas = calloc(n, sizeof *t->sigmas));
    for (size_t i = 0; i < n; i++) {
        double sigma = 0;
        CHECK(declare_read_sigma(field_item(node, i), "sigma", &sigma, err));
        if (e->outputs.n_sigmas && !outputs_is_among(sigma, e->outputs.sigmas, e->outputs.n_sigmas))
            return yaml_fail(field_item(node, i), err, "sigma is no noise level of this experiment");
        if (outputs_is_among(sigma, t->sigmas, t->n_sigmas))
            return yaml_fail(field_item(node, i), err, "this noise level is named twice");
        t->sigmas[t->n_sigmas++] = sigma;
    }
    return STATUS_OK;
}

static bool is_listed(char *const *names, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

/* A learner goes into one pool at most, and the table must show it. */
static status check_pool(const yaml_node *node, const table_spec *t, size_t at, const experiment *e, error_info *err) {
    const learner_pool *pool = &t->pools[at];
    if (outputs_find_learner(&e->outputs, pool->id) < e->outputs.n_learners)
        return yaml_fail(node, err, "the pool '%.60s' has the name of a learner", pool->id);
    for (size_t k = 0; k < pool->n_parts; k++) {
        if (t->n_learners && !is_listed(t->learners, t->n_learners, pool->parts[k]))
            return yaml_fail(node, err, "'%.60s' is not among the learners of this table", pool->parts[k]);
        for (size_t i = 0; i < at; i++) {
            if (is_listed(t->pools[i].parts, t->pools[i].n_parts, pool->parts[k]))
                return yaml_fail(node, err, "'%.60s' stands in two pools", pool->parts[k]);
        }
    }
    return STATUS_OK;
}

/* {NAME: [LEARNER, ...], ...}: learners whose figures are shown as one, their mean. */
static status read_table_pools(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    if (node->kind != YAML_MAP || node->n == 0 || node->n > MOST_VARIANTS)
        return yaml_fail(node, err, "pool must be a mapping of names to lists of learners: {both: [one, other]}");
    CHECK_ALLOC(t->pools = calloc(node->n, sizeof *t->pools));
    for (size_t i = 0; i < node->n; i++) {
        learner_pool *pool = &t->pools[i];
        t->n_pools = i + 1;
        CHECK_ALLOC(pool->id = text_copy(node->keys[i]->text));
        CHECK(
            declare_read_names(node->items[i], "pool", e, declare_read_learner_id, &pool->parts, &pool->n_parts, err));
        CHECK(check_pool(node->items[i], t, i, e, err));
    }
    return STATUS_OK;
}

static status read_table_lists(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    const yaml_node *learners = yaml_get(node, "learners"), *sum_of = yaml_get(node, "sum_of"),
                    *within = yaml_get(node, "within"), *samples = yaml_get(node, "samples"),
                    *networks = yaml_get(node, "networks"), *sigma = yaml_get(node, "sigma"),
                    *pool = yaml_get(node, "pool");
    if (networks)
        CHECK(declare_read_names(networks, "networks", e, declare_read_network_id, &t->networks, &t->n_networks, err));
    if (learners)
        CHECK(declare_read_names(learners, "learners", e, declare_read_learner_id, &t->learners, &t->n_learners, err));
    if (sum_of)
        CHECK(declare_read_names(sum_of, "sum_of", e, declare_read_metric, &t->sum_of, &t->n_sum_of, err));
    if (samples)
        CHECK(read_table_samples(samples, t, err));
    if (sigma)
        CHECK(read_table_sigmas(sigma, e, t, err));
    if (pool)
        CHECK(read_table_pools(pool, e, t, err));
    if (within)
        CHECK(read_within(within, t, err));
    return STATUS_OK;
}

static status read_network_table(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    static const char *const known[] = {"id", "kind", "title", "published", "decimals", "within", NULL};
    CHECK(field_mapping(node, "a table of networks", known, err));
    CHECK(read_table_texts(node, e, t, err));
    return read_table_lists(node, e, t, err);
}

static status read_policy_table(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    CHECK(declare_policy_table(node, e, t, err));
    CHECK(read_table_texts(node, e, t, err));
    return read_table_lists(node, e, t, err);
}

static status read_metric_table(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    static const char *const known[] = {
        "id",           "kind",      "title", "metric",   "sum_of", "rows",      "columns",          "learners",
        "normalise_by", "aggregate", "ratio", "failures", "within", "published", "published_metric", "decimals",
        "samples",      "networks",  "sigma", "pool",     NULL};
    const yaml_node *metric = yaml_get(node, "metric"), *sigma = yaml_get(node, "sigma");
    CHECK(field_mapping(node, "a table", known, err));
    if (!metric)
        return yaml_fail(node, err, "a table needs an 'id' and a 'metric'");
    CHECK(declare_read_metric(metric, "metric", e, &t->metric, err));
    CHECK(read_table_choices(node, t, err));
    CHECK(read_table_texts(node, e, t, err));
    CHECK(read_table_lists(node, e, t, err));
    if ((sigma || t->rows == AXIS_SIGMA || t->columns == AXIS_SIGMA) && e->outputs.n_sigmas == 0)
        return yaml_fail(sigma ? sigma : node, err,
                         "this experiment has no noise levels; data.continuize declares them");
    return STATUS_OK;
}

static status read_table(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    const yaml_node *id = yaml_get(node, "id");
    int kind = TABLE_OF_METRIC;
    if (node->kind != YAML_MAP || !id)
        return yaml_fail(node, err, "a table is a mapping with an 'id' and a 'metric'");
    CHECK(field_name(id, "id", &t->id, err));
    CHECK(read_choice(node, "kind", TABLE_KIND_CHOICES, &kind, err));
    t->kind = (table_kind)kind;
    return kind == TABLE_OF_NETWORKS   ? read_network_table(node, e, t, err)
           : kind == TABLE_OF_POLICIES ? read_policy_table(node, e, t, err)
                                       : read_metric_table(node, e, t, err);
}

/* Without `tables`: one for each metric. */
static status default_tables(experiment *e, error_info *err) {
    experiment_outputs *o = &e->outputs;
    o->tables = calloc(e->n_metrics, sizeof *o->tables);
    if (!o->tables)
        return error_out_of_memory(err);
    for (size_t i = 0; i < e->n_metrics; i++) {
        o->tables[i] = table_initial;
        o->n_tables = i + 1;
        o->tables[i].id = text_copy(e->metrics[i]);
        o->tables[i].metric = text_copy(e->metrics[i]);
        if (!o->tables[i].id || !o->tables[i].metric)
            return error_out_of_memory(err);
    }
    return STATUS_OK;
}

status declare_tables(const yaml_node *node, experiment *e, error_info *err) {
    experiment_outputs *o = &e->outputs;
    size_t n = 0;
    status st = STATUS_OK;
    if (!node)
        return default_tables(e, err);
    if (declare_is_none(node))
        return STATUS_OK;
    CHECK(field_items(node, "tables", MOST_OUTPUTS, &n, err));
    o->tables = calloc(n, sizeof *o->tables);
    if (!o->tables)
        return error_out_of_memory(err);
    for (size_t i = 0; i < n && st == STATUS_OK; i++) {
        o->tables[i] = table_initial;
        o->n_tables = i + 1;
        st = read_table(field_item(node, i), e, &o->tables[i], err);
        if (st == STATUS_OK)
            st = declare_check_id(field_item(node, i), o->tables[i].id, o, i, 0, err);
    }
    return st;
}
