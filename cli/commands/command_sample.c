/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench sample: rows drawn from a network. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"

#include "core/base/text.h"
#include "core/data/dataset_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const arg_option options[] = {
    {"rows", 'n', "ROWS", "how many rows (required)"},
    {"seed", 0, "S", "of the random numbers (1)"},
    {"continuize", 0, "sigma=S", "make it continuous: state k = 1, 2, ... becomes a draw from N(k, S^2)"},
    {"output", 'o', "FILE",
     "write the data there, and FILE's .schema.csv beside it; with\ntabs where FILE ends in .tsv, as ARFF in .arff, "
     "packed columns in .bnd"},
    {0},
};

/* What was asked for. */
typedef struct {
    int64_t rows, seed;
    double sigma; /* 0: the data stay discrete */
} wish;

/* Data and file must fit in memory: text takes some eight bytes a cell, and twenty where a cell is a real; packed, a
 * cell takes no more than it does in memory. */
static double bytes_of_cell(const any_network *net, const wish *w, bool is_packed) {
    bool is_real = w->sigma > 0 || net->gaussian;
    if (is_packed)
        return is_real ? 16 : 2;
    return is_real ? 29 : 9;
}

static status check_size(const any_network *net, const wish *w, const char *path, error_info *err) {
    double cells = (double)w->rows * (double)any_network_node_count(net);
    double bytes = cells * bytes_of_cell(net, w, path && data_form_of_path(path) == DATA_FORM_PACKED);
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (memory <= 0 || bytes < memory)
        return STATUS_OK;
    return error_set(err, STATUS_INVALID,
                     "%" PRId64
                     " rows of %zu variables need some %.0f GiB of memory, and there are %.1f; take fewer rows",
                     w->rows, any_network_node_count(net), bytes / 1073741824, memory / 1073741824);
}

static status write_data(cli *c, const dataset *data, error_info *err) {
    const char *path = args_value(c->args, "output");
    status st;
    if (!path || strcmp(path, "-") == 0) {
        dataset_append_csv(data, &c->out);
        return text_buffer_check(&c->out, err);
    }
    st = cli_blame(c, BLAME_OUTPUT, dataset_write(data, path, err));
    if (st != STATUS_OK && !strstr(err->message, path))
        error_context(err, "%s", path);
    return st;
}

static status answer(cli *c, const any_network *net, const dataset *data, const wish *w, error_info *err) {
    char fingerprint[DATASET_FINGERPRINT_SIZE];
    json_t *o = c->answer = json_object();

    CHECK(dataset_fingerprint(data, fingerprint, err));
    CHECK(json_put_all(o, err, {"network", json_of_text(any_network_name(net))},
                       {"rows", json_of_size(dataset_row_count(data))},
                       {"columns", json_of_size(dataset_column_count(data))}, {"seed", json_integer(w->seed)}));
    if (w->sigma > 0)
        CHECK(json_put(o, "sigma", json_real(w->sigma), err));
    return json_put_all(o, err, {"file", json_of_text(args_value(c->args, "output"))},
                        {"fingerprint", json_of_text(fingerprint)});
}

static status read_sigma(cli *c, double *sigma, error_info *err) {
    static const char start[] = "sigma=";
    const char *text = args_value(c->args, "continuize");
    if (!text)
        return STATUS_OK;
    if (strncmp(text, start, strlen(start)) == 0 && text_to_double(text + strlen(start), sigma) && *sigma > 0)
        return STATUS_OK;
    return error_set(err, STATUS_INVALID,
                     "--continuize is '%.60s'; write sigma= and a number above 0, as in sigma=0.35", text);
}

static status read_words(cli *c, wish *w, error_info *err) {
    const char *path = args_value(c->args, "output");
    if (!args_has(c->args, "rows"))
        return error_set(err, STATUS_INVALID, "how many rows? -n ROWS is missing");
    CHECK(args_whole(c->args, "rows", 1, INT64_C(1) << 40, 1, &w->rows, err));
    CHECK(args_whole(c->args, "seed", 0, INT64_MAX, 1, &w->seed, err));
    CHECK(read_sigma(c, &w->sigma, err));
    if (c->json && (!path || strcmp(path, "-") == 0))
        return error_set(err, STATUS_INVALID, "--json answers on standard output; name a file for the data with -o");
    return STATUS_OK;
}

static status run(cli *c, error_info *err) {
    AUTO(any_network_clear) any_network net = {0};
    AUTO_PTR(dataset_destroy) dataset *data = NULL;
    wish w = {0};

    CHECK(cli_blame(c, BLAME_WORDS, read_words(c, &w, err)));
    CHECK(input_any_network(c, c->args->words[0], &net, err));
    if (net.gaussian && w.sigma > 0)
        CHECK(cli_refuse(c, err, "%s is a linear-Gaussian network: its data need no --continuize", c->args->words[0]));
    CHECK(cli_blame(c, BLAME_WORDS, check_size(&net, &w, args_value(c->args, "output"), err)));
    CHECK(cli_blame(c, BLAME_WORK, any_network_draw(&net, (size_t)w.rows, (uint64_t)w.seed, w.sigma, &data, err)));
    CHECK(write_data(c, data, err));
    return c->json ? answer(c, &net, data, &w, err) : STATUS_OK;
}

const command command_sample = {
    .run = run,
    .syntax =
        {.name = "sample",
         .words = "NETWORK -n ROWS",
         .summary = "draw rows from a network",
         .details =
             "NETWORK is a name from 'bnbench list networks', or a file: .bif, or .json for a linear-Gaussian one\n"
             "(and .gz). The data go to standard output, or to -o (packed where the name ends in .gz or .zst). The\n"
             "same seed gives the same rows, and a longer sample begins with the shorter one. With --continuize each\n"
             "state is replaced by a draw from a normal distribution around its number, counted from 1; the states\n"
             "are those of the same seed.",
         .examples = "  bnbench sample asia -n 10\n"
                     "  bnbench sample alarm -n 5000 --seed 7 -o alarm.csv\n"
                     "  bnbench sample alarm -n 5000 --seed 7 --continuize sigma=0.35 -o noisy.csv\n"
                     "  bnbench fit alarm noisy.csv -o normal.json\n"
                     "  bnbench sample normal.json -n 1000 -o normal.csv",
         .least_words = 1,
         .most_words = 1,
         .options = options},
};
