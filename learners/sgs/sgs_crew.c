/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scans by several threads. A search draws as many random numbers as it makes moves, and the next search draws on from
 * there, so that searches cannot run side by side and find what they find now. But the heads of a step are many:
 * threads find the rows of those with other parents, then look at the moves of all heads, then repair moves, each for
 * itself and on the rows that are there. The few moves whose repair would make a row are left to the search, which
 * makes rows, and asks for those that were found, in the order of one thread: scores, counters and all are the same.
 */
#include "core/base/array.h"
#include "core/run/crew.h"
#include "core/run/spin.h"
#include "learners/sgs/repair_memo_internal.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAD_BLOCK = 16,
    STAR_BLOCK = 2,
    PATIENCE = 4000, /* yields: a thread is awake when the next step comes */
    LINE = 64        /* bytes */
};

/* What a thread has of its own. */
typedef struct {
    sgs_repair *repair;
    sgs_scan scan;
    size_t n_tried;     /* moves that it has repaired, its own or others' */
    size_t n_completed; /* of its moves to be repaired */
} scanner;

typedef struct {
    family_row *row;
    atomic_size_t n_left; /* parts to be found */
} wanted_row;

typedef struct {
    size_t row; /* among those wanted */
    size_t first, end;
} row_part;

struct sgs_crew {
    size_t n_threads;
    crew *threads;
    scanner **scanners; /* by thread */

    sgs_state *state;
    wanted_row *rows;
    size_t n_rows, row_capacity;
    row_part *parts;
    size_t n_parts, part_capacity;
    /* what threads write many times a scan, in lines of their own */
    _Alignas(LINE) atomic_size_t next_part, next_head, next_star;
    _Alignas(LINE) atomic_size_t n_looked; /* heads whose moves are listed */
};

static void scanner_destroy(scanner *w) {
    if (!w)
        return;
    sgs_repair_destroy(w->repair);
    sgs_scan_clear(&w->scan);
    free(w);
}

void sgs_crew_destroy(sgs_crew *c) {
    if (!c)
        return;
    crew_destroy(c->threads);
    for (size_t i = 0; c->scanners && i < c->n_threads; i++)
        scanner_destroy(c->scanners[i]);
    free(c->scanners);
    free(c->rows);
    free(c->parts);
    free(c);
}

AUTO_PTR_OF(sgs_crew, sgs_crew_destroy)

/* Past ANCESTRY_MAX_NODES a look at the ancestry is one thread's at a time. */
static size_t useful_threads(const sgs_state *s, size_t n_threads) {
    return s->n > ANCESTRY_MAX_NODES || n_threads == 0 ? 1 : n_threads;
}

status sgs_crew_create(const sgs_state *s, size_t n_threads, sgs_crew **out, error_info *err) {
    AUTO_PTR(sgs_crew_destroy) sgs_crew *c = NULL;
    CHECK_ALLOC(c = aligned_alloc(LINE, sizeof *c));
    memset(c, 0, sizeof *c);
    c->n_threads = useful_threads(s, n_threads);
    CHECK_ALLOC(c->scanners = calloc(c->n_threads, sizeof(scanner *)));
    for (size_t i = 0; i < c->n_threads; i++) {
        CHECK_ALLOC(c->scanners[i] = calloc(1, sizeof(scanner)));
        CHECK(sgs_repair_create(s, &c->scanners[i]->repair, err));
    }
    CHECK(crew_create(c->n_threads, &c->threads, err));
    crew_set_patience(c->threads, PATIENCE);
    *out = TAKE(c);
    return STATUS_OK;
}

/* --- rows --- */

static status list_row(sgs_crew *c, family_row *row, error_info *err) {
    if (!family_row_can_be_found(c->state->scores, row))
        return STATUS_OK;
    CHECK(ARRAY_ROOM(c->rows, c->n_rows, c->row_capacity, err));
    c->rows[c->n_rows].row = row;
    atomic_init(&c->rows[c->n_rows++].n_left, 0);
    return STATUS_OK;
}

static status list_rows(sgs_crew *c, error_info *err) {
    const sgs_state *s = c->state;
    c->n_rows = 0;
    for (size_t k = 0; k < s->n_renewed; k++) {
        const sgs_head *h = &s->heads[s->renewed[k]];
        if (!h->is_full)
            CHECK(list_row(c, h->with, err));
        for (size_t i = 0; i < h->n_parents; i++)
            CHECK(list_row(c, h->without[i], err));
    }
    return STATUS_OK;
}

