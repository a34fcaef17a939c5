/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The TABU search of gts against a plain one, written from Friedman, Nachman, Pe'er 1999 as Tsamardinos, Brown,
 * Aliferis 2006 (sec. 5) describe it: at each step every structure one arc away that is acyclic and not among the last
 * `length` is scored, and the best is taken, whatever its sign. A list of no structures is hill climbing. A structure
 * is a set of arcs, bit from * 8 + to; local scores are looked up in a table of all families, which tells how many of
 * them were asked for.
 */
#include "tests/support/support.h"

#include "learners/greedy/greedy_search.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 6, STRIDE = 8 };

typedef struct {
    size_t n;
    double family[MOST][1 << MOST]; /* by node and set of parents */
    bool asked[MOST][1 << MOST];
} table;

static uint64_t arc(size_t from, size_t to) {
    return 1ull << (from * STRIDE + to);
}

static void fill(table *t, const dataset *data, double ess) {
    const score_kind *kind = NULL;
    score *s = NULL;
    error_info err = {0};
    assert_ok(score_kind_find("bdeu", &kind, &err), &err);
    assert_ok(score_create(kind, &(bdeu_options){.ess = ess}, data, NULL, &s, &err), &err);
    t->n = dataset_column_count(data);
    for (size_t y = 0; y < t->n; y++) {
        for (unsigned set = 0; set < 1u << t->n; set++) {
            size_t parents[MOST], n_parents = 0;
            for (size_t x = 0; x < t->n; x++) {
                if (set >> x & 1)
                    parents[n_parents++] = x;
            }
            if (!(set >> y & 1))
                assert_ok(score_node(s, y, parents, n_parents, &t->family[y][set], &err), &err);
        }
    }
    score_destroy(s);
}

static unsigned parents_of(const table *t, uint64_t g, size_t y) {
    unsigned set = 0;
    for (size_t x = 0; x < t->n; x++)
        set |= (g & arc(x, y)) ? 1u << x : 0;
    return set;
}

static double total(const table *t, uint64_t g) {
    double sum = 0;
    for (size_t y = 0; y < t->n; y++)
        sum += t->family[y][parents_of(t, g, y)];
    return sum;
}

static void ask(table *t, uint64_t g) {
    for (size_t y = 0; y < t->n; y++)
        t->asked[y][parents_of(t, g, y)] = true;
}

static uint64_t count_asked(const table *t) {
    uint64_t n = 0;
    for (size_t i = 0; i < t->n << t->n; i++)
        n += t->asked[i >> t->n][i & ((1u << t->n) - 1)];
    return n;
}

/* Nodes without a parent among those left are taken away, until none is. */
static bool is_acyclic(const table *t, uint64_t g) {
    unsigned left = (1u << t->n) - 1;
    for (size_t round = 0; round < t->n; round++) {
        for (size_t y = 0; y < t->n; y++) {
            if (!(parents_of(t, g, y) & left))
                left &= ~(1u << y);
        }
    }
    return left == 0;
}

/* The neighbour by (kind, from, to); 0 where there is none, or the arc is not as the kind wants it. */
static bool neighbour(const table *t, uint64_t g, int kind, size_t from, size_t to, uint64_t *out) {
    bool has = g & arc(from, to);
    if (from == to || has != (kind > 0))
        return false;
    *out = kind == 0 ? g | arc(from, to) : g & ~arc(from, to);
    if (kind == 2)
        *out |= arc(to, from);
    return is_acyclic(t, *out);
}

typedef struct {
    uint64_t visited[4096];
    size_t n, length; /* of the TABU list; 0: hill climbing */
} walk;

static bool is_tabu(const walk *w, uint64_t g) {
    size_t from = w->n > w->length ? w->n - w->length : 0;
    for (size_t i = from; i < w->n; i++) {
        if (w->visited[i] == g)
            return true;
    }
    return false;
}

