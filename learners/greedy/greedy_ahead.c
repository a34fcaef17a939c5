/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A search goes from move to move, and between two of them there is one row to evaluate: too little to share. But what
 * a row is asked next depends on little else than the row: with its best addition made, which are the best candidates
 * beside these parents? So every row waits with that question, and threads answer those first whose addition gains
 * most. The same goes for the deletion or reversal of an arc that gains more than the best addition, and a reversal
 * makes two rows new. An answer that the search comes to need is there, or is being found; in this case the search
 * answers others until it is. One that it never needs (the addition would close a cycle by then, another was better) is
 * dropped. Either of x -> y and y -> x may be the best addition of its row, and one bars the other: a question that
 * comes to its turn is not answered where the other arc will presumably be there first.
 *
 * An answer leaves out what is a descendant when it is begun.
 *
 * What the search itself counts of very many rows is shared with those that have nothing to answer (an errand).
 */
#include "learners/greedy/greedy_ahead_internal.h"

#include "core/base/array.h"
#include "core/run/spin.h"
#include "learners/greedy/errand_internal.h"
#include "learners/greedy/greedy_row_team_internal.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    WAKE_FROM = 4,          /* questions; fewer are answered sooner than a thread wakes up */
    LEAST_WORK = 100000000, /* candidates of all rows times rows of data: a few milliseconds */
    TOGETHER = 8            /* questions that a thread answers by one pass over the data */
};

typedef enum { NOTHING, WAITING, TAKEN, READY } stage;

/* What may make a row new: a node that is toggled among its parents. */
typedef struct {
    size_t node;      /* SIZE_MAX: none */
    bool is_reversal; /* of the arc between the two, which is more than that it goes or comes */
    double with;      /* the score of the row's node then */
    double gain;
} change;

static const change no_change = {.node = SIZE_MAX, .gain = -INFINITY};

/* The question about a row, and the answer to it. */
typedef struct {
    stage stage;
    bool is_void;         /* while it is taken: nobody wants the answer any more */
    change after;         /* what it asks for is the row after this */
    change arc;           /* of the search alone: the best deletion or reversal that is known */
    scored_parent *found; /* the seeds; then the best candidates */
    size_t n_found, capacity;
    double rest, most;
    missed_nodes missed;
    uint32_t begun_at; /* when the answer was begun; see s->past */
    size_t left_out;   /* whose descendants were left out then beside those of the row's node; SIZE_MAX: nobody's */
} slot;

/* A question that a thread answers. */
typedef struct {
    size_t y;
    double now, most;           /* the score of y with the parents; what no candidate passes */
    greedy_worker *worker, own; /* the second where it is not the search's */
    size_t *parents, n_parents;
    scored_parent seeds[GREEDY_KEPT];
    size_t n_seeds;
} task;

/* A thread that answers. */
typedef struct {
    struct greedy_ahead *of;
    task *tasks;
    size_t n_tasks;
} member;

struct greedy_ahead {
    greedy_state *s;
    run_context ctx; /* without the counters, which are the search's alone */
    pthread_mutex_t lock;
    bell news;        /* a question more, an errand, or no more to come */
    bell done;        /* of the search: an answer more, or the errand */
    slot *slots;      /* by row */
    row_heap waiting; /* by row; -INFINITY: it does not wait */
    size_t n_waiting;
    bool has_begun, is_over;
    errand errand;
    pass_helpers helpers;
    member *members; /* the first is the search */
    row_part *parts; /* by member: of a row of the search */
    size_t n_members;
};

/* --- questions; with the lock --- */

static void stop_waiting(greedy_ahead *a, size_t y) {
    row_heap_set(&a->waiting, y, -INFINITY);
    a->n_waiting--;
}

static void drop(greedy_ahead *a, size_t y) {
    slot *q = &a->slots[y];
    if (q->stage == WAITING)
        stop_waiting(a, y);
    if (q->stage == TAKEN)
        q->is_void = true;
    else
        q->stage = NOTHING;
}

/* The node that y will reach after the reversal of an arc into it, and whose descendants are marked; SIZE_MAX: none. */
static size_t left_out_too(const task *t, const greedy_state *s, size_t y, const change *after) {
    return !t->worker->paths && after->is_reversal && dag_has_arc(s->current, after->node, y) ? after->node : SIZE_MAX;
}

