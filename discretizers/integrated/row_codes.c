/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/integrated/row_codes.h"

#include <stdlib.h>
#include <string.h>

status row_codes_init(row_codes *c, size_t n_rows, error_info *err) {
    c->codes = calloc(n_rows + 1, sizeof *c->codes);
    if (!c->codes)
        return error_out_of_memory(err);
    c->n = n_rows;
    c->n_codes = 1;
    return STATUS_OK;
}

status row_codes_copy(const row_codes *from, row_codes *to, error_info *err) {
    CHECK(row_codes_init(to, from->n, err));
    memcpy(to->codes, from->codes, from->n * sizeof *from->codes);
    to->n_codes = from->n_codes;
    return STATUS_OK;
}

void row_codes_clear(row_codes *c) {
    free(c->codes);
    *c = (row_codes){0};
}

/* A pair (code so far, state) and its new number, for those that occur. */
typedef struct {
    uint64_t pair; /* and one; 0 where the slot is empty */
    uint32_t number;
} pair_slot;

static pair_slot *locate(pair_slot *slots, size_t mask, uint64_t pair) {
    size_t i = (size_t)((pair * 0x9E3779B97F4A7C15u) >> 32) & mask;
    while (slots[i].pair && slots[i].pair != pair)
        i = (i + 1) & mask;
    return &slots[i];
}

static status number_pairs(row_codes *c, const uint32_t *states, const uint32_t *rows, size_t r, error_info *err) {
    size_t n_slots = 2;
    uint32_t found = 0;
    pair_slot *slots;
    while (n_slots < 2 * c->n)
        n_slots *= 2;
    slots = calloc(n_slots, sizeof *slots);
    if (!slots)
        return error_out_of_memory(err);
    for (size_t i = 0; i < c->n; i++) {
        uint64_t pair = (uint64_t)c->codes[i] * r + states[rows[i]] + 1;
        pair_slot *slot = locate(slots, n_slots - 1, pair);
        if (!slot->pair)
            *slot = (pair_slot){pair, found++};
        c->codes[i] = slot->number;
    }
    c->n_codes = found;
    free(slots);
    return STATUS_OK;
}

status row_codes_add(row_codes *c, const uint32_t *states, const uint32_t *rows, size_t r, error_info *err) {
    if (c->n_codes * r > row_codes_most(c->n))
        return number_pairs(c, states, rows, r, err);
    for (size_t i = 0; i < c->n; i++)
        c->codes[i] = c->codes[i] * (uint32_t)r + states[rows[i]];
    c->n_codes *= r;
    return STATUS_OK;
}
