/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Where a figure of a table came from: how it was made, the jobs behind it, and what the experiment says of it. */
#ifndef BNB_REPORT_EXPLANATION_EXPLANATION_H
#define BNB_REPORT_EXPLANATION_EXPLANATION_H

#include "parts/figures/aggregate.h"
#include "parts/tables/metric_table.h"
#include "report/reproduction/reproduction.h"

/** A job behind a figure, with the values that the metrics of the explanation have of it. */
typedef struct {
    char *name;               /* as `bnbench job` takes it */
    const job_record *record; /* NULL: it has no result */
    value_state state;        /* of the first metric, before the failure policy */
    bool is_used;             /* its data set enters the figure */
    bool is_imputed;          /* the failure policy gave its value */
    double *values;           /* by metric of the explanation, after the policy; NAN where there is none */
    char *baseline;           /* the job of the learner that it is divided by; NULL: none */
    double *baseline_values;  /* by metric */
} explained_job;

/** The same figure under a reading of the paper. */
typedef struct {
    const reading_spec *reading;
    bool is_run;
    char *shown; /* NULL where its table has no such figure */
} explained_reading;

typedef enum { TOLERANCE_NONE, TOLERANCE_WITHIN, TOLERANCE_OUTSIDE, TOLERANCE_NO_FIGURE } tolerance_answer;

typedef struct explanation explanation;

/** What an explanation tells; everything lives as long as it does. */
typedef struct {
    const char *table_id, *row, *column;
    const table *t;
    const table_cell *cell;
    const metric_table_spec *spec; /* NULL: the table is not of a metric, and there are no jobs */
    const table_tolerance *within;
    tolerance_answer tolerance;
    bool is_baseline;
    const reason_spec *reason; /* that covers the miss; NULL: none */
    bool is_shown;             /* a reading, or a claim, shows the reason */
    size_t n_readings, n_metrics, n_jobs;
    const explained_reading *readings; /* those that have been run, or that the reason names */
    const char *const *metrics;
    const explained_job *jobs;
} explained_figure;

/** Computes the tables of the experiment and its readings. `in` is borrowed. */
BNB_MUST_CHECK status explanation_create(const reproduction_input *in, explanation **out, error_info *err);
void explanation_destroy(explanation *e);
AUTO_PTR_OF(explanation, explanation_destroy)

/** The tables whose figures can be explained. */
size_t explanation_table_count(const explanation *e);
const char *explanation_table_id(const explanation *e, size_t i);

/** The table of that id. STATUS_MISSING with a suggestion. */
BNB_MUST_CHECK status explanation_find_table(const explanation *e, const char *id, const table **out, error_info *err);

/** Explains a figure; the answer is valid until the next. STATUS_MISSING with a suggestion. */
BNB_MUST_CHECK status explanation_find(explanation *e, const char *table_id, const char *row, const char *column,
                                       explained_figure *out, error_info *err);

#endif
