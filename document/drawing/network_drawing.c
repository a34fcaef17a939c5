/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/drawing/network_drawing.h"

#include "document/display.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef enum { PAIR_PLAIN, PAIR_RIGHT, PAIR_TURNED, PAIR_EXTRA, PAIR_MISSING, N_PAIR_KINDS } pair_kind;

/* Okabe and Ito: black, bluish green, orange, vermilion, blue. */
static const struct {
    const char *colour, *style, *label, *sample;
    double width;
} looks[N_PAIR_KINDS] = {
    [PAIR_PLAIN] = {"#000000", "solid", "edge", "&#9473;&#9473;", 1.2},
    [PAIR_RIGHT] = {"#009E73", "solid", "found", "&#9473;&#9473;", 2.2},
    [PAIR_TURNED] = {"#E69F00", "solid", "found, another direction", "&#9473;&#9473;", 2.2},
    [PAIR_EXTRA] = {"#D55E00", "dashed", "extra", "&#9476;&#9476;", 1.6},
    [PAIR_MISSING] = {"#0072B2", "dotted", "missing", "&#8943;&#8943;", 1.6},
};

enum { LABEL_COLUMNS = 60, TITLE_COLUMNS = 200 };
static const double node_font = 11, title_over_node = 14.0 / 11, pixels_per_inch = 96, endless_inches = 1000;

typedef struct {
    const network_drawing *d;
    text_buffer *out;
    size_t counts[N_PAIR_KINDS];
    bool *is_found; /* by node: at an edge of both graphs */
} sketch;

/*
 * Text as a label: quotes and backslashes escaped, for a backslash starts an escape and as the last character would
 * hide the closing quote; an ampersand as the entity that it would else start. Control characters and broken UTF-8 go.
 */
static void append_label(text_buffer *b, const char *text, size_t most) {
    AUTO_FREE char *clean = display_copy_plain(text, most);
    if (!clean) {
        b->failed = true;
        return;
    }
    text_append(b, "\"");
    for (const char *c = clean; *c; c++) {
        if (*c == '"' || *c == '\\')
            text_append(b, "\\");
        if (*c == '&')
            text_append(b, "&amp;");
        else
            text_append_bytes(b, c, 1);
    }
    text_append(b, "\"");
}

static bool is_shown(const network_drawing *d, size_t node) {
    return !d->is_shown || d->is_shown[node];
}

static bool is_edge_shown(const network_drawing *d, size_t a, size_t b) {
    return is_shown(d, a) && is_shown(d, b) && (!d->is_inner || d->is_inner[a] || d->is_inner[b]);
}

static status check(const network_drawing *d, error_info *err) {
    const pdag *graphs[] = {d->truth, d->learned};
    if (!d->truth && !d->learned)
        return error_set(err, STATUS_INVALID, "there is no graph to draw");
    for (size_t i = 0; i < 2; i++) {
        if (graphs[i] && pdag_node_count(graphs[i]) != d->n_nodes)
            return error_set(err, STATUS_INVALID, "a graph of %zu nodes; there are names for %zu",
                             pdag_node_count(graphs[i]), d->n_nodes);
    }
    return STATUS_OK;
}

static pair_kind compare(const network_drawing *d, edge_kind learned, edge_kind truth) {
    if (!d->truth || !d->learned)
        return PAIR_PLAIN;
    if (truth == EDGE_NONE)
        return PAIR_EXTRA;
    if (learned == EDGE_NONE)
        return PAIR_MISSING;
    return learned == truth || d->ignores_directions ? PAIR_RIGHT : PAIR_TURNED;
}

/* How the pair is drawn: as learned where it was learned, unless the learned graph knows no directions. */
static edge_kind drawn_as(const network_drawing *d, edge_kind learned, edge_kind truth) {
    return learned == EDGE_NONE || (d->ignores_directions && truth != EDGE_NONE) ? truth : learned;
}

static void append_look(text_buffer *b, pair_kind kind) {
    text_append_format(b, "color=\"%s\", style=%s, penwidth=%.1f", looks[kind].colour, looks[kind].style,
                       looks[kind].width);
}

/* Of the one graph that is seen: an edge that it has, or the room of one that it has not. */
static void append_seen(text_buffer *b, edge_kind as, edge_kind seen) {
    bool is_turned = (as == EDGE_IN) != (seen == EDGE_IN);
    if (seen == EDGE_NONE) {
        text_append(b, "style=invis];\n");
        return;
    }
    append_look(b, PAIR_PLAIN);
    text_append(b, seen == EDGE_UNDIRECTED ? ", dir=none];\n" : is_turned ? ", dir=back];\n" : "];\n");
}

