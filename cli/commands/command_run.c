/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench run: what an experiment file declares, then its tables and plots. */
#include "cli/base/command.h"
#include "cli/base/engine_request.h"
#include "cli/base/run_request.h"
#include "cli/reports/job_details.h"
#include "cli/reports/run_readings.h"
#include "cli/reports/runs.h"
#include "core/base/shell_word.h"
#include "runner/stored_run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const arg_option options[] = {
    RUN_REQUEST_OPTIONS,
    {"store", 0, "DIR", "where results go (stores/NAME or stores/NAME-PROFILE)"},
    {"retry-failed", 0, NULL, "run cells again that failed before; by default a failure is\na result that stays"},
    ENGINE_OPTIONS,
    {"readings", 0, "LIST", "run these readings of the experiment as well: all, or ids with commas"},
    {"dry-run", 0, NULL, "show how many cells would run, run nothing"},
    RUNS_VERBOSE_OPTION,
    {0},
};

typedef struct {
    run_request words;
    char *store;
    run_counts counts;
    chosen_readings readings;
    size_t n_readings_begun; /* with workers of a scheduler */
    engine_request engine;
    bool interrupted, is_submitted; /* is_submitted: workers are at it, and nobody waits for them */
} session;

static void clear(session *s) {
    run_request_clear(&s->words);
    chosen_readings_clear(&s->readings);
    engine_request_clear(&s->engine);
    free(s->store);
}

static status name_store(cli *c, session *s, error_info *err) {
    const char *typed = args_value(c->args, "store");
    if (!typed)
        return runs_name_store(NULL, s->words.e.outputs.name, s->words.profile, &s->store, err);
    CHECK_ALLOC(s->store = text_copy(typed));
    return STATUS_OK;
}

/* What each reading adds to the cells that run. */
static status describe_readings(cli *c, session *s, planned_keys *keys, error_info *err) {
    AUTO_PTR(json_decref) json_t *array = NULL;
    size_t n_base = keys->n;
    if (s->readings.n == 0)
        return STATUS_OK;
    CHECK_ALLOC(array = json_array());
    for (size_t i = 0; i < s->readings.n; i++) {
        const char *id = s->readings.experiments[i].outputs.reading;
        AUTO(planned_run_clear) planned_run plan = {0};
        CHECK(cli_blame(c, BLAME_INPUT,
                        runner_describe_plan(&s->readings.experiments[i], s->store, args_has(c->args, "retry-failed"),
                                             s->words.n_jobs, keys, &plan, err)));
        text_append_format(&c->out, "Reading '%s': %zu cells, adds %zu to run\n", id, plan.counts.total, plan.n_new);
        CHECK(json_add(array,
                       json_object_of({"id", json_of_text(id)}, {"cells", runs_counts_object(&plan.counts)},
                                      {"to_run", json_of_size(plan.n_new)}),
                       err));
    }
    text_append_format(&c->out, "All together: %zu cells to run, %zu of them for readings\n", keys->n,
                       keys->n - n_base);
    return c->json ? json_put(c->answer, "readings", TAKE(array), err) : STATUS_OK;
}

static status describe_plan(cli *c, session *s, error_info *err) {
    AUTO(planned_run_clear) planned_run plan = {.wants_cells = c->json || args_has(c->args, "verbose")};
    AUTO(planned_keys_clear) planned_keys keys = {0};

    CHECK(cli_blame(c, BLAME_INPUT,
                    runner_describe_plan(&s->words.e, s->store, args_has(c->args, "retry-failed"), s->words.n_jobs,
                                         s->readings.n > 0 ? &keys : NULL, &plan, err)));
    if (c->json) {
        CHECK_ALLOC(c->answer = runs_counts_object(&plan.counts));
        CHECK(json_put(c->answer, "plan", runs_lines(&plan.cells), err));
        return describe_readings(c, s, &keys, err);
    }
    text_append(&c->out, plan.summary.data);
    text_append(&c->out, plan.cells.data ? plan.cells.data : "");
    runs_append_counts(&c->out, &plan.counts);
    return describe_readings(c, s, &keys, err);
}

