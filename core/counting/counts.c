/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table is counted in two steps: the base (first and conditioning columns), which consecutive calls share, and the
 * extra column. Four ways to do the second step, by cost:
 *   bits       every base cell that has rows is a bit vector; AND with the extra's state vectors, popcount
 *   histogram  every row has its base cell's number; one increment a row
 *   rare       the same of the rows alone that have no common state of the extra, once the base's own rows are known
 *   sparse     rows grouped by stratum, a small sort in each group; for state spaces far larger than the data
 */
#include "core/counting/counts.h"

#include "core/base/bits.h"
#include "core/base/cache_line.h"
#include "core/counting/counts_sparse_internal.h"
#include "core/counting/live_cells_internal.h"
#include "core/counting/rare_rows_internal.h"
#include "core/counting/row_chunks_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    COMPRESS_FROM_CELLS = LIVE_CELLS_MOST, /* larger bases have only the strata with rows: most are often empty */
    LEVELS_MAX = 12,                       /* columns of a base that is kept as bit vectors */
    BLOCK_MAX_STATES = 4,                  /* of an extra column that is counted one state after the other */
    HISTOGRAM_ROWS = 1024,                 /* whose cells are in the first cache when they are counted */
    TWICE_MAX_CELLS = 512,  /* larger tables are counted in KERNEL_COPIES copies, and not in twice those */
    COPIES_MAX_CELLS = 2048 /* still larger ones in one copy */
};

_Static_assert((int)RARE_MOST_CELLS <= (int)COPIES_MAX_CELLS, "there are copies of them");

struct counts {
    const dataset *data;
    size_t n_rows, n_columns;
    const count_kernels *kernels;
    counts_method method;
    state_bits states;

    /* the base */
    bool has_base;
    uint64_t serial; /* of the bases so far */
    size_t first, n_conditioning;
    size_t *conditioning;             /* n_columns entries */
    size_t r_first, n_strata, n_base; /* n_base = n_strata * r_first */
    double q_conditioning;
    bool is_compressed; /* strata are the observed configurations alone */
    bool has_index;
    size_t index_step; /* r_first; 1 where every table is sparse, which needs no more than the stratum */
    uint32_t *index;   /* by row: stratum * r_first + state of first, or the stratum alone */
    uint32_t *joined;  /* by row: the same with the extra state */
    bool has_groups;   /* the rows are grouped by stratum in `sparse` */
    bool fits_bits;    /* the base cells can be bit vectors, of which the levels but for the last are made; and: */
    bool has_live;     /* the last one is, too */
    size_t n_levels;   /* of the present base that are made: consecutive bases share their first ones */
    live_cells levels[LEVELS_MAX];          /* by k: the cells of the first k + 1 columns */
    uint32_t live_stratum[LIVE_CELLS_MOST]; /* of the last level: cell / r_first */
    bool is_turned;                         /* the extra varies slowest in the result: see count_turned */
    size_t asked_first, asked_extra;        /* of the call before */
    bool has_ranked;
    live_cells ranked; /* of a compressed base, for counts_get_base: its cells by rank of the stratum */

    /* results */
    uint32_t *cells;
    size_t cells_capacity;
    size_t told_extra;   /* states of the extra column of the table that they are of, if it is of the present base and
                            not turned; else 0 */
    base_margin *margin; /* of the base margin_serial; NULL before first use; and so is: */
    rare_rows *rare;     /* by column */
    uint64_t margin_serial;
    size_t n_tables;      /* of the present base so far */
    bool are_cells_alone; /* those of the present base, without an extra */
    uint32_t *copies;     /* of a table's cells, KERNEL_COPIES x COPIES_MAX_CELLS; NULL before first use */
    uint32_t *histogram;
    size_t histogram_capacity;
    sparse_scratch sparse;
    row_chunks chunks;
    const pair_tables *lent; /* by the caller; NULL: nobody */
    size_t *base_columns;    /* the first and the conditioning columns; NULL: no chunks so far */
};

const char *counts_simd_level(void) {
    return count_kernels_choose()->name;
}

void counts_lend_tables(counts *c, const pair_tables *tables) {
    c->lent = tables;
}

void counts_force_method(counts *c, counts_method method) {
    c->method = method;
    c->n_levels = 0;
    c->has_base = false;
}

void counts_destroy(counts *c) {
    if (!c)
        return;
    state_bits_clear(&c->states);
    free(c->conditioning);
    free(c->index);
    free(c->joined);
    for (size_t i = 0; i < LEVELS_MAX; i++)
        live_cells_clear(&c->levels[i]);
    live_cells_clear(&c->ranked);
    for (size_t i = 0; c->rare && i < c->n_columns; i++)
        rare_rows_clear(&c->rare[i]);
    free(c->rare);
    free(c->margin);
    free(c->cells);
    free(c->histogram);
    free(c->copies);
    sparse_scratch_clear(&c->sparse);
    row_chunks_clear(&c->chunks);
    free(c->base_columns);
    free(c);
}

