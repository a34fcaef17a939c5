/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Two stores held against each other. */
#ifndef BNB_REPORT_DIFFERENCE_COMPARISON_H
#define BNB_REPORT_DIFFERENCE_COMPARISON_H

#include "report/difference/difference.h"
#include "runner/stored_run.h"

typedef struct {
    stored_run *run; /* the store's last */
    const experiment *e;
    job_record *records; /* of its plan */
    size_t n_records;
} comparison_side;

/** Zero-initialise. */
typedef struct {
    comparison_side before, after;
    difference_options options; /* max_slowdown and alpha are the caller's */
    const char **names;         /* metrics that are judged, then learners that are timed */
    char *words;                /* the metrics that are asked for, cut into words */
    difference d;
} comparison;

void comparison_clear(comparison *s);

/** Reads what the last runs of both stores declared, and their records. */
BNB_MUST_CHECK status comparison_read(const char *before, const char *after, comparison *out, error_info *err);

/**
 * Compares what was read.
 * @param metrics whose worsening is a regression, "a,b"; NULL: those that the later experiment declares
 * @return STATUS_INVALID: an unknown metric, or an option out of range
 */
BNB_MUST_CHECK status comparison_measure(comparison *s, const char *metrics, error_info *err);

/** Writes the HTML page. */
BNB_MUST_CHECK status comparison_write_page(const comparison *s, const char *before, const char *after,
                                            const char *path, error_info *err);

#endif
