/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/networks/tiling.h"

#include "core/base/array.h"
#include "core/base/text.h"
#include "generators/sampling/joint.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_JOINT_STATES = 200, MOST_DRAWS = 100000, N_SAMPLES = 100000 };

static const joint_limits NEW_NETWORK = {.max_nodes = 150, .max_cells = (size_t)1 << 16};
static const joint_limits OWN_TILE = {.max_nodes = SIZE_MAX, .max_cells = (size_t)1 << 22};

tiling_options tiling_defaults(void) {
    return (tiling_options){.single_source = true, .max_joint_states = MAX_JOINT_STATES};
}

typedef struct {
    const bayes_net *base;
    size_t n, copies; /* nodes a tile */
    tiling_options options;
    random_stream *random;
    size_t *order;   /* of a tile, parents first */
    size_t *entries; /* nodes of the base without parents */
    size_t n_entries;
    size_t *n_new; /* new parents by [(tile - 1) * n_entries + entry], tiles from 0 */
    bayes_net *net;
} tiler;

static void tiler_clear(tiler *t) {
    free(t->order);
    free(t->entries);
    free(t->n_new);
    bayes_net_destroy(t->net);
}

/* ---- variables ---- */

/* The texts of all names: that of the network, then those of the variables, a NUL behind each. */
static status create_network(tiler *t, error_info *err) {
    size_t n = t->copies * t->n;
    AUTO_FREE variable *variables = calloc(n, sizeof *variables); /* shallow */
    AUTO(text_buffer_clear) text_buffer names = {0};
    char *name;
    CHECK_ALLOC(variables);
    text_append_format(&names, "%s%zu%c", bayes_net_name(t->base), t->copies, '\0');
    for (size_t i = 0; i < n; i++)
        text_append_format(&names, "T%zu_%s%c", i / t->n + 1, bayes_net_variable(t->base, i % t->n)->name, '\0');
    CHECK(text_buffer_check(&names, err));
    name = names.data;
    for (size_t i = 0; i < n; i++) {
        name += strlen(name) + 1;
        variables[i] = *bayes_net_variable(t->base, i % t->n);
        variables[i].name = name;
    }
    return bayes_net_create(names.data, variables, n, &t->net, err);
}

static status find_entries(tiler *t, error_info *err) {
    CHECK_ALLOC(t->order = calloc(t->n, sizeof *t->order));
    CHECK_ALLOC(t->entries = calloc(t->n, sizeof *t->entries));
    CHECK(dag_topological_order(bayes_net_dag(t->base), t->order, err));
    for (size_t i = 0; i < t->n; i++) {
        size_t count;
        (void)bayes_net_parents(t->base, i, &count);
        if (count == 0)
            t->entries[t->n_entries++] = i;
    }
    CHECK_ALLOC(t->n_new = calloc(t->copies * t->n_entries, sizeof *t->n_new));
    return STATUS_OK;
}

/* ---- how many new parents each entry gets ---- */

static status too_many_arcs(const tiler *t, size_t n_arcs, error_info *err) {
    return error_set(err, STATUS_INVALID,
                     "%zu arcs between %zu tiles of '%.100s' cannot be placed: %zu entries, %zu joint states of new "
                     "parents at most",
                     n_arcs, t->copies, bayes_net_name(t->base), t->n_entries * (t->copies - 1),
                     t->options.max_joint_states);
}

static status share_out(tiler *t, size_t n_arcs, error_info *err) {
    size_t n_slots = t->n_entries * (t->copies - 1), most, sum = 0;
    most = (2 * n_arcs + n_slots - 1) / n_slots;
    if (most > t->n)
        return too_many_arcs(t, n_arcs, err);
    for (size_t i = 0; i < n_slots; i++)
        sum += t->n_new[i] = (size_t)random_below(t->random, most + 1);
    while (sum != n_arcs) {
        size_t *slot = &t->n_new[random_below(t->random, n_slots)];
        if (sum > n_arcs && *slot > 0) {
            --*slot;
            sum--;
        } else if (sum < n_arcs && *slot < most) {
            ++*slot;
            sum++;
        }
    }
    return STATUS_OK;
}

/* ---- which ---- */

/* n distinct nodes of `span` from `first` on; false where they have too many joint states. */
static bool draw_nodes(tiler *t, size_t first, size_t span, size_t n, size_t *parents) {
    size_t cells = 1;
    for (size_t p = 0; p < n; p++) {
        do
            parents[p] = first + (size_t)random_below(t->random, span);
        while (array_has_size(parents, p, parents[p]));
        cells *= bayes_net_variable(t->net, parents[p])->n_states;
        if (cells > t->options.max_joint_states)
            return false;
    }
    return true;
}

