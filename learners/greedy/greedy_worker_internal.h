/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What one thread needs to find the best candidates of a row, and what it finds. */
#ifndef BNB_LEARNERS_GREEDY_GREEDY_WORKER_INTERNAL_H
#define BNB_LEARNERS_GREEDY_GREEDY_WORKER_INTERNAL_H

#include "learners/greedy/candidate_heap_internal.h"
#include "learners/greedy/greedy_state_internal.h"
#include "metrics/scores/scored_extras.h"

enum { GREEDY_KEPT = 16 }; /* candidates of which the score is kept once it is known */

/** How a candidate is bounded before it is scored. */
typedef enum { BY_NONE, BY_MIXED_ROWS, BY_ROW, BY_ALL_SCORES } greedy_bounding;

/** The question: the `size` best candidates of row y, not marked, beside these parents. */
typedef struct {
    size_t y, n_parents;
    const size_t *parents;
    double now; /* the score with the parents */
    size_t size;
    const scored_parent *seeds; /* candidates that are likely good, to begin with; only their nodes matter */
    size_t n_seeds;
} row_question;

/** Zero-initialise. Candidates that gain no more than `floor` are not wanted. Where the worker asks for paths, some of
 * the found that are not among the `size` best may be descendants. */
typedef struct greedy_worker {
    score *scorer, *own_scorer;           /* the second is NULL where the first is lent */
    row_bounds *bounds;                   /* NULL without tables */
    scored_extras *all_scores;            /* NULL but on many rows */
    size_t *extras;                       /* scratch of it */
    size_t size;                          /* so many of the best are wanted, or wished for */
    double *kind_ceiling, *kind_constant; /* of the row; NaN: not yet asked for */
    greedy_bounding how;
    candidate_heap open;      /* where the best are scored first */
    uint32_t *marks, mark;    /* a node is marked where its entry is `mark` or more, a descendant where it is more */
    uint32_t walk;            /* the entry of what the last walk to descendants met */
    bool knows_below;         /* that walk met all of them */
    uint32_t *nodes;          /* scratch: a list of nodes */
    dag_search *paths;        /* NULL where descendants are marked beforehand */
    double best[GREEDY_KEPT]; /* the gains of the best so far, descending */
    size_t n_best;
    double floor;
    /* the answer */
    double rest; /* no other candidate scores more; -INFINITY: or gains enough */
    missed_nodes missed;
    scored_parent *found; /* the best first */
    size_t n_found, capacity;
    bool is_expired; /* the deadline came first: there is no answer */
} greedy_worker;

/** `scorer` is borrowed; NULL: a twin of the search's is made. */
BNB_MUST_CHECK status greedy_worker_init(greedy_worker *w, const greedy_state *s, score *scorer, error_info *err);
void greedy_worker_clear(greedy_worker *w);

/** Answers a question by each worker, all of this thread: `s` is only read, what of it does not change. */
BNB_MUST_CHECK status greedy_workers_answer(greedy_worker *const *workers, const row_question *questions, size_t n,
                                            const greedy_state *s, const run_context *ctx, error_info *err);

/**
 * The parts of an answer: to begin it, to open the blocks of lanes where it goes by them, and to end it. Blocks are
 * opened in any order, those of a slab together: they follow one another.
 */
BNB_MUST_CHECK status greedy_worker_begin(greedy_worker *w, const greedy_state *s, const run_context *ctx,
                                          const row_question *q, error_info *err);
bool greedy_worker_goes_by_blocks(const greedy_worker *w, const greedy_state *s);
size_t greedy_worker_end_of_slab(const lane_columns *lanes, size_t first);
BNB_MUST_CHECK status greedy_worker_open_blocks(greedy_worker *w, const greedy_state *s, const row_question *q,
                                                size_t first, size_t end, error_info *err);
BNB_MUST_CHECK status greedy_worker_end(greedy_worker *w, const greedy_state *s, const run_context *ctx,
                                        const row_question *q, error_info *err);

/** Copies what the worker's answer was found without. */
BNB_MUST_CHECK status greedy_worker_copy_missed(const greedy_worker *w, missed_nodes *to, error_info *err);

/** Marks y and nothing else; and its descendants, of which only the first that it meets where the worker can ask for
 * paths to single candidates. `turned`: as they will be once the arc between it and y is reversed; SIZE_MAX: as they
 * are. With the lock. */
void greedy_worker_mark_below(greedy_worker *w, const greedy_state *s, size_t y, size_t turned);

/** True if x is a descendant of y, whose descendants were marked or are asked for. With the lock. */
bool greedy_worker_is_below(greedy_worker *w, const greedy_state *s, size_t x, size_t y);

static inline void greedy_worker_clear_marks(greedy_worker *w, size_t n) {
    if (w->walk > UINT32_MAX - 4) {
        memset(w->marks, 0, n * sizeof *w->marks);
        w->walk = 0;
    }
    w->mark = ++w->walk;
}

static inline void greedy_worker_mark(greedy_worker *w, size_t x) {
    w->marks[x] = w->mark;
}

static inline bool greedy_worker_has_marked(const greedy_worker *w, size_t x) {
    return w->marks[x] >= w->mark;
}

#endif
