/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declared tests: from the records of a store to verdicts, marks, text and files; and mean ranks in tables. */
#include "tests/support/records.h"

#include "core/base/file.h"
#include "parts/figures/block_means.h"
#include "parts/plots/critical_difference.h"
#include "parts/tables/table.h"
#include "parts/tests/significance.h"
#include "report/report.h"
#include "runner/declare/experiment.h"
#include "store/csv_table.h"

#include <jansson.h>
#include <math.h>

static const char *const three_networks[] = {"asia", "child", "alarm", NULL};
static const char *const three_learners[] = {"a", "b", "c", NULL};
static const size_t one_size[] = {500, 0}, two_sizes[] = {500, 5000, 0};

static test_spec friedman_of(const char *metric) {
    return (test_spec){.id = text_copy("t"),
                       .kind = TEST_FRIEDMAN,
                       .metric = text_copy(metric),
                       .alpha = 0.05,
                       .failures = FAILURES_WORST};
}

static test_spec wilcoxon_of(const char *metric) {
    test_spec spec = friedman_of(metric);
    spec.kind = TEST_WILCOXON;
    return spec;
}

static void clear_spec(test_spec *spec) {
    free(spec->id);
    free(spec->metric);
}

static significance compute(const made_results *m, const test_spec *spec) {
    significance s = {0};
    error_info err = {0};
    assert_ok(significance_compute(&m->outputs, spec, m->records, m->n, NULL, NULL, &s, &err), &err);
    return s;
}

static void assert_has(const char *text, const char *words) {
    if (!strstr(text, words))
        fail_msg("'%s' is not in:\n%s", words, text);
}

static void assert_note(const significance *s, const char *words) {
    for (size_t i = 0; i < s->n_notes; i++) {
        if (strstr(s->notes[i], words))
            return;
    }
    for (size_t i = 0; i < s->n_notes; i++)
        print_message("note: %s\n", s->notes[i]);
    fail_msg("no note holds '%s'", words);
}

