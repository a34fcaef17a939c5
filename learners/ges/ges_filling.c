/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/ges/ges_filling_internal.h"

#include "core/base/array.h"
#include "core/counting/counts.h"
#include "core/run/bell.h"
#include "core/run/spin.h"
#include "core/run/thread_sleep.h"
#include "core/run/thread_start.h"
#include "learners/ges/ges_sift_internal.h"
#include "metrics/scores/high_scores.h"
#include "metrics/scores/score_rows.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = GES_MOST_FORESEEN, /* questions that are kept, foreseen now or before */
    PIECES_PER_MEMBER = 4,     /* of what the search waits for */
    FORESEEN_AT_ONCE = 2,      /* parts that a thread takes of what is foreseen; the search, which is waited for, one */
    EXACT_AT_ONCE = 2          /* of a question's scores, the highest */
};

/* The work on a question. */
typedef struct {
    ges_question question;
    size_t number; /* of the question, among all; from 1 on */
    size_t n_parts, n_done;
    size_t n_first, n_last; /* parts that are taken: the first by the threads, the last by the search */
    double *scores;         /* by block; or bounds by node, of which the highest are: */
    high_score *found;
    size_t n_found;
    double without; /* the score of y and the family */
    ges_gain *gains;
    size_t n_gains;
    double rest;
    bool is_wanted; /* the search waits for it */
    status result;
    /* of one that was foreseen */
    bool is_foreseen;
    size_t round; /* when it was named last */
    size_t *family;
    size_t family_capacity, scores_capacity, found_capacity, gains_capacity;
} task;

/* What a thread takes at once. */
typedef struct {
    task *of;
    size_t first, end; /* parts */
} piece;

typedef struct {
    ges_filling *of;
    score_rows rows;
    high_scores *high; /* NULL: scores are found by blocks alone */
    ges_gain *sifted;  /* of a question */
    thread *thread;
    size_t last; /* the number of the question of which it took parts last; 0: none yet */
} member;

struct ges_filling {
    run_context ctx; /* without the counters, which are the search's alone */
    const run_context *search_ctx;
    score_columns *columns;
    high_columns *high; /* NULL: as above */
    pthread_mutex_t lock;
    bell news; /* of threads that wait for work */
    pthread_cond_t all_is_done;
    member *members; /* the first is the search */
    size_t n_members, n_room;
    size_t n_columns;
    size_t n_questions; /* so far */
    bool is_search_asleep;
    atomic_bool is_over; /* the deadline has passed, or a wanted question has failed, or: */
    bool is_ending;      /* there will be no more questions */
    error_info failure;  /* the last */
    /* what the search waits for */
    task **wanted, *own; /* in their order; and those of them that were not foreseen */
    size_t n_wanted, at, wanted_capacity, own_capacity;
    double *scores; /* of the latter */
    high_score *found;
    ges_gain *gains;
    size_t scores_capacity, found_capacity, gains_capacity, n_untaken;
    atomic_size_t n_left; /* parts that are not done */
    bool is_asked;        /* it has been told already */
    /* what it will presumably ask for */
    task ahead[AHEAD];
    size_t ahead_of[AHEAD]; /* their y, for the search to look at */
    task *at_rest[AHEAD];   /* of these, known to be neither foreseen nor wanted */
    size_t n_at_rest;
    size_t round;
    task *likely[AHEAD]; /* named in this round, the likeliest first */
    size_t n_likely;
    /* beside all questions; NULL: nothing */
    ges_side_work *side;
    void *side_self;
    atomic_size_t n_at_side; /* threads */
};

static size_t blocks_of(const ges_question *q) {
    return (q->n_columns + COLUMN_BLOCK - 1) / COLUMN_BLOCK;
}

/* Gains that may be kept. */
static size_t room_of(const ges_question *q) {
    return 2 * q->most < q->n_columns ? 2 * q->most : q->n_columns;
}

/* Of all columns the high scores alone are found, by shares of them; else a part is a block. */
static bool asks_for_high(const ges_filling *f, const ges_question *q) {
    return f->high && q->n_columns == f->n_columns;
}

static size_t parts_of(const ges_filling *f, const ges_question *q) {
    return asks_for_high(f, q) ? high_columns_shares(f->high) : blocks_of(q);
}

