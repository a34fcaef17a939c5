/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The scores of the integrated discretizers and their searches, written out: everything counted anew each time. */
#ifndef BNB_TESTS_DISCRETIZERS_POLICY_REFERENCE_H
#define BNB_TESTS_DISCRETIZERS_POLICY_REFERENCE_H

#include "discretizers/base/policy.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { REFERENCE_FRIEDMAN, REFERENCE_MONTI, REFERENCE_STECK } reference_method;

static const char *const reference_names[] = {"friedman", "monti", "steck"};

enum { REFERENCE_ROWS = 64, REFERENCE_COLUMNS = 8 };

/** Columns of reals or states, a graph and a policy. */
typedef struct {
    reference_method method;
    double ess;
    const dataset *data;
    const dag *graph;
    const cut_policy *policy;
    size_t state[REFERENCE_COLUMNS][REFERENCE_ROWS]; /* under the policy as it was when the score was last asked for */
} reference;

static inline size_t reference_states(reference *r, size_t c) {
    return dataset_reals(r->data, c) ? r->policy->columns[c].n + 1 : dataset_state_count(r->data, c);
}

/* By the definition: the number of thresholds at or below the value. */
static inline size_t reference_state(const reference *r, size_t row, size_t c) {
    size_t state = 0;
    if (!dataset_reals(r->data, c))
        return dataset_state(r->data, row, c);
    for (size_t k = 0; k < r->policy->columns[c].n; k++)
        state += r->policy->columns[c].thresholds[k] <= dataset_reals(r->data, c)[row];
    return state;
}

static inline void reference_set_states(reference *r) {
    for (size_t c = 0; c < dataset_column_count(r->data); c++)
        for (size_t row = 0; row < dataset_row_count(r->data); row++)
            r->state[c][row] = reference_state(r, row, c);
}

/* True if two rows agree on the parents of x, and on x where that is asked. */
static inline bool reference_agree(reference *r, size_t a, size_t b, size_t x, bool with_parents, bool with_x) {
    size_t n;
    const size_t *parents = dag_parents(r->graph, x, &n);
    for (size_t i = 0; with_parents && i < n; i++) {
        if (r->state[parents[i]][a] != r->state[parents[i]][b])
            return false;
    }
    return !with_x || r->state[x][a] == r->state[x][b];
}

/* Rows that agree with `row`, and whether it is the first of them. */
static inline size_t reference_count(reference *r, size_t row, size_t x, bool with_parents, bool with_x,
                                     bool *is_first) {
    size_t n = 0;
    *is_first = true;
    for (size_t other = 0; other < dataset_row_count(r->data); other++) {
        bool agree = reference_agree(r, row, other, x, with_parents, with_x);
        n += agree;
        *is_first = *is_first && !(agree && other < row);
    }
    return n;
}

static inline double reference_configurations(reference *r, size_t x) {
    size_t n;
    const size_t *parents = dag_parents(r->graph, x, &n);
    double q = 1;
    for (size_t i = 0; i < n; i++)
        q *= (double)reference_states(r, parents[i]);
    return q;
}

static inline double reference_bdeu(reference *r, size_t x) {
    double q = reference_configurations(r, x), a = r->ess / q, a_k = a / (double)reference_states(r, x), sum = 0;
    for (size_t row = 0; row < dataset_row_count(r->data); row++) {
        bool is_first_cell, is_first_row;
        double n_jk = (double)reference_count(r, row, x, true, true, &is_first_cell);
        double n_j = (double)reference_count(r, row, x, true, false, &is_first_row);
        sum += is_first_cell ? lgamma(a_k + n_jk) - lgamma(a_k) : 0;
        sum -= is_first_row ? lgamma(a + n_j) - lgamma(a) : 0;
    }
    return sum;
}

