/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench status: how far the experiment of a store is. */
#include "cli/command.h"
#include "cli/json.h"
#include "cli/runs.h"

#include "results/store.h"

static const arg_option options[] = {
    {"why", 0, NULL, "for every cell without a result: why"},
    {0},
};

static status answer(cli *c, const run_counts *counts, const text_buffer *why, error_info *err) {
    json_t *o = c->answer = runs_counts_object(counts);
    if (!o)
        return error_out_of_memory(err);
    return args_has(c->args, "why") ? json_put(o, "why", runs_lines(why), err) : STATUS_OK;
}

static status run(cli *c, error_info *err) {
    const char *folder = c->args->words[0];
    store *s = NULL;
    run_counts counts = {0};
    text_buffer why = {0};
    status st = STATUS_OK;

    TRY(cli_blame(c, BLAME_INPUT, store_open(folder, false, false, &s, err)));
    TRY(runner_status(s, &counts, err));
    if (args_has(c->args, "why"))
        TRY(runner_explain(s, &why, err));
    if (c->json) {
        TRY(answer(c, &counts, &why, err));
    } else {
        runs_append_counts(&c->out, &counts);
        text_append_bytes(&c->out, why.data ? why.data : "", why.length);
    }
cleanup:
    store_close(s);
    text_buffer_clear(&why);
    return st;
}

const command command_status = {
    .syntax =
        {
            .name = "status",
            .words = "STORE",
            .summary = "how far a run is, what failed, how long it may take",
            .details = "STORE is the folder that 'bnbench run' names; it may be asked while the run goes on.",
            .examples = "  bnbench status stores/quickstart\n"
                        "  bnbench status stores/quickstart --why",
            .least_words = 1,
            .most_words = 1,
            .options = options,
        },
    .run = run,
};
