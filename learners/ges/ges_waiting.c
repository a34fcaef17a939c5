/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/ges/ges_waiting_internal.h"

#include "core/base/array.h"

#include <stdlib.h>

enum { LEAST_WATCHERS = 1 << 20 }; /* before any are dropped: 8 MiB */

/* In the place of a stream: the arrow waits no more. */
#define RELEASED (GES_NO_STREAM - 1)

status ges_waiting_init(ges_waiting *w, size_t n_nodes, error_info *err) {
    w->n_nodes = n_nodes;
    w->most = LEAST_WATCHERS;
    CHECK_ALLOC(w->at = calloc(n_nodes + 1, sizeof *w->at));
    return STATUS_OK;
}

void ges_waiting_clear(ges_waiting *w) {
    for (size_t i = 0; w->at && i < w->n_nodes; i++)
        free(w->at[i].items);
    free(w->at);
    free(w->arrows);
    *w = (ges_waiting){0};
}

void ges_waiting_forget(ges_waiting *w) {
    for (size_t i = 0; i < w->n_nodes; i++)
        w->at[i].count = 0;
    w->n_arrows = w->n_watchers = 0;
}

status ges_waiting_add(ges_waiting *w, const ges_arrow *arrow, const size_t *path, size_t n, error_info *err) {
    uint32_t number = (uint32_t)w->n_arrows;
    for (size_t i = 0; i < n; i++) {
        ges_watchers *at = &w->at[path[i]];
        ges_watcher watcher = {number, i > 0 ? (uint32_t)path[i - 1] : arrow->x};
        CHECK(ARRAY_PUSH(at->items, at->count, at->capacity, err, watcher));
    }
    w->n_watchers += n;
    return ARRAY_PUSH(w->arrows, w->n_arrows, w->capacity, err, *arrow);
}

static status release(ges_waiting *w, size_t number, ges_arrows *heap, error_info *err) {
    ges_arrow *arrow = &w->arrows[number];
    if (arrow->stream == RELEASED)
        return STATUS_OK;
    CHECK(ges_arrows_push(heap, arrow, err));
    arrow->stream = RELEASED;
    return STATUS_OK;
}

static bool is_passable(const pdag *g, size_t from, size_t to) {
    edge_kind kind = pdag_edge_between(g, from, to);
    return kind == EDGE_OUT || kind == EDGE_UNDIRECTED;
}

static status release_at(ges_waiting *w, const pdag *g, size_t node, ges_arrows *heap, error_info *err) {
    ges_watchers *at = &w->at[node];
    size_t n_kept = 0;
    for (size_t i = 0; i < at->count; i++) {
        if (is_passable(g, node, at->items[i].next))
            at->items[n_kept++] = at->items[i];
        else
            CHECK(release(w, at->items[i].number, heap, err));
    }
    w->n_watchers -= at->count - n_kept;
    at->count = n_kept;
    return STATUS_OK;
}

/* --- what waits no more --- */

#define DROPPED UINT32_MAX

/* Moves together the arrows that wait; what number each has now, or DROPPED, into `numbers`. */
static void drop_arrows(ges_waiting *w, const uint32_t *stamp, uint32_t *numbers) {
    size_t n = 0;
    for (size_t i = 0; i < w->n_arrows; i++) {
        const ges_arrow *arrow = &w->arrows[i];
        bool waits = arrow->stream != RELEASED && arrow->stamp == stamp[arrow->y];
        numbers[i] = waits ? (uint32_t)n : DROPPED;
        if (waits)
            w->arrows[n++] = *arrow;
    }
    w->n_arrows = n;
}

static void drop_watchers(ges_watchers *at, const uint32_t *numbers) {
    size_t n = 0;
    for (size_t i = 0; i < at->count; i++) {
        uint32_t number = numbers[at->items[i].number];
        if (number != DROPPED)
            at->items[n++] = (ges_watcher){number, at->items[i].next};
    }
    at->count = n;
}

/* It is done again when there are twice as many as stay, so it takes no longer than they took to come. */
static status drop(ges_waiting *w, const uint32_t *stamp, error_info *err) {
    AUTO_FREE uint32_t *numbers = calloc(w->n_arrows + 1, sizeof *numbers);
    CHECK_ALLOC(numbers);
    drop_arrows(w, stamp, numbers);
    w->n_watchers = 0;
    for (size_t i = 0; i < w->n_nodes; i++) {
        drop_watchers(&w->at[i], numbers);
        w->n_watchers += w->at[i].count;
    }
    w->most = 2 * w->n_watchers > w->most ? 2 * w->n_watchers : w->most;
    return STATUS_OK;
}

status ges_waiting_release(ges_waiting *w, const pdag *g, const size_t *changed, size_t n, const uint32_t *stamp,
                           ges_arrows *heap, error_info *err) {
    for (size_t i = 0; i < n; i++)
        CHECK(release_at(w, g, changed[i], heap, err));
    return w->n_watchers > w->most || w->n_arrows > w->most ? drop(w, stamp, err) : (status)STATUS_OK;
}
