/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells, their keys and their data. */
#include "tests/runner/runner_support.h"

#include "learners/registry.h"
#include "runner/job/job_internal.h"
#include "runner/plan/plan_internal.h"
#include "runner/shared/plan_folder_internal.h"

static void key_of_first_cell(const char *text, char key[PLAN_KEY_SIZE]) {
    experiment e = declare(text);
    plan *p = NULL;
    error_info err = {0};
    assert_ok(plan_create(&e, &p, &err), &err);
    assert_ok(plan_key(p, 0, key, &err), &err);
    plan_destroy(p);
    experiment_clear(&e);
}

static void a_key_is_the_same_whenever_it_is_computed(void **state) {
    (void)state;
    char a[PLAN_KEY_SIZE], b[PLAN_KEY_SIZE];
    key_of_first_cell(small, a);
    key_of_first_cell(small, b);
    assert_string_equal(a, b);
    assert_int_equal(strlen(a), 64);
}

static void whatever_changes_a_result_changes_the_key(void **state) {
    (void)state;
    static const char *const others[] = {
        CELL "seed: 2\n",
        CELL "threads: 2\n",
        "name: a\nnetworks: [survey]\ndata: {samples: [100]}\nlearners: [{learner: hc, id: x}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [101]}\nlearners: [{learner: hc, id: x}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [100], test_samples: 7}\nlearners: [{learner: hc, id: x}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [100], column_order: file}\nlearners: [{learner: hc, id: x}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [{learner: hc, id: x, ess: 11}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [{learner: gts, id: x}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [{command: [hc], id: x}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [{command: [hc, x], id: x}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [{command: [hcx], id: x}]\n",
    };
    enum { N = sizeof others / sizeof *others };
    char keys[N + 1][PLAN_KEY_SIZE];
    key_of_first_cell(CELL, keys[N]);
    for (size_t i = 0; i < N; i++) {
        key_of_first_cell(others[i], keys[i]);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(keys[i], keys[k]);
        assert_string_not_equal(keys[i], keys[N]);
    }
}

static void what_does_not_change_a_result_leaves_the_key(void **state) {
    (void)state;
    static const char *const others[] = {
        CELL "limits: {time: 5s, memory: 1GiB}\n",
        CELL "title: other\nmetrics: [shd]\ntables: []\n",
        CELL "failed_in_paper: [{learner: x, if: nodes > 1}]\n",
        ("name: b\nnetworks: [asia, child]\ndata: {samples: [100, 7], replicates: 5}\n"
         "learners: [{learner: hc, id: x, ess: 10}, empty]\n"),
    };
    char key[PLAN_KEY_SIZE], other[PLAN_KEY_SIZE];
    key_of_first_cell(CELL, key);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        key_of_first_cell(others[i], other);
        assert_string_equal(other, key);
    }
}

/* The keys that cells had before any option came later; each holds for one version of its learner. */
static void options_that_came_later_leave_the_keys_of_stored_cells(void **state) {
    static const struct {
        const char *learner, *options;
        int version;
        const char *key;
    } rows[] = {
        {"lagd", "", 1, "d8df8ddf9d1317b5d2900c22d7f6a92052d977bab82cdf724a2444d73b93478b"},
        {"lagd", ", h: 3", 1, "ba80ff420ea363c40f6063318257661d426ed4485d933a1616159d93f1c0bf82"},
        {"sgs1", "", 1, "8bf6e05d209bf4325ee7221025adbcb714c305506937c3aa959712d0fed9d500"},
        {"sgs3", ", ties: first", 1, "53e7cf65c915db7f18b67b800550784fa381ba474430ac5811cba09520bb7873"},
        {"or", ", budget: 1", 2, "358caefc2aa6dff258aceb54dc00e65f6732a7ce993a191148a2a5ffee30bafa"},
        {"ges", "", 4, "a53469b77f4f883c72283b29540e13ebeb8ef97b63593da27e3e5d0d45e01178"},
        {"ges", ", score: bic, prior: kappa", 4, "92e090b1b2e7a42607f2adce87902e897167efb2c6ada105e10dea7e24043677"},
        {"hc", "", 3, "6ae1b8c949c172082c680d324f4d6d21b34b0ad7520084d924f36f738716bd5c"},
        {"hc", ", discretize: friedman", 3, "ff4b57c24fab88f7bba35c6a261489f2a9ff688c998b3a1baa41b5dedd376363"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300], key[PLAN_KEY_SIZE];
        const learner *l = NULL;
        error_info err = {0};
        assert_ok(learner_find(rows[i].learner, &l, &err), &err);
        (void)snprintf(text, sizeof text,
                       "name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [{learner: %s, id: x%s}]\n",
                       rows[i].learner, rows[i].options);
        key_of_first_cell(text, key);
        if (l->version == rows[i].version)
            assert_string_equal(key, rows[i].key);
    }
}

