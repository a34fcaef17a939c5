/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/greedy/reach_history_internal.h"

#include "core/base/array.h"
#include "core/base/bits.h"

#include <stdlib.h>
#include <string.h>

enum { AHEAD = 8 }; /* nodes whose arcs are fetched before their turn */

/* An arc to, or from, `node`, there from change `came` on until change `went`. */
typedef struct {
    uint32_t node, came, went;
} past_arc;

typedef struct {
    past_arc *items; /* as they came */
    size_t n, capacity;
} arc_list;

typedef enum { DOWN, UP } direction;

typedef struct {
    arc_list arcs[2];   /* by direction */
    reach_loss *losses; /* as they came */
    size_t n_losses, losses_capacity;
} past_node;

struct reach_history {
    size_t n_nodes;
    uint32_t now;
    past_node *nodes;
    uint32_t *marks, mark; /* scratch: a node is marked where its entry is `mark` */
    uint32_t *queues[2];   /* scratch, n nodes each */
};

status reach_history_create(size_t n_nodes, reach_history **out, error_info *err) {
    AUTO_PTR(reach_history_destroy) reach_history *h = NULL;
    CHECK_ALLOC(h = calloc(1, sizeof *h));
    CHECK_ALLOC(h->nodes = calloc(n_nodes + 1, sizeof *h->nodes));
    CHECK_ALLOC(h->marks = calloc(n_nodes + 1, sizeof *h->marks));
    for (direction d = DOWN; d <= UP; d++)
        CHECK_ALLOC(h->queues[d] = calloc(n_nodes + 1, sizeof *h->queues[d]));
    h->n_nodes = n_nodes;
    *out = TAKE(h);
    return STATUS_OK;
}

void reach_history_destroy(reach_history *h) {
    for (size_t x = 0; h && h->nodes && x < h->n_nodes; x++) {
        free(h->nodes[x].arcs[DOWN].items);
        free(h->nodes[x].arcs[UP].items);
        free(h->nodes[x].losses);
    }
    if (h) {
        free(h->nodes);
        free(h->marks);
        free(h->queues[DOWN]);
        free(h->queues[UP]);
    }
    free(h);
}

uint32_t reach_history_now(const reach_history *h) {
    return h->now;
}

static status begin_arc(reach_history *h, size_t of, direction d, size_t node, error_info *err) {
    arc_list *arcs = &h->nodes[of].arcs[d];
    return ARRAY_PUSH(arcs->items, arcs->n, arcs->capacity, err, (past_arc){(uint32_t)node, h->now + 1, UINT32_MAX});
}

status reach_history_add_arc(reach_history *h, size_t from, size_t to, error_info *err) {
    CHECK(begin_arc(h, from, DOWN, to, err));
    CHECK(begin_arc(h, to, UP, from, err));
    h->now++;
    return STATUS_OK;
}

static void end_arc(reach_history *h, size_t of, direction d, size_t node) {
    arc_list *arcs = &h->nodes[of].arcs[d];
    for (size_t i = 0; i < arcs->n; i++) {
        if (arcs->items[i].node == node && arcs->items[i].went == UINT32_MAX)
            arcs->items[i].went = h->now;
    }
}

void reach_history_remove_arc(reach_history *h, size_t from, size_t to) {
    h->now++;
    end_arc(h, from, DOWN, to);
    end_arc(h, to, UP, from);
}

status reach_history_lose(reach_history *h, size_t x, size_t z, error_info *err) {
    past_node *of = &h->nodes[x];
    return ARRAY_PUSH(of->losses, of->n_losses, of->losses_capacity, err, (reach_loss){(uint32_t)z, h->now});
}

const reach_loss *reach_history_losses(const reach_history *h, size_t x, uint32_t after, size_t *n) {
    const past_node *of = &h->nodes[x];
    size_t first = of->n_losses;
    while (first > 0 && of->losses[first - 1].when > after)
        first--;
    *n = of->n_losses - first;
    return of->losses ? of->losses + first : NULL;
}

/* The next mark, too, is of no node. */
static void clear_marks_of(uint32_t *marks, uint32_t *mark, size_t n_nodes) {
    if (++*mark >= UINT32_MAX - 1) {
        memset(marks, 0, n_nodes * sizeof *marks);
        *mark = 1;
    }
}

