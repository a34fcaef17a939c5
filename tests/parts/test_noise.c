/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The noise level as a dimension of an experiment: declared, planned, run, stored, in tables, tests and plots. */
#include "tests/support/plots.h"
#include "tests/support/run_support.h"

#include "parts/plots/plot.h"
#include "parts/tables/table.h"
#include "parts/tests/friedman_part.h"
#include "parts/tests/wilcoxon_part.h"
#include "report/difference/difference.h"
#include "runner/job/job_internal.h"
#include "runner/job/record_file_internal.h"
#include "runner/plan/plan_internal.h"

#include <math.h>

#define HEAD "name: x\nseed: 3\nnetworks: [asia]\n"
#define NOISY "data: {samples: [60, 120], replicates: 2, test_samples: 80, continuize: {sigma: [0.3, 0.5]}}\n"
#define LEARNERS                                                                                                       \
    "learners: [{id: a, learner: hc, discretize: {method: eqwidth, k: 2}}, {id: b, learner: empty},\n"                 \
    "           {id: c, learner: hc, score: bic-g}]\n"

/* ---- declaration ---- */

static void assert_refused(const char *text, const char *words) {
    experiment e = {0};
    error_info err = {0};
    assert_int_equal(experiment_parse(text, strlen(text), "x.yaml", &e, &err), STATUS_PARSE);
    assert_message_has(&err, words);
}

static void noise_levels_are_declared_one_or_several(void **state) {
    experiment e = declare(HEAD NOISY LEARNERS);
    (void)state;
    assert_int_equal(e.outputs.n_sigmas, 2);
    assert_close(e.outputs.sigmas[1], 0.5, 0);
    experiment_clear(&e);
    e = declare(HEAD "data: {samples: [60], continuize: {sigma: 0.35}}\n" LEARNERS);
    assert_int_equal(e.outputs.n_sigmas, 1);
    experiment_clear(&e);
    e = declare(HEAD "data: {samples: [60]}\nlearners: [hc]\n");
    assert_int_equal(e.outputs.n_sigmas, 0);
    experiment_clear(&e);
}

#define WITH(continuize) HEAD "data: {samples: [60], continuize: " continuize "}\n" LEARNERS

static void what_is_no_noise_level_is_refused(void **state) {
    (void)state;
    assert_refused(WITH("{sigma: 0}"), "x.yaml:4:43: sigma must be a number above 0");
    assert_refused(WITH("{sigma: [0.3, -1]}"), "must be a number above 0");
    assert_refused(WITH("{sigma: wide}"), "must be a number above 0");
    assert_refused(WITH("{sigma: [0.3, 0.30]}"), "the noise level 0.3 stands here a second time");
    assert_refused(WITH("{sigma: []}"), "sigma");
    assert_refused(WITH("{width: 1}"), "unknown key 'width'");
    assert_refused(WITH("{}"), "continuize needs 'sigma'");
    assert_refused(
        "name: x\nnetworks: [{id: web, genes: 20}]\ndata: {samples: [60], continuize: {sigma: 1}}\n" LEARNERS,
        "web is a network of genes");
    assert_refused("name: x\nnetworks: [{dataset: cells}]\ndata: {samples: [60], continuize: {sigma: 1}}\n" LEARNERS,
                   "cells is a data set");
}

static void a_learner_of_discrete_data_needs_a_discretizer(void **state) {
    (void)state;
    assert_refused(HEAD NOISY "learners: [tpda]\n", "x.yaml:5:12: tpda takes discrete data");
    assert_refused(HEAD NOISY "learners: [hc]\n", "hc with score=bdeu takes discrete data");
    assert_refused(HEAD NOISY "learners: [{learner: pc, test: g2}]\n", "pc with test=g2 takes discrete data");
    assert_refused(HEAD NOISY "learners: [{learner: hc, score: [bic-g, bic]}]\n", "give 'hc:score=bic' a 'discretize'");
    assert_refused(HEAD NOISY "learners: [{learner: pc, test: zf, discretize: eqfreq}]\n", "leave it out of 'pc'");
    assert_refused(HEAD NOISY "learners: [{id: best, by: bdeu_train, best_of: [gts]}]\n", "gts with score=bdeu");
    experiment e = declare(HEAD NOISY "discretize: eqfreq\nlearners: [tpda, {id: own, command: [x]}]\n");
    experiment_clear(&e);
}

