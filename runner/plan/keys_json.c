/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/plan/keys_json_internal.h"

#include "core/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* Written without jansson, which would take ten times the memory: keys are hex digits and need no escapes. */
status keys_to_json(char (*keys)[PLAN_KEY_SIZE], size_t n, char **out, error_info *err) {
    text_buffer text = {0};
    status st;
    text_append(&text, "[");
    for (size_t i = 0; i < n; i++)
        text_append_format(&text, "%s\"%s\"", i ? "," : "", keys[i]);
    text_append(&text, "]");
    st = text_buffer_check(&text, err);
    if (st == STATUS_OK)
        *out = text.data;
    else
        text_buffer_clear(&text);
    return st;
}

status keys_from_json(const char *text, char (**out)[PLAN_KEY_SIZE], size_t *n, error_info *err) {
    json_error_t problem;
    json_t *array = json_loads(text, 0, &problem), *item;
    char(*keys)[PLAN_KEY_SIZE] = NULL;
    size_t i;
    status st = STATUS_OK;
    if (!json_is_array(array)) {
        st = error_set(err, STATUS_PARSE, "the plan of the run is no list of keys");
        goto cleanup;
    }
    TRY_ALLOC(keys = calloc(json_array_size(array) + 1, sizeof *keys));
    json_array_foreach(array, i, item) {
        if (json_string_length(item) != PLAN_KEY_SIZE - 1) {
            st = error_set(err, STATUS_PARSE, "entry %zu of the plan of the run is no key", i + 1);
            goto cleanup;
        }
        memcpy(keys[i], json_string_value(item), PLAN_KEY_SIZE);
    }
    *out = keys;
    *n = json_array_size(array);
    keys = NULL;
cleanup:
    json_decref(array);
    free(keys);
    return st;
}
