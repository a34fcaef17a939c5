/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outcomes of repairs. One is valid as long as no node that the repair read, and that a head of its arcs reaches, has
 * got other parents: only such a node lies on paths that close a cycle. A change is noted, and each list forgets what
 * it concerns when it is looked at next, by whichever thread looks at it; a change concerns one list in ten. A move
 * keeps the place of its outcome as long as it is listed, for the same moves close cycles again and again.
 */
#include "learners/sgs/repair_memo_internal.h"

#include "core/base/array.h"
#include "core/base/bits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct repair_outcome {
    uint32_t number; /* of its move in the list */
    uint32_t n_operations, n_deletions;
    uint64_t change;
};

#define NO_PLACE UINT32_MAX

struct repair_memo {
    size_t n, n_words; /* n_words: of a set of nodes; a trail is two of them */
    repair_list *lists;
    uint64_t *reads; /* by head: what its outcomes had read, when it was last looked at */
    size_t n_changes, change_capacity, above_capacity;
    size_t *changed;                   /* nodes in the order of the changes */
    uint64_t *above;                   /* what was above each */
    uint64_t *changed_set, *above_any; /* the same nodes, and what was above any of them, as sets */
};

void repair_memo_destroy(repair_memo *o) {
    if (!o)
        return;
    for (size_t x = 0; o->lists && x < o->n; x++) {
        free(o->lists[x].stars);
        free(o->lists[x].outcomes);
        free(o->lists[x].trails);
    }
    free(o->lists);
    free(o->reads);
    free(o->changed);
    free(o->above);
    free(o->changed_set);
    free(o->above_any);
    free(o);
}

AUTO_PTR_OF(repair_memo, repair_memo_destroy)

status repair_memo_create(size_t n, size_t n_words, repair_memo **out, error_info *err) {
    AUTO_PTR(repair_memo_destroy) repair_memo *o = NULL;
    CHECK_ALLOC(o = calloc(1, sizeof *o));
    o->n = n;
    o->n_words = n_words;
    CHECK_ALLOC(o->lists = calloc(n + 1, sizeof *o->lists));
    CHECK_ALLOC(o->reads = calloc(n + 1, n_words * sizeof *o->reads));
    CHECK_ALLOC(o->changed_set = calloc(n_words, sizeof *o->changed_set));
    CHECK_ALLOC(o->above_any = calloc(n_words, sizeof *o->above_any));
    *out = TAKE(o);
    return STATUS_OK;
}

void repair_memo_forget_head(repair_memo *o, size_t node) {
    repair_list *list = &o->lists[node];
    list->is_known = false;
    list->n = 0;
    list->n_places = 0;
}

void repair_memo_forget_all(repair_memo *o) {
    for (size_t x = 0; x < o->n; x++)
        repair_memo_forget_head(o, x);
    repair_memo_clear_changes(o);
}

/* --- changes --- */

static uint64_t *above_change(const repair_memo *o, size_t i) {
    return o->above + i * o->n_words;
}

/* Where the ancestry has no rows, anything may be above. */
static void copy_above(const repair_memo *o, const ancestry *above, size_t node, uint64_t *out) {
    const uint64_t *row = ancestry_row(above, node);
    size_t n_words = row ? ancestry_row_words(above) : 0;
    memset(out, row ? 0 : 0xFF, o->n_words * sizeof *out);
    if (row)
        memcpy(out, row, n_words * sizeof *out);
}

static void unite(uint64_t *set, const uint64_t *more, size_t n_words) {
    for (size_t w = 0; w < n_words; w++)
        set[w] |= more[w];
}

static bool is_noted(const repair_memo *o, size_t node, const uint64_t *above) {
    for (size_t i = 0; i < o->n_changes; i++) {
        if (o->changed[i] == node && memcmp(above_change(o, i), above, o->n_words * sizeof *above) == 0)
            return true;
    }
    return false;
}

status repair_memo_note_change(repair_memo *o, const ancestry *above, size_t node, error_info *err) {
    uint64_t *fresh;
    CHECK(ARRAY_RESERVE(o->above, o->above_capacity, (o->n_changes + 1) * o->n_words, err));
    CHECK(ARRAY_ROOM(o->changed, o->n_changes, o->change_capacity, err));
    fresh = above_change(o, o->n_changes);
    copy_above(o, above, node, fresh);
    if (is_noted(o, node, fresh))
        return STATUS_OK;
    o->changed[o->n_changes++] = node;
    bits_add(o->changed_set, node);
    unite(o->above_any, fresh, o->n_words);
    return STATUS_OK;
}