/* --- pieces; with the lock --- */

static size_t untaken(const task *t) {
    return t->n_parts - t->n_first - t->n_last;
}

static piece take_first(task *t, size_t most) {
    size_t n = untaken(t) < most ? untaken(t) : most;
    t->n_first += n;
    return (piece){t, t->n_first - n, t->n_first};
}

/* The search takes parts from the end: of the rows that it shares with one thread, each comes to the same columns again
 * and has them in its cache. */
static piece take_last(task *t, size_t most) {
    size_t n = untaken(t) < most ? untaken(t) : most;
    t->n_last += n;
    return (piece){t, t->n_parts - t->n_last, t->n_parts - t->n_last + n};
}

/* Does another thread make what all parts of the question need? Whoever took one would wait for it. */
static bool is_being_prepared(const ges_filling *f, const task *t) {
    return asks_for_high(f, &t->question) && t->n_first + t->n_last > 0 && t->n_done == 0;
}

/* How far a thread goes for a part. */
typedef enum {
    NOT_TWICE, /* nobody has begun the question, or this thread was last at it, or threads share what they prepare */
    ANEW,      /* or this thread prepares for itself what another has prepared */
    WAITING    /* or it waits for the thread that does */
} effort;

static bool suits(const member *m, const task *t, effort e) {
    bool is_begun = t->n_first + t->n_last > 0;
    if (untaken(t) == 0 || (e < WAITING && is_being_prepared(m->of, t)))
        return false;
    return e >= ANEW || !is_begun || m->last == t->number || asks_for_high(m->of, &t->question);
}

static void take_parts(member *m, task *t, size_t most, piece *out) {
    *out = m == m->of->members ? take_last(t, most) : take_first(t, most);
    m->last = t->number;
}

static bool take_wanted(member *m, effort e, piece *out) {
    ges_filling *f = m->of;
    size_t most = f->n_untaken / (f->n_members * PIECES_PER_MEMBER) + 1;
    while (f->at < f->n_wanted && untaken(f->wanted[f->at]) == 0)
        f->at++;
    for (size_t i = f->at; i < f->n_wanted; i++) {
        if (!suits(m, f->wanted[i], e))
            continue;
        take_parts(m, f->wanted[i], most, out);
        f->n_untaken -= out->end - out->first;
        return true;
    }
    return false;
}

/* Parts of the likeliest question. */
static bool take_foreseen(member *m, effort e, piece *out) {
    ges_filling *f = m->of;
    for (size_t i = 0; i < f->n_likely; i++) {
        task *t = f->likely[i];
        if (!t->is_foreseen || !suits(m, t, e))
            continue;
        take_parts(m, t, m == f->members ? 1 : FORESEEN_AT_ONCE, out);
        return true;
    }
    return false;
}

/* What is foreseen comes before what another thread has prepared, but for the search, and before a wait for it. */
static bool take(member *m, piece *out) {
    bool is_search = m == m->of->members;
    return take_wanted(m, NOT_TWICE, out) || (!is_search && take_foreseen(m, NOT_TWICE, out)) ||
           take_wanted(m, ANEW, out) || take_foreseen(m, ANEW, out) || take_wanted(m, WAITING, out) ||
           take_foreseen(m, WAITING, out);
}

static void end_piece(ges_filling *f, const piece *p, status result, const error_info *err) {
    task *t = p->of;
    t->n_done += p->end - p->first;
    if (result != STATUS_OK) {
        t->result = result;
        f->failure = *err;
    }
    if (!t->is_wanted)
        return;
    if (t->result != STATUS_OK)
        atomic_store(&f->is_over, true);
    if (atomic_fetch_sub(&f->n_left, p->end - p->first) == p->end - p->first && f->is_search_asleep)
        (void)pthread_cond_signal(&f->all_is_done);
}

/* --- their scores; without it --- */

static status fill_part(member *m, const task *t, size_t part, error_info *err) {
    const ges_question *q = &t->question;
    if (asks_for_high(m->of, q))
        return high_scores_bound(m->high, part, q->y, q->family, q->n_family, t->scores, err);
    return score_rows_block(&m->rows, part, q->y, q->family, q->n_family, t->scores + part * COLUMN_BLOCK, err);
}

