/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "store/store.h"

#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *key_of(unsigned number) {
    char text[65];
    (void)snprintf(text, sizeof text, "%064x", number);
    return text_copy(text);
}

static job_record make_record(unsigned number, const char *network, uint64_t n_samples, const char *learner) {
    error_info err = {0};
    job_record r = {.key = key_of(number),
                    .network = text_copy(network),
                    .n_samples = n_samples,
                    .replicate = number % 3,
                    .learner = text_copy(learner),
                    .options = text_copy("{\"alpha\":0.05}"),
                    .seed = 0xFEDCBA9876543210u + number,
                    .fingerprint = text_copy("0011aabb"),
                    .graph_kind = text_copy("dag"),
                    .graph = text_copy("# nodes: a,b\nfrom,to,type\na,b,directed\n"),
                    .tests = {.requests = 10 + number, .computed = 7, .skipped = 1},
                    .scores = {.requests = 100, .computed = 40, .skipped = 0},
                    .cpu_seconds = 0.1 + number,
                    .wall_seconds = 1.0 / 3,
                    .peak_memory_bytes = 123456789,
                    .time_limit_s = 20,
                    .memory_limit_bytes = 1u << 30,
                    .stderr_tail = text_copy("a warning")};
    assert_ok(job_record_set_metric(&r, "time", 0.1, &err), &err);
    assert_ok(job_record_set_metric(&r, "shd", 12, &err), &err);
    assert_ok(job_record_set_metric(&r, "bdeu_test", -54321.123456789012, &err), &err);
    return r;
}

static void assert_same_text(const char *a, const char *b) {
    if (!a || !b)
        assert_true(a == b);
    else
        assert_string_equal(a, b);
}

static bool same_bits(double a, double b) {
    uint64_t x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x == y;
}

static void assert_same_record(const job_record *a, const job_record *b) {
    assert_same_text(a->key, b->key);
    assert_same_text(a->network, b->network);
    assert_same_text(a->learner, b->learner);
    assert_same_text(a->message, b->message);
    assert_same_text(a->options, b->options);
    assert_same_text(a->fingerprint, b->fingerprint);
    assert_same_text(a->graph_kind, b->graph_kind);
    assert_same_text(a->graph, b->graph);
    assert_same_text(a->stderr_tail, b->stderr_tail);
    assert_true(a->n_samples == b->n_samples && a->replicate == b->replicate && a->state == b->state);
    assert_true(same_bits(a->sigma, b->sigma));
    assert_true(a->seed == b->seed && a->is_cut_short == b->is_cut_short);
    assert_memory_equal(&a->tests, &b->tests, sizeof a->tests);
    assert_memory_equal(&a->scores, &b->scores, sizeof a->scores);
    assert_true(same_bits(a->cpu_seconds, b->cpu_seconds) && same_bits(a->wall_seconds, b->wall_seconds));
    assert_true(same_bits(a->time_limit_s, b->time_limit_s) && a->memory_limit_bytes == b->memory_limit_bytes);
    assert_true(a->peak_memory_bytes == b->peak_memory_bytes);
    assert_int_equal(a->n_metrics, b->n_metrics);
    for (size_t i = 0; i < a->n_metrics; i++) {
        assert_string_equal(a->metrics[i].name, b->metrics[i].name);
        assert_true(same_bits(a->metrics[i].value, b->metrics[i].value));
    }
}

static store *open_store(const char *folder, bool create, bool exclusive) {
    error_info err = {0};
    store *s = NULL;
    assert_ok(store_open(folder, create, exclusive, &s, &err), &err);
    return s;
}

static bool add(store *s, const job_record *r) {
    error_info err = {0};
    bool added = false;
    assert_ok(store_add(s, r, &added, &err), &err);
    return added;
}

