/* SPDX-License-Identifier: GPL-3.0-or-later */
#define BNB_YAML_TREE_SOURCE
#include "runner/declare/yaml_tree_internal.h"

#include "core/base/array.h"
#include "core/base/utf8.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

struct arena_block {
    arena_block *before;
    max_align_t bytes[];
};

void *arena_take(arena *a, size_t n, size_t size) {
    arena_block *block;
    size_t bytes = n * size;
    if (size > 0 && (n > SIZE_MAX / size || bytes > SIZE_MAX - sizeof *block))
        return NULL;
    block = calloc(1, sizeof *block + bytes);
    if (!block)
        return NULL;
    block->before = a->last;
    a->last = block;
    return block->bytes;
}

char *arena_copy(arena *a, const char *text, size_t length) {
    char *copy = arena_take(a, length + 1, 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void arena_clear(arena *a) {
    while (a->last) {
        arena_block *block = a->last;
        a->last = block->before;
        free(block);
    }
}

status yaml_fail(const yaml_node *at, error_info *err, const char *format, ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return error_set(err, STATUS_PARSE, "%s:%zu:%zu: %s", at->source, at->line, at->column, message);
}

bool yaml_is_null(const yaml_node *node) {
    return node->kind == YAML_TEXT && !node->is_quoted &&
           (!*node->text || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

const char *yaml_describe(const yaml_node *node, char *buffer, size_t size) {
    if (node->kind == YAML_MAP)
        (void)snprintf(buffer, size, "a mapping");
    else if (node->kind == YAML_LIST)
        (void)snprintf(buffer, size, node->n ? "a list" : "an empty list");
    else if (yaml_is_null(node))
        (void)snprintf(buffer, size, "nothing");
    else
        (void)snprintf(buffer, size, node->is_quoted ? "the quoted text '%.60s'" : "'%.60s'", node->text);
    return buffer;
}

yaml_node *yaml_get(const yaml_node *map, const char *key) {
    for (size_t i = 0; map->kind == YAML_MAP && i < map->n; i++) {
        if (strcmp(map->keys[i]->text, key) == 0)
            return map->items[i];
    }
    return NULL;
}

/* What a parse carries along. */
typedef struct {
    arena *memory;
    yaml_parser_t parser;
    const char *source, *text;
    size_t length, n_nodes;
    error_info *err;
} reader;

static status fail_at(reader *r, yaml_mark_t mark, const char *format, const char *detail) {
    yaml_node at = {.source = r->source, .line = mark.line + 1, .column = mark.column + 1};
    return yaml_fail(&at, r->err, format, detail);
}

/* The place of a byte; libyaml gives no mark where it cannot decode. */
static yaml_mark_t mark_of(const reader *r, size_t offset) {
    yaml_mark_t mark = {0};
    for (size_t i = 0; i < offset && i < r->length; i++) {
        if (r->text[i] == '\n') {
            mark.line++;
            mark.column = 0;
        } else if (!utf8_is_inner(r->text[i])) {
            mark.column++;
        }
    }
    return mark;
}

static bool is_tab(const reader *r, yaml_mark_t mark) {
    size_t i = 0;
    for (; i < r->length && mark.line > 0; i++)
        mark.line -= r->text[i] == '\n';
    for (; i < r->length && (mark.column > 0 || utf8_is_inner(r->text[i])); i++)
        mark.column -= !utf8_is_inner(r->text[i]);
    return i < r->length && r->text[i] == '\t';
}

static status fail_parser(reader *r) {
    const yaml_parser_t *p = &r->parser;
    const char *problem = p->problem ? p->problem : "broken";
    if (p->error == YAML_MEMORY_ERROR)
        return error_out_of_memory(r->err);
    if (p->error == YAML_READER_ERROR)
        return fail_at(r, mark_of(r, p->problem_offset), "this is not UTF-8 text: %s", problem);
    if (is_tab(r, p->problem_mark))
        problem = "a tab; use blanks";
    return fail_at(r, p->problem_mark, "this is not YAML: %s", problem);
}

static status next_event(reader *r, yaml_event_t *event) {
    return yaml_parser_parse(&r->parser, event) ? STATUS_OK : fail_parser(r);
}

/* Children of a node while their number is not known yet. */
typedef struct {
    yaml_node **items;
    size_t n, capacity;
} node_list;

static status push(node_list *list, yaml_node *node, error_info *err) {
    return ARRAY_PUSH(list->items, list->n, list->capacity, err, node);
}

static status keep(reader *r, const node_list *list, yaml_node ***out) {
    *out = arena_take(r->memory, list->n, sizeof **out);
    if (!*out)
        return error_out_of_memory(r->err);
    if (list->n)
        memcpy(*out, list->items, list->n * sizeof **out);
    return STATUS_OK;
}

static status read_node(reader *r, const yaml_event_t *event, size_t depth, yaml_node **out);

/* Reads the nodes up to the event that ends the list. */
static status read_list(reader *r, yaml_node *node, size_t depth) {
    status st = STATUS_OK;
    node_list items = {0};
    for (;;) {
        yaml_event_t event;
        yaml_node *item = NULL;
        bool is_end;
        TRY(next_event(r, &event));
        is_end = event.type == YAML_SEQUENCE_END_EVENT;
        if (!is_end)
            st = read_node(r, &event, depth + 1, &item);
        yaml_event_delete(&event);
        if (st != STATUS_OK || is_end)
            break;
        TRY(push(&items, item, r->err));
    }
    if (st == STATUS_OK)
        st = keep(r, &items, &node->items);
    node->n = items.n;
cleanup:
    free(items.items);
    return st;
}

static status check_key(const node_list *keys, const yaml_node *key, error_info *err) {
    if (key->kind != YAML_TEXT || !*key->text)
        return yaml_fail(key, err, "a key must be a word");
    for (size_t i = 0; i < keys->n; i++) {
        if (strcmp(keys->items[i]->text, key->text) == 0)
            return yaml_fail(key, err, "the key '%s' stands here a second time; the first is in line %zu", key->text,
                             keys->items[i]->line);
    }
    if (keys->n == YAML_MOST_KEYS)
        return yaml_fail(key, err, "more than %d keys in one mapping", YAML_MOST_KEYS);
    return STATUS_OK;
}

static status read_map(reader *r, yaml_node *node, size_t depth) {
    status st = STATUS_OK;
    node_list keys = {0}, values = {0};
    for (;;) {
        yaml_event_t event;
        yaml_node *item = NULL;
        bool is_end;
        TRY(next_event(r, &event));
        is_end = event.type == YAML_MAPPING_END_EVENT;
        if (!is_end)
            st = read_node(r, &event, depth + 1, &item);
        yaml_event_delete(&event);
        if (st != STATUS_OK || is_end)
            break;
        if (keys.n == values.n) {
            TRY(check_key(&keys, item, r->err));
            TRY(push(&keys, item, r->err));
        } else {
            TRY(push(&values, item, r->err));
        }
    }
    TRY(st);
    TRY(keep(r, &keys, &node->keys));
    TRY(keep(r, &values, &node->items));
    node->n = keys.n;
cleanup:
    free(keys.items);
    free(values.items);
    return st;
}

static status read_text(reader *r, const yaml_event_t *event, yaml_node *node) {
    size_t length = event->data.scalar.length;
    const char *value = (const char *)event->data.scalar.value;
    if (event->data.scalar.anchor)
        return fail_at(r, event->start_mark, "anchors (&) are not supported; write it %s", "out");
    if (event->data.scalar.tag)
        return fail_at(r, event->start_mark, "tags (%s) are not supported", "!");
    if (strlen(value) != length)
        return fail_at(r, event->start_mark, "a text with a NUL byte: %s", value);
    node->kind = YAML_TEXT;
    node->is_quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->text = arena_copy(r->memory, value, length);
    return node->text ? STATUS_OK : error_out_of_memory(r->err);
}

static status read_node(reader *r, const yaml_event_t *event, size_t depth, yaml_node **out) {
    yaml_node *node = arena_take(r->memory, 1, sizeof *node);
    bool has_mark = false;
    if (!node)
        return error_out_of_memory(r->err);
    node->source = r->source;
    node->line = event->start_mark.line + 1;
    node->column = event->start_mark.column + 1;
    *out = node;
    if (depth > YAML_MOST_DEPTH)
        return yaml_fail(node, r->err, "nested deeper than %d levels", YAML_MOST_DEPTH);
    if (++r->n_nodes > YAML_MOST_NODES)
        return yaml_fail(node, r->err, "more than %d values in one file", YAML_MOST_NODES);
    if (event->type == YAML_ALIAS_EVENT)
        return yaml_fail(node, r->err, "aliases (*) are not supported; write it out");
    if (event->type == YAML_SCALAR_EVENT)
        return read_text(r, event, node);
    if (event->type == YAML_SEQUENCE_START_EVENT)
        has_mark = event->data.sequence_start.anchor || event->data.sequence_start.tag;
    else
        has_mark = event->data.mapping_start.anchor || event->data.mapping_start.tag;
    if (has_mark)
        return yaml_fail(node, r->err, "anchors (&) and tags (!) are not supported");
    node->kind = event->type == YAML_SEQUENCE_START_EVENT ? YAML_LIST : YAML_MAP;
    return node->kind == YAML_LIST ? read_list(r, node, depth) : read_map(r, node, depth);
}

/* The next event that is not the start of the stream or of a document. */
static status skip_starts(reader *r, yaml_event_t *event) {
    for (;;) {
        CHECK(next_event(r, event));
        if (event->type != YAML_STREAM_START_EVENT && event->type != YAML_DOCUMENT_START_EVENT)
            return STATUS_OK;
        yaml_event_delete(event);
    }
}

static status expect_end(reader *r) {
    yaml_event_t event;
    status st = next_event(r, &event); /* the end of the document */
    if (st != STATUS_OK)
        return st;
    yaml_event_delete(&event);
    CHECK(next_event(r, &event));
    if (event.type != YAML_STREAM_END_EVENT)
        st = fail_at(r, event.start_mark, "a second document starts here; one is %s", "expected");
    yaml_event_delete(&event);
    return st;
}

static status read_document(reader *r, yaml_node **out) {
    yaml_event_t event;
    status st = STATUS_OK;
    CHECK(skip_starts(r, &event));
    if (event.type == YAML_STREAM_END_EVENT)
        st = fail_at(r, event.start_mark, "the file is %s", "empty");
    else
        st = read_node(r, &event, 1, out);
    yaml_event_delete(&event);
    return st == STATUS_OK ? expect_end(r) : st;
}

status yaml_parse(arena *a, const char *text, size_t length, const char *source, yaml_node **out, error_info *err) {
    reader r = {.memory = a, .source = source, .text = text, .length = length, .err = err};
    status st;
    if (length > YAML_MOST_BYTES)
        return error_set(err, STATUS_PARSE, "%s:1:1: %zu bytes; an experiment has %d at most", source, length,
                         YAML_MOST_BYTES);
    CHECK_ALLOC(yaml_parser_initialize(&r.parser));
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, length);
    st = read_document(&r, out);
    yaml_parser_delete(&r.parser);
    return st;
}
