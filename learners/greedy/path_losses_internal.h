/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which nodes of a DAG lose which when an arc goes, found by searches: no ancestors are kept. */
#ifndef BNB_LEARNERS_GREEDY_PATH_LOSSES_INTERNAL_H
#define BNB_LEARNERS_GREEDY_PATH_LOSSES_INTERNAL_H

#include "learners/greedy/supports_internal.h"

/** Who is told that no path leads from x to z any more. */
typedef struct {
    void *of;
    status (*lose)(void *of, size_t x, size_t z, error_info *err);
} loss_listener;

typedef struct path_losses path_losses;

/** Of changes of `g` (borrowed); scratch of 64 bytes a node. */
BNB_MUST_CHECK status path_losses_create(const dag *g, path_losses **out, error_info *err);
void path_losses_destroy(path_losses *p); /* NULL is fine */
AUTO_PTR_OF(path_losses, path_losses_destroy)

/**
 * The arc is gone: each pair that lost its last path is told, once. Supports (NULL: none), which are as they were with
 * the arc but for what is told, make the searches short.
 */
BNB_MUST_CHECK status path_losses_tell(path_losses *p, const supports *known, size_t from, size_t to,
                                       const loss_listener *listener, error_info *err);

#endif
