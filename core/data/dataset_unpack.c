/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/checksum.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/dataset_packed.h"
#include "core/data/packed_layout_internal.h"
#include "core/run/parallel.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { CHUNK = 1 << 18, MOST_BLOCK = 64 };

/* Where the values of a column lie in the file. */
typedef struct {
    size_t bits, offset, size;
    uint64_t sum;
} packed_column;

typedef struct {
    const packed_source *source;
    size_t n_rows, n_columns, n_schema;
    uint64_t schema_sum;
    packed_column *columns;
    variable *variables;
    dataset *data;
    atomic_size_t next;
} packed_file;

static void packed_file_clear(packed_file *f) {
    variables_destroy(f->variables, f->n_columns);
    free(f->columns);
    dataset_destroy(f->data);
}

static status read_at(const packed_source *source, size_t offset, void *out, size_t n, error_info *err) {
    if (source->fd >= 0)
        return file_read_at(source->fd, offset, out, n, err);
    memcpy(out, source->bytes + offset, n);
    return STATUS_OK;
}

/* ---- header ---- */

static status inconsistent(error_info *err, const char *what) {
    return error_set(err, STATUS_PARSE, "its header contradicts itself: %s", what);
}

static status check_header(const char *header, size_t size, error_info *err) {
    uint32_t version = packed_get_32(header + PACKED_AT_VERSION);
    uint64_t said = packed_get_64(header + PACKED_AT_FILE_SIZE);
    if (memcmp(header, PACKED_MAGIC, PACKED_MAGIC_SIZE) != 0)
        return error_set(err, STATUS_PARSE, "is no file of packed data");
    if (version != PACKED_VERSION)
        return error_set(err, STATUS_PARSE, "is of version %u of packed data; this bnbench reads version %d", version,
                         PACKED_VERSION);
    if (packed_get_64(header + PACKED_AT_SUM) != checksum_bytes(CHECKSUM_START, header, PACKED_AT_SUM))
        return error_set(err, STATUS_PARSE, "is damaged: its header does not fit its checksum");
    if (said != size)
        return error_set(err, STATUS_PARSE, "has %zu bytes where its header says %llu: it was %s", size,
                         (unsigned long long)said, said > size ? "cut short" : "added to");
    return STATUS_OK;
}

/* Bounds by which no later sum or product of sizes overflows: a value is a bit at least, a column has its record. */
static status read_header(packed_file *f, error_info *err) {
    char header[PACKED_HEADER_SIZE];
    uint64_t rows, columns, schema;
    if (f->source->size < sizeof header)
        return error_set(err, STATUS_PARSE, "ends within its header, after %zu bytes: it was cut short",
                         f->source->size);
    CHECK(read_at(f->source, 0, header, sizeof header, err));
    CHECK(check_header(header, f->source->size, err));
    rows = packed_get_64(header + PACKED_AT_ROWS);
    columns = packed_get_64(header + PACKED_AT_COLUMNS);
    schema = packed_get_64(header + PACKED_AT_SCHEMA_SIZE);
    if (rows == 0 || columns == 0)
        return error_set(err, STATUS_PARSE, "holds no %s", columns ? "rows" : "columns");
    if (schema > f->source->size - PACKED_HEADER_SIZE || columns > schema / PACKED_COLUMN_SIZE)
        return inconsistent(err, "the names of the columns do not fit into the file");
    if (rows / 8 > f->source->size || rows > SIZE_MAX / 16)
        return inconsistent(err, "the rows do not fit into the file");
    f->n_rows = (size_t)rows;
    f->n_columns = (size_t)columns;
    f->n_schema = (size_t)schema;
    f->schema_sum = packed_get_64(header + PACKED_AT_SCHEMA_SUM);
    return STATUS_OK;
}

/* ---- schema ---- */

typedef struct {
    const char *at, *end;
} cursor;

/* Moves over n bytes; NULL where there are fewer. */
static const char *take_bytes(cursor *from, size_t n) {
    const char *at = from->at;
    if ((size_t)(from->end - at) < n)
        return NULL;
    from->at += n;
    return at;
}

/* A text of the heap, without NUL bytes in it. */
static status take_text(cursor *from, size_t length, char **out, error_info *err) {
    const char *text = take_bytes(from, length);
    if (!text || memchr(text, '\0', length))
        return inconsistent(err, "a name goes past its end or holds a NUL byte");
    CHECK_ALLOC(*out = text_copy_n(text, length));
    return STATUS_OK;
}

static status take_states(cursor *from, size_t n, variable *v, error_info *err) {
    if (n > VARIABLE_MAX_STATES || (size_t)(from->end - from->at) / sizeof(uint32_t) < n)
        return inconsistent(err, "a column has more states than there is room for");
    v->kind = n ? VARIABLE_DISCRETE : VARIABLE_CONTINUOUS;
    if (n)
        CHECK_ALLOC(v->states = calloc(n, sizeof *v->states));
    for (; v->n_states < n; v->n_states++) {
        const char *length = take_bytes(from, sizeof(uint32_t));
        if (!length)
            return inconsistent(err, "the names of the states do not fit");
        CHECK(take_text(from, packed_get_32(length), &v->states[v->n_states], err));
    }
    return STATUS_OK;
}

