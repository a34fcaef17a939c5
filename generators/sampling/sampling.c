/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/sampling/sampling.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { FEW_STATES = 8 };

typedef struct {
    const double *table; /* q x r */
    double *cumulative;  /* q x r, the last positive state and those behind it at infinity; NULL: add up the table */
    uint16_t *guide;     /* q x r, with many states: the first candidate where floor(u r) is that; else NULL */
    const size_t *parents;
    size_t *strides; /* of the parents in the table's row number */
    size_t n_parents, r;
    uint8_t *bytes; /* the column to fill; one of the two is NULL */
    uint16_t *words;
} sampler;

typedef struct {
    size_t n_nodes;
    size_t *order;
    sampler *samplers; /* by node */
} plan;

static void plan_clear(plan *p) {
    for (size_t i = 0; p->samplers && i < p->n_nodes; i++) {
        free(p->samplers[i].cumulative);
        free(p->samplers[i].guide);
        free(p->samplers[i].strides);
    }
    free(p->samplers);
    free(p->order);
}

/* ---- preparing ---- */

static size_t last_positive(const double *row, size_t r) {
    size_t k = r - 1;
    while (k > 0 && !(row[k] > 0))
        k--;
    return k;
}

static void accumulate(const double *row, size_t r, double *cumulative) {
    size_t last = last_positive(row, r);
    double sum = 0;
    for (size_t k = 0; k < r; k++) {
        sum += row[k];
        cumulative[k] = k < last ? sum : INFINITY;
    }
}

static void fill_guide(const double *cumulative, size_t r, uint16_t *guide) {
    size_t k = 0;
    for (size_t g = 0; g < r; g++) {
        while (cumulative[k] <= (double)g / (double)r)
            k++;
        guide[g] = (uint16_t)k;
    }
}

static status prepare_rows(sampler *s, size_t q, error_info *err) {
    CHECK_ALLOC(s->cumulative = calloc(q * s->r, sizeof *s->cumulative)); /* the table holds as many */
    if (s->r > FEW_STATES)
        CHECK_ALLOC(s->guide = calloc(q * s->r, sizeof *s->guide));
    for (size_t j = 0; j < q; j++) {
        accumulate(s->table + j * s->r, s->r, s->cumulative + j * s->r);
        if (s->guide)
            fill_guide(s->cumulative + j * s->r, s->r, s->guide + j * s->r);
    }
    return STATUS_OK;
}

static status prepare_node(const bayes_net *net, size_t node, size_t n_rows, dataset *data, sampler *s,
                           error_info *err) {
    size_t q = bayes_net_configuration_count(net, node), stride = 1;
    s->table = bayes_net_table(net, node);
    if (!s->table)
        return error_set(err, STATUS_INVALID, "variable '%.200s' has no table", bayes_net_variable(net, node)->name);
    s->r = bayes_net_variable(net, node)->n_states;
    s->parents = bayes_net_parents(net, node, &s->n_parents);
    s->bytes = dataset_build_bytes(data, node);
    s->words = dataset_build_words(data, node);
    CHECK_ALLOC(s->strides = calloc(s->n_parents + 1, sizeof *s->strides));
    for (size_t p = 0; p < s->n_parents; p++) {
        s->strides[p] = stride;
        stride *= bayes_net_variable(net, s->parents[p])->n_states;
    }
    if (q <= n_rows)
        CHECK(prepare_rows(s, q, err));
    return STATUS_OK;
}

static status plan_init(plan *p, const bayes_net *net, size_t n_rows, dataset *data, error_info *err) {
    p->n_nodes = bayes_net_node_count(net);
    CHECK_ALLOC(p->samplers = calloc(p->n_nodes, sizeof *p->samplers));
    CHECK_ALLOC(p->order = calloc(p->n_nodes, sizeof *p->order));
    CHECK(dag_topological_order(bayes_net_dag(net), p->order, err));
    for (size_t i = 0; i < p->n_nodes; i++)
        CHECK(prepare_node(net, i, n_rows, data, &p->samplers[i], err));
    return STATUS_OK;
}

/* ---- drawing ---- */

static size_t draw_by_adding(const double *row, size_t r, double u) {
    size_t last = last_positive(row, r), k = 0;
    double sum = row[0];
    while (k < last && sum <= u)
        sum += row[++k];
    return k;
}

/* Without a branch that depends on u: how many sums do not exceed it. */
static size_t draw_by_comparing(const double *cumulative, size_t r, double u) {
    size_t k = 0;
    for (size_t i = 0; i + 1 < r; i++)
        k += cumulative[i] <= u;
    return k;
}

/* u r may be rounded up to the next whole number: hence also the way back. */
static size_t draw_by_guide(const double *cumulative, const uint16_t *guide, size_t r, double u) {
    size_t g = (size_t)(u * (double)r);
    size_t k = guide[g < r ? g : r - 1];
    while (cumulative[k] <= u)
        k++;
    while (k > 0 && cumulative[k - 1] > u)
        k--;
    return k;
}

static size_t draw(const sampler *s, size_t row, double u) {
    size_t at = row * s->r;
    if (!s->cumulative)
        return draw_by_adding(s->table + at, s->r, u);
    if (!s->guide)
        return draw_by_comparing(s->cumulative + at, s->r, u);
    return draw_by_guide(s->cumulative + at, s->guide + at, s->r, u);
}

static void draw_row(const plan *p, size_t row, random_stream *random, uint16_t *states) {
    for (size_t i = 0; i < p->n_nodes; i++) {
        const sampler *s = &p->samplers[p->order[i]];
        size_t j = 0, k;
        for (size_t a = 0; a < s->n_parents; a++)
            j += s->strides[a] * states[s->parents[a]];
        k = draw(s, j, random_uniform(random));
        states[p->order[i]] = (uint16_t)k;
        if (s->bytes)
            s->bytes[row] = (uint8_t)k;
        else
            s->words[row] = (uint16_t)k;
    }
}

status sample_network(const bayes_net *net, size_t n_rows, random_stream *random, dataset **out, error_info *err) {
    AUTO_PTR(dataset_destroy) dataset *data = NULL;
    AUTO(plan_clear) plan p = {0};
    AUTO_FREE uint16_t *states = NULL;
    CHECK(dataset_create(bayes_net_variables(net), bayes_net_node_count(net), n_rows, &data, err));
    CHECK(plan_init(&p, net, n_rows, data, err));
    CHECK_ALLOC(states = calloc(p.n_nodes, sizeof *states));
    for (size_t row = 0; row < n_rows; row++)
        draw_row(&p, row, random, states);
    *out = TAKE(data);
    return STATUS_OK;
}
