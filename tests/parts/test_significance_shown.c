/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of significance as they are declared, shown and drawn, published marks beside. */
#include "tests/parts/significance_support.h"

#include "core/base/file.h"
#include "parts/plots/critical_difference.h"
#include "report/report.h"
#include "runner/declare/experiment.h"

#include <jansson.h>

static const document_format *const markdown_alone[] = {&document_format_markdown, NULL};

static published_table *read_verdicts(const char *name) {
    published_table *t = NULL;
    error_info err = {0};
    assert_ok(published_read(published_source(name), PUBLISHED_OUTCOMES, &t, &err), &err);
    return t;
}

/* Vandel et al. 2012: Table 3 is what Table 2 sums to, for every method and network. */
static void the_published_scores_follow_from_the_published_verdicts(void **state) {
    static const char *const methods[] = {"sgs3", "sgs2", "sgs1", "lagd", "ges"}, *const sizes[] = {"500", "5000"},
                             *const networks[] = {"alarm", "insurance", "hailfinder", "pigs"};
    published_table *verdicts = read_verdicts("vandel2012_table2_wilcoxon.csv");
    published_table *scores = NULL;
    error_info err = {0};
    size_t n_checked = 0;
    (void)state;
    assert_ok(
        published_read(published_source("vandel2012_table3_wilcoxon_score.csv"), PUBLISHED_FIGURES, &scores, &err),
        &err);
    for (size_t i = 0; i < 20; i++) {
        published_query query = {networks[i / 5], "500+5000", methods[i % 5], "wilcoxon_summary_score", NULL};
        published_figure printed;
        double sum = 0;
        for (size_t k = 0; k < 10; k++) {
            verdict_place at = {networks[i / 5], sizes[k % 2], "bdeu_score"};
            size_t row;
            char verdict = published_verdict_find(verdicts, &at, methods[i % 5], methods[k / 2], &row);
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
    published_destroy(verdicts);
}

static void a_published_file_without_verdicts_is_refused(void **state) {
    static const char text[] = "network,sample_size,algorithm,value\nasia,500,hc,3\n";
    published_table *t = NULL;
    error_info err = {0};
    (void)state;
    assert_int_equal(published_parse(text, sizeof text - 1, PUBLISHED_OUTCOMES, &t, &err), STATUS_PARSE);
    assert_message_has(&err, "neither the columns");
}

/* Gamez et al.: data whose ranks are the published ones at 5000 for the two that matter. */
static void published_marks_stand_beside_and_are_counted(void **state) {
    static const char *const learners[] = {"fastchc", "2ichc", "hc", NULL};
    made_results m = make_results(three_networks, two_sizes, 1, learners);
    published_table *published = read_verdicts("gamez2013_rank_statistics.csv");
    friedman_spec spec = friedman_of("statistics");
    significance s = {0};
    text_buffer text = {0};
    error_info err = {0};
    (void)state;
    for (size_t n = 0; n < 3; n++) {
        for (size_t i = 0; i < 6; i++)
            add_done(&m, three_networks[n], two_sizes[i / 3], 0, learners[i % 3], "statistics", 10 + (double)(i % 3));
    }
    spec.shared.published = text_copy("gamez2013_rank_statistics.csv");
    assert_ok(friedman_compute(&m.outputs, &spec, m.records, m.n, published, &s, &err), &err);
    assert_int_equal(s.n_published, 6);
    assert_int_equal(s.groups[0].learners[1].published_mark, MARK_ALIKE);
    assert_close(s.groups[1].learners[0].published_rank, 1.00, 1e-14);
    /* with N = 3 and k = 3: hc differs by 2, z = 2.45, adjusted .0286; 2ichc by 1, p .22 */
    assert_int_equal(s.groups[0].learners[2].mark, MARK_WORSE);
    assert_int_equal(s.n_agreed, 6);
    write_text(&s, 0, &text);
    assert_has(text.data, "500      1.00* [1.19*]  2.00a [2.34a]  3.00 [5.75]\n");
    assert_has(text.data, "6 of 6 marks agree.");
    text_buffer_clear(&text);
    significance_clear(&s);
    published_destroy(published);
    free(spec.shared.published);
    clear_spec(&spec.shared);
    clear_results(&m);
}

static void every_form_says_the_same(void **state) {
    made_results m = make_pairs();
    wilcoxon_spec spec = wilcoxon_of("bdeu_train");
    significance s = compare(&m, &spec);
    text_buffer text = {0}, markdown = {0}, csv = {0}, scores = {0}, json = {0};
    document d = {0};
    error_info err = {0};
    json_t *o;
    (void)state;
    write_text(&s, 0, &text);
    assert_has(text.data,
               "pair   asia 500  asia 5000  child 500  child 5000\na : b  +         +          ~          ~\n");
    assert_has(text.data, "summary  a  b   c\nasia     4  -2  -2\nchild    0  0   0\n");
    significance_append_document(&s, &d);
    document_write_markdown(&d, &markdown);
    document_clear(&d);
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
    clear_spec(&spec.shared);
    clear_results(&m);
}

static void an_experiment_without_results_has_no_verdicts(void **state) {
    made_results m = make_results(three_networks, two_sizes, 2, three_learners);
    friedman_spec friedman = friedman_of("shd");
    wilcoxon_spec wilcoxon = wilcoxon_of("shd");
    significance s = rank(&m, &friedman);
    text_buffer text = {0};
    (void)state;
    assert_false(significance_has_results(&s));
    write_text(&s, 0, &text);
    significance_clear(&s);
    s = compare(&m, &wilcoxon);
    assert_false(significance_has_results(&s));
    write_text(&s, 40, &text);
    significance_clear(&s);
    text_buffer_clear(&text);
    clear_spec(&friedman.shared);
    clear_spec(&wilcoxon.shared);
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
    const friedman_spec *ranks;
    const wilcoxon_spec *pairs;
    (void)state;
    assert_ok(experiment_parse(text, strlen(text), "x.yaml", &e, &err), &err);
    assert_int_equal(part_list_count(&e.parts, PART_TEST), 3);
    ranks = part_list_find(&e.parts, "r")->options;
    assert_int_equal(ranks->post_hoc, POST_HOC_BH);
    assert_int_equal(ranks->shared.failures, FAILURES_LIMIT);
    assert_close(ranks->shared.alpha, 0.1, 1e-15);
    assert_string_equal(ranks->control, "hc");
    pairs = e.parts.parts[2].options;
    assert_int_equal(pairs->shared.n_learners, 2);
    assert_int_equal(pairs->pairs, PAIRS_NETWORKS);
    assert_int_equal(pairs->alternative, TWO_SIDED);
    assert_int_equal(pairs->correction, CORRECTION_HOLM);
    assert_int_equal(pairs->n_comparisons, 80);
    assert_string_equal(pairs->published_scores, "g.csv");
    pairs = e.parts.parts[3].options;
    assert_int_equal(pairs->alternative, ONE_SIDED);
    assert_int_equal(pairs->pairs, PAIRS_REPLICATES);
    assert_int_equal(pairs->correction, CORRECTION_BONFERRONI);
    assert_int_equal(pairs->shared.failures, FAILURES_WORST);
    assert_int_equal(pairs->n_comparisons, 0);
    assert_null(pairs->reference);
    assert_string_equal(part_text(&e.parts.parts[4], "test"), "r");
    assert_int_equal(metric_table_of(&e.parts.parts[0])->failures, FAILURES_WORST); /* of ranks; else drop-dataset */
    experiment_clear(&e);
}

static const struct {
    const char *text, *message;
} mistakes[] = {
    {"tests: [friedman]\n", "x.yaml:5:9: a test is a mapping with an 'id' and a 'test' (friedman|wilcoxon)"},
    {"tests: [{id: t, test: t-test, metric: shd}]\n", "test is 't-test'; it must be one of friedman|wilcoxon"},
    {"tests: [{id: t, test: friedman}]\n", "x.yaml:5:9: a friedman test needs 'metric', what is compared"},
    {"tests: [{id: t, test: friedman, metric: sdh}]\n", "unknown metric 'sdh'"},
    {"tests: [{id: t, test: friedman, metric: shd, alpha: 5}]\n",
     "x.yaml:5:53: alpha is '5'; it must be a number from 0 to 1"},
    {"tests: [{id: t, test: friedman, metric: shd, alpha: 1}]\n",
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

static void add_friedman(made_results *m, const char *id, const char *metric) {
    friedman_spec *spec = add_part(m, PART_TEST, "friedman", id);
    spec->shared.metric = text_copy(metric);
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
    report_options options = {.folder = folder, .forms = markdown_alone, .write_csv = true, .write_plots = true};
    report_result r = {0};
    critical_difference_spec *spec;
    error_info err = {0};
    json_t *tests;
    (void)state;
    add_friedman(&m, "t", "shd");
    add_friedman(&m, "u", "bdeu_test"); /* nobody has it */
    spec = add_part(&m, PART_PLOT, "critical_difference", "cd");
    spec->test = text_copy("t");
    assert_ok(report_make(&(part_context){&m.outputs, &m.parts, m.records, m.n}, &options, &r, &err), &err);
    assert_has(r.text.data, "Friedman's test of shd (t)\n");
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
    friedman_spec spec = friedman_of("shd");
    significance s;
    text_buffer script = {0};
    error_info err = {0};
    (void)state;
    for (size_t n = 0; n < 3; n++) {
        for (size_t l = 0; l < 3; l++)
            add_done(&m, three_networks[n], 500, 0, learners[l], "shd", (double)l);
    }
    s = rank(&m, &spec);
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
    clear_spec(&spec.shared);
    clear_results(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
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
