/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A learner: an entry in the registry. Adding one is one file and one line in registry.def. */
#ifndef BNB_LEARNERS_BASE_LEARNER_H
#define BNB_LEARNERS_BASE_LEARNER_H

#include "core/base/options.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/data/dataset.h"
#include "core/graph/pdag.h"
#include "core/run/run_context.h"
#include "learners/base/neighbour_lists.h"

/** What a run gives. Zero-initialise; the caller clears it. */
typedef struct {
    pdag *graph;            /* node i is column i */
    bool is_cut_short;      /* the deadline came first: the best graph so far */
    const char *remark;     /* what a reader of the result ought to know; NULL: nothing; static */
    const char *score_name; /* NULL where the learner optimises none; static */
    double score;           /* of the graph, on the data that it was learned from */
    neighbour_lists *found; /* by column, what its own search found, where that is the result; NULL elsewhere */
} learner_result;

void learner_result_clear(learner_result *result);

typedef struct learner learner;

struct learner {
    const char *name;
    const char *const *aliases; /* NULL-terminated, or NULL */
    const char *summary;        /* one line, no full stop */
    const char *citation;
    int version; /* raised when results change: part of a stored result's key */
    int accepts; /* data_kinds, ored */
    graph_kind returns;
    bool is_anytime;
    bool depends_on_order; /* of the columns; false where the result does not */
    bool keeps_checkpoint; /* in ctx->checkpoint */
    const option_spec *options;
    size_t options_size;
    int variant; /* for `run` alone: which of several learners that share it this one is */
    status (*run)(const learner *self, const dataset *data, const void *options, run_context *ctx,
                  learner_result *result, error_info *err);
};

/** An options struct on the heap with initial values; NULL without memory. free() it. */
void *learner_options_create(const learner *l);

/**
 * Checks that the learner takes this data (kinds of columns, at least one row) and a checkpoint if one is named, then
 * runs it.
 * @return STATUS_INVALID where it does not; else what the learner returns.
 */
BNB_MUST_CHECK status learner_run(const learner *l, const dataset *data, const void *options, run_context *ctx,
                                  learner_result *result, error_info *err);

/** What a result depends on, as a word: the learner with its version and options, and the data. */
BNB_MUST_CHECK status learner_append_key(const learner *l, const dataset *data, const void *options, text_buffer *out,
                                         error_info *err);

#endif
