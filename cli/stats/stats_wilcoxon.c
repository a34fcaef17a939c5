/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench stats wilcoxon. */
#include "cli/stats/stats.h"

#include "metrics/statistics/wilcoxon.h"

#include <stdlib.h>

static status read_options(cli *c, wilcoxon_options *o, error_info *err) {
    int side, zeros, method;
    CHECK(stats_choice(c, "alternative", WILCOXON_SIDE_CHOICES, WILCOXON_TWO_SIDED, &side, err));
    CHECK(stats_choice(c, "zeros", WILCOXON_ZEROS_CHOICES, WILCOXON_DROP_ZEROS, &zeros, err));
    CHECK(stats_choice(c, "method", WILCOXON_METHOD_CHOICES, WILCOXON_AUTO, &method, err));
    *o = (wilcoxon_options){.side = (wilcoxon_side)side,
                            .zeros = (wilcoxon_zeros)zeros,
                            .method = (wilcoxon_method)method,
                            .no_correction = args_has(c->args, "no-correction")};
    return STATUS_OK;
}

static status check_columns(stats_call *s, error_info *err) {
    if (s->n_columns == 1 || s->n_columns == 2)
        return STATUS_OK;
    return cli_refuse(s->c, err,
                      "%zu columns hold numbers; name two of them with --columns A,B (or one of differences)",
                      s->n_columns);
}

/* The two columns side by side; `y` stays NULL where there is one of differences. */
static status split(const stats_call *s, const stats_values *v, double **x, double **y, error_info *err) {
    CHECK_ALLOC(*x = calloc(v->n_rows + 1, sizeof **x));
    if (s->n_columns == 2)
        CHECK_ALLOC(*y = calloc(v->n_rows + 1, sizeof **y));
    for (size_t i = 0; i < v->n_rows; i++) {
        (*x)[i] = v->values[i * s->n_columns];
        if (*y)
            (*y)[i] = v->values[i * s->n_columns + 1];
    }
    return STATUS_OK;
}

static const char *method_name(const wilcoxon_result *r) {
    return r->method == WILCOXON_EXACT ? "exact" : "normal";
}

static const char *side_name(wilcoxon_side side) {
    static const char *const names[] = {"two-sided", "greater", "less"};
    return names[side];
}

static status answer(stats_call *s, const wilcoxon_options *o, const stats_values *v, const wilcoxon_result *r,
                     error_info *err) {
    return json_put_all(s->c->answer = json_object(), err, {"statistic", json_of_double(r->w_plus)},
                        {"p_value", json_of_double(r->p_value)}, {"log_p_value", json_of_double(r->log_p)},
                        {"n", json_of_size(r->n)}, {"method", json_of_text(method_name(r))},
                        {"alternative", json_of_text(side_name(o->side))}, {"w_minus", json_of_double(r->w_minus)},
                        {"z", json_of_double(r->z)}, {"pairs", json_of_size(v->n_rows)},
                        {"zeros", json_of_size(r->n_zero)}, {"dropped", json_of_size(v->n_dropped)},
                        {"ties", json_boolean(r->has_ties)}, {"significant", json_boolean(r->p_value <= s->alpha)});
}

static void print_claim(const stats_call *s, wilcoxon_side side, text_buffer *out) {
    const char *words = side == WILCOXON_TWO_SIDED ? "differs from" : side == WILCOXON_GREATER ? "exceeds" : "is below";
    text_append_format(out, "Wilcoxon signed-rank test: %s %s %s\n", stats_column_name(s, 0), words,
                       s->n_columns == 2 ? stats_column_name(s, 1) : "zero");
}

static void print(stats_call *s, const wilcoxon_options *o, const stats_values *v, const wilcoxon_result *r) {
    text_buffer *out = &s->c->out;
    print_claim(s, o->side, out);
    text_append_format(out, "pairs      %zu, %zu with a difference", v->n_rows, r->n);
    text_append_format(out, v->n_dropped ? "; %zu rows without a value left out\n" : "\n", v->n_dropped);
    text_append_format(out, "statistic  W+ = %.15g, W- = %.15g\n", r->w_plus, r->w_minus);
    text_append(out, "p-value    ");
    stats_append_p(out, r->p_value, r->log_p);
    text_append_format(out, " (%s, %s", side_name(o->side), method_name(r));
    if (r->method == WILCOXON_NORMAL)
        text_append_format(out, ", z = %.5g", r->z);
    text_append_format(out, ")\n%s at level %g\n",
                       r->n == 0                ? "no pair differs: nothing can be said"
                       : r->p_value <= s->alpha ? "significant"
                                                : "not significant",
                       s->alpha);
}

status stats_wilcoxon(stats_call *s, error_info *err) {
    bool drop = args_has(s->c->args, "drop-missing");
    wilcoxon_options options;
    wilcoxon_result result;
    AUTO(stats_values_clear) stats_values v = {0};
    AUTO_FREE double *x = NULL, *y = NULL;
    CHECK(read_options(s->c, &options, err));
    CHECK(check_columns(s, err));
    if (!drop)
        CHECK(stats_refuse_missing(s, "a pair needs two (--drop-missing leaves such pairs out)", err));
    CHECK(stats_take_values(s, drop, &v, err));
    CHECK(split(s, &v, &x, &y, err));
    CHECK(cli_blame(s->c, BLAME_WORDS, wilcoxon_signed_rank(x, y, v.n_rows, &options, &result, err)));
    if (s->c->json)
        return answer(s, &options, &v, &result, err);
    print(s, &options, &v, &result);
    return STATUS_OK;
}
