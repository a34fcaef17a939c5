/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks: by name, from files and texts, and what they hold. */
#include "library/library_internal.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "generators/networks/bif.h"
#include "generators/networks/tiling.h"

#include <stdlib.h>
#include <string.h>

static status wrap(any_network *net, bnb_network **out, error_info *err) {
    bnb_network *n = calloc(1, sizeof *n);
    CHECK_ALLOC(n);
    n->net = TAKE(*net);
    *out = n;
    return STATUS_OK;
}

static status load(const char *name, bnb_network **out, error_info *err) {
    AUTO(any_network_clear) any_network net = {0};
    CHECK(any_network_load(name, &net, err));
    return wrap(&net, out, err);
}

bnb_status bnb_network_load(const char *name, bnb_network **out, bnb_error *error) {
    LIBRARY_CALL(error, load(name, out, err));
}

/* ---- formats ---- */

static status find_format(const char *name, const network_format **out, error_info *err) {
    AUTO(text_buffer_clear) text_buffer names = {0};
    *out = network_format_find(name);
    if (*out)
        return STATUS_OK;
    for (size_t i = 0; network_format_at(i); i++)
        text_append_format(&names, "%s%s", i ? "|" : "", network_format_at(i)->name);
    return error_set(err, STATUS_INVALID, "the format is '%s'; it must be one of %s", name,
                     names.data ? names.data : "");
}

static status parse(const char *text, size_t length, const char *format, bnb_network **out, error_info *err) {
    AUTO(any_network_clear) any_network net = {0};
    const network_format *f;
    CHECK(find_format(format, &f, err));
    if (!f->parse)
        return error_set(err, STATUS_INVALID, "%s holds no network", f->title);
    CHECK(f->parse(text, length, "network", &net, NULL, err));
    return wrap(&net, out, err);
}

bnb_status bnb_network_parse(const char *text, size_t length, const char *format, bnb_network **out, bnb_error *error) {
    LIBRARY_CALL(error, parse(text, length, format, out, err));
}

static status append(const bnb_network *network, const network_format *f, text_buffer *text, error_info *err) {
    if (!f->append || f->is_of_tables != (network->net.tables != NULL))
        return error_set(err, STATUS_INVALID, "%s holds no %s", f->title,
                         network->net.tables ? "network of tables" : "linear-Gaussian network");
    f->append(&network->net, text);
    return text_buffer_check(text, err);
}

static status to_text(const bnb_network *network, const char *format, char **out, error_info *err) {
    const network_format *f;
    AUTO(text_buffer_clear) text_buffer text = {0};
    CHECK(find_format(format, &f, err));
    CHECK(append(network, f, &text, err));
    return text_buffer_take(&text, out, err);
}

bnb_status bnb_network_text(const bnb_network *network, const char *format, char **out, bnb_error *error) {
    LIBRARY_CALL(error, to_text(network, format, out, err));
}

static status write_file(const bnb_network *network, const char *path, error_info *err) {
    const network_format *f = network_format_of_network(path);
    AUTO(text_buffer_clear) text_buffer text = {0};
    if (!f)
        return error_set(err, STATUS_INVALID, "'%s' does not end as the file of a network does", path);
    CHECK(append(network, f, &text, err));
    return file_write(path, text.data, text.length, err);
}

bnb_status bnb_network_write(const bnb_network *network, const char *path, bnb_error *error) {
    LIBRARY_CALL(error, write_file(network, path, err));
}

/* ---- what they hold ---- */

void bnb_network_free(bnb_network *network) {
    if (network)
        any_network_clear(&network->net);
    free(network);
}

const char *bnb_network_name(const bnb_network *network) {
    return any_network_name(&network->net);
}

int bnb_network_is_gaussian(const bnb_network *network) {
    return network->net.gaussian != NULL;
}

size_t bnb_network_node_count(const bnb_network *network) {
    return any_network_node_count(&network->net);
}

static const variable *variable_of(const bnb_network *network, size_t node) {
    return node < any_network_node_count(&network->net) ? &any_network_variables(&network->net)[node] : NULL;
}

const char *bnb_network_node_name(const bnb_network *network, size_t node) {
    const variable *v = variable_of(network, node);
    return v ? v->name : NULL;
}

size_t bnb_network_state_count(const bnb_network *network, size_t node) {
    const variable *v = variable_of(network, node);
    return v ? v->n_states : 0;
}

const char *bnb_network_state_name(const bnb_network *network, size_t node, size_t state) {
    return state < bnb_network_state_count(network, node) ? variable_of(network, node)->states[state] : NULL;
}

const size_t *bnb_network_parents(const bnb_network *network, size_t node, size_t *n_parents) {
    *n_parents = 0;
    if (!variable_of(network, node))
        return NULL;
    return network->net.tables ? bayes_net_parents(network->net.tables, node, n_parents)
                               : gaussian_net_parents(network->net.gaussian, node, n_parents);
}

const double *bnb_network_table(const bnb_network *network, size_t node, size_t *n_entries) {
    const bayes_net *tables = network->net.tables;
    *n_entries = 0;
    if (!tables || !variable_of(network, node))
        return NULL;
    *n_entries = bayes_net_configuration_count(tables, node) * variable_of(network, node)->n_states;
    return bayes_net_table(tables, node);
}

static status to_graph(const bnb_network *network, bnb_graph **out, error_info *err) {
    AUTO(named_graph_clear) named_graph g = {0};
    CHECK(any_network_graph(&network->net, &g, err));
    return library_graph_take(&g, GRAPH_DAG, out, err);
}

bnb_status bnb_network_graph(const bnb_network *network, bnb_graph **out, bnb_error *error) {
    LIBRARY_CALL(error, to_graph(network, out, err));
}

static status tile(const bnb_network *network, size_t copies, size_t arcs, uint64_t seed, bnb_network **out,
                   error_info *err) {
    AUTO(any_network_clear) any_network tiled = {0};
    random_stream random;
    if (!network->net.tables)
        return error_set(err, STATUS_INVALID, "only a network of tables can be tiled");
    random_stream_init(&random, random_key_text(random_key_of(seed), "tile"));
    CHECK(tile_network(network->net.tables, copies, arcs, NULL, &random, &tiled.tables, err));
    return wrap(&tiled, out, err);
}

bnb_status bnb_network_tile(const bnb_network *network, size_t copies, size_t arcs, uint64_t seed, bnb_network **out,
                            bnb_error *error) {
    LIBRARY_CALL(error, tile(network, copies, arcs, seed, out, err));
}
