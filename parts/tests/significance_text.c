/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A test for people: as tables of texts, in a terminal and as Markdown. */
#include "parts/tests/significance_internal.h"

#include "document/display.h"
#include "document/text_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GRIDS = 2 };

typedef struct {
    size_t n;
    text_grid grids[MOST_GRIDS];
} grids;

static void grids_clear(grids *g) {
    for (size_t i = 0; i < g->n; i++)
        text_grid_clear(&g->grids[i]);
}

static status add_grid(grids *g, size_t n_rows, size_t n_columns, bool is_left, text_grid **out, error_info *err) {
    status st = text_grid_create(n_rows, n_columns, is_left, &g->grids[g->n], err);
    if (st == STATUS_OK)
        *out = &g->grids[g->n++];
    return st;
}

/* "p" of a small number without a run of zeros; what underflowed is a bound. */
static status add_p(text_grid *g, size_t row, size_t column, double p, error_info *err) {
    if (isnan(p))
        return text_grid_add(g, row, column, err, "-");
    return p == 0 ? text_grid_add(g, row, column, err, "<1e-300") : text_grid_add(g, row, column, err, "%.3g", p);
}

static status add_test_row(text_grid *g, size_t row, const rank_comparison *c, error_info *err) {
    status st = STATUS_OK;
    CHECK(text_grid_add(g, row, 0, err, "%zu", c->samples));
    CHECK(text_grid_add(g, row, 1, err, "%zu", c->n_blocks));
    for (size_t i = 2; !c->has_test && i < g->n_columns; i++)
        CHECK(text_grid_add(g, row, i, err, "-"));
    if (!c->has_test)
        return st;
    CHECK(text_grid_add(g, row, 2, err, "%.2f", c->test.chi2));
    CHECK(text_grid_add(g, row, 3, err, "%g", c->test.df));
    CHECK(add_p(g, row, 4, c->test.p_value, err));
    if (isnan(c->test.F))
        CHECK(text_grid_add(g, row, 5, err, "-"));
    else if (isinf(c->test.F))
        CHECK(text_grid_add(g, row, 5, err, "infinite"));
    else
        CHECK(text_grid_add(g, row, 5, err, "%.2f", c->test.F));
    CHECK(text_grid_add(g, row, 6, err, "%g, %g", c->test.df1, c->test.df2));
    if (isinf(c->test.F)) /* perfect agreement: 0 by definition, not by underflow */
        CHECK(text_grid_add(g, row, 7, err, "0"));
    else
        CHECK(add_p(g, row, 7, c->test.F_p_value, err));
    return st;
}

static status make_test_grid(const significance *s, grids *all, error_info *err) {
    static const char *const head[] = {"samples", "networks", "chi2", "df", "p", "F", "df1, df2", "p of F"};
    enum { N_HEAD = sizeof head / sizeof *head };
    text_grid *g = NULL;
    CHECK(add_grid(all, s->n_groups + 1, N_HEAD, false, &g, err));
    for (size_t i = 0; i < N_HEAD; i++)
        CHECK(text_grid_add(g, 0, i, err, "%s", head[i]));
    for (size_t i = 0; i < s->n_groups; i++)
        CHECK(add_test_row(g, i + 1, &s->groups[i], err));
    return STATUS_OK;
}

static const char *mark_text(rank_mark mark) {
    return mark == MARK_BEST ? "*" : mark == MARK_ALIKE ? "a" : "";
}

static status add_rank(text_grid *g, size_t row, size_t column, const ranked_learner *r, error_info *err) {
    status st = text_grid_add(g, row, column, err, "%.2f%s", r->mean_rank, mark_text(r->mark));
    if (st == STATUS_OK && !isnan(r->published_rank))
        st = text_grid_add(g, row, column, err, " [%.2f%s]", r->published_rank, mark_text(r->published_mark));
    return st;
}

static status make_rank_grid(const significance *s, grids *all, error_info *err) {
    text_grid *g = NULL;
    CHECK(add_grid(all, s->n_groups + 1, s->n_learners + 1, true, &g, err));
    CHECK(text_grid_add(g, 0, 0, err, "samples"));
    for (size_t i = 0; i < s->n_learners; i++)
        CHECK(text_grid_add(g, 0, i + 1, err, "%s", s->learners[i]));
    for (size_t i = 0; i < s->n_groups; i++) {
        CHECK(text_grid_add(g, i + 1, 0, err, "%zu", s->groups[i].samples));
        for (size_t l = 0; l < s->groups[i].n_learners; l++)
            CHECK(add_rank(g, i + 1, s->groups[i].learners[l].learner + 1, &s->groups[i].learners[l], err));
        for (size_t l = 0; l < s->n_learners; l++) {
            if (!g->texts[(i + 1) * g->n_columns + l + 1])
                CHECK(text_grid_add(g, i + 1, l + 1, err, "-"));
        }
    }
    return STATUS_OK;
}

static status add_verdict(text_grid *g, size_t row, size_t column, const pair_verdict *v, error_info *err) {
    status st = v->verdict == '?' ? text_grid_add(g, row, column, err, "n/a")
                                  : text_grid_add(g, row, column, err, "%c", v->verdict);
    if (st == STATUS_OK && v->published == '?')
        st = text_grid_add(g, row, column, err, " [n/a]");
    else if (st == STATUS_OK && v->published)
        st = text_grid_add(g, row, column, err, " [%c]", v->published);
    return st;
}

