/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/declare/declare_internal.h"

#include "core/base/file.h"
#include "generators/catalogue/any_network.h"
#include "generators/catalogue/catalogue.h"
#include "generators/catalogue/dataset_catalogue.h"
#include "runner/declare/fields_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_path(const char *name) {
    return strchr(name, '/') || network_format_of_network(name);
}

static status unknown_network(const yaml_node *node, const char *name, error_info *err) {
    AUTO_FREE const char **names = calloc(catalogue_count() + 1, sizeof *names);
    const char *near = NULL;
    CHECK_ALLOC(names);
    for (size_t i = 0; i < catalogue_count(); i++)
        names[i] = catalogue_at(i)->name;
    near = text_nearest(name, names, catalogue_count());
    near = near ? near : dataset_catalogue_nearest(name);
    if (near)
        return yaml_fail(node, err, "unknown network '%.60s'; did you mean '%s'?", name, near);
    return yaml_fail(node, err,
                     "unknown network '%.60s'; `bnbench list networks` names those there are, and a file is "
                     "written as a path ending in .bif or .json",
                     name);
}

/* Accepts a name of the catalogue, or of a file in one of the folders that are searched. */
static status check_name(const yaml_node *node, const char *name, bool check_files, error_info *err) {
    AUTO_FREE char *path = NULL;
    error_info quiet = {0};
    if (catalogue_find(name) || !check_files || catalogue_locate(name, &path, &quiet) == STATUS_OK)
        return STATUS_OK;
    return unknown_network(node, name, err);
}

static status take_path(const yaml_node *node, const char *text, bool check_files, const experiment *e, char **name,
                        network_source *source, error_info *err) {
    bool is_bif = path_ends_with_packed(text, ".bif");
    CHECK_ALLOC(source->source = experiment_path(e, text));
    if (check_files && !file_exists(source->source))
        return yaml_fail(node, err, "there is no file %.200s", source->source);
    CHECK_ALLOC(*name = path_name(text, is_bif ? ".bif" : ".json"));
    return STATUS_OK;
}

/* A data set by its name alone; another is written {dataset: NAME}. */
static status take_data(const char *text, char **name, network_source *source, error_info *err) {
    source->kind = SOURCE_DATA;
    *name = text_copy(text);
    source->source = text_copy(text);
    return *name && source->source ? STATUS_OK : error_out_of_memory(err);
}

static status read_name(const yaml_node *node, bool check_files, const experiment *e, char **name,
                        network_source *source, error_info *err) {
    AUTO_FREE char *text = NULL;
    const catalogue_entry *entry;
    CHECK(field_line(node, "a network", &text, err));
    if (is_path(text))
        return take_path(node, text, check_files, e, name, source, err);
    if (!catalogue_find(text) && dataset_catalogue_find(text))
        return take_data(text, name, source, err);
    CHECK(check_name(node, text, check_files, err));
    entry = catalogue_find(text);
    *name = text_copy(text);
    source->source = text_copy(entry && entry->tile ? entry->tile : text);
    source->copies = entry && entry->tile ? entry->copies : 0;
    source->tile_arcs = entry ? entry->tile_arcs : 0;
    return *name && source->source ? STATUS_OK : error_out_of_memory(err);
}