static void tables_and_plots_by_noise_need_noise(void **state) {
    static const char plain[] = HEAD "data: {samples: [60]}\nlearners: [hc, gts]\n";
    char text[1000];
    (void)state;
    (void)snprintf(text, sizeof text, "%stables: [{id: t, metric: shd, rows: sigma}]\n", plain);
    assert_refused(text, "no noise levels");
    (void)snprintf(text, sizeof text, "%stables: [{id: t, metric: shd, sigma: [0.3]}]\n", plain);
    assert_refused(text, "no noise levels");
    (void)snprintf(text, sizeof text, "%splots: [{id: p, kind: line, x: sigma, y: shd}]\n", plain);
    assert_refused(text, "no noise levels");
    assert_refused(HEAD NOISY LEARNERS "only: {sigma: 0.4}\n", "only.sigma is 0.4, which is no noise level");
    assert_refused(HEAD NOISY LEARNERS "tables: [{id: t, metric: shd, rows: sigma, columns: sigma}]\n", "must differ");
    assert_refused(HEAD NOISY LEARNERS "tables: [{id: t, metric: shd, rows: sigma, columns: network}]\n",
                   "one must be learner");
    assert_refused(HEAD NOISY LEARNERS "tables: [{id: t, metric: shd, rows: network, sigma: [7]}]\n",
                   "sigma is no noise level of this experiment");
    assert_refused(HEAD NOISY LEARNERS "tables: [{id: t, metric: shd, rows: network, sigma: [0.3, 0.3]}]\n",
                   "named twice");
}

static void pools_are_of_learners_that_the_table_shows(void **state) {
    char text[1000];
    static const char *const cases[][2] = {
        {"{a: [b, c]}", "has the name of a learner"},
        {"{p: [a, z]}", "no learner of this experiment"},
        {"{p: [a, b], q: [b, c]}", "'b' stands in two of its lists"},
        {"[a, b]", "must be a mapping"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)snprintf(text, sizeof text, HEAD NOISY LEARNERS "tables: [{id: t, metric: shd, pool: %s}]\n",
                       cases[i][0]);
        assert_refused(text, cases[i][1]);
    }
    assert_refused(HEAD NOISY LEARNERS "tables: [{id: t, metric: shd, learners: [a, b], pool: {p: [a, c]}}]\n",
                   "'c' is not among the learners of this table");
}

static void values_are_multiplied_by_numbers_above_0(void **state) {
    char text[1000];
    static const char *const cases[][2] = {
        {"{twice: [b]}", "'twice' is no number above 0"},
        {"{0: [b]}", "'0' is no number above 0"},
        {"{2: [z]}", "no learner of this experiment"},
        {"{2: [a], 5: [a]}", "'a' stands in two"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)snprintf(text, sizeof text, HEAD NOISY LEARNERS "tables: [{id: t, metric: shd, multiply: %s}]\n",
                       cases[i][0]);
        assert_refused(text, cases[i][1]);
    }
}

/* ---- plan ---- */

static void key_of(const char *text, size_t cell, char key[PLAN_KEY_SIZE]) {
    experiment e = declare(text);
    plan *p = NULL;
    error_info err = {0};
    assert_ok(plan_create(&e, &p, &err), &err);
    assert_ok(plan_key(p, cell, key, &err), &err);
    plan_destroy(p);
    experiment_clear(&e);
}

