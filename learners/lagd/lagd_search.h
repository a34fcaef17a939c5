/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Look ahead in good directions: Holland, Fathi, Abramovici, Neubach 2008 (IPMU), as Vandel, Mangin, de Givry 2012 use
 * it: sequences of h moves, each but the last among the l best where it starts, and the best sequence is taken whole.
 */
#ifndef BNB_LEARNERS_LAGD_LAGD_SEARCH_H
#define BNB_LEARNERS_LAGD_LAGD_SEARCH_H

#include "learners/greedy/delta_table.h"

typedef struct {
    size_t n; /* nodes */
    local_scorer scorer;
    size_t h;              /* moves of a sequence, at least 1; 1: plain hill climbing */
    size_t l;              /* good directions, at least 1 */
    int max_parents;       /* -1: no limit */
    bool keeps_directions; /* no arc is reversed */
    bool is_sparse;        /* few scores are kept, and others found again; the scorer has `by_tables` */
    bool searches_paths;   /* as where there are more than ANCESTRY_MAX_BESIDE_SUPPORTS nodes */
    void (*watch)(void *context, size_t n_moves, double gain, const dag *graph); /* after each step; NULL for none */
    void *watch_context;
} lagd_plan;

typedef struct {
    dag *graph; /* the caller destroys it */
    double score;
    size_t n_steps;    /* sequences of moves that were made, of all searches */
    size_t n_searches; /* 1, or several in other orders */
    bool is_cut_short; /* the deadline came first: the graph so far */
} lagd_result;

/**
 * Searches from the graph without arcs. For depth h, h - 1, ..., 2: while the best sequence is that long and gains more
 * than SCORE_TOLERANCE, all its moves are made; then plain hill climbing. Moves add, delete or, unless the
 * plan keeps directions, reverse an arc; the good ones may lose; among moves within the tolerance the lowest (kind,
 * from, to) comes first, among sequences the one that starts with the better move.
 */
BNB_MUST_CHECK status lagd_search(const lagd_plan *plan, run_context *ctx, lagd_result *out, error_info *err);

/**
 * `n_searches` searches, at least 1, each in a random order of the variables from ctx->random, the best kept; the order
 * decides which of equally good moves is made: Vandel, Mangin, de Givry 2012, section 4.1 ("we randomly permute the
 * input variables at each run"). The nodes of `out` are as the plan has them. ctx->trace gets the series "best_score".
 * The plan watches nothing.
 */
BNB_MUST_CHECK status lagd_search_in_orders(const lagd_plan *plan, size_t n_searches, run_context *ctx,
                                            lagd_result *out, error_info *err);

#endif
