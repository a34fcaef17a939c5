/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/run/thread_sleep.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

/* What a thread waits for in one of three ways, and where it may run afterwards. */
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool is_free;
    atomic_bool is_over;
    pthread_t other; /* runs until is_over */
    cpu_set_t after;
} wait;

static void take_processors(cpu_set_t *out) {
    assert_int_equal(pthread_getaffinity_np(pthread_self(), sizeof *out, out), 0);
}

static void *wait_for_change(void *argument) {
    wait *w = argument;
    (void)pthread_mutex_lock(&w->lock);
    while (!w->is_free)
        thread_sleep(&w->change, &w->lock);
    (void)pthread_mutex_unlock(&w->lock);
    take_processors(&w->after);
    return NULL;
}

static void *wait_for_lock(void *argument) {
    wait *w = argument;
    thread_lock(&w->lock);
    (void)pthread_mutex_unlock(&w->lock);
    take_processors(&w->after);
    return NULL;
}

static void *wait_for_thread(void *argument) {
    wait *w = argument;
    thread_await_end(w->other);
    take_processors(&w->after);
    return NULL;
}

static void *run_until_over(void *argument) {
    wait *w = argument;
    while (!atomic_load(&w->is_over))
        (void)sched_yield();
    return NULL;
}

/* On a computer of one processor there is nothing to be seen. */
static void await_tied(pthread_t thread, const cpu_set_t *all) {
    cpu_set_t now;
    do {
        (void)sched_yield();
        assert_int_equal(pthread_getaffinity_np(thread, sizeof now, &now), 0);
    } while (CPU_COUNT(all) > 1 && CPU_COUNT(&now) > 1);
}

static void init(wait *w, cpu_set_t *all) {
    *w = (wait){.is_free = false};
    (void)pthread_mutex_init(&w->lock, NULL);
    (void)pthread_cond_init(&w->change, NULL);
    take_processors(all);
}

static void end(wait *w, pthread_t thread, const cpu_set_t *all) {
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(CPU_EQUAL(&w->after, all));
    (void)pthread_mutex_destroy(&w->lock);
    (void)pthread_cond_destroy(&w->change);
}

static void a_sleeper_is_tied_until_it_is_woken(void **state) {
    cpu_set_t all;
    pthread_t thread;
    wait w;
    (void)state;
    init(&w, &all);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_change, &w), 0);
    await_tied(thread, &all);
    (void)pthread_mutex_lock(&w.lock);
    w.is_free = true;
    (void)pthread_cond_broadcast(&w.change);
    (void)pthread_mutex_unlock(&w.lock);
    end(&w, thread, &all);
}

static void who_waits_for_a_lock_is_tied_until_it_is_free(void **state) {
    cpu_set_t all;
    pthread_t thread;
    wait w;
    (void)state;
    init(&w, &all);
    (void)pthread_mutex_lock(&w.lock);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_lock, &w), 0);
    await_tied(thread, &all);
    (void)pthread_mutex_unlock(&w.lock);
    end(&w, thread, &all);
}

static void who_waits_for_a_thread_is_tied_until_its_end(void **state) {
    cpu_set_t all;
    pthread_t thread;
    wait w;
    (void)state;
    init(&w, &all);
    assert_int_equal(pthread_create(&w.other, NULL, run_until_over, &w), 0);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_thread, &w), 0);
    await_tied(thread, &all);
    atomic_store(&w.is_over, true);
    end(&w, thread, &all);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_sleeper_is_tied_until_it_is_woken),
                                       cmocka_unit_test(who_waits_for_a_lock_is_tied_until_it_is_free),
                                       cmocka_unit_test(who_waits_for_a_thread_is_tied_until_its_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
