/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of genes and real data sets among `networks`. */
#include "runner/declare/declare_internal.h"

#include "core/base/file.h"
#include "core/data/dataset_file.h"
#include "generators/catalogue/dataset_locate.h"
#include "runner/declare/fields_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_GENES = 20000, MOST_MODULES = 1000 };

static status read_real(const yaml_node *node, const char *what, double least, double most, double *out,
                        error_info *err) {
    double value = 0;
    if (!node)
        return STATUS_OK;
    if (node->kind != YAML_TEXT || node->is_quoted || !text_to_double(node->text, &value) || value < least ||
        value > most)
        return yaml_fail(node, err, "%s must be a number from %g to %g", what, least, most);
    *out = value;
    return STATUS_OK;
}

/* A path, relative to the experiment's folder, becomes absolute or relative to here; a name stays as it is. */
static status read_file_name(const yaml_node *node, const char *what, const char *ending, bool check_files,
                             const experiment *e, char **out, error_info *err) {
    const char *text = NULL;
    AUTO_FREE char *path = NULL;
    error_info why = {0};
    CHECK(field_text(node, what, &text, err));
    if (strlen(text) > 1000)
        return yaml_fail(node, err, "%s has %zu bytes; it may have 1000", what, strlen(text));
    *out = strchr(text, '/') || data_form_of_path(text) != DATA_FORM_NONE ? experiment_path(e, text) : text_copy(text);
    CHECK_ALLOC(*out);
    if (check_files && strchr(*out, '/') && dataset_locate(*out, ending, &path, &why) != STATUS_OK)
        return yaml_fail(node, err, "%.400s", why.message);
    return STATUS_OK;
}

static status read_noise(const yaml_node *node, gene_noise *noise, error_info *err) {
    *noise = gene_noise_usual;
    CHECK(read_real(yaml_get(node, "biological_sd"), "biological_sd", 0, 1, &noise->biological_sd, err));
    CHECK(read_real(yaml_get(node, "measurement_sd"), "measurement_sd", 0, 1, &noise->measurement_sd, err));
    return field_bool(yaml_get(node, "genetics"), "genetics", &noise->genetics, err);
}

static status read_topology(const yaml_node *node, gene_declaration *g, error_info *err) {
    uint64_t n_modules = 1;
    int choice = 0;
    g->topology.arcs_per_gene = 2;
    g->topology.rewired = 0.1;
    CHECK(field_choice(yaml_get(node, "topology"), "topology", "scale-free|random", &choice, err));
    CHECK(read_real(yaml_get(node, "arcs_per_gene"), "arcs_per_gene", 0.1, 100, &g->topology.arcs_per_gene, err));
    CHECK(field_whole(yaml_get(node, "modules"), "modules", 1, MOST_MODULES, &n_modules, err));
    CHECK(read_real(yaml_get(node, "rewired"), "rewired", 0, 1, &g->topology.rewired, err));
    g->topology.modules = (size_t)n_modules;
    g->is_scale_free = choice == 0;
    return STATUS_OK;
}

static status check_edges_alone(const yaml_node *node, error_info *err) {
    static const char *const drawn[] = {"topology", "arcs_per_gene", "modules", "rewired"};
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        if (yaml_get(node, drawn[i]))
            return yaml_fail(yaml_get(node, drawn[i]), err,
                             "'%s' is for a graph that is drawn; 'edges' names one that is known: leave one out",
                             drawn[i]);
    }
    return STATUS_OK;
}

status declare_genes(const yaml_node *node, bool check_files, const experiment *e, char **name, network_source *source,
                     error_info *err) {
    static const char *const known[] = {"id",      "genes",   "edges",         "topology",       "arcs_per_gene",
                                        "modules", "rewired", "biological_sd", "measurement_sd", "genetics",
                                        NULL};
    const yaml_node *id = yaml_get(node, "id"), *edges = yaml_get(node, "edges");
    uint64_t n_genes = 0;
    source->kind = SOURCE_GENES;
    CHECK(field_mapping(node, "a network of genes", known, err));
    if (!id)
        return yaml_fail(node, err, "a network of genes needs an 'id', its name in the tables");
    CHECK(field_name(id, "id", name, err));
    CHECK(field_whole(yaml_get(node, "genes"), "genes", 2, MOST_GENES, &n_genes, err));
    if (edges) {
        CHECK(check_edges_alone(node, err));
        CHECK(read_file_name(edges, "edges", ".edges.csv", check_files, e, &source->genes.edges, err));
    }
    CHECK(read_topology(node, &source->genes, err));
    CHECK(read_noise(node, &source->genes.noise, err));
    source->genes.topology.n_genes = (size_t)n_genes;
    return STATUS_OK;
}

status declare_dataset(const yaml_node *node, bool check_files, const experiment *e, char **name,
                       network_source *source, error_info *err) {
    static const char *const known[] = {"id", "dataset", "edges", NULL};
    const yaml_node *id = yaml_get(node, "id"), *edges = yaml_get(node, "edges"), *data = yaml_get(node, "dataset");
    source->kind = SOURCE_DATA;
    CHECK(field_mapping(node, "a data set", known, err));
    CHECK(read_file_name(data, "dataset", ".csv", check_files, e, &source->source, err));
    if (!id && strchr(source->source, '/'))
        return yaml_fail(node, err, "a data set that is named by its file needs an 'id', its name in the tables");
    CHECK(field_name(id ? id : data, "id", name, err));
    if (edges)
        CHECK(read_file_name(edges, "edges", ".edges.csv", check_files, e, &source->genes.edges, err));
    return STATUS_OK;
}
