/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scans by several threads. A search draws as many random numbers as it makes moves, and the next search draws on from
 * there, so that searches cannot run side by side and find what they find now. But the heads of a step are many. While
 * the search gives those of the move the rows of their new parents, another thread changes the graph, and they begin to
 * look at the moves of the rest; all find the values of these rows, look at what is left, and repair moves, each for
 * itself and on the rows that are there. A step is one round of the crew: a pause between its parts would cost as much
 * as some of them. The few moves whose repair would make a row are left to the search, which makes rows, and asks for
 * their values before they are found, in the order of one thread: scores, counters and all are the same.
 */
#include "core/base/array.h"
#include "core/base/cache_line.h"
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
    PATIENCE = 4000 /* yields: a thread is awake when the next step comes */
};

/* What a thread has of its own. It has a part of the heads, the same in every scan, so that it knows their moves: of
 * those that are not renewed it looks at its own first, repairs their moves, and then looks at what is left of the next
 * thread's, and so on; at renewed heads last. */
typedef struct {
    _Alignas(CACHE_LINE) size_t worker;
    sgs_repair *repair;
    size_t *n_listed; /* moves to be repaired: of the k-th part, counted from its own; the last: of renewed heads */
    _Alignas(CACHE_LINE) sgs_scan scan;
    /* of its heads, and of its moves to be repaired; another thread may take them, too */
    _Alignas(CACHE_LINE) atomic_size_t next_head;
    atomic_size_t next_star;
    _Alignas(CACHE_LINE) size_t n_tried; /* moves that it has repaired, its own or others' */
    size_t row;                          /* the one that it finds parts of; SGS_NONE at first */
    bool has_seen_rows;                  /* that the renewed heads have theirs */
    status result;                       /* a thread goes on to the end also after a failure, as others wait for it */
    _Alignas(CACHE_LINE) atomic_size_t n_looked; /* heads that it has gone through part by part, and renewed heads */
} scanner;

/* Moves to be repaired, in the order of heads. */
typedef struct {
    const sgs_move *next, *end;
} star_run;

/* A row to be found, in parts of row_step columns. */
typedef struct {
    family_row *row;
    atomic_size_t next_part;
    atomic_size_t n_left; /* parts that are not found */
} wanted_row;

struct sgs_crew {
    size_t n_threads;
    crew *threads;
    scanner **scanners; /* by thread */
    star_run *runs;     /* n_threads + 1 a thread */

    sgs_state *state;
    bool is_begun; /* the threads are at work */
    wanted_row *rows;
    size_t n_rows, row_capacity;
    size_t n_parts; /* of a row */
    /* what one thread tells the others */
    _Alignas(CACHE_LINE) atomic_bool is_listed; /* the rows to be found are known, and counted as asked for */
    atomic_bool is_changed;                     /* the graph is that of the scan */
    atomic_bool is_over;                        /* the scan is given up */
    /* what threads write many times a scan, in lines of their own */
    _Alignas(CACHE_LINE) atomic_size_t next_row, next_renewed;
    atomic_bool has_changer;                    /* some thread changes the graph, or has */
    _Alignas(CACHE_LINE) atomic_size_t n_found; /* parts of all rows */
};

static void scanner_destroy(scanner *w) {
    if (!w)
        return;
    sgs_repair_destroy(w->repair);
    sgs_scan_clear(&w->scan);
    free(w->n_listed);
    free(w);
}

AUTO_PTR_OF(scanner, scanner_destroy)

static status scanner_create(const sgs_state *s, size_t worker, size_t n_threads, scanner **out, error_info *err) {
    AUTO_PTR(scanner_destroy) scanner *w = NULL;
    CHECK_ALLOC(w = cache_lines_create(sizeof *w));
    w->worker = worker;
    CHECK_ALLOC(w->n_listed = cache_lines_create((n_threads + 1) * sizeof *w->n_listed));
    CHECK(ARRAY_RESERVE(w->scan.stars, w->scan.star_capacity, 1, err)); /* runs of none are told by where they end */
    CHECK(sgs_repair_create(s, &w->repair, err));
    *out = TAKE(w);
    return STATUS_OK;
}

void sgs_crew_destroy(sgs_crew *c) {
    status ignored;
    if (!c)
        return;
    ignored = sgs_crew_rest(c, NULL);
    (void)ignored;
    crew_destroy(c->threads);
    for (size_t i = 0; c->scanners && i < c->n_threads; i++)
        scanner_destroy(c->scanners[i]);
    free(c->scanners);
    free(c->runs);
    free(c->rows);
    free(c);
}

