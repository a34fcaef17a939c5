/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dependence by bounds. With I(x;y|S) >= I(x;y|A) - I(x;B|A), where S is A and B: the chain rule gives
 * I(x;y,B|A) = I(x;B|A) + I(x;y|S), and it is at least I(x;y|A). Cover and Thomas 2006, Elements of Information Theory,
 * section 2.5.
 */
#include "metrics/tests/ci_test_internal.h"
#include "core/base/bits.h"
#include "metrics/tests/table_tests.h"

#include <math.h>
#include <string.h>

/* A pair and a set of which a bound is sought. */
typedef struct {
    ci_test *t;
    ci_bounds *shared;
    size_t x, y;
    const size_t *z;
    size_t n_z;
    double most_df, needed; /* a statistic of at least `needed` makes the pair dependent */
    double best;            /* the least that the statistic can be, as far as is known */
    bool is_independent;    /* as a bound from above says */
    bool has_set, has_x;    /* what follows is known; the set with x is */
    set_term all, with_y;   /* the set, alone and with y */
} bound;

/* G2 of n times an information, given in units of the terms. */
static double statistic_of(const bound *b, int64_t information) {
    return 2 * whole_terms_value(&b->t->terms, information);
}

static bool is_recent(const bound *b) {
    const recent_set *r = &b->shared->recent;
    return r->is_set && r->y == b->y && r->n == b->n_z && memcmp(r->z, b->z, r->n * sizeof *r->z) == 0;
}

/* False where the set, or the set with y, is not known. */
static bool turn_to_set(bound *b) {
    recent_set *r = &b->shared->recent;
    set_terms *sets = b->shared->sets;
    if (!is_recent(b)) {
        r->is_set = false;
        if (!set_terms_find(sets, b->z, b->n_z, COUNTS_NO_EXTRA, COUNTS_NO_EXTRA, &r->alone) ||
            !set_terms_find(sets, b->z, b->n_z, COUNTS_NO_EXTRA, b->y, &r->with_y))
            return false;
        memcpy(r->z, b->z, b->n_z * sizeof *r->z);
        r->n = b->n_z;
        r->y = b->y;
        r->is_set = true;
    }
    b->has_set = true;
    b->all = r->alone;
    b->with_y = r->with_y;
    return true;
}

static double configurations(const bound *b) {
    double n = 1;
    for (size_t i = 0; i < b->n_z; i++)
        n *= b->t->n_states[b->z[i]];
    return n;
}

static double df_of_stratum(const bound *b) {
    return (b->t->n_states[b->x] - 1) * (b->t->n_states[b->y] - 1);
}

/* Given a set that is known alone and with y. Adjusted ones are no more than if every stratum had all states of x. */
static double find_most_df(const bound *b) {
    if (b->t->df == CI_DF_FULL || b->t->df == CI_DF_SGS)
        return df_of_stratum(b) * configurations(b);
    if (b->t->df == CI_DF_ADJ)
        return (b->t->n_states[b->x] - 1) * (b->with_y.n_cells - b->all.n_cells);
    return df_of_stratum(b) * b->all.n_cells;
}

/* With so many degrees of freedom at most. */
static void find_needed(bound *b, double most_df) {
    double critical;
    b->most_df = fmax(most_df, 1);
    critical = ci_test_critical_value(b->t, b->most_df);
    b->needed = critical > 0 ? critical * (1 + 1e-6) : INFINITY; /* far beyond the rounding of bounds */
}

static bool is_settled(const bound *b) {
    return b->is_independent || b->best >= b->needed;
}

static void raise(bound *b, double least) {
    b->best = fmax(b->best, least);
}

/* What x and y share without condition. */
static status get_shared(bound *b, int64_t x, int64_t y, int64_t *out, error_info *err) {
    set_term both;
    if (b->y == b->t->focus)
        return ci_bounds_with_focus(b->shared, b->x, b->y, out, err);
    CHECK(set_terms_get(b->shared->sets, &b->y, 1, b->x, &both, err));
    *out = both.sum - x - y + b->shared->none;
    return STATUS_OK;
}

