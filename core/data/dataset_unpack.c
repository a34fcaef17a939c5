/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/checksum.h"
#include "core/base/file.h"
#include "core/base/huge_pages.h"
#include "core/base/page_release.h"
#include "core/base/text.h"
#include "core/data/dataset_packed.h"
#include "core/data/packed_layout_internal.h"
#include "core/run/parallel.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { CHUNK = 1 << 18 }; /* bytes */

/* Where the values of a column lie in the file. */
typedef struct {
    size_t bits, offset, size;
    uint64_t sum;
} packed_column;

typedef struct {
    const packed_source *source;
    unsigned char *bytes; /* of the whole file, as far as they were fetched */
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
    free(f->bytes);
}

/* Bytes of the file that are to be looked at. */
static status fetch(const packed_file *f, size_t offset, size_t n, error_info *err) {
    if (f->source->fd >= 0)
        return file_read_at(f->source->fd, offset, f->bytes + offset, n, err);
    memcpy(f->bytes + offset, f->source->bytes + offset, n);
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
    const char *header = (const char *)f->bytes;
    uint64_t rows, columns, schema;
    if (f->source->size < PACKED_HEADER_SIZE)
        return error_set(err, STATUS_PARSE, "ends within its header, after %zu bytes: it was cut short",
                         f->source->size);
    CHECK(fetch(f, 0, PACKED_HEADER_SIZE, err));
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
    const char *schema = (const char *)f->bytes + PACKED_HEADER_SIZE;
    cursor from;
    size_t offset = packed_align(PACKED_HEADER_SIZE + f->n_schema);
    if (offset > f->source->size)
        return inconsistent(err, "the names of the columns do not fit into the file");
    CHECK_ALLOC(f->columns = calloc(f->n_columns, sizeof *f->columns));
    CHECK_ALLOC(f->variables = calloc(f->n_columns, sizeof *f->variables));
    CHECK(fetch(f, PACKED_HEADER_SIZE, offset - PACKED_HEADER_SIZE, err));
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

static packed_values values_of(const packed_file *f, size_t c) {
    const packed_column *column = &f->columns[c];
    return column->bits <= 8 ? (packed_values){f->bytes + column->offset, column->bits} : (packed_values){0};
}

/* Those that are more than a byte each, of which the file's bytes are needed no more. */
static void unpack_wide(packed_file *f, size_t c) {
    const packed_column *column = &f->columns[c];
    const char *from = (const char *)f->bytes + column->offset;
    uint16_t *words = dataset_build_words(f->data, c);
    double *reals = dataset_build_reals(f->data, c);
    for (size_t i = 0; words && i < f->n_rows; i++) {
        uint16_t word;
        memcpy(&word, from + i * sizeof word, sizeof word);
        words[i] = le16toh(word);
    }
    for (size_t i = 0; reals && i < f->n_rows; i++) {
        uint64_t word = packed_get_64(from + i * sizeof word);
        memcpy(&reals[i], &word, sizeof word);
    }
    if (words || reals)
        page_release(f->bytes + column->offset, column->size);
}

/* Is a value no state, or what is behind the last one? */
static bool may_hold_others(const packed_file *f, size_t c) {
    size_t r = dataset_state_count(f->data, c), most = 0;
    const uint16_t *words = dataset_words(f->data, c);
    packed_values v = values_of(f, c);
    if (v.bits > 0)
        return packed_values_exceed(&v, f->n_rows, r);
    for (size_t i = 0; i < f->n_rows; i++)
        most = words[i] > most ? words[i] : most;
    return most >= r;
}

static size_t state_at(const packed_file *f, size_t c, size_t row) {
    packed_values v = values_of(f, c);
    return v.bits > 0 ? packed_values_at(&v, row) : dataset_state(f->data, row, c);
}

static status check_states(const packed_file *f, size_t c, error_info *err) {
    size_t r = dataset_state_count(f->data, c), row = 0;
    char shown[TEXT_SHOWN_SIZE];
    if (!may_hold_others(f, c))
        return STATUS_OK;
    while (row < f->n_rows && state_at(f, c, row) < r)
        row++;
    return row == f->n_rows
               ? STATUS_OK
               : error_set(err, STATUS_PARSE, "row %zu of '%s' is state %zu, counted from 0, and there are %zu",
                           row + 1, shown_name(f, c, shown), state_at(f, c, row), r);
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

static status read_column(packed_file *f, size_t c, error_info *err) {
    const packed_column *column = &f->columns[c];
    char shown[TEXT_SHOWN_SIZE];
    if (checksum_bytes(CHECKSUM_START, f->bytes + column->offset, packed_align(column->size)) != column->sum)
        return error_set(err, STATUS_PARSE, "is damaged: the values of '%s' do not fit their checksum",
                         shown_name(f, c, shown));
    unpack_wide(f, c);
    return dataset_reals(f->data, c) ? check_reals(f, c, err) : check_states(f, c, err);
}

/* Those of so many columns that follow each other are fetched at once. */
static size_t columns_at_once(const packed_file *f) {
    size_t n = CHUNK / (f->source->size / f->n_columns);
    return n > 0 ? n : 1;
}

static status fetch_columns(const packed_file *f, size_t first, size_t end, error_info *err) {
    const packed_column *last = &f->columns[end - 1];
    size_t offset = f->columns[first].offset;
    return fetch(f, offset, last->offset + packed_align(last->size) - offset, err);
}

static status read_some(void *self, size_t worker, error_info *err) {
    packed_file *f = self;
    size_t first, at_once = columns_at_once(f);
    (void)worker;
    while ((first = atomic_fetch_add(&f->next, at_once)) < f->n_columns) {
        size_t end = f->n_columns - first < at_once ? f->n_columns : first + at_once;
        CHECK(fetch_columns(f, first, end, err));
        for (size_t c = first; c < end; c++)
            CHECK(read_column(f, c, err));
    }
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

/* ---- columns of bytes ---- */

/* The bytes go on with the dataset, and the columns are unpacked as they are asked for. */
static status lend_columns(packed_file *f, error_info *err) {
    AUTO_FREE packed_values *packed = calloc(f->n_columns, sizeof *packed);
    bool is_any = false;
    CHECK_ALLOC(packed);
    for (size_t c = 0; c < f->n_columns; c++) {
        packed[c] = values_of(f, c);
        is_any = is_any || packed[c].bits > 0;
    }
    if (!is_any)
        return STATUS_OK;
    return dataset_set_packed(f->data, &packed, &f->bytes, err);
}

/* A copy, as in a mapped file others could put values that nobody has checked; of no byte more, so that a sanitizer
 * sees where one past its end is read. */
static status make_room(packed_file *f, error_info *err) {
    CHECK_ALLOC(f->bytes = malloc(f->source->size > 0 ? f->source->size : 1));
    huge_pages_ask(f->bytes, f->source->size);
    return STATUS_OK;
}

status dataset_unpack(const packed_source *source, size_t n_threads, dataset **out, error_info *err) {
    AUTO(packed_file_clear) packed_file f = {.source = source};
    CHECK(make_room(&f, err));
    CHECK(read_header(&f, err));
    CHECK(read_schema(&f, err));
    CHECK(make_dataset(&f, err));
    CHECK(read_values(&f, n_threads ? n_threads : 1, err));
    CHECK(lend_columns(&f, err));
    *out = TAKE(f.data);
    return STATUS_OK;
}
