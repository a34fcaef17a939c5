/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics that an experiment measures. */
#include "runner/declare/declare_internal.h"

#include "core/base/text.h"
#include "metrics/distances/metric.h"
#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

static status default_metrics(experiment *e, error_info *err) {
    static const char *const usual[] = {"time", "shd", "bdeu_test", "statistics"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (e->test_samples > 0 || !metric_find(usual[i])->needs_test)
            CHECK(texts_add(&e->metrics, &e->n_metrics, usual[i], err));
    }
    return STATUS_OK;
}

status declare_metrics(const yaml_node *node, experiment *e, error_info *err) {
    size_t n = 0;
    if (!node)
        return default_metrics(e, err);
    CHECK(field_items(node, "metrics", MOST_OUTPUTS, &n, err));
    for (size_t i = 0; i < n; i++) {
        const yaml_node *item = field_item(node, i);
        AUTO_FREE char *name = NULL;
        CHECK(declare_read_metric(item, "a metric", e, &name, err));
        for (size_t k = 0; k < e->n_metrics; k++) {
            if (strcmp(e->metrics[k], name) == 0)
                return yaml_fail(item, err, "the metric '%s' stands here a second time", name);
        }
        CHECK(texts_add(&e->metrics, &e->n_metrics, name, err));
    }
    return STATUS_OK;
}
