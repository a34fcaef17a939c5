/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/sampling/joint.h"

#include "core/base/array.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- the ancestors, parents before children ---- */

typedef struct {
    const bayes_net *net;
    size_t *nodes; /* in topological order */
    size_t n;
    uint8_t *is_in; /* by node of the network */
} ancestry;

static void ancestry_clear(ancestry *a) {
    free(a->nodes);
    free(a->is_in);
}

static size_t states_of(const bayes_net *net, size_t node) {
    return bayes_net_variable(net, node)->n_states;
}

static size_t joint_states(const bayes_net *net, const size_t *nodes, size_t n) {
    size_t cells = 1;
    for (size_t i = 0; i < n; i++)
        cells *= states_of(net, nodes[i]);
    return cells;
}

/* Depth first, upwards; a node is written down when all of its parents are. */
static void visit_all(ancestry *a, size_t *stack, size_t *next_parent, const size_t *nodes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t depth = 0;
        if (a->is_in[nodes[i]])
            continue;
        a->is_in[nodes[i]] = 1;
        stack[depth++] = nodes[i];
        while (depth > 0) {
            size_t node = stack[depth - 1], count;
            const size_t *parents = bayes_net_parents(a->net, node, &count);
            if (next_parent[node] == count) {
                a->nodes[a->n++] = node;
                depth--;
                continue;
            }
            node = parents[next_parent[node]++];
            if (!a->is_in[node]) {
                a->is_in[node] = 1;
                stack[depth++] = node;
            }
        }
    }
}

static status find_ancestry(const bayes_net *net, const size_t *nodes, size_t n, ancestry *a, error_info *err) {
    size_t n_nodes = bayes_net_node_count(net);
    AUTO_FREE size_t *stack = calloc(n_nodes, sizeof *stack), *next_parent = calloc(n_nodes, sizeof *next_parent);
    a->net = net;
    CHECK_ALLOC(stack);
    CHECK_ALLOC(next_parent);
    CHECK_ALLOC(a->nodes = calloc(n_nodes, sizeof *a->nodes));
    CHECK_ALLOC(a->is_in = calloc(n_nodes, sizeof *a->is_in));
    visit_all(a, stack, next_parent, nodes, n);
    return STATUS_OK;
}

/* ---- factors ---- */

/* A function of some nodes; the first varies fastest. A borrowed one points into the network. */
typedef struct {
    size_t *nodes;
    size_t n;
    double *owned;
    const double *values;
} factor;

static void factor_clear(factor *f) {
    free(f->nodes);
    free(f->owned);
    *f = (factor){0};
}

typedef struct {
    const bayes_net *net;
    factor *factors;
    size_t n, capacity;
    uint32_t *mark; /* by node: the number of the last union that it came into */
    uint32_t n_unions;
    size_t *members; /* of the union found last */
    size_t n_members;
} elimination;

static void elimination_clear(elimination *e) {
    for (size_t i = 0; i < e->n; i++)
        factor_clear(&e->factors[i]);
    free(e->factors);
    free(e->mark);
    free(e->members);
}

static bool holds(const factor *f, size_t node) {
    return array_has_size(f->nodes, f->n, node);
}

/* P(node | parents): in the table the node varies fastest, then its parents. */
static status add_family(elimination *e, size_t node, error_info *err) {
    size_t count;
    const size_t *parents = bayes_net_parents(e->net, node, &count);
    factor *f = &e->factors[e->n];
    CHECK_ALLOC(f->nodes = calloc(count + 1, sizeof *f->nodes));
    f->n = count + 1;
    f->nodes[0] = node;
    for (size_t p = 0; p < count; p++)
        f->nodes[p + 1] = parents[p];
    f->values = bayes_net_table(e->net, node);
    e->n++;
    return STATUS_OK;
}

/* The nodes of the factors that hold `node` (of all for SIZE_MAX), without it; returns their joint states, at most
 * `most` + 1. */
