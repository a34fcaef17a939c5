/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The repairs of moves that close cycles: Vandel, Mangin, de Givry 2012, Algorithm 2. The shortest cycle is broken by
 * the deletion, or else the exchange, that costs least, until there is none or nothing is gained. The graph itself
 * stays as it is: the copy that may have cycles is kept as the heads in which it differs, and every cycle of it passes
 * through an arc that was added.
 */
#include "core/base/array.h"
#include "core/base/bits.h"
#include "core/base/cache_line.h"
#include "learners/sgs/sgs_state_internal.h"

#include "metrics/scores/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A node whose parents differ from those in the graph. */
typedef struct {
    size_t node, n_parents, capacity;
    size_t *parents; /* ascending */
    uint64_t *set;   /* the same */
    double now;
} changed_head;

struct sgs_repair {
    size_t n, n_words;
    size_t *place; /* of a node among the changed heads, or SGS_NONE */
    changed_head *heads;
    size_t n_heads, n_heads_made;              /* those past n_heads keep their memory */
    sgs_arc_list added;                        /* every cycle goes through one of them */
    sgs_arc_list removed_in_all, added_in_all; /* of sgs_repair_difference */
    sgs_arc first;
    uint32_t epoch, *excluded;  /* excluded[v] == epoch: v may not be exchanged in */
    const uint64_t **sets;      /* by node: its parents */
    uint64_t *seen, *found;     /* sets of the search for a cycle */
    uint32_t *queue, *ends;     /* nodes by their distance to the cycle's end, ascending; where each distance ends */
    uint32_t *n_kept;           /* how many of each distance lie on shortest cycles */
    size_t *cycle, n_cycle;     /* nodes from the head of a new arc to its tail */
    size_t *fewer;              /* scratch: parents less one */
    uint64_t *trail;            /* see sgs_repair_trail */
    bool only_reads, lacks_row; /* a row that is missing is not made, but said to be missing */
    uint32_t *key;              /* scratch: a family */
};

static void changed_head_clear(changed_head *h) {
    free(h->parents);
    free(h->set);
}

void sgs_repair_destroy(sgs_repair *r) {
    if (!r)
        return;
    for (size_t i = 0; r->heads && i < r->n_heads_made; i++)
        changed_head_clear(&r->heads[i]);
    free(r->place);
    free(r->heads);
    free(r->added.arcs);
    free(r->removed_in_all.arcs);
    free(r->added_in_all.arcs);
    free(r->excluded);
    free(r->sets);
    free(r->seen);
    free(r->found);
    free(r->queue);
    free(r->ends);
    free(r->n_kept);
    free(r->cycle);
    free(r->fewer);
    free(r->trail);
    free(r->key);
    free(r);
}

static const uint64_t *set_in_graph(const sgs_state *s, size_t x) {
    return s->parent_sets + x * s->n_words;
}

/* In lines of its own: several threads repair moves, each with its own, and write to it all the time. */
status sgs_repair_create(const sgs_state *s, sgs_repair **out, error_info *err) {
    AUTO_PTR(sgs_repair_destroy) sgs_repair *r = NULL;
    size_t n = s->n + 1;
    CHECK_ALLOC(r = cache_lines_create(sizeof *r));
    r->n = s->n;
    r->n_words = s->n_words;
    CHECK_ALLOC(r->place = cache_lines_create(n * sizeof *r->place));
    CHECK_ALLOC(r->heads = cache_lines_create(n * sizeof *r->heads));
    CHECK_ALLOC(r->excluded = cache_lines_create(n * sizeof *r->excluded));
    CHECK_ALLOC(r->sets = cache_lines_create(n * sizeof *r->sets));
    CHECK_ALLOC(r->seen = cache_lines_create((r->n_words + 1) * sizeof *r->seen));
    CHECK_ALLOC(r->found = cache_lines_create((r->n_words + 1) * sizeof *r->found));
    CHECK_ALLOC(r->queue = cache_lines_create(n * sizeof *r->queue));
    CHECK_ALLOC(r->ends = cache_lines_create((n + 1) * sizeof *r->ends));
    CHECK_ALLOC(r->n_kept = cache_lines_create((n + 1) * sizeof *r->n_kept));
    CHECK_ALLOC(r->cycle = cache_lines_create(n * sizeof *r->cycle));
    CHECK_ALLOC(r->fewer = cache_lines_create(n * sizeof *r->fewer));
    CHECK_ALLOC(r->trail = cache_lines_create((2 * r->n_words + 1) * sizeof *r->trail));
    CHECK_ALLOC(r->key = cache_lines_create((n + 1) * sizeof *r->key));
    for (size_t i = 0; i < n; i++)
        r->place[i] = SGS_NONE;
    for (size_t i = 0; i < s->n; i++)
        r->sets[i] = set_in_graph(s, i);
    *out = TAKE(r);
    return STATUS_OK;
}