static void say_how_to_go_on(const cli *c) {
    AUTO(text_buffer_clear) text_buffer again = {0};
    run_request_append_command(c, &again);
    cli_say(c, "Interrupted. What is done is stored; this goes on from there:\n  %s", again.data ? again.data : "");
}

static status work(cli *c, session *s, error_info *err) {
    run_options o = {.store_folder = s->store,
                     .file = s->words.path,
                     .profile = s->words.profile,
                     .n_jobs = s->words.n_jobs,
                     .quiet = c->quiet,
                     .show_progress = !c->quiet && isatty(STDERR_FILENO),
                     .retry_failed = args_has(c->args, "retry-failed")};
    CHECK(cli_blame(c, BLAME_WORK, runner_run(&s->words.e, &o, &s->counts, &s->interrupted, err)));
    CHECK(cli_blame(c, BLAME_WORK, chosen_readings_run(c, &s->readings, &o, &s->interrupted, err)));
    if (s->interrupted) {
        c->exit_status = LEAVE_INTERRUPTED;
        say_how_to_go_on(c);
    } else if (s->counts.done < s->counts.total || !chosen_readings_are_complete(&s->readings)) {
        c->exit_status = LEAVE_INCOMPLETE;
    }
    return STATUS_OK;
}

/* ---- with workers of a scheduler ---- */

static status count_cells(const session *s, const char *reading, run_counts *counts, error_info *err) {
    AUTO_PTR(store_close) store *opened = NULL;
    AUTO_PTR(stored_run_destroy) stored_run *run = NULL;
    CHECK(store_open(s->store, false, false, &opened, err));
    CHECK(stored_run_read(opened, reading, 0, &run, err));
    stored_run_count(run, counts);
    return STATUS_OK;
}

static void append_call(text_buffer *out, const char *lead, const char *first, const char *second) {
    text_append(out, lead);
    shell_append_word(out, first);
    text_append(out, second ? " " : "");
    if (second)
        shell_append_word(out, second);
    text_append(out, "\n");
}

/* What goes on without this command, and how to see it. */
static status tell_submitted(cli *c, const session *s, const shared_outcome *o, error_info *err) {
    const char *folder = s->engine.folder, *said = o->said.data ? o->said.data : "";
    char shown[TEXT_SHOWN_SIZE];
    size_t length = strcspn(said, "\n");
    if (c->json) {
        CHECK_ALLOC(c->answer = runs_counts_object(&s->counts));
        if (s->readings.n > 0)
            CHECK(json_put(c->answer, "readings", chosen_readings_array(&s->readings), err));
        return json_put_all(c->answer, err, {"store", json_of_text(s->store)}, {"shared", json_of_text(folder)},
                            {"submitted", json_boolean(o->is_submitted)}, {"scheduler", json_of_buffer(&o->said)},
                            {"queued", json_of_size(o->left.queued)}, {"claimed", json_of_size(o->left.claimed)});
    }
    runs_append_counts(&c->out, &s->counts);
    chosen_readings_append(&s->readings, &c->out);
    if (!o->is_submitted)
        text_append(&c->out, "Workers of an earlier call are at it.\n");
    else
        text_append_format(&c->out, "Workers are submitted%s%s.\n", length ? ": " : "", text_show(said, length, shown));
    append_call(&c->out, "  bnbench collect ", folder, s->store);
    append_call(&c->out, "  bnbench status ", s->store, NULL);
    text_append(&c->out, "take in what is done and say how far it is; the same command with --follow does both to the "
                         "end.\n");
    if (s->n_readings_begun < s->readings.n)
        text_append_format(&c->out, "Of %zu readings %zu wait for that; the same command goes on with them.\n",
                           s->readings.n, s->readings.n - s->n_readings_begun);
    return STATUS_OK;
}

static void say_how_to_follow(const cli *c, const shared_outcome *o) {
    AUTO(text_buffer_clear) text_buffer again = {0};
    run_request_append_command(c, &again);
    cli_say(c, "Interrupted. What is done is stored, and %s:\n  %s",
            o->has_ended_command ? "the command of --submit, which still ran, is ended; this goes on from there"
                                 : "the workers go on; this follows them again",
            again.data ? again.data : "");
}

