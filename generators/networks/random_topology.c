/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/networks/random_topology.h"

#include "core/base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTS = 20000, MOST_PLACEMENTS = 200 };

/* ---- degree laws ---- */

/* The mean of P(k) ~ (k + 1)^-gamma on 0 .. n - 1. */
static double power_mean(size_t n, double gamma) {
    double sum = 0, weighted = 0;
    for (size_t k = n; k-- > 0;) { /* small terms first */
        double p = pow((double)(k + 1), -gamma);
        sum += p;
        weighted += (double)k * p;
    }
    return weighted / sum;
}

double topology_power(size_t n, double mean) {
    double low = -10, high = 20; /* the mean falls with gamma */
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (power_mean(n, middle) > mean)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Cumulative sums of a law on 0 .. n - 1. */
static void accumulate(double *law, size_t n) {
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        law[k] = sum += law[k];
    for (size_t k = 0; k < n; k++)
        law[k] /= sum;
}

static size_t draw(const double *cumulative, size_t n, random_stream *random) {
    double u = random_uniform(random);
    size_t at;
    ARRAY_FIND_PLACE(at, n - 1, cumulative[at] <= u);
    return at;
}

/* ---- one module ---- */

typedef struct {
    size_t n;
    double mean;
    double *in_law, *out_law;
    size_t *in, *out, *by_out, *targets;
    graph_arc *arcs; /* room for as many as the lists hold */
    size_t n_arcs, capacity;
    random_stream *random;
} module;

static void module_clear(module *m) {
    free(m->in_law);
    free(m->out_law);
    free(m->in);
    free(m->out);
    free(m->by_out);
    free(m->targets);
    free(m->arcs);
}

static status module_init(module *m, size_t n, double mean, random_stream *random, error_info *err) {
    double gamma = topology_power(n, mean);
    *m = (module){.n = n, .mean = mean, .random = random, .capacity = (size_t)(1.05 * mean * (double)n) + 1};
    CHECK_ALLOC(m->in_law = calloc(n, sizeof *m->in_law));
    CHECK_ALLOC(m->out_law = calloc(n, sizeof *m->out_law));
    CHECK_ALLOC(m->in = calloc(n, sizeof *m->in));
    CHECK_ALLOC(m->out = calloc(n, sizeof *m->out));
    CHECK_ALLOC(m->by_out = calloc(n, sizeof *m->by_out));
    CHECK_ALLOC(m->targets = calloc(n, sizeof *m->targets));
    CHECK_ALLOC(m->arcs = calloc(m->capacity, sizeof *m->arcs));
    for (size_t k = 0; k < n; k++) {
        m->in_law[k] = exp(-(double)(k + 1) / mean);
        m->out_law[k] = pow((double)(k + 1), -gamma);
    }
    accumulate(m->in_law, n);
    accumulate(m->out_law, n);
    return STATUS_OK;
}

/* False where these lists will not do. */
static bool draw_degrees(module *m) {
    size_t sum_in = 0, sum_out = 0;
    double wanted = m->mean * (double)m->n;
    for (size_t i = 0; i < m->n; i++) {
        do {
            m->in[i] = draw(m->in_law, m->n, m->random);
            m->out[i] = draw(m->out_law, m->n, m->random);
        } while (m->in[i] + m->out[i] == 0);
        sum_in += m->in[i];
        sum_out += m->out[i];
    }
    return fabs((double)sum_out - wanted) <= fmax(0.05 * wanted, 0.5) && sum_out <= sum_in && sum_out <= m->capacity;
}

/* Sources by falling out-degree, of equals the earlier. */
static int falling(const void *a, const void *b, void *self) {
    const size_t *out = ((const module *)self)->out, x = *(const size_t *)a, y = *(const size_t *)b;
    if (out[x] != out[y])
        return out[x] < out[y] ? 1 : -1;
    return (x > y) - (x < y);
}

/* False where a source finds too few genes with arcs left to take. */
static bool place(module *m, size_t *left) {
    m->n_arcs = 0;
    memcpy(left, m->in, m->n * sizeof *left);
    for (size_t k = 0; k < m->n; k++) {
        size_t source = m->by_out[k], n_targets = 0;
        for (size_t i = 0; i < m->n; i++) {
            if (left[i] > 0 && i != source)
                m->targets[n_targets++] = i;
        }
        if (n_targets < m->out[source])
            return false;
        for (size_t a = 0; a < m->out[source]; a++) { /* the first places of a shuffle */
            size_t other = a + (size_t)random_below(m->random, n_targets - a), target = m->targets[other];
            m->targets[other] = m->targets[a];
            left[target]--;
            m->arcs[m->n_arcs++] = (graph_arc){source, target};
        }
    }
    return true;
}

static status draw_module(module *m, error_info *err) {
    AUTO_FREE size_t *left = calloc(m->n, sizeof *left);
    int lists = 0, placements = 0;
    bool placed = false;
    CHECK_ALLOC(left);
    while (!placed && lists < MOST_LISTS && placements < MOST_PLACEMENTS) {
        lists++;
        if (!draw_degrees(m))
            continue;
        for (size_t i = 0; i < m->n; i++)
            m->by_out[i] = i;
        qsort_r(m->by_out, m->n, sizeof *m->by_out, falling, m);
        placements++;
        placed = place(m, left);
    }
    if (!placed)
        return error_set(err, STATUS_INVALID,
                         "no scale-free graph of %zu genes with %g arcs a gene was found in %d draws; take other "
                         "numbers, larger modules, or the topology random",
                         m->n, m->mean, lists);
    return STATUS_OK;
}

/* ---- the whole ---- */

typedef struct {
    graph_arc *arcs;
    size_t n;
    size_t *module_end; /* arcs of module k: module_end[k - 1] .. module_end[k] */
} graph_draft;

static void graph_draft_clear(graph_draft *g) {
    free(g->arcs);
    free(g->module_end);
}

static bool has_arc(const graph_draft *g, size_t from, size_t to) {
    for (size_t k = 0; k < g->n; k++) {
        if (g->arcs[k].from == from && g->arcs[k].to == to)
            return true;
    }
    return false;
}

static size_t pick(const graph_draft *g, size_t of, random_stream *random) {
    size_t from = of ? g->module_end[of - 1] : 0;
    return from + (size_t)random_below(random, g->module_end[of] - from);
}

/* An arc each of two modules exchange their heads; not where that would repeat an arc or close a loop on a gene. */
static void rewire_once(graph_draft *g, size_t n_modules, random_stream *random) {
    size_t first = (size_t)random_below(random, n_modules), second = (size_t)random_below(random, n_modules - 1);
    graph_arc *a, *b;
    second += second >= first;
    a = &g->arcs[pick(g, first, random)];
    b = &g->arcs[pick(g, second, random)];
    if (a->from != b->to && b->from != a->to && !has_arc(g, a->from, b->to) && !has_arc(g, b->from, a->to)) {
        size_t head = a->to;
        a->to = b->to;
        b->to = head;
    }
}

static status append_module(graph_draft *g, const module *m, size_t first_gene, error_info *err) {
    CHECK(array_resize(&g->arcs, g->n + m->n_arcs + 1, sizeof *g->arcs, err));
    for (size_t k = 0; k < m->n_arcs; k++)
        g->arcs[g->n++] = (graph_arc){m->arcs[k].from + first_gene, m->arcs[k].to + first_gene};
    return STATUS_OK;
}

static status number_at_random(graph_draft *g, size_t n_genes, random_stream *random, error_info *err) {
    AUTO_FREE size_t *number = calloc(n_genes, sizeof *number);
    CHECK_ALLOC(number);
    random_permutation(random, number, n_genes);
    for (size_t k = 0; k < g->n; k++)
        g->arcs[k] = (graph_arc){number[g->arcs[k].from], number[g->arcs[k].to]};
    return STATUS_OK;
}

static status check_wish(const topology_wish *wish, error_info *err) {
    if (wish->n_genes < 2)
        return error_set(err, STATUS_INVALID, "a random gene network needs at least 2 genes");
    if (!(wish->arcs_per_gene > 0) || wish->arcs_per_gene > (double)(wish->n_genes - 1) / 2)
        return error_set(err, STATUS_INVALID, "arcs_per_gene is %g; with %zu genes it must be above 0 and at most %g",
                         wish->arcs_per_gene, wish->n_genes, (double)(wish->n_genes - 1) / 2);
    return STATUS_OK;
}

static status check_modules(const topology_wish *wish, error_info *err) {
    size_t size = wish->modules ? wish->n_genes / wish->modules : 0;
    if (size < 10)
        return error_set(err, STATUS_INVALID, "%zu genes in %zu modules; a module needs at least 10", wish->n_genes,
                         wish->modules);
    if (!(wish->rewired >= 0 && wish->rewired <= 1))
        return error_set(err, STATUS_INVALID, "rewired is %g; it must lie in 0 .. 1", wish->rewired);
    if (wish->arcs_per_gene > (double)size / 4)
        return error_set(err, STATUS_INVALID, "%g arcs a gene are too many for modules of %zu genes",
                         wish->arcs_per_gene, size);
    return STATUS_OK;
}

static status draw_modules(const topology_wish *wish, random_stream *random, graph_draft *g, error_info *err) {
    size_t first = 0;
    CHECK_ALLOC(g->module_end = calloc(wish->modules, sizeof *g->module_end));
    for (size_t k = 0; k < wish->modules; k++) {
        size_t end = wish->n_genes * (k + 1) / wish->modules;
        AUTO(module_clear) module m = {0};
        CHECK(module_init(&m, end - first, wish->arcs_per_gene, random, err));
        CHECK(draw_module(&m, err));
        CHECK(append_module(g, &m, first, err));
        g->module_end[k] = g->n;
        first = end;
    }
    return STATUS_OK;
}

status topology_scale_free(const topology_wish *wish, random_stream *random, graph_arc **arcs, size_t *n_arcs,
                           error_info *err) {
    AUTO(graph_draft_clear) graph_draft g = {0};
    CHECK(check_wish(wish, err));
    CHECK(check_modules(wish, err));
    CHECK(draw_modules(wish, random, &g, err));
    if (wish->modules > 1) {
        size_t exchanges = (size_t)(wish->rewired * (double)g.n / 2); /* two arcs each */
        for (size_t k = 0; k < exchanges; k++)
            rewire_once(&g, wish->modules, random);
    }
    CHECK(number_at_random(&g, wish->n_genes, random, err));
    *arcs = g.arcs;
    *n_arcs = g.n;
    g.arcs = NULL;
    return STATUS_OK;
}

/* Floyd's sample of distinct pairs would want a set; a mark for each pair is plain, and n is some thousands at most. */
status topology_random(const topology_wish *wish, random_stream *random, graph_arc **arcs, size_t *n_arcs,
                       error_info *err) {
    size_t n = wish->n_genes, wanted, found = 0;
    AUTO_FREE unsigned char *taken = NULL;
    AUTO_FREE graph_arc *made = NULL;
    CHECK(check_wish(wish, err));
    wanted = (size_t)llround(wish->arcs_per_gene * (double)n);
    CHECK_ALLOC(taken = calloc(n, n));
    CHECK_ALLOC(made = calloc(wanted + 1, sizeof *made));
    while (found < wanted) {
        size_t from = (size_t)random_below(random, n), to = (size_t)random_below(random, n);
        if (from == to || taken[from * n + to])
            continue;
        taken[from * n + to] = 1;
        made[found++] = (graph_arc){from, to};
    }
    *arcs = made;
    *n_arcs = found;
    made = NULL;
    return STATUS_OK;
}