static void list_parents(task *t, const greedy_state *s, size_t y, size_t toggled) {
    size_t n, at = 0;
    const size_t *parents = dag_parents(s->current, y, &n);
    t->n_parents = 0;
    for (; at < n && parents[at] < toggled; at++)
        t->parents[t->n_parents++] = parents[at];
    if (at < n && parents[at] == toggled)
        at++;
    else if (toggled != SIZE_MAX)
        t->parents[t->n_parents++] = toggled;
    for (; at < n; at++)
        t->parents[t->n_parents++] = parents[at];
}

/* True if the change is known to close a cycle by now; what is below y is marked, or asked for. */
static bool closes_cycle(const task *t, const greedy_state *s, size_t y, const change *after) {
    if (after->node == SIZE_MAX || dag_has_arc(s->current, after->node, y) ||
        (t->worker->paths && after->is_reversal)) /* the arc itself is a path */
        return false;
    return greedy_worker_is_below(t->worker, s, after->node, y);
}

/* True if an addition the other way that gains so much comes before this one. */
static bool comes_before(double gain, const arc_move *m) {
    arc_move back = {ARC_ADD, m->to, m->from, gain};
    return gain > m->gain + SCORE_TOLERANCE || (gain >= m->gain - SCORE_TOLERANCE && arc_move_comes_first(&back, m));
}

/* True if the answer about the row of m->from, which is there, has the other end of m before m. */
static bool answer_turns(const slot *q, const arc_move *m) {
    for (size_t i = 0; i < q->n_found; i++) {
        if (q->found[i].node == m->to)
            return comes_before(q->found[i].with - q->after.with, m);
    }
    return false;
}

/* True if y presumably becomes a parent of the node that is to be added before that is one of y: by the next addition
 * to the node's row, or by the one after it where the answer tells. */
static bool is_turned(const greedy_ahead *a, size_t y, const change *after) {
    arc_move m = {ARC_ADD, after->node, y, after->gain};
    const slot *q;
    if (after->node == SIZE_MAX || after->is_reversal || dag_has_arc(a->s->current, after->node, y))
        return false;
    q = &a->slots[after->node];
    if (q->stage == NOTHING || q->is_void || q->after.is_reversal)
        return false;
    return q->after.node == y ? comes_before(q->after.gain, &m) : q->stage == READY && answer_turns(q, &m);
}

/* Makes the question the task's; false where there is none any more. */
static bool begin(greedy_ahead *a, task *t, size_t y) {
    const greedy_state *s = a->s;
    slot *q = &a->slots[y];
    stop_waiting(a, y);
    q->stage = NOTHING;
    if (is_turned(a, y, &q->after))
        return false;
    greedy_worker_mark_below(t->worker, s, y, q->after.is_reversal ? q->after.node : SIZE_MAX);
    if (closes_cycle(t, s, y, &q->after))
        return false;
    q->stage = TAKEN;
    q->is_void = false;
    q->begun_at = reach_history_now(s->past);
    q->left_out = left_out_too(t, s, y, &q->after);
    list_parents(t, s, y, q->after.node);
    for (size_t i = 0; i < t->n_parents; i++)
        greedy_worker_mark(t->worker, t->parents[i]);
    t->y = y;
    t->now = q->after.with;
    t->n_seeds = q->n_found;
    if (q->n_found > 0)
        memcpy(t->seeds, q->found, q->n_found * sizeof *q->found);
    return true;
}

/* The question that is best answered next. */
static bool begin_any(greedy_ahead *a, task *t) {
    while (a->n_waiting > 0) {
        if (begin(a, t, row_heap_top(&a->waiting)))
            return true;
    }
    return false;
}

/* One question or more, where the others find some too. */
static size_t begin_some(member *m) {
    size_t most = 1 + m->of->n_waiting / (2 * m->of->n_members), n = 0;
    while (n < m->n_tasks && n < most && begin_any(m->of, &m->tasks[n]))
        n++;
    return n;
}

