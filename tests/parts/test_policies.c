/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Discretization policies as results: kept with each job, printed, plotted; real data sets and all of their rows. */
#include "discretizers/registry.h"
#include "tests/support/records.h"
#include "tests/support/run_support.h"

#include "core/data/dataset_file.h"
#include "discretizers/base/discretizer.h"
#include "parts/figures/policies.h"
#include "parts/plots/policy_plot.h"
#include "parts/tables/table.h"
#include "report/report.h"

#include <math.h>

static const document_format *const markdown_and_latex[] = {&document_format_markdown, &document_format_latex, NULL};

/* ---- the text ---- */

static void a_policy_reads_back_as_it_was_written(void **state) {
    static const double values[] = {1, 2, 3, 4, 10}, thresholds[] = {1.5, 0x1.8p1 + 1e-12};
    static const double flat[] = {7, 7, 7, 7, 7};
    policy_table t = {0}, again = {0};
    text_buffer text = {0}, second = {0};
    error_info err = {0};
    (void)state;
    assert_ok(policy_table_add(&t, "a, \"b\"", thresholds, 2, values, 5, &err), &err);
    assert_ok(policy_table_add(&t, "flat", NULL, 0, flat, 5, &err), &err);
    policy_table_append_csv(&t, &text);
    assert_ok(policy_table_parse(text.data, &again, &err), &err);
    assert_int_equal(again.n_columns, 2);
    assert_string_equal(again.columns[0].name, "a, \"b\"");
    assert_int_equal(again.columns[0].n_thresholds, 2);
    assert_true(again.columns[0].thresholds[1] == thresholds[1]);
    assert_that(again.columns[0].low, ==, 1);
    assert_that(again.columns[0].high, ==, 10);
    assert_int_equal(again.columns[0].n_bins, POLICY_BINS);
    assert_int_equal(again.columns[0].bins[0], 1);               /* 1 */
    assert_int_equal(again.columns[0].bins[20], 1);              /* 4, a third of the way */
    assert_int_equal(again.columns[0].bins[POLICY_BINS - 1], 1); /* 10, the upper end */
    assert_int_equal(again.columns[1].n_bins, 1);
    assert_int_equal(again.columns[1].bins[0], 5);
    policy_table_append_csv(&again, &second);
    assert_string_equal(second.data, text.data);
    assert_ptr_equal(policy_table_find(&again, "flat"), &again.columns[1]);
    assert_null(policy_table_find(&again, "b"));
    text_buffer_clear(&text);
    text_buffer_clear(&second);
    policy_table_clear(&t);
    policy_table_clear(&again);
}

static void every_value_is_in_a_bin_however_far_apart_they_are(void **state) {
    static const double values[] = {-1.7e308, 1.7e308, 0, 1e300, -1.7e308};
    policy_table t = {0};
    error_info err = {0};
    size_t n = 0;
    (void)state;
    assert_ok(policy_table_add(&t, "a", NULL, 0, values, 5, &err), &err);
    for (size_t i = 0; i < t.columns[0].n_bins; i++)
        n += t.columns[0].bins[i];
    assert_int_equal(n, 5);
    assert_int_equal(t.columns[0].bins[0], 2);
    assert_int_equal(t.columns[0].bins[POLICY_BINS / 2], 2);
    policy_table_clear(&t);
}

static void a_text_that_is_no_policy_is_refused(void **state) {
#define HEAD "column,states,thresholds,low,high,histogram\n"
    static const char *const texts[] = {"",
                                        "column,states\n",
                                        HEAD "a,2,x,0,1,3\n",
                                        HEAD "a,2,0.5,0,1\n",
                                        HEAD "a,2,0.5,0,1,\n",
                                        HEAD "a,2,0.5,0,1,-1\n",
                                        HEAD "a,2,0.5|,0,1,3,4\n",
                                        HEAD "a,2,inf,0,1,3\n"};
#undef HEAD
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        policy_table t = {0};
        error_info err = {0};
        assert_int_equal(policy_table_parse(texts[i], &t, &err), STATUS_PARSE);
        assert_int_equal(t.n_columns, 0);
    }
}

/* ---- of a run ---- */

