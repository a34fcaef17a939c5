/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a paper claims, held against the figures: those of this run, and those that the paper prints itself. */
#include "report/reproduction/reproduction_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The figures of a table, ours or theirs. */
typedef struct {
    const table *t;
    bool is_published;
} figures;

/* NAN where there is none. */
static double figure_at(const figures *f, size_t group, size_t learner) {
    const table_cell *cell = table_cell_at(f->t, group, learner);
    if (f->is_published)
        return cell->published ? cell->published_value : NAN;
    return cell->kind == CELL_FIGURE ? cell->value : NAN;
}

static double figure_of(const figures *f, size_t group, const char *learner) {
    for (size_t l = 0; l < table_learner_count(f->t); l++) {
        if (strcmp(table_learner_name(f->t, l), learner) == 0)
            return figure_at(f, group, l);
    }
    return NAN;
}

/* A check at one place: what became of it, and the pair that is farthest from meeting it. */
typedef struct {
    verdict v;
    double margin, value, bound; /* where it fails; the margin as a share of the larger of the two */
} outcome;

/* Less than 5%. */
static const double near_margin = 0.05;

static const outcome met = {.v = VERDICT_HOLDS}, unknown = {.v = VERDICT_UNKNOWN};

static void miss(outcome *o, double value, double bound) {
    double most = fmax(fabs(value), fabs(bound)), margin = most > 0 ? fabs(value - bound) / most : 0;
    if (o->v == VERDICT_FAILS && margin <= o->margin)
        return;
    *o = (outcome){.v = VERDICT_FAILS, .margin = margin, .value = value, .bound = bound};
}

static outcome check_less(const claim_check *c, const figures *f, size_t group) {
    outcome o = met;
    for (size_t i = 0; i + 1 < c->n_learners; i++) {
        double a = figure_of(f, group, c->learners[i]), b = figure_of(f, group, c->learners[i + 1]);
        if (isnan(a) || isnan(b))
            return unknown;
        if (!(a < b))
            miss(&o, a, b);
    }
    return o;
}

/* The most that would do beside the least, of figures of one sign. */
static double most_about(double least, double most, double within) {
    return most > 0 ? least / (1 - within) : least * (1 - within);
}

static outcome check_about(const claim_check *c, const figures *f, size_t group) {
    double least = INFINITY, most = -INFINITY;
    outcome o = met;
    for (size_t i = 0; i < c->n_learners; i++) {
        double a = figure_of(f, group, c->learners[i]);
        if (isnan(a))
            return unknown;
        least = fmin(least, a);
        most = fmax(most, a);
    }
    if (!(most - least <= c->number * fmax(fabs(least), fabs(most))))
        miss(&o, most, most_about(least, most, c->number));
    return o;
}

static outcome check_bound(const claim_check *c, const figures *f, size_t group) {
    outcome o = met;
    for (size_t i = 0; i < c->n_learners; i++) {
        double a = figure_of(f, group, c->learners[i]);
        if (isnan(a))
            return unknown;
        if (!(c->relation == CLAIM_ABOVE ? a > c->number : a < c->number))
            miss(&o, a, c->number);
    }
    return o;
}

/* Each of the learners named is as good as any learner of the table. */
static outcome check_extreme(const claim_check *c, const figures *f, size_t group) {
    double sign = c->relation == CLAIM_LOWEST ? 1 : -1, best = INFINITY;
    outcome o = met;
    for (size_t l = 0; l < table_learner_count(f->t); l++) {
        double a = figure_at(f, group, l);
        if (!isnan(a))
            best = fmin(best, sign * a);
    }
    for (size_t i = 0; i < c->n_learners; i++) {
        double a = figure_of(f, group, c->learners[i]);
        if (isnan(a))
            return unknown;
        if (sign * a > best)
            miss(&o, a, sign * best);
    }
    return o;
}

/* From the place before to this one. */
static outcome check_rise(const claim_check *c, const figures *f, size_t group) {
    outcome o = met;
    for (size_t i = 0; i < c->n_learners; i++) {
        double before = figure_of(f, group - 1, c->learners[i]), here = figure_of(f, group, c->learners[i]);
        if (isnan(before) || isnan(here))
            return unknown;
        if (!(before < here))
            miss(&o, here, before);
    }
    return o;
}

