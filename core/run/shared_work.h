/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Work of one thread that others take part in while they have nothing to do. Unlike a crew's, these threads have work
 * of their own, and look here when they wait for it.
 */
#ifndef BNB_CORE_RUN_SHARED_WORK_H
#define BNB_CORE_RUN_SHARED_WORK_H

#include "core/run/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/** A piece, and one within it: a thread's share may be so long that it shares parts of it anew. */
enum { SHARED_OUTER, SHARED_INNER, SHARED_DEPTH };

typedef struct {
    size_t number;      /* of all pieces; 0: none yet */
    parallel_work work; /* NULL: nobody is needed any more, and so is: */
    void *self;
    bool is_taken; /* some thread's piece is shared at present */
    size_t n_busy; /* threads that take part, but for the piece's own */
    status result; /* of the first of them that failed, and: */
    error_info err;
} shared_piece;

/** The pieces that a thread took part in last, by depth; {0} at first. */
typedef struct {
    size_t last[SHARED_DEPTH];
} shared_guest;

/** One piece of a depth at a time. The lock and the condition are the caller's, for idle threads wait for other things
 * as well. */
typedef struct {
    pthread_mutex_t *lock;  /* of what follows */
    pthread_cond_t *change; /* of what idle threads wait for: shared_work_tell, shared_work_wait */
    atomic_size_t n_changes;
    size_t n_told; /* of the changes those that a thread may have waited for, and not pieces that begin and end */
    atomic_size_t n_free; /* threads that wait, or look for what to do: without the lock, what it was just now */
    size_t n_pieces;      /* so far, of both depths */
    shared_piece pieces[SHARED_DEPTH];
} shared_work;

/** Under the lock: wakes all that wait, as what they wait for may be there. */
void shared_work_tell(shared_work *s);

/** Under the lock, which it leaves for the while: until somebody tells. Looks for a while before the thread sleeps. */
void shared_work_wait(shared_work *s);

/**
 * Without the lock: work(arg, 0) in this thread, and work(arg, number) in those that take part; waits for all. While
 * another piece is shared, this one is not, and runs in this thread alone.
 *
 * @param number the thread's own, not 0: as long as it waits for others it takes part in what they share within this
 *               piece
 * @return the failure of this thread, else of the first of the others that failed
 */
BNB_MUST_CHECK status shared_work_run(shared_work *s, size_t number, parallel_work work, void *arg, error_info *err);

/**
 * The same within a piece, by a thread that is at its share of that one: `outer` is the `arg` of its owner. It is not
 * shared, either, where that one is not.
 */
BNB_MUST_CHECK status shared_work_run_within(shared_work *s, const void *outer, parallel_work work, void *arg,
                                             error_info *err);

/**
 * Under the lock, which it leaves for the while: takes part once in each piece of either depth that others share, and
 * waits, until `is_enough`, which is asked at first, and again once somebody has told. All that while the thread is
 * free, but for its parts.
 * @param number the thread's own, not 0
 */
void shared_work_take_part_until(shared_work *s, size_t number, bool (*is_enough)(void *self), void *self);

/** The same for a thread that has to look after other things as well: takes part in one piece, or waits for something
 * to happen, for two milliseconds at most. */
void shared_work_visit(shared_work *s, size_t number, shared_guest *g);

#endif