static status push_arc(sgs_arc_list *list, size_t from, size_t to, error_info *err) {
    return ARRAY_PUSH(list->arcs, list->n, list->capacity, err, (sgs_arc){from, to});
}

/* --- the copy --- */

static void begin(sgs_repair *r, const sgs_state *s) {
    for (size_t i = 0; i < r->n_heads; i++) {
        size_t x = r->heads[i].node;
        r->place[x] = SGS_NONE;
        r->sets[x] = set_in_graph(s, x);
    }
    r->n_heads = 0;
    r->added.n = 0;
    memset(r->trail, 0, 2 * r->n_words * sizeof *r->trail);
    if (++r->epoch == 0) {
        memset(r->excluded, 0, r->n * sizeof *r->excluded);
        r->epoch = 1;
    }
}

static const size_t *parents_of(const sgs_repair *r, const sgs_state *s, size_t x, size_t *n_parents) {
    size_t place = r->place[x];
    if (place == SGS_NONE)
        return dag_parents(s->g, x, n_parents);
    *n_parents = r->heads[place].n_parents;
    return r->heads[place].parents;
}

static double score_of(const sgs_repair *r, const sgs_state *s, size_t x) {
    return r->place[x] == SGS_NONE ? s->heads[x].now : r->heads[r->place[x]].now;
}

static size_t find(const size_t *list, size_t n, size_t x) {
    size_t i = 0;
    while (i < n && list[i] != x)
        i++;
    return i;
}

static bool has_arc(const sgs_repair *r, sgs_arc arc) {
    return bits_have(r->sets[arc.to], arc.from);
}

/* The row of x with its parents less the i-th; NULL where it may not be made. */
static status row_without(sgs_repair *r, const sgs_state *s, size_t x, size_t i, family_row **out, error_info *err) {
    size_t n_parents;
    const size_t *parents;
    if (r->place[x] == SGS_NONE) {
        *out = s->heads[x].without[i];
        return STATUS_OK;
    }
    parents = parents_of(r, s, x, &n_parents);
    memcpy(r->fewer, parents, i * sizeof *parents);
    memcpy(r->fewer + i, parents + i + 1, (n_parents - i - 1) * sizeof *parents);
    if (!r->only_reads)
        return family_scores_get(s->scores, x, r->fewer, n_parents - 1, out, err);
    *out = family_scores_peek(s->scores, r->key, x, r->fewer, n_parents - 1);
    r->lacks_row = r->lacks_row || !*out;
    return STATUS_OK;
}

/* The head's own list of parents, a copy of the graph's at first; room for one more. */
static status own_head(sgs_repair *r, const sgs_state *s, size_t x, changed_head **out, error_info *err) {
    if (r->place[x] == SGS_NONE) {
        changed_head *h = &r->heads[r->n_heads];
        size_t n_parents;
        const size_t *parents = dag_parents(s->g, x, &n_parents);
        if (r->n_heads_made == r->n_heads)
            r->n_heads_made++;
        CHECK(ARRAY_RESERVE(h->parents, h->capacity, n_parents + 1, err));
        if (!h->set)
            CHECK_ALLOC(h->set = calloc(r->n_words, sizeof *h->set));
        memcpy(h->set, r->sets[x], r->n_words * sizeof *h->set);
        if (n_parents)
            memcpy(h->parents, parents, n_parents * sizeof *parents);
        h->node = x;
        h->n_parents = n_parents;
        h->now = s->heads[x].now;
        r->place[x] = r->n_heads++;
        r->sets[x] = h->set;
    }
    *out = &r->heads[r->place[x]];
    return STATUS_OK;
}

