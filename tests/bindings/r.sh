#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The R script reads a store: its figures are those that the program reports. Skipped (77) without R and RSQLite: r.sh PROGRAM SOURCE
set -eu
command -v Rscript >/dev/null || { echo "skipped: no R (Debian: r-base-core)"; exit 77; }
Rscript --vanilla -e 'quit(status = !requireNamespace("RSQLite", quietly = TRUE))' 2>/dev/null ||
    { echo "skipped: R has no RSQLite (Debian: r-cran-rsqlite)"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
unset BNBENCH_NETWORKS BNBENCH_DATASETS
"$1" run quickstart --profile quick --quiet --store "$scratch/a store" >/dev/null
cat >"$scratch/try.R" <<'END'
arguments <- commandArgs(trailingOnly = TRUE)
source(arguments[1])
results <- bnbench_results(arguments[2])
stopifnot(nrow(results) > 0, !anyDuplicated(results$key), all(results$state == "done"), is.numeric(results$shd),
          min(results$replicate) == 1)

# The program's own tables of the same store: means over replicates, then over sizes or networks.
tables <- bnbench_tables(arguments[2], arguments[3])
compare <- function(table, metric, by) {
  summary <- bnbench_summary(results, metric)
  table <- table[table$row != "average", ]
  stopifnot(sum(summary[["n"]]) == sum(!is.na(results[[metric]])), setequal(summary$learner, table$column))
  for (i in seq_len(nrow(table))) {
    here <- summary$learner == table$column[i] & as.character(summary[[by]]) == table$row[i]
    stopifnot(any(here), all.equal(mean(summary$mean[here]), table$value[i], tolerance = 1e-12))
  }
  nrow(table)
}
cat(compare(tables[["shd-by-network"]], "shd", "network"), "and", compare(tables$statistics, "statistics", "n_samples"), "figures agree\n")
stopifnot(nrow(bnbench_traces(arguments[2])) >= 0, inherits(try(bnbench_results("nowhere"), silent = TRUE), "try-error"))
END
Rscript --vanilla "$scratch/try.R" "$2/contrib/r/bnbench.R" "$scratch/a store" "$1"