AUTO_PTR_OF(sgs_crew, sgs_crew_destroy)

/* The first of some things that are up to the caller; false where all `n` are taken. */
static bool take_some(atomic_size_t *next, size_t n_taken, size_t n, size_t *first) {
    *first = atomic_load(next);
    if (*first < n)
        *first = atomic_fetch_add(next, n_taken);
    return *first < n;
}

static void wait_a_little(size_t n_waits) {
    if (n_waits < SPIN_LOOKS)
        spin_pause();
    else
        (void)sched_yield();
}

/* --- rows --- */

static status list_row(sgs_crew *c, family_row *row, error_info *err) {
    CHECK(ARRAY_ROOM(c->rows, c->n_rows, c->row_capacity, err));
    c->rows[c->n_rows].row = row;
    atomic_init(&c->rows[c->n_rows].next_part, 0);
    atomic_init(&c->rows[c->n_rows++].n_left, c->n_parts);
    return STATUS_OK;
}

static bool can_find_together(const sgs_crew *c, const sgs_state *s) {
    return c->n_threads > 1 && s->source->n_workers >= c->n_threads;
}

/* Threads can find some rows together; the search fills the others. */
static status ask_for_row(sgs_crew *c, sgs_scan *scan, family_row *row, error_info *err) {
    family_scores *scores = c->state->scores;
    if (row->order || scan->is_expired)
        return STATUS_OK;
    if (can_find_together(c, c->state) && family_row_can_be_found(scores, row)) {
        CHECK(list_row(c, row, err));
        CHECK(family_row_count(scores, row, err));
    } else {
        CHECK(family_row_fill(scores, row, err));
    }
    scan->is_expired = run_context_is_expired(c->state->ctx);
    return STATUS_OK;
}

/* In the order of one thread. */
static status ask_for_rows(sgs_crew *c, sgs_scan *scan, error_info *err) {
    const sgs_state *s = c->state;
    c->n_rows = 0;
    for (size_t k = 0; k < s->n_renewed; k++) {
        const sgs_head *h = &s->heads[s->renewed[k]];
        if (!h->is_full)
            CHECK(ask_for_row(c, scan, h->with, err));
        for (size_t i = 0; i < h->n_parents; i++)
            CHECK(ask_for_row(c, scan, h->without[i], err));
    }
    return STATUS_OK;
}

/* Whether the renewed heads have their rows. */
static bool sees_rows(const sgs_crew *c, scanner *w) {
    if (!w->has_seen_rows)
        w->has_seen_rows =
            atomic_load(&c->is_listed) && (c->n_rows == 0 || atomic_load(&c->n_found) == c->n_rows * c->n_parts);
    return w->has_seen_rows;
}

static size_t first_column(const sgs_crew *c, size_t part) {
    return part < c->n_parts ? part * c->state->source->row_step : c->state->n;
}

static status find_part(sgs_crew *c, size_t worker, wanted_row *wanted, size_t part, error_info *err) {
    family_scores *scores = c->state->scores;
    CHECK(family_row_find(scores, worker, wanted->row, first_column(c, part), first_column(c, part + 1), err));
    return atomic_fetch_sub(&wanted->n_left, 1) == 1 ? family_row_found(scores, worker, wanted->row, err) : STATUS_OK;
}

static bool take_part_of(sgs_crew *c, size_t row, size_t *part) {
    return take_some(&c->rows[row].next_part, 1, c->n_parts, part);
}

/* Of the row that the thread is at; else of the next that no thread has begun, for each thread makes the cells of a
 * row's parents for itself; else of any: the row of most parents takes twice as long as another. */
static bool take_part_to_find(sgs_crew *c, scanner *w, size_t *part) {
    size_t n = c->n_rows, row;
    if (w->row < n && take_part_of(c, w->row, part))
        return true;
    while (take_some(&c->next_row, 1, n, &row)) {
        w->row = row;
        if (take_part_of(c, row, part))
            return true;
    }
    for (w->row = 0; w->row < n; w->row++) {
        if (take_part_of(c, w->row, part))
            return true;
    }
    return false;
}