static status list_parts_of(sgs_crew *c, size_t row, size_t step, error_info *err) {
    size_t n = c->state->n;
    for (size_t first = 0; first < n; first += step) {
        size_t end = n - first < step ? n : first + step;
        CHECK(ARRAY_PUSH(c->parts, c->n_parts, c->part_capacity, err, (row_part){row, first, end}));
        (void)atomic_fetch_add(&c->rows[row].n_left, 1);
    }
    return STATUS_OK;
}

/* As many rows for each thread, whole; and what is over in small parts. */
static status list_parts(sgs_crew *c, error_info *err) {
    size_t n_whole = c->n_rows - c->n_rows % c->n_threads, step = c->state->source->row_step;
    c->n_parts = 0;
    for (size_t i = 0; i < c->n_rows; i++)
        CHECK(list_parts_of(c, i, i < n_whole || step == 0 ? c->state->n : step, err));
    return STATUS_OK;
}

static status find_part(sgs_crew *c, size_t worker, row_part part, error_info *err) {
    wanted_row *wanted = &c->rows[part.row];
    CHECK(family_row_find(c->state->scores, worker, wanted->row, part.first, part.end, err));
    return atomic_fetch_sub(&wanted->n_left, 1) == 1 ? family_row_found(c->state->scores, worker, wanted->row, err)
                                                     : STATUS_OK;
}

static status find_parts(void *self, size_t worker, error_info *err) {
    sgs_crew *c = self;
    size_t i;
    while ((i = atomic_fetch_add(&c->next_part, 1)) < c->n_parts && !run_context_is_expired(c->state->ctx))
        CHECK(find_part(c, worker, c->parts[i], err));
    return STATUS_OK;
}

/* As far as the source can do that by several threads. */
static status find_rows(sgs_crew *c, error_info *err) {
    if (c->n_threads < 2 || c->state->source->n_workers < c->n_threads)
        return STATUS_OK;
    CHECK(list_rows(c, err));
    CHECK(list_parts(c, err));
    atomic_store(&c->next_part, 0);
    return c->n_parts > 1 ? crew_run(c->threads, find_parts, c, err) : STATUS_OK;
}

static status fill_rows(sgs_crew *c, sgs_scan *scan, error_info *err) {
    sgs_state *s = c->state;
    CHECK(find_rows(c, err));
    for (size_t i = 0; i < s->n_renewed && !scan->is_expired; i++)
        CHECK(sgs_scan_fill(scan, s, s->renewed[i], err));
    return STATUS_OK;
}

/* --- heads --- */

/* Goes on to the end also after a failure, as others wait for all heads. */
static status look_at_heads(sgs_crew *c, scanner *w, error_info *err) {
    sgs_state *s = c->state;
    status st = STATUS_OK;
    size_t first, n_looked = 0;
    while ((first = atomic_fetch_add(&c->next_head, HEAD_BLOCK)) < s->n) {
        size_t end = first + HEAD_BLOCK < s->n ? first + HEAD_BLOCK : s->n;
        w->scan.is_expired = w->scan.is_expired || run_context_is_expired(s->ctx);
        for (size_t z = first; z < end && st == STATUS_OK && !w->scan.is_expired; z++)
            st = sgs_scan_head(&w->scan, s, z, err);
        n_looked += end - first;
    }
    atomic_fetch_add(&c->n_looked, n_looked);
    return st;
}

static void wait_for_heads(const sgs_crew *c) {
    for (size_t i = 0; atomic_load(&c->n_looked) < c->state->n; i++) {
        if (i < SPIN_LOOKS)
            spin_pause();
        else
            (void)sched_yield();
    }
}

/* --- repairs --- */

static bool is_repaired(const sgs_crew *c, const sgs_move *m) {
    return !isnan(repair_memo_list(c->state->repairs, m->to)->stars[m->number].gain);
}

static status try_star(sgs_crew *c, scanner *w, sgs_move m, error_info *err) {
    size_t number = m.number;
    bool is_done;
    CHECK(sgs_repair_try(w->repair, c->state, &m, &is_done, err));
    if (!is_done)
        return STATUS_OK;
    repair_memo_keep(c->state->repairs, number, &m, sgs_repair_trail(w->repair));
    w->n_tried++;
    return sgs_scan_offer(&w->scan, &m, err);
}

