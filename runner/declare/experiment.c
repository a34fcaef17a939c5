/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/declare/experiment.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "runner/declare/declare_internal.h"
#include "runner/declare/fields_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

enum { MOST_PROFILES = 32, MOST_THREADS = 1024, MOST_VALIDATION_SETS = 1000 };

/* `samples: all` takes every row of real data sets. */
static status read_all_rows(const yaml_node *node, experiment *e, error_info *err) {
    experiment_outputs *o = &e->outputs;
    for (size_t i = 0; i < o->n_networks; i++) {
        if (e->sources[i].kind != SOURCE_DATA)
            return yaml_fail(node, err, "samples is 'all', but '%.60s' is no data set: give numbers", o->networks[i]);
    }
    CHECK_ALLOC(o->sizes = calloc(1, sizeof *o->sizes));
    o->sizes[0] = OUTPUTS_ALL_ROWS;
    o->n_sizes = 1;
    return STATUS_OK;
}

static bool is_all(const yaml_node *node) {
    return node->kind == YAML_TEXT && strcmp(node->text, "all") == 0;
}

static status read_sizes(const yaml_node *node, experiment *e, error_info *err) {
    experiment_outputs *o = &e->outputs;
    size_t n = 0;
    CHECK(field_items(node, "samples", MOST_SIZES, &n, err));
    if (n == 1 && is_all(field_item(node, 0)))
        return read_all_rows(node, e, err);
    CHECK_ALLOC(o->sizes = calloc(n, sizeof *o->sizes));
    o->n_sizes = n;
    for (size_t i = 0; i < n; i++) {
        const yaml_node *item = field_item(node, i);
        uint64_t size = 0;
        CHECK(field_whole(item, "samples", 1, MOST_SAMPLES, &size, err));
        o->sizes[i] = (size_t)size;
        for (size_t k = 0; k < i; k++) {
            if (o->sizes[k] == o->sizes[i])
                return yaml_fail(item, err, "the sample size %zu stands here a second time", o->sizes[i]);
        }
    }
    return STATUS_OK;
}

/* Several validation sets are as large as the training set unless their rows are declared. */
static void size_test_sets(const yaml_node *data, experiment *e) {
    e->test_is_as_large = yaml_get(data, "validation_sets") && !yaml_get(data, "test_samples");
    if (e->test_is_as_large)
        e->test_samples = 0;
    for (size_t i = 0; e->test_is_as_large && i < e->outputs.n_sizes; i++)
        e->test_samples = e->outputs.sizes[i] > e->test_samples ? e->outputs.sizes[i] : e->test_samples;
}

static status read_data(const yaml_node *node, experiment *e, error_info *err) {
    static const char *const known[] = {"samples",      "replicates", "test_samples", "validation_sets",
                                        "column_order", "continuize", "states",       NULL};
    static const option_spec specs[] = {
        {OPT_COUNT, "replicates", offsetof(experiment, outputs.n_replicates), .least = 1, .most = MOST_REPLICATES},
        {OPT_COUNT, "test_samples", offsetof(experiment, test_samples), .most = MOST_SAMPLES},
        {OPT_COUNT, "validation_sets", offsetof(experiment, validation_sets), .least = 1, .most = MOST_VALIDATION_SETS},
        {OPT_CHOICE, "column_order", offsetof(experiment, order), .choices = "shuffled|file|reverse"},
        {OPT_CHOICE, "states", offsetof(experiment, states), .choices = "declared|observed"},
        {0}};
    const yaml_node *samples = yaml_get(node, "samples");
    CHECK(field_mapping(node, "data", known, err));
    if (!samples)
        return yaml_fail(node, err, "data needs 'samples', one sample size or a list of them");
    CHECK(read_sizes(samples, e, err));
    e->outputs.n_replicates = e->validation_sets = 1;
    e->test_samples = 5000;
    CHECK(declare_options(node, specs, e, e, err));
    size_test_sets(node, e);
    return declare_continuize(yaml_get(node, "continuize"), e, err);
}

