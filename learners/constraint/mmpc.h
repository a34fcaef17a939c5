/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The skeletons of MMPC and of its polynomial version: learners by themselves, and phase one of the hybrids. */
#ifndef BNB_LEARNERS_CONSTRAINT_MMPC_H
#define BNB_LEARNERS_CONSTRAINT_MMPC_H

#include "core/base/options.h"
#include "core/data/dataset.h"
#include "core/graph/pdag.h"
#include "core/run/run_context.h"
#include "learners/base/neighbour_lists.h"
#include "learners/constraint/test_source_internal.h"

#include <stddef.h>

/** Whether the least association of a pair is sought over all sets of members, or greedily. */
typedef enum { MMPC_BY_ALL_SETS, MMPC_GREEDILY } mmpc_kind;

typedef struct {
    skeleton_test_options test;
    int symmetry;
    int max_k; /* this and the next two: MMPC_BY_ALL_SETS alone */
    bool opt4, opt5;
    size_t part_columns; /* targets whose pairs are looked at before they are searched; 0: as many as fit. No option */
} mmpc_options;

/* One row a line. */
/* clang-format off */

/* Rows for a member `skeleton`, an mmpc_options, of the struct `type`. */
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

/** The skeleton of the data; ctx->tests counts. At the deadline what there is by then, and *is_cut_short. */
BNB_MUST_CHECK status mmpc_phase(const dataset *data, mmpc_kind kind, const mmpc_options *options, run_context *ctx,
                                 pdag **out, bool *is_cut_short, error_info *err);

#endif
