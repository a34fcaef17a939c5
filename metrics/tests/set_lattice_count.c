/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/set_lattice_walk_internal.h"

#include "core/base/bits.h"
#include "core/counting/counts.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* C(n, k): the rank of a set of places p_1 < p_2 < ... is the sum of C(p_i, i). */
static size_t choose(size_t n, size_t k) {
    size_t c = 1;
    for (size_t i = 0; i < k; i++)
        c = c * (n - i) / (i + 1);
    return n < k ? 0 : c;
}

static void walk_portable(walk *w, size_t first) {
    walk_sets(w, first);
}

static void walk_at_level(walk *w, size_t first) {
#if defined(__x86_64__)
    if (strcmp(counts_simd_level(), "avx512") == 0)
        set_lattice_walk_avx512(w, first);
    else if (strcmp(counts_simd_level(), "portable") != 0)
        set_lattice_walk_avx2(w, first);
    else
#endif
        walk_portable(w, first);
}

/* --- all prefixes --- */

/* The prefix and up to `most_further` of the members from `first` on. */
static void visit(walk *w, const size_t *prefix, size_t n, size_t first, size_t most_further) {
    w->most_further = most_further;
    set_lattice_sort_rows(w, prefix, n);
    for (size_t c = 0; c < w->n_columns; c++)
        w->column[c].bits = w->vectors + c * (STATES - 1) * w->n_words;
    walk_at_level(w, first);
}

