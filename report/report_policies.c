/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables and plots of kind policies: what each learner's data were cut at. */
#include "core/base/file.h"
#include "parts/figures/policies.h"
#include "parts/plots/policy_plot.h"
#include "report/html_internal.h"
#include "report/report_internal.h"

#include <stdlib.h>

static const char note[] = "Thresholds of the first data set of each; a value that equals one is above it. The CSV has "
                           "every data set, and every threshold in full.";

static void append_text(report *r, const char *title, const policy_section *sections, size_t n) {
    text_buffer *out = &r->result->text;
    text_append(out, out->length ? "\n" : "");
    display_append_plain(out, title);
    text_append(out, "\n");
    for (size_t i = 0; i < n; i++) {
        text_append(out, "\n");
        display_append_plain(out, sections[i].title);
        text_append(out, "\n");
        text_grid_append_text(&sections[i].grid, r->options->width, out);
    }
    text_append(out, "\n");
    display_append_wrapped(out, note, r->options->width);
}

static void append_markdown(report *r, const char *title, const policy_section *sections, size_t n) {
    text_buffer *out = &r->markdown;
    text_append(out, "\n## ");
    display_append_markdown(out, title);
    text_append(out, "\n");
    for (size_t i = 0; i < n; i++) {
        text_append(out, "\n### ");
        display_append_markdown(out, sections[i].title);
        text_append(out, "\n\n");
        text_grid_append_markdown(&sections[i].grid, out);
    }
    text_append_format(out, "\n- %s\n", note);
}

static void append_latex(report *r, const char *title, const policy_section *sections, size_t n) {
    text_buffer *out = &r->latex;
    for (size_t i = 0; i < n; i++) {
        text_append(out, "\\begin{table}[ht]\n\\centering\n\\caption{");
        display_append_latex(out, title);
        text_append(out, ": ");
        display_append_latex(out, sections[i].title);
        text_append(out, "}\n\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n");
        text_grid_append_latex(&sections[i].grid, out);
        text_append(out, "}\n\\end{table}\n");
    }
}

static void append_html(report *r, const char *title, const policy_section *sections, size_t n) {
    text_buffer *out = &r->page.tables;
    if (!r->options->html)
        return;
    text_append(out, "<section>\n<h3>");
    display_append_html(out, title);
    text_append(out, "</h3>\n");
    for (size_t i = 0; i < n; i++) {
        text_append(out, "<details><summary>");
        display_append_html(out, sections[i].title);
        text_append(out, "</summary>\n");
        text_grid_append_html(&sections[i].grid, out);
        text_append(out, "</details>\n");
    }
    text_append_format(out, "<p class=\"soft\">%s</p>\n</section>\n", note);
}

static status write_csv(report *r, const policies_table_spec *spec, const policy_list *l, const policy_choice *choice,
                        error_info *err) {
    const char *name = NULL;
    text_buffer csv = {0};
    status st = STATUS_OK;
    TRY(report_choose_name(r, "tables", spec->id, &name, err));
    if (!r->options->write_csv)
        goto cleanup;
    policy_list_append_csv(l, choice, &csv);
    TRY(report_make_folder(r, "tables", err));
    TRY(report_write_text(r, name, ".csv", &csv, err));
cleanup:
    text_buffer_clear(&csv);
    return st;
}

status report_make_policies(report *r, const policies_table_spec *spec, error_info *err) {
    const char *title = spec->title ? spec->title : "Discretization policies";
    policy_choice choice = policies_table_choice(spec);
    policy_section *sections = NULL;
    policy_list l = {0};
    error_info why = {0};
    size_t n = 0;
    status st = STATUS_OK, answer;
    answer = policy_list_create(r->outputs, &choice, r->records, r->n_records, &l, &why);
    if (report_is_grave(answer))
        return error_set(err, answer, "%s", why.message);
    if (answer != STATUS_OK)
        return report_add_note(r, spec->id, why.message, err);
    TRY(policy_sections_create(&l, &choice, &sections, &n, err));
    if (n == 0) {
        st = report_add_note(r, spec->id, "no policies: no result that was discretized", err);
        goto cleanup;
    }
    append_text(r, title, sections, n);
    append_markdown(r, title, sections, n);
    append_latex(r, title, sections, n);
    append_html(r, title, sections, n);
    TRY(write_csv(r, spec, &l, &choice, err));
cleanup:
    policy_sections_destroy(sections, n);
    policy_list_clear(&l);
    return st;
}

/* ---- the plot ---- */

/* The panels of a plot: the variables that are asked for, or the first of the first job. */
typedef struct {
    policy_list list;
    policy_panel panels[POLICY_MOST_PANELS];
    policy_lane lanes[POLICY_MOST_PANELS][POLICY_MOST_LANES];
    size_t n_panels, n_lanes;
} policy_picture;

static const policy_column *find_column(const policy_list *l, const char *name) {
    for (size_t i = 0; i < l->n; i++) {
        const policy_column *c = policy_table_find(&l->jobs[i].policy, name);
        if (c)
            return c;
    }
    return NULL;
}

