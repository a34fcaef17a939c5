/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A setup of a Benchpress configuration: its networks, sample sizes and seeds, and the text of the experiment.
 * Form of the configurations: https://github.com/felixleopoldo/benchpress, docs and workflow/schemas. */
#include "runner/import/benchpress_internal.h"

#include "core/base/array.h"
#include "core/base/file.h"
#include "generators/catalogue/catalogue.h"
#include "generators/catalogue/dataset_locate.h"
#include "runner/declare/experiment.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETUPS = 1000, MOST_ENTRIES = 1000, MOST_SIZE = 1000000000, MOST_REPLICATES = 100000 };

void benchpress_experiment_clear(benchpress_experiment *x) {
    text_buffer_clear(&x->yaml);
    texts_destroy(x->losses, x->n_losses);
    *x = (benchpress_experiment){0};
}

static void import_clear(import *in) {
    texts_destroy(in->networks, in->n_networks);
    texts_destroy(in->wanted, in->n_wanted);
    free(in->sizes);
    for (size_t i = 0; i < in->n_learners; i++) {
        free(in->learners[i].id);
        free(in->learners[i].origin);
    }
    free(in->learners);
    text_buffer_clear(&in->learner_lines);
}

static bool is_among(char *const *texts, size_t n, const char *text) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(texts[i], text) == 0)
            return true;
    }
    return false;
}

/* ---- networks and data ---- */

/* A name before the ending. */
static bool has_name(const char *path, const char *ending) {
    const char *base = path_base(path);
    size_t n = strlen(base), k = strlen(ending);
    return n > k && strcmp(base + n - k, ending) == 0;
}

/* "bn.fit_networks/hepar2.rds" -> "hepar2"; NULL where it has another ending. On the heap. */
static status name_without(const char *path, const char *ending, char **out, error_info *err) {
    const char *base = path_base(path);
    *out = NULL;
    if (has_name(path, ending))
        CHECK_ALLOC(*out = text_copy_n(base, strlen(base) - strlen(ending)));
    return STATUS_OK;
}

/* Names that need no quotes in YAML, and are no path. */
static bool is_plain_name(const char *name) {
    bool ok = isalnum((unsigned char)name[0]);
    for (; *name && ok; name++)
        ok = isalnum((unsigned char)*name) || *name == '_' || *name == '-' || *name == '.';
    return ok;
}

static status add_name(import *in, const char *name, error_info *err) {
    return is_among(in->networks, in->n_networks, name) ? STATUS_OK
                                                        : texts_add(&in->networks, &in->n_networks, name, err);
}

/* A network of bn.fit: by its name, where this computer has it. */
static status take_network(import *in, const char *path, const char *name, bool *is_taken, bool *is_continuous,
                           error_info *err) {
    AUTO_FREE char *file = NULL;
    status st = is_plain_name(name) ? catalogue_locate(name, &file, err) : STATUS_MISSING;
    if (st == STATUS_MISSING)
        return import_lose(in, err, path,
                           "there is no network '%.100s' on this computer; bnbench reads %.100s.bif, or .json of a "
                           "linear-Gaussian one, in a folder of $BNBENCH_NETWORKS",
                           name, name);
    CHECK(st);
    *is_taken = true;
    *is_continuous = path_ends_with(file, ".json") || path_ends_with(file, ".json.gz");
    return add_name(in, name, err);
}

static status take_data_set(import *in, const char *path, const char *name, bool *is_taken, error_info *err) {
    AUTO_FREE char *file = NULL;
    status st = is_plain_name(name) ? dataset_locate(name, ".csv", &file, err) : STATUS_MISSING;
    if (st == STATUS_MISSING)
        return import_lose(in, err, path,
                           "there are no data '%.100s' on this computer; bnbench reads %.100s.csv, without the row of "
                           "cardinalities, and %.100s.edges.csv, its true arcs, in a folder of $BNBENCH_DATASETS",
                           name, name, name);
    CHECK(st);
    *is_taken = true;
    return add_name(in, name, err);
}

