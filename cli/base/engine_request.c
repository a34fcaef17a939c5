/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/base/engine_request.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_TASKS = 8, MOST_TASKS = 100000 };
#define USUAL_TASK_TIME_S 86400.0

void engine_request_clear(engine_request *r) {
    free(r->folder);
    *r = (engine_request){0};
}

static const char *first_given(const args *a, const char *const *names) {
    for (; *names; names++) {
        if (args_has(a, *names))
            return *names;
    }
    return NULL;
}

static status check_local(cli *c, error_info *err) {
    static const char *const others[] = {"follow",    "tasks", "shared",  "submit", "slurm-args",
                                         "task-time", "lease", "retries", NULL};
    const char *wrong = first_given(c->args, others);
    return wrong ? cli_refuse(c, err, "--%s is for --engine slurm or command; this run is local", wrong) : STATUS_OK;
}

static status check_shared(cli *c, bool is_slurm, error_info *err) {
    if (args_has(c->args, "jobs"))
        return cli_refuse(c, err, "--jobs is for --engine local; --tasks says how many workers there are");
    if (is_slurm && args_has(c->args, "submit"))
        return cli_refuse(c, err, "--submit is for --engine command; slurm takes --slurm-args");
    if (!is_slurm && args_has(c->args, "slurm-args"))
        return cli_refuse(c, err, "--slurm-args is for --engine slurm; command takes --submit");
    return is_slurm || args_has(c->args, "submit")
               ? STATUS_OK
               : cli_refuse(c, err,
                            "--engine command takes --submit, the command that starts the workers: "
                            "--submit 'qsub -t 1-{tasks} {script}'");
}

static status read_task_time(const args *a, double *out, error_info *err) {
    const char *typed = args_value(a, "task-time");
    *out = USUAL_TASK_TIME_S;
    if (!typed || (text_to_seconds(typed, out) && *out > 0))
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "--task-time is '%s'; it must be a time above 0: 4h, 2d", typed);
}

static status read_shared(cli *c, shared_options *o, error_info *err) {
    const args *a = c->args;
    int64_t n = 0;
    CHECK(args_whole(a, "tasks", 1, MOST_TASKS, USUAL_TASKS, &n, err));
    CHECK(read_task_time(a, &o->longest_task_s, err));
    CHECK(run_request_read_losses(a, &o->plan, err));
    o->n_tasks = (size_t)n;
    o->submit = args_value(a, "submit");
    o->slurm_args = args_value(a, "slurm-args");
    o->follows = args_has(a, "follow");
    o->plan.retry_failed = args_has(a, "retry-failed");
    o->quiet = c->quiet;
    o->show_progress = !c->quiet && isatty(STDERR_FILENO);
    return STATUS_OK;
}

status engine_request_read(cli *c, engine_request *out, error_info *err) {
    const char *engine = args_value(c->args, "engine");
    bool is_slurm = engine && strcmp(engine, "slurm") == 0;
    if (!engine || strcmp(engine, "local") == 0)
        return check_local(c, err);
    if (!is_slurm && strcmp(engine, "command") != 0)
        return cli_refuse(c, err, "--engine is '%s'; it must be local, slurm or command", engine);
    CHECK(check_shared(c, is_slurm, err));
    out->is_shared = true;
    return cli_blame(c, BLAME_WORDS, read_shared(c, &out->options, err));
}

status engine_request_place(const cli *c, const char *store_folder, const char *reading, engine_request *r,
                            error_info *err) {
    const char *typed = args_value(c->args, "shared");
    AUTO(text_buffer_clear) text_buffer name = {0};
    text_append_format(&name, "%s%s", typed ? typed : store_folder, typed ? "" : "-jobs");
    if (reading)
        text_append_format(&name, "-%s", reading);
    free(r->folder);
    r->folder = NULL;
    CHECK(text_buffer_take(&name, &r->folder, err));
    r->options.folder = r->folder;
    r->options.store_folder = r->options.plan.store_folder = store_folder;
    return STATUS_OK;
}
