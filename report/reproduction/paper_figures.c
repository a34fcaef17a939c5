/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of a paper that print no numbers: which plot redraws them, and what the claims about them come to. */
#include "report/reproduction/reproduction_internal.h"

enum { COLUMN_PLOT = 1, COLUMN_CLAIMS, COLUMN_TEXT, N_COLUMNS };

static void say_claims(const paper_figure *f, const reproduction *p, document_grid *g, size_t row) {
    for (size_t i = 0; i < f->n_claims; i++) {
        const claim_spec *claim = outputs_find_claim(p->in->of.outputs, f->claims[i]);
        if (!claim)
            continue;
        grid_say(g, row, COLUMN_CLAIMS, SPAN_TEXT, "%s%s: ", i ? "; " : "", f->claims[i]);
        claim_say_verdict(claim, &p->base, g, row, COLUMN_CLAIMS);
    }
}

void paper_figures_append(const reproduction *p, document *d) {
    static const char *const head[N_COLUMNS] = {"figure", "redrawn as the plot", "claims", "how, or why not"};
    const experiment_outputs *o = p->in->of.outputs;
    document_grid *g;
    if (o->n_paper_figures == 0)
        return;
    document_add_heading(d, 2, "Figures of the paper without printed numbers");
    g = document_add_grid(d, NULL, o->n_paper_figures + 1, N_COLUMNS, true);
    grid_set_head(g, head, N_COLUMNS);
    for (size_t i = 0; i < o->n_paper_figures; i++) {
        const paper_figure *f = &o->paper_figures[i];
        grid_say(g, i + 1, 0, SPAN_TEXT, "%s", f->figure);
        grid_say(g, i + 1, COLUMN_PLOT, f->plot ? SPAN_CODE : SPAN_TEXT, "%s", f->plot ? f->plot : "not redrawn");
        say_claims(f, p, g, i + 1);
        grid_say(g, i + 1, COLUMN_TEXT, SPAN_TEXT, "%s", f->text ? f->text : "");
    }
    document_begin(d, BLOCK_PARAGRAPH); /* the next heading stands apart */
}
