/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Row y of `with` holds scores of y with one parent more or less. Of many nodes, `known` holds in place of it the best
 * of them and a bound on the others, which are found again where that does not do; what was asked for is remembered by
 * a bit, so that it is not counted twice.
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
    MOST_TOGETHER = 64, /* between two readings of the clock */
    KEPT = TOGGLED_SCORES_KEPT
};

static uint64_t *asked_word(const toggled_scores *s, size_t x, size_t y) {
    return s->asked + y * s->n_words + x / 64;
}

static known_row *half_of(const toggled_scores *s, size_t x, size_t y) {
    return &s->known[2 * y + (x > y)];
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
    for (size_t i = 0; s->known && i < 2 * s->n; i++)
        free(s->known[i].scores);
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
        for (size_t i = 2 * y; i < 2 * y + 2; i++) {
            s->known[i].n = 0;
            s->known[i].rest = -INFINITY;
        }
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
        CHECK_ALLOC(s->known = calloc(2 * s->n + 1, sizeof *s->known));
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
    row = half_of(s, x, y);
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
    row = half_of(s, x, y);
    CHECK(ARRAY_ROOM(row->scores, row->n, row->capacity, err));
    at = place_in(row, x);
    memmove(row->scores + at + 1, row->scores + at, (row->n++ - at) * sizeof *row->scores);
    row->scores[at] = (scored_parent){with, (uint32_t)x, 0};
    *asked_word(s, x, y) |= bit_of(x);
    return STATUS_OK;
}

static void look_up_dense(const double *row, const size_t *others, size_t n, double *out) {
    for (size_t i = 0; i < n; i++)
        out[i] = row[others[i]];
}

void toggled_scores_look_up(const toggled_scores *s, size_t y, const size_t *others, size_t n, double *out) {
    const known_row *row;
    size_t at = 0;
    if (s->with)
        look_up_dense(s->with + y * s->n, others, n, out);
    if (s->with || n == 0)
        return;
    row = half_of(s, others[0], y);
    for (size_t i = 0; i < n; i++) {
        size_t x = others[i];
        while (at < row->n && row->scores[at].node < x)
            at++;
        out[i] = at < row->n && row->scores[at].node == x ? row->scores[at].with : (double)NAN;
    }
}

bool toggled_scores_lack_many(const toggled_scores *s, size_t y, size_t first, size_t end) {
    size_t n = 0;
    for (size_t x = first; x < end; x++)
        n += isnan(s->with[y * s->n + x]) ? 1 : 0;
    return n >= LEAST_TOGETHER;
}

static status copy_scores(known_row *to, const known_row *from, error_info *err) {
    CHECK(ARRAY_RESERVE(to->scores, to->capacity, from->n, err));
    if (from->n > 0)
        memcpy(to->scores, from->scores, from->n * sizeof *from->scores);
    to->n = from->n;
    to->rest = from->rest;
    return STATUS_OK;
}

status toggled_scores_save_row(const toggled_scores *s, size_t y, saved_row *out, error_info *err) {
    if (s->with) {
        if (!out->with)
            CHECK_ALLOC(out->with = calloc(s->n, sizeof *out->with));
        memcpy(out->with, s->with + y * s->n, s->n * sizeof *out->with);
        return STATUS_OK;
    }
    if (!out->asked)
        CHECK_ALLOC(out->asked = calloc(s->n_words, sizeof *out->asked));
    memcpy(out->asked, s->asked + y * s->n_words, s->n_words * sizeof *out->asked);
    CHECK(copy_scores(&out->known[0], &s->known[2 * y], err));
    return copy_scores(&out->known[1], &s->known[2 * y + 1], err);
}

status toggled_scores_restore_row(toggled_scores *s, size_t y, const saved_row *row, error_info *err) {
    if (s->with) {
        memcpy(s->with + y * s->n, row->with, s->n * sizeof *row->with);
        return STATUS_OK;
    }
    memcpy(s->asked + y * s->n_words, row->asked, s->n_words * sizeof *row->asked);
    CHECK(copy_scores(&s->known[2 * y], &row->known[0], err));
    return copy_scores(&s->known[2 * y + 1], &row->known[1], err);
}

void saved_row_clear(saved_row *row) {
    free(row->with);
    free(row->asked);
    free(row->known[0].scores);
    free(row->known[1].scores);
    *row = (saved_row){0};
}

double toggled_scores_rest(const toggled_scores *s, size_t half, size_t y) {
    return s->known ? s->known[2 * y + half].rest : -INFINITY;
}

/* The KEPT-th best of the row, which has more. */
static double find_least_kept(const known_row *row) {
    double best[KEPT];
    for (size_t i = 0; i < row->n; i++) {
        size_t at = i < KEPT ? i : KEPT - 1;
        if (i >= KEPT && !(row->scores[i].with > best[at]))
            continue;
        for (; at > 0 && best[at - 1] < row->scores[i].with; at--)
            best[at] = best[at - 1];
        best[at] = row->scores[i].with;
    }
    return best[KEPT - 1];
}

void toggled_scores_prune(toggled_scores *s, size_t half, size_t y, const pruning_rule *rule) {
    known_row *row = s->known ? &s->known[2 * y + half] : NULL;
    size_t n = 0;
    double least;
    if (!row || s->keeps_all || row->n <= 2 * KEPT)
        return;
    least = find_least_kept(row);
    for (size_t i = 0; i < row->n; i++) {
        row->scores[n] = row->scores[i];
        n += row->scores[i].with > least || rule->stays(rule->of, row->scores[i].node, y) ? 1 : 0;
    }
    row->n = n;
    row->rest = fmax(row->rest, least);
    if (row->capacity > 4 * KEPT && array_resize(&row->scores, n + KEPT, sizeof *row->scores, NULL) == STATUS_OK)
        row->capacity = n + KEPT;
}

