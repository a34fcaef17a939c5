/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Greedy equivalence search twice more, plainly: every operator by its definition, and every member of every class. */
#ifndef BNB_TESTS_LEARNERS_GES_REFERENCE_H
#define BNB_TESTS_LEARNERS_GES_REFERENCE_H

#include "tests/support/support.h"

#include "core/graph/equivalence.h"
#include "core/graph/pdag.h"
#include "metrics/scores/score.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REFERENCE_NODES = 6, REFERENCE_STEPS = 64 };

/** What the search did. */
typedef struct {
    size_t n_steps, n_deletions;
    size_t n_with_sets; /* steps with a T or H that is not empty */
    size_t n_blocked;   /* insertions that gain, refused for a path alone */
    double gain[REFERENCE_STEPS];
} reference_trace;

/** The score of a CPDAG: of a member. */
static inline double reference_score(score *s, const pdag *cpdag) {
    dag *member = NULL;
    double total = 0;
    error_info err = {0};
    assert_ok(pdag_extend(cpdag, &member, &err), &err);
    assert_non_null(member);
    assert_ok(score_dag(s, member, &total, NULL, &err), &err);
    dag_destroy(member);
    return total;
}

/** A network of that DAG: up to `max_states` states a node, tables with rows that differ much. */
static inline bayes_net *reference_network(random_stream *random, const dag *g, size_t max_states) {
    static const char *const states[] = {"0", "1", "2", "3"};
    size_t n = dag_node_count(g);
    variable *variables = calloc(n, sizeof *variables);
    bayes_net *net = NULL;
    error_info err = {0};
    for (size_t i = 0; i < n; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "v%zu", i);
        assert_ok(
            variable_init_discrete(&variables[i], name, states, 2 + (size_t)random_below(random, max_states - 1), &err),
            &err);
    }
    assert_ok(bayes_net_create("random", variables, n, &net, &err), &err);
    for (size_t i = 0; i < n; i++) {
        size_t n_parents, r = variables[i].n_states;
        const size_t *parents = dag_parents(g, i, &n_parents);
        assert_ok(bayes_net_set_parents(net, i, parents, n_parents, &err), &err);
        for (size_t j = 0; j < bayes_net_configuration_count(net, i); j++) {
            double *row = bayes_net_build_table(net, i) + j * r, sum = 0;
            for (size_t k = 0; k < r; k++)
                sum += row[k] = 0.05 + pow(random_uniform(random), 3);
            for (size_t k = 0; k < r; k++)
                row[k] /= sum;
        }
    }
    variables_destroy(variables, n);
    return net;
}

/* ---- operators by definition ---- */

typedef struct {
    size_t n;
    bool to[REFERENCE_NODES][REFERENCE_NODES]; /* both ways where undirected */
} reference_graph;

typedef struct {
    bool is_deletion;
    size_t x, y;
    unsigned set; /* T or H, a bit a node */
    double gain;
} reference_operator;

static inline reference_graph reference_read(const pdag *g) {
    reference_graph r = {.n = pdag_node_count(g)};
    for (size_t a = 0; a < r.n; a++) {
        for (size_t b = 0; b < r.n; b++) {
            edge_kind kind = a == b ? EDGE_NONE : pdag_edge_between(g, a, b);
            r.to[a][b] = kind == EDGE_OUT || kind == EDGE_UNDIRECTED;
        }
    }
    return r;
}

static inline bool reference_adjacent(const reference_graph *g, size_t a, size_t b) {
    return g->to[a][b] || g->to[b][a];
}

static inline bool reference_undirected(const reference_graph *g, size_t a, size_t b) {
    return g->to[a][b] && g->to[b][a];
}

static inline bool reference_clique(const reference_graph *g, unsigned set) {
    for (size_t a = 0; a < g->n; a++) {
        for (size_t b = 0; b < a; b++) {
            if ((set >> a & 1) && (set >> b & 1) && !reference_adjacent(g, a, b))
                return false;
        }
    }
    return true;
}

/* Does a semi-directed path lead from a to b outside `seen`? Every simple path is walked. */
static inline bool reference_path(const reference_graph *g, size_t a, size_t b, unsigned seen) {
    if (a == b)
        return true;
    for (size_t c = 0; c < g->n; c++) {
        if (g->to[a][c] && !(seen >> c & 1) && reference_path(g, c, b, seen | 1u << c))
            return true;
    }
    return false;
}

static inline double reference_local(score *s, size_t y, unsigned parents, size_t n) {
    size_t list[REFERENCE_NODES], count = 0;
    double value = 0;
    error_info err = {0};
    for (size_t i = 0; i < n; i++) {
        if (parents >> i & 1)
            list[count++] = i;
    }
    assert_ok(score_node(s, y, list, count, &value, &err), &err);
    return value;
}

