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
    TRY(json_put(o, "default", json_of_option(&initial, &room), NULL));
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
