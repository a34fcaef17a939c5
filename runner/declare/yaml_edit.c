/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges, nests and writes YAML trees. */
#include "runner/declare/yaml_tree_internal.h"

#include <string.h>

#include <yaml.h>

static yaml_node *copy_map(arena *a, const yaml_node *map, size_t room) {
    yaml_node *copy = arena_take(a, 1, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *map;
    copy->keys = arena_take(a, map->n + room, sizeof(yaml_node *));
    copy->items = arena_take(a, map->n + room, sizeof(yaml_node *));
    if (!copy->keys || !copy->items)
        return NULL;
    if (map->n) {
        memcpy(copy->keys, map->keys, map->n * sizeof(yaml_node *));
        memcpy(copy->items, map->items, map->n * sizeof(yaml_node *));
    }
    return copy;
}

static size_t position(const yaml_node *map, const char *key) {
    size_t i = 0;
    while (i < map->n && strcmp(map->keys[i]->text, key) != 0)
        i++;
    return i;
}

yaml_node *yaml_merge(arena *a, yaml_node *base, yaml_node *overlay) {
    yaml_node *merged;
    if (!base || base->kind != YAML_MAP || overlay->kind != YAML_MAP)
        return overlay;
    merged = copy_map(a, base, overlay->n);
    for (size_t i = 0; merged && i < overlay->n; i++) {
        size_t at = position(merged, overlay->keys[i]->text);
        bool is_new = at == merged->n;
        yaml_node *value = yaml_merge(a, is_new ? NULL : merged->items[at], overlay->items[i]);
        if (!value)
            return NULL;
        if (is_new)
            merged->n++;
        merged->keys[at] = overlay->keys[i];
        merged->items[at] = value;
    }
    return merged;
}

yaml_node *yaml_without(arena *a, yaml_node *map, const char *key) {
    size_t at = position(map, key);
    yaml_node *copy;
    if (at == map->n)
        return map;
    copy = copy_map(a, map, 0);
    if (!copy)
        return NULL;
    copy->n--;
    memmove(copy->keys + at, copy->keys + at + 1, (copy->n - at) * sizeof(yaml_node *));
    memmove(copy->items + at, copy->items + at + 1, (copy->n - at) * sizeof(yaml_node *));
    return copy;
}

yaml_node *yaml_text(arena *a, const yaml_node *at, const char *text, bool is_quoted) {
    yaml_node *node = arena_take(a, 1, sizeof *node);
    if (!node)
        return NULL;
    node->kind = YAML_TEXT;
    node->source = at->source;
    node->line = at->line;
    node->column = at->column;
    node->is_quoted = is_quoted;
    node->text = arena_copy(a, text, strlen(text));
    return node->text ? node : NULL;
}

yaml_node *yaml_nest(arena *a, const char *dotted, yaml_node *value) {
    const char *dot = strrchr(dotted, '.');
    const char *key = dot ? dot + 1 : dotted;
    yaml_node *map = arena_take(a, 1, sizeof *map);
    char *outer;
    if (!map)
        return NULL;
    map->kind = YAML_MAP;
    map->source = value->source;
    map->line = value->line;
    map->column = value->column;
    map->n = 1;
    map->keys = arena_take(a, 1, sizeof(yaml_node *));
    map->items = arena_take(a, 1, sizeof(yaml_node *));
    if (!map->keys || !map->items || !(map->keys[0] = yaml_text(a, value, key, false)))
        return NULL;
    map->items[0] = value;
    if (!dot)
        return map;
    outer = arena_copy(a, dotted, (size_t)(dot - dotted));
    return outer ? yaml_nest(a, outer, map) : NULL;
}

static int write_to_buffer(void *data, unsigned char *bytes, size_t n) {
    text_buffer *out = data;
    text_append_bytes(out, (const char *)bytes, n);
    return !out->failed;
}

/* yaml_emitter_emit takes the event over, whether it succeeds or not. */
static bool emit(yaml_emitter_t *emitter, yaml_event_t *event, int is_made) {
    return is_made && yaml_emitter_emit(emitter, event);
}

static bool emit_text(yaml_emitter_t *emitter, const yaml_node *node) {
    yaml_event_t event;
    yaml_scalar_style_t style = node->is_quoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_PLAIN_SCALAR_STYLE;
    return emit(emitter, &event,
                yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)node->text,
                                             (int)strlen(node->text), 1, 1, style));
}

static bool emit_node(yaml_emitter_t *emitter, const yaml_node *node) {
    yaml_event_t event;
    if (node->kind == YAML_TEXT)
        return emit_text(emitter, node);
    if (node->kind == YAML_LIST) {
        if (!emit(emitter, &event,
                  yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE)))
            return false;
        for (size_t i = 0; i < node->n; i++) {
            if (!emit_node(emitter, node->items[i]))
                return false;
        }
        return emit(emitter, &event, yaml_sequence_end_event_initialize(&event));
    }
    if (!emit(emitter, &event, yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE)))
        return false;
    for (size_t i = 0; i < node->n; i++) {
        if (!emit_text(emitter, node->keys[i]) || !emit_node(emitter, node->items[i]))
            return false;
    }
    return emit(emitter, &event, yaml_mapping_end_event_initialize(&event));
}

status yaml_append(const yaml_node *node, text_buffer *out, error_info *err) {
    yaml_emitter_t emitter;
    yaml_event_t event;
    bool ok;
    CHECK_ALLOC(yaml_emitter_initialize(&emitter));
    yaml_emitter_set_output(&emitter, write_to_buffer, out);
    yaml_emitter_set_unicode(&emitter, 1);
    yaml_emitter_set_width(&emitter, -1);
    ok = emit(&emitter, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING)) &&
         emit(&emitter, &event, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1)) &&
         emit_node(&emitter, node) && emit(&emitter, &event, yaml_document_end_event_initialize(&event, 1)) &&
         emit(&emitter, &event, yaml_stream_end_event_initialize(&event));
    yaml_emitter_delete(&emitter);
    return ok ? text_buffer_check(out, err) : error_out_of_memory(err);
}
