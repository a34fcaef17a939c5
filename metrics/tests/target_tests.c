/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/target_tests.h"

#include "core/counting/bit_vectors.h"
#include "metrics/tests/ci_test_internal.h"
#include "metrics/tests/lane_passage_internal.h"
#include "metrics/tests/lane_tests.h"
#include "metrics/tests/table_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CELLS = 256,     /* configurations of target and set that are kept as bit vectors */
    MOST_WORDS = 1 << 19, /* of all their vectors: four megabytes */
    MOST_GIVEN = 12,
    MOST_DF = 256, /* less one: degrees of freedom whose limits are kept */
};

/* The configurations with rows of the target and the first columns of a set; those of the same set side by side. */
typedef struct {
    size_t n_cells, n_strata;
    uint32_t tallies[MOST_CELLS];
    uint32_t starts[MOST_CELLS + 1]; /* of the strata */
    uint64_t *bits;
    size_t capacity; /* vectors */
    int64_t terms;   /* of the cells less those of the strata: what every table of them loses to its margins */
} level;

/* Of half of G2 on so many degrees of freedom: it is independent below, dependent above. Nought before first use. */
typedef struct {
    double below, above;
} g2_limits;

struct target_tests {
    ci_test *test;
    const pair_tables *tables;
    const pair_column *columns;
    uint32_t *n_states; /* by column: what most tests read of one, side by side */
    size_t n_words, most_cells;
    bool has_set; /* the set of the last test is short enough to be compared */
    size_t target, z[MOST_GIVEN], n_z;
    double q;           /* its configurations as declared */
    const level *level; /* its configurations; NULL: the evaluator is asked */
    lane_tests *lanes;
    lane_passage *passage;
    bool uses_lanes; /* in the tests of the present set, and: */
    bool has_passed; /* whoever is asked about has gone by */
    g2_limits limits[MOST_DF];
    bool has_target;
    size_t made_target, made_z[MOST_GIVEN], n_levels; /* what levels are made of */
    level levels[MOST_GIVEN + 1];
    uint64_t *all, *last; /* the vectors of all rows, and of a column's last state */
    uint32_t counts[PAIR_MOST_STATES * MOST_CELLS];
};

void target_tests_destroy(target_tests *t) {
    if (!t)
        return;
    for (size_t i = 0; i <= MOST_GIVEN; i++)
        free(t->levels[i].bits);
    lane_tests_destroy(t->lanes);
    lane_passage_destroy(t->passage);
    free(t->n_states);
    free(t->all);
    free(t->last);
    free(t);
}

static status list_states(target_tests *t, error_info *err) {
    size_t p = dataset_column_count(t->test->data);
    CHECK_ALLOC(t->n_states = calloc(p + 1, sizeof *t->n_states));
    for (size_t x = 0; x < p; x++)
        t->n_states[x] = (uint32_t)t->columns[x].n_states;
    return STATUS_OK;
}

status target_tests_create(ci_test *test, const pair_tables *tables, target_tests **out, error_info *err) {
    AUTO_PTR(target_tests_destroy) target_tests *t = calloc(1, sizeof *t);
    CHECK_ALLOC(t);
    t->test = test;
    t->tables = tables;
    t->columns = pair_tables_columns(tables);
    CHECK(list_states(t, err));
    t->n_words = pair_tables_word_count(tables);
    t->most_cells = MOST_WORDS / t->n_words < MOST_CELLS ? MOST_WORDS / t->n_words : MOST_CELLS;
    CHECK_ALLOC(t->all = aligned_alloc(64, t->n_words * sizeof *t->all));
    bit_vectors_set_first(t->all, t->n_words, dataset_row_count(test->data));
    CHECK_ALLOC(t->last = aligned_alloc(64, t->n_words * sizeof *t->last));
    CHECK(lane_tests_create(tables, &t->lanes, err));
    CHECK(lane_passage_create(tables, &t->passage, err));
    *out = TAKE(t);
    return STATUS_OK;
}

/* --- configurations --- */

static void find_last(target_tests *t, const uint64_t *bits, size_t r) {
    uint64_t *last = t->last;
    size_t n = t->n_words;
    memcpy(last, t->all, n * sizeof *last);
    for (size_t k = 0; k + 1 < r; k++) {
        for (size_t w = 0; w < n; w++)
            last[w] &= ~bits[k * n + w];
    }
}

static bool reserve(target_tests *t, level *l, size_t n_cells) {
    size_t wanted = n_cells < t->most_cells ? n_cells : t->most_cells;
    if (wanted <= l->capacity)
        return true;
    free(l->bits);
    l->capacity = 0;
    l->bits = aligned_alloc(64, wanted * t->n_words * sizeof *l->bits);
    if (!l->bits)
        return false; /* the evaluator does without */
    l->capacity = wanted;
    return true;
}

