/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a reader of figures must know of cells that count as failed because they failed in the paper. */
#ifndef BNB_PARTS_FIGURES_PAPER_FAILURES_H
#define BNB_PARTS_FIGURES_PAPER_FAILURES_H

#include "core/base/text.h"
#include "parts/figures/outputs.h"

/**
 * "mmhc counts as failed on 7 networks, as in the paper (failed_in_paper)." for each learner of these outputs, or of
 * which one of them stands for the best, as far as their networks and sample sizes go; nothing where there is none.
 */
void paper_failures_append(const experiment_outputs *o, text_buffer *out);

#endif
