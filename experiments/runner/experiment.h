/* SPDX-License-Identifier: GPL-3.0-or-later */
/** An experiment as declared: the YAML file, its profile and the --set overrides, checked against every registry. */
#ifndef BNB_RUNNER_EXPERIMENT_H
#define BNB_RUNNER_EXPERIMENT_H

#include "core/status.h"
#include "learners/learner.h"
#include "results/outputs.h"

#include <stdbool.h>
#include <stdint.h>

/** One learner of the experiment: a registry entry with options, or an external program. */
typedef struct {
    char *id;
    const learner *kind; /* NULL: external */
    void *options;       /* of kind */
    char **command;      /* external: argv with {data} {graph} {seed} {threads}, NULL-terminated */
    char *base_on;       /* reserved for best_of; NULL */
    bool has_returns;    /* external: `returns` was declared; else the kind is read off the graph */
    graph_kind returns;
} learner_variant;

/** Where a network of the experiment comes from; its name stands in outputs.networks. */
typedef struct {
    char *source;     /* a name of the catalogue, or a path; of a tiled network: the network that is copied */
    size_t copies;    /* 0: as it is; else tiled */
    bool has_arcs;    /* `arcs` was declared */
    size_t tile_arcs; /* between the tiles */
    char *where;      /* "FILE:line:column" of its declaration */
} network_source;

typedef enum { ORDER_SHUFFLED, ORDER_FILE, ORDER_REVERSE } column_order;

typedef struct {
    uint64_t seed;
    column_order order;
    size_t test_samples;
    double time_limit_s;         /* of learning, wall; 0: none */
    uint64_t memory_limit_bytes; /* 0: none */
    size_t n_threads;
    size_t n_variants;
    learner_variant *variants;
    size_t n_metrics;
    char **metrics;
    network_source *sources;    /* outputs.n_networks entries */
    experiment_outputs outputs; /* names, sizes, tables, plots */
    char *folder;               /* of the YAML file: where external commands run */
    char *declaration;          /* the effective declaration as YAML text: profile and --set applied */
} experiment;

void experiment_clear(experiment *e);

/**
 * Reads and checks a declaration; nothing is started, no network is read.
 *
 * @param profile NULL for none
 * @param sets    "key=value" overrides with dotted keys ("data.replicates=2"), the value as YAML
 * @return STATUS_PARSE: "FILE:line:column: ..." with what was expected and a suggestion. STATUS_MISSING, STATUS_IO.
 */
BNB_MUST_CHECK status experiment_read(const char *path, const char *profile, const char *const *sets, size_t n_sets,
                                      experiment *out, error_info *err);

/** The same from text, as store_last_run gives it back; `name` stands in messages. */
BNB_MUST_CHECK status experiment_parse(const char *text, size_t length, const char *name, experiment *out,
                                       error_info *err);

#endif
