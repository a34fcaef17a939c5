/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a test of significance finds. */
#include "tests/parts/significance_support.h"

#include "parts/tables/metric_table.h"

#include <math.h>

static void assert_note(const significance *s, const char *words) {
    for (size_t i = 0; i < s->n_notes; i++) {
        if (strstr(s->notes[i], words))
            return;
    }
    for (size_t i = 0; i < s->n_notes; i++)
        print_message("note: %s\n", s->notes[i]);
    fail_msg("no note holds '%s'", words);
}

static void networks_are_the_blocks_of_friedmans_test(void **state) {
    made_results m = make_three();
    friedman_spec spec = friedman_of("shd");
    significance s = rank(&m, &spec);
    const rank_comparison *g = &s.groups[0];
    (void)state;
    assert_int_equal(s.n_groups, 1);
    assert_true(g->has_test);
    assert_int_equal(g->n_blocks, 3);
    assert_int_equal(g->n_learners, 3);
    assert_close(g->learners[0].mean_rank, (1 + 1.5 + 2) / 3, 1e-14);
    assert_close(g->learners[1].mean_rank, (2 + 1.5 + 3) / 3, 1e-14);
    assert_close(g->learners[2].mean_rank, (3 + 3 + 1) / 3., 1e-14);
    assert_true(g->learners[0].is_control);
    assert_int_equal(g->learners[0].mark, MARK_BEST);
    assert_that(g->learners[0].adjusted, ==, 1);
    assert_int_equal(g->learners[2].mark, MARK_ALIKE); /* three networks show nothing */
    assert_close(g->learners[2].z, (7 / 3. - 1.5) / sqrt(12 / 18.), 1e-14);
    significance_clear(&s);
    spec.control = m.outputs.learners[2];
    s = rank(&m, &spec);
    assert_true(s.groups[0].learners[2].is_control);
    assert_that(s.groups[0].learners[0].z, <, 0);
    significance_clear(&s);
    clear_spec(&spec.shared);
    clear_results(&m);
}

static void more_is_better_where_the_metric_says_so(void **state) {
    made_results m = make_three();
    friedman_spec spec = friedman_of("precision");
    significance s;
    (void)state;
    for (size_t i = 0; i < m.n; i++)
        set_metric(&m.records[i], "precision", *job_record_metric(&m.records[i], "shd"));
    s = rank(&m, &spec);
    assert_close(s.groups[0].learners[0].mean_rank, 4 - 1.5, 1e-14);
    significance_clear(&s);
    clear_spec(&spec.shared);
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
    friedman_spec spec = friedman_of("shd");
    significance s = rank(&m, &spec);
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
    spec.shared.failures = FAILURES_DROP_DATASET;
    s = rank(&m, &spec);
    assert_close(s.groups[0].learners[1].mean_rank, (2 + 3) / 2., 1e-14); /* asia by its other data set */
    assert_int_equal(s.groups[0].learners[1].n_failed, 0);
    significance_clear(&s);
    clear_spec(&spec.shared);
    clear_results(&m);
}

static void mean_ranks_make_a_table(void **state) {
    made_results m = make_with_failure();
    metric_table_spec *spec = add_table(&m, "ranks", "shd", NULL);
    text_buffer text = {0};
    document d = {0};
    table t = {0};
    error_info err = {0};
    (void)state;
    spec->aggregate = AGGREGATE_MEAN_RANK;
    spec->failures = FAILURES_WORST;
    assert_ok(metric_table_compute(&m.outputs, spec, m.records, m.n, NULL, &t, &err), &err);
    assert_close(t.cells[0].value, 1.5, 1e-14);
    assert_close(t.cells[1].value, 3, 1e-14);
    assert_int_equal(t.cells[1].n_imputed, 1);
    assert_int_equal(t.cells[1].n, 4);
    assert_true(t.cells[0].is_best);
    assert_false(t.cells[1].is_best);
    table_append_document(&t, -1, &d);
    document_write_text(&d, 0, false, &text);
    document_clear(&d);
    assert_has(text.data, "mean rank by shd");
    assert_has(text.data, "Mean rank over 3 networks by the mean of 2 data sets; 1 is the best");
    assert_has(text.data, "1.50  3.00*  1.50");
    text_buffer_clear(&text);
    table_clear(&t);
    clear_results(&m);
}

static void a_mean_rank_is_of_the_larger_where_more_is_better_and_still_less_is_best(void **state) {
    made_results m = make_results(three_networks, one_size, 1, three_learners);
    metric_table_spec *spec = add_table(&m, "ranks", "precision", NULL);
    table t = {0};
    error_info err = {0};
    (void)state;
    for (size_t n = 0; n < 3; n++) {
        for (size_t l = 0; l < 3; l++)
            add_done(&m, three_networks[n], 500, 0, three_learners[l], "precision", 0.1 * (double)(l + 1));
    }
    spec->aggregate = AGGREGATE_MEAN_RANK;
    assert_ok(metric_table_compute(&m.outputs, spec, m.records, m.n, NULL, &t, &err), &err);
    assert_that(t.cells[0].value, ==, 3);
    assert_that(t.cells[2].value, ==, 1);
    assert_true(t.cells[2].is_best);
    assert_false(t.cells[0].is_best);
    table_clear(&t);
    clear_results(&m);
}