/* A scan without all its rows is over. */
static void find_or_give_up(sgs_crew *c, scanner *w, size_t part, error_info *err) {
    bool is_in_time = w->result == STATUS_OK && !run_context_is_expired(c->state->ctx);
    if (is_in_time)
        w->result = find_part(c, w->worker, &c->rows[w->row], part, err);
    if (!is_in_time || w->result != STATUS_OK)
        atomic_store(&c->is_over, true);
}

/* False where there is none to be found now. */
static bool find_some(sgs_crew *c, scanner *w, error_info *err) {
    size_t part;
    if (w->has_seen_rows || !atomic_load(&c->is_listed) || !take_part_to_find(c, w, &part))
        return false;
    find_or_give_up(c, w, part, err);
    atomic_fetch_add(&c->n_found, 1);
    return true;
}

static status find_parts(void *self, size_t worker, error_info *err) {
    sgs_crew *c = self;
    size_t part;
    while (take_part_of(c, 0, &part))
        CHECK(find_part(c, worker, &c->rows[0], part, err));
    return STATUS_OK;
}

/* For a row that a repair asks for when the threads have nothing to do. */
static status find_between_scans(void *self, family_row *row, error_info *err) {
    sgs_crew *c = self;
    c->n_rows = 0;
    CHECK(list_row(c, row, err));
    return crew_run(c->threads, find_parts, c, err);
}

/* --- a crew --- */

/* Past ANCESTRY_MAX_NODES a look at the ancestry is one thread's at a time. */
static size_t useful_threads(const sgs_state *s, size_t n_threads) {
    return s->n > ANCESTRY_MAX_NODES || n_threads == 0 ? 1 : n_threads;
}

status sgs_crew_create(const sgs_state *s, size_t n_threads, sgs_crew **out, error_info *err) {
    AUTO_PTR(sgs_crew_destroy) sgs_crew *c = NULL;
    CHECK_ALLOC(c = cache_lines_create(sizeof *c));
    c->n_threads = useful_threads(s, n_threads);
    c->n_parts = s->source->row_step > 0 ? (s->n + s->source->row_step - 1) / s->source->row_step : 1;
    CHECK_ALLOC(c->scanners = calloc(c->n_threads, sizeof(scanner *)));
    CHECK_ALLOC(c->runs = calloc(c->n_threads * (c->n_threads + 1), sizeof *c->runs));
    for (size_t i = 0; i < c->n_threads; i++)
        CHECK(scanner_create(s, i, c->n_threads, &c->scanners[i], err));
    CHECK(crew_create(c->n_threads, &c->threads, err));
    crew_set_patience(c->threads, PATIENCE);
    if (can_find_together(c, s))
        family_scores_set_finder(s->scores, (row_finder){c, find_between_scans});
    *out = TAKE(c);
    return STATUS_OK;
}

/* --- the graph --- */

/* By the first thread that comes to it, and that is not the search, as a rule, which renews the heads meanwhile. */
static void change_graph(sgs_crew *c, scanner *w, error_info *err) {
    if (atomic_exchange(&c->has_changer, true))
        return;
    w->result = sgs_state_change(c->state, err);
    if (w->result != STATUS_OK)
        atomic_store(&c->is_over, true);
    atomic_store(&c->is_changed, true);
}

/* --- heads --- */

/* Of a thread's part. */
static size_t first_head(const sgs_crew *c, size_t worker) {
    return worker * c->state->n / c->n_threads;
}

static void look_at_head(sgs_crew *c, scanner *w, size_t head, error_info *err) {
    if (w->result == STATUS_OK && !w->scan.is_expired)
        w->result = sgs_scan_head(&w->scan, c->state, head, err);
}

/* The search counts what it asks for until the rows are listed, and that may be what expires: till then the others do
 * not look. */
static bool is_expired(const sgs_crew *c) {
    return atomic_load(&c->is_listed) && run_context_is_expired(c->state->ctx);
}

/* Only the thread itself raises its count. */
static void count_looked(scanner *w, size_t n) {
    atomic_store(&w->n_looked, atomic_load_explicit(&w->n_looked, memory_order_relaxed) + n);
}

/* But for those that are renewed. */
static void look_at_heads_from(sgs_crew *c, scanner *w, size_t first, size_t end, error_info *err) {
    const sgs_state *s = c->state;
    size_t at = array_count_below(s->renewed, s->n_renewed, first);
    w->scan.is_expired = w->scan.is_expired || is_expired(c);
    for (size_t z = first; z < end; z++) {
        if (at < s->n_renewed && s->renewed[at] == z)
            at++;
        else
            look_at_head(c, w, z, err);
    }
    count_looked(w, end - first);
}

