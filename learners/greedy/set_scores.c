/* SPDX-License-Identifier: GPL-3.0-or-later */
/* While the threads are at work nobody asks the search's score, whose cache they look into. */
#include "learners/greedy/set_scores_internal.h"

#include "core/base/array.h"
#include "core/run/crew.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    TOGETHER = 4096,    /* scores, or a row more, found before the search goes on */
    LEAST_SHARED = 256, /* fewer are not worth the threads' waking up */
    PIECE = 4           /* rows that a thread takes at once: neighbours share counting */
};

typedef struct {
    subset_walk at;
    size_t first_score;
} row;

struct set_scores {
    score *scorer;
    const run_context *ctx;
    size_t n_threads;
    crew *threads; /* NULL: not started */
    score **twins; /* by worker; the caller's is the score itself */
    size_t target;
    const size_t *candidates;

    /* those found together */
    row *rows;
    size_t n_rows, n_used; /* rows that the search has had */
    found_score *scores;
    size_t n_scores, scores_capacity;
    bool is_little;        /* what is left of the walk */
    atomic_size_t n_taken; /* rows */
    atomic_bool is_over;   /* the time: some scores are missing */
};

/* --- life --- */

void set_scores_destroy(set_scores *a) {
    if (!a)
        return;
    crew_destroy(a->threads);
    for (size_t i = 1; a->twins && i < a->n_threads; i++)
        score_destroy(a->twins[i]);
    free(a->twins);
    free(a->rows);
    free(a->scores);
    free(a);
}

status set_scores_create(score *s, const run_context *ctx, set_scores **out, error_info *err) {
    set_scores *a;
    CHECK_ALLOC(a = calloc(1, sizeof *a));
    a->scorer = s;
    a->ctx = ctx;
    a->n_threads = score_has_twins(s) ? ctx->n_threads : 1;
    *out = a;
    return STATUS_OK;
}

static status start(set_scores *a, error_info *err) {
    CHECK_ALLOC(a->twins = calloc(a->n_threads, sizeof(score *)));
    a->twins[0] = a->scorer;
    for (size_t i = 1; i < a->n_threads; i++)
        CHECK(score_create_twin(a->scorer, &a->twins[i], err));
    return crew_create(a->n_threads, &a->threads, err);
}

void set_scores_begin(set_scores *a, size_t target, const size_t *candidates) {
    a->target = target;
    a->candidates = candidates;
    a->n_rows = a->n_used = 0;
    a->is_little = false;
    atomic_store(&a->is_over, false);
}

/* --- the threads --- */

static status score_row(set_scores *a, score *s, const row *r, error_info *err) {
    size_t parents[SUBSET_WALK_MOST], n = r->at.n, first = subset_walk_first(&r->at);
    for (size_t i = 0; i < n; i++)
        parents[i] = a->candidates[r->at.places[i]];
    for (size_t at = first; at < r->at.n_candidates; at++) {
        found_score *found = &a->scores[r->first_score + at - first];
        if (run_context_is_expired_at(a->ctx, at - first)) {
            atomic_store(&a->is_over, true);
            return STATUS_OK;
        }
        CHECK(score_node_beside(s, a->scorer, a->target, parents, n, a->candidates[at], &found->value, &found->is_kept,
                                err));
    }
    return STATUS_OK;
}

static status score_pieces(void *self, size_t worker, error_info *err) {
    set_scores *a = self;
    for (size_t at; (at = atomic_fetch_add(&a->n_taken, PIECE)) < a->n_rows;) {
        for (size_t i = at; i < at + PIECE && i < a->n_rows && !atomic_load(&a->is_over); i++)
            CHECK(score_row(a, a->twins[worker], &a->rows[i], err));
    }
    return STATUS_OK;
}

/* --- the rows --- */

/* The present row and those that follow it. */
static void list_rows(set_scores *a, subset_walk at) {
    bool is_any = true;
    a->n_rows = a->n_used = a->n_scores = 0;
    while (is_any && a->n_scores < TOGETHER) {
        a->rows[a->n_rows++] = (row){at, a->n_scores};
        a->n_scores += at.n_candidates - subset_walk_first(&at);
        is_any = subset_walk_next(&at);
    }
    a->is_little = a->n_scores < LEAST_SHARED;
}

static status find_scores(set_scores *a, error_info *err) {
    CHECK(ARRAY_RESERVE(a->scores, a->scores_capacity, a->n_scores, err));
    atomic_store(&a->n_taken, 0);
    return crew_run(a->threads, score_pieces, a, err);
}

static bool is_alone(const set_scores *a) {
    return a->n_threads < 2 || a->is_little || atomic_load(&a->is_over) || (a->threads && crew_size(a->threads) < 2);
}

static status list_more(set_scores *a, const subset_walk *at, error_info *err) {
    if (!a->rows)
        CHECK_ALLOC(a->rows = calloc(TOGETHER, sizeof *a->rows));
    list_rows(a, *at);
    if (a->is_little)
        return STATUS_OK;
    if (!a->threads)
        CHECK(start(a, err));
    return is_alone(a) ? STATUS_OK : find_scores(a, err);
}

status set_scores_row(set_scores *a, const subset_walk *at, const found_score **out, error_info *err) {
    *out = NULL;
    if (!is_alone(a) && a->n_used == a->n_rows)
        CHECK(list_more(a, at, err));
    if (!is_alone(a))
        *out = a->scores + a->rows[a->n_used++].first_score;
    return STATUS_OK;
}

double set_scores_take(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra,
                       const found_score *found) {
    double value = found->value;
    if (found->is_kept)
        score_count(s, 1, 0);
    else
        score_node_told(s, x, parents, n_parents, extra, &value);
    return value;
}