/* --- one by one --- */

bool toggled_scores_was_asked(const toggled_scores *s, size_t x, size_t y) {
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
    if (toggled_scores_was_asked(s, x, y))
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
        if (isnan(known[i]) && toggled_scores_was_asked(s, x, y) == wants_asked &&
            !score_is_constant(s->scorer.by_tables, x))
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

/* Of y and each of n columns, at most MOST_TOGETHER. */
static status score_some(toggled_scores *s, size_t y, const size_t *columns, size_t n, bool *is_done, error_info *err) {
    double found[MOST_TOGETHER];
    CHECK(find_some(s, y, columns, n, found, is_done, err));
    for (size_t i = 0; i < n && *is_done; i++)
        CHECK(toggled_scores_keep(s, columns[i], y, found[i], err));
    return STATUS_OK;
}

/* Of those that lack, such as were asked for before, or such as were not. These are counted in one go: each is looked
 * for among all that y was ever asked for. */
static status score_all(toggled_scores *s, size_t y, const size_t *others, const double *known, size_t n,
                        bool wants_asked, error_info *err) {
    size_t end = list_lacking(s, y, others, known, n, wants_asked, s->scratch), n_done = 0, n_parents;
    const size_t *parents = dag_parents(s->graph, y, &n_parents);
    bool is_done = true;
    while (n_done < end && (n_done == 0 || !run_context_is_expired(s->ctx))) {
        size_t count = end - n_done < MOST_TOGETHER ? end - n_done : MOST_TOGETHER;
        CHECK(score_some(s, y, s->scratch + n_done, count, &is_done, err));
        if (!is_done)
            break;
        n_done += count;
    }
    return wants_asked ? STATUS_OK
                       : score_count_additions(s->scorer.by_tables, y, parents, n_parents, s->scratch, n_done, err);
}

/* One by one where the count of scores says when a search is over. */
status toggled_scores_find_some(toggled_scores *s, size_t y, const size_t *others, size_t n, double *out,
                                error_info *err) {
    toggled_scores_look_up(s, y, others, n, out);
    if (!s->extras || s->ctx->most_scores > 0 || count_lacking(out, n) < LEAST_TOGETHER)
        return STATUS_OK;
    CHECK(score_all(s, y, others, out, n, false, err));
    toggled_scores_look_up(s, y, others, n, out);
    return STATUS_OK;
}

/* What none of the ways to find several at once has found. */
static status recall_one_by_one(toggled_scores *s, size_t y, const size_t *others, const double *known, size_t n,
                                error_info *err) {
    for (size_t i = 0; i < n && !run_context_is_expired(s->ctx); i++) {
        double with;
        if (isnan(known[i]) && toggled_scores_was_asked(s, others[i], y))
            CHECK(toggled_scores_find(s, others[i], y, &with, err));
    }
    return STATUS_OK;
}

status toggled_scores_recall(toggled_scores *s, size_t half, size_t y, const size_t *others, size_t n, double *out,
                             error_info *err) {
    toggled_scores_look_up(s, y, others, n, out);
    if (s->extras && count_lacking(out, n) >= LEAST_TOGETHER) {
        CHECK(score_all(s, y, others, out, n, true, err));
        toggled_scores_look_up(s, y, others, n, out);
    }
    CHECK(recall_one_by_one(s, y, others, out, n, err));
    toggled_scores_look_up(s, y, others, n, out);
    if (!run_context_is_expired(s->ctx))
        s->known[2 * y + half].rest = -INFINITY;
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

/* What a row of the survey leaves out: all columns but those before its own. */
static bool is_left_out(void *of, size_t row, size_t column) {
    (void)of;
    return column >= row;
}

static size_t list_left_out(void *of, size_t row, size_t *out) {
    const dataset *data = of;
    size_t n = 0;
    for (size_t x = row; x < dataset_column_count(data); x++)
        out[n++] = x;
    return n;
}

/* What asking for all x -> y with x < y counts. */
static status count_lower(toggled_scores *s, size_t y, error_info *err) {
    left_out_source lower = {(void *)pair_tables_data(s->tables), is_left_out, list_left_out, true};
    size_t n_known;
    CHECK(score_count_additions_recalled(s->scorer.by_tables, y, NULL, 0, &lower, y, &n_known, err));
    score_count_recalled(s->scorer.by_tables, y, n_known);
    return STATUS_OK;
}

static status keep_best(toggled_scores *s, size_t y, const single_parents *best, error_info *err) {
    const scored_parent *found = best->found + y * best->most;
    for (size_t i = 0; i < best->n_found[y]; i++)
        CHECK(toggled_scores_keep(s, found[i].node, y, found[i].with, err));
    s->known[2 * y].rest = best->rest[y];
    return STATUS_OK;
}

status toggled_scores_pass_lower(toggled_scores *s, const single_parents *best, error_info *err) {
    for (size_t y = 0; y < s->n; y++) {
        uint64_t *row = s->asked + y * s->n_words;
        CHECK(keep_best(s, y, best, err));
        memset(row, 0xFF, y / 64 * sizeof *row);
        row[y / 64] = bit_of(y) - 1;
        CHECK(count_lower(s, y, err));
    }
    return STATUS_OK;
}
