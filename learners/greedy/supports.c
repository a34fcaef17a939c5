/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/greedy/supports_internal.h"

#include "core/base/bits.h"

#include <stdlib.h>
#include <string.h>

struct supports {
    const dag *g;
    unsigned char *numbers; /* by node: that of the support that it is; SUPPORTS_MOST: it is none */
    support_set *above;     /* by node: the supports that reach it */
    support_set *below;     /* by node: those that it reaches */
    size_t *queue;          /* scratch, n nodes */
    bool is_out_of_date;    /* an arc went */
};

void supports_destroy(supports *s) {
    if (!s)
        return;
    free(s->numbers);
    free(s->above);
    free(s->below);
    free(s->queue);
    free(s);
}

status supports_create(const dag *g, supports **out, error_info *err) {
    size_t n = dag_node_count(g), n_supports = n < SUPPORTS_MOST ? n : SUPPORTS_MOST;
    AUTO_PTR(supports_destroy) supports *s = calloc(1, sizeof *s);
    CHECK_ALLOC(s);
    CHECK_ALLOC(s->numbers = calloc(n + 1, sizeof *s->numbers));
    CHECK_ALLOC(s->above = calloc(n + 1, sizeof *s->above));
    CHECK_ALLOC(s->below = calloc(n + 1, sizeof *s->below));
    CHECK_ALLOC(s->queue = calloc(n + 1, sizeof *s->queue));
    memset(s->numbers, SUPPORTS_MOST, n);
    s->g = g;
    for (size_t i = 0; i < n_supports; i++) {
        size_t node = (2 * i + 1) * n / (2 * n_supports);
        s->numbers[node] = (unsigned char)i;
        bits_add(s->above[node].words, i);
        bits_add(s->below[node].words, i);
    }
    *out = TAKE(s);
    return STATUS_OK;
}

static bool have_common(const support_set *a, const support_set *b) {
    uint64_t any = 0;
    for (size_t w = 0; w < SUPPORTS_WORDS; w++)
        any |= a->words[w] & b->words[w];
    return any != 0;
}

static bool has_more(const support_set *a, const support_set *than) {
    uint64_t any = 0;
    for (size_t w = 0; w < SUPPORTS_WORDS; w++)
        any |= a->words[w] & ~than->words[w];
    return any != 0;
}

path_answer supports_ask(const supports *s, size_t x, size_t y) {
    if (x == y)
        return PATH_EXISTS;
    if (!s || s->is_out_of_date)
        return PATH_UNKNOWN;
    if (have_common(&s->below[x], &s->above[y]))
        return PATH_EXISTS;
    return has_more(&s->above[x], &s->above[y]) || has_more(&s->below[y], &s->below[x]) ? PATH_NONE : PATH_UNKNOWN;
}

const support_set *supports_above(const supports *s, size_t node) {
    return &s->above[node];
}

const support_set *supports_below(const supports *s, size_t node) {
    return &s->below[node];
}

size_t supports_number(const supports *s, size_t node) {
    return s->numbers[node];
}

/* --- changes --- */

typedef const size_t *neighbours_of(const dag *g, size_t node, size_t *count);

/* False where the node has them all, and so has whatever comes after it. */
static bool raise_set(support_set *sets, const support_set *by, size_t node) {
    if (!has_more(by, &sets[node]))
        return false;
    for (size_t w = 0; w < SUPPORTS_WORDS; w++)
        sets[node].words[w] |= by->words[w];
    return true;
}

/* Goes on from `start` as long as sets change. */
static void spread(supports *s, support_set *sets, support_set by, size_t start, neighbours_of *next) {
    size_t n = 0;
    if (raise_set(sets, &by, start))
        s->queue[n++] = start;
    while (n > 0) {
        size_t n_next;
        const size_t *nodes = next(s->g, s->queue[--n], &n_next);
        for (size_t i = 0; i < n_next; i++) {
            if (raise_set(sets, &by, nodes[i]))
                s->queue[n++] = nodes[i];
        }
    }
}

void supports_arc_added(supports *s, size_t from, size_t to) {
    if (!s)
        return;
    spread(s, s->above, s->above[from], to, dag_children);
    spread(s, s->below, s->below[to], from, dag_parents);
}

void supports_arc_removed(supports *s) {
    if (s)
        s->is_out_of_date = true;
}

void supports_lose(supports *s, size_t x, size_t z) {
    if (s && s->numbers[x] < SUPPORTS_MOST)
        bits_drop(s->above[z].words, s->numbers[x]);
    if (s && s->numbers[z] < SUPPORTS_MOST)
        bits_drop(s->below[x].words, s->numbers[z]);
}

void supports_go_on(supports *s) {
    if (s)
        s->is_out_of_date = false;
}
