/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friedman's test at every sample size: learners are ranked on each network, at each noise level. */
#include "parts/tests/friedman_part.h"

#include "core/base/json.h"
#include "metrics/statistics/nemenyi.h"
#include "metrics/statistics/p_adjust.h"
#include "parts/base/part.h"
#include "parts/figures/block_means.h"
#include "parts/tests/significance_internal.h"
#include "parts/tests/test_outcomes.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const friedman_spec *spec_of(const test_work *w) {
    return (const friedman_spec *)w->spec; /* which it begins with */
}

/* What one sample size works on; arrays of n learners that take part. */
typedef struct {
    const test_work *test;
    size_t size;
    block_means blocks;
    double *mean_ranks, *z, *p, *adjusted;
    size_t control;
} size_work;

static void clear(size_work *w) {
    block_means_clear(&w->blocks);
    free(w->mean_ranks);
    free(w->z);
    free(w->p);
    free(w->adjusted);
}

static status find_blocks(size_work *w, error_info *err) {
    const result_grid *g = &w->test->grid;
    AUTO_FREE grid_element *elements = calloc(g->n_places + 1, sizeof *elements);
    size_t n = g->n_learners + 1;
    CHECK_ALLOC(elements);
    for (size_t i = 0; i < g->n_places; i++)
        elements[i] = (grid_element){.place = i, .size = w->size};
    CHECK(block_means_create(&w->test->values, elements, g->n_places, w->test->spec->failures, &w->blocks, err));
    CHECK_ALLOC(w->mean_ranks = calloc(n, sizeof(double)));
    CHECK_ALLOC(w->z = calloc(n, sizeof(double)));
    CHECK_ALLOC(w->p = calloc(n, sizeof(double)));
    CHECK_ALLOC(w->adjusted = calloc(n, sizeof(double)));
    return STATUS_OK;
}

/* The declared control, or the best; STATUS_OK with `*there` false where the declared one has no value at this size. */
static bool find_control(size_work *w) {
    const friedman_spec *spec = spec_of(w->test);
    w->control = friedman_best(w->mean_ranks, w->blocks.n_takers);
    for (size_t i = 0; spec->control && i < w->blocks.n_takers; i++) {
        if (strcmp(w->test->view->learners[w->blocks.takers[i]], spec->control) == 0) {
            w->control = i;
            return true;
        }
    }
    return !spec->control;
}

static status adjust(size_work *w, error_info *err) {
    static const p_adjustment kinds[] = {[POST_HOC_HOLM] = ADJUST_HOLM,
                                         [POST_HOC_BONFERRONI] = ADJUST_BONFERRONI,
                                         [POST_HOC_BH] = ADJUST_BH,
                                         [POST_HOC_NONE] = ADJUST_NONE};
    size_t k = w->blocks.n_takers, n = 0;
    const friedman_spec *spec = spec_of(w->test);
    AUTO_FREE double *others = calloc(k + 1, sizeof *others);
    CHECK_ALLOC(others);
    for (size_t i = 0; i < k; i++) {
        if (i != w->control)
            others[n++] = w->p[i];
    }
    if (spec->post_hoc != POST_HOC_NEMENYI)
        CHECK(p_adjust(kinds[spec->post_hoc], others, n, 0, others, err));
    n = 0;
    for (size_t i = 0; i < k; i++) {
        if (i == w->control)
            w->adjusted[i] = 1;
        else if (spec->post_hoc == POST_HOC_NEMENYI)
            w->adjusted[i] = nemenyi_p_value(w->mean_ranks[i] - w->mean_ranks[w->control], w->blocks.n_blocks, k);
        else
            w->adjusted[i] = others[n++];
    }
    return STATUS_OK;
}

static size_t count_failed_blocks(const block_means *b, size_t taker) {
    size_t n = 0;
    for (size_t i = 0; i < b->n_blocks; i++)
        n += isnan(b->values[i * b->n_takers + taker]) != 0;
    return n;
}