static status lose_random(import *in, const char *path, const char *section, const char *id, error_info *err) {
    const char *module = NULL;
    if (import_find_resource(in, section, id, &module))
        return import_lose(in, err, path, "'%.100s' is drawn at random (%.100s), and bnbench draws no %s", id, module,
                           strcmp(section, "graph") == 0 ? "graphs" : "parameters of a graph");
    return import_lose(in, err, path, "'%.100s' is no network that bnbench could look for (NAME.rds)", id);
}

static status add_size(import *in, const char *path, const json_t *value, error_info *err) {
    json_int_t size = json_integer_value(value);
    if (!json_is_integer(value) || size < 1 || size > MOST_SIZE)
        return import_lose(in, err, path, "a sample size is a whole number from 1 to 10^9");
    if (array_has_size(in->sizes, in->n_sizes, (size_t)size))
        return STATUS_OK;
    return ARRAY_APPEND(in->sizes, in->n_sizes, err, (size_t)size);
}

/* The sizes of an entry of resources.data; others than those that another network has are said. */
static status take_sizes(import *in, const char *path, const json_t *data, bool is_continuous, error_info *err) {
    const json_t *sizes = json_object_get(data, "sample_sizes"), *each;
    size_t i, n_before = in->n_sizes, n = 0;
    sizes = sizes ? sizes : json_object_get(data, "n");
    if (!json_is_array(sizes)) {
        CHECK(add_size(in, path, sizes, err));
        n = 1;
    }
    json_array_foreach((json_t *)sizes, i, each) {
        CHECK(add_size(in, path, each, err));
        n++;
    }
    if (n_before > 0 && (in->n_sizes > n_before || n < n_before))
        CHECK(import_lose(in, err, path, "every network of an experiment has all its sample sizes"));
    if (is_continuous && json_is_true(json_object_get(data, "standardized")))
        CHECK(import_lose(in, err, path, "columns are standardized there, and stay as they are here"));
    return STATUS_OK;
}

static status take_sampling(import *in, const char *path, const char *id, bool is_continuous, error_info *err) {
    const char *module = NULL;
    const json_t *data = import_find_resource(in, "data", id, &module);
    if (!data)
        return import_lose(in, err, path, "the resources hold no data '%.100s'", id);
    if (strcmp(module, "iid") != 0 && strcmp(module, "standard_sampling") != 0)
        return import_lose(in, err, path, "samples of '%.100s' (%.100s) are drawn as independent rows here", id,
                           module);
    return take_sizes(in, path, data, is_continuous, err);
}

static status take_seeds(import *in, const char *path, const json_t *range, error_info *err) {
    json_int_t first = json_integer_value(json_array_get(range, 0)),
               last = json_integer_value(json_array_get(range, 1));
    size_t n = 1;
    if (import_is_on(range)) {
        if (json_array_size(range) != 2 || first < 0 || last < first || last - first >= MOST_REPLICATES)
            return import_lose(in, err, path, "seeds are two whole numbers, the first and the last");
        n = (size_t)(last - first) + 1;
    }
    if (in->n_replicates > 0 && n != in->n_replicates)
        CHECK(
            import_lose(in, err, path, "every network of an experiment has as many replicates: the most that one has"));
    in->n_replicates = n > in->n_replicates ? n : in->n_replicates;
    return STATUS_OK;
}

static const char *member(const json_t *entry, const char *key) {
    const char *text = json_string_value(json_object_get(entry, key));
    return text ? text : "";
}

/* Fixed data: a file; or a network whose data are sampled. */
static status take_entry(import *in, const char *path, const json_t *entry, bool is_of_data, error_info *err) {
    const char *parameters = member(entry, "parameters_id"), *graph = member(entry, "graph_id");
    AUTO_FREE char *data = NULL, *network = NULL;
    bool is_taken = false, is_continuous = false;
    CHECK(name_without(member(entry, "data_id"), ".csv", &data, err));
    CHECK(name_without(parameters, ".rds", &network, err));
    if (data && !is_of_data)
        return import_lose(in, err, path,
                           "data of a file, all of whose rows are taken, need an experiment of their own");
    if (data)
        CHECK(take_data_set(in, path, data, &is_taken, err));
    else if (network)
        CHECK(take_network(in, path, network, &is_taken, &is_continuous, err));
    else
        CHECK(lose_random(in, path, *parameters ? "parameters" : "graph", *parameters ? parameters : graph, err));
    if (is_taken && !data)
        CHECK(take_sampling(in, path, member(entry, "data_id"), is_continuous, err));
    return is_taken ? take_seeds(in, path, json_object_get(entry, "seed_range"), err) : STATUS_OK;
}

