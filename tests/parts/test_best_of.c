/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learners that hang on others: the best of several, and budgets that are another one's time. */
#include "tests/support/records.h"
#include "tests/support/run_support.h"

#include "parts/figures/best_of.h"
#include "parts/tables/table.h"
#include "runner/job/job_internal.h"

#include <math.h>
#include <unistd.h>

#include <jansson.h>
#include <sys/wait.h>

#define HEAD "name: x\nnetworks: [asia]\ndata: {samples: [100], replicates: 2}\n"

/* ---- what is declared ---- */

static void parts_are_learners_of_their_own_that_tables_do_not_show(void **state) {
    (void)state;
    experiment e = declare(HEAD "learners:\n"
                                "  - hc\n"
                                "  - {id: best, best_of: [{learner: sc, k: [1, 2]}, hc, gts], by: bdeu_train}\n"
                                "  - empty\n");
    static const char *const ids[] = {"hc", "best", "sc:k=1", "sc:k=2", "gts", "empty"};
    static const bool hidden[] = {false, false, true, true, true, false};
    experiment_outputs view;
    const best_of_spec *b = outputs_find_best_of(&e.outputs, "best");
    assert_int_equal(e.n_variants, 5);
    assert_int_equal(e.outputs.n_learners, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(e.outputs.learners[i], ids[i]);
        assert_int_equal(e.outputs.is_hidden[i], hidden[i]);
    }
    assert_non_null(b);
    assert_int_equal(b->n_parts, 4);
    assert_string_equal(b->parts[0], "sc:k=1");
    assert_string_equal(b->parts[2], "hc"); /* declared above, and shown as before */
    assert_string_equal(b->by, "bdeu_train");
    assert_false(b->needs_all);
    assert_true(outputs_with_learners(&e.outputs, NULL, 0, &view));
    assert_int_equal(view.n_learners, 3);
    assert_string_equal(view.learners[1], "best");
    free(view.learners);
    experiment_clear(&e);
}

static void a_budget_may_be_times_another_learners_time(void **state) {
    (void)state;
    experiment e = declare(HEAD "learners:\n"
                                "  - mmhc\n"
                                "  - {learner: or, max_parents: [5, 10], budget: [{times: 2, of: mmhc}, 0.5]}\n"
                                "  - {id: one, learner: or, budget: {of: mmhc}}\n");
    assert_int_equal(e.n_variants, 6);
    assert_string_equal(e.variants[1].id, "or:max_parents=5:budget=2xmmhc");
    assert_true(e.variants[1].budget.is_relative);
    assert_close(e.variants[1].budget.times, 2, 0);
    assert_int_equal(e.variants[1].budget.base, 0);
    assert_string_equal(e.variants[2].id, "or:max_parents=5:budget=0.5");
    assert_false(e.variants[2].budget.is_relative);
    assert_string_equal(e.variants[5].id, "one");
    assert_close(e.variants[5].budget.times, 1, 0);
    experiment_clear(&e);
}

