/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/tests/significance.h"

#include "core/base/json.h"
#include "parts/figures/paper_failures.h"
#include "parts/tests/significance_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PART_LEVEL = 2 };

void significance_clear(significance *s) {
    for (size_t i = 0; s->groups && i < s->n_groups; i++)
        free(s->groups[i].learners);
    texts_destroy(s->notes, s->n_notes);
    free(s->groups);
    free(s->learners);
    free(s->title);
    texts_destroy(s->places, s->n_places);
    free(s->cells);
    free(s->pairs);
    free(s->verdicts);
    free(s->scores);
    free(s->has_score);
    free(s->published_scores);
    free(s->score_rows);
    *s = (significance){0};
}

const char *pair_cell_network(const significance *s, const pair_cell *cell) {
    return cell->place < s->n_places ? s->places[cell->place] : "all";
}

static status name_places(const experiment_outputs *o, significance *s, error_info *err) {
    CHECK_ALLOC(s->places = calloc(outputs_place_count(o) + 1, sizeof *s->places));
    s->n_places = outputs_place_count(o);
    for (size_t i = 0; i < s->n_places; i++) {
        text_buffer name = {0};
        outputs_append_place(o, i, &name);
        CHECK(text_buffer_take(&name, &s->places[i], err));
    }
    return STATUS_OK;
}

static status check_learner(const experiment_outputs *o, const char *id, error_info *err) {
    if (!id || outputs_find_learner(o, id) < o->n_learners)
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "it names '%s', which is none of the learners that it compares", id);
}

static status check_spec(const test_work *w, const experiment_outputs *outputs, error_info *err) {
    for (size_t i = 0; i < w->spec->n_learners; i++)
        CHECK(check_learner(outputs, w->spec->learners[i], err));
    return check_learner(w->view, w->control, err);
}

static status name_test(significance *s, error_info *err) {
    const test_spec *spec = s->spec;
    AUTO(text_buffer_clear) text_buffer b = {0};
    if (spec->title)
        text_append(&b, spec->title);
    else
        text_append_format(&b, "%s of %s (%s)", s->method->title, spec->metric, significance_id(s));
    return text_buffer_take(&b, &s->title, err);
}

/* FAILURES_WORST is dealt with by the tests themselves: a failure is worse than every result, not
 * as bad as the worst. */
static failure_policy policy_of_values(const test_spec *spec) {
    return spec->failures == FAILURES_WORST ? FAILURES_DROP_DATASET : spec->failures;
}

bool significance_has_results(const significance *s) {
    for (size_t i = 0; i < s->n_groups; i++) {
        if (s->groups[i].has_test)
            return true;
    }
    for (size_t i = 0; i < s->n_pairs * s->n_cells; i++) {
        if (s->verdicts[i].verdict != '?')
            return true;
    }
    return false;
}

const char *text_plural(size_t n) {
    return n == 1 ? "" : "s";
}

void significance_append_sense(const test_work *w, text_buffer *b) {
    if (w->info)
        text_append_format(b, "%s: %s; %s is better. ", w->spec->metric, w->info->summary,
                           w->info->less_is_better ? "less" : "more");
}

static void append_published(const test_work *w, const significance *s, text_buffer *b) {
    const char *file = w->spec->published ? w->spec->published : "the published figures";
    const char *what = s->method->outcome;
    if (!w->published)
        return;
    if (s->n_published == 0) {
        text_append_format(b, "%s holds no %s for these learners and sample sizes.", file, what);
        return;
    }
    text_append_format(b, "In brackets: as published (%s), on the paper's own networks and data. %zu of %zu %ss agree.",
                       file, s->n_agreed, s->n_published, what);
    s->method->append_disagreeing(s, b);
}

static status add_paper_failures_note(const test_work *w, significance *s, error_info *err) {
    text_buffer b = {0};
    paper_failures_append(w->view, &b);
    return text_list_take(&s->notes, &s->n_notes, &b, err);
}

static status add_published_note(const test_work *w, significance *s, error_info *err) {
    text_buffer b = {0};
    append_published(w, s, &b);
    return text_list_take(&s->notes, &s->n_notes, &b, err);
}

status significance_compute(test_work *w, const experiment_outputs *outputs, const job_record *records,
                            size_t n_records, significance *out, error_info *err) {
    const test_spec *spec = w->spec;
    experiment_outputs view = {0};
    AUTO(significance_clear) significance s = {.spec = spec, .method = w->method, .outputs = outputs};
    status st = STATUS_OK;
    w->view = &view;
    w->info = metric_find(spec->metric);
    if (!outputs_with_learners(outputs, spec->learners, spec->n_learners, &view))
        TRY(error_out_of_memory(err));
    s.learners = view.learners;
    s.n_learners = view.n_learners;
    TRY(check_spec(w, outputs, err));
    TRY(name_test(&s, err));
    TRY(name_places(outputs, &s, err));
    TRY(result_grid_create(&view, records, n_records, &w->grid, err));
    TRY(metric_values_create(&w->grid, spec->metric, policy_of_values(spec), &w->values, err));
    TRY(w->method->compute(w, &s, err));
    TRY(w->method->add_notes(w, &s, err));
    TRY(add_paper_failures_note(w, &s, err));
    TRY(add_published_note(w, &s, err));
    *out = TAKE(s);
cleanup:
    if (st != STATUS_OK)
        error_context(err, "test '%s'", spec->id ? spec->id : spec->metric);
    metric_values_clear(&w->values);
    result_grid_clear(&w->grid);
    return st;
}

