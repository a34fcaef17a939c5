/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/plots/plot.h"

#include "core/base/file.h"
#include "parts/figures/figure_style.h"
#include "parts/figures/paper_failures.h"
#include "parts/plots/plot_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void clear_axis(plot_axis *axis) {
    free(axis->title);
    free(axis->label);
}

void plot_clear(plot *p) {
    free(p->title);
    clear_axis(&p->x);
    clear_axis(&p->y);
    free(p->points);
    free(p->values);
    texts_destroy(p->notes, p->n_notes);
    *p = (plot){0};
}

status plot_name_axis(plot_axis *axis, const char *metric, const char *normalise_by, error_info *err) {
    const char *unit = figure_unit_of(metric);
    AUTO(text_buffer_clear) text_buffer label = {0};
    axis->is_samples = strcmp(metric, "samples") == 0;
    axis->is_sigma = strcmp(metric, "sigma") == 0;
    axis->is_ratio = normalise_by && !axis->is_samples && !axis->is_sigma;
    axis->scale = !axis->is_ratio && figure_style_of(metric) == NUMBER_BYTES ? 1.0 / 1048576 : 1;
    CHECK_ALLOC(axis->title = text_copy(metric));
    if (axis->is_ratio)
        text_append_format(&label, "%s relative to %s", metric, normalise_by);
    else if (axis->is_samples)
        text_append(&label, "sample size (rows)");
    else if (axis->is_sigma)
        text_append(&label, "noise level sigma (states lie 1 apart)");
    else
        text_append_format(&label, *unit ? "%s (%s)" : "%s", metric, unit);
    return text_buffer_take(&label, &axis->label, err);
}

plot_spread plot_spread_of(double *values, size_t n) {
    return (plot_spread){.middle = sorted_quantile(values, n, 0.5),
                         .low = sorted_quantile(values, n, 0.25),
                         .high = sorted_quantile(values, n, 0.75)};
}

int plot_compare_points(const void *a, const void *b) {
    const plot_point *p = a, *q = b;
    if (p->learner != q->learner)
        return p->learner < q->learner ? -1 : 1;
    if (p->samples != q->samples)
        return p->samples < q->samples ? -1 : 1;
    if (p->x.middle != q->x.middle)
        return p->x.middle < q->x.middle ? -1 : 1;
    return (p->size > q->size) - (p->size < q->size);
}

void plot_append_csv(const plot *p, text_buffer *out) {
    p->method->append_csv(p, out);
}

void plot_append_script(const plot *p, const char *file_name, text_buffer *out) {
    p->method->append_script(p, file_name, out);
}

static bool has_data(const plot *p) {
    return p->n_points > 0 || p->n_values > 0;
}

const char *plot_rows(size_t samples, char buffer[PLOT_ROWS_SIZE]) {
    if (samples == OUTPUTS_ALL_ROWS)
        return "all rows";
    (void)snprintf(buffer, PLOT_ROWS_SIZE, "%zu rows", samples);
    return buffer;
}

size_t plot_choose_size(const experiment_outputs *outputs, size_t samples) {
    size_t best = 0;
    for (size_t i = 0; i < outputs->n_sizes; i++) {
        if (samples && outputs->sizes[i] == samples)
            return i;
        if (outputs->sizes[i] > outputs->sizes[best])
            best = i;
    }
    return best;
}

static status write_plot(const char *id, const plot *p, part_output *out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer csv = {0}, script = {0};
    const char *name = NULL;
    bool is_drawn = false;
    AUTO(document_clear) document d = {0};
    CHECK(part_begin_plot(out, id, &name, err));
    plot_append_csv(p, &csv);
    plot_append_script(p, path_base(name), &script);
    CHECK(part_draw_plot(out, id, name, &csv, &script, &is_drawn, err));
    part_begin_picture(&d, p->title, name, is_drawn, "gnuplot");
    document_add_items(&d, p->notes, p->n_notes);
    part_add_links(&d, name, is_drawn);
    return part_show_plot(out, &d, err);
}

/* The outputs with the learners that the plot names, or all that are not hidden. */
static bool choose_learners(const experiment_outputs *outputs, const declared_part *p, experiment_outputs *view) {
    const option_spec *spec = options_find(p->kind->options, "learners");
    const char *options = p->options;
    char *const *names = *(char **const *)(const void *)(options + spec->offset);
    return outputs_with_learners(outputs, names, *(const size_t *)(const void *)(options + spec->count_offset), view);
}

static status add_paper_failures(const experiment_outputs *view, plot *p, error_info *err) {
    text_buffer b = {0};
    paper_failures_append(view, &b);
    return text_list_take(&p->notes, &p->n_notes, &b, err);
}