static void say_what_ails(const cli *c, const session *s, const shared_outcome *o) {
    if (o->trouble.data)
        cli_say(c, "%.*s", (int)o->trouble.length - 1, o->trouble.data);
    if (o->is_in_vain)
        cli_say(c,
                "%zu submissions in a row brought no result, and jobs are left; the logs of the workers are in "
                "%s/engine",
                s->engine.options.plan.retries + 1, s->engine.folder);
    if (o->interrupted)
        say_how_to_follow(c, o);
}

/* The experiment, or one of its readings, in a plan folder of its own. */
static status share(cli *c, session *s, const experiment *e, run_counts *counts, shared_outcome *out, error_info *err) {
    const char *reading = e->outputs.reading;
    shared_outcome_clear(out);
    *out = (shared_outcome){0};
    CHECK(engine_request_place(c, s->store, reading, &s->engine, err));
    CHECK(cli_blame(c, BLAME_WORK, runner_run_shared(e, &s->engine.options, out, err)));
    CHECK(count_cells(s, reading, counts, err));
    say_what_ails(c, s, out);
    return STATUS_OK;
}

/* Each reading when what is before it is over, since they have cells in common, which are computed once. */
static status share_readings(cli *c, session *s, shared_outcome *o, error_info *err) {
    chosen_readings *r = &s->readings;
    while (s->n_readings_begun < r->n && o->is_over && !o->interrupted) {
        size_t i = s->n_readings_begun++;
        cli_say(c, "Reading '%s' (%zu of %zu):", r->experiments[i].outputs.reading, i + 1, r->n);
        CHECK(share(c, s, &r->experiments[i], &r->counts[i], o, err));
    }
    return STATUS_OK;
}

static status check_shared(cli *c, const session *s, error_info *err) {
    CHECK(cli_blame(c, BLAME_WORDS, shared_options_check(&s->words.e, &s->engine.options, err)));
    for (size_t i = 0; i < s->readings.n; i++)
        CHECK(cli_blame(c, BLAME_WORDS, shared_options_check(&s->readings.experiments[i], &s->engine.options, err)));
    return STATUS_OK;
}

static status work_shared(cli *c, session *s, error_info *err) {
    AUTO(shared_outcome_clear) shared_outcome o = {0};
    CHECK(engine_request_place(c, s->store, NULL, &s->engine, err));
    CHECK(check_shared(c, s, err));
    CHECK(share(c, s, &s->words.e, &s->counts, &o, err));
    CHECK(share_readings(c, s, &o, err));
    s->interrupted = o.interrupted;
    s->is_submitted = !o.interrupted && !o.is_over && !s->engine.options.follows;
    if (o.interrupted)
        c->exit_status = LEAVE_INTERRUPTED;
    else if (!s->is_submitted && (s->counts.done < s->counts.total || !chosen_readings_are_complete(&s->readings)))
        c->exit_status = LEAVE_INCOMPLETE;
    return s->is_submitted ? tell_submitted(c, s, &o, err) : STATUS_OK;
}

static status answer(cli *c, const session *s, const report_files *wish, error_info *err) {
    CHECK_ALLOC(c->answer = runs_counts_object(&s->counts));
    CHECK(
        json_put_all(c->answer, err, {"store", json_of_text(s->store)}, {"interrupted", json_boolean(s->interrupted)}));
    if (s->readings.n > 0)
        CHECK(json_put(c->answer, "readings", chosen_readings_array(&s->readings), err));
    return s->interrupted ? STATUS_OK : runs_report(c, s->store, wish, c->answer, err);
}

/* One job was chosen, perhaps with the one whose time is its budget: tables of it would say "not run" all over. */
static bool is_one_job(const session *s) {
    const cell_choice *only = &s->words.e.only;
    return s->counts.total == 1
               ? only->network || only->size || only->sigma || only->replicate || only->variant
               : s->counts.total == 2 && only->variant && s->words.e.variants[only->variant - 1].budget.is_relative;
}

