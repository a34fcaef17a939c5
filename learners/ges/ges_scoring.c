/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operators at Y, grouped by the parents that they give Y. Insert(X, Y, T) is worth
 * S(Y, Pa + C + X) - S(Y, Pa + C) with C = NA(Y, X) + T, and C must be a clique: so every clique C among Y's neighbours
 * is visited once, and with it every X whose NA(Y, X) lies in C. All X of a clique share the counting of Y and Pa + C.
 * Delete(X, Y, H) likewise, with C = NA(Y, X) \ H.
 */
#include "learners/ges/ges_search_internal.h"

#include "core/base/array.h"
#include "core/base/bits.h"
#include "core/counting/counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static status keep(ges_search *s, double gain, size_t x, size_t y, uint32_t clique, error_info *err) {
    ges_arrow arrow = {gain, (uint32_t)x, (uint32_t)y, s->stamp[y], clique, GES_NO_STREAM};
    if (!(gain > SCORE_TOLERANCE)) /* nor where both scores are infinite */
        return STATUS_OK;
    s->n_arrows[y]++;
    return ges_arrows_push(&s->arrows, &arrow, err);
}

static void list_parents(ges_search *s, size_t y) {
    size_t count;
    const pdag_edge *edges = pdag_edges(s->graph.class.cpdag, y, &count);
    s->scratch.n_parents = 0;
    for (size_t i = 0; i < count; i++) {
        if (edges[i].kind == EDGE_IN)
            s->scratch.parents[s->scratch.n_parents++] = edges[i].node;
    }
}

size_t ges_make_family(ges_scratch *w, size_t without) {
    size_t n = 0;
    for (size_t i = 0; i < w->n_parents; i++) {
        if (w->parents[i] != without)
            w->family[n++] = w->parents[i];
    }
    for (size_t i = 0; i < w->n_clique; i++)
        w->family[n++] = w->clique[i];
    return n;
}

/* --- cliques --- */

static bool extends_clique(const ges_search *s, size_t node) {
    for (size_t i = 0; i < s->scratch.n_clique; i++) {
        if (pdag_edge_between(s->graph.class.cpdag, s->scratch.clique[i], node) == EDGE_NONE)
            return false;
    }
    return true;
}

static int most_parents(const ges_search *s) {
    int wanted = s->plan->max_parents;
    return s->is_limited && (wanted < 0 || wanted > GES_FEW_PARENTS) ? GES_FEW_PARENTS : wanted;
}

bool ges_is_full_family(const ges_search *s, size_t n_family) {
    int most = most_parents(s);
    return most >= 0 && n_family >= (size_t)most;
}

/* The present clique, and every one that adds nodes of near[from ...] to it, as long as one more parent may join. */
static status visit_cliques(ges_search *s, size_t y, size_t x, size_t from, ges_visit *visit, error_info *err) {
    status st = STATUS_OK;
    ges_scratch *w = &s->scratch;
    s->is_expired = s->is_expired || run_context_is_expired(s->ctx);
    if (s->is_expired)
        return STATUS_OK;
    CHECK(visit(s, y, x, err));
    for (size_t i = from; i < w->n_near; i++) {
        if (ges_is_full_family(s, w->n_parents + w->n_clique + (x == SIZE_MAX)) || !extends_clique(s, w->near[i]))
            continue;
        w->clique[w->n_clique++] = w->near[i];
        st = visit_cliques(s, y, x, i + 1, visit, err);
        w->n_clique--;
        CHECK(st);
    }
    return st;
}

/* The cliques that add nodes of near[from ...] to the present one, itself among them; past `most` it stops. */
static size_t count_cliques(ges_search *s, size_t from, size_t most) {
    ges_scratch *w = &s->scratch;
    size_t n = 1;
    for (size_t i = from; i < w->n_near && n <= most; i++) {
        if (!extends_clique(s, w->near[i]))
            continue;
        w->clique[w->n_clique++] = w->near[i];
        n += count_cliques(s, i + 1, most - n);
        w->n_clique--;
    }
    return n;
}

static void limit_cliques(ges_search *s) {
    size_t most = (size_t)s->plan->max_cliques;
    if (s->plan->max_cliques >= 0 && !s->is_limited && count_cliques(s, 0, most) > most)
        s->is_limited = true;
}

/* --- insertions --- */

bool ges_is_full(const ges_search *s, size_t node) {
    size_t degree;
    (void)pdag_edges(s->graph.class.cpdag, node, &degree);
    return s->plan->max_degree >= 0 && degree >= (size_t)s->plan->max_degree;
}

