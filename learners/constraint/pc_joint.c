/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tests of one end by several threads. Each of them goes through all sets, and of the tests given a set it makes
 * those whose set and other end together are columns of its own: the tests that differ only in which of some columns is
 * the other end have tables in common, which one thread counts. The threads go through the blocks of sets from
 * different ones on, so that what tests given one set have in common is mostly known when the second thread comes to
 * it.
 *
 * An end may so be tested given a set although one before it separates the end, as another thread finds later. What was
 * counted of such an end is wrong then, and all tests are counted anew.
 */
#include "core/base/array.h"
#include "core/run/atomic_least.h"
#include "learners/constraint/pc_search_internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 32 };

#define NONE SIZE_MAX

/* What the tests of one share have found, and room for blocks of sets. */
typedef struct {
    size_t *found; /* by open end: the number of the first set that separates it; NONE: no set does. And that set: */
    size_t *found_z;
    size_t *sets, *sums; /* sets, and of each the sum of its places in the pool */
    size_t found_z_capacity, sets_capacity;
} joint_share;

struct pc_joint {
    size_t x, size;
    double fewest; /* states of an open end */
    size_t *open, *places, n_open;
    atomic_size_t *first; /* by open end: the least number that a share has found so far */
    size_t n_shares;
    joint_share *shares;
};

/* A share on its way through the sets. */
typedef struct {
    pc_joint *joint;
    size_t number;
    joint_share *share;
    pc_search *s;
    set_walk walk;
    bool more;
    size_t n_before, n_sets; /* sets before those that are laid out, and these */
} passage;

void pc_joint_destroy(pc_joint *j) {
    if (!j)
        return;
    for (size_t i = 0; j->shares && i < j->n_shares; i++) {
        free(j->shares[i].found);
        free(j->shares[i].found_z);
        free(j->shares[i].sets);
        free(j->shares[i].sums);
    }
    free(j->shares);
    free(j->open);
    free(j->places);
    free(j->first);
    free(j);
}

status pc_joint_create(size_t n_variables, size_t n_shares, pc_joint **out, error_info *err) {
    AUTO_PTR(pc_joint_destroy) pc_joint *j = calloc(1, sizeof *j);
    CHECK_ALLOC(j);
    j->n_shares = n_shares;
    CHECK_ALLOC(j->shares = calloc(n_shares, sizeof *j->shares));
    CHECK_ALLOC(j->open = calloc(n_variables + 1, sizeof *j->open));
    CHECK_ALLOC(j->places = calloc(n_variables + 1, sizeof *j->places));
    CHECK_ALLOC(j->first = calloc(n_variables + 1, sizeof *j->first));
    for (size_t i = 0; i < n_shares; i++) {
        CHECK_ALLOC(j->shares[i].found = calloc(n_variables + 1, sizeof *j->shares[i].found));
        CHECK_ALLOC(j->shares[i].sums = calloc(n_shares * BLOCK, sizeof *j->shares[i].sums));
    }
    *out = TAKE(j);
    return STATUS_OK;
}

status pc_joint_begin(pc_joint *j, const pc_search *s, size_t x, double fewest, size_t size, error_info *err) {
    j->x = x;
    j->fewest = fewest;
    j->size = size;
    j->n_open = s->n_open;
    memcpy(j->open, s->open, s->n_open * sizeof *s->open);
    for (size_t k = 0; k < j->n_open; k++) {
        j->places[k] = array_count_below(s->pool, s->n_pool, j->open[k]);
        atomic_store(&j->first[k], NONE);
    }
    for (size_t i = 0; i < j->n_shares; i++) {
        joint_share *share = &j->shares[i];
        CHECK(ARRAY_RESERVE(share->sets, share->sets_capacity, j->n_shares * BLOCK * size, err));
        CHECK(ARRAY_RESERVE(share->found_z, share->found_z_capacity, j->n_open * size, err));
        for (size_t k = 0; k < j->n_open; k++)
            share->found[k] = NONE;
    }
    return STATUS_OK;
}

/* --- the tests of a share --- */

