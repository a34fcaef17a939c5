/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/integrated/row_codes.h"

#include "core/base/hash.h"

#include <stdlib.h>
#include <string.h>

status row_codes_init(row_codes *c, size_t n_rows, error_info *err) {
    CHECK_ALLOC(c->codes = calloc(n_rows + 1, sizeof *c->codes));
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

/* Pairs (code so far, state) are numbered as they occur. */
static status number_pairs(row_codes *c, const uint32_t *states, const uint32_t *rows, size_t r, error_info *err) {
    AUTO(hash_table_clear) hash_table pairs = {0};
    CHECK(hash_table_reserve(&pairs, c->n, err));
    for (size_t i = 0; i < c->n; i++) {
        uint64_t hash = hash_number((uint64_t)c->codes[i] * r + states[rows[i]]);
        size_t number = hash_find(&pairs, hash);
        if (number == HASH_NONE) {
            number = pairs.n;
            CHECK(hash_table_add(&pairs, hash, number, err));
        }
        c->codes[i] = (uint32_t)number;
    }
    c->n_codes = pairs.n;
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
