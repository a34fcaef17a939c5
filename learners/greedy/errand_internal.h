/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Work of the search that threads take part in when they have nothing else to do. */
#ifndef BNB_LEARNERS_GREEDY_ERRAND_INTERNAL_H
#define BNB_LEARNERS_GREEDY_ERRAND_INTERNAL_H

#include "core/run/bell.h"

typedef void (*errand_work)(void *self, size_t index);

/** One errand at a time. The lock and the bells are the caller's, for its threads wait for other things as well. */
typedef struct {
    pthread_mutex_t *lock;
    bell *news;       /* of threads that wait for something to do */
    bell *done;       /* of the search */
    errand_work work; /* NULL: there is none */
    void *self;
    size_t n_busy; /* threads that are at it */
} errand;

/** Without the lock, by the search: work(self, 0) here, and work(self, index) in the threads that take part; waits for
 * all of them. Once a thread has returned from it no other begins: work(self, 0) does all that is left. */
void errand_share(errand *e, errand_work work, void *self);

/** Under the lock, which it leaves for the while, by a thread of this index, from 1 on. False: there is none. */
bool errand_take_part(errand *e, size_t index);

#endif
