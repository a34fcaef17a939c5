/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Two columns x and y with the sets between A and A with C: A is given, and each of the candidates C may be. Whether
 * one more is given, or ruled out, is one step of elimination.
 */
#ifndef BNB_METRICS_NUMERICS_CONDITIONED_PAIR_INTERNAL_H
#define BNB_METRICS_NUMERICS_CONDITIONED_PAIR_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

/** Rows and columns of the matrices: x, y, then the candidates. All memory is the caller's. */
typedef struct {
    size_t n;           /* candidates */
    size_t *candidates; /* ascending columns of the data */
    double *left;       /* (n + 2)^2: covariances of residuals given A, of columns with variance 1 */
    double *precision;  /* the same rows of the inverse of the correlations of x, y, A and C; NULL: not kept */
} conditioned_pair;

/** The rows of x and y in both matrices; the first of a candidate. */
enum { PAIR_X, PAIR_Y, PAIR_FIRST };

/** `to`: the i-th candidate is given, and those before it are no candidates any more; without precision. */
void conditioned_pair_walk(const conditioned_pair *from, size_t i, conditioned_pair *to);

/** `to`: the i-th candidate is given; is ruled out. */
void conditioned_pair_include(const conditioned_pair *from, size_t i, conditioned_pair *to);
void conditioned_pair_exclude(const conditioned_pair *from, size_t i, conditioned_pair *to);

/** Parts of a correlation: r^2 = product^2 / variances. */
typedef struct {
    double product, variances;
} squared_correlation;

/** Given A. */
static inline squared_correlation conditioned_pair_given_least(const conditioned_pair *p) {
    size_t w = p->n + PAIR_FIRST;
    return (squared_correlation){p->left[PAIR_Y], p->left[PAIR_X] * p->left[w + PAIR_Y]};
}

/** Given A and C. */
static inline squared_correlation conditioned_pair_given_most(const conditioned_pair *p) {
    size_t w = p->n + PAIR_FIRST;
    return (squared_correlation){-p->precision[PAIR_Y], p->precision[PAIR_X] * p->precision[w + PAIR_Y]};
}

/**
 * At least 1 - 1 / the result is r^2 given any set between A and A with C. With v(y|T) the variance that T leaves of y,
 * 1 / (1 - r^2) = v(y|T) / v(y|x,T), and variances only fall as sets grow: v(y|T) >= v(y|A,C), v(y|x,T) <= v(y|x,A).
 * The same holds with x and y exchanged; `*by_y` says which of the two bounds is the better one.
 */
double conditioned_pair_least_ratio(const conditioned_pair *p, bool *by_y);

/** The candidate of which either answer promises to raise that bound most. */
size_t conditioned_pair_most_telling(const conditioned_pair *p, bool by_y);

#endif
