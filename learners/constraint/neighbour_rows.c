/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/constraint/neighbour_rows.h"

#include "core/base/array.h"
#include "core/base/freed_memory.h"
#include "core/base/huge_pages.h"

#include <stdlib.h>
#include <string.h>

status neighbour_rows_init(neighbour_rows *r, size_t n_nodes, size_t n_parts, error_info *err) {
    r->n_nodes = n_nodes;
    r->n_parts = n_parts;
    CHECK_ALLOC(r->parts = calloc(n_parts + 1, sizeof *r->parts));
    CHECK_ALLOC(r->below = calloc(n_nodes + 1, sizeof *r->below));
    CHECK_ALLOC(r->counts = calloc(n_nodes + 1, sizeof *r->counts));
    CHECK_ALLOC(r->starts = calloc(n_nodes + 1, sizeof *r->starts));
    CHECK_ALLOC(r->edges = calloc(n_nodes + 1, sizeof *r->edges));
    return STATUS_OK;
}

static void clear_part(neighbour_part *part) {
    for (size_t i = 0; i < part->n_chunks; i++)
        free(part->chunks[i].items);
    free(part->chunks);
}

static void clear_parts(neighbour_rows *r) {
    for (size_t i = 0; r->parts && i < r->n_parts; i++)
        clear_part(&r->parts[i]);
    free(r->parts);
    free(r->below);
    r->parts = NULL;
    r->below = NULL;
}

void neighbour_rows_clear(neighbour_rows *r) {
    clear_parts(r);
    free(r->counts);
    free(r->starts);
    free(r->items);
    free(r->edges);
    free(r->marks);
    *r = (neighbour_rows){0};
}

/* --- what is put, before there are rows --- */

/* Numbers: of the first chunk, and of large ones, each of which goes back to the system when it is freed. */
enum { FIRST_CHUNK = 1 << 10, GROWTH = 4, LARGE_CHUNK = 2 * FREED_MEMORY_LARGEST_BLOCK };

static size_t next_capacity(const neighbour_part *part) {
    size_t next = part->n_chunks > 0 ? GROWTH * part->chunks[part->n_chunks - 1].capacity : FIRST_CHUNK;
    return next < LARGE_CHUNK ? next : LARGE_CHUNK;
}

static status add_chunk(neighbour_part *part, size_t least, error_info *err) {
    size_t capacity = next_capacity(part);
    neighbour_chunk *c;
    CHECK(ARRAY_ROOM(part->chunks, part->n_chunks, part->capacity, err));
    c = &part->chunks[part->n_chunks];
    *c = (neighbour_chunk){.capacity = capacity > least ? capacity : least};
    CHECK_ALLOC(c->items = malloc(c->capacity * sizeof *c->items));
    huge_pages_ask(c->items, c->capacity * sizeof *c->items);
    part->n_chunks++;
    return STATUS_OK;
}

static bool has_room(const neighbour_part *part, size_t n) {
    const neighbour_chunk *last = part->n_chunks > 0 ? &part->chunks[part->n_chunks - 1] : NULL;
    return last && last->capacity - last->count >= n;
}

status neighbour_rows_put_below(neighbour_rows *r, size_t part, size_t node, const size_t *neighbours, size_t n,
                                error_info *err) {
    neighbour_part *p = &r->parts[part];
    neighbour_chunk *to;
    if (n == 0)
        return STATUS_OK;
    if (!has_room(p, n))
        CHECK(add_chunk(p, n, err));
    to = &p->chunks[p->n_chunks - 1];
    r->below[node] = (neighbour_place){(uint32_t)part, (uint32_t)(p->n_chunks - 1), to->count};
    r->counts[node] = (uint32_t)n;
    for (size_t i = 0; i < n; i++)
        to->items[to->count++] = (uint32_t)neighbours[i];
    to->n_nodes++;
    return STATUS_OK;
}

static neighbour_chunk *chunk_of(const neighbour_rows *r, size_t node) {
    const neighbour_place *place = &r->below[node];
    return &r->parts[place->part].chunks[place->chunk];
}

