/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench stats ranks: the ranks of every row, as a table again. */
#include "cli/stats/stats.h"

#include <stdlib.h>

/* The ranks of row i of those that count, into `ranks`. */
static status rank_row(const stats_ranking *r, size_t i, double *ranks, error_info *err) {
    return rank_values(r->v.values + i * r->k, r->k, &r->rule, ranks, NULL, err);
}

static status put_rows(json_t *a, const stats_ranking *r, double *ranks, error_info *err) {
    json_t *rows = json_array();
    CHECK(json_put(a, "rows", rows, err));
    for (size_t i = 0; i < r->v.n_rows; i++) {
        AUTO(text_buffer_clear) text_buffer name = {0};
        json_t *list;
        CHECK(rank_row(r, i, ranks, err));
        list = json_array();
        for (size_t k = 0; list && k < r->k; k++)
            list = json_with(list, json_real(ranks[k]));
        stats_append_row_name(r->s, r->v.rows[i], &name);
        CHECK(json_add(rows, json_object_of({"name", json_of_buffer(&name)}, {"ranks", list}), err));
    }
    return STATUS_OK;
}

/* Prints the ranks as CSV, for another program to read. */
static status print_rows(const stats_ranking *r, double *ranks, text_buffer *out, error_info *err) {
    char number[32];
    text_append_csv(out, r->s->table.label ? r->s->table.label : "row");
    for (size_t k = 0; k < r->k; k++) {
        text_append(out, ",");
        text_append_csv(out, stats_column_name(r->s, k));
    }
    for (size_t i = 0; i < r->v.n_rows; i++) {
        AUTO(text_buffer_clear) text_buffer name = {0};
        CHECK(rank_row(r, i, ranks, err));
        stats_append_row_name(r->s, r->v.rows[i], &name);
        text_append(out, "\n");
        text_append_csv(out, name.data ? name.data : "");
        for (size_t k = 0; k < r->k; k++)
            text_append_format(out, ",%s", text_from_double(ranks[k], number));
    }
    text_append(out, "\nmean rank");
    for (size_t k = 0; k < r->k; k++)
        text_append_format(out, ",%s", text_from_double(r->mean_ranks[k], number));
    text_append(out, "\n");
    return STATUS_OK;
}

status stats_ranks(stats_call *s, error_info *err) {
    AUTO(stats_ranking_clear) stats_ranking r = {.s = s};
    AUTO_FREE double *ranks = NULL;
    CHECK(stats_rank_columns(&r, err));
    CHECK_ALLOC(ranks = calloc(r.k + 1, sizeof *ranks));
    stats_say_missing(&r);
    if (!s->c->json)
        return print_rows(&r, ranks, &s->c->out, err);
    s->c->answer = json_object();
    CHECK(stats_put_ranks(s->c->answer, &r, err));
    return put_rows(s->c->answer, &r, ranks, err);
}