/* A store of before there were noise levels must go on: this key was computed then. */
static void without_noise_a_key_is_what_it_was(void **state) {
    char key[PLAN_KEY_SIZE];
    (void)state;
    key_of("name: x\nseed: 3\nnetworks: [asia]\ndata: {samples: [100], test_samples: 200}\nlearners: [empty]\n", 0,
           key);
    assert_string_equal(key, "12bcdb539c3365b2d9ff393667dfea034cf1642497459a41d4e85e9273c969e6");
}

static void the_noise_level_is_part_of_key_and_data_but_not_of_streams(void **state) {
    experiment e = declare(HEAD NOISY LEARNERS);
    plan *p = NULL;
    char keys[2][PLAN_KEY_SIZE], digests[2][PLAN_KEY_SIZE], bare[PLAN_KEY_SIZE];
    plan_cell low, high;
    error_info err = {0};
    (void)state;
    assert_ok(plan_create(&e, &p, &err), &err);
    assert_ok(plan_load_networks(p, &err), &err);
    assert_int_equal(plan_cell_count(p), 2 * 2 * 2 * 3);
    low = plan_cell_at(p, 0);
    high = plan_cell_at(p, 2 * 3); /* the same data set at the next level */
    assert_int_equal(low.sigma, 0);
    assert_int_equal(high.sigma, 1);
    assert_int_equal(low.replicate, high.replicate);
    assert_int_equal(low.size, high.size);
    assert_close(plan_sigma(p, &high), 0.5, 0);
    assert_ok(plan_key(p, 0, keys[0], &err), &err);
    assert_ok(plan_key(p, 2 * 3, keys[1], &err), &err);
    assert_string_not_equal(keys[0], keys[1]);
    assert_ok(plan_data_digest(p, &low, digests[0], &err), &err);
    assert_ok(plan_data_digest(p, &high, digests[1], &err), &err);
    assert_string_not_equal(digests[0], digests[1]);
    assert_true(plan_data_key(p, &low).hash == plan_data_key(p, &high).hash);
    assert_true(plan_learner_seed(p, &low) == plan_learner_seed(p, &high));
    key_of(HEAD "data: {samples: [60, 120], replicates: 2, test_samples: 80}\nlearners: [{id: b, learner: empty}]\n", 0,
           bare);
    key_of(HEAD "data: {samples: [60, 120], replicates: 2, test_samples: 80, continuize: {sigma: 1}}\n"
                "learners: [{id: b, learner: empty}]\n",
           0, keys[0]);
    assert_string_not_equal(bare, keys[0]);
    plan_destroy(p);
    experiment_clear(&e);
}

static void a_label_names_the_noise_level(void **state) {
    experiment e = declare(HEAD NOISY LEARNERS "only: {sigma: 0.5, learner: c}\n");
    plan *p = NULL;
    char label[200];
    error_info err = {0};
    (void)state;
    assert_ok(plan_create(&e, &p, &err), &err);
    assert_int_equal(plan_cell_count(p), 4);
    assert_string_equal(plan_cell_label(p, 0, label, sizeof label), "asia, 60 rows, sigma 0.5, replicate 1, c");
    plan_destroy(p);
    experiment_clear(&e);
}

static void test_rows_are_made_continuous_by_the_same_rule(void **state) {
    experiment e = declare(HEAD NOISY LEARNERS);
    plan *p = NULL;
    job noisy = {0};
    job_data data = {0};
    error_info err = {0};
    (void)state;
    assert_ok(plan_create(&e, &p, &err), &err);
    assert_ok(job_init(p, 1, &noisy, &err), &err); /* empty: it takes the data as they are */
    assert_ok(job_data_make(&noisy, &data, &err), &err);
    assert_int_equal(data.n_tests, 1);
    for (size_t c = 0; c < 8; c++) {
        assert_non_null(dataset_reals(data.train, c));
        assert_non_null(dataset_reals(data.tests[0], c));
        assert_true(dataset_reals(data.train, c)[0] != dataset_reals(data.tests[0], c)[0]);
    }
    job_data_clear(&data);
    plan_destroy(p);
    experiment_clear(&e);
}

/* ---- run and store ---- */

