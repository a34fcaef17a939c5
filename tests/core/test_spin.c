/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a thread looks for a change, alone and where other programs want its processor. */
#include "tests/support/support.h"

#include "core/run/spin.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_YIELDS = 100000 };

static bool take_only(int processor) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET((unsigned)processor, &only);
    return sched_setaffinity(0, sizeof only, &only) == 0;
}

/* Another program on this thread's processor, which it never gives back by itself. */
static pid_t begin_other(void) {
    pid_t other = fork();
    volatile size_t n = 0;
    assert_int_not_equal(other, -1);
    while (other == 0)
        n++;
    return other;
}

static void end_other(pid_t other) {
    assert_int_equal(kill(other, SIGKILL), 0);
    assert_int_equal(waitpid(other, NULL, 0), other);
}

static size_t count_yields(void) {
    size_t n = 0;
    while (n < MOST_YIELDS && spin_yield())
        n++;
    return n;
}

static void wait_until_calm(void) {
    while (!spin_yield())
        (void)usleep(1000);
}

static void nobody_yields_to_another_program_again_and_again(void **state) {
    cpu_set_t all;
    pid_t other;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_true(take_only(sched_getcpu()));
    wait_until_calm();
    other = begin_other();
    assert_in_range(count_yields(), 0, MOST_YIELDS - 1);
    assert_false(spin_yield()); /* the span has just begun */
    end_other(other);
    wait_until_calm();
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static void a_change_is_seen_and_patience_ends(void **state) {
    atomic_size_t value = 3;
    (void)state;
    assert_true(spin_until_changed(&value, 2, 0));
    assert_true(spin_until_changed(&value, 2, 10));
    assert_false(spin_until_changed(&value, 3, 0));
    assert_false(spin_until_changed(&value, 3, 10));
}

/* On any computer: busy at the time of some waits, calm at that of others. */
static void a_wait_goes_on_by_looks_then_yields_then_sleep(void **state) {
    spin s = {0};
    (void)state;
    for (size_t i = 0; i < SPIN_LOOKS; i++)
        spin_wait(&s);
    assert_int_equal(s.n, SPIN_LOOKS);
    while (s.n < SPIN_LOOKS + SPIN_YIELDS + 10) {
        size_t before = s.n;
        spin_wait(&s);
        assert_true(s.n == before + 1 || s.n == SPIN_LOOKS + SPIN_YIELDS + 1);
    }
}

static void who_waits_for_a_lock_gets_it(void **state) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    (void)state;
    spin_lock(&lock);
    assert_int_not_equal(pthread_mutex_trylock(&lock), 0);
    (void)pthread_mutex_unlock(&lock);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_change_is_seen_and_patience_ends),
                                       cmocka_unit_test(a_wait_goes_on_by_looks_then_yields_then_sleep),
                                       cmocka_unit_test(who_waits_for_a_lock_gets_it),
                                       cmocka_unit_test(nobody_yields_to_another_program_again_and_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
