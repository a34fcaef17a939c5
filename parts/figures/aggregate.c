/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/figures/aggregate.h"

#include "core/base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void group_participants(const metric_values *const *metrics, size_t n_metrics, const grid_element *elements,
                        size_t n_elements, bool *takes_part) {
    const result_grid *g = metrics[0]->grid;
    for (size_t l = 0; l < g->n_learners; l++) {
        takes_part[l] = false;
        for (size_t e = 0; e < n_elements; e++) {
            for (size_t r = 0; r < g->n_replicates && !takes_part[l]; r++) {
                size_t at = result_grid_index(g, elements[e].place, elements[e].size, r, l), n_there = 0;
                for (size_t m = 0; m < n_metrics; m++)
                    n_there += isnan(metrics[m]->values[at]) ? 0 : 1;
                takes_part[l] = n_there == n_metrics;
            }
        }
    }
}

bool data_set_is_kept(const metric_values *const *metrics, size_t n_metrics, const bool *takes_part,
                      grid_element element, size_t replicate) {
    const result_grid *g = metrics[0]->grid;
    size_t first = result_grid_index(g, element.place, element.size, replicate, 0), n_participants = 0;
    for (size_t l = 0; l < g->n_learners; l++) {
        n_participants += takes_part[l];
        for (size_t m = 0; takes_part[l] && m < n_metrics; m++) {
            if (isnan(metrics[m]->values[first + l]))
                return false;
        }
    }
    return n_participants > 0;
}

double sorted_quantile(double *values, size_t n, double q) {
    double place = q * (double)(n - 1);
    size_t below = (size_t)place;
    array_sort_reals(values, n);
    if (below + 1 >= n)
        return values[n - 1];
    return values[below] + (place - (double)below) * (values[below + 1] - values[below]);
}

