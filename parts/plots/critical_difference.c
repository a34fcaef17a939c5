/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything is placed by hand: x in ranks, y in lines of text from the top. Each name has a line of its own, the
 * better half on the left from the best down, the worse half on the right from the worst down, so that no line crosses
 * a name.
 */
#include "parts/plots/critical_difference.h"

#include "core/base/file.h"
#include "document/display.h"
#include "document/drawing/gnuplot.h"
#include "document/drawing/look.h"
#include "metrics/statistics/nemenyi.h"
#include "parts/plots/plot_internal.h"
#include "parts/tests/friedman_part.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static const double least_side = 0.46,            /* of the axis' length, on each side of it, for the names */
    most_share = 0.4,                             /* of the picture, likewise */
    character_width = 0.0085, edge_width = 0.036, /* of the picture's usual width, in the usual font */
    usual_font = 12,                              /* points */
    axis_line = 3.2,                              /* of a panel: below its title and the critical difference */
    first_bar = 0.7, bar_step = 0.45, below_bars = 0.9, between_panels = 1.6, head_lines = 2.2, foot_lines = 2.5;
enum { LINE_HEIGHT = 24, MOST_NAME = 22, MOST_WORDS = 150 };

typedef struct {
    const significance *s;
    const rank_comparison *c;
    size_t k;
    const ranked_learner **sorted; /* best first */
    double *ranks;
    size_t n_groups;
    rank_group *groups;
    double top;    /* the panel's first line */
    double margin; /* for the names on either side of the axis, in ranks */
} panel;

static void panel_clear(panel *p) {
    free(p->sorted);
    free(p->ranks);
    free(p->groups);
}

static int compare_ranks(const void *first, const void *second) {
    const ranked_learner *a = *(const ranked_learner *const *)first, *b = *(const ranked_learner *const *)second;
    if (a->mean_rank != b->mean_rank)
        return a->mean_rank < b->mean_rank ? -1 : 1;
    return (a->learner > b->learner) - (a->learner < b->learner);
}

static status panel_create(const significance *s, const rank_comparison *c, double top, double margin, panel *p,
                           error_info *err) {
    *p = (panel){.s = s, .c = c, .k = c->n_learners, .top = top, .margin = margin};
    CHECK_ALLOC(p->sorted = calloc(p->k + 1, sizeof *p->sorted));
    CHECK_ALLOC(p->ranks = calloc(p->k + 1, sizeof *p->ranks));
    CHECK_ALLOC(p->groups = calloc(p->k + 1, sizeof *p->groups));
    for (size_t i = 0; i < p->k; i++)
        p->sorted[i] = &c->learners[i];
    qsort(p->sorted, p->k, sizeof(*p->sorted), compare_ranks);
    for (size_t i = 0; i < p->k; i++)
        p->ranks[i] = p->sorted[i]->mean_rank;
    p->n_groups = nemenyi_groups(p->ranks, p->k, c->critical_difference, p->groups);
    return STATUS_OK;
}

static bool can_draw(const rank_comparison *c) {
    return c->has_test && isfinite(c->critical_difference);
}

static bool has_panels(const significance *s) {
    for (size_t i = 0; i < s->n_groups; i++) {
        if (can_draw(&s->groups[i]))
            return true;
    }
    return false;
}

static size_t left_count(const panel *p) {
    return (p->k + 1) / 2;
}

static double first_name_line(const panel *p) {
    return axis_line + first_bar + bar_step * (double)p->n_groups + below_bars;
}

static double panel_height(const panel *p) {
    return first_name_line(p) + (double)left_count(p) - 0.5;
}

static void append_line(double x1, double y1, double x2, double y2, const char *style, text_buffer *out) {
    text_append_format(out, "set arrow from first %.6g, first %.6g to first %.6g, first %.6g nohead %s\n", x1, y1, x2,
                       y2, style);
}

static void append_words(const char *words, size_t most, double x, double y, const char *where, text_buffer *out) {
    text_append(out, "set label ");
    gnuplot_append_text(out, words, most);
    text_append_format(out, " at first %.6g, first %.6g %s noenhanced\n", x, y, where);
}

static void append_number(const char *before, double value, double x, double y, const char *where, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer words = {0};
    text_append_format(&words, "%s%.3g", before, value);
    append_words(words.data ? words.data : "", MOST_WORDS, x, y, where, out);
    out->failed |= words.failed;
}

static void append_panel_title(const panel *p, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer words = {0};
    text_append_format(&words, "%zu rows, %zu network%s", p->c->samples, p->c->n_blocks,
                       p->c->n_blocks == 1 ? "" : "s");
    append_words(words.data ? words.data : "", MOST_WORDS, 1 - p->margin, p->top + 0.9,
                 "left font sprintf(',%g',12*font)", out);
    out->failed |= words.failed;
}