/* Its values begin at *offset, which moves behind them. */
static status take_column(packed_file *f, cursor *from, size_t *offset, size_t c, error_info *err) {
    packed_column *column = &f->columns[c];
    variable *v = &f->variables[c];
    const char *record = take_bytes(from, PACKED_COLUMN_SIZE);
    if (!record)
        return inconsistent(err, "there are fewer columns than it says");
    column->sum = packed_get_64(record + 8);
    column->bits = packed_bits(packed_get_32(record));
    column->size = packed_bytes(f->n_rows, column->bits);
    column->offset = *offset;
    if (column->size > f->source->size - *offset || packed_align(column->size) > f->source->size - *offset)
        return inconsistent(err, "the values do not fit into the file");
    *offset += packed_align(column->size);
    CHECK(take_text(from, packed_get_32(record + 4), &v->name, err));
    return take_states(from, packed_get_32(record), v, err);
}

static status read_schema(packed_file *f, error_info *err) {
    AUTO_FREE char *schema = NULL;
    cursor from;
    size_t offset = packed_align(PACKED_HEADER_SIZE + f->n_schema);
    if (offset > f->source->size)
        return inconsistent(err, "the names of the columns do not fit into the file");
    CHECK_ALLOC(schema = malloc(offset - PACKED_HEADER_SIZE));
    CHECK_ALLOC(f->columns = calloc(f->n_columns, sizeof *f->columns));
    CHECK_ALLOC(f->variables = calloc(f->n_columns, sizeof *f->variables));
    CHECK(read_at(f->source, PACKED_HEADER_SIZE, schema, offset - PACKED_HEADER_SIZE, err));
    if (checksum_bytes(CHECKSUM_START, schema, offset - PACKED_HEADER_SIZE) != f->schema_sum)
        return error_set(err, STATUS_PARSE, "is damaged: the names of its columns do not fit their checksum");
    from = (cursor){schema, schema + f->n_schema};
    for (size_t c = 0; c < f->n_columns; c++)
        CHECK(take_column(f, &from, &offset, c, err));
    return from.at == from.end && offset == f->source->size ? STATUS_OK : inconsistent(err, "it leaves bytes over");
}

/* ---- values ---- */

static const char *shown_name(const packed_file *f, size_t c, char shown[TEXT_SHOWN_SIZE]) {
    const char *name = dataset_variable(f->data, c)->name;
    return text_show(name, strlen(name), shown);
}

static inline void unpack_table(const unsigned char *packed, size_t n_bytes, size_t bits, uint8_t *out) {
    size_t of_byte = 8 / bits;
    uint8_t table[256][8];
    for (unsigned byte = 0; byte < 256; byte++) {
        for (size_t k = 0; k < of_byte; k++)
            table[byte][k] = (uint8_t)(byte >> k * bits & ((1U << bits) - 1));
    }
    for (size_t i = 0; i < n_bytes; i++)
        memcpy(out + i * of_byte, table[packed[i]], of_byte);
}

/* Whole bytes: the column has room for what the last one holds beside its values. */
static void unpack_bytes(const unsigned char *packed, size_t n_bytes, size_t bits, uint8_t *out) {
    if (bits == 1)
        unpack_table(packed, n_bytes, 1, out);
    else if (bits == 2)
        unpack_table(packed, n_bytes, 2, out);
    else if (bits == 4)
        unpack_table(packed, n_bytes, 4, out);
    else
        memcpy(out, packed, n_bytes);
}

/* So many bytes of a column, those from `done` on, a multiple of eight. */
static void unpack_part(packed_file *f, size_t c, const unsigned char *packed, size_t done, size_t n) {
    size_t bits = f->columns[c].bits;
    uint16_t *words = dataset_build_words(f->data, c);
    double *reals = dataset_build_reals(f->data, c);
    if (bits <= 8) {
        unpack_bytes(packed, n, bits, dataset_build_bytes(f->data, c) + done * (8 / bits));
        return;
    }
    for (size_t i = 0; words && i < n / sizeof *words; i++) {
        uint16_t word;
        memcpy(&word, packed + i * sizeof word, sizeof word);
        words[done / sizeof word + i] = le16toh(word);
    }
    for (size_t i = 0; reals && i < n / sizeof *reals; i++) {
        uint64_t word = packed_get_64((const char *)packed + i * sizeof word);
        memcpy(&reals[done / sizeof word + i], &word, sizeof word);
    }
}

