/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/pair_block.h"

#include "core/base/cache_line.h"
#include "core/counting/lane_kernels_internal.h"
#include "core/counting/lane_values_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { L = KERNEL_LANES, MOST_ROWS = 1 << 24 /* past them a float is no whole number */ };

_Static_assert((int)PAIR_BLOCK_COLUMNS == (int)KERNEL_LANES, "a column a lane");
_Static_assert((int)PAIR_BLOCK_TILE == (int)KERNEL_TILE && (int)PAIR_MOST_CROSS_CELLS == (int)LANE_MOST_CELLS,
               "the same names for others");

/* --- blocks of equal numbers of states --- */

/* Some of the columns. */
typedef struct {
    const dataset *data;
    size_t first, end;
} column_range;

static size_t columns_with(const column_range *of, size_t n_states, size_t *out) {
    size_t n = 0;
    for (size_t i = of->first; i < of->end; i++) {
        if (dataset_state_count(of->data, i) == n_states)
            out[n++] = i;
    }
    return n;
}

static size_t next_state_count(const column_range *of, size_t least) {
    size_t next = SIZE_MAX;
    for (size_t i = of->first; i < of->end; i++) {
        size_t r = dataset_state_count(of->data, i);
        if (r >= least && r < next)
            next = r;
    }
    return next;
}

/* Behind those that are there. */
static void add_blocks(pair_blocks *b, const column_range *of) {
    size_t done = b->starts[b->n_blocks];
    for (size_t r = next_state_count(of, 0); r != SIZE_MAX; r = next_state_count(of, r + 1)) {
        size_t end = done + columns_with(of, r, b->columns + done);
        for (; done<end; done = end - done> PAIR_BLOCK_COLUMNS ? done + PAIR_BLOCK_COLUMNS : end)
            b->starts[b->n_blocks++] = done;
    }
    b->starts[b->n_blocks] = done;
}

status pair_blocks_init_from(pair_blocks *b, const dataset *data, size_t first, size_t end, size_t *n_leading,
                             error_info *err) {
    size_t p = dataset_column_count(data);
    *b = (pair_blocks){0};
    CHECK_ALLOC(b->columns = calloc(p + 1, sizeof *b->columns));
    CHECK_ALLOC(b->starts = calloc(p + 2, sizeof *b->starts));
    add_blocks(b, &(column_range){data, first, end});
    *n_leading = b->n_blocks;
    add_blocks(b, &(column_range){data, end, p});
    return STATUS_OK;
}

status pair_blocks_init(pair_blocks *b, const dataset *data, error_info *err) {
    size_t n_leading;
    return pair_blocks_init_from(b, data, 0, dataset_column_count(data), &n_leading, err);
}

void pair_blocks_clear(pair_blocks *b) {
    free(b->columns);
    free(b->starts);
    *b = (pair_blocks){0};
}

/* --- one block --- */

void pair_block_clear(pair_block *b) {
    free(b->memory);
    free(b->rows);
    *b = (pair_block){0};
}

static size_t steps_of(const pair_tables *t) {
    return (dataset_row_count(pair_tables_data(t)) + LANE_STEP_BITS - 1) / LANE_STEP_BITS;
}

/* One piece of memory, with room to count any column with those of the block. */
static status reserve(pair_block *b, const pair_tables *t, size_t n_states, error_info *err) {
    size_t most, n_lanes, n_margins, n_counts, n;
    if (b->tables != t)
        pair_block_clear(b);
    most = pair_tables_most_states(t);
    n_lanes = (n_states - 1) * steps_of(t) * L;
    n_margins = n_states * L;
    n_counts = (most - 1) * (n_states - 1) * L;
    n = n_lanes + n_margins + n_counts + L;
    if (n > b->capacity) {
        pair_block_clear(b);
        CHECK_ALLOC(b->memory = aligned_alloc(CACHE_LINE, n * sizeof(uint32_t)));
        b->capacity = n;
    }
    b->lanes = b->memory;
    b->margins = b->lanes + n_lanes;
    b->counts = b->margins + n_margins;
    b->sums = (float *)(void *)(b->counts + n_counts);
    b->kernels = lane_kernels_choose();
    return STATUS_OK;
}

static size_t lanes_in_use(const pair_block *b) {
    return (b->n_columns + KERNEL_TILE - 1) / KERNEL_TILE * KERNEL_TILE;
}

static void fill_set(pair_block *b, size_t state) {
    size_t n_steps = steps_of(b->tables), skipped = state * pair_tables_word_count(b->tables);
    const uint64_t *vectors[L];
    for (size_t lane = 0; lane < b->n_columns; lane++)
        vectors[lane] = pair_tables_columns(b->tables)[b->columns[lane]].bits + skipped;
    b->kernels->lay(vectors, b->n_columns, n_steps, b->lanes + state * n_steps * L);
}

