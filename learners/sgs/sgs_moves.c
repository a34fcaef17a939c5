/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The neighbours of a graph that tie for the best. A node whose rows promise no more than the best gain known is passed
 * over, so a step costs the rows that changed and little else.
 *
 * Where moves are repaired whatever they gain at first, the moves of one head do not hang on those of another.
 */
#include "core/base/array.h"
#include "learners/sgs/repair_memo_internal.h"

#include "metrics/scores/score.h"

#include <math.h>
#include <stdlib.h>

void sgs_scan_clear(sgs_scan *scan) {
    free(scan->moves);
    free(scan->stars);
    free(scan->cells);
    free(scan->rows);
    *scan = (sgs_scan){0};
}

/* What a move must reach to be of interest: more than the tolerance, and the best less the tolerance. */
static double least_gain(const sgs_scan *scan) {
    double nearly_best = scan->best - SCORE_TOLERANCE;
    return nearly_best > SCORE_TOLERANCE ? nearly_best : SCORE_TOLERANCE;
}

static bool is_of_interest(const sgs_scan *scan, double gain) {
    return gain > SCORE_TOLERANCE && gain >= scan->best - SCORE_TOLERANCE;
}

static void drop_what_fell_behind(sgs_scan *scan) {
    size_t n_kept = 0;
    for (size_t i = 0; i < scan->n; i++) {
        if (is_of_interest(scan, scan->moves[i].gain))
            scan->moves[n_kept++] = scan->moves[i];
    }
    scan->n = n_kept;
}

static status offer(sgs_scan *scan, const sgs_move *m, error_info *err) {
    if (!is_of_interest(scan, m->gain))
        return STATUS_OK;
    if (m->gain > scan->best)
        scan->best = m->gain;
    if (scan->n == scan->capacity)
        drop_what_fell_behind(scan);
    return ARRAY_PUSH(scan->moves, scan->n, scan->capacity, err, *m);
}

/* --- rows --- */

/* The greatest value known among additions (unless the node is full) and exchanges, and whether all are known. */
static double promise_of(const sgs_state *s, const sgs_head *h, bool *is_all_known) {
    double top = h->is_full ? -INFINITY : h->with->top;
    *is_all_known = h->is_full || h->with->n_unknown == 0;
    for (size_t i = 0; s->plan->neighbourhood >= SGS_SWAPS && i < h->n_parents; i++) {
        top = fmax(top, h->without[i]->top);
        *is_all_known = *is_all_known && h->without[i]->n_unknown == 0;
    }
    return top - h->now;
}

static sgs_move move_of(size_t y, size_t z, size_t exchanged, double gain) {
    sgs_move m = {.kind = exchanged == SGS_NONE ? SGS_ADD : SGS_SWAP,
                  .from = y,
                  .to = z,
                  .exchanged = exchanged,
                  .gain = gain,
                  .n_operations = 1,
                  .change = sgs_arc_hash(y, z)};
    if (exchanged != SGS_NONE)
        m.change ^= sgs_arc_hash(exchanged, z);
    return m;
}

/* What is legal and not known, together, unless a limit of scores may end the scan in the midst of it. */
static status ask_legal(sgs_scan *scan, const sgs_state *s, family_row *row, error_info *err) {
    size_t z = row->x, width = family_scores_width(s->scores, z), n = 0;
    const run_context *ctx = s->ctx;
    CHECK(ARRAY_RESERVE(scan->cells, scan->cell_capacity, width + 1, err));
    for (size_t i = 0; i < width; i++) {
        if (isnan(row->values[i]) && !ancestry_reaches(s->above, z, family_scores_node(s->scores, z, i)))
            scan->cells[n++] = i;
    }
    if (n == 0 || (ctx->most_scores > 0 && ctx->scores.computed + n >= ctx->most_scores))
        return STATUS_OK;
    CHECK(family_row_ask_some(s->scores, row, scan->cells, n, err));
    scan->is_expired = run_context_is_expired(ctx);
    return STATUS_OK;
}

static double larger(double a, double b) {
    return b > a ? b : a;
}

