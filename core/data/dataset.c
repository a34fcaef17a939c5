/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/dataset.h"

#include "core/base/huge_pages.h"
#include "core/base/name_index.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

enum { PADDING = 64 };

struct dataset {
    size_t n_rows, n_columns;
    variable *variables;
    uint32_t *n_states;     /* of the variables: learners ask for them all the time, and so they lie side by side */
    void **columns;         /* each n_rows values of its width, padded and aligned */
    char *memory;           /* that of all columns */
    packed_values *packed;  /* by column; without bits: it is there; NULL: all are */
    atomic_uchar *unpacked; /* by column of these: a step of unpacking */
    unsigned char *bytes;   /* where they lie */
    name_index *names;
};

static size_t value_width(const dataset *data, size_t column) {
    uint32_t n = data->n_states[column];
    if (n == 0)
        return sizeof(double);
    return n <= 256 ? 1 : 2;
}

void dataset_destroy(dataset *data) {
    if (!data)
        return;
    free(data->n_states);
    free(data->columns);
    free(data->memory);
    free(data->packed);
    free(data->unpacked);
    free(data->bytes);
    variables_destroy(data->variables, data->n_columns);
    name_index_destroy(data->names);
    free(data);
}

/* Bytes of a column with what pads it; 0: more than there can be. */
static size_t column_size(const dataset *data, size_t c) {
    size_t padded = data->n_rows / PADDING + 1, width = value_width(data, c);
    return padded > SIZE_MAX / PADDING / width / 2 ? 0 : padded * PADDING * width;
}

/* Zeros. The heap has them ready where the block is large: none is written here. */
static status allocate_columns(dataset *data, error_info *err) {
    size_t total = PADDING;
    char *at;
    for (size_t c = 0; c < data->n_columns; c++) {
        size_t size = column_size(data, c);
        if (size == 0 || __builtin_add_overflow(total, size, &total))
            return error_out_of_memory(err);
    }
    CHECK_ALLOC(data->memory = calloc(total, 1));
    huge_pages_ask(data->memory, total);
    at = data->memory + (PADDING - (uintptr_t)data->memory % PADDING) % PADDING;
    for (size_t c = 0; c < data->n_columns; c++) {
        data->columns[c] = at;
        at += column_size(data, c);
    }
    return STATUS_OK;
}

static status fill(dataset *data, const variable *variables, error_info *err) {
    CHECK_ALLOC(data->variables = calloc(data->n_columns, sizeof *data->variables));
    CHECK_ALLOC(data->n_states = calloc(data->n_columns, sizeof *data->n_states));
    CHECK_ALLOC(data->columns = calloc(data->n_columns, sizeof *data->columns));
    CHECK(name_index_create(data->n_columns, &data->names, err));
    for (size_t c = 0; c < data->n_columns; c++) {
        size_t earlier;
        CHECK(variable_copy(&variables[c], &data->variables[c], err));
        data->n_states[c] = (uint32_t)variables[c].n_states;
        CHECK(name_index_add(data->names, variables[c].name, c, &earlier, err));
        if (earlier != NAME_NONE)
            return error_set(err, STATUS_INVALID, "two columns are named '%s'", variables[c].name);
    }
    return allocate_columns(data, err);
}

status dataset_create(const variable *variables, size_t n_columns, size_t n_rows, dataset **out, error_info *err) {
    AUTO_PTR(dataset_destroy) dataset *data = NULL;
    if (n_columns == 0)
        return error_set(err, STATUS_INVALID, "a dataset needs at least one column");
    CHECK_ALLOC(data = calloc(1, sizeof *data));
    data->n_rows = n_rows;
    data->n_columns = n_columns;
    CHECK(fill(data, variables, err));
    *out = TAKE(data);
    return STATUS_OK;
}