static status read_tiled(const yaml_node *node, bool check_files, const experiment *e, char **name,
                         network_source *source, error_info *err) {
    static const char *const known[] = {"tile", "copies", "arcs", NULL};
    const yaml_node *tile = yaml_get(node, "tile"), *copies = yaml_get(node, "copies"), *arcs = yaml_get(node, "arcs");
    const catalogue_entry *entry;
    AUTO_FREE char *base = NULL;
    uint64_t n_copies = 0, n_arcs = 0;
    size_t size;
    CHECK(field_mapping(node, "a tiled network", known, err));
    if (!tile || !copies)
        return yaml_fail(node, err, "a tiled network needs 'tile' (a network) and 'copies'");
    CHECK(read_name(tile, check_files, e, &base, source, err));
    if (source->copies || source->kind == SOURCE_DATA)
        return yaml_fail(
            tile, err, source->copies ? "'%s' is tiled already" : "'%s' is a data set; only networks are tiled", base);
    CHECK(field_whole(copies, "copies", 2, 10000, &n_copies, err));
    CHECK(field_whole(arcs, "arcs", 0, 1000000, &n_arcs, err));
    size = strlen(base) + 24;
    CHECK_ALLOC(*name = malloc(size));
    (void)snprintf(*name, size, "%s%llu", base, (unsigned long long)n_copies);
    entry = catalogue_find(*name);
    if (!arcs && !(entry && entry->tile))
        return yaml_fail(node, err, "the catalogue knows no '%.60s'; give 'arcs', how many arcs join the tiles", *name);
    source->copies = (size_t)n_copies;
    source->has_arcs = arcs != NULL;
    source->tile_arcs = arcs ? (size_t)n_arcs : entry->tile_arcs;
    return STATUS_OK;
}

/* A network under another name, as the one by which a paper calls it. */
static status read_renamed(const yaml_node *node, bool check_files, const experiment *e, char **name,
                           network_source *source, error_info *err) {
    static const char *const known[] = {"network", "id", NULL};
    const yaml_node *network = yaml_get(node, "network"), *id = yaml_get(node, "id");
    AUTO_FREE char *own = NULL;
    CHECK(field_mapping(node, "a network under another name", known, err));
    if (!id)
        return yaml_fail(node, err, "a network under another name needs an 'id', that name");
    CHECK(read_name(network, check_files, e, &own, source, err));
    if (source->copies)
        return yaml_fail(network, err, "'%s' is tiled, and called after its tile", own);
    if (source->kind == SOURCE_DATA)
        return yaml_fail(network, err, "'%s' is a data set; write {dataset: %s, id: ID}", own, own);
    return field_name(id, "id", name, err);
}

static status read_source(const yaml_node *node, bool check_files, const experiment *e, char **name,
                          network_source *source, error_info *err) {
    if (node->kind != YAML_MAP)
        return read_name(node, check_files, e, name, source, err);
    if (yaml_get(node, "genes"))
        return declare_genes(node, check_files, e, name, source, err);
    if (yaml_get(node, "dataset"))
        return declare_dataset(node, check_files, e, name, source, err);
    if (yaml_get(node, "network"))
        return read_renamed(node, check_files, e, name, source, err);
    return read_tiled(node, check_files, e, name, source, err);
}

static status read_network(const yaml_node *node, bool check_files, experiment *e, size_t i, error_info *err) {
    char **name = &e->outputs.networks[i];
    network_source *source = &e->sources[i];
    char where[300];
    CHECK(read_source(node, check_files, e, name, source, err));
    for (size_t k = 0; k < i; k++) {
        if (strcmp(e->outputs.networks[k], *name) == 0)
            return yaml_fail(node, err, "the network '%.60s' stands here a second time", *name);
    }
    (void)snprintf(where, sizeof where, "%.200s:%zu:%zu", node->source, node->line, node->column);
    source->where = text_copy(where);
    return source->where ? STATUS_OK : error_out_of_memory(err);
}

status declare_networks(const yaml_node *node, bool check_files, experiment *e, error_info *err) {
    size_t n = 0;
    CHECK(field_items(node, "networks", MOST_NETWORKS, &n, err));
    e->sources = calloc(n, sizeof *e->sources);
    e->outputs.networks = calloc(n, sizeof *e->outputs.networks);
    CHECK_ALLOC(e->sources && e->outputs.networks);
    e->outputs.n_networks = n;
    for (size_t i = 0; i < n; i++)
        CHECK(read_network(field_item(node, i), check_files, e, i, err));
    return STATUS_OK;
}
