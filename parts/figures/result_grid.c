/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records by cell. */
#include "core/base/name_index.h"
#include "parts/figures/aggregate.h"

#include <stdlib.h>

size_t result_grid_index(const result_grid *grid, size_t place, size_t size, size_t replicate, size_t learner) {
    return ((place * grid->n_sizes + size) * grid->n_replicates + replicate) * grid->n_learners + learner;
}

void result_grid_clear(result_grid *grid) {
    free(grid->records);
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
    *out = g;
    g.records = NULL;
    return STATUS_OK;
}
