/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a search will ask about a pair in a moment, computed by all threads: it is counted and kept when it is asked. */
#include "learners/tpda/tpda_foresight_internal.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

void tpda_foresight_clear(tpda_foresight *f) {
    free(f->items);
    free(f->members);
}

void tpda_foresight_begin(tpda_foresight *f, size_t x, size_t y) {
    f->x = x;
    f->y = y;
    f->n_items = f->n_members = f->n_computed = 0;
}

bool tpda_foresight_is_worth(const tpda_foresight *f, size_t n) {
    const double least_s = 20e-6; /* many times what threads take to meet */
    return f->threads && n > 1 && f->last_s * (double)n >= least_s;
}

size_t *tpda_foresight_add(tpda_foresight *f, size_t n_set, error_info *err) {
    foreseen_value *item;
    if (ARRAY_ROOM(f->items, f->n_items, f->capacity, err) != STATUS_OK ||
        ARRAY_RESERVE(f->members, f->members_capacity, f->n_members + n_set, err) != STATUS_OK)
        return NULL;
    item = &f->items[f->n_items++];
    *item = (foreseen_value){.start = f->n_members, .n_set = n_set};
    f->n_members += n_set;
    return f->members + item->start;
}

static status compute_some(void *self, size_t thread, error_info *err) {
    tpda_foresight *f = self;
    const information_source *source = thread > 0 ? &f->others[thread] : f->source;
    for (size_t i; (i = atomic_fetch_add(&f->next, 1)) < f->n_items;) {
        foreseen_value *item = &f->items[i];
        CHECK(source->compute(source->self, f->x, f->y, f->members + item->start, item->n_set, &item->value, err));
    }
    return STATUS_OK;
}

status tpda_foresight_compute(tpda_foresight *f, error_info *err) {
    atomic_store(&f->next, f->n_computed);
    f->n_computed = f->n_items;
    return crew_run(f->threads, compute_some, f, err);
}

static const foreseen_value *find(const tpda_foresight *f, const size_t *set, size_t n) {
    for (size_t i = 0; i < f->n_computed; i++) {
        const foreseen_value *item = &f->items[i];
        if (item->n_set == n && memcmp(f->members + item->start, set, n * sizeof *set) == 0)
            return item;
    }
    return NULL;
}

status tpda_foresight_ask(tpda_foresight *f, const size_t *set, size_t n, double *out, error_info *err) {
    const information_source *source = f->source;
    const foreseen_value *item = find(f, set, n);
    double start_s;
    status st;
    if (item)
        return source->take(source->self, f->x, f->y, set, n, item->value, out, err);
    if (!f->threads)
        return source->measure(source->self, f->x, f->y, set, n, out, err);
    start_s = run_clock_s();
    st = source->measure(source->self, f->x, f->y, set, n, out, err);
    f->last_s = run_clock_s() - start_s;
    return st;
}
