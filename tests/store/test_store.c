/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records go in and come back. */
#include "tests/store/store_support.h"

#include <math.h>
#include <stdlib.h>

static void names_of_states_lead_back_to_them(void **state) {
    job_state found;
    (void)state;
    for (job_state s = JOB_DONE; s <= JOB_MEMORY; s++) {
        assert_true(job_state_from_name(job_state_name(s), &found));
        assert_int_equal(found, s);
    }
    assert_string_equal(job_state_name(JOB_TIMEOUT), "timeout");
    assert_false(job_state_from_name("Done", &found));
}

static void metrics_of_a_record_stay_in_order_and_are_replaced(void **state) {
    static const char *const names[] = {"time", "shd", "bdeu_test", "edges", "aaa", "zzz"};
    error_info err = {0};
    job_record r = {0};
    (void)state;
    for (size_t i = 0; i < 6; i++)
        assert_ok(job_record_set_metric(&r, names[i], (double)i, &err), &err);
    assert_ok(job_record_set_metric(&r, "shd", 99, &err), &err);
    assert_int_equal(r.n_metrics, 6);
    for (size_t i = 1; i < 6; i++)
        assert_true(strcmp(r.metrics[i - 1].name, r.metrics[i].name) < 0);
    assert_true(*job_record_metric(&r, "shd") == 99);
    assert_null(job_record_metric(&r, "sh"));
    assert_int_equal(job_record_set_metric(&r, "x", NAN, &err), STATUS_INVALID);
    assert_int_equal(job_record_set_metric(&r, "x", INFINITY, &err), STATUS_INVALID);
    assert_int_equal(r.n_metrics, 6);
    job_record_clear(&r);
}

static void a_record_comes_back_as_it_went_in(void **state) {
    store *s = open_store(scratch_folder(), true, false);
    job_record full = make_record(1, "alarm", 5000, "mmhc"), bare = {0};
    (void)state;
    full.is_cut_short = true;
    full.message = text_copy("with 'quotes', \"more\", a\nline, \x1b[1m, \xc3\xa4 and -- ; DROP TABLE job");
    bare.key = key_of(2);
    bare.network = text_copy("ma\xc3\xb1"
                             "ana, 'x'");
    bare.learner = text_copy("");
    bare.state = JOB_MEMORY;
    bare.n_samples = UINT64_MAX;
    bare.peak_memory_bytes = (uint64_t)1 << 63;
    assert_true(add(s, &full));
    assert_true(add(s, &bare));
    assert_stored(s, &full);
    assert_stored(s, &bare);
    job_record_clear(&full);
    job_record_clear(&bare);
    store_close(s);
}

static void counts_are_metrics_of_earlier_results_too(void **state) {
    error_info err = {0};
    store *s = open_store(scratch_folder(), true, false);
    job_record earlier = make_record(1, "alarm", 5000, "mmhc"), external = make_record(2, "alarm", 5000, "program"),
               found = {0};
    (void)state;
    earlier.tests.requests = 70;
    assert_ok(job_record_set_metric(&earlier, "tests", 50, &err), &err);
    assert_ok(job_record_set_metric(&earlier, "statistics", 50, &err), &err);
    assert_ok(job_record_set_metric(&earlier, "discretization_calls", 9, &err), &err);
    assert_true(add(s, &earlier));
    assert_true(add(s, &external));
    assert_ok(store_find(s, earlier.key, &found, &err), &err);
    assert_true(*job_record_metric(&found, "tests_requested") == 70);
    assert_true(*job_record_metric(&found, "calls") == 59);
    job_record_clear(&found);
    assert_ok(store_find(s, external.key, &found, &err), &err);
    assert_null(job_record_metric(&found, "tests_requested"));
    assert_null(job_record_metric(&found, "calls"));
    job_record_clear(&found);
    job_record_clear(&earlier);
    job_record_clear(&external);
    store_close(s);
}

