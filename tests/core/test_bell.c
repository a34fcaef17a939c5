/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/run/bell.h"
#include "core/run/spin.h"

enum { N_WAITERS = 3 };

/* The linker calls this in the place of the system's, which is __real_; the name is its. NOLINTBEGIN(cert-dcl51-cpp) */

static bell *rung_at_unlock; /* once, by whoever leaves a lock next */

int __real_pthread_mutex_unlock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock);

int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock) {
    bell *b = rung_at_unlock;
    int result = __real_pthread_mutex_unlock(lock);
    if (b) {
        rung_at_unlock = NULL;
        (void)pthread_mutex_lock(lock);
        bell_ring(b);
        (void)__real_pthread_mutex_unlock(lock);
    }
    return result;
}

/* NOLINTEND(cert-dcl51-cpp) */

typedef struct {
    pthread_mutex_t lock;
    bell waited_for;
    size_t n_gone_on;
} waiting_room;

static void *wait_once(void *argument) {
    waiting_room *r = argument;
    (void)pthread_mutex_lock(&r->lock);
    bell_wait(&r->waited_for, &r->lock);
    r->n_gone_on++;
    (void)pthread_mutex_unlock(&r->lock);
    return NULL;
}

static void begin(waiting_room *r, pthread_t *waiters) {
    *r = (waiting_room){.n_gone_on = 0};
    (void)pthread_mutex_init(&r->lock, NULL);
    bell_init(&r->waited_for);
    for (size_t i = 0; i < N_WAITERS; i++)
        assert_int_equal(pthread_create(&waiters[i], NULL, wait_once, r), 0);
}

static void end(waiting_room *r, pthread_t *waiters) {
    for (size_t i = 0; i < N_WAITERS; i++)
        assert_int_equal(pthread_join(waiters[i], NULL), 0);
    assert_int_equal(r->n_gone_on, N_WAITERS);
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
    begin(&r, waiters);
    await(&r, &r.waited_for.n_asleep, N_WAITERS);
    bell_ring(&r.waited_for);
    (void)pthread_mutex_unlock(&r.lock);
    end(&r, waiters);
}

static void a_ring_for_one_wakes_a_sleeper_where_it_should(void **state) {
    waiting_room r;
    pthread_t waiters[N_WAITERS];
    (void)state;
    begin(&r, waiters);
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

static void a_ring_just_after_the_lock_is_left_is_heard(void **state) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    bell b;
    (void)state;
    bell_init(&b);
    (void)pthread_mutex_lock(&lock);
    rung_at_unlock = &b;
    bell_wait(&b, &lock);
    assert_null(rung_at_unlock);
    assert_int_equal(b.n_asleep, 0);
    (void)pthread_mutex_unlock(&lock);
    bell_destroy(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_wakes_all_who_sleep),
        cmocka_unit_test(a_ring_for_one_wakes_a_sleeper_where_it_should),
        cmocka_unit_test(a_ring_just_after_the_lock_is_left_is_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
