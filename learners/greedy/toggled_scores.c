/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Row y of `with` holds scores of y with one parent more or less. Where few pairs are looked at again, `known` holds
 * their scores in place of it; what was asked for is remembered by a bit, so that it is not counted twice.
 */
#include "learners/greedy/toggled_scores.h"

#include "core/base/array.h"
#include "core/base/bits.h"
#include "core/counting/base_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_TOGETHER = 4, /* candidates; fewer are scored one by one */
    MOST_TOGETHER = 64  /* between two readings of the clock */
};

static uint64_t *asked_word(const toggled_scores *s, size_t x, size_t y) {
    return s->asked + y * s->n_words + x / 64;
}

static status node_of_score(void *context, size_t y, const size_t *parents, size_t n_parents, double *out,
                            error_info *err) {
    return score_node(context, y, parents, n_parents, out, err);
}

static status node_with_of_score(void *context, size_t y, const size_t *parents, size_t n_parents, size_t extra,
                                 double *out, error_info *err) {
    return score_node_with(context, y, parents, n_parents, extra, out, err);
}

local_scorer local_scorer_of(score *s) {
    return (local_scorer){s, node_of_score, node_with_of_score, s};
}

/* --- life --- */

void toggled_scores_clear(toggled_scores *s) {
    free(s->with);
    for (size_t y = 0; s->known && y < s->n; y++)
        free(s->known[y].scores);
    free(s->known);
    free(s->asked);
    delta_ahead_destroy(s->ahead);
    scored_extras_destroy(s->extras);
    pair_tables_destroy(s->tables);
    free(s->scratch);
    *s = (toggled_scores){0};
}

void toggled_scores_forget(toggled_scores *s, size_t y) {
    for (size_t x = 0; s->with && x < s->n; x++)
        s->with[y * s->n + x] = (double)NAN;
    if (s->known) {
        s->known[y].n = 0;
        memset(s->asked + y * s->n_words, 0, s->n_words * sizeof *s->asked);
    }
}

/* Nothing is scored beforehand where the count of scores says when a search is over, or where few pairs are looked at:
 * there a look at what will be asked for costs more than its scores do. */
static status make_ahead(toggled_scores *s, error_info *err) {
    if (s->known || s->ctx->n_threads < 2 || s->ctx->most_scores > 0 || !delta_ahead_pays(s->tables))
        return STATUS_OK;
    return delta_ahead_create(s->scorer.by_tables, s->tables, s->extras, s->ctx->n_threads, &s->ahead, err);
}

static status make_extras(toggled_scores *s, error_info *err) {
    if (s->scorer.by_tables)
        CHECK(score_make_tables(s->scorer.by_tables, s->ctx->n_threads, NULL, &s->tables, err));
    if (!s->tables)
        return STATUS_OK;
    base_tables_prepare(s->tables, s->ctx->n_threads);
    CHECK(scored_extras_create(s->scorer.by_tables, s->tables, &s->extras, err));
    return make_ahead(s, err);
}

static status make_rows(toggled_scores *s, bool is_sparse, error_info *err) {
    size_t cells;
    if (__builtin_mul_overflow(s->n, s->n, &cells))
        return error_out_of_memory(err);
    if (is_sparse) {
        CHECK_ALLOC(s->known = calloc(s->n + 1, sizeof *s->known));
        CHECK_ALLOC(s->asked = calloc(s->n * s->n_words + 1, sizeof *s->asked));
    } else {
        CHECK_ALLOC(s->with = calloc(cells + 1, sizeof *s->with));
    }
    for (size_t y = 0; y < s->n; y++)
        toggled_scores_forget(s, y);
    return STATUS_OK;
}

status toggled_scores_init(toggled_scores *s, const dag *graph, const local_scorer *scorer, bool is_sparse,
                           run_context *ctx, error_info *err) {
    size_t n = dag_node_count(graph);
    *s = (toggled_scores){.n = n, .n_words = (n + 63) / 64, .scorer = *scorer, .ctx = ctx, .graph = graph};
    CHECK(make_rows(s, is_sparse, err));
    CHECK_ALLOC(s->scratch = calloc(n + 1, sizeof *s->scratch));
    return make_extras(s, err);
}

/* --- what is kept --- */

/* The place of x in the row, or where it would be. */
static size_t place_in(const known_row *row, size_t x) {
    size_t at;
    ARRAY_FIND_PLACE(at, row->n, row->scores[at].node < x);
    return at;
}