static void nonsense_is_named_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *learners, *message;
    } cases[] = {
        {"{best_of: [hc, gts], by: shd}", "x.yaml:4:12: a best_of needs an 'id'"},
        {"{id: b, best_of: [hc], by: shd}", "x.yaml:4:29: best_of has one learner to choose from"},
        {"{id: b, best_of: [hc, hc], by: shd}", "x.yaml:4:34: 'hc' stands in best_of a second time"},
        {"{id: b, best_of: [hc, gts], by: sdh}", "x.yaml:4:44: unknown metric 'sdh'; did you mean 'shd'?"},
        {"{id: b, best_of: [hc, gts], by: shd, failures: worst}", "failures is 'worst'; it must be one of skip|fail"},
        {"{id: b, best_of: [hc, gts], by: shd, k: 3}", "unknown key 'k' in a best_of"},
        {"{id: b, best_of: [hc, {id: c, best_of: [gts, sc], by: shd}], by: shd}", "cannot be part of another"},
        {"{id: b, best_of: [hc, gts], by: shd}, {id: c, best_of: [b, sc], by: shd}",
         "'b' is the best of others itself"},
        {"{id: b, best_of: [hc, nosuch], by: shd}", "x.yaml:4:34: unknown learner 'nosuch'"},
        {"{learner: or, budget: {times: 2, of: mmhc}}", "x.yaml:4:49: no learner 'mmhc' stands above this one"},
        {"hc, {learner: or, budget: {times: 0, of: hc}}", "x.yaml:4:46: times must be a number above 0"},
        {"hc, {learner: or, budget: {times: 1}}", "'of' is missing"},
        {"hc, {learner: or, budget: {time: 1, of: hc}}", "unknown key 'time' in a budget; did you mean 'times'?"},
        {"hc, {learner: or, max_parents: {times: 1, of: hc}}", "max_parents of or must be a plain value"},
        {"hc, {id: a, learner: or, budget: {of: hc}}, {id: b, learner: or, budget: {of: a}}",
         "the budget of 'a' itself depends on another learner"},
        {"{id: b, best_of: [hc, gts], by: shd}, {learner: or, budget: {of: b}}", "'b' is the best of others"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_buffer text = {0};
        experiment e = {0};
        error_info err = {0};
        text_append_format(&text, HEAD "learners: [%s]\n", cases[i].learners);
        status st = experiment_parse(text.data, text.length, "x.yaml", &e, &err);
        if (st != STATUS_PARSE || !strstr(err.message, cases[i].message))
            fail_msg("%s gave '%s' and not '%s'", cases[i].learners, err.message, cases[i].message);
        text_buffer_clear(&text);
    }
}

/* ---- which part is chosen ---- */

static void declare_best(made_results *m, const char *by, bool needs_all) {
    experiment_outputs *o = &m->outputs;
    o->n_best_of = 1;
    o->best_of = calloc(1, sizeof *o->best_of);
    o->best_of[0] = (best_of_spec){.id = text_copy("best"), .by = text_copy(by), .needs_all = needs_all};
    o->best_of[0].parts = copy_names((const char *const[]){"a", "b", NULL}, &o->best_of[0].n_parts);
    o->is_hidden = calloc(3, sizeof *o->is_hidden);
    o->is_hidden[0] = o->is_hidden[1] = true;
}

static made_results one_network(size_t n_replicates) {
    return make_results((const char *const[]){"asia", NULL}, (const size_t[]){100, 0}, n_replicates,
                        (const char *const[]){"a", "b", "best", NULL});
}

static const char *chosen(const made_results *m, size_t replicate) {
    result_grid g = {0};
    error_info err = {0};
    const job_record *r;
    assert_ok(result_grid_create(&m->outputs, m->records, m->n, &g, &err), &err);
    r = g.records[result_grid_index(&g, 0, 0, replicate, 2)];
    result_grid_clear(&g);
    return r ? r->learner : "none";
}

static void more_or_less_is_better_as_the_metric_says(void **state) {
    (void)state;
    made_results m = one_network(2);
    declare_best(&m, "bdeu_train", false);
    add_done(&m, "asia", 100, 0, "a", "bdeu_train", -200);
    add_done(&m, "asia", 100, 0, "b", "bdeu_train", -100);
    add_done(&m, "asia", 100, 1, "a", "bdeu_train", -100);
    add_done(&m, "asia", 100, 1, "b", "bdeu_train", -200);
    for (size_t i = 0; i < 4; i++)
        set_metric(&m.records[i], "shd", i % 2 ? 9 : 3); /* b has more errors */
    assert_string_equal(chosen(&m, 0), "b");
    assert_string_equal(chosen(&m, 1), "a");
    free(m.outputs.best_of[0].by);
    m.outputs.best_of[0].by = text_copy("shd");
    assert_string_equal(chosen(&m, 0), "a");
    clear_results(&m);
}

