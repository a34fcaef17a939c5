/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Threads that look for more work, for work that comes in many short pieces: those of core/run/parallel.h are begun or
 * woken each time. */
#ifndef BNB_CORE_RUN_CREW_H
#define BNB_CORE_RUN_CREW_H

#include "core/run/parallel.h"

typedef struct crew crew;

/** n_workers with the caller, at least 1; fewer where the system gives no more threads. */
BNB_MUST_CHECK status crew_create(size_t n_workers, crew **out, error_info *err);

/**
 * How often a thread without work lets others have the processor, half a microsecond or so each time, before it sleeps,
 * and the caller who waits for the others: where pauses are somewhat longer than waking up. SPIN_YIELDS at first.
 */
void crew_set_patience(crew *c, size_t n_yields);

/** Waits for the threads. NULL is fine. */
void crew_destroy(crew *c);
AUTO_PTR_OF(crew, crew_destroy)

/** The caller and its threads: as many as there are workers. */
size_t crew_size(const crew *c);

/** As parallel_run, by these threads. Between two calls they look for work for some microseconds, and then sleep. */
BNB_MUST_CHECK status crew_run(crew *c, parallel_work work, void *self, error_info *err);

/**
 * Has the threads run work(self, 1) .. , while the caller goes its own way. Before crew_end there may be one more work,
 * by crew_begin or crew_run: each thread does it as soon as it is done with the first.
 */
void crew_begin(crew *c, parallel_work work, void *self);

/** Waits until they are done with all that was begun. @return the failure of the lowest worker that failed, by then */
status crew_end(crew *c, error_info *err);

#endif
