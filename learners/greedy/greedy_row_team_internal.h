/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One row that several threads evaluate: what the search needs at once, and nobody has found ahead. */
#ifndef BNB_LEARNERS_GREEDY_GREEDY_ROW_TEAM_INTERNAL_H
#define BNB_LEARNERS_GREEDY_GREEDY_ROW_TEAM_INTERNAL_H

#include "core/counting/base_tables.h"
#include "learners/greedy/greedy_worker_internal.h"

/** What a thread that takes part needs, and what it finds; zero-initialise. */
typedef struct {
    row_bounds *bounds; /* borrowed: those of a worker of the thread, which answers nothing meanwhile */
    candidate_heap open;
    missed_nodes missed;
} row_part;

void row_part_clear(row_part *p);

/** Answers a question by w, of this thread, and by those that have time: thread i by parts[i]. What is found is what w
 * alone finds. */
BNB_MUST_CHECK status greedy_row_team_answer(greedy_worker *w, const row_question *q, const greedy_state *s,
                                             const run_context *ctx, const pass_helpers *helpers, row_part *parts,
                                             error_info *err);

#endif
