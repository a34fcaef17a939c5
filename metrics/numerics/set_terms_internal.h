/* SPDX-License-Identifier: GPL-3.0-or-later */
/** For sets of columns: the sum of n log n over the cells of their table, which is what entropies are made of. */
#ifndef BNB_METRICS_NUMERICS_SET_TERMS_INTERNAL_H
#define BNB_METRICS_NUMERICS_SET_TERMS_INTERNAL_H

#include "core/counting/counts.h"
#include "core/counting/distinct_rows.h"
#include "core/data/dataset.h"
#include "metrics/numerics/whole_terms_internal.h"

typedef struct set_terms set_terms;

typedef struct {
    int64_t sum;    /* in units of the terms */
    double n_cells; /* with rows */
} set_term;

/** `data` (discrete) and `terms` are borrowed. */
BNB_MUST_CHECK status set_terms_create(const dataset *data, const whole_terms *terms, set_terms **out, error_info *err);
void set_terms_destroy(set_terms *s); /* NULL is fine */
AUTO_PTR_OF(set_terms, set_terms_destroy)

/** Says that others will be created beside this one: before them, and before it is used in another thread. */
BNB_MUST_CHECK status set_terms_share(set_terms *s, error_info *err);

/** The same, for another thread, of the data and terms of one that is shared: what one of them counts both know. */
BNB_MUST_CHECK status set_terms_create_beside(const set_terms *with, set_terms **out, error_info *err);

/** Tables are taken from there where they can be; borrowed. */
void set_terms_count_by(set_terms *s, distinct_rows *rows);

/**
 * Of the n_z distinct columns z and one more, or COUNTS_NO_EXTRA; in any order. Each set is counted once, up to some
 * millions of sets. Cheaper when consecutive calls share z and vary the extra column.
 */
BNB_MUST_CHECK status set_terms_get(set_terms *s, const size_t *z, size_t n_z, size_t extra, set_term *out,
                                    error_info *err);

/** Of one column. */
BNB_MUST_CHECK status set_terms_single(set_terms *s, size_t column, int64_t *out, error_info *err);

/** Of two columns; counted anew, and cheaper when consecutive calls share x. */
BNB_MUST_CHECK status set_terms_pair(set_terms *s, size_t x, size_t y, int64_t *out, error_info *err);

/** The set will be looked for, alone, with x, with y and with both: their places in what is known come near meanwhile.
 */
void set_terms_expect(set_terms *s, const size_t *z, size_t n_z, size_t x, size_t y);

/** The set z with two more, each of which may be COUNTS_NO_EXTRA, if it is known already, and then true. */
bool set_terms_find(set_terms *s, const size_t *z, size_t n_z, size_t x, size_t y, set_term *out);

/** A moment at which what is known may be forgotten, where it has outgrown the processor's caches: by this thread, and
 * by others at such moments of their own. */
void set_terms_shrink(set_terms *s);

/** A moment at which this thread may turn to what others know, where they have forgotten and begun anew. */
void set_terms_follow(set_terms *s);

/** Makes the set z with two more, as in set_terms_find, known, which was counted elsewhere. */
void set_terms_add(set_terms *s, const size_t *z, size_t n_z, size_t x, size_t y, const set_term *term);

#endif