/* Pa(Y), and NA(Y, X). */
static inline void reference_sets(const reference_graph *g, size_t x, size_t y, unsigned *parents, unsigned *shared) {
    *parents = *shared = 0;
    for (size_t z = 0; z < g->n; z++) {
        if (g->to[z][y] && !g->to[y][z])
            *parents |= 1u << z;
        if (reference_undirected(g, z, y) && reference_adjacent(g, z, x))
            *shared |= 1u << z;
    }
}

/* Is the operator valid? If so, its gain. `blocked`: it gains, and a path alone is in the way. */
static inline bool reference_insert(const reference_graph *g, score *s, reference_operator *op, bool *blocked) {
    unsigned parents, shared, base, from_x = 1u << op->x;
    if (op->x == op->y || reference_adjacent(g, op->x, op->y))
        return false;
    for (size_t t = 0; t < g->n; t++) {
        if ((op->set >> t & 1) && (!reference_undirected(g, t, op->y) || reference_adjacent(g, t, op->x)))
            return false;
    }
    reference_sets(g, op->x, op->y, &parents, &shared);
    if (!reference_clique(g, shared | op->set))
        return false;
    base = shared | op->set | parents;
    op->gain = reference_local(s, op->y, base | from_x, g->n) - reference_local(s, op->y, base, g->n);
    *blocked = reference_path(g, op->y, op->x, 1u << op->y | shared | op->set) && op->gain > SCORE_TOLERANCE;
    return !*blocked;
}

static inline bool reference_delete(const reference_graph *g, score *s, reference_operator *op) {
    unsigned parents, shared, base, from_x = 1u << op->x;
    if (op->x == op->y || !g->to[op->x][op->y])
        return false;
    reference_sets(g, op->x, op->y, &parents, &shared);
    if ((op->set & ~shared) || !reference_clique(g, shared & ~op->set))
        return false;
    base = (shared & ~op->set) | (parents & ~from_x);
    op->gain = reference_local(s, op->y, base, g->n) - reference_local(s, op->y, base | from_x, g->n);
    return true;
}

/* Sorted lists of nodes, lexicographically. */
static inline bool reference_set_first(unsigned a, unsigned b) {
    while (a && b) {
        int low_a = __builtin_ctz(a), low_b = __builtin_ctz(b);
        if (low_a != low_b)
            return low_a < low_b;
        a &= a - 1;
        b &= b - 1;
    }
    return !a && b;
}

static inline bool reference_first(const reference_operator *a, const reference_operator *b) {
    if (a->x != b->x)
        return a->x < b->x;
    return a->y != b->y ? a->y < b->y : reference_set_first(a->set, b->set);
}

/* The first of the valid operators within the tolerance of the best; false where none gains. */
static inline bool reference_choose(const reference_graph *g, score *s, bool deletes, reference_operator *out,
                                    size_t *n_blocked) {
    bool found = false;
    double best = SCORE_TOLERANCE;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < g->n * g->n << g->n; i++) {
            reference_operator op = {deletes, (i >> g->n) / g->n, (i >> g->n) % g->n,
                                     (unsigned)(i & ((1u << g->n) - 1)), 0};
            bool blocked = false;
            bool valid = deletes ? reference_delete(g, s, &op) : reference_insert(g, s, &op, &blocked);
            *n_blocked += pass == 0 && blocked;
            if (!valid || op.gain <= SCORE_TOLERANCE)
                continue;
            if (pass == 0)
                best = fmax(best, op.gain);
            else if (op.gain >= best - SCORE_TOLERANCE && (!found || reference_first(&op, out))) {
                *out = op;
                found = true;
            }
        }
    }
    return found;
}

static inline void reference_apply(reference_graph *g, const reference_operator *op) {
    g->to[op->x][op->y] = !op->is_deletion;
    g->to[op->y][op->x] = false;
    for (size_t z = 0; z < g->n; z++) {
        if (!(op->set >> z & 1))
            continue;
        if (!op->is_deletion) {
            g->to[op->y][z] = false; /* T -> Y */
        } else {
            g->to[z][op->y] = false; /* Y -> H, X -> H */
            if (reference_undirected(g, z, op->x))
                g->to[z][op->x] = false;
        }
    }
}

