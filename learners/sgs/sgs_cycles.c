/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cycle through an arc is a path from its head to its tail. It is searched back from the tail, distance by
 * distance, and once that finds many nodes, forth from the head where it has fewer, until the sides meet.
 */
#include "learners/sgs/sgs_cycles_internal.h"

#include "core/base/array.h"
#include "core/base/bits.h"
#include "core/base/cache_line.h"

#include <stdlib.h>
#include <string.h>

/* A set of the copy that is not the graph's. */
typedef struct {
    size_t number; /* among c->sets */
    uint64_t *set;
} own_set;

/* Nodes by their distance to an end of an arc. */
typedef struct {
    const uint64_t **sets; /* by node: those at the next distance */
    uint32_t *queue;       /* ascending where the distance is the same */
    uint32_t *ends;        /* where each distance ends in the queue */
    size_t n_queued;       /* distances; the last has not been read unless: */
    bool is_read;
    uint64_t *seen; /* the nodes of the queue */
} side;

struct sgs_cycles {
    sgs_cycles_graph graph;
    const uint64_t **sets; /* by node: its parents; and after them by node: its children */
    own_set *own;
    size_t n_own, n_own_made, own_capacity; /* those past n_own keep their memory */
    sgs_arc_list added;
    sgs_arc_list changed; /* added or taken out; so many of them are in sets of children by now: */
    size_t n_in_children;
    side back, forth;
    uint64_t *found;         /* what the nodes at one distance lead to */
    uint32_t *kept, *n_kept; /* nodes on shortest cycles, in the places of back.queue, and how many at each distance */
    size_t *cycle;
};

static void clear_side(const side *s) {
    free(s->queue);
    free(s->ends);
    free(s->seen);
}

void sgs_cycles_destroy(sgs_cycles *c) {
    if (!c)
        return;
    for (size_t i = 0; i < c->n_own_made; i++)
        free(c->own[i].set);
    free(c->own);
    free(c->sets);
    free(c->added.arcs);
    free(c->changed.arcs);
    clear_side(&c->back);
    clear_side(&c->forth);
    free(c->found);
    free(c->kept);
    free(c->n_kept);
    free(c->cycle);
    free(c);
}

static status make_side(side *s, size_t n, size_t n_words, const uint64_t **sets, error_info *err) {
    s->sets = sets;
    CHECK_ALLOC(s->queue = cache_lines_create(n * sizeof *s->queue));
    CHECK_ALLOC(s->ends = cache_lines_create(n * sizeof *s->ends));
    CHECK_ALLOC(s->seen = cache_lines_create(n_words * sizeof *s->seen));
    return STATUS_OK;
}

static const uint64_t *set_in_graph(const sgs_cycles *c, size_t number) {
    size_t n = c->graph.n_nodes;
    return number < n ? c->graph.parents + number * c->graph.n_words
                      : c->graph.children + (number - n) * c->graph.n_words;
}

/* In lines of its own: searches side by side write to theirs all the time. */
status sgs_cycles_create(const sgs_cycles_graph *graph, sgs_cycles **out, error_info *err) {
    AUTO_PTR(sgs_cycles_destroy) sgs_cycles *c = NULL;
    size_t n = graph->n_nodes;
    CHECK_ALLOC(c = cache_lines_create(sizeof *c));
    CHECK_ALLOC(c->sets = cache_lines_create(2 * n * sizeof *c->sets));
    CHECK_ALLOC(c->found = cache_lines_create(graph->n_words * sizeof *c->found));
    CHECK_ALLOC(c->kept = cache_lines_create(n * sizeof *c->kept));
    CHECK_ALLOC(c->n_kept = cache_lines_create((n + 1) * sizeof *c->n_kept));
    CHECK_ALLOC(c->cycle = cache_lines_create((n + 1) * sizeof *c->cycle));
    CHECK(make_side(&c->back, n, graph->n_words, c->sets, err));
    CHECK(make_side(&c->forth, n, graph->n_words, c->sets + n, err));
    sgs_cycles_turn_to(c, graph);
    *out = TAKE(c);
    return STATUS_OK;
}

