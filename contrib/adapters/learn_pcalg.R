# SPDX-License-Identifier: GPL-3.0-or-later
# pcalg as a learner: pc and skeleton with their arguments as options; ges on continuous data.
#     Rscript learn_pcalg.R DATA GRAPH pc alpha=0.01
source("adapter.R")
suppressPackageStartupMessages(library(pcalg))

a <- arguments()
is_discrete <- sapply(a$data, is.factor)
names <- names(a$data)

# What the tests of pcalg take: codes from 0 and the numbers of states, or correlations.
by_tests <- function(learn) {
  if (all(is_discrete)) {
    test <- disCItest
    facts <- list(dm = sapply(a$data, as.integer) - 1, nlev = sapply(a$data, nlevels), adaptDF = FALSE)
  } else if (!any(is_discrete)) {
    test <- gaussCItest
    facts <- list(C = cor(a$data), n = nrow(a$data))
  } else {
    refuse("pcalg takes discrete or continuous columns, not both")
  }
  options <- modifyList(list(alpha = 0.01), a$options)
  timed(do.call(learn, c(list(suffStat = facts, indepTest = test, labels = names), options)))
}

by_score <- function() {
  if (any(is_discrete)) refuse("ges of pcalg takes continuous columns alone")
  score <- new("GaussL0penObsScore", as.matrix(a$data))
  timed(do.call(ges, c(list(score), a$options)))
}

learned <- switch(a$algorithm, pc = by_tests(pc), skeleton = by_tests(skeleton), ges = by_score(),
                  refuse("there is no algorithm '", a$algorithm, "'; there are pc, skeleton, ges"))
arcs <- if (a$algorithm == "ges") as(learned$value$essgraph, "matrix") != 0 else as(learned$value@graph, "matrix") != 0
pairs <- pairs_of(arcs, names)
write_graph(a$graph, if (a$algorithm == "skeleton") "skeleton" else "cpdag", pairs$directed, pairs$undirected)
write_facts(learned$seconds, "pcalg")
