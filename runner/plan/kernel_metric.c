/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/plan/kernel_metric_internal.h"

#include "core/base/text.h"
#include "learners/greedy/bach.h"
#include "metrics/scores/kernel_score.h"

#include <string.h>

static const char metric_name[] = KERNEL_METRIC;

/* Part of keys: raised when a change of the program gives the same graph, data and options another score. */
enum { KERNEL_METRIC_VERSION = 1 };

bool kernel_metric_is_wanted(const experiment *e) {
    for (size_t i = 0; i < e->n_metrics; i++) {
        if (strcmp(e->metrics[i], metric_name) == 0)
            return true;
    }
    return false;
}

kernel_options kernel_metric_options(const experiment *e) {
    kernel_options options;
    for (size_t i = 0; i < e->n_variants; i++) {
        if (e->variants[i].kind == &learner_bach)
            return ((const bach_options *)e->variants[i].options)->kernel;
    }
    options_set_initial(score_kgv.options, &options);
    return options;
}

status kernel_metric_digest(const experiment *e, digest *d, error_info *err) {
    kernel_options options = kernel_metric_options(e);
    AUTO(text_buffer_clear) text_buffer value = {0};
    if (!kernel_metric_is_wanted(e))
        return STATUS_OK;
    digest_text(d, metric_name);
    digest_number(d, KERNEL_METRIC_VERSION);
    for (const option_spec *spec = score_kgv.options; spec->kind != OPT_END; spec++) {
        text_buffer_clear(&value);
        options_append_value(spec, &options, &value);
        CHECK(text_buffer_check(&value, err));
        digest_text(d, spec->name);
        digest_text(d, value.data);
    }
    return STATUS_OK;
}
