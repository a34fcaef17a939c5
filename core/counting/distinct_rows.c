/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/distinct_rows.h"

#include "core/base/array.h"
#include "core/counting/count_kernels_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_COLUMNS = 24,  /* more are hardly ever few configurations */
    MOST_CELLS = 4096,  /* of a table; beyond, emptying it costs more than counting rows */
    LEAST_GAIN = 2,     /* rows for each configuration below which counting rows is as good */
    LEAST_COLUMNS = 4,  /* of a table that is slow to count otherwise */
    PATIENCE = 96,      /* such tables of few cells asked for before finding the configurations pays, and: */
    CELLS = 64,         /* that take as much time as another table of few */
    NOWHERE = UINT8_MAX /* the place of a column that is not attended to */
};

/* Configurations of the first n_columns places. */
typedef struct {
    size_t n_columns, columns[MOST_COLUMNS];
    size_t n;
    uint8_t *states;   /* MOST_COLUMNS columns of `capacity`, a multiple of 64 */
    uint32_t *tallies; /* rows of each */
} row_classes;

struct distinct_rows {
    const dataset *data;
    const count_kernels *kernels;
    size_t n_rows, capacity;
    size_t n_wanted, wanted[MOST_COLUMNS];
    bool is_current; /* `now` is of the columns that are wanted, or no use could be made of them */
    bool is_useful;
    unsigned n_asked; /* since the last call of attend that was not met already */
    row_classes now, next;
    uint8_t *place; /* by column, in `now` */
    /* scratch, for merging */
    uint32_t *codes, *more_codes; /* two numbers make the code of a configuration */
    uint32_t *slots;              /* class + 1, 0 where free */
    uint32_t *found;              /* the first row of a class */
    uint32_t *index, *cells;
    /* By class the stratum of the first 0, 1, ... columns of a set, which consecutive tables mostly share. */
    size_t n_set, set[MOST_COLUMNS];
    uint32_t *strata; /* MOST_COLUMNS + 1 levels of `capacity` */
};

static void clear_classes(row_classes *c) {
    free(c->states);
    free(c->tallies);
}

void distinct_rows_destroy(distinct_rows *d) {
    if (!d)
        return;
    clear_classes(&d->now);
    clear_classes(&d->next);
    free(d->place);
    free(d->codes);
    free(d->more_codes);
    free(d->found);
    free(d->slots);
    free(d->index);
    free(d->strata);
    free(d->cells);
    free(d);
}

static status reserve_classes(row_classes *c, size_t capacity, error_info *err) {
    CHECK(array_resize(&c->states, capacity, MOST_COLUMNS, err));
    return array_resize(&c->tallies, capacity, sizeof *c->tallies, err);
}

/* A power of two, at most half of it used. */
static size_t slot_count(size_t n) {
    size_t slots = 64;
    while (slots < 2 * n)
        slots *= 2;
    return slots;
}

/* What is needed where configurations are looked for. */
static status reserve(distinct_rows *d, error_info *err) {
    size_t n = d->n_rows;
    if (d->cells)
        return STATUS_OK;
    CHECK(reserve_classes(&d->now, d->capacity, err));
    CHECK(reserve_classes(&d->next, d->capacity, err));
    CHECK(array_resize(&d->codes, n + 1, sizeof *d->codes, err));
    CHECK(array_resize(&d->more_codes, n + 1, sizeof *d->more_codes, err));
    CHECK(array_resize(&d->found, d->capacity, sizeof *d->found, err));
    CHECK(array_resize(&d->slots, slot_count(d->capacity), sizeof *d->slots, err));
    CHECK(array_resize(&d->index, d->capacity, sizeof *d->index, err));
    CHECK(array_resize(&d->strata, d->capacity, (MOST_COLUMNS + 1) * sizeof *d->strata, err));
    return array_resize(&d->cells, MOST_CELLS, sizeof *d->cells, err); /* the last: with it all are there */
}

status distinct_rows_create(const dataset *data, distinct_rows **out, error_info *err) {
    AUTO_PTR(distinct_rows_destroy) distinct_rows *d = NULL;
    size_t p = dataset_column_count(data), n = dataset_row_count(data);
    CHECK_ALLOC(d = calloc(1, sizeof *d));
    d->data = data;
    d->n_rows = n;
    d->kernels = count_kernels_choose();
    d->capacity = (n / LEAST_GAIN / 64 + 1) * 64;
    CHECK_ALLOC(d->place = calloc(p, sizeof *d->place));
    memset(d->place, NOWHERE, p);
    *out = TAKE(d);
    return STATUS_OK;
}

static bool covers(const distinct_rows *d, const size_t *columns, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (d->place[columns[i]] == NOWHERE)
            return false;
    }
    return true;
}

/* What is there serves as well where it is of hardly more columns. */
void distinct_rows_attend(distinct_rows *d, const size_t *columns, size_t n_columns) {
    if (d->is_current && d->is_useful && n_columns * 4 > d->now.n_columns * 3 && covers(d, columns, n_columns))
        return;
    d->is_current = false;
    d->n_asked = 0;
    d->n_wanted = n_columns <= MOST_COLUMNS ? n_columns : 0;
    if (d->n_wanted > 0)
        memcpy(d->wanted, columns, n_columns * sizeof *columns);
}

