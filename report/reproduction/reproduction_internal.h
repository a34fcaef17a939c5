/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the sources of the reproduction report share. */
#ifndef BNB_REPORT_REPRODUCTION_REPRODUCTION_INTERNAL_H
#define BNB_REPORT_REPRODUCTION_REPRODUCTION_INTERNAL_H

#include "parts/tables/table.h"
#include "report/reproduction/reproduction.h"

/** A table of the experiment, computed. */
typedef struct {
    const char *id;
    const table_tolerance *within;
    const char *baseline; /* by whose figures the others are divided; NULL: none */
    table t;
    size_t n_published; /* figures that the paper has for it, those that are 1 by definition left out */
    size_t n_there;     /* of them, those that have a regenerated figure */
    size_t n_within;    /* of them, those within the table's tolerance */
} reproduced_table;

/** A table's two axes: learners, and what they are compared on. */
char *const *table_group_names(const table *t);
size_t table_group_count(const table *t);
const char *table_learner_name(const table *t, size_t learner);
size_t table_learner_count(const table *t);

/** Counts n_published, n_there and n_within. */
void figures_count(reproduced_table *r);

/** The figures one a line, published, regenerated, difference; and how alike the learners are ordered. */
void figures_append(const reproduced_table *r, document *d);

/** Paragraphs, one a line of the text, the first behind `before`. */
void words_append(const char *before, const char *text, document *d);

/** The claims with their verdicts. */
void claims_append(const experiment_outputs *outputs, const reproduced_table *tables, size_t n_tables, document *d);

#endif
