/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that wait take part in the work of another, whose pieces are so short that it often ends before they begin.
 */
#include "tests/support/support.h"

#include "core/run/shared_work.h"
#include "core/run/spin.h"

#include <stdatomic.h>
#include <string.h>

enum { N_PIECES = 20000, N_PARTS = 4, N_HELPERS = 3, OWNER = N_HELPERS + 1 /* the owner's number */ };

typedef struct {
    atomic_size_t n_taken;
    atomic_size_t done[N_PARTS], joined[OWNER + 2]; /* the last: of a worker that cannot be */
    bool others_fail;
} pile;

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t change;
    shared_work piece;
    bool is_over;
    size_t n_threads, n_left_out; /* of the free ones */
} hall;

static status take(void *self, size_t worker, error_info *err) {
    pile *p = self;
    size_t i;
    atomic_fetch_add(&p->joined[worker <= OWNER ? worker : OWNER + 1], 1);
    while ((i = atomic_fetch_add(&p->n_taken, 1)) < N_PARTS)
        atomic_fetch_add(&p->done[i], 1);
    if (p->others_fail && worker > 0)
        return error_set(err, STATUS_INVALID, "worker %zu", worker);
    return STATUS_OK;
}

typedef struct {
    hall *in;
    size_t n_asked;
} visitor;

/* Who is asked again is free. */
static bool is_hall_closed(void *self) {
    visitor *v = self;
    hall *h = v->in;
    h->n_left_out += v->n_asked++ > 0 && atomic_load(&h->piece.n_free) == 0;
    return h->is_over;
}

/* One of the threads comes and goes. */
static void *help(void *self) {
    hall *h = self;
    visitor v = {.in = h};
    shared_guest g = {{0}};
    size_t number;
    (void)pthread_mutex_lock(&h->lock);
    number = ++h->n_threads;
    if (number > 1)
        shared_work_take_part_until(&h->piece, number, is_hall_closed, &v);
    while (!h->is_over)
        shared_work_visit(&h->piece, number, &g);
    (void)pthread_mutex_unlock(&h->lock);
    return NULL;
}

static void open_hall(hall *h, pthread_t *helpers) {
    *h = (hall){.piece = {.lock = &h->lock, .change = &h->change}};
    (void)pthread_mutex_init(&h->lock, NULL);
    (void)pthread_cond_init(&h->change, NULL);
    for (size_t i = 0; i < N_HELPERS; i++)
        assert_int_equal(pthread_create(&helpers[i], NULL, help, h), 0);
}

static void close_hall(hall *h, const pthread_t *helpers) {
    (void)pthread_mutex_lock(&h->lock);
    h->is_over = true;
    shared_work_tell(&h->piece);
    (void)pthread_mutex_unlock(&h->lock);
    for (size_t i = 0; i < N_HELPERS; i++)
        (void)pthread_join(helpers[i], NULL);
    (void)pthread_cond_destroy(&h->change);
    (void)pthread_mutex_destroy(&h->lock);
}

static size_t done_once(const pile *p) {
    size_t n = 0;
    for (size_t i = 0; i < N_PARTS; i++)
        n += p->done[i] == 1;
    return n;
}

static void every_part_of_every_piece_is_done_once(void **state) {
    pthread_t helpers[N_HELPERS];
    error_info err = {0};
    size_t joined = 0;
    hall h;
    (void)state;
    open_hall(&h, helpers);
    for (size_t i = 0; i < N_PIECES || joined == 0; i++) {
        pile p = {0};
        assert_ok(shared_work_run(&h.piece, OWNER, take, &p, &err), &err);
        assert_int_equal(done_once(&p), N_PARTS);
        for (size_t worker = 0; worker <= N_HELPERS; worker++)
            assert_true(p.joined[worker] <= 1); /* the numbers of those at a piece differ */
        assert_int_equal(p.joined[0], 1);
        assert_int_equal(p.joined[OWNER] + p.joined[OWNER + 1], 0);
        for (size_t worker = 1; worker <= N_HELPERS; worker++)
            joined += p.joined[worker];
    }
    close_hall(&h, helpers);
    assert_int_equal(h.n_left_out, 0);
    assert_int_equal(atomic_load(&h.piece.n_free), 0);
}

