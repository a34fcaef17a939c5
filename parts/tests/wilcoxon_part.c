/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wilcoxon's test of every pair of learners in every cell. */
#include "parts/tests/wilcoxon_part.h"

#include "metrics/statistics/p_adjust.h"
#include "metrics/statistics/wilcoxon.h"
#include "parts/base/part.h"
#include "parts/tests/significance_internal.h"
#include "parts/tests/test_outcomes.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const wilcoxon_spec *spec_of(const test_work *w) {
    return (const wilcoxon_spec *)w->spec; /* which it begins with */
}

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
        if (spec_of(w)->pairs == PAIRS_NETWORKS)
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

static status test_pair(const wilcoxon_spec *spec, const paired *p, pair_verdict *out, error_info *err) {
    wilcoxon_options options = {.side = spec->alternative == TWO_SIDED ? WILCOXON_TWO_SIDED : WILCOXON_GREATER};
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
    if (spec->alternative == TWO_SIDED)
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
        TRY(test_pair(spec_of(w), &p, &s->verdicts[i], err));
    }
cleanup:
    free(p.x);
    free(p.y);
    return st;
}

static status list_pairs(const test_work *w, significance *s, error_info *err) {
    size_t n = s->n_learners, reference = n;
    CHECK_ALLOC(s->pairs = calloc(n * n + 1, sizeof *s->pairs));
    for (size_t i = 0; spec_of(w)->reference && i < n; i++)
        reference = strcmp(s->learners[i], spec_of(w)->reference) == 0 ? i : reference;
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
    size_t n_places = spec_of(w)->pairs == PAIRS_REPLICATES ? w->grid.n_places : 1;
    CHECK_ALLOC(s->cells = calloc(n_places * w->grid.n_sizes + 1, sizeof *s->cells));
    for (size_t i = 0; i < n_places; i++) {
        for (size_t size = 0; size < w->grid.n_sizes; size++)
            s->cells[s->n_cells++] =
                (pair_cell){.place = spec_of(w)->pairs == PAIRS_REPLICATES ? i : w->grid.n_places, .size = size};
    }
    return STATUS_OK;
}

static double smaller_p(const pair_verdict *v) {
    return fmin(v->p_better, v->p_worse);
}

static char verdict_of(const wilcoxon_spec *spec, const pair_verdict *v) {
    double middle = (double)v->n * ((double)v->n + 1) / 4;
    if (!(v->adjusted <= spec->shared.alpha))
        return '~';
    if (spec->alternative == TWO_SIDED)
        return v->w_plus > middle ? '+' : '-';
    return v->p_better <= v->p_worse ? '+' : '-';
}

static status judge(const wilcoxon_spec *spec, significance *s, error_info *err) {
    static const p_adjustment kinds[] = {[CORRECTION_BONFERRONI] = ADJUST_BONFERRONI,
                                         [CORRECTION_HOLM] = ADJUST_HOLM,
                                         [CORRECTION_BH] = ADJUST_BH,
                                         [CORRECTION_NONE] = ADJUST_NONE};
    size_t n_all = s->n_pairs * s->n_cells, n = 0;
    AUTO_FREE double *p = calloc(n_all + 1, sizeof *p);
    CHECK_ALLOC(p);
    for (size_t i = 0; i < n_all; i++) {
        if (s->verdicts[i].verdict != '?')
            p[n++] = smaller_p(&s->verdicts[i]);
    }
    s->n_family = spec->n_comparisons > n ? spec->n_comparisons : spec->n_comparisons > 0 ? n : n_all;
    CHECK(p_adjust(kinds[spec->correction], p, n, s->n_family, p, err));
    n = 0;
    for (size_t i = 0; i < n_all; i++) {
        pair_verdict *v = &s->verdicts[i];
        if (v->verdict == '?')
            continue;
        v->adjusted = p[n++];
        v->verdict = verdict_of(spec, v);
    }
    return STATUS_OK;
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
    v->published = published_verdict_find(w->published, &at, s->learners[pair[0]], s->learners[pair[1]], &v->row);
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
    AUTO(text_buffer_clear) text_buffer sizes = {0};
    append_sizes(w, &sizes);
    CHECK(text_buffer_check(&sizes, err));
    for (size_t i = 0; i < s->n_score_rows * s->n_learners; i++) {
        published_figure figure;
        published_query query = {.network =
                                     spec_of(w)->pairs == PAIRS_REPLICATES ? s->places[i / s->n_learners] : "all",
                                 .sample_size = sizes.data,
                                 .algorithm = s->learners[i % s->n_learners],
                                 .metric = "wilcoxon_summary_score"};
        if (published_find(w->published_scores, &query, &figure) != 1)
            continue;
        s->published_scores[i] = figure.value;
        s->score_rows[i] = figure.row;
    }
    return STATUS_OK;
}

