/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/distances/metric.h"

#include "core/base/text.h"

#include <string.h>

#define METRICS(name) extern const metric_info metrics_of_##name[];
#include "metrics/distances/registry.def"
#undef METRICS

static const metric_info *const families[] = {
#define METRICS(name) metrics_of_##name,
#include "metrics/distances/registry.def"
#undef METRICS
};

enum { N_FAMILIES = sizeof families / sizeof *families, MOST_NAMES = 256 }; /* among which the nearest is sought */

const metric_info *metric_at(size_t i) {
    for (size_t family = 0; family < N_FAMILIES; family++) {
        for (const metric_info *m = families[family]; m->name; m++) {
            if (i-- == 0)
                return m;
        }
    }
    return NULL;
}

const metric_info *metric_find(const char *name) {
    for (size_t family = 0; family < N_FAMILIES; family++) {
        for (const metric_info *m = families[family]; m->name; m++) {
            if (strcmp(m->name, name) == 0)
                return m;
        }
    }
    return NULL;
}

const char *metric_suggest(const char *typed) {
    const char *names[MOST_NAMES];
    size_t n = 0;
    for (const metric_info *m; n < MOST_NAMES && (m = metric_at(n)); n++)
        names[n] = m->name;
    return text_nearest(typed, names, n);
}
