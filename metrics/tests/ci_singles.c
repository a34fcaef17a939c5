/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tests of a separation_task given single columns. Most are told by I(x;y|z) >= I(x;y) - I(x;z) (see ci_decide.c),
 * the others by rounded sums of many columns z side by side, and what those leave open by the test itself.
 */
#include "metrics/tests/ci_test_internal.h"
#include "metrics/tests/single_tests.h"
#include "metrics/tests/table_tests.h"

#include <math.h>
#include <string.h>

/* What tests given a column of so many states have in common, of one pair. */
typedef struct {
    bool is_asked, is_reliable;
    double needed; /* half of a statistic that makes the pair dependent, if not less than that */
} kind;

/* By the states of y. */
typedef struct {
    kind of[PAIR_MOST_STATES + 1]; /* by states of z; the last: of more than lanes take, found each time */
    bool is_known[PAIR_MOST_STATES];
} kinds_of_pair;

struct single_kinds {
    size_t x;
    double least_cells;
    kinds_of_pair pairs[PAIR_MOST_STATES + 1];
};

/* A task on its way. */
typedef struct {
    ci_test *t;
    single_tests *singles;
    const pair_column *columns;
    const single_pair *pairs; /* by place in the pool */
    const single_run *runs;
    const separation_task *task;
    kinds_of_pair *kinds;
    double r_x, r_y;
    double shared; /* the least that half of G2 of the pair without condition can be */
    bool has_lanes, is_turned;
    uint16_t *told; /* by run, a bit a place given whose column the pair is known to be dependent, or is not asked */
    leading_finding led;
    size_t at_known, place; /* among the known columns; of y in the pool */
} walk;

status ci_test_use_lanes(ci_test *t, const pair_tables *tables, error_info *err) {
    AUTO_PTR(single_tests_destroy) single_tests *s = NULL;
    if (!t->is_g2 || t->df == CI_DF_STECK || t->df == CI_DF_SGS)
        return STATUS_OK;
    CHECK(single_tests_create(tables, &s, err));
    if (!t->kinds)
        CHECK_ALLOC(t->kinds = calloc(1, sizeof *t->kinds));
    single_tests_destroy(t->singles);
    t->singles = TAKE(s);
    return STATUS_OK;
}

static void find_kind(walk *w, size_t r_z, kind *k) {
    double r = (double)r_z, critical;
    k->is_asked = ci_test_has_rows_for(w->t, w->task->least_cells * r);
    k->is_reliable = ci_test_has_rows_for(w->t, w->r_x * w->r_y * r);
    critical = ci_test_critical_value(w->t, fmax((w->r_x - 1) * (w->r_y - 1) * r, 1));
    k->needed = critical > 0 ? critical / 2 * (1 + 1e-6) : INFINITY;
}

static const kind *kind_of(walk *w, size_t r_z) {
    bool is_kept = r_z < PAIR_MOST_STATES;
    kind *k = &w->kinds->of[is_kept ? r_z : PAIR_MOST_STATES];
    if (!is_kept || !w->kinds->is_known[r_z])
        find_kind(w, r_z, k);
    if (is_kept)
        w->kinds->is_known[r_z] = true;
    return k;
}

/* Those of a pair, which are the same for all that have the same x and other ends of as many states. */
static kinds_of_pair *find_kinds(struct single_kinds *k, const separation_task *task, size_t r_y) {
    if (k->x != task->x || k->least_cells != task->least_cells) {
        for (size_t r = 0; r <= PAIR_MOST_STATES; r++)
            memset(k->pairs[r].is_known, 0, sizeof k->pairs[r].is_known);
        k->x = task->x;
        k->least_cells = task->least_cells;
    }
    return &k->pairs[r_y];
}

/* The known columns go by in the order of the pool. */
static bool was_asked(walk *w, size_t z) {
    const separation_task *task = w->task;
    while (w->at_known < task->n_known && task->known[w->at_known] < z)
        w->at_known++;
    return w->at_known < task->n_known && task->known[w->at_known] == z;
}

/* Makes the cells of the pair, once; there are no lanes where it has too many. */
static status turn(walk *w, error_info *err) {
    counts_base base;
    if (w->is_turned)
        return STATUS_OK;
    CHECK(counts_get_base(w->t->counts, w->task->x, &w->task->y, 1, &base, err));
    w->has_lanes = single_tests_turn(w->singles, w->task->y, &base);
    w->is_turned = true;
    return STATUS_OK;
}

static double degrees_of_freedom(const walk *w, const pair_column *z, size_t adjusted) {
    double df = (double)adjusted, full = (w->r_x - 1) * (w->r_y - 1);
    if (w->t->df == CI_DF_FULL)
        df = full * (double)z->n_states;
    if (w->t->df == CI_DF_OBSERVED)
        df = full * (double)ci_test_margin(w->t, z->margin, z->n_states).n_seen;
    return fmax(df, 1);
}

