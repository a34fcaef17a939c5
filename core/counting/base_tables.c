/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where vectors lie side by side (core/counting/octet_columns.h), rows go one by one. Else a chunk of rows after the
 * other is split by the first and the conditioning columns; then the states of every extra go by the cells. The last
 * state of an extra is what the others leave.
 */
#include "core/counting/base_tables.h"

#include "core/base/array.h"
#include "core/counting/row_chunks_internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    VECTORS_AT_ONCE = 64,
    RUN_WORDS = 16 * CHUNK_WORDS, /* that one of several threads takes at a time */
    LEAST_RUNS = 4,               /* fewer are not shared */
    PAIRS_A_SET = 120 /* of a vector and a cell: as long as a set of octets, at the level that has them; measured */
};

struct base_tables {
    const pair_tables *tables;
    row_chunks chunks;
    chunk_column *views; /* of the first and the conditioning columns */
    size_t views_capacity;
    size_t r_first, n_strata, n_cells;
    uint32_t tally[CHUNK_MOST_CELLS]; /* by cell */
    const size_t *conditioning;       /* borrowed, as long as a pass takes */
    size_t first, n_conditioning;
    size_t n_extras;
    size_t *extras, *places; /* places: of an extra's first state among the vectors */
    size_t extras_capacity, places_capacity;
    const uint64_t **vectors; /* of the extras, from word `vectors_at` on */
    size_t n_vectors, vectors_at, vectors_capacity;
    uint32_t *counts; /* by vector and cell */
    size_t counts_capacity;
    uint32_t *common; /* by vector, of those that are counted at once, and cell that has rows in the chunk */
    size_t common_capacity;
    uint32_t *cells;
    size_t cells_capacity;
    bool are_octets; /* which have the counts */
    octet_counts octets;
    octet_base_column *base;
    size_t base_capacity;
    const pass_helpers *helpers; /* NULL: nobody */
    base_tables **parts;         /* of a helper each but the first; NULL: it never took part */
    size_t n_parts;
    bool takes_part; /* a part: in the present pass */
};

void base_tables_destroy(base_tables *b) {
    if (!b)
        return;
    row_chunks_clear(&b->chunks);
    free(b->views);
    free(b->extras);
    free(b->places);
    free(b->vectors);
    free(b->counts);
    free(b->common);
    free(b->cells);
    octet_counts_clear(&b->octets);
    free(b->base);
    base_tables_share(b, NULL);
    free(b);
}

void base_tables_share(base_tables *b, const pass_helpers *helpers) {
    for (size_t i = 0; i < b->n_parts; i++)
        base_tables_destroy(b->parts[i]);
    free(b->parts);
    b->parts = NULL;
    b->n_parts = 0;
    b->helpers = helpers;
}

status base_tables_create(const pair_tables *tables, base_tables **out, error_info *err) {
    AUTO_PTR(base_tables_destroy) base_tables *b = NULL;
    CHECK_ALLOC(b = calloc(1, sizeof *b));
    b->tables = tables;
    CHECK(row_chunks_init(&b->chunks, err));
    *out = TAKE(b);
    return STATUS_OK;
}

bool base_tables_suit(const dataset *data) {
    return row_chunks_suit(dataset_row_count(data));
}

void base_tables_prepare(pair_tables *tables, size_t n_threads) {
    if (base_tables_suit(pair_tables_data(tables)))
        (void)!pair_tables_lay_octets(tables, n_threads, NULL); /* without memory a pass takes longer */
}

static const pair_column *column_of(const base_tables *b, size_t column) {
    return &pair_tables_columns(b->tables)[column];
}

static bool has_bits(const base_tables *b, size_t column) {
    return column_of(b, column)->bits != NULL;
}

/* --- the cells of a chunk --- */

static chunk_column view(const base_tables *b, size_t column, size_t first_word) {
    const pair_column *c = column_of(b, column);
    return (chunk_column){c->n_states, pair_tables_word_count(b->tables), c->bits + first_word};
}

static const chunk_cells *split_chunk(base_tables *b, size_t first_word, size_t n_words) {
    size_t left = dataset_row_count(pair_tables_data(b->tables)) - first_word * 64;
    b->views[0] = view(b, b->first, first_word);
    for (size_t i = 0; i < b->n_conditioning; i++)
        b->views[i + 1] = view(b, b->conditioning[i], first_word);
    return row_chunks_split(&b->chunks, b->views, b->n_conditioning + 1, n_words,
                            left < n_words * 64 ? left : n_words * 64);
}

