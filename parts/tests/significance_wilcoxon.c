/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wilcoxon's test of every pair of learners in every cell. */
#include "parts/tests/significance_internal.h"

#include "metrics/statistics/p_adjust.h"
#include "metrics/statistics/wilcoxon.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The values of two learners side by side, larger being better. A failure is NAN until mend_failures. */
typedef struct {
    double *x, *y;
    size_t n, n_failed;
} paired;

/* A learner's value on a data set, or that there is none to be had. */
typedef struct {
    double value; /* NAN for a failure that counts */
    bool is_there;
} outcome;

static outcome outcome_of(const test_work *w, size_t place, size_t size, size_t replicate, size_t learner) {
    size_t at = result_grid_index(&w->grid, place, size, replicate, learner);
    double value = w->values.values[at];
    value_state state = w->values.states[at];
    bool has_failed = state == VALUE_FAILED || state == VALUE_TIMEOUT || state == VALUE_MEMORY;
    if (w->info && w->info->less_is_better)
        value = -value;
    return (outcome){.value = value, .is_there = !isnan(value) || (has_failed && w->spec->failures == FAILURES_WORST)};
}

static void add_pair(paired *p, double x, double y) {
    p->x[p->n] = x;
    p->y[p->n] = y;
    p->n_failed += isnan(x) || isnan(y);
    p->n++;
}

static void add_replicates(const test_work *w, size_t place, size_t size, const size_t *pair, paired *p) {
    for (size_t r = 0; r < w->grid.n_replicates; r++) {
        outcome a = outcome_of(w, place, size, r, pair[0]), b = outcome_of(w, place, size, r, pair[1]);
        if (a.is_there && b.is_there)
            add_pair(p, a.value, b.value);
    }
}

/* The means over the replicates that both have; a failure on one of them is a failure. */
static void add_place(const test_work *w, size_t place, size_t size, const size_t *pair, paired *p) {
    double x = 0, y = 0;
    size_t n = 0;
    for (size_t r = 0; r < w->grid.n_replicates; r++) {
        outcome a = outcome_of(w, place, size, r, pair[0]), b = outcome_of(w, place, size, r, pair[1]);
        if (!a.is_there || !b.is_there)
            continue;
        x += a.value;
        y += b.value;
        n++;
    }
    if (n > 0)
        add_pair(p, x / (double)n, y / (double)n);
}

static void collect(const test_work *w, const pair_cell *cell, const size_t *pair, paired *p) {
    p->n = p->n_failed = 0;
    for (size_t i = 0; i < w->grid.n_places; i++) {
        if (cell->place < w->grid.n_places && cell->place != i)
            continue;
        if (w->spec->pairs == PAIRS_NETWORKS)
            add_place(w, i, cell->size, pair, p);
        else
            add_replicates(w, i, cell->size, pair, p);
    }
}

/* A failure is worse than every result: the largest difference of all. Two failures do not differ. */
static void mend_failures(paired *p) {
    double largest = 0;
    for (size_t i = 0; i < p->n; i++) {
        double d = fabs(p->x[i] - p->y[i]);
        if (d > largest)
            largest = d;
    }
    for (size_t i = 0; i < p->n; i++) {
        bool x_failed = isnan(p->x[i]), y_failed = isnan(p->y[i]);
        if (!x_failed && !y_failed)
            continue;
        p->x[i] = x_failed ? 0 : 2 * largest + 1;
        p->y[i] = y_failed ? 0 : 2 * largest + 1;
    }
}

static status test_pair(const test_spec *spec, const paired *p, pair_verdict *out, error_info *err) {
    wilcoxon_options options = {.side = spec->is_two_sided ? WILCOXON_TWO_SIDED : WILCOXON_GREATER};
    wilcoxon_result r;
    status st = STATUS_OK;
    CHECK(wilcoxon_signed_rank(p->x, p->y, p->n, &options, &r, err));
    *out = (pair_verdict){.n_pairs = p->n,
                          .n = r.n,
                          .n_failed = p->n_failed,
                          .w_plus = r.w_plus,
                          .p_better = r.p_value,
                          .p_worse = r.p_value,
                          .verdict = '~'};
    if (spec->is_two_sided)
        return st;
    options.side = WILCOXON_LESS;
    CHECK(wilcoxon_signed_rank(p->x, p->y, p->n, &options, &r, err));
    out->p_worse = r.p_value;
    return st;
}

