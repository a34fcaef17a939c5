/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The search for cycles against a plain one, of distances by whole matrices; and what it says that it read: arcs that
 * come or go elsewhere leave the cycle as it is.
 */
#include "tests/support/support.h"

#include "core/base/bits.h"
#include "learners/sgs/sgs_cycles_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 150, MOST_ARCS = 6, MOST_WORDS = 2 * SGS_SET_BLOCK, APART = 3, FAR = 1 << 20 };

/* A graph without cycles, and the changes of the copy. */
typedef struct {
    size_t n;
    bool arc[MOST_NODES][MOST_NODES];
    size_t order[MOST_NODES]; /* arcs go from earlier to later ones */
    sgs_arc removed[MOST_ARCS], added[MOST_ARCS];
    size_t n_removed, n_added;
    sgs_arc passing; /* added first, and taken out last */
} problem;

typedef struct {
    size_t length; /* 0: there is none */
    size_t nodes[MOST_NODES];
} cycle;

typedef struct {
    uint64_t parents_read[MOST_WORDS], children_read[MOST_WORDS];
} reading;

/* --- by a plain search */

static void find_distances(const problem *p, size_t from, int *distance) {
    for (size_t i = 0; i < p->n; i++)
        distance[i] = i == from ? 0 : FAR;
    for (bool is_settled = false; !is_settled;) {
        is_settled = true;
        for (size_t i = 0; i < p->n * p->n; i++) {
            size_t x = i / p->n, y = i % p->n;
            if (!p->arc[x][y] || distance[x] + 1 >= distance[y])
                continue;
            distance[y] = distance[x] + 1;
            is_settled = false;
        }
    }
}

/* From the tail on, each time the lowest node that is nearer to the head. */
static cycle plain_cycle_through(const problem *p, sgs_arc arc) {
    int distance[MOST_NODES];
    cycle c = {0};
    find_distances(p, arc.to, distance);
    if (!p->arc[arc.from][arc.to] || distance[arc.from] >= FAR)
        return c;
    c.length = (size_t)distance[arc.from] + 1;
    c.nodes[c.length - 1] = arc.from;
    for (size_t at = c.length - 1; at > 0; at--) {
        size_t x = 0;
        while (!p->arc[x][c.nodes[at]] || distance[x] + 1 != distance[c.nodes[at]])
            x++;
        c.nodes[at - 1] = x;
    }
    return c;
}

static cycle plain_cycle(const problem *graph) {
    static problem p;
    cycle shortest = {0};
    p = *graph;
    for (size_t i = 0; i < p.n_removed; i++)
        p.arc[p.removed[i].from][p.removed[i].to] = false;
    for (size_t i = 0; i < p.n_added; i++)
        p.arc[p.added[i].from][p.added[i].to] = true;
    for (size_t i = 0; i < p.n_added; i++) {
        cycle c = plain_cycle_through(&p, p.added[i]);
        if (c.length && (!shortest.length || c.length < shortest.length))
            shortest = c;
    }
    return shortest;
}

/* --- by sgs_cycles */

/* Nodes are apart there, so that sets are of several blocks. */
static size_t number_of(size_t node) {
    return node * APART;
}

static sgs_arc arc_of(sgs_arc arc) {
    return (sgs_arc){number_of(arc.from), number_of(arc.to)};
}

typedef struct {
    uint64_t parents[APART * MOST_NODES * MOST_WORDS], children[APART * MOST_NODES * MOST_WORDS];
} graph_sets;

_Static_assert((int)APART *(int)MOST_NODES <= 64 * (int)MOST_WORDS, "sets of nodes");

static void fill_sets(const problem *p, graph_sets *sets) {
    memset(sets, 0, sizeof *sets);
    for (size_t i = 0; i < p->n * p->n; i++) {
        sgs_arc arc = arc_of((sgs_arc){i / p->n, i % p->n});
        if (!p->arc[i / p->n][i % p->n])
            continue;
        bits_add(sets->children + arc.from * MOST_WORDS, arc.to);
        bits_add(sets->parents + arc.to * MOST_WORDS, arc.from);
    }
}

