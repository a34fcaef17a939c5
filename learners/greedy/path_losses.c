/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An arc went. What its head reaches and its tail does not is cut off from the tail, and maybe from nodes above it.
 * Bits go up the arcs, in topological order: a bit for each node that is cut off, and the mark of the tail. A node with
 * that mark lost what it has no bit of. The mark ends where nothing is lost, as nothing is above either, and all ends
 * with the marks. What supports tell comes before the bits: it ends marks sooner.
 */
#include "learners/greedy/path_losses_internal.h"

#include "core/base/bits.h"

#include <stdlib.h>
#include <string.h>

enum {
    CUT_TOGETHER = 512, /* nodes of one sweep */
    WORDS = CUT_TOGETHER / 64,
    AHEAD = 16 /* nodes whose parents are fetched before their turn */
};

struct path_losses {
    const dag *g;
    const loss_listener *listener; /* of the removal */
    status told;                   /* how that went */
    unsigned char *marks;          /* by node; 0 between calls */
    uint64_t *ways; /* by node, as many words as a sweep takes: the nodes of the sweep that it reaches; 0 likewise */
    size_t *cut, *visited;               /* n nodes each */
    uint64_t kept[SUPPORTS_MOST][WORDS]; /* by sound support: the nodes of the sweep that it reaches */
};

void path_losses_destroy(path_losses *p) {
    if (!p)
        return;
    free(p->marks);
    free(p->ways);
    free(p->cut);
    free(p->visited);
    free(p);
}

status path_losses_create(const dag *g, path_losses **out, error_info *err) {
    size_t n = dag_node_count(g);
    AUTO_PTR(path_losses_destroy) path_losses *p = calloc(1, sizeof *p);
    CHECK_ALLOC(p);
    CHECK_ALLOC(p->marks = calloc(n + 1, sizeof *p->marks));
    CHECK_ALLOC(p->ways = calloc(n + 1, WORDS * sizeof *p->ways));
    CHECK_ALLOC(p->cut = calloc(n + 1, sizeof *p->cut));
    CHECK_ALLOC(p->visited = calloc(n + 1, sizeof *p->visited));
    p->g = g;
    *out = TAKE(p);
    return STATUS_OK;
}

/* Lists what `to` reaches and `from` does not. */
static size_t list_cut(path_losses *p, size_t from, size_t to) {
    enum { FROM = 1, TO = 2 };
    const size_t *order = dag_kept_order(p->g);
    size_t n_cut = 0, n_due = 2, place = dag_place(p->g, from);
    p->marks[from] = FROM;
    p->marks[to] = TO;
    for (place = place < dag_place(p->g, to) ? place : dag_place(p->g, to); n_due > 0; place++) {
        size_t n_children, v = order[place];
        unsigned char marks = p->marks[v];
        const size_t *children;
        if (marks == 0)
            continue;
        p->marks[v] = 0;
        n_due--;
        if (marks == TO)
            p->cut[n_cut++] = v;
        children = dag_children(p->g, v, &n_children);
        for (size_t i = 0; i < n_children; i++) {
            n_due += p->marks[children[i]] == 0;
            p->marks[children[i]] |= marks;
        }
    }
    return n_cut;
}

/* What goes up in one sweep, a bit a node, and what supports tell of it. */
typedef struct {
    size_t from;
    const size_t *cut;
    size_t n_cut, n_words;
    const supports *known;
    support_set sound; /* those that neither reach the tail nor are cut off: no path to them or from them is lost */
    size_t n_visited,
        n_tails; /* nodes that have been given bits or the mark; that have the mark, and were not passed */
} way_sweep;

enum { VISITED = 1, ABOVE_TAIL = 2 }; /* marks */

/* --- what supports tell --- */

static support_set find_sound(const supports *known, size_t from, const size_t *cut, size_t n_cut) {
    support_set sound = {{0}};
    for (size_t w = 0; known && w < SUPPORTS_WORDS; w++)
        sound.words[w] = ~supports_above(known, from)->words[w];
    for (size_t i = 0; known && i < n_cut; i++) {
        size_t number = supports_number(known, cut[i]);
        if (number < SUPPORTS_MOST)
            bits_drop(sound.words, number);
    }
    return sound;
}

static void find_kept(path_losses *p, const way_sweep *s) {
    memset(p->kept, 0, sizeof p->kept);
    for (size_t i = 0; s->known && i < s->n_cut; i++) {
        const support_set *above = supports_above(s->known, s->cut[i]);
        for (size_t w = 0; w < SUPPORTS_WORDS; w++) {
            for (uint64_t rest = above->words[w] & s->sound.words[w]; rest != 0; rest &= rest - 1)
                bits_add(p->kept[64 * w + (size_t)__builtin_ctzll(rest)], i);
        }
    }
}

