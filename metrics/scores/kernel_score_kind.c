/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel score as a kind of score. */
#include "metrics/scores/kernel_score.h"
#include "metrics/scores/score_internal.h"

static status open_kernel_score(const score_options *options, const dataset *data, void **state, error_info *err) {
    kernel_score *s = NULL;
    status st = kernel_score_create(data, &options->kernel, options->deadline, &s, err);
    if (st == STATUS_OK)
        *state = s;
    return st;
}

static status kernel_node(void *state, size_t x, const size_t *parents, size_t n_parents, double *out,
                          error_info *err) {
    return kernel_score_node(state, x, parents, n_parents, out, err);
}

static void close_kernel_score(void *state) {
    kernel_score_destroy(state);
}

const score_evaluator score_kernel = {open_kernel_score, kernel_node, close_kernel_score};
