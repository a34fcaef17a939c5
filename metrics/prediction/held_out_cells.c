/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/prediction/held_out_cells_internal.h"

#include <stdlib.h>
#include <string.h>

/*
 * Rows, the training rows first, fall into groups: at first one, then split by one column after the other. Groups are
 * numbered in the order in which rows show them. A table from (group, state) to the new group is direct where that many
 * entries are cheap, and a hash table else, in the same memory, which is why it is not one of core/base/hash.
 */
struct family_counter {
    const dataset *train, *test;
    size_t n_train, n_rows;
    uint32_t *group;     /* of each row */
    uint32_t *parent_of; /* of each new group: the group that it was split from */
    uint32_t *table;     /* new group + 1, or 0; n_slots entries */
    uint64_t *keys;      /* of the entries, in the hashed form */
    size_t n_slots;      /* a power of two, at least twice n_rows */
    uint32_t *train_count, *test_count, *train_total;
    family_cells cells;
};

static const uint32_t ROWS_LIMIT = UINT32_C(1) << 31;

void family_counter_destroy(family_counter *c) {
    if (!c)
        return;
    free(c->group);
    free(c->parent_of);
    free(c->table);
    free(c->keys);
    free(c->train_count);
    free(c->test_count);
    free(c->train_total);
    free(c);
}

status family_counter_create(const dataset *train, const dataset *test, family_counter **out, error_info *err) {
    size_t n = dataset_row_count(train) + dataset_row_count(test);
    AUTO_PTR(family_counter_destroy) family_counter *c = NULL;

    if (n >= ROWS_LIMIT)
        return error_set(err, STATUS_INVALID,
                         "training and test data have %zu rows together; fewer than %u can be held", n,
                         (unsigned)ROWS_LIMIT);
    CHECK_ALLOC(c = calloc(1, sizeof *c));
    *c = (family_counter){.train = train, .test = test, .n_train = dataset_row_count(train), .n_rows = n};
    for (c->n_slots = 64; c->n_slots < 2 * n;)
        c->n_slots *= 2;
    CHECK_ALLOC(c->group = calloc(n + 1, sizeof *c->group));
    CHECK_ALLOC(c->parent_of = calloc(n + 1, sizeof *c->parent_of));
    CHECK_ALLOC(c->table = calloc(c->n_slots, sizeof *c->table));
    CHECK_ALLOC(c->keys = calloc(c->n_slots, sizeof *c->keys));
    CHECK_ALLOC(c->train_count = calloc(n + 1, sizeof *c->train_count));
    CHECK_ALLOC(c->test_count = calloc(n + 1, sizeof *c->test_count));
    CHECK_ALLOC(c->train_total = calloc(n + 1, sizeof *c->train_total));
    *out = TAKE(c);
    return STATUS_OK;
}

/* The slot of a key: its own in the direct form; else the one that holds it, or a free one. */
static size_t slot_of(family_counter *c, uint64_t key, bool direct) {
    if (direct)
        return (size_t)key;
    size_t slot = (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 20) & (c->n_slots - 1);
    while (c->table[slot] != 0 && c->keys[slot] != key)
        slot = (slot + 1) & (c->n_slots - 1);
    return slot;
}

static size_t state_of(const uint8_t *bytes, const uint16_t *words, size_t row) {
    return bytes ? bytes[row] : words[row];
}

/* Splits the groups of rows first .. first + n by the state of a column; `*n_new` counts the groups so far. */
static void split_rows(family_counter *c, const dataset *data, size_t column, size_t first, size_t n, bool direct,
                       uint32_t *n_new) {
    const uint8_t *bytes = dataset_bytes(data, column);
    const uint16_t *words = dataset_words(data, column);
    uint64_t r = dataset_state_count(data, column);
    for (size_t row = 0; row < n; row++) {
        uint32_t *group = &c->group[first + row];
        uint64_t key = (uint64_t)*group * r + state_of(bytes, words, row);
        size_t slot = slot_of(c, key, direct);
        if (c->table[slot] == 0) {
            c->keys[slot] = key;
            c->parent_of[*n_new] = *group;
            c->table[slot] = ++*n_new;
        }
        *group = c->table[slot] - 1;
    }
}

static uint32_t split(family_counter *c, size_t column, uint32_t n_groups) {
    uint32_t n_new = 0;
    uint64_t n_keys = (uint64_t)n_groups * dataset_state_count(c->train, column);
    bool direct = n_keys <= c->n_slots;
    memset(c->table, 0, (direct ? (size_t)n_keys : c->n_slots) * sizeof *c->table);
    split_rows(c, c->train, column, 0, c->n_train, direct, &n_new);
    split_rows(c, c->test, column, c->n_train, c->n_rows - c->n_train, direct, &n_new);
    return n_new;
}

static void tally(uint32_t *count, uint32_t n_groups, const uint32_t *group, size_t n) {
    memset(count, 0, n_groups * sizeof *count);
    for (size_t row = 0; row < n; row++)
        count[group[row]]++;
}

const family_cells *family_counter_count(family_counter *c, size_t x, const size_t *parents, size_t n_parents) {
    uint32_t n_groups = c->n_rows > 0;
    memset(c->group, 0, c->n_rows * sizeof *c->group);
    for (size_t k = 0; k < n_parents && n_groups < c->n_rows; k++) /* groups of one row stay as they are */
        n_groups = split(c, parents[k], n_groups);
    tally(c->train_total, n_groups, c->group, c->n_train);
    n_groups = split(c, x, n_groups);
    tally(c->train_count, n_groups, c->group, c->n_train);
    tally(c->test_count, n_groups, c->group + c->n_train, c->n_rows - c->n_train);
    c->cells = (family_cells){n_groups, c->train_count, c->test_count, c->parent_of, c->train_total};
    return &c->cells;
}
