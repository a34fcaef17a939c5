/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What several tests need. */
#ifndef BNB_TESTS_SUPPORT_SUPPORT_H
#define BNB_TESTS_SUPPORT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/random.h"
#include "core/base/status.h"
#include "core/data/dataset.h"
#include "core/graph/dag.h"
#include "core/models/bayes_net.h"

/** |a - b| <= relative * max(1, |a|, |b|); cmocka 1.1 compares in float. */
#define assert_close(a, b, relative) assert_close_at(a, b, relative, __FILE__, __LINE__)
void assert_close_at(double a, double b, double relative, const char *file, int line);

/** A comparison of numbers, as in assert_that(n, <=, 3): prints both where it fails. Its sides are computed twice. */
#define assert_that(a, operator, b)                                                                                    \
    assert_that_at((a) operator(b), (double)(a), (double)(b), #a " " #operator" " #b, __FILE__, __LINE__)
void assert_that_at(bool is_so, double a, double b, const char *what, const char *file, int line);

/** low <= value <= high, all real. */
#define assert_between(value, low, high) assert_between_at(value, low, high, #value, __FILE__, __LINE__)
void assert_between_at(double value, double low, double high, const char *what, const char *file, int line);

/** How often a test draws anew what it compares: a third of `n` where sanitizers watch, for what they look for does not
 * depend on the values that come out, and they take up to ten times as long. */
size_t rounds_here(size_t n);

/** STATUS_OK, or the test fails with the message. */
#define assert_ok(call, err) assert_ok_at(call, err, #call, __FILE__, __LINE__)
void assert_ok_at(status st, const error_info *err, const char *call, const char *file, int line);

/** The message holds the words. */
void assert_message_has(const error_info *err, const char *words);

/** The path of a file of the project, of the shared folder beside it (NULL where there is none), and a fresh scratch
 * folder. The last eight paths stay valid. */
const char *source_path(const char *relative);
const char *shared_path(const char *relative);
const char *published_source(const char *file); /* a file of results/published/, by its name alone */
const char *scratch_folder(void);

/**
 * The path of a file of reference values, which lies in tests/golden or, where its data may not be shipped, in golden/
 * of the shared folder. NULL where it is in neither. Readers inflate it where it is compressed.
 */
const char *golden_path(const char *relative);

/** A dataset of small columns: rows in row-major order; states are "0", "1", ...; columns "A", "B", ... */
dataset *make_dataset(size_t n_rows, size_t n_columns, const size_t *n_states, const int *cells);

/** A dataset whose rows are drawn one after the other: `draw` fills a row of states, below n_states each. */
dataset *draw_dataset(random_stream *random, size_t n_rows, size_t n_columns, const size_t *n_states,
                      void (*draw)(random_stream *random, const void *how, int *row), const void *how);

/** Random cells with some dependence between neighbouring columns. */
dataset *make_random_dataset(random_stream *random, size_t n_rows, size_t n_columns, size_t max_states);

/** A random DAG: a random order, each forward pair with that probability. */
dag *make_random_dag(random_stream *random, size_t n_nodes, double probability);

/** The eight rows (X, Y, Z) and the forty rows (A, B, C) of the worked examples, counted by hand. */
dataset *make_eight_rows(void);
dataset *make_forty_rows(void);

/** Runs a program and waits; standard output and error (each may be NULL) on the heap. Returns its exit status, or 128
 * + signal. */
int run_program(const char *const *argv, char **out, char **errors);

#endif