static status test_itself(walk *w, size_t z, bool *independent, error_info *err) {
    ci_measurement m;
    w->is_turned = false; /* the cells are those of another base afterwards */
    CHECK(ci_test_measure_table(w->t, w->task->y, w->task->x, &z, 1, &m, err));
    *independent = ci_test_judge(w->t, m.statistic, m.df).is_zero;
    return STATUS_OK;
}

/* Half of the statistic that a pair given z has to reach; 0 where it is not tabulated. */
static double limit_of(walk *w, const pair_column *z, size_t adjusted) {
    return ci_test_critical_value(w->t, degrees_of_freedom(w, z, adjusted)) / 2;
}

static bool is_below(double limit, double sum, double error) {
    return limit > 0 && sum + error < limit * (1 - 1e-9);
}

static bool is_above(double limit, double sum, double error) {
    return limit > 0 && sum - error > limit * (1 + 1e-9);
}

/* What a test says, as far as it is known. */
typedef enum { OPEN, INDEPENDENT, DEPENDENT } finding;

static finding judge(walk *w, size_t place, double sum, double error, size_t adjusted) {
    double limit = limit_of(w, &w->columns[w->task->pool[place]], adjusted);
    return is_below(limit, sum, error) ? INDEPENDENT : is_above(limit, sum, error) ? DEPENDENT : OPEN;
}

static void tell(walk *w, size_t place) {
    w->told[place / SINGLE_RUN] |= (uint16_t)(1U << place % SINGLE_RUN);
}

static const float *get_limits(void *self, size_t r_x, size_t r_y, size_t r_z) {
    return ci_test_limits(self, (r_x - 1) * (r_y - 1) * r_z);
}

/* Tells all places of a tile given whose columns the pair is clearly dependent. */
static void tell_tile(walk *w, const single_tile *tile) {
    const float *limits = get_limits(w->t, (size_t)w->r_x, (size_t)w->r_y, tile->block->n_states);
    uint32_t above;
    if (!limits || tile->n_lanes < PAIR_BLOCK_TILE)
        return;
    above = pair_block_above(tile->block, tile->sums, tile->own, limits, tile->adjusted, (float)tile->error);
    for (; above; above &= above - 1)
        tell(w, tile->places[__builtin_ctz(above)]);
}

static finding judge_lane(walk *w, size_t place, const single_tile *tile) {
    size_t i = tile->lane;
    if (tile->is_new)
        tell_tile(w, tile);
    return judge(w, place, (double)tile->sums[i] - (double)tile->own[i], tile->error, tile->adjusted[i]);
}

static status look(walk *w, size_t place, finding *out, error_info *err) {
    single_tile tile;
    *out = OPEN;
    if (place < w->led.n_done) {
        *out = w->led.told >> place & 1 ? DEPENDENT : OPEN;
        return STATUS_OK;
    }
    if (place == w->led.n_done && w->led.is_separated) {
        *out = INDEPENDENT;
        return STATUS_OK;
    }
    CHECK(turn(w, err));
    if (w->has_lanes && single_tests_sum(w->singles, place, &tile))
        *out = judge_lane(w, place, &tile);
    return STATUS_OK;
}

static status test(walk *w, size_t place, bool *independent, error_info *err) {
    finding f;
    CHECK(look(w, place, &f, err));
    *independent = f == INDEPENDENT;
    return f == OPEN ? test_itself(w, w->task->pool[place], independent, err) : STATUS_OK;
}

/* The pair given one column of the pool. */
static status visit(walk *w, size_t place, separation *out, error_info *err) {
    size_t z = w->task->pool[place];
    const kind *k = kind_of(w, w->pairs[place].n_states);
    statistics_count *tally = w->t->tally;
    if (!k->is_asked)
        return STATUS_OK;
    tally->skipped += !k->is_reliable;
    tally->requests += k->is_reliable;
    if (!k->is_reliable)
        return STATUS_OK;
    out->is_performed = true;
    if (was_asked(w, z))
        return STATUS_OK;
    tally->computed++;
    if (w->shared - w->pairs[place].most >= k->needed)
        return STATUS_OK;
    CHECK(test(w, place, &out->is_found, err));
    if (out->is_found)
        out->z[0] = z;
    return STATUS_OK;
}

/* --- many columns at once --- */

/* Do columns of these numbers of states leave the pair dependent, all in tests that are asked, as they share so little
 * with x? */
static bool is_dependent_given(walk *w, const single_run *run) {
    for (uint64_t left = run->states; left; left &= left - 1) {
        const kind *k = kind_of(w, (size_t)__builtin_ctzll(left));
        if (!k->is_asked || !k->is_reliable || !(w->shared - run->most >= k->needed))
            return false;
    }
    return true;
}

