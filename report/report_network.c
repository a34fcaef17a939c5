/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plot of kind network: one learned graph, or a region of it, against the true one, by Graphviz. */
#include "core/base/file.h"
#include "core/graph/equivalence.h"
#include "core/graph/graph_file.h"
#include "document/drawing/drawing_program.h"
#include "report/report_internal.h"

#include <stdlib.h>
#include <string.h>

static const double dot_timeout_s = 120;

/* What is drawn. Owned. */
typedef struct {
    named_graph truth;
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
    pdag_destroy(p->learned);
    pdag_destroy(p->compared);
    free(p->is_near);
    free(p->is_inner);
    free(p->is_truly_near);
    free(p->title);
}

const job_record *report_find_graph(const report *r, const plot_spec *spec) {
    for (size_t i = 0; i < r->n_records; i++) {
        const job_record *record = &r->records[i];
        if (strcmp(record->network, spec->network) == 0 && strcmp(record->learner, spec->learner) == 0 &&
            outputs_is_size(spec->samples, record->n_samples) && record->replicate == 0 && record->state == JOB_DONE &&
            record->graph)
            return record;
    }
    return NULL;
}

const char *report_true_graph(const report *r, const char *network) {
    const experiment_outputs *o = r->outputs;
    for (size_t i = 0; o->true_graphs && i < o->n_networks; i++) {
        if (strcmp(o->networks[i], network) == 0)
            return o->true_graphs[i];
    }
    return NULL;
}

/* As the structural Hamming distance compares: patterns; of a skeleton the edges alone, drawn as they truly point. */
static status make_comparable(picture *p, error_info *err) {
    status st = STATUS_OK;
    pdag *pattern = NULL;
    if (p->ignores_directions)
        return pdag_copy(p->truth.graph, &p->compared, err);
    TRY(pdag_pattern(p->truth.graph, &p->compared, err));
    TRY(pdag_pattern(p->learned, &pattern, err));
    pdag_destroy(p->learned);
    p->learned = pattern;
    pattern = NULL;
cleanup:
    pdag_destroy(pattern);
    return st;
}

/* The area around a variable holds the edges with an end in fewer steps than the radius, as mmbn-local finds it. */
static status choose_region(picture *p, const plot_spec *spec, error_info *err) {
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

static status make_title(picture *p, const plot_spec *spec, error_info *err) {
    text_buffer b = {0};
    status st = STATUS_OK;
    if (spec->title)
        text_append(&b, spec->title);
    else
        text_append_format(&b, "%s, %zu rows, %s", spec->network, spec->samples, spec->learner);
    if (!spec->title && spec->target)
        text_append_format(&b, ": within %zu steps of %s", spec->radius, spec->target);
    TRY(text_buffer_check(&b, err));
    p->title = b.data;
    b = (text_buffer){0};
cleanup:
    text_buffer_clear(&b);
    return st;
}

static status make_picture(const plot_spec *spec, const job_record *record, const char *truth, picture *p,
                           error_info *err) {
    status st = STATUS_OK;
    named_graph learned = {0};
    TRY(graph_parse_csv(truth, strlen(truth), NULL, 0, &p->truth, err));
    TRY(graph_parse_csv(record->graph, strlen(record->graph), (const char *const *)p->truth.names, p->truth.n_nodes,
                        &learned, err));
    p->learned = learned.graph;
    learned.graph = NULL;
    p->ignores_directions = record->graph_kind && strcmp(record->graph_kind, "skeleton") == 0;
    TRY(make_comparable(p, err));
    TRY(choose_region(p, spec, err));
    TRY(make_title(p, spec, err));
cleanup:
    named_graph_clear(&learned);
    return st;
}

/* Runs dot on the file that lies there; a failure is a note. */
static status run_dot(report *r, const char *id, const char *name, bool *is_drawn, error_info *err) {
    char *folder = path_join(r->options->folder, "plots");
    text_buffer in = {0}, out = {0};
    const char *arguments[] = {"-Tsvg", "-o", NULL, NULL, NULL};
    error_info why = {0};
    status st = STATUS_OK, answer;
    TRY_ALLOC(folder);
    text_append_format(&in, "%s.dot", path_base(name));
    text_append_format(&out, "%s.svg", path_base(name));
    TRY(text_buffer_check(&in, err));
    TRY(text_buffer_check(&out, err));
    arguments[2] = out.data;
    arguments[3] = in.data;
    answer = r->graphviz_is_missing ? STATUS_MISSING
                                    : drawing_program_run(&drawing_dot, folder, arguments, dot_timeout_s, &why);
    *is_drawn = answer == STATUS_OK;
    if (*is_drawn) {
        st = report_list_file(r, name, ".svg", err);
    } else if (!r->graphviz_is_missing) {
        r->graphviz_is_missing = answer == STATUS_MISSING;
        st = report_add_note(r, r->graphviz_is_missing ? "no drawings of networks" : id, why.message, err);
    }
cleanup:
    free(folder);
    text_buffer_clear(&in);
    text_buffer_clear(&out);
    return st;
}

status report_draw_network(report *r, const char *id, const network_drawing *drawing, network_drawing_tally *tally,
                           const char **name, bool *is_drawn, error_info *err) {
    text_buffer dot = {0};
    status st = STATUS_OK;
    TRY(network_drawing_append_dot(drawing, &dot, tally, err));
    TRY(report_begin_plot(r, id, name, err));
    TRY(report_write_text(r, *name, ".dot", &dot, err));
    TRY(run_dot(r, id, *name, is_drawn, err));
cleanup:
    text_buffer_clear(&dot);
    return st;
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

static status write_picture(report *r, const plot_spec *spec, const picture *p, error_info *err) {
    network_drawing d = {.title = p->title,
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
    network_drawing_tally tally;
    const char *name = NULL;
    bool is_drawn = false;
    document shown = {0};
    status st = STATUS_OK;
    TRY(report_draw_network(r, spec->id, &d, &tally, &name, &is_drawn, err));
    report_begin_picture(&shown, p->title, name, is_drawn, "Graphviz");
    add_notes(p, name, &tally, is_drawn, &shown);
    TRY(report_add_document(r, ROOM_NETWORKS, &shown, err));
cleanup:
    document_clear(&shown);
    return st;
}

status report_make_network(report *r, const plot_spec *spec, error_info *err) {
    const job_record *record = report_find_graph(r, spec);
    const char *truth = report_true_graph(r, spec->network);
    error_info why = {0};
    picture p = {0};
    status st, answer;
    if (!record || !truth)
        return report_add_note(r, spec->id,
                               record ? "no drawing, for the true network could not be read"
                                      : "no drawing, for there is no learned graph of that learner on that data",
                               err);
    answer = make_picture(spec, record, truth, &p, &why);
    st = answer == STATUS_OK ? write_picture(r, spec, &p, err) : report_judge(r, spec->id, answer, &why, err);
    clear_picture(&p);
    return st;
}