/* Every node that is adjacent to this one. */
static void set_bits_around(const ges_search *s, size_t node, uint64_t *bits) {
    size_t count;
    const pdag_edge *edges = pdag_edges(s->graph.class.cpdag, node, &count);
    memset(bits, 0, s->n_words * sizeof *bits);
    for (size_t i = 0; i < count; i++)
        bits_add(bits, edges[i].node);
}

/* What is the same for all cliques around y: its neighbours, and what cannot be X for any. */
static status start_inserts(ges_search *s, size_t y, error_info *err) {
    ges_scratch *w = &s->scratch;
    size_t count;
    const pdag_edge *edges = pdag_edges(s->graph.class.cpdag, y, &count);
    w->n_near = 0;
    for (size_t i = 0; i < count; i++) {
        if (edges[i].kind == EDGE_UNDIRECTED)
            w->near[w->n_near++] = edges[i].node;
    }
    CHECK(ARRAY_RESERVE(w->around, w->around_capacity, (w->n_near + 1) * s->n_words, err));
    set_bits_around(s, y, w->around);
    bits_add(w->around, y);
    for (size_t x = 0; s->plan->max_degree >= 0 && x < s->n; x++) {
        if (ges_is_full(s, x))
            bits_add(w->around, x);
    }
    for (size_t i = 0; i < w->n_near; i++)
        set_bits_around(s, w->near[i], w->around + (i + 1) * s->n_words);
    return STATUS_OK;
}

/* The nodes that cannot be X with the clique, ascending: what is adjacent to a neighbour outside of it too, as NA(Y, X)
 * does not lie in the clique then. */
static void list_left_out(ges_search *s) {
    ges_scratch *w = &s->scratch;
    memcpy(w->out_bits, w->around, s->n_words * sizeof *w->out_bits);
    for (size_t i = 0; i < w->n_near; i++) {
        const uint64_t *bits = w->around + (i + 1) * s->n_words;
        if (array_has_size(w->clique, w->n_clique, w->near[i]))
            continue;
        for (size_t k = 0; k < s->n_words; k++)
            w->out_bits[k] |= bits[k];
    }
    w->n_left_out = bits_list(w->out_bits, s->n_words, w->left_out);
}

/* The row of y with its family, made where there is none yet; NULL where the family's score is infinite: too many
 * configurations to count already. */
static status find_row(ges_search *s, size_t y, size_t n_family, ges_row **out, error_info *err) {
    double without = 0;
    *out = ges_rows_find(&s->rows, y, s->scratch.family, n_family);
    if (*out) {
        score_count(s->plan->scorer, 1, 0); /* of the family, when the row was made */
        return STATUS_OK;
    }
    CHECK(score_node_begin(s->plan->scorer, y, s->scratch.family, n_family, &without, err));
    return isinf(without) ? (status)STATUS_OK
                          : ges_rows_add(&s->rows, y, s->scratch.family, n_family, without, out, err);
}

/* Counts the row as asked for with every X that the clique suits. */
static status count_row(ges_search *s, ges_row *row, size_t n_family, error_info *err) {
    ges_scratch *w = &s->scratch;
    bool is_known;
    CHECK(ges_rows_note_asked(&s->rows, row, w->left_out, w->n_left_out, &is_known, err));
    if (!is_known)
        return score_count_additions_but(s->plan->scorer, row->y, w->family, n_family, w->left_out, w->n_left_out, err);
    score_count(s->plan->scorer, s->n - w->n_left_out, 0);
    return STATUS_OK;
}

/* The clique, to be looked at when all rows are filled. */
static status note_insertions(ges_search *s, size_t y, ges_row *row, error_info *err) {
    ges_stream stream = {.row = row, .y = (uint32_t)y, .stamp = s->stamp[y]};
    if (s->n_streams == GES_NO_STREAM)
        return error_out_of_memory(err);
    CHECK(ges_sets_add(&s->cliques, s->scratch.clique, s->scratch.n_clique, &stream.clique, err));
    CHECK(ARRAY_PUSH(s->streams, s->n_streams, s->streams_capacity, err, stream));
    row->n_users++;
    return STATUS_OK;
}

/* Every X that the clique suits. */
static status score_insertions(ges_search *s, size_t y, size_t ignored, error_info *err) {
    ges_scratch *w = &s->scratch;
    size_t n = ges_make_family(w, SIZE_MAX);
    ges_row *row = s->first_arcs[y];
    (void)ignored;
    if (ges_is_full_family(s, n))
        return STATUS_OK;
    list_left_out(s);
    if (w->n_left_out == s->n)
        return STATUS_OK;
    if (n > 0)
        CHECK(find_row(s, y, n, &row, err));
    if (!row)
        return STATUS_OK;
    if (n > 0)
        CHECK(count_row(s, row, n, err));
    CHECK(note_insertions(s, y, row, err));
    return ges_rows_are_many(&s->rows) ? ges_keep_noted(s, err) : STATUS_OK;
}