/* Takes out of the bits those of nodes that v is known to reach. True if some are left. */
static bool drop_known(const path_losses *p, const way_sweep *s, size_t v, uint64_t *bits) {
    uint64_t any = 0;
    for (size_t k = 0; k < s->n_words; k++)
        any |= bits[k];
    for (size_t w = 0; s->known && w < SUPPORTS_WORDS; w++) {
        uint64_t rest = supports_below(s->known, v)->words[w] & s->sound.words[w];
        for (; any != 0 && rest != 0; rest &= rest - 1) {
            const uint64_t *kept = p->kept[64 * w + (size_t)__builtin_ctzll(rest)];
            any = 0;
            for (size_t k = 0; k < s->n_words; k++)
                any |= bits[k] &= ~kept[k];
        }
    }
    return any != 0;
}

/* --- a sweep --- */

static uint64_t *ways_of(const path_losses *p, const way_sweep *s, size_t v) {
    return p->ways + v * s->n_words;
}

static void visit(path_losses *p, way_sweep *s, size_t v) {
    if (p->marks[v] == 0)
        p->visited[s->n_visited++] = v;
    p->marks[v] |= VISITED;
}

static void mark_tail(path_losses *p, way_sweep *s, size_t v) {
    visit(p, s, v);
    s->n_tails += (p->marks[v] & ABOVE_TAIL) == 0;
    p->marks[v] |= ABOVE_TAIL;
}

/* Returns the place behind the last node that has a bit. */
static size_t begin_sweep(path_losses *p, way_sweep *s) {
    size_t end = dag_place(p->g, s->from) + 1;
    find_kept(p, s);
    mark_tail(p, s, s->from);
    for (size_t i = 0; i < s->n_cut; i++) {
        size_t place = dag_place(p->g, s->cut[i]);
        visit(p, s, s->cut[i]);
        bits_add(ways_of(p, s, s->cut[i]), i);
        end = place < end ? end : place + 1;
    }
    return end;
}

static void end_sweep(path_losses *p, const way_sweep *s) {
    for (size_t i = 0; i < s->n_visited; i++) {
        size_t v = p->visited[i];
        p->marks[v] = 0;
        memset(ways_of(p, s, v), 0, s->n_words * sizeof *p->ways);
    }
}

static void tell(path_losses *p, size_t x, size_t z, error_info *err) {
    if (p->told == STATUS_OK)
        p->told = p->listener->lose(p->listener->of, x, z, err);
}

/* Of a node above the tail: what it reaches no more. True if that is something. */
static bool tell_lost(path_losses *p, const way_sweep *s, size_t x, error_info *err) {
    uint64_t lost[WORDS];
    for (size_t w = 0; w < s->n_words; w++)
        lost[w] = bits_below(s->n_cut - 64 * w) & ~ways_of(p, s, x)[w];
    if (!drop_known(p, s, x, lost))
        return false;
    for (size_t w = 0; w < s->n_words; w++) {
        for (uint64_t rest = lost[w]; rest != 0; rest &= rest - 1)
            tell(p, x, s->cut[64 * w + (size_t)__builtin_ctzll(rest)], err);
    }
    return true;
}

static void pass_up(path_losses *p, way_sweep *s, size_t v, bool is_tail) {
    const uint64_t *ways = ways_of(p, s, v);
    size_t n_parents;
    const size_t *parents = dag_parents(p->g, v, &n_parents);
    for (size_t i = 0; i < n_parents; i++) {
        uint64_t *to = ways_of(p, s, parents[i]);
        visit(p, s, parents[i]);
        for (size_t w = 0; w < s->n_words; w++)
            to[w] |= ways[w];
        if (is_tail)
            mark_tail(p, s, parents[i]);
    }
}

/* Ends with the last node above the tail that may have lost something. */
static void sweep(path_losses *p, way_sweep *s, error_info *err) {
    const size_t *order = dag_kept_order(p->g);
    size_t end = begin_sweep(p, s);
    while (s->n_tails > 0) {
        size_t v = order[--end];
        if (end > AHEAD)
            dag_foresee_parents(p->g, order[end - AHEAD]);
        bool is_tail = (p->marks[v] & ABOVE_TAIL) != 0;
        if (p->marks[v] == 0)
            continue;
        s->n_tails -= is_tail;
        pass_up(p, s, v, is_tail && tell_lost(p, s, v, err));
    }
    end_sweep(p, s);
}

status path_losses_tell(path_losses *p, const supports *known, size_t from, size_t to, const loss_listener *listener,
                        error_info *err) {
    size_t n = dag_reaches(p->g, from, to) ? 0 : list_cut(p, from, to);
    support_set sound = find_sound(known, from, p->cut, n);
    p->listener = listener;
    p->told = STATUS_OK;
    for (size_t done = 0; done < n; done += CUT_TOGETHER) {
        size_t n_cut = n - done < CUT_TOGETHER ? n - done : CUT_TOGETHER;
        way_sweep s = {from, p->cut + done, n_cut, (n_cut + 63) / 64, known, sound, 0, 0};
        sweep(p, &s, err);
    }
    return p->told;
}
