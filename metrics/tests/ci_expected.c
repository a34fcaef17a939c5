/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of a target and its many members given each other, by the sums of all their sets: set_lattice.c. */
#include "metrics/tests/ci_test_internal.h"

#include <math.h>
#include <string.h>

static size_t at_most(size_t a, size_t b) {
    return a < b ? a : b;
}

/* So many tests one by one take as long as some of the work of counting all sets of m members: until then it may be
 * that a few tests are all. */
static double patience(double m) {
    double prefixes = m * m / 2, columns = prefixes * m / 3, sets = columns * (m - 3) * (m - 4) / 20;
    return (4 * columns + 0.2 * sets) / 32;
}

/* Without memory it goes without. */
static void count_lattice(ci_test *t) {
    hub *h = &t->hub;
    h->is_expected = false;
    if (set_lattice_count(&h->own, t->data, &t->terms, h->target, h->members, h->n_members, h->most, &h->sharing,
                          NULL) == STATUS_OK)
        h->lattice = &h->own;
}

static bool has_lattice(ci_test *t) {
    hub *h = &t->hub;
    if (h->is_expected && h->n_before-- <= 0)
        count_lattice(t);
    return h->lattice;
}

bool ci_test_can_expect(const ci_test *t, size_t target, const size_t *members, size_t n_members, size_t most) {
    return t->is_g2 && most > 0 && n_members > at_most(most, LATTICE_MOST_GIVEN) &&
           set_lattice_takes(t->data, target, members, n_members);
}

status ci_test_expect(ci_test *t, size_t target, const size_t *members, size_t n_members, size_t most, bool is_certain,
                      error_info *err) {
    hub *h = &t->hub;
    (void)err;
    set_lattice_clear(&h->own);
    h->lattice = NULL;
    h->is_expected = false;
    h->most = at_most(most, LATTICE_MOST_GIVEN);
    if (!ci_test_can_expect(t, target, members, n_members, most))
        return STATUS_OK;
    h->target = target;
    h->n_members = n_members;
    memcpy(h->members, members, n_members * sizeof *members);
    h->is_expected = true;
    h->n_before = patience((double)n_members);
    if (is_certain)
        count_lattice(t);
    return STATUS_OK;
}

bool ci_test_expects_later(const ci_test *t) {
    return t->hub.is_expected;
}

void ci_test_expect_as(ci_test *t, const ci_test *other) {
    const hub *like = &other->hub;
    hub *h = &t->hub;
    if (t == other)
        return;
    set_lattice_clear(&h->own);
    h->is_expected = false;
    h->lattice = like->lattice;
    h->target = like->target;
    h->n_members = like->n_members;
    memcpy(h->members, like->members, sizeof h->members);
    h->most = like->most;
}

/* In units of the terms, the information that makes a pair dependent on a table of so many cells, those of its own
   among them; INT64_MAX: none, or the test is not performed. */
static int64_t needed(ci_test *t, double of_pair, double strata, double df_of_stratum) {
    double df = fmax(df_of_stratum * strata, 1), critical = ci_test_critical_value(t, df);
    if (!(critical > 0) || !ci_test_has_rows_for(t, of_pair * strata))
        return INT64_MAX;
    return (int64_t)ceil(critical * (1 + 1e-6) / (2 * whole_terms_value(&t->terms, 1))); /* far beyond rounding */
}

static int64_t needed_by(ci_test *t, size_t member, double strata) {
    double r_x = t->n_states[t->hub.members[member]], r_t = t->n_states[t->hub.target];
    return needed(t, r_x * r_t, strata, (r_x - 1) * (r_t - 1));
}

/* The most configurations of n of the members. */
static double most_strata(const ci_test *t, uint64_t others, size_t n) {
    size_t of_states[LATTICE_MOST_STATES + 1] = {0};
    double strata = 1;
    for (; others != 0; others &= others - 1)
        of_states[(size_t)t->n_states[t->hub.members[__builtin_ctzll(others)]]]++;
    for (size_t r = LATTICE_MOST_STATES; r > 0; r--) {
        for (; n > 0 && of_states[r] > 0; n--, of_states[r]--)
            strata *= (double)r;
    }
    return strata;
}

bool ci_test_depends_always(ci_test *t, size_t member, uint64_t others, size_t n_given) {
    int64_t least;
    if (!has_lattice(t) || n_given > t->hub.most)
        return false;
    least = needed_by(t, member, most_strata(t, others, n_given));
    return least < INT64_MAX && set_lattice_always(t->hub.lattice, member, others, n_given, least);
}

bool ci_test_depends(ci_test *t, size_t member, uint64_t given, verdict *out) {
    double strata = 1, r_x, r_t;
    int64_t least, wanted;
    if (!has_lattice(t) || (size_t)__builtin_popcountll(given) > t->hub.most)
        return false;
    for (uint64_t left = given; left != 0; left &= left - 1)
        strata *= t->n_states[t->hub.members[__builtin_ctzll(left)]];
    wanted = needed_by(t, member, strata);
    if (wanted == INT64_MAX)
        return false;
    least = set_lattice_least(t->hub.lattice, member, given);
    if (least < wanted)
        return false;
    r_x = t->n_states[t->hub.members[member]];
    r_t = t->n_states[t->hub.target];
    *out = (verdict){.least_statistic = 2 * whole_terms_value(&t->terms, least) * (1 - 1e-9),
                     .most_df = fmax((r_x - 1) * (r_t - 1) * strata, 1)};
    return true;
}

void ci_test_share(ci_test *t, work_sharing sharing) {
    t->hub.sharing = sharing;
}

void ci_test_tally(ci_test *t, uint64_t n_asked, uint64_t n_new) {
    t->tally->requests += n_asked;
    t->tally->computed += n_new;
}
