/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repairs of one search by all threads that have none: each move goes its own way, so that it does not matter who
 * completes it, and the rows that they ask for are the same all told. On munin1 (5,000 rows, ten searches) two threads
 * took 1.68 processors without it.
 */
#include "core/run/guided_share.h"
#include "learners/sgs/repair_memo_internal.h"

#include <math.h>

/* The moves that threads complete side by side. */
typedef struct {
    sgs_state *state;
    sgs_move *moves;
    size_t n;
    atomic_size_t next; /* the first that nobody has taken */
    atomic_bool is_expired;
} move_pile;

static status complete(sgs_state *s, sgs_repair *repair, sgs_move *m, error_info *err) {
    size_t number = m->number;
    bool is_reversal;
    if (!isnan(repair_memo_list(s->repairs, m->to)->stars[number].gain)) {
        repair_memo_recall(s->repairs, number, m);
        return STATUS_OK;
    }
    CHECK(sgs_repair_move(repair, s, m, &is_reversal, err));
    repair_memo_keep(s->repairs, number, m, sgs_repair_trail(repair));
    return STATUS_OK;
}

static status complete_some(sgs_state *s, sgs_repair *repair, sgs_move *moves, size_t n, bool *is_expired,
                            error_info *err) {
    for (size_t i = 0; i < n && !*is_expired; i++) {
        CHECK(complete(s, repair, &moves[i], err));
        *is_expired = run_context_is_expired_at(s->ctx, i);
    }
    return STATUS_OK;
}

/* By a thread that takes part, or by the owner of the pile, whose number is 0 here. */
static status complete_beside(void *self, size_t number, error_info *err) {
    enum { MOST = 8 }; /* moves at once, of some ten microseconds */
    move_pile *p = self;
    sgs_state *s = p->state;
    sgs_repair *repair = s->team->repairs[number > 0 ? number - 1 : s->worker];
    bool is_expired = false;
    status st = STATUS_OK;
    sgs_repair_turn_to(repair, s);
    for (size_t n, first;
         st == STATUS_OK && !is_expired && (first = guided_share_take(&p->next, p->n, MOST, &n)) < p->n;)
        st = complete_some(s, repair, p->moves + first, n, &is_expired, err);
    if (is_expired)
        atomic_store(&p->is_expired, true);
    if (is_expired || st != STATUS_OK)
        atomic_store(&p->next, p->n); /* what the others find is of no use */
    return st;
}

static status complete_together(sgs_state *s, sgs_move *moves, size_t n, bool *is_expired, error_info *err) {
    move_pile p = {.state = s, .moves = moves, .n = n};
    CHECK(shared_work_run(&s->team->work, s->worker + 1, complete_beside, &p, err));
    *is_expired = atomic_load(&p.is_expired);
    return STATUS_OK;
}

/* To begin and to end takes a microsecond. */
static bool is_worth_sharing(const sgs_state *s, size_t n) {
    enum { FEW = 4 };
    return s->team && n >= FEW && atomic_load(&s->team->work.n_free) > 0;
}

status sgs_complete_moves(sgs_state *s, sgs_repair *repair, sgs_move *moves, size_t n, bool *is_expired,
                          error_info *err) {
    return is_worth_sharing(s, n) ? complete_together(s, moves, n, is_expired, err)
                                  : complete_some(s, repair, moves, n, is_expired, err);
}