static size_t unite(elimination *e, size_t node, size_t most) {
    size_t cells = 1;
    e->n_unions++;
    e->n_members = 0;
    for (size_t i = 0; i < e->n; i++) {
        const factor *f = &e->factors[i];
        if (node != SIZE_MAX && !holds(f, node))
            continue;
        for (size_t k = 0; k < f->n; k++) {
            size_t r = states_of(e->net, f->nodes[k]);
            if (f->nodes[k] == node || e->mark[f->nodes[k]] == e->n_unions)
                continue;
            e->mark[f->nodes[k]] = e->n_unions;
            e->members[e->n_members++] = f->nodes[k];
            if (cells > most / r)
                return most + 1;
            cells *= r;
        }
    }
    return cells;
}

/* How far a step of each scope variable moves within a factor: 0 where the factor does not hold it. */
static void strides_within(const bayes_net *net, const factor *f, const size_t *scope, size_t n, size_t *strides) {
    for (size_t i = 0; i < n; i++) {
        size_t stride = 1, k = 0;
        while (k < f->n && f->nodes[k] != scope[i])
            stride *= states_of(net, f->nodes[k++]);
        strides[i] = k < f->n ? stride : 0;
    }
}

/* values[cell] *= f, over all cells of the scope, its first variable fastest. */
static status multiply(const bayes_net *net, const factor *f, const size_t *scope, size_t n, double *values,
                       size_t cells, error_info *err) {
    AUTO_FREE size_t *strides = calloc(n + 1, sizeof *strides), *at = calloc(n + 1, sizeof *at);
    size_t place = 0;
    CHECK_ALLOC(strides);
    CHECK_ALLOC(at);
    strides_within(net, f, scope, n, strides);
    for (size_t cell = 0; cell < cells; cell++) {
        values[cell] *= f->values[place];
        for (size_t i = 0; i < n; i++) {
            place += strides[i];
            if (++at[i] < states_of(net, scope[i]))
                break;
            place -= strides[i] * at[i];
            at[i] = 0;
        }
    }
    return STATUS_OK;
}

/* The product of the factors that hold `node` (of all for SIZE_MAX) over the scope; those factors are removed. */
static status take_product(elimination *e, size_t node, const size_t *scope, size_t n, double *values, size_t cells,
                           error_info *err) {
    size_t kept = 0;
    status st = STATUS_OK;
    for (size_t i = 0; i < cells; i++)
        values[i] = 1;
    for (size_t i = 0; i < e->n; i++) {
        if (node != SIZE_MAX && !holds(&e->factors[i], node)) {
            e->factors[kept++] = e->factors[i];
            continue;
        }
        if (st == STATUS_OK)
            st = multiply(e->net, &e->factors[i], scope, n, values, cells, err);
        factor_clear(&e->factors[i]);
    }
    e->n = kept;
    return st;
}

/* Replaces the factors that hold the node by their product summed over it. */
static status sum_out(elimination *e, size_t node, size_t most, error_info *err) {
    size_t r = states_of(e->net, node), cells = unite(e, node, most), n = e->n_members;
    AUTO_FREE size_t *scope = calloc(n + 1, sizeof *scope);
    AUTO_FREE double *product = calloc(cells * r, sizeof *product), *sums = calloc(cells, sizeof *sums);
    CHECK_ALLOC(scope);
    CHECK_ALLOC(product);
    CHECK_ALLOC(sums);
    scope[0] = node; /* fastest: each sum is over neighbours */
    memcpy(scope + 1, e->members, n * sizeof *scope);
    CHECK(take_product(e, node, scope, n + 1, product, cells * r, err));
    for (size_t cell = 0; cell < cells; cell++) {
        for (size_t k = 0; k < r; k++)
            sums[cell] += product[cell * r + k];
    }
    memmove(scope, scope + 1, n * sizeof *scope);
    e->factors[e->n++] = (factor){scope, n, sums, sums};
    scope = NULL;
    sums = NULL;
    return STATUS_OK;
}

