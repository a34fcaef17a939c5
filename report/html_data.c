/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The jobs for the page's script: names and long texts once each, a job an array of places in them, numbers with seven
 * digits (the CSV files hold them in full), so that thousands of jobs stay small.
 */
#include "report/html_internal.h"

#include "core/base/array.h"
#include "core/base/name_index.h"
#include "metrics/distances/metric.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MAIN_METRICS = 5 };

/* Texts in order of appearance, each once; borrowed. */
typedef struct {
    name_index *places;
    size_t n, capacity;
    const char **texts;
} text_list;

typedef struct {
    const report *r;
    text_list networks, learners, metrics, texts;
    double *values; /* of one job, by metric */
    bool *has_value;
} job_table;

static status list_create(text_list *l, error_info *err) {
    return name_index_create(64, &l->places, err);
}

static void list_clear(text_list *l) {
    name_index_destroy(l->places);
    free(l->texts);
}

static status list_add(text_list *l, const char *text, error_info *err) {
    size_t earlier = NAME_NONE;
    if (name_index_find(l->places, text) != NAME_NONE)
        return STATUS_OK;
    CHECK(ARRAY_ROOM(l->texts, l->n, l->capacity, err));
    CHECK(name_index_add(l->places, text, l->n, &earlier, err));
    l->texts[l->n++] = text;
    return STATUS_OK;
}

static status add_long_texts(job_table *t, const job_record *job, error_info *err) {
    const char *const texts[] = {job->fingerprint, job->options, job->message, job->stderr_tail};
    status st = STATUS_OK;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && st == STATUS_OK; i++) {
        if (texts[i] && *texts[i])
            st = list_add(&t->texts, texts[i], err);
    }
    return st;
}

static status add_job_names(job_table *t, const job_record *job, error_info *err) {
    CHECK(list_add(&t->networks, job->network, err));
    CHECK(list_add(&t->learners, job->learner, err));
    CHECK(add_long_texts(t, job, err));
    for (size_t m = 0; m < job->n_metrics; m++)
        CHECK(list_add(&t->metrics, job->metrics[m].name, err));
    return STATUS_OK;
}

/* Networks and learners as the outputs number them, for tables speak of them so; what is not declared comes after. */
static status gather(job_table *t, error_info *err) {
    const experiment_outputs *o = t->r->outputs;
    CHECK(list_create(&t->networks, err));
    CHECK(list_create(&t->learners, err));
    CHECK(list_create(&t->metrics, err));
    CHECK(list_create(&t->texts, err));
    for (size_t i = 0; i < o->n_networks; i++)
        CHECK(list_add(&t->networks, o->networks[i], err));
    for (size_t i = 0; i < o->n_learners; i++)
        CHECK(list_add(&t->learners, o->learners[i], err));
    for (size_t i = 0; i < t->r->n_records; i++)
        CHECK(add_job_names(t, &t->r->records[i], err));
    CHECK_ALLOC(t->values = calloc(t->metrics.n + 1, sizeof *t->values));
    CHECK_ALLOC(t->has_value = calloc(t->metrics.n + 1, sizeof *t->has_value));
    return STATUS_OK;
}

static void append_list(const char *key, const text_list *l, text_buffer *out) {
    text_append_format(out, "\"%s\":[", key);
    for (size_t i = 0; i < l->n; i++) {
        text_append(out, i ? "," : "");
        html_append_json(out, l->texts[i]);
    }
    text_append(out, "],\n");
}

static void append_metric_list(const text_list *l, text_buffer *out) {
    text_append(out, "\"metrics\":[");
    for (size_t i = 0; i < l->n; i++) {
        const metric_info *info = metric_find(l->texts[i]);
        text_append(out, i ? ",[" : "[");
        html_append_json(out, l->texts[i]);
        text_append(out, ",");
        html_append_json(out, info && strcmp(info->unit, info->name) != 0 ? info->unit : "");
        text_append(out, "]");
    }
    text_append(out, "],\n");
}

/* The metrics that the list of all jobs shows: those of the tables, as far as jobs have them. */
static void append_main_metrics(const job_table *t, text_buffer *out) {
    const experiment_outputs *o = t->r->outputs;
    size_t shown[MOST_MAIN_METRICS], n = 0;
    text_append(out, "\"main\":[");
    for (size_t i = 0; i < o->n_tables && n < MOST_MAIN_METRICS; i++) {
        size_t place = o->tables[i].metric ? name_index_find(t->metrics.places, o->tables[i].metric) : NAME_NONE;
        bool is_there = place == NAME_NONE;
        for (size_t k = 0; k < n; k++)
            is_there = is_there || shown[k] == place;
        if (is_there)
            continue;
        text_append_format(out, "%s%zu", n ? "," : "", place);
        shown[n++] = place;
    }
    text_append(out, "],\n");
}

