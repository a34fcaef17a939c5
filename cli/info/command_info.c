/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench info: what is known of a network, learner, ..., experiment, data set or part of a report. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"
#include "cli/info/info.h"

#include "core/base/file.h"
#include "generators/catalogue/catalogue.h"

#include <string.h>

static const arg_option options[] = {
    {"kind", 0, "KIND",
     "network, learner, discretizer, score, test, metric,\nexperiment, dataset or part, where a name means several"},
    {0},
};

static const struct {
    const char *name;
    bool (*knows)(const char *word);
    status (*tell)(cli *c, const char *word, error_info *err);
} kinds[] = {
    {"network", info_knows_network, info_network},
    {"learner", info_knows_learner, info_learner},
    {"discretizer", info_knows_discretizer, info_discretizer},
    {"score", info_knows_score, info_score},
    {"test", info_knows_test, info_test},
    {"metric", info_knows_metric, info_metric},
    {"experiment", info_knows_experiment, info_experiment},
    {"dataset", info_knows_dataset, info_dataset},
    {"part", info_knows_part, info_part},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

static status nothing_known(const char *word, error_info *err) {
    const char *near = info_nearest_name(word);
    if (near)
        return error_set(err, STATUS_MISSING, "nothing is called '%s'; did you mean '%s'?", word, near);
    return error_set(err, STATUS_MISSING,
                     "nothing is called '%s': no file, no network, learner, discretizer, score, test, metric, "
                     "experiment, data set or part of a report",
                     word);
}

static status run(cli *c, error_info *err) {
    const char *word = c->args->words[0], *kind = args_value(c->args, "kind");
    for (size_t i = 0; i < N_KINDS; i++) {
        if (kind ? strcmp(kind, kinds[i].name) == 0 : kinds[i].knows(word))
            return kinds[i].tell(c, word, err);
    }
    if (kind)
        return cli_blame(c, BLAME_WORDS,
                         error_set(err, STATUS_INVALID,
                                   "--kind is '%s'; it must be one of "
                                   "network|learner|discretizer|score|test|metric|experiment|dataset|part",
                                   kind));
    return nothing_known(word, err);
}

const command command_info = {
    .syntax =
        {
            .name = "info",
            .words = "NAME",
            .summary = "what is known of a network, learner, discretizer, score, test, metric, experiment, data set "
                       "or\npart of a report",
            .details =
                "NAME is a name that 'bnbench list' shows, a network file (.bif, .bif.gz), an experiment file (.yaml)\n"
                "or data (.csv, .csv.gz). What is here as a file is read, and the figures are its own. Of a kind of "
                "table,\n"
                "test or plot it tells the keys in an experiment, of tables, tests and plots those of all kinds.",
            .examples = "  bnbench info alarm\n"
                        "  bnbench info hc --json\n"
                        "  bnbench info quickstart\n"
                        "  bnbench info heatmap",
            .least_words = 1,
            .most_words = 1,
            .options = options,
        },
    .run = run,
};