/* The legal moves of a row. An exchange is legal where the addition is: no path from z comes back through an arc into
 * z. What is not legal is not asked for. `*most` is raised to the greatest gain of what may be legal. */
static status scan_row(sgs_scan *scan, const sgs_state *s, family_row *row, size_t exchanged, double *most,
                       error_info *err) {
    size_t z = row->x, width = family_scores_width(s->scores, z);
    double now = s->heads[z].now, least = least_gain(scan), greatest = *most;
    if (row->n_unknown > 0 && family_scores_ask_together(s->scores) && !scan->is_expired)
        CHECK(ask_legal(scan, s, row, err));
    for (size_t k = 0; k < width && !scan->is_expired; k++) {
        size_t y, i = row->order ? row->order[k] : k;
        if (row->values[i] - now < least) { /* NaN passes */
            greatest = larger(greatest, row->values[i] - now);
            if (row->order)
                break;
            continue;
        }
        y = family_scores_node(s->scores, z, i);
        if (ancestry_reaches(s->above, z, y))
            continue;
        if (isnan(row->values[i])) {
            CHECK(family_row_ask(s->scores, row, i, err));
            scan->is_expired = run_context_is_expired_at(s->ctx, i);
        }
        greatest = larger(greatest, row->values[i] - now);
        if (is_of_interest(scan, row->values[i] - now)) {
            sgs_move m = move_of(y, z, exchanged, row->values[i] - now);
            CHECK(offer(scan, &m, err));
            least = least_gain(scan);
        }
    }
    *most = greatest;
    return STATUS_OK;
}

static status fill_row(sgs_scan *scan, const sgs_state *s, family_row *row, error_info *err) {
    if (scan->is_expired)
        return STATUS_OK;
    CHECK(family_row_fill(s->scores, row, err));
    scan->is_expired = run_context_is_expired(s->ctx);
    return STATUS_OK;
}

static status fill_rows(sgs_scan *scan, const sgs_state *s, const sgs_head *h, error_info *err) {
    if (!h->is_full)
        CHECK(fill_row(scan, s, h->with, err));
    for (size_t i = 0; i < h->n_parents; i++)
        CHECK(fill_row(scan, s, h->without[i], err));
    return STATUS_OK;
}

static status scan_rows(sgs_scan *scan, const sgs_state *s, size_t z, double *most, error_info *err) {
    const sgs_head *h = &s->heads[z];
    size_t n_parents;
    const size_t *parents = dag_parents(s->g, z, &n_parents);
    *most = -INFINITY;
    if (!h->is_full)
        CHECK(scan_row(scan, s, h->with, SGS_NONE, most, err));
    for (size_t i = 0; s->plan->neighbourhood >= SGS_SWAPS && i < n_parents; i++)
        CHECK(scan_row(scan, s, h->without[i], parents[i], most, err));
    return STATUS_OK;
}

/* Until it reaches fewer nodes, or has other parents, what the legal additions and exchanges of a head gain at most
 * cannot rise. */
static status scan_node(sgs_scan *scan, sgs_state *s, size_t z, error_info *err) {
    sgs_head *h = &s->heads[z];
    bool is_all_known;
    double promise;
    if (h->is_scanned && s->bounds[z] < least_gain(scan))
        return STATUS_OK;
    if (s->plan->neighbourhood == SGS_STARS)
        CHECK(fill_rows(scan, s, h, err));
    promise = promise_of(s, h, &is_all_known);
    if (promise < least_gain(scan) && (is_all_known || h->is_scanned))
        return STATUS_OK;
    CHECK(scan_rows(scan, s, z, &s->bounds[z], err));
    h->is_scanned = true;
    return STATUS_OK;
}

/* --- arcs --- */

static status offer_deletion(sgs_scan *scan, size_t x, size_t z, double gain, error_info *err) {
    sgs_move m = {SGS_DELETE, x, z, SGS_NONE, gain, false, 1, 0, 0, 0};
    if (!is_of_interest(scan, gain))
        return STATUS_OK;
    m.change = sgs_arc_hash(x, z);
    return offer(scan, &m, err);
}

