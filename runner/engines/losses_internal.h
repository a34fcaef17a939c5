/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which workers were lost, on which machines, and which jobs were given up for it. */
#ifndef BNB_RUNNER_ENGINES_LOSSES_INTERNAL_H
#define BNB_RUNNER_ENGINES_LOSSES_INTERNAL_H

#include "runner/shared/plan_folder_internal.h"

/** The notes in lost/ as they were seen. Zero-initialise. */
typedef struct {
    folder_list seen;
} losses;

void losses_clear(losses *l);

/** Looks again. A sentence for each new one is appended to `said`, which may be NULL. */
BNB_MUST_CHECK status losses_look(losses *l, const char *folder, const folder_plan *p, text_buffer *said,
                                  error_info *err);

/** The machines of the losses that `before` does not have, each once, with commas; nothing where there are none. */
void losses_append_machines(const losses *l, const losses *before, text_buffer *out);

/** A line for each job in given_up/: its cell, and the machines that it lost workers on. */
BNB_MUST_CHECK status losses_explain(const losses *l, const char *folder, const folder_plan *p, text_buffer *out,
                                     error_info *err);

#endif