/* --- the copy --- */

void sgs_cycles_turn_to(sgs_cycles *c, const sgs_cycles_graph *graph) {
    if (c->graph.parents == graph->parents)
        return;
    c->graph = *graph;
    c->n_own = 0;
    for (size_t i = 0; i < 2 * graph->n_nodes; i++)
        c->sets[i] = set_in_graph(c, i);
}

void sgs_cycles_begin(sgs_cycles *c) {
    for (size_t i = 0; i < c->n_own; i++)
        c->sets[c->own[i].number] = set_in_graph(c, c->own[i].number);
    c->n_own = 0;
    c->added.n = c->changed.n = c->n_in_children = 0;
}

static status make_own(sgs_cycles *c, size_t number, error_info *err) {
    own_set *o;
    if (c->n_own == c->n_own_made) {
        CHECK(ARRAY_RESERVE(c->own, c->own_capacity, c->n_own + 1, err));
        CHECK_ALLOC(c->own[c->n_own].set = cache_lines_create(c->graph.n_words * sizeof *o->set));
        c->n_own_made++;
    }
    o = &c->own[c->n_own++];
    memcpy(o->set, c->sets[number], c->graph.n_words * sizeof *o->set);
    o->number = number;
    c->sets[number] = o->set;
    return STATUS_OK;
}

static status flip(sgs_cycles *c, size_t number, size_t node, error_info *err) {
    size_t i = 0;
    if (c->sets[number] == set_in_graph(c, number))
        CHECK(make_own(c, number, err));
    while (c->own[i].number != number)
        i++;
    bits_flip(c->own[i].set, node);
    return STATUS_OK;
}

/* Few searches need sets of children, which change later. */
static status change_arc(sgs_cycles *c, sgs_arc arc, error_info *err) {
    CHECK(sgs_arcs_push(&c->changed, arc, err));
    return flip(c, arc.to, arc.from, err);
}

status sgs_cycles_add(sgs_cycles *c, sgs_arc arc, error_info *err) {
    CHECK(sgs_arcs_push(&c->added, arc, err));
    return change_arc(c, arc, err);
}

status sgs_cycles_remove(sgs_cycles *c, sgs_arc arc, error_info *err) {
    return change_arc(c, arc, err);
}

static status change_children(sgs_cycles *c, error_info *err) {
    for (; c->n_in_children < c->changed.n; c->n_in_children++) {
        sgs_arc arc = c->changed.arcs[c->n_in_children];
        CHECK(flip(c, c->graph.n_nodes + arc.from, arc.to, err));
    }
    return STATUS_OK;
}

/* --- the search --- */

static void begin_side(side *s, size_t node) {
    s->queue[0] = (uint32_t)node;
    s->ends[0] = 1;
    s->n_queued = 1;
    s->is_read = false;
}

static void begin_seen(side *s, size_t n_words) {
    memset(s->seen, 0, n_words * sizeof *s->seen);
    bits_add(s->seen, s->queue[0]);
}

static size_t start_of(const side *s, size_t distance) {
    return distance > 0 ? s->ends[distance - 1] : 0;
}

static size_t count_last(const side *s) {
    return s->ends[s->n_queued - 1] - start_of(s, s->n_queued - 1);
}

/* What the nodes at the last distance lead to. Sets are united some words at a time, in registers. */
static void read_last(side *s, uint64_t *found, size_t n_words) {
    const uint32_t *first = s->queue + start_of(s, s->n_queued - 1), *end = s->queue + s->ends[s->n_queued - 1];
    for (size_t at = 0; at < n_words; at += SGS_SET_BLOCK) {
        uint64_t any[SGS_SET_BLOCK] = {0};
        for (const uint32_t *x = first; x < end; x++) {
            const uint64_t *set = s->sets[*x] + at;
            for (size_t k = 0; k < SGS_SET_BLOCK; k++)
                any[k] |= set[k];
        }
        memcpy(found + at, any, sizeof any);
    }
    s->is_read = true;
}

