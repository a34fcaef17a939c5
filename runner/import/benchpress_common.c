/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the import share: losses, words, the resources of a configuration. */
#include "runner/import/benchpress_internal.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_among(char *const *texts, size_t n, const char *text) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(texts[i], text) == 0)
            return true;
    }
    return false;
}

/* A line of a comment: what is no printable ASCII is '?', for YAML has characters that even a comment cannot hold. */
static void make_plain(char *text) {
    for (; *text; text++) {
        if (*text < ' ' || *text > '~')
            *text = '?';
    }
}

status import_lose(import *in, error_info *err, const char *path, const char *format, ...) {
    char line[IMPORT_PATH_SIZE + 600];
    int n = snprintf(line, IMPORT_PATH_SIZE, "%s: ", path);
    va_list list;
    n = n < IMPORT_PATH_SIZE ? n : IMPORT_PATH_SIZE - 1;
    va_start(list, format);
    (void)vsnprintf(line + n, sizeof line - (size_t)n, format, list);
    va_end(list);
    make_plain(line);
    if (is_among(in->out->losses, in->out->n_losses, line))
        return STATUS_OK;
    return texts_add(&in->out->losses, &in->out->n_losses, line, err);
}

void import_append_word(text_buffer *out, const char *word) {
    for (; *word; word++)
        text_append_format(out, "%c", isalnum((unsigned char)*word) || strchr("._:=+-", *word) ? *word : '-');
}

static bool has_item_on(const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (json_is_array(item) ? json_array_size(item) > 0 : import_is_on(item))
            return true;
    }
    return false;
}

bool import_is_on(const json_t *value) {
    if (json_is_array(value))
        return has_item_on(value);
    if (json_is_object(value))
        return json_object_size(value) > 0 && !json_is_false(json_object_get(value, "active"));
    return value && !json_is_null(value) && !json_is_false(value);
}

const json_t *import_find_resource(const import *in, const char *section, const char *id, const char **module) {
    const char *name;
    json_t *list, *entry;
    size_t i;
    json_object_foreach(json_object_get(in->resources, section), name, list) {
        json_array_foreach(list, i, entry) {
            const char *own = json_string_value(json_object_get(entry, "id"));
            if (own && strcmp(own, id) == 0) {
                *module = name;
                return entry;
            }
        }
    }
    return NULL;
}
