/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the kinds of tests share. */
#ifndef BNB_PARTS_TESTS_SIGNIFICANCE_INTERNAL_H
#define BNB_PARTS_TESTS_SIGNIFICANCE_INTERNAL_H

#include "metrics/distances/metric.h"
#include "parts/base/part_output.h"
#include "parts/figures/aggregate.h"
#include "parts/tests/significance.h"

#include <jansson.h>

typedef struct test_method test_method;

enum { MOST_PLACES = 8 }; /* named in one sentence; the rest is counted */

/** What a test works on; the first five are the caller's. */
typedef struct {
    const test_spec *spec; /* of the kind, which begins with it */
    const test_method *method;
    const char *control; /* a learner that it must compare; NULL: none */
    const published_table *published;
    const published_table *published_scores;
    const experiment_outputs *view; /* outputs with the learners that are compared */
    const metric_info *info;
    result_grid grid;
    metric_values values; /* failures not imputed but by their limits */
} test_work;

/** A kind of test. */
struct test_method {
    const char *name;    /* as it is declared */
    const char *title;   /* "Friedman's test" */
    const char *outcome; /* what papers print of it: "mark" */
    status (*compute)(const test_work *w, significance *s, error_info *err);
    status (*add_notes)(const test_work *w, significance *s, error_info *err);
    void (*append_disagreeing)(const significance *s, text_buffer *b); /* outcomes other than the published ones */
    void (*append_document)(const significance *s, document *d);       /* its grids */
    void (*append_csv)(const significance *s, text_buffer *out);
    bool (*add_json)(const significance *s, json_t *o); /* false without memory */
};

BNB_MUST_CHECK status significance_compute(test_work *w, const experiment_outputs *outputs, const job_record *records,
                                           size_t n_records, significance *out, error_info *err);

/** "shd: structural Hamming distance; less is better. " */
void significance_append_sense(const test_work *w, text_buffer *b);

const char *text_plural(size_t n); /* "s" but for one */

/** "all", or the network of a cell; of a row of scores. */
const char *pair_cell_network(const significance *s, const pair_cell *cell);
const char *significance_score_place(const significance *s, size_t row);

/** The heads of columns of learners. */
void significance_add_learner_names(const significance *s, const char *corner, document_grid *g);

const char *significance_id(const significance *s);

/** ",1.5", or "," where there is no number. */
void significance_append_number(text_buffer *out, double value);

/** null where there is no number, no word; an object for each of n. */
json_t *json_of_figure(double value);
json_t *json_of_word(const char *text);
json_t *json_of_list(const significance *s, size_t n, json_t *(*object)(const significance *s, size_t i));

/** Shows an outcome, or says that there is none. */
BNB_MUST_CHECK status significance_show(const significance *s, part_output *out, error_info *err);

/** What does not fit in a declaration: the level, or a learner under `key` that is not compared. STATUS_INVALID. */
BNB_MUST_CHECK status test_spec_check(const test_spec *t, const char *key, const char *learner, const char **wrong,
                                      error_info *err);

/** Rows of options of every test; `columns`: those of published outcomes. */
#define TEST_ROWS(columns)                                                                                             \
    PART_HEAD_ROWS(test_spec, "the test and metric"),                                                                  \
        PART_ROW(OPT_METRIC, "metric", test_spec, metric, .is_required = true, .help = "what is compared"),            \
        PART_LIST_ROW(OPT_LEARNERS, "learners", test_spec, learners, .usual = PART_ALL_LEARNERS,                       \
                      .help = PART_THESE_ALONE),                                                                       \
        PART_ROW(OPT_REAL, "alpha", test_spec, alpha, .initial = 0.05, .most = 1, .help = "the level"),                \
        PART_ROW(OPT_CHOICE, "failures", test_spec, failures, .initial = FAILURES_WORST,                               \
                 .choices = FAILURE_POLICY_CHOICES,                                                                    \
                 .help = "worst: a failed cell is worse than every result; the others as of tables; what has not run " \
                         "is left out in any case"),                                                                   \
        PART_PUBLISHED_ROW(test_spec, "the paper's outcome (columns " columns                                          \
                                      ") stands in brackets, and a note counts what agrees"),                          \
        PART_ROW(OPT_LINE, "published_metric", test_spec, published_metric, .usual = "any",                            \
                 .help = "the metric's name in that file")

#endif
