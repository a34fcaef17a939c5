/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sentences below a test: what was done, with how much data, and how the paper's outcome compares. */
#include "parts/tests/significance_internal.h"

#include "metrics/statistics/wilcoxon.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PLACES = 8 }; /* named in one sentence; the rest is counted */

static const char *plural(size_t n) {
    return n == 1 ? "" : "s";
}

static const char *const post_hoc_texts[] = {[POST_HOC_HOLM] = "Holm's procedure",
                                             [POST_HOC_BONFERRONI] = "Bonferroni's correction",
                                             [POST_HOC_BH] = "Benjamini and Hochberg's procedure",
                                             [POST_HOC_NEMENYI] = "Nemenyi's test",
                                             [POST_HOC_NONE] = "no correction"};

static void append_sense(const test_work *w, text_buffer *b) {
    if (w->info)
        text_append_format(b, "%s: %s; %s is better. ", w->spec->metric, w->info->summary,
                           w->info->less_is_better ? "less" : "more");
}

/* What is ranked once. */
static const char *block_noun(const test_work *w) {
    return outputs_sigma_count(w->view) > 1 ? "networks and noise levels" : "networks";
}

static void append_friedman(const test_work *w, text_buffer *b) {
    const test_spec *spec = w->spec;
    size_t n = w->grid.n_replicates;
    append_sense(w, b);
    text_append_format(
        b,
        "Learners are ranked on each network%s (the mean of %zu data set%s), 1 the best, ties share the mean of "
        "their ranks. chi2 is corrected for ties; F is Iman and Davenport's. Below: mean ranks over the "
        "%s; * marks %s, a those that do not differ from it significantly (%s, two-sided, level %g).",
        outputs_sigma_count(w->view) > 1 ? " at each noise level" : "", n, plural(n), block_noun(w),
        spec->control ? "the control" : "the best", post_hoc_texts[spec->post_hoc], spec->alpha);
}

static void append_pairs(const test_work *w, text_buffer *b) {
    static const char *const what[] = {[PAIRS_REPLICATES] = "the data sets of a network and sample size",
                                       [PAIRS_DATA_SETS] = "all data sets of a sample size",
                                       [PAIRS_NETWORKS] =
                                           "the networks of a sample size, each by the mean over its data sets"};
    append_sense(w, b);
    text_append_format(
        b,
        "Wilcoxon's signed-rank test, %s; pairs are %s. + the first of the pair is significantly better, - "
        "worse, ~ neither.",
        w->spec->is_two_sided ? "two-sided" : "one-sided in both directions", what[w->spec->pairs]);
    if (outputs_sigma_count(w->view) > 1)
        text_append(b, " A network counts once at each noise level.");
}

static void append_level(const test_work *w, const significance *s, text_buffer *b) {
    static const char *const names[] = {
        [CORRECTION_BONFERRONI] = "Bonferroni", [CORRECTION_HOLM] = "Holm", [CORRECTION_BH] = "Benjamini and Hochberg"};
    text_append_format(b, "Level %g", w->spec->alpha);
    if (w->spec->correction == CORRECTION_NONE)
        text_append(b, ", not corrected for the number of tests.");
    else if (w->spec->correction == CORRECTION_BONFERRONI)
        text_append_format(b, " over all %zu comparisons: %.3g each (Bonferroni).", s->n_family,
                           w->spec->alpha / (double)(s->n_family ? s->n_family : 1));
    else
        text_append_format(b, " over all %zu comparisons (%s).", s->n_family, names[w->spec->correction]);
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
        text_append_format(b, " %zu comparison%s had no pair (n/a).", n_without, plural(n_without));
}

/* With too few pairs no outcome can reach the level: the exact p is 2^-n at best, twice that where two-sided. */
static void append_powerless(const test_work *w, const significance *s, text_buffer *b) {
    bool is_corrected = w->spec->correction == CORRECTION_BONFERRONI || w->spec->correction == CORRECTION_HOLM;
    double level = w->spec->alpha / (double)(is_corrected && s->n_family ? s->n_family : 1);
    size_t most = 0;
    for (size_t i = 0; i < s->n_pairs * s->n_cells; i++)
        most = s->verdicts[i].n_pairs > most ? s->verdicts[i].n_pairs : most;
    if (most > 0 && most <= WILCOXON_MOST_AUTO && ldexp(w->spec->is_two_sided ? 2 : 1, -(int)most) > level)
        text_append_format(b,
                           "No test can reach that level: with %zu pair%s the smallest p is %.3g. It takes more "
                           "replicates, fewer comparisons or another correction.",
                           most, plural(most), ldexp(w->spec->is_two_sided ? 2 : 1, -(int)most));
}