static status sum_verdicts(const test_work *w, significance *s, error_info *err) {
    size_t n_rows = spec_of(w)->pairs == PAIRS_REPLICATES ? w->grid.n_places : 1, n = n_rows * s->n_learners;
    CHECK_ALLOC(s->scores = calloc(n + 1, sizeof *s->scores));
    CHECK_ALLOC(s->has_score = calloc(n + 1, sizeof *s->has_score));
    CHECK_ALLOC(s->published_scores = calloc(n + 1, sizeof *s->published_scores));
    CHECK_ALLOC(s->score_rows = calloc(n + 1, sizeof *s->score_rows));
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

static status compare(const test_work *w, significance *s, error_info *err) {
    s->is_by_place = spec_of(w)->pairs == PAIRS_REPLICATES;
    CHECK(list_pairs(w, s, err));
    CHECK(list_cells(w, s, err));
    CHECK_ALLOC(s->verdicts = calloc(s->n_pairs * s->n_cells + 1, sizeof *s->verdicts));
    CHECK(test_all(w, s, err));
    CHECK(judge(spec_of(w), s, err));
    for (size_t i = 0; w->published && i < s->n_pairs * s->n_cells; i++)
        add_published(w, s, i);
    if (!spec_of(w)->reference)
        CHECK(sum_verdicts(w, s, err));
    return STATUS_OK;
}

/* ---- in words ---- */

static void append_pairs(const test_work *w, text_buffer *b) {
    static const char *const what[] = {[PAIRS_REPLICATES] = "the data sets of a network and sample size",
                                       [PAIRS_DATA_SETS] = "all data sets of a sample size",
                                       [PAIRS_NETWORKS] =
                                           "the networks of a sample size, each by the mean over its data sets"};
    significance_append_sense(w, b);
    text_append_format(
        b,
        "Wilcoxon's signed-rank test, %s; pairs are %s. + the first of the pair is significantly better, - "
        "worse, ~ neither.",
        spec_of(w)->alternative == TWO_SIDED ? "two-sided" : "one-sided in both directions", what[spec_of(w)->pairs]);
    if (outputs_sigma_count(w->view) > 1)
        text_append(b, " A network counts once at each noise level.");
}

static void append_level(const test_work *w, const significance *s, text_buffer *b) {
    static const char *const names[] = {
        [CORRECTION_BONFERRONI] = "Bonferroni", [CORRECTION_HOLM] = "Holm", [CORRECTION_BH] = "Benjamini and Hochberg"};
    text_append_format(b, "Level %g", w->spec->alpha);
    if (spec_of(w)->correction == CORRECTION_NONE)
        text_append(b, ", not corrected for the number of tests.");
    else if (spec_of(w)->correction == CORRECTION_BONFERRONI)
        text_append_format(b, " over all %zu comparisons: %.3g each (Bonferroni).", s->n_family,
                           w->spec->alpha / (double)(s->n_family ? s->n_family : 1));
    else
        text_append_format(b, " over all %zu comparisons (%s).", s->n_family, names[spec_of(w)->correction]);
}

static void append_pair_counts(const significance *s, text_buffer *b) {
    size_t least = (size_t)-1, most = 0, n_without = 0, n_failed = 0;
    for (size_t i = 0; i < s->n_pairs * s->n_cells; i++) {
        const pair_verdict *v = &s->verdicts[i];
        n_without += v->verdict == '?';
        n_failed += v->n_failed;
        if (v->verdict == '?')
            continue;
        least = v->n_pairs < least ? v->n_pairs : least;
        most = v->n_pairs > most ? v->n_pairs : most;
    }
    if (most > 0)
        text_append_format(b, " Pairs in a test: %zu", least);
    if (most > least)
        text_append_format(b, " to %zu", most);
    if (most > 0)
        text_append(b, ".");
    if (n_failed)
        text_append_format(b, " In %zu of them all one failed, which counts as worse than every result.", n_failed);
    if (n_without)
        text_append_format(b, " %zu comparison%s had no pair (n/a).", n_without, text_plural(n_without));
}

/* With too few pairs no outcome can reach the level: the exact p is 2^-n at best, twice that where two-sided. */
static void append_powerless(const test_work *w, const significance *s, text_buffer *b) {
    bool is_corrected = spec_of(w)->correction == CORRECTION_BONFERRONI || spec_of(w)->correction == CORRECTION_HOLM;
    double level = w->spec->alpha / (double)(is_corrected && s->n_family ? s->n_family : 1);
    size_t most = 0;
    for (size_t i = 0; i < s->n_pairs * s->n_cells; i++)
        most = s->verdicts[i].n_pairs > most ? s->verdicts[i].n_pairs : most;
    if (most > 0 && most <= WILCOXON_MOST_AUTO &&
        ldexp(spec_of(w)->alternative == TWO_SIDED ? 2 : 1, -(int)most) > level)
        text_append_format(b,
                           "No test can reach that level: with %zu pair%s the smallest p is %.3g. It takes more "
                           "replicates, fewer comparisons or another correction.",
                           most, text_plural(most), ldexp(spec_of(w)->alternative == TWO_SIDED ? 2 : 1, -(int)most));
}

static void append_scores(const significance *s, text_buffer *b) {
    if (s->n_score_rows > 0)
        text_append(b, "Summary: how often a learner is significantly better, less how often it is worse, over all "
                       "sample sizes and opponents.");
}

static void append_disagreeing_verdicts(const significance *s, text_buffer *b) {
    size_t n = 0, n_all = s->n_published - s->n_agreed;
    for (size_t i = 0; i < s->n_pairs * s->n_cells; i++) {
        const pair_verdict *v = &s->verdicts[i];
        const pair_cell *cell = &s->cells[i % s->n_cells];
        bool differs = v->published != '\0' && v->published != '?' && v->verdict != '?' && v->published != v->verdict;
        if (!differs || n++ >= MOST_PLACES)
            continue;
        text_append_format(b, "%s%s : %s on %s %zu (%c, published %c)",
                           n > 1 ? ", " : " Others: ", s->learners[s->pairs[i / s->n_cells][0]],
                           s->learners[s->pairs[i / s->n_cells][1]], pair_cell_network(s, cell),
                           s->outputs->sizes[cell->size], v->verdict, v->published);
    }
    if (n_all > MOST_PLACES)
        text_append_format(b, ", and %zu more", n_all - MOST_PLACES);
    text_append(b, n ? "." : "");
}

static status add_notes(const test_work *w, significance *s, error_info *err) {
    text_buffer b = {0};
    append_pairs(w, &b);
    CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
    append_level(w, s, &b);
    append_pair_counts(s, &b);
    CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
    append_powerless(w, s, &b);
    CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
    append_scores(s, &b);
    return text_list_take(&s->notes, &s->n_notes, &b, err);
}

/* ---- for people ---- */

static const char *outcome_text(const char *verdict) {
    return *verdict == '?' ? "n/a" : verdict;
}

static void add_verdict(document_grid *g, size_t row, size_t column, const pair_verdict *v) {
    const char ours[] = {v->verdict, '\0'}, theirs[] = {v->published, '\0'};
    grid_say(g, row, column, SPAN_TEXT, "%s", outcome_text(ours));
    grid_set_published(g, row, column, v->published ? outcome_text(theirs) : NULL);
}

static void add_verdict_grid(const significance *s, document *d) {
    document_grid *g = document_add_grid(d, NULL, s->n_pairs + 1, s->n_cells + 1, true);
    if (!g)
        return;
    grid_say(g, 0, 0, SPAN_TEXT, "pair");
    for (size_t c = 0; c < s->n_cells; c++)
        grid_say(g, 0, c + 1, SPAN_TEXT, "%s %zu", pair_cell_network(s, &s->cells[c]),
                 s->outputs->sizes[s->cells[c].size]);
    for (size_t p = 0; p < s->n_pairs; p++) {
        grid_say(g, p + 1, 0, SPAN_TEXT, "%s : %s", s->learners[s->pairs[p][0]], s->learners[s->pairs[p][1]]);
        for (size_t c = 0; c < s->n_cells; c++)
            add_verdict(g, p + 1, c + 1, &s->verdicts[p * s->n_cells + c]);
    }
}

static void say_score(document_grid *g, size_t row, size_t column, const significance *s, size_t at) {
    char published[32];
    if (s->has_score[at])
        grid_say(g, row, column, SPAN_TEXT, "%ld", s->scores[at]);
    else
        grid_say(g, row, column, SPAN_TEXT, "n/a");
    (void)snprintf(published, sizeof published, "%g", s->published_scores[at]);
    grid_set_published(g, row, column, isnan(s->published_scores[at]) ? NULL : published);
}

static void add_score_grid(const significance *s, document *d) {
    document_grid *g = document_add_grid(d, NULL, s->n_score_rows + 1, s->n_learners + 1, true);
    if (!g)
        return;
    significance_add_learner_names(s, "summary", g);
    for (size_t r = 0; r < s->n_score_rows; r++) {
        grid_say(g, r + 1, 0, SPAN_TEXT, "%s", significance_score_place(s, r));
        for (size_t l = 0; l < s->n_learners; l++)
            say_score(g, r + 1, l + 1, s, r * s->n_learners + l);
    }
}

static void append_document(const significance *s, document *d) {
    add_verdict_grid(s, d);
    if (s->n_score_rows > 0)
        add_score_grid(s, d);
}

/* ---- CSV and JSON ---- */

static void append_verdict_line(const significance *s, size_t i, text_buffer *out) {
    const pair_verdict *v = &s->verdicts[i];
    const pair_cell *cell = &s->cells[i % s->n_cells];
    const size_t *pair = s->pairs[i / s->n_cells];
    text_append_csv_label(out, significance_id(s));
    text_append(out, ",");
    text_append_csv_label(out, pair_cell_network(s, cell));
    text_append_format(out, ",%zu,", s->outputs->sizes[cell->size]);
    text_append_csv_label(out, s->learners[pair[0]]);
    text_append(out, ",");
    text_append_csv_label(out, s->learners[pair[1]]);
    text_append_format(out, ",%zu,%zu,%zu", v->n_pairs, v->n, v->n_failed);
    significance_append_number(out, v->verdict == '?' ? NAN : v->w_plus);
    significance_append_number(out, v->p_better);
    significance_append_number(out, v->p_worse);
    significance_append_number(out, v->adjusted);
    text_append_format(out, v->verdict == '?' ? ",n/a" : ",%c", v->verdict);
    if (v->published == '?')
        text_append(out, ",n/a\n");
    else if (v->published)
        text_append_format(out, ",%c\n", v->published);
    else
        text_append(out, ",\n");
}

static void append_csv(const significance *s, text_buffer *out) {
    text_append(out, "test,network,samples,first,second,pairs,n,failed,w_plus,p_better,p_worse,adjusted,verdict,"
                     "published\n");
    for (size_t i = 0; i < s->n_pairs * s->n_cells; i++)
        append_verdict_line(s, i, out);
}

static json_t *verdict_text(char verdict) {
    char text[2] = {verdict, '\0'};
    return verdict == '?' ? json_string("n/a") : json_of_word(text);
}

static json_t *verdict_object(const significance *s, size_t i) {
    const pair_verdict *v = &s->verdicts[i];
    const pair_cell *cell = &s->cells[i % s->n_cells];
    const size_t *pair = s->pairs[i / s->n_cells];
    return json_pack("{s:s, s:I, s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "network",
                     pair_cell_network(s, cell), "samples", (json_int_t)s->outputs->sizes[cell->size], "first",
                     s->learners[pair[0]], "second", s->learners[pair[1]], "pairs", (json_int_t)v->n_pairs, "n",
                     (json_int_t)v->n, "failed", (json_int_t)v->n_failed, "statistic",
                     json_of_figure(v->verdict == '?' ? NAN : v->w_plus), "p_better", json_of_figure(v->p_better),
                     "p_worse", json_of_figure(v->p_worse), "adjusted", json_of_figure(v->adjusted), "verdict",
                     verdict_text(v->verdict), "published", verdict_text(v->published));
}

static json_t *score_object(const significance *s, size_t i) {
    return json_pack("{s:s, s:s, s:o, s:o}", "network", significance_score_place(s, i / s->n_learners), "learner",
                     s->learners[i % s->n_learners], "score",
                     s->has_score[i] ? json_integer((json_int_t)s->scores[i]) : json_null(), "published",
                     json_of_figure(s->published_scores[i]));
}

static bool add_json(const significance *s, json_t *o) {
    return json_object_set_new(o, "comparisons", json_integer((json_int_t)s->n_family)) == 0 &&
           json_object_set_new(o, "verdicts", json_of_list(s, s->n_pairs * s->n_cells, verdict_object)) == 0 &&
           json_object_set_new(o, "scores", json_of_list(s, s->n_score_rows * s->n_learners, score_object)) == 0;
}

/* ---- the declaration ---- */

static const test_method method = {.name = "wilcoxon",
                                   .title = "Wilcoxon's signed-rank test",
                                   .outcome = "verdict",
                                   .compute = compare,
                                   .add_notes = add_notes,
                                   .append_disagreeing = append_disagreeing_verdicts,
                                   .append_document = append_document,
                                   .append_csv = append_csv,
                                   .add_json = add_json};

status wilcoxon_compute(const experiment_outputs *outputs, const wilcoxon_spec *spec, const job_record *records,
                        size_t n_records, const published_table *published, const published_table *scores,
                        significance *out, error_info *err) {
    test_work w = {.spec = &spec->shared,
                   .method = &method,
                   .control = spec->reference,
                   .published = published,
                   .published_scores = scores};
    return significance_compute(&w, outputs, records, n_records, out, err);
}

static const option_spec options[] = {
    TEST_ROWS("versus and verdict"),
    PART_ROW(
        OPT_CHOICE, "pairs", wilcoxon_spec, pairs, .choices = "replicates|data-sets|networks",
        .help =
            "a verdict for each network and sample size, from its data sets; one a sample size, from all data sets; "
            "one a sample size, from the means of the networks"),
    PART_ROW(OPT_LEARNER, "reference", wilcoxon_spec, reference, .usual = "all pairs",
             .help = "compare each learner with this one alone"),
    PART_ROW(OPT_CHOICE, "alternative", wilcoxon_spec, alternative, .choices = "one-sided|two-sided",
             .help = "one-sided: tested in both directions, the smaller p counts"),
    PART_ROW(OPT_CHOICE, "correction", wilcoxon_spec, correction, .choices = "bonferroni|holm|bh|none",
             .help = "over every pair in every cell, run or not"),
    PART_ROW(OPT_COUNT, "comparisons", wilcoxon_spec, n_comparisons, .least = 1, .most = 10000000,
             .usual = "all pairs and cells",
             .help = "the number of tests to correct for, if it is larger than that of those run"),
    PART_ROW(OPT_NAME, "published_scores", wilcoxon_spec, published_scores,
             .help = "a file with the sums of the verdicts (metric wilcoxon_summary_score)"),
    {0},
};

static status complete(void *declared, const experiment_outputs *outputs, const char **key, error_info *err) {
    const wilcoxon_spec *spec = declared;
    (void)outputs;
    return test_spec_check(&spec->shared, "reference", spec->reference, key, err);
}

/* `*is_there` false: there is a note that says why not. */
static status compute_part(const part_context *c, const wilcoxon_spec *spec, part_output *out, significance *s,
                           bool *is_there, error_info *err) {
    AUTO_PTR(published_destroy) published_table *published = NULL, *scores = NULL;
    error_info why = {0};
    status answer;
    CHECK(part_read_published(out, spec->shared.id, spec->shared.published, PUBLISHED_OUTCOMES, &published, err));
    CHECK(part_read_published(out, spec->shared.id, spec->published_scores, PUBLISHED_FIGURES, &scores, err));
    answer = wilcoxon_compute(c->outputs, spec, c->records, c->n_records, published, scores, s, &why);
    *is_there = answer == STATUS_OK;
    return part_judge(out, "", answer, &why, err);
}

static status make(const part_context *c, const declared_part *p, part_output *out, error_info *err) {
    AUTO(significance_clear) significance s = {0};
    bool is_there = false;
    CHECK(compute_part(c, p->options, out, &s, &is_there, err));
    return is_there ? significance_show(&s, out, err) : STATUS_OK;
}

/* ---- what the paper prints of it ---- */

static void name_cell(const significance *s, const pair_cell *cell, char *buffer, size_t size) {
    if (cell->place < s->n_places)
        (void)snprintf(buffer, size, "%s, %zu", s->places[cell->place], s->outputs->sizes[cell->size]);
    else
        (void)snprintf(buffer, size, "%zu", s->outputs->sizes[cell->size]);
}

static status add_verdicts(const significance *s, test_outcomes *list, error_info *err) {
    char place[200];
    for (size_t i = 0; i < s->n_pairs * s->n_cells; i++) {
        const pair_verdict *v = &s->verdicts[i];
        const size_t *pair = s->pairs[i / s->n_cells];
        const char *const learners[2] = {s->learners[pair[0]], s->learners[pair[1]]};
        const char here[] = {v->verdict, '\0'}, theirs[] = {v->published, '\0'};
        name_cell(s, &s->cells[i % s->n_cells], place, sizeof place);
        if (v->published != '\0' && v->published != '?')
            CHECK(test_outcomes_add(list, learners, place, &(published_outcome){theirs, s->spec->published, v->row},
                                    v->verdict == '?' ? NULL : here, err));
    }
    return STATUS_OK;
}

static status add_sums(const significance *s, const char *file, test_outcomes *list, error_info *err) {
    for (size_t i = 0; s->published_scores && i < s->n_score_rows * s->n_learners; i++) {
        const char *const learners[2] = {s->learners[i % s->n_learners], NULL};
        char theirs[32], here[32];
        (void)snprintf(theirs, sizeof theirs, "%g", s->published_scores[i]);
        (void)snprintf(here, sizeof here, "%ld", s->scores[i]);
        if (!isnan(s->published_scores[i]))
            CHECK(test_outcomes_add(list, learners, significance_score_place(s, i / s->n_learners),
                                    &(published_outcome){theirs, file, s->score_rows[i]}, s->has_score[i] ? here : NULL,
                                    err));
    }
    return STATUS_OK;
}

static status list_outcomes(const part_context *c, const void *declared, part_output *out, test_outcomes *list,
                            error_info *err) {
    AUTO(significance_clear) significance s = {0};
    bool is_there = false;
    CHECK(compute_part(c, declared, out, &s, &is_there, err));
    if (!is_there)
        return STATUS_OK;
    CHECK(add_verdicts(&s, list, err));
    return add_sums(&s, ((const wilcoxon_spec *)declared)->published_scores, list, err);
}

const part_kind part_wilcoxon_test = {
    .group = PART_TEST,
    .name = "wilcoxon",
    .summary = "verdicts on pairs of learners; without a reference also how often each is better less how often worse",
    .options_size = sizeof(wilcoxon_spec),
    .options = options,
    .complete = complete,
    .make = make,
    .list_outcomes = list_outcomes,
};
