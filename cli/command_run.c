/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench run: what an experiment file declares, then its tables and plots. */
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/json.h"
#include "cli/runs.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_JOBS = 4096 };

static const arg_option options[] = {
    {"profile", 0, "P", "overlay this profile of the file: quick"},
    {"jobs", 'j', "N", "jobs at once (the processors that there are)"},
    {"engine", 0, "ENGINE", "local"},
    {"store", 0, "DIR", "where results go (stores/NAME or stores/NAME-PROFILE)"},
    {"set", 0, "KEY=VALUE", "override a value of the file: data.replicates=2;\nmay be repeated"},
    {"retry-failed", 0, NULL, "run cells again that failed before; by default a failure is\na result that stays"},
    {"dry-run", 0, NULL, "show the plan, run nothing"},
    {0},
};

typedef struct {
    experiment e;
    char *path, *store;
    int64_t n_jobs;
    run_counts counts;
    bool interrupted;
} session;

static void clear(session *s) {
    experiment_clear(&s->e);
    free(s->path);
    free(s->store);
}

static int64_t processor_count(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
}

static status read_words(cli *c, session *s, error_info *err) {
    const char *engine = args_value(c->args, "engine");
    int64_t processors = processor_count();
    status st = STATUS_OK;
    if (engine && strcmp(engine, "slurm") == 0)
        TRY(error_set(err, STATUS_INVALID, "--engine slurm is not in this version; there is local"));
    if (engine && strcmp(engine, "local") != 0)
        TRY(error_set(err, STATUS_INVALID, "--engine is '%s'; it must be local", engine));
    TRY(args_whole(c->args, "jobs", 1, MOST_JOBS, processors < 1 ? 1 : processors, &s->n_jobs, err));
cleanup:
    return cli_blame(c, BLAME_WORDS, st);
}

static status read_experiment(cli *c, session *s, error_info *err) {
    const char **sets = calloc(c->args->n_given + 1, sizeof *sets);
    size_t n_sets;
    status st = STATUS_OK;

    TRY_ALLOC(sets);
    n_sets = args_values(c->args, "set", sets);
    TRY(cli_blame(c, BLAME_INPUT, input_experiment_path(c->args->words[0], &s->path, err)));
    TRY(cli_blame(c, BLAME_INPUT, experiment_read(s->path, args_value(c->args, "profile"), sets, n_sets, &s->e, err)));
cleanup:
    free(sets);
    return st;
}

static status name_store(cli *c, session *s, error_info *err) {
    const char *typed = args_value(c->args, "store"), *profile = args_value(c->args, "profile");
    text_buffer name = {0};
    if (typed)
        text_append(&name, typed);
    else
        text_append_format(&name, "stores/%s%s%s", s->e.outputs.name, profile ? "-" : "", profile ? profile : "");
    s->store = name.data;
    return text_buffer_check(&name, err);
}

static status describe_plan(cli *c, session *s, error_info *err) {
    text_buffer plan = {0};
    status st = STATUS_OK;

    TRY(cli_blame(c, BLAME_INPUT, runner_describe_plan(&s->e, s->store, &plan, &s->counts, err)));
    if (c->json) {
        TRY_ALLOC(c->answer = runs_counts_object(&s->counts));
        TRY(json_put(c->answer, "plan", runs_lines(&plan), err));
        goto cleanup;
    }
    text_append_bytes(&c->out, plan.data ? plan.data : "", plan.length);
    runs_append_counts(&c->out, &s->counts);
cleanup:
    text_buffer_clear(&plan);
    return st;
}

/* As a shell takes it: plain where that is safe, else between single quotes. */
static void append_shell_word(text_buffer *out, const char *word) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=,:+@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        text_append(out, word);
        return;
    }
    text_append(out, "'");
    for (; *word; word++)
        text_append_bytes(out, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
    text_append(out, "'");
}

