/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every kind of part, by position and by name. */
#ifndef BNB_PARTS_REGISTRY_H
#define BNB_PARTS_REGISTRY_H

#include "parts/base/part.h"

size_t part_count(void);
const part_kind *part_at(size_t i);

/** How a group of parts is declared. */
typedef struct {
    const char *key;        /* of the list in an experiment: "tables" */
    const char *one;        /* "table" */
    const char *selector;   /* the key that names the kind */
    const part_kind *usual; /* the kind without that key; NULL: it must stand there */
} part_group_info;

const part_group_info *part_group_at(part_group group);

/** The kind of that group and name, or NULL. */
const part_kind *part_find(part_group group, const char *name);

/** "scatter|line|..." */
void part_append_kinds(part_group group, text_buffer *out);

/** "a plot of kind heatmap", "a friedman test" */
void part_append_subject(const part_kind *p, text_buffer *out);

#endif
