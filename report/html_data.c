/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The jobs and tables for the page's script: names and long texts once each, a job an array of places in them, numbers
 * with seven digits (the CSV files hold them in full), so that thousands of jobs stay small.
 */
#include "report/report_internal.h"

#include "core/base/json.h"
#include "metrics/distances/metric.h"

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
    char *text = json_to_text(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
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

/* Takes the value over. */
static void add(json_t *list, json_t *value, bool *failed) {
    *failed |= json_array_append_new(list, value) != 0;
}

/* Where the text stands; it is added where it is new. */
static json_int_t place_of(text_table *l, const char *text, bool *failed) {
    json_t *string = part_json_text(text), *place = NULL;
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
    json_int_t learned_by = place_of(&d->learners, job->learner, &d->failed), at[4];
    for (size_t i = 0; i < 4; i++)
        at[i] = texts[i] && *texts[i] ? place_of(&d->texts, texts[i], &d->failed) : -1;
    return json_pack("[I, I, I, I, i, I, I, I, I, I, o, o]", network, (json_int_t)job->n_samples,
                     (json_int_t)job->replicate, learned_by, (int)job->state, (json_int_t)job->seed, at[0], at[1],
                     at[2], at[3], job->sigma > 0 ? json_real(job->sigma) : json_null(), values_of(d, job));
}

static json_t *list_jobs(page_data *d) {
    json_t *jobs = json_array();
    for (size_t i = 0; i < d->r->in.n_records; i++)
        add(jobs, job_row(d, &d->r->in.records[i]), &d->failed);
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
    const part_list *parts = d->r->in.parts;
    json_t *list = json_array();
    for (size_t i = 0; i < parts->n && json_array_size(list) < MOST_MAIN_METRICS; i++) {
        const char *metric = parts->parts[i].kind->group == PART_TABLE ? part_text(&parts->parts[i], "metric") : NULL;
        json_t *place = metric ? json_object_get(d->metrics.places, metric) : NULL;
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
    return (json_int_t)outputs_find_learner(r->in.outputs, name);
}

static void add_learners(const report *r, char *const *names, size_t n, json_t *list, bool *failed) {
    for (size_t i = 0; i < n; i++)
        add(list, json_integer(learner_number(r, names[i])), failed);
}

/* Which learners stand behind one that is the best of others. */
static json_t *list_parts(page_data *d) {
    const experiment_outputs *o = d->r->in.outputs;
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

/* ---- all of it ---- */

/* Networks and learners as the outputs number them, for tables speak of them so; what is not declared comes after. */
static void begin(page_data *d) {
    const experiment_outputs *o = d->r->in.outputs;
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
                  "states", list_states(&d), "parts", list_parts(&d), "hasNoise", r->in.outputs->n_sigmas > 0, "jobs",
                  jobs, "tables", r->out.tables ? json_incref(r->out.tables) : json_array());
    html_append_json(out, whole);
    out->failed |= d.failed;
    json_decref(whole);
    end(&d);
    return text_buffer_check(out, err);
}