static status keep_answer(const task *t, slot *q) {
    const greedy_worker *w = t->worker;
    CHECK(ARRAY_RESERVE(q->found, q->capacity, w->n_found, NULL));
    q->n_found = w->n_found;
    if (q->n_found > 0)
        memcpy(q->found, w->found, q->n_found * sizeof *q->found);
    q->rest = w->rest;
    q->most = t->most;
    return greedy_worker_copy_missed(w, &q->missed, NULL);
}

static void end(greedy_ahead *a, const task *t, bool is_answered) {
    slot *q = &a->slots[t->y];
    q->stage = NOTHING;
    if (is_answered && !t->worker->is_expired && !q->is_void && keep_answer(t, q) == STATUS_OK)
        q->stage = READY;
}

/* --- answers; without it --- */

static status find_most(const greedy_state *s, task *t, const row_question *q, error_info *err) {
    t->most = -INFINITY;
    for (size_t k = 0; k < s->n_kinds; k++) {
        double ceiling = t->worker->kind_ceiling[k];
        if (isnan(ceiling))
            CHECK(score_ceiling_with(t->worker->scorer, q->y, q->parents, q->n_parents, s->kind_states[k], &ceiling,
                                     err));
        t->most = fmax(t->most, ceiling);
    }
    return STATUS_OK;
}

static status answer(member *m, size_t n, error_info *err) {
    greedy_worker *workers[TOGETHER] = {NULL};
    row_question questions[TOGETHER] = {{0}};
    for (size_t i = 0; i < n; i++) {
        const task *t = &m->tasks[i];
        workers[i] = t->worker;
        questions[i] = (row_question){.y = t->y,
                                      .n_parents = t->n_parents,
                                      .parents = t->parents,
                                      .now = t->now,
                                      .size = 1,
                                      .seeds = t->seeds,
                                      .n_seeds = t->n_seeds};
    }
    CHECK(greedy_workers_answer(workers, questions, n, m->of->s, &m->of->ctx, err));
    for (size_t i = 0; i < n; i++)
        CHECK(find_most(m->of->s, &m->tasks[i], &questions[i], err));
    return STATUS_OK;
}

/* Answers one question or a few; the lock is held before and after. False: none waits. What fails here, the search does
 * itself, and fails in its own time. */
static bool answer_some(member *m) {
    greedy_ahead *a = m->of;
    size_t n = begin_some(m);
    bool is_answered;
    if (n == 0)
        return false;
    (void)pthread_mutex_unlock(&a->lock);
    is_answered = answer(m, n, NULL) == STATUS_OK;
    spin_lock(&a->lock);
    for (size_t i = 0; i < n; i++)
        end(a, &m->tasks[i], is_answered);
    bell_ring(&a->done);
    return true;
}

/* --- errands --- */

static void share_errand(void *owner, errand_work work, void *self) {
    greedy_ahead *a = owner;
    errand_share(&a->errand, work, self);
}

void greedy_ahead_share(greedy_state *s, void (*work)(void *self, size_t index), void *self) {
    if (s->ahead && s->ahead->has_begun)
        share_errand(s->ahead, work, self);
    else
        work(self, 0);
}

/* Many columns are more than the caches hold. */
static size_t count_tasks(const greedy_state *s) {
    return s->lanes && s->n > ANCESTRY_MAX_BESIDE_SUPPORTS ? TOGETHER : 1;
}

/* A short row is answered sooner than the others wake up. */
status greedy_ahead_answer(greedy_state *s, const row_question *q, error_info *err) {
    greedy_ahead *a = s->ahead;
    if (!a || !a->has_begun || count_tasks(s) == 1)
        return greedy_workers_answer(&s->worker, q, 1, s, s->ctx, err);
    return greedy_row_team_answer(s->worker, q, s, s->ctx, &a->helpers, a->parts, err);
}

/* --- the threads --- */

/* One for each task of a thread, which share a scorer; `first`: the first is there. */
static status init_workers(member *m, greedy_worker *first, error_info *err) {
    score *scorer = first ? first->scorer : NULL;
    for (size_t i = 0; i < m->n_tasks; i++) {
        task *t = &m->tasks[i];
        t->worker = i == 0 && first ? first : &t->own;
        if (t->worker == &t->own)
            CHECK(greedy_worker_init(&t->own, m->of->s, scorer, err));
        scorer = t->worker->scorer;
    }
    return STATUS_OK;
}

