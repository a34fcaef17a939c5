/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which cells the entries of `failed_in_paper` mean. */
#ifndef BNB_RUNNER_FAILED_IN_PAPER_H
#define BNB_RUNNER_FAILED_IN_PAPER_H

#include "runner/declare/experiment.h"

/** Whether an entry can be understood only by who knows what the networks are. */
bool failures_need_facts(const experiment *e);

/** Fills outputs.paper_failures anew; of a network without the facts that a rule names it says that they are not known.
 */
BNB_MUST_CHECK status failures_resolve(experiment *e, error_info *err);

#endif