static status check(const dataset *data, error_info *err) {
    if (!dataset_is_discrete(data))
        return error_set(err, STATUS_INVALID, "counting needs discrete columns");
    if (dataset_row_count(data) > UINT32_MAX - 64)
        return error_set(err, STATUS_INVALID, "%zu rows; at most %u can be counted", dataset_row_count(data),
                         UINT32_MAX - 64);
    return STATUS_OK;
}

/* `twin`: of the same data; else NULL. */
static status create(const dataset *data, const counts *twin, counts **out, error_info *err) {
    AUTO_PTR(counts_destroy) counts *c = NULL;
    CHECK_ALLOC(c = calloc(1, sizeof *c));
    c->data = data;
    c->n_rows = dataset_row_count(data);
    c->n_columns = dataset_column_count(data);
    c->kernels = count_kernels_choose();
    if (twin)
        state_bits_share(&c->states, &twin->states);
    else
        CHECK(state_bits_init(&c->states, data, err));
    CHECK_ALLOC(c->conditioning = calloc(c->n_columns, sizeof *c->conditioning));
    CHECK_ALLOC(c->index = cache_lines_allocate(c->n_rows + 1, sizeof *c->index));
    CHECK_ALLOC(c->joined = cache_lines_allocate(c->n_rows + 1, sizeof *c->joined));
    *out = TAKE(c);
    return STATUS_OK;
}

status counts_create(const dataset *data, counts **out, error_info *err) {
    CHECK(check(data, err));
    return create(data, NULL, out, err);
}

status counts_create_twin(const counts *c, counts **out, error_info *err) {
    return create(c->data, c, out, err);
}

/* --- bit vectors ------------------------------------------------------------------------------ */

static bool base_fits_bits(const counts *c) {
    if (c->method == COUNTS_HISTOGRAM || c->method == COUNTS_SPARSE || c->is_compressed ||
        c->n_conditioning >= LEVELS_MAX || !live_cells_fit(c->n_base, c->states.n_words) ||
        !state_bits_suit(&c->states, c->first))
        return false;
    for (size_t i = 0; i < c->n_conditioning; i++) {
        if (!state_bits_suit(&c->states, c->conditioning[i]))
            return false;
    }
    return true;
}

static const live_cells *live_of(const counts *c) {
    return &c->levels[c->n_conditioning];
}

/* Makes those levels of the first n conditioning columns that are not left from the base before. */
static status make_levels(counts *c, size_t n, error_info *err) {
    uint32_t scale = (uint32_t)c->r_first;
    if (c->n_levels > n)
        return STATUS_OK;
    if (c->n_levels == 0) {
        CHECK(live_cells_start(&c->levels[0], &c->states, c->first, err));
        c->n_levels = 1;
    }
    for (size_t i = 0; i < n; i++) {
        if (i + 1 >= c->n_levels) {
            CHECK(live_cells_split(&c->levels[i], &c->states, c->conditioning[i], scale, &c->levels[i + 1], err));
            c->n_levels = i + 2;
        }
        scale *= (uint32_t)dataset_state_count(c->data, c->conditioning[i]);
    }
    return STATUS_OK;
}

/* The cells of the last level that have rows, or the most that there can be, by the level above it. */
static size_t most_live(const counts *c) {
    size_t n = c->n_conditioning;
    if (c->n_levels > n)
        return live_of(c)->n;
    return n == 0 ? c->r_first : c->levels[n - 1].n * dataset_state_count(c->data, c->conditioning[n - 1]);
}

static status build_live(counts *c, error_info *err) {
    CHECK(make_levels(c, c->n_conditioning, err));
    for (size_t i = 0; i < live_of(c)->n; i++)
        c->live_stratum[i] = live_of(c)->cell[i] / (uint32_t)c->r_first;
    c->has_live = true;
    return STATUS_OK;
}

/* --- the base --------------------------------------------------------------------------------- */

/* Tables up to this many cells are dense: past it, sorting groups of rows costs less than walking empty cells. */
static size_t dense_limit(const counts *c) {
    size_t most = 4 * c->n_rows + 512;
    return most < UINT32_MAX ? most : UINT32_MAX; /* cells are numbered by 32 bits */
}

/* The strata of bases up to this many cells are ranked by a table, those of larger ones by sorting. */
static size_t direct_limit(const counts *c) {
    return 8 * c->n_rows + 1024;
}

