/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/run/bell.h"
#include "core/run/spin.h"

enum { N_WAITERS = 3, N_ROUNDS = 200 };

typedef struct {
    pthread_mutex_t lock;
    bell waited_for;
    size_t n_gone_on, n_each; /* how often one waits */
} waiting_room;

static void *wait_in_turn(void *argument) {
    waiting_room *r = argument;
    (void)pthread_mutex_lock(&r->lock);
    for (size_t i = 0; i < r->n_each; i++) {
        bell_wait(&r->waited_for, &r->lock);
        r->n_gone_on++;
    }
    (void)pthread_mutex_unlock(&r->lock);
    return NULL;
}

static void begin(waiting_room *r, pthread_t *waiters, size_t n_each) {
    *r = (waiting_room){.n_each = n_each};
    (void)pthread_mutex_init(&r->lock, NULL);
    bell_init(&r->waited_for);
    for (size_t i = 0; i < N_WAITERS; i++)
        assert_int_equal(pthread_create(&waiters[i], NULL, wait_in_turn, r), 0);
}

static void end(waiting_room *r, pthread_t *waiters) {
    for (size_t i = 0; i < N_WAITERS; i++)
        assert_int_equal(pthread_join(waiters[i], NULL), 0);
    assert_int_equal(r->n_gone_on, N_WAITERS * r->n_each);
    bell_destroy(&r->waited_for);
    (void)pthread_mutex_destroy(&r->lock);
}

/* Holds the lock when it returns. */
static void await(waiting_room *r, const size_t *number, size_t least) {
    spin s = {0};
    (void)pthread_mutex_lock(&r->lock);
    while (*number < least) {
        (void)pthread_mutex_unlock(&r->lock);
        spin_wait(&s);
        (void)pthread_mutex_lock(&r->lock);
    }
}

static void a_ring_wakes_all_who_sleep(void **state) {
    waiting_room r;
    pthread_t waiters[N_WAITERS];
    (void)state;
    begin(&r, waiters, 1);
    await(&r, &r.waited_for.n_asleep, N_WAITERS);
    bell_ring(&r.waited_for);
    (void)pthread_mutex_unlock(&r.lock);
    end(&r, waiters);
}

static void a_ring_for_one_wakes_a_sleeper_where_it_should(void **state) {
    waiting_room r;
    pthread_t waiters[N_WAITERS];
    (void)state;
    begin(&r, waiters, 1);
    await(&r, &r.waited_for.n_asleep, N_WAITERS);
    bell_ring_for_one(&r.waited_for, false);
    for (size_t i = 1; i <= N_WAITERS; i++) {
        bell_ring_for_one(&r.waited_for, true);
        (void)pthread_mutex_unlock(&r.lock);
        await(&r, &r.n_gone_on, i);
    }
    assert_int_equal(r.waited_for.n_asleep, 0);
    (void)pthread_mutex_unlock(&r.lock);
    end(&r, waiters);
}

/* Whether a thread looks or sleeps, it goes on once for each ring that comes while it waits. */
static void no_ring_is_missed_by_who_waits(void **state) {
    waiting_room r;
    pthread_t waiters[N_WAITERS];
    size_t n_gone_on = 0;
    (void)state;
    begin(&r, waiters, N_ROUNDS);
    while (n_gone_on < N_WAITERS * N_ROUNDS) {
        (void)pthread_mutex_lock(&r.lock);
        bell_ring(&r.waited_for);
        n_gone_on = r.n_gone_on;
        (void)pthread_mutex_unlock(&r.lock);
        for (size_t i = 0; i < n_gone_on; i++)
            spin_pause();
    }
    end(&r, waiters);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_wakes_all_who_sleep),
        cmocka_unit_test(a_ring_for_one_wakes_a_sleeper_where_it_should),
        cmocka_unit_test(no_ring_is_missed_by_who_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
