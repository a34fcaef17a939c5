/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The parts of a declaration, each read from its node of the tree into the experiment. */
#ifndef BNB_RUNNER_DECLARE_DECLARE_INTERNAL_H
#define BNB_RUNNER_DECLARE_DECLARE_INTERNAL_H

#include "runner/declare/experiment.h"
#include "runner/declare/yaml_tree_internal.h"

enum {
    MOST_NETWORKS = 1000,
    MOST_SIZES = 1000,
    MOST_SIGMAS = 100,
    MOST_VARIANTS = 1000,
    MOST_REPLICATES = 100000,
    MOST_OUTPUTS = 200,
    MOST_OPTIONS = 40, /* of a table */
    MOST_CONDITIONS = 20,
    MOST_CELLS = 10000000
};
#define MOST_SAMPLES ((uint64_t)1000000000)
#define MOST_SIGMA 1e6

/** `networks`. With `check_files`, a path must be there. */
BNB_MUST_CHECK status declare_networks(const yaml_node *node, bool check_files, experiment *e, error_info *err);

/** {genes: N, id: ..., ...} and {dataset: NAME, ...} of `networks`; `*name` is its name in the tables, on the heap. */
BNB_MUST_CHECK status declare_genes(const yaml_node *node, bool check_files, const experiment *e, char **name,
                                    network_source *source, error_info *err);
BNB_MUST_CHECK status declare_dataset(const yaml_node *node, bool check_files, const experiment *e, char **name,
                                      network_source *source, error_info *err);

/** `discretize`: the name of a method, or {method: ..., option: value}. */
BNB_MUST_CHECK status declare_discretize(const yaml_node *node, discretize_declaration *out, error_info *err);
BNB_MUST_CHECK status discretize_copy(const discretize_declaration *from, discretize_declaration *to, error_info *err);

/** `continuize` of `data`: the noise levels. After the networks, whose data must be discrete. */
BNB_MUST_CHECK status declare_continuize(const yaml_node *node, experiment *e, error_info *err);

/** A noise level: a number above 0. */
BNB_MUST_CHECK status declare_read_sigma(const yaml_node *node, const char *what, double *out, error_info *err);

/** STATUS_PARSE where the data that `continuize` makes are none that the learner, its score or its test takes. */
BNB_MUST_CHECK status declare_check_data(const yaml_node *entry, const learner_variant *v, const experiment *e,
                                         error_info *err);

/** An entry of `learners` with `best_of`: reads its parts, and adds the learner that stands for them. */
BNB_MUST_CHECK status declare_best_of(const yaml_node *entry, experiment *e, error_info *err);

/** Another entry of `learners`, a name or a mapping: adds its variants, sweeps unrolled, and their ids. */
BNB_MUST_CHECK status declare_learner(const yaml_node *entry, experiment *e, error_info *err);

/** Adds an id to the learners of the tables. STATUS_PARSE where it stands there already, or cannot be one. */
BNB_MUST_CHECK status declare_learner_id(const yaml_node *entry, const char *id, experiment *e, error_info *err);

/** {times: T, of: LEARNER} as the value of the option `budget`, of a learner that stands above. */
BNB_MUST_CHECK status declare_budget(const yaml_node *node, const learner *kind, const char *option,
                                     const experiment *e, learner_budget *out, error_info *err);

/** `only` (may be NULL); networks, data and learners are there already. */
BNB_MUST_CHECK status declare_only(const yaml_node *node, experiment *e, error_info *err);

/** A list of mappings: how each is read into an item of zeros, which begins with `char *id` where they have ids. */
typedef struct {
    const char *what; /* in messages */
    size_t most, item_size;
    bool has_ids; /* each its own */
    status (*read)(const yaml_node *entry, const experiment *e, void *item, error_info *err);
} declared_list;

/** Reads it (NULL: none). On failure too `*items` are the `*n` that are the caller's to clear. */
BNB_MUST_CHECK status declare_list(const declared_list *list, const yaml_node *node, const experiment *e, void **items,
                                   size_t *n, error_info *err);

/** `claims` and `remarks` (each may be NULL); tables are there already. */
BNB_MUST_CHECK status declare_claims(const yaml_node *node, experiment *e, error_info *err);
BNB_MUST_CHECK status declare_remarks(const yaml_node *node, experiment *e, error_info *err);