static void add_column(counts *c, size_t column, uint32_t scale, int first) {
    const uint8_t *bytes = dataset_bytes(c->data, column);
    const uint16_t *words = dataset_words(c->data, column);
    if (bytes) {
        c->kernels->add_scaled(c->index, bytes, scale, c->n_rows, first);
        return;
    }
    for (size_t i = 0; i < c->n_rows; i++)
        c->index[i] = (first ? 0 : c->index[i]) + scale * words[i];
}

static status reserve_cells(uint32_t **cells, size_t *capacity, size_t wanted, error_info *err) {
    if (*capacity >= wanted)
        return STATUS_OK;
    free(*cells);
    *cells = cache_lines_allocate(wanted + wanted / 2, sizeof **cells);
    *capacity = *cells ? wanted + wanted / 2 : 0;
    return *cells ? STATUS_OK : error_out_of_memory(err);
}

static size_t count_marked(const counts *c, size_t q) {
    uint32_t n = 0;
    for (size_t j = 0; j < q; j++)
        n += c->histogram[j];
    return n;
}

/* Which of q strata have rows: 1, else 0. Returns how many; once it is all of them, other rows are left out. They are
 * counted after as many rows each time as before: looking at a mark while rows are marked waits for the row before. */
static size_t mark_strata(counts *c, size_t q) {
    enum { FIRST_ROWS = 256 };
    size_t n = 0;
    memset(c->histogram, 0, q * sizeof *c->histogram);
    for (size_t first = 0, end; first < c->n_rows && n < q; first = end) {
        end = first == 0 ? FIRST_ROWS : 2 * first;
        end = end < c->n_rows ? end : c->n_rows;
        for (size_t i = first; i < end; i++)
            c->histogram[c->index[i]] = 1;
        n = count_marked(c, q);
    }
    return n;
}

static void number_strata(counts *c, size_t q) {
    uint32_t n = 0;
    for (size_t j = 0; j < q; j++) {
        if (c->histogram[j] > 0)
            c->histogram[j] = n++;
    }
    for (size_t i = 0; i < c->n_rows; i++)
        c->index[i] = c->histogram[c->index[i]];
}

/* The strata that have rows get numbers of their own, ascending; a table by stratum, as there are not too many. */
static status rank_by_table(counts *c, error_info *err) {
    uint32_t scale = 1;
    size_t q = (size_t)c->q_conditioning;
    CHECK(reserve_cells(&c->histogram, &c->histogram_capacity, q, err));
    for (size_t i = 0; i < c->n_conditioning; i++) {
        add_column(c, c->conditioning[i], scale, i == 0);
        scale *= (uint32_t)dataset_state_count(c->data, c->conditioning[i]);
    }
    c->n_strata = mark_strata(c, q);
    if (c->n_strata < q)
        number_strata(c, q);
    return STATUS_OK;
}

static status rank_strata(counts *c, error_info *err) {
    if (c->q_conditioning * (double)c->r_first > (double)direct_limit(c))
        return sparse_rank_strata(&c->sparse, c->data, c->conditioning, c->n_conditioning, c->index, &c->n_strata, err);
    return rank_by_table(c, err);
}

/* By row, the base cell, where the index is that of strata alone. */
static void join_first(const counts *c, uint32_t *out) {
    const uint8_t *bytes = dataset_bytes(c->data, c->first);
    if (bytes) {
        c->kernels->join(c->index, bytes, (uint32_t)c->r_first, out, c->n_rows);
        return;
    }
    for (size_t i = 0; i < c->n_rows; i++)
        out[i] = c->index[i] * (uint32_t)c->r_first + (uint32_t)dataset_state(c->data, i, c->first);
}

/* The index becomes that of base cells. */
static void turn_index(counts *c) {
    uint32_t *index = c->index;
    join_first(c, c->joined);
    c->index = c->joined;
    c->joined = index;
}

static status build_index(counts *c, error_info *err) {
    uint32_t scale = (uint32_t)c->r_first;
    if (c->is_compressed) {
        CHECK(rank_strata(c, err));
        c->n_base = c->n_strata * c->r_first;
        c->index_step = c->n_base > dense_limit(c) ? 1 : c->r_first;
        if (c->index_step > 1)
            turn_index(c);
    } else {
        c->index_step = c->r_first;
        add_column(c, c->first, 1, 1);
        for (size_t i = 0; i < c->n_conditioning; i++) {
            add_column(c, c->conditioning[i], scale, 0);
            scale *= (uint32_t)dataset_state_count(c->data, c->conditioning[i]);
        }
    }
    c->has_index = true;
    return STATUS_OK;
}