/* --- the extras --- */

static void move_vectors(base_tables *b, size_t word) {
    for (size_t i = 0; i < b->n_vectors; i++)
        b->vectors[i] = b->vectors[i] - b->vectors_at + word;
    b->vectors_at = word;
}

/* Vectors with all cells. */
static void count_vectors(base_tables *b, const chunk_cells *cells, size_t n_words, size_t first, size_t end) {
    count_kernels_cross(b->chunks.kernels, b->vectors + first, end - first, cells->bits, cells->n, n_words, b->common);
    for (size_t i = first; i < end; i++) {
        const uint32_t *common = b->common + (i - first) * cells->n;
        uint32_t *counts = b->counts + i * b->n_cells;
        for (size_t c = 0; c < cells->n; c++)
            counts[cells->code[c]] += common[c];
    }
}

static size_t at_once(const base_tables *b, size_t first) {
    return b->n_vectors - first < VECTORS_AT_ONCE ? b->n_vectors - first : VECTORS_AT_ONCE;
}

static void count_chunk(base_tables *b, const chunk_cells *cells, size_t n_words) {
    for (size_t c = 0; c < cells->n; c++)
        b->tally[cells->code[c]] += cells->tally[c];
    for (size_t first = 0; first < b->n_vectors; first += VECTORS_AT_ONCE)
        count_vectors(b, cells, n_words, first, first + at_once(b, first));
}

/* Counting by bits against a pass over the rows, in times for one row; on many rows the passes miss the caches. */
static bool is_cheap(const base_tables *b, const chunk_cells *cells, size_t n_words) {
    return base_tables_suit(pair_tables_data(b->tables)) ||
           (double)cells->n * 2 * (2 + 0.15 * (double)n_words) < 1.5 * 64 * (double)n_words;
}

/* False where there are too many cells, or a column without bit vectors. */
static bool set_base(base_tables *b, size_t first, const size_t *conditioning, size_t n_conditioning) {
    bool fits = has_bits(b, first);
    b->first = first;
    b->conditioning = conditioning;
    b->n_conditioning = n_conditioning;
    b->r_first = column_of(b, first)->n_states;
    b->n_strata = 1;
    for (size_t i = 0; i < n_conditioning && fits; i++) {
        b->n_strata *= column_of(b, conditioning[i])->n_states;
        fits = has_bits(b, conditioning[i]) && b->n_strata * b->r_first <= CHUNK_MOST_CELLS;
    }
    b->n_cells = b->n_strata * b->r_first;
    return fits && b->n_cells <= CHUNK_MOST_CELLS;
}

/* The vectors of one more extra. */
static status add_vectors(base_tables *b, size_t extra, error_info *err) {
    const pair_column *c = column_of(b, extra);
    for (size_t k = 0; k + 1 < c->n_states; k++)
        CHECK(ARRAY_PUSH(b->vectors, b->n_vectors, b->vectors_capacity, err,
                         c->bits + k * pair_tables_word_count(b->tables)));
    return STATUS_OK;
}

static status set_extras(base_tables *b, const size_t *extras, size_t n, bool *fits, error_info *err) {
    *fits = true;
    CHECK(ARRAY_RESERVE(b->extras, b->extras_capacity, n, err));
    CHECK(ARRAY_RESERVE(b->places, b->places_capacity, n, err));
    b->n_extras = n;
    b->n_vectors = b->vectors_at = 0;
    for (size_t i = 0; i < n && *fits; i++) {
        b->extras[i] = extras[i];
        b->places[i] = b->n_vectors;
        *fits = has_bits(b, extras[i]);
        if (*fits)
            CHECK(add_vectors(b, extras[i], err));
    }
    return STATUS_OK;
}

static status begin_chunks(base_tables *b, error_info *err) {
    size_t n_counts = b->n_vectors * b->n_cells;
    CHECK(ARRAY_RESERVE(b->views, b->views_capacity, b->n_conditioning + 1, err));
    CHECK(ARRAY_RESERVE(b->counts, b->counts_capacity, n_counts + 1, err));
    CHECK(ARRAY_RESERVE(b->common, b->common_capacity, at_once(b, 0) * b->n_cells + 1, err));
    memset(b->counts, 0, n_counts * sizeof *b->counts);
    memset(b->tally, 0, sizeof b->tally);
    return STATUS_OK;
}

