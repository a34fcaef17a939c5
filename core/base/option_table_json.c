/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of options as JSON: what each may be, what it is at first, what it is for. */
#include "core/base/json.h"

#include <string.h>

static json_t *choices_of(const option_spec *spec) {
    json_t *array = json_array();
    AUTO(text_buffer_clear) text_buffer choices = {0};
    options_append_choices(spec, &choices);
    for (const char *c = choices.data; array && c; c = c[strcspn(c, "|")] ? c + strcspn(c, "|") + 1 : NULL)
        array = json_with(array, json_stringn(c, strcspn(c, "|")));
    if (!choices.failed)
        return array;
    json_decref(array);
    return NULL;
}

static status put_option(json_t *array, const option_walk *w, error_info *err) {
    static const char *const types[] = {"", "integer", "real", "boolean", "choice", "choice"};
    const option_spec *spec = &w->spec;
    option_choice room;
    option_spec initial = options_initial(spec, &room);
    AUTO(text_buffer_clear) text_buffer help = {0};
    json_t *o = json_object();
    CHECK(json_add(array, o, err));
    CHECK(json_put_all(o, err, {"name", json_of_text(spec->name)}, {"type", json_of_text(types[spec->kind])},
                       {"default", json_of_option(&initial, &room)}));
    if (spec->kind == OPT_INT || spec->kind == OPT_REAL)
        CHECK(json_put_all(o, err, {"least", json_of_count(spec->least)}, {"most", json_of_count(spec->most)}));
    if (spec->kind == OPT_CHOICE || spec->kind == OPT_CHOSEN)
        CHECK(json_put(o, "choices", choices_of(spec), err));
    option_walk_append_help(w, &help);
    return json_put(o, "help", json_of_buffer(&help), err);
}

json_t *json_of_option_table(const option_spec *specs) {
    AUTO_PTR(json_decref) json_t *array = json_array();
    for (option_walk w = options_walk(specs, NULL); array && options_next(&w);) {
        if (put_option(array, &w, NULL) != STATUS_OK)
            return NULL;
    }
    return TAKE(array);
}
