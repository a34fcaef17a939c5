/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How threads of a short piece of work begin. */
#ifndef BNB_CORE_RUN_THREAD_START_H
#define BNB_CORE_RUN_THREAD_START_H

#include <pthread.h>
#include <stdbool.h>

/**
 * As pthread_create, on another processor than the caller's where there is one: the system may put a new thread beside
 * its creator, who goes on computing, and there it waits some milliseconds for its turn while the others are idle.
 * From then on the thread goes wherever the caller may go. Its memory comes in huge pages, where the program keeps what
 * it frees (core/base/freed_memory.h) and the system has them.
 * @return whether there is a thread
 */
bool thread_start(pthread_t *out, void *(*run)(void *), void *argument);

#endif