static void every_cell_has_its_place(void **state) {
    (void)state;
    experiment e = declare(small);
    plan *p = NULL;
    error_info err = {0};
    size_t i = 0;
    assert_ok(plan_create(&e, &p, &err), &err);
    assert_int_equal(plan_cell_count(p), 2 * 2 * 2 * 3);
    for (size_t n = 0; n < 2; n++) {
        for (size_t s = 0; s < 2; s++) {
            for (size_t r = 0; r < 2; r++) {
                for (size_t v = 0; v < 3; v++) {
                    plan_cell cell = plan_cell_at(p, i++);
                    assert_int_equal(cell.network, n);
                    assert_int_equal(cell.size, s);
                    assert_int_equal(cell.replicate, r);
                    assert_int_equal(cell.variant, v);
                }
            }
        }
    }
    plan_destroy(p);
    experiment_clear(&e);
}

static void a_learner_that_names_networks_runs_on_these_alone(void **state) {
    static const char text[] = "name: some\n"
                               "networks: [asia, survey, cancer]\n"
                               "data: {samples: [100, 300], replicates: 2, test_samples: 0}\n"
                               "learners: [hc, {learner: mmpc, networks: survey}, empty,\n"
                               "  {id: or1, learner: or, budget: {times: 2, of: hc}, networks: [cancer, survey]}]\n";
    experiment e = declare(text);
    plan *p = NULL;
    error_info err = {0};
    size_t n_by[4] = {0};
    (void)state;
    assert_ok(plan_create(&e, &p, &err), &err);
    assert_int_equal(plan_cell_count(p), 2 * 2 * (2 + 4 + 3));
    for (size_t i = 0; i < plan_cell_count(p); i++) {
        plan_cell cell = plan_cell_at(p, i), base;
        bool has_base;
        size_t at = plan_base_cell(p, i, &has_base);
        n_by[cell.variant]++;
        assert_true(cell.variant != 1 || cell.network == 1);
        assert_true(cell.variant != 3 || cell.network != 0);
        assert_int_equal(has_base, cell.variant == 3);
        if (!has_base)
            continue;
        base = plan_cell_at(p, at);
        assert_int_equal(base.variant, 0);
        assert_int_equal(base.network, cell.network);
        assert_int_equal(base.size, cell.size);
        assert_int_equal(base.replicate, cell.replicate);
    }
    assert_int_equal(n_by[0], 12);
    assert_int_equal(n_by[1], 4);
    assert_int_equal(n_by[2], 12);
    assert_int_equal(n_by[3], 8);
    plan_destroy(p);
    experiment_clear(&e);
}

static job_data data_of_cell(plan *p, size_t i) {
    job j;
    job_data d = {0};
    error_info err = {0};
    assert_ok(job_init(p, i, &j, &err), &err);
    assert_ok(job_data_make(&j, &d, &err), &err);
    return d;
}

static void a_smaller_sample_begins_the_larger_and_shares_its_order(void **state) {
    (void)state;
    experiment e = declare(small);
    plan *p = NULL;
    error_info err = {0};
    assert_ok(plan_create(&e, &p, &err), &err);
    job_data few = data_of_cell(p, 0), many = data_of_cell(p, 6), again = data_of_cell(p, 2), next = data_of_cell(p, 3);
    size_t n_same = 0;
    assert_int_equal(dataset_row_count(few.train), 100);
    assert_int_equal(dataset_row_count(many.train), 300);
    for (size_t c = 0; c < 8; c++) {
        assert_int_equal(few.order[c], many.order[c]);
        assert_int_equal(few.order[c], again.order[c]); /* another learner */
        assert_string_equal(dataset_variable(few.ordered, c)->name, dataset_variable(few.train, few.order[c])->name);
        for (size_t i = 0; i < 100; i++) {
            assert_int_equal(dataset_state(few.train, i, c), dataset_state(many.train, i, c));
            assert_int_equal(dataset_state(few.train, i, few.order[c]), dataset_state(few.ordered, i, c));
            n_same += dataset_state(few.train, i, c) == dataset_state(next.train, i, c);
        }
    }
    assert_true(n_same < 800); /* another replicate, other rows */
    assert_int_equal(dataset_row_count(few.tests[0]), 200);
    job_data_clear(&few);
    job_data_clear(&many);
    job_data_clear(&again);
    job_data_clear(&next);
    plan_destroy(p);
    experiment_clear(&e);
}

