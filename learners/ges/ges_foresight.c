/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/array.h"
#include "learners/ges/ges_search_internal.h"

/* Pa(Y), the clique and X, ascending, in scratch.family. */
static size_t list_family(ges_search *s, const ges_arrow *a) {
    size_t *family = s->scratch.family, n = 0, n_edges, n_clique;
    const pdag_edge *edges = pdag_edges(s->graph.class.cpdag, a->y, &n_edges);
    const size_t *clique = ges_sets_get(&s->cliques, a->clique, &n_clique);
    for (size_t i = 0; i < n_edges; i++) {
        if (edges[i].kind == EDGE_IN)
            family[n++] = edges[i].node;
    }
    for (size_t i = 0; i < n_clique; i++)
        family[n++] = clique[i];
    family[n++] = a->x;
    array_sort_sizes(family, n);
    return n;
}

static bool has_parents(const ges_search *s, size_t node) {
    size_t n;
    const pdag_edge *edges = pdag_edges(s->graph.class.cpdag, node, &n);
    for (size_t i = 0; i < n; i++) {
        if (edges[i].kind == EDGE_IN)
            return true;
    }
    return false;
}

void ges_foresee(ges_search *s, const ges_arrow *a) {
    size_t n = list_family(s, a);
    if (ges_is_full_family(s, n))
        return;
    ges_rows_foresee(&s->rows, a->y, s->scratch.family, n);
    if (n == 1 && !has_parents(s, a->x))
        ges_rows_foresee(&s->rows, a->x, &(size_t){a->y}, 1);
}
