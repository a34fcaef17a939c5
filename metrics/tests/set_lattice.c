/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bounds, T being the one column and z' the set z without w: I(x;T|z) is at least I(x;T|z') less the lesser of
 * I(x;w|z') and I(T;w|z'), see ci_decide.c. In sums h of n log n that is h(T,x,z') + h(z) less the lesser of h(T,z') +
 * h(x,z) and h(x,z') + h(T,z).
 */
#include "metrics/tests/set_lattice_internal.h"

#include "core/base/bits.h"

#include <stdlib.h>

void set_lattice_clear(set_lattice *l) {
    for (size_t k = 0; k <= LATTICE_MOST_GIVEN + 1; k++)
        free(l->alone[k]);
    for (size_t k = 0; k <= LATTICE_MOST_GIVEN; k++)
        free(l->joined[k]);
    *l = (set_lattice){0};
}

bool set_lattice_takes(const dataset *data, size_t target, const size_t *members, size_t n_members) {
    bool takes = n_members <= LATTICE_MOST_MEMBERS && dataset_state_count(data, target) <= LATTICE_MOST_STATES;
    for (size_t i = 0; takes && i < n_members; i++)
        takes = dataset_state_count(data, members[i]) <= LATTICE_MOST_STATES;
    return takes;
}

static size_t rank_of(const set_lattice *l, uint64_t set) {
    size_t rank = 0;
    for (size_t k = 1; set != 0; k++, set &= set - 1)
        rank += l->rank[__builtin_ctzll(set)][k];
    return rank;
}

int64_t set_lattice_least(const set_lattice *l, size_t x, uint64_t given) {
    uint64_t bit = bit_of(x);
    size_t n = (size_t)__builtin_popcountll(given), z = rank_of(l, given), with_x = rank_of(l, given | bit);
    int64_t of_z = l->alone[n][z], of_x = l->alone[n + 1][with_x], most = INT64_MIN;
    if (n < l->most)
        return l->joined[n + 1][with_x] - l->joined[n][z] - of_x + of_z;
    for (uint64_t left = given; left != 0; left &= left - 1) {
        uint64_t rest = given & ~(left & -left);
        size_t rest_x = rank_of(l, rest | bit);
        int64_t by_x = l->joined[n - 1][rank_of(l, rest)] + of_x, by_t = l->alone[n][rest_x] + l->joined[n][z];
        int64_t least = l->joined[n][rest_x] + of_z - (by_x < by_t ? by_x : by_t);
        most = least > most ? least : most;
    }
    return most;
}

/* Sets of members that are tried, chosen from the last to the first. */
typedef struct {
    const set_lattice *l;
    size_t x, n; /* n in all */
    size_t places[LATTICE_MOST_MEMBERS];
    int64_t needed, most; /* the most that x may add to a set's sum so that what it shares without condition will do */
} trial;

/* A set adds little, or shares enough, given the ranks of the set and of the set with x. */
static inline bool is_enough(const trial *t, size_t rank, size_t with_x, uint64_t set) {
    const set_lattice *l = t->l;
    return l->alone[t->n + 1][with_x] - l->alone[t->n][rank] <= t->most || set_lattice_least(l, t->x, set) >= t->needed;
}

/* The last member, from the first `end` places: it is the lowest, whose rank is its place. */
static bool last_adds_little(const trial *t, size_t end, size_t rank, size_t with_x, bool has_x, uint64_t set) {
    const set_lattice *l = t->l;
    size_t below = with_x + (has_x ? 0 : l->rank[t->x][2]), j = 0, place;
    for (; j < end && (has_x || t->places[j] < t->x); j++) {
        place = t->places[j];
        if (!is_enough(t, rank + place, below + place, set | bit_of(place)))
            return false;
    }
    for (; j < end; j++) {
        place = t->places[j];
        if (!is_enough(t, rank + place, with_x + l->rank[place][2] + t->x, set | bit_of(place)))
            return false;
    }
    return true;
}

/* k more members, at least one, from the first `end` places. Ranks are of what is chosen, without and with x. */
static bool adds_little(const trial *t, size_t k, size_t end, size_t rank, size_t with_x, bool has_x, uint64_t set) {
    const set_lattice *l = t->l;
    if (k == 1)
        return last_adds_little(t, end, rank, with_x, has_x, set);
    for (size_t j = k - 1; j < end; j++) {
        size_t place = t->places[j], joined = with_x;
        bool is_past = has_x || place < t->x;
        if (is_past && !has_x)
            joined += l->rank[t->x][k + 1];
        if (!adds_little(t, k - 1, j, rank + l->rank[place][k], joined + l->rank[place][is_past ? k : k + 1], is_past,
                         set | bit_of(place)))
            return false;
    }
    return true;
}

bool set_lattice_always(const set_lattice *l, size_t x, uint64_t others, size_t n_given, int64_t needed) {
    trial t = {.l = l, .x = x, .n = n_given, .needed = needed};
    size_t n = 0;
    if (n_given > l->most)
        return false;
    for (; others != 0; others &= others - 1)
        t.places[n++] = (size_t)__builtin_ctzll(others);
    t.most = l->joined[1][x] - l->joined[0][0] - needed;
    return n_given == 0 ? is_enough(&t, 0, x, 0) : adds_little(&t, n_given, n, 0, 0, false, 0);
}