/* Mutual information of x and its parents, in nats times rows. */
static inline double reference_information(reference *r, size_t x) {
    double n = (double)dataset_row_count(r->data), sum = 0;
    bool ignored;
    for (size_t row = 0; row < dataset_row_count(r->data); row++)
        sum += log((double)reference_count(r, row, x, true, true, &ignored) * n /
                   ((double)reference_count(r, row, x, true, false, &ignored) *
                    (double)reference_count(r, row, x, false, true, &ignored)));
    return sum;
}

static inline double reference_distinct(reference *r, size_t c) {
    const double *x = dataset_reals(r->data, c);
    size_t n = 0;
    for (size_t a = 0; a < dataset_row_count(r->data); a++) {
        bool is_new = true;
        for (size_t b = 0; b < a; b++)
            is_new = is_new && x[a] != x[b];
        n += is_new;
    }
    return (double)n;
}

static inline double reference_entropy(double p) {
    return p > 0 && p < 1 ? -p * log(p) - (1 - p) * log(1 - p) : 0;
}

/* Its sign is turned. */
static inline double reference_length(reference *r) {
    size_t n = dataset_column_count(r->data);
    double n_rows = (double)dataset_row_count(r->data), sum = 0;
    for (size_t x = 0; x < n; x++) {
        size_t n_parents;
        double states = (double)reference_states(r, x);
        (void)dag_parents(r->graph, x, &n_parents);
        sum += log(states) + (1 + (double)n_parents) * log((double)n);
        sum += log(n_rows) / 2 * reference_configurations(r, x) * (states - 1);
        sum -= reference_information(r, x);
        if (dataset_reals(r->data, x)) {
            double u = reference_distinct(r, x);
            sum += u > 1 ? (u - 1) * reference_entropy((states - 1) / (u - 1)) : 0;
        }
    }
    return -sum;
}

/* What the intervals of a column add: sections 7 and 8. */
static inline double reference_intervals(reference *r, size_t c) {
    const double *x = dataset_reals(r->data, c);
    const column_policy *p = &r->policy->columns[c];
    double least = x[0], most = x[0], sum = 0;
    for (size_t row = 0; row < dataset_row_count(r->data); row++) {
        least = fmin(least, x[row]);
        most = fmax(most, x[row]);
    }
    for (size_t k = 0; k <= p->n; k++) {
        double width = (k < p->n ? p->thresholds[k] : most) - (k ? p->thresholds[k - 1] : least);
        size_t n = 0;
        for (size_t row = 0; row < dataset_row_count(r->data); row++)
            n += r->state[c][row] == k;
        if (r->method == REFERENCE_MONTI)
            sum -= n ? (double)n * log(fmax(width, 1e-300)) : 0;
        else
            sum -= n ? lgamma((double)n) : INFINITY;
    }
    return sum;
}

/** The score of graph and policy; larger is better. */
static inline double reference_score(reference *r) {
    double sum = 0;
    reference_set_states(r);
    if (r->method == REFERENCE_FRIEDMAN)
        return reference_length(r);
    for (size_t x = 0; x < dataset_column_count(r->data); x++) {
        sum += reference_bdeu(r, x);
        if (dataset_reals(r->data, x))
            sum += reference_intervals(r, x);
    }
    return sum;
}

static inline bool reference_improves(double score, double than) {
    return isfinite(than) ? score > than + 1e-9 + 1e-12 * fabs(than) : score > than;
}

/* Sorted distinct values; returns how many. */
static inline size_t reference_values(const dataset *data, size_t c, double *out) {
    size_t n = 0;
    for (size_t row = 0; row < dataset_row_count(data); row++) {
        double x = dataset_reals(data, c)[row];
        size_t at = 0;
        while (at < n && out[at] < x)
            at++;
        if (at < n && out[at] == x)
            continue;
        memmove(out + at + 1, out + at, (n - at) * sizeof *out);
        out[at] = x;
        n++;
    }
    return n;
}

