/* SPDX-License-Identifier: GPL-3.0-or-later */
/** From a declared network to the network. */
#ifndef BNB_RUNNER_PLAN_NETWORK_SOURCE_INTERNAL_H
#define BNB_RUNNER_PLAN_NETWORK_SOURCE_INTERNAL_H

#include "generators/catalogue/any_network.h"
#include "runner/declare/experiment.h"

/** Reads it, and tiles it where the source says so. `name` is its name in the experiment. */
BNB_MUST_CHECK status network_source_load(const network_source *source, const char *name, any_network *out,
                                          error_info *err);

#endif
