/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Where the data of a network of the experiment come from, and what is true of it. */
#ifndef BNB_RUNNER_PLAN_WORLD_INTERNAL_H
#define BNB_RUNNER_PLAN_WORLD_INTERNAL_H

#include "core/graph/pdag.h"
#include "core/models/gaussian_net.h"
#include "runner/declare/experiment.h"
#include "runner/plan/digest_internal.h"

/** One of four: `net`, `gaussian`, `genes` or `data` is set. */
typedef struct {
    bayes_net *net;
    gaussian_net *gaussian; /* its data are continuous */
    gene_network *genes;    /* its data are simulated with `noise` */
    gene_noise noise;
    dataset *data; /* real: its data are rows of it */
    size_t n_nodes;
    const char **names; /* borrowed from the one that is set */
    size_t n_arcs;      /* of the true graph, which may hold cycles */
    graph_arc *arcs;
    pdag *truth;      /* NULL where it is not known */
    bool is_directed; /* `truth` has the arcs; else, as they form cycles, it is their skeleton */
} world;

/** Reads, makes or draws it. `name` is its name in the experiment. */
BNB_MUST_CHECK status world_load(const network_source *source, const char *name, world **out, error_info *err);
void world_destroy(world *w); /* NULL is fine */
AUTO_PTR_OF(world, world_destroy)

/** All that data and truth depend on. */
BNB_MUST_CHECK status world_digest(const world *w, char hex[DIGEST_HEX_SIZE], error_info *err);

/**
 * Rows of data. Of a real data set: all of them in their order, or as many without replacement, in random order.
 * @return STATUS_INVALID: more than a real data set has.
 */
BNB_MUST_CHECK status world_sample(const world *w, size_t n_rows, random_key key, dataset **out, error_info *err);

#endif
