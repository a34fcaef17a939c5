/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/reproduction/verdicts.h"

#include "report/reproduction/published_rows.h"
#include "report/reproduction/verdicts_internal.h"

#include <stdlib.h>
#include <string.h>

static void page_clear(verdicts_page *p) {
    for (size_t i = 0; p->all && i < p->n; i++)
        reproduction_clear(&p->all[i]);
    free(p->all);
}

/* ---- claims ---- */

static void say_claim(const claim_spec *claim, const reproduced_parts *p, document *d) {
    claim_judgement ours = claim_judge(claim, p, false);
    document_say(d, SPAN_TEXT, "%.*s ", (int)strcspn(claim->text, "\n"), claim->text);
    claim_say(claim, &ours, d);
    if (claim_judge(claim, p, true).v == VERDICT_FAILS)
        document_say(d, SPAN_TEXT, " The paper's own figures do not satisfy it.");
}

static size_t count_claims(const experiment_outputs *o, bool is_main) {
    size_t n = 0;
    for (size_t i = 0; i < o->n_claims; i++)
        n += o->claims[i].is_main == is_main;
    return n;
}

/* Those that are no main claim, which stands at the head of its paper. */
static void add_claims(const experiment_outputs *o, const reproduced_parts *p, document *d) {
    if (count_claims(o, false) > 0)
        document_add_paragraph(d, count_claims(o, true) > 0 ? "What else the paper claims:" : "What the paper claims:");
    for (size_t i = 0; i < o->n_claims; i++) {
        if (o->claims[i].is_main)
            continue;
        document_begin(d, BLOCK_ITEM);
        say_claim(&o->claims[i], p, d);
    }
}

/* With the experiment that checks it, where the paper has several. */
static void add_main_claim(const reproduction *p, bool is_alone, document *d) {
    const experiment_outputs *o = p->in->of.outputs;
    for (size_t i = 0; i < o->n_claims; i++) {
        if (!o->claims[i].is_main)
            continue;
        document_begin(d, BLOCK_PARAGRAPH);
        document_say(d, SPAN_STRONG, "Main claim:");
        document_say(d, SPAN_TEXT, " ");
        if (!is_alone)
            document_say(d, SPAN_TEXT, "(%s) ", o->name);
        say_claim(&o->claims[i], &p->base, d);
    }
}

/* ---- readings ---- */

/* Of readings that have no results more than the base: one that counts work in place of times is none of these. */
static const reproduced_parts *best_reading(const reproduction *p) {
    const reproduced_parts *best = NULL;
    size_t most = parts_count(&p->base, FIGURES_RESULTS).n;
    for (size_t i = 0; i < p->n_readings; i++) {
        const reproduced_parts *r = &p->readings[i];
        if (r->is_run && parts_count(r, FIGURES_RESULTS).n <= most &&
            (!best || parts_count(r, FIGURES_RESULTS).states[FIGURE_WITHIN] >
                          parts_count(best, FIGURES_RESULTS).states[FIGURE_WITHIN]))
            best = r;
    }
    return best;
}

/* "Best reading: `prior-on` †, 80 of 132 results within (the base: 61 of 132). GES has a prior over structures." */
static void say_best_reading(const reproduction *p, document *d) {
    const reproduced_parts *best = best_reading(p);
    figure_counts base = parts_count(&p->base, FIGURES_RESULTS), other;
    if (!best || base.n == 0)
        return;
    other = parts_count(best, FIGURES_RESULTS);
    document_add_paragraph(d, "Best reading: ");
    if (base.states[FIGURE_WITHIN] >= other.states[FIGURE_WITHIN])
        document_say(d, SPAN_TEXT, "the base, %zu of %zu results within; of the others ", base.states[FIGURE_WITHIN],
                     base.n);
    document_say(d, SPAN_CODE, "%s", best->reading->id);
    document_say(d, SPAN_TEXT, "%s, %zu of %zu results within", best->reading->basis == BASIS_FIGURES ? " †" : "",
                 other.states[FIGURE_WITHIN], other.n);
    if (base.states[FIGURE_WITHIN] < other.states[FIGURE_WITHIN])
        document_say(d, SPAN_TEXT, " (the base: %zu of %zu)", base.states[FIGURE_WITHIN], base.n);
    document_say(d, SPAN_TEXT, ". %s", best->reading->text);
}

/* ---- one experiment ---- */

/* A conclusion is written by hand, of the full protocol. */
static void say_what_ran(const reproduction_input *in, document *d) {
    const char *profile = in->run ? in->run->profile : NULL;
    if (!profile && in->of.n_records >= in->n_planned)
        return;
    document_begin(d, BLOCK_PARAGRAPH);
    document_say(d, SPAN_STRONG,
                 "%s%s%s%zu of %zu cells have results: what follows is of these alone, and the conclusion of the "
                 "full protocol.",
                 profile ? "Profile " : "", profile ? profile : "", profile ? ": " : "", in->of.n_records,
                 in->n_planned);
}

