/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/figures/figure_style.h"

#include "metrics/distances/metric.h"

#include <string.h>

number_style figure_style_of(const char *metric) {
    const metric_info *info = metric_find(metric);
    if (!info || !*info->unit)
        return NUMBER_SHARE;
    if (strcmp(info->unit, "s") == 0)
        return NUMBER_SECONDS;
    return strcmp(info->unit, "bytes") == 0 ? NUMBER_BYTES : NUMBER_COUNT;
}

const char *figure_unit_of(const char *metric) {
    const metric_info *info = metric_find(metric);
    if (!info || strcmp(info->unit, metric) == 0) /* "tests (tests)" says nothing */
        return "";
    return strcmp(info->unit, "bytes") == 0 ? "MiB" : info->unit;
}

bool figure_is_time(const char *metric) {
    const metric_info *info = metric_find(metric);
    return info && strcmp(info->unit, "s") == 0;
}
