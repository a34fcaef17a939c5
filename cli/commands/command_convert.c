/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench convert: networks and graphs from one form to another. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"
#include "cli/base/json.h"

#include "core/base/file.h"
#include "generators/networks/bif.h"
#include "generators/networks/gaussian_file.h"

#include <string.h>

static const arg_option options[] = {
    {"to", 0, "FORMAT", "bif, json, csv or dot; by default the ending of OUT says it"},
    {0},
};

typedef enum { FORM_BIF, FORM_JSON, FORM_CSV, FORM_DOT } form;
static const char *const form_names[] = {"bif", "json", "csv", "dot"};
enum { N_FORMS = sizeof form_names / sizeof *form_names };

static status form_of_word(const char *word, form *out, error_info *err) {
    for (int i = 0; i < N_FORMS; i++) {
        if (strcmp(word, form_names[i]) == 0) {
            *out = (form)i;
            return STATUS_OK;
        }
    }
    return error_set(err, STATUS_INVALID, "--to is '%s'; it must be one of bif|json|csv|dot", word);
}

static status form_of_path(const char *path, form *out, error_info *err) {
    for (int i = 0; i < N_FORMS; i++) {
        char plain[8] = ".", packed[12];
        (void)strncat(plain, form_names[i], 5);
        memcpy(packed, plain, sizeof plain);
        (void)strncat(packed, ".gz", 4);
        if (path_ends_with(path, plain) || path_ends_with(path, packed)) {
            *out = (form)i;
            return STATUS_OK;
        }
    }
    return error_set(err, STATUS_INVALID,
                     "the form of '%s' is not clear; end it in .bif, .json, .csv or .dot (and .gz), or say --to", path);
}

/* With its numbers: tables in BIF, linear functions in JSON. */
static status append_network(cli *c, form to, text_buffer *text, error_info *err) {
    any_network net = {0};
    status st = STATUS_OK;
    TRY(input_any_network(c, c->args->words[0], &net, err));
    if (to == FORM_BIF && net.gaussian)
        TRY(cli_refuse(c, err, "%s is a linear-Gaussian network: json, csv and dot are possible", c->args->words[0]));
    if (to == FORM_JSON && net.tables)
        TRY(cli_refuse(c, err, "%s is a network of tables: bif, csv and dot are possible", c->args->words[0]));
    if (net.tables)
        bif_append(net.tables, NULL, text);
    else
        gaussian_file_append(net.gaussian, text);
cleanup:
    any_network_clear(&net);
    return st;
}

static status append_graph(cli *c, form to, text_buffer *text, error_info *err) {
    input_graph g = {0};
    status st = input_graph_read(c, c->args->words[0], &g, err);
    if (st == STATUS_OK && to == FORM_CSV)
        graph_append_csv(g.g.graph, (const char *const *)g.g.names, text);
    else if (st == STATUS_OK)
        graph_append_dot(g.g.graph, (const char *const *)g.g.names, text);
    input_graph_clear(&g);
    return st;
}

static bool is_graph_csv(const char *word) {
    return path_ends_with(word, ".csv") || path_ends_with(word, ".csv.gz");
}

static status read_words(cli *c, form *to, error_info *err) {
    const char *const *words = c->args->words;
    const char *typed = args_value(c->args, "to");
    status st = STATUS_OK;
    TRY(typed ? form_of_word(typed, to, err) : form_of_path(words[1], to, err));
    if ((*to == FORM_BIF || *to == FORM_JSON) && is_graph_csv(words[0]))
        TRY(error_set(err, STATUS_INVALID,
                      "%s is a graph, and %s needs its numbers too (bnbench fit); only csv and dot are possible",
                      words[0], *to == FORM_BIF ? "BIF" : "JSON"));
    if (c->json && strcmp(words[1], "-") == 0)
        TRY(error_set(err, STATUS_INVALID, "--json and '-' would both write to standard output; name a file"));
cleanup:
    return cli_blame(c, BLAME_WORDS, st);
}

static status run(cli *c, error_info *err) {
    const char *const *words = c->args->words;
    text_buffer text = {0};
    form to = FORM_CSV;
    status st = STATUS_OK;

    TRY(read_words(c, &to, err));
    TRY(to == FORM_BIF || to == FORM_JSON ? append_network(c, to, &text, err) : append_graph(c, to, &text, err));
    TRY(cli_write(c, words[1], &text, err));
    if (c->json)
        c->answer = json_pack("{s:o, s:o, s:s}", "from", json_of_text(words[0]), "file", json_of_text(words[1]), "to",
                              form_names[to]);
cleanup:
    text_buffer_clear(&text);
    return st;
}

const command command_convert = {
    .syntax =
        {
            .name = "convert",
            .words = "IN OUT",
            .summary = "write a network or a graph in another form",
            .details =
                "IN is a network (name, .bif, .json) or a graph CSV; OUT ends in .bif, .json (linear-Gaussian "
                "networks),\n"
                ".csv or .dot (.gz behind it packs it), or is '-' with --to. Of a network, csv and dot hold the graph.",
            .examples = "  bnbench convert alarm alarm.bif.gz\n"
                        "  bnbench convert learned.csv learned.dot\n"
                        "  bnbench convert asia - --to csv",
            .least_words = 2,
            .most_words = 2,
            .options = options,
        },
    .run = run,
};
