/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the handles of bnbench.h hold, and how its functions fail. */
#ifndef BNB_LIBRARY_LIBRARY_INTERNAL_H
#define BNB_LIBRARY_LIBRARY_INTERNAL_H

#include "core/base/options.h"
#include "core/data/dataset.h"
#include "core/graph/graph_file.h"
#include "generators/catalogue/any_network.h"
#include "library/bnbench.h"

struct bnb_data {
    dataset *rows;
};

struct bnb_network {
    any_network net;
};

struct bnb_graph {
    named_graph g; /* with its kind */
};

/** What a function of the library returns for `st`; the message of `err` goes to `to`, which may be NULL. */
bnb_status library_answer(status st, const error_info *err, bnb_error *to);

/** BNB_CANCELLED with its one sentence. */
bnb_status library_cancelled(bnb_error *to);

/** Runs a function of this folder that fails as the rest of the program does. */
#define LIBRARY_CALL(to, call)                                                                                         \
    do {                                                                                                               \
        error_info err_here = {0}, *err = &err_here;                                                                   \
        status answer_here = (call);                                                                                   \
        return library_answer(answer_here, &err_here, to);                                                             \
    } while (0)

/** Sets options "name=value", closed by NULL, of a struct with its initial values. `pairs` may be NULL. */
BNB_MUST_CHECK status library_options(const char *const *pairs, const option_spec *specs, void *options,
                                      error_info *err);

/** A handle around a graph that is handed over: it is empty then. */
BNB_MUST_CHECK status library_graph_take(named_graph *g, graph_kind kind, bnb_graph **out, error_info *err);

#endif
