/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an experiment reports: metrics, tables, plots. */
#include "experiments/runner/declare_internal.h"

#include "experiments/runner/fields_internal.h"
#include "metrics/metric.h"

#include <stdlib.h>
#include <string.h>

/* A metric that exists and that this experiment can have. A copy on the heap. */
static status read_metric(const yaml_node *node, const char *what, const experiment *e, char **out, error_info *err) {
    const char *name = NULL, *near;
    const metric_info *metric;
    status st = field_text(node, what, &name, err);
    if (st != STATUS_OK)
        return st;
    metric = metric_find(name);
    near = metric_suggest(name);
    if (!metric && near)
        return yaml_fail(node, err, "unknown metric '%.60s'; did you mean '%s'?", name, near);
    if (!metric)
        return yaml_fail(node, err, "unknown metric '%.60s'; `bnbench list metrics` names them", name);
    if (metric->needs_test && e->test_samples == 0)
        return yaml_fail(node, err, "%s needs test rows; data.test_samples is 0", name);
    free(*out);
    *out = text_copy(name);
    return *out ? STATUS_OK : error_out_of_memory(err);
}

/* The id of a learner of this experiment. A copy on the heap. */
static status read_learner_id(const yaml_node *node, const char *what, const experiment *e, char **out,
                              error_info *err) {
    const char *id = NULL;
    char hint[300];
    status st = field_text(node, what, &id, err);
    if (st != STATUS_OK)
        return st;
    for (size_t i = 0; i < e->n_variants; i++) {
        if (strcmp(e->variants[i].id, id) == 0) {
            free(*out);
            *out = text_copy(id);
            return *out ? STATUS_OK : error_out_of_memory(err);
        }
    }
    return yaml_fail(node, err, "%s is '%.60s', which is no learner of this experiment%s", what, id,
                     field_suggestion(id, (const char *const *)e->outputs.learners, e->n_variants, hint, sizeof hint));
}

static status take_metric(experiment *e, char *name, error_info *err) {
    char **grown = realloc(e->metrics, (e->n_metrics + 1) * sizeof *grown);
    if (!grown || !name) {
        free(name);
        if (grown)
            e->metrics = grown;
        return error_out_of_memory(err);
    }
    e->metrics = grown;
    e->metrics[e->n_metrics++] = name;
    return STATUS_OK;
}

static status default_metrics(experiment *e, error_info *err) {
    static const char *const usual[] = {"time", "shd", "bdeu_test", "statistics"};
    status st = STATUS_OK;
    for (size_t i = 0; i < sizeof usual / sizeof *usual && st == STATUS_OK; i++) {
        if (e->test_samples > 0 || !metric_find(usual[i])->needs_test)
            st = take_metric(e, text_copy(usual[i]), err);
    }
    return st;
}

status declare_metrics(const yaml_node *node, experiment *e, error_info *err) {
    size_t n = 0;
    status st;
    if (!node)
        return default_metrics(e, err);
    st = field_items(node, "metrics", MOST_OUTPUTS, &n, err);
    for (size_t i = 0; i < n && st == STATUS_OK; i++) {
        const yaml_node *item = field_item(node, i);
        char *name = NULL;
        st = read_metric(item, "a metric", e, &name, err);
        for (size_t k = 0; st == STATUS_OK && k < e->n_metrics; k++) {
            if (strcmp(e->metrics[k], name) == 0)
                st = yaml_fail(item, err, "the metric '%s' stands here a second time", name);
        }
        if (st == STATUS_OK)
            st = take_metric(e, name, err);
        else
            free(name);
    }
    return st;
}

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
        TRY(read_learner_id(base, "normalise_by", e, &t->normalise_by, err));
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