static void assert_stored(store *s, const job_record *r) {
    error_info err = {0};
    job_record back = {0};
    assert_ok(store_find(s, r->key, &back, &err), &err);
    assert_same_record(r, &back);
    job_record_clear(&back);
}

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
    for (size_t i = 0; i < N_CELLS; i++)
        assert_true(!read[i].graph && !read[i].stderr_tail && read[i].graph_kind && read[i].n_metrics == 3);
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
    store_run first = {.declaration = "name: one\n", .file = "one.yaml"};
    store_run second = {
        .declaration = "name: 'two'\n", .file = "two.yaml", .profile = "quick", .plan = "[\"aa\",\"bb\"]"};
    char *declaration = NULL, *plan = NULL;
    int64_t id = 0, later = 0;
    error_info err = {0};
    (void)state;
    assert_int_equal(store_last_run(s, &declaration, &plan, &err), STATUS_MISSING);
    assert_ok(store_begin_run(s, &first, &id, &err), &err);
    assert_ok(store_last_run(s, &declaration, &plan, &err), &err);
    assert_string_equal(declaration, "name: one\n");
    assert_null(plan);
    free(declaration);
    assert_ok(store_begin_run(s, &second, &later, &err), &err);
    assert_true(later > id);
    assert_ok(store_end_run(s, id, "done", &err), &err);
    assert_int_equal(store_end_run(s, 12345, "done", &err), STATUS_INVALID);
    store_close(s);
    s = open_store(folder, false, false);
    assert_ok(store_last_run(s, &declaration, &plan, &err), &err);
    assert_string_equal(declaration, "name: 'two'\n");
    assert_string_equal(plan, "[\"aa\",\"bb\"]");
    free(declaration);
    free(plan);
    assert_string_equal(store_folder(s), folder);
    store_close(s);
}

static void assert_refused(const char *folder, bool create, status expected, const char *words) {
    store *s = NULL;
    error_info err = {0};
    assert_int_equal(store_open(folder, create, false, &s, &err), expected);
    assert_message_has(&err, words);
    assert_message_has(&err, folder);
    assert_null(s);
}

static void a_folder_without_results_is_missing(void **state) {
    char absent[128];
    const char *folder = scratch_folder();
    (void)state;
    assert_refused(folder, false, STATUS_MISSING, "no results");
    (void)snprintf(absent, sizeof absent, "%s/not there", folder);
    assert_refused(absent, false, STATUS_MISSING, "no such folder");
    store_close(open_store(absent, true, true)); /* with `create` it is made */
    store_close(open_store(absent, false, false));
}

static void write_database(const char *folder, const char *bytes, size_t length) {
    char path[128];
    FILE *f;
    (void)snprintf(path, sizeof path, "%s/results.sqlite", folder);
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

static void execute(const char *folder, const char *sql) {
    char path[128];
    sqlite3 *db = NULL;
    (void)snprintf(path, sizeof path, "%s/results.sqlite", folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
}

static void what_is_no_database_of_ours_is_refused(void **state) {
    const char *garbage = scratch_folder(), *foreign = scratch_folder(), *later = scratch_folder(),
               *blank = scratch_folder();
    char noise[5000];
    (void)state;
    memset(noise, 'x', sizeof noise);
    write_database(garbage, noise, sizeof noise);
    assert_refused(garbage, false, STATUS_INVALID, "not a database of results");
    assert_refused(garbage, true, STATUS_INVALID, "not a database of results");
    execute(foreign, "CREATE TABLE cakes(name)");
    assert_refused(foreign, true, STATUS_INVALID, "another program");
    store_close(open_store(later, true, false));
    execute(later, "PRAGMA user_version=4");
    assert_refused(later, false, STATUS_INVALID, "format 4");
    write_database(blank, "", 0); /* its maker was killed at once */
    assert_refused(blank, false, STATUS_MISSING, "no results");
    store_close(open_store(blank, true, false));
}

static int64_t ask(const char *folder, const char *sql) {
    char path[128];
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    int64_t answer;
    (void)snprintf(path, sizeof path, "%s/results.sqlite", folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    answer = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    return answer;
}

static void a_store_of_format_2_gets_noise_levels_and_keeps_its_results(void **state) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true, false);
    job_record old = make_record(1, "alarm", 500, "hc"), noisy = make_record(2, "alarm", 500, "hc");
    (void)state;
    assert_true(add(s, &old));
    store_close(s);
    execute(folder, "ALTER TABLE job DROP COLUMN sigma; ALTER TABLE job DROP COLUMN policy; PRAGMA user_version=2");
    s = open_store(folder, false, false);
    assert_stored(s, &old);
    noisy.sigma = 0.35;
    assert_true(add(s, &noisy));
    assert_stored(s, &noisy);
    assert_false(add(s, &old)); /* the same cell, by its key */
    store_close(s);
    store_close(open_store(folder, false, false)); /* once more, and there is nothing left to do */
    assert_int_equal(ask(folder, "PRAGMA user_version"), 3);
    assert_int_equal(ask(folder, "SELECT count(*) FROM job WHERE sigma = 0"), 1);
    job_record_clear(&old);
    job_record_clear(&noisy);
}

static void a_store_of_format_2_that_may_not_be_written_is_read_as_it_is(void **state) {
    const char *folder;
    store *s;
    job_record old, *all = NULL;
    char path[128];
    size_t n = 0;
    error_info err = {0};
    (void)state;
    if (geteuid() == 0)
        skip(); /* nothing is read-only for root */
    folder = scratch_folder();
    s = open_store(folder, true, false);
    old = make_record(1, "alarm", 500, "hc");
    assert_true(add(s, &old));
    store_close(s);
    execute(folder, "ALTER TABLE job DROP COLUMN sigma; ALTER TABLE job DROP COLUMN policy; PRAGMA user_version=2; "
                    "PRAGMA journal_mode=DELETE");
    (void)snprintf(path, sizeof path, "%s/results.sqlite", folder);
    assert_int_equal(chmod(path, 0444), 0);
    s = open_store(folder, false, false);
    assert_stored(s, &old);
    assert_ok(store_read_all(s, true, &all, &n, &err), &err);
    assert_int_equal(n, 1);
    assert_true(all[0].sigma == 0);
    store_close(s);
    job_records_destroy(all, n);
    job_record_clear(&old);
}

static void a_database_whose_tables_are_gone_is_refused(void **state) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true, false);
    job_record *records = NULL;
    size_t n = 0;
    error_info err = {0};
    (void)state;
    store_close(s);
    execute(folder, "DROP TABLE metric");
    s = open_store(folder, false, false);
    assert_int_equal(store_read_all(s, true, &records, &n, &err), STATUS_INVALID);
    assert_message_has(&err, "damaged");
    store_close(s);
}