/* Friedman's own verdict does not matter here: the paper's marks, too, stand whether it rejects or not. */
static rank_mark mark_of(const size_work *w, size_t taker) {
    if (taker == w->control)
        return MARK_BEST;
    return w->adjusted[taker] > w->test->spec->alpha ? MARK_ALIKE : MARK_WORSE;
}

static void add_published(const size_work *w, significance *s, ranked_learner *l) {
    char samples[24];
    verdict_place at = {.network = "all", .sample_size = samples, .metric = w->test->spec->published_metric};
    (void)snprintf(samples, sizeof samples, "%zu", w->test->view->sizes[w->size]);
    l->published_rank = NAN;
    if (!w->test->published)
        return;
    l->published_mark =
        published_mark_find(w->test->published, &at, s->learners[l->learner], &l->published_rank, &l->row);
    s->n_published += l->published_mark != MARK_NONE;
    s->n_agreed += l->published_mark != MARK_NONE && l->published_mark == l->mark;
}

static status take_learners(const size_work *w, significance *s, rank_comparison *out, error_info *err) {
    size_t k = w->blocks.n_takers;
    CHECK_ALLOC(out->learners = calloc(k + 1, sizeof *out->learners));
    out->n_learners = k;
    for (size_t i = 0; i < k; i++) {
        out->learners[i] = (ranked_learner){.learner = w->blocks.takers[i],
                                            .mean_rank = w->mean_ranks[i],
                                            .z = w->z[i],
                                            .p_value = w->p[i],
                                            .adjusted = w->adjusted[i],
                                            .is_control = i == w->control,
                                            .mark = mark_of(w, i),
                                            .n_failed = count_failed_blocks(&w->blocks, i)};
        add_published(w, s, &out->learners[i]);
    }
    return STATUS_OK;
}

static status test_size(const test_work *test, size_t size, significance *s, rank_comparison *out, error_info *err) {
    const rank_rule rule = {.more_is_better = test->info && !test->info->less_is_better, .relative_tie = RANK_TIE};
    AUTO(clear) size_work w = {.test = test, .size = size};
    size_t k;
    status st = STATUS_OK;
    out->samples = test->view->sizes[size];
    CHECK(find_blocks(&w, err));
    k = w.blocks.n_takers;
    out->n_blocks = w.blocks.n_blocks;
    if (out->n_blocks == 0 || k < 2)
        return st;
    CHECK(friedman_test(w.blocks.values, out->n_blocks, k, &rule, w.mean_ranks, &out->test, err));
    if (!find_control(&w))
        return st;
    friedman_against(w.mean_ranks, out->n_blocks, k, w.control, w.z, w.p);
    CHECK(adjust(&w, err));
    CHECK(take_learners(&w, s, out, err));
    out->critical_difference =
        k <= NEMENYI_MOST ? nemenyi_critical_difference(test->spec->alpha, out->n_blocks, k) : NAN;
    out->has_test = true;
    return STATUS_OK;
}

static status rank(const test_work *w, significance *s, error_info *err) {
    CHECK_ALLOC(s->groups = calloc(w->grid.n_sizes + 1, sizeof *s->groups));
    for (; s->n_groups < w->grid.n_sizes; s->n_groups++)
        CHECK(test_size(w, s->n_groups, s, &s->groups[s->n_groups], err));
    return STATUS_OK;
}

/* ---- in words ---- */

static const char *const post_hoc_texts[] = {[POST_HOC_HOLM] = "Holm's procedure",
                                             [POST_HOC_BONFERRONI] = "Bonferroni's correction",
                                             [POST_HOC_BH] = "Benjamini and Hochberg's procedure",
                                             [POST_HOC_NEMENYI] = "Nemenyi's test",
                                             [POST_HOC_NONE] = "no correction"};

/* What is ranked once. */
static const char *block_noun(const test_work *w) {
    return outputs_sigma_count(w->view) > 1 ? "networks and noise levels" : "networks";
}