/* Where it is longer than the axis it ends in an arrow's head. */
static void append_critical_difference(const panel *p, text_buffer *out) {
    double y = p->top + 1.6, end = 1 + p->c->critical_difference, most = (double)p->k;
    bool is_cut = end > most;
    double shown = is_cut ? most : end;
    append_number("CD = ", p->c->critical_difference, (1 + shown) / 2, p->top + 0.9,
                  "center font sprintf(',%g',11*font)", out);
    text_append_format(out, "set arrow from first 1, first %.6g to first %.6g, first %.6g %s lw 1.5 lc rgb '#000000'\n",
                       y, shown, y, is_cut ? "head filled size screen 0.01,20" : "nohead");
    append_line(1, y - 0.2, 1, y + 0.2, "lw 1.5 lc rgb '#000000'", out);
    if (!is_cut)
        append_line(shown, y - 0.2, shown, y + 0.2, "lw 1.5 lc rgb '#000000'", out);
}

static void append_axis(const panel *p, text_buffer *out) {
    double y = p->top + axis_line;
    size_t step = p->k <= 15 ? 1 : (p->k + 14) / 15;
    append_line(1, y, (double)p->k, y, "lw 1.5 lc rgb '#000000'", out);
    for (size_t i = 1; i <= p->k; i++) {
        append_line((double)i, y, (double)i, y - 0.22, "lw 1.2 lc rgb '#000000'", out);
        if ((i - 1) % step == 0)
            append_number("", (double)i, (double)i, y - 0.7, "center font sprintf(',%g',11*font)", out);
    }
}

static void append_bars(const panel *p, text_buffer *out) {
    double overhang = 0.012 * ((double)p->k - 1);
    for (size_t i = 0; i < p->n_groups; i++) {
        double y = p->top + axis_line + first_bar + bar_step * (double)i;
        append_line(p->ranks[p->groups[i].first] - overhang, y, p->ranks[p->groups[i].last] + overhang, y,
                    "lw 5 lc rgb '#0072B2'", out);
    }
}

/* "hc  1.19", from its rank down to its own line and out to the side. */
static void append_name(const panel *p, size_t i, text_buffer *out) {
    bool is_left = i < left_count(p);
    double line = first_name_line(p) + (double)(is_left ? i : p->k - 1 - i), y = p->top + line, x = p->ranks[i];
    double edge = is_left ? 1 - 0.05 * ((double)p->k - 1) : (double)p->k + 0.05 * ((double)p->k - 1);
    const char *name = p->s->learners[p->sorted[i]->learner];
    AUTO(text_buffer_clear) text_buffer words = {0};
    AUTO_FREE char *shown = display_copy_plain(name, MOST_NAME);
    append_line(x, p->top + axis_line, x, y, "lw 1 lc rgb '#555555'", out);
    append_line(x, y, edge, y, "lw 1 lc rgb '#555555'", out);
    if (is_left)
        text_append_format(&words, "%s  %.2f", shown ? shown : "", x);
    else
        text_append_format(&words, "%.2f  %s", x, shown ? shown : "");
    append_words(words.data ? words.data : "", MOST_NAME + 12,
                 is_left ? edge - 0.01 * (double)p->k : edge + 0.01 * (double)p->k, y, is_left ? "right" : "left", out);
    out->failed |= words.failed || !shown;
}

static void append_panel(const panel *p, text_buffer *out) {
    append_panel_title(p, out);
    append_critical_difference(p, out);
    append_axis(p, out);
    append_bars(p, out);
    for (size_t i = 0; i < p->k; i++)
        append_name(p, i, out);
}

/* Every panel has the x range of the one with the most learners. */
static size_t most_learners(const significance *s) {
    size_t most = 2;
    for (size_t i = 0; i < s->n_groups; i++) {
        if (can_draw(&s->groups[i]) && s->groups[i].n_learners > most)
            most = s->groups[i].n_learners;
    }
    return most;
}

/* By how much the font is larger than usual. */
static double font_scale(const plot_style *style) {
    return style->font_size > 0 ? style->font_size / usual_font : 1;
}

/* As wide as the longest name, its rank and the line's end ask for. */
static double margin_for(const significance *s, const plot_style *style) {
    double share = 0, longest = 0, width = style->width ? (double)style->width : LOOK_WIDTH;
    for (size_t i = 0; i < s->n_learners; i++)
        longest = fmax(longest, (double)text_width(s->learners[i]));
    share = character_width * font_scale(style) * LOOK_WIDTH / width * (fmin(longest, MOST_NAME) + 7) + edge_width;
    share = fmin(share, most_share);
    return fmax(least_side, share / (1 - 2 * share)) * ((double)most_learners(s) - 1);
}