static const char *write_cells(void) {
    const char *folder = scratch_folder();
    static char text[16000];
    size_t used = (size_t)snprintf(text, sizeof text, "a,kind,b,c\n");
    random_stream random;
    char path[4096];
    error_info err = {0};
    random_stream_init(&random, random_key_of(6));
    for (int row = 0; row < 150; row++) {
        double a = random_uniform(&random), c = random_uniform(&random);
        used += (size_t)snprintf(text + used, sizeof text - used, "%.5f,%s,%.5f,%.5f\n", a, a + c > 1 ? "high" : "low",
                                 a + .05 * random_uniform(&random), c);
    }
    (void)snprintf(path, sizeof path, "%s/cells.csv", folder);
    assert_ok(file_write(path, text, used, &err), &err);
    (void)setenv("BNBENCH_DATASETS", folder, 1);
    return folder;
}

static const char declaration[] =
    "name: x\nseed: 3\nnetworks: [{dataset: cells}]\ndata: {samples: all, replicates: 1, test_samples: 0}\n"
    "learners:\n"
    "  - {id: freq, learner: hc, discretize: {method: eqfreq, k: 3}}\n"
    "  - {id: freq-gts, learner: gts, discretize: {method: eqfreq, k: 3}}\n"
    "  - {id: mdl, learner: hc, discretize: {method: friedman, k: 2}}\n"
    "  - {learner: bach}\n"
    "  - {id: z, learner: pc, test: zf, discrete_as: numbers}\n"
    "  - {id: no-z, learner: pc, test: zf}\n"
    "metrics: [edges]\n"
    "tables: [{id: t, metric: edges, rows: network}, {id: v10, kind: networks},\n"
    "         {id: cuts, kind: policies, variables: [a, b]}]\n"
    "plots: [{id: cuts-plot, kind: policy, network: cells, variables: [c, a], learners: [mdl, freq]}]\n";

static const job_record *record_of(const record_list *l, const char *id) {
    for (size_t i = 0; i < l->n; i++) {
        if (strcmp(l->items[i].learner, id) == 0)
            return &l->items[i];
    }
    fail_msg("no record of %s", id);
    return NULL;
}

static void assert_is_policy_of(const job_record *r, const char *method, const char *option) {
    const discretizer *kind = NULL;
    char path[4096];
    void *options;
    run_context ctx;
    cut_policy p = {0};
    policy_table t = {0};
    dataset *data = NULL;
    error_info err = {0};
    (void)snprintf(path, sizeof path, "%s/cells.csv", getenv("BNBENCH_DATASETS"));
    assert_ok(dataset_read(path, NULL, &data, NULL, &err), &err);
    assert_ok(discretizer_find(method, &kind, &err), &err);
    options = discretizer_options_create(kind);
    assert_ok(options_set(kind->options, options, "k", option, &err), &err);
    run_context_init(&ctx, 1);
    assert_ok(discretizer_fit(kind, data, options, &ctx, &p, &err), &err);
    assert_ok(policy_table_parse(r->policy, &t, &err), &err);
    assert_int_equal(t.n_columns, 3); /* kind is discrete */
    for (size_t c = 0; c < p.n_columns; c++) {
        const policy_column *column = policy_table_find(&t, dataset_variable(data, c)->name);
        if (!dataset_reals(data, c))
            continue;
        assert_non_null(column);
        assert_int_equal(column->n_thresholds, p.columns[c].n);
        for (size_t i = 0; i < p.columns[c].n; i++)
            assert_true(column->thresholds[i] == p.columns[c].thresholds[i]);
    }
    free(options);
    dataset_destroy(data);
    policy_clear(&p);
    policy_table_clear(&t);
}

static void every_job_that_was_discretized_keeps_its_policy(void **state) {
    const char *cells = write_cells(), *folder = scratch_folder();
    experiment e = declare(declaration);
    run_counts counts = run_in(&e, folder, 2);
    record_list l = read_records(folder);
    (void)state;
    (void)cells;
    assert_int_equal(counts.done, 5);
    assert_int_equal(counts.failed, 1);
    for (size_t i = 0; i < l.n; i++)
        assert_int_equal(l.items[i].n_samples, 150); /* all, which is said as a number */
    assert_is_policy_of(record_of(&l, "freq"), "eqfreq", "3");
    assert_same_text(record_of(&l, "freq")->policy, record_of(&l, "freq-gts")->policy, "policy");
    assert_non_null(record_of(&l, "mdl")->policy);
    assert_null(record_of(&l, "bach")->policy);
    assert_null(record_of(&l, "z")->policy);
    assert_non_null(strstr(record_of(&l, "z")->options, "\"discrete_as\":\"numbers\""));
    assert_non_null(strstr(record_of(&l, "no-z")->message, "zf takes data that are continuous; these are mixed"));
    assert_int_equal(run_in(&e, folder, 1).done, 5); /* nothing is left to run */
    job_records_destroy(l.items, l.n);
    (void)unsetenv("BNBENCH_DATASETS");
    experiment_clear(&e);
}

