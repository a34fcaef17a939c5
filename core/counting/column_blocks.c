/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/column_blocks.h"

#include "core/base/array.h"
#include "core/counting/bit_vectors.h"
#include "core/counting/count_kernels_internal.h"
#include "core/counting/quad_kernels_internal.h"
#include "core/counting/state_vectors_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    WIDE = 8,         /* members */
    MOST_STATES = 32, /* a column with more is in no group */
    MOST_VECTORS = COLUMN_BLOCK * (MOST_STATES - 1)
};

struct column_blocks {
    const count_kernels *kernels;
    const quad_kernels *quads; /* NULL: vectors are counted one after the other alone */
    size_t n_rows, n_words;    /* n_words: of a vector */
    size_t n_blocks, n_vectors, n_sets;
    column_block *blocks;
    uint64_t *bits;        /* the vectors of all states but the last: by block, group, state, member; or else */
    uint8_t *side_by_side; /* the same, those of a block in sets of QUAD_LANES, up to QUAD_SETS side by side */
    uint32_t *ones;        /* of each vector */
};

void column_blocks_destroy(column_blocks *b) {
    if (!b)
        return;
    free(b->blocks);
    free(b->bits);
    free(b->ones);
    free(b->side_by_side);
    free(b);
}

size_t column_blocks_count(const column_blocks *b) {
    return b->n_blocks;
}

const column_block *column_blocks_at(const column_blocks *b, size_t block) {
    return &b->blocks[block];
}

bool column_blocks_are_fast(void) {
    return quad_kernels_choose() != NULL;
}

bool column_blocks_find(const column_blocks *b, size_t column, size_t *first_count, size_t *step) {
    const column_block *block = &b->blocks[column / COLUMN_BLOCK];
    for (const column_group *g = block->groups; g < block->groups + block->n_groups; g++) {
        const unsigned char *members = block->members + g->first_member;
        const unsigned char *at = memchr(members, (int)(column % COLUMN_BLOCK), g->n_members);
        if (at) {
            *first_count = g->first_count + (size_t)(at - members);
            *step = g->n_members;
            return true;
        }
    }
    return false;
}

static column_group *group_of(column_block *block, uint32_t label, size_t n_states) {
    column_group *g = block->groups;
    while (g < block->groups + block->n_groups && (g->label != label || g->n_states != n_states))
        g++;
    if (g == block->groups + block->n_groups) {
        *g = (column_group){.label = label, .n_states = n_states};
        block->n_groups++;
    }
    return g;
}

static size_t vectors_of(const column_group *g) {
    return g->n_members * (g->n_states - 1);
}

static size_t sets_of(const column_block *block) {
    return (block->n_vectors + QUAD_LANES - 1) / QUAD_LANES;
}

/* Which columns go together, and where everything will lie. */
static void lay_out(column_blocks *b, column_block *block, const dataset *data, const uint32_t *label) {
    unsigned char group[COLUMN_BLOCK] = {0};
    for (size_t c = block->first; c < block->end; c++) {
        size_t r = dataset_state_count(data, c);
        column_group *g = r <= MOST_STATES ? group_of(block, label[c], r) : NULL;
        group[c - block->first] = g ? (unsigned char)(g - block->groups) : COLUMN_BLOCK;
        if (g)
            g->n_members++;
    }
    for (size_t i = 0; i < block->n_groups; i++) {
        column_group *g = &block->groups[i];
        g->first_member = block->n_members;
        g->first_count = block->n_counts;
        g->first_vector = block->n_vectors;
        for (size_t c = 0; c < block->end - block->first; c++) {
            if (group[c] == i)
                block->members[block->n_members++] = (unsigned char)c;
        }
        block->n_counts += g->n_members * g->n_states;
        block->n_vectors += vectors_of(g);
    }
    block->first_vector = b->n_vectors;
    block->first_set = b->n_sets;
    b->n_vectors += block->n_vectors;
    b->n_sets += sets_of(block);
}

static uint64_t *vector_at(const column_blocks *b, size_t i) {
    return b->bits + i * b->n_words;
}

/* Sets of a block from one on that lie side by side. */
static size_t abreast(const column_block *block, size_t first) {
    size_t left = sets_of(block) - first;
    return left < QUAD_SETS ? left : QUAD_SETS;
}

