/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/plan/world_internal.h"

#include "core/base/text.h"
#include "core/data/dataset_file.h"
#include "core/graph/arcs.h"
#include "generators/catalogue/dataset_locate.h"
#include "generators/genes/gene_expression.h"
#include "generators/sampling/gaussian_sampling.h"
#include "generators/sampling/sampling.h"
#include "runner/plan/network_source_internal.h"

#include <stdlib.h>
#include <string.h>

/* The seed of networks of genes, in place of the experiment's: the same declaration is the same network everywhere. */
enum { GENE_NETWORK_SEED = 2012 };

void world_destroy(world *w) {
    if (!w)
        return;
    bayes_net_destroy(w->net);
    gaussian_net_destroy(w->gaussian);
    gene_network_destroy(w->genes);
    dataset_destroy(w->data);
    free(w->names);
    free(w->arcs);
    pdag_destroy(w->truth);
    free(w);
}

/* ---- the kinds ---- */

static status copy_arcs(const dag *g, world *w, error_info *err) {
    CHECK_ALLOC(w->arcs = calloc(dag_arc_count(g) + 1, sizeof *w->arcs));
    for (size_t v = 0; v < dag_node_count(g); v++) {
        size_t n_parents = 0;
        const size_t *parents = dag_parents(g, v, &n_parents);
        for (size_t k = 0; k < n_parents; k++)
            w->arcs[w->n_arcs++] = (graph_arc){parents[k], v};
    }
    return STATUS_OK;
}

static status load_network(const network_source *source, const char *name, world *w, error_info *err) {
    any_network net = {0};
    CHECK(network_source_load(source, name, &net, err));
    w->net = net.tables;
    w->gaussian = net.gaussian;
    w->n_nodes = any_network_node_count(&net);
    CHECK_ALLOC(w->names = calloc(w->n_nodes + 1, sizeof *w->names));
    for (size_t i = 0; i < w->n_nodes; i++)
        w->names[i] = any_network_variables(&net)[i].name;
    CHECK(pdag_from_dag(any_network_dag(&net), &w->truth, err));
    w->is_directed = true;
    return copy_arcs(any_network_dag(&net), w, err);
}

static status draw_arcs(const network_source *source, random_stream *random, world *w, error_info *err) {
    const gene_declaration *g = &source->genes;
    AUTO_PTR(gene_network_destroy) gene_network *bare = NULL; /* its genes are named as DREAM's: G1, G2, ... */
    AUTO_FREE char *path = NULL;
    if (!g->edges)
        return g->is_scale_free ? topology_scale_free(&g->topology, random, &w->arcs, &w->n_arcs, err)
                                : topology_random(&g->topology, random, &w->arcs, &w->n_arcs, err);
    CHECK(dataset_locate(g->edges, ".edges.csv", &path, err));
    CHECK(gene_network_create(g->topology.n_genes, NULL, NULL, 0, &bare, err));
    return arcs_read_csv(path, (const char *const *)bare->names, bare->n_genes, &w->arcs, &w->n_arcs, err);
}

static status make_genes(const network_source *source, const char *name, world *w, error_info *err) {
    random_key key = random_key_text(random_key_text(random_key_of(GENE_NETWORK_SEED), "genes"), name);
    random_stream random;
    random_stream_init(&random, random_key_number(key, source->genes.topology.n_genes));
    CHECK(draw_arcs(source, &random, w, err));
    w->n_nodes = source->genes.topology.n_genes;
    CHECK(gene_network_create(w->n_nodes, NULL, w->arcs, w->n_arcs, &w->genes, err));
    CHECK(gene_network_draw(w->genes, &gene_constants_usual, &random, err));
    w->noise = source->genes.noise;
    CHECK_ALLOC(w->names = calloc(w->n_nodes, sizeof *w->names));
    for (size_t i = 0; i < w->n_nodes; i++)
        w->names[i] = w->genes->names[i];
    return STATUS_OK;
}

