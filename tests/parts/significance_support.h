/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Small made-up results for tests of significance. */
#ifndef BNB_TESTS_PARTS_SIGNIFICANCE_SUPPORT_H
#define BNB_TESTS_PARTS_SIGNIFICANCE_SUPPORT_H

#include "tests/support/records.h"

#include "parts/tests/friedman_part.h"
#include "parts/tests/wilcoxon_part.h"

static const char *const three_networks[] = {"asia", "child", "alarm", NULL};

static const char *const three_learners[] = {"a", "b", "c", NULL};

static const size_t one_size[] = {500, 0}, two_sizes[] = {500, 5000, 0};

static inline friedman_spec friedman_of(const char *metric) {
    return (friedman_spec){
        .shared = {.id = text_copy("t"), .metric = text_copy(metric), .alpha = 0.05, .failures = FAILURES_WORST}};
}

static inline wilcoxon_spec wilcoxon_of(const char *metric) {
    return (wilcoxon_spec){.shared = friedman_of(metric).shared};
}

static inline void clear_spec(test_spec *spec) {
    free(spec->id);
    free(spec->metric);
}

static inline significance rank(const made_results *m, const friedman_spec *spec) {
    significance s = {0};
    error_info err = {0};
    assert_ok(friedman_compute(&m->outputs, spec, m->records, m->n, NULL, &s, &err), &err);
    return s;
}

static inline significance compare(const made_results *m, const wilcoxon_spec *spec) {
    significance s = {0};
    error_info err = {0};
    assert_ok(wilcoxon_compute(&m->outputs, spec, m->records, m->n, NULL, NULL, &s, &err), &err);
    return s;
}

static inline void write_text(const significance *s, size_t width, text_buffer *out) {
    document d = {0};
    significance_append_document(s, &d);
    document_write_text(&d, width, false, out);
    document_clear(&d);
}

static inline void assert_has(const char *text, const char *words) {
    if (!strstr(text, words))
        fail_msg("'%s' is not in:\n%s", words, text);
}

/* shd by network (asia, child, alarm): a 1 2 3, b 2 2 5, c 9 9 1; each the mean of two replicates. */
static inline made_results make_three(void) {
    static const double shd[3][3] = {{1, 2, 9}, {2, 2, 9}, {3, 5, 1}};
    made_results m = make_results(three_networks, one_size, 2, three_learners);
    for (size_t n = 0; n < 3; n++) {
        for (size_t l = 0; l < 3; l++) {
            add_done(&m, three_networks[n], 500, 0, three_learners[l], "shd", shd[n][l] - 0.5);
            add_done(&m, three_networks[n], 500, 1, three_learners[l], "shd", shd[n][l] + 0.5);
        }
    }
    return m;
}

/* Twenty data sets: a above b by 1 .. 20, c as b but for noise; on child nothing but noise. */
static inline made_results make_pairs(void) {
    static const char *const networks[] = {"asia", "child", NULL};
    made_results m = make_results(networks, two_sizes, 20, three_learners);
    for (size_t size = 0; size < 2; size++) {
        for (size_t r = 0; r < 20; r++) {
            double noise = (r % 2 ? 1 : -1) * (0.1 + 0.01 * (double)r), d = (double)r + 1;
            add_done(&m, "asia", two_sizes[size], r, "a", "bdeu_train", -100 + d);
            add_done(&m, "asia", two_sizes[size], r, "b", "bdeu_train", -100);
            add_done(&m, "asia", two_sizes[size], r, "c", "bdeu_train", -100 + noise);
            add_done(&m, "child", two_sizes[size], r, "a", "bdeu_train", -100 + noise);
            add_done(&m, "child", two_sizes[size], r, "b", "bdeu_train", -100);
            add_done(&m, "child", two_sizes[size], r, "c", "bdeu_train", -100);
        }
    }
    return m;
}

#endif