static uint64_t *vector_of(const target_tests *t, const level *l, size_t cell) {
    return l->bits + cell * t->n_words;
}

/* Joins a cell and a state, if they have rows in common; false if that is one cell too many. */
static bool add_cell(target_tests *t, level *l, const uint64_t *cell, const uint64_t *state) {
    uint32_t tally;
    if (l->n_cells == l->capacity)
        return pair_tables_count_joint(t->tables, cell, state) == 0;
    tally = pair_tables_store_joint(t->tables, cell, state, vector_of(t, l, l->n_cells));
    if (tally > 0)
        l->tallies[l->n_cells++] = tally;
    return true;
}

static void close_stratum(level *l) {
    if (l->n_cells > l->starts[l->n_strata])
        l->starts[++l->n_strata] = (uint32_t)l->n_cells;
}

static void sum_terms(const target_tests *t, level *l) {
    const int64_t *term = t->test->terms.at;
    l->terms = 0;
    for (size_t s = 0; s < l->n_strata; s++) {
        uint32_t rows = 0;
        for (size_t c = l->starts[s]; c < l->starts[s + 1]; c++) {
            rows += l->tallies[c];
            l->terms += term[l->tallies[c]];
        }
        l->terms -= term[rows];
    }
}

static bool begin_target(target_tests *t, size_t target) {
    level *l = &t->levels[0];
    size_t r = t->columns[target].n_states;
    const uint64_t *bits = t->columns[target].bits;
    t->has_target = false;
    t->n_levels = 0;
    l->n_cells = l->n_strata = 0;
    if (!reserve(t, l, r))
        return false;
    find_last(t, bits, r);
    for (size_t k = 0; k < r; k++) {
        const uint64_t *state = k + 1 < r ? bits + k * t->n_words : t->last;
        if (!add_cell(t, l, state, state))
            return false;
    }
    close_stratum(l);
    sum_terms(t, l);
    t->made_target = target;
    t->has_target = true;
    return true;
}

/* Every stratum is split by the states of one more column. */
static bool extend(target_tests *t, size_t column) {
    const level *from = &t->levels[t->n_levels];
    level *to = &t->levels[t->n_levels + 1];
    size_t r = t->columns[column].n_states;
    const uint64_t *bits = t->columns[column].bits;
    to->n_cells = to->n_strata = 0;
    if (!reserve(t, to, from->n_cells * r))
        return false;
    find_last(t, bits, r);
    for (size_t s = 0; s < from->n_strata; s++) {
        for (size_t k = 0; k < r; k++) {
            const uint64_t *state = k + 1 < r ? bits + k * t->n_words : t->last;
            for (size_t c = from->starts[s]; c < from->starts[s + 1]; c++) {
                if (!add_cell(t, to, vector_of(t, from, c), state))
                    return false;
            }
            close_stratum(to);
        }
    }
    sum_terms(t, to);
    t->made_z[t->n_levels++] = column;
    return true;
}

/* The configurations of target and set; NULL where they are too many. */
static const level *find_level(target_tests *t, size_t target, const size_t *z, size_t n_z) {
    size_t shared = 0;
    bool has_bits = t->columns[target].bits;
    for (size_t i = 0; i < n_z; i++)
        has_bits = has_bits && t->columns[z[i]].bits;
    if (!has_bits || ((!t->has_target || t->made_target != target) && !begin_target(t, target)))
        return NULL;
    while (shared < n_z && shared < t->n_levels && t->made_z[shared] == z[shared])
        shared++;
    if (shared < n_z) {
        t->n_levels = shared;
        while (t->n_levels < n_z) {
            if (!extend(t, z[t->n_levels]))
                return NULL;
        }
    }
    return &t->levels[n_z];
}

/* --- tables --- */

/* Rows of x's states but the last in every cell; those of the last cell are what the others leave. */
static void count_cells(target_tests *t, const level *l, const pair_column *x) {
    for (size_t i = 0; i + 1 < x->n_states; i++) {
        uint32_t *row = t->counts + i * MOST_CELLS, rest = x->margin[i];
        pair_tables_count_joints(t->tables, x->bits + i * t->n_words, l->bits, l->n_cells - 1, row);
        for (size_t c = 0; c + 1 < l->n_cells; c++)
            rest -= row[c];
        row[l->n_cells - 1] = rest;
    }
}