/* The true arcs: of `edges`, or else of NAME.edges.csv beside the data, if there is such a file. */
static status read_arcs(const network_source *source, world *w, error_info *err) {
    bool is_named = source->genes.edges != NULL;
    AUTO_FREE char *path = NULL;
    status st = dataset_locate(is_named ? source->genes.edges : source->source, ".edges.csv", &path, err);
    if (!is_named && (st == STATUS_MISSING || (st == STATUS_OK && strcmp(path, source->source) == 0)))
        return STATUS_OK; /* by its path, the data set itself is found, which is no file of arcs */
    CHECK(st);
    return arcs_read_csv(path, w->names, w->n_nodes, &w->arcs, &w->n_arcs, err);
}

static status read_data(const network_source *source, world *w, error_info *err) {
    AUTO_FREE char *path = NULL;
    CHECK(dataset_locate(source->source, ".csv", &path, err));
    CHECK(dataset_read(path, NULL, &w->data, NULL, err));
    w->n_nodes = dataset_column_count(w->data);
    CHECK_ALLOC(w->names = calloc(w->n_nodes, sizeof *w->names));
    for (size_t i = 0; i < w->n_nodes; i++)
        w->names[i] = dataset_variable(w->data, i)->name;
    return read_arcs(source, w, err);
}

/* ---- the truth of arcs that may form cycles ---- */