static status fill_piece(member *m, const piece *p, error_info *err) {
    ges_filling *f = m->of;
    const run_context *ctx = m == f->members ? f->search_ctx : &f->ctx; /* whoever watches is shown the counters */
    for (size_t part = p->first; part < p->end; part++) {
        if (run_context_is_expired(ctx))
            atomic_store(&f->is_over, true);
        if (atomic_load(&f->is_over))
            return STATUS_OK;
        CHECK(fill_part(m, p->of, part, err));
    }
    return STATUS_OK;
}

/* With all its bounds. */
static status list_high(member *m, task *t, error_info *err) {
    const ges_question *q = &t->question;
    CHECK(
        high_scores_list(m->high, q->y, q->family, q->n_family, t->scores, EXACT_AT_ONCE, t->found, &t->n_found, err));
    t->without = high_scores_without(m->high);
    return STATUS_OK;
}

static status score_family(const member *m, task *t, error_info *err) {
    const ges_question *q = &t->question;
    return score_node_fresh(m->rows.scorer, q->y, q->family, q->n_family, COUNTS_NO_EXTRA, &t->without, err);
}

/* Where the search has made room: it copies them into memory of its own, as what another thread has allocated comes
 * and goes slowly. */
static void keep_gains(const member *m, task *t) {
    size_t n = asks_for_high(m->of, &t->question) ? ges_sift_high(t->found, t->n_found, t->without, m->sifted)
                                                  : ges_sift(t->scores, t->question.n_columns, t->without, m->sifted);
    t->rest = ges_sift_out(m->sifted, t->question.most, &n);
    memcpy(t->gains, m->sifted, n * sizeof *t->gains);
    ges_gains_make_heap(t->gains, n);
    t->n_gains = n;
}

/* Once all its parts are done. */
static status finish(member *m, task *t, error_info *err) {
    if (atomic_load(&m->of->is_over))
        return STATUS_OK;
    CHECK(asks_for_high(m->of, &t->question) ? list_high(m, t, err) : score_family(m, t, err));
    if (t->question.most > 0)
        keep_gains(m, t);
    return STATUS_OK;
}

/* With the lock, which it leaves for the while. Whoever ends the last part finishes the question. */
static void work_on(member *m, const piece *p) {
    ges_filling *f = m->of;
    error_info err = {0};
    status st;
    (void)pthread_mutex_unlock(&f->lock);
    st = fill_piece(m, p, &err);
    spin_lock(&f->lock);
    if (st == STATUS_OK && p->of->result == STATUS_OK && p->of->n_done + p->end - p->first == p->of->n_parts) {
        (void)pthread_mutex_unlock(&f->lock);
        st = finish(m, p->of, &err);
        spin_lock(&f->lock);
    }
    end_piece(f, p, st, &err);
}

/* --- the threads --- */

/* With the lock, which it leaves for the while. */
static void work_beside(member *m) {
    ges_filling *f = m->of;
    ges_side_work *work = f->side;
    bool is_left;
    f->n_at_side++;
    (void)pthread_mutex_unlock(&f->lock);
    is_left = work(f->side_self, (size_t)(m - f->members), m->rows.scorer);
    spin_lock(&f->lock);
    f->n_at_side--;
    if (!is_left)
        f->side = NULL;
}

static void serve(void *self) {
    member *m = self;
    ges_filling *f = m->of;
    spin_lock(&f->lock);
    while (!f->is_ending) {
        piece p;
        if (take(m, &p))
            work_on(m, &p);
        else if (f->side)
            work_beside(m);
        else
            bell_wait(&f->news, &f->lock);
    }
    (void)pthread_mutex_unlock(&f->lock);
}

/* As many as the system gives. */
static void start_threads(ges_filling *f, size_t n) {
    spin_lock(&f->lock);
    for (f->n_members = 1; f->n_members < n; f->n_members++) {
        member *m = &f->members[f->n_members];
        if (!thread_start(&m->thread, serve, m))
            break;
    }
    (void)pthread_mutex_unlock(&f->lock);
}