/* What a judgement reads of the sums. */
static inline __attribute__((always_inline)) void add_strata_of(const target_tests *t, const level *l, size_t r_x,
                                                                table_sums *sums) {
    const int64_t *term = t->test->terms.at;
    double r_t = (double)t->columns[t->target].n_states;
    double adjusted = 0, zero_expected = 0, steck = 0;
    int64_t information = -l->terms;
    if (r_x == 0) /* no column has no state */
        return;
    for (size_t s = 0; s < l->n_strata; s++) {
        uint32_t margin[PAIR_MOST_STATES];
        size_t rows = 0, columns = l->starts[s + 1] - l->starts[s], positive = 0;
        for (size_t i = 0; i < r_x; i++)
            margin[i] = 0;
        for (size_t c = l->starts[s]; c < l->starts[s + 1]; c++) {
            uint32_t rest = l->tallies[c];
            for (size_t i = 0; i + 1 < r_x; i++) {
                uint32_t count = t->counts[i * MOST_CELLS + c];
                rest -= count;
                margin[i] += count;
                positive += count > 0;
                information += term[count];
            }
            margin[r_x - 1] += rest;
            positive += rest > 0;
            information += term[rest];
        }
        for (size_t i = 0; i < r_x; i++) {
            rows += margin[i] > 0;
            information -= term[margin[i]];
        }
        adjusted += (double)((rows - 1) * (columns - 1));
        zero_expected += (double)r_x * r_t - (double)(rows * columns);
        steck += (double)positive - (double)rows - (double)columns + 1;
    }
    sums->information = information;
    sums->adjusted = adjusted;
    sums->zero_expected = zero_expected;
    sums->steck = steck;
    sums->observed_strata = (double)l->n_strata;
}

static void add_strata(const target_tests *t, const level *l, size_t r_x, table_sums *sums) {
    switch (r_x) {
    case 2:
        add_strata_of(t, l, 2, sums);
        break;
    case 3:
        add_strata_of(t, l, 3, sums);
        break;
    case 4:
        add_strata_of(t, l, 4, sums);
        break;
    default:
        add_strata_of(t, l, r_x, sums);
        break;
    }
}

/* --- tests --- */

/* Turns to target and set, if they are others than those of the last test: how many rows can be told at once then. */
static void turn_to(target_tests *t, size_t target, const size_t *z, size_t n_z) {
    if (t->has_set && t->target == target && t->n_z == n_z && (n_z == 0 || memcmp(t->z, z, n_z * sizeof *z) == 0))
        return;
    t->has_set = n_z <= MOST_GIVEN;
    t->level = t->test->is_g2 && t->has_set ? find_level(t, target, z, n_z) : NULL;
    t->uses_lanes = t->level && n_z > 0 && t->level->n_cells <= PAIR_MOST_STRATA_CELLS && t->test->df != CI_DF_STECK &&
                    t->test->df != CI_DF_SGS;
    t->has_passed = false;
    lane_tests_turn(t->lanes);
    t->q = 1;
    for (size_t i = 0; i < n_z; i++)
        t->q *= (double)t->columns[z[i]].n_states;
    t->target = target;
    t->n_z = n_z;
    if (t->has_set && n_z > 0)
        memcpy(t->z, z, n_z * sizeof *z);
}

/* True, and *reliable, or a test that is counted as skipped: as the evaluator says. */
static bool is_performed(target_tests *t, size_t r_x, bool *reliable) {
    double cells = (double)r_x * (double)t->n_states[t->target] * t->q;
    *reliable = ci_test_has_rows_for(t->test, cells);
    t->test->tally->skipped += !*reliable;
    return *reliable;
}

/* False where the evaluator has to be asked. */
static bool sum_table(target_tests *t, size_t x, table_judgement *out) {
    const pair_column *c = &t->columns[x];
    table_sums sums; /* what no judgement reads stays unset */
    if (!t->level || !c->bits)
        return false;
    count_cells(t, t->level, c);
    add_strata(t, t->level, c->n_states, &sums);
    ci_test_judge_sums(t->test, &sums, (double)c->n_states, (double)t->columns[t->target].n_states, t->q, out);
    return true;
}

static g2_limits find_limits(target_tests *t, double df) {
    double critical = ci_test_critical_value(t->test, df) / 2;
    return critical > 0 ? (g2_limits){critical * (1 - 1e-9), critical * (1 + 1e-9)} : (g2_limits){-INFINITY, INFINITY};
}

static g2_limits limits_of(target_tests *t, double df) {
    g2_limits *kept = df < MOST_DF ? &t->limits[(size_t)df] : NULL;
    if (!kept)
        return find_limits(t, df);
    if (kept->above == 0)
        *kept = find_limits(t, df);
    return *kept;
}

