/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LearnDP of Fu 2005, III.1: a queue of columns; a column that gets a better policy calls in its Markov blanket, whose
 * scores it has changed. The score of the whole never falls; each continuous column is in the queue at most once.
 *
 * Threads search ahead of the queue: the search of a column reads no states but its own and its blanket's, so it comes
 * out as in its turn unless a column of its blanket gets a better policy before. Then its answer is forgotten.
 */
#include "discretizers/integrated/integrated_internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What a visit of a column asks. */
typedef struct {
    bool is_known;
    column_candidate found;
    double now; /* the score of the column as it is, where the sum over all variables decides */
} column_answer;

typedef struct {
    integration *in;
    size_t *ring, first, n, capacity;
    bool *is_in;
    double *accepted; /* the score with which a column was last accepted */
    column_answer *answers;
    bool *is_blocked;       /* scratch: a column of its blanket stands before it */
    size_t *asked, n_asked; /* columns that threads search side by side; room for two of each */
    atomic_size_t next;     /* the first of them that nobody has taken */
} column_queue;

static void push(column_queue *q, size_t column) {
    if (q->is_in[column] || !integration_is_continuous(q->in, column))
        return;
    q->ring[(q->first + q->n++) % q->capacity] = column;
    q->is_in[column] = true;
}

static size_t pop(column_queue *q) {
    size_t column = q->ring[q->first];
    q->first = (q->first + 1) % q->capacity;
    q->n--;
    q->is_in[column] = false;
    return column;
}

/* Parents, children, and the other parents of children. */
static void for_blanket(column_queue *q, size_t column, void (*act)(column_queue *q, size_t column)) {
    size_t n_parents, n_children, n_others;
    const size_t *parents = dag_parents(q->in->graph, column, &n_parents);
    const size_t *children = dag_children(q->in->graph, column, &n_children);
    for (size_t i = 0; i < n_parents; i++)
        act(q, parents[i]);
    for (size_t i = 0; i < n_children; i++)
        act(q, children[i]);
    for (size_t i = 0; i < n_children; i++) {
        const size_t *others = dag_parents(q->in->graph, children[i], &n_others);
        for (size_t k = 0; k < n_others; k++) {
            if (others[k] != column)
                act(q, others[k]);
        }
    }
}

static void block(column_queue *q, size_t column) {
    q->is_blocked[column] = true;
}

/* Its answer is of states that are no more. */
static void forget(column_queue *q, size_t column) {
    free(q->answers[column].found.thresholds);
    q->answers[column] = (column_answer){0};
}

static status score_now(const column_queue *q, increment_tables *tables, size_t column, double *out, error_info *err) {
    const column_policy *p = &q->in->policy.columns[column];
    return integration_score_column(q->in, tables, column, p->thresholds, p->n, out, err);
}

static status queue_init(column_queue *q, integration *in, error_info *err) {
    size_t n = in->n_columns;
    *q = (column_queue){.in = in, .capacity = n};
    CHECK_ALLOC(q->ring = calloc(n, sizeof *q->ring));
    CHECK_ALLOC(q->is_in = calloc(n, sizeof *q->is_in));
    CHECK_ALLOC(q->accepted = calloc(n, sizeof *q->accepted));
    CHECK_ALLOC(q->answers = calloc(n, sizeof *q->answers));
    CHECK_ALLOC(q->is_blocked = calloc(n, sizeof *q->is_blocked));
    CHECK_ALLOC(q->asked = calloc(n, 2 * sizeof *q->asked));
    for (size_t c = 0; c < n; c++) {
        push(q, c);
        if (in->options->acceptance == ACCEPT_LOCAL && integration_is_continuous(in, c)) {
            CHECK(score_now(q, in->tables, c, &q->accepted[c], err));
            in->ctx->policy_scores++;
        }
    }
    return STATUS_OK;
}

static void queue_clear(column_queue *q) {
    for (size_t c = 0; q->answers && c < q->capacity; c++)
        free(q->answers[c].found.thresholds);
    free(q->ring);
    free(q->is_in);
    free(q->accepted);
    free(q->answers);
    free(q->is_blocked);
    free(q->asked);
}

