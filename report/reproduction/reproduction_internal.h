/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the sources of the reproduction report share. */
#ifndef BNB_REPORT_REPRODUCTION_REPRODUCTION_INTERNAL_H
#define BNB_REPORT_REPRODUCTION_REPRODUCTION_INTERNAL_H

#include "parts/tables/table.h"
#include "parts/tests/test_outcomes.h"
#include "report/reproduction/reproduction.h"

/** What became of a published figure. */
typedef enum {
    FIGURE_WITHIN,
    FIGURE_SHOWN, /* a reason covers it, and a reading shows it */
    FIGURE_SAID,  /* a reason covers it and no reading shows it */
    FIGURE_OPEN,
    N_FIGURE_STATES
} figure_state;

/** A figure that counts, and the reason that covers it where it is a miss; NULL: none does. */
typedef struct {
    bool counts;
    bool is_in_view;  /* no reading shows it but those that were chosen in view of the figures */
    bool is_by_claim; /* the reason's claim shows it */
    figure_state state;
    const reason_spec *reason;
} judged_figure;

/** A table of the experiment, computed. */
typedef struct {
    const char *id;
    const table_tolerance *within;
    const char *published; /* the file that it names; NULL: none */
    const char *baseline;  /* by whose figures the others are divided; NULL: none */
    table t;
    size_t n_published;             /* figures that the paper has for it, those that are 1 by definition left out */
    size_t n_there;                 /* of them, those that have a regenerated figure */
    size_t n_within;                /* of them, those within the table's tolerance */
    judged_figure *figures;         /* by cell, where the table counts; else NULL */
    size_t states[N_FIGURE_STATES]; /* of the figures that count */
    size_t n_in_view;
} reproduced_table;

/** A test with published outcomes. */
typedef struct {
    const char *id, *title;
    test_outcomes outcomes;
    judged_figure *figures; /* by outcome */
    size_t n_there;
    size_t states[N_FIGURE_STATES];
    size_t n_in_view;
} reproduced_test;

/** The tables and tests of the experiment, or of one of its readings. */
typedef struct {
    const reading_spec *reading; /* NULL: as it is declared */
    bool is_run;                 /* the store has results of it; else it has no tables */
    size_t n_tables, n_tests;
    reproduced_table *tables;
    reproduced_test *tests;
} reproduced_parts;

/** Zero-initialise. */
typedef struct reproduction {
    const reproduction_input *in;
    part_output made;
    reproduced_parts base;
    size_t n_readings;
    reproduced_parts *readings; /* in the order of outputs.readings, without "base" */
} reproduction;

BNB_MUST_CHECK status reproduction_compute(const reproduction_input *in, reproduction *out, error_info *err);
void reproduction_clear(reproduction *p);

/** NULL where it is not there. */
const reproduced_table *parts_find_table(const reproduced_parts *p, const char *id);
const reproduced_test *parts_find_test(const reproduced_parts *p, const char *id);

/** Whether a table's figures are counted: it declares a tolerance, the paper has figures, and these come from data. */
bool table_counts(const reproduced_table *r);

/** What figures are of: times hang on the machine, and facts of networks and data sets are no results. */
typedef enum { FIGURES_RESULTS, FIGURES_TIMES, FIGURES_FACTS, N_FIGURE_KINDS } figure_kind;

typedef struct {
    size_t n, n_there, states[N_FIGURE_STATES];
    size_t n_in_view; /* of those that are shown: by readings alone that were chosen in view of the figures */
} figure_counts;

void counts_add(figure_counts *sum, const figure_counts *more);

/** Of a table or test, whose figures are all of one kind. */
figure_kind table_kind(const reproduced_table *r);
figure_counts table_count(const reproduced_table *r); /* zeros where it does not count */
figure_counts test_count(const reproduced_test *t);

/** Over all tables and tests, those of one kind, or of all (N_FIGURE_KINDS). */
figure_counts parts_count(const reproduced_parts *p, figure_kind kind);