/** `readings` (may be NULL): what is said of them. */
BNB_MUST_CHECK status declare_readings(const yaml_node *node, experiment *e, error_info *err);

/** `reasons` (may be NULL); parts and readings are there already. */
BNB_MUST_CHECK status declare_reasons(const yaml_node *node, experiment *e, error_info *err);

/** True of a network or a number: a profile may leave it out, and there is nothing to look at then. */
bool declare_is_place_elsewhere(const char *name);

/** STATUS_PARSE where a name is no place of the table or test; networks and numbers may be absent in a profile. */
BNB_MUST_CHECK status declare_check_places(const yaml_node *node, char *const *names, size_t n,
                                           const declared_part *part, const experiment *e, error_info *err);

/** `absent` (may be NULL). With `check_files`, each file, column and value must be there. */
BNB_MUST_CHECK status declare_absent(const yaml_node *node, bool check_files, experiment *e, error_info *err);

/** `paper_figures` (may be NULL); plots and claims are there already. */
BNB_MUST_CHECK status declare_paper_figures(const yaml_node *node, experiment *e, error_info *err);

/** One value of a list, or several. */
BNB_MUST_CHECK status declare_read_texts(const yaml_node *node, const char *what, size_t most, char ***out, size_t *n,
                                         error_info *err);

/**
 * Lays an entry of `readings` over the tree, which loses its `readings` and `reasons` and gets `reading`, the entry's
 * id. As a profile is laid over it, but a mapping over a list (of learners, tables, ...) changes its entries by their
 * ids.
 */
BNB_MUST_CHECK status declare_apply_reading(arena *a, yaml_node *tree, const yaml_node *reading, yaml_node **out,
                                            error_info *err);
/** `failed_in_paper` (may be NULL); networks, data and learners are there already. */
BNB_MUST_CHECK status declare_failures(const yaml_node *node, experiment *e, error_info *err);

/** "nodes >= 186 and samples < 5000": conditions on facts of networks and the sample size. */
BNB_MUST_CHECK status declare_read_conditions(const yaml_node *node, fact_condition **out, size_t *n, error_info *err);

/** The id of a learner of this experiment, a metric that it can have. A copy on the heap, what was there is freed. */
BNB_MUST_CHECK status declare_read_learner_id(const yaml_node *node, const char *what, const experiment *e, char **out,
                                              error_info *err);
BNB_MUST_CHECK status declare_read_metric(const yaml_node *node, const char *what, const experiment *e, char **out,
                                          error_info *err);

/** A network of the experiment, by the name that it has in tables. */
BNB_MUST_CHECK status declare_read_network_id(const yaml_node *node, const char *what, const experiment *e, char **out,
                                              error_info *err);

/** A list of names, each read by `read`; `*n` counts those that are there, also where it fails. */
BNB_MUST_CHECK status declare_read_names(const yaml_node *node, const char *what, const experiment *e,
                                         status (*read)(const yaml_node *, const char *, const experiment *, char **,
                                                        error_info *),
                                         char ***names, size_t *n, error_info *err);

/** `metrics` (may be NULL): the usual ones. Learners and data are there already. */
BNB_MUST_CHECK status declare_metrics(const yaml_node *node, experiment *e, error_info *err);

/** The values of a mapping, into the options that the table describes. */
BNB_MUST_CHECK status declare_options(const yaml_node *map, const option_spec *specs, const experiment *e,
                                      void *options, error_info *err);

/** A mapping whose keys are those of the table, and `further` where that is not NULL; `what` names it in messages. */
BNB_MUST_CHECK status declare_option_keys(const yaml_node *node, const char *what, const char *further,
                                          const option_spec *specs, error_info *err);

/** `tables`, `tests` and `plots` of an experiment; metrics are there already. */
BNB_MUST_CHECK status declare_parts(const yaml_node *root, experiment *e, error_info *err);

void learner_variant_clear(learner_variant *v);

/** A path as the experiment means it: relative to its folder. On the heap; NULL without memory. */
char *experiment_path(const experiment *e, const char *path);

#endif