static double mean_of(const double *values, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

/* What group_compare works on. */
typedef struct {
    const metric_values *metric;
    const group_rule *rule;
    bool *takes_part; /* n_learners */
    bool *kept;       /* n_elements x n_replicates */
    double *parts;    /* n_elements: the values of one learner */
} group_work;

static double value_at(const group_work *w, grid_element e, size_t replicate, size_t learner) {
    return w->metric->values[result_grid_index(w->metric->grid, e.place, e.size, replicate, learner)];
}

static const bool *kept_of(const group_work *w, size_t element) {
    return w->kept + element * w->metric->grid->n_replicates;
}

/* A ratio of two values of different signs says nothing: below 0, and the nearer to 0 the farther they are apart. */
static bool are_opposite(double a, double b) {
    return (a < 0 && b > 0) || (a > 0 && b < 0);
}

static bool is_opposite_at(const group_work *w, grid_element e, size_t replicate, size_t learner, size_t divisor) {
    return divisor != NO_BASELINE &&
           are_opposite(value_at(w, e, replicate, learner), value_at(w, e, replicate, divisor));
}

/* The mean over the element's kept data sets, or NAN; with `divisor` a learner, the mean of the ratios to it. */
static double element_mean(const group_work *w, grid_element e, const bool *kept, size_t learner, size_t divisor) {
    double sum = 0;
    size_t n = 0;
    for (size_t r = 0; r < w->metric->grid->n_replicates; r++) {
        if (!kept[r] || is_opposite_at(w, e, r, learner, divisor))
            continue;
        sum += value_at(w, e, r, learner) / (divisor == NO_BASELINE ? 1 : value_at(w, e, r, divisor));
        n++;
    }
    return n ? sum / (double)n : NAN;
}

static double element_figure(const group_work *w, grid_element e, const bool *kept, size_t learner) {
    size_t baseline = w->rule->baseline;
    double mean, base;
    if (baseline == NO_BASELINE || w->rule->ratio == MEAN_OF_RATIOS)
        return element_mean(w, e, kept, learner, baseline);
    mean = element_mean(w, e, kept, learner, NO_BASELINE);
    base = element_mean(w, e, kept, baseline, NO_BASELINE);
    return are_opposite(mean, base) ? (double)NAN : mean / base;
}

/* The squared standard error of element_figure: of the differences a - R b, divided by the mean of b. NAN of one data
 * set, which does not tell. */
static double element_variance(const group_work *w, grid_element e, const bool *kept, size_t learner, double figure) {
    size_t baseline = w->rule->baseline;
    bool is_of_ratios = baseline != NO_BASELINE && w->rule->ratio == MEAN_OF_RATIOS;
    double squares = 0, bases = 0, n = 0;
    for (size_t r = 0; r < w->metric->grid->n_replicates; r++) {
        if (!kept[r] || (is_of_ratios && is_opposite_at(w, e, r, learner, baseline)))
            continue;
        double own = value_at(w, e, r, learner), base = baseline == NO_BASELINE ? 1 : value_at(w, e, r, baseline);
        double off = is_of_ratios ? own / base - figure : own - figure * base;
        squares += off * off;
        bases += is_of_ratios ? 1 : base;
        n++;
    }
    return n > 1 ? squares / (n - 1) * n / (bases * bases) : (double)NAN;
}

static size_t count_kept(const group_work *w, size_t element) {
    size_t n = 0;
    for (size_t r = 0; r < w->metric->grid->n_replicates; r++)
        n += kept_of(w, element)[r];
    return n;
}

static void drop_element(const group_work *w, size_t element) {
    memset(w->kept + element * w->metric->grid->n_replicates, 0, w->metric->grid->n_replicates * sizeof *w->kept);
}

/* Ratios to 0 do not exist: leaves out such data sets (mean of ratios), or the element (ratio of means). */
static void drop_zero_baselines(const group_work *w, const grid_element *elements, size_t n_elements, bool *is_zero,
                                group_summary *summary) {
    size_t n_replicates = w->metric->grid->n_replicates, baseline = w->rule->baseline;
    for (size_t e = 0; e < n_elements; e++) {
        bool *kept = w->kept + e * n_replicates;
        size_t n_before = count_kept(w, e);
        double mean;
        for (size_t r = 0; w->rule->ratio == MEAN_OF_RATIOS && r < n_replicates; r++) {
            if (kept[r] && value_at(w, elements[e], r, baseline) == 0) {
                kept[r] = false;
                summary->n_zero_data_sets++;
            }
        }
        mean = element_mean(w, elements[e], kept, baseline, NO_BASELINE);
        is_zero[e] = (n_before > 0 && count_kept(w, e) == 0) || mean == 0;
        if (is_zero[e])
            drop_element(w, e);
        summary->n_zero += is_zero[e];
        summary->n_negative += mean < 0;
        summary->n_positive += mean > 0;
    }
}

static void choose_data_sets(const group_work *w, const grid_element *elements, size_t n_elements,
                             group_summary *summary) {
    const metric_values *metrics[] = {w->metric};
    size_t n_replicates = w->metric->grid->n_replicates;
    group_participants(metrics, 1, elements, n_elements, w->takes_part);
    for (size_t i = 0; i < n_elements * n_replicates; i++) {
        w->kept[i] = data_set_is_kept(metrics, 1, w->takes_part, elements[i / n_replicates], i % n_replicates);
        summary->n_kept += w->kept[i];
    }
}

/* Of an element whose figure entered. */
static void count_imputed(const group_work *w, grid_element e, const bool *kept, size_t learner, group_figure *figure) {
    const result_grid *g = w->metric->grid;
    size_t divisor = w->rule->ratio == MEAN_OF_RATIOS ? w->rule->baseline : NO_BASELINE;
    for (size_t r = 0; r < g->n_replicates; r++) {
        if (kept[r] && is_opposite_at(w, e, r, learner, divisor)) {
            figure->n_opposite++;
            continue;
        }
        value_state state = w->metric->states[result_grid_index(g, e.place, e.size, r, learner)];
        figure->n += kept[r];
        figure->n_imputed += kept[r] && state != VALUE_DONE;
    }
}

/* Of w->parts, the figures of n > 0 elements, whose variances add up to `variance`. */
static void aggregate_parts(const group_work *w, size_t n, double variance, group_figure *figure) {
    if (w->rule->aggregate == AGGREGATE_MEAN) {
        double error = sqrt(variance) / (double)n;
        figure->value = mean_of(w->parts, n);
        figure->low = figure->value - error;
        figure->high = figure->value + error;
        return;
    }
    figure->value = sorted_quantile(w->parts, n, 0.5);
    if (n == 1)
        return;
    figure->low = sorted_quantile(w->parts, n, 0.25);
    figure->high = sorted_quantile(w->parts, n, 0.75);
}

static group_figure figure_of(const group_work *w, const grid_element *elements, size_t n_elements, size_t learner) {
    group_figure figure = {.takes_part = w->takes_part[learner], .value = NAN, .low = NAN, .high = NAN};
    size_t n_parts = 0;
    double variance = 0;
    if (!figure.takes_part || (w->rule->baseline != NO_BASELINE && !w->takes_part[w->rule->baseline]))
        return figure;
    for (size_t e = 0; e < n_elements; e++) {
        const bool *kept = kept_of(w, e);
        if (count_kept(w, e) == 0)
            continue;
        double part = element_figure(w, elements[e], kept, learner);
        if (isnan(part)) {
            figure.n_opposite += count_kept(w, e);
            continue;
        }
        w->parts[n_parts++] = part;
        variance += element_variance(w, elements[e], kept, learner, part);
        count_imputed(w, elements[e], kept, learner, &figure);
    }
    if (n_parts > 0)
        aggregate_parts(w, n_parts, variance, &figure);
    return figure;
}

status group_compare(const metric_values *metric, const grid_element *elements, size_t n_elements,
                     const group_rule *rule, group_figure *figures, bool *is_zero, group_summary *summary,
                     error_info *err) {
    const result_grid *g = metric->grid;
    group_work w = {.metric = metric, .rule = rule};
    status st = STATUS_OK;
    TRY_ALLOC(w.takes_part = calloc(g->n_learners + 1, sizeof *w.takes_part));
    TRY_ALLOC(w.kept = calloc(n_elements + 1, g->n_replicates + 1));
    TRY_ALLOC(w.parts = calloc(n_elements + 1, sizeof *w.parts));
    *summary = (group_summary){0};
    memset(is_zero, 0, n_elements * sizeof *is_zero);
    choose_data_sets(&w, elements, n_elements, summary);
    if (rule->baseline != NO_BASELINE && w.takes_part[rule->baseline])
        drop_zero_baselines(&w, elements, n_elements, is_zero, summary);
    for (size_t l = 0; l < g->n_learners; l++)
        figures[l] = figure_of(&w, elements, n_elements, l);
cleanup:
    free(w.takes_part);
    free(w.kept);
    free(w.parts);
    return st;
}
