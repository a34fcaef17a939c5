/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/run/thread_start.h"

#include "core/base/freed_memory.h"
#include "core/base/huge_pages.h"

#include <sched.h>
#include <stdlib.h>

/* Where the caller may run, and of these processors the others; false: there are none, or one cannot tell. */
static bool find_others(cpu_set_t *all, cpu_set_t *others) {
    int here = sched_getcpu();
    if (here < 0 || here >= CPU_SETSIZE || pthread_getaffinity_np(pthread_self(), sizeof *all, all) != 0)
        return false;
    *others = *all;
    CPU_CLR((unsigned)here, others);
    return CPU_COUNT(others) > 0;
}

typedef struct {
    cpu_set_t processors;
    void *(*run)(void *);
    void *argument;
} start;

/* The first huge page of an arena has malloc's own record of it in it, so it never comes as one: it is set aside but
 * for the record. Freed at the end, it is there for the next thread that gets the arena. */
enum { RECORD = 4 << 10, ASIDE = HUGE_PAGE - RECORD };

/* A block that reaches into the next huge page. The system clears a page when it is met first, which takes 0.1 ms: it
 * is met while the thread has no work yet. */
enum { FIRST = 2 * RECORD };

/* First of all the thread may go wherever its creator may, and so may threads of its own. */
static void *begin(void *argument) {
    start own = *(start *)argument;
    void *volatile aside, *volatile first; /* a compiler may leave out a block that is not used */
    void *result;
    free(argument);
    (void)pthread_setaffinity_np(pthread_self(), sizeof own.processors, &own.processors);
    if (!freed_memory_is_kept())
        return own.run(own.argument);
    aside = malloc(ASIDE);
    freed_memory_grow();
    first = malloc(FIRST);
    free(first);
    result = own.run(own.argument);
    free(aside);
    return result;
}

/* Gives `s` away where a thread begins. */
static bool start_on(const cpu_set_t *processors, pthread_t *out, start *s) {
    pthread_attr_t attributes;
    bool is_started;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    is_started = pthread_attr_setaffinity_np(&attributes, sizeof *processors, processors) == 0 &&
                 pthread_create(out, &attributes, begin, s) == 0;
    (void)pthread_attr_destroy(&attributes);
    return is_started;
}

bool thread_start(pthread_t *out, void *(*run)(void *), void *argument) {
    start *s = malloc(sizeof *s);
    cpu_set_t others;
    if (s) {
        s->run = run;
        s->argument = argument;
        if (find_others(&s->processors, &others) && start_on(&others, out, s))
            return true;
        free(s);
    }
    return pthread_create(out, NULL, run, argument) == 0;
}
