/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/integrated/increments.h"

#include "core/base/array.h"
#include "core/base/hash.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BYTES = 1 << 26 };

struct increment_tables {
    size_t n_rows;
    double *m_log_m;
    double **gammas;
    size_t n, capacity;
    hash_table places; /* of the gammas, by a */
};

static void forget(increment_tables *t) {
    for (size_t i = 0; i < t->n; i++)
        free(t->gammas[i]);
    t->n = 0;
    hash_table_empty(&t->places);
}

void increment_tables_destroy(increment_tables *t) {
    if (!t)
        return;
    forget(t);
    free(t->gammas);
    hash_table_clear(&t->places);
    free(t->m_log_m);
    free(t);
}

static double m_log_m(size_t m) {
    return m ? (double)m * log((double)m) : 0;
}

status increment_tables_create(size_t n_rows, increment_tables **out, error_info *err) {
    AUTO_PTR(increment_tables_destroy) increment_tables *t = calloc(1, sizeof *t);
    CHECK_ALLOC(t);
    t->n_rows = n_rows;
    CHECK_ALLOC(t->m_log_m = calloc(n_rows + 1, sizeof *t->m_log_m));
    for (size_t m = 0; m < n_rows; m++)
        t->m_log_m[m] = m_log_m(m + 1) - m_log_m(m);
    *out = TAKE(t);
    return STATUS_OK;
}

const double *increment_tables_m_log_m(const increment_tables *t) {
    return t->m_log_m;
}

status increment_tables_gamma(increment_tables *t, double a, const double **out, error_info *err) {
    uint64_t hash = hash_real(a);
    size_t i = hash_find(&t->places, hash);
    if (i == HASH_NONE) {
        double *values;
        CHECK(ARRAY_ROOM(t->gammas, t->n, t->capacity, err));
        CHECK(hash_table_reserve(&t->places, t->n + 1, err));
        CHECK_ALLOC(values = calloc(t->n_rows + 1, sizeof *values));
        for (size_t m = 0; m < t->n_rows; m++)
            values[m] = log(a + (double)m);
        i = t->n++;
        t->gammas[i] = values;
        CHECK(hash_table_add(&t->places, hash, i, err));
    }
    *out = t->gammas[i];
    return STATUS_OK;
}

void increment_tables_trim(increment_tables *t) {
    if (t->n * t->n_rows > MOST_BYTES / sizeof(double))
        forget(t);
}
