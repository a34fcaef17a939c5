/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A test for machines: CSV and JSON. */
#include "parts/tests/significance_internal.h"

#include "core/base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *id_of(const significance *s) {
    return s->spec->id ? s->spec->id : s->spec->metric;
}

/* ",1.5", or "," where there is no number. */
static void append_number(text_buffer *out, double value) {
    char number[32];
    text_append(out, ",");
    if (isfinite(value))
        text_append(out, text_from_double(value, number));
    else if (isinf(value))
        text_append(out, value > 0 ? "Inf" : "-Inf");
}

static void append_rank_line(const significance *s, const rank_comparison *g, const ranked_learner *r,
                             text_buffer *out) {
    const double numbers[] = {r->mean_rank, r->z, r->p_value, r->adjusted};
    const double tests[] = {g->test.chi2, g->test.df,  g->test.p_value,   g->test.F,
                            g->test.df1,  g->test.df2, g->test.F_p_value, g->critical_difference};
    text_append_csv_label(out, id_of(s));
    text_append_format(out, ",%zu,", g->samples);
    text_append_csv_label(out, s->learners[r->learner]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        append_number(out, numbers[i]);
    text_append_format(out, ",%s", rank_mark_name(r->mark));
    append_number(out, r->published_rank);
    text_append_format(out, ",%s,%zu,%zu", rank_mark_name(r->published_mark), r->n_failed, g->n_blocks);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        append_number(out, tests[i]);
    text_append(out, "\n");
}

static void append_verdict_line(const significance *s, size_t i, text_buffer *out) {
    const pair_verdict *v = &s->verdicts[i];
    const pair_cell *cell = &s->cells[i % s->n_cells];
    const size_t *pair = s->pairs[i / s->n_cells];
    text_append_csv_label(out, id_of(s));
    text_append(out, ",");
    text_append_csv_label(out, pair_cell_network(s, cell));
    text_append_format(out, ",%zu,", s->outputs->sizes[cell->size]);
    text_append_csv_label(out, s->learners[pair[0]]);
    text_append(out, ",");
    text_append_csv_label(out, s->learners[pair[1]]);
    text_append_format(out, ",%zu,%zu,%zu", v->n_pairs, v->n, v->n_failed);
    append_number(out, v->verdict == '?' ? NAN : v->w_plus);
    append_number(out, v->p_better);
    append_number(out, v->p_worse);
    append_number(out, v->adjusted);
    text_append_format(out, v->verdict == '?' ? ",n/a" : ",%c", v->verdict);
    if (v->published == '?')
        text_append(out, ",n/a\n");
    else if (v->published)
        text_append_format(out, ",%c\n", v->published);
    else
        text_append(out, ",\n");
}

void significance_append_csv(const significance *s, text_buffer *out) {
    if (s->spec->kind == TEST_WILCOXON)
        text_append(out, "test,network,samples,first,second,pairs,n,failed,w_plus,p_better,p_worse,adjusted,verdict,"
                         "published\n");
    else
        text_append(out, "test,samples,learner,mean_rank,z,p_value,adjusted,mark,published_rank,published_mark,failed,"
                         "networks,chi2,df,chi2_p_value,F,df1,df2,F_p_value,critical_difference\n");
    for (size_t i = 0; i < s->n_groups; i++) {
        for (size_t l = 0; l < s->groups[i].n_learners; l++)
            append_rank_line(s, &s->groups[i], &s->groups[i].learners[l], out);
    }
    for (size_t i = 0; i < s->n_pairs * s->n_cells; i++)
        append_verdict_line(s, i, out);
}

static const char *score_network(const significance *s, size_t row) {
    return s->spec->pairs == PAIRS_REPLICATES ? s->places[row] : "all";
}

void significance_append_scores_csv(const significance *s, text_buffer *out) {
    text_append(out, "test,network,learner,score,published\n");
    for (size_t i = 0; i < s->n_score_rows * s->n_learners; i++) {
        text_append_csv_label(out, id_of(s));
        text_append(out, ",");
        text_append_csv_label(out, score_network(s, i / s->n_learners));
        text_append(out, ",");
        text_append_csv_label(out, s->learners[i % s->n_learners]);
        append_number(out, s->has_score[i] ? (double)s->scores[i] : NAN);
        append_number(out, s->published_scores[i]);
        text_append(out, "\n");
    }
}

static json_t *text_or_null(const char *text) {
    return text && *text ? json_string(text) : json_null();
}

static json_t *verdict_text(char verdict) {
    char text[2] = {verdict, '\0'};
    return verdict == '?' ? json_string("n/a") : text_or_null(text);
}

static json_t *rank_object(const significance *s, const ranked_learner *r) {
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:s, s:b, s:I, s:o, s:o}", "learner", s->learners[r->learner], "rank",
                     json_of_double(r->mean_rank), "z", json_of_double(r->z), "p_value", json_of_double(r->p_value),
                     "adjusted", json_of_double(r->adjusted), "mark", rank_mark_name(r->mark), "control",
                     (int)r->is_control, "failed", (json_int_t)r->n_failed, "published_rank",
                     json_of_double(r->published_rank), "published_mark",
                     text_or_null(rank_mark_name(r->published_mark)));
}

