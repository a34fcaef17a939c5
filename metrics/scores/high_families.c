/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/scores/high_families_internal.h"

#include "core/base/array.h"
#include "core/run/spin.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PREPARING, PREPARED, FAILED }; /* the state of a family */

struct high_families {
    const pair_tables *tables;
    const lane_columns *lanes;
    const bool *has_states;
    size_t n_columns;
    pthread_mutex_t lock;
    high_family **items;
    size_t n, capacity;
    size_t most;  /* items, unless more are held at once */
    size_t turns; /* how often a thread has come to one */
};

status high_families_create(const pair_tables *tables, const lane_columns *lanes, const bool *has_states,
                            size_t n_columns, size_t n_threads, high_families **out, error_info *err) {
    high_families *f;
    CHECK_ALLOC(f = calloc(1, sizeof *f));
    f->most = 2 * n_threads - 1; /* every thread but one may come back to one that it has left */
    f->tables = tables;
    f->lanes = lanes;
    f->has_states = has_states;
    f->n_columns = n_columns;
    (void)pthread_mutex_init(&f->lock, NULL);
    *out = f;
    return STATUS_OK;
}

static void family_destroy(high_family *family) {
    if (!family)
        return;
    row_cells_clear(&family->cells);
    free(family->parents);
    free(family);
}

AUTO_PTR_OF(high_family, family_destroy)

void high_families_destroy(high_families *f) {
    if (!f)
        return;
    for (size_t i = 0; i < f->n; i++)
        family_destroy(f->items[i]);
    free(f->items);
    (void)pthread_mutex_destroy(&f->lock);
    free(f);
}

bool high_family_is(const high_family *held, size_t x, const size_t *parents, size_t n_parents) {
    return held && held->x == x && held->n_parents == n_parents &&
           (n_parents == 0 || memcmp(held->parents, parents, n_parents * sizeof *parents) == 0);
}

/* --- with the lock --- */

/* One that somebody holds, or that is still as it was left. */
static high_family *find(const high_families *f, size_t x, const size_t *parents, size_t n_parents) {
    for (size_t i = 0; i < f->n; i++) {
        high_family *family = f->items[i];
        bool is_of_use = family->n_holders > 0 || atomic_load(&family->state) == PREPARED;
        if (is_of_use && high_family_is(family, x, parents, n_parents))
            return family;
    }
    return NULL;
}

static status add(high_families *f, high_family **out, error_info *err) {
    AUTO_PTR(family_destroy) high_family *family = NULL;
    CHECK(ARRAY_ROOM(f->items, f->n, f->capacity, err));
    CHECK_ALLOC(family = calloc(1, sizeof *family));
    CHECK_ALLOC(family->parents = calloc(f->n_columns + 1, sizeof *family->parents));
    CHECK(row_cells_init(&family->cells, f->tables, f->lanes, err));
    f->items[f->n++] = *out = TAKE(family);
    return STATUS_OK;
}

/* Of those that nobody holds, the one that was come to longest ago; NULL where all are held. */
static high_family *find_oldest(const high_families *f) {
    high_family *oldest = NULL;
    for (size_t i = 0; i < f->n; i++) {
        if (f->items[i]->n_holders == 0 && (!oldest || f->items[i]->turn < oldest->turn))
            oldest = f->items[i];
    }
    return oldest;
}

static status find_free(high_families *f, high_family **out, error_info *err) {
    *out = f->n < f->most ? NULL : find_oldest(f);
    return *out ? (status)STATUS_OK : add(f, out, err);
}

/* Into `*is_new`: the thread is to prepare it. */
static status hold(high_families *f, size_t x, const size_t *parents, size_t n_parents, high_family **out, bool *is_new,
                   error_info *err) {
    *out = find(f, x, parents, n_parents);
    *is_new = !*out;
    if (*is_new) {
        CHECK(find_free(f, out, err));
        (*out)->x = x;
        (*out)->n_parents = n_parents;
        if (n_parents > 0)
            memcpy((*out)->parents, parents, n_parents * sizeof *parents);
        atomic_store(&(*out)->state, PREPARING);
    }
    (*out)->n_holders++;
    (*out)->turn = ++f->turns;
    return STATUS_OK;
}

/* --- without it --- */

/* The floor leaves room for parents in another order, which tells in the last bits. */
static status fill(const high_families *f, high_family *family, score *s, error_info *err) {
    size_t x = family->x, n = family->n_parents;
    CHECK(score_node_fresh(s, x, family->parents, n, COUNTS_NO_EXTRA, &family->without, err));
    family->floor = family->without - (SCORE_TOLERANCE + 1e-14 * fabs(family->without));
    for (size_t r = 0; r <= HIGH_MOST_STATES; r++) {
        if (f->has_states[r])
            CHECK(score_ceiling_with(s, x, family->parents, n, r, &family->ceilings[r], err));
    }
    return row_cells_set(&family->cells, s, x, family->parents, n, err);
}

static status prepare(const high_families *f, high_family *family, score *s, error_info *err) {
    status st = fill(f, family, s, err);
    atomic_store(&family->state, st == STATUS_OK ? PREPARED : FAILED);
    return st;
}

/* Memory is all that preparing may lack. */
static status wait_for(high_family *family, error_info *err) {
    for (spin s = {0}; atomic_load(&family->state) == PREPARING;)
        spin_wait(&s);
    return atomic_load(&family->state) == PREPARED ? (status)STATUS_OK : error_out_of_memory(err);
}

status high_families_turn(high_families *f, high_family **held, score *s, size_t x, const size_t *parents,
                          size_t n_parents, error_info *err) {
    bool is_new;
    status st;
    if (high_family_is(*held, x, parents, n_parents))
        return STATUS_OK;
    high_families_release(f, held);
    spin_lock(&f->lock);
    st = hold(f, x, parents, n_parents, held, &is_new, err);
    (void)pthread_mutex_unlock(&f->lock);
    CHECK(st);
    st = is_new ? prepare(f, *held, s, err) : wait_for(*held, err);
    if (st != STATUS_OK)
        high_families_release(f, held);
    return st;
}

void high_families_release(high_families *f, high_family **held) {
    if (!*held)
        return;
    spin_lock(&f->lock);
    (*held)->n_holders--;
    (void)pthread_mutex_unlock(&f->lock);
    *held = NULL;
}