static void lay_sets(passage *p) {
    size_t size = p->joint->size;
    p->n_before += p->n_sets;
    for (p->n_sets = 0; p->more && p->n_sets < p->joint->n_shares * BLOCK; p->n_sets++) {
        size_t *set = p->share->sets + p->n_sets * size, sum = 0;
        for (size_t i = 0; i < size; i++) {
            set[i] = p->walk.pool[p->walk.places[i]];
            sum += p->walk.places[i];
        }
        p->share->sums[p->n_sets] = sum;
        p->more = set_walk_next(&p->walk);
    }
}

/* A set is tested on an end only if it comes before all that are known to separate it. */
static void keep(passage *p, size_t k, size_t number) {
    size_t size = p->joint->size;
    p->share->found[k] = number;
    memcpy(p->share->found_z + k * size, p->s->z, size * sizeof *p->s->z);
    atomic_least_lower(&p->joint->first[k], number);
}

static status test_set(passage *p, size_t i, error_info *err) {
    pc_joint *j = p->joint;
    size_t number = p->n_before + i;
    memcpy(p->s->z, p->share->sets + i * j->size, j->size * sizeof *p->s->z);
    for (size_t k = 0; k < j->n_open; k++) {
        bool independent, is_own = (p->share->sums[i] + j->places[k]) % j->n_shares == p->number;
        if (!is_own || atomic_load_explicit(&j->first[k], memory_order_relaxed) < number)
            continue;
        CHECK(pc_search_test_edge(p->s, j->x, j->open[k], j->size, &independent, err));
        if (independent)
            keep(p, k, number);
    }
    return STATUS_OK;
}

static status test_block(passage *p, size_t block, error_info *err) {
    for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < p->n_sets && !p->s->probe.is_expired; i++)
        CHECK(test_set(p, i, err));
    return STATUS_OK;
}

/* Is there an end that no set before number n separates? */
static bool is_open(const pc_joint *j, size_t n) {
    for (size_t k = 0; k < j->n_open; k++) {
        if (atomic_load_explicit(&j->first[k], memory_order_relaxed) >= n)
            return true;
    }
    return false;
}

status pc_joint_test(pc_joint *j, size_t share, pc_search *s, error_info *err) {
    passage p = {.joint = j,
                 .number = share,
                 .share = &j->shares[share],
                 .s = s,
                 .walk = pc_search_sets(s, j->x, j->fewest, j->size)};
    s->any_set = true;
    p.more = set_walk_first(&p.walk);
    while (p.more && !s->probe.is_expired && is_open(j, p.n_before + p.n_sets)) {
        lay_sets(&p);
        for (size_t i = 0; i < j->n_shares; i++)
            CHECK(test_block(&p, (share + i) % j->n_shares, err));
    }
    return STATUS_OK;
}

/* --- afterwards --- */

bool pc_joint_has_found(const pc_joint *j) {
    for (size_t k = 0; k < j->n_open; k++) {
        if (atomic_load(&j->first[k]) != NONE)
            return true;
    }
    return false;
}

static const size_t *set_of(const pc_joint *j, size_t k, size_t number) {
    size_t i = 0;
    while (j->shares[i].found[k] != number)
        i++;
    return j->shares[i].found_z + k * j->size;
}

status pc_joint_remove(const pc_joint *j, pc_search *s, error_info *err) {
    for (size_t k = 0; k < j->n_open; k++) {
        size_t first = atomic_load(&j->first[k]);
        if (first != NONE)
            CHECK(pc_search_remove_edge(s, j->x, j->open[k], set_of(j, k, first), j->size, err));
    }
    return STATUS_OK;
}

void pc_joint_count(const pc_joint *j, size_t share, pc_search *s) {
    set_walk w = pc_search_sets(s, j->x, j->fewest, j->size);
    bool more = set_walk_first(&w);
    for (size_t n = 0; more && is_open(j, n) && !association_probe_is_expired(&s->probe); n++) {
        for (size_t k = share; k < j->n_open; k += j->n_shares) {
            if (n <= atomic_load_explicit(&j->first[k], memory_order_relaxed))
                pc_search_count_test(s, j->x, j->open[k], j->size);
        }
        more = set_walk_next(&w);
    }
}
