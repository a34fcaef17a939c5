/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench datasets fetch: data sets of the catalogue into the user's cache. */
#include "cli/base/fetching.h"

#include "generators/catalogue/dataset_fetch.h"

#include <string.h>

static const arg_option options[] = {
    {"from", 0, "URL",
     "another place: the file is URL/NAME/FILE, FILE being the\nlast part of the catalogue's address"},
    FETCH_OPTIONS,
    {0},
};

static const char *name_at(size_t i) {
    return dataset_catalogue_at(i)->name;
}

static bool is_in(size_t i, const char *group) {
    return strcmp(group, "all") == 0 && dataset_catalogue_at(i)->url;
}

static const char *doubt(const char *name) {
    (void)name;
    return "another checksum; the same rows, columns and numbers of distinct values";
}

static const fetch_catalogue datasets = {
    .command = "datasets",
    .noun = "data set",
    .doubt = doubt,
    .count = dataset_catalogue_count,
    .name_at = name_at,
    .is_in = is_in,
    .fetch = dataset_fetch,
};

static status run(cli *c, error_info *err) {
    return fetching_run(c, &datasets, err);
}

const command command_datasets = {
    .run = run,
    .syntax = {.name = "datasets",
               .words = "fetch NAME...|all",
               .summary = "download data sets of the catalogue into the user's cache",
               .details =
                   "What comes is made CSV (NAME.csv.gz) with NAME.schema.csv beside it. The cache is $BNBENCH_CACHE,\n"
                   "else $XDG_CACHE_HOME/bnbench, else ~/.cache/bnbench. A data set is kept when its checksum is the\n"
                   "catalogue's.",
               .examples = "  bnbench datasets fetch abalone pima\n"
                           "  bnbench datasets fetch all",
               .least_words = 1,
               .most_words = FETCH_MOST_NAMES,
               .options = options},
};