static void add(sgs_cycles *c, sgs_arc arc) {
    error_info err = {0};
    assert_ok(sgs_cycles_add(c, arc_of(arc), &err), &err);
}

static void take_out(sgs_cycles *c, sgs_arc arc) {
    error_info err = {0};
    assert_ok(sgs_cycles_remove(c, arc_of(arc), &err), &err);
}

static cycle find_in_copy(sgs_cycles *c, reading *r) {
    sgs_cycles_reading read = {r->parents_read, r->children_read};
    const size_t *nodes = NULL;
    cycle out = {0};
    error_info err = {0};
    *r = (reading){0};
    assert_ok(sgs_cycles_find(c, &read, &nodes, &out.length, &err), &err);
    assert_true(!nodes == !out.length);
    for (size_t i = 0; i < out.length; i++)
        out.nodes[i] = nodes[i] / APART;
    return out;
}

/* Removals, additions and searches in turn, as repairs make them; every other arc goes once more, and comes back. */
static void change_copy(sgs_cycles *c, const problem *p) {
    reading unused;
    sgs_cycles_begin(c);
    add(c, p->passing);
    for (size_t i = 0; i < MOST_ARCS; i++) {
        if (i < p->n_removed)
            take_out(c, p->removed[i]);
        if (i < p->n_added)
            add(c, p->added[i]);
        if (i < p->n_added && i % 2) {
            (void)find_in_copy(c, &unused);
            take_out(c, p->added[i]);
            add(c, p->added[i]);
        }
    }
    take_out(c, p->passing);
}

static void assert_same(const cycle *a, const cycle *b) {
    assert_int_equal(a->length, b->length);
    for (size_t i = 0; i < a->length; i++)
        assert_int_equal(a->nodes[i], b->nodes[i]);
}

/* --- problems */

static bool is_among(const sgs_arc *arcs, size_t n, sgs_arc arc) {
    for (size_t i = 0; i < n; i++) {
        if (arcs[i].from == arc.from && arcs[i].to == arc.to)
            return true;
    }
    return false;
}

static sgs_arc random_arc(random_stream *random, size_t n) {
    sgs_arc arc = {(size_t)random_below(random, n), (size_t)random_below(random, n - 1)};
    arc.to += arc.to >= arc.from;
    return arc;
}

/* Most graphs are wide, so that sides have many nodes at one distance. */
static void make_problem(random_stream *random, problem *p) {
    size_t n_added = 1 + (size_t)random_below(random, MOST_ARCS);
    double parents = 1 + 2 * random_uniform(random), reach;
    p->n = 4 + (size_t)random_below(random, random_below(random, 3) ? MOST_NODES - 3 : 12);
    reach = random_uniform(random) * random_uniform(random) * (double)p->n;
    random_permutation(random, p->order, p->n);
    memset(p->arc, 0, sizeof p->arc);
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = i + 1; j < p->n && (double)(j - i) <= reach; j++)
            p->arc[p->order[i]][p->order[j]] = random_uniform(random) < parents / reach;
    }
    p->n_removed = p->n_added = 0;
    for (size_t i = 0; i < 4 * MOST_ARCS && p->n_added < n_added; i++) {
        sgs_arc arc = random_arc(random, p->n);
        if (!p->arc[arc.from][arc.to] && !is_among(p->added, p->n_added, arc))
            p->added[p->n_added++] = arc;
        else if (p->arc[arc.from][arc.to] && !is_among(p->removed, p->n_removed, arc) && p->n_removed < MOST_ARCS)
            p->removed[p->n_removed++] = arc;
    }
    do {
        p->passing = random_arc(random, p->n);
    } while (p->arc[p->passing.from][p->passing.to] || is_among(p->added, p->n_added, p->passing));
}