static bool is_same_base(const counts *c, size_t first, const size_t *conditioning, size_t n) {
    return c->has_base && c->first == first && c->n_conditioning == n &&
           (n == 0 || memcmp(c->conditioning, conditioning, n * sizeof *conditioning) == 0);
}

/* How many levels of the base before serve this one. */
static size_t shared_levels(const counts *c, size_t first, const size_t *conditioning, size_t n) {
    size_t same = 0;
    if (c->n_levels == 0 || c->first != first)
        return 0;
    while (same < n && same + 1 < c->n_levels && c->conditioning[same] == conditioning[same])
        same++;
    return same + 1;
}

static status set_base(counts *c, size_t first, const size_t *conditioning, size_t n, error_info *err) {
    double cells;
    if (is_same_base(c, first, conditioning, n))
        return STATUS_OK;
    c->n_levels = shared_levels(c, first, conditioning, n);
    c->has_base = c->has_index = c->fits_bits = c->has_live = c->has_groups = c->has_ranked = c->are_cells_alone =
        false;
    c->serial++;
    c->told_extra = c->n_tables = 0;
    c->first = first;
    c->n_conditioning = n;
    if (n > 0)
        memcpy(c->conditioning, conditioning, n * sizeof *conditioning);
    c->r_first = dataset_state_count(c->data, first);
    c->q_conditioning = 1;
    for (size_t i = 0; i < n; i++)
        c->q_conditioning *= (double)dataset_state_count(c->data, conditioning[i]);
    cells = c->q_conditioning * (double)c->r_first;
    c->is_compressed = n > 0 && (cells > COMPRESS_FROM_CELLS || c->method == COUNTS_SPARSE);
    if (c->is_compressed) {
        CHECK(build_index(c, err));
    } else {
        c->n_strata = (size_t)c->q_conditioning;
        c->n_base = c->n_strata * c->r_first;
        c->fits_bits = base_fits_bits(c);
        if (c->fits_bits && n > 0)
            CHECK(make_levels(c, n - 1, err));
    }
    c->has_base = true;
    return STATUS_OK;
}

/* --- tables ----------------------------------------------------------------------------------- */

/* How far apart two states of the extra lie in the result. */
static size_t extra_step(const counts *c) {
    return c->is_turned ? c->n_base : c->r_first;
}

/* Where the live base cell i with extra state 0 lies in the result. */
static uint32_t *place_of_live(const counts *c, size_t i, size_t r_extra) {
    size_t before = c->is_turned ? 0 : c->live_stratum[i] * (r_extra - 1) * c->r_first;
    return c->cells + live_of(c)->cell[i] + before;
}

/* All base cells with one state of the extra column at a time; the last state is what the others leave. */
static void count_by_states(counts *c, size_t extra, size_t r_extra) {
    const live_cells *live = live_of(c);
    size_t step = extra_step(c);
    uint32_t rest[LIVE_CELLS_MOST], common[LIVE_CELLS_MOST];
    memcpy(rest, live->tally, live->n * sizeof *rest);
    for (size_t e = 0; e + 1 < r_extra; e++) {
        c->kernels->count_block(state_bits_of(&c->states, extra) + e * c->states.n_words, live->bits, live->n,
                                c->states.n_words, common);
        for (size_t i = 0; i < live->n; i++) {
            place_of_live(c, i, r_extra)[e * step] = common[i];
            rest[i] -= common[i];
        }
    }
    for (size_t i = 0; i < live->n; i++)
        place_of_live(c, i, r_extra)[(r_extra - 1) * step] = rest[i];
}

/* Base cell by base cell, which ends where its rows are used up: of many states most have none. */
static void count_by_cells(counts *c, size_t extra, size_t r_extra) {
    const uint64_t *extra_bits = state_bits_of(&c->states, extra);
    const live_cells *live = live_of(c);
    size_t step = extra_step(c);
    for (size_t i = 0; i < live->n; i++) {
        const uint64_t *base = live->bits + i * c->states.n_words;
        uint32_t *place = place_of_live(c, i, r_extra), rest = live->tally[i], two[2];
        size_t e = 0;
        for (; e + 2 < r_extra && rest > 0; e += 2) {
            c->kernels->count_and2(base, extra_bits + e * c->states.n_words, extra_bits + (e + 1) * c->states.n_words,
                                   c->states.n_words, two);
            place[e * step] = two[0];
            place[(e + 1) * step] = two[1];
            rest -= two[0] + two[1];
        }
        if (e + 1 < r_extra && rest > 0) {
            two[0] = c->kernels->count_and(base, extra_bits + e * c->states.n_words, c->states.n_words);
            place[e * step] = two[0];
            rest -= two[0];
        }
        place[(r_extra - 1) * step] = rest;
    }
}

