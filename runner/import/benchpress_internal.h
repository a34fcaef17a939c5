/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the parts of the import share. */
#ifndef BNB_RUNNER_IMPORT_BENCHPRESS_INTERNAL_H
#define BNB_RUNNER_IMPORT_BENCHPRESS_INTERNAL_H

#include "core/base/json.h"
#include "runner/import/benchpress.h"

enum { IMPORT_PATH_SIZE = 400 };

/** A learner of the experiment, and the algorithm of the configuration that it comes of. */
typedef struct {
    char *id, *origin;
} imported_learner;

/** An import under way. Parts of the JSON are borrowed. */
typedef struct {
    const benchpress_wish *wish;
    const json_t *resources, *setup;
    char setup_path[IMPORT_PATH_SIZE];
    benchpress_experiment *out;

    char **networks; /* or data sets */
    size_t n_networks;
    bool is_of_data; /* all are data sets, of which all rows are taken */
    size_t *sizes;
    size_t n_sizes, n_replicates;

    char **wanted; /* ids of the algorithms that the evaluation names; none: all */
    size_t n_wanted;
    imported_learner *learners;
    size_t n_learners;
    text_buffer learner_lines;
    double longest_s;    /* of the learners with a time limit */
    bool some_unlimited; /* a learner has none */
} import;

/* benchpress_common.c */

/** A loss, said once: path, sentence. */
BNB_MUST_CHECK status import_lose(import *in, error_info *err, const char *path, const char *format, ...)
    BNB_PRINTF(4, 5);

/** As it can stand in the experiment in double quotes: letters, digits and a few signs, '-' for anything else. */
void import_append_word(text_buffer *out, const char *word);

/** True where the JSON asks for something: neither absent, null, false nor empty. */
bool import_is_on(const json_t *value);

/** The entry with this id in the lists of a section of the resources (`graph`, `data`, ...), and the module it is of;
 * NULL where there is none. */
const json_t *import_find_resource(const import *in, const char *section, const char *id, const char **module);

/** benchpress_learners.c: every wanted algorithm, as lines of `learners`. */
BNB_MUST_CHECK status import_learners(import *in, error_info *err);

/** benchpress_parts.c: what the evaluation wants to see. The first collects the ids of the algorithms that it names. */
BNB_MUST_CHECK status import_wanted(import *in, error_info *err);
BNB_MUST_CHECK status import_parts(import *in, text_buffer *out, error_info *err);

#endif