static void a_run_has_every_level_and_goes_on_where_it_stopped(void **state) {
    const char *folder = new_store(), *other = new_store();
    experiment some = declare(HEAD NOISY LEARNERS "only: {sigma: 0.3}\n"), all = declare(HEAD NOISY LEARNERS);
    run_counts counts = run_in(&some, folder, 1);
    record_list records;
    size_t n_low = 0;
    planned_run planned = {.wants_cells = true};
    error_info err = {0};
    (void)state;
    assert_int_equal(counts.done, 12);
    assert_ok(runner_describe_plan(&all, folder, false, 1, NULL, &planned, &err), &err);
    assert_int_equal(planned.counts.done, 12);
    assert_int_equal(planned.counts.left, 12);
    assert_non_null(strstr(planned.cells.data, "asia, 120 rows, sigma 0.3, replicate 2, c: done"));
    assert_non_null(strstr(planned.cells.data, "asia, 120 rows, sigma 0.5, replicate 2, c: to run"));
    counts = run_in(&all, folder, 2);
    assert_int_equal(counts.done, 24);
    records = read_records(folder);
    assert_int_equal(records.n, 24);
    for (size_t i = 0; i < records.n; i++) {
        const job_record *r = &records.items[i];
        n_low += r->sigma == 0.3;
        assert_true(r->sigma == 0.3 || r->sigma == 0.5);
        assert_non_null(job_record_metric(r, "shd"));
        assert_true((job_record_metric(r, "bdeu_test") != NULL) == (strcmp(r->learner, "a") == 0));
        assert_true(*job_record_metric(r, "total_time") >= *job_record_metric(r, "time"));
    }
    assert_int_equal(n_low, 12);
    assert_string_not_equal(records.items[0].fingerprint, records.items[6].fingerprint);
    (void)run_in(&all, other, 1);
    assert_same_results(folder, other);
    job_records_destroy(records.items, records.n);
    planned_run_clear(&planned);
    experiment_clear(&some);
    experiment_clear(&all);
}

static void what_is_missing_is_explained_by_level(void **state) {
    const char *folder = new_store();
    experiment e = declare("name: x\nnetworks: [asia]\n"
                           "data: {samples: [50], replicates: 1, test_samples: 0, continuize: {sigma: [0.3, 0.5]}}\n"
                           "learners: [{learner: bach}, {id: fails, command: [\"false\"]}]\n");
    store *s = NULL;
    text_buffer words = {0};
    error_info err = {0};
    (void)state;
    assert_int_equal(run_in(&e, folder, 1).failed, 2);
    assert_ok(store_open(folder, false, false, &s, &err), &err);
    explain_stored(s, &words);
    assert_non_null(strstr(words.data, "asia, 50 rows, sigma 0.3, replicate 1, fails: failed"));
    assert_non_null(strstr(words.data, "asia, 50 rows, sigma 0.5, replicate 1, fails: failed"));
    text_buffer_clear(&words);
    store_close(s);
    experiment_clear(&e);
}

static void a_record_file_carries_the_level(void **state) {
    char *path = path_join(scratch_folder(), "r.json");
    job_record r = {.key = text_copy("k"), .network = text_copy("n"), .learner = text_copy("l"), .sigma = 0.35},
               back = {0};
    error_info err = {0};
    (void)state;
    assert_ok(record_write(&r, path, &err), &err);
    assert_ok(record_read(path, &back, &err), &err);
    assert_close(back.sigma, 0.35, 0);
    job_record_clear(&back);
    job_record_clear(&r);
    free(path);
}

/* ---- tables, tests and plots ---- */

static const char *const networks[] = {"asia", "alarm", NULL}, *const learners[] = {"one", "two", "three", NULL};
static const size_t sizes[] = {500, 1000, 0};
static const double levels[] = {0.3, 0.4};

/* Of network w, size s, level g, replicate r, learner l. */
static double made_value(size_t w, size_t s, size_t g, size_t r, size_t l) {
    return 10 + 5 * (double)w + 2 * (double)s + 20 * (double)g + (double)r + 100 * (double)l;
}

