/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/run/spin.h"
#include "learners/greedy/errand_internal.h"

enum { N_THREADS = 3, N_PARTS = 50, N_ROUNDS = 100 };

typedef struct {
    pthread_mutex_t lock;
    bell news, done;
    errand errand;
    bool is_over;
    atomic_size_t n_numbered;
} office;

/* What is done in parts, each by whoever comes. */
typedef struct {
    atomic_size_t next, n_inside, n_helpers, times[N_PARTS];
    atomic_bool is_owner_done;
    size_t n_awaited; /* the owner's first part lasts until so many helpers have come */
} task;

static void linger(void) {
    for (size_t i = 0; i < SPIN_LOOKS; i++)
        spin_pause();
}

/* The owner stays until helpers may have come again; a helper until the owner is done, and longer. */
static void do_parts(void *self, size_t index) {
    task *t = self;
    size_t part;
    spin s = {0};
    atomic_fetch_add(&t->n_inside, 1);
    atomic_fetch_add(&t->n_helpers, index > 0);
    while (index == 0 && atomic_load(&t->n_helpers) < t->n_awaited)
        spin_wait(&s);
    while ((part = atomic_fetch_add(&t->next, 1)) < N_PARTS)
        atomic_fetch_add(&t->times[part], 1);
    while (index > 0 && t->n_awaited == 0 && !atomic_load(&t->is_owner_done))
        spin_wait(&s);
    linger();
    if (index == 0)
        atomic_store(&t->is_owner_done, true);
    atomic_fetch_sub(&t->n_inside, 1);
}

static void *serve(void *argument) {
    office *o = argument;
    size_t index = 1 + atomic_fetch_add(&o->n_numbered, 1);
    (void)pthread_mutex_lock(&o->lock);
    while (!o->is_over) {
        if (!errand_take_part(&o->errand, index))
            bell_wait(&o->news, &o->lock);
    }
    (void)pthread_mutex_unlock(&o->lock);
    return NULL;
}

static void open_office(office *o, pthread_t *threads, size_t n_threads) {
    *o = (office){.is_over = false};
    (void)pthread_mutex_init(&o->lock, NULL);
    bell_init(&o->news);
    bell_init(&o->done);
    o->errand = (errand){.lock = &o->lock, .news = &o->news, .done = &o->done};
    for (size_t i = 0; i < n_threads; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, serve, o), 0);
}

static void close_office(office *o, pthread_t *threads, size_t n_threads) {
    (void)pthread_mutex_lock(&o->lock);
    o->is_over = true;
    bell_ring(&o->news);
    (void)pthread_mutex_unlock(&o->lock);
    for (size_t i = 0; i < n_threads; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    bell_destroy(&o->news);
    bell_destroy(&o->done);
    (void)pthread_mutex_destroy(&o->lock);
}

static void share(office *o, size_t n_awaited) {
    task t = {.n_awaited = n_awaited};
    errand_share(&o->errand, do_parts, &t);
    assert_int_equal(t.n_inside, 0);
    assert_in_range(t.n_helpers, n_awaited, N_THREADS);
    for (size_t i = 0; i < N_PARTS; i++)
        assert_int_equal(t.times[i], 1);
}

static void await_sleep(office *o) {
    size_t n_asleep = 0;
    for (spin s = {0}; n_asleep < N_THREADS;) {
        spin_wait(&s);
        (void)pthread_mutex_lock(&o->lock);
        n_asleep = o->news.n_asleep;
        (void)pthread_mutex_unlock(&o->lock);
    }
}

/* Also when they sleep. */
static void threads_that_wait_take_part_until_all_is_done(void **state) {
    office o;
    pthread_t threads[N_THREADS];
    (void)state;
    open_office(&o, threads, N_THREADS);
    for (size_t round = 0; round < N_ROUNDS; round++) {
        if (round % 4 == 0)
            await_sleep(&o);
        share(&o, round % 2);
    }
    close_office(&o, threads, N_THREADS);
}

static void without_threads_the_owner_does_all(void **state) {
    office o;
    (void)state;
    open_office(&o, NULL, 0);
    share(&o, 0);
    (void)pthread_mutex_lock(&o.lock);
    assert_false(errand_take_part(&o.errand, 1));
    (void)pthread_mutex_unlock(&o.lock);
    close_office(&o, NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_that_wait_take_part_until_all_is_done),
        cmocka_unit_test(without_threads_the_owner_does_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