static bool is_any(const uint64_t *set) {
    for (size_t i = 0; i < MOST_WORDS; i++) {
        if (set[i])
            return true;
    }
    return false;
}

/* --- tests */

typedef struct {
    graph_sets sets;
    sgs_cycles *cycles;
} tools;

static void with_tools(const problem *p, tools *t) {
    error_info err = {0};
    fill_sets(p, &t->sets);
    assert_ok(sgs_cycles_create(&(sgs_cycles_graph){number_of(p->n), MOST_WORDS, t->sets.parents, t->sets.children},
                                &t->cycles, &err),
              &err);
}

static void the_shortest_cycle_is_that_of_a_plain_search(void **state) {
    static problem p;
    static tools t;
    size_t n_cycles = 0, n_none = 0, n_long = 0, n_both = 0, n_cases = rounds_here(3000);
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(11));
    for (size_t i = 0; i < n_cases; i++) {
        reading r;
        cycle plain, found;
        make_problem(&random, &p);
        with_tools(&p, &t);
        plain = plain_cycle(&p);
        for (int again = 0; again < 2; again++) { /* the copy begins as the graph is */
            change_copy(t.cycles, &p);
            found = find_in_copy(t.cycles, &r);
            assert_same(&found, &plain);
        }
        n_cycles += plain.length > 0;
        n_none += plain.length == 0;
        n_long += plain.length > 5;
        n_both += is_any(r.children_read);
        sgs_cycles_destroy(t.cycles);
    }
    assert_true(n_cycles > n_cases / 10 && n_none > n_cases / 10);
    assert_true(n_long > n_cases / 20 && n_both > n_cases / 20);
}

static bool is_of_cycle(const cycle *c, size_t x) {
    for (size_t i = 0; i < c->length; i++) {
        if (c->nodes[i] == x)
            return true;
    }
    return false;
}

/* Whether an arc may come or go in the graph, as far as the cycle hangs on it. */
static bool is_free(const problem *p, const reading *r, const cycle *c, sgs_arc arc) {
    if (is_among(p->added, p->n_added, arc) || is_among(p->removed, p->n_removed, arc) || is_of_cycle(c, arc.to) ||
        is_among(&p->passing, 1, arc))
        return false;
    return p->arc[arc.from][arc.to] ||
           (!bits_have(r->children_read, number_of(arc.from)) && !bits_have(r->parents_read, number_of(arc.to)));
}

/* All at once: what one arc opens another one must not complete. */
static void change_graph(random_stream *random, problem *p, const reading *r, const cycle *c, size_t *n_changes) {
    for (size_t i = 0; i < 200; i++) {
        size_t at = (size_t)random_below(random, p->n - 1),
               later = at + 1 + (size_t)random_below(random, p->n - at - 1);
        sgs_arc arc = {p->order[at], p->order[later]};
        bool *there = &p->arc[arc.from][arc.to];
        if (!is_free(p, r, c, arc))
            continue;
        *there = !*there;
        n_changes[*there]++;
    }
}

static void arcs_where_nothing_was_read_leave_the_cycle_as_it_is(void **state) {
    static problem p;
    static tools t;
    size_t n_changes[2] = {0}, n_cases = rounds_here(3000);
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(12));
    for (size_t i = 0; i < n_cases; i++) {
        reading r, again;
        cycle before, after;
        make_problem(&random, &p);
        with_tools(&p, &t);
        change_copy(t.cycles, &p);
        before = find_in_copy(t.cycles, &r);
        change_graph(&random, &p, &r, &before, n_changes);
        fill_sets(&p, &t.sets);
        change_copy(t.cycles, &p);
        after = find_in_copy(t.cycles, &again);
        assert_same(&after, &before);
        sgs_cycles_destroy(t.cycles);
    }
    assert_true(n_changes[false] > n_cases && n_changes[true] > n_cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shortest_cycle_is_that_of_a_plain_search),
        cmocka_unit_test(arcs_where_nothing_was_read_leave_the_cycle_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