static made_results make_noisy_results(void) {
    made_results m = make_results(networks, sizes, 2, learners);
    m.outputs.sigmas = calloc(2, sizeof *m.outputs.sigmas);
    memcpy(m.outputs.sigmas, levels, sizeof levels);
    m.outputs.n_sigmas = 2;
    for (size_t i = 0; i < 48; i++) {
        size_t w = i / 24, s = i / 12 % 2, g = i / 6 % 2, r = i / 3 % 2, l = i % 3;
        add_done(&m, networks[w], sizes[s], r, learners[l], "shd", made_value(w, s, g, r, l))->sigma = levels[g];
    }
    return m;
}

static table compute(const made_results *m, const metric_table_spec *spec) {
    table t = {0};
    error_info err = {0};
    assert_ok(metric_table_compute(&m->outputs, spec, m->records, m->n, NULL, &t, &err), &err);
    return t;
}

static void a_table_has_a_row_for_each_level(void **state) {
    made_results m = make_noisy_results();
    metric_table_spec *spec = add_table(&m, "t", "shd", NULL);
    table t;
    (void)state;
    spec->rows = AXIS_SIGMA;
    spec->aggregate = AGGREGATE_MEAN;
    t = compute(&m, spec);
    assert_int_equal(t.n_rows, 2); /* no average */
    assert_string_equal(t.row_heading, "sigma");
    assert_string_equal(t.row_names[1], "0.4");
    for (size_t g = 0; g < 2; g++) {
        for (size_t l = 0; l < 3; l++) /* mean over two networks, two sizes, two replicates */
            assert_close(t.cells[g * 3 + l].value, 10 + 2.5 + 1 + 20 * (double)g + 0.5 + 100 * (double)l, 1e-12);
        assert_int_equal(t.cells[g * 3].n, 8);
    }
    assert_non_null(strstr(t.notes[0], "Mean over 4 pairs of network and sample size"));
    table_clear(&t);
    clear_results(&m);
}

static void a_table_takes_the_levels_that_it_names(void **state) {
    made_results m = make_noisy_results();
    metric_table_spec *spec = add_table(&m, "t", "shd", NULL);
    table t;
    (void)state;
    spec->aggregate = AGGREGATE_MEAN;
    t = compute(&m, spec); /* samples by learner, over both levels */
    assert_close(t.cells[0].value, 10 + 2.5 + 10 + 0.5, 1e-12);
    assert_int_equal(t.cells[0].of, 8);
    table_clear(&t);
    spec->sigmas = calloc(1, sizeof *spec->sigmas);
    spec->sigmas[spec->n_sigmas++] = 0.4;
    t = compute(&m, spec);
    assert_close(t.cells[0].value, 10 + 2.5 + 20 + 0.5, 1e-12);
    assert_int_equal(t.cells[0].of, 4);
    table_clear(&t);
    spec->rows = AXIS_NETWORK;
    t = compute(&m, spec);
    assert_close(t.cells[3].value, 10 + 5 + 1 + 20 + 0.5, 1e-12); /* alarm, one */
    table_clear(&t);
    spec->sigmas[0] = 0.35; /* nothing was run there */
    t = compute(&m, spec);
    assert_int_equal(t.cells[0].kind, CELL_NOT_RUN);
    table_clear(&t);
    clear_results(&m);
}

static void without_levels_noisy_results_are_left_out(void **state) {
    made_results m = make_noisy_results();
    metric_table_spec *spec = add_table(&m, "t", "shd", NULL);
    table t;
    (void)state;
    m.outputs.n_sigmas = 0;
    add_done(&m, "asia", 500, 0, "one", "shd", 7);
    t = compute(&m, spec);
    assert_close(t.cells[0].value, 7, 0);
    assert_int_equal(t.cells[0].n, 1);
    table_clear(&t);
    clear_results(&m);
}

