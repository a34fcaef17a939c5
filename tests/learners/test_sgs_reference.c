/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The neighbourhoods of SGS1, SGS2, SGS3 against a plain second implementation: adjacency matrices, every cycle listed,
 * every family scored anew. Scores are random numbers, so that cycles, repairs that gain and repairs of repairs abound.
 */
#include "tests/support/support.h"

#include "learners/sgs/sgs_search.h"
#include "metrics/scores/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6, N_CASES = 400 };

typedef struct {
    bool arc[N][N];
} matrix;

typedef struct {
    uint64_t seed;
    size_t max_parents;
    bool is_candidate[N][N]; /* [x][y]: y may become a parent of x */
    bool looks_everywhere;
    size_t n_threads;
    sgs_neighbourhood neighbourhood;
} problem;

static double family_of(uint64_t seed, size_t x, unsigned parents) {
    random_stream random;
    random_stream_init(&random, random_key_number(random_key_number(random_key_of(seed), x), parents));
    return random_uniform(&random);
}

static double score_at(const problem *p, const matrix *m, size_t x) {
    unsigned parents = 0;
    for (size_t y = 0; y < N; y++)
        parents |= m->arc[y][x] ? 1u << y : 0;
    return family_of(p->seed, x, parents);
}

static double total_of(const problem *p, const matrix *m) {
    double sum = 0;
    for (size_t x = 0; x < N; x++)
        sum += score_at(p, m, x);
    return sum;
}

static size_t count_parents(const matrix *m, size_t x) {
    size_t n = 0;
    for (size_t y = 0; y < N; y++)
        n += m->arc[y][x];
    return n;
}

/* --- cycles, by listing all */

typedef struct {
    size_t length;   /* nodes; 0: none */
    size_t nodes[N]; /* from the head of the arc to its tail */
} cycle;

/* Whether a is shorter, or as long and before b when both are read backwards. */
static bool comes_first(const cycle *a, const cycle *b) {
    if (b->length == 0 || a->length != b->length)
        return b->length == 0 || a->length < b->length;
    for (size_t i = a->length; i-- > 0;) {
        if (a->nodes[i] != b->nodes[i])
            return a->nodes[i] < b->nodes[i];
    }
    return false;
}

static void walk(const matrix *m, cycle *path, size_t goal, cycle *best) {
    size_t at = path->nodes[path->length - 1];
    if (at == goal) {
        if (comes_first(path, best))
            *best = *path;
        return;
    }
    for (size_t y = 0; y < N; y++) {
        bool is_on_path = false;
        for (size_t i = 0; i < path->length; i++)
            is_on_path |= path->nodes[i] == y;
        if (!m->arc[at][y] || is_on_path)
            continue;
        path->nodes[path->length++] = y;
        walk(m, path, goal, best);
        path->length--;
    }
}

static cycle cycle_through(const matrix *m, size_t from, size_t to) {
    cycle path = {1, {to}}, best = {0};
    if (m->arc[from][to])
        walk(m, &path, from, &best);
    return best;
}

static bool is_acyclic(const matrix *m) {
    for (size_t i = 0; i < N * N; i++) {
        if (cycle_through(m, i / N, i % N).length)
            return false;
    }
    return true;
}

/* --- Algorithm 2 */

typedef struct {
    size_t from, to, instead; /* N: no addition */
    double gain;
} step;

static void take_step(matrix *m, const step *s) {
    m->arc[s->from][s->to] = false;
    if (s->instead < N)
        m->arc[s->instead][s->to] = true;
}

static double gain_of(const problem *p, const matrix *m, const step *s) {
    matrix changed = *m;
    take_step(&changed, s);
    return score_at(p, &changed, s->to) - score_at(p, m, s->to);
}

static step best_step(const problem *p, const matrix *m, const cycle *c, bool exchanges, size_t first_from,
                      size_t first_to, const bool *allowed) {
    step best = {.gain = -INFINITY};
    for (size_t i = 0; i < c->length; i++) {
        step s = {c->nodes[i], c->nodes[(i + 1) % c->length], N, 0};
        if (!exchanges && s.from == first_from && s.to == first_to)
            continue;
        for (size_t v = exchanges ? 0 : N; v < (exchanges ? N : N + 1); v++) {
            s.instead = v;
            if (v < N && (!allowed[v] || m->arc[v][s.to] || v == s.to || !p->is_candidate[s.to][v]))
                continue;
            s.gain = gain_of(p, m, &s);
            if (s.gain > best.gain + SCORE_TOLERANCE)
                best = s;
        }
    }
    return best;
}

