/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The repairs of moves that close cycles: Vandel, Mangin, de Givry 2012, Algorithm 2. The shortest cycle is broken by
 * the deletion, or else the exchange, that costs least, until there is none or nothing is gained. The graph itself
 * stays as it is: the copy that may have cycles is kept as the heads in which it differs, and as sets in which cycles
 * are found (sgs_cycles.c).
 */
#include "core/base/array.h"
#include "core/base/bits.h"
#include "core/base/cache_line.h"
#include "learners/sgs/sgs_cycles_internal.h"
#include "learners/sgs/sgs_state_internal.h"

#include "metrics/scores/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A node whose parents differ from those in the graph. */
typedef struct {
    size_t node, n_parents, capacity;
    size_t *parents; /* ascending */
    double now;
} changed_head;

struct sgs_repair {
    size_t n, n_words;
    family_scores *scores; /* the way of its thread to the rows */
    size_t *place;         /* of a node among the changed heads, or SGS_NONE */
    changed_head *heads;
    size_t n_heads, n_heads_made;              /* those past n_heads keep their memory */
    sgs_arc_list removed_in_all, added_in_all; /* of sgs_repair_difference */
    sgs_arc first;
    uint32_t epoch, *excluded; /* excluded[v] == epoch: v may not be exchanged in */
    sgs_cycles *cycles;        /* of the copy, and the shortest: */
    const size_t *cycle;       /* nodes from the head of a new arc to its tail */
    size_t n_cycle;
    size_t *fewer;   /* scratch: parents less one */
    uint64_t *trail; /* see sgs_repair_trail */
};

void sgs_repair_destroy(sgs_repair *r) {
    if (!r)
        return;
    for (size_t i = 0; r->heads && i < r->n_heads_made; i++)
        free(r->heads[i].parents);
    free(r->place);
    free(r->heads);
    free(r->removed_in_all.arcs);
    free(r->added_in_all.arcs);
    free(r->excluded);
    sgs_cycles_destroy(r->cycles);
    free(r->fewer);
    free(r->trail);
    free(r);
}

/* In lines of its own: searches side by side write to theirs all the time. */
status sgs_repair_create(const sgs_state *s, sgs_repair **out, error_info *err) {
    AUTO_PTR(sgs_repair_destroy) sgs_repair *r = NULL;
    size_t n = s->n + 1;
    CHECK_ALLOC(r = cache_lines_create(sizeof *r));
    r->n = s->n;
    r->n_words = s->n_words;
    r->scores = s->scores;
    CHECK_ALLOC(r->place = cache_lines_create(n * sizeof *r->place));
    CHECK_ALLOC(r->heads = cache_lines_create(n * sizeof *r->heads));
    CHECK_ALLOC(r->excluded = cache_lines_create(n * sizeof *r->excluded));
    CHECK_ALLOC(r->fewer = cache_lines_create(n * sizeof *r->fewer));
    CHECK_ALLOC(r->trail = cache_lines_create(SGS_TRAIL_SETS * r->n_words * sizeof *r->trail));
    for (size_t i = 0; i < n; i++)
        r->place[i] = SGS_NONE;
    CHECK(sgs_cycles_create(&(sgs_cycles_graph){s->n, s->n_words, s->parent_sets, s->child_sets}, &r->cycles, err));
    *out = TAKE(r);
    return STATUS_OK;
}

void sgs_repair_turn_to(sgs_repair *r, const sgs_state *s) {
    sgs_cycles_turn_to(r->cycles, &(sgs_cycles_graph){s->n, s->n_words, s->parent_sets, s->child_sets});
}

/* --- the copy --- */

static void begin(sgs_repair *r) {
    for (size_t i = 0; i < r->n_heads; i++)
        r->place[r->heads[i].node] = SGS_NONE;
    r->n_heads = 0;
    sgs_cycles_begin(r->cycles);
    memset(r->trail, 0, SGS_TRAIL_SETS * r->n_words * sizeof *r->trail);
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

/* The row of x with its parents less the i-th. */
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
    return family_scores_get(r->scores, x, r->fewer, n_parents - 1, out, err);
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
        if (n_parents)
            memcpy(h->parents, parents, n_parents * sizeof *parents);
        h->node = x;
        h->n_parents = n_parents;
        h->now = s->heads[x].now;
        r->place[x] = r->n_heads++;
    }
    *out = &r->heads[r->place[x]];
    return STATUS_OK;
}

