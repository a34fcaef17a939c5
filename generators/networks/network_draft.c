/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/networks/network_draft.h"

#include "core/base/array.h"
#include "core/base/text.h"
#include "core/graph/components.h"
#include "generators/networks/name_escape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FREE_CELLS ((uint64_t)1 << 24)

enum { CELLS_A_BYTE = 64 };

static const double COUNT_FROM = 1e-6, SCALE_FROM = 1e-10;

status network_draft_init(network_draft *d, size_t text_length, error_info *err) {
    d->cells_left = FREE_CELLS + (uint64_t)text_length * CELLS_A_BYTE;
    d->states_left = text_length;
    return name_index_create(0, &d->index, err);
}

void network_draft_clear(network_draft *d) {
    for (size_t i = 0; i < d->n; i++) {
        free(d->nodes[i].name);
        text_set_clear(&d->nodes[i].states);
        free(d->nodes[i].parents);
        free(d->nodes[i].table);
    }
    free(d->nodes);
    free(d->name);
    name_index_destroy(d->index);
}

static const char *shown_node(const draft_node *node, char shown[TEXT_SHOWN_SIZE]) {
    return text_show(node->name, strlen(node->name), shown);
}

/* ---- variables and states ---- */

status draft_add_node(network_draft *d, text_place place, const char *name, size_t length, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    size_t earlier;
    draft_node *node;
    CHECK(ARRAY_ROOM(d->nodes, d->n, d->capacity, err));
    node = &d->nodes[d->n];
    *node = (draft_node){.name = name_unescape(name, length), .declared = place};
    CHECK_ALLOC(node->name);
    CHECK(name_index_add(d->index, node->name, d->n++, &earlier, err));
    if (!*node->name)
        return text_place_error(place, err, "expected the name of a variable, found an empty one");
    if (earlier != NAME_NONE)
        return text_place_error(place, err, "a second variable named '%s'", shown_node(node, shown));
    return STATUS_OK;
}

status draft_add_state(network_draft *d, size_t node, text_place place, const char *state, size_t length,
                       error_info *err) {
    draft_node *v = &d->nodes[node];
    char shown[TEXT_SHOWN_SIZE], shown_state[TEXT_SHOWN_SIZE];
    AUTO_FREE char *name = name_unescape(state, length);
    CHECK_ALLOC(name);
    if (v->states.n == VARIABLE_MAX_STATES)
        return text_place_error(place, err, "variable '%s' has more than %u states", shown_node(v, shown),
                                VARIABLE_MAX_STATES);
    if (text_set_find(&v->states, name, strlen(name)) != NAME_NONE)
        return text_place_error(place, err, "variable '%s' has the state '%s' twice", shown_node(v, shown),
                                text_show(name, strlen(name), shown_state));
    return text_set_add(&v->states, name, strlen(name), err);
}

status draft_number_states(network_draft *d, size_t node, text_place place, size_t n, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    if (n == 0 || n > VARIABLE_MAX_STATES)
        return text_place_error(place, err, "variable '%s' has %zu states; it must have 1 to %u",
                                shown_node(&d->nodes[node], shown), n, VARIABLE_MAX_STATES);
    if (n > d->states_left)
        return text_place_error(place, err, "variable '%s' has %zu states, more than a file of this size could fill",
                                shown_node(&d->nodes[node], shown), n);
    d->states_left -= n;
    for (size_t k = 0; k < n; k++) {
        char state[24];
        (void)snprintf(state, sizeof state, "%zu", k);
        CHECK(draft_add_state(d, node, place, state, strlen(state), err));
    }
    return STATUS_OK;
}

status draft_find_node(const network_draft *d, text_place place, const char *name, size_t length, size_t *out,
                       error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    AUTO_FREE char *plain = name_unescape(name, length);
    CHECK_ALLOC(plain);
    *out = name_index_find(d->index, plain);
    if (*out == NAME_NONE)
        return text_place_error(place, err, "expected a declared variable, found '%s'",
                                text_show(plain, strlen(plain), shown));
    return STATUS_OK;
}

status draft_find_state(const network_draft *d, size_t node, text_place place, const char *state, size_t length,
                        size_t *out, error_info *err) {
    char shown[TEXT_SHOWN_SIZE], shown_state[TEXT_SHOWN_SIZE];
    AUTO_FREE char *plain = name_unescape(state, length);
    CHECK_ALLOC(plain);
    *out = text_set_find(&d->nodes[node].states, plain, strlen(plain));
    if (*out == NAME_NONE)
        return text_place_error(place, err, "'%s' is not a state of '%s'", text_show(plain, strlen(plain), shown_state),
                                shown_node(&d->nodes[node], shown));
    return STATUS_OK;
}

/* ---- tables ---- */