static void of_equals_the_first_declared_is_taken(void **state) {
    (void)state;
    made_results m = one_network(2);
    declare_best(&m, "bdeu_train", false);
    add_done(&m, "asia", 100, 0, "b", "bdeu_train", -1000);
    add_done(&m, "asia", 100, 0, "a", "bdeu_train", -1000 * (1 + 1e-13)); /* the last digits of a sum */
    add_done(&m, "asia", 100, 1, "b", "bdeu_train", -1000);
    add_done(&m, "asia", 100, 1, "a", "bdeu_train", -1000.001);
    assert_string_equal(chosen(&m, 0), "a");
    assert_string_equal(chosen(&m, 1), "b");
    clear_results(&m);
}

static void a_part_that_failed_is_passed_over_or_fails_the_whole(void **state) {
    (void)state;
    made_results m = one_network(3);
    result_grid g = {0};
    best_of_counts counts = {0};
    text_buffer text = {0};
    error_info err = {0};
    declare_best(&m, "bdeu_train", false);
    add_record(&m, "asia", 100, 0, "a", JOB_TIMEOUT);
    add_done(&m, "asia", 100, 0, "b", "bdeu_train", -5);
    add_record(&m, "asia", 100, 1, "a", JOB_FAILED);
    add_record(&m, "asia", 100, 1, "b", JOB_MEMORY);
    add_done(&m, "asia", 100, 2, "a", "bdeu_train", -5); /* b has not run */
    assert_string_equal(chosen(&m, 0), "b");
    assert_string_equal(chosen(&m, 2), "none");
    assert_ok(result_grid_create(&m.outputs, m.records, m.n, &g, &err), &err);
    assert_int_equal(g.records[result_grid_index(&g, 0, 0, 1, 2)]->state, JOB_FAILED);
    result_grid_clear(&g);
    assert_ok(best_of_count(&m.outputs, &m.outputs.best_of[0], m.records, m.n, &counts, &err), &err);
    assert_int_equal(counts.n_chosen[0], 0);
    assert_int_equal(counts.n_chosen[1], 1);
    assert_int_equal(counts.n_unfinished[0], 2);
    assert_int_equal(counts.n_failed, 1);
    assert_int_equal(counts.n_not_run, 1);
    best_of_append_counts(&m.outputs.best_of[0], &counts, &text);
    assert_string_equal(text.data,
                        "best: of 2 learners the one with the best bdeu_train on each data set: a 0 (no result "
                        "on 2), b 1 (no result on 1) of 3 data sets; none on 1; 1 not run yet.");
    m.outputs.best_of[0].needs_all = true;
    assert_string_equal(chosen(&m, 0), "a"); /* the one that failed */
    best_of_counts_clear(&counts);
    text_buffer_clear(&text);
    clear_results(&m);
}

static const char *chosen_on(const experiment *e, const made_results *m, size_t place) {
    result_grid g = {0};
    error_info err = {0};
    const job_record *r;
    assert_ok(result_grid_create(&e->outputs, m->records, m->n, &g, &err), &err);
    r = g.records[result_grid_index(&g, place, 0, 0, 0)];
    result_grid_clear(&g);
    return r ? r->learner : "none";
}

/* Each network has a setting of its own, as in Vandel et al. 2012, and child has both. */
static void a_part_that_does_not_run_on_a_network_is_not_waited_for_there(void **state) {
    (void)state;
    experiment e = declare("name: x\nnetworks: [asia, cancer, child]\ndata: {samples: [100]}\nlearners:\n"
                           "  - id: best\n    best_of: [{id: a, learner: hc, networks: [asia, child]}, "
                           "{id: b, learner: hc, networks: [cancer, child]}]\n    by: bdeu_train\n");
    made_results m = make_results((const char *const[]){"asia", "cancer", "child", NULL}, (const size_t[]){100, 0}, 1,
                                  (const char *const[]){"a", "b", NULL});
    best_of_counts counts = {0};
    error_info err = {0};
    add_done(&m, "asia", 100, 0, "a", "bdeu_train", -200);
    add_done(&m, "cancer", 100, 0, "b", "bdeu_train", -100);
    add_done(&m, "child", 100, 0, "a", "bdeu_train", -300);
    assert_string_equal(chosen_on(&e, &m, 0), "a");
    assert_string_equal(chosen_on(&e, &m, 1), "b");
    assert_string_equal(chosen_on(&e, &m, 2), "none"); /* b may still come */
    assert_ok(best_of_count(&e.outputs, &e.outputs.best_of[0], m.records, m.n, &counts, &err), &err);
    assert_int_equal(counts.n_chosen[0], 1);
    assert_int_equal(counts.n_chosen[1], 1);
    assert_int_equal(counts.n_not_run, 1);
    e.outputs.best_of[0].needs_all = true;
    assert_string_equal(chosen_on(&e, &m, 0), "a");
    best_of_counts_clear(&counts);
    clear_results(&m);
    experiment_clear(&e);
}