static void append_method(const test_work *w, text_buffer *b) {
    const friedman_spec *spec = spec_of(w);
    size_t n = w->grid.n_replicates;
    significance_append_sense(w, b);
    text_append_format(
        b,
        "Learners are ranked on each network%s (the mean of %zu data set%s), 1 the best, ties share the mean of "
        "their ranks. chi2 is corrected for ties; F is Iman and Davenport's. Below: mean ranks over the "
        "%s; * marks %s, a those that do not differ from it significantly (%s, two-sided, level %g).",
        outputs_sigma_count(w->view) > 1 ? " at each noise level" : "", n, text_plural(n), block_noun(w),
        spec->control ? "the control" : "the best", post_hoc_texts[spec->post_hoc], spec->shared.alpha);
}

/* Consecutive learners within the critical difference. */
static void append_critical_differences(const test_work *w, const significance *s, text_buffer *b) {
    size_t n = 0;
    for (size_t i = 0; spec_of(w)->post_hoc == POST_HOC_NEMENYI && i < s->n_groups; i++) {
        if (s->groups[i].has_test)
            text_append_format(b, "%s%.4g at %zu rows",
                               n++ ? ", " : "Critical difference of mean ranks: ", s->groups[i].critical_difference,
                               s->groups[i].samples);
    }
    text_append(b, n ? "; any two learners further apart differ significantly." : "");
}

static void append_not_rejected(const test_work *w, const significance *s, text_buffer *b) {
    size_t n = 0;
    for (size_t i = 0; i < s->n_groups; i++) {
        if (s->groups[i].has_test && s->groups[i].test.p_value > w->spec->alpha)
            text_append_format(b, "%s%zu",
                               n++ ? ", " : "Friedman's test itself does not reject equal ranks at this sample size: ",
                               s->groups[i].samples);
    }
    text_append(b, n ? "." : "");
}

static void append_blocks(const test_work *w, const significance *s, text_buffer *b) {
    for (size_t i = 0; i < s->n_groups; i++) {
        const rank_comparison *g = &s->groups[i];
        if (!g->has_test)
            text_append_format(b, "%sNo test at %zu rows: %s.", b->length ? " " : "", g->samples,
                               g->n_blocks == 0 ? "no network has results of all learners"
                                                : "fewer than two learners, or no control");
        else if (g->n_blocks < w->grid.n_places)
            text_append_format(b, "%s%zu of %zu %s enter at %zu rows.", b->length ? " " : "", g->n_blocks,
                               w->grid.n_places, block_noun(w), g->samples);
    }
}

static void append_rank_failures(const significance *s, text_buffer *b) {
    size_t n = 0;
    for (size_t i = 0; i < s->n_groups; i++) {
        for (size_t l = 0; l < s->groups[i].n_learners; l++) {
            const ranked_learner *r = &s->groups[i].learners[l];
            if (r->n_failed == 0)
                continue;
            text_append_format(b, "%s%s on %zu network%s at %zu rows",
                               n++ ? ", " : "Failed on a data set, and so ranked last: ", s->learners[r->learner],
                               r->n_failed, text_plural(r->n_failed), s->groups[i].samples);
        }
    }
    text_append(b, n ? "." : "");
}

static void append_disagreeing_marks(const significance *s, text_buffer *b) {
    size_t n = 0, n_all = s->n_published - s->n_agreed;
    for (size_t i = 0; i < s->n_groups; i++) {
        for (size_t l = 0; l < s->groups[i].n_learners; l++) {
            const ranked_learner *r = &s->groups[i].learners[l];
            if (r->published_mark == MARK_NONE || r->published_mark == r->mark || n++ >= MOST_PLACES)
                continue;
            text_append_format(b, "%s%s at %zu (%s, published %s)", n > 1 ? ", " : " Others: ", s->learners[r->learner],
                               s->groups[i].samples, rank_mark_name(r->mark), rank_mark_name(r->published_mark));
        }
    }
    if (n_all > MOST_PLACES)
        text_append_format(b, ", and %zu more", n_all - MOST_PLACES);
    text_append(b, n ? "." : "");
}