static void a_pool_is_the_mean_of_its_learners(void **state) {
    made_results m = make_noisy_results();
    metric_table_spec *spec = add_table(&m, "t", "shd", NULL);
    option_pool *pool = calloc(1, sizeof *pool);
    table t;
    (void)state;
    spec->aggregate = AGGREGATE_MEAN;
    spec->pools = pool;
    spec->n_pools = 1;
    *pool = (option_pool){.id = text_copy("outer"), .n_parts = 2, .parts = calloc(2, sizeof(char *))};
    pool->parts[0] = text_copy("one");
    pool->parts[1] = text_copy("three");
    t = compute(&m, spec);
    assert_int_equal(t.n_columns, 2);
    assert_string_equal(t.column_names[0], "outer");
    assert_string_equal(t.column_names[1], "two");
    assert_close(t.cells[0].value, 10 + 2.5 + 10 + 0.5 + 100, 1e-12);
    assert_int_equal(t.cells[0].of, 16);
    assert_non_null(strstr(t.notes[0], "outer: the mean of the figures of one, three."));
    table_clear(&t);
    spec->normalise_by = text_copy("three"); /* a ratio each, then their mean */
    t = compute(&m, spec);
    assert_that(t.cells[0].value, >, 0.5);
    assert_that(t.cells[0].value, <, 1);
    table_clear(&t);
    job_record_clear(&m.records[0]); /* without a result of one of them on a data set, none of that set for any */
    m.records[0] = m.records[--m.n];
    t = compute(&m, spec);
    assert_int_equal(t.cells[0].n, 14);
    table_clear(&t);
    clear_results(&m);
}

static void values_count_as_often_as_the_table_says(void **state) {
    made_results m = make_noisy_results();
    metric_table_spec *spec = add_table(&m, "t", "shd", NULL);
    option_pool *group = calloc(1, sizeof *group);
    table t;
    double once, other;
    (void)state;
    spec->aggregate = AGGREGATE_MEAN;
    spec->normalise_by = text_copy("one");
    t = compute(&m, spec);
    other = t.cells[1].value;
    table_clear(&t);
    free(spec->normalise_by);
    spec->normalise_by = NULL;
    t = compute(&m, spec);
    once = t.cells[0].value;
    table_clear(&t);
    spec->multiply = group;
    spec->n_multiply = 1;
    *group = (option_pool){.id = text_copy("4"), .n_parts = 1, .parts = calloc(1, sizeof(char *))};
    group->parts[0] = text_copy("one");
    t = compute(&m, spec);
    assert_close(t.cells[0].value, 4 * once, 1e-12);
    assert_non_null(strstr(t.notes[0], "Multiplied by 4: one."));
    table_clear(&t);
    spec->normalise_by = text_copy("one"); /* both are, value and baseline */
    t = compute(&m, spec);
    assert_close(t.cells[0].value, 1, 1e-12);
    assert_close(t.cells[1].value, other / 4, 1e-12);
    table_clear(&t);
    clear_results(&m);
}

static void values_of_another_metric_are_added_so_many_times(void **state) {
    made_results m = make_noisy_results();
    metric_table_spec *spec = add_table(&m, "t", "shd", NULL);
    table t;
    double once;
    (void)state;
    spec->aggregate = AGGREGATE_MEAN;
    t = compute(&m, spec);
    once = t.cells[0].value;
    table_clear(&t);
    spec->plus = text_copy("shd");
    spec->plus_times = 2;
    t = compute(&m, spec);
    assert_close(t.cells[0].value, 3 * once, 1e-12);
    assert_non_null(strstr(t.notes[0], "To each value 2 times its shd are added."));
    table_clear(&t);
    spec->plus[0] = 'x'; /* a metric that no cell has: nor has it the sum */
    t = compute(&m, spec);
    assert_int_not_equal(t.cells[0].kind, CELL_FIGURE);
    table_clear(&t);
    clear_results(&m);
}

