/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A YAML document as a tree of nodes that know their place in the text. Nodes are immutable once parsed and live in an
 * arena, so that a merged tree may share them. Anchors, aliases, tags and more than one document are refused; depth,
 * size and keys a mapping are bounded, so that no text takes more than a moment.
 */
#ifndef BNB_RUNNER_DECLARE_YAML_TREE_INTERNAL_H
#define BNB_RUNNER_DECLARE_YAML_TREE_INTERNAL_H

#include "core/base/status.h"
#include "core/base/text.h"

#include <stdbool.h>

enum { YAML_MOST_BYTES = 1 << 20, YAML_MOST_DEPTH = 24, YAML_MOST_NODES = 50000, YAML_MOST_KEYS = 200 };

typedef struct arena_block arena_block;

/** Memory that is freed at once. Zero-initialise. */
typedef struct {
    arena_block *last;
} arena;

/** Zeroed memory, aligned for anything; NULL without memory. */
void *arena_take(arena *a, size_t n, size_t size);
char *arena_copy(arena *a, const char *text, size_t length);
void arena_clear(arena *a);

typedef enum { YAML_TEXT, YAML_LIST, YAML_MAP } yaml_kind;

typedef struct yaml_node yaml_node;
struct yaml_node {
    yaml_kind kind;
    const char *source;  /* the file, or the override, that it stands in */
    size_t line, column; /* from 1 */
    const char *text;    /* of YAML_TEXT; UTF-8 without NUL */
    bool is_quoted;      /* of YAML_TEXT: in quotes or a block, so that it is no number and no boolean */
    size_t n;
    yaml_node **items; /* of YAML_LIST; of YAML_MAP the values */
    yaml_node **keys;  /* of YAML_MAP */
};

/**
 * Parses one document. `source` must outlive the tree and stands in messages.
 * @return STATUS_PARSE: "source:line:column: ...".
 */
BNB_MUST_CHECK status yaml_parse(arena *a, const char *text, size_t length, const char *source, yaml_node **out,
                                 error_info *err);

/** STATUS_PARSE with "source:line:column: " and the message. */
status yaml_fail(const yaml_node *at, error_info *err, const char *format, ...) BNB_PRINTF(3, 4);
#if defined(__clang_analyzer__) && !defined(BNB_YAML_TREE_SOURCE) /* as in core/base/status.h */
#define yaml_fail(...) ((void)(yaml_fail)(__VA_ARGS__), STATUS_PARSE)
#endif

/** "a mapping", "a list", "the text 'x'", "'12'", "nothing": for messages, into `buffer`. */
const char *yaml_describe(const yaml_node *node, char *buffer, size_t size);

/** The value of a key of a mapping, or NULL. */
yaml_node *yaml_get(const yaml_node *map, const char *key);

/** The text of a plain scalar that means "nothing": empty, ~ or null. */
bool yaml_is_null(const yaml_node *node);

/** The overlay over the base: mappings merge key by key, everything else is replaced. NULL without memory. */
yaml_node *yaml_merge(arena *a, yaml_node *base, yaml_node *overlay);

/** The mapping without a key; the mapping itself where it has none. NULL without memory. */
yaml_node *yaml_without(arena *a, yaml_node *map, const char *key);

/** {path[0]: {path[1]: ... value}} for a dotted path. NULL without memory. */
yaml_node *yaml_nest(arena *a, const char *dotted, yaml_node *value);

/** A plain or quoted scalar at the place of `at`. NULL without memory. */
yaml_node *yaml_text(arena *a, const yaml_node *at, const char *text, bool is_quoted);

/** Appends the tree as YAML in block style; parsing it gives the same tree, places aside. */
BNB_MUST_CHECK status yaml_append(const yaml_node *node, text_buffer *out, error_info *err);

#endif