static status add_notes(const test_work *w, significance *s, error_info *err) {
    text_buffer b = {0};
    append_method(w, &b);
    CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
    append_critical_differences(w, s, &b);
    CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
    append_not_rejected(w, s, &b);
    CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
    append_blocks(w, s, &b);
    CHECK(text_list_take(&s->notes, &s->n_notes, &b, err));
    append_rank_failures(s, &b);
    return text_list_take(&s->notes, &s->n_notes, &b, err);
}

/* ---- for people ---- */

/* "p" of a small number without a run of zeros; what underflowed is a bound. */
static void say_p(document_grid *g, size_t row, size_t column, double p) {
    if (isnan(p))
        grid_say(g, row, column, SPAN_TEXT, "-");
    else if (p == 0)
        grid_say(g, row, column, SPAN_TEXT, "<1e-300");
    else
        grid_say(g, row, column, SPAN_TEXT, "%.3g", p);
}

static void add_test_row(document_grid *g, size_t row, const rank_comparison *c) {
    const friedman_result *test = &c->test;
    grid_say(g, row, 0, SPAN_TEXT, "%zu", c->samples);
    grid_say(g, row, 1, SPAN_TEXT, "%zu", c->n_blocks);
    for (size_t i = 2; !c->has_test && i < g->n_columns; i++)
        grid_say(g, row, i, SPAN_TEXT, "-");
    if (!c->has_test)
        return;
    grid_say(g, row, 2, SPAN_TEXT, "%.2f", test->chi2);
    grid_say(g, row, 3, SPAN_TEXT, "%g", test->df);
    say_p(g, row, 4, test->p_value);
    if (isfinite(test->F))
        grid_say(g, row, 5, SPAN_TEXT, "%.2f", test->F);
    else
        grid_say(g, row, 5, SPAN_TEXT, isnan(test->F) ? "-" : "infinite");
    grid_say(g, row, 6, SPAN_TEXT, "%g, %g", test->df1, test->df2);
    if (isinf(test->F)) /* perfect agreement: 0 by definition, not by underflow */
        grid_say(g, row, 7, SPAN_TEXT, "0");
    else
        say_p(g, row, 7, test->F_p_value);
}

static void add_test_grid(const significance *s, document *d) {
    static const char *const head[] = {"samples", "networks", "chi2", "df", "p", "F", "df1, df2", "p of F"};
    enum { N_HEAD = sizeof head / sizeof *head };
    document_grid *g = document_add_grid(d, NULL, s->n_groups + 1, N_HEAD, false);
    if (!g)
        return;
    grid_set_head(g, head, N_HEAD);
    for (size_t i = 0; i < s->n_groups; i++)
        add_test_row(g, i + 1, &s->groups[i]);
}

static const char *mark_text(rank_mark mark) {
    return mark == MARK_BEST ? "*" : mark == MARK_ALIKE ? "a" : "";
}

static void add_rank(document_grid *g, size_t row, const ranked_learner *r) {
    char published[64];
    grid_say(g, row, r->learner + 1, SPAN_TEXT, "%.2f%s", r->mean_rank, mark_text(r->mark));
    if (isnan(r->published_rank))
        return;
    (void)snprintf(published, sizeof published, "%.2f%s", r->published_rank, mark_text(r->published_mark));
    grid_set_published(g, row, r->learner + 1, published);
}