static status offer_legal_reversal(sgs_scan *scan, size_t x, size_t z, double gain, error_info *err) {
    sgs_move m = {SGS_REVERSE, x, z, SGS_NONE, gain, false, 1, 0, 0, 0};
    if (!is_of_interest(scan, gain))
        return STATUS_OK;
    m.change = sgs_arc_hash(x, z) ^ sgs_arc_hash(z, x);
    return offer(scan, &m, err);
}

/* `deletion`: what the removal gains. `*most` is raised to what the reversal gains, were it legal; INFINITY where that
 * is not known. */
static status offer_reversal(sgs_scan *scan, const sgs_state *s, size_t x, size_t z, double deletion, double *most,
                             error_info *err) {
    const sgs_head *h = &s->heads[x];
    size_t at = family_scores_position(s->scores, x, z);
    double gain;
    if (h->is_full || at == family_scores_width(s->scores, x))
        return STATUS_OK;
    gain = deletion + (h->with->values[at] - h->now);
    if (isnan(gain)) {
        *most = INFINITY;
        if (ancestry_reaches_otherwise(s->above, x, z))
            return STATUS_OK;
        CHECK(family_row_ask(s->scores, h->with, at, err));
        return offer_legal_reversal(scan, x, z, deletion + (h->with->values[at] - h->now), err);
    }
    *most = larger(*most, gain);
    if (gain < least_gain(scan) || ancestry_reaches_otherwise(s->above, x, z))
        return STATUS_OK;
    return offer_legal_reversal(scan, x, z, gain, err);
}

/* Gives the most that a removal or a reversal gains. */
static status scan_arcs(sgs_scan *scan, const sgs_state *s, size_t z, double *most, error_info *err) {
    const sgs_head *h = &s->heads[z];
    size_t n_parents;
    const size_t *parents = dag_parents(s->g, z, &n_parents);
    *most = -INFINITY;
    for (size_t i = 0; i < n_parents; i++) {
        double gain = h->without[i]->base - h->now;
        *most = larger(*most, gain);
        CHECK(offer_deletion(scan, parents[i], z, gain, err));
        if (s->plan->neighbourhood != SGS_STARS)
            CHECK(offer_reversal(scan, s, parents[i], z, gain, most, err));
    }
    return STATUS_OK;
}

/* Until the head or one of its parents has other parents, what these moves gain stays. */
static status scan_arcs_into(sgs_scan *scan, sgs_state *s, size_t z, error_info *err) {
    return s->arc_bounds[z] < least_gain(scan) ? STATUS_OK : scan_arcs(scan, s, z, &s->arc_bounds[z], err);
}

/* --- moves that close cycles --- */

static status list_row(repair_list *list, const sgs_state *s, const family_row *row, size_t exchanged,
                       error_info *err) {
    size_t z = row->x, width = family_scores_width(s->scores, z);
    for (size_t k = 0; k < width; k++) {
        size_t i = row->order[k];
        double gain = row->values[i] - s->heads[z].now;
        if (!(gain > SCORE_TOLERANCE))
            break;
        CHECK(repair_list_add(list, family_scores_node(s->scores, z, i), exchanged, gain, err));
    }
    return STATUS_OK;
}

/* The moves of z that gain by their first operation, whether or not they close a cycle. */
static status list_head(repair_list *list, const sgs_state *s, size_t z, error_info *err) {
    const sgs_head *h = &s->heads[z];
    size_t n_parents;
    const size_t *parents = dag_parents(s->g, z, &n_parents);
    if (!h->is_full)
        CHECK(list_row(list, s, h->with, SGS_NONE, err));
    for (size_t i = 0; i < n_parents; i++)
        CHECK(list_row(list, s, h->without[i], parents[i], err));
    list->is_known = true;
    return STATUS_OK;
}

static sgs_move move_of_star(const repair_star *star, size_t z, size_t number) {
    return (sgs_move){.kind = star->exchanged == SGS_NO_PARENT ? SGS_ADD : SGS_SWAP,
                      .from = star->from,
                      .to = z,
                      .exchanged = star->exchanged == SGS_NO_PARENT ? SGS_NONE : star->exchanged,
                      .gain = star->first,
                      .needs_repair = true,
                      .number = number};
}