static void a_table_shows_the_best_and_says_which_it_was(void **state) {
    (void)state;
    made_results m = one_network(2);
    table t = {0};
    error_info err = {0};
    declare_best(&m, "bdeu_train", false);
    for (size_t i = 0; i < 4; i++) {
        job_record *r = add_done(&m, "asia", 100, i / 2, i % 2 ? "b" : "a", "shd", i % 2 ? 4 : 8);
        set_metric(r, "bdeu_train", i == 1 ? -1 : -2); /* b on the first data set, then equal */
    }
    add_table(&m, "t", "shd", NULL);
    assert_ok(metric_table_compute(&m.outputs, m.parts.parts[0].options, m.records, m.n, NULL, &t, &err), &err);
    assert_int_equal(t.n_columns, 1);
    assert_string_equal(t.column_names[0], "best");
    assert_close(t.cells[0].value, 6, 1e-15);
    assert_non_null(strstr(t.notes[1], "a 1, b 1 of 2 data sets"));
    table_clear(&t);
    clear_results(&m);
}

static void a_table_has_the_learners_that_it_names_in_their_order(void **state) {
    (void)state;
    made_results m = make_results((const char *const[]){"asia", NULL}, (const size_t[]){100, 0}, 1,
                                  (const char *const[]){"a", "b", "c", NULL});
    table t = {0};
    error_info err = {0};
    metric_table_spec *spec;
    add_done(&m, "asia", 100, 0, "a", "shd", 8);
    add_done(&m, "asia", 100, 0, "b", "shd", 4);
    add_record(&m, "asia", 100, 0, "c", JOB_FAILED); /* no matter to a table that does not name it */
    spec = add_table(&m, "t", "shd", "a");
    spec->learners = copy_names((const char *const[]){"b", NULL}, &spec->n_learners);
    assert_ok(metric_table_compute(&m.outputs, spec, m.records, m.n, NULL, &t, &err), &err);
    assert_int_equal(t.n_columns, 1);
    assert_close(t.cells[0].value, 0.5, 1e-15); /* divided by one that is not shown */
    table_clear(&t);
    clear_results(&m);
}

static void a_sum_of_figures_is_not_the_figure_of_sums(void **state) {
    (void)state;
    static const double extra[] = {1, 10, 100}, missing[] = {5, 1, 3};
    static const char *const networks[] = {"x", "y", "z", NULL};
    made_results m = make_results(networks, (const size_t[]){100, 0}, 1, (const char *const[]){"a", "b", NULL});
    table t = {0};
    error_info err = {0};
    metric_table_spec *spec;
    for (size_t i = 0; i < 3; i++) {
        job_record *r = add_done(&m, networks[i], 100, 0, "a", "extra_edges", extra[i]);
        set_metric(r, "missing_edges", missing[i]);
        set_metric(r, "edge_errors", extra[i] + missing[i]);
    }
    spec = add_table(&m, "t", "edge_errors", NULL);
    spec->sum_of = copy_names((const char *const[]){"extra_edges", "missing_edges", NULL}, &spec->n_sum_of);
    assert_ok(metric_table_compute(&m.outputs, spec, m.records, m.n, NULL, &t, &err), &err);
    assert_close(t.cells[0].value, 10 + 3, 1e-15); /* the median of the sums is 11 */
    assert_int_equal(t.cells[1].kind, CELL_NOT_RUN);
    table_clear(&t);
    clear_results(&m);
}

