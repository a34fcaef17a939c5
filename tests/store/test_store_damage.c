/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Damaged databases, full disks, kills and several processes at once. */
#include "tests/store/store_support.h"

#include "core/base/file.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/wait.h>

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

static void put_mark(const char *folder, const char *name) {
    char *path = path_join(folder, name);
    FILE *f = fopen(path, "w");
    (void)fclose(f);
    free(path);
}

static void hold_lock(const char *folder) {
    store *s = NULL;
    if (store_open(folder, true, true, &s, NULL) == STATUS_OK) {
        put_mark(folder, "held");
    }
    pause_ms(20000);
}

static void wait_for_file(const char *folder, const char *name) {
    char *path = path_join(folder, name);
    for (int i = 0; i < 6000 && !file_exists(path); i++)
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
        put_mark(folder, "released");
    }
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
    wait_for_file(folder, "released");
    end_child(child); /* its own child lives on */
    store_close(open_store(folder, false, true));
    (void)kill(-child, SIGKILL);
}

/* Adds records until it is killed, each announced beside the store once store_add has returned. */
static void add_forever(const char *folder) {
    char *said_path = path_join(folder, "said");
    FILE *said;
    store *s = NULL;
    job_record *records = NULL;
    size_t n = 0;
    if (store_open(folder, true, true, &s, NULL) != STATUS_OK ||
        store_read_all(s, false, &records, &n, NULL) != STATUS_OK)
        _exit(1);
    said = fopen(said_path, "a");
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

static void wait_for_lines(const char *folder, const char *name, size_t n) {
    wait_for_file(folder, name);
    for (int i = 0; i < 6000 && count_lines(folder, name) < n; i++)
        pause_ms(10);
    assert_in_range(count_lines(folder, name), n, SIZE_MAX);
}

static void a_kill_at_any_moment_loses_and_doubles_nothing(void **state) {
    const char *folder = scratch_folder();
    random_stream random;
    enum { N_ROUNDS = 25 };
    size_t n_before = 0;
    (void)state;
    random_stream_init(&random, random_key_of(3));
    for (size_t round = 0; round < N_ROUNDS; round++) {
        pid_t child = in_child(add_forever, folder);
        job_record *records = NULL;
        size_t n = 0, n_said;
        store *s;
        int wait_status;
        error_info err = {0};
        if (round == 0)
            wait_for_lines(folder, "said", N_ROUNDS + 1);
        else
            pause_ms((long)(5 + random_below(&random, 90)));
        assert_int_equal(waitpid(child, &wait_status, WNOHANG), 0); /* it did not give up */
        end_child(child);
        s = open_store(folder, true, true);
        assert_ok(store_read_all(s, true, &records, &n, &err), &err);
        n_said = count_lines(folder, "said");
        /* What was announced is there; at most one a round is there and was not announced. */
        assert_in_range(n, n_said, n_said + round + 1);
        assert_in_range(n, n_before, SIZE_MAX);
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