static uint64_t *trail_set(const sgs_repair *r, size_t number) {
    return r->trail + number * r->n_words;
}

/* Removes from -> to and adds instead -> to, each unless its tail is SGS_NONE; the score of `to` rises by `gain`. */
static status change(sgs_repair *r, const sgs_state *s, size_t from, size_t to, size_t instead, double gain,
                     sgs_move *m, error_info *err) {
    changed_head *h = NULL;
    CHECK(own_head(r, s, to, &h, err));
    if (from != SGS_NONE) {
        sgs_parents_drop(h->parents, &h->n_parents, from);
        CHECK(sgs_cycles_remove(r->cycles, (sgs_arc){from, to}, err));
        m->change ^= sgs_arc_hash(from, to);
    }
    bits_add(trail_set(r, SGS_TRAIL_NODES), to);
    if (instead != SGS_NONE) {
        bits_add(trail_set(r, SGS_TRAIL_HEADS), to);
        sgs_parents_add(h->parents, &h->n_parents, instead);
        CHECK(sgs_cycles_add(r->cycles, (sgs_arc){instead, to}, err));
        m->change ^= sgs_arc_hash(instead, to);
    }
    h->now += gain;
    return STATUS_OK;
}

/* --- repairs --- */

static sgs_arc cycle_arc(const sgs_repair *r, size_t i) {
    return (sgs_arc){r->cycle[i], r->cycle[(i + 1) % r->n_cycle]};
}

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
    size_t width = family_scores_width(r->scores, arc.to), n_parents;
    const size_t *parents = parents_of(r, s, arc.to, &n_parents);
    double now = score_of(r, s, arc.to), top = -INFINITY;
    for (size_t k = 0; k < width; k++) {
        size_t position = row->order[k], v = family_scores_node(r->scores, arc.to, position);
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

/* The same row with every value known. */
static status full_row_without(sgs_repair *r, const sgs_state *s, size_t x, size_t i, family_row **out,
                               error_info *err) {
    CHECK(row_without(r, s, x, i, out, err));
    return family_row_fill(r->scores, *out, err);
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
        if (row->top - score_of(r, s, arc.to) > out->gain + SCORE_TOLERANCE)
            best_of_row(r, s, row, arc, out);
    }
    return STATUS_OK;
}

static void exclude_cycle(sgs_repair *r) {
    for (size_t i = 0; i < r->n_cycle; i++) {
        r->excluded[r->cycle[i]] = r->epoch;
        bits_add(trail_set(r, SGS_TRAIL_NODES), r->cycle[i]);
    }
}

static status find_cycle(sgs_repair *r, error_info *err) {
    sgs_cycles_reading all = {trail_set(r, SGS_TRAIL_PARENTS_READ), trail_set(r, SGS_TRAIL_CHILDREN_READ)};
    return sgs_cycles_find(r->cycles, &all, &r->cycle, &r->n_cycle, err);
}

status sgs_repair_move(sgs_repair *r, const sgs_state *s, sgs_move *m, bool *is_reversal, error_info *err) {
    double total = m->gain;
    repair_step step;
    begin(r);
    r->first = (sgs_arc){m->from, m->to};
    m->change = 0;
    m->n_operations = 1;
    m->n_deletions = 0;
    *is_reversal = false;
    CHECK(change(r, s, m->kind == SGS_SWAP ? m->exchanged : SGS_NONE, m->to, m->from, total, m, err));
    CHECK(find_cycle(r, err));
    while (r->cycle) {
        exclude_cycle(r);
        CHECK(best_deletion(r, s, &step, err));
        if (!(total + step.gain > SCORE_TOLERANCE))
            CHECK(best_exchange(r, s, total, &step, err));
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
        CHECK(find_cycle(r, err));
    }
    m->gain = total;
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
                CHECK(sgs_arcs_push(&r->removed_in_all, (sgs_arc){parents[k], h->node}, err));
        }
        for (size_t k = 0; k < h->n_parents; k++) {
            if (find(parents, n_parents, h->parents[k]) == n_parents)
                CHECK(sgs_arcs_push(&r->added_in_all, (sgs_arc){h->parents[k], h->node}, err));
        }
    }
    *removed = r->removed_in_all.arcs;
    *n_removed = r->removed_in_all.n;
    *added = r->added_in_all.arcs;
    *n_added = r->added_in_all.n;
    return STATUS_OK;
}
