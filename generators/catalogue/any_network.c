/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/catalogue/any_network.h"

#include "core/base/file.h"
#include "generators/catalogue/catalogue.h"
#include "generators/networks/bif.h"
#include "generators/networks/gaussian_file.h"
#include "generators/sampling/gaussian_sampling.h"
#include "generators/sampling/sampling.h"

#include <stdlib.h>
#include <string.h>

void any_network_clear(any_network *net) {
    bayes_net_destroy(net->tables);
    gaussian_net_destroy(net->gaussian);
    *net = (any_network){0};
}

const char *any_network_name(const any_network *net) {
    return net->tables ? bayes_net_name(net->tables) : gaussian_net_name(net->gaussian);
}

size_t any_network_node_count(const any_network *net) {
    return net->tables ? bayes_net_node_count(net->tables) : gaussian_net_node_count(net->gaussian);
}

const variable *any_network_variables(const any_network *net) {
    return net->tables ? bayes_net_variables(net->tables) : gaussian_net_variables(net->gaussian);
}

const dag *any_network_dag(const any_network *net) {
    return net->tables ? bayes_net_dag(net->tables) : gaussian_net_dag(net->gaussian);
}

bool any_network_is_json(const char *path) {
    return path_ends_with(path, ".json") || path_ends_with(path, ".json.gz");
}

/* ---- reading ---- */

/* Standard input has no ending: what it holds must tell. */
static status read_stdin(any_network *out, size_t *n_scaled, error_info *err) {
    status st = STATUS_OK;
    char *text = NULL;
    size_t length;
    TRY(file_read("-", FILE_READ_MOST, &text, &length, err));
    if (text[strspn(text, " \t\r\n")] == '{')
        TRY(gaussian_file_parse(text, length, "stdin", &out->gaussian, err));
    else
        TRY(bif_parse(text, length, "stdin", &out->tables, n_scaled, err));
cleanup:
    if (st != STATUS_OK)
        error_context(err, "-");
    free(text);
    return st;
}

status any_network_read(const char *path, any_network *out, size_t *n_scaled, error_info *err) {
    any_network found = {0};
    status st;
    if (n_scaled)
        *n_scaled = 0;
    if (strcmp(path, "-") == 0)
        st = read_stdin(&found, n_scaled, err);
    else
        st = any_network_is_json(path) ? gaussian_file_read(path, &found.gaussian, err)
                                       : bif_read(path, &found.tables, n_scaled, err);
    if (st == STATUS_OK)
        *out = found;
    return st;
}

status any_network_load(const char *name, any_network *out, error_info *err) {
    any_network found = {0};
    char *path = NULL;
    error_info quiet = {0};
    status st = catalogue_locate(name, &path, &quiet);
    if (st == STATUS_OK && any_network_is_json(path))
        st = gaussian_file_read(path, &found.gaussian, err);
    else
        st = catalogue_load(name, &found.tables, err);
    if (st == STATUS_OK)
        *out = found;
    free(path);
    return st;
}

status any_network_sample(const any_network *net, size_t n_rows, random_stream *random, dataset **out,
                          error_info *err) {
    return net->tables ? sample_network(net->tables, n_rows, random, out, err)
                       : sample_gaussian_network(net->gaussian, n_rows, random, out, err);
}