static void append_edge(sketch *s, size_t node, size_t other, edge_kind as, pair_kind kind) {
    text_append_format(s->out, "    n%zu -> n%zu [", as == EDGE_IN ? other : node, as == EDGE_IN ? node : other);
    if (s->d->seen) {
        append_seen(s->out, as, pdag_edge_between(s->d->seen, node, other));
        return;
    }
    append_look(s->out, kind);
    text_append(s->out, as == EDGE_UNDIRECTED ? ", dir=none];\n" : "];\n");
}

/* Each pair at its lower node: a merge of the two lists, which are ascending. */
static void draw_pairs_of(sketch *s, size_t node, bool is_dry) {
    const network_drawing *d = s->d;
    size_t n_ours = 0, n_theirs = 0, i = 0, j = 0;
    const pdag_edge *ours = d->learned ? pdag_edges(d->learned, node, &n_ours) : NULL;
    const pdag_edge *theirs = d->truth ? pdag_edges(d->truth, node, &n_theirs) : NULL;
    while (i < n_ours || j < n_theirs) {
        size_t a = i < n_ours ? ours[i].node : SIZE_MAX, b = j < n_theirs ? theirs[j].node : SIZE_MAX;
        size_t other = a < b ? a : b;
        edge_kind learned = i < n_ours && a == other ? ours[i++].kind : EDGE_NONE;
        edge_kind truth = j < n_theirs && b == other ? theirs[j++].kind : EDGE_NONE;
        pair_kind kind = compare(d, learned, truth);
        if (other < node || !is_edge_shown(d, node, other))
            continue;
        if (!is_dry) {
            append_edge(s, node, other, drawn_as(d, learned, truth), kind);
            continue;
        }
        s->counts[kind]++;
        if (kind == PAIR_RIGHT || kind == PAIR_TURNED)
            s->is_found[node] = s->is_found[other] = true;
    }
}

static void append_nodes(sketch *s) {
    const network_drawing *d = s->d;
    for (size_t i = 0; i < d->n_nodes; i++) {
        if (!is_shown(d, i))
            continue;
        text_append_format(s->out, "    n%zu [label=", i);
        append_label(s->out, d->names[i], LABEL_COLUMNS);
        if (!d->seen && s->is_found[i] && (!d->is_filled || d->is_filled[i]))
            text_append(s->out, ", style=filled, fillcolor=\"#D9F0E8\"");
        text_append(s->out, i == d->focus ? ", shape=doubleoctagon];\n" : "];\n");
    }
}

/* Two kinds a row, each with a piece of its line and its number. Small, for it says less than the drawing. */
static void append_legend(sketch *s) {
    size_t n = 0;
    for (pair_kind kind = PAIR_RIGHT; kind < N_PAIR_KINDS; kind++) {
        if (s->counts[kind] == 0)
            continue;
        text_append(s->out, n % 2 == 0 ? n ? "</TR><TR>" : "<TR>" : "");
        text_append_format(s->out, "<TD ALIGN=\"LEFT\"><FONT COLOR=\"%s\">%s</FONT> %s: %zu</TD>", looks[kind].colour,
                           looks[kind].sample, looks[kind].label, s->counts[kind]);
        n++;
    }
    text_append(s->out, n ? "</TR>" : "");
}

static size_t count_kinds(const sketch *s) {
    size_t n = 0;
    for (pair_kind kind = PAIR_RIGHT; kind < N_PAIR_KINDS; kind++)
        n += s->counts[kind] > 0;
    return n;
}

/* Scaled, up too, until it fills the box; a side that is not given may become as long as it likes. */
static void append_size(const plot_style *style, text_buffer *out) {
    if (style->width > 0 || style->height > 0)
        text_append_format(out, "    size=\"%.4f,%.4f!\";\n",
                           style->width > 0 ? (double)style->width / pixels_per_inch : endless_inches,
                           style->height > 0 ? (double)style->height / pixels_per_inch : endless_inches);
}

/* Between the tags of Graphviz's HTML. */
static void append_tagged(text_buffer *b, const char *text, size_t most) {
    AUTO_FREE char *clean = display_copy_plain(text, most);
    b->failed |= !clean;
    for (const char *c = clean ? clean : ""; *c; c++)
        text_append_bytes(b,
                          *c == '&'   ? "&amp;"
                          : *c == '<' ? "&lt;"
                          : *c == '>' ? "&gt;"
                                      : c,
                          *c == '&'                ? 5
                          : *c == '<' || *c == '>' ? 4
                                                   : 1);
}