/* Lists the nodes of a word of a set, ascending. */
static size_t list_word(uint64_t word, size_t at, uint32_t *out) {
    size_t n = 0;
    for (; word; word &= word - 1)
        out[n++] = (uint32_t)(64 * at + (size_t)__builtin_ctzll(word));
    return n;
}

/* What is found and was not seen before is the next distance; false if there is nothing. */
static bool queue_found(side *s, const uint64_t *found, size_t n_words) {
    size_t first = s->ends[s->n_queued - 1], end = first;
    for (size_t at = 0; at < n_words; at++) {
        uint64_t fresh = found[at] & ~s->seen[at];
        s->seen[at] |= fresh;
        end += list_word(fresh, at, s->queue + end);
    }
    if (end == first)
        return false;
    s->ends[s->n_queued++] = (uint32_t)end;
    s->is_read = false;
    return true;
}

/* Whether what one side has found is where the other one has been. */
static bool has_met(const sgs_cycles *c, const side *other) {
    if (other->n_queued == 1)
        return bits_have(c->found, other->queue[0]);
    return bits_meet(c->found, other->seen, c->graph.n_words);
}

/* The nodes in which the sides have met, by their distance to the tail. */
static void keep_meeting(sgs_cycles *c, const side *other, size_t distance) {
    uint32_t *kept = c->kept + start_of(&c->back, distance);
    size_t n = 0;
    if (other->n_queued == 1)
        kept[n++] = other->queue[0];
    for (size_t at = 0; other->n_queued > 1 && at < c->graph.n_words; at++)
        n += list_word(c->found[at] & other->seen[at], at, kept + n);
    c->n_kept[distance] = (uint32_t)n;
}

/* Most cycles are short: the side of the head is not looked at before the other one has MANY nodes at one distance. On
 * link, 5,000 rows, 8 took 62 s, 4 as much, and 16 took 77. */
static side *choose_side(sgs_cycles *c) {
    enum { MANY = 8 };
    return count_last(&c->back) < MANY || count_last(&c->back) <= count_last(&c->forth) ? &c->back : &c->forth;
}

/* What it reads, and adds to. */
static status begin_forth(sgs_cycles *c, error_info *err) {
    begin_seen(&c->forth, c->graph.n_words);
    return change_children(c, err);
}

/* Where the sides of a search have met. */
typedef struct {
    size_t length;   /* in nodes, of the cycle; 0: they have not */
    size_t distance; /* to the tail */
} meeting;

/* A shortest cycle through the arc, if it is shorter than `limit`; the nodes in which its sides meet are kept. */
static status search(sgs_cycles *c, sgs_arc arc, size_t limit, meeting *out, error_info *err) {
    side *back = &c->back, *forth = &c->forth;
    *out = (meeting){0};
    begin_side(back, arc.from);
    begin_seen(back, c->graph.n_words);
    begin_side(forth, arc.to);
    while (back->n_queued + forth->n_queued < limit) {
        side *from = choose_side(c), *other = from == back ? forth : back;
        if (from == forth && forth->n_queued == 1)
            CHECK(begin_forth(c, err));
        read_last(from, c->found, c->graph.n_words);
        if (has_met(c, other)) {
            out->length = back->n_queued + forth->n_queued;
            out->distance = from == back ? back->n_queued : back->n_queued - 1;
            keep_meeting(c, other, out->distance);
            break;
        }
        if (!queue_found(from, c->found, c->graph.n_words))
            break;
    }
    return STATUS_OK;
}