static status make_verdict_grid(const significance *s, grids *all, error_info *err) {
    text_grid *g = NULL;
    CHECK(add_grid(all, s->n_pairs + 1, s->n_cells + 1, true, &g, err));
    CHECK(text_grid_add(g, 0, 0, err, "pair"));
    for (size_t c = 0; c < s->n_cells; c++)
        CHECK(text_grid_add(g, 0, c + 1, err, "%s %zu", pair_cell_network(s, &s->cells[c]),
                            s->outputs->sizes[s->cells[c].size]));
    for (size_t p = 0; p < s->n_pairs; p++) {
        CHECK(text_grid_add(g, p + 1, 0, err, "%s : %s", s->learners[s->pairs[p][0]], s->learners[s->pairs[p][1]]));
        for (size_t c = 0; c < s->n_cells; c++)
            CHECK(add_verdict(g, p + 1, c + 1, &s->verdicts[p * s->n_cells + c], err));
    }
    return STATUS_OK;
}

static status add_score(text_grid *g, size_t row, size_t column, const significance *s, size_t at, error_info *err) {
    status st = s->has_score[at] ? text_grid_add(g, row, column, err, "%ld", s->scores[at])
                                 : text_grid_add(g, row, column, err, "n/a");
    if (st == STATUS_OK && !isnan(s->published_scores[at]))
        st = text_grid_add(g, row, column, err, " [%g]", s->published_scores[at]);
    return st;
}

static status make_score_grid(const significance *s, grids *all, error_info *err) {
    text_grid *g = NULL;
    CHECK(add_grid(all, s->n_score_rows + 1, s->n_learners + 1, true, &g, err));
    CHECK(text_grid_add(g, 0, 0, err, "summary"));
    for (size_t l = 0; l < s->n_learners; l++)
        CHECK(text_grid_add(g, 0, l + 1, err, "%s", s->learners[l]));
    for (size_t r = 0; r < s->n_score_rows; r++) {
        bool is_one_network = s->is_by_place;
        CHECK(text_grid_add(g, r + 1, 0, err, "%s", is_one_network ? s->places[r] : "all"));
        for (size_t l = 0; l < s->n_learners; l++)
            CHECK(add_score(g, r + 1, l + 1, s, r * s->n_learners + l, err));
    }
    return STATUS_OK;
}

static status make_grids(const significance *s, grids *out, error_info *err) {
    if (s->groups) {
        CHECK(make_test_grid(s, out, err));
        CHECK(make_rank_grid(s, out, err));
    } else {
        CHECK(make_verdict_grid(s, out, err));
        if (s->n_score_rows > 0)
            CHECK(make_score_grid(s, out, err));
    }
    return STATUS_OK;
}

status significance_append_text(const significance *s, size_t width, text_buffer *out, error_info *err) {
    grids all = {0};
    status st = make_grids(s, &all, err);
    if (st == STATUS_OK) {
        display_append_plain(out, s->title);
        text_append(out, "\n");
    }
    for (size_t i = 0; st == STATUS_OK && i < all.n; i++) {
        text_append(out, i > 0 ? "\n" : "");
        text_grid_append_text(&all.grids[i], width, out);
    }
    for (size_t i = 0; st == STATUS_OK && i < s->n_notes; i++)
        display_append_wrapped(out, s->notes[i], width);
    grids_clear(&all);
    return st;
}

status significance_append_markdown(const significance *s, text_buffer *out, error_info *err) {
    grids all = {0};
    status st = make_grids(s, &all, err);
    if (st == STATUS_OK) {
        text_append(out, "## ");
        display_append_markdown(out, s->title);
        text_append(out, "\n\n");
    }
    for (size_t i = 0; st == STATUS_OK && i < all.n; i++) {
        text_grid_append_markdown(&all.grids[i], out);
        text_append(out, "\n");
    }
    for (size_t i = 0; st == STATUS_OK && i < s->n_notes; i++) {
        text_append(out, "- ");
        display_append_markdown(out, s->notes[i]);
        text_append(out, "\n");
    }
    grids_clear(&all);
    return st;
}

status significance_append_html(const significance *s, text_buffer *out, error_info *err) {
    grids all = {0};
    status st = make_grids(s, &all, err);
    if (st == STATUS_OK) {
        text_append(out, "<section>\n<h3>");
        display_append_html(out, s->title);
        text_append(out, "</h3>\n");
    }
    for (size_t i = 0; st == STATUS_OK && i < all.n; i++)
        text_grid_append_html(&all.grids[i], out);
    for (size_t i = 0; st == STATUS_OK && i < s->n_notes; i++) {
        text_append(out, i == 0 ? "<ul class=\"notes\"><li>" : "<li>");
        display_append_html(out, s->notes[i]);
        text_append(out, i + 1 == s->n_notes ? "</li></ul>\n" : "</li>\n");
    }
    if (st == STATUS_OK)
        text_append(out, "</section>\n");
    grids_clear(&all);
    return st;
}

status significance_append_latex(const significance *s, text_buffer *out, error_info *err) {
    grids all = {0};
    status st = make_grids(s, &all, err);
    if (st == STATUS_OK) {
        text_append(out, "\\begin{table}[htbp]\n\\centering\n\\caption{");
        display_append_latex(out, s->title);
        text_append(out, "}\n");
    }
    for (size_t i = 0; st == STATUS_OK && i < all.n; i++)
        text_grid_append_latex(&all.grids[i], out);
    for (size_t i = 0; st == STATUS_OK && i < s->n_notes; i++) {
        text_append(out, "\\par\\smallskip{\\footnotesize ");
        display_append_latex(out, s->notes[i]);
        text_append(out, "\\par}\n");
    }
    if (st == STATUS_OK)
        text_append(out, "\\end{table}\n");
    grids_clear(&all);
    return st;
}
