/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which candidate enters: the one with the largest minimum, of which as few as possible are brought up to date. */
#include "learners/constraint/mmpc_state_internal.h"

#include <math.h>
#include <string.h>

/* Where the candidates with the largest minima are, ascending, so that not all are looked at after each change. */
enum { SHORTLIST = 32 };

static const double tie_margin = 1e-9; /* many ties of association_compare, one after the other */

typedef struct {
    size_t items[SHORTLIST], n;
    double border; /* the log of p of any other candidate is at least that */
} shortlist;

/* Keeps the SHORTLIST least in `least`, ascending. */
static void insert_log_p(double *least, double log_p) {
    size_t at = SHORTLIST - 1;
    for (; at > 0 && least[at - 1] > log_p; at--)
        least[at] = least[at - 1];
    least[at] = log_p;
}

static void make_shortlist(const mmpc_search *s, shortlist *out) {
    double least[SHORTLIST];
    for (size_t i = 0; i < SHORTLIST; i++)
        least[i] = INFINITY;
    for (size_t i = 0; i < s->n_open; i++) {
        if (s->open[i].minimum.log_p < least[SHORTLIST - 1])
            insert_log_p(least, s->open[i].minimum.log_p);
    }
    out->n = 0;
    out->border = least[SHORTLIST - 1];
    for (size_t i = 0; i < s->n_open && out->n < SHORTLIST; i++) {
        if (s->open[i].minimum.log_p < out->border)
            out->items[out->n++] = i;
    }
}

/* The first of the largest minima; false where one that is not listed may tie with it. */
static bool find_best_listed(const mmpc_search *s, const shortlist *list, size_t *out) {
    if (list->n == 0)
        return false;
    *out = list->items[0];
    for (size_t i = 1; i < list->n; i++) {
        if (association_compare(&s->open[list->items[i]].minimum, &s->open[*out].minimum) > 0)
            *out = list->items[i];
    }
    if (list->border == INFINITY)
        return true; /* all are listed */
    return !s->open[*out].minimum.is_zero &&
           s->open[*out].minimum.log_p < list->border - tie_margin * fabs(list->border);
}

static size_t find_best_of_all(const mmpc_search *s) {
    size_t best = 0;
    for (size_t i = 1; i < s->n_open; i++) {
        if (association_compare(&s->open[i].minimum, &s->open[best].minimum) > 0)
            best = i;
    }
    return best;
}

static size_t find_best(const mmpc_search *s, shortlist *list) {
    size_t best;
    if (find_best_listed(s, list, &best))
        return best;
    make_shortlist(s, list);
    return find_best_listed(s, list, &best) ? best : find_best_of_all(s);
}

status mmpc_enter_best(mmpc_search *s, error_info *err) {
    shortlist list = {0};
    size_t best = find_best(s, &list);
    while (s->n_open > 1 && !s->probe.is_expired && !mmpc_is_settled(&s->open[best])) {
        CHECK(mmpc_settle(s, &s->open[best], err));
        best = find_best(s, &list);
    }
    s->members[s->n_members++] = s->open[best].variable;
    s->n_open--;
    memmove(&s->open[best], &s->open[best + 1], (s->n_open - best) * sizeof *s->open);
    return STATUS_OK;
}
