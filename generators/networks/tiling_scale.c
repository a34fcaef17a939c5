/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/networks/tiling.h"

#include <math.h>
#include <stdlib.h>

static const double RESIDUAL = 1e-12;

enum { MOST_ROUNDS = 100000 };

typedef struct {
    const double *a, *b, *x0;
    size_t n_rows, n_states;
    double *r, *c; /* by state and by row */
} scaling;

/* c_p such that every row sums to one. Returns by how much the worst was off with the c before. */
static double fit_rows(scaling *s) {
    double worst = 0;
    for (size_t p = 0; p < s->n_rows; p++) {
        double sum = 0;
        for (size_t t = 0; t < s->n_states; t++)
            sum += s->x0[p * s->n_states + t] * s->r[t];
        worst = fmax(worst, fabs(sum * s->c[p] - 1));
        s->c[p] = 1 / sum;
    }
    return worst;
}

/* r_t such that the mixture of the rows is b; states that never occur get zero. */
static void fit_states(scaling *s) {
    for (size_t t = 0; t < s->n_states; t++) {
        double sum = 0;
        for (size_t p = 0; p < s->n_rows; p++)
            sum += s->a[p] * s->x0[p * s->n_states + t] * s->c[p];
        s->r[t] = s->b[t] > 0 ? s->b[t] / sum : 0;
    }
}

static void fill_row(const scaling *s, size_t p, double *row) {
    double sum = 0;
    for (size_t t = 0; t < s->n_states; t++) {
        row[t] = s->a[p] > 0 ? s->x0[p * s->n_states + t] * s->r[t] * s->c[p] : s->b[t];
        sum += row[t];
    }
    for (size_t t = 0; t < s->n_states; t++)
        row[t] /= sum;
}

status tiling_scale_table(const double *a, size_t n_rows, const double *b, size_t n_states, const double *x0,
                          double *table, error_info *err) {
    AUTO_FREE double *r = calloc(n_states, sizeof *r), *c = calloc(n_rows, sizeof *c);
    scaling s = {a, b, x0, n_rows, n_states, r, c};
    double worst = INFINITY;
    CHECK_ALLOC(r);
    CHECK_ALLOC(c);
    for (size_t t = 0; t < n_states; t++)
        s.r[t] = b[t] > 0;
    for (size_t p = 0; p < n_rows; p++)
        s.c[p] = 1;
    for (int round = 0; round < MOST_ROUNDS && !(worst < RESIDUAL); round++) {
        worst = fit_rows(&s); /* the states fit, from the round before: what is off is the rows */
        fit_states(&s);
    }
    if (!(worst < RESIDUAL))
        return error_set(err, STATUS_INVALID, "a table of %zu x %zu does not scale: off by %g after %d rounds", n_rows,
                         n_states, worst, MOST_ROUNDS);
    for (size_t p = 0; p < n_rows; p++)
        fill_row(&s, p, table + p * n_states);
    return STATUS_OK;
}