void ges_stream_close(ges_search *s, size_t index) {
    ges_row_release(s->streams[index].row);
    s->streams[index].row = NULL;
}

status ges_stream_advance(ges_search *s, size_t index, error_info *err) {
    ges_stream *stream = &s->streams[index];
    const ges_gain *gain;
    ges_arrow arrow;
    CHECK(ges_rows_gain(&s->rows, stream->row, stream->next++, &s->is_expired, &gain, err));
    if (!gain) {
        ges_stream_close(s, index);
        return STATUS_OK;
    }
    arrow = (ges_arrow){gain->gain, gain->x, stream->y, stream->stamp, stream->clique, (uint32_t)index};
    return ges_arrows_push(&s->arrows, &arrow, err);
}

/* Unless its node was noted anew since. */
static status open_stream(ges_search *s, size_t index, error_info *err) {
    const ges_stream *stream = &s->streams[index];
    if (stream->stamp != s->stamp[stream->y]) {
        ges_stream_close(s, index);
        return STATUS_OK;
    }
    s->n_arrows[stream->y]++;
    return ges_stream_advance(s, index, err);
}

/* Makes arrows of what was noted, once its rows are filled. */
status ges_keep_noted(ges_search *s, error_info *err) {
    CHECK(ges_rows_fill(&s->rows, &s->is_expired, err));
    for (; s->n_read < s->n_streams && !s->is_expired; s->n_read++)
        CHECK(open_stream(s, s->n_read, err));
    return s->is_expired ? STATUS_OK : ges_rows_shrink(&s->rows, err);
}

/* --- insertions into a node --- */

static status score_inserts_into(ges_search *s, size_t y, error_info *err) {
    if (ges_is_full(s, y))
        return STATUS_OK;
    list_parents(s, y);
    CHECK(start_inserts(s, y, err));
    limit_cliques(s);
    return visit_cliques(s, y, SIZE_MAX, 0, score_insertions, err);
}

/* --- deletions --- */

/* The scores of y with the scratch's family, and with x beside it: those that another thread has found, if one has. */
static status score_pair(ges_search *s, size_t y, size_t n, size_t x, double *without, double *with, error_info *err) {
    if (!s->told) {
        CHECK(score_node(s->plan->scorer, y, s->scratch.family, n, without, err));
        return score_node_with(s->plan->scorer, y, s->scratch.family, n, x, with, err);
    }
    *without = *s->told++;
    *with = *s->told++;
    score_node_told(s->plan->scorer, y, s->scratch.family, n, COUNTS_NO_EXTRA, without);
    score_node_told(s->plan->scorer, y, s->scratch.family, n, x, with);
    return STATUS_OK;
}

static status score_deletion(ges_search *s, size_t y, size_t x, error_info *err) {
    size_t n = ges_make_family(&s->scratch, x);
    double without, with;
    uint32_t clique;
    CHECK(score_pair(s, y, n, x, &without, &with, err));
    if (without - with > SCORE_TOLERANCE) {
        CHECK(ges_sets_add(&s->cliques, s->scratch.clique, s->scratch.n_clique, &clique, err));
        CHECK(keep(s, without - with, x, y, clique, err));
    }
    return STATUS_OK;
}

status ges_visit_deletions(ges_search *s, size_t y, ges_visit *visit, error_info *err) {
    size_t count;
    const pdag_edge *edges = pdag_edges(s->graph.class.cpdag, y, &count);
    list_parents(s, y);
    for (size_t i = 0; i < count; i++) {
        if (edges[i].kind == EDGE_OUT)
            continue;
        s->scratch.n_near = ges_graph_shared(&s->graph, y, edges[i].node, s->scratch.near);
        CHECK(visit_cliques(s, y, edges[i].node, 0, visit, err));
    }
    return STATUS_OK;
}

/* The arrows into y are those that come now. */
static void start_anew(ges_search *s, size_t y) {
    s->stamp[y]++;
    s->n_stale += s->n_arrows[y];
    s->n_arrows[y] = 0;
}

status ges_note_operators(ges_search *s, ges_phase phase, const size_t *nodes, size_t n, error_info *err) {
    for (size_t i = 0; i < n && !s->is_expired; i++) {
        start_anew(s, nodes[i]);
        CHECK(phase == GES_INSERT ? score_inserts_into(s, nodes[i], err)
                                  : ges_visit_deletions(s, nodes[i], score_deletion, err));
    }
    return STATUS_OK;
}

status ges_score_operators(ges_search *s, ges_phase phase, const size_t *nodes, size_t n, error_info *err) {
    CHECK(ges_note_operators(s, phase, nodes, n, err));
    return ges_keep_noted(s, err);
}