static void columns_stand_as_declared(void **state) {
    (void)state;
    static const char *const orders[] = {"file", "reverse"};
    for (size_t k = 0; k < 2; k++) {
        char text[300];
        plan *p = NULL;
        error_info err = {0};
        (void)snprintf(text, sizeof text,
                       "name: a\nnetworks: [asia]\ndata: {samples: 10, test_samples: 0, column_order: %s}\n"
                       "learners: [hc]\n",
                       orders[k]);
        experiment e = declare(text);
        assert_ok(plan_create(&e, &p, &err), &err);
        job_data d = data_of_cell(p, 0);
        assert_int_equal(d.n_tests, 0);
        for (size_t c = 0; c < 8; c++)
            assert_int_equal(d.order[c], k == 0 ? c : 7 - c);
        job_data_clear(&d);
        plan_destroy(p);
        experiment_clear(&e);
    }
}

static const char places[] =
    "name: a\nnetworks: [asia, survey, sachs]\n"
    "data: {samples: [100, 200], replicates: 3, continuize: {sigma: [0.5, 1]}}\n"
    "learners: [{learner: hc, id: h, discretize: eqwidth}, {learner: gts, id: g, networks: [survey], discretize: "
    "eqwidth},\n {learner: or, id: m, networks: [asia, sachs], discretize: eqwidth, budget: {times: 2, of: h}}]\n";

/* Every combination, one inside the other, as cells were listed before they were numbered. */
static size_t list_cells(const experiment *e, plan_cell *out) {
    const cell_choice *only = &e->only;
    size_t n = 0;
    for (size_t i = 0; i < 3 * 2 * 2 * 3 * 3; i++) {
        plan_cell c = {i / 36, i / 18 % 2, i / 9 % 2, i / 3 % 3, i % 3};
        const bool *runs_on = e->variants[c.variant].runs_on;
        bool is_base = only->variant == 3 && c.variant == 0;
        if ((!only->network || only->network == c.network + 1) && (!only->size || only->size == c.size + 1) &&
            (!only->sigma || only->sigma == c.sigma + 1) && (!only->replicate || only->replicate == c.replicate + 1) &&
            (!only->variant || only->variant == c.variant + 1 || is_base) && (!runs_on || runs_on[c.network]))
            out[n++] = c;
    }
    return n;
}

/* Whatever is chosen, each with nothing chosen as well: 4 x 3 x 3 x 4 x 4 choices. */
static void cells_that_are_numbered_are_those_that_a_list_holds(void **state) {
    experiment e = declare(places);
    (void)state;
    for (size_t choice = 0; choice < 576; choice++) {
        plan_cell listed[108];
        plan *p = NULL;
        error_info err = {0};
        e.only = (cell_choice){.network = choice / 144,
                               .size = choice / 48 % 3,
                               .sigma = choice / 16 % 3,
                               .replicate = choice / 4 % 4,
                               .variant = choice % 4};
        assert_ok(plan_create(&e, &p, &err), &err);
        assert_int_equal(plan_cell_count(p), list_cells(&e, listed));
        for (size_t i = 0; i < plan_cell_count(p); i++) {
            plan_cell c = plan_cell_at(p, i);
            bool has_base;
            size_t base = plan_base_cell(p, i, &has_base);
            assert_memory_equal(&c, &listed[i], sizeof c);
            assert_int_equal(has_base, c.variant == 2);
            c.variant = 0;
            if (has_base)
                assert_memory_equal(&c, &listed[base], sizeof c);
        }
        plan_destroy(p);
    }
    experiment_clear(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_the_same_whenever_it_is_computed),
        cmocka_unit_test(whatever_changes_a_result_changes_the_key),
        cmocka_unit_test(what_does_not_change_a_result_leaves_the_key),
        cmocka_unit_test(options_that_came_later_leave_the_keys_of_stored_cells),
        cmocka_unit_test(every_cell_has_its_place),
        cmocka_unit_test(cells_that_are_numbered_are_those_that_a_list_holds),
        cmocka_unit_test(a_learner_that_names_networks_runs_on_these_alone),
        cmocka_unit_test(a_smaller_sample_begins_the_larger_and_shares_its_order),
        cmocka_unit_test(columns_stand_as_declared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
