/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/dataset_file.h"

#include "core/base/file.h"
#include "core/data/dataset_arff.h"
#include "core/data/dataset_given.h"
#include "core/data/dataset_packed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static status unpack(const packed_source *source, const data_reading *how, dataset **out, schema_origin *origin,
                     error_info *err) {
    AUTO_PTR(dataset_destroy) dataset *data = NULL;
    dataset *recoded = NULL;
    CHECK(dataset_unpack(source, how ? how->n_threads : 1, &data, err));
    if (how && how->given)
        CHECK(dataset_use_given(data, how->given, how->n_given, &recoded, err));
    if (origin)
        *origin = how && how->given ? SCHEMA_GIVEN : SCHEMA_OWN;
    *out = recoded ? recoded : TAKE(data);
    return STATUS_OK;
}

static status read_whole(const char *path, const data_reading *how, dataset **out, schema_origin *origin,
                         error_info *err) {
    AUTO_FREE char *bytes = NULL;
    data_form form = data_form_of_path(path);
    size_t length;
    CHECK(file_read(path, FILE_READ_MOST, &bytes, &length, err));
    if (length >= PACKED_MAGIC_SIZE && memcmp(bytes, PACKED_MAGIC, PACKED_MAGIC_SIZE) == 0)
        return unpack(&(packed_source){-1, bytes, length}, how, out, origin, err);
    if (form == DATA_FORM_ARFF || (form == DATA_FORM_NONE && arff_may_be(bytes, length)))
        return dataset_parse_arff(bytes, length, how, out, origin, err);
    return dataset_parse_csv_of(path, bytes, length, how, out, origin, err);
}

/* ---- CSV by pieces ---- */

/* Of less, what the whole takes is not worth the second try that a file with quotes or mistakes takes. */
enum { LEAST_BY_PIECES = 16 << 20, LEAD = 256 };

/* By its ending, or its first bytes where it has none. */
static bool is_plain_csv(const char *path, int fd, size_t size) {
    char lead[LEAD];
    size_t n = size < sizeof lead ? size : sizeof lead;
    data_form form = data_form_of_path(path);
    if (form == DATA_FORM_ARFF || file_read_at(fd, 0, lead, n, NULL) != STATUS_OK)
        return false;
    return !file_is_compressed(lead, n) && !memchr(lead, '\0', n) && !(form == DATA_FORM_NONE && arff_may_be(lead, n));
}

/* True where the data are read; else the whole file tells why not. */
static bool read_by_pieces(const char *path, const data_reading *how, dataset **out, schema_origin *origin) {
    size_t size, least = how && how->block_bytes ? 1 : LEAST_BY_PIECES;
    int fd;
    bool is_read;
    if (strcmp(path, "-") == 0 || file_open_led_by(path, "", 0, &fd, &size, NULL) != STATUS_OK || fd < 0)
        return false;
    is_read = size >= least && is_plain_csv(path, fd, size) &&
              dataset_parse_csv_file(path, fd, size, how, out, origin, NULL) == STATUS_OK;
    (void)close(fd);
    return is_read;
}

static status read_text(const char *path, const data_reading *how, dataset **out, schema_origin *origin,
                        error_info *err) {
    return read_by_pieces(path, how, out, origin) ? STATUS_OK : read_whole(path, how, out, origin, err);
}

static status read_file(const char *path, const data_reading *how, dataset **out, schema_origin *origin,
                        error_info *err) {
    packed_source source = {.fd = -1};
    status st;
    CHECK(file_open_led_by(path, PACKED_MAGIC, PACKED_MAGIC_SIZE, &source.fd, &source.size, err));
    if (source.fd < 0)
        return read_text(path, how, out, origin, err);
    st = unpack(&source, how, out, origin, err);
    (void)close(source.fd);
    return st;
}

status dataset_read(const char *path, const data_reading *how, dataset **out, schema_origin *origin, error_info *err) {
    return error_at(read_file(path, how, out, origin, err), err, strcmp(path, "-") == 0 ? "standard input" : path);
}

/* ---- writing ---- */

static status write_packed(const dataset *data, const char *path, error_info *err) {
    AUTO_FREE char *bytes = NULL;
    size_t length;
    CHECK(dataset_pack(data, &bytes, &length, err));
    return file_write(path, bytes, length, err);
}

static status write_arff(const dataset *data, const char *path, error_info *err) {
    AUTO_FREE char *name = path_name(path, data_form_ending(DATA_FORM_ARFF));
    AUTO(text_buffer_clear) text_buffer text = {0};
    CHECK_ALLOC(name);
    dataset_append_arff(data, name, &text);
    CHECK(text_buffer_check(&text, err));
    return file_write(path, text.data, text.length, err);
}

status dataset_write(const dataset *data, const char *path, error_info *err) {
    data_form form = data_form_of_path(path);
    if (form == DATA_FORM_PACKED)
        return error_at(write_packed(data, path, err), err, path);
    if (form == DATA_FORM_ARFF)
        return error_at(write_arff(data, path, err), err, path);
    return dataset_write_csv(data, path, err);
}