/* What rounded sums say of tests of G2: nothing near a limit. */
static void judge_lanes(void *self, const lane_sums *s, quick_answer *out) {
    target_tests *t = self;
    double full = ((double)s->n_states - 1) * ((double)t->n_states[t->target] - 1);
    double df = t->test->df == CI_DF_OBSERVED ? full * (double)t->level->n_strata : full * t->q;
    double less = whole_terms_value(&t->test->terms, t->level->terms);
    for (size_t i = 0; i < s->n_lanes; i++) {
        double half = (double)s->sums[i] - less, own = t->test->df == CI_DF_ADJ ? (double)s->adjusted[i] : df;
        g2_limits limits = limits_of(t, own < 1 ? 1 : own);
        out[i].least_statistic = 2 * (half - s->error);
        out[i].most_df = own < 1 ? 1 : own;
        out[i].is_independent = half + s->error < limits.below;
        out[i].is_dependent = half - s->error > limits.above;
    }
}

static pair_strata strata_of(const level *l) {
    return (pair_strata){l->bits, l->tallies, l->starts, l->n_cells, l->n_strata};
}

/* False if the lanes say nothing. */
static bool decide_by_lane(target_tests *t, const lane_place *place, verdict *out) {
    const pair_strata strata = strata_of(t->level);
    const lane_judge judge = {t, judge_lanes};
    const quick_answer *a = lane_tests_answer(t->lanes, &strata, place, &judge);
    if (a->is_independent)
        *out = (verdict){.is_exact = true, .value = {.is_zero = true}};
    else
        *out = (verdict){.least_statistic = a->least_statistic, .most_df = a->most_df};
    return a->is_independent || a->is_dependent;
}

static status measure(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable, association *out,
                      error_info *err) {
    target_tests *t = self;
    table_judgement j;
    turn_to(t, y, z, n_z);
    if (!is_performed(t, t->n_states[x], reliable))
        return STATUS_OK;
    if (!sum_table(t, x, &j))
        return ci_test_associate(t->test, x, y, z, n_z, reliable, out, err);
    ci_test_count(t->test, n_z, false);
    *out = ci_test_finish_judgement(t->test, &j);
    return STATUS_OK;
}

static status decide(void *self, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable, verdict *out,
                     error_info *err) {
    target_tests *t = self;
    table_judgement j;
    lane_place place;
    bool has_lane;
    turn_to(t, y, z, n_z);
    has_lane = t->uses_lanes && !t->has_passed && lane_tests_find(t->lanes, x, &place);
    if (!is_performed(t, has_lane ? place.n_states : t->n_states[x], reliable))
        return STATUS_OK;
    if (has_lane && decide_by_lane(t, &place, out)) {
        ci_test_count(t->test, n_z, false);
        return STATUS_OK;
    }
    if (!sum_table(t, x, &j))
        return ci_test_decide(t->test, x, y, z, n_z, reliable, out, err);
    ci_test_count(t->test, n_z, false);
    if (j.is_clearly_dependent) /* how small p is may never be asked */
        *out = (verdict){.least_statistic = j.statistic, .most_df = j.df};
    else
        *out = (verdict){.is_exact = true, .value = ci_test_finish_judgement(t->test, &j)};
    return STATUS_OK;
}

/* The same of tests that may not be performed: nothing then. */
static void judge_performed(void *self, const lane_sums *s, quick_answer *out) {
    target_tests *t = self;
    if (ci_test_has_rows_for(t->test, (double)s->n_states * (double)t->n_states[t->target] * t->q))
        judge_lanes(t, s, out);
    else
        memset(out, 0, s->n_lanes * sizeof *out);
}

static bool decide_many(void *self, const size_t *columns, size_t n_columns, size_t y, const size_t *z, size_t n_z,
                        quick_answer *out) {
    target_tests *t = self;
    const lane_judge judge = {t, judge_performed};
    pair_strata strata;
    turn_to(t, y, z, n_z);
    if (!t->uses_lanes)
        return false;
    strata = strata_of(t->level);
    t->has_passed = lane_passage_judge(t->passage, &strata, columns, n_columns, &judge, out);
    for (size_t i = 0; t->has_passed && i < n_columns; i++) {
        if (out[i].is_independent || out[i].is_dependent)
            ci_test_count(t->test, n_z, false);
    }
    return t->has_passed;
}

static status resolve(void *self, size_t x, size_t y, const size_t *z, size_t n_z, association *out, error_info *err) {
    target_tests *t = self;
    table_judgement j;
    turn_to(t, y, z, n_z);
    if (!sum_table(t, x, &j))
        return ci_test_resolve(t->test, x, y, z, n_z, out, err);
    *out = ci_test_finish_judgement(t->test, &j);
    return STATUS_OK;
}

static void attend(void *self, const size_t *columns, size_t n_columns) {
    target_tests *t = self;
    lane_tests_attend(t->lanes, columns, n_columns);
}

association_source target_tests_as_source(target_tests *t) {
    return (association_source){t, measure};
}

decision_source target_tests_as_decisions(target_tests *t) {
    return (decision_source){
        .self = t, .decide = decide, .decide_many = decide_many, .resolve = resolve, .attend = attend};
}
