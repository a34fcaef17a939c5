# SPDX-License-Identifier: GPL-3.0-or-later
# What the R adapters share: data with its declared states in, graph and facts out (docs/peers.md).

refuse <- function(...) {
  message("adapter: ", ...)
  quit(status = 1)
}

# States between bars; a bar within one is written \|.
split_states <- function(text) {
  parts <- strsplit(gsub("\\|", "\001", text, fixed = TRUE), "|", fixed = TRUE)[[1]]
  gsub("\001", "|", parts, fixed = TRUE)
}

# A data frame: discrete columns are factors of all the states that the schema declares, seen or not.
read_data <- function(path) {
  read <- function(file) {
    read.csv(file, check.names = FALSE, colClasses = "character", na.strings = character(0), encoding = "UTF-8",
             strip.white = FALSE)
  }
  data <- read(path)
  schema <- read(sub("\\.csv$", ".schema.csv", path))
  rownames(schema) <- schema$column
  for (name in names(data)) {
    if (schema[name, "type"] == "continuous") {
      data[[name]] <- as.numeric(data[[name]])
    } else {
      data[[name]] <- factor(data[[name]], levels = split_states(schema[name, "states"]))
    }
  }
  data
}

# NAME=VALUE: numbers, TRUE and FALSE as such, anything else as text.
read_options <- function(words) {
  if (!all(grepl("=", words, fixed = TRUE))) refuse("an option is NAME=VALUE")
  values <- lapply(sub("^[^=]*=", "", words), function(text) type.convert(text, as.is = TRUE))
  names(values) <- sub("=.*$", "", words)
  values
}

arguments <- function() {
  words <- commandArgs(trailingOnly = TRUE)
  if (length(words) < 3) refuse("the words are DATA GRAPH ALGORITHM [NAME=VALUE ...]")
  list(data = read_data(words[1]), graph = words[2], algorithm = words[3], options = read_options(words[-(1:3)]))
}

quote_name <- function(names) {
  odd <- grepl("[,\"\n]", names)
  names[odd] <- paste0("\"", gsub("\"", "\"\"", names[odd], fixed = TRUE), "\"")
  names
}

# directed, undirected: matrices of two columns of names.
write_graph <- function(path, kind, directed, undirected) {
  rows <- function(pairs, type) {
    if (NROW(pairs) == 0) character(0) else paste(quote_name(pairs[, 1]), quote_name(pairs[, 2]), type, sep = ",")
  }
  writeLines(c(paste("# kind:", kind), "from,to,type", rows(directed, "directed"), rows(undirected, "undirected")), path,
             useBytes = TRUE)
}

# A matrix of arcs [from, to], in which a line stands as two arcs, as pairs of names.
pairs_of <- function(arcs, names) {
  pick <- function(which) {
    places <- which(which, arr.ind = TRUE)
    cbind(names[places[, 1]], names[places[, 2]])
  }
  list(directed = pick(arcs & !t(arcs)), undirected = pick(arcs & t(arcs) & upper.tri(arcs)))
}

# CPU seconds of this process while an expression is evaluated, and its value.
timed <- function(expression) {
  start <- proc.time()
  value <- force(expression)
  list(value = value, seconds = sum((proc.time() - start)[1:2]))
}

write_facts <- function(seconds, package) {
  path <- Sys.getenv("BNBENCH_FACTS")
  version <- paste0(package, " ", packageVersion(package), ", R ", getRversion())
  if (nzchar(path)) writeLines(sprintf("{\"learning_seconds\": %.6f, \"version\": \"%s\"}", max(0, seconds), version), path)
}
