/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A test of a target and a candidate is asked once more if the candidate, as target, has the first one among its
 * candidates and the set among its members. What is independent of it without condition is neither, so that of most
 * tests nothing has to be kept.
 */
#include "learners/constraint/pmmpc_records_internal.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

/* Tests performed: past them memory would not stay bounded. */
enum { MOST_TESTS = 1 << 22 };

struct pmmpc_records {
    const decision_source *quick;
    tuple_cache *known; /* by pair and set */
    tuple_writer *writer;
    uint32_t *key;
    uint64_t n_tests, n_repeated;
};

/* --- the tests of one target --- */

void pmmpc_questions_clear(pmmpc_questions *q) {
    free(q->items);
    free(q->numbers);
    *q = (pmmpc_questions){0};
}

status pmmpc_questions_add(pmmpc_questions *q, size_t x, const size_t *z, size_t n_z, const association *value,
                           error_info *err) {
    pmmpc_question question = {x, q->n_numbers, n_z, q->n_performed, *value};
    if (q->n_numbers + n_z > q->numbers_capacity)
        CHECK(ARRAY_RESERVE(q->numbers, q->numbers_capacity, q->n_numbers + n_z, err));
    CHECK(ARRAY_PUSH(q->items, q->n, q->capacity, err, question));
    memcpy(q->numbers + q->n_numbers, z, n_z * sizeof *z);
    q->n_numbers += n_z;
    return STATUS_OK;
}

/* --- those of all --- */

status pmmpc_records_create(const decision_source *quick, size_t n_variables, pmmpc_records **out, error_info *err) {
    AUTO_PTR(pmmpc_records_destroy) pmmpc_records *r = NULL;
    CHECK_ALLOC(r = calloc(1, sizeof *r));
    r->quick = quick;
    CHECK_ALLOC(r->key = calloc(n_variables + 2, sizeof *r->key));
    CHECK(tuple_cache_create(MOST_TESTS, &r->known, err));
    CHECK_ALLOC(r->writer = tuple_cache_create_writer(r->known));
    *out = TAKE(r);
    return STATUS_OK;
}

void pmmpc_records_destroy(pmmpc_records *r) {
    if (!r)
        return;
    tuple_cache_destroy(r->known);
    free(r->key);
    free(r);
}

bool pmmpc_records_may_ask(const pmmpc_records *r, size_t x, const size_t *z, size_t n_z) {
    for (size_t i = 0; i < n_z; i++) {
        if (!r->quick->may_depend(r->quick->self, x, z[i]))
            return false;
    }
    return true;
}

bool pmmpc_records_find(const pmmpc_records *r, uint32_t *key, size_t x, size_t target, const size_t *z, size_t n_z,
                        association *out) {
    tuple_value value;
    bool is_there = tuple_cache_read(r->known, key, tuple_key_pair(key, x, target, z, n_z), &value);
    if (is_there)
        *out = pmmpc_unpack(&value);
    return is_there;
}

void pmmpc_records_add(pmmpc_records *r, size_t target, const pmmpc_questions *asked) {
    uint64_t n_repeated = 0;
    for (size_t i = 0; i < asked->n; i++) {
        const pmmpc_question *q = &asked->items[i];
        const size_t *z = asked->numbers + q->first;
        association known;
        if (q->x < target)
            n_repeated += pmmpc_records_find(r, r->key, q->x, target, z, q->n_z, &known);
        else if (r->n_tests + q->n_before - n_repeated < MOST_TESTS)
            tuple_cache_write(r->known, r->writer, r->key, tuple_key_pair(r->key, q->x, target, z, q->n_z),
                              pmmpc_pack(&q->value));
    }
    r->n_tests += asked->n_performed - n_repeated;
    r->n_repeated += n_repeated;
}

uint64_t pmmpc_records_count_repeated(const pmmpc_records *r) {
    return r->n_repeated;
}
