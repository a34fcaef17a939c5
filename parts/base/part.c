/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/base/part.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

void part_list_clear(part_list *l) {
    for (size_t i = 0; i < l->n; i++) {
        options_clear(l->parts[i].kind->options, l->parts[i].options);
        free(l->parts[i].options);
    }
    free(l->parts);
    *l = (part_list){0};
}

void *part_list_add(part_list *l, const part_kind *kind) {
    void *options = calloc(1, kind->options_size);
    if (!options || ARRAY_APPEND(l->parts, l->n, NULL, (declared_part){kind, options}) != STATUS_OK) {
        free(options);
        return NULL;
    }
    options_set_initial(kind->options, options);
    return options;
}

size_t part_list_count(const part_list *l, part_group group) {
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += l->parts[i].kind->group == group;
    return n;
}

const char *part_text(const declared_part *p, const char *option) {
    return options_text(p->kind->options, p->options, option);
}

const declared_part *part_list_find(const part_list *l, const char *id) {
    for (size_t i = 0; i < l->n; i++) {
        const char *other = part_text(&l->parts[i], "id");
        if (other && strcmp(other, id) == 0)
            return &l->parts[i];
    }
    return NULL;
}

bool part_list_needs(const part_list *l, unsigned needs) {
    for (size_t i = 0; i < l->n; i++) {
        if (l->parts[i].kind->needs & needs)
            return true;
    }
    return false;
}
