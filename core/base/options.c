/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/options.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t options_count(const option_spec *specs) {
    size_t n = 0;
    while (specs && specs[n].kind != OPT_END)
        n++;
    return n;
}

/* ---- what was chosen ---- */

static const option_spec *specs_at(const registry *r, size_t place) {
    return *(const option_spec *const *)(const void *)((const char *)r->items[place] + r->options);
}

/* Several things may share a table: they share their options too. */
static bool is_first_of_table(const registry *r, size_t place) {
    for (size_t i = 0; i < place; i++) {
        if (specs_at(r, i) == specs_at(r, place))
            return false;
    }
    return true;
}

/* Where the options of the thing at this place, or of the first with the same table, begin in the room. */
static size_t room_of(const registry *r, size_t place) {
    size_t at = offsetof(option_choice, room);
    for (size_t i = 0; i < place && specs_at(r, i) != specs_at(r, place); i++) {
        size_t size = *(const size_t *)(const void *)((const char *)r->items[i] + r->options_size);
        if (is_first_of_table(r, i))
            at += (size + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    }
    return at;
}

const void *option_chosen(const registry *r, const option_choice *c) {
    return c->chosen < 0 ? NULL : r->items[c->chosen];
}

void *option_chosen_options(const registry *r, option_choice *c) {
    return c->chosen < 0 ? NULL : (char *)c + room_of(r, (size_t)c->chosen);
}

static bool is_of_chosen(const registry *r, const option_choice *c, size_t place) {
    return c->chosen >= 0 && specs_at(r, (size_t)c->chosen) == specs_at(r, place);
}

static const option_choice *choice_of(const option_spec *row, const void *options) {
    return (const option_choice *)(const void *)((const char *)options + row->offset);
}

static void set_initial_choice(const option_spec *spec, option_choice *c) {
    c->chosen = (int)spec->initial;
    for (size_t i = 0; i < spec->of->n; i++)
        options_set_initial(specs_at(spec->of, i), (char *)c + room_of(spec->of, i));
}

/* ---- values ---- */

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
    case OPT_CHOSEN:
        ((option_choice *)(void *)place)->chosen = (int)value;
        break;
    case OPT_COUNT:
        *(size_t *)(void *)place = (size_t)value;
        break;
    default: /* the others begin as nothing */
        break;
    }
}

static size_t size_of(const option_spec *spec) {
    return spec->kind == OPT_REAL ? sizeof(double) : spec->kind == OPT_BOOL ? sizeof(bool) : sizeof(int);
}

void options_set_initial(const option_spec *specs, void *options) {
    for (size_t i = 0; i < options_count(specs); i++) {
        if (specs[i].kind == OPT_CHOSEN)
            set_initial_choice(&specs[i], (option_choice *)(void *)((char *)options + specs[i].offset));
        else if (specs[i].kind == OPT_GROUP)
            options_set_initial(specs[i].inner, (char *)options + specs[i].offset);
        else
            store(&specs[i], options, specs[i].initial);
    }
}

option_spec options_initial(const option_spec *spec, option_choice *room) {
    option_spec alone[] = {*spec, {0}};
    alone[0].offset = 0;
    options_set_initial(alone, room);
    return alone[0];
}

const option_spec *options_find(const option_spec *specs, const char *name) {
    for (size_t i = 0; i < options_count(specs); i++) {
        if (strcmp(specs[i].name, name) == 0)
            return &specs[i];
    }
    return NULL;
}

void options_take(const option_spec *to_specs, void *to, const option_spec *from_specs, const void *from) {
    for (size_t i = 0; i < options_count(to_specs); i++) {
        const option_spec *spec = options_find(from_specs, to_specs[i].name);
        if (spec)
            memcpy((char *)to + to_specs[i].offset, (const char *)from + spec->offset, size_of(spec));
    }
}

/* ---- walking ---- */

option_walk options_walk(const option_spec *specs, const void *options) {
    return (option_walk){.table = specs, .next = specs, .options = options};
}

bool option_walk_is_initial(const option_walk *w) {
    option_choice room;
    (void)options_initial(&w->spec, &room);
    return memcmp((const char *)w->options + w->spec.offset, &room, size_of(&w->spec)) == 0;
}