/* Repairs `m`, the graph after the first operation, whose arc is from -> to. False where that cannot be done. */
static bool repair(const problem *p, matrix *m, size_t from, size_t to, double *total) {
    bool allowed[N];
    step added[64];
    size_t n_added = 1;
    added[0] = (step){.from = from, .to = to};
    for (size_t v = 0; v < N; v++)
        allowed[v] = true;
    for (;;) {
        cycle c = {0};
        step s;
        for (size_t i = 0; i < n_added; i++) {
            cycle other = cycle_through(m, added[i].from, added[i].to);
            if (other.length && (c.length == 0 || other.length < c.length))
                c = other;
        }
        if (c.length == 0)
            return true;
        for (size_t i = 0; i < c.length; i++)
            allowed[c.nodes[i]] = false;
        s = best_step(p, m, &c, false, from, to, allowed);
        if (*total + s.gain <= SCORE_TOLERANCE)
            s = best_step(p, m, &c, true, from, to, allowed);
        *total += s.gain;
        if (!(*total > SCORE_TOLERANCE))
            return false;
        take_step(m, &s);
        assert_true(n_added < 64);
        if (s.instead < N)
            added[n_added++] = (step){.from = s.instead, .to = s.to};
    }
}

/* --- neighbours */

typedef struct {
    matrix graph;
    double gain;
} neighbour;

typedef struct {
    matrix graph; /* after the first operation */
    size_t from, to;
    double first_gain;
} star;

static void offer(neighbour *best, const matrix *graph, double gain) {
    if (gain > SCORE_TOLERANCE && gain > best->gain)
        *best = (neighbour){*graph, gain};
}

/* The first operations by number; false where one does not apply. */
static bool operate(const problem *p, const matrix *m, size_t number, matrix *out, size_t *from, size_t *to) {
    size_t exchanged = number / (N * N), y = number / N % N, z = number % N;
    *out = *m;
    *from = y;
    *to = z;
    if (y == z || m->arc[y][z] || !p->is_candidate[z][y])
        return false;
    out->arc[y][z] = true;
    if (exchanged == N)
        return count_parents(m, z) < p->max_parents;
    out->arc[exchanged][z] = false;
    return m->arc[exchanged][z] && p->neighbourhood >= SGS_SWAPS;
}

static int by_first_gain(const void *a, const void *b) {
    const star *p = a, *q = b;
    return (p->first_gain < q->first_gain) - (p->first_gain > q->first_gain);
}

static neighbour best_neighbour(const problem *p, const matrix *m) {
    static star stars[N * N * (N + 1)];
    size_t n_stars = 0;
    neighbour best = {*m, 0};
    double now = total_of(p, m);
    for (size_t i = 0; i < N * N; i++) { /* deletions and reversals */
        matrix g = *m;
        if (!m->arc[i / N][i % N])
            continue;
        g.arc[i / N][i % N] = false;
        offer(&best, &g, total_of(p, &g) - now);
        g.arc[i % N][i / N] = true;
        if (p->neighbourhood != SGS_STARS && p->is_candidate[i / N][i % N] && is_acyclic(&g) &&
            count_parents(&g, i / N) <= p->max_parents)
            offer(&best, &g, total_of(p, &g) - now);
    }
    for (size_t i = 0; i < N * N * (N + 1); i++) {
        star s;
        if (!operate(p, m, i, &s.graph, &s.from, &s.to))
            continue;
        s.first_gain = score_at(p, &s.graph, s.to) - score_at(p, m, s.to);
        if (is_acyclic(&s.graph))
            offer(&best, &s.graph, s.first_gain);
        else if (p->neighbourhood == SGS_STARS && s.first_gain > SCORE_TOLERANCE)
            stars[n_stars++] = s;
    }
    if (n_stars)
        qsort(stars, n_stars, sizeof *stars, by_first_gain);
    for (size_t i = 0; i < n_stars; i++) {
        double total = stars[i].first_gain;
        if (!p->looks_everywhere && total < best.gain - SCORE_TOLERANCE)
            break;
        if (repair(p, &stars[i].graph, stars[i].from, stars[i].to, &total))
            offer(&best, &stars[i].graph, total);
    }
    return best;
}

/* --- the two side by side */

static status family(void *self, size_t x, const size_t *parents, size_t n_parents, size_t extra, double *out,
                     error_info *err) {
    const problem *p = self;
    unsigned set = extra == FAMILY_NO_EXTRA ? 0 : 1u << extra;
    (void)err;
    for (size_t i = 0; i < n_parents; i++)
        set |= 1u << parents[i];
    *out = family_of(p->seed, x, set);
    return STATUS_OK;
}

static matrix matrix_of(const dag *g) {
    matrix m;
    for (size_t i = 0; i < N * N; i++)
        m.arc[i / N][i % N] = dag_has_arc(g, i / N, i % N);
    return m;
}

