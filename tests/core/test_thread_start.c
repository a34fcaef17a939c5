/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that stay for what they are given next: which of them runs it, where, and what a fork leaves of them. */
#include "tests/support/support.h"

#include "build_info.h"
#include "core/run/parallel.h"
#include "core/run/thread_start.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_refused;

/* The linker calls this in the place of the library's, which is __real_; the names are its.
 * NOLINTBEGIN(cert-dcl51-cpp) */
int __real_pthread_create(pthread_t *out, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *out, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);

int __wrap_pthread_create(pthread_t *out, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    return is_refused ? EAGAIN : __real_pthread_create(out, attributes, run, argument);
}
/* NOLINTEND(cert-dcl51-cpp) */

static cpu_set_t processors(void) {
    cpu_set_t s;
    assert_int_equal(pthread_getaffinity_np(pthread_self(), sizeof s, &s), 0);
    return s;
}

static void allow(const cpu_set_t *s) {
    assert_int_equal(pthread_setaffinity_np(pthread_self(), sizeof *s, s), 0);
}

/* --- what a thread runs --- */

typedef struct {
    pthread_t by;
    cpu_set_t place;
    size_t n_run;
} piece;

static void do_piece(void *argument) {
    piece *p = argument;
    p->by = pthread_self();
    p->place = processors();
    p->n_run++;
}

static void one_thread_runs_one_piece_after_the_other(void **state) {
    piece first = {0};
    (void)state;
    for (size_t i = 0; i < 100; i++) {
        piece p = {0};
        thread *t;
        assert_true(thread_start(&t, do_piece, i == 0 ? &first : &p));
        thread_join(t);
        if (i == 0)
            continue;
        assert_int_equal(p.n_run, 1);
        assert_true(pthread_equal(p.by, first.by));
    }
    assert_int_equal(first.n_run, 1);
    assert_false(pthread_equal(first.by, pthread_self()));
}

/* Each goes on once all have come. */
typedef struct {
    atomic_size_t n_come;
    size_t n_wanted;
} gathering;

static void gather(void *argument) {
    gathering *g = argument;
    atomic_fetch_add(&g->n_come, 1);
    while (atomic_load(&g->n_come) < g->n_wanted)
        (void)sched_yield();
}

enum { N_TOGETHER = 4 };

static void gather_once(bool last_first) {
    gathering g = {.n_wanted = N_TOGETHER};
    thread *threads[N_TOGETHER];
    for (size_t k = 0; k < N_TOGETHER; k++)
        assert_true(thread_start(&threads[k], gather, &g));
    for (size_t k = N_TOGETHER; k-- > 0;)
        thread_join(threads[last_first ? k : N_TOGETHER - 1 - k]);
    assert_int_equal(atomic_load(&g.n_come), N_TOGETHER);
}

static void pieces_that_are_given_together_run_side_by_side(void **state) {
    (void)state;
    for (size_t i = 0; i < 50; i++)
        gather_once(i % 2 == 0);
}

/* A thread that waits falls asleep long before. */
static void a_thread_that_has_fallen_asleep_is_woken(void **state) {
    (void)state;
    for (size_t i = 0; i < 10; i++) {
        piece p = {0};
        thread *t;
        (void)usleep(5000);
        assert_true(thread_start(&t, do_piece, &p));
        thread_join(t);
        assert_int_equal(p.n_run, 1);
    }
}

/* --- where --- */

static void its_giver_may_run_where_it_could(void **state) {
    cpu_set_t before = processors(), after;
    (void)state;
    for (size_t i = 0; i < 100; i++) {
        piece p = {0};
        thread *t;
        assert_true(thread_start(&t, do_piece, &p));
        thread_join(t);
    }
    after = processors();
    assert_true(CPU_EQUAL(&before, &after));
}

static void expect_place(const cpu_set_t *expected) {
    piece p = {0};
    thread *t;
    allow(expected);
    assert_true(thread_start(&t, do_piece, &p));
    thread_join(t);
    assert_true(CPU_EQUAL(&p.place, expected));
}

/* The same thread each time, which looks for work or sleeps meanwhile. */
static void it_may_run_where_each_giver_may(void **state) {
    cpu_set_t all = processors(), one;
    (void)state;
    for (int i = 0; i < CPU_SETSIZE; i++) {
        if (!CPU_ISSET((unsigned)i, &all))
            continue;
        CPU_ZERO(&one);
        CPU_SET((unsigned)i, &one);
        expect_place(&one);
        (void)usleep(i % 2 ? 5000 : 0);
        expect_place(&all);
    }
}

/* --- without them --- */

static status count_workers(void *self, size_t worker, error_info *err) {
    (void)worker, (void)err;
    atomic_fetch_add((atomic_size_t *)self, 1);
    return STATUS_OK;
}

static void where_the_system_gives_no_more_those_that_are_there_do_it(void **state) {
    atomic_size_t n_run = 0;
    error_info err = {0};
    enum { TOO_MANY = 50 };
    (void)state;
    gather_once(true);
    is_refused = true;
    assert_ok(parallel_run(TOO_MANY, count_workers, &n_run, &err), &err);
    is_refused = false;
    assert_int_equal(atomic_load(&n_run), N_TOGETHER + 1);
}

static void a_child_has_threads_of_its_own(void **state) {
    int how = -1;
    pid_t child;
    (void)state;
    (void)fflush(NULL);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        atomic_size_t n_run = 0;
        bool is_well = parallel_run(3, count_workers, &n_run, NULL) == STATUS_OK && atomic_load(&n_run) == 3;
        _exit(is_well ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
}

/* --- a program that has not chosen it --- */

static size_t count_threads(void) {
    size_t n = 0;
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    for (const struct dirent *d; (d = readdir(tasks));)
        n += d->d_name[0] != '.';
    (void)closedir(tasks);
    return n;
}

/* The system lets go of a thread a moment after its end. */
static void await_threads(size_t n) {
    while (count_threads() > n)
        (void)sched_yield();
}

/* A sanitizer has one of its own from the first that it sees. */
static void threads_end_with_their_piece(void **state) {
    size_t before = count_threads();
    (void)state;
    for (size_t i = 0; i < 20; i++) {
        gather_once(i % 2 == 0);
        await_threads(before + (*BNB_SANITIZERS != '\0'));
    }
}

/* The threads that the tests have made stay for those after them. */
int main(void) {
    const struct CMUnitTest before[] = {
        cmocka_unit_test(threads_end_with_their_piece),
        cmocka_unit_test(its_giver_may_run_where_it_could),
        cmocka_unit_test(it_may_run_where_each_giver_may),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_runs_one_piece_after_the_other),
        cmocka_unit_test(its_giver_may_run_where_it_could),
        cmocka_unit_test(it_may_run_where_each_giver_may),
        cmocka_unit_test(a_thread_that_has_fallen_asleep_is_woken),
        cmocka_unit_test(pieces_that_are_given_together_run_side_by_side),
        cmocka_unit_test(where_the_system_gives_no_more_those_that_are_there_do_it),
        cmocka_unit_test(a_child_has_threads_of_its_own),
    };
    if (cmocka_run_group_tests(before, NULL, NULL) != 0)
        return 1;
    threads_keep();
    threads_keep(); /* once is enough */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
