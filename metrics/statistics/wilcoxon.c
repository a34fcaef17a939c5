/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/statistics/wilcoxon.h"

#include "metrics/numerics/log_tail.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double relative_tie = 1e-12, rounding_of_subtraction = 8 * DBL_EPSILON;

/* One difference: its size and sign, and how large the numbers were whose difference it is. */
typedef struct {
    double size, scale;
    int sign;
    double rank;
} difference;

/* What a test works on: all differences by size, the zeros first. */
typedef struct {
    difference *d;
    size_t n_all, n_zero;
    double tie_term; /* sum of t^3 - t over the ties that are no zeros */
    const wilcoxon_options *options;
} signed_ranks;

static int compare_sizes(const void *first, const void *second) {
    const difference *a = first, *b = second;
    return (a->size > b->size) - (a->size < b->size);
}

static status read_difference(double x, double y, size_t i, difference *out, error_info *err) {
    double d = x - y, scale = fmax(fabs(x), fabs(y));
    if (!isfinite(x) || !isfinite(y) || !isfinite(d))
        return error_set(err, STATUS_INVALID, "pair %zu is %g and %g; both must be finite numbers", i + 1, x, y);
    if (fabs(d) <= relative_tie * scale)
        d = 0;
    *out = (difference){.size = fabs(d), .scale = scale, .sign = (d > 0) - (d < 0)};
    return STATUS_OK;
}

static bool is_tie(const difference *a, const difference *b) {
    double scale = fmax(a->scale, b->scale);
    return b->size - a->size <= relative_tie * b->size + rounding_of_subtraction * scale;
}

/* Mid-ranks from `first` on, where the ranks start at `first_rank`; zeros tie with zeros alone. */
static void rank_from(signed_ranks *s, size_t first, double first_rank) {
    for (size_t i = first; i < s->n_all;) {
        size_t n = 1;
        double t;
        while (i + n < s->n_all && is_tie(&s->d[i], &s->d[i + n]))
            n++;
        t = (double)n;
        for (size_t j = i; j < i + n; j++)
            s->d[j].rank = first_rank + (double)(i - first) + (t - 1) / 2;
        s->tie_term += t * t * t - t;
        i += n;
    }
}

static status make_ranks(const double *x, const double *y, signed_ranks *s, error_info *err) {
    for (size_t i = 0; i < s->n_all; i++) {
        CHECK(read_difference(x[i], y ? y[i] : 0, i, &s->d[i], err));
        s->n_zero += s->d[i].sign == 0;
    }
    qsort(s->d, s->n_all, sizeof *s->d, compare_sizes);
    rank_from(s, s->n_zero, s->options->zeros == WILCOXON_PRATT ? (double)s->n_zero + 1 : 1);
    return STATUS_OK;
}

/* 1 where every rank is whole, else 2: by it the ranks become whole numbers. */
static size_t rank_scale(const signed_ranks *s) {
    for (size_t i = s->n_zero; i < s->n_all; i++) {
        if (s->d[i].rank != floor(s->d[i].rank))
            return 2;
    }
    return 1;
}

/*
 * P(sum of the ranks with a positive sign = t) for each t, signs being fair coins. Probabilities, not counts: they are
 * sums of non-negative terms, so that even the smallest keeps its digits.
 */
static status distribution(const signed_ranks *s, size_t scale, double **out, size_t *n_sums, error_info *err) {
    size_t total = 0, reached = 0;
    double *p;
    for (size_t i = s->n_zero; i < s->n_all; i++)
        total += (size_t)(s->d[i].rank * (double)scale);
    CHECK_ALLOC(p = calloc(total + 1, sizeof *p));
    p[0] = 1;
    for (size_t i = s->n_zero; i < s->n_all; i++) {
        size_t rank = (size_t)(s->d[i].rank * (double)scale);
        reached += rank;
        for (size_t t = reached + 1; t-- > 0;)
            p[t] = (p[t] + (t >= rank ? p[t - rank] : 0)) / 2;
    }
    *out = p;
    *n_sums = total + 1;
    return STATUS_OK;
}