static uint8_t *sets_at(const column_blocks *b, const column_block *block, size_t set) {
    return b->side_by_side + (block->first_set + set) * QUAD_LANES * QUADS_OF_WORD * b->n_words;
}

static void lay_side_by_side(const column_blocks *b, const column_block *block) {
    for (size_t i = 0; i < sets_of(block); i++) {
        size_t first = i / QUAD_SETS * QUAD_SETS, left = block->n_vectors - i * QUAD_LANES;
        b->quads->lay(vector_at(b, block->first_vector + i * QUAD_LANES), left < QUAD_LANES ? left : QUAD_LANES,
                      b->n_words, sets_at(b, block, first) + (i - first) * QUAD_LANES,
                      abreast(block, first) * QUAD_LANES);
    }
}

static void fill_group(const column_blocks *b, const column_block *block, const column_group *g, const dataset *data) {
    size_t first = block->first_vector + g->first_vector;
    for (size_t k = 0; k < g->n_members; k++) {
        size_t column = block->first + block->members[g->first_member + k];
        state_vectors_fill(b->kernels, &(state_vectors){data, column, vectors_of(g) / g->n_members}, b->n_words,
                           vector_at(b, first + k), g->n_members * b->n_words);
    }
    for (size_t i = first; i < first + vectors_of(g); i++)
        b->ones[i] = b->kernels->count_and(vector_at(b, i), vector_at(b, i), b->n_words);
}

static void fill_block(const column_blocks *b, const column_block *block, const dataset *data) {
    for (size_t i = 0; i < block->n_groups; i++)
        fill_group(b, block, &block->groups[i], data);
    if (b->quads)
        lay_side_by_side(b, block);
}

status column_blocks_create(const dataset *data, const uint32_t *label, column_blocks **out, error_info *err) {
    AUTO_PTR(column_blocks_destroy) column_blocks *b = NULL;
    size_t p = dataset_column_count(data);
    CHECK_ALLOC(b = calloc(1, sizeof *b));
    b->kernels = count_kernels_choose();
    b->quads = quad_kernels_choose();
    b->n_rows = dataset_row_count(data);
    b->n_words = (b->n_rows / 64 / KERNEL_WORDS + 1) * KERNEL_WORDS;
    b->n_blocks = column_block_count(p);
    CHECK_ALLOC(b->blocks = calloc(b->n_blocks + 1, sizeof *b->blocks));
    for (size_t i = 0; i < b->n_blocks; i++) {
        b->blocks[i].first = i * COLUMN_BLOCK;
        b->blocks[i].end = p - i * COLUMN_BLOCK < COLUMN_BLOCK ? p : (i + 1) * COLUMN_BLOCK;
        lay_out(b, &b->blocks[i], data, label);
    }
    CHECK_ALLOC(b->bits = bit_vectors_allocate(b->n_vectors, b->n_words));
    CHECK_ALLOC(b->ones = calloc(b->n_vectors + 1, sizeof *b->ones));
    if (b->quads)
        CHECK_ALLOC(b->side_by_side = cache_lines_allocate(b->n_sets + 1, QUAD_LANES * QUADS_OF_WORD * b->n_words));
    for (size_t i = 0; i < b->n_blocks; i++)
        fill_block(b, &b->blocks[i], data);
    if (b->quads) { /* which read what is side by side alone */
        free(b->bits);
        b->bits = NULL;
    }
    *out = TAKE(b);
    return STATUS_OK;
}

/* --- the cells of a base --- */

void column_base_clear(column_base *c) {
    free(c->quads);
    free(c->ends);
    *c = (column_base){0};
}

static size_t parts_of(const counts_base *base) {
    return (base->n_words + QUAD_WORDS - 1) / QUAD_WORDS;
}

/* One part of the rows after the other: in each, one cell after the other but the largest. */
static void list_quads(column_base *c, const quad_kernels *quads) {
    const counts_base *base = &c->base;
    size_t n = 0;
    for (size_t part = 0; part < parts_of(base); part++) {
        size_t first = part * QUAD_WORDS, left = base->n_words - first;
        for (size_t k = 0; k < base->n; k++) {
            if (k != c->largest)
                n += quads->list(base->bits + k * base->n_words + first, left < QUAD_WORDS ? left : QUAD_WORDS,
                                 c->quads + n);
            c->ends[part * base->n + k] = n;
        }
    }
}

