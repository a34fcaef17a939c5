/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of a file by several threads, block by block. Where a block has neither quotes nor NUL bytes, 64 bytes at a
 * time give the places of their separators and line ends, and a field that is one of a column's first few values is
 * known by its first seven bytes and its length; all else goes the way of csv_read_cell, and so does the whole file
 * once anything is wrong with it, in one thread: messages, and what comes first, are that way's. Of a file that is not
 * in memory, each thread reads the block that it is at, into room that stays in its caches.
 */
#include "core/data/csv_columns_internal.h"
#include "core/run/parallel.h"

#include <endian.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { FEW = 8, SHORT = 7, TOLD_BY_ENDS = 15, NO_VALUE = FEW, WIDTH = 64 };

/* The first values of a column, eight bytes each: a cache line. 0 is none. */
typedef struct {
    uint64_t keys[FEW];
} few_values;

/* What else a worker must know of a column. */
typedef struct {
    char *const *texts; /* those values in full */
    size_t lengths[FEW];
    uint64_t ends[FEW]; /* their last eight bytes, of those that have as many */
    size_t n;           /* how many of them are in the keys */
    uint8_t *bytes;     /* where a value's number goes; NULL where values are only collected */
} target;

typedef struct {
    csv_columns view; /* of the table: shares all but the reader and, where values are collected, the columns */
    few_values *few;
    target *targets;
    bool owns_columns;
    csv_room room;        /* of the block, where the text is not in memory */
    const char *text_end; /* of the block */
} walker;

typedef struct {
    csv_columns *table;
    csv_visit visit;
    bool collects;
    walker *walkers;
    size_t n_walkers;
    atomic_size_t next; /* block */
    atomic_bool failed;
} walk;

/* ---- a worker ---- */

static void walker_clear(walker *w) {
    csv_clear(&w->view.reader);
    for (size_t c = 0; w->owns_columns && c < w->view.n_columns; c++)
        text_set_clear(&w->view.columns[c].values);
    if (w->owns_columns)
        free(w->view.columns);
    free(w->few);
    free(w->targets);
    csv_room_clear(&w->room);
}

static void walk_clear(walk *all) {
    for (size_t i = 0; all->walkers && i < all->n_walkers; i++)
        walker_clear(&all->walkers[i]);
    free(all->walkers);
}

static __attribute__((noinline)) uint64_t last_word(const char *text, size_t n) {
    uint64_t word = 0;
    memcpy(&word, text, n);
    return word;
}

/* The first seven bytes and the length. Where reading eight would pass the end of the text, only what there is. */
static inline uint64_t key_of(const char *text, size_t length, size_t n_readable) {
    uint64_t word;
    size_t n = length < SHORT ? length : SHORT;
    if (n_readable < sizeof word)
        word = last_word(text, n);
    else
        memcpy(&word, text, sizeof word);
    word = le64toh(word) & (((uint64_t)1 << 8 * n) - 1);
    return word | (uint64_t)(length < 254 ? length + 1 : 255) << 56;
}

/* The last eight bytes of as many or more. */
static inline uint64_t end_of(const char *text, size_t length) {
    uint64_t word;
    memcpy(&word, text + length - sizeof word, sizeof word);
    return word;
}

/* Takes up what the column's values have become. */
static void follow_values(walker *w, size_t c, char *const *texts, size_t n) {
    target *t = &w->targets[c];
    t->texts = texts;
    for (; t->n < n && t->n < FEW; t->n++) {
        size_t length = t->lengths[t->n] = strlen(texts[t->n]);
        w->few[c].keys[t->n] = key_of(texts[t->n], length, length);
        t->ends[t->n] = length > SHORT ? end_of(texts[t->n], length) : 0;
    }
}

static status own_columns(walker *w, error_info *err) {
    const csv_column *shared = w->view.columns;
    CHECK_ALLOC(w->view.columns = calloc(w->view.n_columns, sizeof *w->view.columns));
    w->owns_columns = true;
    for (size_t c = 0; c < w->view.n_columns; c++) {
        w->view.columns[c] = shared[c];
        w->view.columns[c].values = (text_set){0};
    }
    return STATUS_OK;
}

static void aim_at_data(walker *w, size_t c) {
    const variable *v = &w->view.columns[c].variable;
    w->targets[c].bytes = dataset_build_bytes(w->view.data, c);
    if (w->targets[c].bytes)
        follow_values(w, c, v->states, v->n_states);
}

static status walker_init(walker *w, const walk *all, bool is_first, error_info *err) {
    size_t n = all->table->n_columns;
    w->view = *all->table;
    w->view.reader = (csv_reader){0};
    if (all->collects && !is_first)
        CHECK(own_columns(w, err));
    CHECK_ALLOC(w->few = aligned_alloc(sizeof *w->few, n * sizeof *w->few));
    memset(w->few, 0, n * sizeof *w->few);
    CHECK_ALLOC(w->targets = calloc(n, sizeof *w->targets));
    for (size_t c = 0; !all->collects && c < n; c++)
        aim_at_data(w, c);
    return STATUS_OK;
}