void repair_memo_clear_changes(repair_memo *o) {
    o->n_changes = 0;
    memset(o->changed_set, 0, o->n_words * sizeof *o->changed_set);
    memset(o->above_any, 0, o->n_words * sizeof *o->above_any);
}

static uint64_t *trail_at(const repair_memo *o, const repair_list *list, size_t place) {
    return list->trails + 2 * o->n_words * place;
}

static bool meet(const uint64_t *a, const uint64_t *b, size_t n_words) {
    uint64_t any = 0;
    for (size_t w = 0; w < n_words; w++)
        any |= a[w] & b[w];
    return any != 0;
}

/* Whether the changes leave the outcome with this trail as it is. A later path to a node that was read may come by what
 * is above it now, which counts as read from then on. */
static bool outlasts_changes(const repair_memo *o, uint64_t *trail) {
    uint64_t *read = trail, *heads = trail + o->n_words;
    if (!meet(read, o->changed_set, o->n_words))
        return true;
    for (size_t i = 0; i < o->n_changes; i++) {
        size_t node = o->changed[i];
        const uint64_t *above = above_change(o, i);
        if (!bits_have(read, node))
            continue;
        if (meet(heads, above, o->n_words))
            return false;
        unite(read, above, o->n_words);
    }
    return true;
}

void repair_memo_forget_changed(repair_memo *o, size_t node) {
    repair_list *list = &o->lists[node];
    uint64_t *reads = o->reads + node * o->n_words;
    memset(reads, 0, o->n_words * sizeof *reads);
    for (size_t place = 0; place < list->n_places; place++) {
        repair_star *star = &list->stars[list->outcomes[place].number];
        uint64_t *trail = trail_at(o, list, place);
        if (isnan(star->gain))
            continue;
        if (outlasts_changes(o, trail))
            unite(reads, trail, o->n_words);
        else
            star->gain = (double)NAN;
    }
}

bool repair_memo_is_concerned(const repair_memo *o, size_t node) {
    const uint64_t *reads = o->reads + node * o->n_words;
    bool is_concerned = bits_have(o->above_any, node);
    for (size_t i = 0; i < o->n_changes && !is_concerned; i++)
        is_concerned = bits_have(reads, o->changed[i]);
    return is_concerned;
}

/* --- lists --- */

repair_list *repair_memo_list(repair_memo *o, size_t node) {
    return &o->lists[node];
}

status repair_list_add(repair_list *list, size_t from, size_t exchanged, double first, error_info *err) {
    repair_star star = {.from = (uint32_t)from,
                        .exchanged = exchanged == SGS_NONE ? SGS_NO_PARENT : (uint32_t)exchanged,
                        .place = NO_PLACE,
                        .first = first,
                        .gain = (double)NAN};
    return ARRAY_PUSH(list->stars, list->n, list->capacity, err, star);
}

status repair_memo_reserve(repair_memo *o, size_t node, size_t i, error_info *err) {
    repair_list *list = &o->lists[node];
    repair_star *star = &list->stars[i];
    if (star->place != NO_PLACE)
        return STATUS_OK;
    if (list->n_places == NO_PLACE)
        return error_out_of_memory(err);
    CHECK(ARRAY_RESERVE(list->trails, list->trail_capacity, (list->n_places + 1) * 2 * o->n_words, err));
    CHECK(ARRAY_ROOM(list->outcomes, list->n_places, list->place_capacity, err));
    star->place = (uint32_t)list->n_places++;
    list->outcomes[star->place] = (repair_outcome){.number = (uint32_t)i};
    return STATUS_OK;
}

void repair_memo_keep(repair_memo *o, size_t i, const sgs_move *m, const uint64_t *trail) {
    repair_list *list = &o->lists[m->to];
    repair_star *star = &list->stars[i];
    star->gain = m->gain;
    memcpy(trail_at(o, list, star->place), trail, 2 * o->n_words * sizeof *trail);
    list->outcomes[star->place] = (repair_outcome){.number = (uint32_t)i,
                                                   .n_operations = (uint32_t)m->n_operations,
                                                   .n_deletions = (uint32_t)m->n_deletions,
                                                   .change = m->change};
}

void repair_memo_recall(const repair_memo *o, size_t i, sgs_move *m) {
    const repair_list *list = &o->lists[m->to];
    const repair_star *star = &list->stars[i];
    const repair_outcome *e = &list->outcomes[star->place];
    m->gain = star->gain;
    m->n_operations = e->n_operations;
    m->n_deletions = e->n_deletions;
    m->change = e->change;
}