/* Blocks of one size, which a compiler turns into vectors; the column is padded to whole ones, with zeros. */
static size_t most_byte(const uint8_t *bytes, size_t n) {
    uint8_t most[MOST_BLOCK] = {0}, last = 0;
    for (size_t i = 0; i < n; i += MOST_BLOCK) {
        for (size_t k = 0; k < MOST_BLOCK; k++)
            most[k] = bytes[i + k] > most[k] ? bytes[i + k] : most[k];
    }
    for (size_t k = 0; k < MOST_BLOCK; k++)
        last = most[k] > last ? most[k] : last;
    return last;
}

static size_t most_state(const packed_file *f, size_t c) {
    const uint8_t *bytes = dataset_bytes(f->data, c);
    const uint16_t *words = dataset_words(f->data, c);
    size_t most = 0;
    if (bytes)
        return most_byte(bytes, f->n_rows);
    for (size_t i = 0; i < f->n_rows; i++)
        most = words[i] > most ? words[i] : most;
    return most;
}

static status check_states(const packed_file *f, size_t c, error_info *err) {
    size_t r = dataset_state_count(f->data, c), row = 0;
    char shown[TEXT_SHOWN_SIZE];
    if (r >> f->columns[c].bits > 0 ||
        most_state(f, c) < r) /* all that its bits can say is a state, or all that they do */
        return STATUS_OK;
    while (dataset_state(f->data, row, c) < r)
        row++;
    return error_set(err, STATUS_PARSE, "row %zu of '%s' is state %zu, counted from 0, and there are %zu", row + 1,
                     shown_name(f, c, shown), dataset_state(f->data, row, c), r);
}

static status check_reals(const packed_file *f, size_t c, error_info *err) {
    const double *reals = dataset_reals(f->data, c);
    char shown[TEXT_SHOWN_SIZE];
    for (size_t row = 0; row < f->n_rows; row++) {
        if (!isfinite(reals[row]))
            return error_set(err, STATUS_PARSE, "row %zu of '%s' is no finite number", row + 1,
                             shown_name(f, c, shown));
    }
    return STATUS_OK;
}

static status check_values(const packed_file *f, size_t c, error_info *err) {
    size_t of_byte = f->columns[c].bits < 8 ? 8 / f->columns[c].bits : 1;
    uint8_t *bytes = dataset_build_bytes(f->data, c);
    for (size_t i = f->n_rows; bytes && i % of_byte; i++)
        bytes[i] = 0; /* the dataset's own padding */
    return dataset_reals(f->data, c) ? check_reals(f, c, err) : check_states(f, c, err);
}

static status read_column(packed_file *f, size_t c, unsigned char *buffer, error_info *err) {
    const packed_column *column = &f->columns[c];
    size_t padded = packed_align(column->size);
    uint64_t sum = checksum_number(CHECKSUM_START, padded);
    char shown[TEXT_SHOWN_SIZE];
    for (size_t done = 0, n; done < padded; done += n) {
        n = padded - done < CHUNK ? padded - done : CHUNK;
        CHECK(read_at(f->source, column->offset + done, buffer, n, err));
        sum = checksum_words(sum, buffer, n);
        unpack_part(f, c, buffer, done, column->size - done < n ? column->size - done : n);
    }
    if (sum != column->sum)
        return error_set(err, STATUS_PARSE, "is damaged: the values of '%s' do not fit their checksum",
                         shown_name(f, c, shown));
    return check_values(f, c, err);
}

static status read_some(void *self, size_t worker, error_info *err) {
    packed_file *f = self;
    size_t c;
    AUTO_FREE unsigned char *buffer = malloc(CHUNK);
    (void)worker;
    CHECK_ALLOC(buffer);
    while ((c = atomic_fetch_add(&f->next, 1)) < f->n_columns)
        CHECK(read_column(f, c, buffer, err));
    return STATUS_OK;
}

/* The first column that is wrong, whichever thread came upon one. */
static status read_values(packed_file *f, size_t n_threads, error_info *err) {
    status st = parallel_run(n_threads < f->n_columns ? n_threads : f->n_columns, read_some, f, err);
    if (st != STATUS_PARSE || n_threads < 2)
        return st;
    atomic_store(&f->next, 0);
    return read_some(f, 0, err);
}

/* Names that a dataset does not take are the file's mistake, not the caller's. */
static status make_dataset(packed_file *f, error_info *err) {
    status st = dataset_create(f->variables, f->n_columns, f->n_rows, &f->data, err);
    if (st == STATUS_INVALID && err)
        err->code = STATUS_PARSE;
    variables_destroy(f->variables, f->n_columns);
    f->variables = NULL;
    return st == STATUS_INVALID ? STATUS_PARSE : st;
}

status dataset_unpack(const packed_source *source, size_t n_threads, dataset **out, error_info *err) {
    AUTO(packed_file_clear) packed_file f = {.source = source};
    CHECK(read_header(&f, err));
    CHECK(read_schema(&f, err));
    CHECK(make_dataset(&f, err));
    CHECK(read_values(&f, n_threads ? n_threads : 1, err));
    *out = f.data;
    f.data = NULL;
    return STATUS_OK;
}