static status check_family(network_draft *d, size_t node, text_place place, const size_t *parents, size_t n,
                           error_info *err) {
    char shown[TEXT_SHOWN_SIZE], shown_child[TEXT_SHOWN_SIZE];
    size_t stamp = ++d->n_families;
    if (d->nodes[node].has_family)
        return text_place_error(place, err, "variable '%s' has a second table", shown_node(&d->nodes[node], shown));
    for (size_t i = 0; i < n; i++) {
        draft_node *parent = &d->nodes[parents[i]];
        if (parents[i] == node)
            return text_place_error(place, err, "variable '%s' is its own parent", shown_node(parent, shown));
        if (parent->stamp == stamp)
            return text_place_error(place, err, "'%s' is twice a parent of '%s'", shown_node(parent, shown),
                                    shown_node(&d->nodes[node], shown_child));
        parent->stamp = stamp;
    }
    return STATUS_OK;
}

/* Times the states of one more variable of the family. */
static status multiply(const network_draft *d, size_t node, size_t member, text_place place, uint64_t *cells,
                       error_info *err) {
    uint64_t r = d->nodes[member].states.n;
    char shown[TEXT_SHOWN_SIZE];
    if (r == 0)
        return text_place_error(place, err, "variable '%s' has no states", shown_node(&d->nodes[member], shown));
    if (*cells > BAYES_NET_MAX_CELLS / r)
        return text_place_error(place, err, "the table of '%s' has more than %llu cells, the most that is held",
                                shown_node(&d->nodes[node], shown), (unsigned long long)BAYES_NET_MAX_CELLS);
    *cells *= r;
    return STATUS_OK;
}

static status count_cells(network_draft *d, size_t node, text_place place, const size_t *parents, size_t n,
                          uint64_t *cells, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    *cells = 1;
    CHECK(multiply(d, node, node, place, cells, err));
    for (size_t i = 0; i < n; i++)
        CHECK(multiply(d, node, parents[i], place, cells, err));
    if (*cells > d->cells_left)
        return text_place_error(place, err,
                                "the table of '%s' has %llu cells, far more than a file of this size could fill",
                                shown_node(&d->nodes[node], shown), (unsigned long long)*cells);
    d->cells_left -= *cells;
    return STATUS_OK;
}

status draft_set_parents(network_draft *d, size_t node, text_place place, const size_t *parents, size_t n_parents,
                         error_info *err) {
    draft_node *v = &d->nodes[node];
    uint64_t cells;
    CHECK(check_family(d, node, place, parents, n_parents, err));
    CHECK(count_cells(d, node, place, parents, n_parents, &cells, err));
    v->given = place;
    v->has_family = true;
    v->n_parents = n_parents;
    v->q = (size_t)cells / v->states.n;
    CHECK_ALLOC(v->parents = calloc(n_parents + 1, sizeof *v->parents));
    if (n_parents > 0)
        memcpy(v->parents, parents, n_parents * sizeof *parents);
    CHECK_ALLOC(v->table = calloc((size_t)cells, sizeof *v->table));
    return STATUS_OK;
}

bool network_row_scale(double *row, size_t n, double *sum, size_t *n_scaled) {
    double off;
    *sum = 0;
    for (size_t k = 0; k < n; k++)
        *sum += row[k];
    off = fabs(*sum - 1);
    if (!(off <= NETWORK_ROW_REFUSED_FROM))
        return false;
    *n_scaled += off > COUNT_FROM;
    for (size_t k = 0; off > SCALE_FROM && k < n; k++)
        row[k] /= *sum;
    return true;
}

/* From a place among rows in which the last parent varies fastest to that in which the first does. */
static size_t row_of_place(const network_draft *d, const draft_node *v, size_t place) {
    size_t row = 0, stride = v->q;
    for (size_t p = v->n_parents; p-- > 0;) {
        size_t r = d->nodes[v->parents[p]].states.n;
        stride /= r;
        row += place % r * stride;
        place /= r;
    }
    return row;
}

size_t network_row_of_place(const bayes_net *net, size_t node, size_t place) {
    size_t n, row = 0, stride = bayes_net_configuration_count(net, node);
    const size_t *parents = bayes_net_parents(net, node, &n);
    for (size_t p = n; p-- > 0;) {
        size_t r = bayes_net_variable(net, parents[p])->n_states;
        stride /= r;
        row += place % r * stride;
        place /= r;
    }
    return row;
}

/* `row` is that of the table. */
static status put_row(network_draft *d, size_t node, text_place place, size_t row, const double *values,
                      error_info *err) {
    draft_node *v = &d->nodes[node];
    size_t r = v->states.n;
    double sum, *to = v->table + row * r;
    char shown[TEXT_SHOWN_SIZE];
    memcpy(to, values, r * sizeof *to);
    for (size_t k = 0; k < r; k++) {
        if (!(to[k] >= 0) || !isfinite(to[k]))
            return text_place_error(place, err, "a probability of '%s' is %.10g; it must lie between 0 and 1",
                                    shown_node(v, shown), to[k]);
        to[k] = fabs(to[k]); /* -0 */
    }
    if (!network_row_scale(to, r, &sum, &d->n_scaled))
        return text_place_error(place, err, "a row of '%s' sums to %.10g; expected one, within %g",
                                shown_node(v, shown), sum, NETWORK_ROW_REFUSED_FROM);
    return STATUS_OK;
}