static status draw_parents(tiler *t, size_t tile, size_t n, size_t *parents, error_info *err) {
    for (int i = 0; i < MOST_DRAWS; i++) {
        size_t source = (size_t)random_below(t->random, tile);
        size_t first = t->options.single_source ? source * t->n : 0;
        size_t span = t->options.single_source ? t->n : tile * t->n;
        if (draw_nodes(t, first, span, n, parents))
            return STATUS_OK;
    }
    return error_set(err, STATUS_INVALID, "no %zu variables with at most %zu joint states were found among the tiles",
                     n, t->options.max_joint_states);
}

/* ---- tables ---- */

static status find_joint(tiler *t, const size_t *parents, size_t n, double *joint, error_info *err) {
    bool done = false;
    AUTO_FREE size_t *own = NULL;
    CHECK(joint_exact(t->net, parents, n, &NEW_NETWORK, joint, &done, err));
    if (!done && t->options.single_source) {
        CHECK_ALLOC(own = calloc(n, sizeof *own));
        for (size_t p = 0; p < n; p++)
            own[p] = parents[p] % t->n;
        CHECK(joint_exact(t->base, own, n, &OWN_TILE, joint, &done, err));
    }
    if (!done)
        CHECK(joint_sampled(t->net, parents, n, N_SAMPLES, t->random, joint, err));
    return STATUS_OK;
}

static status fill_entry(tiler *t, size_t node, const size_t *parents, size_t n_parents, error_info *err) {
    size_t q = bayes_net_configuration_count(t->net, node), r = bayes_net_variable(t->net, node)->n_states;
    double *table = bayes_net_build_table(t->net, node);
    AUTO_FREE double *joint = calloc(q, sizeof *joint);
    CHECK_ALLOC(joint);
    CHECK(find_joint(t, parents, n_parents, joint, err));
    for (size_t i = 0; i < q * r; i++)
        table[i] = 1 - random_uniform(t->random); /* (0, 1] */
    return tiling_scale_table(joint, q, bayes_net_table(t->base, node % t->n), r, table, table, err);
}

static status add_entry(tiler *t, size_t tile, size_t node, size_t n_parents, error_info *err) {
    AUTO_FREE size_t *parents = calloc(n_parents, sizeof *parents);
    CHECK_ALLOC(parents);
    CHECK(draw_parents(t, tile, n_parents, parents, err));
    CHECK(bayes_net_set_parents(t->net, node, parents, n_parents, err));
    return fill_entry(t, node, parents, n_parents, err);
}

static status copy_family(tiler *t, size_t tile, size_t from, error_info *err) {
    size_t count, r = bayes_net_variable(t->base, from)->n_states, first = tile * t->n;
    const size_t *parents = bayes_net_parents(t->base, from, &count);
    AUTO_FREE size_t *shifted = calloc(count + 1, sizeof *shifted);
    CHECK_ALLOC(shifted);
    for (size_t p = 0; p < count; p++)
        shifted[p] = parents[p] + first;
    CHECK(bayes_net_set_parents(t->net, first + from, shifted, count, err));
    memcpy(bayes_net_build_table(t->net, first + from), bayes_net_table(t->base, from),
           bayes_net_configuration_count(t->base, from) * r * sizeof(double));
    return STATUS_OK;
}

static size_t new_parents_of(const tiler *t, size_t tile, size_t node) {
    for (size_t e = 0; tile > 0 && e < t->n_entries; e++) {
        if (t->entries[e] == node)
            return t->n_new[(tile - 1) * t->n_entries + e];
    }
    return 0;
}

static status add_tile(tiler *t, size_t tile, error_info *err) {
    for (size_t i = 0; i < t->n; i++) {
        size_t node = t->order[i], n_parents = new_parents_of(t, tile, node);
        CHECK(n_parents > 0 ? add_entry(t, tile, tile * t->n + node, n_parents, err) : copy_family(t, tile, node, err));
    }
    return STATUS_OK;
}

status tile_network(const bayes_net *base, size_t copies, size_t n_tile_arcs, const tiling_options *options,
                    random_stream *random, bayes_net **out, error_info *err) {
    AUTO(tiler_clear)
    tiler t = {.base = base,
               .n = bayes_net_node_count(base),
               .copies = copies,
               .options = options ? *options : tiling_defaults(),
               .random = random};
    if (copies < 2 || copies > SIZE_MAX / t.n)
        return error_set(err, STATUS_INVALID, "%zu tiles; there must be at least two", copies);
    CHECK(bayes_net_validate(base, err));
    CHECK(find_entries(&t, err));
    CHECK(create_network(&t, err));
    CHECK(share_out(&t, n_tile_arcs, err));
    for (size_t tile = 0; tile < copies; tile++)
        CHECK(add_tile(&t, tile, err));
    CHECK(bayes_net_validate(t.net, err));
    *out = t.net;
    t.net = NULL;
    return STATUS_OK;
}
