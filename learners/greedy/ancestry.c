/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ancestors in a DAG as a bit matrix: x is in the row of y where a path leads from x to y. Adding an arc ors the row of
 * its tail into those of all that its head reaches; removing one rebuilds, of these rows, those below a row that became
 * another one, in topological order, parents first. Both go down the arcs from the head: a look at the rows of all
 * nodes would miss the caches once a node. The matrix is that of the DAG after every call.
 *
 * Of more nodes paths are searched for, and a walk down from a node is kept that whoever asks much about it has made.
 */
#include "learners/greedy/ancestry_internal.h"

#include "core/base/bits.h"
#include "core/base/huge_pages.h"

#include <stdlib.h>
#include <string.h>

/* Whom some nodes reach, as long as no arc changes. */
typedef struct {
    uint64_t *bits; /* ANCESTRY_WALKS rows */
    size_t node[ANCESTRY_WALKS];
    size_t n;        /* walks since an arc changed */
    uint32_t *place; /* by node: a row, which is this node's if it is in use and says so */
} walks_below;

struct ancestry {
    const dag *g;
    const supports *supports; /* borrowed; NULL: there are none */
    size_t n, n_words;
    uint64_t *above;   /* row y: bit x set where x reaches y; NULL: there are too many */
    size_t *order;     /* scratch, n nodes */
    uint32_t *entries; /* scratch, by node: 0 between calls */
    bool *is_due;      /* scratch, by node: false between calls */
    /* of the last removal */
    uint64_t *reaching_less;
    size_t *less_reached, n_less_reached; /* where there are rows */
    uint64_t *spare;                      /* scratch: a row */
    const loss_listener *listener;        /* of the removal; NULL: none */
    status told;                          /* how that went */
    path_losses *losses;                  /* where there are no rows, as the next */
    walks_below walks;                    /* in use where there are no rows */
};

static uint64_t *row_of(const ancestry *a, size_t y) {
    return a->above + y * a->n_words;
}

static void set_bit(uint64_t *row, size_t x) {
    bits_add(row, x);
}

static bool has_bit(const uint64_t *row, size_t x) {
    return bits_have(row, x);
}

void ancestry_destroy(ancestry *a) {
    if (!a)
        return;
    free(a->above);
    free(a->order);
    free(a->entries);
    free(a->is_due);
    free(a->less_reached);
    free(a->reaching_less);
    free(a->spare);
    path_losses_destroy(a->losses);
    free(a->walks.bits);
    free(a->walks.place);
    free(a);
}

status ancestry_create(const dag *g, size_t most_rows, ancestry **out, error_info *err) {
    AUTO_PTR(ancestry_destroy) ancestry *a = NULL;
    CHECK_ALLOC(a = calloc(1, sizeof *a));
    a->g = g;
    a->n = dag_node_count(g);
    a->n_words = (a->n + 63) / 64;
    CHECK_ALLOC(a->order = calloc(a->n + 1, sizeof *a->order));
    CHECK_ALLOC(a->reaching_less = calloc(a->n_words + 1, sizeof *a->reaching_less));
    CHECK_ALLOC(a->spare = calloc(a->n_words + 1, sizeof *a->spare));
    if (a->n <= most_rows) {
        CHECK_ALLOC(a->entries = calloc(a->n + 1, sizeof *a->entries));
        CHECK_ALLOC(a->is_due = calloc(a->n + 1, sizeof *a->is_due));
        CHECK_ALLOC(a->less_reached = calloc(a->n + 1, sizeof *a->less_reached));
        CHECK_ALLOC(a->above = calloc(a->n * a->n_words + 1, sizeof *a->above));
        huge_pages_ask(a->above, a->n * a->n_words * sizeof *a->above);
        for (size_t y = 0; y < a->n; y++)
            set_bit(row_of(a, y), y);
    } else {
        CHECK_ALLOC(a->walks.bits = calloc(ANCESTRY_WALKS * a->n_words + 1, sizeof *a->walks.bits));
        CHECK_ALLOC(a->walks.place = calloc(a->n + 1, sizeof *a->walks.place));
        CHECK(path_losses_create(g, &a->losses, err));
    }
    *out = TAKE(a);
    return STATUS_OK;
}

