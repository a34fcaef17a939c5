/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mixtures of normal distributions by EM: Dempster, Laird, Rubin 1977, J. R. Stat. Soc. B 39; as Vignes et al. 2011,
 * PLoS ONE 6:e29165, use them. No step lowers the log-likelihood, but for variances at their floor. Distinct values
 * with their counts are what the steps go through: ties cost nothing.
 */
#include "discretizers/univariate/mixture.h"

#include "discretizers/base/partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_STEPS = 6, MOST_STEPS = 500, GRID = 256 };
#define CONVERGED 1e-6 /* of log-likelihood a value: overlapping components creep on for hundreds of steps */
#define VARIANCE_FLOOR 1e-3
#define HALF_LOG_2PI 0.91893853320467274178

/* The values of a column, which all steps share: distinct ones with their counts. */
typedef struct {
    size_t n, n_distinct;
    double *value, *count;
    double mean, variance, floor;
    double shift, scale; /* values are held as (x - shift) / scale */
} sample;

static void sample_clear(sample *x) {
    free(x->value);
    free(x->count);
}

static status sample_init(sample *x, const sorted_column *s, error_info *err) {
    double least = s->values[0], most = s->values[s->n - 1];
    *x = (sample){.n = s->n, .n_distinct = s->n_cuts + 1, .shift = least / 2 + most / 2, .scale = most / 2 - least / 2};
    if (x->scale < 1e-290) /* a range among the subnormal numbers */
        x->scale = 1e-290;
    CHECK_ALLOC(x->value = calloc(x->n_distinct, sizeof *x->value));
    CHECK_ALLOC(x->count = calloc(x->n_distinct, sizeof *x->count));
    for (size_t i = 0, from = 0; i < x->n_distinct; i++) {
        size_t to = i < s->n_cuts ? s->cuts[i] : s->n;
        x->value[i] = (s->values[from] - x->shift) / x->scale;
        x->count[i] = (double)(to - from);
        x->mean += x->count[i] * x->value[i] / (double)x->n;
        from = to;
    }
    for (size_t i = 0; i < x->n_distinct; i++)
        x->variance += x->count[i] * (x->value[i] - x->mean) * (x->value[i] - x->mean) / (double)x->n;
    x->floor = VARIANCE_FLOOR * x->variance;
    return STATUS_OK;
}

/* --- starts --- */

/* Each class of the cuts becomes a component. */
static void start_from_cuts(const sample *x, const size_t *below, size_t m, mixture *out) {
    size_t i = 0, seen = 0;
    *out = (mixture){.m = m};
    for (size_t k = 0; k < m; k++) {
        size_t end = k + 1 < m ? below[k] : x->n;
        double n = 0, sum = 0, squares = 0;
        for (; i < x->n_distinct && seen < end; i++) {
            n += x->count[i];
            sum += x->count[i] * x->value[i];
            squares += x->count[i] * x->value[i] * x->value[i];
            seen += (size_t)x->count[i];
        }
        if (n <= 0)
            n = sum = squares = 0;
        out->weight[k] = fmax(n, 1) / (double)x->n;
        out->mean[k] = n > 0 ? sum / n : x->mean;
        out->variance[k] = fmax(n > 0 ? squares / n - out->mean[k] * out->mean[k] : x->variance, x->floor);
    }
}

static size_t equal_counts(const sorted_column *s, size_t m, size_t *below) {
    for (size_t k = 1; k < m; k++)
        below[k - 1] = s->n * k / m;
    return m;
}

/* The widest gaps that leave a twentieth of the values on either side. */
static void widest_gaps(const sorted_column *s, size_t m, size_t *below) {
    size_t margin = s->n / 20, found = 0;
    (void)equal_counts(s, m, below);
    for (; found + 1 < m; found++) {
        double widest = 0;
        size_t best = 0;
        for (size_t i = 0; i < s->n_cuts; i++) {
            double gap = s->values[s->cuts[i]] - s->values[s->cuts[i] - 1];
            bool taken = s->cuts[i] <= margin || s->cuts[i] + margin >= s->n;
            for (size_t k = 0; k < found; k++)
                taken = taken || below[k] == s->cuts[i];
            if (!taken && gap > widest) {
                widest = gap;
                best = s->cuts[i];
            }
        }
        if (best == 0)
            break;
        below[found] = best;
    }
    for (size_t i = 1; i + 1 < m; i++) { /* in order */
        for (size_t k = i; k > 0 && below[k] < below[k - 1]; k--) {
            size_t swapped = below[k];
            below[k] = below[k - 1];
            below[k - 1] = swapped;
        }
    }
}