static status serve(void *self, size_t index, error_info *err) {
    greedy_ahead *a = self;
    member *m = &a->members[index];
    (void)err;
    if (init_workers(m, NULL, NULL) != STATUS_OK)
        return STATUS_OK;
    a->parts[index].bounds = m->tasks[0].worker->bounds;
    spin_lock(&a->lock);
    while (!a->is_over) {
        if (!errand_take_part(&a->errand, index) && !answer_some(m))
            bell_wait(&a->news, &a->lock);
    }
    (void)pthread_mutex_unlock(&a->lock);
    return STATUS_OK;
}

static bool is_worth_sharing(const greedy_state *s) {
    double work = 0;
    for (size_t y = 0; y < s->n; y++)
        work += (double)s->rows[y].n_nodes;
    return work * (double)dataset_row_count(s->data) >= LEAST_WORK;
}

static status init_member(greedy_ahead *a, member *m, error_info *err) {
    m->of = a;
    CHECK_ALLOC(m->tasks = calloc(TOGETHER, sizeof *m->tasks));
    m->n_tasks = count_tasks(a->s);
    for (size_t i = 0; i < m->n_tasks; i++)
        CHECK_ALLOC(m->tasks[i].parents = calloc(a->s->n + 1, sizeof *m->tasks[i].parents));
    return STATUS_OK;
}

/* The first worker has the scorer of the others. */
static void clear_member(member *m) {
    for (size_t i = m->n_tasks; m->tasks && i-- > 0;) {
        greedy_worker_clear(&m->tasks[i].own);
        free(m->tasks[i].parents);
    }
    free(m->tasks);
}

static status create(greedy_state *s, error_info *err) {
    size_t n_members = crew_size(s->threads);
    greedy_ahead *a;
    CHECK_ALLOC(a = s->ahead = calloc(1, sizeof *a));
    (void)pthread_mutex_init(&a->lock, NULL);
    bell_init(&a->news);
    bell_init(&a->done);
    a->errand = (errand){.lock = &a->lock, .news = &a->news, .done = &a->done};
    s->graph_lock = &a->lock;
    a->s = s;
    a->ctx = *s->ctx;
    CHECK_ALLOC(a->slots = calloc(s->n + 1, sizeof *a->slots));
    for (size_t y = 0; y < s->n; y++)
        a->slots[y].after = a->slots[y].arc = no_change;
    CHECK_ALLOC(a->members = calloc(n_members, sizeof *a->members));
    CHECK_ALLOC(a->parts = calloc(n_members, sizeof *a->parts));
    CHECK(row_heap_init(&a->waiting, s->n, err));
    for (; a->n_members < n_members; a->n_members++)
        CHECK(init_member(a, &a->members[a->n_members], err));
    return init_workers(&a->members[0], s->worker, err);
}

/* Where scores are limited, one thread makes them all: the number at which the search ends is the same then. */
status greedy_ahead_hire(greedy_state *s, error_info *err) {
    bool is_alone = s->ctx->n_threads < 2 || s->ctx->most_scores > 0;
    if (is_alone || !score_has_twins(s->scorer) || !is_worth_sharing(s))
        return STATUS_OK;
    return crew_create(s->ctx->n_threads, &s->threads, err);
}

status greedy_ahead_start(greedy_state *s, error_info *err) {
    if (!s->threads)
        return STATUS_OK;
    CHECK(create(s, err));
    s->ahead->helpers = (pass_helpers){s->ahead->n_members, share_errand, s->ahead};
    if (s->worker->all_scores)
        scored_extras_share(s->worker->all_scores, &s->ahead->helpers);
    crew_begin(s->threads, serve, s->ahead);
    s->ahead->has_begun = true;
    return STATUS_OK;
}

