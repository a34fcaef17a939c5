/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of mappings: claims, remarks, readings, reasons. */
#include "runner/declare/declare_internal.h"

#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

static const char *id_of(const declared_list *list, const void *items, size_t i) {
    return *(char *const *)(const void *)((const char *)items + i * list->item_size);
}

static status check_id(const declared_list *list, const yaml_node *entry, const void *items, size_t i,
                       error_info *err) {
    for (size_t k = 0; list->has_ids && k < i; k++) {
        if (strcmp(id_of(list, items, k), id_of(list, items, i)) == 0)
            return yaml_fail(entry, err, "the id '%s' stands here a second time", id_of(list, items, i));
    }
    return STATUS_OK;
}

status declare_list(const declared_list *list, const yaml_node *node, const experiment *e, void **items, size_t *n,
                    error_info *err) {
    size_t n_entries = 0;
    if (!node || (node->kind == YAML_LIST && node->n == 0))
        return STATUS_OK;
    CHECK(field_items(node, list->what, list->most, &n_entries, err));
    CHECK_ALLOC(*items = calloc(n_entries, list->item_size));
    for (size_t i = 0; i < n_entries; i++) {
        *n = i + 1;
        CHECK(list->read(field_item(node, i), e, (char *)*items + i * list->item_size, err));
        CHECK(check_id(list, field_item(node, i), *items, i, err));
    }
    return STATUS_OK;
}