static status read_limits(const yaml_node *node, experiment *e, error_info *err) {
    static const char *const known[] = {"time", "memory", NULL};
    CHECK(field_mapping(node, "limits", known, err));
    CHECK(field_seconds(yaml_get(node, "time"), "time", &e->time_limit_s, err));
    return field_bytes(yaml_get(node, "memory"), "memory", &e->memory_limit_bytes, err);
}

static status read_head(const yaml_node *root, experiment *e, error_info *err) {
    const yaml_node *limits = yaml_get(root, "limits");
    uint64_t n_threads = 1;
    e->seed = 1;
    CHECK(field_name(yaml_get(root, "name"), "name", &e->outputs.name, err));
    CHECK(field_line(yaml_get(root, "title"), "title", &e->outputs.title, err));
    CHECK(field_line(yaml_get(root, "paper"), "paper", &e->outputs.paper, err));
    CHECK(field_whole(yaml_get(root, "seed"), "seed", 0, (uint64_t)1 << 53, &e->seed, err));
    CHECK(field_whole(yaml_get(root, "threads"), "threads", 1, MOST_THREADS, &n_threads, err));
    e->n_threads = (size_t)n_threads;
    return limits ? read_limits(limits, e, err) : STATUS_OK;
}

static status check_cells(const yaml_node *data, const experiment *e, error_info *err) {
    const experiment_outputs *o = &e->outputs;
    double n = (double)outputs_place_count(o) * (double)o->n_sizes * (double)o->n_replicates * (double)e->n_variants;
    char noise[48] = "";
    if (o->n_sigmas)
        (void)snprintf(noise, sizeof noise, "%zu noise levels x ", o->n_sigmas);
    if (n > MOST_CELLS)
        return yaml_fail(data, err,
                         "%zu networks x %zu sizes x %s%zu replicates x %zu learners are %.0f cells; at most %d",
                         o->n_networks, o->n_sizes, noise, o->n_replicates, e->n_variants, n, MOST_CELLS);
    return STATUS_OK;
}

/* The folder of relative paths: what `folder` says, and that is relative to where the file lies. */
static status read_folder(const yaml_node *root, const char *file_folder, experiment *e, error_info *err) {
    const yaml_node *node = yaml_get(root, "folder");
    AUTO_FREE char *given = NULL;
    char *full;
    CHECK_ALLOC(e->folder = text_copy(file_folder));
    if (!node)
        return STATUS_OK;
    CHECK(field_line(node, "folder", &given, err));
    CHECK_ALLOC(full = strcmp(file_folder, ".") == 0 ? text_copy(given) : experiment_path(e, given));
    free(e->folder);
    e->folder = full;
    return STATUS_OK;
}

static status read_learners(const yaml_node *node, experiment *e, error_info *err) {
    size_t n = 0;
    CHECK(field_items(node, "learners", MOST_VARIANTS, &n, err));
    for (size_t i = 0; i < n; i++) {
        const yaml_node *entry = field_item(node, i);
        CHECK(yaml_get(entry, "best_of") ? declare_best_of(entry, e, err) : declare_learner(entry, e, err));
    }
    return STATUS_OK;
}