static void every_bit_of_a_number_is_kept(void **state) {
    store *s = open_store(scratch_folder(), true, false);
    static const double odd[] = {0.0, -0.0, 5e-324, 1.7976931348623157e308, -1, 9007199254740993.0, 0.1, 1e15, 3};
    random_stream random;
    job_record r = make_record(3, "a", 1, "b");
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(7));
    for (int i = 0; i < 300; i++) {
        char name[16];
        uint64_t bits = random_next(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        (void)snprintf(name, sizeof name, "m%d", i);
        value = i < 9 ? odd[i] : isfinite(value) ? value : 0.5;
        assert_ok(job_record_set_metric(&r, name, value, &err), &err);
    }
    r.cpu_seconds = 5;
    r.wall_seconds = 1e-300;
    assert_true(add(s, &r));
    assert_stored(s, &r);
    job_record_clear(&r);
    store_close(s);
}

static void a_key_keeps_its_first_record(void **state) {
    store *s = open_store(scratch_folder(), true, false);
    job_record first = make_record(4, "a", 1, "b"), second = make_record(4, "a", 1, "b");
    (void)state;
    second.seed = 1;
    second.time_limit_s = 1000;
    assert_true(add(s, &first));
    assert_false(add(s, &second));
    assert_stored(s, &first);
    job_record_clear(&first);
    job_record_clear(&second);
    store_close(s);
}

typedef struct {
    job_state state;
    bool is_cut_short;
    double time_before, time_after; /* 0: no limit */
    uint64_t memory_before, memory_after;
    bool gives_way;
} limit_case;

static void only_a_higher_limit_replaces_what_is_not_done(void **state) {
    static const limit_case cases[] = {
        {JOB_TIMEOUT, false, 10, 20, 100, 100, true},  {JOB_TIMEOUT, false, 10, 10, 100, 100, false},
        {JOB_TIMEOUT, false, 10, 5, 100, 100, false},  {JOB_TIMEOUT, false, 10, 0, 100, 100, true},
        {JOB_TIMEOUT, false, 0, 10, 100, 100, false},  {JOB_MEMORY, false, 10, 10, 100, 200, true},
        {JOB_MEMORY, false, 10, 10, 100, 0, true},     {JOB_MEMORY, false, 10, 10, 0, 100, false},
        {JOB_FAILED, false, 10, 10, 100, 100, false},  {JOB_FAILED, false, 10, 11, 100, 100, true},
        {JOB_DONE, false, 10, 1000, 100, 1000, false}, {JOB_DONE, true, 10, 20, 100, 100, true},
        {JOB_DONE, true, 10, 10, 100, 200, false},
    };
    store *s = open_store(scratch_folder(), true, false);
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const limit_case *c = &cases[i];
        job_record before = make_record(i, "a", 1, "b"), after = make_record(i, "a", 1, "b");
        before.state = c->state;
        before.is_cut_short = c->is_cut_short;
        before.time_limit_s = c->time_before;
        after.time_limit_s = c->time_after;
        before.memory_limit_bytes = c->memory_before;
        after.memory_limit_bytes = c->memory_after;
        after.seed = 42;
        assert_true(add(s, &before));
        if (add(s, &after) != c->gives_way)
            fail_msg("case %u", i);
        assert_stored(s, c->gives_way ? &after : &before);
        job_record_clear(&before);
        job_record_clear(&after);
    }
    store_close(s);
}

static void records_come_in_order_and_without_graphs_on_request(void **state) {
    enum { N_CELLS = 8 };
    static const struct {
        const char *network;
        uint64_t n_samples;
        const char *learner;
        double sigma;
    } cells[] = {{"b", 500, "x", 0},  {"a", 5000, "x", 0},    {"a", 500, "y", 0}, {"a", 500, "x", 0},
                 {"a", 1000, "x", 0}, {"a", 1000, "x", 0.35}, {"B", 1, "x", 0},   {"a", 1000, "y", 0.3}};
    static const size_t order[N_CELLS] = {6, 3, 2, 4, 7, 5, 1, 0};
    store *s = open_store(scratch_folder(), true, false);
    job_record made[N_CELLS], *read = NULL;
    size_t n = 0;
    error_info err = {0};
    (void)state;
    for (unsigned i = 0; i < N_CELLS; i++) {
        made[i] = make_record(i, cells[i].network, cells[i].n_samples, cells[i].learner);
        made[i].replicate = 0;
        made[i].sigma = cells[i].sigma;
        assert_true(add(s, &made[i]));
    }
    assert_ok(store_read_all(s, true, &read, &n, &err), &err);
    assert_int_equal(n, N_CELLS);
    for (size_t i = 0; i < N_CELLS; i++)
        assert_same_record(&read[i], &made[order[i]]);
    job_records_destroy(read, n);
    assert_ok(store_read_all(s, false, &read, &n, &err), &err);
    for (size_t i = 0; i < N_CELLS; i++) {
        assert_false(read[i].graph);
        assert_false(read[i].stderr_tail);
        assert_true(read[i].graph_kind);
        assert_int_equal(read[i].n_metrics, 3);
    }
    job_records_destroy(read, n);
    for (size_t i = 0; i < N_CELLS; i++)
        job_record_clear(&made[i]);
    store_close(s);
}

