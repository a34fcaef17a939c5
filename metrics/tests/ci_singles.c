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

/* A task on its way. */
typedef struct {
    ci_test *t;
    single_tests *singles;
    const pair_column *columns;
    const single_pair *pairs; /* by place in the pool */
    const single_run *runs;
    const separation_task *task;
    kind kinds[PAIR_MOST_STATES + 1]; /* by states, where: */
    bool has_kind[PAIR_MOST_STATES];
    double r_x, r_y;
    double shared; /* the least that half of G2 of the pair without condition can be */
    bool has_lanes, is_turned;
    size_t at_known, place; /* among the known columns; of y in the pool */
} walk;

status ci_test_use_lanes(ci_test *t, const pair_tables *tables, error_info *err) {
    AUTO_PTR(single_tests_destroy) single_tests *s = NULL;
    if (!t->is_g2 || t->df == CI_DF_STECK || t->df == CI_DF_SGS)
        return STATUS_OK;
    CHECK(single_tests_create(tables, &s, err));
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

/* Of columns of more states than lanes take it is found each time. */
static const kind *kind_of(walk *w, size_t r_z) {
    bool is_kept = r_z < PAIR_MOST_STATES;
    kind *k = &w->kinds[is_kept ? r_z : PAIR_MOST_STATES];
    if (!is_kept || !w->has_kind[r_z])
        find_kind(w, r_z, k);
    if (is_kept)
        w->has_kind[r_z] = true;
    return k;
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

static status test(walk *w, size_t place, bool *independent, error_info *err) {
    const pair_column *z = &w->columns[w->task->pool[place]];
    single_sum sum;
    bool is_summed = single_tests_sum_leading(w->singles, w->place, place, &sum);
    if (!is_summed)
        CHECK(turn(w, err));
    if (is_summed || (w->has_lanes && single_tests_sum(w->singles, place, &sum))) {
        double critical = ci_test_critical_value(w->t, degrees_of_freedom(w, z, sum.adjusted)) / 2;
        *independent = critical > 0 && sum.value + sum.error < critical * (1 - 1e-9);
        if (*independent || (critical > 0 && sum.value - sum.error > critical * (1 + 1e-9)))
            return STATUS_OK;
    }
    return test_itself(w, w->task->pool[place], independent, err);
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

/* `kinds` are left as they are: to clear them takes as long as some tests. */
static void begin(walk *w, ci_test *t, const separation_task *task, size_t place) {
    w->t = t;
    w->singles = t->singles;
    w->columns = single_tests_columns(t->singles);
    w->pairs = single_tests_pairs(t->singles);
    w->runs = single_tests_runs(t->singles);
    w->task = task;
    memset(w->has_kind, 0, sizeof w->has_kind);
    w->r_x = t->n_states[task->x];
    w->r_y = w->pairs[place].n_states;
    w->shared = w->pairs[place].least;
    w->has_lanes = w->is_turned = false;
    w->at_known = 0;
    w->place = place;
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
            CHECK(visit_each(&w, first, end, out, err));
    }
    return STATUS_OK;
}