static void ranks_are_taken_on_each_network_at_each_level(void **state) {
    made_results m = make_noisy_results();
    test_spec shared = {.id = (char *)"f", .metric = (char *)"shd", .alpha = 0.05};
    friedman_spec ranks = {.shared = shared};
    wilcoxon_spec pairs = {.shared = shared};
    significance s = {0};
    error_info err = {0};
    (void)state;
    assert_ok(friedman_compute(&m.outputs, &ranks, m.records, m.n, NULL, &s, &err), &err);
    assert_int_equal(s.groups[0].n_blocks, 4);
    assert_close(s.groups[0].learners[0].mean_rank, 1, 1e-12);
    significance_clear(&s);
    assert_ok(wilcoxon_compute(&m.outputs, &pairs, m.records, m.n, NULL, NULL, &s, &err), &err);
    assert_int_equal(s.n_cells, 8);
    assert_string_equal(s.places[1], "asia (sigma 0.4)");
    assert_int_equal(s.verdicts[0].n_pairs, 2);
    significance_clear(&s);
    clear_results(&m);
}

static void a_line_by_noise_has_a_point_for_each_level(void **state) {
    made_results m = make_noisy_results();
    points_spec *spec = add_points(&m, "p", "line", "sigma", "shd", NULL);
    plot p;
    text_buffer text = {0};
    (void)state;
    spec->samples = 1000;
    p = compute_plot(&m, spec);
    assert_int_equal(p.n_points, 6);
    assert_close(p.points[0].x.middle, 0.3, 0);
    assert_close(p.points[1].x.middle, 0.4, 0);
    assert_int_equal(p.points[0].of, 4);           /* two networks, two replicates, one size */
    assert_close(p.points[1].y.middle, 35, 1e-12); /* the median of 32.5 and 37.5 */
    plot_append_csv(&p, &text);
    assert_non_null(strstr(text.data, "learner,sigma,n,of,x,"));
    assert_non_null(strstr(text.data, "one,0.4,4,4,0.4,"));
    text_buffer_clear(&text);
    plot_append_script(&p, "p", &text);
    assert_non_null(strstr(text.data, "set xtics (0.3, 0.4)"));
    assert_non_null(strstr(text.data, "yerrorbars"));
    text_buffer_clear(&text);
    plot_clear(&p);
    clear_results(&m);
}

static void means_of_a_plot_are_those_of_a_table_with_their_errors(void **state) {
    made_results m = make_noisy_results();
    points_spec *spec = add_points(&m, "p", "line", "sigma", "shd", NULL);
    metric_table_spec *like = add_table(&m, "t", "shd", "two");
    plot p;
    table t;
    (void)state;
    spec->aggregate = AGGREGATE_MEAN;
    p = compute_plot(&m, spec);
    assert_close(p.points[0].y.middle, 10 + 2.5 + 1 + 0.5, 1e-12);
    /* four groups of two values that lie 1 apart: each mean has the variance 1/4, theirs (4 / 4) / 16 */
    assert_close(p.points[0].y.high - p.points[0].y.middle, 0.25, 1e-12);
    plot_clear(&p);
    spec->normalise_by = text_copy("two");
    p = compute_plot(&m, spec);
    like->rows = AXIS_SIGMA;
    like->aggregate = AGGREGATE_MEAN;
    t = compute(&m, like);
    assert_close(p.points[0].y.middle, t.cells[0].value, 1e-12);
    assert_close(p.points[5].y.middle, t.cells[3 + 2].value, 1e-12);
    assert_close(p.points[2].y.high, 1, 1e-12); /* the baseline itself has no error */
    table_clear(&t);
    plot_clear(&p);
    clear_results(&m);
}

