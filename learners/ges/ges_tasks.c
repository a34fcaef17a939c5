/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/ges/ges_tasks_internal.h"

#include "core/base/array.h"
#include "core/counting/column_blocks.h"

#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = GES_MOST_FORESEEN, /* questions that are kept, foreseen now or before */
    PIECES_PER_TAKER = 4,      /* of what the search waits for */
    FORESEEN_AT_ONCE = 2       /* parts that a thread takes of what is foreseen; the search, which is waited for, one */
};

void ges_tasks_init(ges_tasks *all, size_t n_columns, size_t n_shares) {
    *all = (ges_tasks){.n_columns = n_columns, .n_shares = n_shares};
}

void ges_tasks_clear(ges_tasks *all) {
    for (size_t i = 0; i < AHEAD; i++) {
        free(all->ahead[i].family);
        free(all->ahead[i].scores);
        free(all->ahead[i].found);
        free(all->ahead[i].gains);
    }
    free(all->wanted);
    free(all->own);
    free(all->scores);
    free(all->found);
    free(all->gains);
}

bool ges_tasks_are_high(const ges_tasks *all, const ges_question *q) {
    return all->n_shares > 0 && q->n_columns == all->n_columns;
}

static size_t parts_of(const ges_tasks *all, const ges_question *q) {
    return ges_tasks_are_high(all, q) ? all->n_shares : column_block_count(q->n_columns);
}

/* --- pieces --- */

static size_t untaken(const ges_task *t) {
    return t->n_parts - t->n_first - t->n_last;
}

static ges_piece take_first(ges_task *t, size_t most) {
    size_t n = untaken(t) < most ? untaken(t) : most;
    t->n_first += n;
    return (ges_piece){t, t->n_first - n, t->n_first};
}

/* The search takes parts from the end: of the rows that it shares with one thread, each comes to the same columns again
 * and has them in its cache. */
static ges_piece take_last(ges_task *t, size_t most) {
    size_t n = untaken(t) < most ? untaken(t) : most;
    t->n_last += n;
    return (ges_piece){t, t->n_parts - t->n_last, t->n_parts - t->n_last + n};
}

/* Does another thread make what all parts of the question need? Whoever took one would wait for it. */
static bool is_being_prepared(const ges_tasks *all, const ges_task *t) {
    return ges_tasks_are_high(all, &t->question) && t->n_first + t->n_last > 0 && t->n_done == 0;
}

/* How far a thread goes for a part. */
typedef enum {
    NOT_TWICE, /* nobody has begun the question, or this thread was last at it, or threads share what they prepare */
    ANEW,      /* or this thread prepares for itself what another has prepared */
    WAITING    /* or it waits for the thread that does */
} effort;

static bool suits(const ges_tasks *all, const ges_taker *by, const ges_task *t, effort e) {
    bool is_begun = t->n_first + t->n_last > 0;
    if (untaken(t) == 0 || (e < WAITING && is_being_prepared(all, t)))
        return false;
    return e >= ANEW || !is_begun || by->last == t->number || ges_tasks_are_high(all, &t->question);
}

static void take_parts(ges_taker *by, ges_task *t, size_t most, ges_piece *out) {
    *out = by->is_search ? take_last(t, most) : take_first(t, most);
    by->last = t->number;
}

static bool take_wanted(ges_tasks *all, ges_taker *by, effort e, size_t n_takers, ges_piece *out) {
    size_t most = all->n_untaken / (n_takers * PIECES_PER_TAKER) + 1;
    while (all->at < all->n_wanted && untaken(all->wanted[all->at]) == 0)
        all->at++;
    for (size_t i = all->at; i < all->n_wanted; i++) {
        if (!suits(all, by, all->wanted[i], e))
            continue;
        take_parts(by, all->wanted[i], most, out);
        all->n_untaken -= out->end - out->first;
        return true;
    }
    return false;
}

