/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/genes/gene_cycle_internal.h"

#include "generators/genes/gene_kinetics_internal.h"

#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_odeiv2.h>

#define STRETCH 5.0
#define AT_REST 1e-4
#define SOLVED 1e-10
#define RELATIVE 1e-3
#define ABSOLUTE 1e-6
enum { MOST_STRETCHES = 100, MOST_NEWTON_STEPS = 100, MOST_ODE_STEPS = 100000 };

/* A factorised Jacobian. */
typedef struct {
    gsl_matrix *lu;
    gsl_permutation *order;
    bool is_made;
} factors;

struct gene_cycle {
    size_t n;
    size_t *first; /* gene k has the arcs first[k] .. first[k + 1] */
    gene_inner_arc *arcs;
    double *room; /* of the arrays below, n entries each */
    double *synthesis, *decay, *log_threshold;
    double *log_levels, *change, *tried, *before;
    gsl_odeiv2_system system;
    gsl_odeiv2_driver *driver;
    factors usual, own; /* at the first state at rest, which others are near; and at the state in hand */
};

/* ---- life ---- */

void gene_cycle_destroy(gene_cycle *c) {
    if (!c)
        return;
    free(c->first);
    free(c->arcs);
    free(c->room);
    if (c->driver)
        gsl_odeiv2_driver_free(c->driver);
    gsl_matrix_free(c->usual.lu);
    gsl_matrix_free(c->own.lu);
    gsl_permutation_free(c->usual.order);
    gsl_permutation_free(c->own.order);
    free(c);
}

static size_t count_arcs(const gene_network *net, const size_t *genes, size_t n) {
    size_t n_arcs = 0;
    for (size_t k = 0; k < n; k++)
        n_arcs += net->first[genes[k] + 1] - net->first[genes[k]];
    return n_arcs;
}

static void take_arcs(const gene_network *net, const size_t *genes, const size_t *place, gene_cycle *c) {
    size_t n_arcs = 0;
    for (size_t k = 0; k < c->n; k++) {
        for (size_t a = net->first[genes[k]]; a < net->first[genes[k] + 1]; a++) {
            const gene_regulator *r = &net->regulators[a];
            if (place[r->source] < c->n)
                c->arcs[n_arcs++] = (gene_inner_arc){place[r->source], r->sign, r->hill};
        }
        c->first[k + 1] = n_arcs;
    }
}

static status allocate_factors(factors *f, size_t n, error_info *err) {
    f->lu = gsl_matrix_calloc(n, n);
    f->order = gsl_permutation_calloc(n);
    return f->lu && f->order ? STATUS_OK : error_out_of_memory(err);
}

static int change_of(double t, const double *y, double *dydt, void *self);

status gene_cycle_create(const gene_network *net, const size_t *genes, size_t n, const size_t *place, gene_cycle **out,
                         error_info *err) {
    AUTO_PTR(gene_cycle_destroy) gene_cycle *c = NULL;
    CHECK_ALLOC(c = calloc(1, sizeof *c));
    c->n = n;
    CHECK_ALLOC(c->first = calloc(n + 1, sizeof *c->first));
    CHECK_ALLOC(c->arcs = calloc(count_arcs(net, genes, n) + 1, sizeof *c->arcs));
    CHECK_ALLOC(c->room = calloc(n, sizeof(double[7])));
    c->synthesis = c->room;
    c->decay = c->room + n;
    c->log_threshold = c->room + 2 * n;
    c->log_levels = c->room + 3 * n;
    c->change = c->room + 4 * n;
    c->tried = c->room + 5 * n;
    c->before = c->room + 6 * n;
    CHECK(allocate_factors(&c->usual, n, err));
    CHECK(allocate_factors(&c->own, n, err));
    take_arcs(net, genes, place, c);
    c->system = (gsl_odeiv2_system){change_of, NULL, n, c};
    CHECK_ALLOC(c->driver = gsl_odeiv2_driver_alloc_y_new(&c->system, gsl_odeiv2_step_rkf45, 1e-2, ABSOLUTE, RELATIVE));
    (void)gsl_odeiv2_driver_set_nmax(c->driver, MOST_ODE_STEPS);
    *out = TAKE(c);
    return STATUS_OK;
}

void gene_cycle_set(gene_cycle *c, size_t k, double synthesis, double decay, double threshold) {
    c->synthesis[k] = synthesis;
    c->decay[k] = decay;
    c->log_threshold[k] = log(threshold);
}

/* ---- the change of a state, and its Jacobian ---- */

static void take_logs(gene_cycle *c, const double *y) {
    for (size_t k = 0; k < c->n; k++)
        c->log_levels[k] = gene_log_level(y[k]);
}

static double saturation(const gene_cycle *c, const gene_inner_arc *a) {
    return gene_saturation(c->log_levels[a->source], c->log_threshold[a->source], a->hill);
}

