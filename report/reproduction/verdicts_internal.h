/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the sources of the page of verdicts share. */
#ifndef BNB_REPORT_REPRODUCTION_VERDICTS_INTERNAL_H
#define BNB_REPORT_REPRODUCTION_VERDICTS_INTERNAL_H

#include "report/reproduction/reproduction_internal.h"

/** The rule, which the page states. */
#define SHARE_CONFIRMED 0.8
#define RHO_CONFIRMED 0.7
enum { LEARNERS_ORDERED = 5 };

/** The experiments of a page. Zero-initialise. */
typedef struct {
    size_t n;
    reproduction *all;
} verdicts_page;

/** The paper of an experiment; the experiment's own name where it does not say. */
const char *verdicts_paper(const reproduction *p);

/** The first experiment of the page from `i` on that is of the same paper as `of`; page->n where there is none. */
size_t verdicts_next(const verdicts_page *page, size_t i, const reproduction *of);

/** Whether no earlier experiment of the page is of its paper. */
bool verdicts_is_first(const verdicts_page *page, size_t i);

/** Columns of counts, behind the first, which names what is counted. */
enum { COLUMN_FIGURES = 1, COLUMN_WITHIN, COLUMN_SHOWN, COLUMN_IN_VIEW, COLUMN_SAID, COLUMN_OPEN, COLUMN_AFTER_COUNTS };
#define VERDICTS_COUNT_HEADS "figures", "within", "shown", "of these †", "in words", "open"

void verdicts_add_counts(document_grid *g, size_t row, const figure_counts *c);

/** How much came out, paper by paper, and all together. */
void verdicts_add_totals(const verdicts_page *page, document *d);

/** The experiments of a paper that has several. */
void verdicts_add_experiments(const verdicts_page *page, size_t first, document *d);

/** A row a table and test, each with its verdict. */
BNB_MUST_CHECK status verdicts_add_tables(const reproduced_parts *p, document *d, error_info *err);

#endif
