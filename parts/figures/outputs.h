/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What an experiment declares, as far as tables, tests and plots need it. */
#ifndef BNB_PARTS_FIGURES_OUTPUTS_H
#define BNB_PARTS_FIGURES_OUTPUTS_H

#include "core/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** A learner that on each data set stands for the best of others. Owned strings. */
typedef struct {
    char *id; /* it is among the learners */
    size_t n_parts;
    char **parts;   /* learners, as declared; the first of equals is taken */
    bool *is_away;  /* by place, part by part: the part does not run there; NULL: each runs everywhere */
    char *by;       /* the metric that decides */
    bool needs_all; /* it fails where a part did that runs there; else the best of those that did not */
} best_of_spec;

/** Cells in which a learner failed in the paper: on these networks, at these sample sizes. Owned strings and arrays. */
typedef struct {
    char *learner;
    char *text; /* how it is known; NULL: it is not said */
    size_t n_networks, n_sizes, n_unknown;
    char **networks;
    size_t *sizes;
    char **unknown; /* networks that could not be read, so that nobody knows whether they are meant */
} paper_failure;

/** What can be said of a network without a learner, by name as in results/published/. */
typedef struct {
    bool is_known;
    double n_variables, n_edges, states_min, states_max, states_mean, parents_mean, max_in_degree, max_out_degree;
    double longest_path;    /* nodes of the longest directed path */
    double pc_mean, pc_max; /* parents and children of a variable */
    /* of a real data set, which has the number of variables and these alone */
    bool is_data;
    double sample_size, n_discrete, n_continuous, cardinality_min, cardinality_max, cardinality_mean;
} network_facts;

/** The probabilities of a variable's states given its parents'. Owned strings and arrays. */
typedef struct {
    char *network, *variable;
    size_t n_states, n_configurations;
    char **states;
    char **configurations; /* "Disease = PFC", the first parent varying fastest; one of an empty name without parents */
    double *values;        /* configuration j, state k at [j * n_states + k] */
} conditional_table;

typedef enum {
    CLAIM_LESS,
    CLAIM_ABOUT,
    CLAIM_ABOVE,
    CLAIM_BELOW,
    CLAIM_LOWEST,
    CLAIM_HIGHEST,
    CLAIM_RISES
} claim_relation;
#define CLAIM_RELATION_CHOICES "less|about|above|below|lowest|highest|rises"

/** What must hold of a table's figures. Owned strings. */
typedef struct {
    claim_relation relation;
    char *table;
    char *at; /* a sample size, a network or "average"; NULL: each of them but the average */
    size_t n_learners;
    char **learners;
    double number; /* of about: the relative tolerance; of above and below: the bound */
} claim_check;

/** A claim of a paper: it holds where every check does; without any it is for the reader to judge. Owned strings. */
typedef struct {
    char *id, *text, *comment;
    bool is_main; /* the paper's main claim; at most one is */
    size_t n_checks;
    claim_check *checks;
} claim_spec;

/** What a reproduction report says in words. Owned strings. */
typedef struct {
    char *title, *text;
} remark_spec;

/** Why a reading is allowed: the paper says it, is silent, or the reading was chosen in view of the figures. */
typedef enum { BASIS_TEXT, BASIS_SILENT, BASIS_FIGURES } reading_basis;
#define READING_BASIS_CHOICES "text|silent|figures"

/** One way to read what a paper leaves open; "base" is the experiment as it is declared. Owned strings. */
typedef struct {
    char *id, *text;
    reading_basis basis;
} reading_spec;

/** Whether it is the experiment as it is declared, of which the entry says how it reads the paper. */
bool reading_is_base(const reading_spec *r);

/** Why figures do not come out: how the paper is read, data that cannot be had, the authors' computers, the paper's own
 * inconsistency, or a guess. */
typedef enum { REASON_READING, REASON_DATA, REASON_HARDWARE, REASON_PAPER, REASON_UNKNOWN } reason_kind;
#define REASON_KIND_CHOICES "reading|data|hardware|paper|unknown"

/** Figures of a table, or outcomes of a test. Owned strings. */
typedef struct {
    char *table; /* or test, by its id */
    size_t n_learners, n_places;
    char **learners; /* none: all; of a verdict on a pair either of the two */
    char **places;   /* sample sizes, networks, ...; none: all */
} reason_cells;

/** A reason why published figures do not come out. Owned strings. */
typedef struct {
    char *id, *text;
    reason_kind kind;
    size_t n_cells, n_readings;
    reason_cells *cells;
    char **readings; /* any of which shows it, by bringing the figure within tolerance, or past the published one and
                        nearer */
    char *shown_in;  /* a table or test to look at; NULL: none */
    char *claim;     /* that shows it where it holds here and the paper's own figures do not satisfy it; NULL: none */
} reason_spec;

