/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/term_runs_internal.h"

#include "core/base/array.h"
#include "core/base/hash.h"
#include "core/run/shared_double.h"
#include "core/run/spin.h"
#include "metrics/numerics/log_tail.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHORT = 1 << 10,         /* most counts are small: a run starts with room for so many */
    LONGEST = (1 << 16) - 1, /* the greatest count of a run that is longer */
    DENSE = 64               /* a block with so many values is filled as a whole */
};

typedef struct {
    double *values; /* NULL: nobody holds it */
    size_t n_holders;
    _Atomic uint32_t n_filled; /* values, by one or another thread */
} run_block;

/* The first values that one thread was given stay while another one asks for more. */
struct term_run {
    double parameter, log_gamma;
    size_t capacity; /* of the long values */
    pthread_mutex_t lock;
    double *few, *all; /* SHORT values, and as many as can be asked for; NULL: none is made */
    size_t n_few, n_all;
    run_block *blocks; /* for every count below `capacity` */
    size_t n_blocks;
};

struct term_runs {
    size_t capacity; /* every count that can come is below it */
    pthread_mutex_t lock;
    term_run **runs;
    size_t n, n_room;
    hash_table places; /* of the runs, by parameter */
};

status term_runs_create(size_t max_count, term_runs **out, error_info *err) {
    term_runs *r;
    CHECK_ALLOC(r = calloc(1, sizeof *r));
    r->capacity = max_count + 1;
    (void)pthread_mutex_init(&r->lock, NULL);
    *out = r;
    return STATUS_OK;
}

static void destroy_run(term_run *run) {
    (void)pthread_mutex_destroy(&run->lock);
    for (size_t b = 0; b < run->n_blocks; b++)
        free(run->blocks[b].values);
    free(run->blocks);
    free(run->few);
    free(run->all);
    free(run);
}

void term_runs_destroy(term_runs *r) {
    if (!r)
        return;
    for (size_t i = 0; i < r->n; i++)
        destroy_run(r->runs[i]);
    (void)pthread_mutex_destroy(&r->lock);
    hash_table_clear(&r->places);
    free(r->runs);
    free(r);
}

/* --- a value --- */

double term_log_gamma(double parameter) {
    return parameter > 0 ? log_gamma(parameter) : 0;
}

/* Up to this count the product a (a + 1) ... (a + n - 1) is faster than a log-gamma, and exact where a is tiny. */
enum { PRODUCT_MAX = 8 };

double term_value(double parameter, double log_gamma_of_it, uint32_t n) {
    double a = parameter, product = 1;
    if (n == 0)
        return 0;
    if (a == 0)
        return n * log(n);
    if (n > PRODUCT_MAX && a <= LOG_GAMMA_LARGE)
        return log_gamma(a + n) - log_gamma_of_it;
    if (n > PRODUCT_MAX || a > 1e30) /* of which the product would overflow */
        return log_gamma_ratio(a, n);
    for (uint32_t i = 1; i < n; i++)
        product *= a + i;
    return log(a) + log(product); /* a apart: with a below 1e-290 the product could underflow */
}

/* --- a run --- */

static status make(const term_runs *r, double parameter, term_run **out, error_info *err) {
    AUTO_FREE term_run *run = calloc(1, sizeof *run);
    CHECK_ALLOC(run);
    run->parameter = parameter;
    run->log_gamma = term_log_gamma(parameter);
    run->capacity = r->capacity;
    run->n_blocks = (r->capacity - 1) / TERM_BLOCK + 1;
    CHECK_ALLOC(run->blocks = calloc(run->n_blocks, sizeof *run->blocks));
    (void)pthread_mutex_init(&run->lock, NULL);
    *out = TAKE(run);
    return STATUS_OK;
}

static status find_or_make(term_runs *r, double parameter, term_run **out, error_info *err) {
    uint64_t hash = hash_real(parameter);
    size_t i = hash_find(&r->places, hash);
    if (i == HASH_NONE) {
        CHECK(ARRAY_ROOM(r->runs, r->n, r->n_room, err));
        CHECK(hash_table_reserve(&r->places, r->n + 1, err));
        CHECK(make(r, parameter, &r->runs[r->n], err));
        i = r->n++;
        CHECK(hash_table_add(&r->places, hash, i, err));
    }
    *out = r->runs[i];
    return STATUS_OK;
}

status term_runs_find(term_runs *r, double parameter, term_run **out, error_info *err) {
    status st;
    spin_lock(&r->lock);
    st = find_or_make(r, parameter, out, err);
    (void)pthread_mutex_unlock(&r->lock);
    return st;
}

/* Values up to `most`; those that the run has elsewhere are copied. */
static double *fill(const term_run *run, double **values, size_t *n, size_t capacity, size_t most, const double *known,
                    size_t n_known) {
    if (!*values && !(*values = malloc(capacity * sizeof **values)))
        return NULL;
    if (*n < n_known) {
        memcpy(*values + *n, known + *n, (n_known - *n) * sizeof *known);
        *n = n_known;
    }
    for (; *n <= most; ++*n)
        (*values)[*n] = term_value(run->parameter, run->log_gamma, (uint32_t)*n);
    return *values;
}

double *term_run_first(term_run *run, uint32_t most) {
    double *values = NULL;
    spin_lock(&run->lock);
    if (most < SHORT)
        values = fill(run, &run->few, &run->n_few, SHORT, most, NULL, 0);
    else if (run->capacity <= LONGEST + 1)
        values = fill(run, &run->all, &run->n_all, run->capacity, most, run->few, run->n_few);
    (void)pthread_mutex_unlock(&run->lock);
    return values;
}

/* --- a block --- */

double *term_block_create(void) {
    double *values = malloc(TERM_BLOCK * sizeof *values);
    for (size_t i = 0; values && i < TERM_BLOCK; i++)
        values[i] = (double)NAN;
    return values;
}

double *term_run_hold(term_run *run, size_t b) {
    run_block *block = &run->blocks[b];
    double *values;
    spin_lock(&run->lock);
    if (!block->values)
        block->values = term_block_create();
    values = block->values;
    block->n_holders += values != NULL;
    (void)pthread_mutex_unlock(&run->lock);
    return values;
}

void term_run_release(term_run *run, size_t b) {
    run_block *block = &run->blocks[b];
    spin_lock(&run->lock);
    if (--block->n_holders == 0) {
        free(TAKE(block->values));
        atomic_store(&block->n_filled, 0);
    }
    (void)pthread_mutex_unlock(&run->lock);
}

static void fill_rest(const term_run *run, size_t b, double *values) {
    size_t first = b * TERM_BLOCK, left = run->capacity - first, n = left < TERM_BLOCK ? left : TERM_BLOCK;
    for (size_t i = 0; i < n; i++) {
        if (isnan(shared_double_get(&values[i])))
            shared_double_set(&values[i], term_value(run->parameter, run->log_gamma, (uint32_t)(first + i)));
    }
}

void term_run_keep(term_run *run, uint32_t n, double value, double *values) {
    size_t b = n >> TERM_BLOCK_BITS;
    shared_double_set(&values[n & (TERM_BLOCK - 1)], value);
    if (atomic_fetch_add_explicit(&run->blocks[b].n_filled, 1, memory_order_relaxed) + 1 == DENSE)
        fill_rest(run, b, values);
}
