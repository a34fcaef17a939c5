/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the files of the scores share: the evaluator's state, and the form that every score has. */
#ifndef BNB_METRICS_SCORES_SCORE_INTERNAL_H
#define BNB_METRICS_SCORES_SCORE_INTERNAL_H

#include "core/counting/counts.h"
#include "core/counting/tuple_cache.h"
#include "metrics/numerics/term_table_internal.h"
#include "metrics/scores/score.h"

/**
 * Every score of a table has one form: S(x, Pi) = sum over configurations j with rows of
 * ( sum over states k of cell(N_ijk) - row(N_ij) ) - penalty, where `cell` and `row` are functions of an integer count.
 */
typedef struct {
    term_table *cell, *row;
    double penalty;
} family_terms;

/** A score that is no sum over the cells of a table: of continuous or mixed data. */
typedef struct {
    /** Refuses options out of range; what it cannot do without of the data is kept in the state, which `close` frees.
     */
    status (*open)(const score_options *options, const dataset *data, void **state, error_info *err);
    /** The local score of x; the structure prior left out. Never asked twice for what the cache still knows. */
    status (*node)(void *state, size_t x, const size_t *parents /* ascending */, size_t n_parents, double *out,
                   error_info *err);
    void (*close)(void *state); /* NULL is fine */
} score_evaluator;

struct score_kind {
    const char *name;
    const char *alias;
    const char *summary;
    const char *citation;
    bool is_equivalent;
    const option_spec *options;
    /** What a kind chooses for one family: r states, q parent configurations. NULL for those with an evaluator. */
    status (*choose)(score *s, double r, double q, family_terms *out, error_info *err);
    int accepts; /* data_kinds, ored */
    const score_evaluator *evaluator;
};

/* See gaussian_score.c. */
extern const score_evaluator score_gaussian_loglik, score_gaussian_aic, score_gaussian_bic, score_bge;

/* See kernel_score_kind.c. */
extern const score_evaluator score_kernel;

/* See score_bound.c. */
typedef struct score_bounds score_bounds;

struct score {
    const score_kind *kind;
    score_options options;
    const dataset *data; /* declared states: r and q */
    const dataset *seen; /* the same rows over the states that occur: what is counted */
    dataset *own_seen;   /* NULL where every state occurs */
    statistics_count *tally;
    statistics_count own_tally; /* where the caller gave none */
    counts *counts;
    term_tables *terms;
    term_table *n_log_n;
    tuple_cache *cache;
    uint32_t *key;         /* a family: child, then parents ascending */
    void *evaluator_state; /* of kinds with an evaluator; these have no table: seen, counts, terms, n_log_n are NULL */
    struct score_base {
        size_t n_parents, n_live;
        size_t *parents;
        size_t *live; /* parents with more than one state that occurs: the others split nothing */
        double q;     /* configurations, declared */
    } base;           /* of the last family, without its extra */
    score_bounds *bounds;
};

/** Families with more cells are not scored: -INFINITY. */
#define SCORE_MAX_CELLS 0x1p62

/** Makes s->base that of these parents. */
void score_set_base(score *s, const size_t *parents, size_t n_parents);

/** The terms of a family of x with q configurations of n_arcs parents, the structure prior in the penalty. */
BNB_MUST_CHECK status score_terms(score *s, size_t x, double q, size_t n_arcs, family_terms *out, error_info *err);

/** The sum over `n_rows` configurations of r cells each. */
double score_sum_cells(const uint32_t *cells, size_t n_rows, size_t r, const family_terms *terms);

BNB_MUST_CHECK status score_bounds_create(const score *s, score_bounds **out, error_info *err);
void score_bounds_destroy(score_bounds *b);

#endif