static bool is_changed(const option_walk *w) {
    return w->options && is_of_chosen(w->owner->of, choice_of(w->owner, w->options), w->place) &&
           !option_walk_is_initial(w);
}

/* The next option of the things that the owner chooses from. */
static bool next_of_owner(option_walk *w) {
    const registry *r = w->owner->of;
    for (; w->place < r->n; w->place++, w->inner = 0) {
        const option_spec *specs = specs_at(r, w->place);
        while (is_first_of_table(r, w->place) && w->inner < options_count(specs)) {
            w->spec = specs[w->inner++];
            w->spec.offset += w->owner->offset + room_of(r, w->place);
            if (options_find(w->table, w->spec.name) || !(w->spec.is_common || is_changed(w)))
                continue;
            (void)snprintf(w->name, sizeof w->name, "%s%s%s", w->spec.is_common ? "" : w->owner->name,
                           w->spec.is_common ? "" : ".", w->spec.name);
            return true;
        }
    }
    return false;
}

bool options_next(option_walk *w) {
    w->owner = w->open;
    if (w->owner && next_of_owner(w))
        return true;
    w->owner = w->open = NULL;
    if (!w->next || w->next->kind == OPT_END)
        return false;
    if (w->next->kind == OPT_CHOSEN) {
        w->open = w->next;
        w->place = w->inner = 0;
    }
    w->spec = *w->next++;
    (void)snprintf(w->name, sizeof w->name, "%s", w->spec.name);
    return true;
}

void option_walk_append_help(const option_walk *w, text_buffer *out) {
    const char *separator = "";
    for (size_t i = 0; w->owner && i < w->owner->of->n; i++) {
        if (options_find(specs_at(w->owner->of, i), w->spec.name)) {
            text_append_format(out, "%s%s", separator, registry_name(w->owner->of, i));
            separator = ", ";
        }
    }
    text_append_format(out, "%s%s", w->owner ? ": " : "", w->spec.help);
}

/* ---- names ---- */

static status unknown_option(const option_spec *specs, const char *name, error_info *err) {
    const char *names[64];
    size_t n = 0;
    const char *near;
    for (option_walk w = options_walk(specs, NULL); n < 64 && options_next(&w);)
        names[n++] = w.spec.name;
    if (n == 0)
        return error_set(err, STATUS_INVALID, "unknown option '%s': there are no options here", name);
    near = text_nearest(name, names, n);
    if (near)
        return error_set(err, STATUS_INVALID, "unknown option '%s'; did you mean '%s'?", name, near);
    return error_set(err, STATUS_INVALID, "unknown option '%s'; the first that there is: '%s'", name, names[0]);
}

/* Looks for the option among those of things that the row may choose: *place is where, n where none has it. */
static const option_spec *find_of_things(const option_spec *row, const option_choice *c, const char *name,
                                         size_t *place) {
    const option_spec *found = NULL;
    *place = row->of->n;
    for (size_t i = 0; i < row->of->n; i++) {
        const option_spec *spec = options_find(specs_at(row->of, i), name);
        if (spec && (!found || (c && is_of_chosen(row->of, c, i)))) {
            found = spec;
            *place = i;
        }
    }
    return found;
}

/* "am" of "score.am" where the row is `score`; the name itself where it says of no row. */
static const char *inner_name(const option_spec *row, const char *name) {
    size_t n = strlen(row->name);
    return strncmp(name, row->name, n) == 0 && name[n] == '.' ? name + n + 1 : name;
}

