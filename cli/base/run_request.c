/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/base/run_request.h"

#include "cli/base/inputs.h"
#include "core/base/shell_word.h"
#include "runner/declare/shipped_experiments.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 4096, SHORTEST_LEASE_S = 5, USUAL_LEASE_S = 120, MOST_RETRIES = 1000000 };

void run_request_clear(run_request *w) {
    experiment_clear(&w->e);
    free(w->path);
}

status run_request_read_jobs(cli *c, size_t *out, error_info *err) {
    int64_t n = 1;
    status st = cli_blame(c, BLAME_WORDS, args_whole(c->args, "jobs", 1, MOST_JOBS, 1, &n, err));
    *out = args_has(c->args, "jobs") ? (size_t)n : 0;
    return st;
}

static status read_experiment(cli *c, run_request *s, error_info *err) {
    AUTO_FREE const char **sets = calloc(c->args->n_given + 1, sizeof *sets);
    size_t n_sets;

    CHECK_ALLOC(sets);
    n_sets = args_values(c->args, "set", sets);
    CHECK(cli_blame(c, BLAME_INPUT, shipped_experiment_locate(c->args->words[0], &s->path, err)));
    return cli_blame(c, BLAME_INPUT,
                     experiment_read(s->path, args_value(c->args, "profile"), sets, n_sets, &s->e, err));
}

status run_request_read(cli *c, run_request *out, error_info *err) {
    out->profile = args_value(c->args, "profile");
    CHECK(run_request_read_jobs(c, &out->n_jobs, err));
    return read_experiment(c, out, err);
}

status run_request_read_losses(const args *a, plan_options *o, error_info *err) {
    const char *typed = args_value(a, "lease");
    int64_t retries = 0;
    o->lease_s = USUAL_LEASE_S;
    if (typed && !(text_to_seconds(typed, &o->lease_s) && o->lease_s >= SHORTEST_LEASE_S))
        return error_set(err, STATUS_INVALID, "--lease is '%s'; it must be a time of at least %d s: 90s, 5min", typed,
                         SHORTEST_LEASE_S);
    CHECK(args_whole(a, "retries", 0, MOST_RETRIES, PLAN_USUAL_RETRIES, &retries, err));
    o->retries = (size_t)retries;
    return STATUS_OK;
}

void run_request_append_command(const cli *c, text_buffer *out) {
    const args *a = c->args;
    text_append_format(out, "bnbench %s", a->syntax->name);
    for (size_t i = 0; i < a->n_given; i++) {
        text_append_format(out, " --%s%s", a->given[i].option->name, a->given[i].value ? " " : "");
        if (a->given[i].value)
            shell_append_word(out, a->given[i].value);
    }
    for (size_t i = 0; i < a->n_words; i++) {
        text_append(out, " ");
        shell_append_word(out, a->words[i]);
    }
}
