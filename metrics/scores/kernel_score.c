/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The score of Bach and Jordan, Advances in Neural Information Processing Systems 15 (2003) 1009-1016: by the
 * determinants of correlations between features, which are kept by set. Those of equivalent DAGs cancel, so they score
 * alike.
 */
#include "metrics/scores/kernel_score.h"

#include "core/counting/tuple_cache.h"
#include "metrics/numerics/growing_factor_internal.h"
#include "metrics/scores/score_internal.h"

#include <math.h>
#include <stdlib.h>

/* Past so many sets no more are kept. */
enum { CACHE_MAX = 1 << 20 };

struct kernel_score {
    kernel_correlation r;
    /* Two factors, since a scan over candidate parents asks for A + a and for A + a + x in turn. */
    growing_factor *without, *with;
    tuple_cache *determinants; /* log |R_A| by A ascending */
    uint32_t *key;
    size_t *set;
};

void kernel_score_destroy(kernel_score *s) {
    if (!s)
        return;
    kernel_correlation_clear(&s->r);
    growing_factor_destroy(s->without);
    growing_factor_destroy(s->with);
    tuple_cache_destroy(s->determinants);
    free(s->key);
    free(s->set);
    free(s);
}

status kernel_score_create(const dataset *data, const kernel_options *options, const run_context *ctx,
                           kernel_score **out, error_info *err) {
    size_t p = dataset_column_count(data);
    AUTO_PTR(kernel_score_destroy) kernel_score *s = NULL;
    CHECK_ALLOC(s = calloc(1, sizeof *s));
    CHECK(kernel_correlation_create(data, options, ctx, &s->r, err));
    CHECK(growing_factor_create(&s->r, &s->without, err));
    CHECK(growing_factor_create(&s->r, &s->with, err));
    CHECK(tuple_cache_create(CACHE_MAX, &s->determinants, err));
    CHECK_ALLOC(s->key = calloc(p + 1, sizeof *s->key));
    CHECK_ALLOC(s->set = calloc(p + 1, sizeof *s->set));
    *out = TAKE(s);
    return STATUS_OK;
}

/* log |R_A| of the n columns in s->key, ascending; a single block is the identity. */
static status log_determinant(kernel_score *s, growing_factor *factor, size_t n, double *out, error_info *err) {
    const tuple_value *known;
    double value = 0;
    if (n > 1 && (known = tuple_cache_find(s->determinants, s->key, n))) {
        value = known->a;
    } else if (n > 1) {
        for (size_t i = 0; i < n; i++)
            s->set[i] = s->key[i];
        CHECK(growing_factor_log_determinant(factor, s->set, n, &value, err));
        tuple_cache_add(s->determinants, s->key, n, (tuple_value){value, 0});
    }
    *out = value;
    return STATUS_OK;
}

status kernel_score_information(kernel_score *s, size_t x, const size_t *parents, size_t n_parents, double *out,
                                error_info *err) {
    size_t n = 0;
    double without = 0, with = 0;
    if (kernel_correlation_size(&s->r, x) == 0 || n_parents == 0) {
        *out = 0;
        return STATUS_OK;
    }
    for (size_t i = 0; i < n_parents; i++)
        n = tuple_key_insert(s->key, 0, n, parents[i]);
    CHECK(log_determinant(s, s->without, n, &without, err));
    n = tuple_key_insert(s->key, 0, n, x);
    CHECK(log_determinant(s, s->with, n, &with, err));
    *out = (without - with) / 2;
    return STATUS_OK;
}

status kernel_score_node(kernel_score *s, size_t x, const size_t *parents, size_t n_parents, double *out,
                         error_info *err) {
    double n = (double)s->r.n_rows, information = 0, d_x = (double)kernel_correlation_size(&s->r, x), d_parents = 0;
    for (size_t i = 0; i < n_parents; i++)
        d_parents += (double)kernel_correlation_size(&s->r, parents[i]);
    CHECK(kernel_score_information(s, x, parents, n_parents, &information, err));
    *out = n * information - (n > 1 ? d_parents * d_x / 2 * log(n) : 0);
    return STATUS_OK;
}

/* --- as a kind of score --- */

typedef struct {
    kernel_options kernel;
} kgv_options;

static const option_spec options[] = {KERNEL_OPTION_ROWS(kgv_options, kernel), {0}};

static status open_kgv(const void *opts, const dataset *data, const run_context *ctx, void **state, error_info *err) {
    kernel_score *s = NULL;
    CHECK(kernel_score_create(data, opts, ctx, &s, err));
    *state = s;
    return STATUS_OK;
}

static status score_family(void *state, size_t x, const size_t *parents, size_t n_parents, double *out,
                           error_info *err) {
    return kernel_score_node(state, x, parents, n_parents, out, err);
}

static void close_kgv(void *state) {
    kernel_score_destroy(state);
}

const score_kind score_kgv = {
    .name = "kgv",
    .aliases = (const char *const[]){"bach", NULL},
    .summary = "mutual information in the feature space of a kernel, less half a log n a pair of features",
    .citation = "Bach and Jordan 2003, NIPS 15",
    .is_equivalent = true,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .options = options,
    .options_size = sizeof(kgv_options),
    .evaluator = &(const score_evaluator){open_kgv, score_family, close_kgv},
};
