/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/thread_start.h"

#include "core/base/freed_memory.h"
#include "core/base/huge_pages.h"
#include "core/run/bell.h"
#include "core/run/spin.h"
#include "core/run/thread_sleep.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

/* Where a thread is, where it may run, and of these processors the others. */
typedef struct {
    bool is_known;
    int here;
    cpu_set_t all, others;
} surroundings;

struct thread {
    pthread_t id;
    bool stays;
    thread *made_before, *next_idle; /* of those that stay */
    pthread_mutex_t lock;            /* of what follows */
    bell given, done;
    void (*run)(void *); /* NULL: nothing to run */
    void *argument;
    surroundings giver; /* whoever gave it that; what it runs may go wherever that one may */
};

/* Those that stay end with the process. In a child of it there are none of its parent's. */
static struct {
    bool are_kept;
    pthread_mutex_t lock; /* of what follows */
    thread *idle;         /* first the one that ran last: its caches are warm */
    thread *last_made;    /* a leak checker comes to all of them from here */
} threads = {.lock = PTHREAD_MUTEX_INITIALIZER};

static surroundings look_around(void) {
    surroundings s = {.here = sched_getcpu()};
    s.is_known =
        s.here >= 0 && s.here < CPU_SETSIZE && pthread_getaffinity_np(pthread_self(), sizeof s.all, &s.all) == 0;
    s.others = s.all;
    if (s.is_known)
        CPU_CLR((unsigned)s.here, &s.others);
    return s;
}

static bool has_others(const surroundings *s) {
    return s->is_known && CPU_COUNT(&s->others) > 0;
}

/* --- what a thread does --- */

/* The first huge page of an arena has malloc's own record of it in it, so it never comes as one: it is set aside but
 * for the record. */
enum { RECORD = 4 << 10, ASIDE = HUGE_PAGE - RECORD };

/* A block that reaches into the next huge page. The system clears a page when it is met first, which takes 0.1 ms: it
 * is met before the work begins. */
enum { FIRST = 2 * RECORD };

/* What is set aside; freed at the end, it is there for the next thread that gets the arena. A compiler may leave out a
 * block that is not used. */
static void *prepare_memory(void) {
    void *volatile aside, *volatile first;
    if (!freed_memory_is_kept())
        return NULL;
    aside = malloc(ASIDE);
    freed_memory_grow();
    first = malloc(FIRST);
    free(first);
    return aside;
}

/* Under the lock, but for the while that it runs. */
static void run_next(thread *t) {
    while (!t->run)
        bell_wait_with_patience(&t->given, &t->lock, 0); /* what it does without work counts as the program's time */
    if (t->giver.is_known)
        (void)pthread_setaffinity_np(pthread_self(), sizeof t->giver.all, &t->giver.all);
    (void)pthread_mutex_unlock(&t->lock);
    t->run(t->argument);
    spin_lock(&t->lock);
    t->run = NULL;
    bell_ring(&t->done);
}

static void *serve(void *self) {
    thread *t = self;
    void *aside = prepare_memory();
    spin_lock(&t->lock);
    do
        run_next(t);
    while (t->stays);
    (void)pthread_mutex_unlock(&t->lock);
    free(aside);
    return NULL;
}

/* --- how it comes to be --- */

static void destroy(thread *t) {
    bell_destroy(&t->given);
    bell_destroy(&t->done);
    (void)pthread_mutex_destroy(&t->lock);
    free(t);
}

/* Its piece is there. */
static bool begin(thread *t) {
    const surroundings *s = &t->giver;
    pthread_attr_t attributes;
    bool is_begun;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    is_begun =
        pthread_attr_setdetachstate(&attributes, t->stays ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE) == 0 &&
        (!has_others(s) || pthread_attr_setaffinity_np(&attributes, sizeof s->others, &s->others) == 0) &&
        pthread_create(&t->id, &attributes, serve, t) == 0;
    (void)pthread_attr_destroy(&attributes);
    return is_begun;
}

static void enter(thread *t) {
    spin_lock(&threads.lock);
    t->made_before = threads.last_made;
    threads.last_made = t;
    (void)pthread_mutex_unlock(&threads.lock);
}

/* NULL: the system gives no more. */
static thread *make(void (*run)(void *), void *argument, const surroundings *s) {
    thread *t = malloc(sizeof *t);
    if (!t)
        return NULL;
    *t = (thread){.stays = threads.are_kept, .run = run, .argument = argument, .giver = *s};
    (void)pthread_mutex_init(&t->lock, NULL);
    bell_init(&t->given);
    bell_init(&t->done);
    if (!begin(t)) {
        destroy(t);
        return NULL;
    }
    if (t->stays)
        enter(t);
    return t;
}

/* --- those that stay --- */

static void before_fork(void) {
    (void)pthread_mutex_lock(&threads.lock);
}

static void after_fork(void) {
    (void)pthread_mutex_unlock(&threads.lock);
}

static void after_fork_in_child(void) {
    threads.idle = NULL;
    after_fork();
}

#ifdef __SANITIZE_THREAD__
/* Else gcc's sanitizer ends a child that begins a thread where its parent has had some; the name is its.
 * NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);

/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
const char *__tsan_default_options(void) {
    return "die_after_fork=0";
}
#endif

static void keep(void) {
    threads.are_kept = pthread_atfork(before_fork, after_fork, after_fork_in_child) == 0;
}

void threads_keep(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, keep);
}

static thread *take_idle(void) {
    thread *t;
    spin_lock(&threads.lock);
    t = threads.idle;
    if (t)
        threads.idle = t->next_idle;
    (void)pthread_mutex_unlock(&threads.lock);
    return t;
}

static void put_back(thread *t) {
    spin_lock(&threads.lock);
    t->next_idle = threads.idle;
    threads.idle = t;
    (void)pthread_mutex_unlock(&threads.lock);
}

/* A thread that sleeps is tied to the processor on which it will wake. */
static bool sleeps_on(const thread *t, int processor) {
    cpu_set_t now;
    return pthread_getaffinity_np(t->id, sizeof now, &now) == 0 && CPU_COUNT(&now) == 1 &&
           CPU_ISSET((unsigned)processor, &now);
}

static void give(thread *t, void (*run)(void *), void *argument, const surroundings *s) {
    spin_lock(&t->lock);
    t->run = run;
    t->argument = argument;
    t->giver = *s;
    if (has_others(s) && sleeps_on(t, s->here))
        (void)pthread_setaffinity_np(t->id, sizeof s->others, &s->others);
    bell_ring(&t->given);
    (void)pthread_mutex_unlock(&t->lock);
}

/* --- */

bool thread_start(thread **out, void (*run)(void *), void *argument) {
    surroundings s = look_around();
    thread *t = threads.are_kept ? take_idle() : NULL;
    if (t)
        give(t, run, argument, &s);
    else
        t = make(run, argument, &s);
    if (t)
        *out = t;
    return t;
}

static void wait_until_done(thread *t) {
    spin_lock(&t->lock);
    while (t->run)
        bell_wait_with_patience(&t->done, &t->lock, 0);
    (void)pthread_mutex_unlock(&t->lock);
}

void thread_join(thread *t) {
    if (t->stays) {
        wait_until_done(t);
        put_back(t);
    } else {
        thread_await_end(t->id);
        destroy(t);
    }
}
