/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set is decided by r^2 from one elimination of each of its members. Two roundings of r differ by some |K| |E|, where
 * K is the inverse of the correlations of all the columns and E (below 1e-13) what elimination adds to them: the trace
 * of K, or the determinant, tells which columns are too close to collinear for that.
 */
#include "metrics/tests/separation_search_internal.h"

#include "core/base/array.h"
#include "core/base/hash.h"
#include "metrics/numerics/conditioned_pair_internal.h"
#include "metrics/numerics/set_count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double margin = 1e-8, /* of a correlation about the critical one: beyond rounding, where: */
    most_trace = 1e4,              /* of the inverse; or else */
    least_determinant = 1e-4;      /* which times 1/e is below every eigenvalue of a matrix of correlations */
enum {
    FEW_SETS = 512,      /* so many are looked at one after the other */
    MOST_BRANCHED = 128, /* pools for whose branches there is memory */
    SETS_A_BRANCH = 100
}; /* looking at so many takes as long as a branch */

/* Squares of the correlations at which one is surely dependent, surely not; negative: not yet known. */
typedef struct {
    double dependent, independent;
} critical_squares;

struct separation_search {
    const gaussian_moments *moments;
    correlation_rule rule;
    critical_squares *critical; /* by size */
    hash_table places;          /* of pairs, by x and y, of which is known: */
    size_t *least_sizes;        /* of sets that could make it independent */
    size_t n_pairs, pairs_capacity;

    /* x and a pool */
    size_t x, n_pool;
    size_t *pool;
    double *correlations, *inverse; /* of the pool, and x last: (n_pool + 1)^2 */
    bool has_correlations, has_inverse;
    size_t matrix_capacity;
    double slack; /* what rounding adds to a ratio of variances, at most; infinite: the inverse is of no use */

    /* a branch with those that it comes from: `n_made` have their memory */
    conditioned_pair *branches;
    size_t n_made, widest;  /* candidates that the first has room for */
    size_t *given, n_given; /* columns */
    size_t *sorted;
    double *rest; /* room for three rows of a pool */

    const separation_task *task;
    size_t least, most; /* sizes that are looked for */
    uint64_t n_left;    /* branches that may be opened */
    bool is_exhausted, is_expired;
};

static void free_branches(separation_search *s) {
    for (size_t i = 0; i < s->n_made; i++) {
        free(s->branches[i].candidates);
        free(s->branches[i].left);
        free(s->branches[i].precision);
    }
    free(s->branches);
    s->branches = NULL;
    s->n_made = s->widest = 0;
}

void separation_search_destroy(separation_search *s) {
    if (!s)
        return;
    free_branches(s);
    hash_table_clear(&s->places);
    free(s->least_sizes);
    free(s->critical);
    free(s->pool);
    free(s->correlations);
    free(s->inverse);
    free(s->given);
    free(s->sorted);
    free(s->rest);
    free(s);
}

status separation_search_create(const gaussian_moments *moments, const correlation_rule *rule, separation_search **out,
                                error_info *err) {
    size_t p = gaussian_moments_column_count(moments);
    AUTO_PTR(separation_search_destroy) separation_search *s = NULL;
    CHECK_ALLOC(s = calloc(1, sizeof *s));
    s->moments = moments;
    s->rule = *rule;
    CHECK_ALLOC(s->critical = calloc(p + 1, sizeof *s->critical));
    CHECK_ALLOC(s->pool = calloc(p + 1, sizeof *s->pool));
    CHECK_ALLOC(s->given = calloc(p + 1, sizeof *s->given));
    CHECK_ALLOC(s->sorted = calloc(p + 1, sizeof *s->sorted));
    CHECK_ALLOC(s->rest = calloc(p + 1, 3 * sizeof *s->rest));
    for (size_t i = 0; i <= p; i++)
        s->critical[i].dependent = -1;
    *out = TAKE(s);
    return STATUS_OK;
}

/* --- one set --- */

static double square(double r) {
    return r * r;
}

