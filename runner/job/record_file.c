/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/job/record_file_internal.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/run/trace_json.h"
#include "runner/plan/digest_internal.h"
#include "store/job_fields.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 2, MOST_BYTES = 1 << 30, NUMBERS = JSON_REAL_PRECISION(17) };

/* The digest of a record without its own "sha256": of its one form without blanks, the keys in order. */
static status digest_record(const json_t *object, char hex[DIGEST_HEX_SIZE], error_info *err) {
    AUTO_FREE char *text = json_to_text(object, JSON_COMPACT | JSON_SORT_KEYS | NUMBERS);
    AUTO_PTR(digest_destroy) digest *d = NULL;
    CHECK_ALLOC(text);
    CHECK(digest_create(&d, err));
    digest_text(d, text);
    return digest_finish(d, hex, err);
}

/* A graph and thresholds are read again by the names in them, which stay what they are. */
static bool is_read_again(const job_field *f) {
    return f->offset == offsetof(job_record, graph) || f->offset == offsetof(job_record, policy);
}

/* Also of what an external learner said: a report shows it as it stands here. */
static json_t *json_of_clean_text(const char *text) {
    AUTO_FREE char *clean = text ? text_copy(text) : NULL;
    if (text && !clean)
        return NULL;
    if (clean)
        utf8_clean(clean);
    return json_of_text(clean);
}

static json_t *json_of_field(const job_field *f, const job_record *r) {
    const void *place = (const char *)r + f->offset;
    switch (f->kind) {
    case FIELD_TEXT:
        return is_read_again(f) ? json_of_text(*(const char *const *)place)
                                : json_of_clean_text(*(const char *const *)place);
    case FIELD_NUMBER:
        return json_integer((json_int_t) * (const uint64_t *)place);
    case FIELD_REAL:
        return json_of_double(*(const double *)place);
    case FIELD_FLAG:
        return json_boolean(*(const bool *)place);
    case FIELD_STATE:
        return json_of_text(job_state_name(*(const job_state *)place));
    }
    return NULL;
}

static status put_record(const job_record *r, json_t *object, error_info *err) {
    json_t *metrics;
    CHECK(json_put(object, "format", json_integer(FORMAT), err));
    for (size_t i = 0; i < JOB_FIELD_COUNT; i++)
        CHECK(json_put(object, job_fields[i].name, json_of_field(&job_fields[i], r), err));
    CHECK(json_put(object, "metrics", metrics = json_object(), err));
    for (size_t i = 0; i < r->n_metrics; i++)
        CHECK(json_put(metrics, r->metrics[i].name, json_of_double(r->metrics[i].value), err));
    return r->trace.n_series == 0 ? STATUS_OK : json_put(object, "trace", json_of_series(&r->trace), err);
}

static status record_to_text(const job_record *record, char **out, error_info *err) {
    AUTO_PTR(json_decref) json_t *object = json_object();
    char hex[DIGEST_HEX_SIZE];
    CHECK(put_record(record, object, err));
    CHECK(digest_record(object, hex, err));
    CHECK(json_put(object, "sha256", json_of_text(hex), err));
    CHECK_ALLOC(*out = json_to_text(object, JSON_INDENT(1) | NUMBERS));
    return STATUS_OK;
}

status record_write(const job_record *record, const char *path, error_info *err) {
    AUTO_FREE char *text = NULL;
    CHECK(record_to_text(record, &text, err));
    return error_at(file_write(path, text, strlen(text), err), err, path);
}

status record_hand_over(const job_record *record, const char *path, error_info *err) {
    AUTO_FREE char *text = NULL;
    CHECK(record_to_text(record, &text, err));
    return error_at(file_write_in_passing(path, text, strlen(text), err), err, path);
}

