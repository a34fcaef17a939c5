/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A network of tables while a file is read: what every reader checks, whatever its format is. */
#ifndef BNB_GENERATORS_NETWORKS_NETWORK_DRAFT_H
#define BNB_GENERATORS_NETWORKS_NETWORK_DRAFT_H

#include "core/base/text_set.h"
#include "core/models/bayes_net.h"
#include "generators/networks/text_place.h"

#include <stdbool.h>

typedef struct {
    char *name;
    text_set states;
    text_place declared, given; /* the second of its table; line 0 without one, or where places are not known */
    bool has_family;
    size_t *parents;
    size_t n_parents, q;
    double *table; /* as that of a bayes_net */
    size_t stamp;
} draft_node;

/** Zero-initialise, then network_draft_init. Owns all. */
typedef struct {
    char *name; /* what the file calls the network; NULL where it does not */
    draft_node *nodes;
    size_t n, capacity;
    name_index *index;
    uint64_t cells_left, states_left; /* what a text of this size can justify */
    size_t n_families, n_scaled;
} network_draft;

/** How a file orders the numbers of a table: where the child varies, and whether the first parent is faster than the
 * last rather than slower. */
typedef enum { DRAFT_CHILD_FASTEST = 0, DRAFT_CHILD_SLOWEST = 1, DRAFT_FIRST_PARENT_FASTER = 2 } draft_order; /* ored */

BNB_MUST_CHECK status network_draft_init(network_draft *d, size_t text_length, error_info *err);
void network_draft_clear(network_draft *d);

/** The names are unescaped (name_escape.h). STATUS_PARSE: empty, there already, more states than a variable has. */
BNB_MUST_CHECK status draft_add_node(network_draft *d, text_place place, const char *name, size_t length,
                                     error_info *err);
BNB_MUST_CHECK status draft_add_state(network_draft *d, size_t node, text_place place, const char *state, size_t length,
                                      error_info *err);

/** States "0", "1", ... STATUS_PARSE: none, too many, more than the text can justify. */
BNB_MUST_CHECK status draft_number_states(network_draft *d, size_t node, text_place place, size_t n, error_info *err);

/** The node or state of that name; STATUS_PARSE where there is none. */
BNB_MUST_CHECK status draft_find_node(const network_draft *d, text_place place, const char *name, size_t length,
                                      size_t *out, error_info *err);
BNB_MUST_CHECK status draft_find_state(const network_draft *d, size_t node, text_place place, const char *state,
                                       size_t length, size_t *out, error_info *err);

/** Gives a node its parents, once, and a table of zeros. STATUS_PARSE: also where the table is past the limits. */
BNB_MUST_CHECK status draft_set_parents(network_draft *d, size_t node, text_place place, const size_t *parents,
                                        size_t n_parents, error_info *err);

/** All the numbers of a table; STATUS_PARSE: another number of them, rows that do not sum to one. */
BNB_MUST_CHECK status draft_set_table(network_draft *d, size_t node, text_place place, const double *values, size_t n,
                                      unsigned order, error_info *err);

/** One row, for the configuration that has this place where the last parent varies fastest. */
BNB_MUST_CHECK status draft_set_row(network_draft *d, size_t node, text_place place, size_t row, const double *values,
                                    error_info *err);

/**
 * The network, called by its own name or, where that is none or "unknown", by `name`; moves the tables.
 * STATUS_PARSE: no variable, one without states or table, a cycle.
 */
BNB_MUST_CHECK status draft_build(network_draft *d, const char *name, bayes_net **out, error_info *err);

#define NETWORK_ROW_REFUSED_FROM 1e-4

/** Scales a row to one where it is off by more than 1e-10, and counts it from 1e-6; false, and the sum, from 1e-4. */
bool network_row_scale(double *row, size_t n, double *sum, size_t *n_scaled);

/** The configuration of a node's table that has this place where the last parent varies fastest. */
size_t network_row_of_place(const bayes_net *net, size_t node, size_t place);

#endif
