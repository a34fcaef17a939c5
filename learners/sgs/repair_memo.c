/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outcomes of repairs. An arc that vanishes matters to one where its head was on a cycle that was to be broken, for all
 * other paths were longer, or came later. One that appears matters there, too, and where it opens a path that is no
 * longer than what the searches found: then the first new arc of the path leaves a node whose children were read, or
 * the last one enters a node whose parents were read, and some head of the repair's arcs reaches it.
 *
 * A change is noted, and each list forgets what it concerns when it is looked at next;
 * a change concerns one list in ten. A move keeps the place of its outcome as long as it is listed, for the same moves
 * close cycles again and again.
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
    size_t n, n_words; /* n_words: of a set of nodes; a trail is SGS_TRAIL_SETS of them */
    repair_list *lists;
    uint64_t *reads; /* by head, as it was last looked at: nodes whose parents its outcomes hung on */
    size_t n_added, added_capacity, above_capacity;
    size_t *added;                     /* heads of arcs that were put in */
    uint64_t *above;                   /* what is above each */
    uint64_t *above_any;               /* what is above any */
    uint64_t *added_set, *added_tails; /* these heads, and the tails of the same arcs, as sets */
    uint64_t *changed_set;             /* these heads, and those of arcs that were taken out */
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
    free(o->added);
    free(o->above);
    free(o->added_set);
    free(o->added_tails);
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
    CHECK_ALLOC(o->added_set = calloc(n_words, sizeof *o->added_set));
    CHECK_ALLOC(o->added_tails = calloc(n_words, sizeof *o->added_tails));
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

static uint64_t *above_added(const repair_memo *o, size_t i) {
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

void repair_memo_note_removal(repair_memo *o, size_t head) {
    bits_add(o->changed_set, head);
}

status repair_memo_note_addition(repair_memo *o, const ancestry *above, sgs_arc arc, error_info *err) {
    bool is_new = !bits_have(o->added_set, arc.to);
    CHECK(ARRAY_RESERVE(o->above, o->above_capacity, (o->n_added + 1) * o->n_words, err));
    CHECK(ARRAY_ROOM(o->added, o->n_added, o->added_capacity, err));
    if (is_new) {
        copy_above(o, above, arc.to, above_added(o, o->n_added));
        unite(o->above_any, above_added(o, o->n_added), o->n_words);
        o->added[o->n_added++] = arc.to;
    }
    bits_add(o->added_set, arc.to);
    bits_add(o->changed_set, arc.to);
    bits_add(o->added_tails, arc.from);
    return STATUS_OK;
}

void repair_memo_clear_changes(repair_memo *o) {
    uint64_t *sets[] = {o->added_set, o->added_tails, o->changed_set, o->above_any};
    o->n_added = 0;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        memset(sets[i], 0, o->n_words * sizeof *sets[i]);
}

static uint64_t *trail_at(const repair_memo *o, const repair_list *list, size_t place) {
    return list->trails + SGS_TRAIL_SETS * o->n_words * place;
}

static uint64_t *trail_set(const repair_memo *o, uint64_t *trail, size_t number) {
    return trail + number * o->n_words;
}

/* What of the trail concerns the changes. */
typedef struct {
    bool nodes, children_read, parents_read;
} concern;

static concern find_concern(const repair_memo *o, uint64_t *trail) {
    const uint64_t *of_nodes = trail_set(o, trail, SGS_TRAIL_NODES);
    const uint64_t *children_read = trail_set(o, trail, SGS_TRAIL_CHILDREN_READ);
    const uint64_t *parents_read = trail_set(o, trail, SGS_TRAIL_PARENTS_READ);
    uint64_t nodes = 0, children = 0, parents = 0;
    for (size_t w = 0; w < o->n_words; w++) {
        nodes |= of_nodes[w] & o->changed_set[w];
        children |= children_read[w] & o->added_tails[w];
        parents |= parents_read[w] & o->added_set[w];
    }
    return (concern){nodes != 0, children != 0, parents != 0};
}

/* Whether the arcs that were put in where parents were read leave the outcome as it is. A later path to such a node may
 * come by what is above it now, whose parents count as read from then on. */
static bool outlasts_additions(const repair_memo *o, uint64_t *trail) {
    uint64_t *parents_read = trail_set(o, trail, SGS_TRAIL_PARENTS_READ);
    for (size_t i = 0; i < o->n_added; i++) {
        if (!bits_have(parents_read, o->added[i]))
            continue;
        if (bits_meet(trail_set(o, trail, SGS_TRAIL_HEADS), above_added(o, i), o->n_words))
            return false;
        unite(parents_read, above_added(o, i), o->n_words);
    }
    return true;
}

static bool outlasts_changes(const repair_memo *o, uint64_t *trail) {
    concern c = find_concern(o, trail);
    return !c.nodes && !c.children_read && (!c.parents_read || outlasts_additions(o, trail));
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
        if (outlasts_changes(o, trail)) {
            unite(reads, trail_set(o, trail, SGS_TRAIL_NODES), o->n_words);
            unite(reads, trail_set(o, trail, SGS_TRAIL_PARENTS_READ), o->n_words);
        } else {
            star->gain = (double)NAN;
        }
    }
}

/* An arc that is put in where children were read has the head above it, if that still reaches its tail; if not, the arc
 * closes no cycle with the moves of the head. */
bool repair_memo_is_concerned(const repair_memo *o, size_t node) {
    return bits_have(o->above_any, node) || bits_meet(o->reads + node * o->n_words, o->changed_set, o->n_words);
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
    CHECK(ARRAY_RESERVE(list->trails, list->trail_capacity, (list->n_places + 1) * SGS_TRAIL_SETS * o->n_words, err));
    CHECK(ARRAY_ROOM(list->outcomes, list->n_places, list->place_capacity, err));
    star->place = (uint32_t)list->n_places++;
    list->outcomes[star->place] = (repair_outcome){.number = (uint32_t)i};
    return STATUS_OK;
}

void repair_memo_keep(repair_memo *o, size_t i, const sgs_move *m, const uint64_t *trail) {
    repair_list *list = &o->lists[m->to];
    repair_star *star = &list->stars[i];
    star->gain = m->gain;
    memcpy(trail_at(o, list, star->place), trail, SGS_TRAIL_SETS * o->n_words * sizeof *trail);
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