/* ---- the order ---- */

static status elimination_init(elimination *e, const ancestry *a, error_info *err) {
    size_t n_nodes = bayes_net_node_count(a->net);
    e->net = a->net;
    CHECK_ALLOC(e->factors = calloc(a->n + 1, sizeof *e->factors));
    CHECK_ALLOC(e->mark = calloc(n_nodes, sizeof *e->mark));
    CHECK_ALLOC(e->members = calloc(n_nodes, sizeof *e->members));
    for (size_t i = 0; i < a->n; i++)
        CHECK(add_family(e, a->nodes[i], err));
    return STATUS_OK;
}

/* The place in `left` of the node that leaves the smallest factor; n_left where all would be too large. */
static size_t choose_next(elimination *e, const size_t *left, size_t n_left, size_t most) {
    size_t best = n_left, best_cells = SIZE_MAX;
    for (size_t i = 0; i < n_left; i++) {
        size_t cells = unite(e, left[i], most);
        if (cells < best_cells && cells <= most / states_of(e->net, left[i])) {
            best = i;
            best_cells = cells;
        }
    }
    return best;
}

static status eliminate(elimination *e, size_t *left, size_t n_left, size_t most, bool *done, error_info *err) {
    *done = true;
    while (n_left > 0) {
        size_t next = choose_next(e, left, n_left, most);
        if (next == n_left) {
            *done = false;
            return STATUS_OK;
        }
        CHECK(sum_out(e, left[next], most, err));
        left[next] = left[--n_left];
    }
    return STATUS_OK;
}

status joint_exact(const bayes_net *net, const size_t *nodes, size_t n, const joint_limits *limits, double *joint,
                   bool *done, error_info *err) {
    AUTO(ancestry_clear) ancestry a = {0};
    AUTO(elimination_clear) elimination e = {0};
    AUTO_FREE size_t *left = NULL;
    size_t n_left = 0;
    status st = STATUS_OK;
    *done = false;
    CHECK(find_ancestry(net, nodes, n, &a, err));
    if (a.n > limits->max_nodes)
        return st;
    CHECK(elimination_init(&e, &a, err));
    CHECK_ALLOC(left = calloc(a.n, sizeof *left));
    for (size_t i = 0; i < n; i++)
        a.is_in[nodes[i]] = 2;
    for (size_t i = 0; i < a.n; i++) {
        if (a.is_in[a.nodes[i]] == 1)
            left[n_left++] = a.nodes[i];
    }
    CHECK(eliminate(&e, left, n_left, limits->max_cells, done, err));
    if (*done)
        CHECK(take_product(&e, SIZE_MAX, nodes, n, joint, joint_states(net, nodes, n), err));
    return st;
}

/* ---- by sampling ---- */

typedef struct {
    size_t node, n_states, n_parents;
    const size_t *parents;
    size_t *steps; /* by parent: how far its next state is from one row of the table to another */
    double *sums; /* as the table: the probability of a state and those before it; from the last possible one on, inf */
} drawn_family;

/* Draws so many samples at once, node by node: the table of a node stays in the processor's cache meanwhile. */
enum { BATCH = 64 };

typedef struct {
    drawn_family *families; /* parents before children */
    size_t n;
    double *chances;  /* [family * BATCH + sample]; drawn sample by sample, as if the samples were drawn one by one */
    uint16_t *states; /* [node of the network * BATCH + sample] */
} sampler;

static void sampler_clear(sampler *s) {
    for (size_t i = 0; s->families && i < s->n; i++) {
        free(s->families[i].steps);
        free(s->families[i].sums);
    }
    free(s->families);
    free(s->chances);
    free(s->states);
}