status dataset_create_reals_like(const dataset *data, dataset **out, error_info *err) {
    AUTO_FREE variable *variables = calloc(data->n_columns, sizeof *variables); /* shallow */
    CHECK_ALLOC(variables);
    for (size_t c = 0; c < data->n_columns; c++)
        variables[c] = (variable){.name = data->variables[c].name, .kind = VARIABLE_CONTINUOUS};
    return dataset_create(variables, data->n_columns, data->n_rows, out, err);
}

size_t dataset_row_count(const dataset *data) {
    return data->n_rows;
}

size_t dataset_column_count(const dataset *data) {
    return data->n_columns;
}

const variable *dataset_variable(const dataset *data, size_t column) {
    return &data->variables[column];
}

size_t dataset_find_column(const dataset *data, const char *name) {
    return name_index_find(data->names, name);
}

bool dataset_is_discrete(const dataset *data) {
    for (size_t c = 0; c < data->n_columns; c++) {
        if (data->variables[c].kind != VARIABLE_DISCRETE)
            return false;
    }
    return true;
}

int dataset_kind(const dataset *data) {
    size_t n_discrete = 0;
    for (size_t c = 0; c < data->n_columns; c++)
        n_discrete += data->variables[c].kind == VARIABLE_DISCRETE;
    if (n_discrete == data->n_columns)
        return DATA_DISCRETE;
    return n_discrete ? DATA_MIXED : DATA_CONTINUOUS;
}

const char *data_kinds_name(int kinds) {
    static const char *const names[] = {
        "none",  "discrete",        "continuous",        "discrete, continuous",
        "mixed", "discrete, mixed", "continuous, mixed", "discrete, continuous, mixed",
    };
    return names[kinds & (DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED)];
}

size_t dataset_state_count(const dataset *data, size_t column) {
    return data->n_states[column];
}

size_t dataset_most_states(const dataset *data) {
    size_t most = 1;
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        if (dataset_state_count(data, c) > most)
            most = dataset_state_count(data, c);
    }
    return most;
}

/* --- columns ---------------------------------------------------------------------------------- */

enum { PACKED, IN_WORK, UNPACKED };

static bool is_packed(const dataset *data, size_t column) {
    return data->packed && data->packed[column].bits > 0 &&
           atomic_load_explicit(&data->unpacked[column], memory_order_acquire) != UNPACKED;
}

/* Whoever comes first does it, and the others wait. */
static void unpack(const dataset *data, size_t column) {
    unsigned char step = PACKED;
    if (atomic_compare_exchange_strong(&data->unpacked[column], &step, IN_WORK)) {
        packed_values_unpack(&data->packed[column], 0, data->n_rows, data->columns[column]);
        atomic_store_explicit(&data->unpacked[column], UNPACKED, memory_order_release);
        return;
    }
    while (is_packed(data, column))
        (void)sched_yield();
}

static void *column_at(const dataset *data, size_t column) {
    if (is_packed(data, column))
        unpack(data, column);
    return data->columns[column];
}

static void *column_of_width(const dataset *data, size_t column, size_t width) {
    return value_width(data, column) == width ? column_at(data, column) : NULL;
}

const uint8_t *dataset_bytes(const dataset *data, size_t column) {
    return column_of_width(data, column, 1);
}

const uint8_t *dataset_bytes_part(const dataset *data, size_t column, size_t first, size_t n, uint8_t *scratch) {
    if (!is_packed(data, column))
        return dataset_bytes(data, column) + first;
    packed_values_unpack(&data->packed[column], first, n, scratch);
    memset(scratch + n, 0, (PADDING - n % PADDING) % PADDING);
    return scratch;
}

const uint16_t *dataset_words(const dataset *data, size_t column) {
    return column_of_width(data, column, 2);
}

const double *dataset_reals(const dataset *data, size_t column) {
    return column_of_width(data, column, sizeof(double));
}

uint8_t *dataset_build_bytes(dataset *data, size_t column) {
    return column_of_width(data, column, 1);
}

uint16_t *dataset_build_words(dataset *data, size_t column) {
    return column_of_width(data, column, 2);
}

double *dataset_build_reals(dataset *data, size_t column) {
    return column_of_width(data, column, sizeof(double));
}

