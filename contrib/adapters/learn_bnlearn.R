# SPDX-License-Identifier: GPL-3.0-or-later
# bnlearn as a learner: hc, tabu, pc.stable, gs, iamb, mmhc, mmpc, h2pc, chow.liu, ..., with their arguments as options.
#     Rscript learn_bnlearn.R DATA GRAPH hc score=bde iss=10
source("adapter.R")
suppressPackageStartupMessages(library(bnlearn))

scored <- c("hc", "tabu", "mmhc", "h2pc", "rsmax2")
constrained <- c("pc.stable", "gs", "iamb", "fast.iamb", "inter.iamb", "iamb.fdr")
skeletons <- c("mmpc", "si.hiton.pc", "hpc", "chow.liu", "aracne")

a <- arguments()
if (!a$algorithm %in% c(scored, constrained, skeletons)) {
  refuse("there is no algorithm '", a$algorithm, "'; there are ", paste(c(scored, constrained, skeletons), collapse = ", "))
}
learned <- timed(do.call(getExportedValue("bnlearn", a$algorithm), c(list(a$data), a$options)))
graph <- learned$value
lines <- undirected.arcs(graph) # both ways
lines <- lines[match(lines[, 1], names(a$data)) < match(lines[, 2], names(a$data)), , drop = FALSE]
kind <- if (a$algorithm %in% scored) "dag" else if (a$algorithm %in% skeletons) "skeleton" else "cpdag"
write_graph(a$graph, kind, directed.arcs(graph), lines)
write_facts(learned$seconds, "bnlearn")
