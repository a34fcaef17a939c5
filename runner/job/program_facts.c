/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/job/program_facts_internal.h"

#include "core/base/file.h"
#include "core/base/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

enum { MOST_FACTS_BYTES = 64 << 10, MOST_VERSION_BYTES = 200 };

void program_facts_clear(program_facts *f) {
    free(f->version);
    *f = (program_facts){0};
}

static status take_learning(const json_t *value, program_facts *out, error_info *err) {
    out->learning_s = json_number_value(value);
    out->has_learning_s = json_is_number(value) && out->learning_s >= 0;
    return out->has_learning_s ? STATUS_OK
                               : error_set(err, STATUS_INVALID, "learning_seconds is to be a number from 0 on");
}

/* A line that can be shown as it stands. */
static bool is_line(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            return false;
    }
    return length > 0 && length <= MOST_VERSION_BYTES;
}

static status take_version(const json_t *value, program_facts *out, error_info *err) {
    const char *text = json_string_value(value);
    if (!text || !is_line(text, json_string_length(value)))
        return error_set(err, STATUS_INVALID, "version is to be a line of 1 to %d bytes", MOST_VERSION_BYTES);
    CHECK_ALLOC(out->version = text_copy(text));
    return STATUS_OK;
}

static status take_member(const char *name, const json_t *value, program_facts *out, error_info *err) {
    if (strcmp(name, "learning_seconds") == 0)
        return take_learning(value, out, err);
    if (strcmp(name, "version") == 0)
        return take_version(value, out, err);
    return error_set(err, STATUS_INVALID, "unknown member '%.100s'; there are learning_seconds and version", name);
}

status program_facts_parse(const char *text, size_t length, program_facts *out, error_info *err) {
    AUTO_PTR(json_decref) json_t *root = NULL;
    AUTO(program_facts_clear) program_facts facts = {0};
    const char *name;
    json_t *value;
    CHECK(json_read(text, length, &root, err));
    if (!json_is_object(root))
        return error_set(err, STATUS_PARSE, "an object is expected: {\"learning_seconds\": 1.5, \"version\": \"...\"}");
    json_object_foreach(root, name, value) CHECK(take_member(name, value, &facts, err));
    *out = TAKE(facts);
    return STATUS_OK;
}

status program_facts_read(const char *path, program_facts *out, error_info *err) {
    AUTO_FREE char *text = NULL;
    struct stat info;
    size_t length = 0;
    *out = (program_facts){0};
    if (lstat(path, &info) != 0 && errno == ENOENT)
        return STATUS_OK;
    if (!S_ISREG(info.st_mode))
        return error_set(err, STATUS_INVALID, "no file");
    CHECK(file_read(path, MOST_FACTS_BYTES, &text, &length, err));
    return program_facts_parse(text, length, out, err);
}
