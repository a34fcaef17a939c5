/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the files of the scores share: the evaluator's state, and the form that every score has. */
#ifndef BNB_METRICS_SCORES_SCORE_INTERNAL_H
#define BNB_METRICS_SCORES_SCORE_INTERNAL_H

#include "core/counting/counts.h"
#include "core/counting/tuple_cache.h"
#include "metrics/numerics/term_table_internal.h"
#include "metrics/scores/asked_families_internal.h"
#include "metrics/scores/score.h"

/**
 * Every score of a table has one form: S(x, Pi) = sum over configurations j with rows of
 * ( sum over states k of cell(N_ijk) - row(N_ij) ) - penalty, where `cell` and `row` are functions of an integer count.
 */
typedef struct {
    term_table *cell, *row;
    double penalty;
} family_terms;

/** What the terms of a table are made from. */
typedef struct {
    term_tables *tables;
    term_table *n_log_n;
    size_t n_rows;
} count_terms;

/** A score that is a sum over the cells of a table. */
typedef struct table_score {
    status (*check)(const void *options, error_info *err); /* refuses options out of range; NULL: nothing to refuse */
    /** What the kind chooses for one family of r states and q parent configurations; `out` is zero. */
    status (*choose)(const count_terms *from, const void *options, double r, double q, family_terms *out,
                     error_info *err);
} table_score;

/** A score that is no sum over the cells of a table: of continuous or mixed data. */
typedef struct score_evaluator {
    /** Refuses options out of range. `*state`, NULL before, keeps what is needed of the data; the caller closes it,
     * after a failure too. */
    status (*open)(const void *options, const dataset *data, const run_context *ctx /* may be NULL */, void **state,
                   error_info *err);
    /** The local score of x; the structure prior left out. Never asked twice for what the cache still knows. */
    status (*node)(void *state, size_t x, const size_t *parents /* ascending */, size_t n_parents, double *out,
                   error_info *err);
    void (*close)(void *state); /* NULL is fine */
    /** For another thread: a state of its own that borrows what both only read; `state` may be in use meanwhile. NULL:
     * there can be no other. */
    status (*twin)(const void *state, void **out, error_info *err);
} score_evaluator;

/* See score_bounds_internal.h. */
typedef struct score_bounds score_bounds;

/** A set of columns, of which those with the same remainder are not told apart. */
enum { SCORE_MASK_BITS = 512 };
typedef struct {
    uint64_t words[SCORE_MASK_BITS / 64];
} score_mask;

struct score {
    const score_kind *kind;
    void *options;       /* its own copy */
    double arc_penalty;  /* of the structure prior */
    const dataset *data; /* declared states: r and q */
    const dataset *seen; /* the same rows over the states that occur: what is counted */
    dataset *own_seen;   /* NULL where every state occurs */
    statistics_count *tally;
    statistics_count own_tally; /* where the caller gave none */
    counts *counts;
    count_terms terms;
    tuple_cache *cache;
    uint32_t *key;         /* a family: child, then parents ascending */
    asked_families *asked; /* what was asked for by score_count_additions; NULL: nothing */
    sparse_bits extras;    /* scratch of it */
    size_t *largest;       /* by column: the most parents of its families in the cache */
    score_mask *cached;    /* by column: the parents of its families in the cache */
    void *evaluator_state; /* of kinds with an evaluator; these have no table: seen, counts and terms are NULL */
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

#endif