/* The rows of some words. False: another way costs less. */
static bool count_by_chunks(base_tables *b, size_t from, size_t end) {
    for (size_t at = from, n; at < end; at += n) {
        const chunk_cells *cells;
        n = end - at < CHUNK_WORDS ? end - at : CHUNK_WORDS;
        cells = split_chunk(b, at, n);
        if (at == 0 && !is_cheap(b, cells, n))
            return false;
        move_vectors(b, at);
        count_chunk(b, cells, n);
    }
    return true;
}

/* --- octets --- */

static octet_base_column base_column(const base_tables *b, size_t column) {
    return (octet_base_column){dataset_bytes(pair_tables_data(b->tables), column), column_of(b, column)->n_states};
}

static status want_extras(base_tables *b, const octet_columns *octets, error_info *err) {
    CHECK(octet_counts_want_none(&b->octets, octets, err));
    for (size_t i = 0; i < b->n_extras; i++) {
        size_t first = pair_tables_first_vector(b->tables, b->extras[i]);
        octet_counts_want(&b->octets, first, first + pair_tables_vectors(b->tables, b->extras[i]));
    }
    return STATUS_OK;
}

/* Few vectors and cells are counted sooner by themselves. */
static status choose_way(base_tables *b, error_info *err) {
    const octet_columns *octets = pair_tables_octets(b->tables);
    b->are_octets = false;
    if (!octets)
        return STATUS_OK;
    CHECK(want_extras(b, octets, err));
    b->are_octets = b->n_vectors * b->n_cells > PAIRS_A_SET * octet_counts_sets(&b->octets);
    for (size_t i = 0; i < b->n_extras && b->are_octets; i++)
        b->places[i] = pair_tables_first_vector(b->tables, b->extras[i]);
    return STATUS_OK;
}

static status begin_octets(base_tables *b, error_info *err) {
    CHECK(ARRAY_RESERVE(b->base, b->base_capacity, b->n_conditioning + 1, err));
    b->base[0] = base_column(b, b->first);
    for (size_t i = 0; i < b->n_conditioning; i++)
        b->base[i + 1] = base_column(b, b->conditioning[i]);
    return octet_counts_begin(&b->octets, b->n_cells, err);
}

static void count_by_octets(base_tables *b, size_t from, size_t end) {
    size_t n_rows = dataset_row_count(pair_tables_data(b->tables));
    octet_counts_add(&b->octets, pair_tables_octets(b->tables), b->base, b->n_conditioning + 1, b->n_cells, from * 64,
                     end * 64 < n_rows ? end * 64 : n_rows);
}

/* --- a pass --- */

static status begin_pass(base_tables *b, error_info *err) {
    return b->are_octets ? begin_octets(b, err) : begin_chunks(b, err);
}

/* The rows of some words. False: another way costs less. */
static bool count_words(base_tables *b, size_t from, size_t end) {
    if (!b->are_octets)
        return count_by_chunks(b, from, end);
    count_by_octets(b, from, end);
    return true;
}

/* --- by several threads: each counts some rows, and the counts are added up --- */

typedef struct {
    base_tables *of;
    atomic_size_t next; /* word */
} shared_pass;

/* What a helper counts by. */
static status join_pass(base_tables *of, size_t index, base_tables **out, error_info *err) {
    base_tables *b;
    bool fits;
    if (!of->parts[index])
        CHECK(base_tables_create(of->tables, &of->parts[index], err));
    b = of->parts[index];
    (void)set_base(b, of->first, of->conditioning, of->n_conditioning);
    CHECK(set_extras(b, of->extras, of->n_extras, &fits, err));
    b->are_octets = of->are_octets;
    if (b->are_octets)
        CHECK(want_extras(b, pair_tables_octets(b->tables), err));
    CHECK(begin_pass(b, err));
    b->takes_part = true;
    *out = b;
    return STATUS_OK;
}

/* Helpers without memory leave the rows to the others. */
static void count_part(void *self, size_t index) {
    shared_pass *p = self;
    base_tables *b = p->of;
    size_t n_words = pair_tables_word_count(b->tables), at;
    if (index > 0 && (atomic_load(&p->next) >= n_words || join_pass(p->of, index - 1, &b, NULL) != STATUS_OK))
        return;
    while ((at = atomic_fetch_add(&p->next, RUN_WORDS)) < n_words)
        (void)count_words(b, at, n_words - at < RUN_WORDS ? n_words : at + RUN_WORDS);
}