status draft_set_row(network_draft *d, size_t node, text_place place, size_t row, const double *values,
                     error_info *err) {
    return put_row(d, node, place, row_of_place(d, &d->nodes[node], row), values, err);
}

status draft_set_table(network_draft *d, size_t node, text_place place, const double *values, size_t n, unsigned order,
                       error_info *err) {
    draft_node *v = &d->nodes[node];
    size_t r = v->states.n;
    char shown[TEXT_SHOWN_SIZE];
    AUTO_FREE double *row = calloc(r, sizeof *row);
    CHECK_ALLOC(row);
    if (n != v->q * r)
        return text_place_error(place, err, "expected %zu probabilities for '%s', found %zu", v->q * r,
                                shown_node(v, shown), n);
    for (size_t j = 0; j < v->q; j++) {
        for (size_t k = 0; k < r; k++)
            row[k] = values[order & DRAFT_CHILD_SLOWEST ? k * v->q + j : j * r + k];
        CHECK(put_row(d, node, place, order & DRAFT_FIRST_PARENT_FASTER ? j : row_of_place(d, v, j), row, err));
    }
    return STATUS_OK;
}

/* ---- the network ---- */

static status check_complete(const network_draft *d, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    if (d->n == 0)
        return error_set(err, STATUS_PARSE, "expected a variable, found none");
    for (size_t i = 0; i < d->n; i++) {
        const draft_node *v = &d->nodes[i];
        if (!v->has_family)
            return text_place_error(v->declared, err, "expected probabilities for variable '%s', found none",
                                    shown_node(v, shown));
    }
    return STATUS_OK;
}

static size_t next_parent(const void *self, size_t node, size_t *k) {
    const draft_node *v = &((const network_draft *)self)->nodes[node];
    return *k < v->n_parents ? v->parents[(*k)++] : COMPONENTS_NO_EDGE;
}

static status report_cycle(const network_draft *d, const size_t *nodes, size_t n, error_info *err) {
    char shown[TEXT_SHOWN_SIZE], shown_parent[TEXT_SHOWN_SIZE];
    const draft_node *v = &d->nodes[nodes[0]];
    size_t p = 0;
    while (!array_has_size(nodes, n, v->parents[p]))
        p++;
    return text_place_error(v->given, err, "the arc '%s' -> '%s' closes a cycle",
                            shown_node(&d->nodes[v->parents[p]], shown_parent), shown_node(v, shown));
}

/* Parents before children. */
static status order_nodes(const network_draft *d, size_t *order, error_info *err) {
    AUTO_FREE size_t *ends = calloc(d->n, sizeof *ends);
    size_t n_components;
    CHECK_ALLOC(ends);
    CHECK(components_find(d, d->n, next_parent, order, ends, &n_components, err));
    for (size_t c = 0, from = 0; c < n_components; from = ends[c++]) {
        if (ends[c] - from > 1)
            return report_cycle(d, order + from, ends[c] - from, err);
    }
    return STATUS_OK;
}

static status move_table(draft_node *v, bayes_net *net, size_t i, error_info *err) {
    CHECK(bayes_net_set_parents(net, i, v->parents, v->n_parents, err));
    memcpy(bayes_net_build_table(net, i), v->table, v->q * v->states.n * sizeof *v->table);
    free(v->table);
    v->table = NULL;
    return STATUS_OK;
}

status draft_build(network_draft *d, const char *name, bayes_net **out, error_info *err) {
    AUTO_FREE size_t *order = NULL;
    AUTO_FREE variable *variables = NULL; /* shallow */
    AUTO_PTR(bayes_net_destroy) bayes_net *net = NULL;
    bool has_name = d->name && *d->name && strcmp(d->name, "unknown") != 0;
    CHECK(check_complete(d, err));
    CHECK_ALLOC(order = calloc(d->n, sizeof *order));
    CHECK_ALLOC(variables = calloc(d->n, sizeof *variables));
    CHECK(order_nodes(d, order, err));
    for (size_t i = 0; i < d->n; i++)
        variables[i] = (variable){d->nodes[i].name, VARIABLE_DISCRETE, d->nodes[i].states.n, d->nodes[i].states.texts};
    CHECK(bayes_net_create(has_name ? d->name : name, variables, d->n, &net, err));
    for (size_t i = 0; i < d->n; i++)
        CHECK(move_table(&d->nodes[order[i]], net, order[i], err));
    CHECK(bayes_net_validate(net, err));
    *out = TAKE(net);
    return STATUS_OK;
}