static void append_frame(const significance *s, const char *title, double height, double margin, text_buffer *out) {
    double k = (double)most_learners(s);
    AUTO(text_buffer_clear) text_buffer words = {0};
    text_append(out, "set encoding utf8\nunset key\nunset border\nunset tics\nset lmargin at screen 0.02\n"
                     "set rmargin at screen 0.98\nset tmargin at screen 1\nset bmargin at screen 0\n");
    text_append_format(out, "set xrange [%.6g:%.6g]\nset yrange [%.6g:0]\n", 1 - margin, k + margin, height);
    if (title)
        text_append(&words, title);
    else
        text_append_format(&words, "Mean ranks by %s", s->spec->metric);
    append_words(words.data ? words.data : "", LOOK_MOST_TITLE, (1 + k) / 2, 1.1, "center font sprintf(',%g',14*font)",
                 out);
    words.length = 0;
    text_append_format(&words, "1 is the best. A bar joins learners that do not differ by Nemenyi's test at level %g:",
                       s->spec->alpha);
    append_words(words.data ? words.data : "", MOST_WORDS, 1 - margin, height - 1.5,
                 "left font sprintf(',%g',10*font) tc rgb '#555555'", out);
    append_words("their mean ranks lie within CD.", MOST_WORDS, 1 - margin, height - 0.7,
                 "left font sprintf(',%g',10*font) tc rgb '#555555'", out);
    out->failed |= words.failed;
}

status critical_difference_append_script(const significance *s, const char *title, const plot_style *style,
                                         const char *file_name, text_buffer *out, error_info *err) {
    double line = head_lines, margin = margin_for(s, style);
    AUTO(panel_clear) panel p = {0};
    text_append_format(out, "font = %g\n", font_scale(style));
    for (size_t i = 0; i < s->n_groups; i++) {
        if (!can_draw(&s->groups[i]))
            continue;
        panel_clear(&p);
        CHECK(panel_create(s, &s->groups[i], line, margin, &p, err));
        append_panel(&p, out);
        line += panel_height(&p) + between_panels;
    }
    line += foot_lines - between_panels;
    append_frame(s, title, line, margin, out);
    look_append_pictures(file_name, style, (size_t)(line * LINE_HEIGHT * font_scale(style)), "plot NaN notitle\n",
                         LOOK_REPLOT, out);
    return STATUS_OK;
}

static const option_spec options[] = {
    PART_HEAD_ROWS(critical_difference_spec, "the test's metric"),
    PART_ROW(OPT_TEST, "test", critical_difference_spec, test, .choices = "friedman", .is_required = true,
             .help = "the id of a friedman test"),
    PLOT_STYLE_ROW(critical_difference_spec),
    {0},
};

static status write_diagram(const critical_difference_spec *spec, const significance *s, part_output *out,
                            error_info *err) {
    AUTO(text_buffer_clear) text_buffer csv = {0}, script = {0};
    const char *name = NULL;
    bool is_drawn = false;
    AUTO(document_clear) document d = {0};
    CHECK(part_begin_plot(out, spec->id, &name, err));
    significance_append_csv(s, &csv);
    CHECK(critical_difference_append_script(s, spec->title, &spec->style, path_base(name), &script, err));
    CHECK(part_draw_plot(out, spec->id, name, &csv, &script, &is_drawn, err));
    part_begin_picture(&d, spec->title ? spec->title : spec->id, name, is_drawn, "gnuplot");
    part_add_links(&d, name, is_drawn);
    document_begin(&d, BLOCK_ITEM);
    document_say(&d, SPAN_TEXT,
                 "Bars join learners whose mean ranks by %s lie within Nemenyi's critical difference (level %g).",
                 s->spec->metric, s->spec->alpha);
    return part_show_plot(out, &d, err);
}

static status make(const part_context *c, const declared_part *p, part_output *out, error_info *err) {
    const critical_difference_spec *spec = p->options;
    const declared_part *test = part_list_find(c->parts, spec->test);
    AUTO(significance_clear) significance s = {0};
    bool is_there = false;
    if (!test)
        return part_note(out, spec->id, "no plot: it names no Friedman test of the experiment", err);
    CHECK(friedman_make(c, test->options, out, &s, &is_there, err));
    if (is_there && !has_panels(&s))
        CHECK(part_note(out, spec->id, "plot skipped: no comparable results", err));
    else if (is_there)
        CHECK(write_diagram(spec, &s, out, err));
    return STATUS_OK;
}

const part_kind part_critical_difference_plot = {
    .group = PART_PLOT,
    .name = "critical_difference",
    .summary = "mean ranks of a Friedman test, with bars over learners that do not differ by Nemenyi's test",
    .options_size = sizeof(critical_difference_spec),
    .options = options,
    .make = make,
};