static void take_out(changed_head *h, size_t x) {
    sgs_parents_drop(h->parents, &h->n_parents, x);
    bits_flip(h->set, x);
}

static void put_in(changed_head *h, size_t x) {
    sgs_parents_add(h->parents, &h->n_parents, x);
    bits_flip(h->set, x);
}

/* Removes from -> to and adds instead -> to, each unless its tail is SGS_NONE; the score of `to` rises by `gain`. */
static status change(sgs_repair *r, const sgs_state *s, size_t from, size_t to, size_t instead, double gain,
                     sgs_move *m, error_info *err) {
    changed_head *h = NULL;
    CHECK(own_head(r, s, to, &h, err));
    if (from != SGS_NONE) {
        take_out(h, from);
        m->change ^= sgs_arc_hash(from, to);
    }
    bits_add(r->trail, to);
    if (instead != SGS_NONE) {
        bits_add(r->trail + r->n_words, to);
        put_in(h, instead);
        m->change ^= sgs_arc_hash(instead, to);
        CHECK(push_arc(&r->added, instead, to, err));
    }
    h->now += gain;
    return STATUS_OK;
}

/* --- cycles --- */

/* The parents of queue[first .. end) are found. Sets are united some words at a time, in registers. */
static void find_parents(sgs_repair *r, size_t first, size_t end) {
    for (size_t w = 0; w < r->n_words; w += SGS_SET_BLOCK) {
        uint64_t any[SGS_SET_BLOCK] = {0};
        for (size_t i = first; i < end; i++) {
            const uint64_t *set = r->sets[r->queue[i]] + w;
            for (size_t k = 0; k < SGS_SET_BLOCK; k++)
                any[k] |= set[k];
        }
        memcpy(r->found + w, any, sizeof any);
    }
}

/* Queues what is found and was not seen before, ascending, and returns where the queue ends. */
static size_t queue_found(sgs_repair *r, size_t n_queued) {
    for (size_t w = 0; w < r->n_words; w++) {
        uint64_t fresh = r->found[w] & ~r->seen[w];
        r->seen[w] |= fresh;
        for (; fresh; fresh &= fresh - 1)
            r->queue[n_queued++] = (uint32_t)(64 * w + (size_t)__builtin_ctzll(fresh));
    }
    return n_queued;
}

/* Goes back from `arc.from`, distance by distance; what has been seen then has been read, too. */
static size_t go_back(sgs_repair *r, sgs_arc arc, size_t limit) {
    size_t first = 0, end = 1;
    memset(r->seen, 0, r->n_words * sizeof *r->seen);
    bits_add(r->seen, arc.from);
    r->queue[0] = (uint32_t)arc.from;
    r->ends[0] = 1;
    for (size_t length = 2; first < end; length++) {
        find_parents(r, first, end);
        if (bits_have(r->found, arc.to))
            return length;
        if (length + 1 >= limit)
            return 0;
        first = end;
        end = queue_found(r, end);
        r->ends[length - 1] = (uint32_t)end;
    }
    return 0;
}

/* The length in nodes of a shortest path arc.to ~> arc.from; 0 where there is none or none shorter than `limit`. */
static size_t search_back(sgs_repair *r, sgs_arc arc, size_t limit) {
    size_t length = limit > 2 ? go_back(r, arc, limit) : 0;
    for (size_t w = 0; limit > 2 && w < r->n_words; w++)
        r->trail[w] |= r->seen[w];
    return length;
}

static uint32_t *at_distance(const sgs_repair *r, size_t distance) {
    return r->queue + (distance ? r->ends[distance - 1] : 0);
}

/* Of the nodes at a distance, those that have one of these parents stay. */
static void keep_children(sgs_repair *r, size_t distance, const uint32_t *parents, size_t n) {
    uint32_t *nodes = at_distance(r, distance);
    size_t n_nodes = (size_t)(r->queue + r->ends[distance] - nodes);
    r->n_kept[distance] = 0;
    for (size_t i = 0; i < n_nodes; i++) {
        size_t k = 0;
        while (k < n && !bits_have(r->sets[nodes[i]], parents[k]))
            k++;
        if (k < n)
            nodes[r->n_kept[distance]++] = nodes[i];
    }
}

static size_t lowest_parent(const sgs_repair *r, size_t x, const uint32_t *nodes) {
    while (!bits_have(r->sets[x], *nodes))
        nodes++;
    return *nodes;
}