static void count_by_bits(counts *c, size_t extra, size_t r_extra) {
    if (r_extra <= BLOCK_MAX_STATES)
        count_by_states(c, extra, r_extra);
    else
        count_by_cells(c, extra, r_extra);
}

static void count_live(counts *c) {
    for (size_t i = 0; i < live_of(c)->n; i++)
        c->cells[live_of(c)->cell[i]] = live_of(c)->tally[i];
}

/* The cells of rows from `first` on, n of them, in the table with the extra column. */
static const uint32_t *place_rows(counts *c, size_t extra, size_t r_extra, size_t first, size_t n) {
    const uint8_t *base_bytes = dataset_bytes(c->data, c->first), *bytes;
    if (extra == COUNTS_NO_EXTRA)
        return c->index + first;
    bytes = dataset_bytes(c->data, extra);
    if (c->is_turned) {
        memcpy(c->joined, c->index + first, n * sizeof *c->index);
        c->kernels->add_scaled(c->joined, bytes + first, (uint32_t)c->n_base, n, 0);
        return c->joined;
    }
    if (base_bytes && bytes) {
        c->kernels->place(c->index + first, base_bytes + first, (uint32_t)c->r_first, bytes + first, (uint32_t)r_extra,
                          c->joined, n);
        return c->joined;
    }
    for (size_t i = 0; i < n; i++) {
        size_t f = dataset_state(c->data, first + i, c->first), stratum = (c->index[first + i] - f) / c->r_first;
        c->joined[i] = (uint32_t)((stratum * r_extra + dataset_state(c->data, first + i, extra)) * c->r_first + f);
    }
    return c->joined;
}

/* In four copies, `stride` apart, and four that lie `second` behind them, so that equal neighbours do not wait for each
 * other's store. Cells of 16 bits take twice as long on some processors. */
static void add_rows(uint32_t *copies, const uint32_t *cells, size_t n, size_t stride, size_t second) {
    enum { ABREAST = 8 };
    size_t i = 0;
    for (; i + ABREAST <= n; i += ABREAST) {
        for (size_t k = 0; k < ABREAST; k += 2) {
            size_t at = k % 4 * stride + k / 4 * second;
            uint64_t two;
            memcpy(&two, cells + i + k, sizeof two);
            copies[at + (uint32_t)two]++;
            copies[at + stride + (two >> 32)]++;
        }
    }
    for (; i < n; i++)
        copies[cells[i]]++;
}

static void add_all_rows(counts *c, size_t extra, size_t r_extra, uint32_t *copies, size_t stride, size_t second) {
    for (size_t first = 0, n; first < c->n_rows; first += n) {
        n = c->n_rows - first < HISTOGRAM_ROWS ? c->n_rows - first : HISTOGRAM_ROWS;
        add_rows(copies, place_rows(c, extra, r_extra, first, n), n, stride, second);
    }
}

static void add_in_copies(counts *c, size_t extra, size_t r_extra, size_t total) {
    size_t n_copies = total <= TWICE_MAX_CELLS ? 2 * KERNEL_COPIES : KERNEL_COPIES;
    memset(c->copies, 0, n_copies * total * sizeof *c->copies);
    add_all_rows(c, extra, r_extra, c->copies, total, (n_copies - KERNEL_COPIES) * total);
    for (size_t k = 0; k < n_copies; k += KERNEL_COPIES)
        c->kernels->add_up(c->copies + k * total, total, c->cells);
}

/* Is it known what rows the cells of the base have, or told by what is there? */
static bool knows_margin(const counts *c) {
    return c->margin_serial == c->serial || c->has_live || c->told_extra > 0;
}

/* Can a table of so many cells be counted by the rows of the extra column's rarer states? */
static bool suits_rare(const counts *c, size_t extra, size_t total) {
    return knows_margin(c) && extra != COUNTS_NO_EXTRA && !c->is_turned && c->n_rows <= RARE_ROWS_MOST &&
           total <= RARE_MOST_CELLS && state_bits_suit(&c->states, extra) && dataset_state_count(c->data, extra) > 1;
}

static status find_margin(counts *c, error_info *err) {
    if (c->margin_serial == c->serial)
        return STATUS_OK;
    if (!c->margin)
        CHECK_ALLOC(c->margin = calloc(1, sizeof *c->margin));
    if (c->has_live)
        base_margin_take(c->margin, live_of(c), c->live_stratum);
    else
        base_margin_add_up(c->margin, c->cells, (table_shape){c->n_strata, c->told_extra, c->r_first});
    c->margin_serial = c->serial;
    return STATUS_OK;
}