static double sum_of(const double *p, size_t from, size_t to) {
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += p[i];
    return fmin(1, sum);
}

static status test_exactly(const signed_ranks *s, wilcoxon_result *r, error_info *err) {
    size_t scale = rank_scale(s), n_sums = 0, at = (size_t)(r->w_plus * (double)scale);
    AUTO_FREE double *p = NULL;
    double greater, less;
    CHECK(distribution(s, scale, &p, &n_sums, err));
    greater = sum_of(p, at, n_sums);
    less = sum_of(p, 0, at + 1);
    r->method = WILCOXON_EXACT;
    r->z = NAN;
    if (s->options->side == WILCOXON_TWO_SIDED)
        r->p_value = fmin(1, 2 * fmin(greater, less));
    else
        r->p_value = s->options->side == WILCOXON_GREATER ? greater : less;
    r->log_p = log(r->p_value);
    return STATUS_OK;
}

static double cubic(double n) {
    return n * (n + 1) * (2 * n + 1);
}

static void test_normally(const signed_ranks *s, wilcoxon_result *r) {
    double m = (double)r->n, zeros = s->options->zeros == WILCOXON_PRATT ? (double)s->n_zero : 0;
    double mean = (r->w_plus + r->w_minus) / 2;
    double variance = (cubic(m + zeros) - cubic(zeros)) / 24 - s->tie_term / 48, away = r->w_plus - mean;
    wilcoxon_side side = s->options->side;
    double correction = side == WILCOXON_GREATER ? 0.5 : side == WILCOXON_LESS ? -0.5 : copysign(0.5, away);
    if (s->options->no_correction || (side == WILCOXON_TWO_SIDED && away == 0))
        correction = 0;
    r->method = WILCOXON_NORMAL;
    r->z = variance > 0 ? (away - correction) / sqrt(variance) : 0;
    if (!(variance > 0))
        r->log_p = 0;
    else if (side == WILCOXON_TWO_SIDED)
        r->log_p = fmin(0, M_LN2 + normal_log_tail(fabs(r->z)));
    else
        r->log_p = normal_log_tail(side == WILCOXON_GREATER ? r->z : -r->z);
    r->p_value = exp(r->log_p);
}

static wilcoxon_result sum_ranks(const signed_ranks *s) {
    wilcoxon_result r = {.n = s->n_all - s->n_zero, .n_zero = s->n_zero, .has_ties = s->tie_term > 0};
    for (size_t i = s->n_zero; i < s->n_all; i++)
        *(s->d[i].sign > 0 ? &r.w_plus : &r.w_minus) += s->d[i].rank;
    return r;
}

static bool is_to_be_exact(const signed_ranks *s, const wilcoxon_result *r) {
    if (s->options->method != WILCOXON_AUTO)
        return s->options->method == WILCOXON_EXACT;
    return r->n <= WILCOXON_MOST_AUTO && !r->has_ties && r->n_zero == 0;
}

status wilcoxon_signed_rank(const double *x, const double *y, size_t n, const wilcoxon_options *options,
                            wilcoxon_result *out, error_info *err) {
    AUTO_FREE difference *d = calloc(n + 1, sizeof *d);
    signed_ranks s = {.d = d, .n_all = n, .options = options};
    wilcoxon_result r;
    CHECK_ALLOC(d);
    CHECK(make_ranks(x, y, &s, err));
    r = sum_ranks(&s);
    if (!is_to_be_exact(&s, &r))
        test_normally(&s, &r);
    else if (r.n <= WILCOXON_MOST_EXACT)
        CHECK(test_exactly(&s, &r, err));
    else
        return error_set(err, STATUS_INVALID, "%zu differences are too many for the exact distribution; at most %d",
                         r.n, WILCOXON_MOST_EXACT);
    *out = r;
    return STATUS_OK;
}

char wilcoxon_verdict(double p_greater, double p_less, double level) {
    if (p_greater <= level)
        return '+';
    if (p_less <= level)
        return '-';
    return '~';
}

char wilcoxon_verdict_reversed(char verdict) {
    if (verdict == '+')
        return '-';
    if (verdict == '-')
        return '+';
    return verdict;
}
