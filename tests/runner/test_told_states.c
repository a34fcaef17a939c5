/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data: {states: observed}: what a learner is told, and what metrics go on with. */
#include "tests/support/run_support.h"

#include "core/graph/pdag.h"
#include "runner/job/job_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WITH(data) "name: s\nseed: 3\nnetworks: [asia]\nlearners: [hc]\ndata: {samples: 12, " data "}\n"

typedef struct {
    experiment e;
    plan *p;
    job j;
    job_data d;
    char key[PLAN_KEY_SIZE];
} cell_at_hand;

static void make_cell(const char *text, cell_at_hand *c) {
    error_info err = {0};
    *c = (cell_at_hand){.e = declare(text)};
    assert_ok(plan_create(&c->e, &c->p, &err), &err);
    assert_ok(plan_key(c->p, 0, c->key, &err), &err);
    assert_ok(job_init(c->p, 0, &c->j, &err), &err);
    assert_ok(job_data_make(&c->j, &c->d, &err), &err);
}

static void clear_cell(cell_at_hand *c) {
    job_data_clear(&c->d);
    plan_destroy(c->p);
    experiment_clear(&c->e);
}

static size_t count(const dataset *data, size_t column, size_t k) {
    size_t n = 0;
    for (size_t row = 0; row < dataset_row_count(data); row++)
        n += dataset_state(data, row, column) == k;
    return n;
}

static void a_learner_is_told_of_the_states_in_its_rows_alone(void **state) {
    cell_at_hand c;
    size_t n_gone = 0;
    (void)state;
    make_cell(WITH("states: observed"), &c);
    for (size_t i = 0; i < dataset_column_count(c.d.ordered); i++) {
        const variable *told = dataset_variable(c.d.ordered, i), *whole = dataset_variable(c.d.train, c.d.order[i]);
        size_t n_zeros = count(c.d.train, c.d.order[i], 0), n_seen = n_zeros == 0 || n_zeros == 12 ? 1 : 2;
        assert_string_equal(told->name, whole->name);
        assert_int_equal(whole->n_states, 2);
        assert_int_equal(told->n_states, n_seen);
        n_gone += 2 - n_seen;
        for (size_t row = 0; row < 12; row++)
            assert_string_equal(told->states[dataset_state(c.d.ordered, row, i)],
                                whole->states[dataset_state(c.d.train, row, c.d.order[i])]);
    }
    assert_true(n_gone > 0);
    clear_cell(&c);
}

/* The log-likelihood of the test rows under the network without arcs: the tables of all declared states, ess 10. */
static double loglik_without_arcs(const job_data *d) {
    double sum = 0;
    for (size_t c = 0; c < dataset_column_count(d->train); c++) {
        for (size_t k = 0; k < 2; k++)
            sum += (double)count(d->tests[0], c, k) * log(((double)count(d->train, c, k) + 10.0 / 2) / (12 + 10.0));
    }
    return sum;
}

static double metric_of(const job_record *r, const char *name) {
    for (size_t i = 0; i < r->n_metrics; i++) {
        if (strcmp(r->metrics[i].name, name) == 0)
            return r->metrics[i].value;
    }
    fail_msg("no metric %s", name);
    return 0;
}

static job_record measure_without_arcs(const cell_at_hand *c) {
    learned_graph learned = {.kind = GRAPH_DAG};
    job_record record = {0};
    error_info err = {0};
    assert_ok(pdag_create(dataset_column_count(c->d.train), &learned.graph, &err), &err);
    assert_ok(job_measure(&c->j, &c->d, &learned, &record, &err), &err);
    pdag_destroy(learned.graph);
    return record;
}

static void metrics_go_on_with_the_declared_states(void **state) {
    static const char *const names[] = {"loglik_test", "bdeu_test", "bdeu_train", "bdeu1_train"};
    cell_at_hand seen, all;
    job_record of_seen, of_all;
    size_t n_new = 0;
    (void)state;
    make_cell(WITH("states: observed, test_samples: 500"), &seen);
    make_cell(WITH("states: declared, test_samples: 500"), &all);
    of_seen = measure_without_arcs(&seen);
    of_all = measure_without_arcs(&all);
    for (size_t c = 0; c < dataset_column_count(seen.d.train); c++) {
        for (size_t k = 0; k < 2; k++)
            n_new += count(seen.d.train, c, k) == 0 ? count(seen.d.tests[0], c, k) : 0;
    }
    assert_true(n_new > 0); /* test rows show states that the learner was not told of */
    assert_close(metric_of(&of_seen, "loglik_test"), loglik_without_arcs(&seen.d), 1e-12);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_close(metric_of(&of_seen, names[i]), metric_of(&of_all, names[i]), 0);
    job_record_clear(&of_seen);
    job_record_clear(&of_all);
    clear_cell(&seen);
    clear_cell(&all);
}

static void the_key_changes_with_observed_states_alone(void **state) {
    cell_at_hand usual, declared, observed;
    (void)state;
    make_cell(WITH("replicates: 1"), &usual);
    make_cell(WITH("states: declared"), &declared);
    make_cell(WITH("states: observed"), &observed);
    assert_string_equal(usual.key, declared.key);
    assert_string_not_equal(usual.key, observed.key);
    clear_cell(&usual);
    clear_cell(&declared);
    clear_cell(&observed);
}

static void real_data_shrink_to_the_rows_drawn(void **state) {
    const char *folder = scratch_folder();
    char text[400];
    cell_at_hand c;
    (void)state;
    put_file(folder, "few.csv", "a,b\nx,u\ny,u\nz,u\nw,v\n");
    (void)snprintf(text, sizeof text,
                   "name: s\nnetworks: [{dataset: %s/few.csv, id: few}]\nlearners: [hc]\n"
                   "data: {samples: 2, states: observed, column_order: file}\n",
                   folder);
    make_cell(text, &c);
    assert_int_equal(dataset_state_count(c.d.train, 0), 4);
    assert_int_equal(dataset_state_count(c.d.ordered, 0), 2);
    clear_cell(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_learner_is_told_of_the_states_in_its_rows_alone),
        cmocka_unit_test(metrics_go_on_with_the_declared_states),
        cmocka_unit_test(the_key_changes_with_observed_states_alone),
        cmocka_unit_test(real_data_shrink_to_the_rows_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
