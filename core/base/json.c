/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/json.h"

#include "core/base/file.h"
#include "core/base/utf8.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

json_t *json_of_double(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_of_count(double value) {
    if (fabs(value) < 9007199254740992.0 && value == floor(value))
        return json_integer((json_int_t)value);
    return json_of_double(value);
}

json_t *json_of_size(uint64_t value) {
    return json_integer((json_int_t)value);
}

static char *mended_copy(const char *text) {
    text_buffer b = {0};
    text_append(&b, "");
    for (size_t n; *text; text += n ? n : 1) {
        n = utf8_read(text, SIZE_MAX, NULL);
        text_append_bytes(&b, n ? text : UTF8_REPLACEMENT, n ? n : strlen(UTF8_REPLACEMENT));
    }
    if (!b.failed)
        return b.data;
    text_buffer_clear(&b);
    return NULL;
}

json_t *json_of_text(const char *text) {
    json_t *value;
    char *mended;
    if (!text)
        return json_null();
    value = json_string(text);
    if (value)
        return value;
    mended = mended_copy(text);
    value = mended ? json_string(mended) : NULL;
    free(mended);
    return value;
}

json_t *json_of_buffer(const text_buffer *text) {
    return text->failed ? NULL : json_of_text(text->data);
}

json_t *json_with(json_t *array, json_t *value) {
    if (json_array_append_new(array, value) == 0)
        return array;
    json_decref(array);
    return NULL;
}

json_t *json_of_texts(const char *const *texts, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < n; i++)
        array = json_with(array, json_of_text(texts[i]));
    return array;
}

status json_put(json_t *object, const char *key, json_t *value, error_info *err) {
    char *mended;
    int failed;
    if (!object || !value) {
        json_decref(value);
        return error_out_of_memory(err);
    }
    mended = mended_copy(key);
    failed = mended ? json_object_set_new(object, mended, value) : -1;
    if (!mended)
        json_decref(value);
    free(mended);
    return failed ? error_out_of_memory(err) : STATUS_OK;
}

status json_put_pairs(json_t *object, const json_pair *pairs, error_info *err) {
    status st = STATUS_OK;
    for (; pairs->key; pairs++) {
        if (st == STATUS_OK)
            st = json_put(object, pairs->key, pairs->value, err);
        else
            json_decref(pairs->value);
    }
    return st;
}

json_t *json_of_pairs(const json_pair *pairs) {
    json_t *object = json_object();
    if (json_put_pairs(object, pairs, NULL) == STATUS_OK)
        return object;
    json_decref(object);
    return NULL;
}

static int append_piece(const char *bytes, size_t n, void *text) {
    text_append_bytes(text, bytes, n);
    return 0;
}

/* json_dumps does not look whether there was room for a key, and leaves out what had none. */
char *json_to_text(const json_t *value, size_t flags) {
    text_buffer text = {0};
    if (value && json_dump_callback(value, append_piece, &text, flags) == 0 && !text.failed)
        return text.data;
    text_buffer_clear(&text);
    return NULL;
}

status json_add(json_t *array, json_t *value, error_info *err) {
    return array && json_array_append_new(array, value) == 0 ? STATUS_OK : error_out_of_memory(err);
}

json_t *json_of_option(const option_spec *spec, const void *options) {
    const char *place = (const char *)options + spec->offset;
    text_buffer text = {0};
    json_t *value;
    switch (spec->kind) {
    case OPT_INT:
        return json_integer(*(const int *)(const void *)place);
    case OPT_REAL:
        return json_of_double(*(const double *)(const void *)place);
    case OPT_BOOL:
        return json_boolean(*(const bool *)(const void *)place);
    default:
        break;
    }
    options_append_value(spec, options, &text);
    value = json_of_buffer(&text);
    text_buffer_clear(&text);
    return value;
}

status json_put_options(json_t *object, const option_spec *specs, const void *options, error_info *err) {
    for (option_walk w = options_walk(specs, options); options_next(&w);)
        CHECK(json_put(object, w.name, json_of_option(&w.spec, options), err));
    return STATUS_OK;
}

json_t *json_of_options(const option_spec *specs, const void *options) {
    json_t *object = json_object();
    if (json_put_options(object, specs, options, NULL) == STATUS_OK)
        return object;
    json_decref(object);
    return NULL;
}

static _Thread_local bool is_out_of_memory;

static void *allocate_noted(size_t size) {
    void *memory = malloc(size);
    is_out_of_memory = is_out_of_memory || !memory;
    return memory;
}

static void note_allocations(void) {
    json_set_alloc_funcs(allocate_noted, free);
}

/* Jansson takes some failed allocations for faults of the text, and drops characters for others: they are noted where
 * they happen. */
status json_read(const char *text, size_t length, json_t **out, error_info *err) {
    size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* a byte order mark */
    json_error_t where;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, note_allocations);
    is_out_of_memory = false;
    *out = json_loadb(text + mark, length - mark, JSON_REJECT_DUPLICATES, &where);
    if (is_out_of_memory) {
        json_decref(*out);
        *out = NULL;
        return error_out_of_memory(err);
    }
    if (*out)
        return STATUS_OK;
    return error_set(err, STATUS_PARSE, "%d:%d: no JSON: %s", where.line, where.column, where.text);
}

status json_read_file(const char *path, size_t most, json_t **out, error_info *err) {
    AUTO_FREE char *text = NULL;
    size_t length = 0;
    CHECK(error_at(file_read(path, most, &text, &length, err), err, path));
    return error_at(json_read(text, length, out, err), err, path);
}
