/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/graph/index_list.h"

#include "core/base/array.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void index_list_clear(index_list *list) {
    free(list->items);
    *list = (index_list){0};
}

size_t index_list_find(const index_list *list, size_t item, bool *found) {
    size_t place = array_count_below(list->items, list->count, item);
    *found = place < list->count && list->items[place] == item;
    return place;
}

bool index_list_has(const index_list *list, size_t item) {
    bool found;
    (void)index_list_find(list, item, &found);
    return found;
}

status index_list_reserve(index_list *list, size_t capacity, error_info *err) {
    return ARRAY_RESERVE(list->items, list->capacity, capacity, err);
}

void index_list_insert(index_list *list, size_t place, size_t item) {
    assert(list->count < list->capacity && place <= list->count);
    memmove(list->items + place + 1, list->items + place, (list->count - place) * sizeof *list->items);
    list->items[place] = item;
    list->count++;
}

void index_list_remove(index_list *list, size_t place) {
    assert(place < list->count);
    list->count--;
    memmove(list->items + place, list->items + place + 1, (list->count - place) * sizeof *list->items);
}

status index_list_copy(const index_list *from, index_list *to, error_info *err) {
    CHECK(index_list_reserve(to, from->count, err));
    if (from->count > 0)
        memcpy(to->items, from->items, from->count * sizeof *to->items);
    to->count = from->count;
    return STATUS_OK;
}