static outcome check_group(const claim_check *c, const figures *f, size_t group) {
    switch (c->relation) {
    case CLAIM_LESS:
        return check_less(c, f, group);
    case CLAIM_ABOUT:
        return check_about(c, f, group);
    case CLAIM_ABOVE:
    case CLAIM_BELOW:
        return check_bound(c, f, group);
    case CLAIM_LOWEST:
    case CLAIM_HIGHEST:
        return check_extreme(c, f, group);
    case CLAIM_RISES:
        return group > 0 && group < f->t->n_groups ? check_rise(c, f, group) : unknown;
    }
    return unknown;
}

/* A figure below zero is a score, whose zero means nothing: a share of it says as little. */
static bool is_near(const outcome *o) {
    return o->v == VERDICT_FAILS && o->value >= 0 && o->bound >= 0 && o->margin < near_margin;
}

static bool is_meant(const claim_check *c, const table *t, size_t group) {
    if (c->at)
        return strcmp(table_group_names(t)[group], c->at) == 0;
    return group < t->n_groups && (c->relation != CLAIM_RISES || group > 0);
}

static verdict both(verdict a, verdict b) {
    if (a == VERDICT_FAILS || b == VERDICT_FAILS)
        return VERDICT_FAILS;
    return a == VERDICT_UNKNOWN || b == VERDICT_UNKNOWN ? VERDICT_UNKNOWN : VERDICT_HOLDS;
}

/* A check at every place where it is to hold. */
static void judge_check(const claim_check *c, const figures *f, claim_judgement *j) {
    size_t n = 0;
    for (size_t g = 0; g < table_group_count(f->t); g++) {
        outcome here;
        if (!is_meant(c, f->t, g))
            continue;
        here = check_group(c, f, g);
        n++;
        j->v = both(j->v, here.v);
        j->n_holds += here.v == VERDICT_HOLDS;
        j->n_fails += here.v == VERDICT_FAILS;
        if (is_near(&here) && j->n_near++ < MOST_NEAR_MISSES)
            j->near[j->n_near - 1] = (near_miss){f->t, here.value, here.bound};
    }
    j->n_places += n;
    if (n == 0)
        j->v = both(j->v, VERDICT_UNKNOWN);
}

claim_judgement claim_judge(const claim_spec *claim, const reproduced_parts *p, bool is_published) {
    claim_judgement j = {.v = VERDICT_HOLDS};
    for (size_t i = 0; i < claim->n_checks; i++) {
        const reproduced_table *r = parts_find_table(p, claim->checks[i].table);
        figures f = {.t = r ? &r->t : NULL, .is_published = is_published};
        if (r)
            judge_check(&claim->checks[i], &f, &j);
        else
            j.v = both(j.v, VERDICT_UNKNOWN);
    }
    return j;
}

/* Some of its conditions are met. */
static bool is_partly(const claim_judgement *j) {
    return j->v == VERDICT_FAILS && j->n_holds > 0;
}

/* ---- in words ---- */

static const char *value_text(const table *t, double value, char text[DISPLAY_NUMBER_SIZE]) {
    return isnan(value) ? "-" : display_number(value, t->style, t->decimals, text);
}

/* "mmhc 0.99 [0.99], pmmhc 1.00 [1.00]" */
static void say_figures(const claim_check *c, const table *t, size_t group, document_grid *g, size_t row,
                        size_t column) {
    const figures ours = {.t = t}, theirs = {.t = t, .is_published = true};
    for (size_t i = 0; i < c->n_learners; i++) {
        double published = figure_of(&theirs, group, c->learners[i]);
        char text[DISPLAY_NUMBER_SIZE];
        grid_say(g, row, column, SPAN_TEXT, "%s%s %s", i ? ", " : "", c->learners[i],
                 value_text(t, figure_of(&ours, group, c->learners[i]), text));
        if (!isnan(published))
            grid_say(g, row, column, SPAN_TEXT, " [%s]", value_text(t, published, text));
    }
}

static void say_condition(const claim_check *c, document_grid *g, size_t row, size_t column) {
    static const char *const words[] = {
        "each less than the next", "within", "above", "below", "the lowest", "the highest", "above the place before"};
    grid_say(g, row, column, SPAN_TEXT, "%s", words[c->relation]);
    if (c->relation == CLAIM_ABOUT)
        grid_say(g, row, column, SPAN_TEXT, " %g%% of each other", 100 * c->number);
    else if (c->relation == CLAIM_ABOVE || c->relation == CLAIM_BELOW)
        grid_say(g, row, column, SPAN_TEXT, " %g", c->number);
}

/* ---- a row a claim ---- */

enum { COLUMN_HERE = 1, COLUMN_PAPER, COLUMN_UNMET, N_COLUMNS, MOST_UNMET = 2 };

