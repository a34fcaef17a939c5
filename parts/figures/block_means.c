/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/figures/block_means.h"

#include "metrics/statistics/friedman.h"

#include <math.h>
#include <stdlib.h>

/* What block_means_create works on. */
typedef struct {
    const metric_values *metric;
    const grid_element *elements;
    size_t n_elements;
    failure_policy policy;
    bool *kept; /* n_replicates, of the element at hand */
} block_work;

void block_means_clear(block_means *b) {
    free(b->takers);
    free(b->elements);
    free(b->n_used);
    free(b->values);
    free(b->n_failed);
    *b = (block_means){0};
}

static size_t index_of(const block_work *w, size_t element, size_t replicate, size_t learner) {
    return result_grid_index(w->metric->grid, w->elements[element].place, w->elements[element].size, replicate,
                             learner);
}

static bool has_failed(const block_work *w, size_t element, size_t replicate, size_t learner) {
    value_state state = w->metric->states[index_of(w, element, replicate, learner)];
    return state == VALUE_FAILED || state == VALUE_TIMEOUT || state == VALUE_MEMORY;
}

/* Whether the learner says something on that data set: a value, or that it is worse than all. */
static bool is_there(const block_work *w, size_t element, size_t replicate, size_t learner) {
    if (w->policy == FAILURES_WORST && has_failed(w, element, replicate, learner))
        return true;
    return !isnan(w->metric->values[index_of(w, element, replicate, learner)]);
}

static bool takes_part(const block_work *w, size_t learner) {
    for (size_t e = 0; w->metric->applies[learner] && e < w->n_elements; e++) {
        for (size_t r = 0; r < w->metric->grid->n_replicates; r++) {
            if (is_there(w, e, r, learner))
                return true;
        }
    }
    return false;
}

static size_t choose_data_sets(const block_work *w, const block_means *b, size_t element) {
    size_t n = 0;
    for (size_t r = 0; r < w->metric->grid->n_replicates; r++) {
        w->kept[r] = b->n_takers > 0;
        for (size_t i = 0; i < b->n_takers && w->kept[r]; i++)
            w->kept[r] = is_there(w, element, r, b->takers[i]);
        n += w->kept[r];
    }
    return n;
}

static void fill_value(const block_work *w, block_means *b, size_t element, size_t taker) {
    size_t at = b->n_blocks * b->n_takers + taker, n = 0;
    double sum = 0;
    for (size_t r = 0; r < w->metric->grid->n_replicates; r++) {
        if (!w->kept[r])
            continue;
        b->n_failed[at] += has_failed(w, element, r, b->takers[taker]);
        sum += w->metric->values[index_of(w, element, r, b->takers[taker])];
        n++;
    }
    b->values[at] = w->policy == FAILURES_WORST && b->n_failed[at] > 0 ? NAN : sum / (double)n;
}

static void add_block(const block_work *w, block_means *b, size_t element) {
    size_t n = choose_data_sets(w, b, element);
    if (n == 0)
        return;
    for (size_t i = 0; i < b->n_takers; i++)
        fill_value(w, b, element, i);
    b->elements[b->n_blocks] = element;
    b->n_used[b->n_blocks++] = n;
    b->n_data_sets += n;
}

status block_means_create(const metric_values *metric, const grid_element *elements, size_t n_elements,
                          failure_policy policy, block_means *out, error_info *err) {
    size_t n_learners = metric->grid->n_learners;
    block_work w = {metric, elements, n_elements, policy, calloc(metric->grid->n_replicates + 1, sizeof *w.kept)};
    AUTO(block_means_clear) block_means b = {0};
    status st = STATUS_OK;
    TRY_ALLOC(w.kept);
    TRY_ALLOC(b.takers = calloc(n_learners + 1, sizeof *b.takers));
    TRY_ALLOC(b.elements = calloc(n_elements + 1, sizeof *b.elements));
    TRY_ALLOC(b.n_used = calloc(n_elements + 1, sizeof *b.n_used));
    TRY_ALLOC(b.values = calloc(n_elements * n_learners + 1, sizeof *b.values));
    TRY_ALLOC(b.n_failed = calloc(n_elements * n_learners + 1, sizeof *b.n_failed));
    for (size_t l = 0; l < n_learners; l++) {
        if (takes_part(&w, l))
            b.takers[b.n_takers++] = l;
    }
    for (size_t e = 0; e < n_elements; e++)
        add_block(&w, &b, e);
    *out = TAKE(b);
cleanup:
    free(w.kept);
    return st;
}

static void take_figures(const block_means *b, const double *mean_ranks, group_figure *figures) {
    for (size_t i = 0; i < b->n_takers; i++) {
        group_figure *f = &figures[b->takers[i]];
        *f = (group_figure){.takes_part = true, .value = mean_ranks[i], .n = b->n_data_sets};
        for (size_t block = 0; block < b->n_blocks; block++)
            f->n_imputed += b->n_failed[block * b->n_takers + i];
    }
}

status group_mean_ranks(const metric_values *metric, const grid_element *elements, size_t n_elements,
                        failure_policy policy, bool more_is_better, group_figure *figures, group_summary *summary,
                        error_info *err) {
    const rank_rule rule = {.more_is_better = more_is_better, .relative_tie = RANK_TIE};
    AUTO(block_means_clear) block_means b = {0};
    AUTO_FREE double *mean_ranks = NULL;
    friedman_result ignored;
    status st = STATUS_OK;
    *summary = (group_summary){0};
    for (size_t l = 0; l < metric->grid->n_learners; l++)
        figures[l] = (group_figure){.value = NAN};
    CHECK(block_means_create(metric, elements, n_elements, policy, &b, err));
    CHECK_ALLOC(mean_ranks = calloc(b.n_takers + 1, sizeof *mean_ranks));
    summary->n_kept = b.n_data_sets;
    if (b.n_blocks == 0)
        return st;
    if (b.n_takers < 2)
        mean_ranks[0] = 1;
    else
        CHECK(friedman_test(b.values, b.n_blocks, b.n_takers, &rule, mean_ranks, &ignored, err));
    take_figures(&b, mean_ranks, figures);
    return st;
}
