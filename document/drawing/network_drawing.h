/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A drawing of a network, or of the difference between a learned one and the true one, in the language of Graphviz.
 * Colours of Okabe and Ito (2002), which people with any colour vision tell apart; each kind of edge has a line of its
 * own too.
 */
#ifndef BNB_DOCUMENT_DRAWING_NETWORK_DRAWING_H
#define BNB_DOCUMENT_DRAWING_NETWORK_DRAWING_H

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/graph/pdag.h"
#include "document/drawing/look.h"

/** Borrows everything. */
typedef struct {
    const char *title; /* above the drawing; NULL: none */
    size_t n_nodes;
    const char *const *names; /* taken as text, whatever is in them */
    const pdag *truth;        /* NULL: only `learned` is drawn, all edges alike */
    const pdag *learned;      /* NULL: only `truth` is drawn, all edges alike */
    bool ignores_directions;  /* the learned graph has none: an edge in both is right, and drawn as it is true */
    const bool *is_shown;     /* by node; NULL: all */
    const bool *is_inner;     /* by node: only edges with such an end are drawn, as of a region; NULL: all edges */
    const bool *is_filled;    /* by node: only these may be filled, as those of the true region; NULL: all */
    const pdag *seen;         /* of a difference: this graph alone is seen, all edges alike and as it has them, and lies
                                 as the difference does, whose other edges keep their room; NULL: the difference */
    size_t focus;             /* a node drawn as the one in the middle; NETWORK_NO_FOCUS: none */
    const plot_style *style;  /* the box that it fills, the font, PLOT_KEY_NONE for no legend; NULL: as it comes */
} network_drawing;

#define NETWORK_NO_FOCUS ((size_t)-1)

/** What a drawing shows, in edges. */
typedef struct {
    size_t n_nodes;
    size_t n_right, n_turned, n_extra, n_missing;
} network_drawing_tally;

/**
 * Appends a DOT graph: edges that both have alike are solid, with another direction solid and orange (drawn as
 * learned), extra ones dashed, missing ones dotted; a node at an edge that was found is filled, so that Figure 2 of
 * Tsamardinos et al. 2003 comes out of a region. The kinds that there are and their numbers stand below the title.
 *
 * Node i is called n<i> and labelled with its name. Compared is what is there: pass a CPDAG as the truth of a CPDAG.
 *
 * @param tally  what was drawn; NULL is fine
 * @return STATUS_INVALID: neither graph, or one of another number of nodes. STATUS_MEMORY.
 */
BNB_MUST_CHECK status network_drawing_append_dot(const network_drawing *d, text_buffer *out,
                                                 network_drawing_tally *tally, error_info *err);

/**
 * Marks the nodes that lie within `radius` steps of `target` in one of the graphs (each may be NULL), whatever the
 * directions of the edges, into `is_near` (all nodes). O(n + edges).
 */
BNB_MUST_CHECK status network_region(const pdag *truth, const pdag *learned, size_t target, size_t radius,
                                     bool *is_near, error_info *err);

#endif
