/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sources of associations for tests of constraint-based learners. */
#ifndef BNB_TESTS_SUPPORT_ORACLES_H
#define BNB_TESTS_SUPPORT_ORACLES_H

#include "tests/support/support.h"

#include "core/graph/pdag.h"
#include "core/run/run_context.h"
#include "metrics/tests/association.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline association strength(double s) {
    return s > 0 ? (association){.log_p = -s, .statistic = s} : (association){.is_zero = true};
}

/** 64 bits that depend on the pair, not its order, and on the set. */
static inline uint64_t question_hash(uint64_t seed, size_t x, size_t y, const size_t *z, size_t n_z) {
    random_key set = random_key_of(seed), pair;
    uint64_t sum = 0;
    for (size_t i = 0; i < n_z; i++)
        sum += random_key_number(set, z[i]).hash;
    pair = random_key_number(random_key_number(set, x < y ? x : y), x < y ? y : x);
    return random_key_number(pair, sum).hash;
}

/** d-separation in a DAG; connected pairs have a strength at random, or all the same (seed 0). */
typedef struct {
    const dag *g;
    uint64_t seed;
} separation_oracle;

static inline status measure_separation(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable,
                                        association *out, error_info *err) {
    const separation_oracle *o = self;
    bool separated = false;
    double s = o->seed ? 1 + (double)(question_hash(o->seed, x, y, z, n_z) % 1000) : 1;
    status st = dag_is_separated(o->g, x, y, z, n_z, &separated, err);
    *reliable = true;
    *out = strength(separated ? 0 : s);
    return st;
}

/** Anything at all: strengths by hash, zero with a probability; reliable while the table has no
 * more than `most` cells. */
typedef struct {
    uint64_t seed;
    double zero_probability;
    double most;       /* cells, variable v having hash_oracle_states(v) states */
    unsigned n_levels; /* of strength: few give ties */
} hash_oracle;

static inline size_t hash_oracle_states(size_t v) {
    return 2 + v % 3;
}

static inline status measure_hash(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable,
                                  association *out, error_info *err) {
    const hash_oracle *o = self;
    uint64_t h = question_hash(o->seed, x, y, z, n_z);
    double cells = (double)(hash_oracle_states(x) * hash_oracle_states(y));
    (void)err;
    for (size_t i = 0; i < n_z; i++)
        cells *= (double)hash_oracle_states(z[i]);
    *reliable = cells <= o->most;
    if (*reliable)
        *out = strength((double)(h % 1009) < 1009 * o->zero_probability ? 0 : 1 + (double)(h / 1009 % o->n_levels));
    return STATUS_OK;
}

/** Passes questions on and keeps those that were answered. */
typedef struct {
    size_t x, y, n_z, z[24];
} question;

typedef struct {
    association_source inner;
    question *asked;
    size_t n_asked, capacity;
    size_t n_refused;     /* unreliable */
    size_t fail_after;    /* answers, then STATUS_MEMORY; 0: never */
    run_context *expires; /* its deadline passes after ... */
    size_t expire_after;  /* ... that many answers */
} recorder;

static inline int compare_sizes(const void *a, const void *b) {
    size_t s = *(const size_t *)a, t = *(const size_t *)b;
    return s < t ? -1 : s > t;
}

static inline status measure_recorded(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable,
                                      association *out, error_info *err) {
    recorder *r = self;
    question q = {.x = x, .y = y, .n_z = n_z};
    if (r->fail_after && r->n_asked == r->fail_after)
        return error_out_of_memory(err);
    assert_true(n_z <= 24);
    if (n_z)
        memcpy(q.z, z, n_z * sizeof *z);
    qsort(q.z, n_z, sizeof *q.z, compare_sizes);
    CHECK(r->inner.measure(r->inner.self, x, y, z, n_z, reliable, out, err));
    r->n_refused += !*reliable;
    if (!*reliable)
        return STATUS_OK;
    if (r->n_asked == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 64;
        r->asked = reallocarray(r->asked, r->capacity, sizeof *r->asked);
        assert_non_null(r->asked);
    }
    r->asked[r->n_asked++] = q;
    if (r->expires && r->n_asked == r->expire_after)
        r->expires->deadline_s = -1;
    return STATUS_OK;
}

