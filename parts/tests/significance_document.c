/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A test for people: the outcome in one or two grids, and what it means. */
#include "parts/tests/significance_internal.h"

#include <math.h>

enum { PART_LEVEL = 2 };

/* "p" of a small number without a run of zeros; what underflowed is a bound. */
static void say_p(document_grid *g, size_t row, size_t column, double p) {
    if (isnan(p))
        grid_say(g, row, column, SPAN_TEXT, "-");
    else if (p == 0)
        grid_say(g, row, column, SPAN_TEXT, "<1e-300");
    else
        grid_say(g, row, column, SPAN_TEXT, "%.3g", p);
}

static void add_test_row(document_grid *g, size_t row, const rank_comparison *c) {
    const friedman_result *test = &c->test;
    grid_say(g, row, 0, SPAN_TEXT, "%zu", c->samples);
    grid_say(g, row, 1, SPAN_TEXT, "%zu", c->n_blocks);
    for (size_t i = 2; !c->has_test && i < g->n_columns; i++)
        grid_say(g, row, i, SPAN_TEXT, "-");
    if (!c->has_test)
        return;
    grid_say(g, row, 2, SPAN_TEXT, "%.2f", test->chi2);
    grid_say(g, row, 3, SPAN_TEXT, "%g", test->df);
    say_p(g, row, 4, test->p_value);
    if (isfinite(test->F))
        grid_say(g, row, 5, SPAN_TEXT, "%.2f", test->F);
    else
        grid_say(g, row, 5, SPAN_TEXT, isnan(test->F) ? "-" : "infinite");
    grid_say(g, row, 6, SPAN_TEXT, "%g, %g", test->df1, test->df2);
    if (isinf(test->F)) /* perfect agreement: 0 by definition, not by underflow */
        grid_say(g, row, 7, SPAN_TEXT, "0");
    else
        say_p(g, row, 7, test->F_p_value);
}

static void add_test_grid(const significance *s, document *d) {
    static const char *const head[] = {"samples", "networks", "chi2", "df", "p", "F", "df1, df2", "p of F"};
    enum { N_HEAD = sizeof head / sizeof *head };
    document_grid *g = document_add_grid(d, NULL, s->n_groups + 1, N_HEAD, false);
    if (!g)
        return;
    grid_set_head(g, head, N_HEAD);
    for (size_t i = 0; i < s->n_groups; i++)
        add_test_row(g, i + 1, &s->groups[i]);
}

static const char *mark_text(rank_mark mark) {
    return mark == MARK_BEST ? "*" : mark == MARK_ALIKE ? "a" : "";
}

static void add_learner_names(const significance *s, const char *corner, document_grid *g) {
    grid_say(g, 0, 0, SPAN_TEXT, "%s", corner);
    for (size_t i = 0; i < s->n_learners; i++)
        grid_say(g, 0, i + 1, SPAN_TEXT, "%s", s->learners[i]);
}

static void add_rank(document_grid *g, size_t row, const ranked_learner *r) {
    char published[64];
    grid_say(g, row, r->learner + 1, SPAN_TEXT, "%.2f%s", r->mean_rank, mark_text(r->mark));
    if (isnan(r->published_rank))
        return;
    (void)snprintf(published, sizeof published, "%.2f%s", r->published_rank, mark_text(r->published_mark));
    grid_set_published(g, row, r->learner + 1, published);
}

static void add_rank_grid(const significance *s, document *d) {
    document_grid *g = document_add_grid(d, NULL, s->n_groups + 1, s->n_learners + 1, true);
    if (!g)
        return;
    add_learner_names(s, "samples", g);
    for (size_t i = 0; i < s->n_groups; i++) {
        grid_say(g, i + 1, 0, SPAN_TEXT, "%zu", s->groups[i].samples);
        for (size_t l = 0; l < s->groups[i].n_learners; l++)
            add_rank(g, i + 1, &s->groups[i].learners[l]);
        for (size_t l = 0; l < s->n_learners; l++) {
            if (grid_at(g, i + 1, l + 1)->text.n == 0)
                grid_say(g, i + 1, l + 1, SPAN_TEXT, "-");
        }
    }
}

static const char *verdict_text(const char *verdict) {
    return *verdict == '?' ? "n/a" : verdict;
}

static void add_verdict(document_grid *g, size_t row, size_t column, const pair_verdict *v) {
    const char ours[] = {v->verdict, '\0'}, theirs[] = {v->published, '\0'};
    grid_say(g, row, column, SPAN_TEXT, "%s", verdict_text(ours));
    grid_set_published(g, row, column, v->published ? verdict_text(theirs) : NULL);
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

static void add_score(document_grid *g, size_t row, size_t column, const significance *s, size_t at) {
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
    add_learner_names(s, "summary", g);
    for (size_t r = 0; r < s->n_score_rows; r++) {
        grid_say(g, r + 1, 0, SPAN_TEXT, "%s", score_row_network(s, r));
        for (size_t l = 0; l < s->n_learners; l++)
            add_score(g, r + 1, l + 1, s, r * s->n_learners + l);
    }
}

void significance_append_document(const significance *s, document *d) {
    document_add_heading(d, PART_LEVEL, s->title);
    if (s->spec->kind == TEST_FRIEDMAN) {
        add_test_grid(s, d);
        add_rank_grid(s, d);
    } else {
        add_verdict_grid(s, d);
        if (s->n_score_rows > 0)
            add_score_grid(s, d);
    }
    document_add_items(d, s->notes, s->n_notes);
}