/* Among neighbours that tie with the best, the first by (kind, from, to). */
static bool step(table *t, walk *w) {
    uint64_t g = w->visited[w->n - 1], h, all[3 * MOST * MOST];
    double best = w->length ? -INFINITY : total(t, g) + SCORE_TOLERANCE, totals[3 * MOST * MOST];
    size_t n = 0;
    for (int kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < t->n * t->n; i++) {
            if (!neighbour(t, g, kind, i / t->n, i % t->n, &h))
                continue;
            ask(t, h);
            if (!is_tabu(w, h)) {
                all[n] = h;
                totals[n] = total(t, h);
                best = fmax(best, totals[n++]);
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (totals[i] >= best - SCORE_TOLERANCE && (w->length || totals[i] > total(t, g) + SCORE_TOLERANCE)) {
            w->visited[w->n++] = all[i];
            return true;
        }
    }
    return false;
}

static uint64_t search_slowly(table *t, size_t length, size_t patience) {
    walk w = {.n = 1, .length = length};
    uint64_t best = 0;
    size_t without_gain = 0;
    ask(t, 0);
    while (without_gain < patience && w.n < sizeof w.visited / sizeof *w.visited && step(t, &w)) {
        uint64_t now = w.visited[w.n - 1];
        without_gain++;
        if (total(t, now) > total(t, best) + SCORE_TOLERANCE) {
            best = now;
            without_gain = 0;
        }
    }
    return best;
}

static uint64_t search(const dataset *data, double ess, size_t length, size_t patience, uint64_t *computed) {
    greedy_search_plan plan = {
        .options = {.ess = ess, .max_parents = -1}, .tabu_length = length, .tabu_patience = patience};
    learner_result result = {0};
    run_context ctx;
    uint64_t g = 0;
    error_info err = {0};
    run_context_init(&ctx, 1);
    assert_ok(greedy_search(data, &plan, &ctx, &result, &err), &err);
    for (size_t from = 0; from < dataset_column_count(data); from++) {
        for (size_t to = 0; to < dataset_column_count(data); to++) {
            if (from != to && pdag_edge_between(result.graph, from, to) == EDGE_OUT)
                g |= arc(from, to);
        }
    }
    *computed = ctx.scores.computed;
    learner_result_clear(&result);
    return g;
}

/* Columns of two or three states; each repeats one before it or the exclusive or of two, as often as chance will have.
 */
static dataset *make_data(random_stream *random, size_t n_columns) {
    size_t n_states[MOST], a[MOST], b[MOST], n_rows = 10 + (size_t)random_below(random, 300);
    double strength[MOST];
    int *cells = calloc(n_rows * n_columns, sizeof *cells);
    dataset *data;
    assert_non_null(cells);
    for (size_t c = 0; c < n_columns; c++) {
        n_states[c] = 2 + (random_below(random, 4) == 0);
        a[c] = c > 0 ? (size_t)random_below(random, c) : 0;
        b[c] = c > 0 ? (size_t)random_below(random, c) : 0;
        strength[c] = c > 0 ? random_uniform(random) : 0;
    }
    for (size_t i = 0; i < n_rows; i++) {
        int *row = cells + i * n_columns;
        for (size_t c = 0; c < n_columns; c++) {
            bool follows = random_uniform(random) < strength[c];
            int from = a[c] == b[c] ? row[a[c]] : row[a[c]] ^ row[b[c]];
            row[c] = (follows ? from : (int)random_below(random, n_states[c])) % (int)n_states[c];
        }
    }
    data = make_dataset(n_rows, n_columns, n_states, cells);
    free(cells);
    return data;
}

static void ten_thousand_searches_end_where_a_plain_one_does(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(2006));
    for (size_t round = 0; round < rounds_here(10000); round++) {
        dataset *data = make_data(&random, 4 + (size_t)random_below(&random, 3));
        size_t length = round % 4 ? GREEDY_TABU_LENGTH : 1 + (size_t)random_below(&random, 20);
        size_t patience = round % 4 ? GREEDY_TABU_PATIENCE : 1 + (size_t)random_below(&random, 30);
        double ess = 1 + 9 * random_uniform(&random);
        table t = {0};
        uint64_t computed;
        fill(&t, data, ess);
        assert_int_equal(search(data, ess, length, patience, &computed), search_slowly(&t, length, patience));
        assert_int_equal(computed, count_asked(&t));
        dataset_destroy(data);
    }
}

static void so_do_a_thousand_hill_climbings(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(1995));
    for (size_t round = 0; round < rounds_here(1000); round++) {
        dataset *data = make_data(&random, MOST);
        table t = {0};
        uint64_t computed;
        fill(&t, data, 1);
        assert_int_equal(search(data, 1, 0, 0, &computed), search_slowly(&t, 0, SIZE_MAX));
        assert_int_equal(computed, count_asked(&t));
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_searches_end_where_a_plain_one_does),
        cmocka_unit_test(so_do_a_thousand_hill_climbings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