/* The states of a wanted column: of rows, or of the classes there are. */
static const uint8_t *states_of(const distinct_rows *d, size_t column, bool from_classes) {
    return from_classes ? d->now.states + d->place[column] * d->capacity : dataset_bytes(d->data, column);
}

/* A code for every configuration. False where 64 bits are too few, or a column is wide. */
static bool make_codes(distinct_rows *d, size_t n, bool from_classes) {
    uint32_t *codes = d->codes;
    uint64_t scale = 1;
    memset(d->codes, 0, n * sizeof *d->codes);
    memset(d->more_codes, 0, n * sizeof *d->more_codes);
    for (size_t c = 0; c < d->n_wanted; c++) {
        const uint8_t *states = states_of(d, d->wanted[c], from_classes);
        size_t r = dataset_state_count(d->data, d->wanted[c]);
        if (scale * r > UINT32_MAX) {
            if (codes == d->more_codes)
                return false;
            codes = d->more_codes;
            scale = 1;
        }
        if (!states)
            return false;
        d->kernels->add_scaled(codes, states, (uint32_t)scale, n, 0);
        scale *= r;
    }
    return true;
}

/* A table of its own beside core/base/hash: it is emptied for every merge, and slots of four bytes are emptied and
 * walked in a quarter of the time. */
static size_t slot_of(uint32_t code, uint32_t more, size_t n_slots) {
    uint64_t hash = ((uint64_t)more << 32 | code) * 0x9E3779B97F4A7C15u;
    return (size_t)(hash ^ hash >> 32) & (n_slots - 1);
}

/* The class of a row, a new one if it is the first of its kind. */
static uint32_t class_of(distinct_rows *d, size_t row, size_t n_slots) {
    size_t at = slot_of(d->codes[row], d->more_codes[row], n_slots);
    for (; d->slots[at] != 0; at = (at + 1) & (n_slots - 1)) {
        size_t other = d->found[d->slots[at] - 1];
        if (d->codes[other] == d->codes[row] && d->more_codes[other] == d->more_codes[row])
            return d->slots[at] - 1;
    }
    if (d->next.n < d->capacity) {
        d->found[d->next.n] = (uint32_t)row;
        d->next.tallies[d->next.n] = 0;
        d->slots[at] = (uint32_t)d->next.n + 1;
    }
    return (uint32_t)d->next.n++;
}

/* Finds what is alike among the n that have codes; false where too much is not. */
static bool find_classes(distinct_rows *d, size_t n, bool from_classes) {
    row_classes *to = &d->next;
    size_t n_slots = slot_count(d->capacity < n ? d->capacity : n);
    memset(d->slots, 0, n_slots * sizeof *d->slots);
    to->n = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t class = class_of(d, i, n_slots);
        if (to->n > d->capacity)
            return false;
        to->tallies[class] += from_classes ? d->now.tallies[i] : 1;
    }
    return true;
}

static void lay_states(distinct_rows *d, bool from_classes) {
    row_classes *to = &d->next;
    for (size_t c = 0; c < d->n_wanted; c++) {
        const uint8_t *states = states_of(d, d->wanted[c], from_classes);
        uint8_t *out = to->states + c * d->capacity;
        for (size_t i = 0; i < to->n; i++)
            out[i] = states[d->found[i]];
    }
}

/* Whether the first n rows, where they are enough to tell, have that share of different configurations at most. */
static bool are_alike(distinct_rows *d, size_t n, double most_new) {
    enum { LEAST_ROWS = 64 };
    return n < LEAST_ROWS ||
           (make_codes(d, n, false) && find_classes(d, n, false) && (double)d->next.n <= most_new * (double)n);
}

/* Whether the first rows leave hope that no more than half of all rows are configurations of their own: of half as many
 * configurations as rows, all equally frequent, 0.97 of the first thirty-second are new and 0.88 of the first eighth,
 * and fewer of others. */
static bool is_hopeful(distinct_rows *d) {
    return are_alike(d, d->n_rows / 32, 0.985) && are_alike(d, d->n_rows / 8, 0.91);
}

/* Joins what is alike; false where too much is not. */
static bool merge(distinct_rows *d) {
    bool from_classes = covers(d, d->wanted, d->n_wanted);
    size_t n = from_classes ? d->now.n : d->n_rows;
    if ((!from_classes && !is_hopeful(d)) || !make_codes(d, n, from_classes) || !find_classes(d, n, from_classes))
        return false;
    lay_states(d, from_classes);
    return true;
}

static void set_places(distinct_rows *d, const row_classes *c, bool is_there) {
    for (size_t i = 0; i < c->n_columns; i++)
        d->place[c->columns[i]] = is_there ? (uint8_t)i : NOWHERE;
}

static void use_next(distinct_rows *d) {
    row_classes old = d->now;
    set_places(d, &old, false);
    d->next.n_columns = d->n_wanted;
    memcpy(d->next.columns, d->wanted, d->n_wanted * sizeof *d->wanted);
    d->now = d->next;
    d->next = old;
    set_places(d, &d->now, true);
}

