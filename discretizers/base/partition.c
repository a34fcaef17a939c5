/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best cut of a column into k classes by dynamic programming: Wang, Song 2011, The R Journal 3(2), each row solved
 * by halving as in Grønlund et al. 2017, arXiv 1701.07204. Row j holds the least cost of j classes up to each place;
 * the best last cut only moves up with the place, so half of a row bounds the other half.
 */
#include "discretizers/base/partition.h"

#include <math.h>
#include <stdlib.h>

/* Places 0 .. n_places-1: the start, the cuts, the end, as counts of values below. */
typedef struct {
    const sorted_column *column;
    class_bounds bounds;
    size_t n_places;
    size_t *place;
    double *sum, *squares;  /* of the values below a place, their mean taken off */
    double *cost, *shorter; /* least cost up to a place in so many classes, and in one less */
    size_t *came_from;      /* of a place in class j: row j */
} partition;

static void partition_clear(partition *p) {
    free(p->place);
    free(p->sum);
    free(p->squares);
    free(p->cost);
    free(p->shorter);
    free(p->came_from);
}

static void fill_sums(partition *p) {
    const sorted_column *s = p->column;
    double mean = 0, sum = 0, squares = 0;
    size_t at = 0;
    for (size_t i = 0; i < s->n; i++)
        mean += (s->values[i] - mean) / (double)(i + 1);
    for (size_t i = 0; i <= s->n; i++) {
        if (i == p->place[at]) {
            p->sum[at] = sum;
            p->squares[at++] = squares;
        }
        if (i < s->n) {
            double x = s->values[i] - mean;
            sum += x;
            squares += x * x;
        }
    }
}

static status partition_init(partition *p, const sorted_column *s, size_t k, class_bounds bounds, error_info *err) {
    size_t n = s->n_cuts + 2;
    *p = (partition){.column = s, .bounds = bounds, .n_places = n};
    CHECK_ALLOC(p->place = calloc(n, sizeof *p->place));
    CHECK_ALLOC(p->sum = calloc(n, sizeof *p->sum));
    CHECK_ALLOC(p->squares = calloc(n, sizeof *p->squares));
    CHECK_ALLOC(p->cost = calloc(n, sizeof *p->cost));
    CHECK_ALLOC(p->shorter = calloc(n, sizeof *p->shorter));
    CHECK_ALLOC(p->came_from = calloc(n, k * sizeof *p->came_from));
    for (size_t i = 0; i < s->n_cuts; i++)
        p->place[i + 1] = s->cuts[i];
    p->place[n - 1] = s->n;
    fill_sums(p);
    return STATUS_OK;
}

/* The sum of squares of a class, or infinity where it is too small. */
static double class_cost(const partition *p, size_t from, size_t to) {
    double n = (double)(p->place[to] - p->place[from]), sum = p->sum[to] - p->sum[from];
    if (p->place[to] - p->place[from] < p->bounds.least)
        return INFINITY;
    return fmax(0, p->squares[to] - p->squares[from] - sum * sum / n);
}

static bool is_extreme_enough(const partition *p, size_t size) {
    return size >= p->bounds.least && size <= p->bounds.most_extreme;
}

/* The best way to the place `to`, its last class beginning at `low` .. `high`. */
static size_t best_step(partition *p, size_t to, size_t low, size_t high, size_t *came_from) {
    size_t best = low;
    double least = INFINITY;
    for (size_t from = low; from <= high && from < to; from++) {
        double cost = p->shorter[from] + class_cost(p, from, to);
        if (cost < least) {
            least = cost;
            best = from;
        }
    }
    p->cost[to] = least;
    came_from[to] = best;
    return best;
}

/* Row j for the places first .. last, by halving. */
static void solve_row(partition *p, size_t first, size_t last, size_t low, size_t high, size_t *came_from) {
    while (first <= last) {
        size_t middle = first + (last - first) / 2;
        size_t best = best_step(p, middle, low, high, came_from);
        bool none = !isfinite(p->cost[middle]); /* the class is too small: so is each to the left */
        if (middle > first)
            solve_row(p, first, middle - 1, low, none ? high : best, came_from);
        first = middle + 1;
        low = none ? low : best;
    }
}

static void first_row(partition *p) {
    for (size_t to = 0; to < p->n_places; to++)
        p->cost[to] = to > 0 && is_extreme_enough(p, p->place[to]) ? class_cost(p, 0, to) : INFINITY;
}

static void last_row(partition *p, size_t *came_from) {
    size_t end = p->n_places - 1;
    for (size_t from = 0; from < end; from++) {
        if (!is_extreme_enough(p, p->place[end] - p->place[from]))
            p->shorter[from] = INFINITY;
    }
    (void)best_step(p, end, 0, end - 1, came_from);
}

static void next_row(partition *p) {
    double *swapped = p->shorter;
    p->shorter = p->cost;
    p->cost = swapped;
}

status partition_best(const sorted_column *s, size_t k, class_bounds bounds, size_t *below, bool *found,
                      error_info *err) {
    AUTO(partition_clear) partition p = {0};
    size_t end = s->n_cuts + 1;
    *found = false;
    if (k > s->n_cuts + 1)
        return STATUS_OK;
    CHECK(partition_init(&p, s, k, bounds, err));
    first_row(&p);
    for (size_t j = 1; j + 1 < k; j++) {
        next_row(&p);
        p.cost[0] = INFINITY;
        solve_row(&p, 1, end, 0, end - 1, &p.came_from[j * p.n_places]);
    }
    if (k > 1) {
        next_row(&p);
        last_row(&p, &p.came_from[(k - 1) * p.n_places]);
    }
    *found = isfinite(p.cost[end]);
    for (size_t j = k - 1, at = end; *found && j > 0; j--) {
        at = p.came_from[j * p.n_places + at];
        below[j - 1] = p.place[at];
    }
    return STATUS_OK;
}

/* Shares such as 0.3 are a little off as doubles: 0.3 * 10 is to count as 3. */
static size_t share_up(double share, size_t n) {
    double count = ceil(share * (double)n - 1e-9);
    return count < 1 ? 1 : (size_t)count;
}

static size_t share_down(double share, size_t n) {
    return (size_t)floor(share * (double)n + 1e-9);
}

status partition_by_shares(const sorted_column *s, size_t k, double least_share, double most_extreme_share,
                           size_t *below, size_t *n_cuts, error_info *err) {
    class_bounds bounds = {share_up(least_share, s->n), k >= 3 ? share_down(most_extreme_share, s->n) : s->n};
    bool found;
    CHECK(partition_best(s, k, bounds, below, &found, err));
    bounds.most_extreme = s->n;
    if (!found)
        CHECK(partition_best(s, k, bounds, below, &found, err));
    bounds.least = 1;
    for (; !found; k -= !found)
        CHECK(partition_best(s, k, bounds, below, &found, err));
    *n_cuts = k - 1;
    return STATUS_OK;
}