static void a_failure_of_those_who_took_part_is_told(void **state) {
    pthread_t helpers[N_HELPERS];
    size_t n_told = 0;
    hall h;
    (void)state;
    open_hall(&h, helpers);
    for (size_t i = 0; i < N_PIECES || n_told == 0; i++) {
        error_info err = {0};
        pile p = {.others_fail = true};
        status st = shared_work_run(&h.piece, OWNER, take, &p, &err);
        assert_int_equal(st, p.joined[1] || p.joined[2] || p.joined[3] ? STATUS_INVALID : STATUS_OK);
        assert_true(st == STATUS_OK || strncmp(err.message, "worker ", 7) == 0);
        n_told += st != STATUS_OK;
    }
    close_hall(&h, helpers);
}

static void assert_done_alone(const pile *p) {
    assert_int_equal(done_once(p), N_PARTS);
    for (size_t number = 1; number <= OWNER; number++)
        assert_int_equal(p->joined[number], 0);
}

/* A second piece, and one within another piece than the present one. */
static status share_again(void *self, size_t worker, error_info *err) {
    hall *h = self;
    pile second = {0}, within = {0};
    if (worker > 0)
        return STATUS_OK;
    CHECK(shared_work_run(&h->piece, OWNER, take, &second, err));
    assert_done_alone(&second);
    CHECK(shared_work_run_within(&h->piece, &second, take, &within, err));
    assert_done_alone(&within);
    return STATUS_OK;
}

static void a_second_piece_runs_alone(void **state) {
    pthread_t helpers[N_HELPERS];
    error_info err = {0};
    hall h;
    (void)state;
    open_hall(&h, helpers);
    for (size_t i = 0; i < 100; i++)
        assert_ok(shared_work_run(&h.piece, OWNER, share_again, &h, &err), &err);
    close_hall(&h, helpers);
}

/* A piece of which one helper shares its part. */
typedef struct {
    hall *at;
    atomic_bool is_joined;
    pile within;
} long_piece;

static bool has_joined(const pile *p, size_t first, size_t last) {
    size_t n = 0;
    for (size_t number = first; number <= last; number++)
        n += p->joined[number];
    return n > 0;
}

/* The part of a helper is not over before the piece's owner has taken part in it. */
static status take_with_owner(void *self, size_t worker, error_info *err) {
    pile *p = self;
    CHECK(take(p, worker, err));
    while (worker == 0 && !has_joined(p, OWNER, OWNER))
        spin_pause();
    return STATUS_OK;
}

static status share_part(void *self, size_t worker, error_info *err) {
    long_piece *l = self;
    while (worker == 0 && !atomic_load(&l->is_joined))
        spin_pause();
    if (worker == 0 || atomic_exchange(&l->is_joined, true))
        return STATUS_OK;
    return shared_work_run_within(&l->at->piece, l, take_with_owner, &l->within, err);
}

static void who_waits_takes_part_in_what_is_shared_within(void **state) {
    pthread_t helpers[N_HELPERS];
    error_info err = {0};
    size_t n_others = 0;
    hall h;
    (void)state;
    open_hall(&h, helpers);
    for (size_t i = 0; i < 1000 || n_others == 0; i++) {
        long_piece l = {.at = &h};
        assert_ok(shared_work_run(&h.piece, OWNER, share_part, &l, &err), &err);
        assert_int_equal(done_once(&l.within), N_PARTS);
        assert_int_equal(l.within.joined[0], 1);
        assert_int_equal(l.within.joined[OWNER], 1);
        n_others += has_joined(&l.within, 1, N_HELPERS); /* those who have nothing to do take part as well */
    }
    close_hall(&h, helpers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_of_every_piece_is_done_once),
        cmocka_unit_test(a_failure_of_those_who_took_part_is_told),
        cmocka_unit_test(a_second_piece_runs_alone),
        cmocka_unit_test(who_waits_takes_part_in_what_is_shared_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
