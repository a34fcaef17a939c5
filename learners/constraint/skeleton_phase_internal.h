/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Skeletons from data with tests on contingency tables: the learners mmpc, pmmpc and pmms, and phase one of the
 * hybrids. */
#ifndef BNB_LEARNERS_CONSTRAINT_SKELETON_PHASE_INTERNAL_H
#define BNB_LEARNERS_CONSTRAINT_SKELETON_PHASE_INTERNAL_H

#include "core/base/options.h"
#include "core/data/dataset.h"
#include "core/graph/pdag.h"
#include "core/run/run_context.h"
#include "learners/base/neighbour_lists.h"
#include "learners/constraint/test_source_internal.h"

#include <stddef.h>

typedef struct {
    skeleton_test_options test;
    int max_k;
    int symmetry;
    bool opt4, opt5;
} mmpc_options;

typedef struct {
    skeleton_test_options test;
    int symmetry;
} pmmpc_options;

/* One row a line. */
/* clang-format off */

/* Rows for a member `skeleton` (an mmpc_options or a pmmpc_options) of the struct `type`. */
#define PMMPC_ROWS(type)                                                                                               \
    TEST_SOURCE_ROWS(type, skeleton.test),                                                                             \
    {OPT_CHOICE, "symmetry", offsetof(type, skeleton.symmetry), SYMMETRY_AND, 0, 0,                                    \
     "keep an edge if both ends found it, or if one did", SYMMETRY_CHOICES}

#define MMPC_ROWS(type)                                                                                                \
    PMMPC_ROWS(type),                                                                                                  \
    {OPT_INT, "maxk", offsetof(type, skeleton.max_k), 10, -1, 1000000, "largest conditioning set; -1: no limit", NULL},\
    {OPT_BOOL, "opt4", offsetof(type, skeleton.opt4), true, 0, 0,                                                      \
     "a variable that did not find the target is no candidate", NULL},                                                 \
    {OPT_BOOL, "opt5", offsetof(type, skeleton.opt5), true, 0, 0,                                                      \
     "a variable that found the target is a candidate from the start", NULL}

/* clang-format on */

/** The skeleton that MMPC (PMMPC) finds; ctx->tests counts. At the deadline what there is, and *is_cut_short. */
BNB_MUST_CHECK status skeleton_phase_mmpc(const dataset *data, const mmpc_options *options, run_context *ctx,
                                          pdag **out, bool *is_cut_short, error_info *err);
BNB_MUST_CHECK status skeleton_phase_pmmpc(const dataset *data, const pmmpc_options *options, run_context *ctx,
                                           pdag **out, bool *is_cut_short, error_info *err);

#endif
