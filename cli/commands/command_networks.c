/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench networks fetch: networks of the catalogue into the user's cache. */
#include "cli/base/fetching.h"

#include "generators/catalogue/network_fetch.h"

static const arg_option options[] = {
    {"from", 0, "URL", "another repository: the file is URL/NAME/NAME.bif.gz"},
    FETCH_OPTIONS,
    {0},
};

static const char *name_at(size_t i) {
    return catalogue_at(i)->name;
}

static bool has_address(size_t i) {
    return catalogue_at(i)->url != NULL;
}

static const fetch_catalogue networks = {
    .command = "networks",
    .noun = "network",
    .contents = "nodes, arcs and parameters",
    .count = catalogue_count,
    .name_at = name_at,
    .has_address = has_address,
    .fetch = network_fetch,
};

static status run(cli *c, error_info *err) {
    return fetching_run(c, &networks, err);
}

const command command_networks = {
    .run = run,
    .syntax =
        {.name = "networks",
         .words = "fetch NAME...|all",
         .summary = "download networks of the catalogue into the user's cache",
         .details =
             "The cache is $BNBENCH_CACHE, else $XDG_CACHE_HOME/bnbench, else ~/.cache/bnbench. A file is kept when\n"
             "its checksum is the catalogue's.",
         .examples = "  bnbench networks fetch insurance hailfinder\n"
                     "  bnbench networks fetch all",
         .least_words = 1,
         .most_words = FETCH_MOST_NAMES,
         .options = options},
};
