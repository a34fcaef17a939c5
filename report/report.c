/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/report.h"

#include "core/base/file.h"
#include "parts/plots/plot.h"
#include "report/html_internal.h"
#include "report/report_internal.h"

#include <stdlib.h>
#include <string.h>

void report_result_clear(report_result *r) {
    text_buffer_clear(&r->text);
    text_buffer_clear(&r->tests_json);
    text_list_free(r->files, r->n_files);
    text_list_free(r->notes, r->n_notes);
    *r = (report_result){0};
}

static const char *name_of(const table_spec *spec) {
    return spec->id ? spec->id : spec->metric;
}

static bool is_worth_showing(const table *t) {
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (t->cells[i].kind != CELL_NOT_RUN)
            return true;
    }
    return false;
}

static status show_table(report *r, const table *t, const table_spec *spec, error_info *err) {
    text_buffer csv = {0};
    document d = {0};
    long number = -1;
    status st = STATUS_OK;
    TRY(html_add_table_data(r, t, spec, &number, err));
    table_append_document(t, number, &d);
    TRY(report_add_document(r, ROOM_TABLES, &d, err));
    table_append_csv(t, &csv);
    TRY(report_write_table(r, t->id, &csv, err));
cleanup:
    document_clear(&d);
    text_buffer_clear(&csv);
    return st;
}

static status make_table(report *r, const table_spec *spec, error_info *err) {
    published_table *published = NULL;
    error_info why = {0};
    table t = {0};
    status st = STATUS_OK, answer;
    TRY(report_read_published(r, name_of(spec), spec->published, &published, err));
    answer = table_compute(r->outputs, spec, r->records, r->n_records, published, &t, &why);
    TRY(report_judge(r, "", answer, &why, err));
    if (answer == STATUS_OK && !table_has_figures(&t))
        TRY(report_add_note(r, t.id, "no figures, for want of results that can be compared", err));
    if (answer == STATUS_OK && is_worth_showing(&t))
        TRY(show_table(r, &t, spec, err));
cleanup:
    table_clear(&t);
    published_destroy(published);
    return st;
}

static status write_plot(report *r, const char *id, const plot *p, error_info *err) {
    text_buffer csv = {0}, script = {0};
    const char *name = NULL;
    bool is_drawn = false;
    document d = {0};
    status st = STATUS_OK;
    TRY(report_begin_plot(r, id, &name, err));
    plot_append_csv(p, &csv);
    plot_append_script(p, path_base(name), &script);
    TRY(report_draw_plot(r, id, name, &csv, &script, &is_drawn, err));
    report_begin_picture(&d, p->title, name, is_drawn, "gnuplot");
    document_add_items(&d, p->notes, p->n_notes);
    report_add_links(&d, name, is_drawn);
    TRY(report_add_document(r, ROOM_PLOTS, &d, err));
cleanup:
    document_clear(&d);
    text_buffer_clear(&csv);
    text_buffer_clear(&script);
    return st;
}

static status make_plot(report *r, const plot_spec *spec, error_info *err) {
    const char *id = spec->id ? spec->id : spec->y;
    error_info why = {0};
    experiment_outputs view = {0};
    plot p = {0};
    status st = STATUS_OK, answer;
    if (!outputs_with_learners(r->outputs, spec->learners, spec->n_learners, &view))
        return error_out_of_memory(err);
    answer = plot_compute(&view, spec, r->records, r->n_records, &p, &why);
    if (answer != STATUS_OK)
        st = report_judge(r, "", answer, &why, err);
    else if (!plot_has_data(&p))
        st = report_add_note(r, id, "no plot, for want of results that can be compared", err);
    else
        st = write_plot(r, id, &p, err);
    plot_clear(&p);
    free(view.learners);
    return st;
}

static const char *title_of(const experiment_outputs *o) {
    return o->title ? o->title : o->name ? o->name : "Results";
}

static status write_heading(report *r, error_info *err) {
    const experiment_outputs *o = r->outputs;
    document d = {0};
    char digits[32];
    status st;
    document_add_heading(&d, 1, title_of(o));
    document_begin(&d, BLOCK_PARAGRAPH);
    document_say(&d, SPAN_TEXT,
                 "Networks: %zu, sample sizes: %zu, replicates: %zu, learners: %zu; results in the store: %zu.",
                 o->n_networks, o->n_sizes, o->n_replicates, o->n_learners, r->n_records);
    if (o->n_sigmas > 0)
        document_add_paragraph(&d, "The data are continuous, with noise of sigma ");
    for (size_t i = 0; i < o->n_sigmas; i++)
        document_say(&d, SPAN_TEXT, "%s%s%s", i ? ", " : "", text_from_double(o->sigmas[i], digits),
                     i + 1 == o->n_sigmas ? "." : "");
    document_write_markdown(&d, &r->markdown);
    st = document_check(&d, err);
    document_clear(&d);
    return st;
}

