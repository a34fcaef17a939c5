/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `readings`: other ways to read what a paper leaves open, each an overlay of the experiment. */
#include "runner/declare/declare_internal.h"

#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_READINGS = 50 };

/* ---- what is said of them ---- */

static status read_basis(const yaml_node *node, reading_spec *r, error_info *err) {
    int basis = BASIS_SILENT;
    CHECK(field_choice(node, "basis", READING_BASIS_CHOICES, &basis, err));
    r->basis = (reading_basis)basis;
    return STATUS_OK;
}

static status check_change(const yaml_node *entry, const reading_spec *r, error_info *err) {
    const yaml_node *change = yaml_get(entry, "change");
    if (reading_is_base(r))
        return change ? yaml_fail(change, err, "'base' is the experiment as it is declared and changes nothing")
                      : STATUS_OK;
    if (!change)
        return yaml_fail(entry, err, "a reading needs 'change', a mapping of what it lays over the experiment");
    return change->kind == YAML_MAP && change->n > 0
               ? STATUS_OK
               : yaml_fail(change, err, "'change' must be a mapping of what it lays over the experiment");
}

static status read_id(const yaml_node *node, reading_spec *r, error_info *err) {
    CHECK(field_name(node, "id", &r->id, err));
    return strcmp(r->id, "all") == 0 ? yaml_fail(node, err, "'all' means every reading; this one needs another id")
                                     : STATUS_OK;
}

static status read_reading(const yaml_node *entry, const experiment *e, void *item, error_info *err) {
    static const char *const known[] = {"id", "text", "basis", "change", NULL};
    const yaml_node *id = yaml_get(entry, "id"), *text = yaml_get(entry, "text");
    reading_spec *r = item;
    (void)e;
    CHECK(field_mapping(entry, "a reading", known, err));
    if (!id || !text)
        return yaml_fail(entry, err, "a reading needs an 'id' and a 'text': what the paper says, or leaves open");
    CHECK(read_id(id, r, err));
    CHECK(field_line(text, "text", &r->text, err));
    CHECK(read_basis(yaml_get(entry, "basis"), r, err));
    return check_change(entry, r, err);
}

status declare_readings(const yaml_node *node, experiment *e, error_info *err) {
    static const declared_list list = {.what = "readings",
                                       .most = MOST_READINGS,
                                       .item_size = sizeof(reading_spec),
                                       .has_ids = true,
                                       .read = read_reading};
    void *readings = NULL;
    status st = declare_list(&list, node, e, &readings, &e->outputs.n_readings, err);
    e->outputs.readings = readings;
    return st;
}

/* ---- what they change ---- */

/* By which a reading names an entry of `learners`, `tables`, ...; NULL where it has no name. */
static const char *entry_id(const yaml_node *entry) {
    const yaml_node *id = entry;
    if (entry->kind == YAML_MAP)
        id = yaml_get(entry, "id") ? yaml_get(entry, "id") : yaml_get(entry, "learner");
    return id && id->kind == YAML_TEXT ? id->text : NULL;
}

static status find_entry(const yaml_node *list, const yaml_node *key, const char *what, size_t *at, error_info *err) {
    const char *names[MOST_VARIANTS];
    char hint[300];
    size_t n = 0;
    for (*at = 0; *at < list->n; (*at)++) {
        const char *id = entry_id(list->items[*at]);
        if (id && strcmp(id, key->text) == 0)
            return STATUS_OK;
        if (id && n < MOST_VARIANTS)
            names[n++] = id;
    }
    return yaml_fail(key, err, "%s has no '%.60s'%s", what, key->text,
                     field_suggestion(key->text, names, n, hint, sizeof hint));
}

/* A learner that is a name alone, as a mapping; what else is a name alone cannot change. */
static status as_mapping(arena *a, yaml_node *entry, const yaml_node *key, const char *what, yaml_node **out,
                         error_info *err) {
    *out = entry;
    if (entry->kind == YAML_MAP)
        return STATUS_OK;
    if (strcmp(what, "learners") != 0)
        return yaml_fail(key, err, "'%.60s' is a name alone; a reading that changes it lists all of %s anew", key->text,
                         what);
    CHECK_ALLOC(*out = yaml_nest(a, "learner", entry));
    return STATUS_OK;
}

static status patch_entry(arena *a, yaml_node **entry, const yaml_node *key, yaml_node *patch, const char *what,
                          error_info *err) {
    yaml_node *base = NULL;
    if (patch->kind != YAML_MAP)
        return yaml_fail(patch, err, "what a reading changes of '%.60s' must be a mapping", key->text);
    CHECK(as_mapping(a, *entry, key, what, &base, err));
    CHECK_ALLOC(*entry = yaml_merge(a, base, patch));
    return STATUS_OK;
}

static status patch_entries(arena *a, const yaml_node *list, const yaml_node *patches, const char *what,
                            yaml_node **out, error_info *err) {
    yaml_node *patched = arena_take(a, 1, sizeof *patched);
    CHECK_ALLOC(patched);
    *patched = *list;
    CHECK_ALLOC(patched->items = arena_take(a, list->n, sizeof *patched->items));
    if (list->n)
        memcpy(patched->items, list->items, list->n * sizeof *patched->items);
    for (size_t i = 0; i < patches->n; i++) {
        size_t at = 0;
        CHECK(find_entry(list, patches->keys[i], what, &at, err));
        CHECK(patch_entry(a, &patched->items[at], patches->keys[i], patches->items[i], what, err));
    }
    *out = patched;
    return STATUS_OK;
}

/* What names the experiment, its file and its readings is not what a reading changes. */
static status check_key(const yaml_node *key, const char *name, error_info *err) {
    static const char *const fixed[] = {"name", "folder", "profiles", "readings", "reading"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        if (strcmp(name, fixed[i]) == 0)
            return yaml_fail(key, err, "a reading cannot change '%s'", name);
    }
    return STATUS_OK;
}

/* One key of `change` over the tree; "a.b: value" is "a: {b: value}". */
static status lay_over(arena *a, yaml_node **tree, const yaml_node *key, yaml_node *value, error_info *err) {
    size_t length = strcspn(key->text, ".");
    const char *name = arena_copy(a, key->text, length);
    const yaml_node *base;
    yaml_node *overlay;
    CHECK_ALLOC(name);
    CHECK(check_key(key, name, err));
    if (key->text[length])
        CHECK_ALLOC(value = yaml_nest(a, key->text + length + 1, value));
    base = yaml_get(*tree, name);
    if (base && base->kind == YAML_LIST && value->kind == YAML_MAP)
        CHECK(patch_entries(a, base, value, name, &value, err));
    CHECK_ALLOC(overlay = yaml_nest(a, name, value));
    CHECK_ALLOC(*tree = yaml_merge(a, *tree, overlay));
    return STATUS_OK;
}

status declare_apply_reading(arena *a, yaml_node *tree, const yaml_node *reading, yaml_node **out, error_info *err) {
    const yaml_node *change = yaml_get(reading, "change");
    yaml_node *named;
    CHECK_ALLOC(*out = yaml_without(a, tree, "readings"));
    CHECK_ALLOC(*out = yaml_without(a, *out, "reasons"));
    for (size_t i = 0; change && i < change->n; i++)
        CHECK(lay_over(a, out, change->keys[i], change->items[i], err));
    CHECK_ALLOC(named = yaml_nest(a, "reading", yaml_get(reading, "id")));
    CHECK_ALLOC(*out = yaml_merge(a, *out, named));
    return STATUS_OK;
}
