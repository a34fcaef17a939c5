/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tables and drawings say of the networks themselves. */
#include "runner/plan/network_source_internal.h"
#include "runner/runner.h"

#include "core/graph/graph_file.h"
#include "generators/catalogue/dataset_facts.h"
#include "runner/failed_in_paper.h"
#include "runner/network_probabilities_internal.h"
#include "runner/plan/world_internal.h"

#include <stdlib.h>
#include <string.h>

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* Nodes of the longest directed path, as Table 1 of Vandel et al. 2012 counts. */
static status longest_path(const dag *g, double *out, error_info *err) {
    size_t n = dag_node_count(g), longest = 0;
    AUTO_FREE size_t *order = calloc(n + 1, sizeof *order);
    AUTO_FREE size_t *length = calloc(n + 1, sizeof *length); /* of the longest path that ends there */
    CHECK_ALLOC(order);
    CHECK_ALLOC(length);
    CHECK(dag_topological_order(g, order, err));
    for (size_t i = 0; i < n; i++) {
        size_t node = order[i], n_parents = 0;
        const size_t *parents = dag_parents(g, node, &n_parents);
        for (size_t k = 0; k < n_parents; k++)
            length[node] = length[parents[k]] > length[node] ? length[parents[k]] : length[node];
        length[node]++;
        longest = length[node] > longest ? length[node] : longest;
    }
    *out = (double)longest;
    return STATUS_OK;
}

static status facts_of(const any_network *net, network_facts *out, error_info *err) {
    size_t n = any_network_node_count(net);
    AUTO_FREE size_t *n_children = calloc(n + 1, sizeof *n_children);
    AUTO_FREE size_t *n_around = calloc(n + 1, sizeof *n_around); /* parents and children */
    network_facts f = {.is_known = true, .n_variables = (double)n};
    CHECK_ALLOC(n_children);
    CHECK_ALLOC(n_around);
    for (size_t i = 0; i < n; i++) {
        double n_states = (double)any_network_variables(net)[i].n_states;
        size_t n_parents = 0;
        const size_t *parents = dag_parents(any_network_dag(net), i, &n_parents);
        f.states_min = i == 0 || n_states < f.states_min ? n_states : f.states_min;
        f.states_max = larger(f.states_max, n_states);
        f.states_mean += n_states / (double)n;
        f.n_edges += (double)n_parents;
        f.max_in_degree = larger(f.max_in_degree, (double)n_parents);
        f.pc_max = larger(f.pc_max, (double)(n_around[i] += n_parents));
        for (size_t k = 0; k < n_parents; k++) {
            f.max_out_degree = larger(f.max_out_degree, (double)++n_children[parents[k]]);
            f.pc_max = larger(f.pc_max, (double)++n_around[parents[k]]);
        }
    }
    f.parents_mean = n ? f.n_edges / (double)n : 0;
    f.pc_mean = 2 * f.parents_mean;
    CHECK(longest_path(any_network_dag(net), &f.longest_path, err));
    *out = f;
    return STATUS_OK;
}

/* The facts of a data set; distinct values are counted in continuous columns, as in Table V-10 of Fu 2005. */
static status facts_of_data(const dataset *data, network_facts *out, error_info *err) {
    dataset_facts f;
    CHECK(dataset_measure(data, &f, err));
    *out = (network_facts){.is_known = true,
                           .is_data = true,
                           .n_variables = (double)(f.discrete + f.continuous),
                           .sample_size = (double)f.rows,
                           .n_discrete = (double)f.discrete,
                           .n_continuous = (double)f.continuous,
                           .cardinality_min = (double)f.distinct_min,
                           .cardinality_max = (double)f.distinct_max,
                           .cardinality_mean = f.distinct_mean};
    return STATUS_OK;
}

/* A network that cannot be read stays unknown. */
static status read_data(experiment *e, size_t i, error_info *err) {
    world *w = NULL;
    error_info quiet = {0};
    status st = world_load(&e->sources[i], e->outputs.networks[i], &w, &quiet);
    if (st == STATUS_OK)
        st = facts_of_data(w->data, &e->outputs.facts[i], err);
    else
        st = st == STATUS_MEMORY ? error_set(err, st, "%s", quiet.message) : STATUS_OK;
    world_destroy(w);
    return st;
}

static bool is_drawn(const part_list *parts, const char *network) {
    for (size_t i = 0; i < parts->n; i++) {
        const char *drawn =
            parts->parts[i].kind->needs & PART_NEEDS_TRUTH ? part_text(&parts->parts[i], "network") : NULL;
        if (drawn && strcmp(drawn, network) == 0)
            return true;
    }
    return false;
}

static status graph_of(const any_network *net, char **out, error_info *err) {
    size_t n = any_network_node_count(net);
    AUTO_FREE const char **names = calloc(n + 1, sizeof *names);
    AUTO(text_buffer_clear) text_buffer text = {0};
    AUTO_PTR(pdag_destroy) pdag *g = NULL;
    CHECK_ALLOC(names);
    for (size_t i = 0; i < n; i++)
        names[i] = any_network_variables(net)[i].name;
    CHECK(pdag_from_dag(any_network_dag(net), &g, err));
    graph_append_csv(g, names, &text);
    CHECK(text_buffer_check(&text, err));
    *out = text.data;
    text = (text_buffer){0};
    return STATUS_OK;
}

/* One network, where it is wanted and can be read. */
static status read_network(experiment *e, size_t i, bool with_facts, error_info *err) {
    experiment_outputs *o = &e->outputs;
    bool with_graph = is_drawn(&e->parts, o->networks[i]);
    bool with_probabilities = network_probabilities_wanted(&e->parts, o->networks[i]);
    any_network net = {0};
    error_info quiet = {0};
    status st = STATUS_OK, answer;
    if (!with_facts && !with_graph && !with_probabilities)
        return STATUS_OK;
    if (e->sources[i].kind == SOURCE_DATA)
        return with_facts ? read_data(e, i, err) : STATUS_OK;
    answer = network_source_load(&e->sources[i], o->networks[i], &net, &quiet);
    if (answer == STATUS_MEMORY)
        return error_set(err, answer, "%s", quiet.message);
    if (answer == STATUS_OK && with_facts)
        st = facts_of(&net, &o->facts[i], err);
    if (answer == STATUS_OK && st == STATUS_OK && with_graph)
        st = graph_of(&net, &o->true_graphs[i], err);
    if (answer == STATUS_OK && st == STATUS_OK && with_probabilities)
        st = network_probabilities_add(&e->parts, o->networks[i], &net, o, err);
    any_network_clear(&net);
    return st;
}

static status read_networks(experiment *e, error_info *err) {
    experiment_outputs *o = &e->outputs;
    bool with_facts = (part_list_needs(&e->parts, PART_NEEDS_FACTS) || failures_need_facts(e)) && !o->facts;
    if ((!with_facts && !part_list_needs(&e->parts, PART_NEEDS_TRUTH | PART_NEEDS_PROBABILITIES)) || o->true_graphs)
        return STATUS_OK;
    if (with_facts)
        CHECK_ALLOC(o->facts = calloc(o->n_networks + 1, sizeof *o->facts));
    CHECK_ALLOC(o->true_graphs = calloc(o->n_networks + 1, sizeof *o->true_graphs));
    for (size_t i = 0; i < o->n_networks; i++)
        CHECK(read_network(e, i, with_facts, err));
    return STATUS_OK;
}

status runner_read_network_facts(experiment *e, error_info *err) {
    CHECK(read_networks(e, err));
    return failures_resolve(e, err);
}