/* shd by network (asia, child, alarm): a 1 2 3, b 2 2 5, c 9 9 1; each the mean of two replicates. */
static made_results make_three(void) {
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

static void networks_are_the_blocks_of_friedmans_test(void **state) {
    made_results m = make_three();
    test_spec spec = friedman_of("shd");
    significance s = compute(&m, &spec);
    const rank_comparison *g = &s.groups[0];
    (void)state;
    assert_true(s.n_groups == 1 && g->has_test && g->n_blocks == 3 && g->n_learners == 3);
    assert_close(g->learners[0].mean_rank, (1 + 1.5 + 2) / 3, 1e-14);
    assert_close(g->learners[1].mean_rank, (2 + 1.5 + 3) / 3, 1e-14);
    assert_close(g->learners[2].mean_rank, (3 + 3 + 1) / 3., 1e-14);
    assert_true(g->learners[0].is_control && g->learners[0].mark == MARK_BEST && g->learners[0].adjusted == 1);
    assert_int_equal(g->learners[2].mark, MARK_ALIKE); /* three networks show nothing */
    assert_close(g->learners[2].z, (7 / 3. - 1.5) / sqrt(12 / 18.), 1e-14);
    significance_clear(&s);
    spec.control = m.outputs.learners[2];
    s = compute(&m, &spec);
    assert_true(s.groups[0].learners[2].is_control && s.groups[0].learners[0].z < 0);
    significance_clear(&s);
    clear_spec(&spec);
    clear_results(&m);
}

static void more_is_better_where_the_metric_says_so(void **state) {
    made_results m = make_three();
    test_spec spec = friedman_of("precision");
    significance s;
    (void)state;
    for (size_t i = 0; i < m.n; i++)
        set_metric(&m.records[i], "precision", *job_record_metric(&m.records[i], "shd"));
    s = compute(&m, &spec);
    assert_close(s.groups[0].learners[0].mean_rank, 4 - 1.5, 1e-14);
    significance_clear(&s);
    clear_spec(&spec);
    clear_results(&m);
}

/* b fails on one data set of asia, c has not run on child. */
static made_results make_with_failure(void) {
    made_results m = make_three(), left = make_results(three_networks, one_size, 2, three_learners);
    for (size_t i = 0; i < m.n; i++) {
        const job_record *r = &m.records[i];
        bool has_failed = strcmp(r->network, "asia") == 0 && *r->learner == 'b' && r->replicate == 0;
        if (strcmp(r->network, "child") == 0 && *r->learner == 'c')
            continue;
        if (has_failed)
            (void)add_record(&left, r->network, 500, r->replicate, r->learner, JOB_TIMEOUT);
        else
            (void)add_done(&left, r->network, 500, r->replicate, r->learner, "shd", *job_record_metric(r, "shd"));
    }
    clear_results(&m);
    return left;
}

static void a_failure_ranks_last_and_what_has_not_run_is_no_block(void **state) {
    made_results m = make_with_failure();
    test_spec spec = friedman_of("shd");
    significance s = compute(&m, &spec);
    const rank_comparison *g = &s.groups[0];
    (void)state;
    assert_int_equal(g->n_blocks, 2);
    assert_close(g->learners[0].mean_rank, (1 + 2) / 2., 1e-14);
    assert_close(g->learners[1].mean_rank, (3 + 3) / 2., 1e-14); /* asia: worse than c's 9 */
    assert_close(g->learners[2].mean_rank, (2 + 1) / 2., 1e-14);
    assert_int_equal(g->learners[1].n_failed, 1);
    assert_note(&s, "2 of 3 networks enter at 500 rows");
    assert_note(&s, "b on 1 network at 500 rows");
    significance_clear(&s);
    spec.failures = FAILURES_DROP_DATASET;
    s = compute(&m, &spec);
    assert_close(s.groups[0].learners[1].mean_rank, (2 + 3) / 2., 1e-14); /* asia by its other data set */
    assert_int_equal(s.groups[0].learners[1].n_failed, 0);
    significance_clear(&s);
    clear_spec(&spec);
    clear_results(&m);
}

static void mean_ranks_make_a_table(void **state) {
    made_results m = make_with_failure();
    table_spec *spec = add_table(&m, "ranks", "shd", NULL);
    text_buffer text = {0};
    table t = {0};
    error_info err = {0};
    (void)state;
    spec->aggregate = AGGREGATE_MEAN_RANK;
    spec->failures = FAILURES_WORST;
    assert_ok(table_compute(&m.outputs, spec, m.records, m.n, NULL, &t, &err), &err);
    assert_close(t.cells[0].value, 1.5, 1e-14);
    assert_close(t.cells[1].value, 3, 1e-14);
    assert_true(t.cells[1].n_imputed == 1 && t.cells[1].n == 4 && t.cells[0].is_best && !t.cells[1].is_best);
    table_append_text(&t, 0, false, &text);
    assert_has(text.data, "mean rank by shd");
    assert_has(text.data, "Mean rank over 3 networks by the mean of 2 data sets; 1 is the best");
    assert_has(text.data, "1.50  3.00*  1.50");
    text_buffer_clear(&text);
    table_clear(&t);
    clear_results(&m);
}

static void a_mean_rank_is_of_the_larger_where_more_is_better_and_still_less_is_best(void **state) {
    made_results m = make_results(three_networks, one_size, 1, three_learners);
    table_spec *spec = add_table(&m, "ranks", "precision", NULL);
    table t = {0};
    error_info err = {0};
    (void)state;
    for (size_t n = 0; n < 3; n++) {
        for (size_t l = 0; l < 3; l++)
            add_done(&m, three_networks[n], 500, 0, three_learners[l], "precision", 0.1 * (double)(l + 1));
    }
    spec->aggregate = AGGREGATE_MEAN_RANK;
    assert_ok(table_compute(&m.outputs, spec, m.records, m.n, NULL, &t, &err), &err);
    assert_true(t.cells[0].value == 3 && t.cells[2].value == 1 && t.cells[2].is_best && !t.cells[0].is_best);
    table_clear(&t);
    clear_results(&m);
}

/* Twenty data sets: a above b by 1 .. 20, c as b but for noise; on child nothing but noise. */
static made_results make_pairs(void) {
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

static void verdicts_are_one_sided_in_both_directions(void **state) {
    static const char expected[3][5] = {"++~~", "++~~", "~~~~"};
    made_results m = make_pairs();
    test_spec spec = wilcoxon_of("bdeu_train");
    significance s = compute(&m, &spec);
    (void)state;
    assert_true(s.n_pairs == 3 && s.n_cells == 4 && s.n_family == 12);
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(s.verdicts[i].verdict, expected[i / 4][i % 4]);
    assert_close(s.verdicts[0].p_better, ldexp(1, -20), 1e-12);
    assert_close(s.verdicts[0].adjusted, 12 * ldexp(1, -20), 1e-12);
    assert_true(s.verdicts[0].n_pairs == 20 && s.verdicts[0].w_plus == 210);
    assert_true(s.scores[0] == 4 && s.scores[1] == -2 && s.scores[2] == -2); /* asia */
    assert_true(s.scores[3] == 0 && s.scores[4] == 0 && s.scores[5] == 0);   /* child */
    assert_note(&s, "Level 0.05 over all 12 comparisons: 0.00417 each (Bonferroni). Pairs in a test: 20.");
    significance_clear(&s);
    clear_spec(&spec);
    clear_results(&m);
}

static void a_metric_of_which_less_is_better_turns_the_verdicts(void **state) {
    made_results m = make_pairs();
    test_spec spec = wilcoxon_of("shd");
    significance s;
    (void)state;
    for (size_t i = 0; i < m.n; i++)
        set_metric(&m.records[i], "shd", *job_record_metric(&m.records[i], "bdeu_train"));
    s = compute(&m, &spec);
    assert_int_equal(s.verdicts[0].verdict, '-');
    significance_clear(&s);
    spec.is_two_sided = true;
    s = compute(&m, &spec);
    assert_int_equal(s.verdicts[0].verdict, '-');
    assert_close(s.verdicts[0].p_better, ldexp(1, -19), 1e-12);
    significance_clear(&s);
    clear_spec(&spec);
    clear_results(&m);
}

static void a_reference_is_compared_with_each_other_learner(void **state) {
    made_results m = make_pairs();
    test_spec spec = wilcoxon_of("bdeu_train");
    significance s;
    (void)state;
    spec.reference = m.outputs.learners[1];
    s = compute(&m, &spec);
    assert_true(s.n_pairs == 2 && s.n_score_rows == 0 && s.n_family == 8);
    assert_true(s.pairs[0][0] == 1 && s.pairs[0][1] == 0 && s.pairs[1][1] == 2);
    assert_int_equal(s.verdicts[0].verdict, '-');
    significance_clear(&s);
    clear_spec(&spec);
    clear_results(&m);
}

static void pairs_can_be_pooled(void **state) {
    made_results m = make_pairs();
    test_spec spec = wilcoxon_of("bdeu_train");
    significance s;
    (void)state;
    spec.pairs = PAIRS_DATA_SETS;
    s = compute(&m, &spec);
    assert_true(s.n_cells == 2 && s.verdicts[0].n_pairs == 40 && s.n_score_rows == 1);
    significance_clear(&s);
    spec.pairs = PAIRS_NETWORKS;
    spec.correction = CORRECTION_NONE;
    s = compute(&m, &spec);
    assert_true(s.n_cells == 2 && s.verdicts[0].n_pairs == 2 && s.verdicts[0].verdict == '~');
    assert_note(&s, "not corrected");
    significance_clear(&s);
    clear_spec(&spec);
    clear_results(&m);
}

/* Five data sets: only where all agree can one-sided p reach 1/32. */
static void five_that_agree_are_significant_at_five_percent(void **state) {
    made_results m = make_results(three_networks, one_size, 5, three_learners);
    test_spec spec = wilcoxon_of("shd");
    significance s;
    (void)state;
    spec.correction = CORRECTION_NONE;
    for (size_t r = 0; r < 5; r++) {
        add_done(&m, "asia", 500, r, "a", "shd", 1);
        add_done(&m, "asia", 500, r, "b", "shd", 2 + (double)r);
        add_done(&m, "asia", 500, r, "c", "shd", r == 4 ? -9 : 2 + (double)r);
    }
    s = compute(&m, &spec);
    assert_int_equal(s.verdicts[0].verdict, '+');
    assert_close(s.verdicts[0].p_better, 1 / 32., 1e-14);
    assert_int_equal(s.verdicts[s.n_cells].verdict, '~');
    assert_int_equal(s.verdicts[1].verdict, '?'); /* child has not run */
    assert_note(&s, "6 comparisons had no pair (n/a)");
    significance_clear(&s);
    clear_spec(&spec);
    clear_results(&m);
}

static void a_failed_pair_is_the_largest_difference_or_none(void **state) {
    static const char *const networks[] = {"asia", NULL}, *const learners[] = {"a", "b", NULL};
    made_results m = make_results(networks, one_size, 6, learners);
    test_spec spec = wilcoxon_of("shd");
    significance s;
    (void)state;
    for (size_t r = 0; r < 6; r++) { /* differences -1 .. -4; then b fails; then both */
        if (r < 5)
            add_done(&m, "asia", 500, r, "a", "shd", 5);
        else
            (void)add_record(&m, "asia", 500, r, "a", JOB_MEMORY);
        if (r < 4)
            add_done(&m, "asia", 500, r, "b", "shd", 4 - (double)r);
        else
            (void)add_record(&m, "asia", 500, r, "b", JOB_FAILED);
    }
    s = compute(&m, &spec);
    assert_true(s.verdicts[0].n_pairs == 6 && s.verdicts[0].n == 5 && s.verdicts[0].n_failed == 2);
    assert_true(s.verdicts[0].w_plus == 5); /* the rank of the failure, a being better there */
    significance_clear(&s);
    spec.failures = FAILURES_DROP_DATASET;
    s = compute(&m, &spec);
    assert_true(s.verdicts[0].n_pairs == 4 && s.verdicts[0].w_plus == 0);
    significance_clear(&s);
    clear_spec(&spec);
    clear_results(&m);
}

static published_verdicts *read_verdicts(const char *name) {
    published_verdicts *t = NULL;
    error_info err = {0};
    assert_ok(published_verdicts_read(published_source(name), &t, &err), &err);
    return t;
}

/* Vandel et al. 2012: Table 3 is what Table 2 sums to, for every method and network. */
static void the_published_scores_follow_from_the_published_verdicts(void **state) {
    static const char *const methods[] = {"sgs3", "sgs2", "sgs1", "lagd", "ges"}, *const sizes[] = {"500", "5000"},
                             *const networks[] = {"alarm", "insurance", "hailfinder", "pigs"};
    published_verdicts *verdicts = read_verdicts("vandel2012_table2_wilcoxon.csv");
    published_table *scores = NULL;
    error_info err = {0};
    size_t n_checked = 0;
    (void)state;
    assert_ok(published_read(published_source("vandel2012_table3_wilcoxon_score.csv"), &scores, &err), &err);
    for (size_t i = 0; i < 20; i++) {
        published_query query = {networks[i / 5], "500+5000", methods[i % 5], "wilcoxon_summary_score", NULL};
        published_figure printed;
        double sum = 0;
        for (size_t k = 0; k < 10; k++) {
            verdict_place at = {networks[i / 5], sizes[k % 2], "bdeu_score"};
            char verdict = published_verdict_find(verdicts, &at, methods[i % 5], methods[k / 2]);
            assert_int_equal(verdict == '\0', i % 5 == k / 2);
            sum += verdict == '+' ? 1 : verdict == '-' ? -1 : 0;
        }
        if (published_find(scores, &query, &printed) == 0)
            continue; /* lagd on pigs */
        assert_true(printed.value == sum);
        n_checked++;
    }
    assert_int_equal(n_checked, 19);
    published_destroy(scores);
    published_verdicts_destroy(verdicts);
}

static void a_published_file_without_verdicts_is_refused(void **state) {
    static const char text[] = "network,sample_size,algorithm,value\nasia,500,hc,3\n";
    published_verdicts *t = NULL;
    error_info err = {0};
    (void)state;
    assert_int_equal(published_verdicts_parse(text, sizeof text - 1, &t, &err), STATUS_PARSE);
    assert_message_has(&err, "neither the columns");
}

/* Gamez et al.: data whose ranks are the published ones at 5000 for the two that matter. */
static void published_marks_stand_beside_and_are_counted(void **state) {
    static const char *const learners[] = {"fastchc", "2ichc", "hc", NULL};
    made_results m = make_results(three_networks, two_sizes, 1, learners);
    published_verdicts *published = read_verdicts("gamez2013_rank_statistics.csv");
    test_spec spec = friedman_of("statistics");
    significance s = {0};
    text_buffer text = {0};
    error_info err = {0};
    (void)state;
    for (size_t n = 0; n < 3; n++) {
        for (size_t i = 0; i < 6; i++)
            add_done(&m, three_networks[n], two_sizes[i / 3], 0, learners[i % 3], "statistics", 10 + (double)(i % 3));
    }
    spec.published = text_copy("gamez2013_rank_statistics.csv");
    assert_ok(significance_compute(&m.outputs, &spec, m.records, m.n, published, NULL, &s, &err), &err);
    assert_int_equal(s.n_published, 6);
    assert_int_equal(s.groups[0].learners[1].published_mark, MARK_ALIKE);
    assert_close(s.groups[1].learners[0].published_rank, 1.00, 1e-14);
    /* with N = 3 and k = 3: hc differs by 2, z = 2.45, adjusted .0286; 2ichc by 1, p .22 */
    assert_int_equal(s.groups[0].learners[2].mark, MARK_WORSE);
    assert_int_equal(s.n_agreed, 6);
    assert_ok(significance_append_text(&s, 0, &text, &err), &err);
    assert_has(text.data, "500      1.00* [1.19*]  2.00a [2.34a]  3.00 [5.75]\n");
    assert_has(text.data, "6 of 6 marks agree.");
    text_buffer_clear(&text);
    significance_clear(&s);
    published_verdicts_destroy(published);
    free(spec.published);
    clear_spec(&spec);
    clear_results(&m);
}

static void every_form_says_the_same(void **state) {
    made_results m = make_pairs();
    test_spec spec = wilcoxon_of("bdeu_train");
    significance s = compute(&m, &spec);
    text_buffer text = {0}, markdown = {0}, csv = {0}, scores = {0}, json = {0};
    error_info err = {0};
    json_t *o;
    (void)state;
    assert_ok(significance_append_text(&s, 0, &text, &err), &err);
    assert_has(text.data,
               "pair   asia 500  asia 5000  child 500  child 5000\na : b  +         +          ~          ~\n");
    assert_has(text.data, "summary  a  b   c\nasia     4  -2  -2\nchild    0  0   0\n");
    assert_ok(significance_append_markdown(&s, &markdown, &err), &err);
    assert_has(markdown.data, "| a : b | + | + | \\~ | \\~ |\n");
    significance_append_csv(&s, &csv);
    assert_has(csv.data, "t,asia,500,a,b,20,20,0,210,9.5367431640625e-07,1,1.1444091796875e-05,+,\n");
    significance_append_scores_csv(&s, &scores);
    assert_has(scores.data, "t,asia,c,-2,\n");
    assert_ok(significance_append_json(&s, &json, &err), &err);
    o = json_loads(json.data, 0, NULL);
    assert_non_null(o);
    assert_int_equal(json_array_size(json_object_get(o, "verdicts")), 12);
    json_decref(o);
    text_buffer_clear(&text);
    text_buffer_clear(&markdown);
    text_buffer_clear(&csv);
    text_buffer_clear(&scores);
    text_buffer_clear(&json);
    significance_clear(&s);
    clear_spec(&spec);
    clear_results(&m);
}

static void an_experiment_without_results_has_no_verdicts(void **state) {
    made_results m = make_results(three_networks, two_sizes, 2, three_learners);
    test_spec friedman = friedman_of("shd"), wilcoxon = wilcoxon_of("shd");
    significance s = compute(&m, &friedman);
    text_buffer text = {0};
    error_info err = {0};
    (void)state;
    assert_false(significance_has_results(&s));
    assert_ok(significance_append_text(&s, 0, &text, &err), &err);
    significance_clear(&s);
    s = compute(&m, &wilcoxon);
    assert_false(significance_has_results(&s));
    assert_ok(significance_append_text(&s, 40, &text, &err), &err);
    significance_clear(&s);
    text_buffer_clear(&text);
    clear_spec(&friedman);
    clear_spec(&wilcoxon);
    clear_results(&m);
}

#define HEAD "name: m\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [hc, empty, gts]\n"

static void tests_are_read(void **state) {
    static const char text[] =
        HEAD "tests:\n"
             "  - {id: r, test: friedman, metric: shd, post_hoc: bh, alpha: 0.1, control: hc, failures: limit}\n"
             "  - {id: w, test: wilcoxon, metric: bdeu_train, learners: [gts, hc], reference: hc, pairs: networks,\n"
             "     alternative: two-sided, correction: holm, comparisons: 80, published: f.csv,\n"
             "     published_metric: bdeu_score, published_scores: g.csv, title: W}\n"
             "  - {id: d, test: wilcoxon, metric: shd}\n"
             "plots: [{id: cd, kind: critical_difference, test: r, title: CD}]\n"
             "tables: [{id: ranks, metric: shd, aggregate: mean_rank}]\n";
    experiment e = {0};
    error_info err = {0};
    const test_spec *t;
    (void)state;
    assert_ok(experiment_parse(text, strlen(text), "x.yaml", &e, &err), &err);
    assert_int_equal(e.outputs.n_tests, 3);
    t = e.outputs.tests;
    assert_true(t[0].kind == TEST_FRIEDMAN && t[0].post_hoc == POST_HOC_BH && t[0].failures == FAILURES_LIMIT);
    assert_close(t[0].alpha, 0.1, 1e-15);
    assert_string_equal(t[0].control, "hc");
    assert_true(t[1].kind == TEST_WILCOXON && t[1].n_learners == 2 && t[1].pairs == PAIRS_NETWORKS &&
                t[1].is_two_sided && t[1].correction == CORRECTION_HOLM && t[1].n_comparisons == 80);
    assert_string_equal(t[1].published_scores, "g.csv");
    assert_true(!t[2].is_two_sided && t[2].pairs == PAIRS_REPLICATES && t[2].correction == CORRECTION_BONFERRONI &&
                t[2].failures == FAILURES_WORST && t[2].n_comparisons == 0 && !t[2].reference);
    assert_string_equal(e.outputs.plots[0].test, "r");
    assert_int_equal(e.outputs.tables[0].failures, FAILURES_WORST); /* of ranks; else drop-dataset */
    experiment_clear(&e);
}

static const struct {
    const char *text, *message;
} mistakes[] = {
    {"tests: [friedman]\n", "x.yaml:5:9: a test is a mapping with an 'id', a 'test' (friedman|wilcoxon)"},
    {"tests: [{id: t, test: t-test, metric: shd}]\n", "test is 't-test'; it must be one of friedman|wilcoxon"},
    {"tests: [{id: t, test: friedman}]\n", "x.yaml:5:9: a test needs a 'metric'"},
    {"tests: [{id: t, test: friedman, metric: sdh}]\n", "unknown metric 'sdh'"},
    {"tests: [{id: t, test: friedman, metric: shd, alpha: 5}]\n",
     "x.yaml:5:53: alpha must be a number between 0 and 1"},
    {"tests: [{id: t, test: friedman, metric: shd, post_hoc: holms}]\n", "post_hoc is 'holms'; it must be one of"},
    {"tests: [{id: t, test: friedman, metric: shd, reference: hc}]\n", "unknown key 'reference' in a friedman test"},
    {"tests: [{id: t, test: wilcoxon, metric: shd, post_hoc: holm}]\n", "unknown key 'post_hoc' in a wilcoxon test"},
    {"tests: [{id: t, test: wilcoxon, metric: shd, reference: ges}]\n", "'ges', which is no learner"},
    {"tests: [{id: t, test: wilcoxon, metric: shd, learners: [hc, gts], reference: empty}]\n",
     "reference is 'empty', which is none of the test's 'learners'"},
    {"tests: [{id: t, test: wilcoxon, metric: shd, comparisons: 0}]\n", "comparisons is '0'"},
    {"tests: [{id: t, test: friedman, metric: shd}, {id: t, test: wilcoxon, metric: shd}]\n",
     "x.yaml:5:52: the id 't' stands here a second time"},
    {"plots: [{id: p, kind: critical_difference}]\n", "needs 'test', the id of a friedman test"},
    {"tests: [{id: t, test: wilcoxon, metric: shd}]\nplots: [{id: p, kind: critical_difference, test: t}]\n",
     "test is 't', which is no friedman test of this experiment"},
    {"plots: [{id: p, kind: scatter, x: time, y: shd, test: t}]\n", "belongs to a plot of kind critical_difference"},
    {"tables: [{id: t, metric: shd, aggregate: mean_rank, normalise_by: hc}]\n", "mean ranks are not normalised"},
};

static void a_mistake_is_answered_with_its_place(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char text[1024];
        experiment e = {0};
        error_info err = {0};
        (void)snprintf(text, sizeof text, HEAD "%s", mistakes[i].text);
        if (experiment_parse(text, strlen(text), "x.yaml", &e, &err) != STATUS_PARSE)
            fail_msg("taken: %s", mistakes[i].text);
        assert_message_has(&err, mistakes[i].message);
    }
}

static bool has_gnuplot(void) {
    static const char *const argv[] = {"gnuplot", "--version", NULL};
    return run_program(argv, NULL, NULL) == 0;
}

static test_spec *add_test(made_results *m, test_spec spec) {
    experiment_outputs *o = &m->outputs;
    o->tests = realloc(o->tests, (o->n_tests + 1) * sizeof *o->tests);
    o->tests[o->n_tests] = spec;
    return &o->tests[o->n_tests++];
}

static char *read_text(const char *folder, const char *name) {
    char *path = path_join(folder, name), *text = NULL;
    size_t length;
    error_info err = {0};
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    free(path);
    return text;
}

static void assert_file_has(const char *folder, const char *name, const char *words) {
    char *text = read_text(folder, name);
    assert_has(text, words);
    free(text);
}

static void a_report_holds_tests_and_their_diagrams(void **state) {
    const char *folder = scratch_folder();
    made_results m = make_three();
    report_options options = {.folder = folder, .write_markdown = true, .write_csv = true, .write_plots = true};
    report_result r = {0};
    error_info err = {0};
    json_t *tests;
    (void)state;
    (void)add_test(&m, friedman_of("shd"));
    (void)add_test(&m, friedman_of("bdeu_test")); /* nobody has it */
    m.outputs.plots = calloc(1, sizeof *m.outputs.plots);
    m.outputs.n_plots = 1;
    m.outputs.plots[0] = (plot_spec){.id = text_copy("cd"), .kind = PLOT_CRITICAL_DIFFERENCE, .test = text_copy("t")};
    assert_ok(report_make(&m.outputs, m.records, m.n, &options, &r, &err), &err);
    assert_has(r.text.data, "Friedman's test of shd\n");
    assert_has(r.text.data, "1.50*  2.17a  2.33a");
    assert_file_has(folder, "report.md", "| 500 | 3 |");
    assert_file_has(folder, "tests/t.csv", "t,500,a,1.5,0,1,1,best,,,0,3,");
    assert_file_has(folder, "tests/t.json", "\"iman_davenport\"");
    assert_file_has(folder, "plots/cd.gp", "'a  1.50'");
    tests = json_loads(r.tests_json.data, 0, NULL);
    assert_int_equal(json_array_size(tests), 1);
    json_decref(tests);
    if (has_gnuplot())
        assert_file_has(folder, "plots/cd.svg", "<svg");
    report_result_clear(&r);
    clear_results(&m);
}

static void names_from_outside_stay_text_in_a_diagram_of_any_style(void **state) {
    static const char *const learners[] = {"it's `x`", "b\"$(y)", "c", NULL};
    made_results m = make_results(three_networks, one_size, 1, learners);
    test_spec spec = friedman_of("shd");
    significance s;
    text_buffer script = {0};
    error_info err = {0};
    (void)state;
    for (size_t n = 0; n < 3; n++) {
        for (size_t l = 0; l < 3; l++)
            add_done(&m, three_networks[n], 500, 0, learners[l], "shd", (double)l);
    }
    s = compute(&m, &spec);
    assert_ok(critical_difference_append_script(&s, "a 'title'", &(plot_style){0}, "cd", &script, &err), &err);
    assert_null(strstr(script.data, "it's"));
    assert_has(script.data, "`x`  1.00'");
    assert_has(script.data, "font = 1\n");
    script.length = 0;
    assert_ok(critical_difference_append_script(&s, NULL, &(plot_style){.width = 640, .height = 480, .font_size = 18},
                                                "cd", &script, &err),
              &err);
    assert_has(script.data, "font = 1.5\n");
    assert_has(script.data, "size 640,480 dynamic background rgb 'white' font 'sans,18'");
    text_buffer_clear(&script);
    significance_clear(&s);
    clear_spec(&spec);
    clear_results(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_are_the_blocks_of_friedmans_test),
        cmocka_unit_test(more_is_better_where_the_metric_says_so),
        cmocka_unit_test(a_failure_ranks_last_and_what_has_not_run_is_no_block),
        cmocka_unit_test(mean_ranks_make_a_table),
        cmocka_unit_test(a_mean_rank_is_of_the_larger_where_more_is_better_and_still_less_is_best),
        cmocka_unit_test(verdicts_are_one_sided_in_both_directions),
        cmocka_unit_test(a_metric_of_which_less_is_better_turns_the_verdicts),
        cmocka_unit_test(a_reference_is_compared_with_each_other_learner),
        cmocka_unit_test(pairs_can_be_pooled),
        cmocka_unit_test(five_that_agree_are_significant_at_five_percent),
        cmocka_unit_test(a_failed_pair_is_the_largest_difference_or_none),
        cmocka_unit_test(the_published_scores_follow_from_the_published_verdicts),
        cmocka_unit_test(a_published_file_without_verdicts_is_refused),
        cmocka_unit_test(published_marks_stand_beside_and_are_counted),
        cmocka_unit_test(every_form_says_the_same),
        cmocka_unit_test(an_experiment_without_results_has_no_verdicts),
        cmocka_unit_test(tests_are_read),
        cmocka_unit_test(a_mistake_is_answered_with_its_place),
        cmocka_unit_test(a_report_holds_tests_and_their_diagrams),
        cmocka_unit_test(names_from_outside_stay_text_in_a_diagram_of_any_style),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