status column_base_set(column_base *c, const column_blocks *b, const counts_base *base, error_info *err) {
    size_t n_rows = 0;
    if (base->serial == c->base.serial)
        return STATUS_OK;
    c->base.serial = 0;
    c->largest = 0;
    for (size_t k = 0; k < base->n; k++) {
        n_rows += base->tally[k];
        if (base->tally[k] > base->tally[c->largest])
            c->largest = k;
    }
    if (n_rows < b->n_rows)
        c->largest = base->n;
    if (b->quads) {
        CHECK(ARRAY_RESERVE(c->quads, c->quads_capacity, n_rows + QUADS_AT_ONCE, err));
        CHECK(ARRAY_RESERVE(c->ends, c->ends_capacity, parts_of(base) * base->n, err));
    }
    c->base = *base;
    if (b->quads)
        list_quads(c, b->quads);
    return STATUS_OK;
}

/* --- counts --- */

/* Of one cell with vectors of a block, where `out` has room for all of it, in whole sets. */
static void count_quads(const column_blocks *b, const column_block *block, const column_base *c, size_t cell,
                        uint32_t *out) {
    for (size_t set = 0; set * QUAD_LANES < block->n_vectors; set += QUAD_SETS) {
        size_t n_sets = abreast(block, set), step = QUADS_OF_WORD * n_sets * QUAD_LANES;
        memset(out + set * QUAD_LANES, 0, n_sets * QUAD_LANES * sizeof *out);
        for (size_t part = 0; part < parts_of(&c->base); part++) {
            size_t i = part * c->base.n + cell, from = i > 0 ? c->ends[i - 1] : 0;
            b->quads->count(c->quads + from, c->ends[i] - from, sets_at(b, block, set) + part * QUAD_WORDS * step,
                            n_sets, out + set * QUAD_LANES);
        }
    }
}

static void count_cell(const column_blocks *b, const column_block *block, const column_base *c, size_t cell,
                       uint32_t *out) {
    if (b->quads)
        count_quads(b, block, c, cell, out);
    else
        b->kernels->count_block(c->base.bits + cell * b->n_words, vector_at(b, block->first_vector), block->n_vectors,
                                b->n_words, out);
}

/* The last state is what the others leave of the cell. */
static void place_wide(const column_group *g, const uint32_t *vectors, uint32_t tally, uint32_t *common) {
    uint32_t *last = common + vectors_of(g);
    for (size_t i = 0; i < g->n_members; i++)
        last[i] = tally;
    for (size_t e = 0; e + 1 < g->n_states; e++) {
        for (size_t i = 0; i < g->n_members; i++) {
            common[e * g->n_members + i] = vectors[e * g->n_members + i];
            last[i] -= vectors[e * g->n_members + i];
        }
    }
}

/* The same, where a state's members fill no register: column by column. */
static void place_narrow(const column_group *g, const uint32_t *vectors, uint32_t tally, uint32_t *common) {
    size_t n = vectors_of(g);
    for (size_t i = 0; i < n; i++)
        common[i] = vectors[i];
    for (size_t i = 0; i < g->n_members; i++) {
        uint32_t left = tally;
        for (size_t k = i; k < n; k += g->n_members)
            left -= vectors[k];
        common[n + i] = left;
    }
}

static void place_cell(const column_block *block, const uint32_t *vectors, uint32_t tally, uint32_t *common) {
    for (const column_group *g = block->groups; g < block->groups + block->n_groups; g++)
        (g->n_members < WIDE ? place_narrow : place_wide)(g, vectors + g->first_vector, tally, common + g->first_count);
}

void column_blocks_cross(const column_blocks *b, size_t block, const column_base *c, uint32_t *common) {
    const column_block *of = &b->blocks[block];
    uint32_t own[MOST_VECTORS + QUAD_LANES], left[MOST_VECTORS];
    if (of->n_groups == 0)
        return;
    memcpy(left, b->ones + of->first_vector, of->n_vectors * sizeof *left);
    for (size_t k = 0; k < c->base.n; k++) {
        if (k == c->largest)
            continue;
        count_cell(b, of, c, k, own);
        for (size_t i = 0; i < of->n_vectors; i++)
            left[i] -= own[i];
        place_cell(of, own, c->base.tally[k], common + k * of->n_counts);
    }
    if (c->largest < c->base.n)
        place_cell(of, left, c->base.tally[c->largest], common + c->largest * of->n_counts);
}
