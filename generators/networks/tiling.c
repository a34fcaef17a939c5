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
    size_t *sizes; /* of a tile: numbers of states, ascending */
    size_t *n_new; /* new parents by [(tile - 1) * n_entries + entry], tiles from 0 */
    bayes_net *net;
} tiler;

static void tiler_clear(tiler *t) {
    free(t->order);
    free(t->entries);
    free(t->sizes);
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

static status sort_sizes(tiler *t, error_info *err) {
    CHECK_ALLOC(t->sizes = calloc(t->n, sizeof *t->sizes));
    for (size_t i = 0; i < t->n; i++) {
        size_t size = bayes_net_variable(t->base, i)->n_states, at = i;
        for (; at > 0 && t->sizes[at - 1] > size; at--)
            t->sizes[at] = t->sizes[at - 1];
        t->sizes[at] = size;
    }
    return STATUS_OK;
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
    return sort_sizes(t, err);
}

/* ---- how many new parents each entry gets ---- */

static status too_many_arcs(const tiler *t, size_t n_arcs, error_info *err) {
    return error_set(err, STATUS_INVALID,
                     "%zu arcs between %zu tiles of '%.100s' cannot be placed: %zu entries, %zu joint states of new "
                     "parents at most",
                     n_arcs, t->copies, bayes_net_name(t->base), t->n_entries * (t->copies - 1),
                     t->options.max_joint_states);
}

/* The most new parents that a node of the tile can have, by their joint states. */
static size_t most_parents(const tiler *t, size_t tile) {
    size_t n = 0, cells = 1, of_each = t->options.single_source ? 1 : tile;
    for (; n < t->n * of_each; n++) {
        cells *= t->sizes[n / of_each];
        if (cells > t->options.max_joint_states)
            break;
    }
    return n;
}

static size_t most_of_slot(const tiler *t, size_t slot) {
    return most_parents(t, slot / t->n_entries + 1);
}

/* What is too much for an entry goes to others that have room. */
static void level_out(tiler *t, size_t n_slots) {
    for (size_t i = 0; i < n_slots; i++) {
        while (t->n_new[i] > most_of_slot(t, i)) {
            size_t other = (size_t)random_below(t->random, n_slots);
            if (t->n_new[other] < most_of_slot(t, other)) {
                t->n_new[other]++;
                t->n_new[i]--;
            }
        }
    }
}

static status share_out(tiler *t, size_t n_arcs, error_info *err) {
    size_t n_slots = t->n_entries * (t->copies - 1), most, sum = 0, room = 0;
    for (size_t tile = 1; tile < t->copies && room < n_arcs; tile++)
        room += t->n_entries * most_parents(t, tile);
    if (n_arcs > room)
        return too_many_arcs(t, n_arcs, err);
    most = (2 * n_arcs + n_slots - 1) / n_slots;
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
    level_out(t, n_slots);
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

/* The joint states of n nodes of the span, none of the n_parents, the fewest that there are. */
static size_t fewest_states(const tiler *t, size_t first, size_t span, const size_t *parents, size_t n_parents,
                            size_t n) {
    size_t cells = 1;
    for (size_t size = 1; n > 0 && cells <= t->options.max_joint_states; size++) {
        for (size_t i = first; i < first + span && n > 0; i++) {
            if (bayes_net_variable(t->net, i)->n_states == size && !array_has_size(parents, n_parents, i)) {
                cells *= size;
                n--;
            }
        }
    }
    return cells;
}

/* The same, one by one, each such that the others find a place: for where sets that fit are rare. */
static void draw_fitting_nodes(tiler *t, size_t first, size_t span, size_t n, size_t *parents) {
    size_t cells = 1, least = 0;
    for (size_t p = 0; p < n; p++) {
        do {
            parents[p] = first + (size_t)random_below(t->random, span);
            least = cells * bayes_net_variable(t->net, parents[p])->n_states;
            if (least <= t->options.max_joint_states)
                least *= fewest_states(t, first, span, parents, p + 1, n - p - 1);
        } while (array_has_size(parents, p, parents[p]) || least > t->options.max_joint_states);
        cells *= bayes_net_variable(t->net, parents[p])->n_states;
    }
}

/* So many as most_parents allows at most. */
static void draw_parents(tiler *t, size_t tile, size_t n, size_t *parents) {
    size_t first = 0, span = 0;
    for (int i = 0; i < MOST_DRAWS; i++) {
        size_t source = (size_t)random_below(t->random, tile);
        first = t->options.single_source ? source * t->n : 0;
        span = t->options.single_source ? t->n : tile * t->n;
        if (draw_nodes(t, first, span, n, parents))
            return;
    }
    draw_fitting_nodes(t, first, span, n, parents);
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
    draw_parents(t, tile, n_parents, parents);
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

/* Some bytes of a variable, and of the name of a state. */
enum { VARIABLE_BYTES = 256, STATE_BYTES = 48, MOST_MEBIBYTES = 4096 };

static status check_size(const tiler *t, error_info *err) {
    double bytes = 0;
    for (size_t i = 0; i < t->n; i++) {
        double r = (double)bayes_net_variable(t->base, i)->n_states;
        bytes +=
            VARIABLE_BYTES + r * (STATE_BYTES + (double)bayes_net_configuration_count(t->base, i) * sizeof(double));
    }
    bytes *= (double)t->copies;
    if (bytes > (double)MOST_MEBIBYTES * (1 << 20))
        return error_set(err, STATUS_INVALID, "%zu tiles of '%.100s' would take some %.0f MiB; %d MiB are allowed",
                         t->copies, bayes_net_name(t->base), bytes / (1 << 20), MOST_MEBIBYTES);
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
    CHECK(check_size(&t, err));
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
