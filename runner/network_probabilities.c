/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/network_probabilities_internal.h"

#include "core/base/array.h"
#include "core/base/name_index.h"

#include <stdlib.h>
#include <string.h>

static bool is_of(const declared_part *p, const char *network) {
    const char *named = p->kind->needs & PART_NEEDS_PROBABILITIES ? part_text(p, "network") : NULL;
    return named && strcmp(named, network) == 0;
}

bool network_probabilities_wanted(const part_list *parts, const char *network) {
    for (size_t i = 0; i < parts->n; i++) {
        if (is_of(&parts->parts[i], network))
            return true;
    }
    return false;
}

/* "A = yes, B = no": the first parent varies fastest. */
static status name_configuration(const bayes_net *net, size_t node, size_t number, text_buffer *b, error_info *err) {
    size_t n_parents = 0;
    const size_t *parents = bayes_net_parents(net, node, &n_parents);
    for (size_t i = 0; i < n_parents; i++) {
        const variable *v = bayes_net_variable(net, parents[i]);
        text_append_format(b, "%s%s = %s", i ? ", " : "", v->name, v->states[number % v->n_states]);
        number /= v->n_states;
    }
    return text_buffer_check(b, err);
}

static status name_configurations(const bayes_net *net, size_t node, conditional_table *t, error_info *err) {
    size_t n = bayes_net_configuration_count(net, node);
    while (t->n_configurations < n) {
        AUTO(text_buffer_clear) text_buffer b = {0};
        CHECK(name_configuration(net, node, t->n_configurations, &b, err));
        CHECK(texts_add(&t->configurations, &t->n_configurations, b.data ? b.data : "", err));
    }
    return STATUS_OK;
}

static status fill(const bayes_net *net, size_t node, const char *network, conditional_table *t, error_info *err) {
    const variable *v = bayes_net_variable(net, node);
    size_t n_cells;
    CHECK_ALLOC(t->network = text_copy(network));
    CHECK_ALLOC(t->variable = text_copy(v->name));
    while (t->n_states < v->n_states)
        CHECK(texts_add(&t->states, &t->n_states, v->states[t->n_states], err));
    CHECK(name_configurations(net, node, t, err));
    n_cells = t->n_states * t->n_configurations;
    CHECK_ALLOC(t->values = calloc(n_cells + 1, sizeof *t->values));
    memcpy(t->values, bayes_net_table(net, node), n_cells * sizeof *t->values);
    return STATUS_OK;
}

static status add(const bayes_net *net, const char *network, const char *name, experiment_outputs *o, error_info *err) {
    size_t node = bayes_net_find_node(net, name);
    if (node == NAME_NONE)
        return STATUS_OK;
    CHECK(array_resize(&o->probabilities, o->n_probabilities + 1, sizeof *o->probabilities, err));
    o->probabilities[o->n_probabilities] = (conditional_table){0};
    return fill(net, node, network, &o->probabilities[o->n_probabilities++], err);
}

status network_probabilities_add(const part_list *parts, const char *network, const any_network *net,
                                 experiment_outputs *o, error_info *err) {
    for (size_t i = 0; net->tables && i < parts->n; i++) {
        const char *name = is_of(&parts->parts[i], network) ? part_text(&parts->parts[i], "variable") : NULL;
        if (name)
            CHECK(add(net->tables, network, name, o, err));
    }
    return STATUS_OK;
}