/* A chunk goes with the last of its nodes. */
static void forget_what_was_put(neighbour_rows *r, size_t node) {
    neighbour_chunk *c = chunk_of(r, node);
    if (--c->n_nodes > 0)
        return;
    free(c->items);
    c->items = NULL;
}

/* --- rows of the edges to lower nodes --- */

/* Edges by their upper ends, of which some are to have rows. */
typedef struct {
    const uint32_t *below;
    size_t count;
    const unsigned char *marks; /* NULL: all edges */
    unsigned char limit;
} edges_below;

static bool is_kept(const edges_below *e, size_t i) {
    return !e->marks || e->marks[i] < e->limit;
}

/* Counts them at both ends; those of the upper end to lower ones are counted alone, too. */
static void count_edges(const edges_below *e, size_t upper, size_t *n_below, size_t *n_all) {
    for (size_t i = 0; i < e->count; i++) {
        n_below[upper] += is_kept(e, i);
        n_all[upper] += is_kept(e, i);
        n_all[e->below[i]] += is_kept(e, i);
    }
}

/* Numbers to where they begin, and the end of all. */
static void add_up(size_t *numbers, size_t n) {
    size_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        size_t here = numbers[i];
        numbers[i] = sum;
        sum += here;
    }
    numbers[n] = sum;
}

/* Upper ends come ascending, so rows become ascending. Nothing is written past the row of the upper end, and in that
 * nothing past what has been read, where rows only move down. */
static void place_edges(const edges_below *e, size_t upper, neighbour_rows *r) {
    uint32_t *row = r->items + r->starts[upper];
    size_t n = 0;
    for (size_t i = 0; i < e->count; i++) {
        uint32_t lower = e->below[i];
        if (!is_kept(e, i))
            continue;
        row[n++] = lower;
        r->items[r->starts[lower] + r->counts[lower]++] = (uint32_t)upper;
    }
    r->counts[upper] = (uint32_t)n;
}

static edges_below edges_that_were_put(const neighbour_rows *r, size_t node) {
    return r->counts[node] == 0
               ? (edges_below){0}
               : (edges_below){.below = chunk_of(r, node)->items + r->below[node].start, .count = r->counts[node]};
}

status neighbour_rows_join(neighbour_rows *r, error_info *err) {
    for (size_t x = 0; x < r->n_nodes; x++) {
        edges_below e = edges_that_were_put(r, x);
        count_edges(&e, x, r->edges, r->starts);
    }
    add_up(r->edges, r->n_nodes);
    add_up(r->starts, r->n_nodes);
    CHECK_ALLOC(r->items = calloc(r->starts[r->n_nodes] + 1, sizeof *r->items));
    huge_pages_ask(r->items, r->starts[r->n_nodes] * sizeof *r->items);
    for (size_t x = 0; x < r->n_nodes; x++) {
        edges_below e = edges_that_were_put(r, x);
        place_edges(&e, x, r);
        if (e.count > 0)
            forget_what_was_put(r, x);
    }
    clear_parts(r);
    return STATUS_OK;
}

/* --- one row --- */

enum { SPREAD = 16 /* neighbours by which a guess is wrong, and: a line of memory */ };

/* Where `other` would be if neighbours were spread evenly; at most `last`. */
static size_t guess_place(const neighbour_rows *r, size_t last, size_t other) {
    size_t place = (size_t)((double)last * ((double)other / (double)r->n_nodes));
    return place < last ? place : last;
}

/* From the place that is likely in steps that double: of a long row few lines of memory are read. */
size_t neighbour_rows_find(const neighbour_rows *r, size_t node, size_t other) {
    const uint32_t *items = r->items + r->starts[node];
    size_t count = r->counts[node], low, high, at, step = SPREAD;
    if (count == 0)
        return 0;
    low = high = guess_place(r, count - 1, other);
    while (low > 0 && items[low] >= other) {
        high = low;
        low = low > step ? low - step : 0;
        step *= 2;
    }
    while (high < count && items[high] < other) {
        low = high + 1;
        high = count - high > step ? high + step : count;
        step *= 2;
    }
    ARRAY_FIND_PLACE(at, high - low, items[low + at] < other);
    return low + at;
}