void greedy_ahead_stop(greedy_state *s) {
    greedy_ahead *a = s->ahead;
    if (!a)
        return;
    if (s->worker && s->worker->all_scores)
        scored_extras_share(s->worker->all_scores, NULL);
    spin_lock(&a->lock);
    a->is_over = true;
    bell_ring(&a->news);
    (void)pthread_mutex_unlock(&a->lock);
    if (a->has_begun)
        (void)crew_end(s->threads, NULL);
    for (size_t i = 0; a->members && i < crew_size(s->threads); i++)
        clear_member(&a->members[i]);
    for (size_t i = 0; a->parts && i < crew_size(s->threads); i++)
        row_part_clear(&a->parts[i]);
    for (size_t y = 0; a->slots && y < s->n; y++) {
        free(a->slots[y].found);
        free(a->slots[y].missed.nodes);
    }
    (void)pthread_mutex_destroy(&a->lock);
    bell_destroy(&a->news);
    bell_destroy(&a->done);
    row_heap_clear(&a->waiting);
    free(a->slots);
    free(a->members);
    free(a->parts);
    free(a);
    s->graph_lock = NULL;
    s->ahead = NULL;
}

/* --- the search --- */

void greedy_ahead_note(greedy_state *s, size_t y, size_t x) {
    slot *q = s->ahead ? &s->ahead->slots[y] : NULL;
    if (!q)
        return;
    q->arc = no_change;
    if (q->after.node == x && q->stage != NOTHING && !q->is_void)
        q->after = (change){.node = SIZE_MAX, .with = q->after.with};
    else
        drop(s->ahead, y);
}

/* The seeds are what is good now, but for the addition itself. */
static status take_seeds(slot *q, const candidate_row *row) {
    size_t n = 0;
    CHECK(ARRAY_RESERVE(q->found, q->capacity, GREEDY_KEPT, NULL));
    for (size_t i = 0; i < row->n_found && n < GREEDY_KEPT; i++) {
        if (row->found[i].node != q->after.node)
            q->found[n++] = row->found[i];
    }
    q->n_found = n;
    return STATUS_OK;
}

/* A TABU search makes changes that gain nothing too, and few that lose. */
static bool is_worth_asking(const greedy_state *s, double gain) {
    return gain > fmax(s->least, -SCORE_TOLERANCE);
}

/* With the lock. */
static void ask(greedy_ahead *a, size_t y, const change *after) {
    slot *q = &a->slots[y];
    bool is_same = q->stage != NOTHING && !q->is_void && q->after.node == after->node;
    if (is_same && q->stage != WAITING)
        return;
    if (!is_same)
        drop(a, y);
    if (!is_worth_asking(a->s, after->gain) || q->stage == TAKEN)
        return;
    if (!is_same) {
        q->after = *after;
        q->is_void = false;
        if (take_seeds(q, &a->s->rows[y]) != STATUS_OK)
            return;
        q->stage = WAITING;
        a->n_waiting++;
    }
    row_heap_set(&a->waiting, y, after->gain);
    bell_ring_for_one(&a->news, a->n_waiting >= WAKE_FROM);
}

static size_t find_legal(const greedy_state *s, size_t y) {
    size_t i = 0;
    while (i < s->rows[y].n_found && greedy_closes_cycle(s, y, &s->rows[y].found[i]))
        i++;
    return i;
}

/* The best addition into y that is known; NULL: there is none. */
static const scored_parent *find_addition(const greedy_state *s, size_t y, arc_move *out) {
    const candidate_row *row = &s->rows[y];
    size_t at = row->is_evaluated ? find_legal(s, y) : row->n_found;
    if (at >= row->n_found)
        return NULL;
    *out = (arc_move){ARC_ADD, row->found[at].node, y, row->found[at].with - s->now[y]};
    return &row->found[at];
}

/* Of x -> y and y -> x, where either is the best of its row, one is made and closes a cycle with the other. */
static bool comes_second(const greedy_state *s, const arc_move *m) {
    arc_move other;
    if (!find_addition(s, m->from, &other) || other.from != m->to)
        return false;
    return other.gain > m->gain + SCORE_TOLERANCE ||
           (other.gain >= m->gain - SCORE_TOLERANCE && arc_move_comes_first(&other, m));
}

static bool may_have_two_more(const greedy_state *s, size_t y) {
    int most = s->plan->options.max_parents;
    size_t n_parents;
    (void)dag_parents(s->current, y, &n_parents);
    return most < 0 || n_parents + 1 < (size_t)most;
}