static void fill_margins(pair_block *b) {
    for (size_t lane = 0; lane < lanes_in_use(b); lane++) {
        const uint32_t *margin = lane < b->n_columns ? pair_tables_columns(b->tables)[b->columns[lane]].margin : NULL;
        for (size_t k = 0; k < b->n_states; k++)
            b->margins[k * L + lane] = margin ? margin[k] : 0;
    }
    b->has_margins = true;
}

status pair_block_begin(pair_block *b, const pair_tables *t, const size_t *columns, size_t n_columns, error_info *err) {
    size_t n_states = dataset_state_count(pair_tables_data(t), columns[0]);
    CHECK(reserve(b, t, n_states, err));
    b->tables = t;
    b->columns = columns;
    b->n_columns = n_columns;
    b->n_states = n_states;
    b->has_margins = b->has_rows = false;
    for (size_t k = 0; k + 1 < b->n_states; k++)
        fill_set(b, k);
    return STATUS_OK;
}

/* Of each vector two lines: the processor goes on by itself where there are more. */
void pair_block_foresee(const pair_tables *t, const size_t *columns, size_t n_columns) {
    enum { LINE_WORDS = CACHE_LINE / sizeof(uint64_t) };
    for (size_t lane = 0; lane < n_columns; lane++) {
        const pair_column *c = &pair_tables_columns(t)[columns[lane]];
        for (size_t k = 0; k + 1 < c->n_states; k++) {
            const uint64_t *vector = c->bits + k * pair_tables_word_count(t);
            __builtin_prefetch(vector);
            __builtin_prefetch(vector + LINE_WORDS);
        }
    }
}

static bool is_worth_turning(const pair_block *b) {
    size_t n_sets = b->n_states - 1;
    return pair_tables_columns(b->tables)[b->columns[0]].rows && b->kernels->turn && n_sets > 0 &&
           n_sets <= LANE_MOST_ROW_SETS && b->n_columns > L / 2;
}