static void append_not_rejected(const test_work *w, const significance *s, text_buffer *b) {
    size_t n = 0;
    for (size_t i = 0; i < s->n_groups; i++) {
        if (s->groups[i].has_test && s->groups[i].test.p_value > w->spec->alpha)
            text_append_format(b, "%s%zu",
                               n++ ? ", " : "Friedman's test itself does not reject equal ranks at this sample size: ",
                               s->groups[i].samples);
    }
    text_append(b, n ? "." : "");
}

static void append_blocks(const test_work *w, const significance *s, text_buffer *b) {
    for (size_t i = 0; i < s->n_groups; i++) {
        const rank_comparison *g = &s->groups[i];
        if (!g->has_test)
            text_append_format(b, "%sNo test at %zu rows: %s.", b->length ? " " : "", g->samples,
                               g->n_blocks == 0 ? "no network has results of all learners"
                                                : "fewer than two learners, or no control");
        else if (g->n_blocks < w->grid.n_places)
            text_append_format(b, "%s%zu of %zu %s enter at %zu rows.", b->length ? " " : "", g->n_blocks,
                               w->grid.n_places, block_noun(w), g->samples);
    }
}

static void append_rank_failures(const significance *s, text_buffer *b) {
    size_t n = 0;
    for (size_t i = 0; i < s->n_groups; i++) {
        for (size_t l = 0; l < s->groups[i].n_learners; l++) {
            const ranked_learner *r = &s->groups[i].learners[l];
            if (r->n_failed == 0)
                continue;
            text_append_format(b, "%s%s on %zu network%s at %zu rows",
                               n++ ? ", " : "Failed on a data set, and so ranked last: ", s->learners[r->learner],
                               r->n_failed, plural(r->n_failed), s->groups[i].samples);
        }
    }
    text_append(b, n ? "." : "");
}

/* Consecutive learners within the critical difference. */
static void append_critical_differences(const test_work *w, const significance *s, text_buffer *b) {
    size_t n = 0;
    for (size_t i = 0; w->spec->post_hoc == POST_HOC_NEMENYI && i < s->n_groups; i++) {
        if (s->groups[i].has_test)
            text_append_format(b, "%s%.4g at %zu rows",
                               n++ ? ", " : "Critical difference of mean ranks: ", s->groups[i].critical_difference,
                               s->groups[i].samples);
    }
    text_append(b, n ? "; any two learners further apart differ significantly." : "");
}

static void append_disagreeing_marks(const significance *s, text_buffer *b) {
    size_t n = 0, n_all = s->n_published - s->n_agreed;
    for (size_t i = 0; i < s->n_groups; i++) {
        for (size_t l = 0; l < s->groups[i].n_learners; l++) {
            const ranked_learner *r = &s->groups[i].learners[l];
            if (r->published_mark == MARK_NONE || r->published_mark == r->mark || n++ >= MOST_PLACES)
                continue;
            text_append_format(b, "%s%s at %zu (%s, published %s)", n > 1 ? ", " : " Others: ", s->learners[r->learner],
                               s->groups[i].samples, rank_mark_name(r->mark), rank_mark_name(r->published_mark));
        }
    }
    if (n_all > MOST_PLACES)
        text_append_format(b, ", and %zu more", n_all - MOST_PLACES);
    text_append(b, n ? "." : "");
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

static void append_published(const test_work *w, const significance *s, text_buffer *b) {
    const char *file = w->spec->published ? w->spec->published : "the published figures";
    const char *what = w->spec->kind == TEST_FRIEDMAN ? "mark" : "verdict";
    if (!w->published)
        return;
    if (s->n_published == 0) {
        text_append_format(b, "%s holds no %s for these learners and sample sizes.", file, what);
        return;
    }
    text_append_format(b, "In brackets: as published (%s), on the paper's own networks and data. %zu of %zu %ss agree.",
                       file, s->n_agreed, s->n_published, what);
    if (w->spec->kind == TEST_FRIEDMAN)
        append_disagreeing_marks(s, b);
    else
        append_disagreeing_verdicts(s, b);
}

static void append_scores(const significance *s, text_buffer *b) {
    if (s->n_score_rows > 0)
        text_append(b, "Summary: how often a learner is significantly better, less how often it is worse, over all "
                       "sample sizes and opponents.");
}

status significance_add_notes(const test_work *w, significance *s, error_info *err) {
    text_buffer b = {0};
    if (w->spec->kind == TEST_FRIEDMAN) {
        append_friedman(w, &b);
        CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
        append_critical_differences(w, s, &b);
        CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
        append_not_rejected(w, s, &b);
        CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
        append_blocks(w, s, &b);
        CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
        append_rank_failures(s, &b);
        CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
    } else {
        append_pairs(w, &b);
        CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
        append_level(w, s, &b);
        append_pair_counts(s, &b);
        CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
        append_powerless(w, s, &b);
        CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
        append_scores(s, &b);
        CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
    }
    append_published(w, s, &b);
    return text_list_take(&s->notes, &s->n_notes, &b, err);
}
