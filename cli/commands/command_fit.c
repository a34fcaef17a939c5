/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench fit: the network of a graph and data. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"

#include "core/base/file.h"
#include "core/graph/graph_columns.h"
#include "generators/networks/bif.h"
#include "generators/networks/gaussian_file.h"
#include "metrics/prediction/fit_options.h"
#include "metrics/prediction/network_fit.h"

#include <stdlib.h>
#include <string.h>

static const arg_option options[] = {
    {"network", 0, "STATES", "the network (name or file) that gives the state spaces"},
    {"option", 'O', "K=V",
     "ess=1, estimate=bdeu|mle (discrete data); variance=unbiased|mle\n(continuous data); may be repeated"},
    {"output", 'o', "NETWORK",
     "write the network there: .bif for discrete data, .json for\ncontinuous data (required)"},
    {0},
};

typedef struct {
    any_network states;
    dataset *data;
    named_graph graph;
    dag *g; /* on the columns */
    const option_spec *rows;
    fit_options options;
    any_network net;
} fitting;

static void clear(fitting *f) {
    any_network_clear(&f->states);
    dataset_destroy(f->data);
    named_graph_clear(&f->graph);
    dag_destroy(f->g);
    any_network_clear(&f->net);
}

static status orient(cli *c, fitting *f, error_info *err) {
    const pdag *g = f->graph.graph;
    size_t n_undirected = pdag_edge_count(g) - pdag_directed_count(g);
    status st = graph_on_columns(&f->graph, f->data, &f->g, err);
    if (st != STATUS_OK)
        error_context(err, "%s", c->args->words[0]);
    else if (n_undirected > 0)
        cli_say(c, "%zu of %zu edges are undirected: fitted as a DAG of the class", n_undirected, pdag_edge_count(g));
    return cli_blame(c, BLAME_INPUT, st);
}

/* The network of "dir/x.bif.gz" is called "x". */
static status fit(cli *c, fitting *f, error_info *err) {
    const fit_options *o = &f->options;
    const char *base = path_base(args_value(c->args, "output"));
    AUTO_FREE char *name = text_copy_n(base, strcspn(base, "."));
    CHECK_ALLOC(name);
    return cli_blame(c, BLAME_INPUT,
                     dataset_is_discrete(f->data)
                         ? fit_tables(f->data, f->g, name, (fit_estimate)o->estimate, o->ess, &f->net.tables, err)
                         : fit_gaussian(f->data, f->g, name, (enum score_variance)o->variance, &f->net.gaussian, err));
}

/* The first column of a kind; the data have one. */
static const char *first_of_kind(const dataset *data, bool is_discrete) {
    size_t column = 0;
    while ((dataset_variable(data, column)->n_states > 0) != is_discrete)
        column++;
    return dataset_variable(data, column)->name;
}

static status check_data(cli *c, const fitting *f, error_info *err) {
    if (dataset_kind(f->data) != DATA_MIXED)
        return STATUS_OK;
    return cli_blame(c, BLAME_INPUT,
                     error_set(err, STATUS_INVALID,
                               "%s: column '%s' is discrete and '%s' continuous; fit takes data of one kind ('bnbench "
                               "discretize' makes continuous columns discrete)",
                               c->args->words[1], first_of_kind(f->data, true), first_of_kind(f->data, false)));
}

/* The file's form must be that of the data: tables or linear functions. */
static status check_output(cli *c, const fitting *f, error_info *err) {
    const char *path = args_value(c->args, "output");
    bool is_discrete = dataset_is_discrete(f->data);
    const network_format *format = network_format_of_network(path);
    if (format && format->is_of_tables == is_discrete)
        return STATUS_OK;
    return cli_refuse(c, err, "-o is %s; %s data need a %s network file", path, is_discrete ? "discrete" : "continuous",
                      is_discrete ? ".bif or .bif.gz" : ".json or .json.gz");
}

static status write_network(cli *c, const fitting *f, error_info *err) {
    const char *path = args_value(c->args, "output");
    AUTO(text_buffer_clear) text_buffer text = {0};
    if (f->net.tables)
        return cli_blame(c, BLAME_OUTPUT, bif_write(f->net.tables, path, NULL, err));
    gaussian_file_append(f->net.gaussian, &text);
    return cli_write(c, path, &text, err);
}

static size_t parameter_count(const any_network *net) {
    return net->tables ? (size_t)bayes_net_parameter_count(net->tables) : gaussian_net_parameter_count(net->gaussian);
}

static status answer(cli *c, const fitting *f, error_info *err) {
    return json_put_all(
        c->answer = json_object(), err, {"network", json_of_text(any_network_name(&f->net))},
        {"file", json_of_text(args_value(c->args, "output"))},
        {"data", json_of_text(f->net.tables ? "discrete" : "continuous")},
        {"n", json_of_size(dataset_row_count(f->data))}, {"nodes", json_of_size(any_network_node_count(&f->net))},
        {"arcs", json_of_size(dag_arc_count(f->g))}, {"parameters", json_of_size(parameter_count(&f->net))},
        {"options", json_of_options(f->rows, &f->options)});
}

static status run(cli *c, error_info *err) {
    const char *const *words = c->args->words;
    AUTO(clear) fitting f = {0};

    if (!args_has(c->args, "output"))
        return cli_refuse(c, err, "where to? -o NETWORK is missing");
    CHECK(input_states(c, &f.states, err));
    CHECK(input_data(c, words[1], &f.states, &f.data, err));
    CHECK(check_data(c, &f, err));
    CHECK(check_output(c, &f, err));
    f.rows = fit_options_for(f.data, &f.options);
    CHECK(input_options(c, "option", f.rows, &f.options, err));
    CHECK(input_graph_read(c, words[0], &f.graph, err));
    CHECK(orient(c, &f, err));
    CHECK(fit(c, &f, err));
    CHECK(write_network(c, &f, err));
    if (c->json)
        return answer(c, &f, err);
    cli_say(c, "%s: %zu nodes, %zu arcs, %zu parameters from %zu rows", args_value(c->args, "output"),
            any_network_node_count(&f.net), dag_arc_count(f.g), parameter_count(&f.net), dataset_row_count(f.data));
    return STATUS_OK;
}

const command command_fit = {
    .run = run,
    .syntax =
        {.name = "fit",
         .words = "GRAPH DATA -o NETWORK",
         .summary = "a network with the given graph, its parameters estimated from data",
         .details =
             "GRAPH is a graph CSV, a network file, or a network of the catalogue; its nodes are columns of DATA, and\n"
             "columns that it does not name get no parents. For discrete data the tables are estimated (posterior\n"
             "mean under the BDeu prior, or shares); for continuous data each column is regressed on its parents,\n"
             "which makes a linear-Gaussian network.",
         .examples = "  bnbench sample alarm -n 1000 -o alarm.csv\n"
                     "  bnbench learn hc alarm.csv --network alarm -o learned.csv\n"
                     "  bnbench fit learned.csv alarm.csv --network alarm -O ess=10 -o fitted.bif\n"
                     "  bnbench sample alarm -n 1000 --continuize sigma=0.35 -o noisy.csv\n"
                     "  bnbench fit alarm noisy.csv -o fitted.json",
         .least_words = 2,
         .most_words = 2,
         .options = options},
};