static status read_tree(const yaml_node *root, const char *file_folder, bool check_files, experiment *e,
                        error_info *err) {
    static const char *const known[] = {"name",          "title",   "seed",    "networks",        "data",  "learners",
                                        "limits",        "threads", "metrics", "tables",          "tests", "plots",
                                        "claims",        "remarks", "folder",  "discretize",      "only",  "conclusion",
                                        "readings",      "reading", "reasons", "failed_in_paper", "paper", "absent",
                                        "paper_figures", NULL};
    static const char *const needed[] = {"name", "networks", "data", "learners"};
    CHECK(field_mapping(root, "the experiment", known, err));
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (!yaml_get(root, needed[i]))
            return yaml_fail(root, err, "the experiment needs '%s'", needed[i]);
    }
    CHECK(read_head(root, e, err));
    CHECK(read_folder(root, file_folder, e, err));
    CHECK(declare_networks(yaml_get(root, "networks"), check_files, e, err));
    CHECK(read_data(yaml_get(root, "data"), e, err));
    if (yaml_get(root, "discretize"))
        CHECK(declare_discretize(yaml_get(root, "discretize"), &e->discretize, err));
    CHECK(read_learners(yaml_get(root, "learners"), e, err));
    CHECK(check_cells(yaml_get(root, "data"), e, err));
    CHECK(declare_only(yaml_get(root, "only"), e, err));
    CHECK(declare_metrics(yaml_get(root, "metrics"), e, err));
    CHECK(declare_parts(root, e, err));
    CHECK(declare_failures(yaml_get(root, "failed_in_paper"), e, err));
    CHECK(declare_claims(yaml_get(root, "claims"), e, err));
    CHECK(declare_remarks(yaml_get(root, "remarks"), e, err));
    CHECK(field_line(yaml_get(root, "conclusion"), "conclusion", &e->outputs.conclusion, err));
    CHECK(field_name(yaml_get(root, "reading"), "reading", &e->outputs.reading, err));
    CHECK(declare_readings(yaml_get(root, "readings"), e, err));
    CHECK(declare_reasons(yaml_get(root, "reasons"), e, err));
    CHECK(declare_paper_figures(yaml_get(root, "paper_figures"), e, err));
    return declare_absent(yaml_get(root, "absent"), check_files, e, err);
}

/* A declaration while it is read: the tree of the text without its profiles. */
typedef struct {
    arena memory;
    yaml_node *tree;
    const yaml_node *profiles;
    const char *folder;
    bool check_files;
} draft;

static void draft_clear(draft *d) {
    arena_clear(&d->memory);
}

static status split_profiles(draft *d, yaml_node *root, error_info *err) {
    if (root->kind != YAML_MAP)
        return yaml_fail(root, err, "an experiment is a mapping (name: ..., networks: ...)");
    d->profiles = yaml_get(root, "profiles");
    CHECK_ALLOC(d->tree = yaml_without(&d->memory, root, "profiles"));
    if (!d->profiles)
        return STATUS_OK;
    if (d->profiles->kind != YAML_MAP || d->profiles->n > MOST_PROFILES)
        return yaml_fail(d->profiles, err, "profiles must be a mapping of at most %d profiles", MOST_PROFILES);
    for (size_t i = 0; i < d->profiles->n; i++) {
        CHECK(field_check_name(d->profiles->keys[i], "the name of a profile", err));
        if (d->profiles->items[i]->kind != YAML_MAP)
            return yaml_fail(d->profiles->items[i], err, "the profile '%.60s' must be a mapping of what it changes",
                             d->profiles->keys[i]->text);
    }
    return STATUS_OK;
}

static status unknown_profile(const draft *d, const char *source, const char *profile, error_info *err) {
    const char *names[MOST_PROFILES];
    char hint[300];
    size_t n = d->profiles ? d->profiles->n : 0;
    for (size_t i = 0; i < n; i++)
        names[i] = d->profiles->keys[i]->text;
    if (n == 0)
        return error_set(err, STATUS_PARSE, "%s:1:1: there is no profile '%.60s'; the file declares none", source,
                         profile);
    return error_set(err, STATUS_PARSE, "%s:%zu:%zu: there is no profile '%.60s'%s", source, d->profiles->line,
                     d->profiles->column, profile, field_suggestion(profile, names, n, hint, sizeof hint));
}

static status apply_profile(draft *d, const char *source, const char *profile, error_info *err) {
    yaml_node *overlay = d->profiles && profile ? yaml_get(d->profiles, profile) : NULL;
    if (!profile)
        return STATUS_OK;
    if (!overlay)
        return unknown_profile(d, source, profile, err);
    d->tree = yaml_merge(&d->memory, d->tree, overlay);
    return d->tree ? STATUS_OK : error_out_of_memory(err);
}

