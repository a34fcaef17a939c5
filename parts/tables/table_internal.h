/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What the sources that compute a table share. A group is what stands beside the learners: a sample size, a network or
 * a noise level. An entry is what is shown on the learners' side: a learner, or several taken together.
 */
#ifndef BNB_PARTS_TABLES_TABLE_INTERNAL_H
#define BNB_PARTS_TABLES_TABLE_INTERNAL_H

#include "metrics/distances/metric.h"
#include "parts/figures/aggregate.h"
#include "parts/tables/metric_table.h"

typedef struct {
    const experiment_outputs *outputs;
    const metric_table_spec *spec;
    const metric_info *info; /* NULL for a metric that is not in the registry */
    const published_table *published;
    result_grid grid;
    metric_values values;
    table_axis group_axis; /* AXIS_SAMPLES, AXIS_NETWORK or AXIS_SIGMA */
    size_t n_groups;       /* declared, without the average */
    bool has_average;
    size_t n_elements; /* of a group */
    size_t baseline;   /* a learner, or NO_BASELINE */
    size_t n_shown;
    size_t *shown; /* learners with such a metric */
    size_t n_entries;
    size_t *entry_of;         /* n_shown */
    const char **entry_names; /* n_entries, borrowed */
    group_figure *figures;    /* n_groups x n_learners */
    group_summary *summaries; /* n_groups */
    bool *is_zero;            /* n_groups x n_elements */
    size_t n_published, n_ambiguous, n_incomparable;
    char *aggregation; /* how the paper averaged */
} table_work;

/** The data sets of a group's element: (place, size). */
grid_element table_element(const table_work *w, size_t group, size_t element);

/** Fills every cell, averages too, from the figures of the groups. */
void table_fill_cells(const table_work *w, table *t);

/** Marks the best of a group, where they are not all alike. */
void table_mark_best(const table_work *w, table *t, size_t group);

/** Puts the published figures beside the regenerated ones. */
BNB_MUST_CHECK status table_add_published(table_work *w, table *t, error_info *err);

/** Says below the table what its figures are. */
BNB_MUST_CHECK status table_add_notes(const table_work *w, const job_record *records, size_t n_records, table *t,
                                      error_info *err);

/** Tabulates the part and shows it. `jobs` says which jobs stand behind the figures; NULL: none. */
BNB_MUST_CHECK status table_make(const part_context *c, const declared_part *p, const metric_table_spec *jobs,
                                 part_output *out, error_info *err);

#endif