static status find_rare(counts *c, size_t extra, size_t r_extra, const rare_rows **out, error_info *err) {
    rare_rows *r;
    if (!c->rare)
        CHECK_ALLOC(c->rare = calloc(c->n_columns, sizeof *c->rare));
    r = &c->rare[extra];
    if (!r->rows) {
        CHECK(state_bits_make(&c->states, extra, err));
        CHECK(rare_rows_make(r, &c->states, extra, r_extra, err));
    }
    *out = r;
    return STATUS_OK;
}

/* True where it is done: not of the first table of a base, nor where all rows are counted as soon. */
static status count_by_rare(counts *c, size_t extra, size_t r_extra, size_t total, bool *is_done, error_info *err) {
    const rare_rows *rare = NULL;
    *is_done = false;
    if (!suits_rare(c, extra, total))
        return STATUS_OK;
    CHECK(find_rare(c, extra, r_extra, &rare, err));
    if (4 * (size_t)rare->starts[r_extra - 1] > 3 * c->n_rows)
        return STATUS_OK;
    CHECK(find_margin(c, err));
    rare_rows_count(rare, c->margin, c->index, (table_shape){c->n_strata, r_extra, c->r_first}, c->copies, c->cells);
    *is_done = true;
    return STATUS_OK;
}

static status count_by_histogram(counts *c, size_t extra, size_t r_extra, size_t total, error_info *err) {
    bool is_done;
    if (!c->has_index)
        CHECK(build_index(c, err));
    if (!c->copies)
        CHECK_ALLOC(c->copies = cache_lines_allocate(KERNEL_COPIES * COPIES_MAX_CELLS, sizeof *c->copies));
    CHECK(count_by_rare(c, extra, r_extra, total, &is_done, err));
    if (is_done)
        return STATUS_OK;
    memset(c->cells, 0, total * sizeof *c->cells);
    if (total <= COPIES_MAX_CELLS)
        add_in_copies(c, extra, r_extra, total);
    else
        add_all_rows(c, extra, r_extra, c->cells, 0, 0);
    return STATUS_OK;
}

static status count_sparse(counts *c, size_t extra, counts_table *out, error_info *err) {
    if (!c->has_index)
        CHECK(build_index(c, err));
    if (!c->has_groups)
        CHECK(sparse_group(&c->sparse, c->n_rows, c->index, c->index_step, c->n_strata, err));
    c->has_groups = true;
    CHECK(sparse_count(&c->sparse, c->data, c->first, extra, &out->codes, &out->tallies, &out->n_cells, err));
    out->cells = NULL;
    return STATUS_OK;
}

/* Of AND and count, a word of n bit vectors: past the second cache they take longer than the kernel by itself. */
static double word_cost(const counts *c, size_t n) {
    enum { NEAR_BYTES = 1 << 19 };
    static const double far_cost = 0.44;
    bool is_near = n * c->states.n_words * sizeof(uint64_t) <= NEAR_BYTES;
    return is_near || c->kernels->word_cost > far_cost ? c->kernels->word_cost : far_cost;
}

/* In units of the time for one row of a histogram, 0.3 ns, measured: an index that is not there yet takes half a row,
 * and less of a base that has been asked for before and will be again. */
static double histogram_cost(const counts *c, size_t extra, size_t r_extra) {
    double rows = (double)c->n_rows, index = c->has_index ? 0 : rows / (c->n_tables > 0 ? 8 : 2);
    const rare_rows *r = c->rare ? &c->rare[extra] : NULL;
    if (r && r->rows && suits_rare(c, extra, c->n_base * r_extra))
        rows = fmin(rows, 1.2 * (double)r->starts[r_extra - 1] + 1.5 * (double)(c->n_base * r_extra));
    return rows + index;
}

/* A call takes 4 of these units beside its words. */
static bool bits_are_cheaper(const counts *c, size_t extra, size_t r_extra) {
    size_t n = most_live(c);
    double calls = (double)n * (double)(r_extra - 1);
    return c->method == COUNTS_BITS ||
           calls * (4 + word_cost(c, n) * (double)c->states.n_words) < histogram_cost(c, extra, r_extra);
}

static bool goes_by_bits(const counts *c, size_t extra, size_t r_extra) {
    return c->fits_bits &&
           (extra == COUNTS_NO_EXTRA || (state_bits_suit(&c->states, extra) && bits_are_cheaper(c, extra, r_extra)));
}

