/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drawing of one learned graph, or a region of it, against the true one, by Graphviz. */
#include "parts/plots/network_plot.h"

#include "core/base/file.h"
#include "core/graph/equivalence.h"
#include "core/graph/graph_file.h"
#include "document/drawing/drawing_program.h"
#include "document/drawing/network_drawing.h"
#include "parts/plots/plot_internal.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const double dot_timeout_s = 120;

/* What is drawn. Owned. */
typedef struct {
    named_graph truth;
    pdag *as_learned; /* before it was made comparable */
    pdag *learned,
        *compared; /* the graph learned, on the nodes of the truth; the true one as that is compared with it */
    bool ignores_directions;
    bool *is_near, *is_inner; /* within the radius of either graph, and one step less; NULL: all */
    bool *is_truly_near;      /* of the true graph */
    size_t target;
    char *title;
} picture;

static void clear_picture(picture *p) {
    named_graph_clear(&p->truth);
    pdag_destroy(p->as_learned);
    pdag_destroy(p->learned);
    pdag_destroy(p->compared);
    free(p->is_near);
    free(p->is_inner);
    free(p->is_truly_near);
    free(p->title);
}

static const job_record *find_graph(const part_context *c, const network_plot_spec *spec) {
    for (size_t i = 0; i < c->n_records; i++) {
        const job_record *record = &c->records[i];
        if (strcmp(record->network, spec->network) == 0 && strcmp(record->learner, spec->learner) == 0 &&
            outputs_is_size(spec->samples, record->n_samples) && record->replicate == 0 && record->state == JOB_DONE &&
            record->graph)
            return record;
    }
    return NULL;
}

static const char *true_graph(const part_context *c, const char *network) {
    const experiment_outputs *o = c->outputs;
    for (size_t i = 0; o->true_graphs && i < o->n_networks; i++) {
        if (strcmp(o->networks[i], network) == 0)
            return o->true_graphs[i];
    }
    return NULL;
}

/* As the structural Hamming distance compares; of a skeleton the edges alone, drawn as they truly point. */
static status make_comparable(picture *p, bool is_dag, error_info *err) {
    AUTO_PTR(pdag_destroy) pdag *learned = NULL;
    graph_kind kind;
    if (p->ignores_directions)
        return pdag_copy(p->truth.graph, &p->compared, err);
    CHECK(pdag_kind(p->truth.graph, &kind, err));
    CHECK(pdag_compared(p->truth.graph, kind, &p->compared, err));
    CHECK(pdag_compared(p->learned, is_dag ? GRAPH_DAG : GRAPH_CPDAG, &learned, err));
    pdag_destroy(p->learned);
    p->learned = TAKE(learned);
    return STATUS_OK;
}

/* The area around a variable holds the edges with an end in fewer steps than the radius, as mmbn-local finds it. */
static status choose_region(picture *p, const network_plot_spec *spec, error_info *err) {
    p->target = NETWORK_NO_FOCUS;
    if (!spec->target)
        return STATUS_OK;
    for (size_t i = 0; i < p->truth.n_nodes && p->target == NETWORK_NO_FOCUS; i++)
        p->target = strcmp(p->truth.names[i], spec->target) == 0 ? i : NETWORK_NO_FOCUS;
    if (p->target == NETWORK_NO_FOCUS)
        return error_set(err, STATUS_INVALID, "%s has no variable '%.100s'", spec->network, spec->target);
    CHECK_ALLOC(p->is_near = calloc(p->truth.n_nodes + 1, sizeof *p->is_near));
    CHECK_ALLOC(p->is_inner = calloc(p->truth.n_nodes + 1, sizeof *p->is_inner));
    CHECK_ALLOC(p->is_truly_near = calloc(p->truth.n_nodes + 1, sizeof *p->is_truly_near));
    CHECK(network_region(p->compared, NULL, p->target, spec->radius, p->is_truly_near, err));
    CHECK(network_region(p->compared, p->learned, p->target, spec->radius, p->is_near, err));
    return network_region(p->compared, p->learned, p->target, spec->radius - 1, p->is_inner, err);
}

static status make_title(picture *p, const network_plot_spec *spec, error_info *err) {
    AUTO(text_buffer_clear) text_buffer b = {0};
    if (spec->title)
        text_append(&b, spec->title);
    else
        text_append_format(&b, "%s, %zu rows, %s", spec->network, spec->samples, spec->learner);
    if (!spec->title && spec->target)
        text_append_format(&b, ": within %zu steps of %s", spec->radius, spec->target);
    return text_buffer_take(&b, &p->title, err);
}