static void add_panel(policy_picture *p, const policy_column *histogram) {
    policy_lane *lanes = p->lanes[p->n_panels];
    for (size_t i = 0; i < p->n_lanes; i++)
        lanes[i] =
            (policy_lane){p->list.jobs[i].record->learner, policy_table_find(&p->list.jobs[i].policy, histogram->name)};
    p->panels[p->n_panels++] = (policy_panel){histogram, lanes};
}

static void add_panels(const policy_plot_spec *spec, policy_picture *p) {
    const policy_table *first = p->list.n ? &p->list.jobs[0].policy : NULL;
    size_t n = spec->n_variables ? spec->n_variables : first ? first->n_columns : 0;
    for (size_t i = 0; i < n && p->n_panels < POLICY_MOST_PANELS; i++) {
        const char *name = spec->n_variables ? spec->variables[i] : first->columns[i].name;
        const policy_column *histogram = find_column(&p->list, name);
        if (histogram)
            add_panel(p, histogram);
    }
}

/* Of the first replicate alone. */
static status read_picture(const report *r, const policy_plot_spec *spec, policy_picture *p, error_info *err) {
    policy_choice choice = {.n_networks = 1,
                            .networks = &spec->network,
                            .n_samples = spec->samples != OUTPUTS_ALL_ROWS,
                            .samples = &spec->samples,
                            .n_sigmas = 1,
                            .sigmas = &spec->sigma,
                            .n_learners = spec->n_learners,
                            .learners = spec->learners};
    size_t n = 0;
    CHECK(policy_list_create(r->outputs, &choice, r->records, r->n_records, &p->list, err));
    while (n < p->list.n && p->list.jobs[n].record->replicate == 0)
        n++;
    p->n_lanes = n < POLICY_MOST_LANES ? n : POLICY_MOST_LANES;
    if (n > 0)
        add_panels(spec, p);
    return STATUS_OK;
}

static void name_picture(const policy_plot_spec *spec, const policy_picture *p, text_buffer *title,
                         text_buffer *caption) {
    if (spec->title)
        text_append(title, spec->title);
    else
        text_append_format(title, "Thresholds on %s", spec->network);
    text_append_format(caption, "%s, ", spec->network);
    display_append_rows(caption, p->list.jobs[0].record->n_samples, p->list.jobs[0].record->sigma);
    text_append(caption, "; grey: training data; below, a lane each: thresholds");
}

static void append_plot_markdown(report *r, const char *title, const char *name, bool is_drawn) {
    text_append(&r->markdown, "\n## ");
    display_append_markdown(&r->markdown, title);
    text_append(&r->markdown, "\n\n");
    if (is_drawn) {
        text_append(&r->markdown, "![");
        display_append_markdown(&r->markdown, title);
        text_append_format(&r->markdown, "](%s.svg)\n\n", name);
    }
    text_append_format(&r->markdown, "- Histograms and thresholds: [CSV](%s.csv)\n", name);
}

static status write_picture(report *r, const policy_plot_spec *spec, const policy_picture *picture, error_info *err) {
    text_buffer title = {0}, caption = {0}, csv = {0}, script = {0};
    const char *name = NULL;
    char *notes[1];
    bool is_drawn = false;
    status st = STATUS_OK;
    name_picture(spec, picture, &title, &caption);
    TRY(text_buffer_check(&title, err));
    TRY(text_buffer_check(&caption, err));
    policy_plot plot = {.title = title.data,
                        .caption = caption.data,
                        .n_panels = picture->n_panels,
                        .n_lanes = picture->n_lanes,
                        .panels = picture->panels,
                        .style = spec->style};
    TRY(report_choose_name(r, "plots", spec->id, &name, err));
    TRY(report_make_folder(r, "plots", err));
    policy_plot_append_csv(&plot, &csv);
    policy_plot_append_script(&plot, path_base(name), &script);
    TRY(report_write_text(r, name, ".csv", &csv, err));
    TRY(report_write_text(r, name, ".gp", &script, err));
    TRY(report_draw(r, spec->id, name, &is_drawn, err));
    append_plot_markdown(r, title.data, name, is_drawn);
    notes[0] = caption.data;
    TRY(html_add_picture(r, "gnuplot", title.data, name, is_drawn, notes, 1, err));
cleanup:
    text_buffer_clear(&title);
    text_buffer_clear(&caption);
    text_buffer_clear(&csv);
    text_buffer_clear(&script);
    return st;
}

status report_make_policy_plot(report *r, const policy_plot_spec *spec, error_info *err) {
    policy_picture *picture = calloc(1, sizeof *picture);
    error_info why = {0};
    status st = STATUS_OK, answer;
    if (!picture)
        return error_out_of_memory(err);
    answer = read_picture(r, spec, picture, &why);
    if (report_is_grave(answer))
        st = error_set(err, answer, "%s", why.message);
    else if (answer != STATUS_OK)
        st = report_add_note(r, spec->id, why.message, err);
    else if (picture->n_panels == 0)
        st = report_add_note(r, spec->id, "no plot: no result there whose data were discretized, or no such variable",
                             err);
    else
        st = write_picture(r, spec, picture, err);
    policy_list_clear(&picture->list);
    free(picture);
    return st;
}
