/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench info: what is known of a network, learner, ..., experiment, data set or part of a report. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"
#include "cli/info/info.h"

#include "discretizers/registry.h"
#include "learners/registry.h"
#include "metrics/scores/score.h"
#include "metrics/tests/ci_test.h"

#include <string.h>

static const arg_option options[] = {
    {"kind", 0, "KIND",
     "network, learner, discretizer, score, test, metric,\nexperiment, dataset or part, where a name means several"},
    {0},
};

static const struct {
    const char *name;
    status (*tell)(cli *c, const char *word, error_info *err);
    bool (*knows)(const char *word); /* NULL: the registry does */
    const registry *of;
} kinds[] = {
    {"network", info_network, info_knows_network, NULL},
    {"learner", info_learner, NULL, &learner_registry},
    {"discretizer", info_discretizer, NULL, &discretizer_registry},
    {"score", info_score, NULL, &score_registry},
    {"test", info_test, NULL, &ci_test_registry},
    {"metric", info_metric, info_knows_metric, NULL},
    {"experiment", info_experiment, info_knows_experiment, NULL},
    {"dataset", info_dataset, info_knows_dataset, NULL},
    {"part", info_part, info_knows_part, NULL},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

static bool is_known(size_t kind, const char *word) {
    size_t place;
    return kinds[kind].knows ? kinds[kind].knows(word) : registry_find(kinds[kind].of, word, &place, NULL) == STATUS_OK;
}

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
        if (kind ? strcmp(kind, kinds[i].name) == 0 : is_known(i, word))
            return kinds[i].tell(c, word, err);
    }
    if (kind)
        return cli_refuse(c, err,
                          "--kind is '%s'; it must be one of "
                          "network|learner|discretizer|score|test|metric|experiment|dataset|part",
                          kind);
    return nothing_known(word, err);
}

const command command_info = {
    .run = run,
    .is_for_people = true,
    .syntax =
        {.name = "info",
         .words = "NAME",
         .summary = "facts about anything that 'bnbench list' shows, or about a file",
         .details =
             "NAME is a name that 'bnbench list' shows, a network file (.bif, .bif.gz), an experiment file (.yaml)\n"
             "or data (.csv, .tsv, .arff, .bnd). A file on this computer is read, and the figures are its own. For a "
             "kind of\n"
             "table, test or plot the keys of its entry in an experiment are listed; 'tables', 'tests' and 'plots'\n"
             "list those of all kinds.",
         .examples = "  bnbench info alarm\n"
                     "  bnbench info hc --json\n"
                     "  bnbench info quickstart\n"
                     "  bnbench info heatmap",
         .least_words = 1,
         .most_words = 1,
         .options = options},
};