/* Of the paths that search_back has found, the one that comes first when they are read backwards. */
static void keep_cycle(sgs_repair *r, sgs_arc arc, size_t length) {
    uint32_t end = (uint32_t)arc.to;
    size_t last = length - 1;
    for (size_t d = last - 1; d > 0; d--)
        keep_children(r, d, d + 1 == last ? &end : at_distance(r, d + 1), d + 1 == last ? 1 : r->n_kept[d + 1]);
    r->cycle[0] = arc.to;
    r->cycle[last] = arc.from;
    for (size_t d = 1; d < last; d++)
        r->cycle[last - d] = lowest_parent(r, r->cycle[last - d + 1], at_distance(r, d));
    r->n_cycle = length;
}

/* The shortest cycle; of several, the one through the arc that was added first. */
static bool find_cycle(sgs_repair *r) {
    size_t shortest = SIZE_MAX;
    for (size_t i = 0; i < r->added.n; i++) {
        sgs_arc arc = r->added.arcs[i];
        size_t length = has_arc(r, arc) ? search_back(r, arc, shortest) : 0;
        if (length == 0)
            continue;
        keep_cycle(r, arc, length);
        shortest = length;
    }
    return shortest < SIZE_MAX;
}

static sgs_arc cycle_arc(const sgs_repair *r, size_t i) {
    return (sgs_arc){r->cycle[i], r->cycle[(i + 1) % r->n_cycle]};
}

/* --- repairs --- */

typedef struct {
    sgs_arc arc;
    size_t instead; /* SGS_NONE: a deletion */
    double gain;    /* -INFINITY where there is none */
} repair_step;

static status best_deletion(sgs_repair *r, const sgs_state *s, repair_step *out, error_info *err) {
    *out = (repair_step){.instead = SGS_NONE, .gain = -INFINITY};
    for (size_t i = 0; i < r->n_cycle; i++) {
        sgs_arc arc = cycle_arc(r, i);
        family_row *row = NULL;
        size_t n_parents;
        const size_t *parents = parents_of(r, s, arc.to, &n_parents);
        if (arc.from == r->first.from && arc.to == r->first.to)
            continue;
        CHECK(row_without(r, s, arc.to, find(parents, n_parents, arc.from), &row, err));
        if (!row)
            return STATUS_OK;
        if (row->base - score_of(r, s, arc.to) > out->gain + SCORE_TOLERANCE)
            *out = (repair_step){arc, SGS_NONE, row->base - score_of(r, s, arc.to)};
    }
    return STATUS_OK;
}

static bool may_enter(const sgs_repair *r, const size_t *parents, size_t n_parents, size_t v) {
    return r->excluded[v] != r->epoch && find(parents, n_parents, v) == n_parents;
}

/* The best exchange of the arc's tail; of those within the tolerance the lowest. */
static void best_of_row(const sgs_repair *r, const sgs_state *s, const family_row *row, sgs_arc arc,
                        repair_step *best) {
    size_t width = family_scores_width(s->scores, arc.to), n_parents;
    const size_t *parents = parents_of(r, s, arc.to, &n_parents);
    double now = score_of(r, s, arc.to), top = -INFINITY;
    for (size_t k = 0; k < width; k++) {
        size_t position = row->order[k], v = family_scores_node(s->scores, arc.to, position);
        double gain = row->values[position] - now;
        if (!(gain > best->gain + SCORE_TOLERANCE || top > -INFINITY) || gain < top - SCORE_TOLERANCE)
            break;
        if (!may_enter(r, parents, n_parents, v))
            continue;
        if (!(top > -INFINITY) || v < best->instead)
            *best = (repair_step){arc, v, gain};
        top = top > -INFINITY ? top : gain;
    }
}

/* The same row with every value known; NULL as there. */
static status full_row_without(sgs_repair *r, const sgs_state *s, size_t x, size_t i, family_row **out,
                               error_info *err) {
    CHECK(row_without(r, s, x, i, out, err));
    if (!r->only_reads)
        return family_row_fill(s->scores, *out, err);
    if (*out && !(*out)->order)
        *out = NULL;
    r->lacks_row = r->lacks_row || !*out;
    return STATUS_OK;
}