static void add_up_row(const double *row, size_t r, double *sums) {
    size_t last = r - 1;
    double sum = 0;
    while (last > 0 && !(row[last] > 0))
        last--;
    for (size_t k = 0; k < r; k++) {
        sum += row[k];
        sums[k] = k < last ? sum : INFINITY;
    }
}

static status prepare_family(const bayes_net *net, size_t node, drawn_family *f, error_info *err) {
    size_t q = bayes_net_configuration_count(net, node), r = states_of(net, node), step = 1;
    *f = (drawn_family){.node = node, .n_states = r};
    f->parents = bayes_net_parents(net, node, &f->n_parents);
    CHECK_ALLOC(f->steps = calloc(f->n_parents + 1, sizeof *f->steps));
    CHECK_ALLOC(f->sums = calloc(q * r, sizeof *f->sums));
    for (size_t p = 0; p < f->n_parents; p++) {
        f->steps[p] = step;
        step *= states_of(net, f->parents[p]);
    }
    for (size_t j = 0; j < q; j++)
        add_up_row(bayes_net_table(net, node) + j * r, r, f->sums + j * r);
    return STATUS_OK;
}

static status sampler_init(sampler *s, const bayes_net *net, const ancestry *a, error_info *err) {
    CHECK_ALLOC(s->states = calloc(bayes_net_node_count(net), BATCH * sizeof *s->states));
    CHECK_ALLOC(s->chances = calloc(a->n, BATCH * sizeof *s->chances));
    CHECK_ALLOC(s->families = calloc(a->n, sizeof *s->families));
    while (s->n < a->n) {
        drawn_family *f = &s->families[s->n];
        CHECK(prepare_family(net, a->nodes[s->n++], f, err));
    }
    return STATUS_OK;
}

/* How many of the ascending sums are at most u: so no branch depends on chance. */
static size_t count_up_to(const double *sums, size_t n, double u) {
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        k += sums[i] <= u;
    return k;
}

static void draw_family(sampler *s, size_t i, size_t n_samples) {
    const drawn_family *f = &s->families[i];
    uint16_t *drawn = s->states + f->node * BATCH;
    for (size_t k = 0; k < n_samples; k++) {
        size_t row = 0;
        for (size_t p = 0; p < f->n_parents; p++)
            row += f->steps[p] * s->states[f->parents[p] * BATCH + k];
        drawn[k] = (uint16_t)count_up_to(f->sums + row * f->n_states, f->n_states, s->chances[i * BATCH + k]);
    }
}

static void draw_batch(sampler *s, size_t n_samples, random_stream *random) {
    for (size_t k = 0; k < n_samples; k++) {
        for (size_t i = 0; i < s->n; i++)
            s->chances[i * BATCH + k] = random_uniform(random);
    }
    for (size_t i = 0; i < s->n; i++)
        draw_family(s, i, n_samples);
}

status joint_sampled(const bayes_net *net, const size_t *nodes, size_t n, size_t n_samples, random_stream *random,
                     double *joint, error_info *err) {
    static const double LEAST = 1e-6;
    AUTO(ancestry_clear) ancestry a = {0};
    AUTO(sampler_clear) sampler drawn = {0};
    size_t cells = joint_states(net, nodes, n);
    CHECK(find_ancestry(net, nodes, n, &a, err));
    CHECK(sampler_init(&drawn, net, &a, err));
    memset(joint, 0, cells * sizeof *joint);
    for (size_t left = n_samples, now; left > 0; left -= now) {
        now = left < BATCH ? left : BATCH;
        draw_batch(&drawn, now, random);
        for (size_t k = 0; k < now; k++) {
            size_t cell = 0;
            for (size_t i = n; i-- > 0;)
                cell = cell * states_of(net, nodes[i]) + drawn.states[nodes[i] * BATCH + k];
            joint[cell]++;
        }
    }
    for (size_t cell = 0; cell < cells; cell++)
        joint[cell] = (joint[cell] / (double)n_samples + LEAST) / (1 + LEAST * (double)cells);
    return STATUS_OK;
}