/** A column of a file and the values that are meant. Owned strings. */
typedef struct {
    char *column;
    size_t n_values;
    char **values;
} row_condition;

/** Rows of a file of published figures that no table or test compares, and why. Owned strings and arrays. */
typedef struct {
    char *published, *reason;
    size_t n_conditions; /* all of which hold; none: every row */
    row_condition *conditions;
} absent_rows;

/** A figure of the paper that shows curves or a drawing, no printed numbers. Owned strings. */
typedef struct {
    char *figure; /* "Figure 5" */
    char *plot;   /* the id of the plot that redraws it; NULL: none does */
    char *text;   /* how it is redrawn, or why it is not; NULL where a plot needs no words */
    size_t n_claims;
    char **claims; /* ids of those that judge it */
} paper_figure;

enum { OUTPUTS_ALL_ROWS = 0 };

/** Owned strings and arrays; zero-initialise. */
typedef struct {
    char *name, *title;
    char *paper; /* that several experiments may share; NULL: it is not said */
    size_t n_networks, n_sizes, n_sigmas, n_learners;
    char **networks;
    size_t *sizes;     /* OUTPUTS_ALL_ROWS stands alone: every row of real data sets, as many as each has */
    double *sigmas;    /* noise levels of data made continuous; none where they are as they were sampled */
    char **learners;   /* ids in declared order */
    bool *is_hidden;   /* by learner: a part of another, shown where it is named alone; NULL: none is */
    size_t n_programs; /* learners that are programs of others, whose time is that of the whole process */
    char **programs;
    size_t n_best_of; /* learners that stand for others */
    best_of_spec *best_of;
    size_t n_replicates;
    size_t n_paper_failures; /* none until somebody who can read networks has found which ones are meant */
    paper_failure *paper_failures;
    network_facts *facts; /* by network; NULL until somebody who can read networks fills it in */
    char **true_graphs;   /* by network, as graph_append_csv writes it; NULL likewise, and where no plot draws it */
    size_t n_probabilities;
    conditional_table *probabilities; /* those that tables show, of networks that could be read */
    size_t n_claims, n_remarks;
    claim_spec *claims;
    remark_spec *remarks; /* discrepancies and what explains them */
    char *conclusion;     /* what was learned about the paper; NULL: nothing is said */
    char *reading;        /* that was applied; NULL: none */
    size_t n_readings;
    reading_spec *readings; /* that can be applied, and perhaps "base" */
    size_t n_reasons;
    reason_spec *reasons; /* the first that covers a figure counts */
    size_t n_absent, n_paper_figures;
    absent_rows *absent;
    paper_figure *paper_figures;
} experiment_outputs;

void experiment_outputs_clear(experiment_outputs *o);

/** Of these alone, so that others can be put in their place. */
void outputs_clear_paper_failures(experiment_outputs *o);

/**
 * Where data sets come from: a network at a noise level, numbered network by network. Without noise levels the places
 * are the networks.
 */
size_t outputs_place_count(const experiment_outputs *o);
size_t outputs_sigma_count(const experiment_outputs *o); /* at least 1 */

/** Is the noise level one of these? */
bool outputs_is_among(double sigma, const double *sigmas, size_t n);

/** "500", "all" */
void outputs_append_size(size_t size, text_buffer *out);

/** Whether results on that many rows belong to a declared size. */
bool outputs_is_size(size_t declared, uint64_t n_samples);

/** "alarm", and with several noise levels "alarm (sigma 0.35)". */
void outputs_append_place(const experiment_outputs *o, size_t place, text_buffer *out);

/** The position of a learner's id, or (size_t)-1. */
size_t outputs_find_learner(const experiment_outputs *o, const char *id);

/** The claim or reason of that id, or NULL. */
const claim_spec *outputs_find_claim(const experiment_outputs *o, const char *id);
const reason_spec *outputs_find_reason(const experiment_outputs *o, const char *id);

/** The best_of declaration of a learner, or NULL where it stands for itself. */
const best_of_spec *outputs_find_best_of(const experiment_outputs *o, const char *id);

/** "a, b": those learners that are programs of others. Returns how many. */
size_t outputs_append_programs(const experiment_outputs *o, text_buffer *out);

/**
 * The same outputs with fewer learners: those that are not hidden, or with `n` > 0 those named, in that order. Borrows
 * everything but the array `learners`, which the caller frees. False without memory.
 */
bool outputs_with_learners(const experiment_outputs *o, char *const *ids, size_t n, experiment_outputs *view);

#endif