double toggled_scores_with(const toggled_scores *s, size_t x, size_t y) {
    const known_row *row;
    size_t at;
    if (s->with)
        return s->with[y * s->n + x];
    row = &s->known[y];
    at = place_in(row, x);
    return at < row->n && row->scores[at].node == x ? row->scores[at].with : (double)NAN;
}

status toggled_scores_keep(toggled_scores *s, size_t x, size_t y, double with, error_info *err) {
    known_row *row;
    size_t at;
    if (s->with) {
        s->with[y * s->n + x] = with;
        return STATUS_OK;
    }
    row = &s->known[y];
    CHECK(ARRAY_ROOM(row->scores, row->n, row->capacity, err));
    at = place_in(row, x);
    memmove(row->scores + at + 1, row->scores + at, (row->n++ - at) * sizeof *row->scores);
    row->scores[at] = (scored_parent){with, (uint32_t)x, 0};
    *asked_word(s, x, y) |= bit_of(x);
    return STATUS_OK;
}

void toggled_scores_look_up(const toggled_scores *s, size_t y, const size_t *others, size_t n, double *out) {
    const known_row *row = s->known ? &s->known[y] : NULL;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        size_t x = others[i];
        while (row && at < row->n && row->scores[at].node < x)
            at++;
        if (!row)
            out[i] = s->with[y * s->n + x];
        else
            out[i] = at < row->n && row->scores[at].node == x ? row->scores[at].with : (double)NAN;
    }
}

bool toggled_scores_lack_many(const toggled_scores *s, size_t y, size_t first, size_t end) {
    size_t n = 0;
    for (size_t x = first; x < end; x++)
        n += isnan(s->with[y * s->n + x]) ? 1 : 0;
    return n >= LEAST_TOGETHER;
}

void toggled_scores_copy_row(const toggled_scores *s, size_t y, double *row) {
    memcpy(row, s->with + y * s->n, s->n * sizeof *row);
}

void toggled_scores_restore_row(toggled_scores *s, size_t y, const double *row) {
    memcpy(s->with + y * s->n, row, s->n * sizeof *row);
}

/* --- one by one --- */

static bool was_asked(const toggled_scores *s, size_t x, size_t y) {
    return s->asked && (*asked_word(s, x, y) & bit_of(x)) != 0;
}

static status score_without(toggled_scores *s, size_t y, size_t x, double *out, error_info *err) {
    size_t n_parents, n = 0;
    const size_t *parents = dag_parents(s->graph, y, &n_parents);
    for (size_t i = 0; i < n_parents; i++) {
        if (parents[i] != x)
            s->scratch[n++] = parents[i];
    }
    return s->scorer.node(s->scorer.context, y, s->scratch, n, out, err);
}

/* Past the counters where it was asked for before and forgotten. */
static status ask(toggled_scores *s, size_t x, size_t y, double *with, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(s->graph, y, &n_parents);
    if (dag_has_arc(s->graph, x, y))
        return score_without(s, y, x, with, err);
    if (was_asked(s, x, y))
        return score_node_fresh(s->scorer.by_tables, y, parents, n_parents, x, with, err);
    return s->scorer.node_with(s->scorer.context, y, parents, n_parents, x, with, err);
}

status toggled_scores_find(toggled_scores *s, size_t x, size_t y, double *with, error_info *err) {
    CHECK(ask(s, x, y, with, err));
    return toggled_scores_keep(s, x, y, *with, err);
}

/* --- several at once --- */

/* Of n nodes that may become parents of y, those whose score is to be found; `wants_asked`: that was asked for before.
 */
static size_t list_lacking(const toggled_scores *s, size_t y, const size_t *others, const double *known, size_t n,
                           bool wants_asked, size_t *out) {
    size_t n_out = 0;
    for (size_t i = 0; i < n; i++) {
        size_t x = others[i];
        if (isnan(known[i]) && was_asked(s, x, y) == wants_asked && !score_is_constant(s->scorer.by_tables, x))
            out[n_out++] = x;
    }
    return n_out;
}

static size_t count_lacking(const double *known, size_t n) {
    size_t n_lacking = 0;
    for (size_t i = 0; i < n; i++)
        n_lacking += isnan(known[i]) ? 1 : 0;
    return n_lacking;
}

