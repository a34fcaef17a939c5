/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that own what they hold. */
#include "core/base/options.h"

#include <stdlib.h>
#include <string.h>

static bool holds_text(const option_spec *spec) {
    return spec->kind >= OPT_NAME && spec->kind <= OPT_TEST;
}

const char *options_text(const option_spec *specs, const void *options, const char *name) {
    const option_spec *spec = options_find(specs, name);
    return spec && holds_text(spec) ? *(char *const *)(const void *)((const char *)options + spec->offset) : NULL;
}

status options_take_text(const option_spec *specs, void *options, const char *name, const char *text, error_info *err) {
    const option_spec *spec = options_find(specs, name);
    char *copy, **place;
    if (!spec || !holds_text(spec))
        return error_set(err, STATUS_BUG, "no option '%s' holds a text", name);
    CHECK_ALLOC(copy = text_copy(text));
    place = (char **)(void *)((char *)options + spec->offset);
    free(*place);
    *place = copy;
    return STATUS_OK;
}

static void free_pools(option_pool *pools, size_t n) {
    for (size_t i = 0; pools && i < n; i++) {
        free(pools[i].id);
        texts_destroy(pools[i].parts, pools[i].n_parts);
    }
    free(pools);
}

static void clear_list(const option_spec *spec, void *options) {
    void *place = (char *)options + spec->offset;
    size_t *n = (size_t *)(void *)((char *)options + spec->count_offset);
    if (spec->kind == OPT_POOLS)
        free_pools(*(option_pool **)place, *n);
    else if (spec->kind == OPT_COUNTS)
        free(*(size_t **)place);
    else if (spec->kind == OPT_SIGMAS)
        free(*(double **)place);
    else
        texts_destroy(*(char ***)place, *n);
    memset(place, 0, sizeof(void *));
    *n = 0;
}

void options_clear(const option_spec *specs, void *options) {
    for (size_t i = 0; i < options_count(specs); i++) {
        char *place = (char *)options + specs[i].offset;
        if (specs[i].kind == OPT_GROUP) {
            options_clear(specs[i].inner, place);
        } else if (specs[i].kind >= OPT_LINES) {
            clear_list(&specs[i], options);
        } else if (holds_text(&specs[i])) {
            free(*(char **)(void *)place);
            *(char **)(void *)place = NULL;
        }
    }
}