/* What is not met, at so many places as a cell takes: "not the lowest: hc 1.90 [1.72] (rank-loglik, 5000)". */
static void say_unmet_of(const claim_check *c, const reproduced_table *r, document_grid *g, size_t row, size_t *n) {
    const figures ours = {.t = &r->t};
    for (size_t group = 0; group < table_group_count(&r->t); group++) {
        outcome here = check_group(c, &ours, group);
        if (!is_meant(c, &r->t, group) || here.v != VERDICT_FAILS || (*n)++ >= MOST_UNMET)
            continue;
        grid_say(g, row, COLUMN_UNMET, SPAN_TEXT, "%s", *n > 1 ? "; not " : "not ");
        say_condition(c, g, row, COLUMN_UNMET);
        grid_say(g, row, COLUMN_UNMET, SPAN_TEXT, ": ");
        say_figures(c, &r->t, group, g, row, COLUMN_UNMET);
        grid_say(g, row, COLUMN_UNMET, SPAN_TEXT, " (%s, %s)%s", r->id, table_group_names(&r->t)[group],
                 is_near(&here) ? ", by a hair" : "");
    }
}

static void say_unmet(const claim_spec *claim, const reproduced_parts *p, document_grid *g, size_t row) {
    size_t n = 0;
    for (size_t i = 0; i < claim->n_checks; i++) {
        const reproduced_table *r = parts_find_table(p, claim->checks[i].table);
        if (r)
            say_unmet_of(&claim->checks[i], r, g, row, &n);
    }
    if (n > MOST_UNMET)
        grid_say(g, row, COLUMN_UNMET, SPAN_TEXT, "; %zu more", n - MOST_UNMET);
}

void claim_say_verdict(const claim_spec *claim, const reproduced_parts *p, document_grid *g, size_t row,
                       size_t column) {
    static const char *const words[] = {"holds", "does not hold", "cannot be decided"};
    claim_judgement ours = claim_judge(claim, p, false);
    if (claim->n_checks == 0) {
        grid_say(g, row, column, SPAN_TEXT, "not checked by figures");
        return;
    }
    grid_say(g, row, column, SPAN_STRONG, "%s", is_partly(&ours) ? "partly" : words[ours.v]);
    if (ours.v == VERDICT_FAILS && ours.n_places > 1)
        grid_say(g, row, column, SPAN_TEXT, " (%zu of %zu)", ours.n_holds, ours.n_places);
}

static void say_verdicts(const claim_spec *claim, const reproduced_parts *p, document_grid *g, size_t row) {
    static const char *const words_of_paper[] = {"holds", "does not", "-"};
    claim_judgement theirs = claim_judge(claim, p, true);
    claim_say_verdict(claim, p, g, row, COLUMN_HERE);
    if (claim->n_checks == 0) {
        if (claim->comment)
            grid_say(g, row, COLUMN_UNMET, SPAN_TEXT, "%.*s", (int)strcspn(claim->comment, "\n"), claim->comment);
        return;
    }
    grid_say(g, row, COLUMN_PAPER, SPAN_TEXT, "%s", words_of_paper[theirs.v]);
    if (theirs.v == VERDICT_FAILS && theirs.n_places > 1)
        grid_say(g, row, COLUMN_PAPER, SPAN_TEXT, " (%zu of %zu)", theirs.n_holds, theirs.n_places);
}

void claims_append(const experiment_outputs *o, const reproduced_parts *p, document *d) {
    static const char *const head[N_COLUMNS] = {"claim", "here", "by the paper's figures", "what is not met here"};
    document_grid *g;
    if (o->n_claims == 0)
        return;
    document_add_heading(d, 2, "What the paper claims");
    g = document_add_grid(d, NULL, o->n_claims + 1, N_COLUMNS, true);
    grid_set_head(g, head, N_COLUMNS);
    for (size_t i = 0; i < o->n_claims; i++) {
        if (o->claims[i].is_main)
            grid_say(g, i + 1, 0, SPAN_STRONG, "Main claim:");
        grid_say(g, i + 1, 0, SPAN_TEXT, "%s%.*s", o->claims[i].is_main ? " " : "",
                 (int)strcspn(o->claims[i].text, "\n"), o->claims[i].text);
        say_verdicts(&o->claims[i], p, g, i + 1);
        say_unmet(&o->claims[i], p, g, i + 1);
    }
}

/* ---- condition by condition ---- */

