/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What searches tell of themselves: figures of their traces, by the same names. */
#include "metrics/distances/metric.h"

const metric_info metrics_of_searches[] = {
    {.name = "iterations",
     .summary = "moves a search applied (sgs: mean over its searches; ges: insertions and deletions)",
     .unit = "moves"},
    {.name = "add_moves", .summary = "additions of an arc, a search", .unit = "moves"},
    {.name = "delete_moves", .summary = "deletions of an arc, a search", .unit = "moves"},
    {.name = "reverse_moves", .summary = "reversals of an arc, a search", .unit = "moves"},
    {.name = "swap_moves", .summary = "exchanges of a parent, a search", .unit = "moves"},
    {.name = "add_plus_moves", .summary = "additions with repairs of the cycles they close, a search", .unit = "moves"},
    {.name = "swap_plus_moves",
     .summary = "exchanges with repairs of the cycles they close, a search",
     .unit = "moves"},
    {.name = "delete_operations", .summary = "deletions of an arc, repairs among them, a search", .unit = "operations"},
    {.name = "swap_operations", .summary = "exchanges of a parent, repairs among them, a search", .unit = "operations"},
    {.name = "longest_move", .summary = "operations of the longest move applied", .unit = "operations"},
    {.name = "searches", .summary = "greedy searches, of which the best is kept", .unit = "searches"},
    {.name = "candidate_arcs", .summary = "arcs that a filter of candidate parents leaves", .unit = "arcs"},
    {0},
};
