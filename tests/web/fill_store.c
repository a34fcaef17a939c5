/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fill_store EXPERIMENT FOLDER N: makes a store with made-up results of the first N variants of an experiment, one for
 * each of its data sets, in seconds: what the browser test needs for a page as large as that of a full run.
 */
#include "core/base/random.h"
#include "core/graph/graph_file.h"
#include "generators/catalogue/catalogue.h"
#include "metrics/distances/metric.h"
#include "runner/declare/experiment.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_USAGE = 2, SEED = 6 };
static const double share_kept = 0.8; /* of the true edges */

typedef struct {
    const experiment *e;
    store *store;
    random_stream random;
    const bayes_net *net; /* the network at hand; NULL where it does not ship */
    text_buffer plan;     /* JSON */
} filler;

/* Where a job stands in the experiment. */
typedef struct {
    size_t network, size, replicate, variant;
} job_place;

/* The true network with arcs left out. */
static status append_graph(filler *f, text_buffer *out, error_info *err) {
    const dag *truth = bayes_net_dag(f->net);
    size_t n = bayes_net_node_count(f->net), n_pairs = 0, n_parents;
    pdag_pair *pairs = calloc(dag_arc_count(truth) + 1, sizeof *pairs);
    const char **names = calloc(n + 1, sizeof *names);
    pdag *learned = NULL;
    status st = STATUS_OK;
    TRY_ALLOC(pairs);
    TRY_ALLOC(names);
    for (size_t i = 0; i < n; i++) {
        const size_t *parents = dag_parents(truth, i, &n_parents);
        names[i] = bayes_net_variable(f->net, i)->name;
        for (size_t k = 0; k < n_parents; k++) {
            if (random_uniform(&f->random) < share_kept)
                pairs[n_pairs++] = (pdag_pair){parents[k], i, EDGE_OUT};
        }
    }
    TRY(pdag_from_pairs(n, pairs, n_pairs, &learned, err));
    graph_append_csv(learned, names, out);
cleanup:
    free(pairs);
    free(names);
    pdag_destroy(learned);
    return st;
}

static status set_metrics(filler *f, job_record *job, error_info *err) {
    const metric_info *m;
    for (size_t i = 0; (m = metric_at(i)); i++)
        CHECK(job_record_set_metric(job, m->name, 100 * random_uniform(&f->random), err));
    return job_record_set_metric(job, "time", 0.01 + random_uniform(&f->random), err);
}

static status add_job(filler *f, job_place at, error_info *err) {
    const experiment_outputs *o = &f->e->outputs;
    char key[65], fingerprint[65], options[] = "{\"made\":\"up\"}", kind[] = "dag";
    text_buffer graph = {0};
    job_record job = {.key = key,
                      .network = o->networks[at.network],
                      .n_samples = o->sizes[at.size],
                      .replicate = at.replicate,
                      .learner = f->e->variants[at.variant].id,
                      .state = JOB_DONE,
                      .options = options,
                      .seed = random_next(&f->random) >> 1,
                      .fingerprint = fingerprint,
                      .graph_kind = kind,
                      .cpu_seconds = 0.01,
                      .wall_seconds = 0.02,
                      .peak_memory_bytes = 1 << 24};
    bool added;
    status st = STATUS_OK;
    (void)snprintf(key, sizeof key, "%032" PRIx64 "%032" PRIx64, random_next(&f->random), random_next(&f->random));
    (void)snprintf(fingerprint, sizeof fingerprint, "%064zx", at.network * 100000 + at.size * 1000 + at.replicate);
    if (f->net)
        TRY(append_graph(f, &graph, err));
    TRY(text_buffer_check(&graph, err));
    job.graph = graph.data;
    TRY(set_metrics(f, &job, err));
    TRY(store_add(f->store, &job, &added, err));
    text_append_format(&f->plan, "%s\"%s\"", f->plan.length ? "," : "[", key);
cleanup:
    for (size_t i = 0; i < job.n_metrics; i++)
        free(job.metrics[i].name);
    free(job.metrics);
    text_buffer_clear(&graph);
    return st;
}

static status add_network(filler *f, size_t network, error_info *err) {
    const network_source *source = &f->e->sources[network];
    bayes_net *net = NULL;
    status st = STATUS_OK;
    if (source->copies == 0 && catalogue_load(source->source, &net, NULL) == STATUS_OK)
        f->net = net;
    for (size_t size = 0; size < f->e->outputs.n_sizes; size++) {
        for (size_t replicate = 0; replicate < f->e->outputs.n_replicates; replicate++) {
            for (size_t variant = 0; variant < f->e->n_variants; variant++)
                TRY(add_job(f, (job_place){network, size, replicate, variant}, err));
        }
    }
cleanup:
    f->net = NULL;
    bayes_net_destroy(net);
    return st;
}

static status fill(const experiment *e, const char *folder, error_info *err) {
    filler f = {.e = e};
    store_run run = {.declaration = e->declaration};
    int64_t id;
    status st = STATUS_OK;
    random_stream_init(&f.random, random_key_of(SEED));
    TRY(store_open(folder, true, true, &f.store, err));
    for (size_t i = 0; i < e->outputs.n_networks; i++)
        TRY(add_network(&f, i, err));
    text_append(&f.plan, "]");
    TRY(text_buffer_check(&f.plan, err));
    run.plan = f.plan.data;
    TRY(store_begin_run(f.store, &run, &id, err));
    TRY(store_end_run(f.store, id, "complete", err));
cleanup:
    store_close(f.store);
    text_buffer_clear(&f.plan);
    return st;
}

int main(int argc, char **argv) {
    experiment e = {0};
    error_info err = {0};
    status st = STATUS_OK;
    if (argc != 3) {
        (void)fputs("usage: fill_store EXPERIMENT FOLDER\n", stderr);
        return EXIT_USAGE;
    }
    TRY(experiment_read(argv[1], NULL, NULL, 0, &e, &err));
    TRY(fill(&e, argv[2], &err));
cleanup:
    experiment_clear(&e);
    if (st != STATUS_OK)
        (void)fprintf(stderr, "fill_store: %s\n", err.message);
    return st == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