status test_spec_check(const test_spec *t, const char *key, const char *learner, const char **wrong, error_info *err) {
    *wrong = "alpha";
    if (!(t->alpha > 0 && t->alpha < 1))
        return error_set(err, STATUS_INVALID, "alpha must be a number between 0 and 1, such as 0.05");
    *wrong = key;
    for (size_t i = 0; learner && i < t->n_learners; i++) {
        if (strcmp(t->learners[i], learner) == 0)
            return STATUS_OK;
    }
    return !learner || t->n_learners == 0
               ? STATUS_OK
               : error_set(err, STATUS_INVALID, "%s is '%s', which is none of the test's 'learners'", key, learner);
}

void significance_add_learner_names(const significance *s, const char *corner, document_grid *g) {
    grid_say(g, 0, 0, SPAN_TEXT, "%s", corner);
    for (size_t i = 0; i < s->n_learners; i++)
        grid_say(g, 0, i + 1, SPAN_TEXT, "%s", s->learners[i]);
}

void significance_append_document(const significance *s, document *d) {
    document_add_heading(d, PART_LEVEL, s->title);
    s->method->append_document(s, d);
    document_add_items(d, s->notes, s->n_notes);
}

/* ---- CSV and JSON ---- */

const char *significance_id(const significance *s) {
    return s->spec->id ? s->spec->id : s->spec->metric;
}

void significance_append_number(text_buffer *out, double value) {
    char number[32];
    text_append(out, ",");
    if (isfinite(value))
        text_append(out, text_from_double(value, number));
    else if (isinf(value))
        text_append(out, value > 0 ? "Inf" : "-Inf");
}

void significance_append_csv(const significance *s, text_buffer *out) {
    s->method->append_csv(s, out);
}

const char *significance_score_place(const significance *s, size_t row) {
    return s->is_by_place ? s->places[row] : "all";
}

void significance_append_scores_csv(const significance *s, text_buffer *out) {
    text_append(out, "test,network,learner,score,published\n");
    for (size_t i = 0; i < s->n_score_rows * s->n_learners; i++) {
        text_append_csv_label(out, significance_id(s));
        text_append(out, ",");
        text_append_csv_label(out, significance_score_place(s, i / s->n_learners));
        text_append(out, ",");
        text_append_csv_label(out, s->learners[i % s->n_learners]);
        significance_append_number(out, s->has_score[i] ? (double)s->scores[i] : NAN);
        significance_append_number(out, s->published_scores[i]);
        text_append(out, "\n");
    }
}

json_t *json_of_figure(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_of_word(const char *text) {
    return text && *text ? json_string(text) : json_null();
}

json_t *json_of_list(const significance *s, size_t n, json_t *(*object)(const significance *s, size_t i)) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < n; i++)
        list = json_with(list, object(s, i));
    return list;
}

static json_t *whole(const significance *s) {
    const test_spec *spec = s->spec;
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:f, s:I, s:I}", "id", significance_id(s), "title", s->title, "test",
                          s->method->name, "metric", spec->metric, "alpha", spec->alpha, "published",
                          (json_int_t)s->n_published, "agree", (json_int_t)s->n_agreed);
    if (o && s->method->add_json(s, o))
        return o;
    json_decref(o);
    return NULL;
}

status significance_append_json(const significance *s, text_buffer *out, error_info *err) {
    json_t *o = whole(s);
    AUTO_FREE char *text = json_to_text(o, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(o);
    if (!text) /* names are UTF-8: the reader of declarations sees to it */
        return error_out_of_memory(err);
    text_append(out, text);
    text_append(out, "\n");
    return STATUS_OK;
}

static status write_files(const significance *s, const text_buffer *json, part_output *out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer csv = {0}, scores = {0};
    const char *name = NULL;
    CHECK(part_choose_name(out, "tests", s->spec->id, &name, err));
    CHECK(part_make_folder(out, "tests", err));
    significance_append_csv(s, &csv);
    CHECK(part_write_text(out, name, ".csv", &csv, err));
    CHECK(part_write_text(out, name, ".json", json, err));
    if (s->n_score_rows > 0) {
        significance_append_scores_csv(s, &scores);
        CHECK(part_write_text(out, name, "-scores.csv", &scores, err));
    }
    return STATUS_OK;
}

status significance_show(const significance *s, part_output *out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer json = {0};
    AUTO(document_clear) document d = {0};
    if (!significance_has_results(s))
        return part_note(out, s->spec->id, "test skipped: no comparable results", err);
    significance_append_document(s, &d);
    CHECK(part_show(out, ROOM_TESTS, &d, err));
    CHECK(significance_append_json(s, &json, err));
    text_append(&out->tests_json, out->tests_json.length ? "," : "");
    text_append(&out->tests_json, json.data);
    if (out->write_csv)
        CHECK(write_files(s, &json, out, err));
    return STATUS_OK;
}
