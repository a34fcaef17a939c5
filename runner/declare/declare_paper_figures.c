/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `paper_figures`: the figures of a paper that print no numbers, each with the plot that redraws it, or why none does.
 */
#include "runner/declare/declare_internal.h"

#include "parts/registry.h"
#include "runner/declare/fields_internal.h"

#include <string.h>

enum { MOST_FIGURES = 100, MOST_CLAIMS = 20 };

/* A reading or a profile that has no plots, or no claims, leaves the names as they are. */
static status read_plot(const yaml_node *node, const experiment *e, paper_figure *f, error_info *err) {
    const declared_part *part;
    if (!node)
        return STATUS_OK;
    CHECK(field_name(node, "plot", &f->plot, err));
    part = part_list_find(&e->parts, f->plot);
    if ((part && part->kind->group == PART_PLOT) || part_list_count(&e->parts, PART_PLOT) == 0)
        return STATUS_OK;
    return yaml_fail(node, err, "there is no plot '%.60s' to redraw it", f->plot);
}

static status read_claims(const yaml_node *node, const experiment *e, paper_figure *f, error_info *err) {
    CHECK(declare_read_texts(node, "claims", MOST_CLAIMS, &f->claims, &f->n_claims, err));
    for (size_t i = 0; i < f->n_claims; i++) {
        if (e->outputs.n_claims > 0 && !outputs_find_claim(&e->outputs, f->claims[i]))
            return yaml_fail(field_item(node, i), err, "there is no claim '%.60s' to judge it", f->claims[i]);
    }
    return STATUS_OK;
}

static status read_figure(const yaml_node *entry, const experiment *e, void *item, error_info *err) {
    static const char *const known[] = {"figure", "plot", "claims", "text", NULL};
    const yaml_node *name = yaml_get(entry, "figure"), *plot = yaml_get(entry, "plot"), *text = yaml_get(entry, "text");
    paper_figure *f = item;
    CHECK(field_mapping(entry, "a figure of the paper", known, err));
    if (!name || (!plot && !text))
        return yaml_fail(entry, err,
                         "a figure of the paper needs 'figure', its name, and the 'plot' that redraws it or a "
                         "'text' that says why none does");
    CHECK(field_line(name, "figure", &f->figure, err));
    CHECK(field_line(text, "text", &f->text, err));
    CHECK(read_plot(plot, e, f, err));
    return read_claims(yaml_get(entry, "claims"), e, f, err);
}

status declare_paper_figures(const yaml_node *node, experiment *e, error_info *err) {
    static const declared_list list = {
        .what = "paper_figures", .most = MOST_FIGURES, .item_size = sizeof(paper_figure), .read = read_figure};
    void *figures = NULL;
    status st = declare_list(&list, node, e, &figures, &e->outputs.n_paper_figures, err);
    e->outputs.paper_figures = figures;
    return st;
}
