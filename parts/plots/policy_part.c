/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms of the variables of a data set with the learners' thresholds. */
#include "core/base/file.h"
#include "document/display.h"
#include "parts/figures/policies.h"
#include "parts/plots/plot_internal.h"
#include "parts/plots/policy_plot.h"

#include <stddef.h>
#include <stdlib.h>

/** As it is declared. Strings are owned; NULL where not declared. */
typedef struct {
    char *id, *title;
    char *network;
    size_t samples; /* one of the experiment's */
    double sigma;   /* a noise level; 0: data as they were sampled */
    size_t n_learners, n_variables;
    char **learners;  /* these alone; none: all whose data were made discrete */
    char **variables; /* these alone, in this order; none: the first ones */
    plot_style style;
} policy_plot_spec;

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
static status read_picture(const part_context *c, const policy_plot_spec *spec, policy_picture *p, error_info *err) {
    policy_choice choice = {.n_networks = 1,
                            .networks = &spec->network,
                            .n_samples = spec->samples != OUTPUTS_ALL_ROWS,
                            .samples = &spec->samples,
                            .n_sigmas = 1,
                            .sigmas = &spec->sigma,
                            .n_learners = spec->n_learners,
                            .learners = spec->learners};
    size_t n = 0;
    CHECK(policy_list_create(c->outputs, &choice, c->records, c->n_records, &p->list, err));
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

static status write_picture(const policy_plot_spec *spec, const policy_picture *picture, part_output *out,
                            error_info *err) {
    AUTO(text_buffer_clear) text_buffer title = {0}, caption = {0}, csv = {0}, script = {0};
    const char *name = NULL;
    bool is_drawn = false;
    AUTO(document_clear) document d = {0};
    name_picture(spec, picture, &title, &caption);
    CHECK(text_buffer_check(&title, err));
    CHECK(text_buffer_check(&caption, err));
    policy_plot drawn = {.title = title.data,
                         .caption = caption.data,
                         .n_panels = picture->n_panels,
                         .n_lanes = picture->n_lanes,
                         .panels = picture->panels,
                         .style = spec->style};
    CHECK(part_begin_plot(out, spec->id, &name, err));
    policy_plot_append_csv(&drawn, &csv);
    policy_plot_append_script(&drawn, path_base(name), &script);
    CHECK(part_draw_plot(out, spec->id, name, &csv, &script, &is_drawn, err));
    part_begin_picture(&d, title.data, name, is_drawn, "gnuplot");
    document_add_item(&d, "Histograms and thresholds: ");
    document_link(&d, "CSV", name, ".csv");
    return part_show_plot(out, &d, err);
}

static status make(const part_context *c, const declared_part *p, part_output *out, error_info *err) {
    const policy_plot_spec *spec = p->options;
    AUTO_FREE policy_picture *picture = calloc(1, sizeof *picture);
    error_info why = {0};
    status st = STATUS_OK, answer;
    CHECK_ALLOC(picture);
    answer = read_picture(c, spec, picture, &why);
    if (answer != STATUS_OK)
        st = part_judge(out, spec->id, answer, &why, err);
    else if (picture->n_panels == 0)
        st = part_note(out, spec->id, "no plot: no result there whose data were discretized, or no such variable", err);
    else
        st = write_picture(spec, picture, out, err);
    policy_list_clear(&picture->list);
    return st;
}

/* ---- the declaration ---- */

static const option_spec options[] = {
    PART_HEAD_ROWS(policy_plot_spec, "the network"),
    PART_ROW(OPT_NETWORK, "network", policy_plot_spec, network, .is_required = true,
             .help = "a network or data set of the experiment"),
    PLOT_SIZE_ROW(policy_plot_spec, "where there is one size, that"),
    PART_ROW(OPT_SIGMA, "sigma", policy_plot_spec, sigma, .usual = "the first",
             .help = "the noise level that is shown"),
    PART_LIST_ROW(OPT_LEARNERS, "learners", policy_plot_spec, learners, .usual = "all whose data were made discrete",
                  .help = "these alone"),
    PART_LIST_ROW(OPT_LINES, "variables", policy_plot_spec, variables, .usual = "the first 24 that are continuous",
                  .help = "columns: these alone, in this order"),
    PLOT_STYLE_ROW(policy_plot_spec),
    {0},
};

static status complete(void *declared, const experiment_outputs *outputs, const char **key, error_info *err) {
    policy_plot_spec *spec = declared;
    if (spec->sigma == 0 && outputs->n_sigmas)
        spec->sigma = outputs->sigmas[0];
    return plot_settle_size(outputs, &spec->samples, key, err);
}

const part_kind part_policy_plot = {
    .group = PART_PLOT,
    .name = "policy",
    .summary = "histograms of the first data set's variables, below each a lane a learner with its thresholds",
    .options_size = sizeof(policy_plot_spec),
    .options = options,
    .needs = PART_NEEDS_TEXTS,
    .complete = complete,
    .make = make,
};
