/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/figures/network_fact.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static const network_fact facts[] = {
    {"n_variables", "nodes", "variables", offsetof(network_facts, n_variables), true, true, false},
    {"n_edges", "edges", "edges", offsetof(network_facts, n_edges), true, true, false},
    {"states_min", NULL, "fewest states", offsetof(network_facts, states_min), true, true, false},
    {"states_max", NULL, "most states", offsetof(network_facts, states_max), true, true, false},
    {"states_mean", NULL, "mean states", offsetof(network_facts, states_mean), false, false, false},
    {"parents_mean", NULL, "mean parents", offsetof(network_facts, parents_mean), false, false, false},
    {"max_in_degree", NULL, "most parents", offsetof(network_facts, max_in_degree), true, false, false},
    {"max_out_degree", NULL, "most children", offsetof(network_facts, max_out_degree), true, false, false},
    {"longest_path", NULL, "nodes of the longest path", offsetof(network_facts, longest_path), true, false, false},
    {"pc_mean", NULL, "mean parents and children", offsetof(network_facts, pc_mean), false, false, false},
    {"pc_max", NULL, "most parents and children", offsetof(network_facts, pc_max), true, false, false},
    {"sample_size", NULL, "rows", offsetof(network_facts, sample_size), true, true, true},
    {"n_discrete", NULL, "discrete", offsetof(network_facts, n_discrete), true, true, true},
    {"n_continuous", NULL, "continuous", offsetof(network_facts, n_continuous), true, true, true},
    {"cardinality_max", NULL, "most values", offsetof(network_facts, cardinality_max), true, true, true},
    {"cardinality_min", NULL, "fewest values", offsetof(network_facts, cardinality_min), true, true, true},
    {"cardinality_mean", NULL, "mean values", offsetof(network_facts, cardinality_mean), false, true, true},
};
static_assert(sizeof facts / sizeof *facts == NETWORK_FACT_COUNT, "as many as the header says");

const network_fact *network_fact_at(size_t i) {
    return &facts[i];
}

const network_fact *network_fact_find(const char *name) {
    for (size_t i = 0; i < NETWORK_FACT_COUNT; i++) {
        if (strcmp(facts[i].name, name) == 0 || (facts[i].plain && strcmp(facts[i].plain, name) == 0))
            return &facts[i];
    }
    return NULL;
}

double network_fact_value(const network_fact *fact, const network_facts *of) {
    bool has_it = of->is_data == fact->is_of_data || fact->offset == offsetof(network_facts, n_variables);
    return of->is_known && has_it ? *(const double *)(const void *)((const char *)of + fact->offset) : (double)NAN;
}
