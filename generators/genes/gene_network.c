/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/genes/gene_network.h"

#include "core/base/text.h"

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
    gene_network *net = NULL;
    status st = STATUS_OK;
    if (n_genes == 0)
        return error_set(err, STATUS_INVALID, "a gene network needs at least one gene");
    TRY_ALLOC(net = calloc(1, sizeof *net));
    net->n_genes = n_genes;
    net->n_arcs = n_arcs;
    TRY_ALLOC(net->names = calloc(n_genes, sizeof *net->names));
    TRY_ALLOC(net->first = calloc(n_genes + 1, sizeof *net->first));
    TRY_ALLOC(net->regulators = calloc(n_arcs + 1, sizeof *net->regulators));
    TRY_ALLOC(net->is_cis = calloc(n_genes, sizeof *net->is_cis));
    TRY_ALLOC(net->alleles = calloc(n_genes, 2 * sizeof *net->alleles));
    for (size_t i = 0; i < 2 * n_genes; i++)
        net->alleles[i] = 1;
    TRY(name_genes(net, names, err));
    TRY(check_arcs(net, arcs, n_arcs, err));
    TRY(place_arcs(net, arcs, err));
    *out = net;
    net = NULL;
cleanup:
    gene_network_destroy(net);
    return st;
}

/* ---- constants ---- */

/* By gene, then by arc: a gene's draws do not depend on its arcs. */
status gene_network_draw(gene_network *net, const gene_constants *constants, random_stream *random, error_info *err) {
    random_gsl holder;
    const gsl_rng *rng = random_as_gsl(random, &holder);
    int *signs = calloc(net->n_genes, sizeof *signs);
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
    free(signs);
    return STATUS_OK;
}

/* ---- components ---- */

/* Tarjan 1972, SIAM J. Comput. 1, without recursion. Walking from genes to their regulators, a component is complete
 * after all that regulate it. */
typedef struct {
    const gene_network *net;
    size_t *visited; /* when, from 1; 0: not yet */
    size_t *lowest;  /* the earliest visit that is reached */
    size_t *next;    /* regulator to look at */
    size_t *path, *open;
    bool *is_open;
    size_t n_path, n_open, time;
} walk;

static void walk_clear(walk *w) {
    free(w->visited);
    free(w->lowest);
    free(w->next);
    free(w->path);
    free(w->open);
    free(w->is_open);
}

static status walk_init(walk *w, const gene_network *net, error_info *err) {
    size_t n = net->n_genes;
    *w = (walk){.net = net};
    CHECK_ALLOC(w->visited = calloc(n, sizeof *w->visited));
    CHECK_ALLOC(w->lowest = calloc(n, sizeof *w->lowest));
    CHECK_ALLOC(w->next = calloc(n, sizeof *w->next));
    CHECK_ALLOC(w->path = calloc(n, sizeof *w->path));
    CHECK_ALLOC(w->open = calloc(n, sizeof *w->open));
    CHECK_ALLOC(w->is_open = calloc(n, sizeof *w->is_open));
    return STATUS_OK;
}

static void enter(walk *w, size_t gene) {
    w->visited[gene] = w->lowest[gene] = ++w->time;
    w->next[gene] = w->net->first[gene];
    w->path[w->n_path++] = gene;
    w->open[w->n_open++] = gene;
    w->is_open[gene] = true;
}

static void lower(size_t *value, size_t to) {
    if (to < *value)
        *value = to;
}

/* The component whose first gene this is; returns the new length of `order`. */
static size_t close_component(walk *w, size_t gene, size_t *order, size_t n_order) {
    size_t last;
    do {
        last = w->open[--w->n_open];
        w->is_open[last] = false;
        order[n_order++] = last;
    } while (last != gene);
    return n_order;
}

static void visit_from(walk *w, size_t start, size_t *order, size_t *n_order, size_t *ends, size_t *n_ends) {
    enter(w, start);
    while (w->n_path > 0) {
        size_t gene = w->path[w->n_path - 1];
        if (w->next[gene] < w->net->first[gene + 1]) {
            size_t source = w->net->regulators[w->next[gene]++].source;
            if (w->visited[source] == 0)
                enter(w, source);
            else if (w->is_open[source])
                lower(&w->lowest[gene], w->visited[source]);
            continue;
        }
        w->n_path--;
        if (w->n_path > 0)
            lower(&w->lowest[w->path[w->n_path - 1]], w->lowest[gene]);
        if (w->lowest[gene] == w->visited[gene]) {
            *n_order = close_component(w, gene, order, *n_order);
            ends[(*n_ends)++] = *n_order;
        }
    }
}

status gene_network_components(const gene_network *net, size_t *order, size_t *ends, size_t *n, error_info *err) {
    walk w;
    size_t n_order = 0;
    status st = walk_init(&w, net, err);
    *n = 0;
    for (size_t i = 0; st == STATUS_OK && i < net->n_genes; i++) {
        if (w.visited[i] == 0)
            visit_from(&w, i, order, &n_order, ends, n);
    }
    walk_clear(&w);
    return st;
}