/* Adds the nodes whose sets were read, and only they are seen from then on. */
static void note_read(side *s, uint64_t *read, size_t n_words) {
    size_t end = s->ends[s->n_queued - 1];
    if (s->n_queued == 1 && !s->is_read)
        return;
    for (size_t i = s->is_read ? end : start_of(s, s->n_queued - 1); i < end; i++)
        bits_drop(s->seen, s->queue[i]);
    for (size_t at = 0; at < n_words; at++)
        read[at] |= s->seen[at];
}

/* --- the cycle --- */

/* Of the nodes at a distance to the tail, those that have a parent among the kept ones of the next distance. */
static void keep_children(sgs_cycles *c, size_t distance) {
    const side *s = &c->back;
    size_t start = start_of(s, distance), n_parents = c->n_kept[distance + 1], n = 0;
    const uint32_t *parents = c->kept + start_of(s, distance + 1);
    for (size_t i = start; i < s->ends[distance]; i++) {
        size_t k = 0;
        while (k < n_parents && !bits_have(s->sets[s->queue[i]], parents[k]))
            k++;
        if (k < n_parents)
            c->kept[start + n++] = s->queue[i];
    }
    c->n_kept[distance] = (uint32_t)n;
}

static size_t lowest_parent(const sgs_cycles *c, size_t x, const uint32_t *nodes) {
    while (!bits_have(c->sets[x], *nodes))
        nodes++;
    return *nodes;
}

/* From the tail to where the sides meet by nodes that are kept, and from there by any that the other side has seen. */
static void lay_cycle(sgs_cycles *c, size_t tail, const meeting *m) {
    size_t at = m->length - 1;
    c->cycle[at] = tail;
    for (size_t d = m->distance; d-- > 1;)
        keep_children(c, d);
    for (size_t d = 1; d <= m->distance; d++, at--)
        c->cycle[at - 1] = lowest_parent(c, c->cycle[at], c->kept + start_of(&c->back, d));
    for (; at > 0; at--)
        c->cycle[at - 1] = lowest_parent(c, c->cycle[at], c->forth.queue + start_of(&c->forth, at - 1));
}

static bool has_arc(const sgs_cycles *c, sgs_arc arc) {
    return bits_have(c->sets[arc.to], arc.from);
}

/* A cycle of two arcs is seen without a search. */
static bool find_pair(sgs_cycles *c, uint64_t *parents_read) {
    for (size_t i = 0; i < c->added.n; i++) {
        sgs_arc arc = c->added.arcs[i];
        if (!has_arc(c, arc))
            continue;
        bits_add(parents_read, arc.from);
        if (!has_arc(c, (sgs_arc){arc.to, arc.from}))
            continue;
        c->cycle[0] = arc.to;
        c->cycle[1] = arc.from;
        return true;
    }
    return false;
}

/* The length of the shortest of three nodes or more; 0: there is none. */
static status find_longer(sgs_cycles *c, const sgs_cycles_reading *reading, size_t *length, error_info *err) {
    size_t shortest = SIZE_MAX;
    for (size_t i = 0; i < c->added.n && shortest > 3; i++) {
        sgs_arc arc = c->added.arcs[i];
        meeting found;
        if (!has_arc(c, arc))
            continue;
        CHECK(search(c, arc, shortest, &found, err));
        note_read(&c->back, reading->parents_read, c->graph.n_words);
        note_read(&c->forth, reading->children_read, c->graph.n_words);
        if (found.length == 0)
            continue;
        lay_cycle(c, arc.from, &found);
        shortest = found.length;
    }
    *length = shortest < SIZE_MAX ? shortest : 0;
    return STATUS_OK;
}

status sgs_cycles_find(sgs_cycles *c, const sgs_cycles_reading *reading, const size_t **cycle, size_t *n_nodes,
                       error_info *err) {
    size_t length = 2;
    if (!find_pair(c, reading->parents_read))
        CHECK(find_longer(c, reading, &length, err));
    *cycle = length > 0 ? c->cycle : NULL;
    *n_nodes = length;
    return STATUS_OK;
}