/* ---- runs ---- */

static const char budgets[] = "name: b\n"
                              "networks: [asia, survey]\n"
                              "data: {samples: [200], replicates: 2, test_samples: 100}\n"
                              "learners:\n"
                              "  - mmhc\n"
                              "  - id: best-or\n"
                              "    by: bdeu_train\n"
                              "    best_of:\n"
                              "      - {learner: or, budget: [{times: 1, of: mmhc}, {times: 3, of: mmhc}]}\n";

static const job_record *find_record(const record_list *list, const char *network, size_t replicate,
                                     const char *learner_id) {
    for (size_t i = 0; i < list->n; i++) {
        const job_record *r = &list->items[i];
        if (strcmp(r->network, network) == 0 && r->replicate == replicate && strcmp(r->learner, learner_id) == 0)
            return r;
    }
    fail_msg("no record of %s on %s", learner_id, network);
    return NULL;
}

static double option_of(const job_record *r, const char *name) {
    json_t *options = json_loads(r->options, 0, NULL);
    double value = json_number_value(json_object_get(options, name));
    json_decref(options);
    return value;
}

/* Each budget is so many times what the other one took, and the record says so. */
static void assert_budgets(const char *store_folder, size_t n_wanted) {
    static const char *const networks[] = {"asia", "survey"};
    record_list list = read_records(store_folder);
    assert_int_equal(list.n, n_wanted);
    for (size_t i = 0; i < 4; i++) {
        const job_record *base = find_record(&list, networks[i / 2], i % 2, "mmhc");
        for (int times = 1; times <= 3; times += 2) {
            const job_record *r =
                find_record(&list, networks[i / 2], i % 2, times == 1 ? "or:budget=1xmmhc" : "or:budget=3xmmhc");
            assert_int_equal(r->state, JOB_DONE);
            assert_string_equal(r->fingerprint, base->fingerprint);
            assert_close(option_of(r, "budget"), fmax(0.001, times * base->cpu_seconds), 1e-12);
            assert_close(option_of(r, "budget_times"), times, 0);
            assert_non_null(strstr(r->options, "\"budget_of\":\"mmhc\""));
        }
    }
    job_records_destroy(list.items, list.n);
}

static void a_budget_is_the_stored_time_of_the_other_learner(void **state) {
    (void)state;
    for (size_t n_jobs = 1; n_jobs <= 3; n_jobs++) {
        experiment e = declare(budgets);
        const char *folder = new_store();
        run_counts counts = run_in(&e, folder, n_jobs);
        assert_int_equal(counts.done, 12);
        assert_budgets(folder, 12);
        experiment_clear(&e);
    }
}

/* The keys hold nothing that was measured, so what is done stays done. */
static void a_second_run_has_nothing_to_do(void **state) {
    (void)state;
    experiment e = declare(budgets);
    const char *folder = new_store();
    record_list before, after;
    (void)run_in(&e, folder, 2);
    before = read_records(folder);
    (void)run_in(&e, folder, 2);
    after = read_records(folder);
    assert_int_equal(before.n, after.n);
    for (size_t i = 0; i < before.n; i++)
        assert_same_record(&before.items[i], &after.items[i]);
    job_records_destroy(before.items, before.n);
    job_records_destroy(after.items, after.n);
    experiment_clear(&e);
}

#define SLOW_BASE                                                                                                      \
    "name: b\nnetworks: [asia]\ndata: {samples: [100], test_samples: 10}\n"                                            \
    "learners:\n"                                                                                                      \
    "  - {id: base, command: [sh, -c, 'sleep %s; echo \"# nodes: asia,tub,smoke,lung,bronc,either,xray,dysp\" > "      \
    "\"$0\"; echo from,to,type >> \"$0\"', \"{graph}\"]}\n"                                                            \
    "  - {id: child, learner: or, budget: {of: base}}\n"

