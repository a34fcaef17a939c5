/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/univariate/mixture.h"

#include <math.h>
#include <string.h>

/* With four components the most probable one changes at most so often: two parabolas cross twice. */
enum { MOST_RUNS = 2 * MIXTURE_MOST * MIXTURE_MOST };

typedef struct {
    size_t from, to, component;
    double sum;
} run;

typedef struct {
    run at[MOST_RUNS];
    size_t n;
} run_list;

static void find_runs(const mixture *mix, const sorted_column *s, run_list *runs) {
    runs->n = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t k = i > 0 && s->values[i] == s->values[i - 1] ? runs->at[runs->n - 1].component
                                                             : mixture_class(mix, s->values[i]);
        if (runs->n == 0 || (k != runs->at[runs->n - 1].component && runs->n < MOST_RUNS))
            runs->at[runs->n++] = (run){.from = i, .component = k};
        runs->at[runs->n - 1].to = i + 1;
        runs->at[runs->n - 1].sum += s->values[i];
    }
}

static size_t run_size(const run *r) {
    return r->to - r->from;
}

static double run_mean(const run *r) {
    return r->sum / (double)run_size(r);
}

/* Run i becomes part of the neighbour with the nearer mean, the lower of two. */
static void join(run_list *runs, size_t i) {
    double mean = run_mean(&runs->at[i]);
    bool has_below = i > 0, has_above = i + 1 < runs->n;
    bool to_below = has_below && (!has_above || mean - run_mean(&runs->at[i - 1]) <= run_mean(&runs->at[i + 1]) - mean);
    run *into = to_below ? &runs->at[i - 1] : &runs->at[i + 1];
    into->from = to_below ? into->from : runs->at[i].from;
    into->to = to_below ? runs->at[i].to : into->to;
    into->sum += runs->at[i].sum;
    memmove(&runs->at[i], &runs->at[i + 1], (runs->n - i - 1) * sizeof runs->at[0]);
    runs->n--;
}

/* A run that is not its component's longest, the first of them; runs->n where there is none. */
static size_t find_spare(const run_list *runs) {
    for (size_t i = 0; i < runs->n; i++) {
        for (size_t k = 0; k < runs->n; k++) {
            bool longer = run_size(&runs->at[k]) > run_size(&runs->at[i]) ||
                          (run_size(&runs->at[k]) == run_size(&runs->at[i]) && k < i);
            if (runs->at[k].component == runs->at[i].component && longer)
                return i;
        }
    }
    return runs->n;
}

static size_t find_smallest(const run_list *runs) {
    size_t best = 0;
    for (size_t i = 1; i < runs->n; i++) {
        if (run_size(&runs->at[i]) < run_size(&runs->at[best]))
            best = i;
    }
    return best;
}

void mixture_cuts(const mixture *mix, const sorted_column *s, double least_share, size_t *below, size_t *n_cuts) {
    run_list runs;
    double least = least_share * (double)s->n - 1e-9;
    find_runs(mix, s, &runs);
    for (size_t i = find_spare(&runs); i < runs.n; i = find_spare(&runs))
        join(&runs, i);
    while (runs.n > 2 && (double)run_size(&runs.at[find_smallest(&runs)]) < least)
        join(&runs, find_smallest(&runs));
    for (size_t i = 1; i < runs.n; i++)
        below[i - 1] = runs.at[i].from;
    *n_cuts = runs.n - 1;
}