static void a_removed_record_is_gone_with_its_metrics(void **state) {
    store *s = open_store(scratch_folder(), true, false);
    job_record r = make_record(5, "a", 1, "b"), back = {0};
    error_info err = {0};
    (void)state;
    assert_true(add(s, &r));
    assert_ok(store_remove(s, r.key, &err), &err);
    assert_int_equal(store_remove(s, r.key, &err), STATUS_MISSING);
    assert_int_equal(store_find(s, r.key, &back, &err), STATUS_MISSING);
    r.metrics[0].value = 77;
    assert_true(add(s, &r));
    assert_stored(s, &r);
    job_record_clear(&r);
    store_close(s);
}

static size_t count_in(const char *folder) {
    store *other = open_store(folder, false, false);
    size_t n = 0;
    error_info err = {0};
    assert_ok(store_count(other, &n, &err), &err);
    store_close(other);
    return n;
}

/* Who has the batch in hand sees it at once. */
static void others_see_a_batch_when_it_ends(void **state) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true, false);
    job_record kept = make_record(1, "a", 1, "b"), one = make_record(2, "a", 1, "b"), two = make_record(3, "a", 1, "b");
    error_info err = {0};
    (void)state;
    assert_true(add(s, &kept));
    assert_ok(store_begin_batch(s, &err), &err);
    assert_true(add(s, &one));
    assert_true(add(s, &two));
    assert_ok(store_remove(s, kept.key, &err), &err);
    assert_stored(s, &one);
    assert_int_equal(count_in(folder), 1);
    assert_ok(store_end_batch(s, &err), &err);
    assert_int_equal(count_in(folder), 2);
    assert_true(add(s, &kept));
    assert_int_equal(count_in(folder), 3);
    job_record_clear(&kept);
    job_record_clear(&one);
    job_record_clear(&two);
    store_close(s);
}

/* What cannot be removed or stored leaves the rest of its batch as it is. */
static void a_call_that_fails_within_a_batch_undoes_itself_alone(void **state) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true, false);
    job_record one = make_record(1, "a", 1, "b"), two = make_record(2, "a", 1, "b");
    error_info err = {0};
    job_record back = {0};
    (void)state;
    assert_ok(store_begin_batch(s, &err), &err);
    assert_true(add(s, &one));
    assert_int_equal(store_remove(s, two.key, &err), STATUS_MISSING);
    assert_int_equal(store_find(s, two.key, &back, &err), STATUS_MISSING);
    assert_true(add(s, &two));
    assert_false(add(s, &two));
    assert_ok(store_end_batch(s, &err), &err);
    assert_stored(s, &one);
    assert_stored(s, &two);
    assert_int_equal(count_in(folder), 2);
    job_record_clear(&one);
    job_record_clear(&two);
    store_close(s);
}

/* As of a process that is killed. */
static void a_batch_that_does_not_end_is_not_stored(void **state) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true, false);
    job_record kept = make_record(1, "a", 1, "b"), lost = make_record(2, "a", 1, "b");
    error_info err = {0};
    (void)state;
    assert_true(add(s, &kept));
    assert_ok(store_begin_batch(s, &err), &err);
    assert_true(add(s, &lost));
    store_close(s);
    s = open_store(folder, false, false);
    assert_stored(s, &kept);
    assert_int_equal(count_in(folder), 1);
    job_record_clear(&kept);
    job_record_clear(&lost);
    store_close(s);
}