/* Every outcome is fine but a crash, and a wrong answer where the pages of the records were not touched. */
static void a_damaged_database_gives_an_error_and_no_crash(void **state) {
    const char *folder = scratch_folder(), *broken = scratch_folder();
    store *s = open_store(folder, true, false);
    char path[128], *bytes = NULL;
    size_t length = 0, n_refused = 0;
    random_stream random;
    error_info err = {0};
    (void)state;
    for (unsigned i = 0; i < 30; i++) {
        job_record r = make_record(i, "alarm", 500, "hc");
        assert_true(add(s, &r));
        job_record_clear(&r);
    }
    store_close(s);
    (void)snprintf(path, sizeof path, "%s/results.sqlite", folder);
    assert_ok(file_read(path, FILE_READ_MOST, &bytes, &length, &err), &err);
    random_stream_init(&random, random_key_of(11));
    for (int round = 0; round < 120; round++) {
        char *copy = malloc(length);
        job_record *records = NULL;
        size_t n = 0, kept = round % 4 == 0 ? (size_t)random_below(&random, length) : length;
        store *t = NULL;
        status st;
        memcpy(copy, bytes, length);
        for (int i = 0; i < 40; i++)
            copy[random_below(&random, round % 2 ? length : 4096)] = (char)random_next(&random);
        write_database(broken, copy, kept);
        free(copy);
        st = store_open(broken, false, false, &t, &err);
        if (st == STATUS_OK)
            st = store_read_all(t, true, &records, &n, &err);
        n_refused += st != STATUS_OK;
        job_records_destroy(records, n);
        store_close(t);
    }
    assert_true(n_refused > 60);
    free(bytes);
}