static char *read_text(const char *folder, const char *name) {
    char path[4096], *text = NULL;
    size_t length;
    error_info err = {0};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    return text;
}

static void assert_has(const char *text, const char *words) {
    if (!strstr(text, words))
        fail_msg("'%s' is not in:\n%s", words, text);
}

static void the_report_has_tables_and_a_plot_of_them(void **state) {
    const char *folder, *out = scratch_folder();
    experiment e = declare(declaration);
    report_result result = {0};
    report_options options = {.folder = out, .forms = markdown_and_latex, .write_csv = true, .write_plots = true};
    record_list l;
    char *text;
    error_info err = {0};
    (void)state;
    (void)write_cells();
    folder = scratch_folder();
    (void)run_in(&e, folder, 2);
    l = read_records(folder);
    assert_true(part_list_needs(&e.parts, PART_NEEDS_TEXTS));
    assert_ok(runner_read_network_facts(&e, &err), &err);
    assert_ok(report_make(&(part_context){&e.outputs, &e.parts, l.items, l.n}, &options, &result, &err), &err);
    assert_has(result.text.data, "cells, 150 rows\nvariable");
    text = read_text(out, "report.md");
    assert_has(text, "| variable | freq | freq-gts | mdl |");
    assert_has(text, "\n| a | 0.");
    assert_null(strstr(text, "\n| c | 0.")); /* not asked for */
    assert_has(text, "Histograms and thresholds");
    free(text);
    text = read_text(out, "tables/cuts.csv");
    assert_has(text, "network,samples,sigma,replicate,learner,column,states,thresholds\ncells,150,0,1,freq,a,3,0.");
    free(text);
    text = read_text(out, "tables/v10.csv"); /* rows, discrete, continuous, distinct values */
    assert_has(text, "cells,rows,150");
    assert_has(text, "cells,discrete,1");
    assert_has(text, "cells,continuous,3");
    free(text);
    text = read_text(out, "tables/t.csv");
    assert_has(text, "cells");
    free(text);
    text = read_text(out, "tables.tex");
    assert_has(text, "cells, 150 rows");
    free(text);
    text = read_text(out, "plots/cuts-plot.csv");
    assert_has(text, "kind,variable,learner,from,to,count\nbin,c,,");
    assert_has(text, "threshold,a,freq,0.");
    assert_null(strstr(text, ",b,"));
    free(text);
    text = read_text(out, "plots/cuts-plot.gp");
    assert_has(text, "set multiplot layout 1,2");
    assert_has(text, "'freq'");
    free(text);
    report_result_clear(&result);
    job_records_destroy(l.items, l.n);
    (void)unsetenv("BNBENCH_DATASETS");
    experiment_clear(&e);
}

/* ---- the plot ---- */

static void a_plot_has_a_panel_a_variable_and_a_lane_a_learner(void **state) {
    static const double values[] = {1, 2, 2, 3, 4}, thresholds[] = {1.5, 3.5};
    policy_table t = {0};
    text_buffer script = {0};
    error_info err = {0};
    (void)state;
    assert_ok(policy_table_add(&t, "it's `x`", thresholds, 2, values, 5, &err), &err);
    assert_ok(policy_table_add(&t, "flat", NULL, 0, values, 1, &err), &err);
    policy_lane lanes[2][2] = {{{"one", &t.columns[0]}, {"none", NULL}}, {{"one", &t.columns[1]}, {"none", NULL}}};
    policy_panel panels[2] = {{&t.columns[0], lanes[0]}, {&t.columns[1], lanes[1]}};
    policy_plot p = {.title = "T", .caption = "c", .n_panels = 2, .n_lanes = 2, .panels = panels};
    policy_plot_append_script(&p, "name", &script);
    assert_false(script.failed);
    assert_has(script.data, "$cuts0_0 << END_OF_DATA\n1.5 ");
    assert_has(script.data, "$cuts0_1 << END_OF_DATA\nNaN");
    assert_has(script.data, "set output './name.pdf'");
    assert_null(strstr(script.data, "'it's")); /* a quote would end the string */
    script.length = 0;
    policy_plot_append_svg_script(&p, "name", &script);
    assert_null(strstr(script.data, ".pdf"));
    text_buffer_clear(&script);
    policy_table_clear(&t);
}

/* ---- ratios of two signs ---- */