/* Of the pool's columns from `first` to `last`. */
static size_t count_asked(walk *w, size_t first, size_t last) {
    const separation_task *task = w->task;
    size_t n = was_asked(w, first); /* goes by those before it */
    w->at_known += n;
    for (; w->at_known < task->n_known && task->known[w->at_known] <= last; w->at_known++)
        n += single_tests_has(w->singles, task->known[w->at_known]);
    return n;
}

/* The columns of a run, without a look at each. False: they have to be visited. */
static bool pass(walk *w, size_t first, size_t end, separation *out) {
    const single_run *run = &w->runs[first / SINGLE_RUN];
    statistics_count *tally = w->t->tally;
    if ((first <= w->place && w->place < end) || !(w->shared > run->most) || !is_dependent_given(w, run))
        return false;
    out->is_performed = true;
    tally->requests += end - first;
    tally->computed += end - first - count_asked(w, w->task->pool[first], w->task->pool[end - 1]);
    return true;
}

static status visit_each(walk *w, size_t first, size_t end, separation *out, error_info *err) {
    for (size_t i = first; i < end && !out->is_found; i++) {
        if (i != w->place)
            CHECK(visit(w, i, out, err));
    }
    return STATUS_OK;
}

/* Are all tests of a run asked, and none was before? */
static bool are_asked(walk *w, const single_run *run) {
    if (w->task->n_known > 0 || isinf(run->most))
        return false;
    for (uint64_t left = run->states; left; left &= left - 1) {
        const kind *k = kind_of(w, (size_t)__builtin_ctzll(left));
        if (!k->is_asked || !k->is_reliable)
            return false;
    }
    return true;
}

static bool is_bounded(const walk *w, size_t place) {
    return w->shared - w->pairs[place].most >= w->kinds->of[w->pairs[place].n_states].needed;
}

/* Those places of a run that are not told. `*end` becomes the place after the one that is found. */
static status visit_untold(walk *w, size_t first, size_t *end, bool *is_found, error_info *err) {
    const uint16_t *told = &w->told[first / SINGLE_RUN];
    unsigned left = ((1U << (*end - first)) - 1) & ~(unsigned)*told;
    while (left && !*is_found) {
        size_t place = first + (size_t)__builtin_ctz(left);
        left &= left - 1;
        if (!is_bounded(w, place))
            CHECK(test(w, place, is_found, err));
        if (*is_found)
            *end = place + 1;
        left &= ~(unsigned)*told;
    }
    return STATUS_OK;
}

/* Where all tests of the run are asked, they are counted at once. */
static status visit_run(walk *w, size_t first, size_t end, separation *out, error_info *err) {
    statistics_count *tally = w->t->tally;
    size_t n;
    if (!are_asked(w, &w->runs[first / SINGLE_RUN]))
        return visit_each(w, first, end, out, err);
    CHECK(visit_untold(w, first, &end, &out->is_found, err));
    if (out->is_found)
        out->z[0] = w->task->pool[end - 1];
    n = end - first - (first <= w->place && w->place < end);
    tally->requests += n;
    tally->computed += n;
    out->is_performed = out->is_performed || n > 0;
    return STATUS_OK;
}

static void begin(walk *w, ci_test *t, const separation_task *task, size_t place) {
    single_limits limits = {t, get_limits};
    w->t = t;
    w->singles = t->singles;
    w->columns = single_tests_columns(t->singles);
    w->pairs = single_tests_pairs(t->singles);
    w->runs = single_tests_runs(t->singles);
    w->task = task;
    w->kinds = find_kinds(t->kinds, task, w->pairs[place].n_states);
    w->r_x = t->n_states[task->x];
    w->r_y = w->pairs[place].n_states;
    w->shared = w->pairs[place].least;
    w->has_lanes = w->is_turned = false;
    w->at_known = 0;
    w->place = place;
    w->led = task->y > task->x ? single_tests_lead(t->singles, &limits)[place] : (leading_finding){0};
    w->told = single_tests_marks(t->singles);
    memset(w->told, 0, (task->n_pool / SINGLE_RUN + 1) * sizeof *w->told);
    w->told[0] = w->led.told;
    tell(w, place);
}

status ci_singles_separate(ci_test *t, const separation_task *task, separation *out, error_info *err) {
    single_tests *s = t->singles;
    walk w;
    size_t place;
    out->is_answered = out->is_found = out->is_performed = false;
    if (t->keeps_answers || task->least_cells == 0 || !single_tests_are_about(s, task->x, task->pool, task->n_pool) ||
        !single_tests_find(s, task->y, &place) || !single_tests_pairs(s)[place].has_bits)
        return STATUS_OK;
    begin(&w, t, task, place);
    out->is_answered = true;
    for (size_t first = 0; first < task->n_pool && !out->is_found; first += SINGLE_RUN) {
        size_t end = task->n_pool - first > SINGLE_RUN ? first + SINGLE_RUN : task->n_pool;
        if (task->is_expired(task->clock))
            break;
        if (!pass(&w, first, end, out))
            CHECK(visit_run(&w, first, end, out, err));
    }
    return STATUS_OK;
}
