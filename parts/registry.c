/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/registry.h"

#include <string.h>

#ifndef BNB_PARTS /* a test may give a longer list */
#define BNB_PARTS "parts/registry.def"
#endif

#define PART(name) extern const part_kind part_##name;
#include BNB_PARTS
#undef PART

static const part_kind *const kinds[] = {
#define PART(name) &part_##name,
#include BNB_PARTS
#undef PART
};

enum { N_PARTS = sizeof kinds / sizeof *kinds };

size_t part_count(void) {
    return N_PARTS;
}

const part_kind *part_at(size_t i) {
    return kinds[i];
}

const part_group_info *part_group_at(part_group group) {
    static const part_group_info groups[PART_GROUP_COUNT] = {
        [PART_TABLE] = {"tables", "table", "kind", &part_metric_table},
        [PART_TEST] = {"tests", "test", "test", NULL},
        [PART_PLOT] = {"plots", "plot", "kind", NULL},
    };
    return &groups[group];
}

const part_kind *part_find(part_group group, const char *name) {
    for (size_t i = 0; i < N_PARTS; i++) {
        if (kinds[i]->group == group && strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    }
    return NULL;
}

void part_append_kinds(part_group group, text_buffer *out) {
    bool is_first = true;
    for (size_t i = 0; i < N_PARTS; i++) {
        if (kinds[i]->group != group)
            continue;
        text_append_format(out, "%s%s", is_first ? "" : "|", kinds[i]->name);
        is_first = false;
    }
}

void part_append_subject(const part_kind *p, text_buffer *out) {
    if (p->group == PART_TEST)
        text_append_format(out, "a %s test", p->name);
    else
        text_append_format(out, "a %s of kind %s", part_group_at(p->group)->one, p->name);
}