static inline association_source record(recorder *r, association_source inner) {
    r->inner = inner;
    r->n_asked = r->n_refused = 0;
    return (association_source){r, measure_recorded};
}

static inline int compare_questions(const void *a, const void *b) {
    const question *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    if (p->n_z != q->n_z)
        return p->n_z < q->n_z ? -1 : 1;
    for (size_t i = 0; i < p->n_z; i++) {
        if (p->z[i] != q->z[i])
            return p->z[i] < q->z[i] ? -1 : 1;
    }
    return 0;
}

/** Both asked the same questions, in any order, and neither asked one twice. */
static inline void assert_same_questions(recorder *a, recorder *b) {
    if (a->n_asked)
        qsort(a->asked, a->n_asked, sizeof *a->asked, compare_questions);
    if (b->n_asked)
        qsort(b->asked, b->n_asked, sizeof *b->asked, compare_questions);
    assert_int_equal(a->n_asked, b->n_asked);
    for (size_t i = 0; i < a->n_asked; i++) {
        assert_int_equal(compare_questions(&a->asked[i], &b->asked[i]), 0);
        assert_true(i == 0 || compare_questions(&a->asked[i - 1], &a->asked[i]) != 0);
    }
}

/** The graph's edges as "0-1 2-3", ascending; static text, good until the next call but one. */
static inline const char *edges_text(const pdag *g) {
    static char texts[2][4096];
    static int turn;
    char *text = texts[turn++ % 2];
    size_t length = 0, count;
    text[0] = '\0';
    for (size_t a = 0; a < pdag_node_count(g); a++) {
        const pdag_edge *edges = pdag_edges(g, a, &count);
        for (size_t i = 0; i < count; i++) {
            if (edges[i].node > a)
                length += (size_t)snprintf(text + length, sizeof texts[0] - length, "%s%zu-%zu", length ? " " : "", a,
                                           edges[i].node);
            assert_true(length < sizeof texts[0]);
        }
    }
    return text;
}

static inline void assert_undirected(const pdag *g) {
    assert_int_equal(pdag_directed_count(g), 0);
}

/* No edge that the whole graph lacks. */
static inline void assert_edges_of(const pdag *g, const pdag *whole) {
    for (size_t a = 0; a < pdag_node_count(g); a++) {
        for (size_t b = 0; b < pdag_node_count(g); b++) {
            if (a != b && pdag_edge_between(g, a, b) != EDGE_NONE)
                assert_int_equal(pdag_edge_between(whole, a, b), EDGE_UNDIRECTED);
        }
    }
}

/* Whichever test fails, the search that asks for tests of ten variables fails as it did. */
static inline void assert_failing_tests_fail(status (*learn)(association_source source, run_context *ctx, pdag **out,
                                                             error_info *err)) {
    for (size_t after = 1; after < 60; after++) {
        hash_oracle oracle = {7, 0.3, 1e9, 1000};
        recorder log = {.fail_after = after};
        run_context ctx;
        error_info err = {0};
        pdag *g = NULL;
        run_context_init(&ctx, 1);
        assert_int_equal(learn(record(&log, (association_source){&oracle, measure_hash}), &ctx, &g, &err),
                         STATUS_MEMORY);
        assert_null(g);
        free(log.asked);
    }
}

static inline pdag *skeleton_of_dag(const dag *g) {
    error_info err = {0};
    pdag *directed = NULL, *out = NULL;
    assert_ok(pdag_from_dag(g, &directed, &err), &err);
    assert_ok(pdag_skeleton(directed, &out, &err), &err);
    pdag_destroy(directed);
    return out;
}

#endif