static json_t *group_object(const significance *s, const rank_comparison *g) {
    json_t *learners = json_array(), *test = NULL;
    for (size_t i = 0; learners && i < g->n_learners; i++)
        (void)json_array_append_new(learners, rank_object(s, &g->learners[i]));
    test = g->has_test
               ? json_pack("{s:o, s:o, s:o, s:{s:o, s:o, s:o, s:o}, s:o}", "statistic", json_of_double(g->test.chi2),
                           "df", json_of_double(g->test.df), "p_value", json_of_double(g->test.p_value),
                           "iman_davenport", "F", json_of_double(g->test.F), "df1", json_of_double(g->test.df1), "df2",
                           json_of_double(g->test.df2), "p_value", json_of_double(g->test.F_p_value),
                           "critical_difference", json_of_double(g->critical_difference))
               : json_null();
    return json_pack("{s:I, s:I, s:o, s:o}", "samples", (json_int_t)g->samples, "networks", (json_int_t)g->n_blocks,
                     "friedman", test, "learners", learners);
}

static json_t *verdict_object(const significance *s, size_t i) {
    const pair_verdict *v = &s->verdicts[i];
    const pair_cell *cell = &s->cells[i % s->n_cells];
    const size_t *pair = s->pairs[i / s->n_cells];
    return json_pack("{s:s, s:I, s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "network",
                     pair_cell_network(s, cell), "samples", (json_int_t)s->outputs->sizes[cell->size], "first",
                     s->learners[pair[0]], "second", s->learners[pair[1]], "pairs", (json_int_t)v->n_pairs, "n",
                     (json_int_t)v->n, "failed", (json_int_t)v->n_failed, "statistic",
                     json_of_double(v->verdict == '?' ? NAN : v->w_plus), "p_better", json_of_double(v->p_better),
                     "p_worse", json_of_double(v->p_worse), "adjusted", json_of_double(v->adjusted), "verdict",
                     verdict_text(v->verdict), "published", verdict_text(v->published));
}

static json_t *score_object(const significance *s, size_t i) {
    return json_pack("{s:s, s:s, s:o, s:o}", "network", score_network(s, i / s->n_learners), "learner",
                     s->learners[i % s->n_learners], "score",
                     s->has_score[i] ? json_integer((json_int_t)s->scores[i]) : json_null(), "published",
                     json_of_double(s->published_scores[i]));
}

static json_t *list_of(const significance *s, size_t n, json_t *(*object)(const significance *s, size_t i)) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < n; i++)
        (void)json_array_append_new(list, object(s, i));
    return list;
}

static json_t *whole(const significance *s) {
    const test_spec *spec = s->spec;
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:f, s:I, s:I}", "id", id_of(s), "title", s->title, "test",
                          spec->kind == TEST_FRIEDMAN ? "friedman" : "wilcoxon", "metric", spec->metric, "alpha",
                          spec->alpha, "published", (json_int_t)s->n_published, "agree", (json_int_t)s->n_agreed);
    json_t *groups = json_array();
    for (size_t i = 0; groups && i < s->n_groups; i++)
        (void)json_array_append_new(groups, group_object(s, &s->groups[i]));
    if (spec->kind == TEST_FRIEDMAN) {
        (void)json_object_set(o, "sizes", groups);
    } else {
        (void)json_object_set_new(o, "comparisons", json_integer((json_int_t)s->n_family));
        (void)json_object_set_new(o, "verdicts", list_of(s, s->n_pairs * s->n_cells, verdict_object));
        (void)json_object_set_new(o, "scores", list_of(s, s->n_score_rows * s->n_learners, score_object));
    }
    json_decref(groups);
    return o;
}

status significance_append_json(const significance *s, text_buffer *out, error_info *err) {
    json_t *o = whole(s);
    char *text = o ? json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(o);
    if (!text) /* names are UTF-8: the reader of declarations sees to it */
        return error_out_of_memory(err);
    text_append(out, text);
    text_append(out, "\n");
    free(text);
    return STATUS_OK;
}
