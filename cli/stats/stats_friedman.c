/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench stats friedman, nemenyi: columns are compared by their ranks in every row. */
#include "cli/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POST_HOC_CHOICES P_ADJUSTMENT_CHOICES "|nemenyi"
enum { POST_HOC_NEMENYI = P_ADJUSTMENT_COUNT };

static status find_control(stats_ranking *r, error_info *err) {
    const char *typed = args_value(r->s->c->args, "control");
    r->control = friedman_best(r->mean_ranks, r->k);
    for (size_t i = 0; typed && i < r->k; i++) {
        if (strcmp(stats_column_name(r->s, i), typed) == 0) {
            r->control = i;
            return STATUS_OK;
        }
    }
    return typed ? cli_refuse(r->s->c, err, "--control is '%s', which is none of the columns", typed) : STATUS_OK;
}

static status compare_with_control(stats_ranking *r, error_info *err) {
    AUTO_FREE double *others = calloc(r->k, sizeof *others);
    size_t n = 0;
    CHECK_ALLOC(others);
    friedman_against(r->mean_ranks, r->n_blocks, r->k, r->control, r->z, r->p);
    for (size_t i = 0; i < r->k; i++) {
        if (i != r->control)
            others[n++] = r->p[i];
    }
    CHECK(p_adjust((p_adjustment)r->post_hoc, others, n, 0, others, err));
    n = 0;
    for (size_t i = 0; i < r->k; i++)
        r->adjusted[i] = i == r->control ? 1 : others[n++];
    return STATUS_OK;
}

static status find_groups(stats_ranking *r, error_info *err) {
    AUTO_FREE double *sorted = calloc(r->k + 1, sizeof *sorted);
    CHECK_ALLOC(sorted);
    if (r->k > NEMENYI_MOST)
        return error_set(err, STATUS_INVALID, "%zu columns are too many for Nemenyi's test; at most %d", r->k,
                         NEMENYI_MOST);
    for (size_t i = 0; i < r->k; i++)
        sorted[i] = r->mean_ranks[r->order[i]];
    r->critical_difference = nemenyi_critical_difference(r->s->alpha, r->n_blocks, r->k);
    r->n_groups = nemenyi_groups(sorted, r->k, r->critical_difference, r->groups);
    return STATUS_OK;
}

static status put_test(json_t *a, const friedman_result *t, error_info *err) {
    return json_put_all(
        a, err, {"statistic", json_of_double(t->chi2)}, {"df", json_of_count(t->df)},
        {"p_value", json_of_double(t->p_value)}, {"log_p_value", json_of_double(t->log_p)},
        {"statistic_uncorrected", json_of_double(t->chi2_uncorrected)},
        {"iman_davenport",
         json_object_of({"F", json_of_double(t->F)}, {"df1", json_of_count(t->df1)}, {"df2", json_of_count(t->df2)},
                        {"p_value", json_of_double(t->F_p_value)}, {"log_p_value", json_of_double(t->F_log_p)})});
}

static json_t *comparison_object(const stats_ranking *r, size_t i) {
    return json_object_of({"name", json_of_text(stats_column_name(r->s, i))}, {"z", json_of_double(r->z[i])},
                          {"p_value", json_of_double(r->p[i])}, {"adjusted", json_of_double(r->adjusted[i])},
                          {"rejected", json_boolean(r->adjusted[i] <= r->s->alpha)});
}

static status put_comparisons(json_t *a, const stats_ranking *r, error_info *err) {
    json_t *list;
    CHECK(json_put_all(a, err, {"post_hoc", json_of_text(p_adjustment_name((p_adjustment)r->post_hoc))},
                       {"control", json_of_text(stats_column_name(r->s, r->control))},
                       {"comparisons", list = json_array()}));
    for (size_t i = 0; i < r->k; i++) {
        if (r->order[i] != r->control)
            CHECK(json_add(list, comparison_object(r, r->order[i]), err));
    }
    return STATUS_OK;
}

static json_t *group_array(const stats_ranking *r, const rank_group *g) {
    json_t *names = json_array();
    for (size_t i = g->first; names && i <= g->last; i++)
        names = json_with(names, json_of_text(stats_column_name(r->s, r->order[i])));
    return names;
}

