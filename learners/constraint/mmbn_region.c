/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/constraint/mmbn_region.h"

#include <stdlib.h>

typedef struct {
    pdag *g;
    size_t *queue; /* every variable that was reached, in order */
    size_t n_reached;
    size_t *steps; /* by variable, from the target; only where is_reached */
    bool *is_reached;
} region;

static void reach(region *r, size_t variable, size_t steps) {
    if (r->is_reached[variable])
        return;
    r->is_reached[variable] = true;
    r->steps[variable] = steps;
    r->queue[r->n_reached++] = variable;
}

static status add_members(region *r, size_t variable, const size_t *members, size_t n_members, error_info *err) {
    for (size_t i = 0; i < n_members; i++) {
        CHECK(pdag_set_edge(r->g, variable, members[i], EDGE_UNDIRECTED, err));
        reach(r, members[i], r->steps[variable] + 1);
    }
    return STATUS_OK;
}

static status expand(region *r, mmpc_search *search, size_t depth, error_info *err) {
    for (size_t i = 0; i < r->n_reached && r->steps[r->queue[i]] < depth; i++) {
        const size_t *members = NULL;
        size_t n_members = 0;
        CHECK(mmpc_search_target(search, r->queue[i], NULL, &members, &n_members, err));
        if (mmpc_search_is_cut_short(search))
            break; /* half a list says nothing that could be trusted */
        CHECK(add_members(r, r->queue[i], members, n_members, err));
    }
    return STATUS_OK;
}

status mmbn_region(const association_source *source, size_t n_variables, const mmpc_rules *rules, size_t target,
                   size_t depth, const run_context *ctx, pdag **out, bool *is_cut_short, error_info *err) {
    status st = STATUS_OK;
    mmpc_search *search = NULL;
    region r = {0};

    TRY_ALLOC(r.queue = calloc(n_variables + 1, sizeof *r.queue));
    TRY_ALLOC(r.steps = calloc(n_variables + 1, sizeof *r.steps));
    TRY_ALLOC(r.is_reached = calloc(n_variables + 1, sizeof *r.is_reached));
    TRY(pdag_create(n_variables, &r.g, err));
    TRY(mmpc_search_create(source, n_variables, rules, ctx, &search, err));
    reach(&r, target, 0);
    TRY(expand(&r, search, depth, err));
    *out = r.g;
    r.g = NULL;
    *is_cut_short = mmpc_search_is_cut_short(search);
cleanup:
    mmpc_search_destroy(search);
    pdag_destroy(r.g);
    free(r.queue);
    free(r.steps);
    free(r.is_reached);
    return st;
}
