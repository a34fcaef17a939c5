/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scores of families, kept from one search to the next: ten searches of sgs2 on alarm (5,000 rows) compute 8,380 scores
 * where one computes 4,293. A greedy search (greedy_rows.c, delta_table.c) knows the scores around its present graph
 * alone. Here a move also reads the rows of a node's parents less one, and finds those of former graphs again, so rows
 * are found by family (learners/base/family_index.h), as those of GES are. A value that is known never changes, and
 * -INFINITY stands where nothing may be added.
 */
#include "learners/sgs/family_scores_internal.h"

#include "core/base/array.h"
#include "core/base/cache_line.h"
#include "learners/base/family_index.h"
#include "learners/sgs/candidate_positions_internal.h"
#include "learners/sgs/known_families_internal.h"
#include "learners/sgs/row_order_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a thread needs to fill a row, in lines of its own. */
typedef struct {
    row_place *places; /* 2 n */
    double *values;    /* 2 n */
} scratch;

struct family_scores {
    const family_source *source;
    const sgs_plan *plan;
    size_t n;
    family_index *index;
    size_t n_bytes;
    scratch *scratches;    /* by worker; the first is the search's */
    row_finder finder;     /* without a function: the search finds rows alone */
    known_families *known; /* of what was asked for; NULL: the source knows */
    size_t n_asked;        /* distinct families */
    size_t *extras;        /* scratch, where `known` */
};

static size_t worker_count(const family_source *source) {
    return source->n_workers > 1 ? source->n_workers : 1;
}

static void destroy_row(void *self) {
    family_row *row = self;
    if (row)
        free(row->order);
    free(row);
}

void family_scores_destroy(family_scores *scores) {
    if (!scores)
        return;
    family_index_destroy(scores->index);
    for (size_t i = 0; scores->scratches && i < worker_count(scores->source); i++) {
        free(scores->scratches[i].places);
        free(scores->scratches[i].values);
    }
    free(scores->scratches);
    known_families_destroy(scores->known);
    free(scores->extras);
    free(scores);
}

static status make_scratches(family_scores *scores, error_info *err) {
    size_t n = worker_count(scores->source);
    CHECK_ALLOC(scores->scratches = calloc(n, sizeof *scores->scratches));
    for (size_t i = 0; i < n; i++) {
        scratch *own = &scores->scratches[i];
        CHECK_ALLOC(own->places = cache_lines_create(2 * (scores->n + 1) * sizeof *own->places));
        CHECK_ALLOC(own->values = cache_lines_create(2 * (scores->n + 1) * sizeof *own->values));
    }
    return STATUS_OK;
}

status family_scores_create(const family_source *source, const sgs_plan *plan, family_scores **out, error_info *err) {
    AUTO_PTR(family_scores_destroy) family_scores *scores = NULL;
    CHECK_ALLOC(scores = calloc(1, sizeof *scores));
    scores->source = source;
    scores->plan = plan;
    scores->n = source->n_variables;
    CHECK(make_scratches(scores, err));
    CHECK(family_index_create(scores->n, destroy_row, &scores->index, err));
    if (source->fresh && plan->neighbourhood != SGS_STARS) {
        CHECK(known_families_create(plan, scores->n, &scores->known, err));
        CHECK_ALLOC(scores->extras = calloc(scores->n + 1, sizeof *scores->extras));
    }
    *out = TAKE(scores);
    return STATUS_OK;
}

static void hand_row_over(const family_scores *scores, const family_row *row) {
    const family_source *source = scores->source;
    source->keep(source->self, row->x, row->parents, row->n_parents, FAMILY_NO_EXTRA, row->base);
    for (size_t i = 0; i < family_scores_width(scores, row->x); i++) {
        size_t y = family_scores_node(scores, row->x, i);
        if (y != row->x && !isnan(row->values[i]) && !array_has_size(row->parents, row->n_parents, y))
            source->keep(source->self, row->x, row->parents, row->n_parents, y, row->values[i]);
    }
}

/* From here on the source knows what was asked for. */
static void hand_over(family_scores *scores) {
    for (size_t x = 0; x < scores->n; x++) {
        for (size_t i = 0; i < known_families_row_count(scores->known, x); i++)
            hand_row_over(scores, known_families_row(scores->known, x, i));
    }
    known_families_destroy(TAKE(scores->known));
}

status family_scores_trim(family_scores *scores, size_t max_bytes, error_info *err) {
    if (scores->n_bytes <= max_bytes)
        return STATUS_OK;
    if (scores->known)
        hand_over(scores);
    scores->n_bytes = 0;
    return family_index_forget(scores->index, err);
}