/* Bounds by what x and y share without condition, less what one of them shares with the set. */
static status bound_by_pair(bound *b, error_info *err) {
    set_terms *sets = b->shared->sets;
    set_term with_x;
    int64_t none = b->shared->none, x, y, shared;
    CHECK(set_terms_single(sets, b->x, &x, err));
    CHECK(set_terms_single(sets, b->y, &y, err));
    CHECK(get_shared(b, x, y, &shared, err));
    if (statistic_of(b, shared) < b->needed)
        return STATUS_OK;
    raise(b, statistic_of(b, shared - (b->with_y.sum - y - b->all.sum + none)));
    if (is_settled(b))
        return STATUS_OK;
    b->has_x = set_terms_find(sets, b->z, b->n_z, b->x, COUNTS_NO_EXTRA, &with_x);
    if (b->has_x)
        raise(b, statistic_of(b, shared - (with_x.sum - x - b->all.sum + none)));
    return STATUS_OK;
}

/* The same given one column, by what the column that all tests are about shares with the others. */
static status bound_by_focus(bound *b, error_info *err) {
    int64_t of_x, of_z;
    if (b->n_z != 1 || b->y != b->t->focus)
        return STATUS_OK;
    find_needed(b, df_of_stratum(b) * configurations(b));
    CHECK(ci_bounds_with_focus(b->shared, b->x, b->y, &of_x, err));
    if (statistic_of(b, of_x) < b->needed)
        return STATUS_OK;
    CHECK(ci_bounds_with_focus(b->shared, b->z[0], b->y, &of_z, err));
    raise(b, statistic_of(b, of_x - of_z));
    return STATUS_OK;
}

/* Uses the table of all the columns where another test of them has counted it. */
static status bound_by_cells(bound *b, error_info *err) {
    set_term cells, with_x;
    if (!set_terms_find(b->shared->sets, b->z, b->n_z, b->x, b->y, &cells))
        return STATUS_OK;
    CHECK(set_terms_get(b->shared->sets, b->z, b->n_z, b->x, &with_x, err));
    raise(b, statistic_of(b, cells.sum - with_x.sum - b->with_y.sum + b->all.sum));
    return STATUS_OK;
}

/* The least statistic that is known of the pair given the set but for one. */
static double known_without(bound *b, size_t left_out) {
    ci_test *t = b->t;
    const tuple_value *known;
    size_t n = 0;
    for (size_t i = 0; i < b->n_z; i++) {
        if (i != left_out)
            b->shared->others[n++] = b->z[i];
    }
    known = answer_cache_find(&t->answers, t->key, tuple_key_pair(t->key, b->x, b->y, b->shared->others, n));
    return known ? known->b : -1;
}

/* Bounds by the statistic given the set but for one, less what x or y shares with that one given the rest. */
static status bound_without(bound *b, size_t left_out, error_info *err) {
    set_terms *sets = b->shared->sets;
    const size_t *others = b->shared->others;
    size_t n = b->n_z - 1;
    set_term rest, part, with_x;
    double known = known_without(b, left_out);
    if (known < b->needed)
        return STATUS_OK;
    CHECK(set_terms_get(sets, others, n, COUNTS_NO_EXTRA, &rest, err));
    CHECK(set_terms_get(sets, others, n, b->y, &part, err));
    raise(b, known - statistic_of(b, b->with_y.sum - part.sum - b->all.sum + rest.sum));
    if (is_settled(b))
        return STATUS_OK;
    CHECK(set_terms_get(sets, b->z, b->n_z, b->x, &with_x, err));
    CHECK(set_terms_get(sets, others, n, b->x, &part, err));
    raise(b, known - statistic_of(b, with_x.sum - part.sum - b->all.sum + rest.sum));
    return STATUS_OK;
}

/* The fewest degrees of freedom of a test with a statistic above 0. */
static double least_df(const bound *b) {
    if (b->t->df == CI_DF_FULL)
        return fmax(df_of_stratum(b) * configurations(b), 1);
    return b->t->df == CI_DF_OBSERVED ? fmax(df_of_stratum(b) * b->all.n_cells, 1) : 1;
}