/* One "a.b=value". */
static status apply_set(draft *d, const char *set, error_info *err) {
    const char *equals = strchr(set, '=');
    size_t n = equals ? (size_t)(equals - set) : 0;
    char *key, *source;
    yaml_node *value = NULL, *overlay;
    if (n == 0 || n > 200 || set[0] == '.' || set[n - 1] == '.')
        return error_set(err, STATUS_PARSE, "--set %.100s: write key=value, as in data.replicates=2", set);
    key = arena_copy(&d->memory, set, n);
    source = arena_take(&d->memory, n + 8, 1);
    CHECK_ALLOC(key && source);
    (void)snprintf(source, n + 8, "--set %s", key);
    CHECK(yaml_parse(&d->memory, equals + 1, strlen(equals + 1), source, &value, err));
    overlay = yaml_nest(&d->memory, key, value);
    d->tree = overlay ? yaml_merge(&d->memory, d->tree, overlay) : NULL;
    return d->tree ? STATUS_OK : error_out_of_memory(err);
}

/* Checks that every profile gives an experiment, whichever was asked for. */
static status check_profiles(draft *d, error_info *err) {
    for (size_t i = 0; d->profiles && i < d->profiles->n; i++) {
        AUTO(experiment_clear) experiment scratch = {0};
        yaml_node *tree = yaml_merge(&d->memory, d->tree, d->profiles->items[i]);
        CHECK_ALLOC(tree);
        CHECK(read_tree(tree, d->folder, d->check_files, &scratch, err));
    }
    return STATUS_OK;
}

static status add_reading_name(status st, const char *id, error_info *err) {
    size_t used = err ? strlen(err->message) : 0;
    if (err && st != STATUS_MEMORY)
        (void)snprintf(err->message + used, sizeof err->message - used, " (with the reading '%.60s')", id);
    return st;
}

/* The tree with an entry of its `readings` laid over it, and what it declares; a message ends with the reading. */
static status read_with_reading(draft *d, yaml_node *tree, const experiment *e, size_t i, yaml_node **changed,
                                experiment *out, error_info *err) {
    const yaml_node *entry = field_item(yaml_get(tree, "readings"), i);
    status st = declare_apply_reading(&d->memory, tree, entry, changed, err);
    if (st == STATUS_OK)
        st = read_tree(*changed, d->folder, d->check_files, out, err);
    return st == STATUS_OK ? st : add_reading_name(st, e->outputs.readings[i].id, err);
}

/* Checks that every reading gives an experiment. */
static status check_readings(draft *d, const experiment *e, error_info *err) {
    for (size_t i = 0; i < e->outputs.n_readings; i++) {
        AUTO(experiment_clear) experiment scratch = {0};
        yaml_node *changed = NULL;
        CHECK(read_with_reading(d, d->tree, e, i, &changed, &scratch, err));
    }
    return STATUS_OK;
}

/* Writes the tree as text; with its absolute folder it means the same from anywhere. */
static status write_declaration(draft *d, experiment *e, error_info *err) {
    yaml_node *folder = yaml_text(&d->memory, d->tree, e->folder, true);
    yaml_node *overlay = folder ? yaml_nest(&d->memory, "folder", folder) : NULL;
    yaml_node *whole = overlay ? yaml_merge(&d->memory, d->tree, overlay) : NULL;
    AUTO(text_buffer_clear) text_buffer text = {0};
    CHECK_ALLOC(whole);
    CHECK(yaml_append(whole, &text, err));
    e->declaration = text.data;
    text.data = NULL;
    return STATUS_OK;
}

/* A file that says of which reading it is was written by a report: it is an experiment of its own. */
static status drop_reading(draft *d, error_info *err) {
    const yaml_node *reading = yaml_get(d->tree, "reading");
    if (!reading || !d->check_files)
        return STATUS_OK;
    CHECK(field_check_name(reading, "reading", err));
    CHECK_ALLOC(d->tree = yaml_without(&d->memory, d->tree, "reading"));
    return STATUS_OK;
}

