/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/report.h"

#include "core/base/file.h"
#include "document/drawing/gnuplot.h"
#include "parts/plots/plot.h"
#include "report/html_internal.h"
#include "report/report_internal.h"

#include <stdlib.h>
#include <string.h>

static const double gnuplot_timeout_s = 60;

static void free_texts(char **texts, size_t n) {
    for (size_t i = 0; i < n; i++)
        free(texts[i]);
    free(texts);
}

void report_result_clear(report_result *r) {
    text_buffer_clear(&r->text);
    text_buffer_clear(&r->tests_json);
    free_texts(r->files, r->n_files);
    free_texts(r->notes, r->n_notes);
    *r = (report_result){0};
}

/* Takes the text over, also when it fails. */
static status take_text(char ***texts, size_t *n, char *text, error_info *err) {
    char **grown = text ? reallocarray(*texts, *n + 1, sizeof *grown) : NULL;
    if (!grown) {
        free(text);
        return error_out_of_memory(err);
    }
    *texts = grown;
    grown[(*n)++] = text;
    return STATUS_OK;
}

status report_add_note(report *r, const char *name, const char *sentence, error_info *err) {
    text_buffer b = {0};
    status st = STATUS_OK;
    display_append_plain(&b, name);
    text_append(&b, *name ? ": " : "");
    display_append_plain(&b, sentence);
    TRY(text_buffer_check(&b, err));
    st = take_text(&r->result->notes, &r->result->n_notes, b.data, err);
    b = (text_buffer){0};
cleanup:
    text_buffer_clear(&b);
    return st;
}

/* Only what the machine cannot do stops a report; what a table or plot cannot be is a note. */
bool report_is_grave(status st) {
    return st == STATUS_MEMORY || st == STATUS_BUG;
}

static bool is_taken(const report *r, const char *name) {
    for (size_t i = 0; i < r->n_names; i++) {
        if (strcmp(r->names[i], name) == 0)
            return true;
    }
    return false;
}

/* "tables/table3-shd": made of the id, for one file alone; lives as long as the report. */
status report_choose_name(report *r, const char *kind, const char *id, const char **out, error_info *err) {
    char *clean = display_file_name(id);
    text_buffer b = {0};
    status st = STATUS_OK;
    TRY_ALLOC(clean);
    text_append_format(&b, "%s/%s", kind, clean);
    for (size_t i = 2; !b.failed && is_taken(r, b.data); i++) {
        b.length = 0;
        text_append_format(&b, "%s/%s-%zu", kind, clean, i);
    }
    TRY(text_buffer_check(&b, err));
    st = take_text(&r->names, &r->n_names, b.data, err);
    b = (text_buffer){0};
    if (st == STATUS_OK)
        *out = r->names[r->n_names - 1];
cleanup:
    text_buffer_clear(&b);
    free(clean);
    return st;
}

static char *path_of(const report *r, const char *name, const char *ending) {
    text_buffer b = {0};
    text_append_format(&b, "%s/%s%s", r->options->folder, name, ending);
    if (b.failed)
        text_buffer_clear(&b);
    return b.data;
}

status report_take_file(report *r, char *path, error_info *err) {
    return take_text(&r->result->files, &r->result->n_files, path, err);
}

/* Writes a file of the report and adds it to the list. */
status report_write_text(report *r, const char *name, const char *ending, const text_buffer *text, error_info *err) {
    char *path = path_of(r, name, ending);
    status st = STATUS_OK;
    TRY_ALLOC(path);
    TRY(text_buffer_check(text, err));
    st = file_write(path, text->data ? text->data : "", text->length, err);
    if (st != STATUS_OK) {
        error_context(err, "%s", path);
        goto cleanup;
    }
    st = report_take_file(r, path, err);
    path = NULL;
cleanup:
    free(path);
    return st;
}

status report_make_folder(const report *r, const char *name, error_info *err) {
    char *path = name ? path_join(r->options->folder, name) : text_copy(r->options->folder);
    status st = STATUS_OK;
    TRY_ALLOC(path);
    st = folder_create(path, err);
    if (st != STATUS_OK)
        error_context(err, "%s", path);
cleanup:
    free(path);
    return st;
}