/* Means at random values, equal weights, a variance of the column's share. */
static void start_at_random(const sample *x, size_t m, random_stream *random, mixture *out) {
    *out = (mixture){.m = m};
    for (size_t k = 0; k < m; k++) {
        out->weight[k] = 1 / (double)m;
        out->mean[k] = x->value[random_below(random, x->n_distinct)];
        out->variance[k] = fmax(x->variance / (double)(m * m), x->floor);
    }
}

/* --- EM --- */

/* Sums over the values, weighted by how much of each belongs to a component. */
typedef struct {
    double n[MIXTURE_MOST], sum[MIXTURE_MOST], squares[MIXTURE_MOST];
} shares;

static double log_density(const mixture *mix, size_t k, double x) {
    double d = x - mix->mean[k];
    return log(mix->weight[k]) - 0.5 * log(mix->variance[k]) - HALF_LOG_2PI - 0.5 * d * d / mix->variance[k];
}

/* A product of numbers from 1 to MIXTURE_MOST, whose logarithm is taken a few hundred at a time. */
typedef struct {
    double product, total;
} log_sum;

static void add_log(log_sum *l, double x, double count) {
    if (count > 1) {
        l->total += count * log(x);
        return;
    }
    l->product *= x;
    if (l->product > 1e250) {
        l->total += log(l->product);
        l->product = 1;
    }
}

/* Densities at a value relative to the greatest, whose logarithm is returned; and their sum. */
static double relative_densities(const mixture *mix, const double *constant, const double *half_precision, double x,
                                 double *density, double *sum) {
    size_t top = 0;
    double most;
    density[0] = 0; /* a mixture has at least one part */
    for (size_t k = 0; k < mix->m; k++) {
        double d = x - mix->mean[k];
        density[k] = constant[k] - half_precision[k] * d * d;
        top = density[k] > density[top] ? k : top;
    }
    most = density[top];
    *sum = 0;
    for (size_t k = 0; k < mix->m; k++) {
        double below = density[k] - most;
        density[k] = k == top ? 1 : below < -40 ? 0 : exp(below); /* below 1e-17 it adds nothing */
        *sum += density[k];
    }
    return most;
}

/* The log-likelihood of the sample, and the shares for the next step. */
static double expect(const sample *x, const mixture *mix, shares *out) {
    double constant[MIXTURE_MOST], half_precision[MIXTURE_MOST], density[MIXTURE_MOST], tops = 0;
    log_sum logs = {1, 0};
    *out = (shares){0};
    for (size_t k = 0; k < mix->m; k++) {
        constant[k] = log(mix->weight[k]) - 0.5 * log(mix->variance[k]) - HALF_LOG_2PI;
        half_precision[k] = 0.5 / mix->variance[k];
    }
    for (size_t i = 0; i < x->n_distinct; i++) {
        double sum, part;
        tops += x->count[i] * relative_densities(mix, constant, half_precision, x->value[i], density, &sum);
        add_log(&logs, sum, x->count[i]);
        part = x->count[i] / sum;
        for (size_t k = 0; k < mix->m; k++) {
            double share = part * density[k], d = x->value[i] - mix->mean[k];
            out->n[k] += share;
            out->sum[k] += share * d;
            out->squares[k] += share * d * d;
        }
    }
    return tops + logs.total + log(logs.product);
}

/* A component that lost every value keeps its place, with a weight that is next to none. */
static void maximise(const sample *x, const shares *s, mixture *mix) {
    for (size_t k = 0; k < mix->m; k++) {
        double n = fmax(s->n[k], 1e-12), shift = s->sum[k] / n;
        mix->weight[k] = n / (double)x->n;
        mix->mean[k] += shift;
        mix->variance[k] = fmax(s->squares[k] / n - shift * shift, x->floor);
    }
}