static void clear_marks(reach_history *h) {
    clear_marks_of(h->marks, &h->mark, h->n_nodes);
}

static void foresee(const reach_history *h, size_t node) {
    __builtin_prefetch(h->nodes[node].arcs[DOWN].items);
}

size_t reach_history_list(reach_history *h, size_t x, uint32_t when, size_t *out) {
    size_t n = 0;
    clear_marks(h);
    h->marks[x] = h->mark;
    out[n++] = x;
    for (size_t i = 0; i < n; i++) {
        const arc_list *arcs = &h->nodes[out[i]].arcs[DOWN];
        if (i + AHEAD < n)
            foresee(h, out[i + AHEAD]);
        for (size_t k = 0; k < arcs->n && arcs->items[k].came <= when; k++) {
            const past_arc *arc = &arcs->items[k];
            if (arc->went <= when || h->marks[arc->node] == h->mark)
                continue;
            h->marks[arc->node] = h->mark;
            out[n++] = arc->node;
        }
    }
    return n;
}

/* --- one path --- */

/* One end of a search: a queue of nodes with a mark of their own. */
typedef struct {
    direction d;
    size_t at, end;
    uint32_t mark;
} search_end;

static search_end begin_end(reach_history *h, direction d, size_t node, uint32_t mark) {
    h->marks[node] = mark;
    h->queues[d][0] = (uint32_t)node;
    return (search_end){d, 0, 1, mark};
}

/* Goes on from one node; true where the other end has been. */
static bool go_on(reach_history *h, search_end *e, uint32_t others, uint32_t when) {
    const arc_list *arcs = &h->nodes[h->queues[e->d][e->at++]].arcs[e->d];
    for (size_t k = 0; k < arcs->n && arcs->items[k].came <= when; k++) {
        const past_arc *arc = &arcs->items[k];
        if (arc->went <= when || h->marks[arc->node] == e->mark)
            continue;
        if (h->marks[arc->node] == others)
            return true;
        h->marks[arc->node] = e->mark;
        h->queues[e->d][e->end++] = arc->node;
    }
    return false;
}

/* From both ends, the one with less before it first. */
bool reach_history_reaches(reach_history *h, size_t x, size_t z, uint32_t when) {
    search_end down, up;
    if (x == z)
        return true;
    clear_marks(h);
    down = begin_end(h, DOWN, x, h->mark);
    up = begin_end(h, UP, z, ++h->mark);
    while (down.at < down.end && up.at < up.end) {
        if (down.end - down.at <= up.end - up.at ? go_on(h, &down, up.mark, when) : go_on(h, &up, down.mark, when))
            return true;
    }
    return false;
}

/* --- many at once --- */

status reach_sweep_init(reach_sweep *s, size_t n_nodes, error_info *err) {
    s->marks = calloc(n_nodes + 1, sizeof *s->marks);
    s->bits = calloc(n_nodes + 1, sizeof *s->bits);
    if (s->marks && s->bits)
        return STATUS_OK;
    reach_sweep_clear(s);
    return error_out_of_memory(err);
}

void reach_sweep_clear(reach_sweep *s) {
    free(s->marks);
    free(s->bits);
    *s = (reach_sweep){0};
}

/* The questions of one sweep. */
typedef struct {
    const reach_history *h;
    const reach_question *questions;
    size_t n;
    reach_sweep *sweep;
    size_t n_due; /* nodes whose bits their children have not seen; they are marked */
} sweep_questions;

static size_t count_before(const sweep_questions *q, uint32_t when) {
    size_t at;
    ARRAY_FIND_PLACE(at, q->n, q->questions[at].when < when);
    return at;
}

static bool has_more(const reach_bits *than, const reach_bits *bits) {
    uint64_t more = 0;
    for (size_t w = 0; w < REACH_TOGETHER / 64; w++)
        more |= bits->words[w] & ~than->words[w];
    return more != 0;
}

/* Of a word of bits, those from `first` to `end` - 1. */
static uint64_t bits_between(size_t word, size_t first, size_t end) {
    uint64_t mask = UINT64_MAX;
    if (first > word * 64)
        mask &= UINT64_MAX << (first - word * 64);
    if (end < word * 64 + 64)
        mask &= bit_of(end - word * 64) - 1;
    return mask;
}