static bool has_children(const sgs_state *s, size_t z) {
    size_t n;
    (void)dag_children(s->g, z, &n);
    return n > 0;
}

/* For a move that is to be repaired, or was. */
static status push_star(sgs_scan *scan, const sgs_state *s, size_t z, size_t number, error_info *err) {
    CHECK(repair_memo_reserve(s->repairs, z, number, err));
    return ARRAY_PUSH(scan->stars, scan->n_stars, scan->star_capacity, err,
                      move_of_star(&repair_memo_list(s->repairs, z)->stars[number], z, number));
}

/* Whether a move closes a cycle. A repair that is known is that of a move that still does: an arc of the cycle cannot
 * vanish without its head, one of SGS_TRAIL_NODES, getting other parents. */
static bool closes_cycle(const sgs_state *s, const repair_star *star, size_t z) {
    return !isnan(star->gain) || ancestry_reaches(s->above, z, star->from);
}

/* Those whose first gain is of interest; their order counts. */
static status gather_stars(sgs_scan *scan, sgs_state *s, error_info *err) {
    scan->n_stars = 0;
    for (size_t z = 0; z < s->n; z++) {
        repair_list *list = repair_memo_list(s->repairs, z);
        repair_memo_forget_changed(s->repairs, z);
        if (!has_children(s, z))
            continue;
        if (!list->is_known)
            CHECK(list_head(list, s, z, err));
        for (size_t i = 0; i < list->n; i++) {
            if (list->stars[i].first >= least_gain(scan) && closes_cycle(s, &list->stars[i], z))
                CHECK(push_star(scan, s, z, i, err));
        }
    }
    repair_memo_clear_changes(s->repairs);
    return STATUS_OK;
}

static int compare_numbers(size_t a, size_t b) {
    return (a > b) - (a < b);
}

static int compare_places(const sgs_move *p, const sgs_move *q) {
    int order = (int)p->kind - (int)q->kind;
    if (order == 0)
        order = compare_numbers(p->from, q->from);
    if (order == 0)
        order = compare_numbers(p->to, q->to);
    return order ? order : compare_numbers(p->exchanged, q->exchanged);
}

static int compare_first_gains(const void *a, const void *b) {
    const sgs_move *p = a, *q = b;
    if (p->gain != q->gain)
        return p->gain > q->gain ? -1 : 1;
    return compare_places(p, q);
}

/* Sorted by first gains, no move after one whose first gain falls below the best total reaches it either. */
static status repair_best_stars(sgs_scan *scan, sgs_state *s, error_info *err) {
    for (size_t i = 0; i < scan->n_stars && !scan->is_expired && scan->stars[i].gain >= least_gain(scan); i++) {
        CHECK(sgs_team_complete_one(s, &scan->stars[i], err));
        CHECK(offer(scan, &scan->stars[i], err));
        scan->is_expired = run_context_is_expired_at(s->ctx, i);
    }
    return STATUS_OK;
}

static status repair_all_stars(sgs_scan *scan, sgs_state *s, error_info *err) {
    CHECK(sgs_team_complete(s, scan->stars, scan->n_stars, &scan->is_expired, err));
    for (size_t i = 0; i < scan->n_stars && !scan->is_expired; i++)
        CHECK(offer(scan, &scan->stars[i], err));
    return STATUS_OK;
}

static status scan_stars(sgs_scan *scan, sgs_state *s, error_info *err) {
    CHECK(gather_stars(scan, s, err));
    if (scan->n_stars)
        qsort(scan->stars, scan->n_stars, sizeof *scan->stars, compare_first_gains);
    return repair_best_stars(scan, s, err);
}

/* --- a head by itself --- */

/* Finds in the rows of a head, once they are full, what its moves gain at most. */
static void weigh_head(const sgs_state *s, size_t head) {
    sgs_head *h = &s->heads[head];
    bool is_all_known;
    h->most_entered = promise_of(s, h, &is_all_known);
    h->most_deleted = -INFINITY;
    for (size_t i = 0; i < h->n_parents; i++)
        h->most_deleted = fmax(h->most_deleted, h->without[i]->base - h->now);
}

