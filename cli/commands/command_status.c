/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench status: how far the experiment of a store, or the jobs of a plan, are. */
#include "cli/base/command.h"
#include "cli/reports/plan_status.h"
#include "cli/reports/runs.h"

#include "store/store.h"

#include <stdio.h>
#include <unistd.h>

enum { LOOK_EVERY_S = 1, PRINT_EVERY_S = 30 };

static const arg_option options[] = {
    {"watch", 0, NULL,
     "go on until nothing is left: a line that is rewritten, or\nnow and then a plain one where standard error is no "
     "terminal"},
    {"reading", 0, "ID", "of this reading of the experiment (run --readings)"},
    {"why", 0, NULL, "for every cell without a result: why"},
    {0},
};

static status answer(cli *c, const run_counts *counts, const text_buffer *why, json_t *choices, error_info *err) {
    json_t *o = c->answer = runs_counts_object(counts);
    CHECK_ALLOC(o);
    if (json_array_size(choices) > 0)
        CHECK(json_put(o, "best_of", json_incref(choices), err));
    return args_has(c->args, "why") ? json_put(o, "why", runs_lines(why), err) : STATUS_OK;
}

/* The store is opened anew each time: between two looks another run may have begun in it. */
static status look(cli *c, bool with_texts, stored_run **out, error_info *err) {
    AUTO_PTR(store_close) store *s = NULL;
    CHECK(cli_blame(c, BLAME_INPUT, store_open(c->args->words[0], false, false, &s, err)));
    return stored_run_read(s, args_value(c->args, "reading"), STORED_RUN_OTHERS | (with_texts ? STORED_RUN_TEXTS : 0),
                           out, err);
}

static status look_at_counts(cli *c, run_counts *counts, error_info *err) {
    AUTO_PTR(stored_run_destroy) stored_run *run = NULL;
    CHECK(look(c, false, &run, err));
    stored_run_count(run, counts);
    return STATUS_OK;
}

static void show(const run_counts *counts, bool rewrites) {
    AUTO(text_buffer_clear) text_buffer line = {0};
    runs_append_counts(&line, counts);
    if (line.data && !line.failed)
        (void)fprintf(stderr, rewrites ? "\r\033[K%.*s" : "%.*s\n", (int)line.length - 1, line.data);
    (void)fflush(stderr);
}

static status watch(cli *c, error_info *err) {
    bool rewrites = isatty(STDERR_FILENO);
    run_counts counts = {0};
    status st = STATUS_OK;
    for (unsigned second = 0;; second += LOOK_EVERY_S) {
        TRY(look_at_counts(c, &counts, err));
        if (counts.left == 0 && counts.running == 0)
            break;
        if (!c->quiet && (rewrites || second % PRINT_EVERY_S == 0))
            show(&counts, rewrites);
        (void)sleep(LOOK_EVERY_S);
    }
cleanup:
    if (rewrites && !c->quiet)
        (void)fputs("\r\033[K", stderr);
    return st;
}

static status tell_plan(cli *c, error_info *err) {
    static const char *const of_stores[] = {"watch", "reading", "why"};
    for (size_t i = 0; i < sizeof of_stores / sizeof *of_stores; i++) {
        if (args_has(c->args, of_stores[i]))
            return cli_blame(c, BLAME_WORDS,
                             error_set(err, STATUS_INVALID,
                                       "%s is the folder of a plan, of which there is no --%s; "
                                       "'bnbench collect' makes a store of it",
                                       c->args->words[0], of_stores[i]));
    }
    return plan_status_tell(c, c->args->words[0], err);
}

static status tell_store(cli *c, error_info *err) {
    AUTO_PTR(stored_run_destroy) stored_run *run = NULL;
    run_counts counts = {0};
    AUTO(text_buffer_clear) text_buffer why = {0}, chosen = {0};
    AUTO_PTR(json_decref) json_t *choices = NULL;

    if (args_has(c->args, "watch"))
        CHECK(watch(c, err));
    CHECK(look(c, args_has(c->args, "why"), &run, err));
    stored_run_count(run, &counts);
    if (args_has(c->args, "why"))
        CHECK(stored_run_explain(run, &why, err));
    CHECK(runs_read_choices(run, &chosen, &choices, err));
    if (c->json)
        return answer(c, &counts, &why, choices, err);
    runs_append_counts(&c->out, &counts);
    text_append_bytes(&c->out, chosen.data ? chosen.data : "", chosen.length);
    text_append_bytes(&c->out, why.data ? why.data : "", why.length);
    return STATUS_OK;
}

static status run(cli *c, error_info *err) {
    bool is_plan;
    CHECK(runner_is_plan(c->args->words[0], &is_plan, err));
    return is_plan ? tell_plan(c, err) : tell_store(c, err);
}

const command command_status = {
    .run = run,
    .is_for_people = true,
    .syntax = {.name = "status",
               .words = "STORE|DIR",
               .summary = "how far a run is, what failed, how long it may take",
               .details =
                   "STORE is the folder that 'bnbench run' names; it may be asked while the run goes on. DIR was\n"
                   "made by 'bnbench plan': which jobs are queued, with which workers since when, done, lost or\n"
                   "given up, and what 'bnbench collect' would bring.",
               .examples = "  bnbench run quickstart --profile quick\n"
                           "  bnbench status stores/quickstart-quick\n"
                           "  bnbench status stores/quickstart-quick --why\n"
                           "  bnbench status stores/quickstart-quick --watch\n"
                           "  bnbench plan quickstart jobs\n"
                           "  bnbench status jobs",
               .least_words = 1,
               .most_words = 1,
               .options = options},
};