/* The command that goes on: every word that was typed. */
static void say_how_to_go_on(const cli *c) {
    const args *a = c->args;
    text_buffer again = {0};
    text_append(&again, "bnbench run");
    for (size_t i = 0; i < a->n_given; i++) {
        text_append_format(&again, " --%s%s", a->given[i].option->name, a->given[i].value ? " " : "");
        if (a->given[i].value)
            append_shell_word(&again, a->given[i].value);
    }
    for (size_t i = 0; i < a->n_words; i++) {
        text_append(&again, " ");
        append_shell_word(&again, a->words[i]);
    }
    cli_say(c, "Interrupted. What is done is stored; this goes on from there:\n  %s", again.data ? again.data : "");
    text_buffer_clear(&again);
}

static status work(cli *c, session *s, error_info *err) {
    run_options o = {.store_folder = s->store,
                     .file = s->path,
                     .profile = args_value(c->args, "profile"),
                     .n_jobs = (size_t)s->n_jobs,
                     .quiet = c->quiet,
                     .show_progress = !c->quiet && isatty(STDERR_FILENO),
                     .retry_failed = args_has(c->args, "retry-failed")};
    status st = cli_blame(c, BLAME_WORK, runner_run(&s->e, &o, &s->counts, &s->interrupted, err));
    if (st != STATUS_OK)
        return st;
    if (s->interrupted) {
        c->exit_status = LEAVE_INTERRUPTED;
        say_how_to_go_on(c);
    } else if (s->counts.done < s->counts.total) {
        c->exit_status = LEAVE_INCOMPLETE;
    }
    return STATUS_OK;
}

static status answer(cli *c, const session *s, const report_wish *wish, error_info *err) {
    status st = STATUS_OK;
    TRY_ALLOC(c->answer = runs_counts_object(&s->counts));
    TRY(json_put(c->answer, "store", json_of_text(s->store), err));
    TRY(json_put(c->answer, "interrupted", json_boolean(s->interrupted), err));
    if (!s->interrupted)
        TRY(runs_report(c, s->store, wish, c->answer, err));
cleanup:
    return st;
}

static status print(cli *c, const session *s, const report_wish *wish, error_info *err) {
    if (s->interrupted) {
        runs_append_counts(&c->out, &s->counts);
        return STATUS_OK;
    }
    status st = runs_report(c, s->store, wish, NULL, err);
    runs_append_counts(&c->out, &s->counts);
    if (s->counts.done < s->counts.total)
        text_append_format(&c->out, "'bnbench status %s --why' says why the others have no result.\n", s->store);
    return st;
}

static status run(cli *c, error_info *err) {
    static const report_wish everything = {.write_markdown = true, .write_csv = true, .write_plots = true};
    session s = {0};
    status st = STATUS_OK;

    TRY(read_words(c, &s, err));
    TRY(read_experiment(c, &s, err));
    TRY(name_store(c, &s, err));
    if (args_has(c->args, "dry-run")) {
        TRY(describe_plan(c, &s, err));
    } else {
        TRY(work(c, &s, err));
        TRY(c->json ? answer(c, &s, &everything, err) : print(c, &s, &everything, err));
    }
cleanup:
    clear(&s);
    return st;
}

const command command_run = {
    .syntax =
        {
            .name = "run",
            .words = "FILE",
            .summary = "run an experiment, print its tables, draw its plots",
            .details =
                "FILE is an experiment file (docs/experiment-file.md) or the name of one that ships. What the store\n"
                "holds already is not run again: the same command goes on after an interruption.\n"
                "Exit status 6: the run ended, and some jobs did not succeed.",
            .examples = "  bnbench run quickstart\n"
                        "  bnbench run brown2005 --profile quick --jobs 2\n"
                        "  bnbench run my.yaml --set data.replicates=2 --dry-run",
            .least_words = 1,
            .most_words = 1,
            .options = options,
        },
    .run = run,
};
