/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics that an experiment measures. */
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