static status put_groups(json_t *a, const stats_ranking *r, error_info *err) {
    json_t *groups;
    CHECK(json_put_all(a, err, {"alpha", json_of_double(r->s->alpha)},
                       {"critical_difference", json_of_double(r->critical_difference)},
                       {"groups", groups = json_array()}));
    for (size_t i = 0; i < r->n_groups; i++)
        CHECK(json_add(groups, group_array(r, &r->groups[i]), err));
    return STATUS_OK;
}

static void print_test(const stats_ranking *r, text_buffer *out) {
    const friedman_result *t = &r->test;
    text_append_format(out, "Friedman: chi-square ");
    stats_append_number(out, t->chi2);
    text_append_format(out, " on %g degrees of freedom, ", t->df);
    stats_append_p(out, t->p_value, t->log_p);
    text_append_format(out, "\nIman and Davenport: F ");
    stats_append_number(out, t->F);
    text_append_format(out, " on %g and %g degrees of freedom, ", t->df1, t->df2);
    stats_append_p(out, t->F_p_value, t->F_log_p);
    text_append_format(out, "\n%s at level %g (%zu data sets, %zu columns)\n",
                       t->p_value <= r->s->alpha ? "the columns differ" : "no difference can be shown", r->s->alpha,
                       r->n_blocks, r->k);
}

static void print_ranks(const stats_ranking *r, bool with_comparisons, text_buffer *out) {
    int width = stats_name_width(r->s);
    text_append_format(out, "%-*s  mean rank", width, "column");
    text_append(out, with_comparisons ? "          z     p-value    adjusted\n" : "\n");
    for (size_t i = 0; i < r->k; i++) {
        size_t column = r->order[i];
        const char *name = stats_column_name(r->s, column);
        text_append_format(out, "%s%*s  %9.4g", name, width - (int)text_width(name), "", r->mean_ranks[column]);
        if (with_comparisons && column == r->control)
            text_append(out, "    control");
        else if (with_comparisons)
            text_append_format(out, "  %9.4g  %10.4g  %10.4g%s", r->z[column], r->p[column], r->adjusted[column],
                               r->adjusted[column] <= r->s->alpha ? "  rejected" : "");
        text_append(out, "\n");
    }
}

static void print_groups(const stats_ranking *r, text_buffer *out) {
    text_append_format(out, "Nemenyi: mean ranks that differ by more than %.5g differ at level %g\n",
                       r->critical_difference, r->s->alpha);
    for (size_t g = 0; g < r->n_groups; g++) {
        text_append(out, "within it:");
        for (size_t i = r->groups[g].first; i <= r->groups[g].last; i++)
            text_append_format(out, "%s %s", i > r->groups[g].first ? "," : "", stats_column_name(r->s, r->order[i]));
        text_append(out, "\n");
    }
}

static status report_test(stats_ranking *r, bool with_friedman, error_info *err) {
    bool has_control = with_friedman && r->post_hoc < ADJUST_NONE, has_groups = r->post_hoc == POST_HOC_NEMENYI;
    text_buffer *out = &r->s->c->out;
    json_t *a;
    stats_say_missing(r);
    if (!r->s->c->json) {
        if (with_friedman)
            print_test(r, out);
        print_ranks(r, has_control, out);
        if (has_groups)
            print_groups(r, out);
        return STATUS_OK;
    }
    a = r->s->c->answer = json_object();
    CHECK(put_test(a, &r->test, err));
    CHECK(stats_put_ranks(a, r, err));
    if (has_control)
        CHECK(put_comparisons(a, r, err));
    return has_groups ? put_groups(a, r, err) : STATUS_OK;
}

status stats_friedman(stats_call *s, error_info *err) {
    AUTO(stats_ranking_clear) stats_ranking r = {.s = s};
    CHECK(stats_choice(s->c, "post-hoc", POST_HOC_CHOICES, ADJUST_HOLM, &r.post_hoc, err));
    CHECK(stats_rank_columns(&r, err));
    CHECK(find_control(&r, err));
    if (r.post_hoc == POST_HOC_NEMENYI)
        CHECK(find_groups(&r, err));
    else
        CHECK(compare_with_control(&r, err));
    return report_test(&r, true, err);
}

status stats_nemenyi(stats_call *s, error_info *err) {
    AUTO(stats_ranking_clear) stats_ranking r = {.s = s, .post_hoc = POST_HOC_NEMENYI};
    CHECK(stats_rank_columns(&r, err));
    CHECK(find_groups(&r, err));
    return report_test(&r, false, err);
}