static status member_init(member *m, ges_filling *f, score *scorer, error_info *err) {
    m->of = f;
    m->rows = (score_rows){.scorer = scorer, .columns = f->columns};
    CHECK_ALLOC(m->sifted = calloc(f->n_columns + 1, sizeof *m->sifted));
    return f->high ? high_scores_create(scorer, f->high, &m->high, err) : STATUS_OK;
}

status ges_filling_create(score *const *scorers, size_t n_scorers, size_t n_columns, const run_context *ctx,
                          ges_filling **out, error_info *err) {
    AUTO_PTR(ges_filling_destroy) ges_filling *f = NULL;
    CHECK_ALLOC(f = calloc(1, sizeof *f));
    (void)pthread_mutex_init(&f->lock, NULL);
    bell_init(&f->news);
    (void)pthread_cond_init(&f->all_is_done, NULL);
    f->search_ctx = ctx;
    f->ctx = *ctx;
    f->ctx.most_scores = 0;
    CHECK_ALLOC(f->members = calloc(n_scorers, sizeof *f->members));
    f->n_columns = n_columns;
    CHECK(score_columns_create(scorers[0], &f->columns, err));
    CHECK(high_columns_create(scorers[0], n_scorers, &f->high, err));
    for (; f->n_room < n_scorers; f->n_room++)
        CHECK(member_init(&f->members[f->n_room], f, scorers[f->n_room], err));
    start_threads(f, n_scorers);
    *out = TAKE(f);
    return STATUS_OK;
}

static void end_threads(ges_filling *f) {
    spin_lock(&f->lock);
    f->is_ending = true;
    atomic_store(&f->is_over, true);
    bell_ring(&f->news);
    (void)pthread_mutex_unlock(&f->lock);
    for (size_t i = 1; i < f->n_members; i++)
        thread_join(f->members[i].thread);
}

void ges_filling_destroy(ges_filling *f) {
    if (!f)
        return;
    end_threads(f);
    for (size_t i = 0; i < f->n_room; i++) {
        score_rows_clear(&f->members[i].rows);
        free(f->members[i].sifted);
        high_scores_destroy(f->members[i].high);
    }
    for (size_t i = 0; i < AHEAD; i++) {
        free(f->ahead[i].family);
        free(f->ahead[i].scores);
        free(f->ahead[i].found);
        free(f->ahead[i].gains);
    }
    (void)pthread_mutex_destroy(&f->lock);
    bell_destroy(&f->news);
    (void)pthread_cond_destroy(&f->all_is_done);
    score_columns_destroy(f->columns);
    high_columns_destroy(f->high);
    free(f->members);
    free(f->wanted);
    free(f->own);
    free(f->scores);
    free(f->found);
    free(f->gains);
    free(f);
}

size_t ges_filling_threads(const ges_filling *f) {
    return f->n_members;
}

/* --- the search --- */

static bool is_same(const ges_question *a, const ges_question *b) {
    return a->y == b->y && a->n_columns == b->n_columns && a->n_family == b->n_family && a->most == b->most &&
           (a->n_family == 0 || memcmp(a->family, b->family, a->n_family * sizeof *a->family) == 0);
}

/* NULL: it was not foreseen, or failed, and fails again in the search's own time. */
static task *find_foreseen(ges_filling *f, const ges_question *q) {
    for (size_t i = 0; i < AHEAD; i++) {
        task *t = &f->ahead[i];
        if (f->ahead_of[i] == q->y && t->is_foreseen && t->result == STATUS_OK && is_same(&t->question, q))
            return t;
    }
    return NULL;
}

/* With the lock. The place of the question that was named longest ago; NULL where all are at work. */
static task *find_place(ges_filling *f) {
    task *found = NULL;
    if (f->n_at_rest > 0)
        return f->at_rest[--f->n_at_rest];
    for (size_t i = 0; i < AHEAD; i++) {
        task *t = &f->ahead[i];
        bool is_at_rest = t->n_first + t->n_last == t->n_done && !t->is_wanted;
        bool is_free = is_at_rest && (!t->is_foreseen || t->round != f->round);
        if (is_free && (!found || (found->is_foreseen && (!t->is_foreseen || t->round < found->round))))
            found = t;
    }
    return found;
}