void ancestry_lend_supports(ancestry *a, const supports *lent) {
    a->supports = lent;
}

size_t ancestry_row_words(const ancestry *a) {
    return a->n_words;
}

const uint64_t *ancestry_row(const ancestry *a, size_t y) {
    return a->above ? row_of(a, y) : NULL;
}

bool ancestry_has_rows(const ancestry *a) {
    return a->above != NULL;
}

/* NULL: it has not been walked from, or an arc changed since. */
static const uint64_t *known_below(const ancestry *a, size_t x) {
    const walks_below *w = &a->walks;
    size_t place = w->n > 0 ? w->place[x] : 0;
    return place < w->n && w->node[place] == x ? w->bits + place * a->n_words : NULL;
}

const uint64_t *ancestry_all_below(ancestry *a, size_t x) {
    walks_below *w = &a->walks;
    const uint64_t *known = known_below(a, x);
    size_t place = w->n % ANCESTRY_WALKS;
    uint64_t *bits;
    if (known || !w->bits)
        return known;
    bits = w->bits + place * a->n_words;
    w->n++;
    w->node[place] = x;
    w->place[x] = (uint32_t)place;
    memset(bits, 0, a->n_words * sizeof *bits);
    dag_mark_below(a->g, x, bits, a->order);
    return bits;
}

void ancestry_foresee(const ancestry *a, size_t x, size_t y) {
    if (a->above)
        __builtin_prefetch(row_of(a, y) + x / 64);
}

/* What is known of a path from x to y without a search. */
static path_answer ask(const ancestry *a, size_t x, size_t y) {
    const uint64_t *below;
    if (a->above)
        return has_bit(row_of(a, y), x) ? PATH_EXISTS : PATH_NONE;
    if (dag_place(a->g, x) > dag_place(a->g, y))
        return PATH_NONE;
    below = known_below(a, x);
    if (below)
        return has_bit(below, y) ? PATH_EXISTS : PATH_NONE;
    return supports_ask(a->supports, x, y);
}

bool ancestry_reaches(const ancestry *a, size_t x, size_t y) {
    path_answer answer = ask(a, x, y);
    return answer == PATH_UNKNOWN ? dag_reaches(a->g, x, y) : answer == PATH_EXISTS;
}

/* One search does for all children of x. */
bool ancestry_reaches_otherwise(const ancestry *a, size_t x, size_t y) {
    size_t n_children;
    const size_t *children = dag_children(a->g, x, &n_children);
    bool is_unknown = false;
    for (size_t i = 0; i < n_children; i++) {
        path_answer answer = children[i] == y ? PATH_NONE : ask(a, children[i], y);
        if (answer == PATH_EXISTS)
            return true;
        is_unknown = is_unknown || answer == PATH_UNKNOWN;
    }
    return is_unknown && dag_reaches_otherwise(a->g, x, y);
}

/* Ors what is above `from` into the row of y, where that is new. */
static bool raise_row(ancestry *a, size_t y, size_t from) {
    const uint64_t *more = row_of(a, from);
    uint64_t *row = row_of(a, y);
    if (has_bit(row, from))
        return false; /* and so has the row of whatever y reaches */
    for (size_t w = 0; w < a->n_words; w++)
        row[w] |= more[w];
    return true;
}

/* Goes down from `to` as long as rows change. */
void ancestry_arc_added(ancestry *a, size_t from, size_t to) {
    size_t n = 0;
    a->walks.n = 0;
    if (!a->above || !raise_row(a, to, from))
        return;
    for (a->order[n++] = to; n > 0;) {
        size_t n_children;
        const size_t *children = dag_children(a->g, a->order[--n], &n_children);
        for (size_t i = 0; i < n_children; i++) {
            if (raise_row(a, children[i], from))
                a->order[n++] = children[i];
        }
    }
}

/* Parents' rows are right before their children's are made again: topological order. */
static void rebuild_row(ancestry *a, size_t y) {
    size_t n_parents;
    const size_t *parents = dag_parents(a->g, y, &n_parents);
    uint64_t *row = row_of(a, y);
    memset(row, 0, a->n_words * sizeof *row);
    set_bit(row, y);
    for (size_t i = 0; i < n_parents; i++) {
        const uint64_t *above = row_of(a, parents[i]);
        for (size_t w = 0; w < a->n_words; w++)
            row[w] |= above[w];
    }
}