/* ---- separators and line ends ---- */

/* Goes over a block; the mask has a bit for each of the 64 bytes at `base` that is one and was not handed out. */
typedef struct {
    const char *base, *end;
    uint64_t mask;
} separators;

static inline uint64_t mask_of(const char *at, char separator) {
    uint64_t mask = 0;
#ifdef __SSE2__
    const __m128i separators_16 = _mm_set1_epi8(separator), line_end = _mm_set1_epi8('\n');
    for (size_t i = 0; i < WIDTH / 16; i++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(at + 16 * i));
        __m128i found = _mm_or_si128(_mm_cmpeq_epi8(bytes, separators_16), _mm_cmpeq_epi8(bytes, line_end));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(found) << 16 * i;
    }
#else
    for (size_t i = 0; i < WIDTH; i++)
        mask |= (uint64_t)(at[i] == separator || at[i] == '\n') << i;
#endif
    return mask;
}

static __attribute__((noinline)) uint64_t mask_of_last(const char *at, size_t n, char separator) {
    char last[WIDTH] = {0};
    memcpy(last, at, n);
    return mask_of(last, separator);
}

static inline void look_at_base(separators *s, char separator) {
    s->mask = s->end - s->base >= WIDTH ? mask_of(s->base, separator)
                                        : mask_of_last(s->base, (size_t)(s->end - s->base), separator);
}

static inline const char *next_separator(separators *s, char separator) {
    const char *at;
    while (s->mask == 0) {
        if (s->end - s->base <= WIDTH)
            return s->end;
        s->base += WIDTH;
        look_at_base(s, separator);
    }
    at = s->base + __builtin_ctzll(s->mask);
    s->mask &= s->mask - 1;
    return at;
}

/* ---- cells ---- */

static inline unsigned matches(const uint64_t *keys, uint64_t key) {
    return (unsigned)(keys[0] == key) | (unsigned)(keys[1] == key) << 1 | (unsigned)(keys[2] == key) << 2 |
           (unsigned)(keys[3] == key) << 3;
}

/* A longer text that begins as value k does, and is as long as far as the key tells. */
static inline bool is_value(const target *t, unsigned k, const char *text, size_t length) {
    return t->lengths[k] == length && t->ends[k] == end_of(text, length) &&
           (length <= TOLD_BY_ENDS || memcmp(t->texts[k], text, length) == 0);
}

/* The number of the value, or NO_VALUE: it is none of the few, or two of them begin alike. */
static inline unsigned find_value(const walker *w, size_t c, const char *text, size_t length) {
    const uint64_t *keys = w->few[c].keys;
    uint64_t key = key_of(text, length, (size_t)(w->text_end - text));
    unsigned found = matches(keys, key), k;
    if (!found)
        found = matches(keys + 4, key) << 4;
    if (!found)
        return NO_VALUE;
    k = (unsigned)__builtin_ctz(found);
    return length > SHORT && !is_value(&w->targets[c], k, text, length) ? NO_VALUE : k;
}

static status visit_cell(const walk *all, walker *w, size_t row, size_t c, const char *text, size_t length,
                         error_info *err) {
    const text_set *values = &w->view.columns[c].values;
    CHECK(all->visit(&w->view, row, c, &(csv_field){text, length}, err));
    if (all->collects)
        follow_values(w, c, values->texts, values->n);
    return STATUS_OK;
}

static inline status take_cell(const walk *all, walker *w, size_t row, size_t c, const char *text, size_t length,
                               error_info *err) {
    unsigned k = find_value(w, c, text, length);
    if (k == NO_VALUE)
        return visit_cell(all, w, row, c, text, length, err);
    if (w->targets[c].bytes)
        w->targets[c].bytes[row] = (uint8_t)k;
    return STATUS_OK;
}

/* ---- blocks ---- */

static status ragged(error_info *err) {
    return error_set(err, STATUS_PARSE, "a row of another length than the header");
}

/* One row; *at is its beginning, and then that of the next. */
static inline status walk_plain_row(const walk *all, walker *w, separators *s, char separator, size_t row,
                                    const char **at, error_info *err) {
    size_t n = w->view.n_columns;
    for (size_t c = 0; c < n; c++) {
        const char *from = *at, *to = next_separator(s, separator), *end = to;
        bool ends_row = to == s->end || *to == '\n';
        if (ends_row != (c + 1 == n))
            return ragged(err);
        if (ends_row && to < s->end && to > from && to[-1] == '\r')
            end--;
        CHECK(take_cell(all, w, row, c, from, (size_t)(end - from), err));
        *at = to + 1;
    }
    return STATUS_OK;
}