/* Which figure of the paper it redraws, and how. */
static status add_paper_figure(const experiment_outputs *o, const char *id, plot *p, error_info *err) {
    text_buffer b = {0};
    for (size_t i = 0; i < o->n_paper_figures; i++) {
        const paper_figure *f = &o->paper_figures[i];
        if (!f->plot || strcmp(f->plot, id) != 0)
            continue;
        text_append_format(&b, "%sRedraws %s of the paper.%s%s", b.length ? " " : "", f->figure, f->text ? " " : "",
                           f->text ? f->text : "");
        for (size_t k = 0; k < f->n_claims; k++)
            text_append_format(&b, "%s%s", k ? ", " : " Judged by the claims: ", f->claims[k]);
        text_append(&b, f->n_claims ? "." : "");
    }
    return text_list_take(&p->notes, &p->n_notes, &b, err);
}

status plot_make(const part_context *c, const declared_part *p, part_output *out, error_info *err) {
    const char *id = part_text(p, "id");
    experiment_outputs view = {0};
    error_info why = {0};
    plot made = {0};
    status st;
    CHECK_ALLOC(choose_learners(c->outputs, p, &view));
    st = p->kind->plot(&view, p->options, c->records, c->n_records, &made, &why);
    if (st == STATUS_OK)
        st = add_paper_failures(&view, &made, &why);
    if (st == STATUS_OK)
        st = add_paper_figure(&view, id, &made, &why);
    if (st != STATUS_OK)
        st = part_judge(out, "", st, &why, err);
    else if (!has_data(&made))
        st = part_note(out, id, "plot skipped: no comparable results", err);
    else
        st = write_plot(id, &made, out, err);
    plot_clear(&made);
    free(view.learners);
    return st;
}

status plot_settle_size(const experiment_outputs *outputs, size_t *samples, const char **key, error_info *err) {
    *key = NULL;
    if (*samples != 0)
        return STATUS_OK;
    if (outputs->n_sizes > 1)
        return error_set(err, STATUS_INVALID,
                         "the experiment has several sample sizes; this plot needs 'samples', one of them");
    *samples = outputs->sizes[0];
    return STATUS_OK;
}

/* 1-2-5 steps over a few decades, powers of ten over many: gnuplot alone labels too few or too many. */
void plot_append_log_tics(char axis, double low, double high, text_buffer *out) {
    static const double steps[] = {1, 1.5, 2, 3, 5, 7};
    double decades = log10(high / low);
    int n = 0;
    text_append_format(out, "set %ctics (", axis);
    for (int k = (int)floor(log10(low)); k <= (int)ceil(log10(high)); k++) {
        for (size_t s = 0; s < 6; s++) {
            double tic = steps[s] * pow(10, k);
            bool is_wanted = s == 0 || (decades <= 3 && (s == 2 || s == 4)) || decades <= 0.7;
            if (is_wanted && tic >= low * 0.999 && tic <= high * 1.001)
                text_append_format(out, "%s'%g' %.10g", n++ ? ", " : "", tic, tic);
        }
    }
    text_append(out, ")\n");
    if (n < 2)
        text_append_format(out, "set %ctics autofreq\n", axis);
}

static status check_range(const plot_range *r, const char *name, const char **key, error_info *err) {
    if (!(r->from >= r->to)) /* NAN: no such end */
        return STATUS_OK;
    *key = name;
    return error_set(err, STATUS_INVALID, "%s goes from %g to %g; it must rise", name, r->from, r->to);
}

status plot_check_ranges(const plot_range *x, const plot_range *y, const char **key, error_info *err) {
    CHECK(check_range(x, "x_range", key, err));
    return check_range(y, "y_range", key, err);
}

const option_spec plot_range_options[] = {
    PART_ROW(OPT_REAL, "from", plot_range, from, .initial = NAN, .least = -1e9, .most = 1e9, .usual = "by the figures",
             .help = "in the unit of the axis"),
    PART_ROW(OPT_REAL, "to", plot_range, to, .initial = NAN, .least = -1e9, .most = 1e9, .usual = "by the figures",
             .help = "in the unit of the axis"),
    {0},
};

const option_spec plot_style_options[] = {
    PART_ROW(OPT_COUNT, "width", plot_style, width, .least = 200, .most = 4000, .usual = "960", .help = "pixels"),
    PART_ROW(OPT_COUNT, "height", plot_style, height, .least = 150, .most = 4000, .usual = "by the contents",
             .help = "pixels"),
    PART_ROW(OPT_REAL, "font_size", plot_style, font_size, .least = 6, .most = 40, .usual = "12", .help = "points"),
    PART_ROW(OPT_CHOICE, "key", plot_style, key, .choices = PLOT_KEY_CHOICES,
             .help = "of a scatter plot, whose names stand beside its points: none leaves them out"),
    {0},
};
