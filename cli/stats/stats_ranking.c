/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/stats/stats.h"

#include <stdlib.h>

void stats_ranking_clear(stats_ranking *r) {
    stats_values_clear(&r->v);
    free(r->mean_ranks);
    free(r->order);
    free(r->z);
    free(r->p);
    free(r->adjusted);
    free(r->groups);
}

static status allocate(stats_ranking *r, error_info *err) {
    CHECK_ALLOC(r->mean_ranks = calloc(r->k + 1, sizeof *r->mean_ranks));
    CHECK_ALLOC(r->order = calloc(r->k + 1, sizeof *r->order));
    CHECK_ALLOC(r->z = calloc(r->k + 1, sizeof *r->z));
    CHECK_ALLOC(r->p = calloc(r->k + 1, sizeof *r->p));
    CHECK_ALLOC(r->adjusted = calloc(r->k + 1, sizeof *r->adjusted));
    CHECK_ALLOC(r->groups = calloc(r->k + 1, sizeof *r->groups));
    return STATUS_OK;
}

static void sort_columns(stats_ranking *r) {
    for (size_t i = 0; i < r->k; i++) {
        size_t at = i;
        while (at > 0 && r->mean_ranks[r->order[at - 1]] > r->mean_ranks[i]) {
            r->order[at] = r->order[at - 1];
            at--;
        }
        r->order[at] = i;
    }
}

/* With --blocks: the only row holds the mean ranks. */
static status take_mean_ranks(stats_ranking *r, int64_t n_blocks, error_info *err) {
    double k = (double)r->k;
    if (r->v.n_rows != 1)
        return error_set(err, STATUS_INVALID, "%s has %zu rows; with --blocks it must hold one, of mean ranks",
                         r->s->c->args->words[1], r->v.n_rows);
    CHECK(stats_refuse_missing(r->s, "a mean rank was expected", err));
    for (size_t i = 0; i < r->k; i++) {
        r->mean_ranks[i] = r->v.values[i];
        if (!(r->mean_ranks[i] >= 1 && r->mean_ranks[i] <= k))
            return error_set(err, STATUS_INVALID, "the mean rank of '%s' is %g; of %zu columns it must lie in [1, %zu]",
                             stats_column_name(r->s, i), r->mean_ranks[i], r->k, r->k);
    }
    r->n_blocks = (size_t)n_blocks;
    return friedman_from_mean_ranks(r->mean_ranks, r->n_blocks, r->k, 0, &r->test, err);
}

status stats_rank_columns(stats_ranking *r, error_info *err) {
    cli *c = r->s->c;
    int64_t n_blocks = 0;
    int failures;
    r->k = r->s->n_columns;
    r->rule = (rank_rule){.more_is_better = args_has(c->args, "more-is-better"), .relative_tie = RANK_TIE};
    CHECK(stats_choice(c, "failures", "worst|drop-dataset", 0, &failures, err));
    CHECK(cli_blame(c, BLAME_WORDS, args_whole(c->args, "blocks", 1, (int64_t)1 << 53, 1, &n_blocks, err)));
    if (r->k < 2)
        return error_set(err, STATUS_INVALID, "%s: %zu column holds numbers; at least two are compared",
                         c->args->words[1], r->k);
    CHECK(allocate(r, err));
    CHECK(stats_take_values(r->s, failures == 1, &r->v, err));
    r->n_blocks = r->v.n_rows;
    if (r->n_blocks == 0)
        return error_set(err, STATUS_INVALID, "%s: no row has all its values", c->args->words[1]);
    if (args_has(c->args, "blocks"))
        CHECK(take_mean_ranks(r, n_blocks, err));
    else
        CHECK(friedman_test(r->v.values, r->n_blocks, r->k, &r->rule, r->mean_ranks, &r->test, err));
    sort_columns(r);
    return STATUS_OK;
}

status stats_put_ranks(json_t *a, const stats_ranking *r, error_info *err) {
    json_t *ranks = json_object();
    CHECK(json_put(a, "ranks", ranks, err));
    for (size_t i = 0; i < r->k; i++)
        CHECK(json_put(ranks, stats_column_name(r->s, i), json_of_double(r->mean_ranks[i]), err));
    return json_put(a, "n", json_of_size(r->n_blocks), err);
}

void stats_say_missing(const stats_ranking *r) {
    if (r->v.n_dropped)
        cli_say(r->s->c, "%zu row%s without a value left out", r->v.n_dropped, r->v.n_dropped == 1 ? "" : "s");
    else if (r->s->table.n_missing)
        cli_say(r->s->c, "%zu missing value%s ranked last", r->s->table.n_missing,
                r->s->table.n_missing == 1 ? "" : "s");
}