static status begin_foreseen(ges_filling *f, task *t, const ges_question *q) {
    t->is_foreseen = false;
    CHECK(ARRAY_RESERVE(t->gains, t->gains_capacity, room_of(q), NULL));
    CHECK(ARRAY_RESERVE(t->family, t->family_capacity, q->n_family + 1, NULL));
    CHECK(ARRAY_RESERVE(t->scores, t->scores_capacity, blocks_of(q) * COLUMN_BLOCK, NULL));
    if (asks_for_high(f, q))
        CHECK(ARRAY_RESERVE(t->found, t->found_capacity, q->n_columns, NULL));
    if (q->n_family > 0)
        memcpy(t->family, q->family, q->n_family * sizeof *q->family);
    f->ahead_of[t - f->ahead] = q->y;
    t->question = *q;
    t->question.family = t->family;
    t->number = ++f->n_questions;
    t->n_parts = parts_of(f, q);
    t->n_first = t->n_last = t->n_done = 0;
    t->result = STATUS_OK;
    t->is_foreseen = true;
    return STATUS_OK;
}

/* With the lock. Without a place or memory the search does without. */
static void name_foreseen(ges_filling *f, const ges_question *question) {
    task *t = find_foreseen(f, question);
    if (!t) {
        t = find_place(f);
        t = t && begin_foreseen(f, t, question) == STATUS_OK ? t : NULL;
    }
    if (t) {
        t->round = f->round;
        f->likely[f->n_likely++] = t;
    }
}

/* With the lock. */
static void name_each(ges_filling *f, const ges_questions *foreseen) {
    f->round++;
    f->n_likely = 0;
    for (size_t i = 0; i < foreseen->n && i < AHEAD; i++)
        name_foreseen(f, &foreseen->items[i]);
    if (f->n_likely > 0)
        bell_ring(&f->news);
}

static status reserve(ges_filling *f, const ges_questions *asked, error_info *err) {
    size_t n_blocks = 0, n_high = 0, n_gains = 0;
    for (size_t i = 0; i < asked->n; i++) {
        n_blocks += blocks_of(&asked->items[i]);
        n_high += asks_for_high(f, &asked->items[i]);
        n_gains += room_of(&asked->items[i]);
    }
    CHECK(ARRAY_RESERVE(f->wanted, f->wanted_capacity, asked->n, err));
    CHECK(ARRAY_RESERVE(f->own, f->own_capacity, asked->n, err));
    CHECK(ARRAY_RESERVE(f->found, f->found_capacity, n_high * f->n_columns + 1, err));
    CHECK(ARRAY_RESERVE(f->gains, f->gains_capacity, n_gains + 1, err));
    return ARRAY_RESERVE(f->scores, f->scores_capacity, n_blocks * COLUMN_BLOCK + 1, err);
}

/* With the lock. The scores of questions that were not foreseen lie one after the other. */
static void want(ges_filling *f, const ges_questions *asked) {
    double *scores = f->scores;
    high_score *found = f->found;
    ges_gain *gains = f->gains;
    size_t n_left = 0;
    f->at = f->n_untaken = 0;
    f->is_asked = true;
    f->n_wanted = asked->n;
    for (size_t i = 0; i < asked->n; i++) {
        const ges_question *q = &asked->items[i];
        task *t = find_foreseen(f, q);
        if (!t || t->is_wanted) {
            t = &f->own[i];
            *t = (task){.question = *q,
                        .n_parts = parts_of(f, q),
                        .scores = scores,
                        .found = found,
                        .gains = gains,
                        .number = ++f->n_questions};
            gains += room_of(q);
            scores += blocks_of(q) * COLUMN_BLOCK;
            found += asks_for_high(f, q) ? f->n_columns : 0;
        }
        t->is_wanted = true;
        f->wanted[i] = t;
        f->n_untaken += untaken(t);
        n_left += t->n_parts - t->n_done;
    }
    atomic_store(&f->n_left, n_left);
    if (f->n_untaken > 0)
        bell_ring(&f->news);
}

/* With the lock, which it leaves for the while. */
static void wait_for_all(ges_filling *f) {
    (void)pthread_mutex_unlock(&f->lock);
    for (size_t n = f->n_left; n > 0 && spin_until_changed(&f->n_left, n, SPIN_YIELDS);)
        n = f->n_left;
    spin_lock(&f->lock);
    f->is_search_asleep = true;
    while (f->n_left > 0)
        thread_sleep(&f->all_is_done, &f->lock);
    f->is_search_asleep = false;
}

