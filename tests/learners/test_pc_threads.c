/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PC and PC-stable by several threads: the same graph and the same counters as by one. */
#include "tests/learners/threads_support.h"

#include "learners/base/set_walk.h"
#include "metrics/tests/table_tests.h"

enum { N_LEARNERS = 2 };
static const char *const learners[N_LEARNERS] = {"pc", "pc-stable"};

/* Separating sets are seen by the v-structures that they leave. */
static void threads_change_neither_graph_nor_counters(void **state) {
    static const char *const options[][7] = {{NULL},
                                             {"test", "x2", NULL},
                                             {"unreliable", "indep", NULL},
                                             {"min_rows", "1", "df", "full", NULL},
                                             {"maxk", "1", "unreliable", "dep", NULL},
                                             {"colliders", "majority", NULL},
                                             {"min_rows", "0", "maxk", "2", "conflicts", "bidirected", NULL}};
    random_stream random;
    uint64_t n_skipped = 0;
    (void)state;
    random_stream_init(&random, random_key_of(57));
    for (size_t i = 0; i < rounds_here(42); i++) {
        dataset *data = sample_random(&random, 8 + 12 * (i % 4), 2 + (double)(i % 3), (size_t)100 << i % 5);
        const char *const *pairs = options[i % 7];
        for (size_t k = 0; k < N_LEARNERS; k++) {
            outcome one = assert_threads_agree(learners[k], data, pairs, 3);
            n_skipped += one.ctx.tests.skipped;
            pdag_destroy(one.result.graph);
        }
        dataset_destroy(data);
    }
    assert_true(n_skipped > 0);
}

enum { N_COLUMNS = 16 };

/* Column 0, as many noisy copies of it, and columns of chance. */
static void draw_star(random_stream *random, const void *how, int *row) {
    const size_t *n_copies = how;
    for (size_t c = 0; c < N_COLUMNS; c++) {
        bool is_copy = c > 0 && c <= *n_copies && random_below(random, 100) < 25 + 2 * c;
        row[c] = is_copy ? row[0] : (int)random_below(random, 2);
    }
}

static dataset *sample_star(random_stream *random, size_t n_copies) {
    size_t n_states[N_COLUMNS];
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = 2;
    return draw_dataset(random, 3000, N_COLUMNS, n_states, draw_star, &n_copies);
}

/* The sets of one end are most of all sets then, and its edges are shared. */
static void threads_share_an_end_of_many_sets(void **state) {
    static const char *const none[] = {NULL};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(59));
    for (size_t n_copies = 11; n_copies <= 13; n_copies += 2) {
        dataset *data = sample_star(&random, n_copies);
        for (size_t k = 0; k < N_LEARNERS; k++) {
            outcome one = assert_threads_agree(learners[k], data, none, 4);
            assert_true(one.ctx.tests.requests > 5000);
            pdag_destroy(one.result.graph);
        }
        dataset_destroy(data);
    }
}

/* Column 0, ten noisy copies of it, and columns that are now this and now that of three copies: whatever they tell of
 * column 0, these copies tell. */
static void draw_fan(random_stream *random, const void *how, int *row) {
    (void)how;
    row[0] = (int)random_below(random, 2);
    for (size_t c = 1; c <= 10; c++)
        row[c] = random_below(random, 100) < 40 + 2 * c ? row[0] : (int)random_below(random, 2);
    for (size_t c = 11; c < N_COLUMNS; c++)
        row[c] = row[1 + (3 * c + random_below(random, 3)) % 10];
}

static size_t count_neighbours(const char *name, const dataset *data, const char *const *pairs, size_t node) {
    outcome o = assert_threads_agree(name, data, pairs, 3);
    size_t n;
    (void)pdag_edges(o.result.graph, node, &n);
    pdag_destroy(o.result.graph);
    return n;
}

/* Threads then test edges given sets that come after one that another thread finds. */
static void threads_share_an_end_that_loses_edges(void **state) {
    static const char *const options[][5] = {{NULL}, {"unreliable", "indep", NULL}, {"min_rows", "12", NULL}};
    static const char *const given_one[] = {"maxk", "1", NULL};
    size_t n_states[N_COLUMNS];
    random_stream random;
    (void)state;
    for (size_t c = 0; c < N_COLUMNS; c++)
        n_states[c] = 2 + c % 2;
    random_stream_init(&random, random_key_of(61));
    for (size_t i = 0; i < 6; i++) {
        dataset *data = draw_dataset(&random, 3000, N_COLUMNS, n_states, draw_fan, NULL);
        for (size_t k = 0; k < N_LEARNERS; k++)
            assert_true(count_neighbours(learners[k], data, options[i % 3], 0) <
                        count_neighbours(learners[k], data, given_one, 0));
        dataset_destroy(data);
    }
}