/* Tries every arc of the cycle, the first too, as line 7 of the algorithm does; a gain below -total is of no use. */
static status best_exchange(sgs_repair *r, const sgs_state *s, double total, repair_step *out, error_info *err) {
    *out = (repair_step){.gain = -total};
    for (size_t i = 0; i < r->n_cycle; i++) {
        sgs_arc arc = cycle_arc(r, i);
        family_row *row = NULL;
        size_t n_parents;
        const size_t *parents = parents_of(r, s, arc.to, &n_parents);
        CHECK(full_row_without(r, s, arc.to, find(parents, n_parents, arc.from), &row, err));
        if (!row)
            return STATUS_OK;
        if (row->top - score_of(r, s, arc.to) > out->gain + SCORE_TOLERANCE)
            best_of_row(r, s, row, arc, out);
    }
    return STATUS_OK;
}

static void exclude_cycle(sgs_repair *r) {
    for (size_t i = 0; i < r->n_cycle; i++)
        r->excluded[r->cycle[i]] = r->epoch;
}

static status repair(sgs_repair *r, const sgs_state *s, sgs_move *m, bool *is_reversal, error_info *err) {
    double total = m->gain;
    repair_step step;
    begin(r, s);
    r->first = (sgs_arc){m->from, m->to};
    m->change = 0;
    m->n_operations = 1;
    m->n_deletions = 0;
    *is_reversal = false;
    CHECK(change(r, s, m->kind == SGS_SWAP ? m->exchanged : SGS_NONE, m->to, m->from, total, m, err));
    while (find_cycle(r)) {
        exclude_cycle(r);
        CHECK(best_deletion(r, s, &step, err));
        if (!(total + step.gain > SCORE_TOLERANCE))
            CHECK(best_exchange(r, s, total, &step, err));
        if (r->lacks_row)
            return STATUS_OK;
        total += step.gain;
        if (!(total > SCORE_TOLERANCE) || m->n_operations == s->plan->max_operations) {
            m->gain = -INFINITY;
            return STATUS_OK;
        }
        CHECK(change(r, s, step.arc.from, step.arc.to, step.instead, step.gain, m, err));
        m->n_operations++;
        m->n_deletions += step.instead == SGS_NONE;
        *is_reversal = m->kind == SGS_ADD && m->n_operations == 2 && step.instead == SGS_NONE &&
                       step.arc.from == m->to && step.arc.to == m->from;
    }
    m->gain = total;
    return STATUS_OK;
}

status sgs_repair_move(sgs_repair *r, const sgs_state *s, sgs_move *m, bool *is_reversal, error_info *err) {
    r->only_reads = r->lacks_row = false;
    return repair(r, s, m, is_reversal, err);
}

status sgs_repair_try(sgs_repair *r, const sgs_state *s, sgs_move *m, bool *is_done, error_info *err) {
    bool is_reversal;
    r->only_reads = true;
    r->lacks_row = false;
    CHECK(repair(r, s, m, &is_reversal, err));
    *is_done = !r->lacks_row;
    return STATUS_OK;
}

const uint64_t *sgs_repair_trail(const sgs_repair *r) {
    return r->trail;
}

status sgs_repair_difference(sgs_repair *r, const sgs_state *s, const sgs_arc **removed, size_t *n_removed,
                             const sgs_arc **added, size_t *n_added, error_info *err) {
    r->removed_in_all.n = r->added_in_all.n = 0;
    for (size_t i = 0; i < r->n_heads; i++) {
        const changed_head *h = &r->heads[i];
        size_t n_parents;
        const size_t *parents = dag_parents(s->g, h->node, &n_parents);
        for (size_t k = 0; k < n_parents; k++) {
            if (find(h->parents, h->n_parents, parents[k]) == h->n_parents)
                CHECK(push_arc(&r->removed_in_all, parents[k], h->node, err));
        }
        for (size_t k = 0; k < h->n_parents; k++) {
            if (find(parents, n_parents, h->parents[k]) == n_parents)
                CHECK(push_arc(&r->added_in_all, h->parents[k], h->node, err));
        }
    }
    *removed = r->removed_in_all.arcs;
    *n_removed = r->removed_in_all.n;
    *added = r->added_in_all.arcs;
    *n_added = r->added_in_all.n;
    return STATUS_OK;
}
