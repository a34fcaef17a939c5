/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well a graph fits data: those that it was learned from, or test rows. A CPDAG or PDAG is measured by a DAG of its
 * class. */
#include "metrics/distances/metric.h"

#define ON_TRAINING_ROWS .unit = "nats", .needs_directions = true, .scores_dag = true
#define ON_TEST_ROWS ON_TRAINING_ROWS, .needs_test = true

const metric_info metrics_of_fit[] = {
    {.name = "bdeu_test",
     .summary = "BDeu score of the graph on the test rows, equivalent sample size 10",
     ON_TEST_ROWS,
     .published = "bdeu_score_test"},
    {.name = "bdeu_train",
     .summary = "BDeu score of the graph on the training rows, equivalent sample size 10",
     ON_TRAINING_ROWS},
    {.name = "bdeu1_train",
     .summary = "BDeu score of the graph on the training rows, equivalent sample size 1 (Vandel et al. 2012)",
     ON_TRAINING_ROWS,
     .published = "bdeu_score"},
    {.name = "loglik_test",
     .summary = "log-likelihood of the test rows, tables estimated from the training rows with the BDeu prior",
     ON_TEST_ROWS},
    {.name = "bach_score",
     .summary = "kernel score of Bach and Jordan of the graph on the training rows before any discretizing (Fu 2005)",
     ON_TRAINING_ROWS,
     .is_on_request = true},
    {.name = "bic-g_test", .summary = "Gaussian BIC of the graph on the test rows, of continuous data", ON_TEST_ROWS},
    {.name = "bic-g_train",
     .summary = "Gaussian BIC of the graph on the training rows, of continuous data",
     ON_TRAINING_ROWS},
    {.name = "loglik-g_test",
     .summary = "Gaussian log-likelihood of the test rows, the network fitted to the training rows",
     ON_TEST_ROWS},
    {.name = "loglik_statistics",
     .summary = "loglik_test without its sign, times statistics: quality and cost in one, for ranks",
     .unit = "",
     .less_is_better = true,
     .needs_test = true,
     .needs_directions = true,
     .scores_dag = true},
    {.name = "scored_altered",
     .summary = "1 where no DAG agrees with the graph, so that its scores are those of an altered one; else 0",
     .unit = "",
     .less_is_better = true,
     .needs_directions = true},
    {0},
};