/* Independent, as no more can be shared than what the set leaves open of y: I(x;y|S) <= H(y|S). */
static bool leaves_too_little(const bound *b) {
    double most = statistic_of(b, b->all.sum - b->with_y.sum);
    return most < ci_test_critical_value(b->t, least_df(b)) * (1 - 1e-6);
}

/* So many sets but for one are looked up: more of them settle little and take time. */
enum { TRIES = 2 };

static status find_bound(bound *b, error_info *err) {
    if (!is_recent(b))
        set_terms_expect(b->shared->sets, b->z, b->n_z, b->x, b->y);
    if (!turn_to_set(b))
        return STATUS_OK;
    b->is_independent = leaves_too_little(b);
    if (b->is_independent)
        return STATUS_OK;
    find_needed(b, find_most_df(b));
    CHECK(bound_by_pair(b, err));
    if (!is_settled(b))
        CHECK(bound_by_cells(b, err));
    for (size_t i = 0; b->t->keeps_answers && b->n_z > 1 && i < TRIES && !is_settled(b); i++)
        CHECK(bound_without(b, i, err));
    return STATUS_OK;
}

static verdict of_association(association value) {
    return (verdict){.is_exact = true, .value = value, .least_statistic = value.statistic};
}

static verdict of_dependence(double most_df, double least_statistic) {
    return (verdict){.least_statistic = least_statistic, .most_df = most_df};
}

static verdict of_independence(void) {
    return of_association((association){.is_zero = true});
}

static verdict of_bound(const bound *b) {
    return b->is_independent ? of_independence() : of_dependence(b->most_df, b->best);
}

/* True of a table whose bit vectors are counted in less time than sums of other sets are looked up. */
static bool is_quick_to_count(const ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z) {
    enum { MOST = 1 << 17, FIXED = 1000 }; /* rows read, and what a vector costs in any case */
    double vectors = (t->n_states[x] - 1) * t->n_states[y];
    for (size_t i = 0; i < n_z; i++)
        vectors *= t->n_states[z[i]];
    return vectors * (double)(dataset_row_count(t->data) + FIXED) <= MOST;
}

/* The tail of what is clearly dependent can wait. */
static status measure_anew(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, verdict *out, ci_measurement *m,
                           error_info *err) {
    double critical;
    CHECK(ci_test_measure_table(t, x, y, z, n_z, m, err));
    critical = m->df > 0 ? ci_test_critical_value(t, m->df) : 0;
    if (critical > 0 && m->statistic >= critical * (1 + 1e-9))
        *out = (verdict){.least_statistic = m->statistic, .most_df = m->df, .is_measured = true};
    else
        *out = of_association(ci_test_judge(t, m->statistic, m->df));
    return STATUS_OK;
}

/* The terms of all columns, and of those margins of their table that were not known. */
static void keep_terms(const bound *b, const ci_measurement *m) {
    set_terms *sets = b->shared->sets;
    set_terms_add(sets, b->z, b->n_z, b->x, b->y, &m->cells);
    if (b->n_z > 0 && !b->has_x)
        set_terms_add(sets, b->z, b->n_z, b->x, COUNTS_NO_EXTRA, &m->with_x);
    if (b->n_z == 0 || b->has_set)
        return;
    set_terms_add(sets, b->z, b->n_z, b->y, COUNTS_NO_EXTRA, &m->with_y);
    set_terms_add(sets, b->z, b->n_z, COUNTS_NO_EXTRA, COUNTS_NO_EXTRA, &m->alone);
}

/* An answer that is kept is whole; of others the tail can wait. */
static status count_anew(const bound *b, size_t n_key, verdict *out, error_info *err) {
    ci_measurement m;
    ci_test *t = b->t;
    if (b->shared && !t->keeps_answers) {
        CHECK(measure_anew(t, b->x, b->y, b->z, b->n_z, out, &m, err));
    } else {
        association exact;
        CHECK(ci_test_compute_and_keep(t, n_key, b->x, b->y, b->z, b->n_z, &exact, &m, err));
        *out = of_association(exact);
    }
    if (b->shared && (b->n_z > 0 || !out->value.is_zero)) /* independent pairs are not met again */
        keep_terms(b, &m);
    return STATUS_OK;
}