static void records_that_say_too_little_are_refused(void **state) {
    store *s = open_store(scratch_folder(), true, false);
    job_record r = make_record(6, "a", 1, "b");
    error_info err = {0};
    bool added = true;
    char *key = r.key;
    (void)state;
    r.key = NULL;
    assert_int_equal(store_add(s, &r, &added, &err), STATUS_INVALID);
    r.key = key;
    r.cpu_seconds = NAN;
    assert_int_equal(store_add(s, &r, &added, &err), STATUS_INVALID);
    assert_message_has(&err, "cpu_seconds");
    r.cpu_seconds = 1;
    r.metrics[0].value = INFINITY;
    assert_int_equal(store_add(s, &r, &added, &err), STATUS_INVALID);
    assert_true(added); /* untouched */
    job_record_clear(&r);
    store_close(s);
}

static void the_last_run_is_found_again(void **state) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true, true);
    store_run first = {.declaration = "name: one\n", .file = "one.yaml", .plan = "[]"};
    store_run second = {
        .declaration = "name: 'two'\n", .file = "two.yaml", .profile = "quick", .plan = "[\"aa\",\"bb\"]"};
    char *declaration = NULL, *plan = NULL;
    int64_t id = 0, later = 0;
    error_info err = {0};
    (void)state;
    assert_int_equal(store_last_run(s, NULL, &declaration, &plan, &err), STATUS_MISSING);
    assert_ok(store_begin_run(s, &first, &id, &err), &err);
    assert_ok(store_last_run(s, NULL, &declaration, &plan, &err), &err);
    assert_string_equal(declaration, "name: one\n");
    assert_string_equal(plan, "[]");
    free(declaration);
    free(plan);
    assert_ok(store_begin_run(s, &second, &later, &err), &err);
    assert_true(later > id);
    assert_ok(store_end_run(s, id, "done", &err), &err);
    assert_int_equal(store_end_run(s, 12345, "done", &err), STATUS_INVALID);
    store_close(s);
    s = open_store(folder, false, false);
    assert_ok(store_last_run(s, NULL, &declaration, &plan, &err), &err);
    assert_string_equal(declaration, "name: 'two'\n");
    assert_string_equal(plan, "[\"aa\",\"bb\"]");
    free(declaration);
    free(plan);
    assert_string_equal(store_folder(s), folder);
    store_close(s);
}

/* What a person reads with SQL counts replicates as all that is printed; a view that an earlier version did not make
 * comes when the store is opened for writing. */
static void a_view_counts_replicates_from_one(void **state) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true, false);
    job_record r = make_record(1, "alarm", 5000, "mmhc");
    char path[4096];
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    bool added = false;
    error_info err = {0};
    (void)state;
    assert_ok(store_add(s, &r, &added, &err), &err);
    store_close(s);
    (void)snprintf(path, sizeof path, "%s/results.sqlite", folder);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_equal(
            sqlite3_prepare_v2(db, "SELECT replicate, (SELECT replicate FROM job) FROM result", -1, &statement, NULL),
            SQLITE_OK);
        assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
        assert_int_equal(sqlite3_column_int(statement, 0), r.replicate + 1);
        assert_int_equal(sqlite3_column_int(statement, 1), r.replicate);
        (void)sqlite3_finalize(statement);
        assert_int_equal(sqlite3_exec(db, "DROP VIEW result", NULL, NULL, NULL), SQLITE_OK);
        (void)sqlite3_close(db);
        store_close(open_store(folder, true, false));
    }
    job_record_clear(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_states_lead_back_to_them),
        cmocka_unit_test(metrics_of_a_record_stay_in_order_and_are_replaced),
        cmocka_unit_test(a_record_comes_back_as_it_went_in),
        cmocka_unit_test(counts_are_metrics_of_earlier_results_too),
        cmocka_unit_test(every_bit_of_a_number_is_kept),
        cmocka_unit_test(a_key_keeps_its_first_record),
        cmocka_unit_test(only_a_higher_limit_replaces_what_is_not_done),
        cmocka_unit_test(records_come_in_order_and_without_graphs_on_request),
        cmocka_unit_test(a_removed_record_is_gone_with_its_metrics),
        cmocka_unit_test(others_see_a_batch_when_it_ends),
        cmocka_unit_test(a_call_that_fails_within_a_batch_undoes_itself_alone),
        cmocka_unit_test(a_batch_that_does_not_end_is_not_stored),
        cmocka_unit_test(records_that_say_too_little_are_refused),
        cmocka_unit_test(the_last_run_is_found_again),
        cmocka_unit_test(a_view_counts_replicates_from_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
