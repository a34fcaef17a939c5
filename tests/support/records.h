/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Made-up results for the tests of tables, plots and reports. */
#ifndef BNB_TESTS_SUPPORT_RECORDS_H
#define BNB_TESTS_SUPPORT_RECORDS_H

#include "tests/support/support.h"

#include "core/base/text.h"
#include "parts/plots/points.h"
#include "parts/plots/values.h"
#include "parts/registry.h"
#include "parts/tables/metric_table.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    experiment_outputs outputs;
    part_list parts;
    job_record *records;
    size_t n;
} made_results;

static inline char **copy_names(const char *const *names, size_t *n) {
    char **copies;
    for (*n = 0; names[*n];)
        ++*n;
    copies = calloc(*n + 1, sizeof *copies);
    for (size_t i = 0; i < *n; i++)
        copies[i] = text_copy(names[i]);
    return copies;
}

/** Names end with NULL, sizes with 0. */
static inline made_results make_results(const char *const *networks, const size_t *sizes, size_t n_replicates,
                                        const char *const *learners) {
    made_results m = {.outputs = {.n_replicates = n_replicates}};
    while (sizes[m.outputs.n_sizes])
        m.outputs.n_sizes++;
    m.outputs.sizes = calloc(m.outputs.n_sizes + 1, sizeof *m.outputs.sizes);
    memcpy(m.outputs.sizes, sizes, m.outputs.n_sizes * sizeof *sizes);
    m.outputs.networks = copy_names(networks, &m.outputs.n_networks);
    m.outputs.learners = copy_names(learners, &m.outputs.n_learners);
    m.outputs.name = text_copy("made");
    return m;
}

static inline job_record *add_record(made_results *m, const char *network, size_t n_samples, size_t replicate,
                                     const char *learner_id, job_state state) {
    m->records = realloc(m->records, (m->n + 1) * sizeof *m->records);
    m->records[m->n] = (job_record){.key = text_copy("key"),
                                    .network = text_copy(network),
                                    .n_samples = n_samples,
                                    .replicate = replicate,
                                    .learner = text_copy(learner_id),
                                    .state = state,
                                    .time_limit_s = 60};
    return &m->records[m->n++];
}

static inline void set_metric(job_record *r, const char *name, double value) {
    error_info err = {0};
    assert_ok(job_record_set_metric(r, name, value, &err), &err);
}

/** A done cell with one metric. */
static inline job_record *add_done(made_results *m, const char *network, size_t n_samples, size_t replicate,
                                   const char *learner_id, const char *metric, double value) {
    job_record *r = add_record(m, network, n_samples, replicate, learner_id, JOB_DONE);
    set_metric(r, metric, value);
    return r;
}

/** A part with the initial options of its kind. */
static inline void *add_part(made_results *m, part_group group, const char *kind, const char *id) {
    const part_kind *k = part_find(group, kind);
    void *options;
    error_info err = {0};
    assert_non_null(k);
    assert_non_null(options = part_list_add(&m->parts, k));
    assert_ok(options_take_text(k->options, options, "id", id, &err), &err);
    return options;
}

static inline metric_table_spec *add_table(made_results *m, const char *id, const char *metric,
                                           const char *normalise_by) {
    metric_table_spec *t = add_part(m, PART_TABLE, "metric", id);
    t->metric = text_copy(metric);
    t->normalise_by = normalise_by ? text_copy(normalise_by) : NULL;
    t->failures = FAILURES_DROP_DATASET;
    return t;
}

/** A scatter or line plot. */
static inline points_spec *add_points(made_results *m, const char *id, const char *kind, const char *x, const char *y,
                                      const char *normalise_by) {
    points_spec *p = add_part(m, PART_PLOT, kind, id);
    p->x = text_copy(x);
    p->y = text_copy(y);
    p->normalise_by = normalise_by ? text_copy(normalise_by) : NULL;
    return p;
}

/** A box plot, a heat map or a growth. */
static inline values_spec *add_values(made_results *m, const char *id, const char *kind, const char *y) {
    values_spec *p = add_part(m, PART_PLOT, kind, id);
    p->y = text_copy(y);
    return p;
}

static inline void clear_results(made_results *m) {
    job_records_destroy(m->records, m->n);
    part_list_clear(&m->parts);
    experiment_outputs_clear(&m->outputs);
    *m = (made_results){0};
}

#endif
