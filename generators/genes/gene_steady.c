/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/genes/gene_steady_internal.h"

#include "generators/genes/gene_cycle_internal.h"
#include "generators/genes/gene_kinetics_internal.h"

#include <stdlib.h>

struct gene_solver {
    const gene_network *net;
    size_t *order, *ends, *place; /* genes by component; where each ends; a gene's place in its own */
    size_t n_components, largest;
    gene_cycle **cycles; /* of components with more than one gene */
    double *levels;      /* of a component */
};

/* Gene i's synthesis, regulators with a place below `skipped` left out (those of its own component). */
static double synthesis(const gene_network *net, const gene_conditions *line, const double *levels, size_t i,
                        const size_t *place, size_t skipped) {
    double rate = line->synthesis[i];
    for (size_t a = net->first[i]; a < net->first[i + 1]; a++) {
        const gene_regulator *r = &net->regulators[a];
        if (place && place[r->source] < skipped)
            continue;
        rate *=
            1 + r->sign * gene_saturation(gene_log_level(levels[r->source]), log(line->threshold[r->source]), r->hill);
    }
    return rate;
}

void gene_derivative(const gene_network *net, const gene_conditions *line, const double *levels, double *out) {
    for (size_t i = 0; i < net->n_genes; i++)
        out[i] = synthesis(net, line, levels, i, NULL, 0) - line->decay[i] * levels[i];
}

void gene_solver_destroy(gene_solver *s) {
    if (!s)
        return;
    for (size_t k = 0; s->cycles && k < s->n_components; k++)
        gene_cycle_destroy(s->cycles[k]);
    free(s->cycles);
    free(s->order);
    free(s->ends);
    free(s->place);
    free(s->levels);
    free(s);
}

/* Places of the component's genes, or SIZE_MAX again. */
static void set_places(gene_solver *s, const size_t *genes, size_t n, bool within) {
    for (size_t k = 0; k < n; k++)
        s->place[genes[k]] = within ? k : SIZE_MAX;
}

static status make_cycles(gene_solver *s, error_info *err) {
    for (size_t k = 0, from = 0; k < s->n_components; from = s->ends[k++]) {
        const size_t *genes = s->order + from;
        size_t n = s->ends[k] - from;
        s->largest = n > s->largest ? n : s->largest;
        if (n == 1)
            continue;
        set_places(s, genes, n, true);
        CHECK(gene_cycle_create(s->net, genes, n, s->place, &s->cycles[k], err));
        set_places(s, genes, n, false);
    }
    return STATUS_OK;
}

status gene_solver_create(const gene_network *net, gene_solver **out, error_info *err) {
    size_t n = net->n_genes;
    AUTO_PTR(gene_solver_destroy) gene_solver *s = NULL;
    CHECK_ALLOC(s = calloc(1, sizeof *s));
    s->net = net;
    CHECK_ALLOC(s->order = calloc(n, sizeof *s->order));
    CHECK_ALLOC(s->ends = calloc(n, sizeof *s->ends));
    CHECK_ALLOC(s->place = calloc(n, sizeof *s->place));
    CHECK_ALLOC(s->levels = calloc(n, sizeof *s->levels));
    for (size_t i = 0; i < n; i++)
        s->place[i] = SIZE_MAX;
    CHECK(gene_network_components(net, s->order, s->ends, &s->n_components, err));
    CHECK_ALLOC(s->cycles = calloc(s->n_components, sizeof(gene_cycle *)));
    CHECK(make_cycles(s, err));
    *out = TAKE(s);
    return STATUS_OK;
}

size_t gene_solver_largest_component(const gene_solver *s) {
    return s->largest;
}

static bool solve_cycle(gene_solver *s, gene_cycle *c, const size_t *genes, size_t n, const gene_conditions *line,
                        double *levels) {
    bool settled;
    set_places(s, genes, n, true);
    for (size_t k = 0; k < n; k++) {
        size_t i = genes[k];
        gene_cycle_set(c, k, synthesis(s->net, line, levels, i, s->place, n), line->decay[i], line->threshold[i]);
        s->levels[k] = levels[i];
    }
    set_places(s, genes, n, false);
    settled = gene_cycle_solve(c, s->levels);
    for (size_t k = 0; k < n; k++)
        levels[genes[k]] = s->levels[k];
    return settled;
}

bool gene_solver_solve(gene_solver *s, const gene_conditions *line, double *levels) {
    bool settled = true;
    for (size_t k = 0, from = 0; k < s->n_components; from = s->ends[k++]) {
        const size_t *genes = s->order + from;
        if (s->cycles[k])
            settled = solve_cycle(s, s->cycles[k], genes, s->ends[k] - from, line, levels) && settled;
        else
            levels[*genes] = synthesis(s->net, line, levels, *genes, NULL, 0) / line->decay[*genes];
    }
    return settled;
}