static status print_job(cli *c, const session *s, error_info *err) {
    AUTO_PTR(store_close) store *opened = NULL;
    AUTO_PTR(stored_run_destroy) stored_run *run = NULL;
    stored_job j;
    CHECK(store_open(s->store, false, false, &opened, err));
    CHECK(stored_run_read(opened, NULL, STORED_RUN_TEXTS | STORED_RUN_OTHERS, &run, err));
    stored_job_last(run, &j);
    return job_details_print(&j, c, err);
}

static void append_why(const char *folder, const char *rest, text_buffer *out) {
    text_append(out, "'bnbench status ");
    shell_append_word(out, folder);
    text_append(out, rest);
}

static status print(cli *c, const session *s, const report_files *wish, error_info *err) {
    report_files files = *wish;
    if (s->interrupted) {
        runs_append_counts(&c->out, &s->counts);
        chosen_readings_append(&s->readings, &c->out);
        return STATUS_OK;
    }
    files.without_text = is_one_job(s);
    if (files.without_text)
        CHECK(cli_blame(c, BLAME_WORK, print_job(c, s, err)));
    status st = runs_report(c, s->store, &files, NULL, err);
    runs_append_counts(&c->out, &s->counts);
    chosen_readings_append(&s->readings, &c->out);
    if (s->counts.done < s->counts.total)
        append_why(s->store, " --why' says why the others have no result.\n", &c->out);
    if (!chosen_readings_are_complete(&s->readings))
        append_why(s->store, " --reading ID --why' says why cells of a reading have none.\n", &c->out);
    if (s->counts.failed > 0)
        text_append(&c->out, "The same command with --retry-failed runs failed cells again.\n");
    return st;
}

static status choose_readings(cli *c, session *s, error_info *err) {
    const char *list = args_value(c->args, "readings");
    if (!list)
        return STATUS_OK;
    CHECK(cli_blame(c, BLAME_WORDS, chosen_readings_read(&s->words.e, list, &s->readings, err)));
    for (size_t i = 0; i < s->readings.n; i++)
        CHECK(cli_blame(c, BLAME_INPUT,
                        error_at(runner_check_programs(&s->readings.experiments[i], err), err, s->words.path)));
    return STATUS_OK;
}

static status run(cli *c, error_info *err) {
    static const report_files everything = {.form = &document_format_markdown, .csv = true, .plots = true};
    AUTO(clear) session s = {0};

    CHECK(engine_request_read(c, &s.engine, err));
    CHECK(run_request_read(c, &s.words, err));
    CHECK(cli_blame(c, BLAME_INPUT, error_at(runner_check_programs(&s.words.e, err), err, s.words.path)));
    CHECK(choose_readings(c, &s, err));
    CHECK(name_store(c, &s, err));
    if (args_has(c->args, "dry-run"))
        return describe_plan(c, &s, err);
    CHECK(s.engine.is_shared ? work_shared(c, &s, err) : work(c, &s, err));
    if (s.is_submitted)
        return STATUS_OK;
    return c->json ? answer(c, &s, &everything, err) : print(c, &s, &everything, err);
}

const command command_run = {
    .run = run,
    .syntax =
        {.name = "run",
         .words = "FILE",
         .summary = "run an experiment, print its tables, draw its plots",
         .details =
             "FILE is an experiment file (docs/experiment-file.md) or the name of one that ships. Cells whose results\n"
             "the store holds are not run again, so the same command continues after an interruption.\n"
             "With --engine slurm or command the jobs are laid out in a folder that other machines share, and a\n"
             "scheduler starts workers for them. Without --follow the command then returns.\n"
             "Exit status 6: the run ended, and some jobs did not succeed.",
         .examples = "  bnbench run quickstart\n"
                     "  bnbench run brown2005 --profile quick --jobs 2 --dry-run\n"
                     "  printf 'name: mine\\nnetworks: [asia]\\ndata: {samples: [500], replicates: 5}\\nlearners: [hc, "
                     "mmhc]\\n' > my.yaml\n"
                     "  bnbench run my.yaml --set data.replicates=2\n"
                     "  bnbench run my.yaml --store again --engine command --submit '{script}' --follow",
         .least_words = 1,
         .most_words = 1,
         .options = options},
};