/* The i-th of the moves to be repaired, over all threads; NULL past the last. */
static const sgs_move *star_at(const sgs_crew *c, size_t i) {
    size_t k = 0;
    while (k < c->n_threads && i >= c->scanners[k]->scan.n_stars)
        i -= c->scanners[k++]->scan.n_stars;
    return k < c->n_threads ? &c->scanners[k]->scan.stars[i] : NULL;
}

static status try_stars(sgs_crew *c, scanner *w, error_info *err) {
    size_t first;
    while (star_at(c, first = atomic_fetch_add(&c->next_star, STAR_BLOCK)) && !run_context_is_expired(c->state->ctx)) {
        for (size_t i = first; i < first + STAR_BLOCK; i++) {
            const sgs_move *m = star_at(c, i);
            if (m)
                CHECK(try_star(c, w, *m, err));
        }
    }
    return STATUS_OK;
}

/* In the order of heads: each thread has listed its own in that order. */
static const sgs_move *next_star(sgs_crew *c) {
    scanner *next = NULL;
    for (size_t k = 0; k < c->n_threads; k++) {
        scanner *w = c->scanners[k];
        if (w->n_completed < w->scan.n_stars &&
            (!next || w->scan.stars[w->n_completed].to < next->scan.stars[next->n_completed].to))
            next = w;
    }
    return next ? &next->scan.stars[next->n_completed++] : NULL;
}

static status repair_star_of(sgs_crew *c, sgs_scan *scan, sgs_move m, error_info *err) {
    sgs_repair *repair = c->scanners[0]->repair;
    size_t number = m.number;
    bool is_reversal;
    CHECK(sgs_repair_move(repair, c->state, &m, &is_reversal, err));
    repair_memo_keep(c->state->repairs, number, &m, sgs_repair_trail(repair));
    return sgs_scan_offer(scan, &m, err);
}

static size_t count_left(const sgs_crew *c) {
    size_t n_left = 0;
    for (size_t k = 0; k < c->n_threads; k++)
        n_left += c->scanners[k]->scan.n_stars;
    for (size_t k = 0; k < c->n_threads; k++)
        n_left -= c->scanners[k]->n_tried;
    return n_left;
}

/* Repairs what threads have left. */
static status complete_stars(sgs_crew *c, sgs_scan *scan, error_info *err) {
    const sgs_move *m;
    if (count_left(c) == 0)
        return STATUS_OK;
    for (size_t i = 0; !scan->is_expired && (m = next_star(c)); i++) {
        if (!is_repaired(c, m))
            CHECK(repair_star_of(c, scan, *m, err));
        scan->is_expired = run_context_is_expired_at(c->state->ctx, i);
    }
    return STATUS_OK;
}

/* --- a scan --- */

static status take_part(void *self, size_t worker, error_info *err) {
    sgs_crew *c = self;
    scanner *w = c->scanners[worker];
    CHECK(look_at_heads(c, w, err));
    if (c->n_threads == 1)
        return STATUS_OK; /* repairs everything afterwards */
    wait_for_heads(c);
    return try_stars(c, w, err);
}

static status look_and_try(sgs_crew *c, error_info *err) {
    for (size_t k = 0; k < c->n_threads; k++) {
        sgs_scan_begin(&c->scanners[k]->scan);
        c->scanners[k]->n_tried = c->scanners[k]->n_completed = 0;
    }
    atomic_store(&c->next_head, 0);
    atomic_store(&c->n_looked, 0);
    atomic_store(&c->next_star, 0);
    CHECK(crew_run(c->threads, take_part, c, err));
    repair_memo_clear_changes(c->state->repairs);
    return STATUS_OK;
}

status sgs_crew_scan(sgs_crew *c, sgs_scan *scan, sgs_state *s, error_info *err) {
    c->state = s;
    sgs_scan_begin(scan);
    scan->is_expired = scan->is_expired || run_context_is_expired(s->ctx);
    CHECK(fill_rows(c, scan, err));
    if (scan->is_expired)
        return STATUS_OK;
    CHECK(look_and_try(c, err));
    for (size_t k = 0; k < c->n_threads; k++)
        CHECK(sgs_scan_unite(scan, &c->scanners[k]->scan, err));
    CHECK(complete_stars(c, scan, err));
    sgs_scan_end(scan);
    return STATUS_OK;
}
