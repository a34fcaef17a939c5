/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/array.h"
#include "core/base/text.h"
#include "store/store.h"

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

void job_record_clear(job_record *r) {
    free(r->key);
    free(r->network);
    free(r->learner);
    free(r->message);
    free(r->options);
    free(r->fingerprint);
    free(r->graph_kind);
    free(r->graph);
    free(r->policy);
    free(r->stderr_tail);
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
    size_t low = 0, high = r->n_metrics;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(r->metrics[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
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

const double *job_record_metric(const job_record *r, const char *name) {
    size_t place = find_place(r, name);
    return is_at(r, place, name) ? &r->metrics[place].value : NULL;
}