/* The option of that name, as an option of the whole struct. Without options it may be one of any thing. */
static status locate(const option_spec *specs, const void *options, const char *name, option_spec *out,
                     error_info *err) {
    const option_spec *own = options_find(specs, name);
    for (size_t i = 0; !own && i < options_count(specs); i++) {
        const option_choice *c = options ? choice_of(&specs[i], options) : NULL;
        const option_spec *spec;
        size_t place;
        if (specs[i].kind != OPT_CHOSEN)
            continue;
        spec = find_of_things(&specs[i], c, inner_name(&specs[i], name), &place);
        if (!spec && c && c->chosen >= 0 && inner_name(&specs[i], name) != name)
            return unknown_option(specs_at(specs[i].of, (size_t)c->chosen), inner_name(&specs[i], name), err);
        if (!spec)
            continue;
        if ((own = options_find(specs, spec->name)))
            break;
        *out = *spec;
        out->offset += specs[i].offset + room_of(specs[i].of, place);
        if (!c || spec->is_common || is_of_chosen(specs[i].of, c, place))
            return STATUS_OK;
        return error_set(err, STATUS_INVALID, "%s is an option of %s=%s, and %s is %s", spec->name, specs[i].name,
                         registry_name(specs[i].of, place), specs[i].name,
                         c->chosen < 0 ? specs[i].choices : registry_name(specs[i].of, (size_t)c->chosen));
    }
    if (!own)
        return unknown_option(specs, name, err);
    *out = *own;
    return STATUS_OK;
}

status options_check_name(const option_spec *specs, const char *name, error_info *err) {
    option_spec spec;
    return locate(specs, NULL, name, &spec, err);
}

/* ---- from and to text ---- */

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

static status read_choice(const option_spec *spec, const char *name, const char *value, double *out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer choices = {0};
    int position = 0;
    size_t place = 0;
    error_info quiet = {0};
    if (spec->kind == OPT_CHOSEN && spec->choices && strcmp(value, spec->choices) == 0) {
        *out = -1;
    } else if (spec->kind == OPT_CHOSEN && registry_find(spec->of, value, &place, &quiet) == STATUS_OK) {
        *out = (double)place;
    } else if (spec->kind == OPT_CHOICE && find_choice(spec->choices, value, &position)) {
        *out = position;
    } else {
        options_append_choices(spec, &choices);
        return error_set(err, STATUS_INVALID, "%s is '%s'; it must be one of %s", name, value,
                         choices.data ? choices.data : "those listed");
    }
    return STATUS_OK;
}

status options_set(const option_spec *specs, void *options, const char *name, const char *value, error_info *err) {
    option_spec spec;
    double number = 0;
    CHECK(locate(specs, options, name, &spec, err));
    switch (spec.kind) {
    case OPT_CHOICE:
    case OPT_CHOSEN:
        CHECK(read_choice(&spec, name, value, &number, err));
        break;
    case OPT_BOOL:
        if (!read_bool(value, &number))
            return error_set(err, STATUS_INVALID, "%s is '%s'; it must be true or false", name, value);
        break;
    case OPT_INT:
    case OPT_REAL:
        CHECK(read_number(&spec, value, &number, err));
        break;
    default: /* of a report's parts: the experiment's reader sets them */
        break;
    }
    store(&spec, options, number);
    return STATUS_OK;
}

void *options_create(const option_spec *specs, size_t size) {
    void *options = calloc(1, size ? size : 1);
    if (options)
        options_set_initial(specs, options);
    return options;
}

status options_set_pair(const option_spec *specs, void *options, const char *pair, error_info *err) {
    const char *equals = strchr(pair, '=');
    AUTO_FREE char *name = NULL;
    if (!equals || equals == pair)
        return error_set(err, STATUS_INVALID, "'%s' is no option; write name=value", pair);
    CHECK_ALLOC(name = text_copy_n(pair, (size_t)(equals - pair)));
    return options_set(specs, options, name, equals + 1, err);
}

static void append_choice(const char *choices, int position, text_buffer *out) {
    const char *c = choices;
    for (; position > 0; position--)
        c = strchr(c, '|') + 1;
    text_append_bytes(out, c, strcspn(c, "|"));
}

static void append_chosen(const option_spec *spec, int place, text_buffer *out) {
    text_append(out, place < 0 ? spec->choices : registry_name(spec->of, (size_t)place));
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
    case OPT_CHOSEN:
        append_chosen(spec, ((const option_choice *)(const void *)place)->chosen, out);
        break;
    default:
        break;
    }
}

void options_append_choices(const option_spec *spec, text_buffer *out) {
    text_append(out, spec->choices ? spec->choices : "");
    for (size_t i = 0; spec->of && i < spec->of->n; i++)
        text_append_format(out, "%s%s", i > 0 || spec->choices ? "|" : "", registry_name(spec->of, i));
}
