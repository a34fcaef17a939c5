/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step of one search by all threads that have none. Rows of scores are filled each by itself, and so are moves
 * completed: it does not matter who does it, and what is asked for is the same all told. On munin1 (5,000 rows, ten
 * searches) two threads took 1.68 processors without it.
 */
#include "core/run/guided_share.h"
#include "learners/sgs/repair_memo_internal.h"

#include <math.h>

/* To begin and to end what is shared takes a microsecond. */
static bool is_worth_sharing(const sgs_state *s, size_t n, size_t few) {
    return n >= few && atomic_load(&s->team->work.n_free) > 0;
}

/* By the thread of that number, or by the owner of what is shared, whose number is 0 here. */
static const sgs_member *member_of(const sgs_state *s, size_t number) {
    return &s->team->members[number > 0 ? number - 1 : s->worker];
}

/* --- rows --- */

typedef struct {
    sgs_state *state;
    family_row *const *rows;
    size_t n;
    atomic_size_t next; /* the first that nobody has taken */
} row_pile;

static status fill_beside(void *self, size_t number, error_info *err) {
    row_pile *p = self;
    family_scores *scores = member_of(p->state, number)->scores;
    for (size_t i; (i = atomic_fetch_add(&p->next, 1)) < p->n && !run_context_is_expired(p->state->ctx);)
        CHECK(family_row_fill_if_open(scores, p->rows[i], err));
    return STATUS_OK;
}

status sgs_team_fill(sgs_state *s, family_row *const *rows, size_t n, error_info *err) {
    enum { FEW = 2 };
    row_pile p = {.state = s, .rows = rows, .n = n};
    return is_worth_sharing(s, n, FEW) ? shared_work_run(&s->team->work, s->worker + 1, fill_beside, &p, err)
                                       : fill_beside(&p, 0, err);
}

/* --- moves --- */

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

status sgs_team_complete_one(sgs_state *s, sgs_move *m, error_info *err) {
    return complete(s, member_of(s, 0)->repair, m, err);
}

static status complete_some(sgs_state *s, sgs_repair *repair, sgs_move *moves, size_t n, bool *is_expired,
                            error_info *err) {
    for (size_t i = 0; i < n && !*is_expired; i++) {
        CHECK(complete(s, repair, &moves[i], err));
        *is_expired = run_context_is_expired_at(s->ctx, i);
    }
    return STATUS_OK;
}

/* The clock is read once a share. */
static status complete_beside(void *self, size_t number, error_info *err) {
    enum { MOST = 4 }; /* moves at once, of some ten microseconds, or more where rows are missing */
    move_pile *p = self;
    sgs_state *s = p->state;
    sgs_repair *repair = member_of(s, number)->repair;
    bool is_expired = false;
    status st = STATUS_OK;
    size_t n, first;
    sgs_repair_turn_to(repair, s);
    while (st == STATUS_OK && !is_expired && (first = guided_share_take(&p->next, p->n, MOST, &n)) < p->n)
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

status sgs_team_complete(sgs_state *s, sgs_move *moves, size_t n, bool *is_expired, error_info *err) {
    enum { FEW = 4 };
    return is_worth_sharing(s, n, FEW) ? complete_together(s, moves, n, is_expired, err)
                                       : complete_some(s, member_of(s, 0)->repair, moves, n, is_expired, err);
}