static void tell(ancestry *a, size_t x, size_t z, error_info *err) {
    if (a->listener && a->told == STATUS_OK)
        a->told = a->listener->lose(a->listener->of, x, z, err);
}

/* The nodes of a word of a row do not reach z any more. */
static void tell_word(ancestry *a, size_t word, uint64_t lost, size_t z, error_info *err) {
    for (; a->listener && lost != 0; lost &= lost - 1)
        tell(a, 64 * word + (size_t)__builtin_ctzll(lost), z, err);
}

/* Rebuilds a row, and notes who is not in it any more; false: it is as it was. */
static bool renew_row(ancestry *a, size_t y, error_info *err) {
    const uint64_t *row = row_of(a, y);
    uint64_t any = 0;
    memcpy(a->spare, row, a->n_words * sizeof *row);
    rebuild_row(a, y);
    for (size_t w = 0; w < a->n_words; w++) {
        uint64_t lost = a->spare[w] & ~row[w];
        a->reaching_less[w] |= lost;
        any |= lost;
        tell_word(a, w, lost, y, err);
    }
    if (any)
        a->less_reached[a->n_less_reached++] = y;
    return any != 0;
}

/* How many arcs from what `to` reaches lead into each node of these. */
static void count_entries(ancestry *a, size_t to) {
    size_t n = 0;
    a->order[n++] = to;
    for (size_t i = 0; i < n; i++) {
        size_t n_children;
        const size_t *children = dag_children(a->g, a->order[i], &n_children);
        for (size_t k = 0; k < n_children; k++) {
            if (a->entries[children[k]]++ == 0)
                a->order[n++] = children[k];
        }
    }
}

/* Kahn 1962, Topological sorting of large networks, over what `to` reaches; the scratch is as it was then. */
static void shrink_rows(ancestry *a, size_t to, error_info *err) {
    size_t n = 0;
    a->n_less_reached = 0;
    memset(a->reaching_less, 0, a->n_words * sizeof *a->reaching_less);
    count_entries(a, to);
    a->is_due[to] = true;
    a->order[n++] = to;
    for (size_t i = 0; i < n; i++) {
        size_t n_children, y = a->order[i];
        const size_t *children = dag_children(a->g, y, &n_children);
        bool is_other = a->is_due[y] && renew_row(a, y, err);
        a->is_due[y] = false;
        for (size_t k = 0; k < n_children; k++) {
            a->is_due[children[k]] |= is_other;
            if (--a->entries[children[k]] == 0)
                a->order[n++] = children[k];
        }
    }
}

/* from -> to is gone. Whoever reaches `from` and lost a node does not reach `to` any more. */
static void find_losses(ancestry *a, size_t from, size_t to) {
    a->walks.n = 0;
    memset(a->reaching_less, 0, a->n_words * sizeof *a->reaching_less);
    if (dag_reaches(a->g, from, to))
        return;
    dag_mark_above(a->g, from, a->reaching_less, a->order);
    memset(a->spare, 0, a->n_words * sizeof *a->spare);
    dag_mark_above(a->g, to, a->spare, a->order);
    bits_take_out(a->reaching_less, a->spare, a->n_words);
}

void ancestry_arc_removed(ancestry *a, size_t from, size_t to) {
    if (a->above)
        shrink_rows(a, to, NULL);
    else
        find_losses(a, from, to);
}

status ancestry_arc_removed_told(ancestry *a, size_t from, size_t to, const loss_listener *listener, error_info *err) {
    a->walks.n = 0;
    if (!a->above)
        return path_losses_tell(a->losses, a->supports, from, to, listener, err);
    a->listener = listener;
    a->told = STATUS_OK;
    shrink_rows(a, to, err);
    a->listener = NULL;
    return a->told;
}

const size_t *ancestry_less_reached(const ancestry *a, size_t *n) {
    *n = a->n_less_reached;
    return a->less_reached;
}

const uint64_t *ancestry_reaching_less(const ancestry *a) {
    return a->reaching_less;
}