/* A row wherever the check is to hold; the grid may be NULL, to count them. */
static size_t add_check(const claim_check *c, const reproduced_table *r, document_grid *g, size_t row) {
    static const char *const words[] = {"yes", "no", "not known"};
    const figures ours = {.t = &r->t};
    outcome here;
    size_t n = 0;
    for (size_t group = 0; group < table_group_count(&r->t); group++) {
        if (!is_meant(c, &r->t, group))
            continue;
        grid_say(g, row + n, 0, SPAN_TEXT, "%s, %s", r->id, table_group_names(&r->t)[group]);
        say_condition(c, g, row + n, 1);
        say_figures(c, &r->t, group, g, row + n, 2);
        here = check_group(c, &ours, group);
        grid_say(g, row + n, 3, SPAN_TEXT, "%s%s", words[here.v], is_near(&here) ? ", by a hair" : "");
        n++;
    }
    return n;
}

static size_t add_checks(const claim_spec *claim, const reproduced_parts *p, document_grid *g) {
    size_t row = 1;
    for (size_t i = 0; i < claim->n_checks; i++) {
        const reproduced_table *r = parts_find_table(p, claim->checks[i].table);
        row += r ? add_check(&claim->checks[i], r, g, row) : 0;
    }
    return row;
}

/* What is shown alike gets more digits. */
static void say_near(const near_miss *m, document *d) {
    char value[DISPLAY_NUMBER_SIZE], bound[DISPLAY_NUMBER_SIZE];
    (void)display_number(m->value, m->t->style, m->t->decimals, value);
    (void)display_number(m->bound, m->t->style, m->t->decimals, bound);
    if (strcmp(value, bound) == 0 && m->value != m->bound)
        document_say(d, SPAN_TEXT, "%.6g against %.6g", m->value, m->bound);
    else
        document_say(d, SPAN_TEXT, "%s against %s", value, bound);
}

void claim_say(const claim_spec *claim, const claim_judgement *j, document *d) {
    static const char *const words[] = {"It holds.", "It does not hold.", "It cannot be decided."};
    size_t n_kept = j->n_near < MOST_NEAR_MISSES ? j->n_near : MOST_NEAR_MISSES;
    if (claim->n_checks == 0)
        document_say(d, SPAN_STRONG, "Not checked by figures.");
    else if (is_partly(j))
        document_say(d, SPAN_STRONG, "Partly (%zu of %zu).", j->n_holds, j->n_places);
    else
        document_say(d, SPAN_STRONG, "%s", words[j->v]);
    if (n_kept > 0 && j->n_near < j->n_fails)
        document_say(d, SPAN_TEXT, " %zu of %zu misses by a hair: ", j->n_near, j->n_fails);
    else if (n_kept > 0)
        document_say(d, SPAN_TEXT, " By a hair: ");
    for (size_t i = 0; i < n_kept; i++) {
        document_say(d, SPAN_TEXT, "%s", i ? ", " : "");
        say_near(&j->near[i], d);
    }
    if (n_kept > 0)
        document_say(d, SPAN_TEXT, j->n_near > n_kept ? ", ..." : ".");
}

static void add_conditions(const claim_spec *claim, const reproduced_parts *p, document *d) {
    static const char *const head[] = {"where", "condition", "figures [published]", "met here"};
    enum { N_HEAD = sizeof head / sizeof *head };
    document_grid *g = document_add_grid(d, NULL, add_checks(claim, p, NULL), N_HEAD, true);
    grid_set_head(g, head, N_HEAD);
    (void)add_checks(claim, p, g);
}

void words_append(const char *before, const char *text, document *d) {
    while (*text) {
        size_t n = strcspn(text, "\n");
        if (n > 0) {
            document_begin(d, BLOCK_PARAGRAPH);
            document_say(d, SPAN_TEXT, "%s%.*s", before, (int)n, text);
            before = "";
        }
        text += n + (text[n] == '\n');
    }
}

void claim_append_conditions(const claim_spec *claim, int level, const reproduced_parts *p, document *d) {
    document_add_heading(d, level, claim->id);
    if (claim->is_main)
        document_add_paragraph(d, "The paper's main claim.");
    words_append("", claim->text, d);
    if (claim->n_checks > 0)
        add_conditions(claim, p, d);
    if (claim->comment)
        words_append(claim->n_checks > 0 ? "" : "Not checked by figures: ", claim->comment, d);
    if (claim->comment || claim->n_checks == 0)
        document_begin(d, BLOCK_PARAGRAPH); /* the next heading stands apart */
}

void claims_append_conditions(const experiment_outputs *o, const reproduced_parts *p, document *d) {
    if (o->n_claims > 0)
        document_add_heading(d, 2, "The claims, condition by condition");
    for (size_t i = 0; i < o->n_claims; i++)
        claim_append_conditions(&o->claims[i], 3, p, d);
}
