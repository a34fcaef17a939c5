/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/genes/gene_network.h"

#include "core/base/text.h"
#include "core/graph/components.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>

const gene_constants gene_constants_usual = {
    .hill_shape = 1, .hill_scale = 1.67, .activating = 0.5, .cis = 0.25, .allele_least = 0.5, .allele_most = 0.8};

void gene_network_destroy(gene_network *net) {
    if (!net)
        return;
    texts_destroy(net->names, net->n_genes);
    free(net->first);
    free(net->regulators);
    free(net->is_cis);
    free(net->alleles);
    free(net);
}

static status name_genes(gene_network *net, const char *const *names, error_info *err) {
    for (size_t i = 0; i < net->n_genes; i++) {
        char number[32];
        (void)snprintf(number, sizeof number, "G%zu", i + 1);
        CHECK_ALLOC(net->names[i] = text_copy(names ? names[i] : number));
    }
    return STATUS_OK;
}

static status check_arcs(const gene_network *net, const graph_arc *arcs, size_t n_arcs, error_info *err) {
    for (size_t k = 0; k < n_arcs; k++) {
        if (arcs[k].from >= net->n_genes || arcs[k].to >= net->n_genes)
            return error_set(err, STATUS_INVALID, "arc %zu names gene %zu; there are %zu", k + 1,
                             1 + (arcs[k].from > arcs[k].to ? arcs[k].from : arcs[k].to), net->n_genes);
        if (arcs[k].from == arcs[k].to)
            return error_set(err, STATUS_INVALID, "'%s' regulates itself; leave that arc out", net->names[arcs[k].to]);
    }
    return STATUS_OK;
}

static int compare_regulators(const void *a, const void *b) {
    const gene_regulator *x = a, *y = b;
    return (x->source > y->source) - (x->source < y->source);
}

/* By target, then by source. */
static status place_arcs(gene_network *net, const graph_arc *arcs, error_info *err) {
    for (size_t k = 0; k < net->n_arcs; k++)
        net->first[arcs[k].to + 1]++;
    for (size_t i = 0; i < net->n_genes; i++)
        net->first[i + 1] += net->first[i];
    for (size_t k = 0; k < net->n_arcs; k++) /* first[to] moves on to the end of the gene's regulators ... */
        net->regulators[net->first[arcs[k].to]++] = (gene_regulator){arcs[k].from, 1, 1};
    memmove(net->first + 1, net->first, net->n_genes * sizeof *net->first); /* ... which is where the next begins */
    net->first[0] = 0;
    for (size_t i = 0; i < net->n_genes; i++) {
        gene_regulator *r = net->regulators + net->first[i];
        size_t n = net->first[i + 1] - net->first[i];
        qsort(r, n, sizeof *r, compare_regulators);
        for (size_t k = 1; k < n; k++) {
            if (r[k].source == r[k - 1].source)
                return error_set(err, STATUS_INVALID, "'%s' regulates '%s' twice", net->names[r[k].source],
                                 net->names[i]);
        }
    }
    return STATUS_OK;
}

status gene_network_create(size_t n_genes, const char *const *names, const graph_arc *arcs, size_t n_arcs,
                           gene_network **out, error_info *err) {
    AUTO_PTR(gene_network_destroy) gene_network *net = NULL;
    if (n_genes == 0)
        return error_set(err, STATUS_INVALID, "a gene network needs at least one gene");
    CHECK_ALLOC(net = calloc(1, sizeof *net));
    net->n_genes = n_genes;
    net->n_arcs = n_arcs;
    CHECK_ALLOC(net->names = calloc(n_genes, sizeof *net->names));
    CHECK_ALLOC(net->first = calloc(n_genes + 1, sizeof *net->first));
    CHECK_ALLOC(net->regulators = calloc(n_arcs + 1, sizeof *net->regulators));
    CHECK_ALLOC(net->is_cis = calloc(n_genes, sizeof *net->is_cis));
    CHECK_ALLOC(net->alleles = calloc(n_genes, 2 * sizeof *net->alleles));
    for (size_t i = 0; i < 2 * n_genes; i++)
        net->alleles[i] = 1;
    CHECK(name_genes(net, names, err));
    CHECK(check_arcs(net, arcs, n_arcs, err));
    CHECK(place_arcs(net, arcs, err));
    *out = TAKE(net);
    return STATUS_OK;
}

/* ---- constants ---- */

/* By gene, then by arc: a gene's draws do not depend on its arcs. */
status gene_network_draw(gene_network *net, const gene_constants *constants, random_stream *random, error_info *err) {
    random_gsl holder;
    const gsl_rng *rng = random_as_gsl(random, &holder);
    AUTO_FREE int *signs = calloc(net->n_genes, sizeof *signs);
    CHECK_ALLOC(signs);
    for (size_t i = 0; i < net->n_genes; i++) {
        size_t weak = random_below(random, 2);
        signs[i] = random_uniform(random) < constants->activating ? 1 : -1;
        net->is_cis[i] = random_uniform(random) < constants->cis;
        net->alleles[2 * i + weak] =
            constants->allele_least + (constants->allele_most - constants->allele_least) * random_uniform(random);
        net->alleles[2 * i + 1 - weak] = 1;
    }
    for (size_t k = 0; k < net->n_arcs; k++) {
        net->regulators[k].sign = signs[net->regulators[k].source];
        net->regulators[k].hill = 1 + gsl_ran_gamma(rng, constants->hill_shape, constants->hill_scale);
    }
    return STATUS_OK;
}

/* ---- components ---- */

/* Walking from genes to their regulators, a component is complete after all that regulate it. */
static size_t next_regulator(const void *self, size_t gene, size_t *k) {
    const gene_network *net = self;
    size_t at = net->first[gene] + (*k)++;
    return at < net->first[gene + 1] ? net->regulators[at].source : COMPONENTS_NO_EDGE;
}

status gene_network_components(const gene_network *net, size_t *order, size_t *ends, size_t *n, error_info *err) {
    return components_find(net, net->n_genes, next_regulator, order, ends, n, err);
}
