/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/plan/keys_json_internal.h"

#include "core/base/json.h"
#include "core/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Written without jansson, which would take ten times the memory: keys are hex digits and need no escapes. */
status keys_to_json(char (*keys)[PLAN_KEY_SIZE], size_t n, char **out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer text = {0};
    text_append(&text, "[");
    for (size_t i = 0; i < n; i++)
        text_append_format(&text, "%s\"%s\"", i ? "," : "", keys[i]);
    text_append(&text, "]");
    CHECK(text_buffer_check(&text, err));
    *out = text.data;
    text.data = NULL;
    return STATUS_OK;
}

status keys_from_array(const json_t *array, char (**out)[PLAN_KEY_SIZE], size_t *n, error_info *err) {
    AUTO_FREE char(*keys)[PLAN_KEY_SIZE] = NULL;
    json_t *item;
    size_t i;
    if (!json_is_array(array))
        return error_set(err, STATUS_PARSE, "the plan of the run is no list of keys");
    CHECK_ALLOC(keys = calloc(json_array_size(array) + 1, sizeof *keys));
    json_array_foreach(array, i, item) {
        if (json_string_length(item) != PLAN_KEY_SIZE - 1)
            return error_set(err, STATUS_PARSE, "entry %zu of the plan of the run is no key", i + 1);
        memcpy(keys[i], json_string_value(item), PLAN_KEY_SIZE);
    }
    *out = TAKE(keys);
    *n = json_array_size(array);
    return STATUS_OK;
}

status keys_from_json(const char *text, char (**out)[PLAN_KEY_SIZE], size_t *n, error_info *err) {
    AUTO_PTR(json_decref) json_t *array = NULL;
    CHECK(error_at(json_read(text, strlen(text), &array, err), err, "the plan of the run"));
    return keys_from_array(array, out, n, err);
}
