/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench tile: a large network from copies of a small one. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"

#include "core/base/file.h"
#include "generators/networks/bif.h"
#include "generators/networks/tiling.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_COPIES = 100000, MOST_ARCS = 100000000 };

static const arg_option options[] = {
    {"copies", 0, "K", "how many tiles, at least 2 (required)"},
    {"arcs", 0, "N", "arcs between the tiles (as many as tiles past the first)"},
    {"seed", 0, "S", "of the random numbers (1)"},
    {"output", 'o', "FILE", "write the network there, as .bif or .bif.gz"},
    {0},
};

typedef struct {
    int64_t copies, arcs, seed;
} wish;

static status read_words(cli *c, wish *w, error_info *err) {
    const char *path = args_value(c->args, "output");
    if (!args_has(c->args, "copies"))
        return error_set(err, STATUS_INVALID, "how many tiles? --copies K is missing");
    CHECK(args_whole(c->args, "copies", 2, MOST_COPIES, 2, &w->copies, err));
    CHECK(args_whole(c->args, "arcs", 0, MOST_ARCS, w->copies - 1, &w->arcs, err));
    CHECK(args_whole(c->args, "seed", 0, INT64_MAX, 1, &w->seed, err));
    if (path && strcmp(path, "-") != 0 &&
        (!network_format_of_network(path) || !network_format_of_network(path)->is_of_tables))
        return error_set(err, STATUS_INVALID, "-o is '%s'; its name must end in .bif or .bif.gz", path);
    if (c->json && (!path || strcmp(path, "-") == 0))
        return error_set(err, STATUS_INVALID, "--json answers on standard output; name a file for the network with -o");
    return STATUS_OK;
}

static status write_network(cli *c, const bayes_net *net, const char *comment, error_info *err) {
    const char *path = args_value(c->args, "output");
    if (path && strcmp(path, "-") != 0)
        return cli_blame(c, BLAME_OUTPUT, bif_write(net, path, comment, err));
    bif_append(net, comment, &c->out);
    return text_buffer_check(&c->out, err);
}

static status answer(cli *c, const bayes_net *net, const wish *w, error_info *err) {
    return json_put_all(
        c->answer = json_object(), err, {"name", json_of_text(bayes_net_name(net))},
        {"nodes", json_of_size(bayes_net_node_count(net))}, {"arcs", json_of_size(dag_arc_count(bayes_net_dag(net)))},
        {"parameters", json_of_size(bayes_net_parameter_count(net))}, {"copies", json_integer(w->copies)},
        {"seed", json_integer(w->seed)}, {"file", json_of_text(args_value(c->args, "output"))});
}

static status run(cli *c, error_info *err) {
    wish w = {0};
    AUTO_PTR(bayes_net_destroy) bayes_net *base = NULL, *tiled = NULL;
    random_stream random;
    AUTO(text_buffer_clear) text_buffer comment = {0};

    CHECK(cli_blame(c, BLAME_WORDS, read_words(c, &w, err)));
    CHECK(input_network(c, c->args->words[0], &base, err));
    random_stream_init(&random, random_key_text(random_key_of((uint64_t)w.seed), "tile"));
    CHECK(cli_blame(c, BLAME_WORDS, tile_network(base, (size_t)w.copies, (size_t)w.arcs, NULL, &random, &tiled, err)));
    text_append_format(&comment,
                       "%" PRId64 " tiles of %s, %" PRId64 " arcs between them, seed %" PRId64
                       "\nStatnikov, Tsamardinos and Aliferis 2003, DSL TR-03-01",
                       w.copies, bayes_net_name(base), w.arcs, w.seed);
    CHECK(text_buffer_check(&comment, err));
    CHECK(write_network(c, tiled, comment.data, err));
    return c->json ? answer(c, tiled, &w, err) : STATUS_OK;
}

const command command_tile = {
    .run = run,
    .syntax =
        {.name = "tile",
         .words = "NETWORK --copies K",
         .summary = "make a large network from copies of a small one",
         .details =
             "Each copy is distributed as before (Statnikov, Tsamardinos and Aliferis 2003); the variables of tile\n"
             "i are T<i>_NAME. The papers' own (child3, alarm5, ...) are in the catalogue and need no tiling.",
         .examples = "  bnbench tile child --copies 3 --arcs 4 -o child3.bif\n"
                     "  bnbench tile alarm --copies 10 --seed 2 -o alarm10.bif.gz",
         .least_words = 1,
         .most_words = 1,
         .options = options},
};
