/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an experiment reports: metrics and plots; what tables and tests share. */
#include "runner/declare/declare_internal.h"

#include "metrics/distances/metric.h"
#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

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
        st = declare_read_metric(item, "a metric", e, &name, err);
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

status declare_check_id(const yaml_node *node, const char *id, const experiment_outputs *o, size_t n_tables,
                        size_t n_plots, error_info *err) {
    bool is_there = false;
    for (size_t i = 0; i < n_tables; i++)
        is_there = is_there || strcmp(o->tables[i].id, id) == 0;
    for (size_t i = 0; i < o->n_tests; i++)
        is_there = is_there || strcmp(o->tests[i].id, id) == 0;
    for (size_t i = 0; i < n_plots; i++)
        is_there = is_there || strcmp(o->plots[i].id, id) == 0;
    return is_there ? yaml_fail(yaml_get(node, "id"), err, "the id '%s' stands here a second time", id) : STATUS_OK;
}

/* `tables: []` is the wish for none. */
bool declare_is_none(const yaml_node *node) {
    return node->kind == YAML_LIST && node->n == 0;
}

/* A critical difference: the id of a Friedman test of this experiment. */
static status read_plot_test(const yaml_node *node, const experiment *e, plot_spec *p, error_info *err) {
    static const char *const known[] = {"id", "title", "kind", "test", "style", NULL};
    const yaml_node *test = yaml_get(node, "test");
    const char *id = NULL;
    status st = STATUS_OK;
    CHECK(field_mapping(node, "a plot of a critical difference", known, err));
    if (!test)
        return yaml_fail(node, err, "a plot of a critical difference needs 'test', the id of a friedman test");
    CHECK(field_text(test, "test", &id, err));
    for (size_t i = 0; i < e->outputs.n_tests; i++) {
        if (strcmp(e->outputs.tests[i].id, id) == 0 && e->outputs.tests[i].kind == TEST_FRIEDMAN) {
            CHECK_ALLOC(p->test = text_copy(id));
            return st;
        }
    }
    return yaml_fail(test, err, "test is '%.60s', which is no friedman test of this experiment", id);
}

static status read_plot_axes(const yaml_node *node, const experiment *e, plot_spec *p, error_info *err) {
    const yaml_node *x = yaml_get(node, "x"), *y = yaml_get(node, "y");
    bool is_line = p->kind == PLOT_LINE,
         is_sigma = is_line && x && x->kind == YAML_TEXT && strcmp(x->text, "sigma") == 0;
    int aggregate = 0;
    status st = STATUS_OK;
    if (yaml_get(node, "test"))
        return yaml_fail(yaml_get(node, "test"), err, "'test' belongs to a plot of kind critical_difference");
    if (!y || (!x && !is_line))
        return yaml_fail(node, err, "a plot needs %s", is_line ? "'y', a metric" : "'x' and 'y', both metrics");
    if (yaml_get(node, "samples"))
        st = declare_read_plot_samples(yaml_get(node, "samples"), e, p, err);
    if (st == STATUS_OK && yaml_get(node, "aggregate"))
        st = field_choice(yaml_get(node, "aggregate"), "aggregate", "median|mean", &aggregate, err);
    if (st != STATUS_OK)
        return st;
    p->use_means = aggregate == 1;
    if (is_sigma && e->outputs.n_sigmas == 0)
        return yaml_fail(x, err, "this experiment has no noise levels; data.continuize declares them");
    if (is_sigma)
        p->x = text_copy("sigma");
    else if (is_line && (!x || (x->kind == YAML_TEXT && strcmp(x->text, "samples") == 0)))
        p->x = text_copy("samples");
    else if (is_line)
        return yaml_fail(x, err, "the x of a line plot is 'samples' or 'sigma'");
    else {
        CHECK(declare_read_metric(x, "x", e, &p->x, err));
    }
    return p->x ? declare_read_metric(y, "y", e, &p->y, err) : error_out_of_memory(err);
}

/* The series is the learner's own name for it, so any name will do. */
static status read_plot_trace(const yaml_node *node, const experiment *e, plot_spec *p, error_info *err) {
    static const char *const known[] = {"id", "title", "kind", "y", "level", "learners", "log_x", "style", NULL};
    const yaml_node *y = yaml_get(node, "y"), *level = yaml_get(node, "level");
    status st = STATUS_OK;
    CHECK(field_mapping(node, "a plot of a trace", known, err));
    if (!y)
        return yaml_fail(node, err, "a plot of a trace needs 'y', a series such as best_score");
    st = field_name(y, "y", &p->y, err);
    if (st == STATUS_OK && level)
        st = declare_read_metric(level, "level", e, &p->level, err);
    return st;
}