static status test_all(const test_work *w, significance *s, error_info *err) {
    size_t most = w->grid.n_places * w->grid.n_replicates + 1;
    paired p = {.x = calloc(most, sizeof *p.x), .y = calloc(most, sizeof *p.y)};
    status st = STATUS_OK;
    TRY_ALLOC(p.x);
    TRY_ALLOC(p.y);
    for (size_t i = 0; i < s->n_pairs * s->n_cells; i++) {
        collect(w, &s->cells[i % s->n_cells], s->pairs[i / s->n_cells], &p);
        s->verdicts[i] = (pair_verdict){.p_better = NAN, .p_worse = NAN, .adjusted = NAN, .verdict = '?'};
        if (p.n == 0)
            continue;
        mend_failures(&p);
        TRY(test_pair(w->spec, &p, &s->verdicts[i], err));
    }
cleanup:
    free(p.x);
    free(p.y);
    return st;
}

static status list_pairs(const test_work *w, significance *s, error_info *err) {
    size_t n = s->n_learners, reference = n;
    CHECK_ALLOC(s->pairs = calloc(n * n + 1, sizeof *s->pairs));
    for (size_t i = 0; w->spec->reference && i < n; i++)
        reference = strcmp(s->learners[i], w->spec->reference) == 0 ? i : reference;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = reference < n ? 0 : i + 1; j < n; j++) {
            if ((reference < n && (i != reference || j == i)) || !w->values.applies[i] || !w->values.applies[j])
                continue;
            s->pairs[s->n_pairs][0] = i;
            s->pairs[s->n_pairs++][1] = j;
        }
    }
    return STATUS_OK;
}

static status list_cells(const test_work *w, significance *s, error_info *err) {
    size_t n_places = w->spec->pairs == PAIRS_REPLICATES ? w->grid.n_places : 1;
    CHECK_ALLOC(s->cells = calloc(n_places * w->grid.n_sizes + 1, sizeof *s->cells));
    for (size_t i = 0; i < n_places; i++) {
        for (size_t size = 0; size < w->grid.n_sizes; size++)
            s->cells[s->n_cells++] =
                (pair_cell){.place = w->spec->pairs == PAIRS_REPLICATES ? i : w->grid.n_places, .size = size};
    }
    return STATUS_OK;
}

static double smaller_p(const pair_verdict *v) {
    return fmin(v->p_better, v->p_worse);
}

static char verdict_of(const test_spec *spec, const pair_verdict *v) {
    double middle = (double)v->n * ((double)v->n + 1) / 4;
    if (!(v->adjusted <= spec->alpha))
        return '~';
    if (spec->is_two_sided)
        return v->w_plus > middle ? '+' : '-';
    return v->p_better <= v->p_worse ? '+' : '-';
}

static status judge(const test_spec *spec, significance *s, error_info *err) {
    static const p_adjustment kinds[] = {[CORRECTION_BONFERRONI] = ADJUST_BONFERRONI,
                                         [CORRECTION_HOLM] = ADJUST_HOLM,
                                         [CORRECTION_BH] = ADJUST_BH,
                                         [CORRECTION_NONE] = ADJUST_NONE};
    size_t n_all = s->n_pairs * s->n_cells, n = 0;
    double *p = calloc(n_all + 1, sizeof *p);
    status st = STATUS_OK;
    TRY_ALLOC(p);
    for (size_t i = 0; i < n_all; i++) {
        if (s->verdicts[i].verdict != '?')
            p[n++] = smaller_p(&s->verdicts[i]);
    }
    s->n_family = spec->n_comparisons > n ? spec->n_comparisons : spec->n_comparisons > 0 ? n : n_all;
    TRY(p_adjust(kinds[spec->correction], p, n, s->n_family, p, err));
    n = 0;
    for (size_t i = 0; i < n_all; i++) {
        pair_verdict *v = &s->verdicts[i];
        if (v->verdict == '?')
            continue;
        v->adjusted = p[n++];
        v->verdict = verdict_of(spec, v);
    }
cleanup:
    free(p);
    return st;
}

