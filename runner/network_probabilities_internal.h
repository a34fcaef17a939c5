/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What tables of probabilities need of networks. */
#ifndef BNB_RUNNER_NETWORK_PROBABILITIES_INTERNAL_H
#define BNB_RUNNER_NETWORK_PROBABILITIES_INTERNAL_H

#include "generators/catalogue/any_network.h"
#include "runner/declare/experiment.h"

/** Whether any table shows probabilities of the network. */
bool network_probabilities_wanted(const part_list *parts, const char *network);

/** Adds those that tables show of the network to `o`, where it has tables and the variable. STATUS_MEMORY. */
BNB_MUST_CHECK status network_probabilities_add(const part_list *parts, const char *network, const any_network *net,
                                                experiment_outputs *o, error_info *err);

#endif