static status add_experiment(const reproduction *p, document *d, error_info *err) {
    const experiment_outputs *o = p->in->of.outputs;
    if (o->conclusion)
        words_append("", o->conclusion, d);
    say_what_ran(p->in, d);
    document_begin(d, BLOCK_PARAGRAPH);
    document_say(d, SPAN_TEXT, "The report: ");
    document_link(d, o->name, o->name, ".md");
    say_best_reading(p, d);
    CHECK(verdicts_add_tables(&p->base, d, err));
    add_claims(o, &p->base, d);
    return STATUS_OK;
}

/* ---- one paper ---- */

static const char *title_of(const reproduction *p) {
    const experiment_outputs *o = p->in->of.outputs;
    return o->title ? o->title : o->name;
}

static status add_paper(const verdicts_page *page, size_t first, document *d, error_info *err) {
    const reproduction *head = &page->all[first];
    bool is_alone = verdicts_next(page, first + 1, head) == page->n;
    document_add_heading(d, 2, is_alone ? title_of(head) : verdicts_paper(head));
    for (size_t i = first; i < page->n; i = verdicts_next(page, i + 1, head))
        add_main_claim(&page->all[i], is_alone, d);
    if (is_alone)
        return add_experiment(head, d, err);
    verdicts_add_experiments(page, first, d);
    for (size_t i = first; i < page->n; i = verdicts_next(page, i + 1, head)) {
        document_add_heading(d, 3, title_of(&page->all[i]));
        CHECK(add_experiment(&page->all[i], d, err));
    }
    return STATUS_OK;
}

/* ---- all ---- */

static void add_rule(document *d) {
    document_add_paragraph(d, "Written by ");
    document_say(d, SPAN_CODE, "bnbench report --verdicts");
    document_say(
        d, SPAN_TEXT,
        ". Every published figure that a table with a tolerance holds is counted once, as is every published "
        "verdict, mark and score of a test. Within: in the base, which follows the paper's text and, where it is "
        "silent, the program's defaults, the figure lies within the tolerance that the report names, 15%% (of edges "
        "also 3, of facts none). Shown by an experiment: a reading that a declared reason names, another way to take "
        "what the paper leaves open, brings it within tolerance, or past the published figure and nearer to it; or a "
        "claim of the paper holds here that its own figures do not satisfy. Different figures may need different "
        "readings: the best single one stands with each experiment. † counts what is shown by readings alone that were "
        "chosen in view of the figures. The rest is explained in words alone, or open. Times, which hang on the "
        "machine, and facts of networks and data sets, which are no results, stand apart.");
    document_begin(d, BLOCK_PARAGRAPH);
    document_say(
        d, SPAN_TEXT,
        "Tables and claims are judged by the base alone. A claim is a list of conditions on the means that the "
        "tables print, compared as they are, without regard to their spread, and is met in part where some "
        "hold; by a hair means that one is missed by less than 5%%. Conclusions are written by hand, of base "
        "and readings.");
    document_begin(d, BLOCK_PARAGRAPH);
    document_say(
        d, SPAN_TEXT,
        "A table is confirmed where %g%% of its figures are within tolerance and the median of Spearman's rho between "
        "the learners' order here and in the paper is %g or more; confirmed in size, not in order, or in order, not in "
        "size, where one of the two holds; else not confirmed. Rho stands with the number of learners; of fewer than "
        "%d, or without an order, size alone decides. A table cannot be tested where none of its figures can be "
        "computed here.",
        100 * SHARE_CONFIRMED, RHO_CONFIRMED, LEARNERS_ORDERED);
}

static status compute(const reproduction_input *inputs, size_t n, verdicts_page *out, error_info *err) {
    CHECK_ALLOC(out->all = calloc(n + 1, sizeof *out->all));
    for (size_t i = 0; i < n; i++, out->n++)
        CHECK(reproduction_compute(&inputs[i], &out->all[i], err));
    return STATUS_OK;
}

/* Where the rows of the published files have gone that these experiments name. */
static status add_rows(const verdicts_page *page, document *d, error_info *err) {
    AUTO(published_rows_clear) published_rows rows = {0};
    for (size_t i = 0; i < page->n; i++)
        CHECK(published_rows_mark(&rows, &page->all[i], err));
    published_rows_say(&rows, d);
    return STATUS_OK;
}

status verdicts_add(const reproduction_input *inputs, size_t n, document *out, error_info *err) {
    AUTO(page_clear) verdicts_page page = {0};
    CHECK(compute(inputs, n, &page, err));
    document_add_heading(out, 1, VERDICTS_TITLE);
    add_rule(out);
    verdicts_add_totals(&page, out);
    CHECK(add_rows(&page, out, err));
    for (size_t i = 0; i < page.n; i++) {
        if (verdicts_is_first(&page, i))
            CHECK(add_paper(&page, i, out, err));
    }
    return document_check(out, err);
}