/* Inlined twice, once for the comma alone: what is known to the compiler costs nothing in a row. */
static inline __attribute__((always_inline)) status walk_plain_of(const walk *all, walker *w, const csv_block *b,
                                                                  const char *from, char separator, error_info *err) {
    separators s = {.base = from, .end = w->text_end};
    look_at_base(&s, separator);
    for (size_t i = 0; i < b->n_rows; i++) {
        if (from > s.end) /* a file that has changed since its rows were counted */
            return ragged(err);
        CHECK(walk_plain_row(all, w, &s, separator, b->first_row + i, &from, err));
    }
    return STATUS_OK;
}

static status walk_plain(const walk *all, walker *w, const csv_block *b, const char *from, error_info *err) {
    return w->view.separator == ',' ? walk_plain_of(all, w, b, from, ',', err)
                                    : walk_plain_of(all, w, b, from, w->view.separator, err);
}

/* Of a text in memory: of another, the rows may have become more. */
static status walk_carefully(const walk *all, walker *w, const csv_block *b, const char *from, error_info *err) {
    if (!w->view.text.all)
        return ragged(err);
    csv_clear(&w->view.reader);
    csv_init_part(&w->view.reader, from, w->text_end, 1);
    w->view.reader.separator = w->view.separator;
    for (size_t row = b->first_row; !w->view.reader.is_done; row++)
        CHECK(csv_columns_walk_row(&w->view, all->visit, row, err));
    return STATUS_OK;
}

static status walk_block(const walk *all, walker *w, const csv_block *b, error_info *err) {
    const char *from;
    CHECK(csv_block_view(b, &w->view.text, &w->room, &from, &w->text_end, err));
    if (b->has_quotes || memchr(from, '\0', (size_t)(w->text_end - from)))
        return walk_carefully(all, w, b, from, err);
    return walk_plain(all, w, b, from, err);
}

static status walk_some(void *self, size_t worker, error_info *err) {
    walk *all = self;
    size_t i;
    while (!all->failed && (i = atomic_fetch_add(&all->next, 1)) < all->table->blocks.n) {
        status st = walk_block(all, &all->walkers[worker], &all->table->blocks.blocks[i], err);
        if (st != STATUS_OK) {
            all->failed = true;
            return st;
        }
    }
    return STATUS_OK;
}

/* ---- together ---- */

/* A column of numbers that is continuous for certain needs no more of its values. */
static status add_values(const text_set *from, csv_column *to, error_info *err) {
    for (size_t i = 0; i < from->n && !csv_column_looks_continuous(to); i++) {
        if (text_set_find(&to->values, from->texts[i], from->lengths[i]) != NAME_NONE)
            continue;
        if (to->values.n == VARIABLE_MAX_STATES)
            return error_set(err, STATUS_PARSE, "more than %u different values", VARIABLE_MAX_STATES);
        CHECK(text_set_add(&to->values, from->texts[i], from->lengths[i], err));
    }
    return STATUS_OK;
}

/* Which worker had which block does not show: states are sorted when all have been seen. */
static status put_together(const walk *all, error_info *err) {
    for (size_t c = 0; c < all->table->n_columns; c++) {
        csv_column *to = &all->table->columns[c];
        for (size_t i = 1; i < all->n_walkers; i++) {
            const csv_column *from = &all->walkers[i].view.columns[c];
            to->all_numbers = to->all_numbers && from->all_numbers;
            to->has_fraction = to->has_fraction || from->has_fraction;
            to->is_cut = to->is_cut || from->is_cut;
        }
        for (size_t i = 1; i < all->n_walkers; i++)
            CHECK(add_values(&all->walkers[i].view.columns[c].values, to, err));
    }
    return STATUS_OK;
}

static status walk_blocks(walk *all, error_info *err) {
    size_t n_threads = all->table->n_threads, n = all->table->blocks.n;
    n = n_threads < n ? n_threads : n;
    CHECK_ALLOC(all->walkers = calloc(n, sizeof *all->walkers));
    all->n_walkers = n;
    for (size_t i = 0; i < n; i++)
        CHECK(walker_init(&all->walkers[i], all, i == 0, err));
    CHECK(parallel_run(n, walk_some, all, err));
    return all->collects ? put_together(all, err) : STATUS_OK;
}

/* As before the walk. */
static void forget_values(csv_columns *table) {
    for (size_t c = 0; c < table->n_columns; c++) {
        csv_column *column = &table->columns[c];
        text_set_clear(&column->values);
        if (!column->in_full) {
            column->all_numbers = true;
            column->has_fraction = column->is_cut = false;
        }
    }
}

status csv_columns_walk_blocks(csv_columns *table, csv_visit visit, bool collects, error_info *err) {
    status st;
    {
        AUTO(walk_clear) walk all = {.table = table, .visit = visit, .collects = collects};
        st = walk_blocks(&all, err);
    }
    if (st != STATUS_PARSE || !table->text.all)
        return st;
    if (collects)
        forget_values(table);
    return csv_columns_walk(table, visit, err);
}