size_t family_scores_width(const family_scores *scores, size_t x) {
    return candidate_count(scores->plan, scores->n, x);
}

size_t family_scores_node(const family_scores *scores, size_t x, size_t position) {
    return scores->plan->candidates ? scores->plan->candidates[x][position] : position;
}

size_t family_scores_position(const family_scores *scores, size_t x, size_t y) {
    return candidate_position(scores->plan, scores->n, x, y);
}

static void rule_out(const family_scores *scores, family_row *row, size_t y) {
    size_t at = family_scores_position(scores, row->x, y);
    if (at == family_scores_width(scores, row->x))
        return;
    row->values[at] = -INFINITY;
    row->n_unknown--;
}

/* So many families more may be known by rows. */
static bool is_known_by_rows(family_scores *scores, size_t n_more) {
    if (scores->known && scores->source->most_kept - scores->n_asked < n_more)
        hand_over(scores);
    return scores->known;
}

static void count_asked(family_scores *scores, size_t n_requests, size_t n_new) {
    scores->n_asked += n_new;
    scores->source->count(scores->source->self, n_requests, n_new);
}

static status ask_base(family_scores *scores, family_row *row, error_info *err) {
    const family_source *source = scores->source;
    const size_t no_extra = FAMILY_NO_EXTRA;
    bool is_new;
    if (!is_known_by_rows(scores, 1))
        return source->family(source->self, row->x, row->parents, row->n_parents, FAMILY_NO_EXTRA, &row->base, err);
    row->base = known_families_base(scores->known, row->x, row->parents, row->n_parents);
    is_new = isnan(row->base);
    while (isnan(row->base)) /* a node needs its score, whatever the time */
        CHECK(source->fresh(source->self, row->x, row->parents, row->n_parents, &no_extra, 1, &row->base, err));
    count_asked(scores, 1, is_new);
    return known_families_add_row(scores->known, row, err);
}

/* A row that the index does not have yet. */
static status add_row(family_scores *scores, size_t x, const size_t *parents, size_t n, family_row **out,
                      error_info *err) {
    size_t width = family_scores_width(scores, x), n_bytes = sizeof(family_row) + width * sizeof(double);
    size_t *own_parents;
    AUTO_FREE family_row *row = malloc(n_bytes + n * sizeof *own_parents);
    CHECK_ALLOC(row);
    own_parents = (size_t *)(void *)(row->values + width);
    for (size_t i = 0; i < n; i++)
        own_parents[i] = parents[i];
    *row = (family_row){.x = x, .n_parents = n, .parents = own_parents, .top = -INFINITY, .n_unknown = width};
    for (size_t i = 0; i < width; i++)
        row->values[i] = (double)NAN;
    rule_out(scores, row, x);
    for (size_t i = 0; i < n; i++)
        rule_out(scores, row, parents[i]);
    scores->n_bytes += n_bytes + n * sizeof *own_parents;
    CHECK(family_index_add(scores->index, row, err));
    *out = TAKE(row);
    return ask_base(scores, *out, err);
}

status family_scores_get(family_scores *scores, size_t x, const size_t *parents, size_t n, family_row **out,
                         error_info *err) {
    *out = family_index_find(scores->index, x, parents, n);
    return *out ? STATUS_OK : add_row(scores, x, parents, n, out, err);
}

family_row *family_scores_peek(const family_scores *scores, uint32_t *key, size_t x, const size_t *parents, size_t n) {
    return family_index_peek(scores->index, key, x, parents, n);
}

static void take_value(family_row *row, size_t position, double value) {
    row->values[position] = value;
    row->n_unknown--;
    if (value > row->top)
        row->top = value;
}

bool family_scores_ask_together(const family_scores *scores) {
    return scores->known;
}

/* Those of the n families with extras[i] that no row knows, one after the other. */
static status ask_unknown(family_scores *scores, const family_row *row, size_t n, double *values, size_t *n_new,
                          error_info *err) {
    const family_source *source = scores->source;
    double *fresh = scores->scratches[0].values + scores->n;
    size_t n_unknown = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i]))
            scores->extras[n_unknown++] = scores->extras[i];
    }
    CHECK(source->fresh(source->self, row->x, row->parents, row->n_parents, scores->extras, n_unknown, fresh, err));
    *n_new = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i])) {
            values[i] = fresh[at++];
            *n_new += isnan(values[i]) ? 0 : 1;
        }
    }
    return STATUS_OK;
}

