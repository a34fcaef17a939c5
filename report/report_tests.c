/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The declared tests in a report, and the critical-difference diagrams drawn from them. */
#include "core/base/file.h"
#include "parts/plots/critical_difference.h"
#include "parts/tests/significance.h"
#include "report/html_internal.h"
#include "report/report_internal.h"

#include <stdlib.h>
#include <string.h>

static status read_verdicts(report *r, const test_spec *spec, published_verdicts **out, error_info *err) {
    error_info why = {0};
    char *path = NULL;
    status st = STATUS_OK;
    TRY(report_find_published(r, spec->id, spec->published, &path, err));
    if (path)
        st = report_judge_published(r, spec->id, published_verdicts_read(path, out, &why), &why, err);
cleanup:
    free(path);
    return st;
}

/* `*is_there` is false where the test cannot be, with a note. */
static status judge(report *r, status answer, const error_info *why, bool *is_there, error_info *err) {
    *is_there = answer == STATUS_OK;
    if (report_is_grave(answer))
        return error_set(err, answer, "%s", why->message);
    return *is_there ? STATUS_OK : report_add_note(r, "", why->message, err);
}

static status compute_friedman(report *r, const friedman_spec *spec, significance *out, bool *is_there,
                               error_info *err) {
    published_verdicts *published = NULL;
    error_info why = {0};
    status st = STATUS_OK, answer;
    TRY(read_verdicts(r, &spec->shared, &published, err));
    answer = friedman_compute(r->outputs, spec, r->records, r->n_records, published, out, &why);
    TRY(judge(r, answer, &why, is_there, err));
cleanup:
    published_verdicts_destroy(published);
    return st;
}

static status compute_wilcoxon(report *r, const wilcoxon_spec *spec, significance *out, bool *is_there,
                               error_info *err) {
    published_verdicts *published = NULL;
    published_table *scores = NULL;
    error_info why = {0};
    status st = STATUS_OK, answer;
    TRY(read_verdicts(r, &spec->shared, &published, err));
    TRY(report_read_published(r, spec->shared.id, spec->published_scores, &scores, err));
    answer = wilcoxon_compute(r->outputs, spec, r->records, r->n_records, published, scores, out, &why);
    TRY(judge(r, answer, &why, is_there, err));
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
    status st = STATUS_OK;
    if (r->result->text.length > 0)
        text_append(&r->result->text, "\n");
    TRY(significance_append_text(s, r->options->width, &r->result->text, err));
    text_append(&r->markdown, "\n");
    TRY(significance_append_markdown(s, &r->markdown, err));
    TRY(significance_append_latex(s, &r->latex, err));
    TRY(html_add_test(r, s, err));
    TRY(significance_append_json(s, &json, err));
    text_append(&r->result->tests_json, r->result->tests_json.length ? "," : "[");
    text_append(&r->result->tests_json, json.data);
    if (r->options->write_csv)
        TRY(write_files(r, s, &json, err));
cleanup:
    text_buffer_clear(&json);
    return st;
}

static status show(report *r, const significance *s, error_info *err) {
    return significance_has_results(s)
               ? show_test(r, s, err)
               : report_add_note(r, s->spec->id, "no test, for want of results that can be compared", err);
}

status report_make_friedman(report *r, const friedman_spec *spec, error_info *err) {
    significance s = {0};
    bool is_there = false;
    status st = STATUS_OK;
    TRY(compute_friedman(r, spec, &s, &is_there, err));
    if (is_there)
        TRY(show(r, &s, err));
cleanup:
    significance_clear(&s);
    return st;
}

status report_make_wilcoxon(report *r, const wilcoxon_spec *spec, error_info *err) {
    significance s = {0};
    bool is_there = false;
    status st = STATUS_OK;
    TRY(compute_wilcoxon(r, spec, &s, &is_there, err));
    if (is_there)
        TRY(show(r, &s, err));
cleanup:
    significance_clear(&s);
    return st;
}

static void append_markdown(const critical_difference_spec *spec, const significance *s, const char *name,
                            bool is_drawn, text_buffer *out) {
    text_append(out, "\n## ");
    display_append_markdown(out, spec->title ? spec->title : spec->id);
    text_append(out, "\n\n");
    if (is_drawn) {
        text_append(out, "![");
        display_append_markdown(out, spec->title ? spec->title : spec->id);
        text_append_format(out, "](%s.svg)\n\n", name);
    }
    text_append_format(out, "- Figures: [CSV](%s.csv)", name);
    text_append_format(out, is_drawn ? "; picture: [SVG](%s.svg), [PDF](%s.pdf), [PNG](%s.png)\n" : "\n", name, name,
                       name);
    text_append_format(out,
                       "- Bars join learners whose mean ranks by %s lie within Nemenyi's critical difference (level "
                       "%g).\n",
                       s->spec->metric, s->spec->alpha);
}

static status write_diagram(report *r, const critical_difference_spec *spec, const significance *s, error_info *err) {
    text_buffer csv = {0}, script = {0};
    const char *name = NULL;
    bool is_drawn = false;
    status st = STATUS_OK;
    TRY(report_choose_name(r, "plots", spec->id, &name, err));
    TRY(report_make_folder(r, "plots", err));
    significance_append_csv(s, &csv);
    TRY(critical_difference_append_script(s, spec->title, &spec->style, path_base(name), &script, err));
    TRY(report_write_text(r, name, ".csv", &csv, err));
    TRY(report_write_text(r, name, ".gp", &script, err));
    TRY(report_draw(r, spec->id, name, &is_drawn, err));
    append_markdown(spec, s, name, is_drawn, &r->markdown);
    TRY(html_add_picture(r, "gnuplot", spec->title ? spec->title : spec->id, name, is_drawn, NULL, 0, err));
cleanup:
    text_buffer_clear(&csv);
    text_buffer_clear(&script);
    return st;
}

status report_make_critical_difference(report *r, const critical_difference_spec *spec, error_info *err) {
    const declared_part *test = part_list_find(r->parts, spec->test);
    significance s = {0};
    bool is_there = false;
    status st = STATUS_OK;
    if (!test)
        return report_add_note(r, spec->id, "no plot: it names no Friedman test of the experiment", err);
    TRY(compute_friedman(r, test->options, &s, &is_there, err));
    if (is_there && !critical_difference_has_panels(&s))
        TRY(report_add_note(r, spec->id, "no plot, for want of results that can be compared", err));
    else if (is_there)
        TRY(write_diagram(r, spec, &s, err));
cleanup:
    significance_clear(&s);
    return st;
}
