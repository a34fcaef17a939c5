/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables, tests and plots: each is read by the options of its kind. */
#include "runner/declare/declare_internal.h"

#include "parts/registry.h"
#include "runner/declare/fields_internal.h"

#include <string.h>

static status read_kind(const yaml_node *node, part_group group, const part_kind **out, error_info *err) {
    const part_group_info *info = part_group_at(group);
    const yaml_node *id = yaml_get(node, "id"), *selector = yaml_get(node, info->selector);
    AUTO(text_buffer_clear) text_buffer kinds = {0};
    const char *name = NULL;
    int choice = 0;
    part_append_kinds(group, &kinds);
    CHECK(text_buffer_check(&kinds, err));
    if (node->kind != YAML_MAP || !id || (!selector && !info->usual))
        return info->usual ? yaml_fail(node, err, "a %s is a mapping with an 'id'", info->one)
                           : yaml_fail(node, err, "a %s is a mapping with an 'id' and a '%s' (%s)", info->one,
                                       info->selector, kinds.data);
    *out = info->usual;
    if (selector) {
        CHECK(field_choice(selector, info->selector, kinds.data, &choice, err));
        CHECK(field_text(selector, info->selector, &name, err));
        *out = part_find(group, name);
    }
    return STATUS_OK;
}

/* The first kind of the group that has such a key, or NULL. */
static const part_kind *find_owner(part_group group, const char *key) {
    for (size_t i = 0; i < part_count(); i++) {
        if (part_at(i)->group == group && options_find(part_at(i)->options, key))
            return part_at(i);
    }
    return NULL;
}

static status check_keys(const yaml_node *node, const part_kind *kind, const char *subject, error_info *err) {
    const char *selector = part_group_at(kind->group)->selector;
    for (size_t i = 0; i < node->n; i++) {
        const char *key = node->keys[i]->text;
        bool is_known = strcmp(key, selector) == 0 || options_find(kind->options, key);
        const part_kind *owner = is_known ? NULL : find_owner(kind->group, key);
        text_buffer other = {0};
        if (!owner)
            continue;
        part_append_subject(owner, &other);
        (void)yaml_fail(node->keys[i], err, "unknown key '%.60s' in %s; it belongs to %s", key, subject,
                        other.data ? other.data : owner->name);
        text_buffer_clear(&other);
        return STATUS_PARSE;
    }
    return declare_option_keys(node, subject, selector, kind->options, err);
}

static status check_required(const yaml_node *node, const part_kind *kind, const char *subject, error_info *err) {
    for (const option_spec *spec = kind->options; spec->kind != OPT_END; spec++) {
        if (spec->is_required && !yaml_get(node, spec->name))
            return yaml_fail(node, err, "%s needs '%s', %s", subject, spec->name, spec->help);
    }
    return STATUS_OK;
}

static status complete(const yaml_node *node, const part_kind *kind, const experiment *e, void *options,
                       error_info *err) {
    const char *key = NULL;
    const yaml_node *at;
    error_info why = {0};
    status st = kind->complete ? kind->complete(options, &e->outputs, &key, &why) : STATUS_OK;
    if (st == STATUS_OK)
        return st;
    if (st != STATUS_INVALID)
        return error_set(err, st, "%s", why.message);
    at = key ? yaml_get(node, key) : NULL;
    return yaml_fail(at ? at : node, err, "%s", why.message);
}

/* The last part is the one that was read. */
static status check_id(const yaml_node *node, const part_list *parts, error_info *err) {
    const char *id = part_text(&parts->parts[parts->n - 1], "id");
    return part_list_find(parts, id) == &parts->parts[parts->n - 1]
               ? STATUS_OK
               : yaml_fail(yaml_get(node, "id"), err, "the id '%s' stands here a second time", id);
}

static status read_part(const yaml_node *node, part_group group, experiment *e, error_info *err) {
    const part_kind *kind = NULL;
    AUTO(text_buffer_clear) text_buffer subject = {0};
    void *options;
    CHECK(read_kind(node, group, &kind, err));
    part_append_subject(kind, &subject);
    CHECK(text_buffer_check(&subject, err));
    CHECK(check_keys(node, kind, subject.data, err));
    CHECK(check_required(node, kind, subject.data, err));
    CHECK_ALLOC(options = part_list_add(&e->parts, kind));
    CHECK(declare_options(node, kind->options, e, options, err));
    CHECK(complete(node, kind, e, options, err));
    return check_id(node, &e->parts, err);
}

/* Without `tables`: one for each metric. */
static status add_usual_tables(experiment *e, error_info *err) {
    const part_kind *kind = part_group_at(PART_TABLE)->usual;
    const char *key = NULL;
    for (size_t i = 0; i < e->n_metrics; i++) {
        void *options = part_list_add(&e->parts, kind);
        CHECK_ALLOC(options);
        CHECK(options_take_text(kind->options, options, "id", e->metrics[i], err));
        CHECK(options_take_text(kind->options, options, "metric", e->metrics[i], err));
        CHECK(kind->complete(options, &e->outputs, &key, err));
    }
    return STATUS_OK;
}

static status read_group(const yaml_node *node, part_group group, experiment *e, error_info *err) {
    const char *key = part_group_at(group)->key;
    size_t n = 0;
    if (!node && group == PART_TABLE)
        return add_usual_tables(e, err);
    if (!node || (node->kind == YAML_LIST && node->n == 0)) /* `tables: []`, the wish for none */
        return STATUS_OK;
    CHECK(field_items(node, key, MOST_OUTPUTS, &n, err));
    for (size_t i = 0; i < n; i++)
        CHECK(read_part(field_item(node, i), group, e, err));
    return STATUS_OK;
}

status declare_parts(const yaml_node *root, experiment *e, error_info *err) {
    for (part_group group = PART_TABLE; group < PART_GROUP_COUNT; group++)
        CHECK(read_group(yaml_get(root, part_group_at(group)->key), group, e, err));
    return STATUS_OK;
}