static const char *name_of(const table_spec *spec) {
    return spec->id ? spec->id : spec->metric;
}

/* The path of a published file; NULL with a note where there is none to be had. */
status report_find_published(report *r, const char *id, const char *file, char **out, error_info *err) {
    error_info why = {0};
    *out = NULL;
    if (!file || !r->options->published_folder)
        return STATUS_OK;
    if (strchr(file, '/')) {
        (void)error_set(&why, STATUS_INVALID, "published is '%.100s'; it must be a file's name without a folder", file);
        return report_add_note(r, id, why.message, err);
    }
    return published_locate(r->options->published_folder, file, out, err);
}

/* What reading a published file came to: a failure is a note unless it is grave. */
status report_judge_published(report *r, const char *id, status answer, const error_info *why, error_info *err) {
    if (report_is_grave(answer))
        return error_set(err, answer, "%s", why->message);
    return answer == STATUS_OK ? STATUS_OK : report_add_note(r, id, why->message, err);
}

status report_read_published(report *r, const char *id, const char *file, published_table **out, error_info *err) {
    error_info why = {0};
    char *path = NULL;
    status st = STATUS_OK;
    TRY(report_find_published(r, id, file, &path, err));
    if (path)
        st = report_judge_published(r, id, published_read(path, out, &why), &why, err);
cleanup:
    free(path);
    return st;
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
    const char *name = NULL;
    status st = STATUS_OK;
    if (r->result->text.length > 0)
        text_append(&r->result->text, "\n");
    table_append_text(t, r->options->width, r->options->use_bold, &r->result->text);
    text_append(&r->markdown, "\n");
    table_append_markdown(t, &r->markdown);
    table_append_latex(t, &r->latex);
    table_append_csv(t, &csv);
    TRY(html_add_table(r, t, spec, err));
    TRY(report_choose_name(r, "tables", t->id, &name, err));
    if (!r->options->write_csv)
        goto cleanup;
    TRY(report_make_folder(r, "tables", err));
    TRY(report_write_text(r, name, ".csv", &csv, err));
cleanup:
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
    if (report_is_grave(answer)) {
        st = error_set(err, answer, "%s", why.message);
        goto cleanup;
    }
    if (answer != STATUS_OK) {
        st = report_add_note(r, "", why.message, err);
        goto cleanup;
    }
    if (!table_has_figures(&t))
        TRY(report_add_note(r, t.id, "no figures, for want of results that can be compared", err));
    if (is_worth_showing(&t))
        TRY(show_table(r, &t, spec, err));
cleanup:
    table_clear(&t);
    published_destroy(published);
    return st;
}

static void append_plot_markdown(const plot *p, const char *name, bool is_drawn, text_buffer *out) {
    text_append(out, "\n## ");
    display_append_markdown(out, p->title);
    text_append(out, "\n\n");
    if (is_drawn) {
        text_append(out, "![");
        display_append_markdown(out, p->title);
        text_append_format(out, "](%s.svg)\n\n", name);
    }
    for (size_t i = 0; i < p->n_notes; i++) {
        text_append(out, "- ");
        display_append_markdown(out, p->notes[i]);
        text_append(out, "\n");
    }
    text_append_format(out,
                       is_drawn ? "- Figures: [CSV](%s.csv); picture: [SVG](%s.svg), [PDF](%s.pdf), [PNG](%s.png)\n"
                                : "- Figures: [CSV](%s.csv)\n",
                       name, name, name, name);
}

/* Runs gnuplot on the script that lies there; a failure is a note. */
status report_draw(report *r, const char *id, const char *name, bool *is_drawn, error_info *err) {
    char *folder = path_join(r->options->folder, "plots"), *script = path_of(r, path_base(name), ".gp");
    error_info why = {0};
    status st = STATUS_OK, answer;
    TRY_ALLOC(folder);
    TRY_ALLOC(script);
    *is_drawn = false;
    answer = r->gnuplot_is_missing ? STATUS_MISSING : gnuplot_run(folder, path_base(script), gnuplot_timeout_s, &why);
    if (answer == STATUS_OK) {
        *is_drawn = true;
        TRY(report_take_file(r, path_of(r, name, ".svg"), err));
        TRY(report_take_file(r, path_of(r, name, ".pdf"), err));
        TRY(report_take_file(r, path_of(r, name, ".png"), err));
    } else if (!r->gnuplot_is_missing) {
        r->gnuplot_is_missing = answer == STATUS_MISSING;
        st = report_add_note(r, r->gnuplot_is_missing ? "no pictures" : id, why.message, err);
    }
cleanup:
    free(folder);
    free(script);
    return st;
}