/* The scores of y with each of n columns, by whoever found them; false into `*is_done`: it would cost more than one by
 * one. */
static status find_some(toggled_scores *s, size_t y, const size_t *columns, size_t n, double *out, bool *is_done,
                        error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(s->graph, y, &n_parents);
    *is_done = false;
    if (s->ahead)
        CHECK(delta_ahead_take(s->ahead, y, parents, n_parents, columns, n, out, is_done, err));
    if (*is_done)
        return STATUS_OK;
    CHECK(scored_extras_set(s->extras, y, parents, n_parents, columns, n, is_done, err));
    for (size_t i = 0; i < n && *is_done; i++)
        out[i] = scored_extras_with(s->extras, columns[i]);
    return STATUS_OK;
}

/* Of y and each of n columns, at most MOST_TOGETHER, of which n_new were not asked for before. */
static status score_some(toggled_scores *s, size_t y, const size_t *columns, size_t n, size_t n_new, bool *is_done,
                         error_info *err) {
    double found[MOST_TOGETHER];
    size_t n_parents;
    const size_t *parents = dag_parents(s->graph, y, &n_parents);
    CHECK(find_some(s, y, columns, n, found, is_done, err));
    if (!*is_done)
        return STATUS_OK;
    CHECK(score_count_additions(s->scorer.by_tables, y, parents, n_parents, columns, n_new, err));
    for (size_t i = 0; i < n; i++)
        CHECK(toggled_scores_keep(s, columns[i], y, found[i], err));
    return STATUS_OK;
}

/* Those that were not asked for before come first. */
static status score_all(toggled_scores *s, size_t y, const size_t *others, const double *known, size_t n,
                        error_info *err) {
    size_t n_new = list_lacking(s, y, others, known, n, false, s->scratch);
    size_t end = n_new + list_lacking(s, y, others, known, n, true, s->scratch + n_new);
    bool is_done = true;
    for (size_t i = 0, count; i < end && is_done && (i == 0 || !run_context_is_expired(s->ctx)); i += count) {
        size_t rest = i < n_new ? n_new - i : end - i;
        count = rest < MOST_TOGETHER ? rest : MOST_TOGETHER;
        CHECK(score_some(s, y, s->scratch + i, count, i < n_new ? count : 0, &is_done, err));
    }
    return STATUS_OK;
}

/* One by one where the count of scores says when a search is over. */
status toggled_scores_find_some(toggled_scores *s, size_t y, const size_t *others, size_t n, double *out,
                                error_info *err) {
    toggled_scores_look_up(s, y, others, n, out);
    if (!s->extras || s->ctx->most_scores > 0 || count_lacking(out, n) < LEAST_TOGETHER)
        return STATUS_OK;
    CHECK(score_all(s, y, others, out, n, err));
    toggled_scores_look_up(s, y, others, n, out);
    return STATUS_OK;
}

/* Of the others that are neither known nor constant. */
status toggled_scores_foresee(toggled_scores *s, size_t y, const size_t *others, size_t n, double *known,
                              error_info *err) {
    size_t n_parents, n_lacking = 0;
    const size_t *parents = dag_parents(s->graph, y, &n_parents);
    toggled_scores_look_up(s, y, others, n, known);
    for (size_t i = 0; i < n; i++) {
        if (isnan(known[i]) && !score_is_constant(s->scorer.by_tables, others[i]))
            s->scratch[n_lacking++] = others[i];
    }
    return n_lacking < LEAST_TOGETHER ? STATUS_OK
                                      : delta_ahead_add(s->ahead, y, parents, n_parents, s->scratch, n_lacking, err);
}

/* --- a survey of all pairs --- */

/* What asking for all x -> y with x < y counts. */
static status count_lower(toggled_scores *s, error_info *err) {
    for (size_t y = 0; y < s->n; y++) {
        CHECK(score_count_additions(s->scorer.by_tables, y, NULL, 0, s->scratch, y, err));
        s->scratch[y] = y;
    }
    return STATUS_OK;
}

status toggled_scores_pass_lower(toggled_scores *s, error_info *err) {
    for (size_t y = 0; y < s->n; y++) {
        uint64_t *row = s->asked + y * s->n_words;
        memset(row, 0xFF, y / 64 * sizeof *row);
        row[y / 64] = bit_of(y) - 1;
    }
    return count_lower(s, err);
}