/** NULL where the table has no such row or column. */
const table_cell *table_find_cell(const table *t, const char *row, const char *column);

/** A table's two axes: learners, and what they are compared on. */
char *const *table_group_names(const table *t);
size_t table_group_count(const table *t);
const char *table_learner_name(const table *t, size_t learner);
size_t table_learner_count(const table *t);

/** Whether the cell is the baseline's own, whose figure is 1 by definition. */
bool figure_is_baseline(const reproduced_table *r, size_t cell);

/** Whether the cell's published figure can be compared, and could have come out otherwise. */
bool figure_counts_at(const reproduced_table *r, size_t cell);

/** Whether the regenerated figure is within the table's tolerance of the published one. */
bool figure_is_within(const reproduced_table *r, const table_cell *cell);

/** Counts n_published, n_there and n_within. */
void figures_count(reproduced_table *r);

/** Spearman's rho of the order of a group's learners against the published order; NAN where there is none. */
BNB_MUST_CHECK status table_order(const table *t, size_t group, double *rho, size_t *n_learners, error_info *err);

/** The figures one a line, published, regenerated, difference; and how alike the learners are ordered. */
void figures_append(const reproduced_table *r, document *d);

/** Paragraphs, one a line of the text, the first behind `before`. */
void words_append(const char *before, const char *text, document *d);

typedef enum { VERDICT_HOLDS, VERDICT_FAILS, VERDICT_UNKNOWN } verdict;

/** A condition that is not met: what would have to be below the bound, or above it. Borrowed. */
typedef struct {
    const table *t; /* by whose style the two are shown */
    double value, bound;
} near_miss;

enum { MOST_NEAR_MISSES = 3 };

/** What became of a claim, and of its conditions: each check at each of its places. */
typedef struct {
    verdict v;
    size_t n_holds, n_places;
    size_t n_fails, n_near; /* near: by less than 5%; the first MOST_NEAR_MISSES are kept */
    near_miss near[MOST_NEAR_MISSES];
} claim_judgement;

/** Whether a claim holds by our figures or by the published ones. */
claim_judgement claim_judge(const claim_spec *claim, const reproduced_parts *p, bool is_published);

/** Whether it holds here, and the paper's own figures do not satisfy it. */
bool claim_contradicts_paper(const claim_spec *claim, const reproduced_parts *p);

/** "holds", "partly (2 of 3)", into a cell. */
void claim_say_verdict(const claim_spec *claim, const reproduced_parts *p, document_grid *g, size_t row, size_t column);

/** "It holds.", "Partly (2 of 3).", "It does not hold.", and which conditions are missed by a hair. */
void claim_say(const claim_spec *claim, const claim_judgement *j, document *d);

/** The claims with their verdicts, a row each; and their conditions, a row a place where one is to hold. */
void claims_append(const experiment_outputs *outputs, const reproduced_parts *p, document *d);
void claim_append_conditions(const claim_spec *claim, int level, const reproduced_parts *p, document *d);
void claims_append_conditions(const experiment_outputs *outputs, const reproduced_parts *p, document *d);

/** The figures of the paper without printed numbers, a row each. */
void paper_figures_append(const reproduction *p, document *d);

/** Whether a paper printed a figure or an outcome that a table or test here holds. */
bool reproduction_has_published(const reproduction *p);

/** What came out table by table, and why the rest did not: a row a reason. */
void summary_append(const reproduction *p, document *d);
void reasons_append(const reproduction *p, document *d);

/** What came out under each reading, a row each; and table by table, and learner by learner. */
void readings_append(const reproduction *p, document *d);
void readings_append_shares(const reproduction *p, document *d);

/** Adds the figures that a reason covers, by state. */
void parts_count_reason(const reproduced_parts *p, const reason_spec *reason, size_t *states);

/** The parts that count, and figures among them of a learner: within tolerance, and all. */
size_t parts_count_parts(const reproduced_parts *p);
void parts_count_learner(const reproduced_parts *p, const char *learner, size_t *n, size_t *of);

#endif
