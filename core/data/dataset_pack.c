/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/checksum.h"
#include "core/data/dataset_packed.h"
#include "core/data/packed_layout_internal.h"

#include <stdlib.h>

static size_t schema_size(const dataset *data) {
    size_t size = 0;
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        const variable *v = dataset_variable(data, c);
        size += PACKED_COLUMN_SIZE + strlen(v->name);
        for (size_t k = 0; k < v->n_states; k++)
            size += sizeof(uint32_t) + strlen(v->states[k]);
    }
    return size;
}

static size_t values_size(const dataset *data) {
    size_t size = 0;
    for (size_t c = 0; c < dataset_column_count(data); c++)
        size += packed_align(packed_bytes(dataset_row_count(data), packed_bits(dataset_state_count(data, c))));
    return size;
}

/* Several values a byte, the first in its lowest bits; the bytes behind the last value are zero. */
static void pack_bytes(const uint8_t *values, size_t n, size_t bits, char *to) {
    size_t of_byte = 8 / bits;
    for (size_t i = 0; i < n; i += of_byte) {
        unsigned byte = 0;
        for (size_t k = 0; k < of_byte; k++) /* a column is padded with zeros */
            byte |= (unsigned)values[i + k] << k * bits;
        *to++ = (char)byte;
    }
}

static void pack_column(const dataset *data, size_t c, size_t bits, char *to) {
    size_t n = dataset_row_count(data);
    const uint8_t *bytes = dataset_bytes(data, c);
    const uint16_t *words = dataset_words(data, c);
    const double *reals = dataset_reals(data, c);
    if (bytes && bits == 8)
        memcpy(to, bytes, n);
    else if (bytes)
        pack_bytes(bytes, n, bits, to);
    for (size_t i = 0; words && i < n; i++) {
        uint16_t word = htole16(words[i]);
        memcpy(to + i * sizeof word, &word, sizeof word);
    }
    for (size_t i = 0; reals && i < n; i++) {
        uint64_t word;
        memcpy(&word, &reals[i], sizeof word);
        packed_put_64(to + i * sizeof word, word);
    }
}

/* Returns where the next text goes. */
static char *put_text(char *to, const char *text, size_t length) {
    memcpy(to, text, length);
    return to + length;
}

static char *put_column(char *to, const variable *v, uint64_t sum) {
    size_t length = strlen(v->name);
    packed_put_32(to, (uint32_t)v->n_states);
    packed_put_32(to + 4, (uint32_t)length);
    packed_put_64(to + 8, sum);
    to = put_text(to + PACKED_COLUMN_SIZE, v->name, length);
    for (size_t k = 0; k < v->n_states; k++) {
        length = strlen(v->states[k]);
        packed_put_32(to, (uint32_t)length);
        to = put_text(to + sizeof(uint32_t), v->states[k], length);
    }
    return to;
}

static void put_columns(const dataset *data, char *schema, char *values) {
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        size_t bits = packed_bits(dataset_state_count(data, c));
        size_t size = packed_align(packed_bytes(dataset_row_count(data), bits));
        pack_column(data, c, bits, values);
        schema = put_column(schema, dataset_variable(data, c), checksum_bytes(CHECKSUM_START, values, size));
        values += size;
    }
}

static void put_header(const dataset *data, size_t n_schema, size_t size, char *file) {
    size_t named = packed_align(PACKED_HEADER_SIZE + n_schema) - PACKED_HEADER_SIZE;
    memcpy(file, PACKED_MAGIC, PACKED_MAGIC_SIZE);
    packed_put_32(file + PACKED_AT_VERSION, PACKED_VERSION);
    packed_put_64(file + PACKED_AT_ROWS, dataset_row_count(data));
    packed_put_64(file + PACKED_AT_COLUMNS, dataset_column_count(data));
    packed_put_64(file + PACKED_AT_SCHEMA_SIZE, n_schema);
    packed_put_64(file + PACKED_AT_FILE_SIZE, size);
    packed_put_64(file + PACKED_AT_SCHEMA_SUM, checksum_bytes(CHECKSUM_START, file + PACKED_HEADER_SIZE, named));
    packed_put_64(file + PACKED_AT_SUM, checksum_bytes(CHECKSUM_START, file, PACKED_AT_SUM));
}

status dataset_pack(const dataset *data, char **out, size_t *length, error_info *err) {
    size_t n_schema = schema_size(data), values = packed_align(PACKED_HEADER_SIZE + n_schema);
    size_t size = values + values_size(data);
    char *file;
    CHECK_ALLOC(file = calloc(size, 1));
    put_columns(data, file + PACKED_HEADER_SIZE, file + values);
    put_header(data, n_schema, size, file);
    *out = file;
    *length = size;
    return STATUS_OK;
}