/* The base alone on many rows, of which no index is there to count by. */
static bool chunks_are_cheaper(const counts *c) {
    bool fits = c->method == COUNTS_AUTO && !c->has_index && row_chunks_suit(c->n_rows) &&
                c->n_base <= CHUNK_MOST_CELLS && c->r_first <= CHUNK_MOST_STATES;
    for (size_t i = 0; i < c->n_conditioning && fits; i++)
        fits = dataset_state_count(c->data, c->conditioning[i]) <= CHUNK_MOST_STATES;
    return fits;
}

static status count_by_chunks(counts *c, size_t total, error_info *err) {
    if (!c->base_columns)
        CHECK_ALLOC(c->base_columns = calloc(c->n_columns + 1, sizeof *c->base_columns));
    CHECK(row_chunks_init(&c->chunks, err));
    c->base_columns[0] = c->first;
    if (c->n_conditioning > 0)
        memcpy(c->base_columns + 1, c->conditioning, c->n_conditioning * sizeof *c->conditioning);
    memset(c->cells, 0, total * sizeof *c->cells);
    return row_chunks_tally(&c->chunks, &(chunk_source){c->data, c->lent}, c->base_columns, c->n_conditioning + 1,
                            c->cells, err);
}

/* A column by itself: its rows by state are there where tables are lent. */
static bool is_lent_margin(const counts *c, size_t extra) {
    return extra == COUNTS_NO_EXTRA && c->n_conditioning == 0 && c->lent && c->method == COUNTS_AUTO;
}

static status fill_cells(counts *c, size_t extra, size_t r_extra, size_t total, error_info *err) {
    if (total > c->cells_capacity)
        c->told_extra = 0; /* the table before goes */
    CHECK(reserve_cells(&c->cells, &c->cells_capacity, total, err));
    if (is_lent_margin(c, extra)) {
        memcpy(c->cells, pair_tables_columns(c->lent)[c->first].margin, total * sizeof *c->cells);
        return STATUS_OK;
    }
    if (goes_by_bits(c, extra, r_extra)) {
        if (!c->has_live)
            CHECK(build_live(c, err));
        memset(c->cells, 0, total * sizeof *c->cells);
        if (extra == COUNTS_NO_EXTRA) {
            count_live(c);
            return STATUS_OK;
        }
        CHECK(state_bits_make(&c->states, extra, err));
        count_by_bits(c, extra, r_extra);
        return STATUS_OK;
    }
    if (extra == COUNTS_NO_EXTRA && chunks_are_cheaper(c))
        return count_by_chunks(c, total, err);
    return count_by_histogram(c, extra, r_extra, total, err);
}

/* A base alone is often asked for several times on end: a bound for each kind of one more column. */
static status count_dense(counts *c, size_t extra, size_t r_extra, size_t total, counts_table *out, error_info *err) {
    bool is_alone = extra == COUNTS_NO_EXTRA;
    if (!is_alone || !c->are_cells_alone) {
        c->are_cells_alone = false;
        CHECK(fill_cells(c, extra, r_extra, total, err));
        c->n_tables++;
        c->told_extra = is_alone || c->is_turned || c->n_base > COPIES_MAX_CELLS ? 0 : r_extra;
        c->are_cells_alone = is_alone;
    }
    out->cells = c->cells;
    out->n_cells = total;
    return STATUS_OK;
}

/* Whether a column and the n others can be a base of bit vectors. */
static bool have_few_cells(const counts *c, size_t column, const size_t *others, size_t n, size_t cells) {
    bool fits = state_bits_suit(&c->states, column);
    cells *= dataset_state_count(c->data, column);
    for (size_t i = 0; i < n && fits; i++) {
        cells *= dataset_state_count(c->data, others[i]);
        fits = cells <= LIVE_CELLS_MOST && state_bits_suit(&c->states, others[i]);
    }
    return fits && live_cells_fit(cells, c->states.n_words);
}

/* Whether the call before was of the same pair, given another set, and the table is dense either way. */
static bool turns(const counts *c, size_t first, const size_t *conditioning, size_t n, size_t extra) {
    if (c->asked_first != first || c->asked_extra != extra || extra == COUNTS_NO_EXTRA || n == 0 || n >= LEVELS_MAX ||
        (c->method != COUNTS_AUTO && c->method != COUNTS_BITS) || is_same_base(c, first, conditioning, n))
        return false;
    return LIVE_CELLS_MOST * STATE_BITS_MOST <= dense_limit(c) && have_few_cells(c, first, conditioning, n, 1) &&
           have_few_cells(c, extra, conditioning, n - 1, dataset_state_count(c->data, first));
}

/* A pair given one set after the other: the pair and the set but for its last column are the base, which consecutive
   sets share, and the last column is the extra one. */
