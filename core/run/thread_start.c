/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/thread_start.h"

#include "core/base/freed_memory.h"
#include "core/base/huge_pages.h"
#include "core/run/bell.h"
#include "core/run/spin.h"

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
    thread *made_before, *next_idle;
    pthread_mutex_t lock; /* of what follows */
    bell given, done;
    void (*run)(void *); /* NULL: nothing to run */
    void *argument;
    surroundings giver; /* whoever gave it that; what it runs may go wherever that one may */
    int processor;      /* where it last ran something; -1: nowhere */
};

/* They end with the process. In a child of it there are none of its parent's. */
static struct {
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
 * is met while the thread has no work yet. */
enum { FIRST = 2 * RECORD };

/* A compiler may leave out a block that is not used. */
static void prepare_memory(void *volatile *aside) {
    void *volatile first;
    if (!freed_memory_is_kept())
        return;
    *aside = malloc(ASIDE);
    freed_memory_grow();
    first = malloc(FIRST);
    free(first);
}

/* Under the lock, but for the while that it runs. */
static void run_next(thread *t) {
    while (!t->run)
        bell_wait(&t->given, &t->lock);
    if (t->giver.is_known)
        (void)pthread_setaffinity_np(pthread_self(), sizeof t->giver.all, &t->giver.all);
    (void)pthread_mutex_unlock(&t->lock);
    t->run(t->argument);
    spin_lock(&t->lock);
    t->run = NULL;
    t->processor = sched_getcpu();
    bell_ring(&t->done);
}

static void *serve(void *self) {
    thread *t = self;
    void *volatile aside = NULL; /* for good */
    prepare_memory(&aside);
    spin_lock(&t->lock);
    for (;;)
        run_next(t);
    return NULL;
}

/* --- how it comes to be --- */

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
/* Else the sanitizer ends a child that begins a thread where its parent has had some; the name is its.
 * NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);

/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
const char *__tsan_default_options(void) {
    return "die_after_fork=0";
}
#endif

static void prepare_for_forks(void) {
    (void)pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

static bool begin(thread *t, const surroundings *s) {
    pthread_attr_t attributes;
    bool is_begun;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    is_begun = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0 &&
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
static thread *make(const surroundings *s) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    thread *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    (void)pthread_once(&once, prepare_for_forks);
    (void)pthread_mutex_init(&t->lock, NULL);
    bell_init(&t->given);
    bell_init(&t->done);
    t->processor = -1;
    if (begin(t, s)) {
        enter(t);
        return t;
    }
    bell_destroy(&t->given);
    bell_destroy(&t->done);
    (void)pthread_mutex_destroy(&t->lock);
    free(t);
    return NULL;
}

/* --- idle threads --- */

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

/* It wakes where it fell asleep. */
static void give(thread *t, void (*run)(void *), void *argument, const surroundings *s) {
    spin_lock(&t->lock);
    t->run = run;
    t->argument = argument;
    t->giver = *s;
    if (has_others(s) && t->processor == s->here)
        (void)pthread_setaffinity_np(t->id, sizeof s->others, &s->others);
    bell_ring(&t->given);
    (void)pthread_mutex_unlock(&t->lock);
}

bool thread_start(thread **out, void (*run)(void *), void *argument) {
    surroundings s = look_around();
    thread *t = take_idle();
    if (!t)
        t = make(&s);
    if (!t)
        return false;
    give(t, run, argument, &s);
    *out = t;
    return true;
}

void thread_join(thread *t) {
    spin_lock(&t->lock);
    while (t->run)
        bell_wait(&t->done, &t->lock);
    (void)pthread_mutex_unlock(&t->lock);
    put_back(t);
}
