/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Small made-up results of three learners, and the cells of their table. */
#ifndef BNB_TESTS_PARTS_TABLE_SUPPORT_H
#define BNB_TESTS_PARTS_TABLE_SUPPORT_H

#include "tests/support/records.h"

#include "parts/tables/metric_table.h"

static const char *const three_networks[] = {"n1", "n2", "n3", NULL};

static const size_t one_size[] = {500, 0};

/* shd of (base, b) on n1, n2, n3, two replicates: means 15, 5, 100 and 15, 10, 30; ratios 1, 2, 0.3. */
static const double base_shd[3][2] = {{10, 20}, {4, 6}, {100, 100}};

static const double b_shd[3][2] = {{15, 15}, {10, 10}, {30, 30}};

static inline made_results make_three(void) {
    static const char *const learners[] = {"base", "b", NULL};
    made_results m = make_results(three_networks, one_size, 2, learners);
    for (size_t i = 0; i < 3; i++) {
        for (size_t r = 0; r < 2; r++) {
            (void)add_done(&m, three_networks[i], 500, r, "base", "shd", base_shd[i][r]);
            (void)add_done(&m, three_networks[i], 500, r, "b", "shd", b_shd[i][r]);
        }
    }
    return m;
}

/* The record of a cell; it must be there. */
static inline job_record *record_of(made_results *m, const char *network, size_t n_samples, size_t replicate,
                                    const char *id) {
    for (size_t i = 0; i < m->n; i++) {
        job_record *r = &m->records[i];
        if (strcmp(r->network, network) == 0 && r->n_samples == n_samples && r->replicate == replicate &&
            strcmp(r->learner, id) == 0)
            return r;
    }
    fail_msg("no record of %s", id);
    return NULL;
}

static inline table compute(const made_results *m, const metric_table_spec *spec, const published_table *published) {
    table t = {0};
    error_info err = {0};
    assert_ok(metric_table_compute(&m->outputs, spec, m->records, m->n, published, &t, &err), &err);
    return t;
}

static inline const table_cell *cell_of(const table *t, const char *row, const char *column) {
    for (size_t r = 0; r < t->n_rows; r++) {
        for (size_t c = 0; c < t->n_columns; c++) {
            if (strcmp(t->row_names[r], row) == 0 && strcmp(t->column_names[c], column) == 0)
                return &t->cells[r * t->n_columns + c];
        }
    }
    fail_msg("no cell %s, %s", row, column);
    return NULL;
}

static inline void assert_figure(const table *t, const char *row, const char *column, double value, size_t n, size_t of,
                                 size_t n_imputed) {
    const table_cell *cell = cell_of(t, row, column);
    assert_int_equal(cell->kind, CELL_FIGURE);
    assert_close(cell->value, value, 1e-12);
    assert_int_equal(cell->n, n);
    assert_int_equal(cell->of, of);
    assert_int_equal(cell->n_imputed, n_imputed);
}

static inline void assert_has_note(const table *t, const char *words) {
    for (size_t i = 0; i < t->n_notes; i++) {
        if (strstr(t->notes[i], words))
            return;
    }
    for (size_t i = 0; i < t->n_notes; i++)
        print_error("note: %s\n", t->notes[i]);
    fail_msg("no note holds '%s'", words);
}

static inline void fail_cell(made_results *m, const char *network, size_t n_samples, size_t replicate, const char *id,
                             job_state how) {
    job_record *r = record_of(m, network, n_samples, replicate, id);
    r->state = how;
    r->time_limit_s = 60;
}

#endif