static void verdicts_are_one_sided_in_both_directions(void **state) {
    static const char expected[3][5] = {"++~~", "++~~", "~~~~"};
    made_results m = make_pairs();
    wilcoxon_spec spec = wilcoxon_of("bdeu_train");
    significance s = compare(&m, &spec);
    (void)state;
    assert_int_equal(s.n_pairs, 3);
    assert_int_equal(s.n_cells, 4);
    assert_int_equal(s.n_family, 12);
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(s.verdicts[i].verdict, expected[i / 4][i % 4]);
    assert_close(s.verdicts[0].p_better, ldexp(1, -20), 1e-12);
    assert_close(s.verdicts[0].adjusted, 12 * ldexp(1, -20), 1e-12);
    assert_int_equal(s.verdicts[0].n_pairs, 20);
    assert_that(s.verdicts[0].w_plus, ==, 210);
    assert_int_equal(s.scores[0], 4);
    assert_int_equal(s.scores[1], -2);
    assert_int_equal(s.scores[2], -2); /* asia */
    assert_int_equal(s.scores[3], 0);
    assert_int_equal(s.scores[4], 0);
    assert_int_equal(s.scores[5], 0); /* child */
    assert_note(&s, "Level 0.05 over all 12 comparisons: 0.00417 each (Bonferroni). Pairs in a test: 20.");
    significance_clear(&s);
    clear_spec(&spec.shared);
    clear_results(&m);
}

static void a_metric_of_which_less_is_better_turns_the_verdicts(void **state) {
    made_results m = make_pairs();
    wilcoxon_spec spec = wilcoxon_of("shd");
    significance s;
    (void)state;
    for (size_t i = 0; i < m.n; i++)
        set_metric(&m.records[i], "shd", *job_record_metric(&m.records[i], "bdeu_train"));
    s = compare(&m, &spec);
    assert_int_equal(s.verdicts[0].verdict, '-');
    significance_clear(&s);
    spec.alternative = TWO_SIDED;
    s = compare(&m, &spec);
    assert_int_equal(s.verdicts[0].verdict, '-');
    assert_close(s.verdicts[0].p_better, ldexp(1, -19), 1e-12);
    significance_clear(&s);
    clear_spec(&spec.shared);
    clear_results(&m);
}

static void a_reference_is_compared_with_each_other_learner(void **state) {
    made_results m = make_pairs();
    wilcoxon_spec spec = wilcoxon_of("bdeu_train");
    significance s;
    (void)state;
    spec.reference = m.outputs.learners[1];
    s = compare(&m, &spec);
    assert_int_equal(s.n_pairs, 2);
    assert_int_equal(s.n_score_rows, 0);
    assert_int_equal(s.n_family, 8);
    assert_int_equal(s.pairs[0][0], 1);
    assert_int_equal(s.pairs[0][1], 0);
    assert_int_equal(s.pairs[1][1], 2);
    assert_int_equal(s.verdicts[0].verdict, '-');
    significance_clear(&s);
    clear_spec(&spec.shared);
    clear_results(&m);
}

static void pairs_can_be_pooled(void **state) {
    made_results m = make_pairs();
    wilcoxon_spec spec = wilcoxon_of("bdeu_train");
    significance s;
    (void)state;
    spec.pairs = PAIRS_DATA_SETS;
    s = compare(&m, &spec);
    assert_int_equal(s.n_cells, 2);
    assert_int_equal(s.verdicts[0].n_pairs, 40);
    assert_int_equal(s.n_score_rows, 1);
    significance_clear(&s);
    spec.pairs = PAIRS_NETWORKS;
    spec.correction = CORRECTION_NONE;
    s = compare(&m, &spec);
    assert_int_equal(s.n_cells, 2);
    assert_int_equal(s.verdicts[0].n_pairs, 2);
    assert_int_equal(s.verdicts[0].verdict, '~');
    assert_note(&s, "not corrected");
    significance_clear(&s);
    clear_spec(&spec.shared);
    clear_results(&m);
}

/* Five data sets: only where all agree can one-sided p reach 1/32. */
static void five_that_agree_are_significant_at_five_percent(void **state) {
    made_results m = make_results(three_networks, one_size, 5, three_learners);
    wilcoxon_spec spec = wilcoxon_of("shd");
    significance s;
    (void)state;
    spec.correction = CORRECTION_NONE;
    for (size_t r = 0; r < 5; r++) {
        add_done(&m, "asia", 500, r, "a", "shd", 1);
        add_done(&m, "asia", 500, r, "b", "shd", 2 + (double)r);
        add_done(&m, "asia", 500, r, "c", "shd", r == 4 ? -9 : 2 + (double)r);
    }
    s = compare(&m, &spec);
    assert_int_equal(s.verdicts[0].verdict, '+');
    assert_close(s.verdicts[0].p_better, 1 / 32., 1e-14);
    assert_int_equal(s.verdicts[s.n_cells].verdict, '~');
    assert_int_equal(s.verdicts[1].verdict, '?'); /* child has not run */
    assert_note(&s, "6 comparisons had no pair (n/a)");
    significance_clear(&s);
    clear_spec(&spec.shared);
    clear_results(&m);
}

static void a_failed_pair_is_the_largest_difference_or_none(void **state) {
    static const char *const networks[] = {"asia", NULL}, *const learners[] = {"a", "b", NULL};
    made_results m = make_results(networks, one_size, 6, learners);
    wilcoxon_spec spec = wilcoxon_of("shd");
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
    s = compare(&m, &spec);
    assert_int_equal(s.verdicts[0].n_pairs, 6);
    assert_int_equal(s.verdicts[0].n, 5);
    assert_int_equal(s.verdicts[0].n_failed, 2);
    assert_true(s.verdicts[0].w_plus == 5); /* the rank of the failure, a being better there */
    significance_clear(&s);
    spec.shared.failures = FAILURES_DROP_DATASET;
    s = compare(&m, &spec);
    assert_int_equal(s.verdicts[0].n_pairs, 4);
    assert_that(s.verdicts[0].w_plus, ==, 0);
    significance_clear(&s);
    clear_spec(&spec.shared);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