/* Parts of the likeliest question. */
static bool take_foreseen(ges_tasks *all, ges_taker *by, effort e, ges_piece *out) {
    for (size_t i = 0; i < all->n_likely; i++) {
        ges_task *t = all->likely[i];
        if (!t->is_foreseen || !suits(all, by, t, e))
            continue;
        take_parts(by, t, by->is_search ? 1 : FORESEEN_AT_ONCE, out);
        return true;
    }
    return false;
}

/* What is foreseen comes before what another thread has prepared, but for the search, and before a wait for it. */
bool ges_tasks_take(ges_tasks *all, ges_taker *by, size_t n_takers, ges_piece *out) {
    return take_wanted(all, by, NOT_TWICE, n_takers, out) ||
           (!by->is_search && take_foreseen(all, by, NOT_TWICE, out)) || take_wanted(all, by, ANEW, n_takers, out) ||
           take_foreseen(all, by, ANEW, out) || take_wanted(all, by, WAITING, n_takers, out) ||
           take_foreseen(all, by, WAITING, out);
}

bool ges_tasks_is_last(const ges_piece *p) {
    return p->of->n_done + p->end - p->first == p->of->n_parts;
}

bool ges_tasks_end_piece(ges_tasks *all, const ges_piece *p, status result) {
    ges_task *t = p->of;
    size_t n = p->end - p->first;
    t->n_done += n;
    if (result != STATUS_OK)
        t->result = result;
    return t->is_wanted && atomic_fetch_sub(&all->n_left, n) == n;
}

/* --- what is foreseen --- */

static bool is_same(const ges_question *a, const ges_question *b) {
    return a->y == b->y && a->n_columns == b->n_columns && a->n_family == b->n_family && a->most == b->most &&
           (a->n_family == 0 || memcmp(a->family, b->family, a->n_family * sizeof *a->family) == 0);
}

/* NULL: it was not foreseen, or failed, and fails again in the search's own time. */
static ges_task *find_foreseen(ges_tasks *all, const ges_question *q) {
    for (size_t i = 0; i < AHEAD; i++) {
        ges_task *t = &all->ahead[i];
        if (all->ahead_of[i] == q->y && t->is_foreseen && t->result == STATUS_OK && is_same(&t->question, q))
            return t;
    }
    return NULL;
}

/* The place of the question that was named longest ago; NULL where all are at work. */
static ges_task *find_place(ges_tasks *all) {
    ges_task *found = NULL;
    if (all->n_at_rest > 0)
        return all->at_rest[--all->n_at_rest];
    for (size_t i = 0; i < AHEAD; i++) {
        ges_task *t = &all->ahead[i];
        bool is_at_rest = t->n_first + t->n_last == t->n_done && !t->is_wanted;
        bool is_free = is_at_rest && (!t->is_foreseen || t->round != all->round);
        if (is_free && (!found || (found->is_foreseen && (!t->is_foreseen || t->round < found->round))))
            found = t;
    }
    return found;
}

static status begin_foreseen(ges_tasks *all, ges_task *t, const ges_question *q) {
    t->is_foreseen = false;
    CHECK(ARRAY_RESERVE(t->gains, t->gains_capacity, ges_question_room(q), NULL));
    CHECK(ARRAY_RESERVE(t->family, t->family_capacity, q->n_family + 1, NULL));
    CHECK(ARRAY_RESERVE(t->scores, t->scores_capacity, column_block_count(q->n_columns) * COLUMN_BLOCK, NULL));
    if (ges_tasks_are_high(all, q))
        CHECK(ARRAY_RESERVE(t->found, t->found_capacity, q->n_columns, NULL));
    if (q->n_family > 0)
        memcpy(t->family, q->family, q->n_family * sizeof *q->family);
    all->ahead_of[t - all->ahead] = q->y;
    t->question = *q;
    t->question.family = t->family;
    t->number = ++all->n_questions;
    t->n_parts = parts_of(all, q);
    t->n_first = t->n_last = t->n_done = 0;
    t->result = STATUS_OK;
    t->is_foreseen = true;
    return STATUS_OK;
}