static problem make_problem(random_stream *random, int number, sgs_neighbourhood neighbourhood) {
    problem p = {.seed = (uint64_t)number,
                 .max_parents = number % 3 == 0 ? SIZE_MAX : (size_t)(number % 3) + 1,
                 .looks_everywhere = number % 2,
                 .n_threads = 1 + (size_t)number / 2 % 3,
                 .neighbourhood = neighbourhood};
    for (size_t i = 0; i < N * N; i++)
        p.is_candidate[i / N][i % N] = i / N != i % N && (number % 4 < 3 || random_uniform(random) < 0.7);
    return p;
}

static sgs_result search_on(const problem *p, const dag *start, size_t max_moves) {
    size_t lists[N][N], counts[N] = {0};
    const size_t *candidates[N];
    family_source source = {(void *)(uintptr_t)p, family, N};
    sgs_plan plan = {.neighbourhood = p->neighbourhood,
                     .n_restarts = 1,
                     .max_parents = p->max_parents,
                     .max_moves = max_moves,
                     .start = start,
                     .looks_everywhere = p->looks_everywhere,
                     .candidates = candidates,
                     .n_candidates = counts};
    sgs_result result = {0};
    run_context ctx;
    error_info err = {0};
    for (size_t x = 0; x < N; x++) {
        candidates[x] = lists[x];
        for (size_t y = 0; y < N; y++) {
            if (p->is_candidate[x][y])
                lists[x][counts[x]++] = y;
        }
    }
    run_context_init(&ctx, 1);
    ctx.n_threads = p->n_threads;
    assert_ok(sgs_search(&source, &plan, &ctx, &result, &err), &err);
    return result;
}

/* A random start whose arcs respect the limits. */
static dag *make_start(random_stream *random, const problem *p) {
    dag *g = make_random_dag(random, N, 0.4), *out = NULL;
    error_info err = {0};
    assert_ok(dag_create(N, &out, &err), &err);
    for (size_t x = 0; x < N; x++) {
        size_t n_parents, n_taken = 0;
        const size_t *parents = dag_parents(g, x, &n_parents);
        for (size_t i = 0; i < n_parents && n_taken < p->max_parents; i++) {
            if (!p->is_candidate[x][parents[i]])
                continue;
            assert_ok(dag_add_arc(out, parents[i], x, &err), &err);
            n_taken++;
        }
    }
    dag_destroy(g);
    return out;
}

static void compare(sgs_neighbourhood neighbourhood, size_t *n_long, size_t *n_moves) {
    random_stream random;
    random_stream_init(&random, random_key_of(7 + (uint64_t)neighbourhood));
    for (int number = 0; number < N_CASES; number++) {
        problem p = make_problem(&random, number, neighbourhood);
        dag *start = make_start(&random, &p);
        matrix at = matrix_of(start);
        sgs_result whole = search_on(&p, start, SIZE_MAX), first = search_on(&p, start, 1);
        neighbour next = best_neighbour(&p, &at);
        assert_close(first.score, total_of(&p, &at) + next.gain, 1e-9);
        while (next.gain > 0) {
            at = next.graph;
            next = best_neighbour(&p, &at);
            ++*n_moves;
        }
        assert_true(is_acyclic(&at));
        assert_close(whole.score, total_of(&p, &at), 1e-9);
        for (size_t i = 0; i < N * N; i++)
            assert_true(dag_has_arc(whole.graph, i / N, i % N) == at.arc[i / N][i % N]);
        *n_long += whole.longest_move > 2;
        dag_destroy(whole.graph);
        dag_destroy(first.graph);
        dag_destroy(start);
    }
}

static void sgs1_takes_the_moves_of_a_plain_search(void **state) {
    size_t n_long = 0, n_moves = 0;
    (void)state;
    compare(SGS_PLAIN, &n_long, &n_moves);
    assert_true(n_moves > N_CASES);
}

static void sgs2_takes_the_moves_of_a_plain_search(void **state) {
    size_t n_long = 0, n_moves = 0;
    (void)state;
    compare(SGS_SWAPS, &n_long, &n_moves);
    assert_true(n_moves > N_CASES);
}

static void sgs3_takes_the_moves_of_a_plain_search(void **state) {
    size_t n_long = 0, n_moves = 0;
    (void)state;
    compare(SGS_STARS, &n_long, &n_moves);
    assert_true(n_moves > N_CASES);
    assert_true(n_long > N_CASES / 20); /* moves with two repairs and more were among them */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sgs1_takes_the_moves_of_a_plain_search),
        cmocka_unit_test(sgs2_takes_the_moves_of_a_plain_search),
        cmocka_unit_test(sgs3_takes_the_moves_of_a_plain_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