static status make_picture(const network_plot_spec *spec, const job_record *record, const char *truth, picture *p,
                           error_info *err) {
    AUTO(named_graph_clear) named_graph learned = {0};
    CHECK(graph_parse_csv(truth, strlen(truth), NULL, 0, &p->truth, err));
    CHECK(graph_parse_csv(record->graph, strlen(record->graph), (const char *const *)p->truth.names, p->truth.n_nodes,
                          &learned, err));
    p->learned = learned.graph;
    learned.graph = NULL;
    CHECK(pdag_copy(p->learned, &p->as_learned, err));
    p->ignores_directions = record->graph_kind && strcmp(record->graph_kind, "skeleton") == 0;
    CHECK(make_comparable(p, record->graph_kind && strcmp(record->graph_kind, "dag") == 0, err));
    CHECK(choose_region(p, spec, err));
    return make_title(p, spec, err);
}

/* Runs dot on the file that lies there; a failure is a note. */
static status run_dot(part_output *out, const char *id, const char *name, bool *is_drawn, error_info *err) {
    AUTO_FREE char *folder = path_join(out->folder, "plots");
    AUTO(text_buffer_clear) text_buffer dot = {0}, svg = {0};
    const char *arguments[] = {"-Tsvg", "-o", NULL, NULL, NULL};
    error_info why = {0};
    status st = STATUS_OK, answer;
    CHECK_ALLOC(folder);
    text_append_format(&dot, "../%s.dot", path_base(name));
    text_append_format(&svg, "%s.svg", path_base(name));
    CHECK(text_buffer_check(&dot, err));
    CHECK(text_buffer_check(&svg, err));
    arguments[2] = svg.data;
    arguments[3] = dot.data;
    answer = out->graphviz_is_missing ? STATUS_MISSING
                                      : drawing_program_draw(&drawing_dot, folder, arguments, dot_timeout_s, &why);
    if (answer == STATUS_IO)
        return error_set(err, STATUS_IO, "%s: %s", folder, why.message);
    *is_drawn = answer == STATUS_OK;
    if (*is_drawn) {
        st = part_list_file(out, name, ".svg", err);
    } else if (!out->graphviz_is_missing) {
        out->graphviz_is_missing = answer == STATUS_MISSING;
        st = part_note(out, out->graphviz_is_missing ? "no drawings of networks" : id, why.message, err);
    }
    return st;
}

static status draw_network(part_output *out, const char *id, const network_drawing *drawing,
                           network_drawing_tally *tally, const char **name, bool *is_drawn, error_info *err) {
    AUTO(text_buffer_clear) text_buffer dot = {0};
    CHECK(network_drawing_append_dot(drawing, &dot, tally, err));
    CHECK(part_begin_plot(out, id, name, err));
    CHECK(part_write_text(out, *name, ".dot", &dot, err));
    return run_dot(out, id, *name, is_drawn, err);
}

static void add_notes(const picture *p, const char *name, const network_drawing_tally *t, bool is_drawn, document *d) {
    document_begin(d, BLOCK_ITEM);
    document_say(d, SPAN_TEXT, "Of replicate 1: %zu nodes; edges: %zu found, ", t->n_nodes, t->n_right);
    if (!p->ignores_directions)
        document_say(d, SPAN_TEXT, "%zu with another direction, ", t->n_turned);
    document_say(d, SPAN_TEXT, "%zu extra, %zu missing", t->n_extra, t->n_missing);
    document_begin(d, BLOCK_ITEM);
    if (is_drawn) {
        document_say(d, SPAN_TEXT, "Picture: ");
        document_link(d, "SVG", name, ".svg");
        document_say(d, SPAN_TEXT, ", ");
    }
    document_link(d, "Graphviz", name, ".dot");
}

static network_drawing drawing_of(const network_plot_spec *spec, const picture *p) {
    return (network_drawing){.title = p->title,
                             .n_nodes = p->truth.n_nodes,
                             .names = (const char *const *)p->truth.names,
                             .truth = p->compared,
                             .learned = p->learned,
                             .ignores_directions = p->ignores_directions,
                             .is_shown = p->is_near,
                             .is_inner = p->is_inner,
                             .is_filled = p->is_truly_near,
                             .focus = p->target,
                             .style = &spec->style};
}

