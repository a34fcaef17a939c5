/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records by cell. */
#include "core/base/array.h"
#include "core/base/name_index.h"
#include "parts/figures/aggregate.h"

#include <stdlib.h>

size_t result_grid_index(const result_grid *grid, size_t place, size_t size, size_t replicate, size_t learner) {
    return ((place * grid->n_sizes + size) * grid->n_replicates + replicate) * grid->n_learners + learner;
}

value_state result_grid_state(const result_grid *grid, size_t index) {
    static const value_state states[] = {[JOB_DONE] = VALUE_DONE,
                                         [JOB_FAILED] = VALUE_FAILED,
                                         [JOB_TIMEOUT] = VALUE_TIMEOUT,
                                         [JOB_MEMORY] = VALUE_MEMORY};
    const job_record *r = grid->records[index];
    if (grid->failed_in_paper[index])
        return VALUE_FAILED;
    return r ? states[r->state] : VALUE_ABSENT;
}

void result_grid_clear(result_grid *grid) {
    free(grid->records);
    free(grid->failed_in_paper);
    *grid = (result_grid){0};
}

static status index_names(char *const *names, size_t n, name_index **out, error_info *err) {
    AUTO_PTR(name_index_destroy) name_index *index = NULL;
    CHECK(name_index_create(n, &index, err));
    for (size_t i = 0; i < n; i++)
        CHECK(name_index_add(index, names[i], i, NULL, err));
    *out = TAKE(index);
    return STATUS_OK;
}

static size_t find_size(const experiment_outputs *o, uint64_t n_samples) {
    for (size_t i = 0; i < o->n_sizes; i++) {
        if (outputs_is_size(o->sizes[i], n_samples))
            return i;
    }
    return NAME_NONE;
}

/* Without noise levels only data that were not made continuous are meant. */
static size_t find_sigma(const experiment_outputs *o, double sigma) {
    if (o->n_sigmas == 0)
        return sigma == 0 ? 0 : NAME_NONE;
    for (size_t i = 0; i < o->n_sigmas; i++) {
        if (o->sigmas[i] == sigma)
            return i;
    }
    return NAME_NONE;
}

static status count_cells(const result_grid *g, size_t *out, error_info *err) {
    const size_t factors[] = {g->n_places, g->n_sizes, g->n_replicates, g->n_learners};
    *out = 1;
    for (size_t i = 0; i < 4; i++) {
        if (__builtin_mul_overflow(*out, factors[i], out))
            return error_set(err, STATUS_MEMORY, "more cells than fit into memory");
    }
    return STATUS_OK;
}

static void mark_network(result_grid *g, size_t n_sigmas, size_t network, size_t size, size_t learner) {
    for (size_t i = 0; i < n_sigmas * g->n_replicates; i++) {
        size_t place = network * n_sigmas + i / g->n_replicates;
        g->failed_in_paper[result_grid_index(g, place, size, i % g->n_replicates, learner)] = true;
    }
}

/* Every data set of a cell that a failure of the paper names, run or not. */
static void mark_paper_failure(const experiment_outputs *o, const paper_failure *f, const name_index *networks,
                               size_t learner, result_grid *g) {
    for (size_t i = 0; i < f->n_networks; i++) {
        size_t network = name_index_find(networks, f->networks[i]);
        for (size_t size = 0; network != NAME_NONE && size < o->n_sizes; size++) {
            if (array_has_size(f->sizes, f->n_sizes, o->sizes[size]))
                mark_network(g, outputs_sigma_count(o), network, size, learner);
        }
    }
}

status result_grid_lay_out(const experiment_outputs *outputs, const job_record *records, size_t n, result_grid *out,
                           error_info *err) {
    AUTO(result_grid_clear)
    result_grid g = {.n_places = outputs_place_count(outputs),
                     .n_sizes = outputs->n_sizes,
                     .n_replicates = outputs->n_replicates,
                     .n_learners = outputs->n_learners};
    AUTO_PTR(name_index_destroy) name_index *networks = NULL, *learners = NULL;
    size_t n_cells;
    CHECK(count_cells(&g, &n_cells, err));
    CHECK_ALLOC(g.records = calloc(n_cells + 1, sizeof(job_record *)));
    CHECK_ALLOC(g.failed_in_paper = calloc(n_cells + 1, sizeof *g.failed_in_paper));
    CHECK(index_names(outputs->networks, outputs->n_networks, &networks, err));
    CHECK(index_names(outputs->learners, outputs->n_learners, &learners, err));
    for (size_t i = 0; i < n; i++) {
        size_t network = name_index_find(networks, records[i].network), size = find_size(outputs, records[i].n_samples);
        size_t learner = name_index_find(learners, records[i].learner), sigma = find_sigma(outputs, records[i].sigma);
        size_t at;
        if (network == NAME_NONE || size == NAME_NONE || learner == NAME_NONE || sigma == NAME_NONE ||
            records[i].replicate >= g.n_replicates)
            continue;
        at = result_grid_index(&g, network * outputs_sigma_count(outputs) + sigma, size, (size_t)records[i].replicate,
                               learner);
        g.n_doubled += g.records[at] != NULL;
        g.records[at] = &records[i];
    }
    for (size_t i = 0; i < outputs->n_paper_failures; i++) {
        size_t learner = name_index_find(learners, outputs->paper_failures[i].learner);
        if (learner != NAME_NONE)
            mark_paper_failure(outputs, &outputs->paper_failures[i], networks, learner, &g);
    }
    *out = TAKE(g);
    return STATUS_OK;
}
