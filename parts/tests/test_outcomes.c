/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/tests/test_outcomes.h"

#include "core/base/array.h"
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

static void clear_one(test_outcome *o) {
    free(o->learners[0]);
    free(o->learners[1]);
    free(o->place);
    free(o->published);
    free(o->here);
    free(o->file);
}

void test_outcomes_clear(test_outcomes *list) {
    for (size_t i = 0; i < list->n; i++)
        clear_one(&list->items[i]);
    free(list->items);
    *list = (test_outcomes){0};
}

static bool is_whole(const test_outcome *o, bool is_pair, bool has_file) {
    return o->learners[0] && (o->learners[1] || !is_pair) && o->place && o->published && o->here &&
           (o->file || !has_file);
}

status test_outcomes_add(test_outcomes *list, const char *const learners[2], const char *place,
                         const published_outcome *published, const char *here, error_info *err) {
    test_outcome o = {.learners = {text_copy(learners[0]), learners[1] ? text_copy(learners[1]) : NULL},
                      .place = text_copy(place),
                      .published = text_copy(published->text),
                      .file = published->file ? text_copy(published->file) : NULL,
                      .row = published->row,
                      .here = text_copy(here ? here : "-"),
                      .is_there = here != NULL,
                      .agrees = here && strcmp(here, published->text) == 0};
    status st = is_whole(&o, learners[1] != NULL, published->file != NULL) ? ARRAY_APPEND(list->items, list->n, err, o)
                                                                           : error_out_of_memory(err);
    if (st != STATUS_OK)
        clear_one(&o);
    return st;
}

static bool is_same(const test_outcome *a, const test_outcome *b) {
    return strcmp(a->place, b->place) == 0 && strcmp(a->learners[0], b->learners[0]) == 0 &&
           (!a->learners[1] || (b->learners[1] && strcmp(a->learners[1], b->learners[1]) == 0));
}

const test_outcome *test_outcomes_find(const test_outcomes *list, const test_outcome *like) {
    for (size_t i = 0; i < list->n; i++) {
        if (is_same(like, &list->items[i]))
            return &list->items[i];
    }
    return NULL;
}
