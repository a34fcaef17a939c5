/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Local scores of small networks as tables: what a search asks for is counted, and exact where the truth is known. */
#ifndef BNB_TESTS_SUPPORT_SCORE_TABLES_H
#define BNB_TESTS_SUPPORT_SCORE_TABLES_H

#include "tests/support/support.h"

#include "learners/greedy/delta_table.h"

#include <math.h>
#include <string.h>

enum { TABLE_NODES = 8, TABLE_SETS = 1 << TABLE_NODES };

/** Scores by node and set of parents (bit x: node x). */
typedef struct {
    size_t n, n_asked;
    double value[TABLE_NODES][TABLE_SETS];
    bool is_asked[TABLE_NODES][TABLE_SETS];
} score_table;

static inline double score_table_ask(score_table *t, size_t y, unsigned parents) {
    t->n_asked += !t->is_asked[y][parents];
    t->is_asked[y][parents] = true;
    return t->value[y][parents];
}

static inline void score_table_forget(score_table *t) {
    memset(t->is_asked, 0, sizeof t->is_asked);
    t->n_asked = 0;
}

static inline unsigned set_of(const size_t *nodes, size_t n) {
    unsigned set = 0;
    for (size_t i = 0; i < n; i++)
        set |= 1u << nodes[i];
    return set;
}

static inline status table_node(void *context, size_t y, const size_t *parents, size_t n_parents, double *out,
                                error_info *err) {
    (void)err;
    *out = score_table_ask(context, y, set_of(parents, n_parents));
    return STATUS_OK;
}

static inline status table_node_with(void *context, size_t y, const size_t *parents, size_t n_parents, size_t extra,
                                     double *out, error_info *err) {
    (void)err;
    *out = score_table_ask(context, y, set_of(parents, n_parents) | 1u << extra);
    return STATUS_OK;
}

static inline local_scorer score_table_source(score_table *t) {
    return (local_scorer){t, table_node, table_node_with, NULL};
}

/** Anything at all, of a few levels, so that there are ties. */
static inline void fill_at_random(score_table *t, size_t n, size_t n_levels, random_stream *random) {
    *t = (score_table){.n = n};
    for (size_t y = 0; y < n; y++) {
        for (unsigned set = 0; set < 1u << n; set++)
            t->value[y][set] = (double)random_below(random, n_levels) / 8;
    }
}

/* --- linear Gaussian networks in the population */

typedef struct {
    size_t n;
    double at[TABLE_NODES][TABLE_NODES];
} covariance;

/** The covariance of x_y = sum of b[x][y] x_x + noise[y], the nodes standing in topological order in `order`. */
static inline covariance covariance_of(size_t n, const size_t *order, double b[TABLE_NODES][TABLE_NODES],
                                       const double *noise) {
    covariance c = {.n = n};
    for (size_t i = 0; i < n; i++) {
        size_t y = order[i];
        c.at[y][y] = noise[y];
        for (size_t j = 0; j < i; j++) {
            size_t z = order[j];
            for (size_t k = 0; k < i; k++)
                c.at[z][y] += b[order[k]][y] * c.at[z][order[k]];
            c.at[y][z] = c.at[z][y];
        }
        for (size_t j = 0; j < i; j++)
            c.at[y][y] += b[order[j]][y] * c.at[order[j]][y];
    }
    return c;
}

static inline void standardise(covariance *c) {
    double scale[TABLE_NODES];
    for (size_t i = 0; i < c->n; i++)
        scale[i] = sqrt(c->at[i][i]);
    for (size_t i = 0; i < c->n; i++) {
        for (size_t j = 0; j < c->n; j++)
            c->at[i][j] = i == j ? 1 : c->at[i][j] / (scale[i] * scale[j]);
    }
}

/** The variance of y that a regression on the set leaves: Gaussian elimination of the set's nodes. */
static inline double variance_left(const covariance *c, size_t y, unsigned set) {
    covariance work = *c;
    for (size_t k = 0; k < c->n; k++) {
        if (!(set >> k & 1u))
            continue;
        for (size_t i = 0; i < c->n; i++) {
            double factor = work.at[i][k] / work.at[k][k];
            for (size_t j = 0; i != k && j < c->n; j++)
                work.at[i][j] -= factor * work.at[k][j];
        }
    }
    return work.at[y][y];
}

/** BIC of n_rows rows that have exactly these moments, constants left out. */
static inline void fill_with_bic(score_table *t, const covariance *c, double n_rows) {
    *t = (score_table){.n = c->n};
    for (size_t y = 0; y < c->n; y++) {
        for (unsigned set = 0; set < 1u << c->n; set++) {
            if (!(set >> y & 1u))
                t->value[y][set] =
                    -n_rows / 2 * log(variance_left(c, y, set)) - (double)__builtin_popcount(set) / 2 * log(n_rows);
        }
    }
}

#endif
