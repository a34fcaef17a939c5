/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Rows that further threads evaluate before the search asks for them: those that have not been evaluated, and those
 * that the best addition, deletion or reversal will make new. All functions belong to the thread of the search, and do
 * nothing where the search has no ahead.
 */
#ifndef BNB_LEARNERS_GREEDY_GREEDY_AHEAD_INTERNAL_H
#define BNB_LEARNERS_GREEDY_GREEDY_AHEAD_INTERNAL_H

#include "learners/greedy/greedy_worker_internal.h"

/** Makes the threads of the search where the work is long enough; `s` has its rows and its scorer. */
BNB_MUST_CHECK status greedy_ahead_hire(greedy_state *s, error_info *err);

/** Lets them begin, where there are any. */
BNB_MUST_CHECK status greedy_ahead_start(greedy_state *s, error_info *err);

/** Waits until they are done. */
void greedy_ahead_stop(greedy_state *s);

/** Says what will be asked of row y next, as far as one knows now. The row has been looked at. */
void greedy_ahead_ask(greedy_state *s, size_t y);

/** This deletion or reversal would gain so much, with these scores of its ends. */
void greedy_ahead_foresee(greedy_state *s, const arc_move *m, const arc_scores *scores);

/** The parents of y are others: reversals of its arcs do not gain what they did. */
void greedy_ahead_forget_reversals(greedy_state *s, size_t y);

/**
 * Makes what is known of row y the row's. `waits`: also where a thread is about to know it. False: nothing is known.
 * What were descendants of y at `*begun_at` (see s->past) is left out, and those of `*left_out` if not SIZE_MAX.
 */
bool greedy_ahead_take(greedy_state *s, size_t y, bool waits, uint32_t *begun_at, size_t *left_out);

/** Does work(self, 0), and work(self, i) in whichever threads have nothing to answer. Without others it is just done.
 */
void greedy_ahead_share(greedy_state *s, void (*work)(void *self, size_t index), void *self);

/** Answers a question of the search by its worker, and by those of threads that have nothing else to answer. */
BNB_MUST_CHECK status greedy_ahead_answer(greedy_state *s, const row_question *q, error_info *err);

/** x was toggled among the parents of y; with the lock of the graph. */
void greedy_ahead_note(greedy_state *s, size_t y, size_t x);

#endif