static int compare_pairs(const void *a, const void *b) {
    const pdag_pair *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

static status skeleton_of(const world *w, pdag **out, error_info *err) {
    AUTO_FREE pdag_pair *pairs = calloc(w->n_arcs + 1, sizeof *pairs);
    size_t n = 0;
    CHECK_ALLOC(pairs);
    for (size_t k = 0; k < w->n_arcs; k++) {
        size_t a = w->arcs[k].from, b = w->arcs[k].to;
        pairs[k] = (pdag_pair){a < b ? a : b, a < b ? b : a, EDGE_UNDIRECTED};
    }
    qsort(pairs, w->n_arcs, sizeof *pairs, compare_pairs);
    for (size_t k = 0; k < w->n_arcs; k++) {
        if (k == 0 || compare_pairs(&pairs[k], &pairs[k - 1]) != 0)
            pairs[n++] = pairs[k];
    }
    return pdag_from_pairs(w->n_nodes, pairs, n, out, err);
}

/* Takes the arcs as a DAG unless they have a cycle. */
static status try_dag(world *w, error_info *err) {
    AUTO_PTR(dag_destroy) dag *g = NULL;
    error_info quiet = {0};
    status st = STATUS_OK;
    CHECK(dag_create(w->n_nodes, &g, err));
    for (size_t k = 0; k < w->n_arcs; k++) {
        status added = dag_add_arc(g, w->arcs[k].from, w->arcs[k].to, &quiet);
        if (added == STATUS_INVALID)
            return st; /* it would close a cycle */
        if (added != STATUS_OK)
            return error_set(err, added, "%s", quiet.message);
    }
    CHECK(pdag_from_dag(g, &w->truth, err));
    w->is_directed = true;
    return st;
}

static status know_truth(world *w, error_info *err) {
    if (w->truth || !w->arcs)
        return STATUS_OK;
    CHECK(try_dag(w, err));
    if (!w->truth)
        CHECK(skeleton_of(w, &w->truth, err));
    return STATUS_OK;
}

status world_load(const network_source *source, const char *name, world **out, error_info *err) {
    AUTO_PTR(world_destroy) world *w = calloc(1, sizeof *w);
    CHECK_ALLOC(w);
    if (source->kind == SOURCE_NETWORK)
        CHECK(load_network(source, name, w, err));
    else if (source->kind == SOURCE_GENES)
        CHECK(make_genes(source, name, w, err));
    else
        CHECK(read_data(source, w, err));
    CHECK(know_truth(w, err));
    *out = TAKE(w);
    return STATUS_OK;
}

/* ---- what it depends on ---- */

static void add_real(digest *d, double value) {
    char text[32];
    digest_text(d, text_from_double(value, text));
}

static void add_arcs(digest *d, const world *w) {
    digest_number(d, w->n_arcs);
    for (size_t k = 0; k < w->n_arcs; k++) {
        digest_number(d, w->arcs[k].from);
        digest_number(d, w->arcs[k].to);
    }
}

static void add_genes(digest *d, const world *w) {
    const gene_network *g = w->genes;
    digest_text(d, "genes");
    for (size_t i = 0; i < g->n_genes; i++) {
        digest_text(d, g->names[i]);
        digest_number(d, g->is_cis[i]);
        add_real(d, g->alleles[2 * i]);
        add_real(d, g->alleles[2 * i + 1]);
    }
    for (size_t k = 0; k < g->n_arcs; k++) {
        digest_number(d, g->regulators[k].sign > 0);
        add_real(d, g->regulators[k].hill);
    }
    add_real(d, w->noise.biological_sd);
    add_real(d, w->noise.measurement_sd);
    add_real(d, w->noise.marker_cm);
    digest_number(d, w->noise.genetics);
    digest_number(d, w->noise.markers);
}

static void add_gaussian(digest *d, const world *w) {
    digest_text(d, "linear-gaussian");
    for (size_t i = 0; i < w->n_nodes; i++) {
        gaussian_terms terms = gaussian_net_terms(w->gaussian, i);
        size_t n_parents;
        const size_t *parents = gaussian_net_parents(w->gaussian, i, &n_parents);
        digest_text(d, w->names[i]);
        add_real(d, terms.intercept);
        add_real(d, terms.sd);
        for (size_t k = 0; k < n_parents; k++) {
            digest_number(d, parents[k]);
            add_real(d, terms.coefficients[k]);
        }
    }
}

status world_digest(const world *w, char hex[DIGEST_HEX_SIZE], error_info *err) {
    char fingerprint[DATASET_FINGERPRINT_SIZE];
    AUTO_PTR(digest_destroy) digest *d = NULL;
    if (w->net)
        return digest_network(w->net, hex, err);
    CHECK(digest_create(&d, err));
    if (w->data) {
        CHECK(dataset_fingerprint(w->data, fingerprint, err));
        digest_text(d, fingerprint);
    } else if (w->gaussian) {
        add_gaussian(d, w);
    } else {
        add_genes(d, w);
    }
    add_arcs(d, w);
    return digest_finish(d, hex, err);
}

/* ---- data ---- */

static void copy_cell(const dataset *from, size_t row, dataset *to, size_t to_row, size_t c) {
    const double *reals = dataset_reals(from, c);
    if (reals)
        dataset_build_reals(to, c)[to_row] = reals[row];
    else
        dataset_set_state(to, to_row, c, dataset_state(from, row, c));
}

static status take_rows(const world *w, size_t n_rows, random_key key, dataset **out, error_info *err) {
    size_t n_all = dataset_row_count(w->data);
    AUTO_FREE size_t *order = NULL;
    random_stream random;
    if (n_rows > n_all)
        return error_set(err, STATUS_INVALID, "the data set has %zu rows; %zu are asked for", n_all, n_rows);
    CHECK_ALLOC(order = calloc(n_all, sizeof *order));
    for (size_t i = 0; i < n_all; i++)
        order[i] = i;
    random_stream_init(&random, key);
    if (n_rows < n_all)
        random_permutation(&random, order, n_all);
    CHECK(dataset_create(dataset_variable(w->data, 0), w->n_nodes, n_rows, out, err));
    for (size_t c = 0; c < w->n_nodes; c++) {
        for (size_t i = 0; i < n_rows; i++)
            copy_cell(w->data, order[i], *out, i, c);
    }
    return STATUS_OK;
}

status world_sample(const world *w, size_t n_rows, random_key key, dataset **out, error_info *err) {
    random_stream random;
    size_t n_unsettled;
    if (w->data)
        return take_rows(w, n_rows, key, out, err);
    if (w->genes)
        return gene_expression_simulate(w->genes, &w->noise, n_rows, key, out, &n_unsettled, err);
    random_stream_init(&random, key);
    if (w->gaussian)
        return sample_gaussian_network(w->gaussian, n_rows, &random, out, err);
    return sample_network(w->net, n_rows, &random, out, err);
}