static status read_table(const yaml_node *node, const experiment *e, table_spec *t, error_info *err) {
    static const char *const known[] = {
        "id",       "title",     "metric",           "rows",     "columns", "normalise_by", "aggregate", "ratio",
        "failures", "published", "published_metric", "decimals", NULL};
    const yaml_node *id = yaml_get(node, "id"), *metric = yaml_get(node, "metric");
    status st = field_mapping(node, "a table", known, err);
    if (st != STATUS_OK)
        return st;
    if (!id || !metric)
        return yaml_fail(node, err, "a table needs an 'id' and a 'metric'");
    TRY(field_name(id, "id", &t->id, err));
    TRY(read_metric(metric, "metric", e, &t->metric, err));
    TRY(read_table_choices(node, t, err));
    TRY(read_table_texts(node, e, t, err));
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

static status check_output_id(const yaml_node *node, const char *id, const experiment_outputs *o, size_t n_tables,
                              size_t n_plots, error_info *err) {
    bool is_there = false;
    for (size_t i = 0; i < n_tables; i++)
        is_there = is_there || strcmp(o->tables[i].id, id) == 0;
    for (size_t i = 0; i < n_plots; i++)
        is_there = is_there || strcmp(o->plots[i].id, id) == 0;
    return is_there ? yaml_fail(yaml_get(node, "id"), err, "the id '%s' stands here a second time", id) : STATUS_OK;
}

/* `tables: []` is the wish for none. */
static bool is_empty_list(const yaml_node *node) {
    return node->kind == YAML_LIST && node->n == 0;
}

status declare_tables(const yaml_node *node, experiment *e, error_info *err) {
    experiment_outputs *o = &e->outputs;
    size_t n = 0;
    status st;
    if (!node)
        return default_tables(e, err);
    if (is_empty_list(node))
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
            st = check_output_id(field_item(node, i), o->tables[i].id, o, i, 0, err);
    }
    return st;
}

static status read_plot_axes(const yaml_node *node, const experiment *e, plot_spec *p, error_info *err) {
    const yaml_node *x = yaml_get(node, "x"), *y = yaml_get(node, "y");
    bool is_line = p->kind == PLOT_LINE;
    if (!y || (!x && !is_line))
        return yaml_fail(node, err, "a plot needs %s", is_line ? "'y', a metric" : "'x' and 'y', both metrics");
    if (is_line && (!x || (x->kind == YAML_TEXT && strcmp(x->text, "samples") == 0)))
        p->x = text_copy("samples");
    else if (is_line)
        return yaml_fail(x, err, "the x of a line plot is 'samples'");
    else {
        status st = read_metric(x, "x", e, &p->x, err);
        if (st != STATUS_OK)
            return st;
    }
    return p->x ? read_metric(y, "y", e, &p->y, err) : error_out_of_memory(err);
}

static status read_plot(const yaml_node *node, const experiment *e, plot_spec *p, error_info *err) {
    static const char *const known[] = {"id", "title", "kind", "x", "y", "normalise_by", "log_x", "log_y", NULL};
    const yaml_node *id = yaml_get(node, "id"), *title = yaml_get(node, "title"), *kind_node = yaml_get(node, "kind"),
                    *base = yaml_get(node, "normalise_by"), *log_x = yaml_get(node, "log_x"),
                    *log_y = yaml_get(node, "log_y");
    int kind = 0;
    status st = field_mapping(node, "a plot", known, err);
    if (st != STATUS_OK)
        return st;
    if (!id || !kind_node)
        return yaml_fail(node, err, "a plot needs an 'id' and a 'kind' (" PLOT_KIND_CHOICES ")");
    TRY(field_name(id, "id", &p->id, err));
    TRY(field_choice(kind_node, "kind", PLOT_KIND_CHOICES, &kind, err));
    p->kind = (plot_kind)kind;
    TRY(read_plot_axes(node, e, p, err));
    if (title)
        TRY(field_line(title, "title", &p->title, err));
    if (base)
        TRY(read_learner_id(base, "normalise_by", e, &p->normalise_by, err));
    if (log_x)
        TRY(field_bool(log_x, "log_x", &p->log_x, err));
    if (log_y)
        TRY(field_bool(log_y, "log_y", &p->log_y, err));
cleanup:
    return st;
}

status declare_plots(const yaml_node *node, experiment *e, error_info *err) {
    experiment_outputs *o = &e->outputs;
    size_t n = 0;
    status st;
    if (!node || is_empty_list(node))
        return STATUS_OK;
    st = field_items(node, "plots", MOST_OUTPUTS, &n, err);
    if (st != STATUS_OK)
        return st;
    o->plots = calloc(n, sizeof *o->plots);
    if (!o->plots)
        return error_out_of_memory(err);
    for (size_t i = 0; i < n && st == STATUS_OK; i++) {
        o->n_plots = i + 1;
        st = read_plot(field_item(node, i), e, &o->plots[i], err);
        if (st == STATUS_OK)
            st = check_output_id(field_item(node, i), o->plots[i].id, o, o->n_tables, i, err);
    }
    return st;
}
