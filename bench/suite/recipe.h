/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The data that are measured on, each from a word: NETWORK[*COPIES]:ROWS[:KIND]. Rows are drawn with seed 1; copies
 * are tiled with 4.52 arcs a copy (270 copies of alarm, 1,220 arcs: 9,990 variables). The kinds: `seen` has only the
 * states that occur, and no column with a single one, as other programs need it; `gauss` is drawn from a
 * linear-Gaussian network with the same graph, weights of random sign and size from 0.3 to 1, unit noise; `bnd` is
 * packed columns; `set` is no network: the data set of that name that has so many rows, where somebody has put it
 * (BNBENCH_DATASETS, the cache), its continuous columns in three states of equal frequency.
 */
#ifndef BNB_BENCH_SUITE_RECIPE_H
#define BNB_BENCH_SUITE_RECIPE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    char network[64], kind[16];
    int64_t copies, rows;
} recipe;

/** STATUS_INVALID: the word is none. */
BNB_MUST_CHECK status recipe_read(const char *word, recipe *out, error_info *err);

/** False of data sets, and of a word that is no data. */
bool recipe_has_network(const char *word);

/** The network that it is drawn from: a name, or a file in the folder, made there unless it is there already; on the
 * heap. */
BNB_MUST_CHECK status recipe_network(const char *word, const char *program, const char *folder, char **network,
                                     error_info *err);

/** Its file in the folder, made there unless it is there already; on the heap. */
BNB_MUST_CHECK status recipe_file(const char *word, const char *program, const char *folder, char **path,
                                  error_info *err);

#endif
