/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/column_blocks.h"

#include "core/counting/bit_vectors.h"
#include "core/counting/count_kernels_internal.h"

#include <stdlib.h>

enum { MOST_STATES = 32 }; /* a column with more is in no group */

struct column_blocks {
    const count_kernels *kernels;
    size_t n_words; /* of a vector */
    size_t n_blocks, n_vectors;
    column_block *blocks;
    uint64_t *bits; /* the vectors of all states but the last: by block, group, state, member */
};

void column_blocks_destroy(column_blocks *b) {
    if (!b)
        return;
    free(b->blocks);
    free(b->bits);
    free(b);
}

size_t column_blocks_count(const column_blocks *b) {
    return b->n_blocks;
}

const column_block *column_blocks_at(const column_blocks *b, size_t block) {
    return &b->blocks[block];
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

/* Which columns go together, and where everything will lie. */
static void lay_out(column_block *block, const dataset *data, const uint32_t *label, size_t *n_vectors) {
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
        g->first_vector = *n_vectors;
        for (size_t c = 0; c < block->end - block->first; c++) {
            if (group[c] == i)
                block->members[block->n_members++] = (unsigned char)c;
        }
        block->n_counts += g->n_members * g->n_states;
        *n_vectors += g->n_members * (g->n_states - 1);
    }
}

static uint64_t *vector_at(const column_blocks *b, size_t i) {
    return b->bits + i * b->n_words;
}

static void fill_block(const column_blocks *b, const column_block *block, const dataset *data) {
    for (size_t i = 0; i < block->n_groups; i++) {
        const column_group *g = &block->groups[i];
        for (size_t k = 0; k < (g->n_states - 1) * g->n_members; k++) {
            size_t column = block->first + block->members[g->first_member + k % g->n_members];
            b->kernels->match(dataset_bytes(data, column), dataset_row_count(data), (uint8_t)(k / g->n_members),
                              vector_at(b, g->first_vector + k), b->n_words);
        }
    }
}

status column_blocks_create(const dataset *data, const uint32_t *label, column_blocks **out, error_info *err) {
    AUTO_PTR(column_blocks_destroy) column_blocks *b = NULL;
    size_t p = dataset_column_count(data);
    CHECK_ALLOC(b = calloc(1, sizeof *b));
    b->kernels = count_kernels_choose();
    b->n_words = (dataset_row_count(data) / 64 / KERNEL_WORDS + 1) * KERNEL_WORDS;
    b->n_blocks = (p + COLUMN_BLOCK - 1) / COLUMN_BLOCK;
    CHECK_ALLOC(b->blocks = calloc(b->n_blocks + 1, sizeof *b->blocks));
    for (size_t i = 0; i < b->n_blocks; i++) {
        b->blocks[i].first = i * COLUMN_BLOCK;
        b->blocks[i].end = p - i * COLUMN_BLOCK < COLUMN_BLOCK ? p : (i + 1) * COLUMN_BLOCK;
        lay_out(&b->blocks[i], data, label, &b->n_vectors);
    }
    CHECK_ALLOC(b->bits = bit_vectors_allocate(b->n_vectors, b->n_words));
    for (size_t i = 0; i < b->n_blocks; i++)
        fill_block(b, &b->blocks[i], data);
    *out = TAKE(b);
    return STATUS_OK;
}

/* The last state is what the others leave of the cell. */
static void leave_rest(uint32_t *common, size_t n_members, size_t n_states, uint32_t tally) {
    uint32_t *last = common + (n_states - 1) * n_members;
    for (size_t i = 0; i < n_members; i++)
        last[i] = tally;
    for (size_t e = 0; e + 1 < n_states; e++) {
        for (size_t i = 0; i < n_members; i++)
            last[i] -= common[e * n_members + i];
    }
}

void column_blocks_cross(const column_blocks *b, size_t block, size_t group, const counts_base *base,
                         uint32_t *common) {
    const column_group *g = &b->blocks[block].groups[group];
    for (size_t k = 0; k < base->n; k++) {
        uint32_t *at = common + k * b->blocks[block].n_counts + g->first_count;
        b->kernels->count_block(base->bits + k * b->n_words, vector_at(b, g->first_vector),
                                (g->n_states - 1) * g->n_members, b->n_words, at);
        leave_rest(at, g->n_members, g->n_states, base->tally[k]);
    }
}