static void add_rank_grid(const significance *s, document *d) {
    document_grid *g = document_add_grid(d, NULL, s->n_groups + 1, s->n_learners + 1, true);
    if (!g)
        return;
    significance_add_learner_names(s, "samples", g);
    for (size_t i = 0; i < s->n_groups; i++) {
        grid_say(g, i + 1, 0, SPAN_TEXT, "%zu", s->groups[i].samples);
        for (size_t l = 0; l < s->groups[i].n_learners; l++)
            add_rank(g, i + 1, &s->groups[i].learners[l]);
        for (size_t l = 0; l < s->n_learners; l++) {
            if (grid_at(g, i + 1, l + 1)->text.n == 0)
                grid_say(g, i + 1, l + 1, SPAN_TEXT, "-");
        }
    }
}

static void append_document(const significance *s, document *d) {
    add_test_grid(s, d);
    add_rank_grid(s, d);
}

/* ---- CSV and JSON ---- */

static void append_rank_line(const significance *s, const rank_comparison *g, const ranked_learner *r,
                             text_buffer *out) {
    const double numbers[] = {r->mean_rank, r->z, r->p_value, r->adjusted};
    const double tests[] = {g->test.chi2, g->test.df,  g->test.p_value,   g->test.F,
                            g->test.df1,  g->test.df2, g->test.F_p_value, g->critical_difference};
    text_append_csv_label(out, significance_id(s));
    text_append_format(out, ",%zu,", g->samples);
    text_append_csv_label(out, s->learners[r->learner]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        significance_append_number(out, numbers[i]);
    text_append_format(out, ",%s", rank_mark_name(r->mark));
    significance_append_number(out, r->published_rank);
    text_append_format(out, ",%s,%zu,%zu", rank_mark_name(r->published_mark), r->n_failed, g->n_blocks);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        significance_append_number(out, tests[i]);
    text_append(out, "\n");
}

static void append_csv(const significance *s, text_buffer *out) {
    text_append(out, "test,samples,learner,mean_rank,z,p_value,adjusted,mark,published_rank,published_mark,failed,"
                     "networks,chi2,df,chi2_p_value,F,df1,df2,F_p_value,critical_difference\n");
    for (size_t i = 0; i < s->n_groups; i++) {
        for (size_t l = 0; l < s->groups[i].n_learners; l++)
            append_rank_line(s, &s->groups[i], &s->groups[i].learners[l], out);
    }
}

static json_t *rank_object(const significance *s, const ranked_learner *r) {
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:s, s:b, s:I, s:o, s:o}", "learner", s->learners[r->learner], "rank",
                     json_of_figure(r->mean_rank), "z", json_of_figure(r->z), "p_value", json_of_figure(r->p_value),
                     "adjusted", json_of_figure(r->adjusted), "mark", rank_mark_name(r->mark), "control",
                     (int)r->is_control, "failed", (json_int_t)r->n_failed, "published_rank",
                     json_of_figure(r->published_rank), "published_mark",
                     json_of_word(rank_mark_name(r->published_mark)));
}

static json_t *group_object(const significance *s, size_t at) {
    const rank_comparison *g = &s->groups[at];
    json_t *learners = json_array(), *test = NULL;
    for (size_t i = 0; learners && i < g->n_learners; i++)
        learners = json_with(learners, rank_object(s, &g->learners[i]));
    test = g->has_test
               ? json_pack("{s:o, s:o, s:o, s:{s:o, s:o, s:o, s:o}, s:o}", "statistic", json_of_figure(g->test.chi2),
                           "df", json_of_figure(g->test.df), "p_value", json_of_figure(g->test.p_value),
                           "iman_davenport", "F", json_of_figure(g->test.F), "df1", json_of_figure(g->test.df1), "df2",
                           json_of_figure(g->test.df2), "p_value", json_of_figure(g->test.F_p_value),
                           "critical_difference", json_of_figure(g->critical_difference))
               : json_null();
    return json_pack("{s:I, s:I, s:o, s:o}", "samples", (json_int_t)g->samples, "networks", (json_int_t)g->n_blocks,
                     "friedman", test, "learners", learners);
}

static bool add_json(const significance *s, json_t *o) {
    return json_object_set_new(o, "sizes", json_of_list(s, s->n_groups, group_object)) == 0;
}