static status write_plot(report *r, const plot_spec *spec, const plot *p, error_info *err) {
    text_buffer csv = {0}, script = {0};
    const char *name = NULL;
    bool is_drawn = false;
    status st = STATUS_OK;
    TRY(report_choose_name(r, "plots", spec->id ? spec->id : spec->y, &name, err));
    TRY(report_make_folder(r, "plots", err));
    plot_append_csv(p, &csv);
    plot_append_script(p, path_base(name), &script);
    TRY(report_write_text(r, name, ".csv", &csv, err));
    TRY(report_write_text(r, name, ".gp", &script, err));
    TRY(report_draw(r, spec->id ? spec->id : spec->y, name, &is_drawn, err));
    append_plot_markdown(p, name, is_drawn, &r->markdown);
    TRY(html_add_picture(r, p->kind, p->title, name, is_drawn, p->notes, p->n_notes, err));
cleanup:
    text_buffer_clear(&csv);
    text_buffer_clear(&script);
    return st;
}

static status make_plot(report *r, const plot_spec *spec, error_info *err) {
    error_info why = {0};
    experiment_outputs view = {0};
    plot p = {0};
    status st = STATUS_OK, answer;
    if (!outputs_with_learners(r->outputs, spec->learners, spec->n_learners, &view))
        return error_out_of_memory(err);
    answer = plot_compute(&view, spec, r->records, r->n_records, &p, &why);
    if (report_is_grave(answer))
        st = error_set(err, answer, "%s", why.message);
    else if (answer != STATUS_OK)
        st = report_add_note(r, "", why.message, err);
    else if (!plot_has_data(&p))
        st =
            report_add_note(r, spec->id ? spec->id : spec->y, "no plot, for want of results that can be compared", err);
    else
        st = write_plot(r, spec, &p, err);
    plot_clear(&p);
    free(view.learners);
    return st;
}

static void append_heading(report *r) {
    const experiment_outputs *o = r->outputs;
    char digits[32];
    text_append(&r->markdown, "# ");
    display_append_markdown(&r->markdown, o->title ? o->title : o->name ? o->name : "Results");
    text_append_format(
        &r->markdown,
        "\n\nNetworks: %zu, sample sizes: %zu, replicates: %zu, learners: %zu; results in the store: %zu.\n",
        o->n_networks, o->n_sizes, o->n_replicates, o->n_learners, r->n_records);
    for (size_t i = 0; i < o->n_sigmas; i++)
        text_append_format(&r->markdown, "%s%s%s", i ? ", " : "\nThe data are continuous, with noise of sigma ",
                           text_from_double(o->sigmas[i], digits), i + 1 == o->n_sigmas ? ".\n" : "");
}

static void append_report_notes(report *r) {
    if (r->result->n_notes > 0)
        text_append(&r->markdown, "\n## What could not be made\n\n");
    for (size_t i = 0; i < r->result->n_notes; i++) {
        text_append(&r->markdown, "- ");
        display_append_markdown(&r->markdown, r->result->notes[i]);
        text_append(&r->markdown, "\n");
    }
}

status report_make(const experiment_outputs *outputs, const job_record *records, size_t n_records,
                   const report_options *options, report_result *out, error_info *err) {
    report_result result = {0};
    report r = {.outputs = outputs, .records = records, .n_records = n_records, .options = options, .result = &result};
    status st = STATUS_OK;
    if (options->write_markdown || options->write_csv || options->write_plots || options->write_latex)
        TRY(report_make_folder(&r, NULL, err));
    append_heading(&r);
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
    append_report_notes(&r);
    if (options->write_markdown)
        TRY(report_write_text(&r, "report", ".md", &r.markdown, err));
    if (options->write_latex)
        TRY(report_write_latex(&r, err));
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
    free_texts(r.names, r.n_names);
    return st;
}
