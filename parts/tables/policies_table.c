/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/tables/policies_table.h"

#include "parts/base/part.h"
#include "parts/tables/table.h"

#include <stddef.h>

policy_choice policies_table_choice(const policies_table_spec *t) {
    return (policy_choice){.n_networks = t->n_networks,
                           .networks = t->networks,
                           .n_samples = t->n_samples,
                           .samples = t->samples,
                           .n_sigmas = t->n_sigmas,
                           .sigmas = t->sigmas,
                           .n_learners = t->n_learners,
                           .learners = t->learners,
                           .n_variables = t->n_variables,
                           .variables = t->variables};
}

static const option_spec options[] = {
    PART_HEAD_ROWS(policies_table_spec, "Discretization policies"),
    TABLE_CHOICE_ROWS(policies_table_spec),
    PART_LIST_ROW(OPT_LINES, "variables", policies_table_spec, variables, .usual = "all",
                  .help = "columns: these alone, in this order"),
    {0},
};

const part_kind part_policies_table = {
    .group = PART_TABLE,
    .name = "policies",
    .summary = "thresholds by which continuous data were made discrete: those of each first replicate, all in the CSV",
    .options_size = sizeof(policies_table_spec),
    .options = options,
    .needs = PART_NEEDS_TEXTS,
};