bool neighbour_rows_has(const neighbour_rows *r, size_t node, size_t other) {
    neighbour_row row = neighbour_rows_get(r, node);
    size_t place = neighbour_rows_find(r, node, other);
    return place < row.count && row.items[place] == other;
}

size_t neighbour_rows_copy(const neighbour_rows *r, size_t node, size_t *out) {
    neighbour_row row = neighbour_rows_get(r, node);
    for (size_t i = 0; i < row.count; i++)
        out[i] = row.items[i];
    return row.count;
}

/* --- marks --- */

status neighbour_rows_unmark(neighbour_rows *r, error_info *err) {
    size_t n = r->edges[r->n_nodes] + 1;
    CHECK(ARRAY_RESERVE(r->marks, r->marks_capacity, n, err));
    huge_pages_ask(r->marks, n); /* the marks of a node's edges to higher ones are pages apart */
    memset(r->marks, 0, n);
    return STATUS_OK;
}

status mark_cursor_init(mark_cursor *c, const neighbour_rows *r, error_info *err) {
    CHECK_ALLOC(c->at = calloc(r->n_nodes + 1, sizeof *c->at));
    return STATUS_OK;
}

void mark_cursor_clear(mark_cursor *c) {
    free(c->at);
    *c = (mark_cursor){0};
}

void mark_cursor_restart(mark_cursor *c, const neighbour_rows *r) {
    c->node = 0;
    memcpy(c->at, r->edges, r->n_nodes * sizeof *c->at);
}

/* Marks lie by upper end, and of each by lower end: a node that is passed is one lower end less to come. */
static void step_up(mark_cursor *c, const neighbour_rows *r) {
    neighbour_row row = neighbour_rows_get(r, c->node);
    for (size_t i = neighbour_rows_count_below(r, c->node); i < row.count; i++)
        c->at[row.items[i]]++;
    c->node++;
}

static void step_down(mark_cursor *c, const neighbour_rows *r) {
    neighbour_row row = neighbour_rows_get(r, --c->node);
    for (size_t i = neighbour_rows_count_below(r, c->node); i < row.count; i++)
        c->at[row.items[i]]--;
}

void mark_cursor_seek(mark_cursor *c, const neighbour_rows *r, size_t node) {
    if (node < c->node / 2)
        mark_cursor_restart(c, r);
    while (c->node > node)
        step_down(c, r);
    while (c->node < node)
        step_up(c, r);
}

static edges_below marked_edges(const neighbour_rows *r, size_t node, unsigned char limit) {
    return (edges_below){r->items + r->starts[node], neighbour_rows_count_below(r, node),
                         neighbour_rows_marks_below(r, node), limit};
}

/* Returns what is no longer used; without success it stays. */
static void shrink(neighbour_rows *r) {
    uint32_t *less = realloc(r->items, (r->starts[r->n_nodes] + 1) * sizeof *less);
    r->items = less ? less : r->items;
}

status neighbour_rows_keep(neighbour_rows *r, unsigned char limit, error_info *err) {
    AUTO_FREE size_t *edges = calloc(r->n_nodes + 1, sizeof *edges);
    AUTO_FREE size_t *starts = calloc(r->n_nodes + 1, sizeof *starts);
    CHECK_ALLOC(edges);
    CHECK_ALLOC(starts);
    for (size_t x = 0; x < r->n_nodes; x++) {
        edges_below e = marked_edges(r, x, limit);
        count_edges(&e, x, edges, starts);
    }
    add_up(edges, r->n_nodes);
    add_up(starts, r->n_nodes);
    for (size_t x = 0; x < r->n_nodes; x++) {
        edges_below e = marked_edges(r, x, limit);
        r->starts[x] = starts[x];
        place_edges(&e, x, r);
    }
    r->starts[r->n_nodes] = starts[r->n_nodes];
    memcpy(r->edges, edges, (r->n_nodes + 1) * sizeof *edges);
    shrink(r);
    return STATUS_OK;
}
