/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench discretize: continuous columns of a file made discrete. */
#include "cli/base/command.h"
#include "cli/base/inputs.h"
#include "cli/base/thresholds.h"

#include "core/base/file.h"
#include "core/data/dataset_file.h"
#include "core/run/trace_json.h"
#include "discretizers/base/discretizer.h"
#include "discretizers/registry.h"
#include "report/threshold_picture.h"

#include <stdlib.h>
#include <string.h>

static const arg_option options[] = {
    {"option", 'O', "K=V", "an option of the method, as 'bnbench info METHOD' lists\nthem; may be repeated"},
    {"threads", 0, "N", "threads that reading and the method may use (1)"},
    {"seed", 0, "S", "of the method's random numbers (1)"},
    {"output", 'o', "FILE",
     "write the data there, and beside it FILE's .schema.csv and\nits thresholds as .policy.csv"},
    {"plot", 0, "FILE.svg", "draw the columns' histograms with their thresholds (gnuplot)"},
    {0},
};

typedef struct {
    const discretizer *kind;
    void *options;
    int64_t seed, n_threads;
    dataset *data, *discrete;
    cut_policy policy;
    trace trace; /* what the method tells of */
    double cpu_s;
} discretizing;

static void clear(discretizing *d) {
    free(d->options);
    dataset_destroy(d->data);
    dataset_destroy(d->discrete);
    policy_clear(&d->policy);
    trace_clear(&d->trace);
}

static status check_plot(const char *path, error_info *err) {
    static const char ending[] = ".svg";
    const char *base = path_base(path);
    return path_ends_with(base, ending) && strlen(base) > strlen(ending)
               ? STATUS_OK
               : error_set(err, STATUS_INVALID, "--plot is '%.200s'; it must be a file that ends in .svg", path);
}

static status read_words(cli *c, discretizing *d, error_info *err) {
    const char *output = args_value(c->args, "output");
    CHECK(discretizer_find(c->args->words[0], &d->kind, err));
    CHECK_ALLOC(d->options = discretizer_options_create(d->kind));
    CHECK(input_options(c, "option", d->kind->options, d->options, err));
    CHECK(args_whole(c->args, "threads", 1, INPUT_MOST_THREADS, 1, &d->n_threads, err));
    CHECK(args_whole(c->args, "seed", 0, INT64_MAX, 1, &d->seed, err));
    if (args_has(c->args, "plot"))
        CHECK(check_plot(args_value(c->args, "plot"), err));
    if (c->json && output && strcmp(output, "-") == 0)
        return error_set(err, STATUS_INVALID, "--json and -o - would both write to standard output; name a file");
    return STATUS_OK;
}

static status discretize(discretizing *d, error_info *err) {
    double start_s = run_cpu_s();
    run_context ctx;
    run_context_init(&ctx, (uint64_t)d->seed);
    ctx.n_threads = (size_t)d->n_threads;
    ctx.trace = &d->trace;
    CHECK(discretizer_fit(d->kind, d->data, d->options, &ctx, &d->policy, err));
    CHECK(policy_apply(&d->policy, d->data, &d->discrete, err));
    d->cpu_s = run_cpu_s() - start_s;
    return STATUS_OK;
}

/* "x/NAME.policy.csv" for "x/NAME.csv"; on the heap. */
static char *policy_path(const char *csv_path) {
    AUTO_FREE char *schema = dataset_schema_path(csv_path);
    text_buffer path = {0};
    if (!schema)
        return NULL;
    text_append_bytes(&path, schema, strlen(schema) - strlen("schema.csv"));
    text_append(&path, "policy.csv");
    if (path.failed)
        text_buffer_clear(&path);
    return path.data;
}

static status write_policy(const discretizing *d, const char *csv_path, error_info *err) {
    AUTO_FREE char *path = policy_path(csv_path);
    AUTO(text_buffer_clear) text_buffer text = {0};
    status st = STATUS_OK;
    CHECK_ALLOC(path);
    policy_append_csv(&d->policy, d->data, &text);
    CHECK(text_buffer_check(&text, err));
    st = file_write(path, text.data, text.length, err);
    if (st != STATUS_OK)
        error_context(err, "%.300s", path);
    return st;
}

/* To -o; without it, for people, to standard output; with --json alone the data are not written. */
static status write_data(cli *c, const discretizing *d, error_info *err) {
    const char *path = args_value(c->args, "output");
    if (path ? strcmp(path, "-") == 0 : !c->json) {
        dataset_append_csv(d->discrete, &c->out);
        return text_buffer_check(&c->out, err);
    }
    if (!path)
        return STATUS_OK;
    CHECK(cli_blame(c, BLAME_OUTPUT, dataset_write(d->discrete, path, err)));
    return cli_blame(c, BLAME_OUTPUT, write_policy(d, path, err));
}

static status answer(cli *c, const discretizing *d, error_info *err) {
    json_t *o = c->answer = json_object();
    CHECK(json_put_all(o, err, {"method", json_of_text(d->kind->name)},
                       {"options", json_of_options(d->kind->options, d->options)}, {"seed", json_integer(d->seed)},
                       {"threads", json_integer(d->n_threads)}, {"n", json_of_size(dataset_row_count(d->data))},
                       {"file", json_of_text(args_value(c->args, "output"))}, {"cpu_seconds", json_of_double(d->cpu_s)},
                       {"figures", json_of_figures(&d->trace)}, {"series", json_of_series(&d->trace)},
                       {"columns", json_array()}));
    return thresholds_put_json(&d->policy, d->data, json_object_get(o, "columns"), err);
}

static status run(cli *c, error_info *err) {
    AUTO(clear) discretizing d = {0};
    CHECK(cli_blame(c, BLAME_WORDS, read_words(c, &d, err)));
    CHECK(input_data(c, c->args->words[1], NULL, &d.data, err));
    CHECK(cli_blame(c, BLAME_WORK, discretize(&d, err)));
    CHECK(write_data(c, &d, err));
    if (args_has(c->args, "plot"))
        CHECK(cli_blame(c, BLAME_WORK,
                        threshold_picture_draw(d.kind->name, d.data, &d.policy, args_value(c->args, "plot"), err)));
    if (c->json)
        return answer(c, &d, err);
    thresholds_say(c, d.kind->name, &d.policy, d.data, d.cpu_s);
    return STATUS_OK;
}

const command command_discretize = {
    .run = run,
    .syntax =
        {.name = "discretize",
         .words = "METHOD DATA",
         .summary = "make the continuous columns of a file discrete",
         .details =
             "METHOD is a name from 'bnbench list discretizers', DATA a file (CSV, .tsv, .arff, .bnd; '-' for\n"
             "standard input). Columns that are discrete stay as they are; a constant column gets one state. The\n"
             "states of the others are 0, 1, ...; a value that equals a threshold is above it. The data go to "
             "standard\n"
             "output, or to -o with the thresholds beside them; --json answers with the thresholds.",
         .examples = "  bnbench sample alarm -n 1000 --continuize sigma=0.35 -o noisy.csv\n"
                     "  bnbench discretize eqfreq noisy.csv -O k=4 -o four.csv\n"
                     "  bnbench discretize adaptive noisy.csv --json\n"
                     "  bnbench discretize hartemink noisy.csv -o three.csv --plot three.svg",
         .least_words = 2,
         .most_words = 2,
         .options = options},
};