static bool look_at_part(sgs_crew *c, scanner *w, size_t k, error_info *err) {
    scanner *owner = c->scanners[(w->worker + k) % c->n_threads];
    size_t first, end = first_head(c, owner->worker + 1), n_stars = w->scan.n_stars;
    if (!take_some(&owner->next_head, HEAD_BLOCK, end, &first))
        return false;
    look_at_heads_from(c, w, first, end - first < HEAD_BLOCK ? end : first + HEAD_BLOCK, err);
    w->n_listed[k] += w->scan.n_stars - n_stars;
    return true;
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

/* A thread that is alone repairs everything afterwards. */
static bool try_own_star(sgs_crew *c, scanner *w, error_info *err) {
    size_t i;
    if (c->n_threads == 1 || w->result != STATUS_OK || !sees_rows(c, w) || run_context_is_expired(c->state->ctx) ||
        !take_some(&w->next_star, 1, w->scan.n_stars, &i))
        return false;
    w->result = try_star(c, w, w->scan.stars[i], err);
    return true;
}

/* A thread repairs the moves of its own heads before it takes heads of others: they will be there to take their own. */
static bool look_at_some(sgs_crew *c, scanner *w, error_info *err) {
    size_t k = 1;
    if (look_at_part(c, w, 0, err) || try_own_star(c, w, err))
        return true;
    while (k < c->n_threads && !look_at_part(c, w, k, err))
        k++;
    return k < c->n_threads;
}

static bool look_at_renewed(sgs_crew *c, scanner *w, error_info *err) {
    const sgs_state *s = c->state;
    size_t i, n_stars = w->scan.n_stars;
    if (!sees_rows(c, w) || atomic_load(&c->is_over) || !take_some(&c->next_renewed, 1, s->n_renewed, &i))
        return false;
    w->scan.is_expired = w->scan.is_expired || run_context_is_expired_at(s->ctx, i);
    sgs_scan_weigh(s, s->renewed[i]);
    look_at_head(c, w, s->renewed[i], err);
    w->n_listed[c->n_threads] += w->scan.n_stars - n_stars;
    count_looked(w, 1);
    return true;
}

static bool look_at_any(sgs_crew *c, scanner *w, error_info *err) {
    return atomic_load(&c->is_changed) && (look_at_some(c, w, err) || look_at_renewed(c, w, err));
}

/* Until nothing is left to look at, though others may not be done, or the scan is given up. */
static void look_at_heads(sgs_crew *c, scanner *w, error_info *err) {
    size_t n_waits = 0;
    while (!atomic_load(&c->is_over)) {
        bool is_last = sees_rows(c, w) && atomic_load(&c->is_changed);
        if (find_some(c, w, err) || look_at_any(c, w, err))
            n_waits = 0;
        else if (is_last)
            break;
        else
            wait_a_little(n_waits++);
    }
}

static size_t count_all_looked(const sgs_crew *c) {
    size_t n = 0;
    for (size_t k = 0; k < c->n_threads; k++)
        n += atomic_load(&c->scanners[k]->n_looked);
    return n;
}

static void wait_for_heads(const sgs_crew *c) {
    for (size_t i = 0; count_all_looked(c) < c->state->n + c->state->n_renewed; i++)
        wait_a_little(i);
}

/* --- repairs --- */

static bool is_repaired(const sgs_crew *c, const sgs_move *m) {
    return !isnan(repair_memo_list(c->state->repairs, m->to)->stars[m->number].gain);
}

static status try_stars_of(sgs_crew *c, scanner *w, scanner *owner, error_info *err) {
    size_t i;
    while (!run_context_is_expired(c->state->ctx) && take_some(&owner->next_star, 1, owner->scan.n_stars, &i))
        CHECK(try_star(c, w, owner->scan.stars[i], err));
    return STATUS_OK;
}

/* Its own first, for which it waits for nobody; threads that took turns would wait for each other's lines of memory. */
static status try_stars(sgs_crew *c, scanner *w, error_info *err) {
    CHECK(try_stars_of(c, w, w, err));
    wait_for_heads(c);
    for (size_t k = 1; k < c->n_threads; k++)
        CHECK(try_stars_of(c, w, c->scanners[(w->worker + k) % c->n_threads], err));
    return STATUS_OK;
}

static void begin_runs(sgs_crew *c) {
    star_run *run = c->runs;
    for (size_t worker = 0; worker < c->n_threads; worker++) {
        const scanner *w = c->scanners[worker];
        const sgs_move *stars = w->scan.stars;
        for (size_t k = 0; k <= c->n_threads; k++) {
            *run++ = (star_run){stars, stars + w->n_listed[k]};
            stars += w->n_listed[k];
        }
    }
}

/* In the order of heads, over all runs. */
static const sgs_move *next_star(sgs_crew *c) {
    star_run *first = NULL;
    for (size_t k = 0; k < c->n_threads * (c->n_threads + 1); k++) {
        star_run *run = &c->runs[k];
        if (run->next < run->end && (!first || run->next->to < first->next->to))
            first = run;
    }
    return first ? first->next++ : NULL;
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
    begin_runs(c);
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
    change_graph(c, w, err);
    look_at_heads(c, w, err);
    if (w->result != STATUS_OK || c->n_threads == 1 || atomic_load(&c->is_over))
        return w->result;
    return try_stars(c, w, err);
}

static void begin_scanner(const sgs_crew *c, scanner *w) {
    sgs_scan_begin(&w->scan);
    w->n_tried = 0;
    w->row = SGS_NONE;
    w->has_seen_rows = false;
    atomic_store(&w->n_looked, 0);
    w->result = STATUS_OK;
    memset(w->n_listed, 0, (c->n_threads + 1) * sizeof *w->n_listed);
    atomic_store(&w->next_head, first_head(c, w->worker));
    atomic_store(&w->next_star, 0);
}

static void begin(sgs_crew *c, sgs_state *s) {
    c->state = s;
    for (size_t k = 0; k < c->n_threads; k++)
        begin_scanner(c, c->scanners[k]);
    atomic_store(&c->is_listed, false);
    atomic_store(&c->is_changed, s->is_changed);
    atomic_store(&c->has_changer, s->is_changed);
    atomic_store(&c->is_over, false);
    atomic_store(&c->next_row, 0);
    atomic_store(&c->next_renewed, 0);
    atomic_store(&c->n_found, 0);
    c->is_begun = true;
    crew_begin(c->threads, take_part, c);
}

/* Waits for the other threads; `own`: what became of the search's part. */
static status end(sgs_crew *c, status own, error_info *err) {
    error_info others_err = {0};
    status others = crew_end(c->threads, &others_err);
    c->is_begun = false;
    return own == STATUS_OK && others != STATUS_OK ? error_set(err, others, "%s", others_err.message) : own;
}

static status give_up(sgs_crew *c, status own, error_info *err) {
    scanner *w = c->scanners[0];
    change_graph(c, w, own == STATUS_OK ? err : NULL);
    atomic_store(&c->is_over, true);
    return end(c, own == STATUS_OK ? w->result : own, err);
}

status sgs_crew_rest(sgs_crew *c, error_info *err) {
    return c->is_begun ? give_up(c, STATUS_OK, err) : STATUS_OK;
}

status sgs_crew_renew(sgs_crew *c, sgs_state *s, error_info *err) {
    begin(c, s);
    return sgs_state_renew(s, err);
}

static status ask_and_look(sgs_crew *c, sgs_scan *scan, error_info *err) {
    status st = ask_for_rows(c, scan, err);
    if (st != STATUS_OK || scan->is_expired)
        return give_up(c, st, err);
    atomic_store(&c->is_listed, true);
    CHECK(end(c, take_part(c, 0, err), err));
    scan->is_expired = atomic_load(&c->is_over);
    return STATUS_OK;
}

status sgs_crew_scan(sgs_crew *c, sgs_scan *scan, sgs_state *s, error_info *err) {
    if (!c->is_begun)
        begin(c, s);
    sgs_scan_begin(scan);
    scan->is_expired = scan->is_expired || run_context_is_expired(s->ctx);
    CHECK(ask_and_look(c, scan, err));
    if (scan->is_expired)
        return STATUS_OK;
    repair_memo_clear_changes(s->repairs);
    for (size_t k = 0; k < c->n_threads; k++)
        CHECK(sgs_scan_unite(scan, &c->scanners[k]->scan, err));
    CHECK(complete_stars(c, scan, err));
    sgs_scan_end(scan);
    return STATUS_OK;
}
