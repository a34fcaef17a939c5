/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the visits of PC's ends have tested, whose sets come from the neighbours that are left. */
#include "learners/constraint/pc_search_internal.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

struct pc_visits {
    uint32_t *items; /* by place of a neighbour in the rows of edges: those that visits started with, and: */
    bool *is_gone;
    uint32_t *counts; /* by end; 0: it has not started */
};

void pc_visits_destroy(pc_visits *v) {
    if (!v)
        return;
    free(v->items);
    free(v->is_gone);
    free(v->counts);
    free(v);
}

status pc_visits_create(const neighbour_rows *edges, pc_visits **out, error_info *err) {
    AUTO_PTR(pc_visits_destroy) pc_visits *v = calloc(1, sizeof *v);
    size_t n = edges->n_nodes, n_places = edges->starts[n];
    CHECK_ALLOC(v);
    CHECK_ALLOC(v->items = calloc(n_places + 1, sizeof *v->items));
    CHECK_ALLOC(v->is_gone = calloc(n_places + 1, sizeof *v->is_gone));
    CHECK_ALLOC(v->counts = calloc(n + 1, sizeof *v->counts));
    *out = TAKE(v);
    return STATUS_OK;
}

void pc_visits_forget(pc_search *s) {
    memset(s->visits->counts, 0, s->n_variables * sizeof *s->visits->counts);
}

pc_visit pc_visits_get(const pc_search *s, size_t x) {
    const pc_visits *v = s->visits;
    size_t start = s->edges->starts[x];
    return (pc_visit){v->items + start, v->is_gone + start, v->counts[x]};
}

/* The neighbours but those that the lower end of their edge has lost. */
pc_visit pc_visits_start(pc_search *s, size_t x) {
    pc_visits *v = s->visits;
    neighbour_row row = neighbour_rows_get(s->edges, x);
    const unsigned char *fates = neighbour_rows_marks_below(s->edges, x);
    size_t start = s->edges->starts[x], n_below = neighbour_rows_count_below(s->edges, x), n = 0;
    for (size_t i = 0; i < row.count; i++) {
        if (i < n_below && fates[i] != FATE_OPEN)
            continue;
        v->items[start + n] = row.items[i];
        v->is_gone[start + n++] = false;
    }
    v->counts[x] = (uint32_t)n;
    return pc_visits_get(s, x);
}

static size_t place_in(const pc_visit *v, size_t node) {
    size_t at;
    ARRAY_FIND_PLACE(at, v->count, v->items[at] < node);
    return at;
}

/* Was the node in the pool when the edge to `other` was tested? Neighbours have their turn in ascending order. */
static bool was_in_pool(const pc_visit *v, size_t node, size_t other) {
    size_t place = place_in(v, node);
    return place < v->count && v->items[place] == node && (node > other || !v->is_gone[place]);
}

bool pc_visits_have_tested(const pc_search *s, size_t x, size_t y, size_t n_z) {
    pc_visit lower = pc_visits_get(s, y);
    for (size_t i = 0; i < n_z; i++) {
        if (!was_in_pool(&lower, s->z[i], x))
            return false;
    }
    return true;
}