/* Box, heat map and growth: a metric at one sample size. */
static status read_plot_values(const yaml_node *node, const experiment *e, plot_spec *p, error_info *err) {
    static const char *const known[] = {"id",    "title", "kind",     "y",       "normalise_by",
                                        "log_y", "style", "learners", "samples", NULL};
    const yaml_node *y = yaml_get(node, "y"), *samples = yaml_get(node, "samples"),
                    *base = yaml_get(node, "normalise_by");
    CHECK(field_mapping(node, "a plot of kind box, heatmap or growth", known, err));
    if (!y)
        return yaml_fail(node, err, "a plot of kind box, heatmap or growth needs 'y', a metric");
    if (base && p->kind == PLOT_GROWTH)
        return yaml_fail(base, err, "a plot of kind growth is not normalised");
    CHECK(declare_read_metric(y, "y", e, &p->y, err));
    if (samples)
        CHECK(declare_read_plot_samples(samples, e, p, err));
    return STATUS_OK;
}

static status read_style(const yaml_node *node, plot_style *out, error_info *err) {
    static const char *const known[] = {"width", "height", "font_size", "key", NULL};
    const yaml_node *width = yaml_get(node, "width"), *height = yaml_get(node, "height"),
                    *font = yaml_get(node, "font_size"), *key = yaml_get(node, "key");
    uint64_t n = 0;
    int choice = 0;
    CHECK(field_mapping(node, "style", known, err));
    if (width) {
        CHECK(field_whole(width, "width", 200, 4000, &n, err));
        out->width = (size_t)n;
    }
    if (height) {
        CHECK(field_whole(height, "height", 150, 4000, &n, err));
        out->height = (size_t)n;
    }
    if (font) {
        CHECK(field_whole(font, "font_size", 6, 40, &n, err));
        out->font_size = (double)n;
    }
    if (key)
        CHECK(field_choice(key, "key", PLOT_KEY_CHOICES, &choice, err));
    out->key = (plot_key)choice;
    return STATUS_OK;
}

/* What the kind alone has. */
static status read_plot_kind(const yaml_node *node, const experiment *e, plot_spec *p, error_info *err) {
    const yaml_node *level = yaml_get(node, "level");
    if (p->kind == PLOT_TRACE)
        return read_plot_trace(node, e, p, err);
    if (p->kind == PLOT_NETWORK)
        return declare_network_plot(node, e, p, err);
    if (p->kind == PLOT_POLICY)
        return declare_policy_plot(node, e, p, err);
    if (p->kind == PLOT_BOX || p->kind == PLOT_HEATMAP || p->kind == PLOT_GROWTH)
        return read_plot_values(node, e, p, err);
    if (level)
        return yaml_fail(level, err, "'level' belongs to a plot of kind trace");
    return p->kind == PLOT_CRITICAL_DIFFERENCE ? read_plot_test(node, e, p, err) : read_plot_axes(node, e, p, err);
}

static status read_plot(const yaml_node *node, const experiment *e, plot_spec *p, error_info *err) {
    static const char *const known[] = {"id",        "title",   "kind",   "x",      "y",        "normalise_by",
                                        "log_x",     "log_y",   "test",   "level",  "learners", "network",
                                        "learner",   "samples", "target", "radius", "style",    "aggregate",
                                        "variables", "sigma",   NULL};
    const yaml_node *id = yaml_get(node, "id"), *title = yaml_get(node, "title"), *kind_node = yaml_get(node, "kind"),
                    *base = yaml_get(node, "normalise_by"), *log_x = yaml_get(node, "log_x"),
                    *log_y = yaml_get(node, "log_y"), *learners = yaml_get(node, "learners");
    int kind = 0;
    CHECK(field_mapping(node, "a plot", known, err));
    if (!id || !kind_node)
        return yaml_fail(node, err, "a plot needs an 'id' and a 'kind' (" PLOT_KIND_CHOICES ")");
    CHECK(field_name(id, "id", &p->id, err));
    CHECK(field_choice(kind_node, "kind", PLOT_KIND_CHOICES, &kind, err));
    p->kind = (plot_kind)kind;
    CHECK(read_plot_kind(node, e, p, err));
    if (yaml_get(node, "style"))
        CHECK(read_style(yaml_get(node, "style"), &p->style, err));
    if (title)
        CHECK(field_line(title, "title", &p->title, err));
    if (base)
        CHECK(declare_read_learner_id(base, "normalise_by", e, &p->normalise_by, err));
    if (learners)
        CHECK(declare_read_names(learners, "learners", e, declare_read_learner_id, &p->learners, &p->n_learners, err));
    if (log_x)
        CHECK(field_bool(log_x, "log_x", &p->log_x, err));
    if (log_y)
        CHECK(field_bool(log_y, "log_y", &p->log_y, err));
    return STATUS_OK;
}

status declare_plots(const yaml_node *node, experiment *e, error_info *err) {
    experiment_outputs *o = &e->outputs;
    size_t n = 0;
    status st = STATUS_OK;
    if (!node || declare_is_none(node))
        return STATUS_OK;
    CHECK(field_items(node, "plots", MOST_OUTPUTS, &n, err));
    o->plots = calloc(n, sizeof *o->plots);
    if (!o->plots)
        return error_out_of_memory(err);
    for (size_t i = 0; i < n && st == STATUS_OK; i++) {
        o->n_plots = i + 1;
        st = read_plot(field_item(node, i), e, &o->plots[i], err);
        if (st == STATUS_OK)
            st = declare_check_id(field_item(node, i), o->plots[i].id, o, o->n_tables, i, err);
    }
    return st;
}