static void names_stand_beside_the_points_where_asked_and_do_not_cover_each_other(void **state) {
    made_results m = make_noisy_results();
    points_spec *spec = add_points(&m, "p", "scatter", "time", "shd", NULL);
    plot p;
    text_buffer text = {0};
    double at[3][2];
    size_t n = 0;
    (void)state;
    for (size_t i = 0; i < m.n; i++) /* three points that nearly coincide */
        set_metric(&m.records[i], "time", 1 + 0.001 * (double)(i % 3)), set_metric(&m.records[i], "shd", 20);
    spec->samples = 500;
    spec->style.key = PLOT_KEY_POINTS;
    p = compute_plot(&m, spec);
    plot_append_script(&p, "p", &text);
    assert_non_null(strstr(text.data, "unset key"));
    for (const char *label = text.data; (label = strstr(label, " at graph ")) && n < 3; n++) {
        assert_int_equal(sscanf(label, " at graph %lf, graph %lf", &at[n][0], &at[n][1]), 2);
        label++;
    }
    assert_int_equal(n, 3);
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < i; k++) /* a letter's height or a name's width apart */
            assert_true(fabs(at[i][0] - at[k][0]) > 0.02 || fabs(at[i][1] - at[k][1]) > 0.03);
    }
    text_buffer_clear(&text);
    plot_clear(&p);
    clear_results(&m);
}

static void two_runs_are_compared_level_by_level(void **state) {
    made_results a = make_noisy_results(), b = make_noisy_results();
    difference_options options = {.max_slowdown = 1.2, .alpha = 0.01};
    difference d = {0};
    text_buffer text = {0};
    error_info err = {0};
    (void)state;
    for (size_t i = 0; i < b.n; i++) {
        if (b.records[i].sigma == 0.4 && strcmp(b.records[i].learner, "one") == 0)
            set_metric(&b.records[i], "shd", 1000);
    }
    assert_ok(difference_measure(a.records, a.n, b.records, b.n, &options, &d, &err), &err);
    assert_int_equal(d.n_cells, 24);
    assert_int_equal(d.n_compared, 48);
    for (size_t i = 0; i < d.n_cells; i++)
        assert_int_equal(d.cells[i].verdict != CHANGE_NONE,
                         d.cells[i].sigma == 0.4 && strcmp(d.cells[i].learner, "one") == 0);
    difference_append_text(&d, &options, &text);
    assert_non_null(strstr(text.data, "500 rows, sigma 0.4, one"));
    text_buffer_clear(&text);
    difference_clear(&d);
    clear_results(&a);
    clear_results(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_levels_are_declared_one_or_several),
        cmocka_unit_test(what_is_no_noise_level_is_refused),
        cmocka_unit_test(a_learner_of_discrete_data_needs_a_discretizer),
        cmocka_unit_test(tables_and_plots_by_noise_need_noise),
        cmocka_unit_test(pools_are_of_learners_that_the_table_shows),
        cmocka_unit_test(values_are_multiplied_by_numbers_above_0),
        cmocka_unit_test(without_noise_a_key_is_what_it_was),
        cmocka_unit_test(the_noise_level_is_part_of_key_and_data_but_not_of_streams),
        cmocka_unit_test(a_label_names_the_noise_level),
        cmocka_unit_test(test_rows_are_made_continuous_by_the_same_rule),
        cmocka_unit_test(a_run_has_every_level_and_goes_on_where_it_stopped),
        cmocka_unit_test(what_is_missing_is_explained_by_level),
        cmocka_unit_test(a_record_file_carries_the_level),
        cmocka_unit_test(a_table_has_a_row_for_each_level),
        cmocka_unit_test(a_table_takes_the_levels_that_it_names),
        cmocka_unit_test(without_levels_noisy_results_are_left_out),
        cmocka_unit_test(a_pool_is_the_mean_of_its_learners),
        cmocka_unit_test(values_count_as_often_as_the_table_says),
        cmocka_unit_test(values_of_another_metric_are_added_so_many_times),
        cmocka_unit_test(ranks_are_taken_on_each_network_at_each_level),
        cmocka_unit_test(a_line_by_noise_has_a_point_for_each_level),
        cmocka_unit_test(means_of_a_plot_are_those_of_a_table_with_their_errors),
        cmocka_unit_test(names_stand_beside_the_points_where_asked_and_do_not_cover_each_other),
        cmocka_unit_test(two_runs_are_compared_level_by_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