/* A move that is repaired or closes no cycle. */
static status offer_star(sgs_scan *scan, const sgs_state *s, const repair_star *star, size_t z, size_t number,
                         error_info *err) {
    sgs_move m = move_of_star(star, z, number);
    if (isnan(star->gain))
        m = move_of(m.from, z, m.exchanged, m.gain);
    else
        repair_memo_recall(s->repairs, number, &m);
    return offer(scan, &m, err);
}

/* Gives the most that a move of the list gains; INFINITY where one is to be repaired. */
static status scan_list(sgs_scan *scan, const sgs_state *s, const repair_list *list, size_t z, double *most,
                        error_info *err) {
    *most = -INFINITY;
    for (size_t i = 0; i < list->n; i++) {
        const repair_star *star = &list->stars[i];
        double gain = isnan(star->gain) ? star->first : star->gain;
        if (isnan(star->gain) && closes_cycle(s, star, z)) {
            *most = INFINITY;
            CHECK(push_star(scan, s, z, i, err));
            continue;
        }
        if (gain > *most)
            *most = gain;
        if (is_of_interest(scan, gain))
            CHECK(offer_star(scan, s, star, z, i, err));
    }
    return STATUS_OK;
}

static status scan_entered(sgs_scan *scan, const sgs_state *s, size_t head, double *most, error_info *err) {
    repair_list *list = repair_memo_list(s->repairs, head);
    double unused;
    *most = s->heads[head].most_entered;
    if (!has_children(s, head))
        return *most < least_gain(scan) ? STATUS_OK : scan_rows(scan, s, head, &unused, err);
    if (!list->is_known)
        CHECK(list_head(list, s, head, err));
    return scan_list(scan, s, list, head, most, err);
}

/* Lists the moves of a head that may be among the best; those of `stars` are to be repaired. */
static status scan_head(sgs_scan *scan, const sgs_state *s, size_t head, error_info *err) {
    double most_deleted, most_entered, unused;
    if (s->bounds[head] < least_gain(scan) && !repair_memo_is_concerned(s->repairs, head))
        return STATUS_OK;
    repair_memo_forget_changed(s->repairs, head);
    most_deleted = s->heads[head].most_deleted;
    if (most_deleted >= least_gain(scan))
        CHECK(scan_arcs(scan, s, head, &unused, err));
    CHECK(scan_entered(scan, s, head, &most_entered, err));
    s->bounds[head] = most_deleted > most_entered ? most_deleted : most_entered;
    return STATUS_OK;
}

/* --- the list --- */

static int compare_changes(const void *a, const void *b) {
    const sgs_move *p = a, *q = b;
    if (p->change != q->change)
        return p->change < q->change ? -1 : 1;
    if (p->n_operations != q->n_operations)
        return p->n_operations < q->n_operations ? -1 : 1;
    return compare_places(p, q);
}

static int compare_moves(const void *a, const void *b) {
    return compare_places(a, b);
}

/* Keeps the shortest of the moves to the same graph; ascending by place, so that a random choice does not hang on the
 * last bit of a score. */
static void keep_one_a_graph(sgs_scan *scan) {
    size_t n_kept = 0;
    if (scan->n == 0)
        return;
    qsort(scan->moves, scan->n, sizeof *scan->moves, compare_changes);
    for (size_t i = 0; i < scan->n; i++) {
        if (i == 0 || scan->moves[i].change != scan->moves[i - 1].change)
            scan->moves[n_kept++] = scan->moves[i];
    }
    scan->n = n_kept;
    qsort(scan->moves, scan->n, sizeof *scan->moves, compare_moves);
}

static void begin(sgs_scan *scan) {
    scan->best = SCORE_TOLERANCE;
    scan->n = 0;
    scan->n_stars = 0;
}

static void end(sgs_scan *scan) {
    drop_what_fell_behind(scan);
    keep_one_a_graph(scan);
}

/* One whose legal cells are all known; SGS_NONE where there is none. */
static size_t most_promising_head(const sgs_state *s) {
    size_t found = SGS_NONE;
    double most = SCORE_TOLERANCE;
    for (size_t z = 0; z < s->n; z++) {
        if (s->bounds[z] > most && s->heads[z].is_scanned) {
            found = z;
            most = s->bounds[z];
        }
    }
    return found;
}