static int change_of(double t, const double *y, double *dydt, void *self) {
    gene_cycle *c = self;
    (void)t;
    take_logs(c, y);
    for (size_t k = 0; k < c->n; k++) {
        double rate = c->synthesis[k];
        for (size_t a = c->first[k]; a < c->first[k + 1]; a++)
            rate *= 1 + c->arcs[a].sign * saturation(c, &c->arcs[a]);
        dydt[k] = rate - c->decay[k] * y[k];
    }
    return GSL_SUCCESS;
}

/* Gene k's synthesis without one of its regulators. */
static double rate_without(const gene_cycle *c, size_t k, size_t left_out) {
    double rate = c->synthesis[k];
    for (size_t a = c->first[k]; a < c->first[k + 1]; a++) {
        if (a != left_out)
            rate *= 1 + c->arcs[a].sign * saturation(c, &c->arcs[a]);
    }
    return rate;
}

/* d s / d G = h s (1 - s) / G. */
static void fill_jacobian(gene_cycle *c, const double *y, gsl_matrix *out) {
    gsl_matrix_set_zero(out);
    take_logs(c, y);
    for (size_t k = 0; k < c->n; k++) {
        gsl_matrix_set(out, k, k, -c->decay[k]);
        for (size_t a = c->first[k]; a < c->first[k + 1]; a++) {
            const gene_inner_arc *arc = &c->arcs[a];
            double s = saturation(c, arc), slope = arc->hill * s * (1 - s) / exp(c->log_levels[arc->source]);
            gsl_matrix_set(out, k, arc->source, arc->sign * slope * rate_without(c, k, a));
        }
    }
}

static bool factorise(gene_cycle *c, const double *y, factors *f) {
    int sign;
    f->is_made = false;
    fill_jacobian(c, y, f->lu);
    if (gsl_linalg_LU_decomp(f->lu, f->order, &sign) != GSL_SUCCESS)
        return false;
    for (size_t k = 0; k < c->n; k++) {
        double pivot = gsl_matrix_get(f->lu, k, k);
        if (pivot == 0 || !isfinite(pivot))
            return false;
    }
    return f->is_made = true;
}

/* ---- to rest ---- */

/* NAN where one is. */
static double largest(const double *values, size_t n) {
    double most = 0;
    for (size_t k = 0; k < n; k++) {
        if (!(fabs(values[k]) <= most))
            most = fabs(values[k]);
    }
    return most;
}

static double change_at(gene_cycle *c, const double *y) {
    (void)change_of(0, y, c->change, c);
    return largest(c->change, c->n);
}

/* Newton's step from y, whose change is in `change`, into `tried`; no level falls below a quarter of what it was. */
static bool newton_step(gene_cycle *c, const factors *f, const double *y) {
    gsl_vector_view right = gsl_vector_view_array(c->tried, c->n);
    memcpy(c->tried, c->change, c->n * sizeof *y);
    if (gsl_linalg_LU_svx(f->lu, f->order, &right.vector) != GSL_SUCCESS)
        return false;
    for (size_t k = 0; k < c->n; k++)
        c->tried[k] = fmax(y[k] - c->tried[k], y[k] / 4);
    return isfinite(largest(c->tried, c->n));
}

/* Newton's steps; a Jacobian is kept as long as it halves the change, which saves most factorisations. */
static bool polish(gene_cycle *c, double *y) {
    const factors *f = c->usual.is_made ? &c->usual : NULL;
    double change = change_at(c, y), next;
    for (int i = 0; i < MOST_NEWTON_STEPS && !(change < SOLVED); i++) {
        if (!f && factorise(c, y, &c->own))
            f = &c->own;
        if (!f || !newton_step(c, f, y))
            return false;
        next = change_at(c, c->tried);
        if (f == &c->usual && !(next < 0.5 * change)) {
            f = NULL; /* not taken */
            (void)change_at(c, y);
            continue;
        }
        memcpy(y, c->tried, c->n * sizeof *y);
        f = next < 0.5 * change ? f : NULL;
        change = next;
    }
    return change < SOLVED;
}

/* True once no gene moves over a stretch of time. */
static bool integrate(gene_cycle *c, double *y) {
    (void)gsl_odeiv2_driver_reset_hstart(c->driver, 1e-2);
    for (int i = 0; i < MOST_STRETCHES; i++) {
        double t = 0, most = 0;
        memcpy(c->before, y, c->n * sizeof *y);
        if (gsl_odeiv2_driver_apply(c->driver, &t, STRETCH, y) != GSL_SUCCESS)
            return false;
        for (size_t k = 0; k < c->n; k++) {
            y[k] = fmax(y[k], 0); /* a step may overshoot by its tolerance */
            most = fmax(most, fabs(y[k] - c->before[k]));
        }
        if (most < AT_REST)
            return true;
    }
    return false;
}

bool gene_cycle_solve(gene_cycle *c, double *y) {
    if (!integrate(c, y))
        return false;
    memcpy(c->before, y, c->n * sizeof *y);
    if (!polish(c, y)) {
        memcpy(y, c->before, c->n * sizeof *y);
        return false;
    }
    if (!c->usual.is_made)
        (void)factorise(c, y, &c->usual);
    return true;
}
