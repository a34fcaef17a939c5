/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repairs by several threads. A search draws as many random numbers as it makes moves, and the next search draws on
 * from there, so that searches cannot run side by side and find what they find now; but a step repairs hundreds of
 * moves, each for itself. Threads repair them on the rows of scores that are there. The few whose repair would make a
 * row are left to the search, which makes rows in the order in which it always has: scores, counters and all are the
 * same. Before that, threads find the rows of heads with other parents, which the search then asks for in its order.
 */
#include "core/base/array.h"
#include "core/run/crew.h"
#include "learners/sgs/repair_memo_internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_REPAIRS = 6, /* fewer are done before a thread takes part */
    BLOCK = 2,
    PATIENCE = 4000 /* yields: a thread is awake when the next step comes */
};

struct sgs_crew {
    size_t n_threads, trail_words;
    crew *threads;
    sgs_repair **repairs; /* by thread */

    const sgs_state *state;
    size_t n, capacity;
    sgs_move *moves;
    bool *is_done;
    uint64_t *trails;
    atomic_size_t next; /* move to be tried, or row to be found */

    family_row **rows;
    size_t n_rows, row_capacity;
};

void sgs_crew_destroy(sgs_crew *c) {
    if (!c)
        return;
    crew_destroy(c->threads);
    for (size_t i = 0; c->repairs && i < c->n_threads; i++)
        sgs_repair_destroy(c->repairs[i]);
    free(c->repairs);
    free(c->moves);
    free(c->is_done);
    free(c->trails);
    free(c->rows);
    free(c);
}

AUTO_PTR_OF(sgs_crew, sgs_crew_destroy)

status sgs_crew_create(const sgs_state *s, size_t n_threads, sgs_crew **out, error_info *err) {
    AUTO_PTR(sgs_crew_destroy) sgs_crew *c = NULL;
    CHECK_ALLOC(c = calloc(1, sizeof *c));
    c->n_threads = n_threads;
    c->trail_words = 2 * s->n_words;
    CHECK_ALLOC(c->repairs = calloc(n_threads, sizeof(sgs_repair *)));
    for (size_t i = 0; i < n_threads; i++)
        CHECK(sgs_repair_create(s, &c->repairs[i], err));
    CHECK(crew_create(n_threads, &c->threads, err));
    crew_set_patience(c->threads, PATIENCE);
    *out = TAKE(c);
    return STATUS_OK;
}

/* --- rows --- */

static status list_row(sgs_crew *c, family_row *row, error_info *err) {
    return row->order ? STATUS_OK : ARRAY_PUSH(c->rows, c->n_rows, c->row_capacity, err, row);
}

static status list_rows(sgs_crew *c, const sgs_state *s, error_info *err) {
    c->n_rows = 0;
    for (size_t z = 0; z < s->n; z++) {
        const sgs_head *h = &s->heads[z];
        if (h->scanned_at != UINT64_MAX)
            continue;
        if (!h->is_full)
            CHECK(list_row(c, h->with, err));
        for (size_t i = 0; i < h->n_parents; i++)
            CHECK(list_row(c, h->without[i], err));
    }
    return STATUS_OK;
}

static status find_rows(void *self, size_t worker, error_info *err) {
    sgs_crew *c = self;
    size_t i;
    while ((i = atomic_fetch_add(&c->next, 1)) < c->n_rows && !run_context_is_expired(c->state->ctx))
        CHECK(family_row_find(c->state->scores, worker, c->rows[i], err));
    return STATUS_OK;
}

status sgs_crew_find_rows(sgs_crew *c, const sgs_state *s, error_info *err) {
    if (s->source->n_workers < c->n_threads)
        return STATUS_OK;
    CHECK(list_rows(c, s, err));
    c->state = s;
    atomic_store(&c->next, 0);
    return c->n_rows > 1 ? crew_run(c->threads, find_rows, c, err) : STATUS_OK;
}

/* --- repairs --- */

static status reserve(sgs_crew *c, size_t n, error_info *err) {
    if (n <= c->capacity)
        return STATUS_OK;
    free(c->moves);
    free(c->is_done);
    free(c->trails);
    c->capacity = 0;
    c->moves = calloc(2 * n, sizeof *c->moves);
    c->is_done = calloc(2 * n, sizeof *c->is_done);
    c->trails = calloc(2 * n, c->trail_words * sizeof *c->trails);
    if (!c->moves || !c->is_done || !c->trails)
        return error_out_of_memory(err);
    c->capacity = 2 * n;
    return STATUS_OK;
}

static status try_one(sgs_crew *c, size_t worker, size_t i, error_info *err) {
    sgs_repair *r = c->repairs[worker];
    CHECK(sgs_repair_try(r, c->state, &c->moves[i], &c->is_done[i], err));
    memcpy(c->trails + i * c->trail_words, sgs_repair_trail(r), c->trail_words * sizeof *c->trails);
    return STATUS_OK;
}

static status work(void *self, size_t worker, error_info *err) {
    sgs_crew *c = self;
    size_t first;
    while ((first = atomic_fetch_add(&c->next, BLOCK)) < c->n && !run_context_is_expired(c->state->ctx)) {
        for (size_t k = first; k < first + BLOCK && k < c->n; k++)
            CHECK(try_one(c, worker, k, err));
    }
    return STATUS_OK;
}

status sgs_crew_try(sgs_crew *c, const sgs_state *s, const sgs_move *moves, size_t n, error_info *err) {
    CHECK(reserve(c, n, err));
    c->state = s;
    c->n = n;
    for (size_t i = 0; i < n; i++) {
        c->is_done[i] = false;
        c->moves[i] = moves[i];
    }
    atomic_store(&c->next, 0);
    return n >= LEAST_REPAIRS ? crew_run(c->threads, work, c, err) : STATUS_OK;
}

bool sgs_crew_recall(const sgs_crew *c, size_t i, sgs_move *m, const uint64_t **trail) {
    if (!c->is_done[i])
        return false;
    *m = c->moves[i];
    *trail = c->trails + i * c->trail_words;
    return true;
}