/* --- answers --- */

static status answer(const column_queue *q, increment_tables *tables, size_t column, error_info *err) {
    column_answer *a = &q->answers[column];
    CHECK(integration_search_column(q->in, tables, column, &a->found, err));
    if (q->in->options->acceptance == ACCEPT_SUM && !a->found.is_expired)
        CHECK(score_now(q, tables, column, &a->now, err));
    a->is_known = true;
    return STATUS_OK;
}

static status answer_some(void *self, size_t worker, error_info *err) {
    column_queue *q = self;
    size_t i;
    while ((i = atomic_fetch_add(&q->next, 1)) < q->n_asked)
        CHECK(answer(q, worker ? q->in->their_tables[worker - 1] : q->in->tables, q->asked[i], err));
    return STATUS_OK;
}

/* Asks for a column that leaves the queue, and where there are threads for all columns of which no column of the
 * blanket stands before them; where these are fewer than the threads, for the next of the others. */
static void choose_asked(column_queue *q, size_t column) {
    size_t n_put_off = 0, *put_off = q->asked + q->capacity;
    q->n_asked = 0;
    q->asked[q->n_asked++] = column;
    if (crew_size(q->in->threads) < 2)
        return;
    memset(q->is_blocked, 0, q->capacity * sizeof *q->is_blocked);
    for_blanket(q, column, block);
    for (size_t i = 0; i < q->n; i++) {
        size_t waiting = q->ring[(q->first + i) % q->capacity];
        if (!q->answers[waiting].is_known && q->is_blocked[waiting])
            put_off[n_put_off++] = waiting;
        else if (!q->answers[waiting].is_known)
            q->asked[q->n_asked++] = waiting;
        for_blanket(q, waiting, block);
    }
    for (size_t i = 0; i < n_put_off && q->n_asked < crew_size(q->in->threads); i++)
        q->asked[q->n_asked++] = put_off[i];
}

/* The answer for a column that leaves the queue; the caller frees its thresholds. */
static status take_answer(column_queue *q, size_t column, column_answer *out, error_info *err) {
    run_context *ctx = q->in->ctx;
    if (!q->answers[column].is_known) {
        choose_asked(q, column);
        atomic_store(&q->next, 0);
        CHECK(crew_run(q->in->threads, answer_some, q, err));
    }
    *out = q->answers[column];
    q->answers[column] = (column_answer){0};
    ctx->column_searches++;
    ctx->threshold_evaluations += out->found.threshold_evaluations;
    ctx->policy_scores += out->found.policy_scores;
    q->in->is_expired = q->in->is_expired || out->found.is_expired;
    return STATUS_OK;
}

/* --- visits --- */

/*
 * The score of the whole changes with the policy of one column as that column's score does, so the sum over all
 * variables rises where the column's score is better than it is now. The original rule remembers the score with which
 * the column was accepted, whatever its neighbours have become since.
 */
static status visit(column_queue *q, size_t column, error_info *err) {
    integration *in = q->in;
    column_answer a = {0};
    double before = q->accepted[column];
    status st = STATUS_OK;
    TRY(take_answer(q, column, &a, err));
    if (in->is_expired)
        goto cleanup;
    if (in->options->acceptance == ACCEPT_SUM) {
        before = a.now;
        in->ctx->policy_scores++;
    }
    if (!integration_improves(a.found.score, before))
        goto cleanup;
    TRY(integration_set(in, column, a.found.thresholds, a.found.n, err));
    q->accepted[column] = a.found.score;
    for_blanket(q, column, forget);
    for_blanket(q, column, push);
cleanup:
    free(a.found.thresholds);
    return st;
}

status integration_learn_policy(integration *in, error_info *err) {
    AUTO(queue_clear) column_queue q = {0};
    size_t visits = 0, most = (size_t)in->options->max_visits * in->n_columns;
    CHECK(queue_init(&q, in, err));
    for (; q.n > 0 && !in->is_expired && visits < most; visits++)
        CHECK(visit(&q, pop(&q), err));
    in->hit_guard = in->hit_guard || (q.n > 0 && visits == most);
    return STATUS_OK;
}