void pair_block_turn(pair_block *b) {
    size_t n_words = lane_row_words(b->n_states - 1), n = (PAIR_MOST_LISTED_ROWS + 1) * n_words;
    if (!is_worth_turning(b))
        return;
    if (n > b->rows_capacity) {
        free(b->rows);
        b->rows = aligned_alloc(CACHE_LINE, (n * sizeof *b->rows + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
        b->rows_capacity = b->rows ? n : 0;
    }
    if (!b->rows)
        return;
    b->kernels->turn(b->lanes, b->n_states - 1, steps_of(b->tables), b->rows);
    memset(b->rows + n - n_words, 0, n_words * sizeof *b->rows);
    b->has_rows = true;
}

/* Lists win below a third of the rows that the vectors of x have where there is one set, and below two thirds where
 * there are more (AVX2, on a Zen 3). */
static bool is_worth_rows(const pair_block *b) {
    size_t n_rows = dataset_row_count(pair_tables_data(b->tables)), n_sets = b->n_states - 1;
    return 3 * (n_rows - b->x->margin[b->x->most]) <= n_rows * (b->x->n_states - 1) * (n_sets < 2 ? n_sets : 2);
}

/* In the place of the most frequent state of x are the counts of the last, which become what all leave of it. */
static void complete_most(pair_block *b) {
    size_t n = (b->n_states - 1) * L, most = b->x->most;
    uint32_t *restrict rest = b->counts + most * n;
    for (size_t k = 0; k < n; k++)
        rest[k] = b->margins[k] - rest[k];
    for (size_t i = 0; i + 1 < b->x->n_states; i++) {
        const uint32_t *restrict other = b->counts + i * n;
        for (size_t k = 0; i != most && k < n; k++)
            rest[k] -= other[k];
    }
}

static void count_rows(pair_block *b) {
    size_t n_sets = b->n_states - 1, last = b->x->n_states - 1, most = b->x->most;
    const uint16_t *rows = b->x->rows;
    for (size_t i = 0; i <= last; i++) {
        size_t place = i == last ? most : i;
        if (i == most)
            continue;
        b->kernels->count_rows(b->rows, n_sets, rows, b->x->margin[i], b->counts + place * n_sets * L);
        rows += pair_rows_room(b->x->margin[i]);
    }
    if (most != last)
        complete_most(b);
}

void pair_block_count(pair_block *b, size_t x) {
    if (!b->has_margins) /* tables in strata do without */
        fill_margins(b);
    b->x = &pair_tables_columns(b->tables)[x];
    if (b->has_rows && is_worth_rows(b))
        count_rows(b);
    else
        b->kernels->count(b->x->bits, b->x->n_states - 1, pair_tables_word_count(b->tables), b->lanes, b->n_states - 1,
                          steps_of(b->tables), b->n_columns, b->counts);
}

void pair_block_lay(const pair_block *b, size_t lane, uint32_t *cells) {
    size_t r_x = b->x->n_states, r_y = b->n_states;
    uint32_t *last = cells + (r_x - 1) * r_y;
    for (size_t j = 0; j < r_y; j++)
        last[j] = b->margins[j * L + lane];
    for (size_t i = 0; i + 1 < r_x; i++) {
        uint32_t *row = cells + i * r_y, rest = b->x->margin[i];
        for (size_t j = 0; j + 1 < r_y; j++) {
            row[j] = b->counts[(i * (r_y - 1) + j) * L + lane];
            rest -= row[j];
            last[j] -= row[j];
        }
        row[r_y - 1] = rest;
        last[r_y - 1] -= rest;
    }
}

static lane_tables tables_of(const pair_block *b) {
    return (lane_tables){b->counts, b->x->n_states, b->n_states, b->x->margin, b->margins, b->n_columns};
}

const float *pair_block_sum_terms(pair_block *b) {
    lane_tables t = tables_of(b);
    b->kernels->sum_terms(&t, b->sums);
    return b->sums;
}

void pair_block_compare(pair_block *b, float shift, const float *limits, uint64_t *reached, const float *other_limits,
                        uint64_t *other_reached) {
    (void)pair_block_sum_terms(b);
    *reached = b->kernels->at_least(b->sums, limits, shift);
    *other_reached = b->kernels->at_least(b->sums, other_limits, shift);
}

void pair_block_sum_given(const pair_block *b, const pair_cross *c, size_t first, uint32_t *scratch, float *sums,
                          uint32_t *adjusted) {
    lane_cross t = {tables_of(b), scratch, c->tallies, c->firsts, c->seconds, c->n_cells, c->r_second};
    while (t.n_cells > 0 && t.seconds[t.n_cells - 1] + 1 == t.r_second)
        t.n_cells--;
    b->kernels->count(c->bits, t.n_cells, pair_tables_word_count(b->tables), b->lanes + first, b->n_states - 1,
                      steps_of(b->tables), PAIR_BLOCK_TILE, scratch + first);
    b->kernels->sum_given(&t, first, sums, adjusted);
}

uint32_t pair_block_above(const pair_block *b, const float *sums, const float *own, const float *limits,
                          const uint32_t *places, float shift) {
    return b->kernels->above(sums, own, limits, places, shift);
}

static void sum_lanes(const pair_block *b, const pair_strata *s, size_t first, size_t n_lanes, uint32_t *scratch,
                      float *sums, uint32_t *adjusted) {
    lane_vectors v = {s->bits, pair_tables_word_count(b->tables), b->lanes + first, steps_of(b->tables)};
    lane_strata t = {scratch + first, s->tallies, s->starts, s->n_strata, b->n_states, n_lanes};
    if (b->kernels->sum_vectors) {
        b->kernels->sum_vectors(&v, &t, sums, adjusted);
        return;
    }
    b->kernels->count(v.vectors, s->n_cells, v.n_words, v.lanes, b->n_states - 1, v.n_steps, n_lanes, scratch + first);
    b->kernels->sum_strata(&t, sums, adjusted);
}

void pair_block_sum_strata(const pair_block *b, const pair_strata *s, uint32_t *scratch, float *sums,
                           uint32_t *adjusted) {
    sum_lanes(b, s, 0, b->n_columns, scratch, sums, adjusted);
}

void pair_block_sum_tile(const pair_block *b, const pair_strata *s, size_t first, uint32_t *scratch, float *sums,
                         uint32_t *adjusted) {
    sum_lanes(b, s, first, PAIR_BLOCK_TILE, scratch, sums, adjusted);
}

static lane_values values_of(const pair_block *b, const pair_strata *s, const uint32_t *scratch) {
    size_t n_counts = s->n_cells * (b->n_states - 1) * L;
    return (lane_values){scratch,    scratch + n_counts, scratch + n_counts + s->n_cells * L,
                         s->n_cells, s->n_strata,        b->n_states};
}

void pair_block_complete_strata(const pair_block *b, const pair_strata *s, uint32_t *scratch) {
    lane_strata t = {scratch, s->tallies, s->starts, s->n_strata, b->n_states, b->n_columns};
    size_t n_counts = s->n_cells * (b->n_states - 1) * L;
    b->kernels->complete(&t, scratch + n_counts, scratch + n_counts + s->n_cells * L);
}

void pair_block_count_strata(const pair_block *b, const pair_strata *s, uint32_t *scratch) {
    b->kernels->count(s->bits, s->n_cells, pair_tables_word_count(b->tables), b->lanes, b->n_states - 1,
                      steps_of(b->tables), b->n_columns, scratch);
    pair_block_complete_strata(b, s, scratch);
}

void pair_block_add_values(const pair_block *b, const pair_strata *s, const uint32_t *scratch, size_t first, size_t end,
                           const double *cell, const double *row, double *sums) {
    lane_values v = values_of(b, s, scratch);
    lane_values_add(&v, first, end, cell, row, sums);
}

/* Of each log 1e-5; the roundings of each term and each addition, and of limit and shift, which are as large as sums.
 */
double pair_block_error(const pair_tables *t, size_t n_cells) {
    double n = (double)dataset_row_count(pair_tables_data(t)), unit = ldexp(1, -24);
    return n > MOST_ROWS ? INFINITY : 1e-5 * n + ((double)n_cells + 10) * unit * n * log(n + 1);
}
