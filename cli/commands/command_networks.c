/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench networks fetch: networks of the catalogue into the user's cache. */
#include "cli/base/fetching.h"

#include "generators/catalogue/bnrep.h"
#include "generators/catalogue/network_fetch.h"

#include <string.h>

static const arg_option options[] = {
    {"from", 0, "URL",
     "another repository: the file is URL/NAME/NAME.bif.gz, that\nof bnrep-NAME URL/bnrep/NAME.bif or .json"},
    FETCH_OPTIONS,
    {0},
};

/* Those of bnRep stand behind the others. */
static size_t count(void) {
    return catalogue_count() + bnrep_count();
}

static const char *name_at(size_t i) {
    return i < catalogue_count() ? catalogue_at(i)->name : bnrep_at(i - catalogue_count())->name;
}

static bool is_in(size_t i, const char *group) {
    if (i < catalogue_count())
        return strcmp(group, "all") == 0 && catalogue_at(i)->url;
    return strcmp(group, "bnrep") == 0;
}

static const char *doubt(const char *name) {
    return bnrep_find(name) ? "no checksum is known; the same nodes and arcs"
                            : "another checksum; the same nodes, arcs and parameters";
}

static const fetch_catalogue networks = {
    .command = "networks",
    .noun = "network",
    .doubt = doubt,
    .count = count,
    .name_at = name_at,
    .is_in = is_in,
    .fetch = network_fetch,
};

static status run(cli *c, error_info *err) {
    return fetching_run(c, &networks, err);
}

const command command_networks = {
    .run = run,
    .syntax =
        {.name = "networks",
         .words = "fetch NAME...|all|bnrep",
         .summary = "download networks of the catalogue into the user's cache",
         .details =
             "The cache is $BNBENCH_CACHE, else $XDG_CACHE_HOME/bnbench, else ~/.cache/bnbench. A file is kept when\n"
             "its checksum is the catalogue's. 'bnrep' are the 217 networks of the R package bnRep that pgmpy keeps "
             "on\n"
             "Hugging Face, each also by itself (bnrep-asia): no checksums of these are known, and with --unverified\n"
             "one is kept when it has the nodes and arcs of the catalogue.",
         .examples = "  bnbench networks fetch insurance hailfinder\n"
                     "  bnbench networks fetch all\n"
                     "  bnbench networks fetch bnrep-bank --unverified",
         .least_words = 1,
         .most_words = FETCH_MOST_NAMES,
         .options = options},
};
