/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench stats describe: the columns in a few numbers. */
#include "cli/base/inputs.h"
#include "cli/stats/stats.h"

#include "core/base/array.h"
#include "metrics/statistics/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_QUANTILES = 100 };

typedef struct {
    cli *c;
    size_t n_quantiles;
    double quantiles[MOST_QUANTILES];
    int type;
} wanted;

/* One column, sorted; room for all rows. */
typedef struct {
    size_t n;
    double *sorted;
    double mean, sd; /* sd: NAN for one value */
} described;

static status add_quantile(void *self, const char *part, error_info *err) {
    wanted *w = self;
    double p;
    if (!text_to_double(part, &p) || !(p >= 0 && p <= 1))
        return error_set(err, STATUS_INVALID, "--quantiles holds '%s'; each must lie in [0, 1]", part);
    if (w->n_quantiles == MOST_QUANTILES)
        return error_set(err, STATUS_INVALID, "--quantiles names more than %d", MOST_QUANTILES);
    w->quantiles[w->n_quantiles++] = p;
    return STATUS_OK;
}

static status read_wanted(wanted *w, error_info *err) {
    const char *list = args_value(w->c->args, "quantiles");
    int64_t type = QUANTILE_LINEAR;
    CHECK(args_whole(w->c->args, "type", 1, 9, QUANTILE_LINEAR, &type, err));
    w->type = (int)type;
    return input_list(list ? list : "0.25,0.5,0.75", add_quantile, w, err);
}

static void describe(const stats_call *s, const stats_values *v, size_t column, described *d) {
    double sum = 0, squares = 0;
    d->n = 0;
    for (size_t i = 0; i < v->n_rows; i++) {
        double value = v->values[i * s->n_columns + column];
        if (!isnan(value))
            d->sorted[d->n++] = value;
    }
    for (size_t i = 0; i < d->n; i++)
        sum += d->sorted[i];
    d->mean = sum / (double)d->n;
    for (size_t i = 0; i < d->n; i++)
        squares += (d->sorted[i] - d->mean) * (d->sorted[i] - d->mean);
    d->sd = d->n > 1 ? sqrt(squares / (double)(d->n - 1)) : NAN;
    array_sort_reals(d->sorted, d->n);
}

static double quantile_of(const described *d, const wanted *w, size_t i) {
    return d->n ? quantile(d->sorted, d->n, w->quantiles[i], w->type) : NAN;
}

static status put_column(json_t *answer, const char *column, const described *d, const wanted *w, error_info *err) {
    json_t *quantiles = json_object();
    CHECK(json_put(answer, column,
                   json_object_of({"n", json_of_size(d->n)}, {"mean", json_of_double(d->mean)},
                                  {"sd", json_of_double(d->sd)}, {"min", json_of_double(d->n ? d->sorted[0] : NAN)},
                                  {"max", json_of_double(d->n ? d->sorted[d->n - 1] : NAN)}, {"quantiles", quantiles}),
                   err));
    for (size_t i = 0; i < w->n_quantiles; i++) {
        char name[32];
        CHECK(json_put(quantiles, text_from_double(w->quantiles[i], name), json_of_double(quantile_of(d, w, i)), err));
    }
    return STATUS_OK;
}

static void print_head(text_buffer *out, int width, const wanted *w) {
    text_append_format(out, "%-*s  %8s %12s %12s %12s", width, "column", "n", "mean", "sd", "min");
    for (size_t i = 0; i < w->n_quantiles; i++) {
        char name[32], head[40];
        (void)snprintf(head, sizeof head, "q%s", text_from_double(w->quantiles[i], name));
        text_append_format(out, " %12s", head);
    }
    text_append_format(out, " %12s\n", "max");
}

static void print_cell(text_buffer *out, double value) {
    if (isnan(value))
        text_append_format(out, " %12s", "-");
    else
        text_append_format(out, " %12.6g", value);
}

static void print_row(text_buffer *out, int width, const char *name, const described *d, const wanted *w) {
    text_append_format(out, "%s%*s  %8zu", name, width - (int)text_width(name), "", d->n);
    print_cell(out, d->mean);
    print_cell(out, d->sd);
    print_cell(out, d->n ? d->sorted[0] : NAN);
    for (size_t i = 0; i < w->n_quantiles; i++)
        print_cell(out, quantile_of(d, w, i));
    print_cell(out, d->n ? d->sorted[d->n - 1] : NAN);
    text_append(out, "\n");
}

status stats_describe(stats_call *s, error_info *err) {
    wanted w = {.c = s->c};
    AUTO(stats_values_clear) stats_values v = {0};
    AUTO_FREE double *sorted = NULL;
    described d = {0};
    int width = stats_name_width(s);
    CHECK(cli_blame(s->c, BLAME_WORDS, read_wanted(&w, err)));
    CHECK(stats_take_values(s, args_has(s->c->args, "drop-missing"), &v, err));
    CHECK_ALLOC(d.sorted = sorted = calloc(v.n_rows + 1, sizeof *sorted));
    if (s->c->json)
        CHECK_ALLOC(s->c->answer = json_object());
    else
        print_head(&s->c->out, width, &w);
    for (size_t i = 0; i < s->n_columns; i++) {
        describe(s, &v, i, &d);
        if (s->c->json)
            CHECK(put_column(s->c->answer, stats_column_name(s, i), &d, &w, err));
        else
            print_row(&s->c->out, width, stats_column_name(s, i), &d, &w);
    }
    return STATUS_OK;
}
