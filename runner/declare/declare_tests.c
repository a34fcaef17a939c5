/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an experiment tests: `tests`. */
#include "runner/declare/declare_internal.h"

#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

static const test_spec initial = {.alpha = 0.05,
                                  .failures = FAILURES_WORST,
                                  .post_hoc = POST_HOC_HOLM,
                                  .pairs = PAIRS_REPLICATES,
                                  .correction = CORRECTION_BONFERRONI};

static status read_choice(const yaml_node *map, const char *key, const char *choices, int *out, error_info *err) {
    const yaml_node *node = yaml_get(map, key);
    return node ? field_choice(node, key, choices, out, err) : STATUS_OK;
}

static status read_alpha(const yaml_node *node, double *out, error_info *err) {
    double value = 0;
    if (node->kind != YAML_TEXT || node->is_quoted || !text_to_double(node->text, &value) || !(value > 0 && value < 1))
        return yaml_fail(node, err, "alpha must be a number between 0 and 1, such as 0.05");
    *out = value;
    return STATUS_OK;
}

static status read_common(const yaml_node *node, const experiment *e, test_spec *t, error_info *err) {
    const yaml_node *title = yaml_get(node, "title"), *alpha = yaml_get(node, "alpha"),
                    *learners = yaml_get(node, "learners"), *published = yaml_get(node, "published"),
                    *as = yaml_get(node, "published_metric"), *metric = yaml_get(node, "metric");
    int failures = (int)t->failures;
    if (!metric)
        return yaml_fail(node, err, "a test needs a 'metric'");
    CHECK(declare_read_metric(metric, "metric", e, &t->metric, err));
    CHECK(read_choice(node, "failures", FAILURE_POLICY_CHOICES, &failures, err));
    t->failures = (failure_policy)failures;
    if (title)
        CHECK(field_line(title, "title", &t->title, err));
    if (alpha)
        CHECK(read_alpha(alpha, &t->alpha, err));
    if (learners)
        CHECK(declare_read_names(learners, "learners", e, declare_read_learner_id, &t->learners, &t->n_learners, err));
    if (published)
        CHECK(field_name(published, "published", &t->published, err));
    if (as)
        CHECK(field_line(as, "published_metric", &t->published_metric, err));
    return STATUS_OK;
}

/* A learner of the experiment, and one of those that the test compares. */
static status read_compared(const yaml_node *node, const char *what, const experiment *e, const test_spec *t,
                            char **out, error_info *err) {
    status st = declare_read_learner_id(node, what, e, out, err);
    bool is_compared = t->n_learners == 0;
    for (size_t i = 0; st == STATUS_OK && i < t->n_learners; i++)
        is_compared = is_compared || strcmp(t->learners[i], *out) == 0;
    if (st == STATUS_OK && !is_compared)
        return yaml_fail(node, err, "%s is '%s', which is none of the test's 'learners'", what, *out);
    return st;
}

static status read_friedman(const yaml_node *node, const experiment *e, test_spec *t, error_info *err) {
    static const char *const known[] = {"id",       "test",     "title",     "metric",           "learners", "alpha",
                                        "failures", "post_hoc", "published", "published_metric", "control",  NULL};
    const yaml_node *control = yaml_get(node, "control");
    int post_hoc = (int)t->post_hoc;
    CHECK(field_mapping(node, "a friedman test", known, err));
    CHECK(read_common(node, e, t, err));
    CHECK(read_choice(node, "post_hoc", POST_HOC_CHOICES, &post_hoc, err));
    t->post_hoc = (post_hoc_kind)post_hoc;
    if (control)
        CHECK(read_compared(control, "control", e, t, &t->control, err));
    return STATUS_OK;
}

static status read_wilcoxon_choices(const yaml_node *node, test_spec *t, error_info *err) {
    int side = t->is_two_sided, pairs = (int)t->pairs, correction = (int)t->correction;
    CHECK(read_choice(node, "alternative", "one-sided|two-sided", &side, err));
    CHECK(read_choice(node, "pairs", TEST_PAIRS_CHOICES, &pairs, err));
    CHECK(read_choice(node, "correction", TEST_CORRECTION_CHOICES, &correction, err));
    t->is_two_sided = side == 1;
    t->pairs = (test_pairs)pairs;
    t->correction = (test_correction)correction;
    return STATUS_OK;
}

static status read_wilcoxon(const yaml_node *node, const experiment *e, test_spec *t, error_info *err) {
    static const char *const known[] = {"id",
                                        "test",
                                        "title",
                                        "metric",
                                        "learners",
                                        "alpha",
                                        "failures",
                                        "reference",
                                        "published",
                                        "published_metric",
                                        "published_scores",
                                        "alternative",
                                        "comparisons",
                                        "pairs",
                                        "correction",
                                        NULL};
    const yaml_node *reference = yaml_get(node, "reference"), *comparisons = yaml_get(node, "comparisons"),
                    *scores = yaml_get(node, "published_scores");
    uint64_t n = 0;
    CHECK(field_mapping(node, "a wilcoxon test", known, err));
    CHECK(read_common(node, e, t, err));
    CHECK(read_wilcoxon_choices(node, t, err));
    if (reference)
        CHECK(read_compared(reference, "reference", e, t, &t->reference, err));
    if (comparisons)
        CHECK(field_whole(comparisons, "comparisons", 1, MOST_CELLS, &n, err));
    t->n_comparisons = (size_t)n;
    if (scores)
        CHECK(field_name(scores, "published_scores", &t->published_scores, err));
    return STATUS_OK;
}

static status read_test(const yaml_node *node, const experiment *e, test_spec *t, error_info *err) {
    const yaml_node *id = yaml_get(node, "id"), *test = yaml_get(node, "test");
    int kind = 0;
    if (node->kind != YAML_MAP || !id || !test)
        return yaml_fail(node, err,
                         "a test is a mapping with an 'id', a 'test' (" TEST_KIND_CHOICES ") and a 'metric'");
    CHECK(field_name(id, "id", &t->id, err));
    CHECK(field_choice(test, "test", TEST_KIND_CHOICES, &kind, err));
    t->kind = (test_kind)kind;
    return kind == TEST_FRIEDMAN ? read_friedman(node, e, t, err) : read_wilcoxon(node, e, t, err);
}

static status check_id(const yaml_node *node, const experiment_outputs *o, size_t n_tests, error_info *err) {
    const char *id = o->tests[n_tests].id;
    bool is_there = false;
    for (size_t i = 0; i < o->n_tables; i++)
        is_there = is_there || strcmp(o->tables[i].id, id) == 0;
    for (size_t i = 0; i < n_tests; i++)
        is_there = is_there || strcmp(o->tests[i].id, id) == 0;
    return is_there ? yaml_fail(yaml_get(node, "id"), err, "the id '%s' stands here a second time", id) : STATUS_OK;
}

status declare_tests(const yaml_node *node, experiment *e, error_info *err) {
    experiment_outputs *o = &e->outputs;
    size_t n = 0;
    status st = STATUS_OK;
    if (!node || (node->kind == YAML_LIST && node->n == 0))
        return STATUS_OK;
    CHECK(field_items(node, "tests", MOST_OUTPUTS, &n, err));
    o->tests = calloc(n, sizeof *o->tests);
    if (!o->tests)
        return error_out_of_memory(err);
    for (size_t i = 0; i < n && st == STATUS_OK; i++) {
        o->tests[i] = initial;
        o->n_tests = i + 1;
        st = read_test(field_item(node, i), e, &o->tests[i], err);
        if (st == STATUS_OK)
            st = check_id(field_item(node, i), o, i, err);
    }
    return st;
}
