/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/lane_passage_internal.h"

#include <stdint.h>
#include <stdlib.h>

enum {
    L = PAIR_BLOCK_COLUMNS,
    AHEAD = 32 /* columns that the caches are asked for before they are looked at */
};

/* Columns of equally many states, until there are enough of them. */
typedef struct {
    size_t columns[L], places[L]; /* places among the columns that go by */
    size_t n;
} waiting_columns;

struct lane_passage {
    const pair_tables *tables;
    pair_block block; /* of one group after the other, so that its memory stays in the first caches */
    uint32_t *scratch, *adjusted;
    float *sums;
    waiting_columns waiting[PAIR_MOST_STATES + 1]; /* by number of states */
};

/* Where columns go by. */
typedef struct {
    const pair_strata *strata;
    const lane_judge *judge;
    quick_answer *out;
} passed_strata;

void lane_passage_destroy(lane_passage *p) {
    if (!p)
        return;
    pair_block_clear(&p->block);
    free(p->scratch);
    free(p->adjusted);
    free(p->sums);
    free(p);
}

status lane_passage_create(const pair_tables *tables, lane_passage **out, error_info *err) {
    AUTO_PTR(lane_passage_destroy) lane_passage *p = calloc(1, sizeof *p);
    CHECK_ALLOC(p);
    p->tables = tables;
    CHECK_ALLOC(p->scratch = aligned_alloc(64, PAIR_STRATA_SCRATCH * sizeof *p->scratch));
    CHECK_ALLOC(p->adjusted = aligned_alloc(64, L * sizeof *p->adjusted));
    CHECK_ALLOC(p->sums = aligned_alloc(64, L * sizeof *p->sums));
    *out = TAKE(p);
    return STATUS_OK;
}

/* Those that wait go by. */
static bool pass(lane_passage *p, const passed_strata *by, waiting_columns *w) {
    quick_answer answers[L];
    if (pair_block_begin(&p->block, p->tables, w->columns, w->n, NULL) != STATUS_OK)
        return false;
    lane_judge_block(by->judge, &p->block, by->strata, p->scratch, p->sums, p->adjusted, answers);
    for (size_t i = 0; i < w->n; i++)
        by->out[w->places[i]] = answers[i];
    w->n = 0;
    return true;
}

static bool join(lane_passage *p, const passed_strata *by, size_t column, size_t place) {
    const pair_column *c = &pair_tables_columns(p->tables)[column];
    waiting_columns *w = &p->waiting[c->bits ? c->n_states : 0];
    by->out[place] = (quick_answer){0};
    if (!c->bits)
        return true;
    pair_block_foresee(p->tables, &column, 1);
    w->columns[w->n] = column;
    w->places[w->n++] = place;
    return w->n < L || pass(p, by, w);
}

bool lane_passage_judge(lane_passage *p, const pair_strata *strata, const size_t *columns, size_t n_columns,
                        const lane_judge *judge, quick_answer *out) {
    passed_strata by = {strata, judge, out};
    for (size_t r = 0; r <= PAIR_MOST_STATES; r++)
        p->waiting[r].n = 0;
    for (size_t i = 0; i < n_columns; i++) {
        __builtin_prefetch(&pair_tables_columns(p->tables)[columns[i + AHEAD < n_columns ? i + AHEAD : i]]);
        if (!join(p, &by, columns[i], i))
            return false;
    }
    for (size_t r = 0; r <= PAIR_MOST_STATES; r++) {
        if (p->waiting[r].n > 0 && !pass(p, &by, &p->waiting[r]))
            return false;
    }
    return true;
}
