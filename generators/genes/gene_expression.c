/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of SysGenSIM: Pinna et al. 2011, Bioinformatics 27, 2459-2462; Liu et al. 2008, Genetics 178. */
#include "generators/genes/gene_expression.h"

#include "generators/genes/gene_steady_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>

#define LEAST_FACTOR 0.1

const gene_noise gene_noise_usual = {
    .biological_sd = 0.1, .measurement_sd = 0.1, .genetics = true, .markers = 20, .marker_cm = 5};

typedef struct {
    const gene_network *net;
    const gene_noise *noise;
    gene_solver *solver;
    gene_conditions line;
    unsigned char *alleles;
    double *wild, *levels; /* steady states */
} simulation;

static void simulation_clear(simulation *s) {
    gene_solver_destroy(s->solver);
    free(s->line.synthesis);
    free(s->line.decay);
    free(s->line.threshold);
    free(s->alleles);
    free(s->wild);
    free(s->levels);
}

static status simulation_init(simulation *s, const gene_network *net, const gene_noise *noise, error_info *err) {
    size_t n = net->n_genes;
    *s = (simulation){.net = net, .noise = noise};
    CHECK(gene_solver_create(net, &s->solver, err));
    CHECK_ALLOC(s->line.synthesis = calloc(n, sizeof *s->line.synthesis));
    CHECK_ALLOC(s->line.decay = calloc(n, sizeof *s->line.decay));
    CHECK_ALLOC(s->line.threshold = calloc(n, sizeof *s->line.threshold));
    CHECK_ALLOC(s->alleles = calloc(n, sizeof *s->alleles));
    CHECK_ALLOC(s->wild = calloc(n, sizeof *s->wild));
    CHECK_ALLOC(s->levels = calloc(n, sizeof *s->levels));
    return STATUS_OK;
}

/* Every rate 1, every allele neutral; from there the lines start. */
static void solve_wild_type(simulation *s) {
    for (size_t i = 0; i < s->net->n_genes; i++)
        s->line.synthesis[i] = s->line.decay[i] = s->line.threshold[i] = s->wild[i] = 1;
    (void)gene_solver_solve(s->solver, &s->line, s->wild); /* one that oscillates starts the lines all the same */
}

static double factor(const gsl_rng *rng, double sd) {
    double x;
    if (sd == 0)
        return 1;
    do
        x = 1 + gsl_ran_gaussian_ziggurat(rng, sd);
    while (x < LEAST_FACTOR);
    return x;
}

void gene_draw_alleles(size_t n_genes, const gene_noise *noise, random_stream *random, unsigned char *alleles) {
    double recombination = (1 - exp(-2 * noise->marker_cm / 100)) / 2, same = 1 / (1 + 2 * recombination);
    for (size_t i = 0; i < n_genes; i++) {
        double u = random_uniform(random);
        if (i % noise->markers == 0)
            alleles[i] = u < 0.5;
        else
            alleles[i] = u < same ? alleles[i - 1] : !alleles[i - 1];
    }
}

static void draw_conditions(simulation *s, random_stream *random) {
    random_gsl holder;
    const gsl_rng *rng = random_as_gsl(random, &holder);
    if (s->noise->genetics)
        gene_draw_alleles(s->net->n_genes, s->noise, random, s->alleles);
    for (size_t i = 0; i < s->net->n_genes; i++) {
        double strength = s->noise->genetics ? s->net->alleles[2 * i + s->alleles[i]] : 1;
        s->line.synthesis[i] = factor(rng, s->noise->biological_sd) * (s->net->is_cis[i] ? strength : 1);
        s->line.decay[i] = factor(rng, s->noise->biological_sd);
        s->line.threshold[i] = s->net->is_cis[i] ? 1 : 1 / strength;
    }
}

static bool simulate_line(simulation *s, random_key key, size_t row, dataset *out) {
    random_stream random;
    random_gsl holder;
    const gsl_rng *rng;
    bool settled;
    random_stream_init(&random, random_key_number(key, row));
    draw_conditions(s, &random);
    memcpy(s->levels, s->wild, s->net->n_genes * sizeof *s->levels);
    settled = gene_solver_solve(s->solver, &s->line, s->levels);
    rng = random_as_gsl(&random, &holder);
    for (size_t i = 0; i < s->net->n_genes; i++)
        dataset_build_reals(out, i)[row] = s->levels[i] * factor(rng, s->noise->measurement_sd);
    return settled;
}

static status make_columns(const gene_network *net, size_t n_lines, dataset **out, error_info *err) {
    AUTO_FREE variable *variables = calloc(net->n_genes, sizeof *variables); /* shallow */
    CHECK_ALLOC(variables);
    for (size_t i = 0; i < net->n_genes; i++)
        variables[i] = (variable){.name = net->names[i], .kind = VARIABLE_CONTINUOUS};
    return dataset_create(variables, net->n_genes, n_lines, out, err);
}

status gene_expression_simulate(const gene_network *net, const gene_noise *noise, size_t n_lines, random_key key,
                                dataset **out, size_t *n_unsettled, error_info *err) {
    AUTO(simulation_clear) simulation s = {0};
    dataset *data = NULL;
    size_t unsettled = 0;
    CHECK(simulation_init(&s, net, noise, err));
    CHECK(make_columns(net, n_lines, &data, err));
    solve_wild_type(&s);
    for (size_t row = 0; row < n_lines; row++)
        unsettled += !simulate_line(&s, key, row, data);
    *out = data;
    *n_unsettled = unsettled;
    return STATUS_OK;
}