static status ask_together(family_scores *scores, family_row *row, const size_t *positions, size_t n, error_info *err) {
    double *values = scores->scratches[0].values;
    size_t n_new, n_left = row->n_unknown;
    for (size_t i = 0; i < n; i++) {
        scores->extras[i] = family_scores_node(scores, row->x, positions[i]);
        values[i] = (double)NAN;
    }
    known_families_cells(scores->known, row, scores->extras, n, values);
    CHECK(ask_unknown(scores, row, n, values, &n_new, err));
    for (size_t i = 0; i < n; i++) {
        if (!isnan(values[i]))
            take_value(row, positions[i], values[i]);
    }
    count_asked(scores, n_left - row->n_unknown, n_new);
    return STATUS_OK;
}

static status ask_source(const family_scores *scores, family_row *row, size_t position, error_info *err) {
    const family_source *source = scores->source;
    size_t y = family_scores_node(scores, row->x, position);
    double value = 0;
    CHECK(source->family(source->self, row->x, row->parents, row->n_parents, y, &value, err));
    take_value(row, position, value);
    return STATUS_OK;
}

status family_row_ask_some(family_scores *scores, family_row *row, const size_t *positions, size_t n, error_info *err) {
    if (is_known_by_rows(scores, n))
        return ask_together(scores, row, positions, n, err);
    for (size_t i = 0; i < n; i++)
        CHECK(ask_source(scores, row, positions[i], err));
    return STATUS_OK;
}

status family_row_ask(family_scores *scores, family_row *row, size_t position, error_info *err) {
    return family_row_ask_some(scores, row, &position, 1, err);
}

static status put_in_order(const scratch *own, family_row *row, size_t width, error_info *err) {
    AUTO_FREE uint32_t *order = calloc(width + 1, sizeof *order);
    CHECK_ALLOC(order);
    row_order_find(row->values, width, own->places, order);
    row->order = TAKE(order);
    return STATUS_OK;
}

static status ask_each(family_scores *scores, family_row *row, size_t width, error_info *err) {
    for (size_t i = 0; i < width; i++) {
        if (isnan(row->values[i]))
            CHECK(family_row_ask(scores, row, i, err));
    }
    return STATUS_OK;
}

/* No value is known, and every node is a candidate. */
bool family_row_can_be_found(const family_scores *scores, const family_row *row) {
    return !row->order && scores->source->row && !scores->plan->candidates &&
           row->n_unknown + row->n_parents + 1 == scores->n;
}

status family_row_find(family_scores *scores, size_t worker, family_row *row, size_t first, size_t end,
                       error_info *err) {
    const family_source *source = scores->source;
    double *values = scores->scratches[worker].values;
    CHECK(source->row(source->self, worker, row->x, row->parents, row->n_parents, first, end, values, err));
    for (size_t i = first; i < end; i++) {
        if (isnan(row->values[i]))
            row->values[i] = values[i - first];
    }
    return STATUS_OK;
}

status family_row_found(family_scores *scores, size_t worker, family_row *row, error_info *err) {
    CHECK(put_in_order(&scores->scratches[worker], row, scores->n, err));
    row->top = row->values[row->order[0]];
    row->n_unknown = 0;
    return STATUS_OK;
}

status family_row_count(family_scores *scores, const family_row *row, error_info *err) {
    const family_source *source = scores->source;
    scores->n_bytes += (scores->n + 1) * sizeof *row->order;
    return source->count_row ? source->count_row(source->self, row->x, row->parents, row->n_parents, err) : STATUS_OK;
}

void family_scores_set_finder(family_scores *scores, row_finder finder) {
    scores->finder = finder;
}

static status find_whole(family_scores *scores, family_row *row, error_info *err) {
    if (scores->finder.find)
        return scores->finder.find(scores->finder.self, row, err);
    CHECK(family_row_find(scores, 0, row, 0, scores->n, err));
    return family_row_found(scores, 0, row, err);
}

status family_row_fill(family_scores *scores, family_row *row, error_info *err) {
    size_t width = family_scores_width(scores, row->x);
    if (row->order)
        return STATUS_OK;
    if (family_row_can_be_found(scores, row)) {
        CHECK(family_row_count(scores, row, err));
        return find_whole(scores, row, err);
    }
    CHECK(ask_each(scores, row, width, err));
    scores->n_bytes += (width + 1) * sizeof *row->order;
    return put_in_order(&scores->scratches[0], row, width, err);
}

status family_score_dag(const family_source *source, const dag *g, double *out, error_info *err) {
    double sum = 0;
    for (size_t x = 0; x < source->n_variables; x++) {
        size_t n_parents;
        const size_t *parents = dag_parents(g, x, &n_parents);
        double value = 0;
        CHECK(source->family(source->self, x, parents, n_parents, FAMILY_NO_EXTRA, &value, err));
        sum += value;
    }
    *out = sum;
    return STATUS_OK;
}
