/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/sampling/sampling.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Rows are drawn in blocks, node by node, of so many rows and so many bytes of random numbers at most. */
enum { FEW_STATES = 8, MOST_BLOCK_ROWS = 64, BLOCK_BYTES = 1 << 25 };

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

static inline size_t state_of(const sampler *s, size_t row) {
    return s->bytes ? s->bytes[row] : s->words[row];
}

/* Rows from .. to of the node; uniform[i * step] is the number of the i-th of them. */
static void draw_column(const plan *p, const sampler *s, size_t from, size_t to, const double *uniform, size_t step) {
    for (size_t row = from; row < to; row++, uniform += step) {
        size_t j = 0, k;
        for (size_t a = 0; a < s->n_parents; a++)
            j += s->strides[a] * state_of(&p->samplers[s->parents[a]], row);
        k = draw(s, j, *uniform);
        if (s->bytes)
            s->bytes[row] = (uint8_t)k;
        else
            s->words[row] = (uint16_t)k;
    }
}

/* The numbers of a row follow each other in the stream; a node's table is looked for once for all rows of a block. */
static void draw_block(const plan *p, size_t from, size_t to, random_stream *random, double *uniform) {
    for (size_t i = 0; i < (to - from) * p->n_nodes; i++)
        uniform[i] = random_uniform(random);
    for (size_t i = 0; i < p->n_nodes; i++)
        draw_column(p, &p->samplers[p->order[i]], from, to, uniform + i, p->n_nodes);
}

static size_t rows_of_block(size_t n_nodes) {
    size_t rows = BLOCK_BYTES / sizeof(double) / n_nodes;
    return rows < 1 ? 1 : rows < MOST_BLOCK_ROWS ? rows : MOST_BLOCK_ROWS;
}

status sample_network(const bayes_net *net, size_t n_rows, random_stream *random, dataset **out, error_info *err) {
    AUTO_PTR(dataset_destroy) dataset *data = NULL;
    AUTO(plan_clear) plan p = {0};
    AUTO_FREE double *uniform = NULL;
    size_t step = rows_of_block(bayes_net_node_count(net));
    CHECK(dataset_create(bayes_net_variables(net), bayes_net_node_count(net), n_rows, &data, err));
    CHECK(plan_init(&p, net, n_rows, data, err));
    CHECK_ALLOC(uniform = calloc(step * p.n_nodes, sizeof *uniform));
    for (size_t row = 0; row < n_rows; row += step)
        draw_block(&p, row, n_rows - row < step ? n_rows : row + step, random, uniform);
    *out = TAKE(data);
    return STATUS_OK;
}
