/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a thread looks for a change, alone and where other programs want its processor. */
#include "tests/support/support.h"

#include "core/run/spin.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_YIELDS = 100000, CALM_LOOKS = 1000, LIFE_S = 60 };

static bool take_only(int processor) {
    cpu_set_t only;
    if (processor < 0 || processor >= CPU_SETSIZE)
        return false;
    CPU_ZERO(&only);
    CPU_SET((unsigned)processor, &only);
    return sched_setaffinity(0, sizeof only, &only) == 0 && sched_getcpu() == processor;
}

/* Another program on this thread's processor, which it never gives back by itself; it does not outlive the test. */
static pid_t begin_other(void) {
    pid_t other = fork();
    volatile size_t n = 0;
    if (other != 0)
        return other;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)alarm(LIFE_S);
    while (true)
        n++;
}

static size_t count_yields(void) {
    size_t n = 0;
    while (n < MOST_YIELDS && spin_yield())
        n++;
    return n;
}

/* False: another program is there all the time. */
static bool wait_until_calm(void) {
    for (size_t i = 0; i < CALM_LOOKS; i++) {
        if (spin_yield())
            return true;
        (void)usleep(1000);
    }
    return false;
}

/* The last of the tests: this thread knows of the other program for a while. */
static void nobody_yields_to_another_program_again_and_again(void **state) {
    cpu_set_t all;
    pid_t other;
    size_t n;
    bool goes_on;
    (void)state;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || !take_only(sched_getcpu()) || !wait_until_calm())
        skip();
    other = begin_other();
    n = count_yields();
    goes_on = spin_yield();
    (void)sched_setaffinity(0, sizeof all, &all);
    assert_true(other > 0 && kill(other, SIGKILL) == 0 && waitpid(other, NULL, 0) == other);
    assert_in_range(n, 0, MOST_YIELDS - 1);
    assert_false(goes_on);
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