/* --- PC as it is written down --- */

enum { MOST_COLUMNS = 64 };

typedef struct {
    ci_test *test; /* which keeps its answers */
    size_t p;
    bool is_edge[MOST_COLUMNS][MOST_COLUMNS];
    bool any_performed; /* of the present size */
} plain_search;

/* Goes through the sets of neighbours of x; the edge goes with the first that separates its ends. */
static void test_plainly(plain_search *s, size_t x, size_t y, size_t size) {
    size_t pool[MOST_COLUMNS], n_pool = 0, places[MOST_COLUMNS], z[MOST_COLUMNS];
    set_walk w = {.pool = pool, .k = size, .places = places, .set = z};
    error_info err = {0};
    for (size_t i = 0; i < s->p; i++) {
        if (s->is_edge[x][i] && i != y)
            pool[n_pool++] = i;
    }
    w.n_pool = n_pool;
    for (bool more = n_pool >= size && set_walk_first(&w); more && s->is_edge[x][y]; more = set_walk_next(&w)) {
        association a = {0};
        bool reliable = false;
        assert_ok(ci_test_associate(s->test, x, y, z, size, &reliable, &a, &err), &err);
        s->any_performed = s->any_performed || reliable;
        if (reliable && a.is_zero)
            s->is_edge[x][y] = s->is_edge[y][x] = false;
    }
}

static void search_plainly(plain_search *s) {
    for (size_t x = 0; x < s->p; x++) {
        for (size_t y = 0; y < s->p; y++)
            s->is_edge[x][y] = x != y;
    }
    s->any_performed = true;
    for (size_t size = 0; size < s->p && s->any_performed; size++) {
        s->any_performed = false;
        for (size_t x = 0; x < s->p; x++) {
            for (size_t y = 0; y < s->p; y++) {
                if (s->is_edge[x][y])
                    test_plainly(s, x, y, size);
            }
        }
    }
}

static void assert_same_edges(const plain_search *s, const pdag *g) {
    for (size_t x = 0; x < s->p; x++) {
        for (size_t y = 0; y < x; y++)
            assert_int_equal(pdag_edge_between(g, x, y) != EDGE_NONE, s->is_edge[x][y]);
    }
}

static void assert_is_plain(const dataset *data) {
    static const char *const none[] = {NULL};
    table_test_options options = {.alpha = 0.05, .df = CI_DF_ADJ, .min_rows = 5};
    const ci_test_kind *kind = NULL;
    statistics_count tally = {0};
    plain_search plain = {.p = dataset_column_count(data)};
    error_info err = {0};
    outcome by_two = learn_by_threads("pc", data, none, 2, INFINITY);
    assert_ok(ci_test_kind_find("g2", &kind, &err), &err);
    assert_ok(ci_test_create(kind, &options, data, &tally, &plain.test, &err), &err);
    search_plainly(&plain);
    assert_same_edges(&plain, by_two.result.graph);
    assert_int_equal(by_two.ctx.tests.computed, tally.computed);
    ci_test_destroy(plain.test);
    pdag_destroy(by_two.result.graph);
}

static void pc_finds_and_computes_what_it_does_as_written_down(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(62));
    for (size_t i = 0; i < rounds_here(12); i++) {
        dataset *data = sample_random(&random, 12 + 12 * (i % 4), 2 + (double)(i % 3), (size_t)250 << i % 4);
        assert_is_plain(data);
        dataset_destroy(data);
    }
}

static void past_the_deadline_every_thread_ends(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(58));
    for (size_t i = 0; i < 8; i++) {
        dataset *data = sample_random(&random, 60, 4, 2000);
        for (size_t k = 0; k < N_LEARNERS; k++)
            assert_ends_at_deadline(learners[k], data, 1e-3 * (double)i);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_neither_graph_nor_counters),
        cmocka_unit_test(threads_share_an_end_of_many_sets),
        cmocka_unit_test(threads_share_an_end_that_loses_edges),
        cmocka_unit_test(pc_finds_and_computes_what_it_does_as_written_down),
        cmocka_unit_test(past_the_deadline_every_thread_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
