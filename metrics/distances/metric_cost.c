/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What learning took: time, memory, and what was computed. */
#include "metrics/distances/metric.h"

const metric_info metrics_of_cost[] = {
    {.name = "time", .summary = "CPU time of learning alone", .unit = "s", .less_is_better = true},
    {.name = "total_time",
     .summary = "CPU time of learning, and of making the data discrete for it",
     .unit = "s",
     .less_is_better = true},
    {.name = "wall_time", .summary = "elapsed time of learning alone", .unit = "s", .less_is_better = true},
    {.name = "calibration",
     .summary = "CPU time of a fixed piece of work beside the learner: the processor's speed at that moment",
     .unit = "s",
     .less_is_better = true},
    {.name = "memory", .summary = "peak resident memory while learning", .unit = "bytes", .less_is_better = true},
    {.name = "statistics",
     .summary = "tests and local scores that were computed",
     .unit = "calls",
     .less_is_better = true,
     .published = "n_statistical_tests"},
    {.name = "tests", .summary = "independence tests that were computed", .unit = "calls", .less_is_better = true},
    {.name = "tests_requested",
     .summary = "independence tests that were asked for: with those whose result was known from before",
     .unit = "calls",
     .less_is_better = true},
    {.name = "score_evaluations",
     .summary = "local scores that were computed",
     .unit = "calls",
     .less_is_better = true},
    {0},
};