/* The score with one threshold more in the column. */
static inline double reference_score_with(reference *r, cut_policy *p, size_t c, double threshold) {
    column_policy before = p->columns[c];
    double thresholds[REFERENCE_ROWS], score;
    size_t at = 0;
    while (at < before.n && before.thresholds[at] < threshold)
        at++;
    memcpy(thresholds, before.thresholds, at * sizeof *thresholds);
    thresholds[at] = threshold;
    memcpy(thresholds + at + 1, before.thresholds + at, (before.n - at) * sizeof *thresholds);
    p->columns[c] = (column_policy){before.n + 1, thresholds};
    score = reference_score(r);
    p->columns[c] = before;
    return score;
}

static inline void reference_add(cut_policy *p, size_t c, double threshold) {
    column_policy *column = &p->columns[c];
    size_t at = column->n;
    for (; at > 0 && column->thresholds[at - 1] > threshold; at--)
        column->thresholds[at] = column->thresholds[at - 1];
    column->thresholds[at] = threshold;
    column->n++;
}

/**
 * LearnVariableDP: every midpoint tried, the score of the whole counted from scratch. `p` is r->policy; column c holds
 * the answer, its thresholds in an array of REFERENCE_ROWS. Returns the score of the whole.
 */
static inline double reference_search(reference *r, cut_policy *p, size_t c, size_t min_levels) {
    double values[REFERENCE_ROWS], now;
    size_t n = reference_values(r->data, c, values);
    p->columns[c].n = 0;
    now = reference_score(r);
    for (;;) {
        double best = -INFINITY, threshold = 0;
        for (size_t i = 1; i < n; i++) {
            double t = policy_between(values[i - 1], values[i]), score;
            bool is_taken = false;
            for (size_t k = 0; k < p->columns[c].n; k++)
                is_taken = is_taken || p->columns[c].thresholds[k] == t;
            if (is_taken)
                continue;
            score = reference_score_with(r, p, c, t);
            if (reference_improves(score, best)) {
                best = score;
                threshold = t;
            }
        }
        if (best == -INFINITY || (!reference_improves(best, now) && p->columns[c].n + 1 >= min_levels))
            return now;
        reference_add(p, c, threshold);
        now = best;
    }
}

/* A queue in which a column waits at most once. */
typedef struct {
    size_t columns[8192], first, last;
    bool is_in[REFERENCE_COLUMNS];
} reference_queue;

static inline void reference_push(reference *r, reference_queue *q, size_t c) {
    if (!dataset_reals(r->data, c) || q->is_in[c])
        return;
    assert_true(q->last < sizeof q->columns / sizeof *q->columns);
    q->columns[q->last++] = c;
    q->is_in[c] = true;
}

static inline void reference_push_blanket(reference *r, reference_queue *q, size_t c) {
    size_t n = dataset_column_count(r->data);
    for (size_t a = 0; a < n; a++)
        if (dag_has_arc(r->graph, a, c))
            reference_push(r, q, a);
    for (size_t a = 0; a < n; a++)
        if (dag_has_arc(r->graph, c, a))
            reference_push(r, q, a);
    for (size_t x = 0; x < n; x++)
        for (size_t a = 0; a < n; a++)
            if (a != c && dag_has_arc(r->graph, c, x) && dag_has_arc(r->graph, a, x))
                reference_push(r, q, a);
}

/** LearnDP; a column whose policy improves the score calls its parents, its children, their other parents. */
static inline double reference_learn(reference *r, cut_policy *p) {
    reference_queue q = {0};
    double now = reference_score(r), before[REFERENCE_ROWS], found;
    for (size_t c = 0; c < dataset_column_count(r->data); c++)
        reference_push(r, &q, c);
    while (q.first < q.last) {
        size_t c = q.columns[q.first++], n_before = p->columns[c].n;
        q.is_in[c] = false;
        memcpy(before, p->columns[c].thresholds, n_before * sizeof *before);
        found = reference_search(r, p, c, 1);
        if (reference_improves(found, now)) {
            now = found;
            reference_push_blanket(r, &q, c);
            continue;
        }
        memcpy(p->columns[c].thresholds, before, n_before * sizeof *before);
        p->columns[c].n = n_before;
    }
    return now;
}

#endif