static void add_part(base_tables *b, const base_tables *part) {
    if (b->are_octets) {
        octet_counts_add_up(&b->octets, &part->octets, b->n_cells);
        return;
    }
    for (size_t i = 0; i < b->n_vectors * b->n_cells; i++)
        b->counts[i] += part->counts[i];
    for (size_t i = 0; i < b->n_cells; i++)
        b->tally[i] += part->tally[i];
}

static status count_together(base_tables *b, error_info *err) {
    shared_pass pass = {.of = b};
    if (!b->parts) {
        CHECK_ALLOC(b->parts = calloc(b->helpers->n, sizeof *b->parts));
        b->n_parts = b->helpers->n - 1;
    }
    for (size_t i = 0; i < b->n_parts; i++) {
        if (b->parts[i])
            b->parts[i]->takes_part = false;
    }
    b->helpers->run(b->helpers->owner, count_part, &pass);
    for (size_t i = 0; i < b->n_parts; i++) {
        if (b->parts[i] && b->parts[i]->takes_part)
            add_part(b, b->parts[i]);
    }
    return STATUS_OK;
}

/* Of so many rows that several threads pay, chunks always do. */
static status count_rows(base_tables *b, bool *is_done, error_info *err) {
    size_t n_words = pair_tables_word_count(b->tables);
    CHECK(begin_pass(b, err));
    if (b->helpers && n_words >= LEAST_RUNS * RUN_WORDS)
        return count_together(b, err);
    *is_done = count_words(b, 0, n_words);
    return STATUS_OK;
}

status base_tables_count(base_tables *b, size_t first, const size_t *conditioning, size_t n_conditioning,
                         const size_t *extras, size_t n_extras, bool *is_done, error_info *err) {
    *is_done = set_base(b, first, conditioning, n_conditioning);
    if (*is_done)
        CHECK(set_extras(b, extras, n_extras, is_done, err));
    if (*is_done)
        CHECK(choose_way(b, err));
    if (*is_done)
        CHECK(count_rows(b, is_done, err));
    if (n_extras > 0 && *is_done)
        return ARRAY_RESERVE(b->cells, b->cells_capacity, b->n_cells * PAIR_MOST_STATES, err);
    return STATUS_OK;
}

size_t base_tables_strata(const base_tables *b) {
    return b->n_strata;
}

/* Numbers of all cells: that of cell c is at[c * step]. */
typedef struct {
    const uint32_t *at;
    size_t step;
} cell_numbers;

static cell_numbers rows_of_cells(const base_tables *b) {
    return b->are_octets ? (cell_numbers){octet_counts_rows(&b->octets), b->octets.step} : (cell_numbers){b->tally, 1};
}

static cell_numbers rows_with_vector(const base_tables *b, size_t vector) {
    return b->are_octets ? (cell_numbers){octet_counts_of(&b->octets, vector), b->octets.step}
                         : (cell_numbers){b->counts + vector * b->n_cells, 1};
}

/* Into the cells of one state of an extra with r_extra. */
static void put(const base_tables *b, cell_numbers from, size_t state, size_t r_extra) {
    for (size_t s = 0; s < b->n_strata; s++) {
        uint32_t *cells = b->cells + (s * r_extra + state) * b->r_first;
        for (size_t f = 0; f < b->r_first; f++)
            cells[f] = from.at[(s * b->r_first + f) * from.step];
    }
}

/* The last state has what the others leave. */
static void leave_to_last(const base_tables *b, size_t r_extra) {
    for (size_t s = 0; s < b->n_strata; s++) {
        uint32_t *cells = b->cells + s * r_extra * b->r_first, *last = cells + (r_extra - 1) * b->r_first;
        for (; cells < last; cells += b->r_first) {
            for (size_t f = 0; f < b->r_first; f++)
                last[f] -= cells[f];
        }
    }
}

const uint32_t *base_tables_cells(base_tables *b, size_t i) {
    size_t r_extra = column_of(b, b->extras[i])->n_states;
    for (size_t e = 0; e + 1 < r_extra; e++)
        put(b, rows_with_vector(b, b->places[i] + e), e, r_extra);
    put(b, rows_of_cells(b), r_extra - 1, r_extra);
    leave_to_last(b, r_extra);
    return b->cells;
}