/* With the lock. What was wanted is foreseen no more. */
static status end_wanted(ges_filling *f, error_info *err) {
    status st = STATUS_OK;
    for (size_t i = 0; i < f->n_wanted; i++) {
        task *t = f->wanted[i];
        if (t->is_foreseen)
            f->at_rest[f->n_at_rest++] = t;
        t->is_wanted = t->is_foreseen = false;
        if (st == STATUS_OK && t->result != STATUS_OK)
            st = error_set(err, t->result, "%s", f->failure.message);
    }
    f->at = f->n_wanted; /* nobody looks at them any more, without the lock they may move */
    return st;
}

status ges_filling_ask(ges_filling *f, const ges_questions *asked, error_info *err) {
    CHECK(reserve(f, asked, err));
    spin_lock(&f->lock);
    want(f, asked);
    (void)pthread_mutex_unlock(&f->lock);
    return STATUS_OK;
}

/* With the lock. While another thread is at the last parts, the search does some of what is foreseen. */
static void work_on_all(ges_filling *f) {
    member *search = &f->members[0];
    piece p;
    while (f->n_left > 0 && take(search, &p))
        work_on(search, &p);
    wait_for_all(f);
}

status ges_filling_answer(ges_filling *f, const ges_questions *asked, const ges_questions *foreseen, bool *is_expired,
                          error_info *err) {
    status st;
    if (!f->is_asked)
        CHECK(reserve(f, asked, err));
    if (run_context_is_expired(f->search_ctx))
        atomic_store(&f->is_over, true);
    spin_lock(&f->lock);
    if (!f->is_asked)
        want(f, asked);
    if (foreseen->n > 0)
        name_each(f, foreseen);
    work_on_all(f);
    st = end_wanted(f, err);
    (void)pthread_mutex_unlock(&f->lock);
    f->is_asked = false;
    *is_expired = *is_expired || atomic_load(&f->is_over);
    return st;
}

const double *ges_filling_scores(const ges_filling *f, size_t i) {
    const task *t = f->wanted[i];
    return asks_for_high(f, &t->question) ? NULL : t->scores;
}

const high_score *ges_filling_high(const ges_filling *f, size_t i, size_t *n) {
    *n = f->wanted[i]->n_found;
    return f->wanted[i]->found;
}

double ges_filling_without(const ges_filling *f, size_t i) {
    return f->wanted[i]->without;
}

const ges_gain *ges_filling_gains(const ges_filling *f, size_t i, size_t *n, double *rest) {
    const task *t = f->wanted[i];
    *n = t->n_gains;
    *rest = t->rest;
    return t->question.most > 0 ? t->gains : NULL;
}

void ges_filling_begin_side(ges_filling *f, ges_side_work *work, void *self) {
    spin_lock(&f->lock);
    f->side = work;
    f->side_self = self;
    bell_ring(&f->news);
    (void)pthread_mutex_unlock(&f->lock);
}

void ges_filling_end_side(ges_filling *f) {
    spin_lock(&f->lock);
    f->side = NULL;
    (void)pthread_mutex_unlock(&f->lock);
    for (spin s = {0}; f->n_at_side > 0;)
        spin_wait(&s);
}

void ges_filling_foresee(ges_filling *f, const ges_questions *foreseen) {
    spin_lock(&f->lock);
    name_each(f, foreseen);
    (void)pthread_mutex_unlock(&f->lock);
}

/* With the lock. The task is foreseen in this round too, after those that were named. */
static void name_again(ges_filling *f, task *t) {
    if (!t->is_foreseen || t->round == f->round || f->n_likely == AHEAD)
        return;
    t->round = f->round;
    f->likely[f->n_likely++] = t;
}

void ges_filling_foresee_first(ges_filling *f, const ges_questions *foreseen) {
    task *before[AHEAD];
    size_t n_before;
    spin_lock(&f->lock);
    n_before = f->n_likely;
    memcpy(before, f->likely, n_before * sizeof(task *));
    name_each(f, foreseen);
    for (size_t i = 0; i < n_before; i++)
        name_again(f, before[i]);
    (void)pthread_mutex_unlock(&f->lock);
}
