/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What commands read: networks by name or file, data with its state spaces, graphs, options, and what ships with
 * bnbench. */
#ifndef BNB_CLI_BASE_INPUTS_H
#define BNB_CLI_BASE_INPUTS_H

#include "cli/base/command.h"
#include "core/base/options.h"
#include "core/data/dataset.h"
#include "core/graph/graph_file.h"
#include "core/models/bayes_net.h"
#include "generators/catalogue/any_network.h"

/**
 * A network by its name in the catalogue, by its file, or "-" for standard input. The caller destroys it.
 * STATUS_INVALID: it is a linear-Gaussian one.
 */
BNB_MUST_CHECK status input_network(cli *c, const char *name, bayes_net **out, error_info *err);

/** The same of either kind; the caller clears it. */
BNB_MUST_CHECK status input_any_network(cli *c, const char *name, any_network *out, error_info *err);

/** True if a name of the catalogue has its file on this computer, or is made of tiles of one that has. */
bool input_is_available(const char *name);

/** True if data of that name lie on this computer. */
bool input_data_is_here(const char *name);

/** True if the word means a network file: it ends in .bif, .json, or one of these and .gz. */
bool input_is_network_file(const char *word);

enum { INPUT_MOST_THREADS = 1024 };

/**
 * Data from a file (CSV or packed columns), "-" for standard input, by as many threads as --threads says. State spaces
 * from `states` where it holds a network (it may be NULL), else as core/data/dataset_csv.h says; an inferred choice is
 * reported on standard error.
 */
BNB_MUST_CHECK status input_data(cli *c, const char *path, const any_network *states, dataset **out, error_info *err);

/** The network named by --network; empty where that option was not given. */
BNB_MUST_CHECK status input_states(cli *c, any_network *out, error_info *err);

/** A graph from a file by its ending, else from CSV ("-" for standard input), or the graph of a network by file or
 * name. Clear it, on error too. */
BNB_MUST_CHECK status input_graph_read(cli *c, const char *word, named_graph *out, error_info *err);

/** Applies every `--NAME key=value` of the command line to an options struct that holds its initial values. */
BNB_MUST_CHECK status input_options(cli *c, const char *name, const option_spec *specs, void *options, error_info *err);

/** The column of a name that was typed; STATUS_INVALID with a suggestion. */
BNB_MUST_CHECK status input_column(cli *c, const dataset *data, const char *name, size_t *out, error_info *err);

/**
 * Calls `take` for every part of a list with commas; stops at the first failure. A part with a comma in it stands in
 * double quotes, as in CSV. STATUS_INVALID: a quote that is not closed.
 */
BNB_MUST_CHECK status input_list(const char *list, status (*take)(void *self, const char *part, error_info *err),
                                 void *self, error_info *err);

#endif
