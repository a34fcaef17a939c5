/* SPDX-License-Identifier: GPL-3.0-or-later */
/** `fetch NAME...|all` of networks and of data sets. */
#ifndef BNB_CLI_BASE_FETCHING_H
#define BNB_CLI_BASE_FETCHING_H

#include "cli/base/command.h"
#include "generators/catalogue/transfer.h"

/** A catalogue to fetch from. */
typedef struct {
    const char *command;                    /* "networks" */
    const char *noun;                       /* "network" */
    const char *(*doubt)(const char *name); /* "another checksum; the same ...": of what is kept all the same */
    size_t (*count)(void);
    const char *(*name_at)(size_t i);
    bool (*is_in)(size_t i, const char *group); /* "all", and others of the catalogue, are fetched by one word */
    status (*fetch)(const char *name, const fetch_options *o, char **path, fetch_check *check, error_info *err);
} fetch_catalogue;

enum { FETCH_MOST_NAMES = 4096 };

/** Two options of the command, besides its own --from. */
#define FETCH_OPTIONS                                                                                                  \
    {"http", 0, NULL, "allow http, by which anyone on the way can change a file"}, {                                   \
        "unverified", 0, NULL, "keep what has another checksum too, where its figures are\nthe catalogue's"            \
    }

/** Runs the command: its words are "fetch" and names, its option --from the base of other addresses. */
BNB_MUST_CHECK status fetching_run(cli *c, const fetch_catalogue *catalogue, error_info *err);

#endif