static void a_full_disk_is_an_error_of_the_disk(void **state) {
    store *s = open_store(scratch_folder(), true, false);
    job_record r = make_record(8, "a", 1, "b"), small = make_record(9, "a", 1, "b");
    struct rlimit before, low = {.rlim_cur = 64 * 1024};
    bool added = false;
    error_info err = {0};
    status st;
    (void)state;
    assert_true(add(s, &small));
    free(r.graph);
    r.graph = malloc(1 << 20);
    memset(r.graph, 'g', 1 << 20);
    r.graph[(1 << 20) - 1] = '\0';
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    low.rlim_max = before.rlim_max;
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    st = store_add(s, &r, &added, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(st, STATUS_IO);
    assert_false(added);
    assert_stored(s, &small); /* what was there stays, and the store goes on */
    assert_true(add(s, &r));
    assert_stored(s, &r);
    job_record_clear(&r);
    job_record_clear(&small);
    store_close(s);
}

/* Runs `work` in a child; returns its id. */
static pid_t in_child(void (*work)(const char *), const char *folder) {
    pid_t child = fork();
    if (child == 0) {
        work(folder);
        _exit(0);
    }
    assert_true(child > 0);
    return child;
}

static void pause_ms(long ms) {
    struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    (void)nanosleep(&t, NULL);
}

static void end_child(pid_t child) {
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
}

static void hold_lock(const char *folder) {
    store *s = NULL;
    if (store_open(folder, true, true, &s, NULL) == STATUS_OK) {
        char *path = path_join(folder, "held");
        FILE *f = fopen(path, "w");
        (void)fclose(f);
    }
    pause_ms(20000);
}

static void wait_for_file(const char *folder, const char *name) {
    char *path = path_join(folder, name);
    for (int i = 0; i < 1000 && !file_exists(path); i++)
        pause_ms(10);
    assert_true(file_exists(path));
    free(path);
}

static void one_runner_at_a_time_holds_the_lock(void **state) {
    const char *folder = scratch_folder();
    pid_t child = in_child(hold_lock, folder);
    store *s = NULL;
    char pid[32];
    error_info err = {0};
    (void)state;
    wait_for_file(folder, "held");
    assert_int_equal(store_open(folder, false, true, &s, &err), STATUS_IO);
    assert_message_has(&err, "in use by another run");
    (void)snprintf(pid, sizeof pid, "process %ld", (long)child);
    assert_message_has(&err, pid);
    store_close(open_store(folder, false, false)); /* a reader does not mind */
    end_child(child);
    s = open_store(folder, false, true); /* freed by the kernel */
    assert_int_equal(store_open(folder, false, true, &s, &err), STATUS_IO);
    store_close(s);
}

static void fork_and_hold(const char *folder) {
    store *s = NULL;
    if (store_open(folder, true, true, &s, NULL) == STATUS_OK && fork() == 0) {
        store_release_in_child(s);
        hold_lock("/nonexistent");
    }
    char *path = path_join(folder, "held");
    FILE *f = fopen(path, "w");
    (void)fclose(f);
    pause_ms(20000);
}

static void a_worker_that_let_go_of_the_lock_does_not_keep_it(void **state) {
    const char *folder = scratch_folder();
    pid_t child = fork();
    (void)state;
    if (child == 0) {
        (void)setpgid(0, 0);
        fork_and_hold(folder);
        _exit(0);
    }
    wait_for_file(folder, "held");
    pause_ms(50);
    end_child(child); /* its own child lives on */
    store_close(open_store(folder, false, true));
    (void)kill(-child, SIGKILL);
}

/* Adds records until it is killed, each announced beside the store once store_add has returned. */
static void add_forever(const char *folder) {
    char *said_path = path_join(folder, "said");
    FILE *said = fopen(said_path, "a");
    store *s = NULL;
    job_record *records = NULL;
    size_t n = 0;
    if (store_open(folder, true, true, &s, NULL) != STATUS_OK ||
        store_read_all(s, false, &records, &n, NULL) != STATUS_OK)
        _exit(1);
    for (unsigned i = (unsigned)n;; i++) {
        job_record r = make_record(i, "alarm", 500, "hc");
        bool added = false;
        if (store_add(s, &r, &added, NULL) != STATUS_OK || !added)
            _exit(2);
        (void)fprintf(said, "%u\n", i);
        (void)fflush(said);
        job_record_clear(&r);
    }
}

static size_t count_lines(const char *folder, const char *name) {
    char *path = path_join(folder, name), *text = NULL;
    size_t length = 0, n = 0;
    error_info err = {0};
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    for (size_t i = 0; i < length; i++)
        n += text[i] == '\n';
    free(path);
    free(text);
    return n;
}

static void a_kill_at_any_moment_loses_and_doubles_nothing(void **state) {
    const char *folder = scratch_folder();
    random_stream random;
    size_t n_rounds = 25, n_before = 0;
    (void)state;
    random_stream_init(&random, random_key_of(3));
    for (size_t round = 0; round < n_rounds; round++) {
        pid_t child = in_child(add_forever, folder);
        job_record *records = NULL;
        size_t n = 0, n_said;
        store *s;
        int wait_status;
        error_info err = {0};
        pause_ms((long)(round == 0 ? 300 : 5 + random_below(&random, 90)));
        assert_int_equal(waitpid(child, &wait_status, WNOHANG), 0); /* it did not give up */
        end_child(child);
        s = open_store(folder, true, true);
        assert_ok(store_read_all(s, true, &records, &n, &err), &err);
        n_said = count_lines(folder, "said");
        /* What was announced is there; at most one a round is there and was not announced. */
        assert_true(n >= n_said && n <= n_said + round + 1 && n >= n_before);
        n_before = n;
        for (unsigned i = 0; i < n; i++) {
            job_record expected = make_record(i, "alarm", 500, "hc"), back = {0};
            assert_ok(store_find(s, expected.key, &back, &err), &err);
            assert_same_record(&back, &expected);
            job_record_clear(&expected);
            job_record_clear(&back);
        }
        job_records_destroy(records, n);
        store_close(s);
    }
    assert_true(n_before > n_rounds);
}

static void a_reader_sees_whole_records_while_a_run_writes(void **state) {
    const char *folder = scratch_folder();
    pid_t child = in_child(add_forever, folder);
    store *s;
    size_t last = 0;
    (void)state;
    wait_for_file(folder, "said");
    pause_ms(200);
    s = open_store(folder, false, false);
    for (int i = 0; i < 30; i++) {
        job_record *records = NULL;
        size_t n = 0;
        error_info err = {0};
        assert_ok(store_read_all(s, false, &records, &n, &err), &err);
        assert_true(n >= last);
        for (size_t k = 0; k < n; k++)
            assert_int_equal(records[k].n_metrics, 3);
        last = n;
        job_records_destroy(records, n);
    }
    store_close(s);
    end_child(child);
}

static void two_makers_of_a_store_end_with_one(void **state) {
    (void)state;
    for (int round = 0; round < 10; round++) {
        const char *folder = scratch_folder();
        pid_t child = fork();
        store *s = NULL;
        int wait_status = 0;
        if (child == 0)
            _exit(store_open(folder, true, false, &s, NULL) == STATUS_OK ? 0 : 1);
        store_close(open_store(folder, true, false));
        (void)waitpid(child, &wait_status, 0);
        assert_int_equal(wait_status, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_states_lead_back_to_them),
        cmocka_unit_test(metrics_of_a_record_stay_in_order_and_are_replaced),
        cmocka_unit_test(a_record_comes_back_as_it_went_in),
        cmocka_unit_test(every_bit_of_a_number_is_kept),
        cmocka_unit_test(a_key_keeps_its_first_record),
        cmocka_unit_test(only_a_higher_limit_replaces_what_is_not_done),
        cmocka_unit_test(records_come_in_order_and_without_graphs_on_request),
        cmocka_unit_test(a_removed_record_is_gone_with_its_metrics),
        cmocka_unit_test(records_that_say_too_little_are_refused),
        cmocka_unit_test(the_last_run_is_found_again),
        cmocka_unit_test(a_folder_without_results_is_missing),
        cmocka_unit_test(what_is_no_database_of_ours_is_refused),
        cmocka_unit_test(a_store_of_format_2_gets_noise_levels_and_keeps_its_results),
        cmocka_unit_test(a_store_of_format_2_that_may_not_be_written_is_read_as_it_is),
        cmocka_unit_test(a_database_whose_tables_are_gone_is_refused),
        cmocka_unit_test(a_damaged_database_gives_an_error_and_no_crash),
        cmocka_unit_test(a_full_disk_is_an_error_of_the_disk),
        cmocka_unit_test(one_runner_at_a_time_holds_the_lock),
        cmocka_unit_test(a_worker_that_let_go_of_the_lock_does_not_keep_it),
        cmocka_unit_test(a_kill_at_any_moment_loses_and_doubles_nothing),
        cmocka_unit_test(a_reader_sees_whole_records_while_a_run_writes),
        cmocka_unit_test(two_makers_of_a_store_end_with_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
