/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/base/inputs.h"

#include "cli/base/data_doubts.h"
#include "core/base/file.h"
#include "core/base/name_index.h"
#include "core/data/csv.h"
#include "core/data/dataset_file.h"
#include "generators/catalogue/catalogue.h"
#include "generators/catalogue/dataset_locate.h"
#include "generators/networks/bif.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool input_is_network_file(const char *word) {
    return network_format_of_network(word) != NULL;
}

/* A file of that very name serves where the catalogue has none: `bnbench info "my network"`. */
static status locate_network(const char *name, char **path, error_info *err) {
    status st = catalogue_locate(name, path, err);
    if (st != STATUS_MISSING || !file_exists(name))
        return st;
    *path = text_copy(name);
    return *path ? STATUS_OK : error_out_of_memory(err);
}

static status read_network(cli *c, const char *path, any_network *out, error_info *err) {
    size_t n_scaled = 0;
    status st = any_network_read(path, out, &n_scaled, err);
    if (st == STATUS_OK && n_scaled > 0)
        cli_say(c, "%s: %zu row%s of the tables did not sum to one within 1e-6 and %s scaled", path, n_scaled,
                n_scaled == 1 ? "" : "s", n_scaled == 1 ? "was" : "were");
    return st;
}

status input_any_network(cli *c, const char *name, any_network *out, error_info *err) {
    const catalogue_entry *entry = catalogue_find(name);
    AUTO_FREE char *path = NULL;
    status st = locate_network(name, &path, err);
    if (st == STATUS_MISSING && entry && entry->tile)
        st = catalogue_load(name, &out->tables, err);
    else if (st == STATUS_OK)
        st = read_network(c, path, out, err);
    return cli_blame(c, BLAME_INPUT, st);
}

status input_network(cli *c, const char *name, bayes_net **out, error_info *err) {
    AUTO(any_network_clear) any_network found = {0};
    CHECK(input_any_network(c, name, &found, err));
    if (!found.tables)
        return cli_blame(
            c, BLAME_INPUT,
            error_set(err, STATUS_INVALID, "%s is a linear-Gaussian network; this takes one of tables", name));
    *out = found.tables;
    found.tables = NULL;
    return STATUS_OK;
}

bool input_is_available(const char *name) {
    const catalogue_entry *entry = catalogue_find(name);
    AUTO_FREE char *path = NULL;
    return catalogue_locate(name, &path, NULL) == STATUS_OK ||
           (entry && entry->tile && catalogue_locate(entry->tile, &path, NULL) == STATUS_OK);
}

bool input_data_is_here(const char *name) {
    AUTO_FREE char *path = NULL;
    return dataset_locate(name, ".csv", &path, NULL) == STATUS_OK;
}

status input_states(cli *c, any_network *out, error_info *err) {
    const char *name = args_value(c->args, "network");
    return name ? input_any_network(c, name, out, err) : STATUS_OK;
}

static void say_what_was_inferred(const cli *c, const char *path, const dataset *data) {
    size_t p = dataset_column_count(data), n_discrete = 0;
    for (size_t i = 0; i < p; i++)
        n_discrete += dataset_variable(data, i)->kind == VARIABLE_DISCRETE;
    cli_say(c,
            "%s: no schema: state spaces taken from the values seen (%zu discrete and %zu continuous columns, %zu "
            "rows); --network or a .schema.csv beside the file fixes them",
            path, n_discrete, p - n_discrete, dataset_row_count(data));
}

static status say_doubts(const cli *c, const char *path, const dataset *data, error_info *err) {
    AUTO(text_buffer_clear) text_buffer doubts = {0};
    data_doubts_append(data, &doubts);
    CHECK(text_buffer_check(&doubts, err));
    for (const char *at = doubts.length ? doubts.data : ""; *at; at += strcspn(at, "\n") + 1)
        cli_say(c, "%s: %.*s", path, (int)strcspn(at, "\n"), at);
    return STATUS_OK;
}

status input_data(cli *c, const char *path, const any_network *states, dataset **out, error_info *err) {
    bool has_states = states && (states->tables || states->gaussian);
    int64_t threads = 1;
    data_reading how = {0};
    schema_origin origin = SCHEMA_GIVEN;
    if (has_states)
        how = (data_reading){.given = any_network_variables(states), .n_given = any_network_node_count(states)};
    CHECK(cli_blame(c, BLAME_WORDS, args_whole(c->args, "threads", 1, INPUT_MOST_THREADS, 1, &threads, err)));
    how.n_threads = (size_t)threads;
    CHECK(cli_blame(c, BLAME_INPUT, dataset_read(path, &how, out, &origin, err)));
    if (origin != SCHEMA_INFERRED)
        return STATUS_OK;
    say_what_was_inferred(c, path, *out);
    return say_doubts(c, path, *out, err);
}

static status graph_of_network(cli *c, const char *word, named_graph *out, error_info *err) {
    AUTO(any_network_clear) any_network net = {0};
    CHECK(input_any_network(c, word, &net, err));
    return any_network_graph(&net, out, err);
}

static bool is_graph_file(const char *word) {
    const network_format *format = network_format_of_path(word);
    return format && !format->parse;
}

status input_graph_read(cli *c, const char *word, named_graph *out, error_info *err) {
    bool is_name = strcmp(word, "-") != 0 && !file_exists(word) && (catalogue_find(word) || input_is_available(word));
    if ((is_name && !is_graph_file(word)) || input_is_network_file(word))
        return graph_of_network(c, word, out, err);
    return cli_blame(c, BLAME_INPUT, graph_file_read(word, NULL, NULL, 0, out, err));
}

status input_options(cli *c, const char *name, const option_spec *specs, void *options, error_info *err) {
    AUTO_FREE const char **pairs = calloc(c->args->n_given + 1, sizeof *pairs);
    size_t n;

    CHECK_ALLOC(pairs);
    n = args_values(c->args, name, pairs);
    for (size_t i = 0; i < n; i++)
        CHECK(cli_blame(c, BLAME_WORDS, options_set_pair(specs, options, pairs[i], err)));
    return STATUS_OK;
}

status input_column(cli *c, const dataset *data, const char *name, size_t *out, error_info *err) {
    size_t p = dataset_column_count(data);
    AUTO_FREE const char **names = NULL;
    const char *near;
    *out = dataset_find_column(data, name);
    if (*out != NAME_NONE)
        return STATUS_OK;
    CHECK_ALLOC(names = calloc(p, sizeof *names));
    for (size_t i = 0; i < p; i++)
        names[i] = dataset_variable(data, i)->name;
    near = text_nearest(name, names, p);
    return near ? cli_refuse(c, err, "the data have no column '%s'; did you mean '%s'?", name, near)
                : cli_refuse(c, err, "the data have no column '%s'; the first of %zu is '%s'", name, p, names[0]);
}

status input_list(const char *list, status (*take)(void *self, const char *part, error_info *err), void *self,
                  error_info *err) {
    AUTO(csv_clear) csv_reader reader = {0};
    csv_init(&reader, list, strlen(list));
    while (!reader.is_done) {
        AUTO_FREE char *part = NULL;
        csv_field field;
        if (csv_read_field(&reader, &field, err) != STATUS_OK)
            return error_set(err, STATUS_INVALID,
                             "the list '%.200s' has a quote that is not closed, or text behind one", list);
        CHECK_ALLOC(part = text_copy_n(field.text, field.length));
        CHECK(take(self, part, err));
    }
    return STATUS_OK;
}