static void without_a_time_there_is_no_budget(void **state) {
    (void)state;
    static const char text[] = "name: b\nnetworks: [asia]\ndata: {samples: [100], test_samples: 10}\n"
                               "learners:\n"
                               "  - {id: base, command: [\"false\"]}\n"
                               "  - {id: child, learner: or, budget: {of: base}}\n";
    experiment e = declare(text);
    const char *folder = new_store();
    run_counts counts = run_in(&e, folder, 2);
    record_list list;
    const job_record *r;
    assert_int_equal(counts.failed, 2);
    list = read_records(folder);
    r = find_record(&list, "asia", 0, "child");
    assert_int_equal(r->state, JOB_FAILED);
    assert_string_equal(r->message, "no budget: it is 1 times the time of base, which ended as failed here");
    assert_true(job_was_refused(r));
    job_records_destroy(list.items, list.n);
    experiment_clear(&e);
}

/* What hung on a failure is no result that stays once the other one has a time. */
static void a_higher_limit_brings_the_budget_too(void **state) {
    (void)state;
    text_buffer text = {0};
    experiment e;
    const char *folder = new_store();
    record_list list;
    run_counts counts;
    text_append_format(&text, SLOW_BASE "limits: {time: 0.2s}\n", "0.6");
    e = declare(text.data);
    counts = run_in(&e, folder, 1);
    assert_int_equal(counts.timeout, 1);
    assert_int_equal(counts.failed, 1);
    e.time_limit_s = 20;
    counts = run_in(&e, folder, 1);
    assert_int_equal(counts.done, 2);
    list = read_records(folder);
    assert_int_equal(list.n, 2);
    assert_int_equal(find_record(&list, "asia", 0, "child")->state, JOB_DONE);
    job_records_destroy(list.items, list.n);
    text_buffer_clear(&text);
    experiment_clear(&e);
}

static pid_t start_worker(const char *folder) {
    pid_t pid = fork();
    if (pid == 0) {
        work_outcome done = {0};
        error_info err = {0};
        _exit(runner_work(folder, &(work_options){.quiet = true}, &done, &err) == STATUS_OK ? 0 : 1);
    }
    return pid;
}

static void workers_wait_for_the_time_that_they_need(void **state) {
    (void)state;
    experiment e = declare(budgets);
    const char *folder = new_store(), *store_folder = new_store();
    error_info err = {0};
    pid_t workers[2];
    plan_jobs jobs = {0};
    collect_outcome done = {0};
    assert_ok(runner_write_plan(&e, folder, &(plan_options){.lease_s = 120}, &jobs, &err), &err);
    for (size_t i = 0; i < 2; i++)
        workers[i] = start_worker(folder);
    for (size_t i = 0; i < 2; i++) {
        int how = 0;
        assert_int_equal(waitpid(workers[i], &how, 0), workers[i]);
        assert_int_equal(how, 0);
    }
    assert_ok(runner_collect(folder, store_folder, &done, &err), &err);
    assert_int_equal(done.n_added, 12);
    collect_outcome_clear(&done);
    assert_budgets(store_folder, 12);
    experiment_clear(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_learners_of_their_own_that_tables_do_not_show),
        cmocka_unit_test(a_budget_may_be_times_another_learners_time),
        cmocka_unit_test(nonsense_is_named_with_its_place),
        cmocka_unit_test(more_or_less_is_better_as_the_metric_says),
        cmocka_unit_test(of_equals_the_first_declared_is_taken),
        cmocka_unit_test(a_part_that_failed_is_passed_over_or_fails_the_whole),
        cmocka_unit_test(a_part_that_does_not_run_on_a_network_is_not_waited_for_there),
        cmocka_unit_test(a_table_shows_the_best_and_says_which_it_was),
        cmocka_unit_test(a_table_has_the_learners_that_it_names_in_their_order),
        cmocka_unit_test(a_sum_of_figures_is_not_the_figure_of_sums),
        cmocka_unit_test(a_budget_is_the_stored_time_of_the_other_learner),
        cmocka_unit_test(a_second_run_has_nothing_to_do),
        cmocka_unit_test(without_a_time_there_is_no_budget),
        cmocka_unit_test(a_higher_limit_brings_the_budget_too),
        cmocka_unit_test(workers_wait_for_the_time_that_they_need),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