static void a_ratio_of_two_signs_is_not_formed(void **state) {
    static const char *const networks[] = {"p", "q", NULL}, *const learners[] = {"base", "x", NULL};
    static const size_t sizes[] = {100, 0};
    made_results m = make_results(networks, sizes, 1, learners);
    char id[] = "t", metric[] = "bach_score", base[] = "base";
    table t = {0};
    error_info err = {0};
    (void)state;
    (void)add_done(&m, "p", 100, 0, "base", "bach_score", 10);
    (void)add_done(&m, "q", 100, 0, "base", "bach_score", 20);
    (void)add_done(&m, "p", 100, 0, "x", "bach_score", 8);
    (void)add_done(&m, "q", 100, 0, "x", "bach_score", -5);
    metric_table_spec spec = {.id = id,
                              .metric = metric,
                              .rows = AXIS_LEARNER,
                              .columns = AXIS_SAMPLES,
                              .normalise_by = base,
                              .aggregate = AGGREGATE_MEAN,
                              .decimals = -1};
    for (int order = 0; order < 2; order++) {
        spec.ratio = order ? MEAN_OF_RATIOS : RATIO_OF_MEANS;
        assert_ok(metric_table_compute(&m.outputs, &spec, m.records, m.n, NULL, &t, &err), &err);
        assert_close(t.cells[0].value, 1, 0);
        assert_int_equal(t.cells[0].n, 2);
        assert_close(t.cells[1].value, 0.8, 1e-12);
        assert_int_equal(t.cells[1].n, 1); /* q is left out for x alone */
        bool is_said = false;
        for (size_t i = 0; i < t.n_notes; i++)
            is_said = is_said || strstr(t.notes[i], "different signs: x 1 data set.");
        assert_true(is_said);
        table_clear(&t);
    }
    clear_results(&m);
}

/* ---- declarations ---- */

static void assert_refused(const char *rest, const char *words) {
    char text[2000];
    experiment e = {0};
    error_info err = {0};
    (void)snprintf(text, sizeof text, "name: x\n%s", rest);
    assert_int_equal(experiment_parse(text, strlen(text), "x.yaml", &e, &err), STATUS_PARSE);
    assert_message_has(&err, words);
}

static void bad_declarations_are_refused_with_what_would_do(void **state) {
#define REST "data: {samples: all, test_samples: 0}\nlearners: [hc]\n"
    (void)state;
    assert_refused("networks: [asia, pima]\n" REST, "samples is 'all', but 'asia' is no data set");
    assert_refused("networks: [pima]\n" REST "plots: [{id: p, kind: policy}]\n", "needs 'network'");
    assert_refused("networks: [pima]\n" REST "plots: [{id: p, kind: policy, network: asia}]\n", "no network of this");
    assert_refused("networks: [pima]\n" REST "plots: [{id: p, kind: policy, network: pima, x: time}]\n", "unknown key");
    assert_refused("networks: [pima]\n" REST "tables: [{id: t, kind: policies, metric: shd}]\n", "unknown key");
    assert_refused("networks: [{tile: pima, copies: 3}]\n" REST, "is a data set; only networks are tiled");
    assert_refused("networks: [pima]\ndata: {samples: 9, test_samples: 0}\n"
                   "learners: [{learner: hc, discretize: eqfreq, discrete_as: numbers}]\n",
                   "leave one out");
    assert_refused("networks: [pima]\ndata: {samples: 9, test_samples: 0}\n"
                   "learners: [{learner: hc, discrete_as: letters}]\n",
                   "states|numbers");
#undef REST
}

static void a_data_set_of_the_catalogue_is_named_like_a_network(void **state) {
    experiment e = declare("name: x\nnetworks: [asia, pima]\ndata: {samples: 100}\nlearners: [hc]\n");
    (void)state;
    assert_int_equal(e.sources[0].kind, SOURCE_NETWORK);
    assert_int_equal(e.sources[1].kind, SOURCE_DATA);
    assert_string_equal(e.outputs.networks[1], "pima");
    experiment_clear(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_policy_reads_back_as_it_was_written),
        cmocka_unit_test(every_value_is_in_a_bin_however_far_apart_they_are),
        cmocka_unit_test(a_text_that_is_no_policy_is_refused),
        cmocka_unit_test(every_job_that_was_discretized_keeps_its_policy),
        cmocka_unit_test(the_report_has_tables_and_a_plot_of_them),
        cmocka_unit_test(a_plot_has_a_panel_a_variable_and_a_lane_a_learner),
        cmocka_unit_test(a_ratio_of_two_signs_is_not_formed),
        cmocka_unit_test(bad_declarations_are_refused_with_what_would_do),
        cmocka_unit_test(a_data_set_of_the_catalogue_is_named_like_a_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