static size_t least_of(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Sets of members alone that begin with a and b. */
static void walk_pair(walk *w, set_lattice *l, size_t a, size_t b) {
    w->out = l->alone;
    w->n_prefix = 2;
    w->base = w->rank[a][1] + w->rank[b][2];
    visit(w, (size_t[]){a, b}, 2, b + 1, least_of(3, l->most - 1));
}

/* Sets joined with the target that begin with a. */
static void walk_target(walk *w, set_lattice *l, size_t a) {
    size_t target = w->n_columns; /* its place behind the members */
    w->out = l->joined;
    w->n_prefix = 1;
    w->base = w->rank[a][1];
    visit(w, (size_t[]){target, a}, 2, a + 1, least_of(3, l->most - 1));
}

/* What is without a prefix. */
static void walk_small(walk *w, set_lattice *l) {
    size_t target = w->n_columns;
    w->out = l->alone;
    w->base = w->n_prefix = 0;
    l->alone[0][0] = l->none;
    visit(w, NULL, 0, 0, least_of(2, l->most + 1));
    w->out = l->joined;
    visit(w, &target, 1, 0, 1);
    l->joined[0][0] = 0;
    for (size_t i = 0; i < w->n_lanes; i++)
        l->joined[0][0] += w->terms->at[w->lane_rows[i]];
}

/*
 * What one thread walks at a time: no prefix; those of the target and some members that follow each other; those of two
 * members that have the second one in common. Sums of sets that differ by their lowest member alone lie side by side:
 * lines of the cache that two threads filled by turns would go to and fro between their processors.
 */
enum { ABREAST_TARGETS = 8 };

static size_t target_piece_count(const walk *w) {
    return (w->n_columns + ABREAST_TARGETS - 1) / ABREAST_TARGETS;
}

static size_t piece_count(const walk *w, const set_lattice *l) {
    return l->most > 1 ? 1 + target_piece_count(w) + w->n_columns : 1;
}

static void walk_targets(walk *w, set_lattice *l, size_t piece) {
    size_t first = piece * ABREAST_TARGETS, end = least_of(first + ABREAST_TARGETS, w->n_columns - 1);
    for (size_t a = first; a < end; a++)
        walk_target(w, l, a);
}

static void walk_pairs(walk *w, set_lattice *l, size_t b) {
    for (size_t a = 0; a < b && b + 1 < w->n_columns; a++)
        walk_pair(w, l, a, b);
}

static void walk_piece(walk *w, set_lattice *l, size_t number) {
    size_t n_targets = target_piece_count(w);
    if (number == 0)
        walk_small(w, l);
    else if (number <= n_targets)
        walk_targets(w, l, number - 1);
    else
        walk_pairs(w, l, number - 1 - n_targets);
}

/* --- memory --- */

static void walk_clear(walk *w) {
    free(w->word_at);
    free(w->strata);
    free(w->order);
    free(w->pair);
    free(w->both);
    free(w->halves);
    free(w->parts.bits);
    free(w->vectors);
}

static void *allocate_lines(size_t n, size_t size) {
    return aligned_alloc(WORD, (n * size + WORD - 1) / WORD * WORD + WORD);
}

static uint32_t count_state(const uint8_t *states, size_t n_rows, uint8_t state) {
    uint32_t n = 0;
    for (size_t row = 0; row < n_rows; row++)
        n += states[row] == state;
    return n;
}

static void exchange_states(const uint8_t *restrict from, size_t n_rows, uint8_t a, uint8_t b, uint8_t *restrict to) {
    for (size_t row = 0; row < n_rows; row++)
        to[row] = from[row] == a ? b : from[row] == b ? a : from[row];
}

/* The state of most rows changes places with the last one, which is not counted. */
static void lay_states(const walk *w, size_t column, uint8_t *states) {
    const uint8_t *from = dataset_bytes(w->data, column);
    size_t last = dataset_state_count(w->data, column) - 1, common = last;
    uint32_t most = 0;
    for (size_t k = 0; k <= last; k++) {
        uint32_t rows = count_state(from, w->n_rows, (uint8_t)k);
        common = rows > most ? k : common;
        most = rows > most ? rows : most;
    }
    exchange_states(from, w->n_rows, (uint8_t)common, (uint8_t)last, states);
}

/* A bit of every row: that it has this state. */
static void lay_plane(const uint8_t *restrict states, size_t n_rows, uint8_t state, size_t bit,
                      uint64_t *restrict planes) {
    for (size_t row = 0; row < n_rows; row++)
        planes[row] |= (uint64_t)(states[row] == state) << bit;
}

static status lay_planes(walk *w, size_t n_planes, error_info *err) {
    w->n_parts = n_planes / WORD + 1;
    CHECK_ALLOC(w->planes = calloc(w->n_parts * (w->n_rows + 1), sizeof *w->planes));
    for (size_t c = 0; c < w->n_columns; c++) {
        for (size_t k = 0; k + 1 < w->column[c].r; k++) {
            size_t plane = w->column[c].plane + k;
            lay_plane(states_of(w, c), w->n_rows, (uint8_t)k, plane % WORD, planes_of(w, plane / WORD));
        }
    }
    return STATUS_OK;
}

/* What all walks read. */
static status lay_rows(walk *w, size_t target, error_info *err) {
    size_t m = w->n_columns, n_planes = 0;
    CHECK_ALLOC(w->states = calloc(m + 1, w->n_rows));
    for (size_t i = 0; i <= m; i++)
        lay_states(w, i < m ? w->columns[i] : target, w->states + i * w->n_rows);
    for (size_t i = 0; i < m; i++) {
        size_t r = dataset_state_count(w->data, w->columns[i]);
        w->column[i] = (lane_column){.r = r, .plane = n_planes};
        n_planes += r - 1;
    }
    return lay_planes(w, n_planes, err);
}

static status walk_init(walk *w, const walk *like, error_info *err) {
    size_t m = like->n_columns, words = LANES * (like->n_rows / WORD + 1);
    *w = *like;
    CHECK_ALLOC(w->word_at = calloc(w->n_rows / WORD + LANES, sizeof *w->word_at));
    CHECK_ALLOC(w->strata = calloc(w->n_rows + 1, sizeof *w->strata));
    CHECK_ALLOC(w->order = calloc(words * WORD, sizeof *w->order));
    CHECK_ALLOC(w->pair = calloc((m * m / 2 + 1) * CELLS, sizeof *w->pair));
    CHECK_ALLOC(w->both = allocate_lines(CELLS * words, sizeof *w->both));
    CHECK_ALLOC(w->halves = allocate_lines(4 * 2 * words, sizeof *w->halves));
    CHECK_ALLOC(w->parts.bits = allocate_lines(m * 2 * 2 * words, sizeof *w->parts.bits));
    CHECK_ALLOC(w->vectors = allocate_lines(m * (STATES - 1) * words, sizeof *w->vectors));
    return STATUS_OK;
}

static status init_sums(set_lattice *l, error_info *err) {
    for (size_t place = 0; place <= l->n_members; place++) {
        for (size_t k = 0; k <= l->most + 1; k++)
            l->rank[place][k] = choose(place, k);
    }
    for (size_t k = 0; k <= l->most + 1; k++)
        CHECK_ALLOC(l->alone[k] = calloc(l->rank[l->n_members][k] + 1, sizeof *l->alone[k]));
    for (size_t k = 0; k <= l->most; k++)
        CHECK_ALLOC(l->joined[k] = calloc(l->rank[l->n_members][k] + 1, sizeof *l->joined[k]));
    return STATUS_OK;
}

typedef struct {
    set_lattice *lattice;
    const walk *like;
    atomic_size_t next; /* the first piece that nobody has taken */
} pile;

static status work(void *self, size_t worker, error_info *err) {
    status st = STATUS_OK;
    pile *p = self;
    size_t number = atomic_fetch_add(&p->next, 1);
    walk *w = NULL;
    (void)worker;
    if (number >= piece_count(p->like, p->lattice))
        return STATUS_OK;
    TRY_ALLOC(w = calloc(1, sizeof *w));
    TRY(walk_init(w, p->like, err));
    for (; number < piece_count(w, p->lattice); number = atomic_fetch_add(&p->next, 1))
        walk_piece(w, p->lattice, number);
cleanup:
    if (st != STATUS_OK && number < piece_count(p->like, p->lattice))
        atomic_store(&p->next, SIZE_MAX / 2); /* the lattice will have a hole */
    if (w)
        walk_clear(w);
    free(w);
    return st;
}

status set_lattice_count(set_lattice *l, const dataset *data, const whole_terms *terms, size_t target,
                         const size_t *members, size_t n_members, size_t most, const work_sharing *sharing,
                         error_info *err) {
    walk like = {
        .data = data, .terms = terms, .columns = members, .n_columns = n_members, .n_rows = dataset_row_count(data)};
    pile p = {.lattice = l, .like = &like};
    status st = STATUS_OK;
    *l = (set_lattice){.n_members = n_members, .most = most, .none = terms->at[dataset_row_count(data)]};
    TRY(init_sums(l, err));
    like.rank = (const set_ranks *)l->rank;
    TRY(lay_rows(&like, target, err));
    TRY(sharing && sharing->run ? sharing->run(sharing->self, work, &p, err) : work(&p, 0, err));
cleanup:
    free(like.states);
    free(like.planes);
    return st;
}
