/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of neighbours against a matrix. */
#include "tests/support/support.h"

#include "core/base/random.h"
#include "learners/constraint/neighbour_rows.h"

#include <string.h>

enum { MOST = 150, PARTS = 3 };

typedef struct {
    size_t n;
    bool edge[MOST][MOST];
} matrix;

static void draw(random_stream *random, matrix *m) {
    double density = random_uniform(random);
    memset(m, 0, sizeof *m);
    m->n = (size_t)random_below(random, MOST + 1);
    for (size_t a = 0; a < m->n; a++) {
        for (size_t b = 0; b < a; b++)
            m->edge[a][b] = m->edge[b][a] = random_uniform(random) < density * density;
    }
}

/* Nodes come in any order, and from any part, which has several chunks where edges are many; some that have no
 * neighbour below them do not come. */
static void make_rows(random_stream *random, const matrix *m, neighbour_rows *r) {
    size_t order[MOST], below[MOST];
    error_info err = {0};
    random_permutation(random, order, m->n);
    assert_ok(neighbour_rows_init(r, m->n, PARTS, &err), &err);
    for (size_t i = 0; i < m->n; i++) {
        size_t n = 0;
        for (size_t b = 0; b < order[i]; b++) {
            if (m->edge[order[i]][b])
                below[n++] = b;
        }
        if (n > 0 || i % 2)
            assert_ok(neighbour_rows_put_below(r, (size_t)random_below(random, PARTS), order[i], below, n, &err), &err);
    }
    assert_ok(neighbour_rows_join(r, &err), &err);
}

static void assert_are(const neighbour_rows *r, const matrix *m) {
    size_t copied[MOST];
    for (size_t a = 0; a < m->n; a++) {
        neighbour_row row = neighbour_rows_get(r, a);
        size_t n = 0;
        for (size_t b = 0; b < m->n; b++) {
            assert_int_equal(neighbour_rows_find(r, a, b), n);
            assert_int_equal(neighbour_rows_has(r, a, b), m->edge[a][b]);
            if (m->edge[a][b]) {
                assert_true(n < row.count);
                assert_int_equal(row.items[n++], b);
            }
        }
        assert_int_equal(row.count, n);
        assert_int_equal(neighbour_rows_copy(r, a, copied), n);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(copied[i], row.items[i]);
    }
}

/* Marks edges with 0 to 3, from either end; those of 2 and more go. */
static void thin_out(random_stream *random, neighbour_rows *r, matrix *m) {
    error_info err = {0};
    assert_ok(neighbour_rows_unmark(r, &err), &err);
    for (size_t a = 0; a < m->n; a++) {
        for (size_t b = 0; b < a; b++) {
            unsigned char mark = (unsigned char)random_below(random, 4);
            if (!m->edge[a][b])
                continue;
            assert_int_equal(*neighbour_rows_mark(r, b, a), 0);
            *neighbour_rows_mark(r, a, b) = mark;
            assert_int_equal(*neighbour_rows_mark(r, b, a), mark);
            m->edge[a][b] = m->edge[b][a] = mark < 2;
        }
    }
    assert_ok(neighbour_rows_keep(r, 2, &err), &err);
}

static void rows_are_those_of_the_matrix_while_edges_go(void **state) {
    static matrix m;
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(81));
    for (int i = 0; i < 60; i++) {
        neighbour_rows r = {0};
        draw(&random, &m);
        make_rows(&random, &m, &r);
        assert_are(&r, &m);
        for (int k = 0; k < 3; k++) {
            thin_out(&random, &r, &m);
            assert_are(&r, &m);
        }
        neighbour_rows_clear(&r);
    }
}

/* Nodes go by in ascending order but for some that are passed over and come later; now and then they begin anew. */
static size_t next_node(random_stream *random, size_t n, size_t a) {
    if (random_below(random, 40) == 0)
        return (size_t)random_below(random, n);
    if (a > 0 && random_below(random, 5) == 0)
        return a - 1 - (size_t)random_below(random, a < 4 ? a : 4);
    return a + 1 + (size_t)random_below(random, 3);
}

static void a_cursor_finds_the_marks_of_edges_to_higher_nodes(void **state) {
    static matrix m;
    random_stream random;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(83));
    for (int i = 0; i < 60; i++) {
        AUTO(mark_cursor_clear) mark_cursor cursor = {0};
        neighbour_rows r = {0};
        draw(&random, &m);
        make_rows(&random, &m, &r);
        assert_ok(neighbour_rows_unmark(&r, &err), &err);
        assert_ok(mark_cursor_init(&cursor, &r, &err), &err);
        mark_cursor_restart(&cursor, &r);
        for (size_t a = 0, n = 0; a < m.n && n < 3 * MOST; n++) {
            mark_cursor_seek(&cursor, &r, a);
            for (size_t b = a + 1; b < m.n; b++)
                assert_true(!m.edge[a][b] || mark_cursor_get(&cursor, &r, b) == neighbour_rows_mark(&r, a, b));
            a = next_node(&random, m.n, a);
        }
        neighbour_rows_clear(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_the_matrix_while_edges_go),
        cmocka_unit_test(a_cursor_finds_the_marks_of_edges_to_higher_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