/* By halving: the rule is monotone but for rounding, which the margin covers. */
static critical_squares find_critical(separation_search *s, size_t n_z) {
    double below = 0, above = 1;
    if (!s->rule.is_dependent_at(s->rule.self, 1 - 1e-12, n_z))
        return (critical_squares){INFINITY, INFINITY};
    for (int i = 0; i < 60; i++) {
        double r = (below + above) / 2;
        *(s->rule.is_dependent_at(s->rule.self, r, n_z) ? &above : &below) = r;
    }
    return (critical_squares){square(above + margin), square(fmax(below - margin, 0))};
}

static critical_squares critical_for(separation_search *s, size_t n_z) {
    if (s->critical[n_z].dependent < 0)
        s->critical[n_z] = find_critical(s, n_z);
    return s->critical[n_z];
}

static int compare_columns(const void *a, const void *b) {
    const size_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* What the test itself says of the columns that are given and n more, and leaves the set in `sorted`. */
static status ask(separation_search *s, const size_t *more, size_t n, bool *independent, error_info *err) {
    size_t n_z = s->n_given + n;
    bool dependent = true;
    memcpy(s->sorted, s->given, s->n_given * sizeof *s->sorted);
    if (n > 0)
        memcpy(s->sorted + s->n_given, more, n * sizeof *s->sorted);
    qsort(s->sorted, n_z, sizeof *s->sorted, compare_columns);
    CHECK(s->rule.is_dependent(s->rule.self, s->task->x, s->task->y, s->sorted, n_z, &dependent, err));
    *independent = !dependent;
    return STATUS_OK;
}

static bool is_expired(separation_search *s) {
    s->is_expired = s->is_expired || s->task->is_expired(s->task->clock);
    return s->is_expired;
}

/* --- one set after the other --- */

/* Products and variances of x, y and a candidate c, given what the row before gives. */
typedef struct {
    double xx, xy, yy;
    const double *x, *y; /* by candidate, as is: */
    const double *own;   /* the candidate's variance, `stride` apart */
    size_t stride;
    bool is_safe; /* else the determinant must say so of each set */
} last_row;

/* The first candidate from `first` on that makes the pair independent; n where none does. */
static status find_last(separation_search *s, const last_row *row, const size_t *candidates, size_t first, size_t n,
                        size_t *out, error_info *err) {
    critical_squares limit = critical_for(s, s->n_given + 1);
    for (size_t i = first; i < n; i++) {
        double own = row->own[i * row->stride], x = row->x[i], y = row->y[i];
        double product = square(row->xy * own - x * y), variances = (row->xx * own - x * x) * (row->yy * own - y * y);
        bool independent = product < limit.independent * variances;
        bool safe = row->is_safe || variances >= least_determinant * own;
        if (safe && product > limit.dependent * variances)
            continue;
        if (!safe || !independent)
            CHECK(ask(s, candidates + i, 1, &independent, err));
        if (independent) {
            *out = i;
            return STATUS_OK;
        }
    }
    *out = n;
    return STATUS_OK;
}

static bool is_globally_safe(const separation_search *s) {
    return s->has_inverse && s->slack < INFINITY;
}

static status find_single(separation_search *s, const conditioned_pair *b, bool *found, error_info *err) {
    size_t w = b->n + PAIR_FIRST, at;
    last_row row = {b->left[PAIR_X],
                    b->left[PAIR_Y],
                    b->left[w + PAIR_Y],
                    b->left + PAIR_FIRST,
                    b->left + w + PAIR_FIRST,
                    b->left + PAIR_FIRST * (w + 1),
                    w + 1,
                    is_globally_safe(s)};
    CHECK(find_last(s, &row, b->candidates, 0, b->n, &at, err));
    *found = at < b->n;
    if (*found)
        s->given[s->n_given++] = b->candidates[at];
    return STATUS_OK;
}

/* The last two of a set: what the first of them leaves of x, y and the candidates after it, and no more. */
static status find_two(separation_search *s, const conditioned_pair *b, bool *found, error_info *err) {
    size_t w = b->n + PAIR_FIRST, n = b->n, at;
    const double *x = b->left + PAIR_FIRST, *y = x + w;
    double *rest_x = s->rest, *rest_y = rest_x + n, *own = rest_y + n;
    for (size_t i = 0; i + 1 < n && !is_expired(s); i++) {
        const double *v = b->left + (PAIR_FIRST + i) * w + PAIR_FIRST;
        double by_x = x[i] / v[i], by_y = y[i] / v[i];
        last_row row = {b->left[PAIR_X] - by_x * x[i],
                        b->left[PAIR_Y] - by_x * y[i],
                        b->left[w + PAIR_Y] - by_y * y[i],
                        rest_x,
                        rest_y,
                        own,
                        1,
                        is_globally_safe(s)};
        for (size_t j = i + 1; j < n; j++) {
            rest_x[j] = x[j] - by_x * v[j];
            rest_y[j] = y[j] - by_y * v[j];
            own[j] = b->left[(PAIR_FIRST + j) * (w + 1)] - v[j] / v[i] * v[j];
        }
        s->given[s->n_given++] = b->candidates[i];
        CHECK(find_last(s, &row, b->candidates, i + 1, n, &at, err));
        *found = at < n;
        if (*found) {
            s->given[s->n_given++] = b->candidates[at];
            return STATUS_OK;
        }
        s->n_given--;
    }
    return STATUS_OK;
}

static status walk(separation_search *s, size_t depth, size_t n_more, bool *found, error_info *err);

/* Each candidate in turn as the next member, those after it for the others. */
static status walk_on(separation_search *s, size_t depth, size_t n_more, bool *found, error_info *err) {
    const conditioned_pair *b = &s->branches[depth];
    for (size_t i = 0; i + n_more <= b->n && !is_expired(s); i++) {
        conditioned_pair_walk(b, i, &s->branches[depth + 1]);
        s->given[s->n_given++] = b->candidates[i];
        CHECK(walk(s, depth + 1, n_more - 1, found, err));
        if (*found)
            return STATUS_OK;
        s->n_given--;
    }
    return STATUS_OK;
}

/* The first set of so many more in lexicographic order, left in `given`. */
static status walk(separation_search *s, size_t depth, size_t n_more, bool *found, error_info *err) {
    *found = false;
    if (n_more == 1)
        return find_single(s, &s->branches[depth], found, err);
    if (n_more == 2)
        return find_two(s, &s->branches[depth], found, err);
    return walk_on(s, depth, n_more, found, err);
}

/* --- branches --- */

/* A set of a size that is looked for: what is given and so many more. Its r is known but for `rounding`. */
static status judge(separation_search *s, squared_correlation r, double rounding, const size_t *more, size_t n_more,
                    error_info *err) {
    size_t n_z = s->n_given + n_more;
    bool independent;
    if (square(r.product) > square(sqrt(critical_for(s, n_z).dependent) + rounding) * r.variances)
        return STATUS_OK;
    CHECK(ask(s, more, n_more, &independent, err));
    if (independent)
        s->most = n_z - 1; /* smaller ones alone are of interest now */
    return STATUS_OK;
}

/* No set of the branch that is small enough makes the pair independent? */
static bool is_ruled_out(separation_search *s, const conditioned_pair *b, bool *by_y) {
    size_t largest = s->n_given + b->n;
    critical_squares limit = critical_for(s, largest < s->most ? largest : s->most);
    double ratio = conditioned_pair_least_ratio(b, by_y);
    return ratio * (1 - s->slack) * (1 - limit.dependent) > 1;
}

static status explore(separation_search *s, size_t depth, error_info *err);

static status explore_without(separation_search *s, size_t depth, size_t i, error_info *err) {
    conditioned_pair_exclude(&s->branches[depth], i, &s->branches[depth + 1]);
    return explore(s, depth + 1, err);
}

static status explore_with(separation_search *s, size_t depth, size_t i, error_info *err) {
    if (s->n_given >= s->most)
        return STATUS_OK;
    conditioned_pair_include(&s->branches[depth], i, &s->branches[depth + 1]);
    s->given[s->n_given++] = s->branches[depth].candidates[i];
    if (s->n_given >= s->least)
        CHECK(judge(s, conditioned_pair_given_least(&s->branches[depth + 1]), 0, NULL, 0, err));
    CHECK(explore(s, depth + 1, err));
    s->n_given--;
    return STATUS_OK;
}

/* Lowers `most` to less than the size of the smallest set of the branch that makes the pair independent, if one does
 * whose size is from `least` to `most`. What is given alone has been judged. */
static status explore(separation_search *s, size_t depth, error_info *err) {
    const conditioned_pair *b = &s->branches[depth];
    bool by_y;
    size_t i;
    if (s->n_given >= s->most || s->n_given + b->n < s->least || is_ruled_out(s, b, &by_y))
        return STATUS_OK;
    if (s->n_given + b->n == s->least)
        return judge(s, conditioned_pair_given_most(b), s->slack, b->candidates, b->n, err);
    if (s->n_left == 0 || is_expired(s)) {
        s->is_exhausted = true;
        return STATUS_OK;
    }
    s->n_left--;
    i = conditioned_pair_most_telling(b, by_y);
    CHECK(explore_without(s, depth, i, err));
    return s->is_exhausted ? STATUS_OK : explore_with(s, depth, i, err);
}

/* The size of the smallest set from `least` to `most`, one past `most` where there is none; false where too many
 * branches had to be opened to tell. */
static status find_smallest(separation_search *s, size_t depth, size_t least, size_t most, uint64_t n_branches,
                            size_t *out, bool *is_known, error_info *err) {
    size_t n_given = s->n_given;
    s->least = least;
    s->most = most;
    s->n_left = n_branches;
    s->is_exhausted = false;
    CHECK(explore(s, depth, err));
    s->n_given = n_given;
    *is_known = !s->is_exhausted;
    *out = s->most + 1;
    return STATUS_OK;
}

/* As walk, where there is such a set but many to look at: halves in which there is none are passed over. */
static status find_first(separation_search *s, size_t depth, size_t n_more, bool *found, error_info *err) {
    const conditioned_pair *b = &s->branches[depth];
    uint64_t n_sets = set_count(b->n, n_more);
    size_t size = s->n_given + n_more, smallest = size;
    bool is_known = false;
    *found = false;
    if (n_sets == 0 || is_expired(s))
        return STATUS_OK;
    if (n_sets <= FEW_SETS || n_more == 1)
        return walk(s, depth, n_more, found, err);
    CHECK(find_smallest(s, depth, size, size, n_sets / SETS_A_BRANCH, &smallest, &is_known, err));
    if (is_known && smallest > size)
        return STATUS_OK;
    conditioned_pair_include(b, 0, &s->branches[depth + 1]);
    s->given[s->n_given++] = b->candidates[0];
    CHECK(find_first(s, depth + 1, n_more - 1, found, err));
    if (*found)
        return STATUS_OK;
    s->n_given--;
    conditioned_pair_exclude(b, 0, &s->branches[depth + 1]);
    return find_first(s, depth + 1, n_more, found, err);
}

/* --- a pool --- */

static status reserve_matrices(separation_search *s, size_t n, error_info *err) {
    if (n <= s->matrix_capacity)
        return STATUS_OK;
    free(s->correlations);
    free(s->inverse);
    s->inverse = NULL;
    s->matrix_capacity = 0;
    CHECK_ALLOC(s->correlations = calloc(n, n * sizeof *s->correlations));
    CHECK_ALLOC(s->inverse = calloc(n, n * sizeof *s->inverse));
    s->matrix_capacity = n;
    return STATUS_OK;
}

static status turn_to_pool(separation_search *s, const separation_task *t, error_info *err) {
    size_t n = t->n_pool, w = n + 1;
    if (s->has_correlations && s->x == t->x && s->n_pool == n && memcmp(s->pool, t->pool, n * sizeof *s->pool) == 0)
        return STATUS_OK;
    s->has_correlations = s->has_inverse = false;
    CHECK(reserve_matrices(s, w, err));
    s->x = t->x;
    s->n_pool = n;
    memcpy(s->pool, t->pool, n * sizeof *s->pool);
    for (size_t i = 0; i < w; i++) {
        size_t column = i < n ? s->pool[i] : t->x;
        for (size_t j = 0; j <= i; j++)
            s->correlations[i * w + j] = s->correlations[j * w + i] =
                gaussian_moments_correlation(s->moments, column, j < n ? s->pool[j] : t->x);
    }
    s->has_correlations = true;
    return STATUS_OK;
}

/* In place; false where a pivot is none. */
static bool invert(double *m, size_t w) {
    for (size_t k = 0; k < w; k++) {
        double *pivot = m + k * w, scale = 1 / pivot[k];
        if (!(pivot[k] > 1e-8))
            return false;
        for (size_t i = 0; i < w; i++) {
            double factor = m[i * w + k] * scale;
            if (i == k)
                continue;
            for (size_t j = 0; j < w; j++)
                m[i * w + j] -= factor * pivot[j];
            m[i * w + k] = -factor;
        }
        for (size_t j = 0; j < w; j++)
            pivot[j] *= scale;
        pivot[k] = scale;
    }
    return true;
}

static void find_inverse(separation_search *s) {
    size_t w = s->n_pool + 1;
    double trace = 0, squares = 0;
    if (s->has_inverse)
        return;
    memcpy(s->inverse, s->correlations, w * w * sizeof *s->inverse);
    s->has_inverse = true;
    s->slack = INFINITY;
    if (!invert(s->inverse, w))
        return;
    for (size_t i = 0; i < w * w; i++)
        squares += square(s->correlations[i]);
    for (size_t i = 0; i < w; i++)
        trace += s->inverse[i * (w + 1)];
    if (trace <= most_trace)
        s->slack = fmin(1e-14 * squares * square(trace), 1);
}

/* --- a pair --- */

static status make_branch(conditioned_pair *b, size_t n, bool with_precision, error_info *err) {
    CHECK_ALLOC(b->candidates = calloc(n + 1, sizeof *b->candidates));
    CHECK_ALLOC(b->left = calloc(n + PAIR_FIRST, (n + PAIR_FIRST) * sizeof *b->left));
    if (with_precision)
        CHECK_ALLOC(b->precision = calloc(n + PAIR_FIRST, (n + PAIR_FIRST) * sizeof *b->precision));
    return STATUS_OK;
}

/* The first branch has room for n candidates, each of the next for one fewer. */
static status reserve_branches(separation_search *s, size_t n, size_t n_branches, error_info *err) {
    if (n > s->widest) {
        free_branches(s);
        CHECK_ALLOC(s->branches = calloc(n + 1, sizeof *s->branches));
        s->widest = n;
    }
    while (s->n_made < n_branches) {
        size_t i = s->n_made++;
        CHECK(make_branch(&s->branches[i], s->widest - i, s->widest <= MOST_BRANCHED, err));
    }
    return STATUS_OK;
}

/* One row of a matrix of the pool and x, in the order of branches: x, y, the pool without y. */
static double *take_row(const double *row, size_t n, size_t place_of_y, double *to) {
    to[PAIR_X] = row[n];
    to[PAIR_Y] = row[place_of_y];
    memcpy(to + PAIR_FIRST, row, place_of_y * sizeof *to);
    memcpy(to + PAIR_FIRST + place_of_y, row + place_of_y + 1, (n - place_of_y - 1) * sizeof *to);
    return to + n + 1;
}

static void take_rows(const separation_search *s, const double *from, size_t place_of_y, double *to) {
    size_t n = s->n_pool, w = n + 1;
    to = take_row(from + n * w, n, place_of_y, to);
    to = take_row(from + place_of_y * w, n, place_of_y, to);
    for (size_t i = 0; i < n; i++) {
        if (i != place_of_y)
            to = take_row(from + i * w, n, place_of_y, to);
    }
}

static status start_branches(separation_search *s, size_t place_of_y, size_t n_branches, error_info *err) {
    conditioned_pair *b;
    CHECK(reserve_branches(s, s->n_pool - 1, n_branches, err));
    b = &s->branches[0];
    b->n = s->n_pool - 1;
    memcpy(b->candidates, s->pool, place_of_y * sizeof *b->candidates);
    memcpy(b->candidates + place_of_y, s->pool + place_of_y + 1, (b->n - place_of_y) * sizeof *b->candidates);
    take_rows(s, s->correlations, place_of_y, b->left);
    if (s->has_inverse && b->precision)
        take_rows(s, s->inverse, place_of_y, b->precision);
    return STATUS_OK;
}

static status find_single_set(separation_search *s, size_t place_of_y, bool *found, error_info *err) {
    size_t n = s->n_pool, w = n + 1, at;
    const double *r = s->correlations;
    last_row row = {1, r[n * w + place_of_y], 1, r + n * w, r + place_of_y * w, r, w + 1, false};
    CHECK(find_last(s, &row, s->pool, 0, place_of_y, &at, err));
    *found = at < place_of_y;
    if (!*found) {
        CHECK(find_last(s, &row, s->pool, place_of_y + 1, n, &at, err));
        *found = at < n;
    }
    if (*found)
        s->given[s->n_given++] = s->pool[at];
    return STATUS_OK;
}

static uint64_t hash_of(const separation_task *t) {
    return hash_number((uint64_t)t->x << 32 | t->y);
}

/* As far as it is known, the size of the smallest set of a pool before, which this one lies within; else 0. */
static size_t known_least(const separation_search *s) {
    size_t place = s->n_pairs ? hash_find(&s->places, hash_of(s->task)) : HASH_NONE;
    return place != HASH_NONE ? s->least_sizes[place] : 0;
}

static status keep_least(separation_search *s, size_t least, error_info *err) {
    uint64_t hash = hash_of(s->task);
    size_t place = hash_find(&s->places, hash);
    if (place != HASH_NONE) {
        s->least_sizes[place] = least;
        return STATUS_OK;
    }
    CHECK(ARRAY_ROOM(s->least_sizes, s->n_pairs, s->pairs_capacity, err));
    CHECK(hash_table_add(&s->places, hash, s->n_pairs, err));
    s->least_sizes[s->n_pairs++] = least;
    return STATUS_OK;
}

/* The largest size for which there are enough rows. */
static size_t most_performed(const separation_search *s, size_t size, size_t n) {
    while (n > size && !s->rule.has_enough_rows(s->rule.self, n))
        n--;
    return n;
}

static status find_among_many(separation_search *s, size_t size, uint64_t n_sets, bool *found, error_info *err) {
    size_t most = most_performed(s, size, s->branches[0].n), smallest = size;
    bool is_known;
    if (known_least(s) == size)
        return find_first(s, 0, size, found, err);
    CHECK(find_smallest(s, 0, size, most, n_sets / SETS_A_BRANCH, &smallest, &is_known, err));
    if (!is_known)
        return walk(s, 0, size, found, err);
    CHECK(keep_least(s, smallest, err));
    return smallest > size ? STATUS_OK : find_first(s, 0, size, found, err);
}

static status find_larger_set(separation_search *s, size_t place_of_y, size_t size, separation *out, error_info *err) {
    size_t n = s->n_pool - 1;
    uint64_t n_sets = set_count(n, size);
    bool branches = size > 2 && n <= MOST_BRANCHED;
    if (known_least(s) > size)
        return STATUS_OK;
    if (size > 2)
        find_inverse(s);
    out->is_answered = size <= 2 || is_globally_safe(s);
    if (!out->is_answered)
        return STATUS_OK;
    CHECK(start_branches(s, place_of_y, branches ? n + 1 : size, err));
    return branches && n_sets > FEW_SETS ? find_among_many(s, size, n_sets, &out->is_found, err)
                                         : walk(s, 0, size, &out->is_found, err);
}

static status find_empty_set(separation_search *s, const separation_task *t, separation *out, error_info *err) {
    double r = gaussian_moments_correlation(s->moments, t->x, t->y);
    critical_squares limit = critical_for(s, 0);
    out->is_found = square(r) < limit.independent;
    return out->is_found || square(r) > limit.dependent ? STATUS_OK : ask(s, NULL, 0, &out->is_found, err);
}

status separation_search_find(separation_search *s, const separation_task *task, separation *out, error_info *err) {
    size_t place_of_y;
    s->task = task;
    s->n_given = 0;
    s->is_expired = false;
    out->is_answered = true;
    out->is_found = false;
    if (task->size == 0)
        return find_empty_set(s, task, out, err);
    CHECK(turn_to_pool(s, task, err));
    place_of_y = array_count_below(s->pool, s->n_pool, task->y);
    if (task->size >= s->n_pool)
        return STATUS_OK;
    if (task->size == 1)
        CHECK(find_single_set(s, place_of_y, &out->is_found, err));
    else
        CHECK(find_larger_set(s, place_of_y, task->size, out, err));
    if (out->is_found) {
        qsort(s->given, s->n_given, sizeof *s->given, compare_columns);
        memcpy(out->z, s->given, s->n_given * sizeof *s->given);
    }
    return STATUS_OK;
}