static status read_field(const job_field *f, const json_t *value, job_record *r, error_info *err) {
    void *place = (char *)r + f->offset;
    bool ok = false;
    switch (f->kind) {
    case FIELD_TEXT:
        ok = json_is_null(value) || json_is_string(value) || (!value && f->since > STORE_FORMAT_WITH_DIGESTS);
        if (json_is_string(value))
            CHECK_ALLOC(*(char **)place = text_copy(json_string_value(value)));
        break;
    case FIELD_NUMBER:
        *(uint64_t *)place = (uint64_t)json_integer_value(value);
        ok = json_is_integer(value) && json_integer_value(value) >= 0;
        break;
    case FIELD_REAL:
        *(double *)place = json_number_value(value);
        ok = json_is_number(value);
        break;
    case FIELD_FLAG:
        *(bool *)place = json_is_true(value);
        ok = json_is_boolean(value);
        break;
    case FIELD_STATE:
        if (!json_is_string(value) || !job_state_from_name(json_string_value(value), place))
            return error_set(err, STATUS_PARSE, "the state is missing or unknown");
        return STATUS_OK;
    }
    return ok ? STATUS_OK : error_set(err, STATUS_PARSE, "the field '%s' is missing or of another kind", f->name);
}

static status read_metrics(json_t *object, job_record *r, error_info *err) {
    const char *name;
    json_t *value;
    if (!json_is_object(object))
        return error_set(err, STATUS_PARSE, "'metrics' is no object");
    json_object_foreach(object, name, value) {
        CHECK(json_is_number(value) ? job_record_set_metric(r, name, json_number_value(value), err)
                                    : error_set(err, STATUS_PARSE, "the metric '%s' is no number", name));
    }
    return STATUS_OK;
}

static status read_series(const char *name, json_t *points, job_record *r, error_info *err) {
    size_t i;
    json_t *point;
    json_array_foreach(points, i, point) {
        json_t *step = json_array_get(point, 0), *value = json_array_get(point, 1);
        if (!json_is_integer(step) || json_integer_value(step) < 0 || !json_is_number(value))
            return error_set(err, STATUS_PARSE, "the trace '%s' has a point that is no [step, value]", name);
        CHECK(trace_add_point(&r->trace, name, (uint64_t)json_integer_value(step), json_number_value(value), err));
    }
    return STATUS_OK;
}

/* There is none where the learner tells of none. */
static status read_trace(json_t *object, job_record *r, error_info *err) {
    const char *name;
    json_t *points;
    if (object && !json_is_object(object))
        return error_set(err, STATUS_PARSE, "'trace' is no object");
    json_object_foreach(object, name, points) {
        CHECK(json_is_array(points) ? read_series(name, points, r, err)
                                    : error_set(err, STATUS_PARSE, "the trace '%s' is no array", name));
    }
    return STATUS_OK;
}

static status record_of_json(json_t *object, job_record *r, error_info *err) {
    if (json_integer_value(json_object_get(object, "format")) != FORMAT)
        return error_set(err, STATUS_PARSE, "this is no result of this version");
    for (size_t i = 0; i < JOB_FIELD_COUNT; i++)
        CHECK(read_field(&job_fields[i], json_object_get(object, job_fields[i].name), r, err));
    if (!r->key || !r->network || !r->learner)
        return error_set(err, STATUS_PARSE, "the result does not say of which cell it is");
    CHECK(read_metrics(json_object_get(object, "metrics"), r, err));
    return read_trace(json_object_get(object, "trace"), r, err);
}

static status check_digest(json_t *object, error_info *err) {
    AUTO_FREE char *carried = NULL;
    char hex[DIGEST_HEX_SIZE];
    if (!json_is_string(json_object_get(object, "sha256")))
        return error_set(err, STATUS_PARSE, "the result carries no digest");
    CHECK_ALLOC(carried = text_copy(json_string_value(json_object_get(object, "sha256"))));
    (void)json_object_del(object, "sha256");
    CHECK(digest_record(object, hex, err));
    return strcmp(carried, hex) == 0 ? STATUS_OK
                                     : error_set(err, STATUS_PARSE, "the result was changed after it was written");
}

status record_read(const char *path, job_record *out, error_info *err) {
    AUTO(job_record_clear) job_record r = {0};
    AUTO_PTR(json_decref) json_t *object = NULL;
    CHECK(json_read_file(path, MOST_BYTES, &object, err));
    CHECK(error_at(record_of_json(object, &r, err), err, path));
    CHECK(error_at(check_digest(object, err), err, path));
    *out = TAKE(r);
    return STATUS_OK;
}
