/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/conditioned_pair_internal.h"

#include <math.h>
#include <string.h>

/* Entries first .. last-1 of a row less `factor` times those of the pivot's. */
static double *put(double *to, const double *row, const double *pivot, double factor, size_t first, size_t last) {
    for (size_t i = first; i < last; i++)
        *to++ = row[i] - factor * pivot[i];
    return to;
}

/* One step of elimination of row `drop`, and the rows from PAIR_FIRST to `first` left out. */
static void eliminate(const double *from, size_t w, size_t drop, size_t first, double *to) {
    const double *pivot = from + drop * w;
    double scale = 1 / pivot[drop];
    for (size_t r = 0; r < w; r = r + 1 == PAIR_FIRST ? first : r + 1) {
        const double *row = from + r * w;
        double factor = scale * pivot[r];
        if (r == drop)
            continue;
        to = put(to, row, pivot, factor, 0, PAIR_FIRST);
        to = put(to, row, pivot, factor, first, drop > first ? drop : first);
        to = put(to, row, pivot, factor, drop + 1, w);
    }
}

static void leave_out(const double *from, size_t w, size_t drop, double *to) {
    for (size_t r = 0; r < w; r++) {
        if (r == drop)
            continue;
        memcpy(to, from + r * w, drop * sizeof *to);
        memcpy(to + drop, from + r * w + drop + 1, (w - drop - 1) * sizeof *to);
        to += w - 1;
    }
}

static void leave_out_candidate(const conditioned_pair *from, size_t i, conditioned_pair *to) {
    to->n = from->n - 1;
    memcpy(to->candidates, from->candidates, i * sizeof *to->candidates);
    memcpy(to->candidates + i, from->candidates + i + 1, (to->n - i) * sizeof *to->candidates);
}

void conditioned_pair_walk(const conditioned_pair *from, size_t i, conditioned_pair *to) {
    size_t drop = PAIR_FIRST + i;
    to->n = from->n - i - 1;
    memcpy(to->candidates, from->candidates + i + 1, to->n * sizeof *to->candidates);
    eliminate(from->left, from->n + PAIR_FIRST, drop, drop + 1, to->left);
}

void conditioned_pair_include(const conditioned_pair *from, size_t i, conditioned_pair *to) {
    leave_out_candidate(from, i, to);
    eliminate(from->left, from->n + PAIR_FIRST, PAIR_FIRST + i, PAIR_FIRST, to->left);
    leave_out(from->precision, from->n + PAIR_FIRST, PAIR_FIRST + i, to->precision);
}

void conditioned_pair_exclude(const conditioned_pair *from, size_t i, conditioned_pair *to) {
    leave_out_candidate(from, i, to);
    leave_out(from->left, from->n + PAIR_FIRST, PAIR_FIRST + i, to->left);
    eliminate(from->precision, from->n + PAIR_FIRST, PAIR_FIRST + i, PAIR_FIRST, to->precision);
}

double conditioned_pair_least_ratio(const conditioned_pair *p, bool *by_y) {
    size_t w = p->n + PAIR_FIRST;
    double xx = p->left[PAIR_X], xy = p->left[PAIR_Y], yy = p->left[w + PAIR_Y];
    double pxx = p->precision[PAIR_X], pxy = p->precision[PAIR_Y], pyy = p->precision[w + PAIR_Y];
    double least = xx * yy - xy * xy, most = pxx * pyy - pxy * pxy;
    double of_y = pxx / most * xx / least, of_x = pyy / most * yy / least;
    *by_y = of_y >= of_x;
    return *by_y ? of_y : of_x;
}

/* What a candidate explains of a's rest given A and b, as a share of it. */
static double share_explained(const double *a, const double *b, size_t a_at, size_t b_at, size_t c, double cc) {
    double bb = b[b_at], ac = a[c] - a[b_at] * b[c] / bb, rest = a[a_at] - a[b_at] * a[b_at] / bb;
    return ac * ac / ((cc - b[c] * b[c] / bb) * rest);
}

/* By which factor the variance of a given all grows if a candidate is ruled out, less 1. */
static double growth_without(const double *a, const double *b, size_t a_at, size_t b_at, size_t c, double cc) {
    double most = a[a_at] * b[b_at] - a[b_at] * a[b_at];
    double aa = a[a_at] - a[c] * a[c] / cc, bb = b[b_at] - b[c] * b[c] / cc, ab = a[b_at] - a[c] * b[c] / cc;
    return bb / (aa * bb - ab * ab) / (b[b_at] / most) - 1;
}

static double at_least(double value, double least) {
    return value > least ? value : least;
}

size_t conditioned_pair_most_telling(const conditioned_pair *p, bool by_y) {
    size_t w = p->n + PAIR_FIRST, best = 0;
    size_t a = by_y ? PAIR_Y : PAIR_X, b = by_y ? PAIR_X : PAIR_Y;
    double most = -1;
    for (size_t i = 0; i < p->n; i++) {
        size_t c = PAIR_FIRST + i;
        double in = share_explained(p->left + a * w, p->left + b * w, a, b, c, p->left[c * w + c]);
        double out = growth_without(p->precision + a * w, p->precision + b * w, a, b, c, p->precision[c * w + c]);
        double promise = at_least(in, 1e-6) * at_least(out, 1e-6);
        if (promise > most) {
            most = promise;
            best = i;
        }
    }
    return best;
}