static void append_place(const text_list *l, const char *text, text_buffer *out) {
    size_t place = text && *text ? name_index_find(l->places, text) : NAME_NONE;
    if (place == NAME_NONE)
        text_append(out, ",-1");
    else
        text_append_format(out, ",%zu", place);
}

static void append_values(job_table *t, const job_record *job, text_buffer *out) {
    size_t n = 0;
    memset(t->has_value, 0, t->metrics.n * sizeof *t->has_value);
    for (size_t m = 0; m < job->n_metrics; m++) {
        size_t place = name_index_find(t->metrics.places, job->metrics[m].name);
        t->values[place] = job->metrics[m].value;
        t->has_value[place] = true;
        n = place + 1 > n ? place + 1 : n;
    }
    text_append(out, ",[");
    for (size_t i = 0; i < n; i++) {
        text_append(out, i ? "," : "");
        if (t->has_value[i])
            text_append_format(out, "%.7g", t->values[i]);
        else
            text_append(out, "null");
    }
    text_append(out, "]]");
}

static void append_job(job_table *t, const job_record *job, text_buffer *out) {
    char digits[32];
    text_append_format(out, "[%zu,%" PRIu64 ",%" PRIu64 ",%zu,%d,%" PRIu64,
                       name_index_find(t->networks.places, job->network), job->n_samples, job->replicate,
                       name_index_find(t->learners.places, job->learner), (int)job->state, job->seed);
    append_place(&t->texts, job->fingerprint, out);
    append_place(&t->texts, job->options, out);
    append_place(&t->texts, job->message, out);
    append_place(&t->texts, job->stderr_tail, out);
    text_append_format(out, ",%s", job->sigma > 0 ? text_from_double(job->sigma, digits) : "null");
    append_values(t, job, out);
}

static void append_jobs(job_table *t, text_buffer *out) {
    text_append(out, "\"jobs\":[");
    for (size_t i = 0; i < t->r->n_records; i++) {
        text_append(out, i ? ",\n" : "\n");
        append_job(t, &t->r->records[i], out);
    }
    text_append(out, "],\n");
}

/* Which learners stand behind one that is the best of others. */
static void append_parts(const report *r, text_buffer *out) {
    const experiment_outputs *o = r->outputs;
    text_append(out, "\"parts\":{");
    for (size_t i = 0; i < o->n_best_of; i++) {
        const best_of_spec *spec = &o->best_of[i];
        text_append_format(out, "%s\"%zu\":[", i ? "," : "", outputs_find_learner(o, spec->id));
        for (size_t k = 0; k < spec->n_parts; k++)
            text_append_format(out, "%s%zu", k ? "," : "", outputs_find_learner(o, spec->parts[k]));
        text_append(out, "]");
    }
    text_append(out, "},\n");
}

static void append_states(text_buffer *out) {
    static const job_state states[] = {JOB_DONE, JOB_FAILED, JOB_TIMEOUT, JOB_MEMORY};
    text_append(out, "\"states\":[");
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        text_append_format(out, "%s\"%s\"", i ? "," : "", job_state_name(states[i]));
    text_append(out, "],\n");
}

status html_append_data(const report *r, text_buffer *out, error_info *err) {
    job_table t = {.r = r};
    status st = STATUS_OK;
    TRY(gather(&t, err));
    text_append(out, "{");
    append_list("networks", &t.networks, out);
    append_list("learners", &t.learners, out);
    append_list("texts", &t.texts, out);
    append_metric_list(&t.metrics, out);
    append_main_metrics(&t, out);
    append_states(out);
    append_parts(r, out);
    text_append_format(out, "\"hasNoise\":%s,\n", r->outputs->n_sigmas ? "true" : "false");
    append_jobs(&t, out);
    text_append_format(out, "\"tables\":[%s]}", r->page.table_data.data ? r->page.table_data.data : "");
    st = text_buffer_check(out, err);
cleanup:
    list_clear(&t.networks);
    list_clear(&t.learners);
    list_clear(&t.metrics);
    list_clear(&t.texts);
    free(t.values);
    free(t.has_value);
    return st;
}
