/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Pareto front of a scatter plot. */
#include "parts/plots/plot_internal.h"

#include "metrics/distances/metric.h"

/* A ratio of two negative numbers turns round. */
static int sense_of(const char *metric, const plot_axis *axis, bool is_negative) {
    const metric_info *info = metric_find(metric);
    int sense = !info || info->has_no_best ? 0 : info->less_is_better ? -1 : 1;
    return axis->is_ratio && is_negative ? -sense : sense;
}

static bool beats(const plot_point *a, const plot_point *b, int x_sense, int y_sense) {
    double x = x_sense * (a->x.middle - b->x.middle), y = y_sense * (a->y.middle - b->y.middle);
    return x >= 0 && y >= 0 && (x > 0 || y > 0);
}

void points_mark_front(plot *p, const points_spec *spec, bool x_is_negative, bool y_is_negative) {
    p->x.sense = sense_of(spec->x, &p->x, x_is_negative);
    p->y.sense = sense_of(spec->y, &p->y, y_is_negative);
    p->has_front = p->x.sense != 0 && p->y.sense != 0;
    for (size_t i = 0; p->has_front && i < p->n_points; i++) {
        bool is_beaten = false;
        for (size_t k = 0; k < p->n_points && !is_beaten; k++)
            is_beaten =
                p->points[k].size == p->points[i].size && beats(&p->points[k], &p->points[i], p->x.sense, p->y.sense);
        p->points[i].is_on_front = !is_beaten;
    }
}
