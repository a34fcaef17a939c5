/* SPDX-License-Identifier: GPL-3.0-or-later */
/** An experiment as declared: the YAML file, its profile and the --set overrides, checked against every registry. */
#ifndef BNB_RUNNER_DECLARE_EXPERIMENT_H
#define BNB_RUNNER_DECLARE_EXPERIMENT_H

#include "core/base/status.h"
#include "discretizers/base/discretizer.h"
#include "generators/genes/gene_expression.h"
#include "generators/networks/random_topology.h"
#include "learners/base/learner.h"
#include "parts/base/part.h"
#include "parts/figures/network_fact.h"

#include <stdbool.h>
#include <stdint.h>

/** The option `budget` as so many times the CPU time that another learner took on the same data set. */
typedef struct {
    bool is_relative; /* else it is as the options say */
    double times;
    size_t base; /* the other's position among the variants, before this one's; its own budget is not relative */
} learner_budget;

/** How continuous data are made discrete. Zero: not at all. */
typedef struct {
    const discretizer *kind; /* NULL: not at all */
    void *options;           /* of kind; owned */
} discretize_declaration;

/** One learner of the experiment: a registry entry with options, or an external program. */
typedef struct {
    char *id;
    const learner *kind; /* NULL: external */
    void *options;       /* of kind */
    char **command;      /* external: argv with {data} {graph} {seed} {threads}, NULL-terminated */
    learner_budget budget;
    discretize_declaration discretize;
    bool takes_numbers; /* discrete columns are given to it as numbers (core/data/dataset_numbers.h) */
    bool *runs_on;      /* by network of the experiment; NULL: on all */
    bool has_returns;   /* external: `returns` was declared; else the kind is read off the graph */
    graph_kind returns;
} learner_variant;

/** A network of genes as declared: drawn, or with the arcs of a file. */
typedef struct {
    topology_wish topology; /* n_genes counts with `edges` too */
    bool is_scale_free;
    char *edges; /* a file of arcs, or a name of one; NULL: none was named */
    gene_noise noise;
} gene_declaration;

typedef enum { SOURCE_NETWORK, SOURCE_GENES, SOURCE_DATA } source_kind;

/** Where a network of the experiment comes from; its name stands in outputs.networks. */
typedef struct {
    source_kind kind;
    gene_declaration genes; /* of SOURCE_GENES; of SOURCE_DATA its `edges` alone */
    char *source;           /* a name of the catalogue, or a path; of a tiled network: the network that is copied;
                               of SOURCE_DATA the data set, of SOURCE_GENES NULL */
    size_t copies;          /* 0: as it is; else tiled */
    bool has_arcs;          /* `arcs` was declared */
    size_t tile_arcs;       /* between the tiles */
    char *where;            /* "FILE:line:column" of its declaration */
} network_source;

typedef enum { FACT_AT_LEAST, FACT_ABOVE, FACT_AT_MOST, FACT_BELOW, FACT_EQUAL } fact_relation;

/** What must hold of a cell: "nodes >= 186". */
typedef struct {
    const network_fact *fact; /* NULL: the sample size */
    fact_relation relation;
    double number;
} fact_condition;

/** An entry of `failed_in_paper`; outputs.paper_failures says which cells it means. Owned strings and arrays. */
typedef struct {
    char *learner, *text; /* text: NULL where it was not declared */
    size_t n_networks, n_sizes;
    char **networks;     /* these alone; none: all */
    size_t *sizes;       /* these alone; none: all */
    size_t n_conditions; /* all of which must hold */
    fact_condition *conditions;
} failure_rule;

/** Which cells are run, by position from 1; 0: all of them. */
typedef struct {
    size_t network, size, sigma, replicate, variant;
} cell_choice;

typedef enum { ORDER_SHUFFLED, ORDER_FILE, ORDER_REVERSE } column_order;

/** The states that a learner is told of: those of the network or data set, or those that occur in its rows. */
typedef enum { STATES_DECLARED, STATES_OBSERVED } told_states;

typedef struct {
    uint64_t seed;
    column_order order;
    told_states states;
    size_t test_samples;         /* rows of one test set; 0: there is none */
    bool test_is_as_large;       /* a test set has as many rows as the training set, and test_samples is the most */
    size_t validation_sets;      /* test sets, over which held-out metrics are averaged */
    double time_limit_s;         /* of learning, wall; 0: none */
    uint64_t memory_limit_bytes; /* 0: none */
    size_t n_threads;
    discretize_declaration discretize; /* of every learner that does not declare its own */
    size_t n_variants;
    learner_variant *variants;
    size_t n_metrics;
    char **metrics;
    network_source *sources;    /* outputs.n_networks entries */
    experiment_outputs outputs; /* names and sizes; its learners are the variants and best_of */
    part_list parts;            /* tables, tests and plots */
    bool is_as_written;         /* no profile and no override is laid over the file */
    char *folder;               /* of the YAML file: where external commands run */
    size_t n_failure_rules;
    failure_rule *failure_rules;
    cell_choice only;  /* and what these need: the learner whose time is another's budget */
    char *declaration; /* the effective declaration as YAML text: profile and --set applied */
} experiment;

void experiment_clear(experiment *e);

/** Rows of one test set beside a training set of that size (an index). */
size_t experiment_test_rows(const experiment *e, size_t size);

/**
 * Reads and checks a declaration; nothing is started, no network is read.
 *
 * @param profile NULL for none
 * @param sets    "key=value" overrides with dotted keys ("data.replicates=2"), the value as YAML
 * @return STATUS_PARSE: "FILE:line:column: ..." with what was expected and a suggestion. STATUS_MISSING, STATUS_IO.
 */
BNB_MUST_CHECK status experiment_read(const char *path, const char *profile, const char *const *sets, size_t n_sets,
                                      experiment *out, error_info *err);

/**
 * The experiment with one of its readings applied; it has no readings then, and outputs.reading is that.
 * @return STATUS_INVALID: there is no such reading, or it is "base"
 */
BNB_MUST_CHECK status experiment_apply_reading(const experiment *e, const char *reading, experiment *out,
                                               error_info *err);

/** The same from text, as store_last_run gives it back; `name` stands in messages. */
BNB_MUST_CHECK status experiment_parse(const char *text, size_t length, const char *name, experiment *out,
                                       error_info *err);

#endif