/* In the Markdown after the parts, on the page among the failures. */
static status write_notes(report *r, error_info *err) {
    document d = {0};
    status st = STATUS_OK;
    if (r->result->n_notes > 0)
        document_add_heading(&d, 2, "What could not be made");
    document_add_items(&d, r->result->notes, r->result->n_notes);
    document_write_markdown(&d, &r->markdown);
    st = report_add_to_page(r, ROOM_FAILURES, &d, err);
    document_clear(&d);
    return st;
}

/* report.tex compiles as it is and reads tables.tex, which another document may read. */
static status write_latex(report *r, error_info *err) {
    text_buffer tables = {0}, whole = {0};
    status st = STATUS_OK;
    text_append_format(&tables, "%% needs booktabs and graphicx: \\input{tables} in a document of one's own\n%s",
                       r->latex.data ? r->latex.data : "");
    tables.failed |= r->latex.failed;
    text_append(&whole, "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n"
                        "\\usepackage{textcomp}\n\\usepackage{booktabs}\n\\usepackage{graphicx}\n"
                        "\\usepackage[margin=2cm]{geometry}\n\\begin{document}\n\\section*{");
    latex_append_text(&whole, title_of(r->outputs));
    text_append(&whole, "}\n\\input{tables}\n\\end{document}\n");
    TRY(report_write_text(r, "tables", ".tex", &tables, err));
    TRY(report_write_text(r, "report", ".tex", &whole, err));
cleanup:
    text_buffer_clear(&tables);
    text_buffer_clear(&whole);
    return st;
}

status report_make(const experiment_outputs *outputs, const job_record *records, size_t n_records,
                   const report_options *options, report_result *out, error_info *err) {
    report_result result = {0};
    report r = {.outputs = outputs,
                .records = records,
                .n_records = n_records,
                .options = options,
                .result = &result,
                .page.writer = {.top = 2, .folder = options->folder}};
    status st = STATUS_OK;
    if (options->write_markdown || options->write_csv || options->write_plots || options->write_latex)
        TRY(report_make_folder(&r, NULL, err));
    TRY(write_heading(&r, err));
    for (size_t i = 0; i < outputs->n_tables; i++)
        TRY(outputs->tables[i].kind == TABLE_OF_POLICIES ? report_make_policies(&r, &outputs->tables[i], err)
                                                         : make_table(&r, &outputs->tables[i], err));
    for (size_t i = 0; i < outputs->n_tests; i++)
        TRY(report_make_test(&r, &outputs->tests[i], err));
    for (size_t i = 0; options->write_plots && i < outputs->n_plots; i++) {
        TRY(html_add_graphs(&r, &outputs->plots[i], err));
        TRY(outputs->plots[i].kind == PLOT_CRITICAL_DIFFERENCE
                ? report_make_critical_difference(&r, &outputs->plots[i], err)
            : outputs->plots[i].kind == PLOT_NETWORK ? report_make_network(&r, &outputs->plots[i], err)
            : outputs->plots[i].kind == PLOT_POLICY  ? report_make_policy_plot(&r, &outputs->plots[i], err)
                                                     : make_plot(&r, &outputs->plots[i], err));
    }
    text_append(&result.tests_json, result.tests_json.length ? "]" : "[]");
    TRY(write_notes(&r, err));
    if (options->write_markdown)
        TRY(report_write_text(&r, "report", ".md", &r.markdown, err));
    if (options->write_latex)
        TRY(write_latex(&r, err));
    TRY(html_write_page(&r, err));
    TRY(text_buffer_check(&result.text, err));
    TRY(text_buffer_check(&result.tests_json, err));
    *out = result;
    result = (report_result){0};
cleanup:
    report_result_clear(&result);
    text_buffer_clear(&r.markdown);
    text_buffer_clear(&r.latex);
    html_page_clear(&r.page);
    text_list_free(r.names, r.n_names);
    return st;
}
