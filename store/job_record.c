/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/array.h"
#include "core/base/text.h"
#include "store/job_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_names[] = {"done", "failed", "timeout", "memory"};
enum { N_STATES = sizeof state_names / sizeof *state_names };

const char *job_state_name(job_state state) {
    return (size_t)state < N_STATES ? state_names[state] : "unknown";
}

bool job_state_from_name(const char *name, job_state *out) {
    for (size_t i = 0; i < N_STATES; i++) {
        if (strcmp(name, state_names[i]) == 0) {
            *out = (job_state)i;
            return true;
        }
    }
    return false;
}

#define FIELD(kind, member, ...)                                                                                       \
    { kind, #member, offsetof(job_record, member), __VA_ARGS__ }
const job_field job_fields[JOB_FIELD_COUNT] = {
    FIELD(FIELD_TEXT, key, "key"),
    FIELD(FIELD_TEXT, network, "network"),
    FIELD(FIELD_NUMBER, n_samples, "n_samples"),
    FIELD(FIELD_REAL, sigma, "sigma", .since = STORE_FORMAT_WITH_SIGMA),
    FIELD(FIELD_NUMBER, replicate, "replicate"),
    FIELD(FIELD_TEXT, learner, "learner"),
    FIELD(FIELD_STATE, state, "state"),
    FIELD(FIELD_TEXT, message, "message"),
    FIELD(FIELD_FLAG, is_cut_short, "is_cut_short"),
    FIELD(FIELD_TEXT, options, "options"),
    FIELD(FIELD_NUMBER, seed, "seed"),
    FIELD(FIELD_TEXT, fingerprint, "fingerprint"),
    FIELD(FIELD_TEXT, graph_kind, "graph_kind"),
    FIELD(FIELD_TEXT, graph, "graph", .is_long = true),
    FIELD(FIELD_NUMBER, tests.requests, "tests_requested"),
    FIELD(FIELD_NUMBER, tests.computed, "tests_computed"),
    FIELD(FIELD_NUMBER, tests.skipped, "tests_skipped"),
    FIELD(FIELD_NUMBER, scores.requests, "scores_requested"),
    FIELD(FIELD_NUMBER, scores.computed, "scores_computed"),
    FIELD(FIELD_NUMBER, scores.skipped, "scores_skipped"),
    FIELD(FIELD_REAL, cpu_seconds, "cpu_seconds"),
    FIELD(FIELD_REAL, wall_seconds, "wall_seconds"),
    FIELD(FIELD_NUMBER, peak_memory_bytes, "peak_memory_bytes"),
    FIELD(FIELD_REAL, time_limit_s, "time_limit_s"),
    FIELD(FIELD_NUMBER, memory_limit_bytes, "memory_limit_bytes"),
    FIELD(FIELD_TEXT, stderr_tail, "stderr_tail", .is_long = true),
    FIELD(FIELD_TEXT, policy, "policy", .is_long = true, .since = STORE_FORMAT_WITH_SIGMA),
    FIELD(FIELD_TEXT, confinement, "confinement", .since = STORE_FORMAT_WITH_CONFINEMENT),
};

void job_record_clear(job_record *r) {
    for (size_t i = 0; i < JOB_FIELD_COUNT; i++) {
        if (job_fields[i].kind == FIELD_TEXT)
            free(*(char **)(void *)((char *)r + job_fields[i].offset));
    }
    for (size_t i = 0; i < r->n_metrics; i++)
        free(r->metrics[i].name);
    free(r->metrics);
    trace_clear(&r->trace);
    *r = (job_record){0};
}

void job_records_destroy(job_record *records, size_t n) {
    for (size_t i = 0; records && i < n; i++)
        job_record_clear(&records[i]);
    free(records);
}

/* The first metric whose name is not below `name`. */
static size_t find_place(const job_record *r, const char *name) {
    size_t at;
    ARRAY_FIND_PLACE(at, r->n_metrics, strcmp(r->metrics[at].name, name) < 0);
    return at;
}

static bool is_at(const job_record *r, size_t place, const char *name) {
    return place < r->n_metrics && strcmp(r->metrics[place].name, name) == 0;
}

status job_record_set_metric(job_record *r, const char *name, double value, error_info *err) {
    size_t place = find_place(r, name), n = r->n_metrics;
    metric_value added;
    if (!isfinite(value))
        return error_set(err, STATUS_INVALID, "the metric '%s' is %g; it must be a finite number", name, value);
    if (is_at(r, place, name)) {
        r->metrics[place].value = value;
        return STATUS_OK;
    }
    CHECK(array_resize(&r->metrics, n + 1, sizeof *r->metrics, err));
    added = (metric_value){.name = text_copy(name), .value = value};
    CHECK_ALLOC(added.name);
    memmove(r->metrics + place + 1, r->metrics + place, (n - place) * sizeof added);
    r->metrics[place] = added;
    r->n_metrics++;
    return STATUS_OK;
}

status job_record_remark(job_record *r, const char *remark, error_info *err) {
    AUTO(text_buffer_clear) text_buffer b = {0};
    if (r->message)
        text_append_format(&b, "%s; ", r->message);
    text_append(&b, remark);
    CHECK(text_buffer_check(&b, err));
    free(r->message);
    r->message = b.data;
    b.data = NULL;
    return STATUS_OK;
}

const double *job_record_metric(const job_record *r, const char *name) {
    size_t place = find_place(r, name);
    return is_at(r, place, name) ? &r->metrics[place].value : NULL;
}