/* The questions of a time when the arc was there follow one another. */
static bool raise_bits(const sweep_questions *q, const past_arc *arc, const reach_bits *from, reach_bits *to) {
    size_t first = arc->came <= q->questions[0].when ? 0 : count_before(q, arc->came);
    size_t end = arc->went == UINT32_MAX ? q->n : count_before(q, arc->went);
    uint64_t any = 0;
    for (size_t w = first / 64; w * 64 < end; w++) {
        uint64_t more = from->words[w] & ~to->words[w] & bits_between(w, first, end);
        to->words[w] |= more;
        any |= more;
    }
    return any != 0;
}

static void make_due(sweep_questions *q, size_t v) {
    q->n_due += q->sweep->marks[v] != q->sweep->mark;
    q->sweep->marks[v] = q->sweep->mark;
}

static void pass_on(sweep_questions *q, size_t v) {
    const arc_list *arcs = &q->h->nodes[v].arcs[DOWN];
    reach_bits *bits = q->sweep->bits;
    q->sweep->marks[v] = q->sweep->mark - 1;
    q->n_due--;
    for (size_t k = 0; k < arcs->n && arcs->items[k].came <= q->questions[q->n - 1].when; k++) {
        size_t to = arcs->items[k].node;
        if (has_more(&bits[to], &bits[v]) && raise_bits(q, &arcs->items[k], &bits[v], &bits[to]))
            make_due(q, to);
    }
}

void reach_history_list_together(const reach_history *h, const reach_question *questions, size_t n, const size_t *order,
                                 reach_sweep *s) {
    sweep_questions q = {h, questions, n, s, 0};
    clear_marks_of(s->marks, &s->mark, h->n_nodes);
    memset(s->bits, 0, h->n_nodes * sizeof *s->bits);
    for (size_t i = 0; i < n; i++) {
        bits_add(s->bits[questions[i].x].words, i);
        make_due(&q, questions[i].x);
    }
    while (q.n_due > 0) {
        for (size_t place = 0; place < h->n_nodes && q.n_due > 0; place++) {
            if (place + AHEAD < h->n_nodes)
                foresee(h, order[place + AHEAD]);
            if (s->marks[order[place]] == s->mark)
                pass_on(&q, order[place]);
        }
    }
}

/* --- how many --- */

enum { PLANES = 10, PLANES_HOLD = (1 << PLANES) - 1 };

/* Adds 1 to the numbers whose bits these are; plane p holds bit p of each number. */
static void add_to_planes(reach_bits planes[PLANES], const reach_bits *bits) {
    reach_bits carry = *bits;
    uint64_t any = 1;
    for (size_t p = 0; p < PLANES && any != 0; p++) {
        any = 0;
        for (size_t w = 0; w < REACH_TOGETHER / 64; w++) {
            uint64_t both = planes[p].words[w] & carry.words[w];
            planes[p].words[w] ^= carry.words[w];
            any |= carry.words[w] = both;
        }
    }
}

static void empty_planes(reach_bits planes[PLANES], size_t counts[REACH_TOGETHER]) {
    for (size_t p = 0; p < PLANES; p++) {
        for (size_t w = 0; w < REACH_TOGETHER / 64; w++) {
            for (uint64_t rest = planes[p].words[w]; rest != 0; rest &= rest - 1)
                counts[w * 64 + (size_t)__builtin_ctzll(rest)] += (size_t)1 << p;
        }
    }
    memset(planes, 0, PLANES * sizeof *planes);
}

void reach_sweep_count(const reach_sweep *s, size_t n_nodes, size_t counts[REACH_TOGETHER]) {
    reach_bits planes[PLANES] = {{{0}}};
    memset(counts, 0, REACH_TOGETHER * sizeof *counts);
    for (size_t v = 0; v < n_nodes; v++) {
        add_to_planes(planes, &s->bits[v]);
        if (v % PLANES_HOLD == PLANES_HOLD - 1)
            empty_planes(planes, counts);
    }
    empty_planes(planes, counts);
}