status dataset_set_packed(dataset *data, packed_values **packed, unsigned char **bytes, error_info *err) {
    CHECK_ALLOC(data->unpacked = calloc(data->n_columns, sizeof *data->unpacked));
    data->packed = TAKE(*packed);
    data->bytes = TAKE(*bytes);
    return STATUS_OK;
}

size_t dataset_state(const dataset *data, size_t row, size_t column) {
    const uint8_t *bytes;
    if (is_packed(data, column))
        return packed_values_at(&data->packed[column], row);
    bytes = dataset_bytes(data, column);
    return bytes ? bytes[row] : dataset_words(data, column)[row];
}

void dataset_set_state(dataset *data, size_t row, size_t column, size_t state) {
    uint8_t *bytes = dataset_build_bytes(data, column);
    if (bytes)
        bytes[row] = (uint8_t)state;
    else
        dataset_build_words(data, column)[row] = (uint16_t)state;
}

status dataset_reorder(const dataset *data, const size_t *order, dataset **out, error_info *err) {
    dataset *made = NULL;
    AUTO_FREE variable *variables = NULL; /* shallow: the copies are made by dataset_create */
    CHECK_ALLOC(variables = calloc(data->n_columns, sizeof *variables));
    for (size_t c = 0; c < data->n_columns; c++)
        variables[c] = data->variables[order[c]];
    CHECK(dataset_create(variables, data->n_columns, data->n_rows, &made, err));
    for (size_t c = 0; c < data->n_columns; c++)
        memcpy(made->columns[c], column_at(data, order[c]), data->n_rows * value_width(made, c));
    *out = made;
    return STATUS_OK;
}

static bool digest_text(EVP_MD_CTX *digest, const char *text) {
    return EVP_DigestUpdate(digest, text, strlen(text) + 1) == 1;
}

/* Bytes part by part, as a packed column need not be there as a whole. */
static bool digest_values(EVP_MD_CTX *digest, const dataset *data, size_t c) {
    _Alignas(PADDING) uint8_t part[1 << 14];
    bool ok = true;
    if (value_width(data, c) > 1)
        return EVP_DigestUpdate(digest, data->columns[c], data->n_rows * value_width(data, c)) == 1;
    for (size_t first = 0; ok && first < data->n_rows; first += sizeof part) {
        size_t n = data->n_rows - first < sizeof part ? data->n_rows - first : sizeof part;
        ok = EVP_DigestUpdate(digest, dataset_bytes_part(data, c, first, n, part), n) == 1;
    }
    return ok;
}

/* Values are hashed as they lie in memory: little-endian on every processor that we build for. */
static bool digest_column(EVP_MD_CTX *digest, const dataset *data, size_t c) {
    const variable *v = &data->variables[c];
    bool ok = digest_text(digest, v->name) && digest_text(digest, v->kind == VARIABLE_DISCRETE ? "d" : "c");
    for (size_t k = 0; k < v->n_states; k++)
        ok = ok && digest_text(digest, v->states[k]);
    return ok && digest_values(digest, data, c);
}

status dataset_fingerprint(const dataset *data, char out[DATASET_FINGERPRINT_SIZE], error_info *err) {
    static const char hex[] = "0123456789abcdef";
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    EVP_MD_CTX *digest = EVP_MD_CTX_new();
    bool ok = digest && EVP_DigestInit_ex(digest, EVP_sha256(), NULL) == 1;
    for (size_t c = 0; ok && c < data->n_columns; c++)
        ok = digest_column(digest, data, c);
    ok = ok && EVP_DigestFinal_ex(digest, bytes, &length) == 1;
    EVP_MD_CTX_free(digest);
    CHECK_ALLOC(ok);
    for (unsigned i = 0; i < length; i++) {
        out[2 * i] = hex[bytes[i] >> 4];
        out[2 * i + 1] = hex[bytes[i] & 15];
    }
    out[(size_t)length * 2] = '\0';
    return STATUS_OK;
}
