/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/plan/keys_json_internal.h"

#include "core/base/json.h"
#include "core/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_LENGTH = PLAN_KEY_SIZE - 1, QUOTED_LENGTH = KEY_LENGTH + 3 }; /* with quotes and a comma */

/* Written without jansson, which would take ten times the memory: keys are hex digits and need no escapes. */
status keys_to_json(const job_keys *keys, char **out, error_info *err) {
    AUTO_FREE char *text = calloc(keys->n * QUOTED_LENGTH + 3, 1);
    char key[PLAN_KEY_SIZE], *end = text;
    CHECK_ALLOC(text);
    for (size_t i = 0; i < keys->n; i++, end += QUOTED_LENGTH) {
        CHECK(job_keys_at(keys, i, key, err));
        end[0] = ',';
        end[1] = end[QUOTED_LENGTH - 1] = '"';
        memcpy(end + 2, key, KEY_LENGTH);
    }
    text[0] = '[';
    end[keys->n == 0] = ']';
    *out = TAKE(text);
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

static bool is_hex(const char *text, size_t n) {
    return strspn(text, "0123456789abcdef") >= n;
}

/* ["...","..."] as keys_to_json writes it. */
static bool has_form(const char *text, size_t n) {
    const char *at = text + 1;
    if (n == 0)
        return strcmp(text, "[]") == 0;
    for (size_t i = 0; i < n; i++, at += QUOTED_LENGTH) {
        if (at[0] != '"' || !is_hex(at + 1, KEY_LENGTH) || at[1 + KEY_LENGTH] != '"' ||
            at[2 + KEY_LENGTH] != (i + 1 < n ? ',' : ']'))
            return false;
    }
    return text[0] == '[' && *at == '\0';
}

status keys_from_json(const char *text, char (**out)[PLAN_KEY_SIZE], size_t *n, error_info *err) {
    size_t count = strlen(text) / QUOTED_LENGTH;
    AUTO_FREE char(*keys)[PLAN_KEY_SIZE] = calloc(count + 1, sizeof *keys);
    CHECK_ALLOC(keys);
    if (strlen(text) != count * QUOTED_LENGTH + (count ? 1 : 2) || !has_form(text, count))
        return error_set(err, STATUS_PARSE, "the plan of the run is no list of keys");
    for (size_t i = 0; i < count; i++)
        memcpy(keys[i], text + i * QUOTED_LENGTH + 2, KEY_LENGTH);
    *out = TAKE(keys);
    *n = count;
    return STATUS_OK;
}
