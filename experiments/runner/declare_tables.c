/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables that an experiment declares. */
#include "experiments/runner/declare_internal.h"

#include "core/text.h"
#include "experiments/runner/fields_internal.h"

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
    TRY(read_choice(node, "rows", TABLE_AXIS_CHOICES, &rows, err));
    TRY(read_choice(node, "columns", TABLE_AXIS_CHOICES, &columns, err));
    TRY(read_choice(node, "aggregate", TABLE_AGGREGATE_CHOICES, &aggregate, err));
    TRY(read_choice(node, "ratio", RATIO_ORDER_CHOICES, &ratio, err));
    TRY(read_choice(node, "failures", FAILURE_POLICY_CHOICES, &failures, err));
    t->rows = (table_axis)rows;
    t->columns = (table_axis)columns;
    t->aggregate = (table_aggregate)aggregate;
    t->ratio = (ratio_order)ratio;
    t->failures = (failure_policy)failures;
    if (t->aggregate == AGGREGATE_MEAN_RANK && !yaml_get(node, "failures"))
        t->failures = FAILURES_WORST;
    if (t->aggregate == AGGREGATE_MEAN_RANK && yaml_get(node, "normalise_by"))
        TRY(yaml_fail(yaml_get(node, "normalise_by"), err, "mean ranks are not normalised; leave normalise_by out"));
    if (t->rows == t->columns)
        st = yaml_fail(node, err, "rows and columns of this table are both %s; they must differ",
                       t->rows == AXIS_SAMPLES   ? "samples"
                       : t->rows == AXIS_NETWORK ? "network"
                                                 : "learner");
cleanup:
    return st;
}

static status read_table_texts(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    const yaml_node *title = yaml_get(node, "title"), *base = yaml_get(node, "normalise_by"),
                    *published = yaml_get(node, "published"), *as = yaml_get(node, "published_metric"),
                    *decimals = yaml_get(node, "decimals");
    uint64_t places = 0;
    status st = STATUS_OK;
    if (title)
        TRY(field_line(title, "title", &t->title, err));
    if (base)
        TRY(declare_read_learner_id(base, "normalise_by", e, &t->normalise_by, err));
    if (published)
        TRY(field_name(published, "published", &t->published, err));
    if (as)
        TRY(field_line(as, "published_metric", &t->published_metric, err));
    if (decimals) {
        TRY(field_whole(decimals, "decimals", 0, 10, &places, err));
        t->decimals = (int)places;
    }
cleanup:
    return st;
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
    status st = STATUS_OK;
    TRY(field_mapping(node, "within", known, err));
    if (!relative && !absolute)
        TRY(yaml_fail(node, err, "within needs 'relative' (0.15 for 15%%), 'absolute' or both; either will do"));
    if (relative)
        TRY(read_share(relative, "relative", &t->within_relative, err));
    if (absolute)
        TRY(read_share(absolute, "absolute", &t->within_absolute, err));
    t->has_within = true;
cleanup:
    return st;
}

/* Sizes that the experiment (in this profile) does not run are shown as not run. */
static status read_table_samples(const yaml_node *node, table_spec *t, error_info *err) {
    size_t n = 0;
    status st = field_items(node, "samples", MOST_OUTPUTS, &n, err);
    if (st != STATUS_OK)
        return st;
    TRY_ALLOC(t->samples = calloc(n, sizeof *t->samples));
    for (size_t i = 0; i < n; i++) {
        uint64_t size = 0;
        TRY(field_whole(field_item(node, i), "samples", 1, UINT32_MAX, &size, err));
        t->samples[t->n_samples++] = (size_t)size;
    }
cleanup:
    return st;
}

static status read_table_lists(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    const yaml_node *learners = yaml_get(node, "learners"), *sum_of = yaml_get(node, "sum_of"),
                    *within = yaml_get(node, "within"), *samples = yaml_get(node, "samples"),
                    *networks = yaml_get(node, "networks");
    status st = STATUS_OK;
    if (networks)
        TRY(declare_read_names(networks, "networks", e, declare_read_network_id, &t->networks, &t->n_networks, err));
    if (learners)
        TRY(declare_read_names(learners, "learners", e, declare_read_learner_id, &t->learners, &t->n_learners, err));
    if (sum_of)
        TRY(declare_read_names(sum_of, "sum_of", e, declare_read_metric, &t->sum_of, &t->n_sum_of, err));
    if (samples)
        TRY(read_table_samples(samples, t, err));
    if (within)
        TRY(read_within(within, t, err));
cleanup:
    return st;
}

static status read_network_table(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    static const char *const known[] = {"id", "kind", "title", "published", "decimals", "within", NULL};
    status st = STATUS_OK;
    TRY(field_mapping(node, "a table of networks", known, err));
    TRY(read_table_texts(node, e, t, err));
    TRY(read_table_lists(node, e, t, err));
cleanup:
    return st;
}

static status read_metric_table(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    static const char *const known[] = {
        "id",           "kind",      "title", "metric",   "sum_of", "rows",      "columns",          "learners",
        "normalise_by", "aggregate", "ratio", "failures", "within", "published", "published_metric", "decimals",
        "samples",      "networks",  NULL};
    const yaml_node *metric = yaml_get(node, "metric");
    status st = STATUS_OK;
    TRY(field_mapping(node, "a table", known, err));
    if (!metric)
        TRY(yaml_fail(node, err, "a table needs an 'id' and a 'metric'"));
    TRY(declare_read_metric(metric, "metric", e, &t->metric, err));
    TRY(read_table_choices(node, t, err));
    TRY(read_table_texts(node, e, t, err));
    TRY(read_table_lists(node, e, t, err));
cleanup:
    return st;
}

static status read_table(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    const yaml_node *id = yaml_get(node, "id");
    int kind = TABLE_OF_METRIC;
    status st = STATUS_OK;
    if (node->kind != YAML_MAP || !id)
        return yaml_fail(node, err, "a table is a mapping with an 'id' and a 'metric'");
    TRY(field_name(id, "id", &t->id, err));
    TRY(read_choice(node, "kind", TABLE_KIND_CHOICES, &kind, err));
    t->kind = (table_kind)kind;
    TRY(kind == TABLE_OF_NETWORKS ? read_network_table(node, e, t, err) : read_metric_table(node, e, t, err));
cleanup:
    return st;
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
    status st;
    if (!node)
        return default_tables(e, err);
    if (declare_is_none(node))
        return STATUS_OK;
    st = field_items(node, "tables", MOST_OUTPUTS, &n, err);
    if (st != STATUS_OK)
        return st;
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
