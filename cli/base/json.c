/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/base/json.h"

#include <string.h>

json_t *json_of_options(const option_spec *specs, const void *options) {
    json_t *object = json_object();
    if (json_put_options(object, specs, options, NULL) == STATUS_OK)
        return object;
    json_decref(object);
    return NULL;
}

void text_append_option_initial(text_buffer *out, const option_spec *spec) {
    char number[32];
    const char *c = spec->choices;
    switch (spec->kind) {
    case OPT_INT:
    case OPT_REAL:
        text_append(out, text_from_double(spec->initial, number));
        break;
    case OPT_BOOL:
        text_append(out, spec->initial != 0 ? "true" : "false");
        break;
    case OPT_CHOICE:
        for (int i = 0; i < (int)spec->initial; i++)
            c = strchr(c, '|') + 1;
        text_append_bytes(out, c, strcspn(c, "|"));
        break;
    case OPT_END:
        break;
    }
}

void text_append_option_range(text_buffer *out, const option_spec *spec) {
    char low[32], high[32];
    if (spec->kind == OPT_BOOL)
        text_append(out, "true|false");
    else if (spec->kind == OPT_CHOICE)
        text_append(out, spec->choices);
    else
        text_append_format(out, "%s .. %s", text_from_double(spec->least, low), text_from_double(spec->most, high));
}

static json_t *initial_value(const option_spec *spec) {
    text_buffer text = {0};
    json_t *value;
    if (spec->kind == OPT_INT)
        return json_integer((json_int_t)spec->initial);
    if (spec->kind == OPT_REAL)
        return json_of_double(spec->initial);
    if (spec->kind == OPT_BOOL)
        return json_boolean(spec->initial != 0);
    text_append_option_initial(&text, spec);
    value = json_of_text(text.data);
    text_buffer_clear(&text);
    return value;
}

static json_t *choices_of(const char *choices) {
    json_t *array = json_array();
    for (const char *c = choices; array && c; c = c[strcspn(c, "|")] ? c + strcspn(c, "|") + 1 : NULL)
        (void)json_array_append_new(array, json_stringn(c, strcspn(c, "|")));
    return array;
}

static json_t *spec_object(const option_spec *spec) {
    static const char *const types[] = {"", "integer", "real", "boolean", "choice"};
    bool is_number = spec->kind == OPT_INT || spec->kind == OPT_REAL;
    json_t *o = json_object();
    status st = STATUS_OK;
    TRY(json_put(o, "name", json_of_text(spec->name), NULL));
    TRY(json_put(o, "type", json_of_text(types[spec->kind]), NULL));
    TRY(json_put(o, "default", initial_value(spec), NULL));
    if (is_number) {
        TRY(json_put(o, "least", json_of_count(spec->least), NULL));
        TRY(json_put(o, "most", json_of_count(spec->most), NULL));
    }
    if (spec->kind == OPT_CHOICE)
        TRY(json_put(o, "choices", choices_of(spec->choices), NULL));
    TRY(json_put(o, "help", json_of_text(spec->help), NULL));
cleanup:
    if (st != STATUS_OK) {
        json_decref(o);
        o = NULL;
    }
    return o;
}

json_t *json_of_option_specs(const option_spec *specs) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < options_count(specs); i++) {
        if (json_add(array, spec_object(&specs[i]), NULL) != STATUS_OK) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}
