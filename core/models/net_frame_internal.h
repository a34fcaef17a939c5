/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What networks of every kind have: a name, variables that are found by name, parents in an order, the DAG of both. */
#ifndef BNB_CORE_MODELS_NET_FRAME_INTERNAL_H
#define BNB_CORE_MODELS_NET_FRAME_INTERNAL_H

#include "core/base/name_index.h"
#include "core/base/status.h"
#include "core/data/variable.h"
#include "core/graph/dag.h"

typedef struct {
    char *name;
    size_t n_nodes;
    variable *variables;
    size_t **parents; /* of each node, in the order of its table or coefficients; NULL until they are set */
    size_t *n_parents;
    name_index *index;
    dag *graph;
} net_frame;

/** A frame of n nodes whose variables are still zero. STATUS_INVALID: no node. Clear it also after a failure. */
BNB_MUST_CHECK status net_frame_init(net_frame *f, const char *name, size_t n_nodes, error_info *err);
void net_frame_clear(net_frame *f);

/** Makes variables[node], which is filled by now, known by its name. STATUS_INVALID: another one has it. */
BNB_MUST_CHECK status net_frame_index(net_frame *f, size_t node, error_info *err);

/** STATUS_INVALID: a node that is not there, or a node among its own parents. */
BNB_MUST_CHECK status net_frame_check_parents(const net_frame *f, size_t node, const size_t *parents, size_t n_parents,
                                              error_info *err);

/** Gives a node the parents, which were checked. STATUS_INVALID: one of them twice, or a cycle; f is unchanged. */
BNB_MUST_CHECK status net_frame_set_parents(net_frame *f, size_t node, const size_t *parents, size_t n_parents,
                                            error_info *err);

#endif