/* Where nothing is to be asked for, its turn does not matter, and what it gains spares others a look. */
static status scan_most_promising(sgs_scan *scan, sgs_state *s, size_t *head, error_info *err) {
    *head = most_promising_head(s);
    return *head == SGS_NONE ? STATUS_OK : scan_node(scan, s, *head, err);
}

static bool promises_nothing(const sgs_scan *scan, const sgs_state *s, size_t z) {
    double least = least_gain(scan);
    return s->arc_bounds[z] < least && s->bounds[z] < least && s->heads[z].is_scanned;
}

static status scan_head_but(sgs_scan *scan, sgs_state *s, size_t z, size_t scanned, error_info *err) {
    if (promises_nothing(scan, s, z)) {
        scan->is_expired = run_context_is_expired_at(s->ctx, z);
        return STATUS_OK;
    }
    CHECK(scan_arcs_into(scan, s, z, err));
    if (z != scanned)
        CHECK(scan_node(scan, s, z, err));
    scan->is_expired = scan->is_expired || run_context_is_expired(s->ctx);
    return STATUS_OK;
}

static status scan_by_promise(sgs_scan *scan, sgs_state *s, error_info *err) {
    size_t scanned;
    CHECK(scan_most_promising(scan, s, &scanned, err));
    for (size_t z = 0; z < s->n && !scan->is_expired; z++)
        CHECK(scan_head_but(scan, s, z, scanned, err));
    return s->plan->neighbourhood == SGS_STARS && !scan->is_expired ? scan_stars(scan, s, err) : STATUS_OK;
}

static status list_unless_full(sgs_scan *scan, family_row *row, size_t *n, error_info *err) {
    if (!family_row_is_full(row))
        CHECK(ARRAY_PUSH(scan->rows, *n, scan->row_capacity, err, row));
    return STATUS_OK;
}

/* Of the heads with new parents: the rows that are not full. */
static status list_rows_to_fill(sgs_scan *scan, const sgs_state *s, size_t *n, error_info *err) {
    *n = 0;
    for (size_t i = 0; i < s->n_renewed; i++) {
        const sgs_head *h = &s->heads[s->renewed[i]];
        if (!h->is_full)
            CHECK(list_unless_full(scan, h->with, n, err));
        for (size_t k = 0; k < h->n_parents; k++)
            CHECK(list_unless_full(scan, h->without[k], n, err));
    }
    return STATUS_OK;
}

/* The rows of heads with new parents, and what these rows promise. Searches that have come the same way ask for the
 * same rows at the same time, and share them out; what another has in work is waited for. */
static status weigh_renewed(sgs_scan *scan, sgs_state *s, error_info *err) {
    size_t n;
    CHECK(list_rows_to_fill(scan, s, &n, err));
    CHECK(sgs_team_fill(s, scan->rows, n, err));
    for (size_t i = 0; i < n; i++)
        CHECK(fill_row(scan, s, scan->rows[i], err));
    for (size_t i = 0; i < s->n_renewed && !scan->is_expired; i++)
        weigh_head(s, s->renewed[i]);
    return STATUS_OK;
}

static status scan_everywhere(sgs_scan *scan, sgs_state *s, error_info *err) {
    CHECK(weigh_renewed(scan, s, err));
    for (size_t z = 0; z < s->n && !scan->is_expired; z++) {
        CHECK(scan_head(scan, s, z, err));
        scan->is_expired = run_context_is_expired_at(s->ctx, z);
    }
    if (!scan->is_expired)
        repair_memo_clear_changes(s->repairs);
    return scan->is_expired ? STATUS_OK : repair_all_stars(scan, s, err);
}

status sgs_scan_moves(sgs_scan *scan, sgs_state *s, error_info *err) {
    begin(scan);
    if (s->plan->neighbourhood == SGS_STARS && s->plan->looks_everywhere)
        CHECK(scan_everywhere(scan, s, err));
    else
        CHECK(scan_by_promise(scan, s, err));
    end(scan);
    return STATUS_OK;
}