static status read_draft(const char *text, size_t length, const char *source, const char *profile,
                         const char *const *sets, size_t n_sets, draft *d, experiment *out, error_info *err) {
    yaml_node *root = NULL;
    AUTO(experiment_clear) experiment e = {0};
    CHECK(yaml_parse(&d->memory, text, length, source, &root, err));
    CHECK(split_profiles(d, root, err));
    CHECK(check_profiles(d, err));
    CHECK(apply_profile(d, source, profile, err));
    for (size_t i = 0; i < n_sets; i++)
        CHECK(apply_set(d, sets[i], err));
    CHECK(drop_reading(d, err));
    e.is_as_written = d->check_files && !profile && n_sets == 0;
    CHECK(read_tree(d->tree, d->folder, d->check_files, &e, err));
    CHECK(check_readings(d, &e, err));
    CHECK(write_declaration(d, &e, err));
    *out = TAKE(e);
    return STATUS_OK;
}

status experiment_parse(const char *text, size_t length, const char *name, experiment *out, error_info *err) {
    AUTO(draft_clear) draft d = {.folder = "."};
    return read_draft(text, length, name, NULL, NULL, 0, &d, out, err);
}

static status unknown_reading(const experiment_outputs *o, const char *reading, error_info *err) {
    AUTO_FREE const char **names = calloc(o->n_readings + 1, sizeof *names);
    char hint[300];
    size_t n = 0;
    CHECK_ALLOC(names);
    for (size_t i = 0; i < o->n_readings; i++) {
        if (!reading_is_base(&o->readings[i]))
            names[n++] = o->readings[i].id;
    }
    if (strcmp(reading, "base") == 0)
        return error_set(err, STATUS_INVALID,
                         "'base' is the experiment as it is declared, which always runs; name another");
    if (n == 0)
        return error_set(err, STATUS_INVALID, "there is no reading '%.60s'; the experiment declares none", reading);
    return error_set(err, STATUS_INVALID, "there is no reading '%.60s'%s", reading,
                     field_suggestion(reading, names, n, hint, sizeof hint));
}

static status read_reading(const experiment *e, const char *reading, draft *d, experiment *out, error_info *err) {
    const experiment_outputs *o = &e->outputs;
    AUTO(experiment_clear) experiment changed = {0};
    yaml_node *root = NULL;
    size_t at = 0;
    while (at < o->n_readings && strcmp(o->readings[at].id, reading) != 0)
        at++;
    if (at == o->n_readings || reading_is_base(&o->readings[at]))
        return unknown_reading(o, reading, err);
    CHECK(yaml_parse(&d->memory, e->declaration, strlen(e->declaration), "the declaration", &root, err));
    CHECK(read_with_reading(d, root, e, at, &d->tree, &changed, err));
    CHECK(write_declaration(d, &changed, err));
    *out = TAKE(changed);
    return STATUS_OK;
}

status experiment_apply_reading(const experiment *e, const char *reading, experiment *out, error_info *err) {
    AUTO(draft_clear) draft d = {.folder = "."};
    return read_reading(e, reading, &d, out, err);
}

/* The folder that a file lies in, absolute; on the heap. */
static status folder_of(const char *path, char **out, error_info *err) {
    const char *slash = strrchr(path, '/');
    AUTO_FREE char *folder = slash ? text_copy_n(path, (size_t)(slash - path) + 1) : text_copy(".");
    CHECK_ALLOC(folder);
    *out = realpath(folder, NULL);
    return *out ? STATUS_OK : error_set(err, STATUS_IO, "%s: its folder cannot be found", path);
}

status experiment_read(const char *path, const char *profile, const char *const *sets, size_t n_sets, experiment *out,
                       error_info *err) {
    AUTO_FREE char *text = NULL, *folder = NULL;
    size_t length = 0;
    AUTO(draft_clear) draft d = {.check_files = true};
    CHECK(error_at(file_read(path, (size_t)YAML_MOST_BYTES + 1, &text, &length, err), err, path));
    CHECK(folder_of(path, &folder, err));
    d.folder = folder;
    return read_draft(text, length, path, profile, sets, n_sets, &d, out, err);
}
