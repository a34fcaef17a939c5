/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Threads that stay, for work that is shared again and again in pieces too short to start threads for. */
#ifndef BNB_CORE_RUN_CREW_H
#define BNB_CORE_RUN_CREW_H

#include "core/run/parallel.h"

typedef struct crew crew;

/** n_workers >= 1: the caller, and as many threads as the system gives of the others. */
BNB_MUST_CHECK status crew_create(size_t n_workers, crew **out, error_info *err);
void crew_destroy(crew *c); /* NULL is fine */
AUTO_PTR_OF(crew, crew_destroy)

/** As parallel_run, by the threads that wait for it. One call at a time. */
BNB_MUST_CHECK status crew_run(crew *c, parallel_work work, void *self, error_info *err);

#endif
