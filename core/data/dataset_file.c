/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/dataset_file.h"

#include "core/base/file.h"

#include <stdlib.h>
#include <string.h>

static status read_file(const char *path, const data_reading *how, dataset **out, schema_origin *origin,
                        error_info *err) {
    AUTO_FREE char *text = NULL;
    size_t length;
    CHECK(file_read(path, FILE_READ_MOST, &text, &length, err));
    return dataset_parse_csv_of(path, text, length, how, out, origin, err);
}

status dataset_read(const char *path, const data_reading *how, dataset **out, schema_origin *origin, error_info *err) {
    return error_at(read_file(path, how, out, origin, err), err, strcmp(path, "-") == 0 ? "standard input" : path);
}
