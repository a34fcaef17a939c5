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

static verdict verdict_of(bool holds) {
    return holds ? VERDICT_HOLDS : VERDICT_FAILS;
}

static verdict check_less(const claim_check *c, const figures *f, size_t group) {
    verdict v = VERDICT_HOLDS;
    for (size_t i = 0; i + 1 < c->n_learners; i++) {
        double a = figure_of(f, group, c->learners[i]), b = figure_of(f, group, c->learners[i + 1]);
        if (isnan(a) || isnan(b))
            return VERDICT_UNKNOWN;
        if (!(a < b))
            v = VERDICT_FAILS;
    }
    return v;
}

static verdict check_about(const claim_check *c, const figures *f, size_t group) {
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < c->n_learners; i++) {
        double a = figure_of(f, group, c->learners[i]);
        if (isnan(a))
            return VERDICT_UNKNOWN;
        least = fmin(least, a);
        most = fmax(most, a);
    }
    return verdict_of(most - least <= c->number * fmax(fabs(least), fabs(most)));
}

static verdict check_bound(const claim_check *c, const figures *f, size_t group) {
    verdict v = VERDICT_HOLDS;
    for (size_t i = 0; i < c->n_learners; i++) {
        double a = figure_of(f, group, c->learners[i]);
        if (isnan(a))
            return VERDICT_UNKNOWN;
        if (!(c->relation == CLAIM_ABOVE ? a > c->number : a < c->number))
            v = VERDICT_FAILS;
    }
    return v;
}

/* Each of the learners named is as good as any learner of the table. */
static verdict check_extreme(const claim_check *c, const figures *f, size_t group) {
    double sign = c->relation == CLAIM_LOWEST ? 1 : -1, best = INFINITY;
    for (size_t l = 0; l < table_learner_count(f->t); l++) {
        double a = figure_at(f, group, l);
        if (!isnan(a))
            best = fmin(best, sign * a);
    }
    for (size_t i = 0; i < c->n_learners; i++) {
        double a = figure_of(f, group, c->learners[i]);
        if (isnan(a))
            return VERDICT_UNKNOWN;
        if (sign * a > best)
            return VERDICT_FAILS;
    }
    return VERDICT_HOLDS;
}

static verdict check_group(const claim_check *c, const figures *f, size_t group) {
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
    }
    return VERDICT_UNKNOWN;
}

static bool is_meant(const claim_check *c, const table *t, size_t group) {
    return c->at ? strcmp(table_group_names(t)[group], c->at) == 0 : group < t->n_groups;
}

/* A check at every place where it is to hold. */
static verdict check_all(const claim_check *c, const figures *f, size_t *n_holds, size_t *n_places) {
    verdict v = VERDICT_HOLDS;
    size_t n = 0;
    for (size_t g = 0; g < table_group_count(f->t); g++) {
        verdict here;
        if (!is_meant(c, f->t, g))
            continue;
        here = check_group(c, f, g);
        n++;
        *n_holds += here == VERDICT_HOLDS;
        if (here == VERDICT_FAILS || (here == VERDICT_UNKNOWN && v == VERDICT_HOLDS))
            v = here;
    }
    *n_places += n;
    return n ? v : VERDICT_UNKNOWN;
}

verdict claim_judge(const claim_spec *claim, const reproduced_parts *p, bool is_published, size_t *n_holds,
                    size_t *n_places) {
    verdict v = VERDICT_HOLDS;
    *n_holds = *n_places = 0;
    for (size_t i = 0; i < claim->n_checks; i++) {
        const reproduced_table *r = parts_find_table(p, claim->checks[i].table);
        figures f = {.t = r ? &r->t : NULL, .is_published = is_published};
        verdict one = r ? check_all(&claim->checks[i], &f, n_holds, n_places) : VERDICT_UNKNOWN;
        if (one == VERDICT_FAILS || (one == VERDICT_UNKNOWN && v == VERDICT_HOLDS))
            v = one;
    }
    return v;
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
        "each less than the next", "within", "above", "below", "the lowest", "the highest"};
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
        if (!is_meant(c, &r->t, group) || check_group(c, &ours, group) != VERDICT_FAILS || (*n)++ >= MOST_UNMET)
            continue;
        grid_say(g, row, COLUMN_UNMET, SPAN_TEXT, "%s", *n > 1 ? "; not " : "not ");
        say_condition(c, g, row, COLUMN_UNMET);
        grid_say(g, row, COLUMN_UNMET, SPAN_TEXT, ": ");
        say_figures(c, &r->t, group, g, row, COLUMN_UNMET);
        grid_say(g, row, COLUMN_UNMET, SPAN_TEXT, " (%s, %s)", r->id, table_group_names(&r->t)[group]);
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

