/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench sample: rows drawn from a network. */
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/json.h"

#include "core/dataset_csv.h"
#include "generators/sampling.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const arg_option options[] = {
    {"rows", 'n', "ROWS", "how many rows (required)"},
    {"seed", 0, "S", "of the random numbers (1)"},
    {"output", 'o', "FILE", "write the data there, and FILE's .schema.csv beside it"},
    {0},
};

/* Data and its text must fit in memory: text takes some eight bytes a cell. */
static status check_size(const bayes_net *net, int64_t rows, error_info *err) {
    double cells = (double)rows * (double)bayes_net_node_count(net);
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (memory <= 0 || cells * 9 < memory)
        return STATUS_OK;
    return error_set(err, STATUS_INVALID,
                     "%" PRId64
                     " rows of %zu variables need some %.0f GiB of memory, and there are %.1f; take fewer rows",
                     rows, bayes_net_node_count(net), cells * 9 / 1073741824, memory / 1073741824);
}

static status write_data(cli *c, const dataset *data, error_info *err) {
    const char *path = args_value(c->args, "output");
    status st;
    if (!path || strcmp(path, "-") == 0) {
        dataset_append_csv(data, &c->out);
        return text_buffer_check(&c->out, err);
    }
    st = cli_blame(c, BLAME_OUTPUT, dataset_write_csv(data, path, err));
    if (st != STATUS_OK && !strstr(err->message, path))
        error_context(err, "%s", path);
    return st;
}

static status answer(cli *c, const bayes_net *net, const dataset *data, int64_t seed, error_info *err) {
    char fingerprint[DATASET_FINGERPRINT_SIZE];
    json_t *o = c->answer = json_object();
    status st = STATUS_OK;

    TRY(dataset_fingerprint(data, fingerprint, err));
    TRY(json_put(o, "network", json_of_text(bayes_net_name(net)), err));
    TRY(json_put(o, "rows", json_integer((json_int_t)dataset_row_count(data)), err));
    TRY(json_put(o, "columns", json_integer((json_int_t)dataset_column_count(data)), err));
    TRY(json_put(o, "seed", json_integer(seed), err));
    TRY(json_put(o, "file", json_of_text(args_value(c->args, "output")), err));
    TRY(json_put(o, "fingerprint", json_of_text(fingerprint), err));
cleanup:
    return st;
}

static status read_words(cli *c, int64_t *rows, int64_t *seed, error_info *err) {
    const char *path = args_value(c->args, "output");
    status st = STATUS_OK;
    if (!args_has(c->args, "rows"))
        TRY(error_set(err, STATUS_INVALID, "how many rows? -n ROWS is missing"));
    TRY(args_whole(c->args, "rows", 1, INT64_C(1) << 40, 1, rows, err));
    TRY(args_whole(c->args, "seed", 0, INT64_MAX, 1, seed, err));
    if (c->json && (!path || strcmp(path, "-") == 0))
        TRY(error_set(err, STATUS_INVALID, "--json answers on standard output; name a file for the data with -o"));
cleanup:
    return cli_blame(c, BLAME_WORDS, st);
}

static status run(cli *c, error_info *err) {
    bayes_net *net = NULL;
    dataset *data = NULL;
    random_stream random;
    int64_t rows = 0, seed = 0;
    status st = STATUS_OK;

    TRY(read_words(c, &rows, &seed, err));
    TRY(input_network(c, c->args->words[0], &net, err));
    TRY(cli_blame(c, BLAME_WORDS, check_size(net, rows, err)));
    random_stream_init(&random, random_key_text(random_key_of((uint64_t)seed), "sample"));
    TRY(cli_blame(c, BLAME_WORK, sample_network(net, (size_t)rows, &random, &data, err)));
    TRY(write_data(c, data, err));
    if (c->json)
        TRY(answer(c, net, data, seed, err));
cleanup:
    bayes_net_destroy(net);
    dataset_destroy(data);
    return st;
}

const command command_sample = {
    .syntax =
        {
            .name = "sample",
            .words = "NETWORK -n ROWS",
            .summary = "draw rows from a network",
            .details =
                "NETWORK is a name from 'bnbench list networks', or a .bif or .bif.gz file. The data go to standard\n"
                "output, or to -o (gzip where the name ends in .gz). The same seed gives the same rows, and a\n"
                "longer sample begins with the shorter one.",
            .examples = "  bnbench sample alarm -n 5000 --seed 7 -o alarm.csv\n"
                        "  bnbench sample asia -n 10",
            .least_words = 1,
            .most_words = 1,
            .options = options,
        },
    .run = run,
};
