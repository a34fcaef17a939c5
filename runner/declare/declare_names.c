/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names by which one part of a declaration refers to another: metrics, learners, networks. */
#include "runner/declare/declare_internal.h"

#include "core/base/array.h"
#include "core/base/text.h"
#include "metrics/distances/metric.h"
#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

static bool is_listed(const experiment *e, const char *name) {
    for (size_t i = 0; i < e->n_metrics; i++) {
        if (strcmp(e->metrics[i], name) == 0)
            return true;
    }
    return false;
}

status declare_read_metric(const yaml_node *node, const char *what, const experiment *e, char **out, error_info *err) {
    const char *name = NULL, *near;
    const metric_info *metric;
    CHECK(field_text(node, what, &name, err));
    metric = metric_find(name);
    near = metric_suggest(name);
    if (!metric && near)
        return yaml_fail(node, err, "unknown metric '%.60s'; did you mean '%s'?", name, near);
    if (!metric)
        return yaml_fail(node, err, "unknown metric '%.60s'; `bnbench list metrics` names them", name);
    if (metric->needs_test && e->test_samples == 0)
        return yaml_fail(node, err, "%s needs test rows; data.test_samples is 0", name);
    if (metric->is_on_request && strcmp(what, "a metric") != 0 && !is_listed(e, name))
        return yaml_fail(node, err, "%s is computed only where 'metrics' lists it, and here it does not", name);
    free(*out);
    *out = text_copy(name);
    return *out ? STATUS_OK : error_out_of_memory(err);
}

status declare_read_learner_id(const yaml_node *node, const char *what, const experiment *e, char **out,
                               error_info *err) {
    const char *id = NULL;
    char hint[300];
    CHECK(field_text(node, what, &id, err));
    if (outputs_find_learner(&e->outputs, id) < e->outputs.n_learners) {
        free(*out);
        *out = text_copy(id);
        return *out ? STATUS_OK : error_out_of_memory(err);
    }
    return yaml_fail(
        node, err, "%s is '%.60s', which is no learner of this experiment%s", what, id,
        field_suggestion(id, (const char *const *)e->outputs.learners, e->outputs.n_learners, hint, sizeof hint));
}

status declare_read_network_id(const yaml_node *node, const char *what, const experiment *e, char **out,
                               error_info *err) {
    const experiment_outputs *o = &e->outputs;
    const char *name = NULL;
    char hint[300];
    CHECK(field_text(node, what, &name, err));
    for (size_t i = 0; i < o->n_networks; i++) {
        if (strcmp(o->networks[i], name) == 0) {
            *out = text_copy(name);
            return *out ? STATUS_OK : error_out_of_memory(err);
        }
    }
    return yaml_fail(node, err, "%s names '%.60s', which is no network of this experiment%s", what, name,
                     field_suggestion(name, (const char *const *)o->networks, o->n_networks, hint, sizeof hint));
}

status declare_read_names(const yaml_node *node, const char *what, const experiment *e,
                          status (*read)(const yaml_node *, const char *, const experiment *, char **, error_info *),
                          char ***names, size_t *n, error_info *err) {
    size_t n_wanted = 0;
    CHECK(field_items(node, what, MOST_VARIANTS, &n_wanted, err));
    CHECK_ALLOC(*names = calloc(n_wanted + 1, sizeof **names));
    for (size_t i = 0; i < n_wanted; i++) {
        CHECK(read(field_item(node, i), what, e, &(*names)[i], err));
        ++*n;
        for (size_t k = 0; k < i; k++) {
            if (strcmp((*names)[k], (*names)[i]) == 0)
                return yaml_fail(field_item(node, i), err, "'%s' stands here a second time", (*names)[i]);
        }
    }
    return STATUS_OK;
}

status declare_learner_id(const yaml_node *entry, const char *id, experiment *e, error_info *err) {
    experiment_outputs *o = &e->outputs;
    if (strlen(id) > 200)
        return yaml_fail(entry, err, "a learner's id has %zu bytes; it may have 200", strlen(id));
    if (outputs_find_learner(o, id) < o->n_learners)
        return yaml_fail(entry, err,
                         "the learner id '%.100s' stands here a second time; give this one an 'id' of its own", id);
    if (o->n_learners == MOST_VARIANTS)
        return yaml_fail(entry, err, "more than %d learners", MOST_VARIANTS);
    CHECK(array_resize(&o->is_hidden, o->n_learners + 1, sizeof *o->is_hidden, err));
    o->is_hidden[o->n_learners] = false;
    return texts_add(&o->learners, &o->n_learners, id, err);
}

status declare_read_texts(const yaml_node *node, const char *what, size_t most, char ***out, size_t *n,
                          error_info *err) {
    size_t n_items = 0;
    if (!node)
        return STATUS_OK;
    CHECK(field_items(node, what, most, &n_items, err));
    for (size_t i = 0; i < n_items; i++) {
        const char *text = NULL;
        CHECK(field_text(field_item(node, i), what, &text, err));
        CHECK(texts_add(out, n, text, err));
    }
    return STATUS_OK;
}