static void say_verdicts(const claim_spec *claim, const reproduced_parts *p, document_grid *g, size_t row) {
    static const char *const ours[] = {"holds", "does not hold", "cannot be decided"};
    static const char *const theirs[] = {"holds", "does not", "-"};
    size_t n_holds, n_places;
    verdict v = claim_judge(claim, p, false, &n_holds, &n_places);
    if (claim->n_checks == 0) {
        grid_say(g, row, COLUMN_HERE, SPAN_TEXT, "not checked by figures");
        if (claim->comment)
            grid_say(g, row, COLUMN_UNMET, SPAN_TEXT, "%.*s", (int)strcspn(claim->comment, "\n"), claim->comment);
        return;
    }
    grid_say(g, row, COLUMN_HERE, SPAN_STRONG, "%s", ours[v]);
    if (v == VERDICT_FAILS && n_places > 1)
        grid_say(g, row, COLUMN_HERE, SPAN_TEXT, " (%zu of %zu)", n_holds, n_places);
    v = claim_judge(claim, p, true, &n_holds, &n_places);
    grid_say(g, row, COLUMN_PAPER, SPAN_TEXT, "%s", theirs[v]);
    if (v == VERDICT_FAILS && n_places > 1)
        grid_say(g, row, COLUMN_PAPER, SPAN_TEXT, " (%zu of %zu)", n_holds, n_places);
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
        grid_say(g, i + 1, 0, SPAN_TEXT, "%.*s", (int)strcspn(o->claims[i].text, "\n"), o->claims[i].text);
        say_verdicts(&o->claims[i], p, g, i + 1);
        say_unmet(&o->claims[i], p, g, i + 1);
    }
}

/* ---- condition by condition ---- */

/* A row wherever the check is to hold; the grid may be NULL, to count them. */
static size_t add_check(const claim_check *c, const reproduced_table *r, document_grid *g, size_t row) {
    static const char *const words[] = {"yes", "no", "not known"};
    const figures ours = {.t = &r->t};
    size_t n = 0;
    for (size_t group = 0; group < table_group_count(&r->t); group++) {
        if (!is_meant(c, &r->t, group))
            continue;
        grid_say(g, row + n, 0, SPAN_TEXT, "%s, %s", r->id, table_group_names(&r->t)[group]);
        say_condition(c, g, row + n, 1);
        say_figures(c, &r->t, group, g, row + n, 2);
        grid_say(g, row + n, 3, SPAN_TEXT, "%s", words[check_group(c, &ours, group)]);
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

void claims_append_conditions(const experiment_outputs *o, const reproduced_parts *p, document *d) {
    if (o->n_claims > 0)
        document_add_heading(d, 2, "The claims, condition by condition");
    for (size_t i = 0; i < o->n_claims; i++) {
        const claim_spec *claim = &o->claims[i];
        document_add_heading(d, 3, claim->id);
        words_append("", claim->text, d);
        if (claim->n_checks > 0)
            add_conditions(claim, p, d);
        if (claim->comment)
            words_append(claim->n_checks > 0 ? "" : "Not checked by figures: ", claim->comment, d);
        if (claim->comment || claim->n_checks == 0)
            document_begin(d, BLOCK_PARAGRAPH); /* the next heading stands apart */
    }
}