static bool all_are_files(const json_t *entries) {
    size_t i;
    json_t *entry;
    json_array_foreach((json_t *)entries, i, entry) {
        if (!has_name(member(entry, "data_id"), ".csv"))
            return false;
    }
    return true;
}

static status import_networks(import *in, error_info *err) {
    const json_t *entries = json_object_get(in->setup, "data");
    json_t *entry;
    size_t i;
    if (!json_is_array(entries) || json_array_size(entries) > MOST_ENTRIES)
        return error_set(err, STATUS_PARSE, "%s.data is no list of graphs, parameters and data", in->setup_path);
    in->is_of_data = all_are_files(entries);
    json_array_foreach((json_t *)entries, i, entry) {
        char path[IMPORT_PATH_SIZE + 40];
        (void)snprintf(path, sizeof path, "%s.data[%zu]", in->setup_path, i);
        CHECK(take_entry(in, path, entry, in->is_of_data, err));
    }
    array_sort_sizes(in->sizes, in->n_sizes);
    return STATUS_OK;
}

/* ---- the setup ---- */

static status find_setup(import *in, const json_t *setups, size_t *at, error_info *err) {
    const char *wish = in->wish->setup;
    int64_t number = 0;
    *at = 0;
    if (!wish)
        return STATUS_OK;
    for (; *at < json_array_size(setups); ++*at) {
        if (strcmp(member(json_array_get(setups, *at), "title"), wish) == 0)
            return STATUS_OK;
    }
    if (text_to_int(wish, &number) && number >= 1 && (size_t)number <= json_array_size(setups)) {
        *at = (size_t)number - 1;
        return STATUS_OK;
    }
    return error_set(err, STATUS_INVALID, "there is no setup '%.100s': there are %zu, by title or number", wish,
                     json_array_size(setups));
}

/* One setup, or a list of them with titles, of which one becomes the experiment. */
static status choose_setup(import *in, const json_t *setups, error_info *err) {
    json_t *setup;
    size_t at, i;
    if (json_is_object(setups)) {
        in->setup = setups;
        (void)snprintf(in->setup_path, sizeof in->setup_path, "benchmark_setup");
        return STATUS_OK;
    }
    if (json_array_size(setups) == 0 || json_array_size(setups) > MOST_SETUPS)
        return error_set(err, STATUS_PARSE, "'benchmark_setup' has no setup");
    CHECK(find_setup(in, setups, &at, err));
    in->setup = json_array_get(setups, at);
    (void)snprintf(in->setup_path, sizeof in->setup_path, "benchmark_setup[%zu]", at);
    json_array_foreach((json_t *)setups, i, setup) {
        char path[IMPORT_PATH_SIZE];
        (void)snprintf(path, sizeof path, "benchmark_setup[%zu]", i);
        if (i != at)
            CHECK(import_lose(in, err, path, "another setup; --setup %zu imports it", i + 1));
    }
    return STATUS_OK;
}

/* ---- the text ---- */

/* The file's, without its endings. */
static void append_name(const char *file, text_buffer *out) {
    const char *name = path_base(file);
    size_t length = strcspn(name, ".");
    text_append(out, length > 0 ? "" : "benchpress");
    for (size_t i = 0; i < length; i++)
        text_append_format(out, "%c", isalnum((unsigned char)name[i]) || strchr("_-", name[i]) ? name[i] : '-');
}