static void add_published(const test_work *w, significance *s, size_t i) {
    const size_t *pair = s->pairs[i / s->n_cells];
    const pair_cell *cell = &s->cells[i % s->n_cells];
    char samples[24];
    verdict_place at = {.sample_size = samples, .metric = w->spec->published_metric};
    pair_verdict *v = &s->verdicts[i];
    (void)snprintf(samples, sizeof samples, "%zu", w->view->sizes[cell->size]);
    if (cell->place < w->grid.n_places) /* else: the one network that the file has, whatever it calls it */
        at.network = s->places[cell->place];
    v->published = published_verdict_find(w->published, &at, s->learners[pair[0]], s->learners[pair[1]]);
    if (v->published == '\0' || v->published == '?' || v->verdict == '?')
        return;
    s->n_published++;
    s->n_agreed += v->published == v->verdict;
}

static size_t score_row(const significance *s, const pair_cell *cell) {
    return cell->place < s->n_places ? cell->place : 0;
}

static void add_score(significance *s, size_t row, size_t learner, int value) {
    s->scores[row * s->n_learners + learner] += value;
    s->has_score[row * s->n_learners + learner] = true;
}

/* Sizes as the paper joins them: "500+5000". */
static void append_sizes(const test_work *w, text_buffer *b) {
    for (size_t i = 0; i < w->view->n_sizes; i++)
        text_append_format(b, "%s%zu", i ? "+" : "", w->view->sizes[i]);
}

static status add_published_scores(const test_work *w, significance *s, error_info *err) {
    text_buffer sizes = {0};
    status st = STATUS_OK;
    append_sizes(w, &sizes);
    TRY(text_buffer_check(&sizes, err));
    for (size_t i = 0; i < s->n_score_rows * s->n_learners; i++) {
        published_figure figure;
        published_query query = {.network = w->spec->pairs == PAIRS_REPLICATES ? s->places[i / s->n_learners] : "all",
                                 .sample_size = sizes.data,
                                 .algorithm = s->learners[i % s->n_learners],
                                 .metric = "wilcoxon_summary_score"};
        if (published_find(w->published_scores, &query, &figure) == 1)
            s->published_scores[i] = figure.value;
    }
cleanup:
    text_buffer_clear(&sizes);
    return st;
}

static status sum_verdicts(const test_work *w, significance *s, error_info *err) {
    size_t n_rows = w->spec->pairs == PAIRS_REPLICATES ? w->grid.n_places : 1, n = n_rows * s->n_learners;
    CHECK_ALLOC(s->scores = calloc(n + 1, sizeof *s->scores));
    CHECK_ALLOC(s->has_score = calloc(n + 1, sizeof *s->has_score));
    CHECK_ALLOC(s->published_scores = calloc(n + 1, sizeof *s->published_scores));
    s->n_score_rows = n_rows;
    for (size_t i = 0; i < n; i++)
        s->published_scores[i] = NAN;
    for (size_t i = 0; i < s->n_pairs * s->n_cells; i++) {
        char verdict = s->verdicts[i].verdict;
        size_t row = score_row(s, &s->cells[i % s->n_cells]);
        int value = verdict == '+' ? 1 : verdict == '-' ? -1 : 0;
        if (verdict == '?')
            continue;
        add_score(s, row, s->pairs[i / s->n_cells][0], value);
        add_score(s, row, s->pairs[i / s->n_cells][1], -value);
    }
    if (w->published_scores)
        CHECK(add_published_scores(w, s, err));
    return STATUS_OK;
}

status significance_pair(const test_work *w, significance *s, error_info *err) {
    CHECK(list_pairs(w, s, err));
    CHECK(list_cells(w, s, err));
    CHECK_ALLOC(s->verdicts = calloc(s->n_pairs * s->n_cells + 1, sizeof *s->verdicts));
    CHECK(test_all(w, s, err));
    CHECK(judge(w->spec, s, err));
    for (size_t i = 0; w->published && i < s->n_pairs * s->n_cells; i++)
        add_published(w, s, i);
    if (!w->spec->reference)
        CHECK(sum_verdicts(w, s, err));
    return STATUS_OK;
}
