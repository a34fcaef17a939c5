/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 16 };

void hash_table_clear(hash_table *table) {
    free(table->slots);
    *table = (hash_table){0};
}

void hash_table_empty(hash_table *table) {
    if (table->n > 0)
        memset(table->slots, 0, table->n_slots * sizeof *table->slots);
    table->n = 0;
}

/* Into the first free slot; there is one. */
static void put(hash_slot *slots, size_t n_slots, hash_slot added) {
    size_t i = (size_t)added.hash & (n_slots - 1);
    while (slots[i].place != 0)
        i = (i + 1) & (n_slots - 1);
    slots[i] = added;
}

status hash_table_reserve(hash_table *table, size_t n, error_info *err) {
    size_t n_slots = table->n_slots ? table->n_slots : FIRST_SLOTS;
    hash_slot *slots;
    while (n_slots / 2 < n && n_slots <= SIZE_MAX / 2 / sizeof *slots)
        n_slots *= 2;
    if (n_slots == table->n_slots && n <= n_slots / 2)
        return STATUS_OK;
    CHECK_ALLOC(n <= n_slots / 2 && (slots = calloc(n_slots, sizeof *slots)));
    for (size_t i = 0; i < table->n_slots; i++) {
        if (table->slots[i].place != 0)
            put(slots, n_slots, table->slots[i]);
    }
    free(table->slots);
    table->slots = slots;
    table->n_slots = n_slots;
    return STATUS_OK;
}

status hash_table_add(hash_table *table, uint64_t hash, size_t number, error_info *err) {
    CHECK(hash_table_reserve(table, table->n + 1, err));
    put(table->slots, table->n_slots, (hash_slot){hash, number + 1});
    table->n++;
    return STATUS_OK;
}

uint64_t hash_real(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return hash_number(bits);
}