static void append_head(const import *in, text_buffer *out) {
    const char *title = member(in->setup, "title");
    text_append(out, "# Of the Benchpress configuration ");
    import_append_word(out, path_base(in->wish->file));
    text_append_format(out, ", %s, by 'bnbench import benchpress'.\n", in->setup_path);
    text_append(out, in->wish->wants_programs
                         ? "# The scripts of contrib/adapters belong beside this file (docs/peers.md).\n"
                         : "# Learners of bnbench stand for the programs that Benchpress starts; with --adapters the "
                           "programs learn themselves.\n");
    for (size_t i = 0; i < in->out->n_losses; i++)
        text_append_format(out, "%s#   %s\n", i ? "" : "# Without a counterpart, or with another one:\n",
                           in->out->losses[i]);
    text_append(out, "name: \"");
    append_name(in->wish->file, out);
    text_append(out, "\"\n");
    if (*title) {
        text_append(out, "title: \"");
        for (; *title; title++)
            text_append_format(out, "%c", *title >= ' ' && *title <= '~' && !strchr("\"\\", *title) ? *title : ' ');
        text_append(out, "\"\n");
    }
}

static void append_data(const import *in, text_buffer *out) {
    text_append(out, "\nnetworks:\n");
    for (size_t i = 0; i < in->n_networks; i++)
        text_append_format(out, in->is_of_data ? "  - {dataset: \"%s\"}\n" : "  - \"%s\"\n", in->networks[i]);
    text_append(out, "\ndata: {samples: ");
    if (in->is_of_data)
        text_append(out, "all");
    for (size_t i = 0; i < in->n_sizes; i++)
        text_append_format(out, "%s%zu", i ? ", " : "[", in->sizes[i]);
    text_append_format(out, "%s, replicates: %zu, test_samples: 0}\n", in->is_of_data ? "" : "]", in->n_replicates);
}

static void append_learners(const import *in, text_buffer *out) {
    char seconds[32];
    text_append(out, "\nlearners:\n");
    text_append(out, in->learner_lines.data);
    if (in->longest_s > 0 && !in->some_unlimited)
        text_append_format(out, "\nlimits: {time: %ss}\n", text_from_double(in->longest_s, seconds));
}

static status write_text(import *in, error_info *err) {
    AUTO(text_buffer_clear) text_buffer parts = {0};
    AUTO(text_buffer_clear) text_buffer text = {0};
    AUTO(experiment_clear) experiment e = {0};
    CHECK(import_parts(in, &parts, err));
    CHECK(text_buffer_check(&parts, err));
    CHECK(text_buffer_check(&in->learner_lines, err));
    append_head(in, &text);
    append_data(in, &text);
    append_learners(in, &text);
    text_append(&text, parts.data);
    CHECK(text_buffer_check(&text, err));
    CHECK(experiment_parse(text.data, text.length, "the experiment", &e, err));
    in->out->yaml = TAKE(text);
    in->out->n_networks = in->n_networks;
    in->out->n_learners = in->n_learners;
    return STATUS_OK;
}

static status import_setup(import *in, const json_t *root, error_info *err) {
    const json_t *setups = json_object_get(root, "benchmark_setup");
    in->resources = json_object_get(root, "resources");
    if (!setups || !json_is_object(in->resources))
        return error_set(err, STATUS_PARSE,
                         "a configuration of Benchpress has 'benchmark_setup' and 'resources', and this has not");
    CHECK(choose_setup(in, setups, err));
    CHECK(import_wanted(in, err));
    CHECK(import_networks(in, err));
    CHECK(import_learners(in, err));
    if (in->n_networks == 0 || (in->n_sizes == 0 && !in->is_of_data))
        return error_set(err, STATUS_INVALID, "no network of the configuration has a counterpart in bnbench");
    if (in->n_learners == 0)
        return error_set(err, STATUS_INVALID, "no algorithm of the configuration has a counterpart in bnbench");
    return write_text(in, err);
}

status benchpress_import(const char *text, size_t length, const benchpress_wish *wish, benchpress_experiment *out,
                         error_info *err) {
    AUTO_PTR(json_decref) json_t *root = NULL;
    AUTO(import_clear) import in = {.wish = wish, .out = out};
    CHECK(json_read(text, length, &root, err));
    return import_setup(&in, root, err);
}
