/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The jobs and tables for the page's script: names and long texts once each, a job an array of places in them, numbers
 * with seven digits (the CSV files hold them in full), so that thousands of jobs stay small.
 */
#include "report/html_internal.h"

#include "metrics/distances/metric.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MAIN_METRICS = 5 };

/* Texts in order of appearance, each once. */
typedef struct {
    json_t *texts, *places; /* an array; of each text where it stands there */
} text_table;

typedef struct {
    const report *r;
    text_table networks, learners, metrics, texts;
    bool failed;
} page_data;

void html_append_json(text_buffer *out, const json_t *value) {
    char *text = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) : NULL;
    out->failed |= !text;
    for (const char *at = text ? text : ""; *at;) {
        size_t n = strcspn(at, "<>&\xE2");
        text_append_bytes(out, at, n);
        at += n;
        if (strncmp(at, "\xE2\x80\xA8", 3) == 0 || strncmp(at, "\xE2\x80\xA9", 3) == 0) {
            text_append(out, at[2] == '\xA8' ? "\\u2028" : "\\u2029");
            at += 3;
        } else if (*at == '\xE2') {
            text_append_bytes(out, at++, 1);
        } else if (*at) {
            text_append_format(out, "\\u%04x", (unsigned)*at++);
        }
    }
    free(text);
}

/* What is no UTF-8 becomes text that is. */
static json_t *string_of(const char *text) {
    json_t *string = json_string(text);
    text_buffer clean = {0};
    if (string)
        return string;
    display_append_plain(&clean, text);
    string = clean.data && !clean.failed ? json_string(clean.data) : NULL;
    text_buffer_clear(&clean);
    return string;
}

/* Takes the value over. */
static void add(json_t *list, json_t *value, bool *failed) {
    *failed |= json_array_append_new(list, value) != 0;
}

/* Where the text stands; it is added where it is new. */
static json_int_t place_of(text_table *l, const char *text, bool *failed) {
    json_t *string = string_of(text), *place = NULL;
    size_t n = json_array_size(l->texts);
    if (string)
        place = json_object_get(l->places, json_string_value(string));
    if (place) {
        json_decref(string);
        return json_integer_value(place);
    }
    *failed |= !string || json_object_set_new(l->places, json_string_value(string), json_integer((json_int_t)n)) != 0;
    add(l->texts, string, failed);
    return (json_int_t)n;
}

/* ---- jobs ---- */

static json_t *rounded(double value) {
    char digits[32];
    if (value == trunc(value) && fabs(value) < 1e15)
        return json_integer((json_int_t)value);
    (void)snprintf(digits, sizeof digits, "%.7g", value);
    return isfinite(value) ? json_real(strtod(digits, NULL)) : json_null();
}

/* By metric; null where the job has none. */
static json_t *values_of(page_data *d, const job_record *job) {
    json_t *values = json_array();
    for (size_t m = 0; m < job->n_metrics; m++) {
        size_t place = (size_t)place_of(&d->metrics, job->metrics[m].name, &d->failed);
        while (!d->failed && json_array_size(values) <= place)
            add(values, json_null(), &d->failed);
        d->failed = d->failed || json_array_set_new(values, place, rounded(job->metrics[m].value)) != 0;
    }
    return values;
}

static json_t *job_row(page_data *d, const job_record *job) {
    const char *const texts[] = {job->fingerprint, job->options, job->message, job->stderr_tail};
    json_int_t network = place_of(&d->networks, job->network, &d->failed);
    json_int_t learner = place_of(&d->learners, job->learner, &d->failed), at[4];
    for (size_t i = 0; i < 4; i++)
        at[i] = texts[i] && *texts[i] ? place_of(&d->texts, texts[i], &d->failed) : -1;
    return json_pack("[I, I, I, I, i, I, I, I, I, I, o, o]", network, (json_int_t)job->n_samples,
                     (json_int_t)job->replicate, learner, (int)job->state, (json_int_t)job->seed, at[0], at[1], at[2],
                     at[3], job->sigma > 0 ? json_real(job->sigma) : json_null(), values_of(d, job));
}