static status count_turned(counts *c, size_t first, const size_t *conditioning, size_t n, size_t extra,
                           counts_table *out, error_info *err) {
    size_t columns[LEVELS_MAX], last = conditioning[n - 1], r_last = dataset_state_count(c->data, last);
    columns[0] = extra;
    memcpy(columns + 1, conditioning, (n - 1) * sizeof *columns);
    CHECK(set_base(c, first, columns, n, err));
    c->is_turned = true;
    CHECK(count_dense(c, last, r_last, c->n_base * r_last, out, err));
    out->r_first = c->r_first;
    out->r_extra = dataset_state_count(c->data, extra);
    out->n_strata = out->n_cells / (out->r_first * out->r_extra);
    out->q_conditioning = (double)out->n_strata;
    return STATUS_OK;
}

static status count_straight(counts *c, size_t first, const size_t *conditioning, size_t n, size_t extra,
                             counts_table *out, error_info *err) {
    size_t r_extra = extra == COUNTS_NO_EXTRA ? 1 : dataset_state_count(c->data, extra);
    CHECK(set_base(c, first, conditioning, n, err));
    c->is_turned = false;
    out->r_first = c->r_first;
    out->r_extra = r_extra;
    out->q_conditioning = c->q_conditioning;
    if ((double)c->n_base * (double)r_extra > (double)dense_limit(c) || c->method == COUNTS_SPARSE)
        CHECK(count_sparse(c, extra, out, err));
    else
        CHECK(count_dense(c, extra, r_extra, c->n_base * r_extra, out, err));
    out->n_strata = c->n_strata;
    return STATUS_OK;
}

status counts_get(counts *c, size_t first, const size_t *conditioning, size_t n_conditioning, size_t extra,
                  counts_table *out, error_info *err) {
    bool is_turned = turns(c, first, conditioning, n_conditioning, extra);
    counts_table table = {0};
    c->asked_first = first;
    c->asked_extra = extra;
    CHECK(is_turned ? count_turned(c, first, conditioning, n_conditioning, extra, &table, err)
                    : count_straight(c, first, conditioning, n_conditioning, extra, &table, err));
    *out = table;
    return STATUS_OK;
}

/* A few lines: the processor foresees the others. */
void counts_approach(const counts *c, size_t column) {
    enum { MOST_LINES = 8, LINE_WORDS = 8 };
    const uint64_t *bits = state_bits_of(&c->states, column);
    size_t lines = (dataset_state_count(c->data, column) - 1) * c->states.n_words / LINE_WORDS;
    for (size_t i = 0; bits && i < lines && i < MOST_LINES; i++)
        __builtin_prefetch(bits + i * LINE_WORDS);
}

/* By row, the cell of a compressed base. */
static const uint32_t *ranked_cells(const counts *c) {
    if (c->index_step > 1)
        return c->index;
    join_first(c, c->joined);
    return c->joined;
}

/* The bit vectors of a compressed base: none where too many cells have rows. */
static status build_ranked(counts *c, error_info *err) {
    size_t n_cells = c->n_strata * c->r_first;
    const uint32_t *cells;
    uint32_t *tallies;
    c->ranked.n = 0;
    if (c->n_strata > LIVE_CELLS_MOST)
        return STATUS_OK;
    CHECK(reserve_cells(&c->histogram, &c->histogram_capacity, (KERNEL_COPIES + 2) * n_cells, err));
    memset(c->histogram, 0, (KERNEL_COPIES + 1) * n_cells * sizeof *c->histogram);
    tallies = c->histogram + KERNEL_COPIES * n_cells;
    cells = ranked_cells(c);
    add_rows(c->histogram, cells, c->n_rows, n_cells, 0);
    c->kernels->add_up(c->histogram, n_cells, tallies);
    return live_cells_of_rows(&c->ranked, &c->states, cells, tallies, n_cells, tallies + n_cells, err);
}

status counts_get_base(counts *c, size_t first, const size_t *conditioning, size_t n_conditioning, counts_base *out,
                       error_info *err) {
    const live_cells *live;
    *out = (counts_base){0};
    CHECK(set_base(c, first, conditioning, n_conditioning, err));
    if (c->is_compressed && !c->has_ranked) {
        CHECK(build_ranked(c, err));
        c->has_ranked = true;
    }
    if (!c->fits_bits && !c->is_compressed)
        return STATUS_OK;
    if (c->fits_bits && !c->has_live)
        CHECK(build_live(c, err));
    live = c->has_live ? live_of(c) : &c->ranked;
    *out = (counts_base){live->n, c->r_first, c->states.n_words, live->cell, live->tally, live->bits, c->serial};
    return STATUS_OK;
}