static void build(distinct_rows *d) {
    d->is_current = true;
    d->is_useful = d->n_wanted > 0 && reserve(d, NULL) == STATUS_OK && merge(d);
    if (!d->is_useful)
        return;
    use_next(d);
    d->n_set = 0;
    memset(d->strata, 0, d->now.n * sizeof *d->strata);
}

static const uint8_t *states_in_classes(const distinct_rows *d, size_t column) {
    return d->now.states + d->place[column] * d->capacity;
}

static void add_level(distinct_rows *d, size_t level, size_t column, size_t scale) {
    uint32_t *above = d->strata + level * d->capacity, *out = above + d->capacity;
    memcpy(out, above, d->now.n * sizeof *out);
    d->kernels->add_scaled(out, states_in_classes(d, column), (uint32_t)scale, d->now.n, 0);
}

/* The strata of a set of columns, of which the first varies fastest. */
static const uint32_t *find_strata(distinct_rows *d, const size_t *set, size_t n) {
    size_t n_same = 0, scale = 1;
    while (n_same < n && n_same < d->n_set && set[n_same] == d->set[n_same])
        n_same++;
    for (size_t i = 0; i < n; i++) {
        if (i >= n_same)
            add_level(d, i, set[i], scale);
        scale *= dataset_state_count(d->data, set[i]);
    }
    if (n_same < n) {
        memcpy(d->set, set, n * sizeof *set);
        d->n_set = n;
    }
    return d->strata + n * d->capacity;
}

/* As far as a table may have cells. */
static size_t cell_count(const distinct_rows *d, size_t of_pair, const size_t *conditioning, size_t n) {
    size_t cells = of_pair;
    for (size_t i = 0; i < n && cells <= MOST_CELLS; i++)
        cells *= dataset_state_count(d->data, conditioning[i]);
    return cells;
}

/* Another table was asked for, of as many columns as a set and two. One of more cells takes more time. */
static void count_request(distinct_rows *d, size_t n, size_t n_cells) {
    if (n + 2 >= LEAST_COLUMNS && n_cells <= MOST_CELLS)
        d->n_asked += 1 + (unsigned)n_cells / CELLS;
}

/* Whether a table of those columns is to be had. */
static bool is_ready(distinct_rows *d, size_t first, const size_t *conditioning, size_t n, size_t extra) {
    if (!d->is_current && d->n_asked > PATIENCE)
        build(d);
    return d->is_current && d->is_useful && d->place[first] != NOWHERE &&
           (extra == COUNTS_NO_EXTRA || d->place[extra] != NOWHERE) && covers(d, conditioning, n);
}

static void count(distinct_rows *d, size_t n_cells) {
    uint32_t *cells = d->cells;
    size_t i = 0;
    memset(cells, 0, n_cells * sizeof *cells);
    for (; i + 2 <= d->now.n; i += 2) {
        uint64_t at, rows;
        memcpy(&at, d->index + i, sizeof at);
        memcpy(&rows, d->now.tallies + i, sizeof rows);
        cells[(uint32_t)at] += (uint32_t)rows;
        cells[at >> 32] += (uint32_t)(rows >> 32);
    }
    if (i < d->now.n)
        cells[d->index[i]] += d->now.tallies[i];
}

static void add_states(const distinct_rows *d, const uint32_t *index, size_t column, uint32_t *out) {
    uint32_t r = (uint32_t)dataset_state_count(d->data, column);
    d->kernels->join(index, states_in_classes(d, column), r, out, d->now.n);
}

/* The cell of each class: of its stratum, of its extra state, of its first. */
static void place(distinct_rows *d, const uint32_t *strata, size_t first, size_t extra) {
    if (extra != COUNTS_NO_EXTRA)
        add_states(d, strata, extra, d->codes);
    add_states(d, extra == COUNTS_NO_EXTRA ? strata : d->codes, first, d->index);
}

bool distinct_rows_count(distinct_rows *d, size_t first, const size_t *conditioning, size_t n_conditioning,
                         size_t extra, counts_table *out) {
    size_t r_first = dataset_state_count(d->data, first), n_cells, n_strata;
    size_t r_extra = extra == COUNTS_NO_EXTRA ? 1 : dataset_state_count(d->data, extra);
    n_cells = cell_count(d, r_first * r_extra, conditioning, n_conditioning);
    if (!d->is_current)
        count_request(d, n_conditioning, n_cells);
    if (n_cells > MOST_CELLS || !is_ready(d, first, conditioning, n_conditioning, extra))
        return false;
    place(d, find_strata(d, conditioning, n_conditioning), first, extra);
    count(d, n_cells);
    n_strata = n_cells / (r_first * r_extra);
    *out = (counts_table){.n_strata = n_strata,
                          .r_first = r_first,
                          .r_extra = r_extra,
                          .q_conditioning = (double)n_strata,
                          .cells = d->cells,
                          .n_cells = n_cells};
    return true;
}
