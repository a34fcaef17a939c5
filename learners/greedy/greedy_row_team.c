/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bounds of a row's candidates are most of the work, and those of a block of columns need no other block: each
 * thread takes a slab after the other. What may gain enough comes together at the end, and one thread goes on alone.
 */
#include "learners/greedy/greedy_row_team_internal.h"

#include "core/base/array.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
    greedy_worker *w;   /* of the thread that answers */
    greedy_worker base; /* as it was before its blocks were opened */
    row_part *parts;    /* by thread */
    const row_question *q;
    const greedy_state *s;
    const run_context *ctx;
    atomic_size_t next; /* block: the first of a slab */
    atomic_bool is_over;
    status *ended;   /* by thread; STATUS_MISSING: it took no part */
    error_info *err; /* of the thread that answers */
} row_team;

static bool take_slab(row_team *t, size_t *first, size_t *end) {
    *first = atomic_load(&t->next);
    do {
        if (*first >= lane_columns_count(t->s->lanes) || atomic_load(&t->is_over))
            return false;
        *end = greedy_worker_end_of_slab(t->s->lanes, *first);
    } while (!atomic_compare_exchange_weak(&t->next, first, *end));
    return true;
}

static status open_slabs(row_team *t, greedy_worker *w, bool looks_at_clock, error_info *err) {
    size_t first, end;
    while (take_slab(t, &first, &end)) {
        CHECK(greedy_worker_open_blocks(w, t->s, t->q, first, end, err));
        w->is_expired = looks_at_clock && run_context_is_expired(t->ctx);
        if (w->is_expired)
            atomic_store(&t->is_over, true);
    }
    return STATUS_OK;
}

/* Of another thread: its own bounds and lists; all else of the row is that of w, and only read. Who cannot make the
   bounds leaves all blocks to the others. */
static status open_part(row_team *t, row_part *own) {
    greedy_worker part = t->base;
    bool is_of_use = false;
    status st;
    candidate_heap_empty(&own->open);
    own->missed.n = 0;
    if (row_bounds_set(own->bounds, t->q->y, t->q->parents, t->q->n_parents, &is_of_use, NULL) != STATUS_OK ||
        !is_of_use)
        return STATUS_MISSING;
    part.bounds = own->bounds;
    part.open = own->open;
    part.missed = own->missed;
    st = open_slabs(t, &part, false, NULL);
    own->open = part.open;
    own->missed = part.missed;
    return st;
}

static void take_part(void *self, size_t index) {
    row_team *t = self;
    if (index > 0)
        t->ended[index] = open_part(t, &t->parts[index]);
    else
        t->ended[0] = open_slabs(t, t->w, true, t->err);
}

static status add_part(greedy_worker *w, const row_part *part, error_info *err) {
    missed_nodes *m = &w->missed;
    for (size_t i = 0; i < part->open.n; i++)
        CHECK(candidate_heap_push(&w->open, part->open.items[i], err));
    for (size_t i = 0; i < part->missed.n; i++)
        CHECK(ARRAY_PUSH(m->nodes, m->n, m->capacity, err, part->missed.nodes[i]));
    return STATUS_OK;
}

static status open_together(row_team *t, const pass_helpers *helpers, error_info *err) {
    AUTO_FREE status *ended = calloc(helpers->n, sizeof *ended);
    CHECK_ALLOC(ended);
    t->ended = ended;
    t->base = *t->w;
    for (size_t i = 0; i < helpers->n; i++)
        ended[i] = STATUS_MISSING;
    helpers->run(helpers->owner, take_part, t);
    CHECK(ended[0]);
    for (size_t i = 1; i < helpers->n; i++) {
        if (ended[i] == STATUS_MISSING)
            continue;
        if (ended[i] != STATUS_OK)
            return error_set(err, ended[i], "a thread could not bound its part of a row");
        CHECK(add_part(t->w, &t->parts[i], err));
    }
    return STATUS_OK;
}

void row_part_clear(row_part *p) {
    candidate_heap_clear(&p->open);
    free(p->missed.nodes);
}

status greedy_row_team_answer(greedy_worker *w, const row_question *q, const greedy_state *s, const run_context *ctx,
                              const pass_helpers *helpers, row_part *parts, error_info *err) {
    row_team t = {.w = w, .parts = parts, .q = q, .s = s, .ctx = ctx, .err = err};
    CHECK(greedy_worker_begin(w, s, ctx, q, err));
    if (greedy_worker_goes_by_blocks(w, s))
        CHECK(open_together(&t, helpers, err));
    return greedy_worker_end(w, s, ctx, q, err);
}