/* The title, and below it the legend: outside the drawing, so that neither moves a node. */
static void append_heading(sketch *s, bool has_legend) {
    if (has_legend && count_kinds(s) > 0) {
        text_append(s->out, "    label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"2\" CELLPADDING=\"1\">");
        if (s->d->title) {
            text_append(s->out, "<TR><TD COLSPAN=\"2\">");
            append_tagged(s->out, s->d->title, TITLE_COLUMNS);
            text_append(s->out, "</TD></TR>");
        }
        append_legend(s);
        text_append(s->out, "</TABLE>>;\n");
    } else if (s->d->title) {
        text_append(s->out, "    label=");
        append_label(s->out, s->d->title, TITLE_COLUMNS);
        text_append(s->out, ";\n");
    }
}

static void append_head(sketch *s) {
    static const plot_style as_it_comes = {0};
    const plot_style *style = s->d->style ? s->d->style : &as_it_comes;
    double font = style->font_size > 0 ? style->font_size : node_font;
    bool has_legend = style->key != PLOT_KEY_NONE && !s->d->seen;
    text_append(s->out, "digraph {\n    charset=\"UTF-8\"; rankdir=LR; fontname=\"Helvetica\"; labelloc=t;\n");
    append_heading(s, has_legend);
    append_size(style, s->out);
    if (style->font_size > 0)
        text_append_format(s->out, "    fontsize=%g;\n", title_over_node * font);
    text_append_format(
        s->out, "    node [shape=ellipse, fontname=\"Helvetica\", fontsize=%g];\n    edge [arrowsize=0.7];\n", font);
}

static void fill_tally(const sketch *s, network_drawing_tally *tally) {
    *tally = (network_drawing_tally){.n_right = s->counts[PAIR_RIGHT],
                                     .n_turned = s->counts[PAIR_TURNED],
                                     .n_extra = s->counts[PAIR_EXTRA],
                                     .n_missing = s->counts[PAIR_MISSING]};
    for (size_t i = 0; i < s->d->n_nodes; i++)
        tally->n_nodes += is_shown(s->d, i);
}

status network_drawing_append_dot(const network_drawing *d, text_buffer *out, network_drawing_tally *tally,
                                  error_info *err) {
    sketch s = {.d = d, .out = out};
    status st = STATUS_OK;
    TRY(check(d, err));
    TRY_ALLOC(s.is_found = calloc(d->n_nodes + 1, sizeof *s.is_found));
    for (size_t i = 0; i < d->n_nodes; i++)
        draw_pairs_of(&s, i, true);
    append_head(&s);
    append_nodes(&s);
    for (size_t i = 0; i < d->n_nodes; i++)
        draw_pairs_of(&s, i, false);
    text_append(out, "}\n");
    TRY(text_buffer_check(out, err));
    if (tally)
        fill_tally(&s, tally);
cleanup:
    free(s.is_found);
    return st;
}

static status mark_near(const pdag *g, size_t target, size_t radius, bool *is_near, error_info *err) {
    size_t n = pdag_node_count(g), n_reached = 1;
    AUTO_FREE size_t *queue = calloc(n + 1, sizeof *queue), *steps = calloc(n + 1, sizeof *steps);
    CHECK_ALLOC(queue);
    CHECK_ALLOC(steps);
    for (size_t i = 0; i < n; i++)
        steps[i] = i == target ? 0 : SIZE_MAX;
    queue[0] = target;
    for (size_t i = 0; i < n_reached; i++) {
        size_t v = queue[i], n_edges;
        const pdag_edge *edges = pdag_edges(g, v, &n_edges);
        is_near[v] = true;
        for (size_t k = 0; k < n_edges && steps[v] < radius; k++) {
            if (steps[edges[k].node] != SIZE_MAX)
                continue;
            steps[edges[k].node] = steps[v] + 1;
            queue[n_reached++] = edges[k].node;
        }
    }
    return STATUS_OK;
}

status network_region(const pdag *truth, const pdag *learned, size_t target, size_t radius, bool *is_near,
                      error_info *err) {
    const pdag *graphs[] = {truth, learned};
    status st = STATUS_OK;
    for (size_t g = 0; g < 2; g++) {
        if (graphs[g] && target >= pdag_node_count(graphs[g]))
            return error_set(err, STATUS_INVALID, "node %zu; there are %zu", target, pdag_node_count(graphs[g]));
        if (graphs[g])
            memset(is_near, 0, pdag_node_count(graphs[g]) * sizeof *is_near);
    }
    for (size_t g = 0; g < 2 && st == STATUS_OK; g++) {
        if (graphs[g])
            st = mark_near(graphs[g], target, radius, is_near, err);
    }
    return st;
}