/* Without a place or memory the search does without. */
static void name_foreseen(ges_tasks *all, const ges_question *question) {
    ges_task *t = find_foreseen(all, question);
    if (!t) {
        t = find_place(all);
        t = t && begin_foreseen(all, t, question) == STATUS_OK ? t : NULL;
    }
    if (t) {
        t->round = all->round;
        all->likely[all->n_likely++] = t;
    }
}

void ges_tasks_foresee(ges_tasks *all, const ges_questions *foreseen) {
    all->round++;
    all->n_likely = 0;
    for (size_t i = 0; i < foreseen->n && i < AHEAD; i++)
        name_foreseen(all, &foreseen->items[i]);
}

/* The task is foreseen in this round too, after those that were named. */
static void name_again(ges_tasks *all, ges_task *t) {
    if (!t->is_foreseen || t->round == all->round || all->n_likely == AHEAD)
        return;
    t->round = all->round;
    all->likely[all->n_likely++] = t;
}

void ges_tasks_foresee_first(ges_tasks *all, const ges_questions *foreseen) {
    ges_task *before[AHEAD];
    size_t n_before = all->n_likely;
    memcpy(before, all->likely, n_before * sizeof(ges_task *));
    ges_tasks_foresee(all, foreseen);
    for (size_t i = 0; i < n_before; i++)
        name_again(all, before[i]);
}

/* --- what is wanted --- */

status ges_tasks_reserve(ges_tasks *all, const ges_questions *asked, error_info *err) {
    size_t n_blocks = 0, n_high = 0, n_gains = 0;
    for (size_t i = 0; i < asked->n; i++) {
        n_blocks += column_block_count(asked->items[i].n_columns);
        n_high += ges_tasks_are_high(all, &asked->items[i]);
        n_gains += ges_question_room(&asked->items[i]);
    }
    CHECK(ARRAY_RESERVE(all->wanted, all->wanted_capacity, asked->n, err));
    CHECK(ARRAY_RESERVE(all->own, all->own_capacity, asked->n, err));
    CHECK(ARRAY_RESERVE(all->found, all->found_capacity, n_high * all->n_columns + 1, err));
    CHECK(ARRAY_RESERVE(all->gains, all->gains_capacity, n_gains + 1, err));
    return ARRAY_RESERVE(all->scores, all->scores_capacity, n_blocks * COLUMN_BLOCK + 1, err);
}

/* What questions that were not foreseen find lies one after the other. */
void ges_tasks_want(ges_tasks *all, const ges_questions *asked) {
    double *scores = all->scores;
    high_score *found = all->found;
    ges_gain *gains = all->gains;
    size_t n_left = 0;
    all->at = all->n_untaken = 0;
    all->n_wanted = asked->n;
    for (size_t i = 0; i < asked->n; i++) {
        const ges_question *q = &asked->items[i];
        ges_task *t = find_foreseen(all, q);
        if (!t || t->is_wanted) {
            t = &all->own[i];
            *t = (ges_task){.question = *q,
                            .n_parts = parts_of(all, q),
                            .scores = scores,
                            .found = found,
                            .gains = gains,
                            .number = ++all->n_questions};
            gains += ges_question_room(q);
            scores += column_block_count(q->n_columns) * COLUMN_BLOCK;
            found += ges_tasks_are_high(all, q) ? all->n_columns : 0;
        }
        t->is_wanted = true;
        all->wanted[i] = t;
        all->n_untaken += untaken(t);
        n_left += t->n_parts - t->n_done;
    }
    atomic_store(&all->n_left, n_left);
}

status ges_tasks_end_wanted(ges_tasks *all) {
    status st = STATUS_OK;
    for (size_t i = 0; i < all->n_wanted; i++) {
        ges_task *t = all->wanted[i];
        if (t->is_foreseen)
            all->at_rest[all->n_at_rest++] = t;
        t->is_wanted = t->is_foreseen = false;
        st = st == STATUS_OK ? t->result : st;
    }
    all->at = all->n_wanted; /* nobody looks at them any more, without the lock they may move */
    return st;
}
