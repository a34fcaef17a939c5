/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/slab_values.h"

#include <math.h>
#include <string.h>

enum { FINEST = 64 }; /* units to 1 */

/* A function of which a multiple of the count is taken off, in units. */
typedef struct {
    const double *values; /* of the counts 0 .. most */
    uint32_t most;
    double multiple, unit;
    bool is_upper; /* rounded up; else down */
} line_off;

static double value_at(const line_off *f, uint32_t count) {
    return (f->values[count] - f->multiple * count) * f->unit;
}

static double rounded_at(const line_off *f, uint32_t count) {
    return f->is_upper ? ceil(value_at(f, count)) : floor(value_at(f, count));
}

/* The counts past the last are never asked for. */
static bool set_entries(const line_off *f, double limit, int16_t *out) {
    memset(out, 0, SLAB_EXACT * sizeof *out);
    for (uint32_t n = 0; n < SLAB_EXACT && n <= f->most; n++) {
        double value = rounded_at(f, n);
        if (!(fabs(value) <= limit))
            return false;
        out[n] = (int16_t)value;
    }
    return true;
}

/* By how much the line from `from` on must be moved to keep on its side of the function. */
static double find_move(const line_off *f, uint32_t shift, uint32_t first, uint32_t last, double from, int32_t slope) {
    double move = f->is_upper ? -INFINITY : INFINITY;
    for (uint32_t n = first; n <= last; n++) {
        double line = from + (double)(slope * (int32_t)((n - first) << (15 - shift)) >> 16);
        double missing = rounded_at(f, n) - line;
        move = f->is_upper ? fmax(move, missing) : fmin(move, missing);
    }
    return move;
}

/* The chord from the first of some counts to the first of the next. */
static bool set_chord(const line_off *f, uint32_t shift, uint32_t i, slab_function *out) {
    uint32_t first = i << shift, end = first + (UINT32_C(1) << shift), last = end - 1 < f->most ? end - 1 : f->most;
    uint32_t far = end < f->most ? end : f->most;
    double from = rounded_at(f, first), per_count = far > first ? (value_at(f, far) - from) / (far - first) : 0;
    double slope = rint(ldexp(per_count, (int)shift + 1));
    if (!(fabs(slope) <= INT16_MAX))
        return false;
    from += find_move(f, shift, first, last, from, (int32_t)slope);
    if (!(fabs(from) + fabs(slope) <= INT16_MAX))
        return false;
    out->slope[i] = (int16_t)slope;
    out->from[i] = (int16_t)from;
    return true;
}

static bool set_chords(const line_off *f, uint32_t shift, slab_function *out) {
    memset(out->from, 0, sizeof out->from);
    memset(out->slope, 0, sizeof out->slope);
    for (uint32_t i = SLAB_EXACT >> shift; i < SLAB_EXACT && i << shift <= f->most; i++) {
        if (!set_chord(f, shift, i, out))
            return false;
    }
    return true;
}

static void split(const int16_t *entries, slab_bytes *out) {
    for (size_t i = 0; i < SLAB_EXACT; i++) {
        out->low[i] = (uint8_t)entries[i];
        out->high[i] = (uint8_t)((uint16_t)entries[i] >> 8);
    }
}

static void split_all(slab_function *f) {
    split(f->small, &f->small_bytes);
    split(f->exact, &f->exact_bytes);
    split(f->from, &f->from_bytes);
    split(f->slope, &f->slope_bytes);
}

static void set_alone(slab_values *v) {
    for (size_t i = 0; i < SLAB_EXACT; i++)
        v->alone[i] = (int16_t)(v->cell.small[i] - v->row.small[i]);
    split(v->alone, &v->alone_bytes);
}

/* What the functions grow by a count, up to that one. */
static double growth(const double *values, uint32_t most) {
    return most > 0 ? values[most] / most : 0;
}

static bool set_function(const double *values, uint32_t most, const double *of_cells, bool is_upper,
                         const slab_values *all, slab_function *out) {
    line_off few = {values, most < SLAB_EXACT ? most : SLAB_EXACT - 1, 0, all->unit, is_upper}, many = few;
    few.multiple = growth(of_cells, few.most);
    many.most = most;
    many.multiple = growth(of_cells, most);
    return set_entries(&few, (double)(INT16_MAX / SLAB_MOST_TERMS), out->small) &&
           set_entries(&many, INT16_MAX, out->exact) && set_chords(&many, all->shift, out);
}

static uint32_t shift_of(uint32_t most) {
    uint32_t shift = 0;
    while (most >> shift >= SLAB_EXACT)
        shift++;
    return shift;
}

/* In the finest units in which both fit. */
bool slab_values_set(slab_values *out, const double *cell, const double *row, uint32_t most) {
    out->shift = shift_of(most);
    for (int unit = FINEST; unit >= 1; unit /= 2) {
        out->unit = unit;
        if (set_function(cell, most, cell, true, out, &out->cell) &&
            set_function(row, most, cell, false, out, &out->row)) {
            split_all(&out->cell);
            split_all(&out->row);
            set_alone(out);
            return true;
        }
    }
    return false;
}