/* The best addition into y, where it is the next thing that makes the row new and leaves it one to be asked for. */
static change next_addition(const greedy_state *s, size_t y) {
    arc_move m;
    const scored_parent *best = find_addition(s, y, &m);
    if (!best || !may_have_two_more(s, y) || comes_second(s, &m))
        return no_change;
    return (change){best->node, false, best->with, m.gain};
}

/* The arc may have gone since its change was foreseen. */
static bool is_there(const greedy_state *s, size_t y, const change *arc) {
    return dag_has_arc(s->current, arc->node, y) || dag_has_arc(s->current, y, arc->node);
}

/* What will presumably make an evaluated row new. */
static change find_next(const greedy_state *s, size_t y) {
    change addition = next_addition(s, y);
    const change *arc = &s->ahead->slots[y].arc;
    return arc->gain > addition.gain && is_there(s, y, arc) ? *arc : addition;
}

void greedy_ahead_ask(greedy_state *s, size_t y) {
    change after;
    if (!s->ahead)
        return;
    after = s->rows[y].is_evaluated ? find_next(s, y) : (change){SIZE_MAX, false, s->now[y], s->additions.keys[y]};
    greedy_lock_graph(s);
    ask(s->ahead, y, &after);
    greedy_unlock_graph(s);
}

static void foresee(greedy_state *s, size_t y, const change *arc) {
    change *known = &s->ahead->slots[y].arc;
    if (arc->node != known->node && !(arc->gain > known->gain))
        return;
    *known = *arc;
    greedy_ahead_ask(s, y);
}

void greedy_ahead_foresee(greedy_state *s, const arc_move *m, const arc_scores *scores) {
    bool is_reversal = m->kind == ARC_REVERSE;
    if (!s->ahead || !is_worth_asking(s, m->gain))
        return;
    foresee(s, m->to, &(change){m->from, is_reversal, scores->drop, m->gain});
    if (is_reversal && may_have_two_more(s, m->from))
        foresee(s, m->from, &(change){m->to, true, scores->back, m->gain});
}

/* The reversal of an arc between the two does not gain what it did. */
static void forget_reversal(greedy_state *s, size_t y, size_t other) {
    change *known = &s->ahead->slots[y].arc;
    if (known->node != other || !known->is_reversal)
        return;
    *known = no_change;
    greedy_ahead_ask(s, y);
}

void greedy_ahead_forget_reversals(greedy_state *s, size_t y) {
    size_t n_parents, n_children;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    const size_t *children = dag_children(s->current, y, &n_children);
    for (size_t i = 0; s->ahead && i < n_parents; i++)
        forget_reversal(s, parents[i], y);
    for (size_t i = 0; s->ahead && i < n_children; i++)
        forget_reversal(s, children[i], y);
}

/* Answers other questions until that about row y is answered; with the lock. */
static void wait_for_answer(greedy_ahead *a, size_t y) {
    while (a->slots[y].stage == TAKEN) {
        if (!answer_some(&a->members[0]))
            bell_wait(&a->done, &a->lock);
    }
}

/* The answer becomes the row's. */
static void adopt(candidate_row *row, slot *q) {
    scored_parent *found = row->found;
    size_t capacity = row->found_capacity;
    missed_nodes missed = q->missed;
    row->found = q->found;
    row->n_found = q->n_found;
    row->found_capacity = q->capacity;
    q->found = found;
    q->n_found = 0;
    q->capacity = capacity;
    q->missed = row->missed;
    row->missed = missed;
    row->rest = q->rest;
    row->most = q->most;
    row->depth = 0;
    row->is_evaluated = true;
    q->stage = NOTHING;
}

bool greedy_ahead_take(greedy_state *s, size_t y, bool waits, uint32_t *begun_at, size_t *left_out) {
    greedy_ahead *a = s->ahead;
    slot *q = a ? &a->slots[y] : NULL;
    bool is_known;
    if (!a)
        return false;
    spin_lock(&a->lock);
    if (waits && q->stage == TAKEN && !q->is_void)
        wait_for_answer(a, y);
    if (waits && q->stage == WAITING)
        drop(a, y);
    is_known = q->stage == READY && q->after.node == SIZE_MAX;
    if (is_known) {
        adopt(&s->rows[y], q);
        *begun_at = q->begun_at;
        *left_out = q->left_out;
    }
    (void)pthread_mutex_unlock(&a->lock);
    return is_known;
}
