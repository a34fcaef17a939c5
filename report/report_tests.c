/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The declared tests in a report, and the critical-difference diagrams drawn from them. */
#include "core/base/file.h"
#include "parts/plots/critical_difference.h"
#include "parts/tests/significance.h"
#include "report/report_internal.h"

#include <stdlib.h>
#include <string.h>

/* `*is_there` is false where the test cannot be, with a note. */
static status compute(report *r, const test_spec *spec, significance *out, bool *is_there, error_info *err) {
    published_verdicts *published = NULL;
    published_table *scores = NULL;
    error_info why = {0};
    status st = STATUS_OK, answer;
    answer = published_verdicts_read_in(r->options->published_folder, spec->published, &published, &why);
    TRY(report_judge(r, spec->id, answer, &why, err));
    TRY(report_read_published(r, spec->id, spec->published_scores, &scores, err));
    answer = significance_compute(r->outputs, spec, r->records, r->n_records, published, scores, out, &why);
    *is_there = answer == STATUS_OK;
    st = report_judge(r, "", answer, &why, err);
cleanup:
    published_verdicts_destroy(published);
    published_destroy(scores);
    return st;
}

static status write_files(report *r, const significance *s, const text_buffer *json, error_info *err) {
    text_buffer csv = {0}, scores = {0};
    const char *name = NULL;
    status st = STATUS_OK;
    TRY(report_choose_name(r, "tests", s->spec->id, &name, err));
    TRY(report_make_folder(r, "tests", err));
    significance_append_csv(s, &csv);
    TRY(report_write_text(r, name, ".csv", &csv, err));
    TRY(report_write_text(r, name, ".json", json, err));
    if (s->n_score_rows > 0) {
        significance_append_scores_csv(s, &scores);
        TRY(report_write_text(r, name, "-scores.csv", &scores, err));
    }
cleanup:
    text_buffer_clear(&csv);
    text_buffer_clear(&scores);
    return st;
}

static status show_test(report *r, const significance *s, error_info *err) {
    text_buffer json = {0};
    document d = {0};
    status st = STATUS_OK;
    significance_append_document(s, &d);
    TRY(report_add_document(r, ROOM_TESTS, &d, err));
    TRY(significance_append_json(s, &json, err));
    text_append(&r->result->tests_json, r->result->tests_json.length ? "," : "[");
    text_append(&r->result->tests_json, json.data);
    if (r->options->write_csv)
        TRY(write_files(r, s, &json, err));
cleanup:
    document_clear(&d);
    text_buffer_clear(&json);
    return st;
}

status report_make_test(report *r, const test_spec *spec, error_info *err) {
    significance s = {0};
    bool is_there = false;
    status st = STATUS_OK;
    TRY(compute(r, spec, &s, &is_there, err));
    if (is_there && !significance_has_results(&s))
        TRY(report_add_note(r, spec->id, "no test, for want of results that can be compared", err));
    else if (is_there)
        TRY(show_test(r, &s, err));
cleanup:
    significance_clear(&s);
    return st;
}

static const test_spec *find_test(const report *r, const char *id) {
    for (size_t i = 0; i < r->outputs->n_tests; i++) {
        if (strcmp(r->outputs->tests[i].id, id) == 0)
            return &r->outputs->tests[i];
    }
    return NULL;
}

static status write_diagram(report *r, const plot_spec *spec, const significance *s, error_info *err) {
    text_buffer csv = {0}, script = {0};
    const char *name = NULL;
    bool is_drawn = false;
    document d = {0};
    status st = STATUS_OK;
    TRY(report_begin_plot(r, spec->id, &name, err));
    significance_append_csv(s, &csv);
    TRY(critical_difference_append_script(s, spec->title, &spec->style, path_base(name), &script, err));
    TRY(report_draw_plot(r, spec->id, name, &csv, &script, &is_drawn, err));
    report_begin_picture(&d, spec->title ? spec->title : spec->id, name, is_drawn, "gnuplot");
    report_add_links(&d, name, is_drawn);
    document_begin(&d, BLOCK_ITEM);
    document_say(&d, SPAN_TEXT,
                 "Bars join learners whose mean ranks by %s lie within Nemenyi's critical difference (level %g).",
                 s->spec->metric, s->spec->alpha);
    TRY(report_add_document(r, ROOM_PLOTS, &d, err));
cleanup:
    document_clear(&d);
    text_buffer_clear(&csv);
    text_buffer_clear(&script);
    return st;
}

status report_make_critical_difference(report *r, const plot_spec *spec, error_info *err) {
    const test_spec *test = find_test(r, spec->test);
    significance s = {0};
    bool is_there = false;
    status st = STATUS_OK;
    if (!test || test->kind != TEST_FRIEDMAN)
        return report_add_note(r, spec->id, "no plot: it names no Friedman test of the experiment", err);
    TRY(compute(r, test, &s, &is_there, err));
    if (is_there && !critical_difference_has_panels(&s))
        TRY(report_add_note(r, spec->id, "no plot, for want of results that can be compared", err));
    else if (is_there)
        TRY(write_diagram(r, spec, &s, err));
cleanup:
    significance_clear(&s);
    return st;
}
