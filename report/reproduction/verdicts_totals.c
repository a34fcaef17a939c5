/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much came out: by paper and kind of figure, and of a paper by experiment. */
#include "report/reproduction/verdicts_internal.h"

#include <string.h>

const char *verdicts_paper(const reproduction *p) {
    const experiment_outputs *o = p->in->of.outputs;
    return o->paper ? o->paper : o->name;
}

size_t verdicts_next(const verdicts_page *page, size_t i, const reproduction *of) {
    while (i < page->n && strcmp(verdicts_paper(&page->all[i]), verdicts_paper(of)) != 0)
        i++;
    return i;
}

bool verdicts_is_first(const verdicts_page *page, size_t i) {
    return verdicts_next(page, 0, &page->all[i]) == i;
}

enum { COLUMN_DONE = COLUMN_AFTER_COUNTS, N_COLUMNS };

static void add_row(document_grid *g, size_t row, span_kind kind, const char *name, const figure_counts *c) {
    size_t done = c->states[FIGURE_WITHIN] + c->states[FIGURE_SHOWN];
    grid_say(g, row, 0, kind, "%s", name);
    verdicts_add_counts(g, row, c);
    if (c->n > 0)
        grid_say(g, row, COLUMN_DONE, SPAN_TEXT, "%.0f%%", 100 * (double)done / (double)c->n);
}

/* The figures of a kind over all experiments of a paper. */
static figure_counts count_paper(const verdicts_page *page, size_t first, figure_kind kind) {
    figure_counts sum = {0};
    for (size_t i = first; i < page->n; i = verdicts_next(page, i + 1, &page->all[first])) {
        figure_counts c = parts_count(&page->all[i].base, kind);
        counts_add(&sum, &c);
    }
    return sum;
}

/* The papers with figures of a kind, and their sum; the grid may be NULL, to count the rows. */
static size_t add_kind(const verdicts_page *page, figure_kind kind, figure_counts *sum, document_grid *g, size_t row) {
    static const char *const of[] = {"", ", times", ", facts"}, *const names[] = {"results", "times", "facts"};
    size_t n = 0;
    *sum = (figure_counts){0};
    for (size_t i = 0; i < page->n; i++) {
        figure_counts c = count_paper(page, i, kind);
        if (c.n == 0 || !verdicts_is_first(page, i))
            continue;
        add_row(g, row + n, SPAN_TEXT, verdicts_paper(&page->all[i]), &c);
        grid_say(g, row + n++, 0, SPAN_TEXT, "%s", of[kind]);
        counts_add(sum, &c);
    }
    if (sum->n > 0)
        add_row(g, row + n++, SPAN_STRONG, names[kind], sum);
    return n;
}

void verdicts_add_totals(const verdicts_page *page, document *d) {
    static const char *const head[] = {"paper", VERDICTS_COUNT_HEADS, "within or shown"};
    figure_counts all = {0}, sum;
    size_t n_rows = 2, row = 1;
    document_grid *g;
    for (figure_kind kind = FIGURES_RESULTS; kind < N_FIGURE_KINDS; kind++)
        n_rows += add_kind(page, kind, &sum, NULL, 0);
    g = document_add_grid(d, NULL, n_rows, N_COLUMNS, false);
    grid_set_head(g, head, N_COLUMNS);
    for (figure_kind kind = FIGURES_RESULTS; kind < N_FIGURE_KINDS; kind++) {
        row += add_kind(page, kind, &sum, g, row);
        counts_add(&all, &sum);
    }
    add_row(g, row, SPAN_STRONG, "all counted figures", &all);
}

void verdicts_add_experiments(const verdicts_page *page, size_t first, document *d) {
    static const char *const head[] = {"experiment", VERDICTS_COUNT_HEADS, "within or shown"};
    size_t n = 0, row = 1;
    document_grid *g;
    for (size_t i = first; i < page->n; i = verdicts_next(page, i + 1, &page->all[first]))
        n++;
    g = document_add_grid(d, NULL, n + 2, N_COLUMNS, false);
    grid_set_head(g, head, N_COLUMNS);
    for (size_t i = first; i < page->n; i = verdicts_next(page, i + 1, &page->all[first])) {
        figure_counts c = parts_count(&page->all[i].base, N_FIGURE_KINDS);
        add_row(g, row++, SPAN_TEXT, page->all[i].in->of.outputs->name, &c);
    }
    figure_counts sum = count_paper(page, first, N_FIGURE_KINDS);
    add_row(g, row, SPAN_STRONG, "all", &sum);
}
