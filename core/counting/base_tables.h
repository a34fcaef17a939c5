/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The tables of one column, given others, with each of many further columns, counted in one pass over the rows. For
 * data of many rows: bit vectors of a few thousand rows at a time stay in the caches, where core/counting/counts.h
 * would read all rows anew for every table.
 */
#ifndef BNB_CORE_COUNTING_BASE_TABLES_H
#define BNB_CORE_COUNTING_BASE_TABLES_H

#include "core/counting/pair_tables.h"

typedef struct base_tables base_tables;

/** Scratch space of one thread; `tables` are borrowed. */
BNB_MUST_CHECK status base_tables_create(const pair_tables *tables, base_tables **out, error_info *err);
void base_tables_destroy(base_tables *b); /* NULL is fine */
AUTO_PTR_OF(base_tables, base_tables_destroy)

/** Whether there are so many rows that one pass pays. */
bool base_tables_suit(const dataset *data);

/** Where they suit, and there is memory: makes of the tables, by up to n_threads, what lets a pass take less. Before
 * other threads read them. */
void base_tables_prepare(pair_tables *tables, size_t n_threads);

/**
 * Counts (first, conditioning..., extra) for each of n_extras extras, other columns than the first and the
 * conditioning. False into `*is_done` where another way costs less: too many configurations, or states of a column.
 */
BNB_MUST_CHECK status base_tables_count(base_tables *b, size_t first, const size_t *conditioning, size_t n_conditioning,
                                        const size_t *extras, size_t n_extras, bool *is_done, error_info *err);

/**
 * Threads that take part in a pass: `run` calls work(self, 0) and, in whichever of them have time, work(self, i) of
 * other i below n, each in a thread of its own, and returns when all that were called have returned.
 */
typedef struct {
    size_t n;
    void (*run)(void *owner, void (*work)(void *self, size_t index), void *self);
    void *owner;
} pass_helpers;

/** From now on they take part where the rows are a million or more; borrowed. NULL: nobody does. */
void base_tables_share(base_tables *b, const pass_helpers *helpers);

/** How many configurations of the conditioning columns there are. */
size_t base_tables_strata(const base_tables *b);

/** The table with extra i, until the next call: the count of (stratum s, extra e, first f) at (s * r_extra + e) *
 * r_first + f, the first conditioning column varying fastest. */
const uint32_t *base_tables_cells(base_tables *b, size_t i);

#endif