/* ---- the declaration ---- */

static const test_method method = {.name = "friedman",
                                   .title = "Friedman's test",
                                   .outcome = "mark",
                                   .compute = rank,
                                   .add_notes = add_notes,
                                   .append_disagreeing = append_disagreeing_marks,
                                   .append_document = append_document,
                                   .append_csv = append_csv,
                                   .add_json = add_json};

status friedman_compute(const experiment_outputs *outputs, const friedman_spec *spec, const job_record *records,
                        size_t n_records, const published_table *published, significance *out, error_info *err) {
    test_work w = {.spec = &spec->shared, .method = &method, .control = spec->control, .published = published};
    return significance_compute(&w, outputs, records, n_records, out, err);
}

static const option_spec options[] = {
    TEST_ROWS("not_worse_than_best and is_best_in_column"),
    PART_ROW(OPT_CHOICE, "post_hoc", friedman_spec, post_hoc, .choices = "holm|bonferroni|bh|nemenyi|none",
             .help = "each learner against the control, adjusted so; nemenyi: by the p-value of all pairs"),
    PART_ROW(OPT_LEARNER, "control", friedman_spec, control, .usual = "the best mean rank",
             .help = "what the others are compared with"),
    {0},
};

static status complete(void *declared, const experiment_outputs *outputs, const char **key, error_info *err) {
    const friedman_spec *spec = declared;
    (void)outputs;
    return test_spec_check(&spec->shared, "control", spec->control, key, err);
}

status friedman_make(const part_context *c, const friedman_spec *spec, part_output *out, significance *s,
                     bool *is_there, error_info *err) {
    AUTO_PTR(published_destroy) published_table *published = NULL;
    error_info why = {0};
    status answer;
    CHECK(part_read_published(out, spec->shared.id, spec->shared.published, PUBLISHED_OUTCOMES, &published, err));
    answer = friedman_compute(c->outputs, spec, c->records, c->n_records, published, s, &why);
    *is_there = answer == STATUS_OK;
    return part_judge(out, "", answer, &why, err);
}

static status make(const part_context *c, const declared_part *p, part_output *out, error_info *err) {
    AUTO(significance_clear) significance s = {0};
    bool is_there = false;
    CHECK(friedman_make(c, p->options, out, &s, &is_there, err));
    if (is_there)
        CHECK(significance_show(&s, out, err));
    return STATUS_OK;
}

static status add_outcomes(const significance *s, const rank_comparison *g, test_outcomes *list, error_info *err) {
    char place[32];
    (void)snprintf(place, sizeof place, "%zu", g->samples);
    for (size_t i = 0; i < g->n_learners; i++) {
        const ranked_learner *l = &g->learners[i];
        const char *const learners[2] = {s->learners[l->learner], NULL};
        if (l->published_mark != MARK_NONE)
            CHECK(test_outcomes_add(list, learners, place,
                                    &(published_outcome){rank_mark_name(l->published_mark), s->spec->published, l->row},
                                    l->mark == MARK_NONE ? NULL : rank_mark_name(l->mark), err));
    }
    return STATUS_OK;
}

static status list_outcomes(const part_context *c, const void *declared, part_output *out, test_outcomes *list,
                            error_info *err) {
    AUTO(significance_clear) significance s = {0};
    bool is_there = false;
    CHECK(friedman_make(c, declared, out, &s, &is_there, err));
    for (size_t i = 0; i < s.n_groups; i++)
        CHECK(add_outcomes(&s, &s.groups[i], list, err));
    return STATUS_OK;
}

const part_kind part_friedman_test = {
    .group = PART_TEST,
    .name = "friedman",
    .summary = "mean ranks of the learners over the networks, by the mean over replicates, at every sample size",
    .options_size = sizeof(friedman_spec),
    .options = options,
    .complete = complete,
    .make = make,
    .list_outcomes = list_outcomes,
};
