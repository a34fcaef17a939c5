/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/scores/scored_extras.h"

#include "core/counting/base_tables.h"
#include "metrics/scores/score_internal.h"

#include <math.h>
#include <stdlib.h>

struct scored_extras {
    score *scorer;
    base_tables *tables;
    double *with; /* by column */
};

void scored_extras_destroy(scored_extras *e) {
    if (!e)
        return;
    base_tables_destroy(e->tables);
    free(e->with);
    free(e);
}

status scored_extras_create(score *s, const pair_tables *tables, scored_extras **out, error_info *err) {
    AUTO_PTR(scored_extras_destroy) scored_extras *e = NULL;
    CHECK_ALLOC(e = calloc(1, sizeof *e));
    e->scorer = s;
    CHECK_ALLOC(e->with = calloc(dataset_column_count(s->data) + 1, sizeof *e->with));
    CHECK(base_tables_create(tables, &e->tables, err));
    *out = TAKE(e);
    return STATUS_OK;
}

void scored_extras_share(scored_extras *e, const pass_helpers *helpers) {
    base_tables_share(e->tables, helpers);
}

static status score_extra(scored_extras *e, size_t x, size_t n_parents, size_t i, size_t extra, error_info *err) {
    score *s = e->scorer;
    double q = s->base.q * (double)dataset_state_count(s->data, extra);
    size_t n_rows = base_tables_strata(e->tables) * dataset_state_count(s->seen, extra);
    family_terms terms;
    e->with[extra] = -INFINITY;
    if (q * (double)dataset_state_count(s->data, x) > SCORE_MAX_CELLS)
        return STATUS_OK;
    CHECK(score_terms(s, x, q, n_parents + 1, &terms, err));
    e->with[extra] = score_sum_cells(base_tables_cells(e->tables, i), n_rows, dataset_state_count(s->seen, x), &terms) -
                     terms.penalty;
    return STATUS_OK;
}

status scored_extras_set(scored_extras *e, size_t x, const size_t *parents, size_t n_parents, const size_t *extras,
                         size_t n, bool *is_done, error_info *err) {
    score *s = e->scorer;
    score_set_base(s, parents, n_parents);
    CHECK(base_tables_count(e->tables, x, s->base.live, s->base.n_live, extras, n, is_done, err));
    for (size_t i = 0; i < n && *is_done; i++)
        CHECK(score_extra(e, x, n_parents, i, extras[i], err));
    return STATUS_OK;
}

double scored_extras_with(const scored_extras *e, size_t extra) {
    return e->with[extra];
}
