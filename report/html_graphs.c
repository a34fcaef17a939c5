/* SPDX-License-Identifier: GPL-3.0-or-later */
/* True and learned networks as they are, in front of the drawing that shows where they differ. */
#include "report/html_internal.h"

#include "core/graph/graph_file.h"

#include <string.h>

static bool was_drawn(const report *r, const plot_spec *spec) {
    for (const plot_spec *p = r->outputs->plots; p < spec; p++) {
        if (p->kind == PLOT_NETWORK && strcmp(p->network, spec->network) == 0 && report_find_graph(r, p))
            return true;
    }
    return false;
}

static status show_graph(report *r, const named_graph *g, const char *title, const char *id, error_info *err) {
    const network_drawing drawing = {.title = title,
                                     .n_nodes = g->n_nodes,
                                     .names = (const char *const *)g->names,
                                     .truth = g->graph,
                                     .focus = NETWORK_NO_FOCUS};
    const char *name = NULL;
    bool is_drawn = false;
    document d = {0};
    status st = STATUS_OK;
    TRY(report_draw_network(r, id, &drawing, NULL, &name, &is_drawn, err));
    report_begin_picture(&d, title, name, is_drawn, "Graphviz");
    document_begin(&d, BLOCK_ITEM);
    document_link(&d, "Graphviz", name, ".dot");
    TRY(report_add_to_page(r, ROOM_NETWORKS, &d, err));
cleanup:
    document_clear(&d);
    return st;
}

/* A graph's text that cannot be read is told of by the drawing of the difference. */
static status draw_graph(report *r, const char *csv, const char *title, const char *id, error_info *err) {
    named_graph g = {0};
    error_info quiet = {0};
    status st;
    if (graph_parse_csv(csv, strlen(csv), NULL, 0, &g, &quiet) != STATUS_OK)
        return quiet.code == STATUS_MEMORY ? error_out_of_memory(err) : STATUS_OK;
    st = show_graph(r, &g, title, id, err);
    named_graph_clear(&g);
    return st;
}

status html_add_graphs(report *r, const plot_spec *spec, error_info *err) {
    const job_record *record = r->options->html && spec->kind == PLOT_NETWORK ? report_find_graph(r, spec) : NULL;
    const char *truth = record ? report_true_graph(r, spec->network) : NULL;
    text_buffer title = {0}, id = {0};
    status st = STATUS_OK;
    if (!truth)
        return STATUS_OK;
    if (!was_drawn(r, spec)) {
        text_append_format(&title, "%s, as it is", spec->network);
        text_append_format(&id, "network-%s", spec->network);
        TRY(text_buffer_check(&title, err));
        TRY(text_buffer_check(&id, err));
        TRY(draw_graph(r, truth, title.data, id.data, err));
    }
    text_buffer_clear(&title);
    text_buffer_clear(&id);
    text_append_format(&title, "%s, as %s learned it from %zu rows", spec->network, spec->learner, spec->samples);
    text_append_format(&id, "network-%s-%s-learned", spec->network, spec->learner);
    TRY(text_buffer_check(&title, err));
    TRY(text_buffer_check(&id, err));
    TRY(draw_graph(r, record->graph, title.data, id.data, err));
cleanup:
    text_buffer_clear(&title);
    text_buffer_clear(&id);
    return st;
}