static json_t *list_jobs(page_data *d) {
    json_t *jobs = json_array();
    for (size_t i = 0; i < d->r->n_records; i++)
        add(jobs, job_row(d, &d->r->records[i]), &d->failed);
    return jobs;
}

/* ---- what stands around them ---- */

static json_t *list_metrics(page_data *d) {
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(d->metrics.texts); i++) {
        const char *name = json_string_value(json_array_get(d->metrics.texts, i));
        const metric_info *info = metric_find(name);
        add(list, json_pack("[s, s]", name, info && strcmp(info->unit, info->name) != 0 ? info->unit : ""), &d->failed);
    }
    return list;
}

static bool is_among(const json_t *list, json_int_t place) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (json_integer_value(json_array_get(list, i)) == place)
            return true;
    }
    return false;
}

/* The metrics that the list of all jobs shows: those of the tables, as far as jobs have them. */
static json_t *list_main_metrics(page_data *d) {
    const experiment_outputs *o = d->r->outputs;
    json_t *list = json_array();
    for (size_t i = 0; i < o->n_tables && json_array_size(list) < MOST_MAIN_METRICS; i++) {
        json_t *place = o->tables[i].metric ? json_object_get(d->metrics.places, o->tables[i].metric) : NULL;
        if (place && !is_among(list, json_integer_value(place)))
            add(list, json_integer(json_integer_value(place)), &d->failed);
    }
    return list;
}

static json_t *list_states(page_data *d) {
    static const job_state states[] = {JOB_DONE, JOB_FAILED, JOB_TIMEOUT, JOB_MEMORY};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        add(list, json_string(job_state_name(states[i])), &d->failed);
    return list;
}

static json_int_t learner_number(const report *r, const char *name) {
    return (json_int_t)outputs_find_learner(r->outputs, name);
}

static void add_learners(const report *r, char *const *names, size_t n, json_t *list, bool *failed) {
    for (size_t i = 0; i < n; i++)
        add(list, json_integer(learner_number(r, names[i])), failed);
}

/* Which learners stand behind one that is the best of others. */
static json_t *list_parts(page_data *d) {
    const experiment_outputs *o = d->r->outputs;
    json_t *parts = json_object();
    for (size_t i = 0; i < o->n_best_of; i++) {
        json_t *learners = json_array();
        char number[32];
        (void)snprintf(number, sizeof number, "%zu", outputs_find_learner(o, o->best_of[i].id));
        add_learners(d->r, o->best_of[i].parts, o->best_of[i].n_parts, learners, &d->failed);
        d->failed |= json_object_set_new(parts, number, learners) != 0;
    }
    return parts;
}

/* ---- tables ---- */

static json_t *list_networks(const report *r, char *const *names, size_t n, bool *failed) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < r->outputs->n_networks && strcmp(r->outputs->networks[k], names[i]) != 0)
            k++;
        add(list, json_integer((json_int_t)k), failed);
    }
    return list;
}

static json_t *list_sizes(const size_t *sizes, size_t n, bool *failed) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        add(list, json_integer((json_int_t)sizes[i]), failed);
    return list;
}

static json_t *list_sigmas(const double *sigmas, size_t n, bool *failed) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        add(list, json_real(sigmas[i]), failed);
    return list;
}

/* Names and learners of figures that are the mean of several. */
static json_t *list_pools(const report *r, const table_spec *spec, bool *failed) {
    json_t *list = json_array();
    for (size_t i = 0; i < spec->n_pools; i++) {
        json_t *pool = json_array();
        add(pool, string_of(spec->pools[i].id), failed);
        add_learners(r, spec->pools[i].parts, spec->pools[i].n_parts, pool, failed);
        add(list, pool, failed);
    }
    return list;
}

static json_t *list_table_metrics(const table_spec *spec, bool *failed) {
    json_t *list = json_array();
    for (size_t i = 0; i < spec->n_sum_of; i++)
        add(list, string_of(spec->sum_of[i]), failed);
    if (spec->n_sum_of == 0 && spec->metric)
        add(list, string_of(spec->metric), failed);
    return list;
}

