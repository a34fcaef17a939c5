/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LearnDP of Fu 2005, III.1: a queue of columns; a column that gets a better policy calls in its Markov blanket, whose
 * scores it has changed. The score of the whole never falls; each continuous column is in the queue at most once.
 */
#include "discretizers/integrated/integrated_internal.h"

#include <stdlib.h>

typedef struct {
    integration *in;
    size_t *ring, first, n, capacity;
    bool *is_in;
    double *accepted; /* the score with which a column was last accepted */
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
static void push_blanket(column_queue *q, size_t column) {
    size_t n_parents, n_children, n_others;
    const size_t *parents = dag_parents(q->in->graph, column, &n_parents);
    const size_t *children = dag_children(q->in->graph, column, &n_children);
    for (size_t i = 0; i < n_parents; i++)
        push(q, parents[i]);
    for (size_t i = 0; i < n_children; i++)
        push(q, children[i]);
    for (size_t i = 0; i < n_children; i++) {
        const size_t *others = dag_parents(q->in->graph, children[i], &n_others);
        for (size_t k = 0; k < n_others; k++) {
            if (others[k] != column)
                push(q, others[k]);
        }
    }
}

static status score_now(const column_queue *q, size_t column, double *out, error_info *err) {
    const column_policy *p = &q->in->policy.columns[column];
    return integration_score_column(q->in, column, p->thresholds, p->n, out, err);
}

static status queue_init(column_queue *q, integration *in, error_info *err) {
    size_t n = in->n_columns;
    *q = (column_queue){.in = in, .capacity = n};
    CHECK_ALLOC(q->ring = calloc(n, sizeof *q->ring));
    CHECK_ALLOC(q->is_in = calloc(n, sizeof *q->is_in));
    CHECK_ALLOC(q->accepted = calloc(n, sizeof *q->accepted));
    for (size_t c = 0; c < n; c++) {
        push(q, c);
        if (in->options->acceptance == ACCEPT_LOCAL && integration_is_continuous(in, c))
            CHECK(score_now(q, c, &q->accepted[c], err));
    }
    return STATUS_OK;
}

static void queue_clear(column_queue *q) {
    free(q->ring);
    free(q->is_in);
    free(q->accepted);
}

/*
 * The score of the whole changes with the policy of one column as that column's score does, so the sum over all
 * variables rises where the column's score is better than it is now. The original rule remembers the score with which
 * the column was accepted, whatever its neighbours have become since.
 */
static status visit(column_queue *q, size_t column, error_info *err) {
    integration *in = q->in;
    column_candidate found = {0};
    double before = q->accepted[column];
    status st = STATUS_OK;
    TRY(integration_search_column(in, column, &found, err));
    if (in->is_expired)
        goto cleanup;
    if (in->options->acceptance == ACCEPT_SUM)
        TRY(score_now(q, column, &before, err));
    if (!integration_improves(found.score, before))
        goto cleanup;
    TRY(integration_set(in, column, found.thresholds, found.n, err));
    q->accepted[column] = found.score;
    push_blanket(q, column);
cleanup:
    free(found.thresholds);
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