static tuple_value to_keep(const verdict *v) {
    if (!v->is_exact)
        return (tuple_value){v->most_df, v->least_statistic};
    return (tuple_value){v->value.log_p, v->value.is_zero ? -1 : v->value.statistic};
}

status ci_test_lend_terms(ci_test *t, error_info *err) {
    if (!t->is_g2)
        return STATUS_OK;
    if (!t->bounds)
        CHECK(ci_bounds_create(t->data, &t->terms, t->rows, &t->bounds, err));
    return t->bounds ? set_terms_share(t->bounds->sets, err) : STATUS_OK;
}

status ci_test_borrow_terms(ci_test *t, const ci_test *from, error_info *err) {
    if (!from->bounds || t->bounds)
        return STATUS_OK;
    return ci_bounds_create_beside(from->bounds, t->data, t->rows, &t->bounds, err);
}

static status decide_anew(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, verdict *out, error_info *err) {
    bound b = {.t = t, .x = x, .y = y, .z = z, .n_z = n_z, .needed = INFINITY};
    ci_measurement m;
    bool is_quick = t->is_g2 && n_z > 0 && is_quick_to_count(t, x, y, z, n_z);
    size_t n_key;
    if (t->is_g2 && !t->bounds)
        CHECK(ci_bounds_create(t->data, &t->terms, t->rows, &t->bounds, err));
    b.shared = t->bounds;
    if (b.shared && n_z > 0)
        CHECK(bound_by_focus(&b, err));
    if (b.shared && n_z > 0 && !is_quick && !is_settled(&b))
        CHECK(find_bound(&b, err));
    n_key = tuple_key_pair(t->key, x, y, z, n_z);
    if (!is_settled(&b) && !is_quick)
        return count_anew(&b, n_key, out, err);
    if (is_settled(&b))
        *out = of_bound(&b);
    else
        CHECK(measure_anew(t, x, y, z, n_z, out, &m, err));
    if (t->keeps_answers)
        answer_cache_set(&t->answers, t->key, n_key, to_keep(out));
    return STATUS_OK;
}

status ci_test_decide(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable, verdict *out,
                      error_info *err) {
    const tuple_value *known = NULL;
    if (!ci_test_is_performed(t, x, y, z, n_z, reliable))
        return STATUS_OK;
    if (ci_test_has_surveyed(t, n_z)) {
        ci_test_count(t, n_z, true);
        *out = pair_survey_is_dependent(&t->survey, x, y) ? of_dependence(1, 0) : of_independence();
        return STATUS_OK;
    }
    if (t->keeps_answers)
        known = answer_cache_find(&t->answers, t->key, tuple_key_pair(t->key, x, y, z, n_z));
    ci_test_count(t, n_z, known);
    if (!known)
        return decide_anew(t, x, y, z, n_z, out, err);
    *out = ci_test_is_bound(known) ? of_dependence(known->a, known->b) : of_association(ci_test_unpack(known));
    return STATUS_OK;
}

status ci_test_resolve(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, association *out, error_info *err) {
    size_t n = tuple_key_pair(t->key, x, y, z, n_z);
    const tuple_value *known = t->keeps_answers ? answer_cache_find(&t->answers, t->key, n) : NULL;
    if (!known || ci_test_is_bound(known))
        return ci_test_compute_and_keep(t, n, x, y, z, n_z, out, NULL, err);
    *out = ci_test_unpack(known);
    return STATUS_OK;
}

/* Are there rows for a test of the pair? A survey of an evaluator is made where there are. */
static inline bool has_rows_for_pair(const ci_test *t, size_t x, size_t y) {
    return t->evaluator || ci_test_has_rows_for(t, t->n_states[x] * t->n_states[y]);
}

size_t ci_test_screen(ci_test *t, size_t target, const size_t *columns, size_t n_columns, size_t *left) {
    bool is_open_to_all = ci_test_has_rows_for_pairs(t);
    const uint64_t *row = ci_test_has_surveyed(t, 0) ? survey_rows_find(&t->surveyed, &t->survey, target) : NULL;
    const uint32_t *places = t->survey.places;
    size_t n_left = 0;
    if (!row) {
        memmove(left, columns, n_columns * sizeof *left);
        return n_columns;
    }
    for (size_t i = 0; i < n_columns; i++) {
        size_t column = columns[i];
        left[n_left] = column;
        n_left += bits_have(row, places[column]) || (!is_open_to_all && !has_rows_for_pair(t, target, column));
    }
    t->tally->requests += n_columns - n_left;
    return n_left;
}

