/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Threads for short pieces of work. To begin one and to end it costs its creator some 0.1 ms, of learners that take
 * ten: where the program keeps them, a thread that has run what it was given stays, and runs what is given next.
 */
#ifndef BNB_CORE_RUN_THREAD_START_H
#define BNB_CORE_RUN_THREAD_START_H

#include <stdbool.h>

/**
 * That is the choice of a program, to be made before it has threads. A program that uses the library has not made it:
 * its threads are then its own, and what a thread has of its creator (signals that it lets in, its priority) is that of
 * whoever calls. A second call does nothing.
 */
void threads_keep(void);

/** One that runs what it was given. */
typedef struct thread thread;

/**
 * Has run(argument) run beside the caller, on another processor where there is one: the system may put a new thread
 * beside its creator, who goes on computing, and there it waits some milliseconds for its turn while the others are
 * idle. From then on the thread goes wherever the caller may go. Its memory comes in huge pages, where the program
 * keeps what it frees (core/base/freed_memory.h) and the system has them.
 * @return whether there is a thread
 */
bool thread_start(thread **out, void (*run)(void *), void *argument);

/** Waits until what it was given has run; the thread is no longer the caller's then. */
void thread_join(thread *t);

#endif