/* The class of the PDAG's extensions. */
static inline pdag *reference_class(const reference_graph *r) {
    pdag *g = NULL, *cpdag = NULL;
    dag *member = NULL;
    error_info err = {0};
    assert_ok(pdag_create(r->n, &g, &err), &err);
    for (size_t a = 0; a < r->n; a++) {
        for (size_t b = 0; b < r->n; b++) {
            if (r->to[a][b])
                assert_ok(pdag_set_edge(g, a, b, r->to[b][a] ? EDGE_UNDIRECTED : EDGE_OUT, &err), &err);
        }
    }
    assert_ok(pdag_extend(g, &member, &err), &err);
    assert_non_null(member);
    assert_ok(cpdag_from_dag(member, &cpdag, &err), &err);
    dag_destroy(member);
    pdag_destroy(g);
    return cpdag;
}

/** The CPDAG that an exhaustive search by operators reaches; at most REFERENCE_NODES columns. */
static inline pdag *reference_ges(const dataset *data, score *s, reference_trace *steps) {
    pdag *g = NULL;
    error_info err = {0};
    assert_ok(pdag_create(dataset_column_count(data), &g, &err), &err);
    for (int deletes = 0; deletes < 2; deletes++) {
        for (;;) {
            reference_graph r = reference_read(g);
            reference_operator op = {0};
            if (!reference_choose(&r, s, deletes, &op, &steps->n_blocked))
                break;
            assert_true(steps->n_steps < REFERENCE_STEPS);
            steps->gain[steps->n_steps++] = op.gain;
            steps->n_deletions += (size_t)deletes;
            steps->n_with_sets += op.set != 0;
            reference_apply(&r, &op);
            pdag_destroy(g);
            g = reference_class(&r);
        }
    }
    return g;
}

/* --- members of classes --- */

/* A class is next to another if a member of one has a member of the other and an arc more. */

enum { MEMBER_NODES = 4, MEMBER_GRAPHS = 543 /* DAGs on four nodes */ };

typedef struct {
    dag *graph[MEMBER_GRAPHS];
    pdag *of[MEMBER_GRAPHS]; /* its class */
    double score[MEMBER_GRAPHS];
    unsigned arcs[MEMBER_GRAPHS]; /* bit 4 from + to */
} member_list;

static inline void member_list_fill(member_list *m, score *s) {
    size_t n = 0;
    for (unsigned arcs = 0; arcs < 1u << (MEMBER_NODES * MEMBER_NODES); arcs++) {
        dag *g = NULL;
        bool legal = true;
        error_info err = {0};
        if (arcs & 0x8421u) /* a node to itself */
            continue;
        assert_ok(dag_create(MEMBER_NODES, &g, &err), &err);
        for (size_t i = 0; i < MEMBER_NODES * MEMBER_NODES && legal; i++)
            legal = !(arcs >> i & 1) || dag_add_arc(g, i / MEMBER_NODES, i % MEMBER_NODES, &err) == STATUS_OK;
        if (!legal) {
            dag_destroy(g);
            continue;
        }
        m->graph[n] = g;
        m->arcs[n] = arcs;
        assert_ok(cpdag_from_dag(g, &m->of[n], &err), &err);
        assert_ok(score_dag(s, g, &m->score[n++], NULL, &err), &err);
    }
    assert_int_equal(n, MEMBER_GRAPHS);
}

static inline bool member_steps(unsigned less, unsigned more) {
    return (less & more) == less && __builtin_popcount(more) == __builtin_popcount(less) + 1;
}

/* The best graph that is next to the class of `now` and better; or `now`. */
static inline size_t member_best(const member_list *m, size_t now, bool deletes) {
    size_t best = now;
    for (size_t i = 0; i < MEMBER_GRAPHS; i++) {
        if (!pdag_is_equal(m->of[i], m->of[now]))
            continue;
        for (size_t k = 0; k < MEMBER_GRAPHS; k++) {
            bool is_next = deletes ? member_steps(m->arcs[k], m->arcs[i]) : member_steps(m->arcs[i], m->arcs[k]);
            if (is_next && m->score[k] > m->score[best] + SCORE_TOLERANCE)
                best = k;
        }
    }
    return best;
}

/** The score that greedy equivalence search reaches on four columns, by walking over all members of the classes. */
static inline double reference_ges_by_members(score *s, size_t *n_deletions) {
    member_list *m = calloc(1, sizeof *m);
    size_t now = 0; /* no arcs */
    double reached;
    assert_non_null(m);
    member_list_fill(m, s);
    for (int deletes = 0; deletes < 2; deletes++) {
        size_t next;
        for (; (next = member_best(m, now, deletes)) != now; now = next)
            *n_deletions += (size_t)deletes;
    }
    reached = m->score[now];
    for (size_t i = 0; i < MEMBER_GRAPHS; i++) {
        dag_destroy(m->graph[i]);
        pdag_destroy(m->of[i]);
    }
    free(m);
    return reached;
}

#endif
