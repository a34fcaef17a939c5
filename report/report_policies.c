/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables and plots of kind policies: what each learner's data were cut at. */
#include "core/base/file.h"
#include "parts/figures/policies.h"
#include "parts/plots/policy_plot.h"
#include "report/report_internal.h"

#include <stdlib.h>

static policy_choice choice_of(const table_spec *spec) {
    return (policy_choice){.n_networks = spec->n_networks,
                           .networks = spec->networks,
                           .n_samples = spec->n_samples,
                           .samples = spec->samples,
                           .n_sigmas = spec->n_sigmas,
                           .sigmas = spec->sigmas,
                           .n_learners = spec->n_learners,
                           .learners = spec->learners,
                           .n_variables = spec->n_variables,
                           .variables = spec->variables};
}

status report_make_policies(report *r, const table_spec *spec, error_info *err) {
    policy_choice choice = choice_of(spec);
    policy_list l = {0};
    document d = {0};
    text_buffer csv = {0};
    error_info why = {0};
    status st = STATUS_OK, answer;
    answer = policy_list_create(r->outputs, &choice, r->records, r->n_records, &l, &why);
    if (answer != STATUS_OK)
        return report_judge(r, spec->id, answer, &why, err);
    if (l.n == 0) {
        st = report_add_note(r, spec->id, "no policies: no result that was discretized", err);
        goto cleanup;
    }
    TRY(policy_list_append_document(&l, &choice, spec->title ? spec->title : "Discretization policies", &d, err));
    TRY(report_add_document(r, ROOM_TABLES, &d, err));
    policy_list_append_csv(&l, &choice, &csv);
    TRY(report_write_table(r, spec->id, &csv, err));
cleanup:
    document_clear(&d);
    text_buffer_clear(&csv);
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

static const policy_column *find_column(const policy_list *l, const char *variable) {
    for (size_t i = 0; i < l->n; i++) {
        const policy_column *c = policy_table_find(&l->jobs[i].policy, variable);
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

static void add_panels(const plot_spec *spec, policy_picture *p) {
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
static status read_picture(const report *r, const plot_spec *spec, policy_picture *p, error_info *err) {
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

static void name_picture(const plot_spec *spec, const policy_picture *p, text_buffer *title, text_buffer *caption) {
    if (spec->title)
        text_append(title, spec->title);
    else
        text_append_format(title, "Thresholds on %s", spec->network);
    text_append_format(caption, "%s, ", spec->network);
    display_append_rows(caption, p->list.jobs[0].record->n_samples, p->list.jobs[0].record->sigma);
    text_append(caption, "; grey: training data; below, a lane each: thresholds");
}

static status write_picture(report *r, const plot_spec *spec, const policy_picture *picture, error_info *err) {
    text_buffer title = {0}, caption = {0}, csv = {0}, script = {0};
    const char *name = NULL;
    bool is_drawn = false;
    document d = {0};
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
    TRY(report_begin_plot(r, spec->id, &name, err));
    policy_plot_append_csv(&plot, &csv);
    policy_plot_append_script(&plot, path_base(name), &script);
    TRY(report_draw_plot(r, spec->id, name, &csv, &script, &is_drawn, err));
    report_begin_picture(&d, title.data, name, is_drawn, "gnuplot");
    document_add_item(&d, "Histograms and thresholds: ");
    document_link(&d, "CSV", name, ".csv");
    TRY(report_add_document(r, ROOM_PLOTS, &d, err));
cleanup:
    document_clear(&d);
    text_buffer_clear(&title);
    text_buffer_clear(&caption);
    text_buffer_clear(&csv);
    text_buffer_clear(&script);
    return st;
}

status report_make_policy_plot(report *r, const plot_spec *spec, error_info *err) {
    policy_picture *picture = calloc(1, sizeof *picture);
    error_info why = {0};
    status st = STATUS_OK, answer;
    if (!picture)
        return error_out_of_memory(err);
    answer = read_picture(r, spec, picture, &why);
    if (answer != STATUS_OK)
        st = report_judge(r, spec->id, answer, &why, err);
    else if (picture->n_panels == 0)
        st = report_add_note(r, spec->id, "no plot: no result there whose data were discretized, or no such variable",
                             err);
    else
        st = write_picture(r, spec, picture, err);
    policy_list_clear(&picture->list);
    free(picture);
    return st;
}
