/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which published figure belongs beside which regenerated one. */
#include "parts/tables/table_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_DIGITS = 24, MOST_NAMES = 2, N_COMBINATIONS = 8 };

/* The part of a paper's networks with which an aggregate over them can be compared: a few cannot be had. */
static const double least_part = 0.75;

/* The names to try for one key, in order; NULL where there are fewer. */
typedef struct {
    const char *names[MOST_NAMES];
} candidates;

static candidates network_candidates(const table_work *w, size_t group) {
    char *const *networks = w->outputs->networks;
    if (w->group_axis == AXIS_NETWORK)
        return (candidates){{networks[group], NULL}};
    if (w->outputs->n_networks == 1)
        return (candidates){{networks[0], "all"}};
    return (candidates){{"all", "all-real"}};
}

static candidates size_candidates(const table_work *w, size_t group, char digits[SIZE_DIGITS]) {
    bool is_one_size = w->group_axis == AXIS_SAMPLES ? group < w->n_groups : w->outputs->n_sizes == 1;
    size_t size;
    if (!is_one_size)
        return (candidates){{"average", w->group_axis == AXIS_NETWORK ? "all" : NULL}};
    size = w->outputs->sizes[w->group_axis == AXIS_SAMPLES ? group : 0];
    (void)snprintf(digits, SIZE_DIGITS, "%zu", size);
    return (candidates){{size == OUTPUTS_ALL_ROWS ? "n/a" : digits, NULL}};
}

static candidates metric_candidates(const table_work *w) {
    if (w->spec->published_metric)
        return (candidates){{w->spec->published_metric, NULL}};
    if (w->info && w->info->published)
        return (candidates){{w->info->published, w->spec->metric}};
    return (candidates){{w->spec->metric, NULL}};
}

static bool has_too_few_networks(const table_work *w, const char *network) {
    bool is_aggregate = strcmp(network, "all") == 0 || strcmp(network, "all-real") == 0;
    return is_aggregate && (double)w->outputs->n_networks < least_part * (double)published_network_count(w->published);
}

/* The first combination that the file answers. Returns how many rows did. */
static size_t find_figure(const table_work *w, size_t group, const char *algorithm, published_figure *out,
                          bool *is_incomparable) {
    char digits[SIZE_DIGITS];
    const candidates networks = network_candidates(w, group), sizes = size_candidates(w, group, digits);
    const candidates metrics = metric_candidates(w);
    for (size_t i = 0; i < N_COMBINATIONS; i++) {
        published_query query = {.network = networks.names[i / 4 % 2],
                                 .sample_size = sizes.names[i / 2 % 2],
                                 .metric = metrics.names[i % 2],
                                 .algorithm = algorithm,
                                 .normalised_by = w->spec->normalise_by};
        size_t n = query.network && query.sample_size && query.metric ? published_find(w->published, &query, out) : 0;
        if (n == 0)
            continue;
        *is_incomparable = has_too_few_networks(w, query.network);
        return n;
    }
    return 0;
}

static status add_figure(table_work *w, table *t, size_t group, size_t entry, error_info *err) {
    table_cell *cell = table_cell_at(t, group, entry);
    published_figure figure = {0};
    bool is_incomparable = false;
    size_t n = find_figure(w, group, w->entry_names[entry], &figure, &is_incomparable);
    w->n_ambiguous += n > 1;
    if (n != 1)
        return STATUS_OK;
    CHECK_ALLOC(cell->published = text_copy(figure.printed));
    cell->published_value = figure.value;
    cell->published_row = figure.row;
    cell->is_incomparable = is_incomparable;
    w->n_incomparable += is_incomparable;
    w->n_published++;
    if (!w->aggregation && *figure.aggregation)
        CHECK_ALLOC(w->aggregation = text_copy(figure.aggregation));
    return STATUS_OK;
}

status table_add_published(table_work *w, table *t, error_info *err) {
    for (size_t g = 0; w->published && g < w->n_groups + w->has_average; g++) {
        for (size_t i = 0; i < w->n_entries; i++)
            CHECK(add_figure(w, t, g, i, err));
    }
    return STATUS_OK;
}
