/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/base/json.h"

#include <math.h>
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

/* The length of the well-formed UTF-8 sequence at s, 0 where there is none (Unicode 15, table 3-7). */
static size_t sequence_length(const unsigned char *s) {
    size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xC2 && s[0] < 0xE0 ? 2 : (s[0] & 0xF0) == 0xE0 ? 3 : 4;
    if (s[0] >= 0x80 && (s[0] < 0xC2 || s[0] > 0xF4))
        return 0;
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF0 && s[1] < 0x90) ||
        (s[0] == 0xF4 && s[1] > 0x8F))
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    }
    return n;
}

static char *mended_copy(const char *text) {
    text_buffer b = {0};
    const unsigned char *s = (const unsigned char *)text;
    text_append(&b, "");
    while (*s) {
        size_t n = sequence_length(s);
        text_append_bytes(&b, n ? (const char *)s : "\xEF\xBF\xBD", n ? n : 3);
        s += n ? n : 1;
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

json_t *json_of_texts(const char *const *texts, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < n; i++) {
        if (json_array_append_new(array, json_of_text(texts[i])) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
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

status json_add(json_t *array, json_t *value, error_info *err) {
    return array && json_array_append_new(array, value) == 0 ? STATUS_OK : error_out_of_memory(err);
}

static json_t *option_value(const option_spec *spec, const void *options) {
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
    case OPT_CHOICE:
    case OPT_CHOSEN:
    case OPT_END:
        break;
    }
    options_append_value(spec, options, &text);
    value = json_of_text(text.data);
    text_buffer_clear(&text);
    return value;
}

json_t *json_of_options(const option_spec *specs, const void *options) {
    json_t *object = json_object();
    for (option_walk w = options_walk(specs, options); object && options_next(&w);) {
        if (json_put(object, w.name, option_value(&w.spec, options), NULL) != STATUS_OK) {
            json_decref(object);
            object = NULL;
        }
    }
    return object;
}

void text_append_option_range(text_buffer *out, const option_spec *spec) {
    char low[32], high[32];
    if (spec->kind == OPT_BOOL)
        text_append(out, "true|false");
    else if (spec->kind == OPT_CHOICE || spec->kind == OPT_CHOSEN)
        options_append_choices(spec, out);
    else
        text_append_format(out, "%s .. %s", text_from_double(spec->least, low), text_from_double(spec->most, high));
}

static json_t *choices_of(const option_spec *spec) {
    json_t *array = json_array();
    text_buffer choices = {0};
    options_append_choices(spec, &choices);
    for (const char *c = choices.data; array && c; c = c[strcspn(c, "|")] ? c + strcspn(c, "|") + 1 : NULL)
        (void)json_array_append_new(array, json_stringn(c, strcspn(c, "|")));
    text_buffer_clear(&choices);
    return array;
}

static json_t *spec_object(const option_walk *w) {
    const option_spec *spec = &w->spec;
    option_choice room;
    option_spec initial = options_initial(spec, &room);
    text_buffer help = {0};
    static const char *const types[] = {"", "integer", "real", "boolean", "choice", "choice"};
    bool is_number = spec->kind == OPT_INT || spec->kind == OPT_REAL;
    json_t *o = json_object();
    status st = STATUS_OK;
    TRY(json_put(o, "name", json_of_text(spec->name), NULL));
    TRY(json_put(o, "type", json_of_text(types[spec->kind]), NULL));
    TRY(json_put(o, "default", option_value(&initial, &room), NULL));
    if (is_number) {
        TRY(json_put(o, "least", json_of_count(spec->least), NULL));
        TRY(json_put(o, "most", json_of_count(spec->most), NULL));
    }
    if (spec->kind == OPT_CHOICE || spec->kind == OPT_CHOSEN)
        TRY(json_put(o, "choices", choices_of(spec), NULL));
    option_walk_append_help(w, &help);
    TRY(json_put(o, "help", json_of_text(help.data), NULL));
cleanup:
    text_buffer_clear(&help);
    if (st != STATUS_OK) {
        json_decref(o);
        o = NULL;
    }
    return o;
}

json_t *json_of_option_specs(const option_spec *specs) {
    json_t *array = json_array();
    for (option_walk w = options_walk(specs, NULL); array && options_next(&w);) {
        if (json_add(array, spec_object(&w), NULL) != STATUS_OK) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

json_t *json_of_figures(const trace *t) {
    json_t *o = json_object();
    for (size_t i = 0; o && i < t->n_figures; i++) {
        if (json_put(o, t->figures[i].name, json_of_double(t->figures[i].value), NULL) != STATUS_OK) {
            json_decref(o);
            return NULL;
        }
    }
    return o;
}

static json_t *points_of(const trace_series *s) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < s->n; i++) {
        const trace_point *p = &s->points[i];
        json_t *point = json_pack("[I, o]", (json_int_t)p->step, json_of_double(p->value));
        if (json_add(array, point, NULL) != STATUS_OK) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

json_t *json_of_series(const trace *t) {
    json_t *o = json_object();
    for (size_t i = 0; o && i < t->n_series; i++) {
        if (json_put(o, t->series[i].name, points_of(&t->series[i]), NULL) != STATUS_OK) {
            json_decref(o);
            return NULL;
        }
    }
    return o;
}
