/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The nights of an experiment: one file, `history.csv`, with a row for each run, cell and metric. */
#ifndef BNB_STORE_HISTORY_H
#define BNB_STORE_HISTORY_H

#include "core/base/status.h"
#include "core/base/text.h"
#include "store/store.h"

#include <stdbool.h>
#include <stdint.h>

/** How a night ended, seen from the last good one. */
typedef enum { NIGHT_GOOD, NIGHT_REGRESSION, NIGHT_SHRUNK, NIGHT_ACCEPTED } night_outcome;
const char *night_outcome_name(night_outcome o); /* "good", "regression", "shrunk", "accepted" */

typedef struct {
    char *name;     /* of the folder below runs/ */
    char *baseline; /* the night that it was compared with; "" for none */
    night_outcome outcome;
} night;

/** The mean of a metric over the data sets of a cell. */
typedef struct {
    size_t night;
    const char *network, *learner, *metric;
    char *owned[3]; /* the three names */
    uint64_t n_samples;
    double sigma; /* 0: none */
    size_t n;     /* data sets */
    double value;
} night_value;

/** In the order of the nights. Zero-initialise. */
typedef struct {
    night *nights;
    size_t n_nights;
    night_value *values;
    size_t n_values, capacity;
} history;

void history_clear(history *h);

/** Reads a history; no file is an empty one. STATUS_PARSE: "PATH: line L: ..." */
BNB_MUST_CHECK status history_read(const char *path, history *out, error_info *err);

/** Writes all of it: a reader sees the old file or the new one. */
BNB_MUST_CHECK status history_write(const history *h, const char *path, error_info *err);

/**
 * Adds a night with the means of its done records: of each metric that is named, and for "time" the geometric mean, and
 * "time_calibrated" beside it, the time in units of the fixed work of core/run/calibration.h.
 */
BNB_MUST_CHECK status history_add(history *h, const char *name, const char *baseline, night_outcome outcome,
                                  const job_record *records, size_t n_records, const char *const *metrics,
                                  size_t n_metrics, error_info *err);

/** The last night that was good or accepted, or NULL. */
const night *history_last_good(const history *h);

/** True if a night of that name is in it. */
bool history_has(const history *h, const char *name);

#endif
