/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What `bnbench info` tells, a pair of functions a kind: whether a word means one (a registry knows that of its own
 * things), and the telling. */
#ifndef BNB_CLI_INFO_INFO_H
#define BNB_CLI_INFO_INFO_H

#include "cli/base/command.h"

bool info_knows_network(const char *word);
bool info_knows_metric(const char *word);
bool info_knows_experiment(const char *word);
bool info_knows_dataset(const char *word);
bool info_knows_part(const char *word);

BNB_MUST_CHECK status info_network(cli *c, const char *word, error_info *err);
BNB_MUST_CHECK status info_learner(cli *c, const char *word, error_info *err);
BNB_MUST_CHECK status info_discretizer(cli *c, const char *word, error_info *err);
BNB_MUST_CHECK status info_score(cli *c, const char *word, error_info *err);
BNB_MUST_CHECK status info_test(cli *c, const char *word, error_info *err);
BNB_MUST_CHECK status info_metric(cli *c, const char *word, error_info *err);
BNB_MUST_CHECK status info_experiment(cli *c, const char *word, error_info *err);
BNB_MUST_CHECK status info_dataset(cli *c, const char *word, error_info *err);
BNB_MUST_CHECK status info_part(cli *c, const char *word, error_info *err);

/** The nearest name of any kind, or NULL. Static text. */
const char *info_nearest_name(const char *word);

#endif