static json_t *list_groups(const report *r, const table *t, const table_spec *spec, bool *failed) {
    if (t->group_axis == AXIS_SAMPLES)
        return list_sizes(spec->n_samples ? spec->samples : r->outputs->sizes, t->n_groups, failed);
    if (t->group_axis == AXIS_SIGMA)
        return list_sigmas(spec->n_sigmas ? spec->sigmas : r->outputs->sigmas, t->n_groups, failed);
    return list_networks(r, t->learners_are_columns ? t->row_names : t->column_names, t->n_groups, failed);
}

/* Which jobs stand behind a group's figures. */
static json_t *table_object(const report *r, const table *t, const table_spec *spec, bool *failed) {
    static const char *const axis_names[] = {
        [AXIS_SAMPLES] = "samples", [AXIS_NETWORK] = "network", [AXIS_SIGMA] = "sigma"};
    return json_pack("{s:o, s:s, s:o, s:I, s:o, s:o, s:o, s:o, s:o}", "title", string_of(t->title), "axis",
                     axis_names[t->group_axis], "metrics", list_table_metrics(spec, failed), "base",
                     spec->normalise_by ? learner_number(r, spec->normalise_by) : -1, "groups",
                     list_groups(r, t, spec, failed), "networks",
                     spec->n_networks ? list_networks(r, spec->networks, spec->n_networks, failed) : json_null(),
                     "sizes", spec->n_samples ? list_sizes(spec->samples, spec->n_samples, failed) : json_null(),
                     "sigmas", spec->n_sigmas ? list_sigmas(spec->sigmas, spec->n_sigmas, failed) : json_null(),
                     "pools", list_pools(r, spec, failed));
}

status html_add_table_data(report *r, const table *t, const table_spec *spec, long *number, error_info *err) {
    html_page *p = &r->page;
    bool failed = false;
    *number = -1;
    if (!r->options->html)
        return STATUS_OK;
    if (!p->tables)
        p->tables = json_array();
    *number = (long)json_array_size(p->tables);
    add(p->tables, spec->kind == TABLE_OF_METRIC ? table_object(r, t, spec, &failed) : json_null(), &failed);
    return failed ? error_out_of_memory(err) : STATUS_OK;
}

/* ---- all of it ---- */

/* Networks and learners as the outputs number them, for tables speak of them so; what is not declared comes after. */
static void begin(page_data *d) {
    const experiment_outputs *o = d->r->outputs;
    text_table *const all[] = {&d->networks, &d->learners, &d->metrics, &d->texts};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = (text_table){json_array(), json_object()};
    for (size_t i = 0; i < o->n_networks; i++)
        (void)place_of(&d->networks, o->networks[i], &d->failed);
    for (size_t i = 0; i < o->n_learners; i++)
        (void)place_of(&d->learners, o->learners[i], &d->failed);
}

static void end(page_data *d) {
    text_table *const all[] = {&d->networks, &d->learners, &d->metrics, &d->texts};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        json_decref(all[i]->texts);
        json_decref(all[i]->places);
    }
}

status html_append_data(const report *r, text_buffer *out, error_info *err) {
    page_data d = {.r = r};
    json_t *jobs, *whole;
    begin(&d);
    jobs = list_jobs(&d); /* before what it finds is listed */
    whole =
        json_pack("{s:O, s:O, s:O, s:o, s:o, s:o, s:o, s:b, s:o, s:o}", "networks", d.networks.texts, "learners",
                  d.learners.texts, "texts", d.texts.texts, "metrics", list_metrics(&d), "main", list_main_metrics(&d),
                  "states", list_states(&d), "parts", list_parts(&d), "hasNoise", r->outputs->n_sigmas > 0, "jobs",
                  jobs, "tables", r->page.tables ? json_incref(r->page.tables) : json_array());
    html_append_json(out, whole);
    out->failed |= d.failed;
    json_decref(whole);
    end(&d);
    return text_buffer_check(out, err);
}
