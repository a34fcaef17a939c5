/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friedman's test at every sample size. */
#include "parts/tests/significance_internal.h"

#include "metrics/statistics/nemenyi.h"
#include "metrics/statistics/p_adjust.h"
#include "parts/figures/block_means.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one sample size works on; arrays of n learners that take part. */
typedef struct {
    const test_work *test;
    size_t size;
    block_means blocks;
    double *mean_ranks, *z, *p, *adjusted;
    size_t control;
} size_work;

static void clear(size_work *w) {
    block_means_clear(&w->blocks);
    free(w->mean_ranks);
    free(w->z);
    free(w->p);
    free(w->adjusted);
}

static status find_blocks(size_work *w, error_info *err) {
    const result_grid *g = &w->test->grid;
    grid_element *elements = calloc(g->n_places + 1, sizeof *elements);
    size_t n = g->n_learners + 1;
    status st = STATUS_OK;
    TRY_ALLOC(elements);
    for (size_t i = 0; i < g->n_places; i++)
        elements[i] = (grid_element){.place = i, .size = w->size};
    TRY(block_means_create(&w->test->values, elements, g->n_places, w->test->spec->failures, &w->blocks, err));
    TRY_ALLOC(w->mean_ranks = calloc(n, sizeof(double)));
    TRY_ALLOC(w->z = calloc(n, sizeof(double)));
    TRY_ALLOC(w->p = calloc(n, sizeof(double)));
    TRY_ALLOC(w->adjusted = calloc(n, sizeof(double)));
cleanup:
    free(elements);
    return st;
}

/* The declared control, or the best; STATUS_OK with `*there` false where the declared one has no value at this size. */
static bool find_control(size_work *w) {
    const test_spec *spec = w->test->spec;
    w->control = friedman_best(w->mean_ranks, w->blocks.n_takers);
    for (size_t i = 0; spec->control && i < w->blocks.n_takers; i++) {
        if (strcmp(w->test->view->learners[w->blocks.takers[i]], spec->control) == 0) {
            w->control = i;
            return true;
        }
    }
    return !spec->control;
}

static status adjust(size_work *w, error_info *err) {
    static const p_adjustment kinds[] = {[POST_HOC_HOLM] = ADJUST_HOLM,
                                         [POST_HOC_BONFERRONI] = ADJUST_BONFERRONI,
                                         [POST_HOC_BH] = ADJUST_BH,
                                         [POST_HOC_NONE] = ADJUST_NONE};
    size_t k = w->blocks.n_takers, n = 0;
    const test_spec *spec = w->test->spec;
    double *others = calloc(k + 1, sizeof *others);
    status st = STATUS_OK;
    TRY_ALLOC(others);
    for (size_t i = 0; i < k; i++) {
        if (i != w->control)
            others[n++] = w->p[i];
    }
    if (spec->post_hoc != POST_HOC_NEMENYI)
        TRY(p_adjust(kinds[spec->post_hoc], others, n, 0, others, err));
    n = 0;
    for (size_t i = 0; i < k; i++) {
        if (i == w->control)
            w->adjusted[i] = 1;
        else if (spec->post_hoc == POST_HOC_NEMENYI)
            w->adjusted[i] = nemenyi_p_value(w->mean_ranks[i] - w->mean_ranks[w->control], w->blocks.n_blocks, k);
        else
            w->adjusted[i] = others[n++];
    }
cleanup:
    free(others);
    return st;
}

static size_t count_failed_blocks(const block_means *b, size_t taker) {
    size_t n = 0;
    for (size_t i = 0; i < b->n_blocks; i++)
        n += isnan(b->values[i * b->n_takers + taker]) != 0;
    return n;
}

/* Friedman's own verdict does not matter here: the paper's marks, too, stand whether it rejects or not. */
static rank_mark mark_of(const size_work *w, size_t taker) {
    if (taker == w->control)
        return MARK_BEST;
    return w->adjusted[taker] > w->test->spec->alpha ? MARK_ALIKE : MARK_WORSE;
}

static void add_published(const size_work *w, significance *s, ranked_learner *l) {
    char samples[24];
    verdict_place at = {.network = "all", .sample_size = samples, .metric = w->test->spec->published_metric};
    (void)snprintf(samples, sizeof samples, "%zu", w->test->view->sizes[w->size]);
    l->published_rank = NAN;
    if (!w->test->published)
        return;
    l->published_mark = published_mark_find(w->test->published, &at, s->learners[l->learner], &l->published_rank);
    s->n_published += l->published_mark != MARK_NONE;
    s->n_agreed += l->published_mark != MARK_NONE && l->published_mark == l->mark;
}

static status take_learners(const size_work *w, significance *s, rank_comparison *out, error_info *err) {
    size_t k = w->blocks.n_takers;
    out->learners = calloc(k + 1, sizeof *out->learners);
    if (!out->learners)
        return error_out_of_memory(err);
    out->n_learners = k;
    for (size_t i = 0; i < k; i++) {
        out->learners[i] = (ranked_learner){.learner = w->blocks.takers[i],
                                            .mean_rank = w->mean_ranks[i],
                                            .z = w->z[i],
                                            .p_value = w->p[i],
                                            .adjusted = w->adjusted[i],
                                            .is_control = i == w->control,
                                            .mark = mark_of(w, i),
                                            .n_failed = count_failed_blocks(&w->blocks, i)};
        add_published(w, s, &out->learners[i]);
    }
    return STATUS_OK;
}

static status test_size(const test_work *test, size_t size, significance *s, rank_comparison *out, error_info *err) {
    const rank_rule rule = {.more_is_better = test->info && !test->info->less_is_better, .relative_tie = RANK_TIE};
    size_work w = {.test = test, .size = size};
    size_t k;
    status st = STATUS_OK;
    out->samples = test->view->sizes[size];
    TRY(find_blocks(&w, err));
    k = w.blocks.n_takers;
    out->n_blocks = w.blocks.n_blocks;
    if (out->n_blocks == 0 || k < 2)
        goto cleanup;
    TRY(friedman_test(w.blocks.values, out->n_blocks, k, &rule, w.mean_ranks, &out->test, err));
    if (!find_control(&w))
        goto cleanup;
    friedman_against(w.mean_ranks, out->n_blocks, k, w.control, w.z, w.p);
    TRY(adjust(&w, err));
    TRY(take_learners(&w, s, out, err));
    out->critical_difference =
        k <= NEMENYI_MOST ? nemenyi_critical_difference(test->spec->alpha, out->n_blocks, k) : NAN;
    out->has_test = true;
cleanup:
    clear(&w);
    return st;
}

status significance_rank(const test_work *w, significance *s, error_info *err) {
    CHECK_ALLOC(s->groups = calloc(w->grid.n_sizes + 1, sizeof *s->groups));
    for (; s->n_groups < w->grid.n_sizes; s->n_groups++)
        CHECK(test_size(w, s->n_groups, s, &s->groups[s->n_groups], err));
    return STATUS_OK;
}