static void climb(const sample *x, size_t steps, mixture *mix) {
    shares s;
    double before = -INFINITY;
    for (size_t step = 0; step < steps; step++) {
        mix->log_likelihood = expect(x, mix, &s);
        if (mix->log_likelihood - before <= CONVERGED * (double)x->n)
            return;
        before = mix->log_likelihood;
        maximise(x, &s, mix);
    }
    mix->log_likelihood = expect(x, mix, &s);
}

static void keep_better(const sample *x, mixture *candidate, mixture *best) {
    climb(x, FIRST_STEPS, candidate);
    if (best->m == 0 || candidate->log_likelihood > best->log_likelihood)
        *best = *candidate;
}

static void swap(double *a, double *b) {
    double was = *a;
    *a = *b;
    *b = was;
}

static void order_by_mean(mixture *mix) {
    for (size_t i = 1; i < mix->m; i++) {
        for (size_t k = i; k > 0 && mix->mean[k] < mix->mean[k - 1]; k--) {
            swap(&mix->mean[k], &mix->mean[k - 1]);
            swap(&mix->weight[k], &mix->weight[k - 1]);
            swap(&mix->variance[k], &mix->variance[k - 1]);
        }
    }
}

status mixture_fit(const sorted_column *s, size_t m, size_t n_random, random_stream *random, mixture *out,
                   error_info *err) {
    AUTO(sample_clear) sample x = {0};
    mixture best = {0}, candidate;
    size_t below[MIXTURE_MOST];
    bool found = false;
    CHECK(sample_init(&x, s, err));
    CHECK(partition_best(s, m, (class_bounds){1, s->n}, below, &found, err));
    if (found) {
        start_from_cuts(&x, below, m, &candidate);
        keep_better(&x, &candidate, &best);
    }
    (void)equal_counts(s, m, below);
    start_from_cuts(&x, below, m, &candidate);
    keep_better(&x, &candidate, &best);
    widest_gaps(s, m, below);
    start_from_cuts(&x, below, m, &candidate);
    keep_better(&x, &candidate, &best);
    for (size_t i = 0; i < n_random && m > 1; i++) {
        start_at_random(&x, m, random, &candidate);
        keep_better(&x, &candidate, &best);
    }
    climb(&x, MOST_STEPS, &best);
    order_by_mean(&best);
    best.shift = x.shift;
    best.scale = x.scale;
    best.log_likelihood -= (double)x.n * log(x.scale);
    *out = best;
    return STATUS_OK;
}

double mixture_bic(const mixture *mix, size_t n) {
    return mix->log_likelihood - (double)(3 * mix->m - 1) / 2 * log((double)n);
}

static double log_mixture(const mixture *mix, double x) {
    double terms[MIXTURE_MOST], most = -INFINITY, sum = 0;
    for (size_t k = 0; k < mix->m; k++)
        most = fmax(most, terms[k] = log_density(mix, k, x));
    for (size_t k = 0; k < mix->m; k++)
        sum += exp(terms[k] - most);
    return most + log(sum);
}

/* Every mode lies between the least and the greatest mean; a grid between neighbouring means, the means included. */
size_t mixture_mode_count(const mixture *mix) {
    size_t n = 0;
    double before = log_mixture(mix, mix->mean[0]);
    bool rising = true;
    for (size_t k = 0; k + 1 < mix->m; k++) {
        for (size_t i = 1; i <= GRID; i++) {
            double share = (double)i / GRID;
            double now = log_mixture(mix, mix->mean[k] * (1 - share) + mix->mean[k + 1] * share);
            if (now == before)
                continue;
            n += rising && now < before;
            rising = now > before;
            before = now;
        }
    }
    return n + rising;
}

/* --- classes --- */

/* The component to which a value most probably belongs; of equals the lowest. */
static size_t class_of(const mixture *mix, double value) {
    size_t best = 0;
    double most = -INFINITY, scaled = (value - mix->shift) / mix->scale;
    for (size_t k = 0; k < mix->m; k++) {
        double density = log_density(mix, k, scaled);
        if (density > most) {
            most = density;
            best = k;
        }
    }
    return best;
}

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
        size_t k =
            i > 0 && s->values[i] == s->values[i - 1] ? runs->at[runs->n - 1].component : class_of(mix, s->values[i]);
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