static status write_picture(const network_plot_spec *spec, const picture *p, part_output *out, error_info *err) {
    network_drawing d = drawing_of(spec, p);
    network_drawing_tally tally;
    const char *name = NULL;
    bool is_drawn = false;
    AUTO(document_clear) document shown = {0};
    CHECK(draw_network(out, spec->id, &d, &tally, &name, &is_drawn, err));
    part_begin_picture(&shown, p->title, name, is_drawn, "Graphviz");
    add_notes(p, name, &tally, is_drawn, &shown);
    return part_show(out, ROOM_NETWORKS, &shown, err);
}

/* One of the two graphs, for the page alone; `what` tells its file from the others of the part. */
static status show_graph(const network_plot_spec *spec, const picture *p, const pdag *graph, const char *title,
                         const char *what, part_output *out, error_info *err) {
    network_drawing drawing = drawing_of(spec, p);
    const char *name = NULL;
    bool is_drawn = false;
    AUTO(document_clear) document d = {0};
    AUTO(text_buffer_clear) text_buffer id = {0};
    drawing.seen = graph;
    drawing.title = title;
    text_append_format(&id, "%s-%s", spec->id, what);
    CHECK(text_buffer_check(&id, err));
    CHECK(draw_network(out, id.data, &drawing, NULL, &name, &is_drawn, err));
    part_begin_picture(&d, title, name, is_drawn, "Graphviz");
    document_begin(&d, BLOCK_ITEM);
    document_link(&d, "Graphviz", name, ".dot");
    return part_show_on_page(out, ROOM_NETWORKS, &d, err);
}

/* The true network and the learned one, beside their difference and laid out as that is. */
static status show_both(const network_plot_spec *spec, const picture *p, part_output *out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer truth = {0}, learned = {0};
    text_append_format(&truth, "%s, as it is", spec->network);
    text_append_format(&learned, "%s, as %s learned it", spec->network, spec->learner);
    CHECK(text_buffer_check(&truth, err));
    CHECK(text_buffer_check(&learned, err));
    CHECK(show_graph(spec, p, p->truth.graph, truth.data, "true", out, err));
    return show_graph(spec, p, p->as_learned, learned.data, "learned", out, err);
}

static status make(const part_context *c, const declared_part *part, part_output *out, error_info *err) {
    const network_plot_spec *spec = part->options;
    const job_record *record = find_graph(c, spec);
    const char *truth = true_graph(c, spec->network);
    error_info why = {0};
    picture drawn = {0};
    status st;
    if (!record || !truth)
        return part_note(out, spec->id,
                         record ? "no drawing, for the true network could not be read"
                                : "no drawing, for there is no learned graph of that learner on that data",
                         err);
    st = make_picture(spec, record, truth, &drawn, &why);
    if (st != STATUS_OK)
        st = part_judge(out, spec->id, st, &why, err);
    else if (!out->with_page || (st = show_both(spec, &drawn, out, err)) == STATUS_OK)
        st = write_picture(spec, &drawn, out, err);
    clear_picture(&drawn);
    return st;
}

static const option_spec options[] = {
    PART_HEAD_ROWS(network_plot_spec, "network, rows and learner"),
    PART_ROW(OPT_NETWORK, "network", network_plot_spec, network, .is_required = true,
             .help = "a network of the experiment"),
    PART_ROW(OPT_LEARNER, "learner", network_plot_spec, learner, .is_required = true,
             .help = "whose graph of the first data set is drawn"),
    PLOT_SIZE_ROW(network_plot_spec, "where there is one size, that"),
    PART_ROW(OPT_LINE, "target", network_plot_spec, target, .usual = "the whole network",
             .help = "a variable: only the area around it is drawn"),
    PART_ROW(
        OPT_COUNT, "radius", network_plot_spec, radius, .least = 1, .most = 1000, .usual = "2",
        .help =
            "of that area: variables within so many steps in either graph, and the edges with an end nearer than that"),
    PLOT_STYLE_ROW(network_plot_spec),
    {0},
};

static status complete(void *declared, const experiment_outputs *outputs, const char **key, error_info *err) {
    network_plot_spec *spec = declared;
    *key = "radius";
    if (spec->radius && !spec->target)
        return error_set(err, STATUS_INVALID, "a radius needs a 'target', the variable in the middle");
    spec->radius = spec->radius ? spec->radius : 2;
    return plot_settle_size(outputs, &spec->samples, key, err);
}

const part_kind part_network_plot = {
    .group = PART_PLOT,
    .name = "network",
    .summary = "a learned network against the true one: found edges, turned, extra and missing ones",
    .options_size = sizeof(network_plot_spec),
    .options = options,
    .needs = PART_NEEDS_TEXTS | PART_NEEDS_TRUTH,
    .complete = complete,
    .make = make,
};
