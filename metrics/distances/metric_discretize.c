/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What making data discrete took, and what came of it. */
#include "metrics/distances/metric.h"

const metric_info metrics_of_discretizing[] = {
    {.name = "discretize_time",
     .summary = "CPU time of making the training rows discrete",
     .unit = "s",
     .less_is_better = true},
    {.name = "discretization_calls",
     .summary = "thresholds that an integrated discretizer tried, and policies that it scored",
     .unit = "calls",
     .less_is_better = true,
     .published = "n_discretization_score_calls"},
    {.name = "threshold_evaluations",
     .summary = "thresholds that an integrated discretizer tried",
     .unit = "calls",
     .less_is_better = true},
    {.name = "policy_scores",
     .summary = "policies that an integrated discretizer scored, of a column or of all",
     .unit = "calls",
     .less_is_better = true},
    {.name = "column_searches",
     .summary = "searches of an integrated discretizer for the thresholds of a column",
     .unit = "searches",
     .less_is_better = true},
    {.name = "outer_iterations", .summary = "turns of an integrated discretizer: a policy, a graph", .unit = "turns"},
    {.name = "loop_guard",
     .summary = "1 where a limit or a cycle ended an integrated discretizer, else 0",
     .unit = "",
     .less_is_better = true},
    {.name = "states_mean", .summary = "states of a variable, mean, after discretizing", .unit = "states"},
    {0},
};
