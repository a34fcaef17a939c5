/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/options.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t options_count(const option_spec *specs) {
    size_t n = 0;
    while (specs && specs[n].kind != OPT_END)
        n++;
    return n;
}

static void store(const option_spec *spec, void *options, double value) {
    char *place = (char *)options + spec->offset;
    switch (spec->kind) {
    case OPT_INT:
    case OPT_CHOICE:
        *(int *)(void *)place = (int)value;
        break;
    case OPT_REAL:
        *(double *)(void *)place = value;
        break;
    case OPT_BOOL:
        *(bool *)(void *)place = value != 0;
        break;
    case OPT_END:
        break;
    }
}

void options_set_initial(const option_spec *specs, void *options) {
    for (size_t i = 0; i < options_count(specs); i++)
        store(&specs[i], options, specs[i].initial);
}

static const option_spec *find(const option_spec *specs, const char *name) {
    for (size_t i = 0; i < options_count(specs); i++) {
        if (strcmp(specs[i].name, name) == 0)
            return &specs[i];
    }
    return NULL;
}

static status unknown_option(const option_spec *specs, const char *name, error_info *err) {
    const char *names[64];
    size_t n = options_count(specs);
    const char *near;
    if (n == 0)
        return error_set(err, STATUS_INVALID, "unknown option '%s': there are no options here", name);
    for (size_t i = 0; i < n && i < 64; i++)
        names[i] = specs[i].name;
    near = text_nearest(name, names, n < 64 ? n : 64);
    if (near)
        return error_set(err, STATUS_INVALID, "unknown option '%s'; did you mean '%s'?", name, near);
    return error_set(err, STATUS_INVALID, "unknown option '%s'; the first that there is: '%s'", name, names[0]);
}

static bool find_choice(const char *choices, const char *value, int *position) {
    size_t length = strlen(value);
    int i = 0;
    for (const char *c = choices; c; i++) {
        const char *end = strchr(c, '|');
        size_t n = end ? (size_t)(end - c) : strlen(c);
        if (n == length && strncmp(c, value, n) == 0) {
            *position = i;
            return true;
        }
        c = end ? end + 1 : NULL;
    }
    return false;
}

static bool read_bool(const char *value, double *out) {
    static const char *const yes[] = {"true", "yes", "on", "1"}, *const no[] = {"false", "no", "off", "0"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(value, yes[i]) == 0 || strcmp(value, no[i]) == 0) {
            *out = strcmp(value, yes[i]) == 0;
            return true;
        }
    }
    return false;
}

static status read_number(const option_spec *spec, const char *value, double *out, error_info *err) {
    char low[32], high[32];
    bool ok;
    if (spec->kind == OPT_INT) {
        int64_t whole = 0;
        ok = text_to_int(value, &whole);
        *out = (double)whole;
    } else {
        ok = text_to_double(value, out);
    }
    if (!ok)
        return error_set(err, STATUS_INVALID, "%s is '%s'; it must be a %s", spec->name, value,
                         spec->kind == OPT_INT ? "whole number" : "number");
    if (*out < spec->least || *out > spec->most)
        return error_set(err, STATUS_INVALID, "%s is %s; it must lie in [%s, %s]", spec->name, value,
                         text_from_double(spec->least, low), text_from_double(spec->most, high));
    return STATUS_OK;
}

status options_set(const option_spec *specs, void *options, const char *name, const char *value, error_info *err) {
    const option_spec *spec = find(specs, name);
    double number = 0;
    int position = 0;
    if (!spec)
        return unknown_option(specs, name, err);
    switch (spec->kind) {
    case OPT_CHOICE:
        if (!find_choice(spec->choices, value, &position))
            return error_set(err, STATUS_INVALID, "%s is '%s'; it must be one of %s", name, value, spec->choices);
        number = position;
        break;
    case OPT_BOOL:
        if (!read_bool(value, &number))
            return error_set(err, STATUS_INVALID, "%s is '%s'; it must be true or false", name, value);
        break;
    case OPT_INT:
    case OPT_REAL: {
        CHECK(read_number(spec, value, &number, err));
        break;
    }
    case OPT_END:
        break;
    }
    store(spec, options, number);
    return STATUS_OK;
}

status options_set_pair(const option_spec *specs, void *options, const char *pair, error_info *err) {
    const char *equals = strchr(pair, '=');
    char *name;
    status st;
    if (!equals || equals == pair)
        return error_set(err, STATUS_INVALID, "'%s' is no option; write name=value", pair);
    CHECK_ALLOC(name = text_copy_n(pair, (size_t)(equals - pair)));
    st = options_set(specs, options, name, equals + 1, err);
    free(name);
    return st;
}

static void append_choice(const char *choices, int position, text_buffer *out) {
    const char *c = choices;
    for (; position > 0; position--)
        c = strchr(c, '|') + 1;
    text_append_bytes(out, c, strcspn(c, "|"));
}

void options_append_value(const option_spec *spec, const void *options, text_buffer *out) {
    const char *place = (const char *)options + spec->offset;
    char number[32];
    switch (spec->kind) {
    case OPT_INT:
        text_append_format(out, "%d", *(const int *)(const void *)place);
        break;
    case OPT_REAL:
        text_append(out, text_from_double(*(const double *)(const void *)place, number));
        break;
    case OPT_BOOL:
        text_append(out, *(const bool *)(const void *)place ? "true" : "false");
        break;
    case OPT_CHOICE:
        append_choice(spec->choices, *(const int *)(const void *)place, out);
        break;
    case OPT_END:
        break;
    }
}
