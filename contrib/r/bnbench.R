# SPDX-License-Identifier: GPL-3.0-or-later
# Stores of bnbench as data frames. Asks for RSQLite (Debian: r-cran-rsqlite).
#
#     source("bnbench.R")
#     results <- bnbench_results("stores/quickstart")   # a row a job
#     bnbench_summary(results, "shd")                   # its mean, standard deviation, median by network, size and learner
#     bnbench_tables("stores/quickstart")$shd           # a table as the experiment declares it

query <- function(store, sql) {
  path <- file.path(store, "results.sqlite")
  if (!file.exists(path)) stop("there is no store of bnbench in ", store, call. = FALSE)
  # What SQLite holds as numbers of 64 bits are counts and seeds that a double holds.
  connection <- DBI::dbConnect(RSQLite::SQLite(), path, flags = RSQLite::SQLITE_RO, bigint = "numeric")
  on.exit(DBI::dbDisconnect(connection))
  DBI::dbGetQuery(connection, sql)
}

# Every job of the store, done or not, with the columns of its view `result` (docs/file-formats.md) and one for each metric, NA where
# the job has none.
bnbench_results <- function(store) {
  results <- query(store, "SELECT * FROM result ORDER BY job")
  metrics <- query(store, "SELECT job, name, value FROM metric")
  for (name in sort(unique(metrics$name))) {
    of_name <- metrics[metrics$name == name, ]
    results[[name]] <- of_name$value[match(results$job, of_name$job)]
  }
  results
}

# The series that learners told of: job, series, place, step, value.
bnbench_traces <- function(store) {
  query(store, "SELECT * FROM trace ORDER BY job, series, place")
}

# A metric over the replicates that are done: a row for each network, number of samples, noise level and learner.
bnbench_summary <- function(results, metric) {
  if (!metric %in% names(results)) stop("no job has the metric ", metric, call. = FALSE)
  done <- results[results$state == "done" & !is.na(results[[metric]]), ]
  cells <- aggregate(done[metric], done[c("network", "n_samples", "sigma", "learner")],
                     function(x) c(n = length(x), mean = mean(x), sd = sd(x), median = median(x)))
  cbind(cells[c("network", "n_samples", "sigma", "learner")], as.data.frame(cells[[metric]]))
}

# The tables that the experiment declares, by their ids, as `bnbench report --format csv` writes them.
bnbench_tables <- function(store, program = "bnbench") {
  folder <- tempfile("tables")
  on.exit(unlink(folder, recursive = TRUE))
  status <- system2(program, c("report", shQuote(store), "--format", "csv", "--quiet", "--out", shQuote(folder)), stdout = FALSE)
  if (status != 0) stop(program, " report ended with status ", status, call. = FALSE)
  files <- list.files(file.path(folder, "tables"), "[.]csv$", full.names = TRUE)
  tables <- lapply(files, read.csv, check.names = FALSE, encoding = "UTF-8", comment.char = "#")
  names(tables) <- sub("[.]csv$", "", basename(files))
  tables
}