bool ci_test_may_depend(const ci_test *t, size_t x, size_t y) {
    return !ci_test_has_surveyed(t, 0) || pair_survey_is_dependent(&t->survey, x, y);
}

size_t ci_test_count_dependent(ci_test *t, size_t x) {
    const uint64_t *row = ci_test_has_surveyed(t, 0) ? survey_rows_find(&t->surveyed, &t->survey, x) : NULL;
    size_t n = 0;
    if (!row)
        return dataset_column_count(t->data) - 1;
    for (size_t block = 0; block < t->survey.n_blocks; block++)
        n += (size_t)__builtin_popcountll(row[block]);
    return n;
}

bool ci_test_repeat(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z) {
    bool reliable;
    if (ci_test_is_performed(t, x, y, z, n_z, &reliable))
        t->tally->requests++;
    return reliable;
}

static status decide(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable, verdict *out,
                     error_info *err) {
    return ci_test_decide(self, x, y, z, n_z, reliable, out, err);
}

static status resolve(void *self, size_t x, size_t y, const size_t *z, size_t n_z, association *out, error_info *err) {
    return ci_test_resolve(self, x, y, z, n_z, out, err);
}

static void attend(void *self, const size_t *columns, size_t n_columns) {
    ci_test_attend(self, columns, n_columns);
}

static void release(void *self, const later_tests *later) {
    ci_test_release(self, later);
}

static status separate(void *self, const separation_task *task, separation *out, error_info *err) {
    return ci_test_separate(self, task, out, err);
}

static size_t screen(void *self, size_t target, const size_t *columns, size_t n_columns, size_t *left) {
    return ci_test_screen(self, target, columns, n_columns, left);
}

static bool repeat(void *self, size_t x, size_t y, const size_t *z, size_t n_z) {
    return ci_test_repeat(self, x, y, z, n_z);
}

static status expect(void *self, size_t target, const size_t *members, size_t n_members, size_t most, bool is_certain,
                     error_info *err) {
    return ci_test_expect(self, target, members, n_members, most, is_certain, err);
}

static bool can_expect(const void *self, size_t target, const size_t *members, size_t n_members, size_t most) {
    return ci_test_can_expect(self, target, members, n_members, most);
}

static bool expects_later(const void *self) {
    return ci_test_expects_later(self);
}

static void expect_as(void *self, const void *other) {
    ci_test_expect_as(self, other);
}

static bool depends_always(void *self, size_t member, uint64_t others, size_t n_given) {
    return ci_test_depends_always(self, member, others, n_given);
}

static bool depends(void *self, size_t member, uint64_t given, verdict *out) {
    return ci_test_depends(self, member, given, out);
}

static void tally(void *self, uint64_t n_asked, uint64_t n_new) {
    ci_test_tally(self, n_asked, n_new);
}

static void share(void *self, work_sharing sharing) {
    ci_test_share(self, sharing);
}

static bool may_depend(void *self, size_t x, size_t y) {
    return ci_test_may_depend(self, x, y);
}

static size_t count_dependent(void *self, size_t x) {
    return ci_test_count_dependent(self, x);
}

static void approach(const void *self, size_t column) {
    ci_test_approach(self, column);
}

decision_source ci_test_as_decisions(ci_test *t) {
    return (decision_source){.self = t,
                             .decide = decide,
                             .resolve = resolve,
                             .attend = attend,
                             .approach = approach,
                             .release = release,
                             .separate = separate,
                             .most_separated = ci_test_most_separated(t),
                             .screen = screen,
                             .repeat = repeat,
                             .expect = expect,
                             .can_expect = can_expect,
                             .expects_later = expects_later,
                             .expect_as = expect_as,
                             .depends_always = depends_always,
                             .depends = depends,
                             .tally = tally,
                             .may_depend = may_depend,
                             .count_dependent = count_dependent,
                             .share = share};
}
