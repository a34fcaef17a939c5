/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Rows of what was measured, as the page and its plots read them. Texts and objects are borrowed. */
#ifndef BNB_BENCH_SUITE_ROWS_H
#define BNB_BENCH_SUITE_ROWS_H

#include "bench/suite/fit.h"
#include "bench/suite/sheet.h"
#include "core/base/json.h"
#include "core/base/text.h"

#include <stdbool.h>

enum { MOST_SERIES = 16, MOST_POINTS = 32 };

const char *row_text(const json_t *row, const char *key);   /* "" where there is none */
double row_number(const json_t *row, const char *key);      /* NAN where there is none */
double row_median(const json_t *row, const char *quantity); /* of cpu_s, elapsed_s, ... */
bool row_is(const json_t *row, const char *key, const char *text);

/** Have both these texts in common? `keys` ends with NULL. */
bool rows_agree(const json_t *a, const json_t *b, const char *const *keys);

/** Is line i of a sheet about the data, learner and options of the row? */
bool row_is_of(const json_t *row, const sheet *s, size_t i);

/** Times of a learner by what grows, `n` points. */
typedef struct {
    const char *learner;
    size_t n;
    double x[MOST_POINTS], y[MOST_POINTS];
    fit growth;
} series;

/**
 * The series of a group, by learner, in the order measured, from runs that ended: x is "variables" or "rows", y the
 * median of `quantity`, or memory in MiB for "memory_bytes". What took less than 2 ms is drawn, and no part of the fit.
 */
size_t series_of(const json_t *measured, const char *group, const char *x, const char *quantity,
                 series out[MOST_SERIES]);

/** The different x of all series, ascending; returns how many. */
size_t series_places(const series *s, size_t n, double out[MOST_POINTS]);

/** The value at x; NAN where there is none. */
double series_at(const series *s, double x);

/** Three digits: "0.00221", "1.2", "177". "-" for what is no number. */
void append_number(text_buffer *out, double value);

/** Whole numbers with commas between thousands. */
void append_count(text_buffer *out, double value);

#endif
