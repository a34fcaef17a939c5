/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/integrated/increments.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 26, FIRST_SLOTS = 64 };

typedef struct {
    double a;
    double *values; /* NULL: the slot is empty */
} gamma_slot;

struct increment_tables {
    size_t n_rows;
    double *m_log_m;
    gamma_slot *slots;
    size_t n_slots, used; /* n_slots is a power of two */
};

static void forget(increment_tables *t) {
    for (size_t i = 0; t->slots && i < t->n_slots; i++) {
        free(t->slots[i].values);
        t->slots[i].values = NULL;
    }
    t->used = 0;
}

void increment_tables_destroy(increment_tables *t) {
    if (!t)
        return;
    forget(t);
    free(t->slots);
    free(t->m_log_m);
    free(t);
}

static double m_log_m(size_t m) {
    return m ? (double)m * log((double)m) : 0;
}

status increment_tables_create(size_t n_rows, increment_tables **out, error_info *err) {
    increment_tables *t = calloc(1, sizeof *t);
    status st = STATUS_OK;
    TRY_ALLOC(t);
    t->n_rows = n_rows;
    t->n_slots = FIRST_SLOTS;
    TRY_ALLOC(t->slots = calloc(t->n_slots, sizeof *t->slots));
    TRY_ALLOC(t->m_log_m = calloc(n_rows + 1, sizeof *t->m_log_m));
    for (size_t m = 0; m < n_rows; m++)
        t->m_log_m[m] = m_log_m(m + 1) - m_log_m(m);
    *out = t;
    t = NULL;
cleanup:
    increment_tables_destroy(t);
    return st;
}

const double *increment_tables_m_log_m(const increment_tables *t) {
    return t->m_log_m;
}

static gamma_slot *locate(gamma_slot *slots, size_t n_slots, double a) {
    uint64_t bits;
    size_t i;
    memcpy(&bits, &a, sizeof bits);
    bits *= 0x9E3779B97F4A7C15u;
    i = (size_t)(bits >> 32) & (n_slots - 1);
    while (slots[i].values && slots[i].a != a)
        i = (i + 1) & (n_slots - 1);
    return &slots[i];
}

static status grow(increment_tables *t, error_info *err) {
    size_t n_slots = 2 * t->n_slots;
    gamma_slot *slots = calloc(n_slots, sizeof *slots);
    if (!slots)
        return error_out_of_memory(err);
    for (size_t i = 0; i < t->n_slots; i++) {
        if (t->slots[i].values)
            *locate(slots, n_slots, t->slots[i].a) = t->slots[i];
    }
    free(t->slots);
    t->slots = slots;
    t->n_slots = n_slots;
    return STATUS_OK;
}

status increment_tables_gamma(increment_tables *t, double a, const double **out, error_info *err) {
    gamma_slot *slot = locate(t->slots, t->n_slots, a);
    if (!slot->values) {
        if (2 * (t->used + 1) > t->n_slots) {
            CHECK(grow(t, err));
            slot = locate(t->slots, t->n_slots, a);
        }
        CHECK_ALLOC(slot->values = calloc(t->n_rows + 1, sizeof *slot->values));
        slot->a = a;
        for (size_t m = 0; m < t->n_rows; m++)
            slot->values[m] = log(a + (double)m);
        t->used++;
    }
    *out = slot->values;
    return STATUS_OK;
}

void increment_tables_trim(increment_tables *t) {
    if (t->used * t->n_rows > MOST_BYTES / sizeof(double))
        forget(t);
}
