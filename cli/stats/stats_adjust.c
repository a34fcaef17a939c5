/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench stats holm, bonferroni, bh, hochberg, by: adjusted p-values. */
#include "cli/stats/stats.h"

#include "metrics/statistics/p_adjust.h"

#include <stdlib.h>
#include <string.h>

/* --columns, else the one that is called p_value, else the only one. */
static status choose_column(stats_call *s, size_t *out, error_info *err) {
    static const char *const usual[] = {"p_value", "p", "p-value", "pvalue", "p.value"};
    for (size_t i = 0; !args_has(s->c->args, "columns") && i < sizeof usual / sizeof *usual; i++) {
        size_t column = number_table_column(&s->table, usual[i]);
        if (column < s->table.n_columns) {
            *out = column;
            return STATUS_OK;
        }
    }
    *out = s->n_columns ? s->columns[0] : 0;
    if (s->n_columns == 1)
        return STATUS_OK;
    return cli_refuse(s->c, err, "%zu columns hold numbers and none is called p_value; name the one with --columns",
                      s->n_columns);
}

static status check_values(stats_call *s, const double *p, error_info *err) {
    for (size_t i = 0; i < s->table.n_rows; i++) {
        if (!(p[i] >= 0 && p[i] <= 1))
            return error_set(err, STATUS_PARSE,
                             "%s: line %zu, column %zu ('%.60s'): %g is no p-value; 0 to 1 was expected",
                             s->c->args->words[1], s->table.lines[i], s->columns[0] + 1 + (s->table.rows != NULL),
                             stats_column_name(s, 0), p[i]);
    }
    return STATUS_OK;
}

static status answer(stats_call *s, const double *p, const double *adjusted, error_info *err) {
    s->c->answer = json_array();
    for (size_t i = 0; i < s->table.n_rows; i++) {
        AUTO(text_buffer_clear) text_buffer name = {0};
        stats_append_row_name(s, i, &name);
        CHECK(json_add(s->c->answer,
                       json_object_of({"name", json_of_buffer(&name)}, {"p_value", json_of_double(p[i])},
                                      {"adjusted", json_of_double(adjusted[i])},
                                      {"rejected", json_boolean(adjusted[i] <= s->alpha)}),
                       err));
    }
    return STATUS_OK;
}

static void print(stats_call *s, p_adjustment kind, const double *p, const double *adjusted) {
    text_buffer *out = &s->c->out;
    size_t width = 4, n_rejected = 0;
    text_append_format(out, "%s\n", p_adjustment_summary(kind));
    for (size_t i = 0; i < s->table.n_rows; i++) {
        size_t n = s->table.rows ? text_width(s->table.rows[i]) : 10;
        width = n > width ? n : width;
    }
    text_append_format(out, "%-*s  %12s  %12s\n", (int)width, "name", "p-value", "adjusted");
    for (size_t i = 0; i < s->table.n_rows; i++) {
        AUTO(text_buffer_clear) text_buffer name = {0};
        stats_append_row_name(s, i, &name);
        text_append_format(out, "%s%*s  %12.5g  %12.5g%s\n", name.data ? name.data : "",
                           (int)(width - text_width(name.data ? name.data : "")), "", p[i], adjusted[i],
                           adjusted[i] <= s->alpha ? "  rejected" : "");
        n_rejected += adjusted[i] <= s->alpha;
    }
    text_append_format(out, "%zu of %zu rejected at level %g\n", n_rejected, s->table.n_rows, s->alpha);
}

status stats_adjust(stats_call *s, error_info *err) {
    p_adjustment kind = ADJUST_HOLM;
    int64_t n_tests = 0;
    AUTO_FREE double *adjusted = NULL;
    AUTO(stats_values_clear) stats_values v = {0};
    (void)p_adjustment_find(s->c->args->words[0], &kind);
    CHECK(choose_column(s, &s->columns[0], err));
    s->n_columns = 1;
    CHECK(cli_blame(s->c, BLAME_WORDS,
                    args_whole(s->c->args, "tests", (int64_t)s->table.n_rows, (int64_t)1 << 53,
                               (int64_t)s->table.n_rows, &n_tests, err)));
    CHECK(stats_refuse_missing(s, "leave the row out, and count it with --tests if it belongs to the family", err));
    CHECK(stats_take_values(s, false, &v, err));
    CHECK(check_values(s, v.values, err));
    CHECK_ALLOC(adjusted = calloc(v.n_rows + 1, sizeof *adjusted));
    CHECK(p_adjust(kind, v.values, v.n_rows, (size_t)n_tests, adjusted, err));
    if (s->c->json)
        return answer(s, v.values, adjusted, err);
    print(s, kind, v.values, adjusted);
    return STATUS_OK;
}
